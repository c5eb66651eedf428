#!/usr/bin/python3
"""Runs Plumb and every peer found on this machine side by side, interleaved; writes Markdown and JSON.

  tools/dev/bench [--sections steps,v3,…] [--workloads lenet,mlp,…] [--rounds 5] [--peers DIR] [--scripts DIR] [--out FILE]

Peers are made by tools/dev/install_peers DIR; their training scripts lie in the folder of --scripts. Who is not there is left out.
Figures are medians over rounds, a ratio is the median of the rounds' ratios, a limit is measured in the same run. See
docs/performance.md.
"""

import argparse
import json
import pathlib
import shlex
import sys
import tempfile
import time

import costs
import kernels
import machine
import report
import steps
import workloads
import zoo
import zoo_networks

SECTIONS = {
    "steps": steps.one_thread, "v3": steps.avx2, "threads": steps.two_threads, "launches": costs.launches,
    "empty": costs.empty_iteration, "data": costs.data_loading, "compile": costs.compile_times, "start": costs.starts,
    "products": kernels.products, "products-v3": lambda bench: kernels.products(bench, "v3"), "convolutions": kernels.convolutions,
    "convolutions-v3": lambda bench: kernels.convolutions(bench, "v3"), "elementwise": kernels.elementwise, "cliffs": kernels.cliffs,
    "bytes": kernels.traffic,
}
# Sections that run only when they are named: each takes about as long as all others together.
MORE_SECTIONS = {"zoo": zoo.run, "zoo-threads": zoo.two_threads, "zoo-check": zoo.check}
TARGETS = {"native": "native", "v3": "x86-64-v3"}


class Bench:
    """What the sections share: options, the machine, compiled programs, the peers' raw answers."""

    def __init__(self, options, folder, runner):
        self.options, self.folder, self.machine = options, pathlib.Path(folder), runner
        self.facts, self.raw, self.digits = machine.describe(), [], machine.unpack_digits(folder, options.mnist)
        self.executables, self.profiles, self.peaks = {}, {}, {}
        self.fields = {}  # by workload: who did well in the first section of steps

    def peak(self, isa="native", kind="gflops"):
        """GFLOP/s of one core, measured once in a run; `alone_gflops` are those of registers alone."""
        if isa not in self.peaks:
            self.peaks[isa] = self.measure_peaks(isa)
        return self.peaks[isa][kind]

    def measure_peaks(self, isa):
        """Both, by kind, as they are now: a core's clock follows its load."""
        return self.machine.peak(256 if isa == "v3" else None)

    def compile_file(self, source, isa, *arguments):
        """Compiles a program or IR of the stage `lower`; the executable's path, or None."""
        path = self.folder / f"{source.stem}_{isa}_{'_'.join(arguments).strip('-')}.plumb"
        stage = ["--compile-from=lower"] if source.suffix == ".mlir" else []
        result = self.machine.run([self.machine.tool("tools/plumbc"), source, *stage, "--symbols", f"--target-cpu={TARGETS[isa]}",
                                   "-o", path, *(["--", *arguments] if arguments else [])], measured=False)
        if result.returncode:
            print(f"left out: {source.name} does not compile: {result.stderr.strip()[:300]}", file=sys.stderr)
            return None
        return path

    def compile_text(self, name, text, isa="native"):
        """Compiles IR of the stage `lower`."""
        source = self.folder / f"{name}.mlir"
        source.write_text(text)
        return self.compile_file(source, isa)

    def compile(self, name, isa="native"):
        """Compiles a workload once."""
        if (name, isa) not in self.executables:
            workload = workloads.WORKLOADS[name]
            path = self.compile_file(machine.ROOT / "docs/examples" / workload.program, isa, *workload.arguments)
            self.executables[name, isa] = path
        return self.executables[name, isa]

    def time_compilation(self, name):
        """Seconds of a whole compilation."""
        workload = workloads.WORKLOADS[name]
        return self.machine.time([self.machine.tool("tools/plumbc"), machine.ROOT / "docs/examples" / workload.program, "-o",
                                  self.folder / "timed.plumb", "--", *workload.arguments])

    def plumb_bench(self, executable, arguments, steps, threads=1):
        """plumb-bench's JSON, or None."""
        count = max(1, int(steps * self.options.scale))
        return self.machine.run_json([self.machine.tool("tools/plumb-bench"), executable, *arguments, "--steps", count, "--json"],
                                     {"PLUMB_THREADS": str(threads)})

    def profile(self, name, isa="native"):
        """plumb-bench --kernels of a workload, once in a run; no kernels when it fails."""
        if (name, isa) not in self.profiles:
            count = workloads.WORKLOADS[name].steps(self.peak(isa), seconds=3)
            found = self.plumb_bench(self.compile(name, isa), ["--kernels", "--resident"], count)
            self.profiles[name, isa] = found or {"kernels": []}
        return self.profiles[name, isa]

    def dump(self, name):
        """plumb-dump's JSON."""
        return json.loads(self.machine.run([self.machine.tool("tools/plumb-dump"), self.compile(name), "--json"], measured=False).stdout)

    def show(self, rows):
        """Prints rows as they come."""
        for row in rows:
            print(report.line(row), file=sys.stderr, flush=True)


def names_of(known):
    """Reads names of an option, comma-separated; another than the known ones is an error."""
    def read(text):
        names = text.split(",")
        if unknown := [name for name in names if name not in known]:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}; known: {', '.join(known)}")
        return names
    return read


def read_options(arguments):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sections", type=names_of([*SECTIONS, *MORE_SECTIONS]), default=list(SECTIONS),
                        help=f"{','.join(SECTIONS)}; and only when named {','.join(MORE_SECTIONS)}")
    parser.add_argument("--workloads", type=names_of(workloads.WORKLOADS), default=list(workloads.WORKLOADS))
    parser.add_argument("--networks", type=names_of(zoo_networks.NETWORKS), default=list(zoo_networks.SMALL_NETWORKS),
                        help="of the zoo's sections")
    parser.add_argument("--batches", type=lambda text: [int(size) for size in text.split(",")], default=[16], help="of the zoo's sections")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1, help="of the numbers of our steps, for a quick look")
    parser.add_argument("--peers", type=pathlib.Path, default=pathlib.Path.home() / ".cache/plumb-peers", help="made by install_peers")
    parser.add_argument("--scripts", type=pathlib.Path, default=machine.ROOT.parent / "shared/peers", help="the peers' training scripts")
    parser.add_argument("--mnist", type=pathlib.Path, default=machine.ROOT / "test/data/mnist", help="folder of packed digits")
    parser.add_argument("--slow", action="store_true", help="everybody runs all rounds, variants that are known to be far slower, too")
    parser.add_argument("--seconds", type=float, default=240, help="the most that one command may take")
    parser.add_argument("--wrap", type=shlex.split, default=[], help="put before each measured command")
    parser.add_argument("--binaries", type=pathlib.Path, default=machine.BIN)
    parser.add_argument("--out", type=pathlib.Path, help="FILE.md; figures go to FILE.json")
    return parser.parse_args(arguments)


def main(arguments=None):
    """Runs the sections; one that fails is left out."""
    options = read_options(arguments)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder, machine.Machine(options.wrap, options.binaries, seconds=options.seconds))
        bench.facts.update(fma_peak_gflops=bench.peak(), fma_peak_avx2_gflops=bench.peak("v3"),
                           fma_alone_gflops=bench.peak(kind="alone_gflops"))
        rows = []
        for name in options.sections:
            begin = time.monotonic()
            try:
                rows += {**SECTIONS, **MORE_SECTIONS}[name](bench)
            except (OSError, KeyError, TypeError, ValueError) as error:
                print(f"left out: section {name}: {error!r}", file=sys.stderr)
            print(f"section {name}: {time.monotonic() - begin:.0f} s", file=sys.stderr)
            if options.out:
                options.out.write_text(report.markdown(bench.facts, rows))
                options.out.with_suffix(".json").write_text(report.as_json(bench.facts, rows, bench.raw))
        print(report.markdown(bench.facts, rows))


if __name__ == "__main__":
    main()
