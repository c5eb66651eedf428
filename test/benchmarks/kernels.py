"""Sections of kernels: products and convolutions beside oneDNN, OpenBLAS and libxsmm, elementwise work beside memcpy, bytes moved.

Products run alone, one after another on the same operands. Our convolutions are timed inside of the training steps of LeNet and
ResNet-20 (with what is fused to them, from colder caches); the libraries' alone.
"""

import collections
import re
import statistics

import contest
import machine
import peers
import single_kernels
from contest import Row

PRODUCTS = [(32, 120, 400), (512, 512, 512), (1024, 1024, 1024), (128, 512, 784), (511, 513, 509), (127, 129, 131), (100, 100, 100), (997, 31, 613)]

# name in our profile -> the library's job: kind, N, input channels, side, output channels, window, stride, padding
LENET = [("conv", 32, 1, 32, 6, 5, 1, 0), ("conv", 32, 6, 14, 16, 5, 1, 0), ("conv_data", 32, 6, 14, 16, 5, 1, 0),
         ("conv_weights", 32, 1, 32, 6, 5, 1, 0), ("conv_weights", 32, 6, 14, 16, 5, 1, 0)]
RESNET = [(kind, 128, channels, side, channels, 3, 1, 1) for channels, side in ((16, 32), (32, 16), (64, 8))
          for kind in ("conv", "conv_data", "conv_weights")]


def kind_of(name):
    """The kind of convolution that a kernel of ours is: `conv`, `conv_data`, `conv_weights` or None."""
    if name.startswith("conv_weights"):
        return "conv_weights"
    if name.startswith("conv_input"):
        return "conv_data"
    return "conv" if name.startswith("conv_") else None


def library_speeds(bench, jobs, isa):
    """GFLOP/s of the libraries' jobs."""
    program = bench.options.peers / "library_kernels"
    if not program.exists():
        return {}
    environment = peers.environment_for(1, isa)
    environment.setdefault("OPENBLAS_CORETYPE", "SkylakeX" if bench.facts["vectors"] == "AVX-512" else "Haswell")
    if isa == "v3":
        environment["LIBXSMM_TARGET"] = "hsw"
    speeds = {}
    result = bench.machine.run([program, *jobs], environment)
    for line in result.stdout.splitlines():
        found = machine.last_json(line)
        if found:
            speeds[found["job"]] = found
    return speeds


def name_section(name, isa):
    """`products`, or `products, x86-64-v3`."""
    return name + ("" if isa == "native" else ", x86-64-v3")


def products(bench, isa="native"):
    """Products beside three libraries."""
    section = name_section("products", isa)
    rows = []
    for shape in PRODUCTS:
        kernel = single_kernels.product(*shape)
        executable = bench.compile_text(kernel.name.replace(" ", "_"), kernel.text, isa)
        steps = max(3, int(0.1 * bench.peak(isa) * 1e9 / kernel.flops))
        jobs = [f"{library}:gemm:{','.join(map(str, shape))}" for library in ("onednn", "openblas", "xsmm")]

        def ours():
            found = executable and bench.plumb_bench(executable, [], steps)
            return found and found["steps_per_second"] * kernel.flops / 1e9
        results = {"plumb": []}
        for _ in range(bench.options.rounds):
            results["plumb"].append(ours() or float("nan"))
            for job, found in library_speeds(bench, jobs, isa).items():
                results.setdefault(job.split(":")[0], []).append(found["gflops"])
        rows += contest.make_rows(section, kernel.name, "GFLOP/s", results, bench.peak(isa))
        bench.show(rows[-len(results):])
    return rows


def split_name(name):
    """The extents of a kernel's parallel and reduction loops: ["6", "28", …] and ["1", "5", "5"]."""
    parts = re.match(r"[a-z_]*_([0-9]+(?:x[0-9]+)*)_by_([0-9]+(?:x[0-9]+)*)", name)
    return [part.split("x") for part in parts.groups()] if parts else ([], [])


def is_job(name, job):
    """Whether a kernel of ours, by its name, does what a library's job does. A threaded one may have less than the whole batch;
    backward data with stride one is a forward convolution with turned weights, which writes images of the input's size."""
    kind, _, inputs, side, outputs, window, stride, pad = job
    parallel, reduction = split_name(name)
    turned = kind == "conv_data" and stride == 1 and kind_of(name) == "conv" and str(inputs) in parallel
    if kind_of(name) != kind and not turned:
        return False
    out = str(side if turned else (side + 2 * pad - window) // stride + 1)
    wanted = collections.Counter([str(inputs), str(outputs), out, out, str(window), str(window)])
    place = parallel if kind_of(name) == "conv" else reduction
    return not wanted - collections.Counter(parallel + reduction) and (out, out) in zip(place, place[1:])


def convolutions(bench, isa="native"):
    """Convolutions inside of steps, beside oneDNN's alone."""
    section = name_section("convolutions", isa)
    rows = []
    for program, jobs in (("lenet", LENET), ("resnet20", RESNET)):
        kernels = [kernel for kernel in bench.profile(program, isa)["kernels"] if kernel["microseconds"] > 0]
        texts = {job: f"onednn:{job[0]}:{','.join(map(str, job[1:]))}" for job in jobs}
        speeds = library_speeds(bench, texts.values(), isa)
        for job in jobs:
            name = f"{job[0]} {program} {job[2]}->{job[4]} channels, {job[3]}x{job[3]}"
            mine = [kernel for kernel in kernels if is_job(kernel["name"], job)]
            rows += convolution_rows(section, name, mine, speeds.get(texts[job]), job_flops(job), bench.peak(isa))
    bench.show(rows)
    return rows


def job_flops(job):
    """FLOPs of a library's convolution, the zeros around the image included: as libraries count, so that a ratio is one of times."""
    _, batch, inputs, side, outputs, window, stride, pad = job
    out = (side + 2 * pad - window) // stride + 1
    return 2 * batch * outputs * out * out * inputs * window * window


def convolution_rows(section, name, mine, library, flops, peak):
    """Rows of one convolution; where several kernels of ours do it, one of all their calls."""
    rows, ours = [], None
    if mine:
        ours = flops * sum(kernel["calls"] for kernel in mine) / sum(kernel["microseconds"] for kernel in mine) / 1e3
        rows.append(Row(section, name, "plumb", ours, "GFLOP/s", share=ours / peak, note=mine[0]["name"]))
    if library:
        rows.append(Row(section, name, "onednn", library["gflops"], "GFLOP/s", best=library["best"],
                        ratio=ours and ours / library["gflops"], share=library["gflops"] / peak))
    return rows


# Each group: sizes that stand side by side, the odd and prime ones between the round.
CLIFFS = [[single_kernels.product(n, n, n) for n in range(61, 68)], [single_kernels.product(n, n, n) for n in range(253, 260)],
          [single_kernels.product(96, n, 96) for n in range(13, 20)],
          [single_kernels.convolution(8, 16, n, n, 3) for n in range(29, 36)],
          [single_kernels.convolution(8, n, 16, 16, 3) for n in range(13, 18)]]


def cliffs(bench):
    """Speeds of neighbouring shapes: a row's ratio is the speed over the mean of the neighbours on both sides."""
    rows = []
    for number, group in enumerate(CLIFFS):
        executables = [bench.compile_text(f"cliff_{number}_{place}", kernel.text) for place, kernel in enumerate(group)]
        speeds = [[] for _ in group]
        for _ in range(bench.options.rounds):
            for kernel, executable, found in zip(group, executables, speeds):
                answer = executable and bench.plumb_bench(executable, [], max(3, int(0.03 * bench.peak() * 1e9 / kernel.flops)))
                found.append(answer["steps_per_second"] * kernel.flops / 1e9 if answer else float("nan"))
        medians = [statistics.median(found) for found in speeds]
        for place, kernel in enumerate(group):
            ratio = medians[place] / statistics.mean(medians[max(0, place - 1):place] + medians[place + 1:place + 2])
            rows.append(Row("odd shapes", kernel.name, "plumb", medians[place], "GFLOP/s", best=max(speeds[place]),
                            share=medians[place] / bench.peak(), note=f"{ratio:.2f} of its neighbours"))
        bench.show(rows[-len(group):])
    return rows


def elementwise(bench):
    """Elementwise work and pooling beside memcpy between blocks that are as large together: in the second-level cache, and beyond."""
    rows = []
    for rows_, columns in ((256, 256), (4096, 1024)):
        kernels = [single_kernels.copy(rows_, columns), single_kernels.bias_relu(rows_, columns), single_kernels.momentum(rows_, columns),
                   single_kernels.adam(rows_, columns)]
        kernels += [single_kernels.max_pool(16, 32, batch) for batch in ((4, 16) if rows_ == 256 else (256,))]
        for kernel in kernels:
            executable = bench.compile_text(kernel.name.replace(" ", "_"), kernel.text)
            steps = max(3, int(0.1 * 10e9 / kernel.bytes))
            ours, memcpy = [], []
            for _ in range(bench.options.rounds):
                found = executable and bench.plumb_bench(executable, [], steps)
                ours.append(found["steps_per_second"] * kernel.bytes / 1e9 if found else float("nan"))
                found = bench.machine.run_json([bench.machine.tool("test/benchmarks/memory_bandwidth"), kernel.footprint // 2])
                memcpy.append(found["gb_per_s"])
            ratio = contest.ratio_of(ours, memcpy)
            rows += [Row("elementwise", kernel.name, "plumb", statistics.median(ours), "GB/s", best=max(ours), share=ratio),
                     Row("elementwise", kernel.name, "memcpy", statistics.median(memcpy), "GB/s", best=max(memcpy), ratio=ratio)]
            bench.show(rows[-2:])
    return rows


def traffic(bench):
    """Bytes moved in a step: planned, as the sum over kernels of their operands; least, each live tensor written and read once."""
    rows = []
    for name in bench.options.workloads:
        profile, dump = bench.profile(name), bench.dump(name)
        planned = sum(kernel["bytes_read"] + kernel["bytes_written"] for kernel in profile["kernels"])
        arena = sum(buffer["bytes"] for buffer in dump["memory"]["arena"])
        least = 2 * arena + 2 * dump["memory"]["variables_bytes"] + sum(queue["slot_bytes"] for queue in dump["queues"])
        rows += [Row("bytes moved in a step", name, "planned", planned / 1e6, "MB", note=f"{planned / least:.2f} of the least"),
                 Row("bytes moved in a step", name, "least: each tensor written once, read once", least / 1e6, "MB")]
    bench.show(rows)
    return rows
