"""What a user would pick instead: the peers that are found, and how to hold them to fewer threads or older instructions.

`scripts` holds torch_bench.py, jax_bench.py, mindspore_bench.py (and libtorch_bench, when it was built there); `environments` is the
folder of tools/dev/install_peers. Debian's PyTorch is a fair peer only with libopenblas0-pthread: without it, it multiplies matrices
by the reference BLAS.
"""

import pathlib
import subprocess
import sys

# JAX: its flag holds what it generates itself; YNNPACK, which takes whatever the processor has, is left out.
AVX2 = {"ONEDNN_MAX_CPU_ISA": "AVX2", "DNNL_MAX_CPU_ISA": "AVX2", "OPENBLAS_CORETYPE": "Haswell", "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "XLA_FLAGS": "--xla_cpu_max_isa=AVX2 --xla_cpu_experimental_ynn_fusion_type=", "BENCH_REEXEC": "1"}


class Peer:
    """A script or program with the arguments that make one variant of it. `avx2`: it can be held to AVX2. `slow`: only run on demand."""

    def __init__(self, name, command, avx2=True, slow=False):
        self.name, self.command, self.avx2, self.slow = name, command, avx2, slow


def environment_for(threads, isa, openblas="/usr/lib/x86_64-linux-gnu"):
    """Environment variables that hold a peer to so many threads and to AVX2 if `isa` says so."""
    result = {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}
    if threads > 1:
        result["LD_LIBRARY_PATH"] = f"{openblas}/openblas-openmp"
    return {**result, **(AVX2 if isa == "v3" else {})}


def can_import(python, module):
    """Whether that Python has the module."""
    if not pathlib.Path(python).exists():
        return False
    return subprocess.run([str(python), "-c", f"import importlib.util as u, sys; sys.exit(not u.find_spec('{module}'))"],
                          capture_output=True).returncode == 0


def is_reference_blas(mapped):
    """Whether the reference BLAS, which is many times slower than others, is the only one that a process has mapped. `mapped`: the
    text of its /proc/self/maps."""
    files = {line.split()[-1] for line in mapped.splitlines() if "/" in line}
    return (any("/blas/libblas.so" in file for file in files)
            and not any(name in file for file in files for name in ("openblas", "mkl", "atlas", "blis")))


def warn_of_reference_blas(python="/usr/bin/python3", file=sys.stderr):
    """Warns where the PyTorch of `python` multiplies matrices by the reference BLAS: ratios to it say little. Returns whether it does."""
    if not can_import(python, "torch"):
        return False
    loaded = subprocess.run([str(python), "-c", "import torch; print(open('/proc/self/maps').read())"], capture_output=True, text=True)
    if loaded.returncode or not is_reference_blas(loaded.stdout):
        return False
    print(f"warning: PyTorch of {python} multiplies matrices by the reference BLAS and is no fair peer; "
          "install libopenblas0-pthread", file=file, flush=True)
    return True


def torch_peers(scripts, python, name, convolutions, isa):
    """Variants of torch_bench.py for one Python."""
    if not (scripts / "torch_bench.py").exists() or not can_import(python, "torch"):
        return []
    base = [python, scripts / "torch_bench.py", "--warmup", 3, *(["--keep-env"] if isa == "v3" else [])]
    last = ["--channels-last"] if convolutions else []
    if name == "PyTorch 1.13":
        peers = [Peer(f"{name} script", base + ["--impl", "script"] + last), Peer(f"{name} eager", base + last)]
        return peers + ([Peer(f"{name} eager NCHW", base, slow=True)] if convolutions else [])
    return [Peer(f"{name} eager", base + last), Peer(f"{name} compile", base + ["--impl", "compile"] + last)]


def jax_peers(scripts, python, workload, convolutions):
    """JAX: a jitted call per step; lax.scan over steps, which loses the convolution library (jax-ml/jax#12868)."""
    if not (scripts / "jax_bench.py").exists() or not can_import(python, "jax"):
        return []
    base = [python, scripts / "jax_bench.py", *(["--nhwc"] if convolutions else [])]
    return [Peer("JAX step", base + ["--impl", "step"]),
            Peer("JAX scan", base + ["--impl", "scan"], slow=workload.startswith("resnet"))]


def find_peers(scripts, environments, workload, convolutions, isa="native"):
    """All peers found for a workload."""
    scripts, environments = pathlib.Path(scripts), pathlib.Path(environments)
    peers = []
    libtorch = next((place / "libtorch_bench" for place in (environments, scripts) if (place / "libtorch_bench").exists()), None)
    if libtorch:
        last = ["--channels-last"] if convolutions else []
        peers.append(Peer("libtorch 1.13", [libtorch, "--warmup", 3, *last]))
    peers += torch_peers(scripts, "/usr/bin/python3", "PyTorch 1.13", convolutions, isa)
    peers += torch_peers(scripts, environments / "torch/bin/python", "PyTorch 2", convolutions, isa)
    peers += jax_peers(scripts, environments / "jax/bin/python", workload, convolutions)
    mindspore = environments / "mindspore/bin/python"
    if (scripts / "mindspore_bench.py").exists() and can_import(mindspore, "mindspore"):
        # Its thread pools take every core, whatever it is told.
        peers.append(Peer("MindSpore 2.0.0 graph", [mindspore, scripts / "mindspore_bench.py", "--warmup", 2], avx2=False))
    return [peer for peer in peers if isa != "v3" or peer.avx2]
