#!/bin/bash
# Usage: wall_test.sh DEPS_FILE PREFIX…: fails when a line of DEPS_FILE starts with a forbidden prefix.
set -u
deps=$1
shift
[ -s "$deps" ] || { echo "no dependencies listed in $deps: the query is broken"; exit 1; }
failed=0
for prefix in "$@"; do
  if grep -E "^${prefix}([:/]|$)" "$deps"; then
    echo "crosses the wall to $prefix"
    failed=1
  fi
done
exit $failed
