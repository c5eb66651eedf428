#!/bin/bash
# Usage: source_tree_test.sh CHECK ARGUMENTS…: runs a check of tools/dev in the checkout that README.md is linked from.
cd "$(dirname "$(readlink -f README.md)")" && exec "$@"
