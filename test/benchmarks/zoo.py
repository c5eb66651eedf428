"""Sections `zoo`, `zoo-threads` and `zoo-check`: many architectures at the sizes people train, beside PyTorch and JAX.

All sides build their layers from the same descriptions (`zoo_networks.py`) and step on one batch in memory. On one thread a second
is one of processor time, so that the ratios hold on a machine that others use, too. Beside steps per second, each network has its
time to compile, the size of its code, and the kernels that take more than 2 % of a step but reach less than 40 % of their own
limit: of the peak's arithmetic or of memory's bytes, whichever takes longer.
"""

import json
import pathlib
import re
import statistics
import time

import contest
import peers
import zoo_networks
from contest import Row

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM, SCRIPT, JAX_SCRIPT = HERE / "zoo_plumb.py", HERE / "zoo_torch.py", HERE / "zoo_jax.py"
MEMORY_BYTES = 1 << 27
MIN_STEP_SHARE, MIN_LIMIT_SHARE = 0.02, 0.4
# Of first losses, which differ by rounding alone, and of second ones, for which rounding has gone through a whole step.
FIRST, SECOND = 1e-4, 1e-2


def find_peers(environments, name, threads, slow=False):
    """PyTorch's variants, and JAX's jitted steps."""
    has_images = len(zoo_networks.NETWORKS[name].inputs[0].shape) == 3
    found = []
    for who, python in (("PyTorch 1.13", "/usr/bin/python3"), ("PyTorch 2", environments / "torch/bin/python")):
        if not peers.can_import(python, "torch"):
            continue
        base = [python, SCRIPT, name, "--threads", threads]
        found.append(peers.Peer(f"{who} eager", base))
        if has_images:
            found.append(peers.Peer(f"{who} eager, channels last", base + ["--channels-last"]))
        if slow and who == "PyTorch 2":
            found.append(peers.Peer(f"{who} compile", base + ["--impl", "compile", *(["--channels-last"] if has_images else [])]))
    python = environments / "jax/bin/python"
    if peers.can_import(python, "jax"):
        found.append(peers.Peer("JAX", [python, JAX_SCRIPT, name, "--threads", threads]))
    return found


def compile_network(bench, name, batch):
    """The executable, or None, and the seconds that it took."""
    begin = time.monotonic()
    executable = bench.compile_file(PROGRAM, "native", name, f"--batch={batch}")
    return executable, time.monotonic() - begin


def count_steps(bench, executable, threads):
    """About a second's worth of steps."""
    found = bench.plumb_bench(executable, ["--resident"], 3, threads)
    return max(3, int(found["steps_per_second"])) if found else 3


def make_contestants(bench, name, batch, executable, threads):
    """Ours and the peers."""
    steps = count_steps(bench, executable, threads)

    def ours():
        found = bench.plumb_bench(executable, ["--resident"], steps, threads)
        return found and found["steps"] / found["processor_seconds" if threads == 1 else "seconds"]

    def theirs(peer):
        def measure():
            found = bench.machine.run_json([*peer.command, "--batch", batch, "--seconds", bench.options.scale],
                                           peers.environment_for(threads, "native"))
            return found and found["steps_per_s"]
        return contest.Contestant(peer.name, measure)
    return [contest.Contestant("plumb", ours),
            *(theirs(peer) for peer in find_peers(bench.options.peers, name, threads, bench.options.slow))]


def limit_microseconds(kernel, gflops, gigabytes):
    """How long a kernel's calls take at the peak, or at memory's speed if that is longer."""
    return max(kernel["flops"] / gflops, (kernel["bytes_read"] + kernel["bytes_written"]) / gigabytes) / 1e3


def weak_kernels(profile, gflops, gigabytes):
    """Kernels of a profile that matter and are far from their limit: (name, share of the step, share of the limit). The step's
    time is the processor's: others may run on the machine."""
    found = []
    for kernel in profile["kernels"]:
        share = kernel["microseconds"] / profile["step_microseconds"]
        if share > MIN_STEP_SHARE:
            reached = limit_microseconds(kernel, gflops, gigabytes) / (share * profile["step_processor_microseconds"])
            found += [(kernel["name"], share, reached)] if reached < MIN_LIMIT_SHARE else []
    return found


def profile_network(bench, executable, memory):
    """FLOPs of a step, and the weak kernels."""
    profile = bench.plumb_bench(executable, ["--kernels", "--resident"], 3 * count_steps(bench, executable, 1))
    if not profile:
        return None, []
    return sum(kernel["flops"] for kernel in profile["kernels"]), weak_kernels(profile, profile["peak_gflops"], memory)


def measure_memory(bench):
    """GB/s of a copy between blocks that no cache holds, bytes read and written."""
    return bench.machine.run_json([bench.machine.tool("test/benchmarks/memory_bandwidth"), MEMORY_BYTES])["best"]


def measure_network(bench, section, name, batch, threads, memory):
    """All rows of one network."""
    work, (executable, seconds) = f"{name}, batch {batch}", compile_network(bench, name, batch)
    if not executable:
        return []
    code = json.loads(bench.machine.run([bench.machine.tool("tools/plumb-dump"), executable, "--json"], measured=False).stdout)
    flops, weak = profile_network(bench, executable, memory)
    results = contest.run_rounds(make_contestants(bench, name, batch, executable, threads), bench.options.rounds)
    limit = bench.peak() * 1e9 * threads / flops if flops else None
    rows = contest.make_rows(section, work, "steps/s", results, limit)
    rows.append(Row(f"{section}: compile", work, "whole process", seconds, "s"))
    rows.append(Row(f"{section}: compile", work, "code", code["text_bytes"] / 1e6, "MB"))
    return rows + [Row(f"{section}: kernels below 40 % of their limit", work, kernel, 100 * share, "% of the step", share=reached)
                   for kernel, share, reached in weak]


def geometric_mean(ratios):
    """Of positive numbers."""
    return statistics.geometric_mean(ratios) if ratios else None


def run(bench, section="zoo, one thread", threads=1):
    """Rows of all networks and batches, and the mean ratio to the best peer of each."""
    memory, rows = measure_memory(bench), []
    peers.warn_of_reference_blas()
    for name in bench.options.networks:
        for batch in bench.options.batches:
            found = measure_network(bench, section, name, batch, threads, memory)
            bench.show(found)
            rows += found
    best = [min(row.ratio for row in rows if (row.section, row.work) == (section, work) and row.ratio)
            for work in dict.fromkeys(row.work for row in rows if row.section == section and row.ratio)]
    return rows + ([Row(section, "geometric mean", "best peers", len(best), "networks", ratio=geometric_mean(best))] if best else [])


def two_threads(bench):
    """Two threads each."""
    return run(bench, "zoo, two threads", 2)


def our_losses(bench, name, batch):
    """Losses of the first three steps."""
    package = bench.machine.tool("compiler/python/package")
    found = bench.machine.run(["/usr/bin/python3", PROGRAM, name, f"--batch={batch}", "--same"],
                              {"PYTHONPATH": str(package.absolute())}, measured=False)
    return [float(number) for number in re.findall(r"loss is ([-+0-9.einfa]+)", found.stdout)]


def are_alike(ours, theirs):
    """Whether the losses of the first step and of the second are the same but for rounding."""
    return len(ours) > 1 and all(abs(mine - other) <= part * abs(other) for mine, other, part in zip(ours, theirs, (FIRST, SECOND)))


def check_network(bench, name, batch):
    """All sides from the same weights on the same batch: the relative difference of our first two losses from each peer's."""
    python, rows, ours = bench.options.peers / "jax/bin/python", [], None
    commands = {"PyTorch": ["/usr/bin/python3", SCRIPT], **({"JAX": [python, JAX_SCRIPT]} if peers.can_import(python, "jax") else {})}
    for who, command in commands.items():
        theirs = bench.machine.run_json([*command, name, "--batch", batch, "--seconds", 0])
        if theirs:
            ours, losses = ours or our_losses(bench, name, batch), theirs["losses"]
            difference = max((abs(mine - other) / (abs(other) or 1) for mine, other in zip(ours[:2], losses)), default=float("nan"))
            note = "" if are_alike(ours, losses) else f"DIFFERENT: {ours} and {losses}"
            rows.append(Row(f"zoo: losses beside {who}'s", f"{name}, batch {batch}", "plumb", difference, "relative", note=note))
    return rows


def check(bench):
    """All networks and batches; Debian's PyTorch serves, and JAX where it is."""
    rows = []
    for name in bench.options.networks:
        for batch in bench.options.batches:
            found = check_network(bench, name, batch)
            bench.show(found)
            rows += found
    return rows
