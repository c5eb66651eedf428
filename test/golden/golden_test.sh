#!/bin/bash
# Reads and runs every executable of this folder and compares what it prints with the text beside it.
set -u
failed=0
count=0
for executable in test/golden/*.plumb; do
  count=$((count + 1))
  tools/plumb-dump --json "$executable" > /dev/null || failed=1
  diff -u "${executable%.plumb}.txt" <(tools/plumb-run "$executable") || failed=1
done
[ $count -gt 0 ] && exit $failed
echo "no executable found"
exit 1
