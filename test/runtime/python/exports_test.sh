#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The module shows Python the one symbol that it asks for, and no symbol of ours or of a library's can be taken for another's.
set -u
shown=$(nm -D --defined-only --extern-only runtime/python/_runtime.so | awk '{print $3}')
[ "$shown" = PyInit__runtime ] || { echo "FAILED: it exports $(wc -l <<<"$shown") symbols:"; head -20 <<<"$shown"; exit 1; }
