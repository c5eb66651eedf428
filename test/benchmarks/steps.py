"""Sections `steps`, `v3` and `threads`: the workloads' steps per second, compute only, beside the peers'."""

import statistics

import contest
import peers
import workloads

# Of the best peer's speed: who is slower follows so far behind that further rounds tell nothing.
FOLLOWS = 0.85


def ours(bench, name, isa, threads, steps, peaks):
    """Plumb as a contestant; adds to `peaks` what the core can do just then."""
    executable = bench.compile(name, isa)

    def measure():
        found = bench.plumb_bench(executable, ["--resident"], steps, threads)
        peaks.append(bench.measure_peaks(isa)["gflops"])
        return found and found["steps_per_second"]
    return contest.Contestant("plumb", measure)


def theirs(bench, name, peer, isa, threads, steps):
    """A peer as a contestant. An eighth of the steps, three times: the slower of them take seconds as it is."""
    command = [*peer.command, "--data", bench.digits, "--workload", name, "--steps", max(2, int(steps * bench.options.scale) // 8), "--repeats", 3,
               "--threads", threads]

    def measure():
        found = bench.machine.run_json(command, peers.environment_for(threads, isa))
        if found:
            bench.raw.append({"contestant": peer.name, "workload": name, "isa": isa, "threads": threads, **found})
        return found and found["steps_per_s"]
    return contest.Contestant(peer.name, measure)


def run(bench, section, isa="native", threads=1):
    """Rows of all workloads. The share is of one core's peak, measured in each round behind our own steps, times the threads. Peers
    far behind the best run one round only, and not at all in later sections."""
    rows = []
    for name in bench.options.workloads:
        workload = workloads.WORKLOADS[name]
        steps, peaks = workload.steps(bench.peak(isa)), []
        found = peers.find_peers(bench.options.scripts, bench.options.peers, name, workload.convolutions, isa)
        found = [peer for peer in found if bench.options.slow or not peer.slow and peer.name in bench.fields.get(name, [peer.name])]
        contestants = [ours(bench, name, isa, threads, steps, peaks),
                       *(theirs(bench, name, peer, isa, threads, steps) for peer in found)]
        share = 0 if bench.options.slow else FOLLOWS
        results = contest.run_rounds(contestants, bench.options.rounds, share)
        bench.fields.setdefault(name, contest.leaders(results, share))
        rows += contest.make_rows(section, name, "steps/s", results, workload.limit(statistics.median(peaks)) * threads)
        bench.show(rows[-len(results):])
    return rows


def one_thread(bench):
    """One thread, every instruction the machine has."""
    return run(bench, "steps, one thread")


def avx2(bench):
    """One thread, ours and the peers held to AVX2."""
    return run(bench, "steps, one thread, x86-64-v3", isa="v3")


def two_threads(bench):
    """Two threads; and ours over our own single thread."""
    rows = run(bench, "steps, two threads", threads=2)
    for name in bench.options.workloads:
        steps = workloads.WORKLOADS[name].steps(bench.peak())
        single, double = ours(bench, name, "native", 1, steps, []), ours(bench, name, "native", 2, steps, [])
        single.name, double.name = "plumb, 1 thread", "plumb, 2 threads"
        results = contest.run_rounds([double, single], bench.options.rounds)
        rows += contest.make_rows("two threads over one", name, "steps/s", results, reference="plumb, 2 threads")
        bench.show(rows[-len(results):])
    return rows
