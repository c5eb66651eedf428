#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# plumb-run, plumb-dump and plumb-bench from outside, on an executable of hand-written loops.
set -u
run=tools/plumb-run dump=tools/plumb-dump bench=tools/plumb-bench
file=$TEST_TMPDIR/fake.plumb
test/runtime/testing/make_fake_executable "$file" || exit 1
failed=0

# expect NAME CODE PATTERN COMMAND…: runs the command; its exit code and a pattern in what it says must fit.
expect() {
  local name=$1 code=$2 pattern=$3 said got
  shift 3
  said=$("$@" 2>&1)
  got=$?
  if [ $got -ne "$code" ] || ! grep -qE -- "$pattern" <<<"$said"; then
    printf 'FAILED %s: exit code %s, wanted %s and /%s/; it said:\n%s\n' "$name" $got "$code" "$pattern" "$said"
    failed=1
  fi
}

for tool in run dump bench; do
  expect "$tool-help" 0 "^Usage: plumb-$tool" tools/plumb-$tool --help
  expect "$tool-version" 0 "^plumb-$tool [0-9]+\." tools/plumb-$tool --version
  expect "$tool-unknown-flag" 2 "unknown flag '--colour'" tools/plumb-$tool --colour "$file"
  expect "$tool-no-file" 2 "one executable is wanted" tools/plumb-$tool
  expect "$tool-missing-file" 1 "/nowhere/x.plumb: cannot be opened" tools/plumb-$tool /nowhere/x.plumb
  [ "$(tools/plumb-$tool --help | wc -l)" -le 30 ] || { echo "FAILED $tool: --help is longer than a screen"; failed=1; }
done

expect run-own-numbers 0 '^epoch: 2 step: 10, loss is ' $run "$file"
expect run-lines 0 '^epoch: 3 step: 5, loss is 15\.0$' $run "$file" --loop count --epochs 3 --sink-size=5
expect run-no-sink 0 '^epoch: 1 step: 4, loss is 4\.0$' $run "$file" --loop=count --epochs=1 --sink-size=5 --no-sink
expect run-whole-data 0 '^epoch: 1 step: 4, loss is ' $run "$file" --sink-size -1
expect run-json 0 '^\{"event": "step", "epoch": 1, "step": 3, "loss": 3\}$' \
  $run "$file" --loop=count --reports=json --epochs=1 --sink-size=3
expect run-time 0 '^epoch time: [0-9.]+ ms, per step time: [0-9.]+ ms$' $run "$file" --time
expect run-sink-size-0 2 "The 'sink_size' must be -1 or positive, but got sink_size 0\." $run "$file" --sink-size 0
expect run-sink-size-2 2 "but got sink_size -2\." $run "$file" --sink-size=-2
expect run-epochs 2 "'--epochs' wants a number" $run "$file" --epochs=-1
expect run-reports 2 "json or text" $run "$file" --reports=xml
expect run-wrong-queue 1 "no queue 'other'" $run "$file" --data=other=/tmp
expect run-needless-folder 1 "queue 'train': its data lie in the executable" $run "$file" --data=/tmp
expect run-load-missing 1 "/nowhere" $run "$file" --load /nowhere/w.safetensors
# Paths are tried before the first step: no line of a step is printed.
for path in /nowhere/w.safetensors /dev/null "$TEST_TMPDIR"; do
  expect "run-save-$path" 1 "^plumb-run: error: --save: cannot write '$path': " $run "$file" --save "$path"
  $run "$file" --save "$path" 2>/dev/null | grep . && { echo "FAILED: trained before --save=$path was tried"; failed=1; }
done
expect run-save-empty 2 "flag '--save' needs a value, and got an empty one" $run "$file" --save=
expect run-load-empty 2 "flag '--load' needs a value, and got an empty one" $run "$file" --load ""

# A resumed run goes on bit for bit.
save=$TEST_TMPDIR/state.safetensors
$run "$file" --seed 5 --epochs 4 >"$TEST_TMPDIR/whole" || failed=1
$run "$file" --seed 5 --epochs 1 --save "$save" >"$TEST_TMPDIR/parts" || failed=1
$run "$file" --epochs 3 --load "$save" >>"$TEST_TMPDIR/parts" || failed=1
sed -i 's/epoch: [0-9]* //' "$TEST_TMPDIR/whole" "$TEST_TMPDIR/parts"
cmp "$TEST_TMPDIR/whole" "$TEST_TMPDIR/parts" || { echo "FAILED resume"; failed=1; }

# A seed that is given wins over that of the file.
$run "$file" --seed 5 --epochs 0 --save "$save" || failed=1
for seed in 5 6; do $run "$file" --seed $seed --epochs 2 >"$TEST_TMPDIR/seed$seed"; done
cmp <($run "$file" --load "$save" --epochs 2) "$TEST_TMPDIR/seed5" || { echo "FAILED seed of the file"; failed=1; }
cmp <($run "$file" --load "$save" --epochs 2 --seed 6) "$TEST_TMPDIR/seed6" || { echo "FAILED seed given"; failed=1; }

# Ctrl-C ends a long run at the next step, and the state is saved.
rm -f "$save"
$run "$file" --loop count --sink-size 1000000000000 --epochs 1 --save "$save" >"$TEST_TMPDIR/log" 2>&1 &
pid=$!
sleep 1
kill -INT $pid
wait $pid
code=$?
if [ $code -ne 3 ] || ! grep -q "stopped by Interrupt after [0-9]* steps; the state is intact" "$TEST_TMPDIR/log" || [ ! -s "$save" ]; then
  echo "FAILED Ctrl-C: exit code $code"
  cat "$TEST_TMPDIR/log"
  failed=1
fi

# fails NAME MESSAGE…: notes a failed check.
fails() {
  echo "FAILED $*"
  failed=1
}

# bits FILE: the weight in a checkpoint, as bytes.
bits() { tail -c 4 "$1" | od -An -tx1; }

# A run with checkpoints is killed again and again, at any moment, and goes on; it ends as one that was left alone.
run_folder=$TEST_TMPDIR/run
long=("$file" --seed 5 --sink-size 1000 --epochs 20)
$run "${long[@]}" --save "$TEST_TMPDIR/straight.safetensors" >"$TEST_TMPDIR/straight" || fails straight
# Ten times killed; on a slow machine then again, later each time, until there is something to go on from.
kills=0
for delay in .02 .05 .01 .08 .03 .12 .04 .02 .06 .05 .2 .5 1 2 4 8; do
  [ $((kills += 1)) -gt 10 ] && compgen -G "$run_folder/step-*.safetensors" >/dev/null && break
  $run "${long[@]}" --checkpoint "$run_folder" --every 300 --resume >"$TEST_TMPDIR/log" 2>&1 &
  pid=$!
  sleep $delay
  kill -KILL $pid 2>/dev/null
  wait $pid 2>/dev/null
done
# A fast machine may have come to the end before it was killed: without the newest file something is left to do.
checkpoints=("$run_folder"/step-*.safetensors)
[ ${#checkpoints[@]} -gt 1 ] && rm "${checkpoints[-1]}"
$run "${long[@]}" --checkpoint "$run_folder" --every 300 --resume --save "$save" >"$TEST_TMPDIR/resumed" 2>"$TEST_TMPDIR/log" ||
  fails resume "$(cat "$TEST_TMPDIR/log")"
grep -qE 'goes on after step [0-9]+, from .*/run/step-[0-9]{12}.safetensors$' "$TEST_TMPDIR/log" || fails "resume says nothing"
[ "$(bits "$save")" = "$(bits "$TEST_TMPDIR/straight.safetensors")" ] || fails "resumed weights differ"
[ "$(tail -1 "$TEST_TMPDIR/resumed")" = "$(tail -1 "$TEST_TMPDIR/straight")" ] || fails "resumed lines differ"
[ "$(ls "$run_folder" | grep -c '^step-')" = 3 ] || fails "3 checkpoints should stay: $(ls "$run_folder")"
ls "$run_folder" | grep -q tmp && fails "temporaries stay: $(ls "$run_folder")"

# A damaged checkpoint is passed over, an end that is reached stays reached.
newest=$(ls "$run_folder"/step-* | tail -1)
printf x | dd of="$newest" bs=1 seek=$(($(stat -c %s "$newest") - 1)) conv=notrunc status=none
expect resume-damaged 0 "warning: $newest: damaged.*an older checkpoint is taken" \
  $run "${long[@]}" --checkpoint "$run_folder" --resume
[ "$(bits "$newest")" = "$(bits "$save")" ] || fails "after damage"
expect resume-done 0 "goes on after step 20000" $run "${long[@]}" --checkpoint "$run_folder" --resume
expect resume-nothing 0 "there is no checkpoint in '$TEST_TMPDIR/fresh'; the run begins" \
  $run "$file" --checkpoint "$TEST_TMPDIR/fresh" --resume

# The best by a report; of the counting loop the first.
$run "$file" --loop count --epochs 1 --sink-size 100 --checkpoint "$TEST_TMPDIR/best" --every 10 --best loss --keep 1 >/dev/null
$run "$file" --loop count --epochs 2 --sink-size 100 --checkpoint "$TEST_TMPDIR/best" --every 10 --best loss --resume >/dev/null 2>&1
[ "$(bits "$TEST_TMPDIR/best/best.safetensors")" = " 00 00 20 41" ] || fails "best: $(bits "$TEST_TMPDIR/best/best.safetensors")"
expect best-unknown 1 "--best: the loop reports no number 'accuracy'; it reports loss" \
  $run "$file" --checkpoint "$TEST_TMPDIR/best" --best max:accuracy

# Watched values: lines, objects, TensorBoard's files, whole tensors. At the same steps however many a launch runs.
count=("$file" --loop count --epochs 2 --sink-size 50)
expect watch 0 '^step 80: weight has mean 80, deviation 0, range 80 to 80 \(1 number\)$' $run "${count[@]}" --watch 'w*,every=40'
[ "$($run "${count[@]}" --watch weight,every=40 | grep -c '^step')" = 2 ] || fails "watch: not every 40 steps"
cmp <($run "${count[@]}" --watch weight,every=40 | grep ^step) <($run "${count[@]}" --no-sink --watch weight,every=40 | grep ^step) ||
  fails "watch without sink"
expect watch-json 0 '^\{"event": "watch", "step": 100, "name": "loss", "shape": \[\], "count": 1, "nan": 0, "infinite": 0, "min": 100, .*"buckets": \[\[9[0-9.]*, 0\], \[10[0-9.]*, 1\]\]\}$' \
  $run "${count[@]}" --reports json --watch loss
$run "${count[@]}" --watch weight,every=20 --watch values:weight,every=50 --watch-to "$TEST_TMPDIR/watch" >"$TEST_TMPDIR/log" || fails watch-to
grep -q ^step "$TEST_TMPDIR/log" && fails "watch-to: lines, too"
python3 - "$TEST_TMPDIR/watch" <<'EOP' || fails "watch-to: files"
import os, struct, sys
names = sorted(os.listdir(sys.argv[1]))
assert names[1:] == ["values-000000000050.safetensors", "values-000000000100.safetensors"], names
data = open(os.path.join(sys.argv[1], names[2]), "rb").read()
assert struct.unpack("<f", data[-4:]) == (100,), data
data = open(os.path.join(sys.argv[1], names[0]), "rb").read()
records = []
while data:
    size = struct.unpack("<Q", data[:8])[0]
    records.append(data[12:12 + size])
    data = data[16 + size:]
assert b"brain.Event:2" in records[0] and len(records) == 6, records
assert all(b"weight" in record for record in records[1:]), records
assert struct.pack("<d", 100.0) in records[5], records[5]
EOP
expect watch-unknown 1 "--watch: loop 'count' has no report 'bias', and the program no variable of that name" $run "${count[@]}" --watch bias
expect watch-rule 2 "what is watched is a NAME.*and not 'weight,each=3'" $run "${count[@]}" --watch weight,each=3
expect watch-values 2 "--watch=values:weight needs --watch-to=DIR" $run "${count[@]}" --watch values:weight
expect watch-to-alone 2 "^plumb-run: error: --watch-to needs --watch=NAME" $run "${count[@]}" --watch-to "$TEST_TMPDIR/watch"
expect watch-to-nowhere 1 "cannot make the folder '/nowhere/watch'" $run "${count[@]}" --watch weight --watch-to /nowhere/watch

expect every 2 "--every takes steps \(1000\) or seconds \(30s\), not '5m'" $run "$file" --checkpoint "$run_folder" --every 5m
expect every-alone 2 "^plumb-run: error: --every needs --checkpoint=DIR" $run "$file" --every 10
expect resume-load 2 "give one of them" $run "$file" --checkpoint "$run_folder" --resume --load "$save"
expect checkpoint-nowhere 1 "^plumb-run: error: --checkpoint: cannot make the folder '/nowhere/run'" \
  $run "$file" --checkpoint /nowhere/run

# Every ending keeps the state: signals, the time limit, an output that nobody reads, a full one.
endless=("$file" --loop count --sink-size 1000000000000 --epochs 1 --save "$save")
for signal in TERM HUP; do
  rm -f "$save"
  $run "${endless[@]}" >/dev/null 2>&1 &
  pid=$!
  sleep .3
  kill -$signal $pid
  wait $pid
  [ $? = 3 ] && [ -s "$save" ] || fails "SIG$signal"
done
rm -f "$save"
expect max-time 3 "stopped by --max-time after [0-9]+ steps" $run "${endless[@]}" --max-time 1
[ -s "$save" ] || fails "max-time saves nothing"
rm -f "$save"
$run "$file" --loop count --epochs 100000 --sink-size 10 --save "$save" 2>"$TEST_TMPDIR/log" | head -1 >/dev/null
grep -q "standard output" "$TEST_TMPDIR/log" && [ -s "$save" ] || fails "closed pipe: $(cat "$TEST_TMPDIR/log")"
$run "$file" --loop count --epochs 1 --sink-size 10 >/dev/full 2>"$TEST_TMPDIR/log"
[ $? = 1 ] && grep -q "standard output" "$TEST_TMPDIR/log" || fails "/dev/full: $(cat "$TEST_TMPDIR/log")"

# A file whose tensor has another name.
printf 'layer.weight weight\n- count*  # none of it\n' >"$TEST_TMPDIR/names"
python3 - "$TEST_TMPDIR/other.safetensors" <<'EOP'
import struct, sys
header = b'{"layer.weight":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}'
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + struct.pack("<f", 41))
EOP
other=("$file" --loop count --epochs 1 --sink-size 1 --load "$TEST_TMPDIR/other.safetensors")
expect names-missing 1 "there is no tensor for variable 'weight'; no variable takes 'layer.weight'" $run "${other[@]}"
expect names 0 "^epoch: 1 step: 1, loss is 42.0" $run "${other[@]}" --names "$TEST_TMPDIR/names"
printf 'layers.weight weight\n' >"$TEST_TMPDIR/names"
expect names-wrong 1 "names:1: 'layers.weight' fits no name of the file" $run "${other[@]}" --names "$TEST_TMPDIR/names"
printf -- '- weight\nlayer.weight -\n' >"$TEST_TMPDIR/names"
expect names-lacking 0 "note: .*other.safetensors: not in it, and as the program begins: 'weight'" $run "${other[@]}" --names "$TEST_TMPDIR/names"
expect names-nowhere 1 "/nowhere/names: cannot be opened" $run "${other[@]}" --names /nowhere/names
expect names-alone 2 "names needs --load=FILE" $run "$file" --names "$TEST_TMPDIR/names"

# A loss that is infinite is no state to keep, in either form of reports; the state before it stays.
overflow=("$file" --load "$TEST_TMPDIR/huge.safetensors" --loop count --epochs 1 --sink-size 5)
python3 - "$TEST_TMPDIR/huge.safetensors" <<'EOP'
import struct, sys
header = b'{"weight":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}'
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + struct.pack("<f", float("inf")))
EOP
cp "$TEST_TMPDIR/straight.safetensors" "$save"
for form in text json; do
  expect "infinite-$form" 4 "Invalid loss, terminating training" $run "${overflow[@]}" --reports $form --save "$save"
  expect "infinite-$form-save" 4 "'$save' was not written" $run "${overflow[@]}" --reports $form --save "$save"
done
cmp "$TEST_TMPDIR/straight.safetensors" "$save" || fails "an infinite state was saved"

# Damage is diagnosed by every tool; nothing is run.
head -c 3000 "$file" >"$TEST_TMPDIR/short.plumb"
echo '#!/bin/sh' >"$TEST_TMPDIR/foreign.plumb"
for tool in $run $dump $bench; do
  expect "$tool-truncated" 1 "short.plumb: truncated" $tool "$TEST_TMPDIR/short.plumb"
  expect "$tool-foreign" 1 "foreign.plumb: not a Plumb executable" $tool "$TEST_TMPDIR/foreign.plumb"
done

expect dump-text 0 '^queue train: 4 slots' $dump "$file"
expect dump-variables 0 'weight +0 +tensor<f32> = zero\(\), trainable' $dump "$file"
$dump "$file" --json | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["loops"][0]["queue"] == "train" and d["queues"][0]["pipeline"]["sampler_shuffle"] is True, d
assert d["memory"]["variables_bytes"] == 64 and d["variables"][0]["initializer"]["kind"] == "zero", d
' || { echo "FAILED dump --json"; failed=1; }

$bench "$file" --steps 2000 --sink-size 500 --resident --json | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["steps"] == 2000 and d["launches"] == 4 and d["steps_per_second"] > 0, d
for key in ("images_per_second", "host_device_interactions", "ns_per_empty_iteration", "peak_rss_bytes", "binary_bytes",
            "start_to_first_step_ms"):
    assert d[key] > 0, (key, d)
assert d["data_wait_share"] == 0, d
' || { echo "FAILED bench --json"; failed=1; }
expect bench-kernels 1 "fake.plumb: has no table of kernels; compile it with plumbc --symbols" $bench "$file" --kernels
expect bench-steps 2 "steps must be positive" $bench "$file" --steps 0

exit $failed
