"""What checkpoints, watched values and reports cost a run.

    long_run_costs.py PLUMB_RUN EXECUTABLE [--data=DIR] [--steps=2000] [--pairs=30]

A machine that does other work, too, shows nothing under some percent by two long runs. So short runs with and without follow each other
in pairs, in turns first and second, and of the pairs' quotients the median is told with the 95 % interval that their order gives (no
distribution is assumed). What happens at an interval is made to happen 50 times as often besides: what is done then stands out from the noise,
and what one time costs, in processor time of all threads, is set beside the time of as many steps as really lie between two. This counts
work on other threads, too, so that it is more than what training loses where a core is free.
"""

import argparse
import json
import math
import resource
import statistics
import subprocess
import tempfile

OFTEN = 50
# Flags, and after how many steps something happens; None: at each step.
VARIANTS = {
    "a checkpoint every 1,000 steps": (["--checkpoint={folder}", "--every={every}"], 1000),
    "histograms of all variables every 100 steps": (["--watch=*,every={every}", "--watch-to={folder}"], 100),
    "reports as JSON": (["--reports=json"], None),
}


def wall_seconds(said):
    """Seconds of the training itself, as the run tells them."""
    for line in said.splitlines():
        if line.startswith("device waited for data"):
            return float(line.split(" of ")[1].split()[0])
        if '"event": "data_wait"' in line:
            return json.loads(line)["seconds"]
    raise ValueError("the run does not tell its time")


class Bench:
    """Runs of one executable."""

    def __init__(self, options):
        self.options = options
        data = [f"--data={options.data}"] if options.data else []
        self.command = [options.run, options.executable, "--epochs=1", "--time", "--cache", *data]

    def run(self, flags=(), steps=None):
        """Wall seconds of the training and processor seconds of the process, in a folder of its own."""
        with tempfile.TemporaryDirectory() as folder:
            flags = [flag.replace("{folder}", folder) for flag in flags]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            said = subprocess.run([*self.command, f"--sink-size={steps or self.options.steps}", *flags], check=True, text=True,
                                  capture_output=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return wall_seconds(said), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def pairs(self, flags):
        """(with, without) of each pair."""
        found = []
        for number in range(self.options.pairs):
            first, second = (self.run(flags), self.run()) if number % 2 else (self.run(), self.run(flags))
            found.append((first, second) if number % 2 else (second, first))
        return found

    def processor_seconds_of_a_step(self):
        """Without the start and the reading of the data."""
        few, many = 1, 4 * self.options.steps
        times = [(self.run(steps=many)[1] - self.run(steps=few)[1]) / (many - few) for _ in range(5)]
        return statistics.median(times)


def interval(values):
    """The median, and the bounds between which the true one lies in 95 of 100 cases: order statistics by the binomial law."""
    values, count = sorted(values), len(values)
    below, rank = 0.0, 0
    while rank < count // 2 and below + math.comb(count, rank) / 2 ** count <= 0.025:
        below += math.comb(count, rank) / 2 ** count
        rank += 1
    rank = max(rank - 1, 0)
    return statistics.median(values), values[rank], values[count - 1 - rank]


def text(values, unit="%"):
    """Median and interval."""
    return "{:+.2f} {unit} ({:+.2f} to {:+.2f})".format(*interval(values), unit=unit)


def shares(pairs, which):
    """By how many percent each pair's run with is slower."""
    return [100 * (mine[which] / plain[which] - 1) for mine, plain in pairs]


def measure(bench, step, name, flags, every):
    """Prints a variant's lines."""
    fill = lambda steps: [flag.replace("{every}", str(steps)) for flag in flags]
    pairs = bench.pairs(fill(every))
    print(f"{name}: {text(shares(pairs, 0))} by the clock, {text(shares(pairs, 1))} of processor time")
    if every is None:
        return
    often = max(every // OFTEN, 1)
    times = bench.options.steps // often
    each = [(mine[1] - plain[1]) / times for mine, plain in bench.pairs(fill(often))]
    print(f"  every {often} steps instead: {text([1e3 * seconds for seconds in each], 'ms')} of processor time each, which are "
          f"{text([100 * seconds / (step * every) for seconds in each])} of {every} steps' {1e3 * step * every:.1f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("run")
    parser.add_argument("executable")
    parser.add_argument("--data")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--pairs", type=int, default=30)
    bench = Bench(parser.parse_args())
    step = bench.processor_seconds_of_a_step()
    print(f"a step takes {1e6 * step:.1f} us of processor time", flush=True)
    for name, (flags, every) in VARIANTS.items():
        measure(bench, step, name, flags, every)


if __name__ == "__main__":
    main()
