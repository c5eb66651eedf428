"""Sections around the step: launches, an empty iteration, data loading, compile time, start and memory."""

import json
import statistics

import contest
import peers
from contest import Row

EMPTY = """// A step of nothing: takes a batch from its queue and reports a number.
device.module @empty attributes {arena_bytes = 64 : i64, variables_bytes = 64 : i64} {
  device.queue @data columns ["x"] (tensor<1xf32>) depth(16) {offsets = array<i64: 0>, slot_bytes = 64 : i64, pipeline = "PIPELINE"}
  device.report @x : tensor<f32> {offset = 8 : i64}
  device.loop @train {mode = "train", record_bytes = 16 : i64} {
    %x = device.get_next @data : memref<1xf32>
    %scalar = memref.collapse_shape %x [] : memref<1xf32> into memref<f32>
    device.emit @x, %scalar : memref<f32>
    device.yield
  }
}
"""


def empty_program():
    """IR of the stage `lower`, with sixteen batches of one number in it."""
    pipeline = {"source_type": "ArraySource",
                "source": {"columns": [{"name": "x", "element": "f32", "shape": [], "bytes": [0] * 64}]},
                "nodes": [{"node_type": "Batch", "node": {"size": 1}}]}
    return EMPTY.replace("PIPELINE", json.dumps(pipeline).replace('"', "\\22"))


def launches(bench):
    """LeNet: one launch of 1000 steps over 1000 launches of one."""
    executable = bench.compile("lenet")

    def contestant(name, sink):
        def measure():
            found = bench.plumb_bench(executable, ["--sink-size", sink, "--resident"], 1000)
            return found and found["steps_per_second"]
        return contest.Contestant(name, measure)
    results = contest.run_rounds([contestant("sunk, 1 launch of 1000", 1000), contestant("unsunk, 1000 launches of 1", 1)],
                                 bench.options.rounds)
    return contest.make_rows("launches", "lenet", "steps/s", results, reference="sunk, 1 launch of 1000")


def empty_iteration(bench):
    """Nanoseconds of a compiled step without work, its batches ready in the queue."""
    source = bench.folder / "empty.mlir"
    source.write_text(empty_program())
    executable = bench.compile_file(source, "native")
    rows = []
    if executable:
        found = [bench.plumb_bench(executable, ["--resident"], 1000000) for _ in range(bench.options.rounds)]
        times = [1e9 / one["steps_per_second"] for one in found if one]
        if times:
            rows.append(Row("empty iteration", "compiled step", "plumb", statistics.median(times), "ns", best=min(times)))
    scripts, jax = bench.options.scripts, bench.options.peers / "jax/bin/python"
    if (scripts / "jax_bench.py").exists() and peers.can_import(jax, "jax"):
        found = bench.machine.run_json([jax, scripts / "jax_bench.py", "--empty", "--data", bench.digits])
        if found:
            rows.append(Row("empty iteration", "scan without a queue", "JAX scan", found["ns_per_iteration"], "ns"))
    return rows


def data_contestants(bench, steps):
    """LeNet with its own data pipeline: ours, libtorch with two workers (whom a second thread for the step does not help), MindSpore."""
    executable, digits = bench.compile("lenet"), bench.options.mnist
    waits = {}

    def ours(name, *arguments):
        def measure():
            found = bench.plumb_bench(executable, ["--data", digits, *arguments], steps * 4)
            if found and "data_wait_share" in found:
                waits.setdefault(name, []).append(found["data_wait_share"])
            return found and found["steps_per_second"]
        return contest.Contestant(name, measure)

    def peer(command, threads):
        def run():
            found = bench.machine.run_json([*command, "--data", bench.digits, "--steps", steps], peers.environment_for(threads, "native"))
            return found and found["steps_per_s"]
        return run
    contestants = [ours("plumb", "--threads=2"), ours("plumb, step on 1 thread"),
                   ours("plumb, prepared rows kept", "--threads=2", "--cache")]
    libtorch = bench.options.peers / "libtorch_bench"
    if libtorch.exists():
        contestants.append(contest.Contestant("libtorch 1.13, 2 workers", peer(
            [libtorch, "--mode", "loader", "--workers", 2, "--threads", 1, "--repeats", 1, "--channels-last"], 1)))
    mindspore = bench.options.peers / "mindspore/bin/python"
    if peers.can_import(mindspore, "mindspore"):
        contestants.append(contest.Contestant("MindSpore 2.0.0 Model.train", peer(
            [mindspore, bench.options.scripts / "mindspore_bench.py", "--mode", "model", "--workers", 2, "--threads", 2, "--repeats", 2], 2)))
    return contestants, waits


def preparation(bench):
    """Images per second that one core prepares for LeNet, and nothing else."""
    command = [bench.machine.tool("test/benchmarks/pipeline_benchmark"), "--benchmark_filter=^LeNet$", "--benchmark_format=json"]
    found = [json.loads(bench.machine.run(command).stdout)["benchmarks"][0]["items_per_second"] for _ in range(bench.options.rounds)]
    return Row("data alone, one core", "LeNet's images", "plumb", statistics.median(found), "images/s", best=max(found))


def data_loading(bench):
    """LeNet on MNIST with data loading on all cores, and the share of time that the device waits for data."""
    contestants, waits = data_contestants(bench, steps=400)
    results = contest.run_rounds(contestants, bench.options.rounds)
    section = "LeNet with data loading, 2 cores"
    rows = [preparation(bench), *contest.make_rows(section, "lenet", "steps/s", results)]
    return rows + [Row(section, "device waits for data", who, 100 * statistics.median(shares), "%", best=100 * min(shares))
                   for who, shares in waits.items()]


def compile_times(bench):
    """Seconds of a whole compilation, source to executable; the peers' as they report them."""
    rows = []
    for name in ("lenet", "resnet20"):
        times = [bench.time_compilation(name) for _ in range(bench.options.rounds)]
        rows.append(Row("compile, whole process", name, "plumb", statistics.median(times), "s", best=min(times)))
        for raw in bench.raw:
            if raw["workload"] == name and raw["threads"] == 1 and raw["isa"] == "native" and "compile_s" in raw:
                rows.append(Row("compile, whole process", name, raw["contestant"], raw["compile_s"], "s", note="compilation alone"))
    return merge(rows, min)


def starts(bench):
    """Time from the start of the process to the end of the first step, and the most memory it took."""
    rows = []
    for name in bench.options.workloads:
        found = [bench.plumb_bench(bench.compile(name), [], 3) for _ in range(bench.options.rounds)]
        found = [one for one in found if one]
        if found:
            rows += [Row("start to first step", name, "plumb", statistics.median(one["start_to_first_step_ms"] for one in found), "ms"),
                     Row("peak resident memory", name, "plumb", found[0]["peak_rss_bytes"] / 1e6, "MB")]
    for raw in bench.raw:
        if raw["threads"] == 1 and raw["isa"] == "native":
            if "start_to_first_step_s" in raw:
                rows.append(Row("start to first step", raw["workload"], raw["contestant"], 1e3 * raw["start_to_first_step_s"], "ms"))
            if "peak_rss_mb" in raw:
                rows.append(Row("peak resident memory", raw["workload"], raw["contestant"], raw["peak_rss_mb"], "MB"))
    return merge(rows, min)


def merge(rows, choose):
    """One row where several have the same section, work and contestant, with the chosen value."""
    found = {}
    for row in rows:
        key = (row.section, row.work, row.who)
        if key not in found or choose(row.value, found[key].value) == row.value:
            found[key] = row
    return sorted(found.values(), key=lambda row: (row.section, row.work, row.who != "plumb"))
