"""Kernels for tests: linalg on buffers, compiled for a target, run on buffers that nothing may be touched beside."""

import ctypes
import mmap
import os
import subprocess

import numpy as np

LLVM = "/usr/lib/llvm-22/bin/"
TARGETS = {"x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
_PAGE = mmap.PAGESIZE
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def supported_targets():
    """The targets whose code this machine can run."""
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        flags = info.read()
    return [cpu for cpu, flag in TARGETS.items() if flag in flags]


def build(text, cpu, folder):
    """Compiles a module of functions; returns the shared object's path."""
    source, code, library = (os.path.join(folder, "k" + suffix) for suffix in (".mlir", ".o", ".so"))
    with open(source, "w", encoding="utf-8") as file:
        file.write("module {\n" + text + "}\n")
    opt = os.environ.get("PLUMB_OPT", "tools/plumb-opt")
    lowered = _run([opt, source, f"--plumb-codegen=target-cpu={cpu}"])
    ir = _run([LLVM + "mlir-translate", "--mlir-to-llvmir"], lowered)
    _run([LLVM + "llc", "-O2", f"-mcpu={cpu}", "--relocation-model=pic", "-filetype=obj", "-o", code], ir)
    _run([LLVM + "ld.lld", "-shared", code, "-o", library])
    return library


def _run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, check=False)
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

    def free(self):
        """Gives the memory back; `array` must not be used afterwards."""
        _libc.munmap(self.base, self.size)
