#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The module shows Python the one symbol that it asks for, and libMLIR the variables whose addresses identify MLIR's own classes.
set -u
shown=$(nm -D --defined-only --extern-only compiler/python/_compiler.so | awk '{print $3}')
grep -qx PyInit__compiler <<<"$shown" || { echo "FAILED: PyInit__compiler is not exported"; exit 1; }
others=$(grep -vxE 'PyInit__compiler|_Z(GV)?ZN4mlir(6detail14TypeIDResolverINS_|11SideEffects).*' <<<"$shown")
[ -z "$others" ] || { echo "FAILED: it exports $(wc -l <<<"$others") more symbols:"; head -20 <<<"$others"; exit 1; }
