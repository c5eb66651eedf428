#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
exec python3 test/runtime/tools/soak.py "${@:---seconds=120}"
