#!/bin/bash
# Runs one lit file with the tools under test and LLVM's test tools on PATH.
export PATH="$PWD/tools:/usr/lib/llvm-22/bin:$PATH"
exec /usr/bin/python3 /usr/lib/llvm-22/bin/lit -v "$@"
