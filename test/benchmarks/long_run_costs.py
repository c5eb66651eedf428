"""What checkpoints, guards and reports cost a run: steps a second with and without, in turns.

    long_run_costs.py PLUMB_RUN EXECUTABLE [--data=DIR] [--steps=20000] [--rounds=5]

Prints one line a variant: the median of its times, and by how much it is slower than the plain run, by the clock and, which a
busy machine disturbs less, by the processor time of the whole process.
"""

import argparse
import json
import resource
import statistics
import subprocess
import tempfile

VARIANTS = {
    "plain": [],
    "a checkpoint every 1,000 steps": ["--checkpoint={folder}", "--every=1000"],
    "reports as JSON": ["--reports=json"],
}


def seconds(command):
    """Wall time of the training itself, as the run tells it, and processor time of the process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall_seconds(said), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wall_seconds(said):
    for line in said.splitlines():
        if line.startswith("device waited for data"):
            return float(line.split(" of ")[1].split()[0])
        if '"event": "data_wait"' in line:
            return json.loads(line)["seconds"]
    raise ValueError("the run does not tell its time")


def measure(options, flags):
    """One run of a variant in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        flags = [flag.format(folder=folder) for flag in flags]
        data = [f"--data={options.data}"] if options.data else []
        return seconds([options.run, options.executable, "--epochs=1", f"--sink-size={options.steps}", "--time", *data, *flags])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("run")
    parser.add_argument("executable")
    parser.add_argument("--data")
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    times = {name: [] for name in VARIANTS}
    for _ in range(options.rounds):
        for name, flags in VARIANTS.items():
            times[name].append(measure(options, flags))
    plain = medians(times["plain"])
    for name, found in times.items():
        wall, processor = (100 * (own / other - 1) for own, other in zip(medians(found), plain))
        print(f"{name:32} {options.steps / medians(found)[0]:10.1f} steps/s {wall:+6.2f} % by the clock {processor:+6.2f} % of processor time")


def medians(pairs):
    """The median of each of two times."""
    return [statistics.median(each) for each in zip(*pairs)]


if __name__ == "__main__":
    main()
