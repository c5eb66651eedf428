#!/bin/bash
# Usage: wall_test.sh DEPS_FILE PREFIX… [-- ALLOWED_PREFIX…]: fails when a line of DEPS_FILE starts with a forbidden prefix, and
# with none of the allowed ones.
set -u
deps=$1
shift
[ -s "$deps" ] || { echo "no dependencies listed in $deps: the query is broken"; exit 1; }
forbidden=() allowed=(-e '^$') # No label is empty.
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  forbidden+=(-e "^$1([:/]|$)")
  shift
done
for prefix in "${@:2}"; do
  allowed+=(-e "^$prefix([:/]|$)")
done
crossings=$(grep -E "${forbidden[@]}" "$deps" | grep -Ev "${allowed[@]}")
[ -z "$crossings" ] || { echo "crosses the wall to"; echo "$crossings"; exit 1; }
