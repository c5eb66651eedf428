#!/usr/bin/python3
"""Runs Plumb and every peer found on this machine side by side, interleaved, and prints a Markdown table.

  tools/dev/bench [--workloads lenet,mlp,…] [--rounds 5] [--peers DIR] [--json FILE]

Compute only, one thread: ours is `plumb-bench --resident`, a peer is one of the scripts in DIR (torch_bench.py,
libtorch_bench, …), each of which prints a JSON line with `steps_per_s`. Every round runs each contestant once, so that a
change of the machine's speed meets all of them; figures are medians over rounds, a ratio is the median of the rounds' ratios.
The limit is the multiply-add FLOPs of a step over the FMA peak measured in the same run. Debian's PyTorch is a fair peer only with
libopenblas0-pthread installed: without it, it multiplies matrices by the reference BLAS.
"""

import argparse
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / "bazel-bin"


def resnet_macs(blocks):
    """Multiply-adds per image of each layer of a residual network with `blocks` blocks per stage, 3x32x32 input."""
    layers, inputs, side = [27 * 16 * 32 * 32], 16, 32
    for outputs in (16, 32, 64):
        for block in range(blocks):
            if block == 0 and outputs != 16:
                side //= 2
                layers.append(inputs * outputs * side * side)
            layers += [9 * inputs * outputs * side * side, 9 * outputs * outputs * side * side]
            inputs = outputs
    return layers + [64 * 10]


def transformer_macs(layers=2, width=128, length=64):
    """Multiply-adds per sequence: query, key and value; scores; mixing; projection; the two of the feed-forward part."""
    attention = [length * width * 3 * width, length * length * width, length * length * width, length * width * width]
    return (attention + [length * width * 4 * width] * 2) * layers


class Workload:
    """A program of docs/examples, its batch, and the multiply-adds of its layers per row.

    The first layer's input needs no gradient unless `input_gradient`.
    """

    def __init__(self, program, batch, macs, arguments=(), input_gradient=False):
        self.program, self.batch, self.arguments = program, batch, arguments
        unneeded = 0 if input_gradient else macs[0]
        self.flops = 2 * (3 * sum(macs) - unneeded) * batch


WORKLOADS = {
    "lenet": Workload("lenet.py", 32, [25 * 6 * 784, 150 * 16 * 100, 400 * 120, 120 * 84, 84 * 10]),
    "mlp": Workload("mlp.py", 128, [784 * 512, 512 * 512, 512 * 10]),
    "resnet8": Workload("resnet.py", 128, resnet_macs(1), ("--depth", "8", "--batches", "1")),
    "resnet20": Workload("resnet.py", 128, resnet_macs(3), ("--depth", "20", "--batches", "1")),
    "transformer": Workload("transformer.py", 16, transformer_macs(), input_gradient=True),
}


def run_json(command, environment=None):
    """Runs a command and returns its last line of JSON, or None when it fails."""
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                            env={**os.environ, **(environment or {})})
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    if result.returncode or not lines:
        print(f"left out: {' '.join(map(str, command))}: {result.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return json.loads(lines[-1])


def compile_program(workload, folder, name):
    """Compiles a workload and returns the executable's path."""
    path = folder / f"{name}.plumb"
    subprocess.run([BIN / "tools/plumbc", ROOT / "docs/examples" / workload.program, "-o", path, "--",
                    *workload.arguments], check=True)
    return path


def steps_for(workload, peak):
    """About a second's worth of steps at half of the limit."""
    return max(3, int(0.5 * peak * 1e9 / workload.flops))


class Plumb:
    """Ours, as a contestant."""

    name = "plumb"

    def __init__(self, executable, steps):
        self.command = [BIN / "tools/plumb-bench", executable, "--steps", steps, "--resident", "--json"]

    def measure(self):
        """Returns steps per second, or None."""
        result = run_json(self.command)
        return result and result["steps_per_second"]


class Peer:
    """One of the peers' scripts, as a contestant."""

    def __init__(self, name, command):
        self.name, self.command = name, command

    def measure(self):
        """Returns steps per second, or None."""
        result = run_json(self.command, {"OMP_NUM_THREADS": "1"})
        return result and result["steps_per_s"]


def unpack_digits(folder):
    """Writes the project's own digits as the plain IDX files that peers read; returns their folder."""
    plain = folder / "mnist"
    plain.mkdir()
    for packed in (ROOT / "test/data/mnist").glob("*.gz"):
        (plain / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
    return plain


def find_peers(folder, workload, steps, digits):
    """The peers that stand in `folder` and can run here."""
    if not folder.is_dir():
        return []
    common = ["--data", digits, "--workload", workload, "--steps", max(2, steps // 4), "--repeats", 2, "--warmup", 2, "--threads", 1]
    peers = []
    if (folder / "torch_bench.py").exists() and subprocess.run(["/usr/bin/python3", "-c", "import torch"],
                                                               capture_output=True).returncode == 0:
        torch = ["/usr/bin/python3", folder / "torch_bench.py", *common]
        peers += [Peer("pytorch eager", torch), Peer("pytorch eager, channels last", torch + ["--channels-last"])]
    if (folder / "libtorch_bench").exists():
        peers.append(Peer("libtorch, channels last", [folder / "libtorch_bench", *common, "--channels-last"]))
    return peers


def contest(contestants, rounds):
    """Returns a list of steps per second by contestant's name; who fails once is out."""
    results = {contestant.name: [] for contestant in contestants}
    for _ in range(rounds):
        for contestant in contestants:
            if contestant.name in results:
                speed = contestant.measure()
                if speed is None:
                    del results[contestant.name]
                else:
                    results[contestant.name].append(speed)
    return results


def report(name, workload, results, peak):
    """Prints a workload's rows and returns them as objects."""
    limit = peak * 1e9 / workload.flops
    ours = results.get("plumb")
    rows = []
    for contestant, speeds in results.items():
        ratio = statistics.median(mine / theirs for mine, theirs in zip(ours, speeds)) if ours else None
        speed = statistics.median(speeds)
        rows.append({"workload": name, "contestant": contestant, "steps_per_second": speed, "best": max(speeds),
                     "gflops": speed * workload.flops / 1e9, "share_of_limit": speed / limit, "plumb_ratio": ratio})
        print(f"| {name} | {contestant} | {speed:.1f} | {max(speeds):.1f} | {speed * workload.flops / 1e9:.1f} | "
              f"{100 * speed / limit:.0f} % | {f'{ratio:.2f}' if ratio else '–'} |", flush=True)
    return rows


def main():
    """Runs the contest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workloads", default=",".join(WORKLOADS), help="comma-separated names")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", type=pathlib.Path, default=ROOT.parent / "shared/peers", help="folder of peers' scripts")
    parser.add_argument("--json", type=pathlib.Path, help="where to write all figures")
    options = parser.parse_args()
    peak = run_json([BIN / "test/benchmarks/fma_peak"])["gflops"]
    print(f"FMA peak of one core: {peak:.0f} GFLOP/s\n")
    print("| workload | contestant | steps/s | best | GFLOP/s | share of limit | plumb is faster by |")
    print("|---|---|---|---|---|---|---|")
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        digits = unpack_digits(folder)
        for name in options.workloads.split(","):
            workload = WORKLOADS[name]
            steps = steps_for(workload, peak)
            ours = Plumb(compile_program(workload, folder, name), steps)
            results = contest([ours, *find_peers(options.peers, name, steps, digits)], options.rounds)
            rows += report(name, workload, results, peak)
    if options.json:
        options.json.write_text(json.dumps({"fma_peak_gflops": peak, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
