"""Runs generated kernels of odd, unit and prime sizes and compares them with float64 references."""

import ctypes
import os
import subprocess
import tempfile
import unittest

import numpy as np

LLVM = "/usr/lib/llvm-22/bin/"
TARGETS = {"x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
GUARD = 0xCD
PRODUCT = """^bb0(%a: f32, %b: f32, %c: f32):
  %m = arith.mulf %a, %b : f32
  %s = arith.addf %c, %m : f32
  linalg.yield %s : f32"""


def supported_targets():
    """The targets whose code this machine can run."""
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        flags = info.read()
    return [cpu for cpu, flag in TARGETS.items() if flag in flags]


def memref(shape):
    return "memref<" + "x".join(map(str, shape)) + "xf32>"


def contraction(name, loops, reduced, maps, shapes):
    """A function that fills its last argument with zero and adds the products of the other two."""
    a, b, c = map(memref, shapes)
    loops_text = ", ".join(loops)
    maps_text = ", ".join(f"affine_map<({loops_text}) -> ({m})>" for m in maps)
    kinds = ", ".join('"reduction"' if loop in reduced else '"parallel"' for loop in loops)
    return f"""func.func @{name}(%A: {a}, %B: {b}, %C: {c}) {{
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%C : {c})
  linalg.generic {{indexing_maps = [{maps_text}], iterator_types = [{kinds}]}} ins(%A, %B : {a}, {b}) outs(%C : {c}) {{
  {PRODUCT}
  }}
  return
}}
"""


class Guarded:
    """An aligned array between bytes that must not change."""

    def __init__(self, values):
        values = np.ascontiguousarray(values, np.float32)
        self.raw = np.full(values.nbytes + 256, GUARD, np.uint8)
        self.start = -self.raw.ctypes.data % 64 + 64
        self.end = self.start + values.nbytes
        self.array = self.raw[self.start : self.end].view(np.float32).reshape(values.shape)
        self.array[...] = values

    def intact(self):
        return bool((self.raw[: self.start] == GUARD).all() and (self.raw[self.end :] == GUARD).all())


def build(text, cpu, folder):
    """Compiles a module of functions; returns the loaded library."""
    source, code, library = (os.path.join(folder, "k" + suffix) for suffix in (".mlir", ".o", ".so"))
    with open(source, "w", encoding="utf-8") as file:
        file.write("module {\n" + text + "}\n")
    opt = os.environ.get("PLUMB_OPT", "tools/plumb-opt")
    lowered = subprocess.run([opt, source, f"--plumb-codegen=target-cpu={cpu}"], check=True, capture_output=True).stdout
    ir = subprocess.run([LLVM + "mlir-translate", "--mlir-to-llvmir"], input=lowered, check=True, capture_output=True).stdout
    llc = [LLVM + "llc", "-O2", f"-mcpu={cpu}", "--relocation-model=pic", "-filetype=obj", "-o", code]
    subprocess.run(llc, input=ir, check=True)
    subprocess.run([LLVM + "ld.lld", "-shared", code, "-o", library], check=True)
    return ctypes.CDLL(library)


class KernelsTest(unittest.TestCase):
    def check(self, kernels):
        """`kernels`: (text, name, inputs, result's shape, float64 reference)."""
        for cpu in supported_targets():
            with self.subTest(cpu=cpu), tempfile.TemporaryDirectory() as folder:
                library = build("".join(kernel[0] for kernel in kernels), cpu, folder)
                for _, name, inputs, shape, reference in kernels:
                    buffers = [Guarded(x) for x in inputs] + [Guarded(np.full(shape, 7.0))]
                    getattr(library, name)(*[ctypes.c_void_p(b.array.ctypes.data) for b in buffers])
                    error = np.abs(buffers[-1].array - reference).max() / np.abs(reference).max()
                    self.assertLess(error, 3e-5, name)
                    self.assertTrue(all(b.intact() for b in buffers), name + " wrote outside its buffers")

    def setUp(self):
        self.random = np.random.default_rng(0)

    def normal(self, *shape):
        return self.random.standard_normal(shape).astype(np.float32)

    def test_matrix_products(self):
        kernels = []
        for number, size in enumerate([(1, 1, 1), (3, 17, 5), (16, 16, 16), (31, 47, 23), (32, 10, 84), (7, 120, 40), (63, 65, 67)]):
            kernels += self.products(f"product_{number}", *size)
        self.check(kernels)

    def test_large_products(self):
        """Sizes at which reductions are cut into blocks and operands are packed, with rests everywhere."""
        kernels = []
        for number, size in enumerate([(256, 512, 512), (131, 523, 1031), (1024, 100, 600)]):
            kernels += self.products(f"large_{number}", *size)
        self.check(kernels)

    def test_batched_products(self):
        kernels = []
        for number, (m, n, k) in enumerate([(64, 64, 32), (5, 33, 17), (64, 32, 64)]):
            kernels += self.products(f"batched_{number}", m, n, k, batch=3)
        self.check(kernels)

    def products(self, name, m, n, k, batch=None):
        """A product of each form: both operands as they are and turned."""
        kernels = []
        size = {"b": batch, "m": m, "n": n, "k": k}
        front = "b, " if batch else ""
        for form, (a, b) in enumerate([("m, k", "k, n"), ("m, k", "n, k"), ("k, m", "k, n"), ("k, m", "n, k")]):
            maps = [front + dims for dims in (a, b, "m, n")]
            shapes = [tuple(size[dim] for dim in dims.split(", ")) for dims in maps]
            x, y = self.normal(*shapes[0]), self.normal(*shapes[1])
            forms = [array.astype(float) if dims in ("m, k", "k, n") else np.swapaxes(array, -1, -2).astype(float)
                     for array, dims in ((x, a), (y, b))]
            text = contraction(f"{name}_{form}", front.replace(", ", "") + "mnk", "k", maps, shapes)
            kernels.append((text, f"{name}_{form}", [x, y], shapes[2], forms[0] @ forms[1]))
        return kernels

    def test_sine_of_any_size(self):
        """Large arguments take another way, by integers; lanes of both kinds stand side by side."""
        x = (10.0 ** np.linspace(-3, 38.5, 1003)).astype(np.float32)
        text = f"""func.func @sine(%X: {memref(x.shape)}, %Y: {memref(x.shape)}) {{
  linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%X : {memref(x.shape)}) outs(%Y : {memref(x.shape)}) {{
  ^bb0(%x: f32, %y: f32):
    %s = math.sin %x : f32
    linalg.yield %s : f32
  }}
  return
}}
"""
        self.check([(text, "sine", [x], x.shape, np.sin(x.astype(float)))])

    def windows(self, x, rows, columns, kernel, stride):
        """x[n, c, h·stride + i, w·stride + j] as an array over n, c, h, i, w, j."""
        at = lambda count: np.arange(count)[:, None] * stride + np.arange(kernel)[None]
        return x.astype(float)[:, :, at(rows)][:, :, :, :, at(columns)]

    def test_convolutions(self):
        kernels = []
        cases = [(2, 1, 6, 5, 28, 28, 1), (3, 6, 16, 5, 10, 10, 1), (1, 3, 5, 3, 7, 19, 2), (16, 2, 17, 1, 4, 5, 3)]
        for number, (n, ic, oc, k, h, w, stride) in enumerate(cases):
            x = self.normal(n, ic, (h - 1) * stride + k, (w - 1) * stride + k)
            weight, dy = self.normal(oc, ic, k, k), self.normal(n, oc, h, w)
            read = f"n, c, h * {stride} + i, w * {stride} + j"
            patches = self.windows(x, h, w, k, stride)
            forward = np.einsum("nchiwj,ocij->nohw", patches, weight.astype(float))
            gradient = np.einsum("nchiwj,nohw->ocij", patches, dy.astype(float))
            text = contraction(f"forward_{number}", "nohwcij", "cij", [read, "o, c, i, j", "n, o, h, w"],
                               [x.shape, weight.shape, dy.shape])
            kernels.append((text, f"forward_{number}", [x, weight], dy.shape, forward))
            text = contraction(f"weight_{number}", "ocijnhw", "nhw", [read, "n, o, h, w", "o, c, i, j"],
                               [x.shape, dy.shape, weight.shape])
            kernels.append((text, f"weight_{number}", [x, dy], weight.shape, gradient))
        self.check(kernels)

    def test_backward_data(self):
        """Scattering contractions: y[.., h + i, w + j] += x[.., h, w] k[i, j], with windows larger than the image too."""
        kernels = []
        cases = [(2, 6, 16, 5, 10, 10), (3, 1, 5, 3, 7, 19), (32, 6, 16, 5, 10, 9), (16, 3, 4, 5, 3, 2), (20, 7, 2, 1, 4, 5),
                 (5, 17, 3, 3, 1, 40)]
        for number, (n, ic, oc, k, h, w) in enumerate(cases):
            dy, weight = self.normal(n, oc, h, w), self.normal(oc, ic, k, k)
            dx = np.zeros((n, ic, h + k - 1, w + k - 1))
            for i in range(k):
                for j in range(k):
                    dx[:, :, i : i + h, j : j + w] += np.einsum("nohw,oc->nchw", dy.astype(float), weight[:, :, i, j])
            for layout, loops, order in [("nchw", "nchwoij", (0, 1, 2, 3)), ("chwn", "chwoijn", (1, 2, 3, 0))]:
                def lay(text):
                    return ", ".join(text.split(", ")[axis] for axis in order)
                moved, result = dy.transpose(order), dx.transpose(order)
                name = f"data_{layout}_{number}"
                text = contraction(name, loops, "hwoij", [lay("n, o, h, w"), "o, c, i, j", lay("n, c, h + i, w + j")],
                                   [moved.shape, weight.shape, result.shape])
                kernels.append((text, name, [moved, weight], result.shape, result))
        self.check(kernels)


if __name__ == "__main__":
    unittest.main()
