"""Kernels for tests: linalg on buffers, compiled for a target, run on buffers that nothing may be touched beside.

AArch64's kernels run emulated, in a process of their own each (run_kernel.c).

With PLUMB_SANITIZE_KERNELS in the environment, kernels are compiled with LLVM's address sanitizer, whose runtime the process
must have been started with (sanitized_kernels_test.py)."""

import ctypes
import mmap
import os
import re
import subprocess

import numpy as np

LLVM = "/usr/lib/llvm-22/bin/"
TARGETS = {"x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
EMULATED = ("neoverse-n1",)
SANITIZED = "PLUMB_SANITIZE_KERNELS" in os.environ
_PAGE = mmap.PAGESIZE
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def supported_targets():
    """The targets whose code this machine can run, or emulate."""
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        flags = info.read()
    return [cpu for cpu, flag in TARGETS.items() if flag in flags] + list(EMULATED if not SANITIZED else ())


class Native:
    """Kernels in a shared object."""

    def __init__(self, code, path):
        _run([LLVM + "ld.lld", "-shared", code, "-o", path])
        self.path = path

    def call(self, name, arrays):
        """Calls a kernel on arrays, which it may change."""
        function = getattr(ctypes.CDLL(self.path), name)
        function(*[ctypes.c_void_p(array.ctypes.data) for array in arrays])


class Emulated:
    """Kernels in a program that runs one of them."""

    def __init__(self, code, path):
        main = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_kernel.c")
        _run(["aarch64-linux-gnu-gcc", "-rdynamic", main, code, "-o", path, "-lm"])
        self.path = path

    def call(self, name, arrays):
        """Calls a kernel on copies of arrays, each as far behind the start of a page; the arrays then hold what these hold."""
        places = [f"{array.ctypes.data % _PAGE}:{array.nbytes}" for array in arrays]
        contents = b"".join(array.tobytes() for array in arrays)
        contents = _run(["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", self.path, name, *places], contents)
        start = 0
        for array in arrays:
            array[...] = np.frombuffer(contents, array.dtype, array.size, start).reshape(array.shape)
            start += array.nbytes


def build(text, cpu, folder):
    """Compiles a module of functions."""
    source, code, library = (os.path.join(folder, "k" + suffix) for suffix in (".mlir", ".o", ".so"))
    with open(source, "w", encoding="utf-8") as file:
        file.write("module {\n" + text + "}\n")
    opt = os.environ.get("PLUMB_OPT", "tools/plumb-opt")
    lowered = _run([opt, source, f"--plumb-codegen=target-cpu={cpu}"])
    ir = _run([LLVM + "mlir-translate", "--mlir-to-llvmir"], lowered)
    if SANITIZED:
        ir = _sanitize(ir)
    machine = "aarch64" if cpu in EMULATED else "x86_64"
    _run([LLVM + "llc", "-O2", f"-mtriple={machine}-linux-gnu", f"-mcpu={cpu}", "--relocation-model=pic", "-filetype=obj",
          "-o", code], ir)
    return (Emulated if cpu in EMULATED else Native)(code, library)


def _sanitize(ir):
    """Puts a call before each access that asks whether its bytes may be touched."""
    marked = re.sub(rb"^(define .*) {$", rb"\1 sanitize_address {", ir, flags=re.MULTILINE)
    return _run([LLVM + "opt", "-passes=asan", "-mtriple=x86_64-linux-gnu", "-asan-instrumentation-with-call-threshold=0",
                 "-asan-globals=0"], marked)


def forbid(address, size):
    """Lets the sanitizer report whoever touches these bytes."""
    if SANITIZED:
        _libc.__asan_poison_memory_region(ctypes.c_void_p(address), ctypes.c_size_t(size))


def allow(address, size):
    """Takes `forbid` back."""
    if SANITIZED:
        _libc.__asan_unpoison_memory_region(ctypes.c_void_p(address), ctypes.c_size_t(size))


def _run(command, text=None):
    # The sanitizer's runtime is this process's alone.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run(command, input=text, capture_output=True, check=False, env=environment)
    if done.returncode != 0:
        raise RuntimeError(f"{os.path.basename(command[0])} failed ({done.returncode}): "
                           f"{done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout


class Fenced:
    """An array that ends, or begins, where memory does: the page beside it can be neither read nor written."""

    def __init__(self, values, at_end):
        values = np.ascontiguousarray(values)
        pages = -(-max(values.nbytes, 1) // _PAGE)
        self.size = (pages + 2) * _PAGE
        self.base = _libc.mmap(None, self.size, mmap.PROT_READ | mmap.PROT_WRITE,
                               mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        for fence in (0, pages + 1):
            if _libc.mprotect(self.base + fence * _PAGE, _PAGE, 0) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")
        inside = self.base + _PAGE
        self.address = inside + pages * _PAGE - values.nbytes if at_end else inside
        buffer = (ctypes.c_char * values.nbytes).from_address(self.address)
        self.array = np.frombuffer(buffer, values.dtype).reshape(values.shape)
        self.array[...] = values
        forbid(inside, self.address - inside)
        forbid(self.address + values.nbytes, inside + pages * _PAGE - self.address - values.nbytes)

    def free(self):
        """Gives the memory back; `array` must not be used afterwards."""
        allow(self.base, self.size)
        _libc.munmap(self.base, self.size)
