#!/bin/bash
# Runs one unittest file with Debian's Python and the built package. (Bazel's py_test asks for a program called `python`.)
export PYTHONPATH="$PWD/compiler/python/package:$(dirname "$1")"
export PLUMB_VERIFY_PASSES=1  # MLIR's verifier after each pass, codegen's too
exec /usr/bin/python3 "$@"
