#!/bin/bash
# Runs one lit file with the tools under test and LLVM's test tools on PATH.
export PATH="$PWD/tools:/usr/lib/llvm-22/bin:$PATH"
export PLUMB_VERIFY_PASSES=1  # MLIR's verifier after each pass, codegen's too
exec /usr/bin/python3 /usr/lib/llvm-22/bin/lit -v "$@"
