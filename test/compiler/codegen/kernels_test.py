"""Runs generated kernels of odd, unit and prime sizes and compares them with float64 references."""

import tempfile
import unittest

import numpy as np

from kernel_library import allow, build, forbid, supported_targets

GUARD = 0xCD
PRODUCT = """^bb0(%a: f32, %b: f32, %c: f32):
  %m = arith.mulf %a, %b : f32
  %s = arith.addf %c, %m : f32
  linalg.yield %s : f32"""


def memref(shape):
    """The type of a buffer of `shape`, which may be a type already."""
    return shape if isinstance(shape, str) else "memref<" + "x".join(map(str, shape)) + "xf32>"


def generic(loops, reduced, maps, inputs, outputs, body):
    """A linalg.generic; `inputs` and `outputs` are pairs of a name and a type."""
    loops_text = ", ".join(loops)
    maps_text = ", ".join(f"affine_map<({loops_text}) -> ({m})>" for m in maps)
    kinds = ", ".join('"reduction"' if loop in reduced else '"parallel"' for loop in loops)
    ins, outs = ("{} : {}".format(*map(", ".join, zip(*operands))) for operands in (inputs, outputs))
    return f"""linalg.generic {{indexing_maps = [{maps_text}], iterator_types = [{kinds}]}} ins({ins}) outs({outs}) {{
  {body}
  }}
"""


def product(loops, reduced, maps, shapes, names=("%A", "%B", "%C")):
    """Fills the last buffer with zero and adds the products of the other two."""
    a, b, c = zip(names, map(memref, shapes))
    return f"""%z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs({c[0]} : {c[1]})
  {generic(loops, reduced, maps, [a, b], [c], PRODUCT)}"""


def contraction(name, loops, reduced, maps, shapes, pads=None):
    """A function that fills its last argument with zero and adds the products of the other two. With `pads` (low, high),
    zeros lie around the first."""
    arguments = list(zip(("%A", "%B", "%C"), shapes))
    if not pads:
        return function(name, arguments, product(loops, reduced, maps, shapes))
    low, high = pads
    shape, strides = shapes[0], [int(np.prod(shapes[0][axis + 1 :])) for axis in range(len(shapes[0]))]
    padded = memref([l + n + h for l, n, h in zip(low, shape, high)])[:-1] + f", strided<{strides}>>"
    halo = f"%P = device.halo %A low{list(low)} high{list(high)} : {memref(shape)} to {padded}\n  "
    body = product(loops, reduced, maps, [padded, *shapes[1:]], ("%P", "%B", "%C"))
    return function(name, arguments, halo + body)


def function(name, arguments, body, attributes=""):
    """A function of buffers of f32; `arguments` are pairs of a name and a shape."""
    listed = ", ".join(f"{argument}: {memref(shape)}{attributes}" for argument, shape in arguments)
    return f"func.func @{name}({listed}) {{\n  {body}\n  return\n}}\n"


BIAS = """^bb0(%y: f32, %b: f32, %o: f32):
  %s = arith.addf %y, %b : f32
  %r = arith.maximumf %s, %z : f32
  linalg.yield %r : f32"""
MOMENTUM = """^bb0(%g: f32, %v: f32, %w: f32, %o: f32, %p: f32):
  %d = arith.mulf %v, %decay : f32
  %n = arith.addf %d, %g : f32
  %u = arith.mulf %n, %rate : f32
  %x = arith.subf %w, %u : f32
  linalg.yield %n, %x : f32, f32"""
RELU = """^bb0(%y: f32, %o: f32):
  %r = arith.maximumf %y, %z : f32
  linalg.yield %r : f32"""
POOL = """^bb0(%y: f32, %k: f32, %o: f32):
  %r = arith.maximumf %o, %y : f32
  linalg.yield %r : f32"""
PICK = """^bb0(%x: f32, %k: f32, %s: f32):
  %i = linalg.index 1 : index
  %n = arith.index_cast %i : index to i32
  %f = arith.sitofp %n : i32 to f32
  %c = arith.cmpf oeq, %f, %k : f32
  %v = arith.select %c, %x, %z : f32
  %t = arith.addf %s, %v : f32
  linalg.yield %t : f32"""
PLACE = """^bb0(%y: f32, %k: f32, %p: f32, %o: i32):
  %i = linalg.index 4 : index
  %j = linalg.index 5 : index
  %i32 = arith.index_cast %i : index to i32
  %j32 = arith.index_cast %j : index to i32
  %two = arith.addi %i32, %i32 : i32
  %place = arith.addi %two, %j32 : i32
  %is = arith.cmpf oeq, %y, %p : f32
  %here = arith.select %is, %place, %o : i32
  %r = arith.minsi %o, %here : i32
  linalg.yield %r : i32"""
JOINED = """^bb0(%p: f32, %i: i32, %o: f32):
  %f = arith.sitofp %i : i32 to f32
  %r = arith.addf %p, %f : f32
  linalg.yield %r : f32"""
DISTANCES = """^bb0(%y: f32, %o: f32, %r: f32, %s: f32, %q: f32):
  %d = arith.subf %y, %o : f32
  %t = arith.addf %s, %d : f32
  %e = arith.mulf %d, %d : f32
  %f = arith.mulf %e, %r : f32
  %u = arith.addf %q, %f : f32
  linalg.yield %t, %u : f32, f32"""
ADDED = """^bb0(%s: f32, %q: f32):
  %t = arith.addf %s, %q : f32
  linalg.yield %t : f32"""
ALONE = " {llvm.noalias}"


def reduction(name, shape, axes, last):
    """A function that sums its first argument, and the squares, along `axes`: two results of one operation. `last` names
    the last argument: S for the sums, Q for those of squares."""
    loops = "abcd"[: len(shape)]
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    x, sums = memref(shape), memref([shape[axis] for axis in kept] or [1])
    results = ", ".join(loops[axis] for axis in kept) or "0"
    space = f"affine_map<({', '.join(loops)}) -> "
    maps = f"{space}({', '.join(loops)})>, {space}({results})>, {space}({results})>"
    kinds = ", ".join('"reduction"' if axis in axes else '"parallel"' for axis in range(len(shape)))
    return f"""func.func @{name}(%X: {x}, %{"Q" if last == "S" else "S"}: {sums}, %{last}: {sums}) {{
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%S : {sums})
  linalg.fill ins(%z : f32) outs(%Q : {sums})
  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins(%X : {x}) outs(%S, %Q : {sums}, {sums}) {{
  ^bb0(%x: f32, %s: f32, %q: f32):
    %t = arith.addf %s, %x : f32
    %p = arith.mulf %x, %x : f32
    %r = arith.addf %q, %p : f32
    linalg.yield %t, %r : f32, f32
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
        address = self.raw.ctypes.data
        forbid(address, self.start)
        forbid(address + self.end, self.raw.nbytes - self.end)

    def intact(self):
        allow(self.raw.ctypes.data, self.raw.nbytes)
        return bool((self.raw[: self.start] == GUARD).all() and (self.raw[self.end :] == GUARD).all())


class KernelsTest(unittest.TestCase):
    def check(self, kernels, compare=None):
        """`kernels`: (text, name, inputs, result's shape, float64 reference). `compare` asserts that a result, the second
        of its arguments the reference, is right; else the largest error is small beside the largest element."""
        for cpu in supported_targets():
            with self.subTest(cpu=cpu), tempfile.TemporaryDirectory() as folder:
                library = build("".join(kernel[0] for kernel in kernels), cpu, folder)
                for _, name, inputs, shape, reference in kernels:
                    buffers = [Guarded(x) for x in inputs] + [Guarded(np.full(shape, 7.0))]
                    library.call(name, [b.array for b in buffers])
                    with self.subTest(kernel=name):
                        (compare or self.compare)(buffers[-1].array, reference)
                    self.assertTrue(all(b.intact() for b in buffers), name + " wrote outside its buffers")

    def compare(self, result, reference):
        """Asserts that the largest error is small beside the largest element."""
        self.assertLess(np.abs(result - reference).max() / np.abs(reference).max(), 3e-5)

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

    def test_products_of_few_columns_more(self):
        """A column or two beyond whole vectors, on targets of all lengths."""
        kernels = []
        for number, size in enumerate([(96, 17, 96), (64, 34, 80), (40, 9, 33)]):
            kernels += self.products(f"columns_{number}", *size)
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

    def test_reductions(self):
        """Sums and sums of squares in one pass, along any axes."""
        kernels = []
        cases = [((1000003,), (0,)), ((32, 10), (1,)), ((32, 10), (0,)), ((7, 501), (1,)), ((501, 7), (0,)), ((129, 257), (0,)),
                 ((257, 129), (1,)), ((3, 5, 7, 11), (0, 2, 3)), ((8, 16, 9, 9), (0, 2, 3)), ((8, 9, 9, 16), (0, 1, 2)),
                 ((4, 31, 33, 64), (0, 1, 2)), ((5, 3, 4, 37), (1, 2)), ((2, 2), (0, 1)), ((1, 19), (0,)), ((33, 2), (1,))]
        for number, (shape, axes) in enumerate(cases):
            x = self.normal(*shape) + 0.5
            for last, values in [("S", x), ("Q", np.square(x, dtype=float))]:
                reference = np.atleast_1d(values.astype(float).sum(axes))
                name = f"reduction_{number}_{last}"
                text = reduction(name, shape, axes, last)
                kernels.append((text, name, [x, np.full(reference.shape, 7.0)], reference.shape, reference))
        self.check(kernels)

    def test_reductions_that_use_their_index(self):
        """The element that a number names in each row, as a loss picks its class."""
        kernels = []
        for number, (rows, columns) in enumerate([(8, 1000), (32, 4096), (5, 37), (3, 16), (7, 5), (1, 129)]):
            x, named = self.normal(rows, columns), self.random.integers(0, columns, rows)
            named[0] = columns - 1
            operation = generic("ab", "b", ["a, b", "a", "a"], [("%X", memref(x.shape)), ("%K", memref([rows]))],
                                [("%S", memref([rows]))], PICK)
            zero = f"%z = arith.constant 0.0 : f32\n  linalg.fill ins(%z : f32) outs(%S : {memref([rows])})\n  "
            name = f"pick_{number}"
            text = function(name, [("%X", x.shape), ("%K", (rows,)), ("%S", (rows,))], zero + operation)
            kernels.append((text, name, [x, named], (rows,), x[np.arange(rows), named].astype(float)))
        self.check(kernels)

    def map_of(self, operation, name, size):
        """A function that applies `operation` to each element of its first argument."""
        return f"""func.func @{name}(%X: {memref([size])}, %Y: {memref([size])}) {{
  linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%X : {memref([size])}) outs(%Y : {memref([size])}) {{
  ^bb0(%x: f32, %y: f32):
    %s = {operation} %x : f32
    linalg.yield %s : f32
  }}
  return
}}
"""

    def test_sine_of_any_size(self):
        """Large arguments take another way, by integers; lanes of both kinds stand side by side."""
        x = (10.0 ** np.linspace(-3, 38.5, 1003)).astype(np.float32)
        self.check([(self.map_of("math.sin", "sine", x.size), "sine", [x], x.shape, np.sin(x.astype(float)))])

    def test_exp_of_any_size(self):
        """Each result by itself is right, up to infinity; tiny ones may be zero."""
        x = np.concatenate([np.linspace(-120, 95, 2003), [88.7, 88.722, 88.73, -np.inf, np.inf, 0, -0.0, np.nan]]).astype(np.float32)
        with np.errstate(over="ignore", under="ignore"):
            want = np.exp(x.astype(float)).astype(np.float32).astype(float)
        kernel = (self.map_of("math.exp", "exp", x.size), "exp", [x], x.shape, want)
        self.check([kernel], lambda result, wanted: np.testing.assert_allclose(result, wanted, rtol=2e-7, atol=1.7e-38))

    def convert(self, values, kinds, bits):
        """Elements converted from the first of `kinds` to the second, on each target, `bits` the type of the result's."""
        types = [f"memref<{values.size}x{kind}>" for kind in kinds]
        operation = "extf" if values.dtype.itemsize < bits().itemsize else "truncf"
        text = f"""func.func @convert(%X: {types[0]}, %Y: {types[1]}) {{
  linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%X : {types[0]}) outs(%Y : {types[1]}) {{
  ^bb0(%x: {kinds[0]}, %y: {kinds[1]}):
    %s = arith.{operation} %x : {kinds[0]} to {kinds[1]}
    linalg.yield %s : {kinds[1]}
  }}
  return
}}
"""
        for cpu in supported_targets():
            with self.subTest(kinds=kinds, cpu=cpu), tempfile.TemporaryDirectory() as folder:
                result = np.zeros(values.size, bits)
                build(text, cpu, folder).call("convert", [values, result])
                yield result

    def test_conversions_of_halves(self):
        """All halves; and what becomes one: ties, both sides of ties, and all kinds of numbers that f16 has not."""
        halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
        wide = halves[np.isfinite(halves)].astype(np.float64)
        middles = (wide[:-1] + wide[1:]) / 2
        doubles = np.concatenate([wide, middles, middles * (1 + 1e-15), middles * (1 - 1e-15), [1e9, -1e9, np.inf, -np.inf, np.nan]])
        with np.errstate(over="ignore"):
            for values, kinds, kind in ((halves, ("f16", "f32"), np.float32), (halves, ("f16", "f64"), np.float64),
                                        (doubles.astype(np.float32), ("f32", "f16"), np.float16),
                                        (doubles, ("f64", "f16"), np.float16)):
                for result in self.convert(values, kinds, kind):
                    np.testing.assert_array_equal(result, values.astype(kind))

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

    LAYOUTS = {"nchw": (0, 1, 2, 3), "nhwc": (0, 2, 3, 1), "chwn": (1, 2, 3, 0)}

    def padded_case(self, number, n, ic, oc, image, kernel, stride, dilation, pad):
        """Forward and backward-weights kernels in all layouts, of an image within `pad` (top, bottom, left, right)."""
        top, bottom, left, right = pad
        x, weight = self.normal(n, ic, *image), self.normal(oc, ic, *kernel)
        padded = np.pad(x.astype(float), ((0, 0), (0, 0), (top, bottom), (left, right)))
        h, w = ((extent - (k - 1) * dilation - 1) // stride + 1 for extent, k in zip(padded.shape[2:], kernel))
        dy = self.normal(n, oc, h, w)
        rows, columns = (np.arange(count)[:, None] * stride + np.arange(k)[None] * dilation for count, k in zip((h, w), kernel))
        patches = padded[:, :, rows][:, :, :, :, columns]
        forward = np.einsum("nchiwj,ocij->nohw", patches, weight.astype(float))
        gradient = np.einsum("nchiwj,nohw->ocij", patches, dy.astype(float))
        read = f"n, c, h * {stride} + i * {dilation}, w * {stride} + j * {dilation}"
        for layout, order in self.LAYOUTS.items():
            def lay(text):
                return ", ".join(text.split(", ")[axis] for axis in order)
            pads = [[(0, 0, top, left)[axis] for axis in order], [(0, 0, bottom, right)[axis] for axis in order]]
            image_, result = x.transpose(order), dy.transpose(order)
            name = f"padded_forward_{layout}_{number}"
            packed = weight if layout != "nhwc" else weight.transpose(2, 3, 1, 0)
            yield (contraction(name, "nhwocij", "cij", [lay(read), "i, j, c, o" if layout == "nhwc" else "o, c, i, j",
                                                        lay("n, o, h, w")], [image_.shape, packed.shape, result.shape], pads),
                   name, [image_, packed], result.shape, forward.transpose(order))
            name = f"padded_weight_{layout}_{number}"
            expected = gradient if layout != "nhwc" else gradient.transpose(2, 3, 1, 0)
            yield (contraction(name, "ijconhw", "nhw", [lay(read), lay("n, o, h, w"),
                                                        "i, j, c, o" if layout == "nhwc" else "o, c, i, j"],
                               [image_.shape, result.shape, expected.shape], pads),
                   name, [image_, result], expected.shape, expected)

    def test_padded_convolutions(self):
        """Zeros around the image that are not in memory: wide and narrow images, windows larger than the image, strides that
        skip the pad, asymmetric pads, dilation, one row and one column."""
        cases = [
            (2, 16, 16, (32, 32), (3, 3), 1, 1, (1, 1, 1, 1)),
            (1, 32, 20, (9, 13), (3, 3), 1, 1, (1, 1, 1, 1)),
            (17, 3, 16, (7, 8), (3, 3), 2, 1, (1, 1, 1, 1)),
            (16, 5, 7, (3, 2), (5, 5), 1, 1, (2, 2, 2, 2)),
            (3, 4, 33, (11, 6), (3, 2), 1, 2, (0, 2, 3, 1)),
            (2, 8, 8, (1, 9), (3, 1), 1, 1, (1, 1, 0, 0)),
            (2, 3, 18, (6, 6), (1, 1), 2, 1, (1, 1, 1, 1)),
            (1, 1, 1, (5, 5), (4, 4), 3, 1, (3, 3, 3, 3)),
        ]
        kernels = [kernel for number, case in enumerate(cases) for kernel in self.padded_case(number, *case)]
        self.check(kernels)

    def test_backward_weights_in_blocks(self):
        """More images than a cache holds: block by block, counted by the image's columns where windows overlap."""
        cases = [
            (40, 16, 16, (32, 32), (3, 3), 1, 1, (1, 1, 1, 1)),
            (50, 16, 24, (31, 33), (3, 3), 2, 1, (1, 1, 1, 1)),
            (90, 40, 20, (8, 8), (3, 3), 1, 1, (1, 1, 1, 1)),
            (21, 3, 16, (40, 41), (5, 5), 1, 2, (2, 1, 2, 3)),
        ]
        kernels = [kernel for number, case in enumerate(cases) for kernel in self.padded_case(number + 100, *case)
                   if kernel[1].startswith("padded_weight_nhwc")]
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

    def test_bias_and_relu_behind_products(self):
        kernels = []
        for number, (m, n, k) in enumerate([(1, 1, 1), (3, 17, 5), (32, 16, 16), (31, 47, 23), (32, 10, 84), (7, 120, 600)]):
            for form, b in enumerate(["k, n", "n, k"]):
                x, y = self.normal(m, k), self.normal(*[{"n": n, "k": k}[d] for d in b.split(", ")])
                bias, name = self.normal(n), f"bias_{number}_{form}"
                reference = np.einsum(f"mk,{b}->mn".replace(", ", ""), x.astype(float), y.astype(float)) + bias
                c = ("%C", memref((m, n)))
                text = product("mnk", "k", ["m, k", b, "m, n"], [x.shape, y.shape, (m, n)])
                text += "  " + generic("mn", "", ["m, n", "n", "m, n"], [c, ("%bias", memref((n,)))], [c], BIAS)
                shapes = [x.shape, y.shape, (n,), (m, n)]
                text = function(name, zip(["%A", "%B", "%bias", "%C"], shapes), text, ALONE)
                kernels.append((text, name, [x, y, bias], (m, n), np.maximum(reference, 0)))
        self.check(kernels)

    def test_updates_behind_gradients(self):
        """The gradient lies in scratch memory that nothing else reads; the moment is updated in place."""
        kernels = []
        for number, (m, n, k) in enumerate([(1, 1, 1), (5, 18, 3), (120, 40, 32), (10, 84, 32), (64, 96, 700)]):
            x, y, moment = self.normal(k, m), self.normal(k, n), self.normal(m, n)
            name, kind = f"update_{number}", memref((m, n))
            text = "%decay = arith.constant 0.9 : f32\n  %rate = arith.constant 0.1 : f32\n"
            text += f"  %G = memref.alloca() {{alignment = 64}} : {kind}\n  "
            text += product("mnk", "k", ["k, m", "k, n", "m, n"], [x.shape, y.shape, (m, n)], ("%A", "%B", "%G"))
            text += "  " + generic("mn", "", ["m, n"] * 5, [("%G", kind), ("%V", kind), ("%W", kind)],
                                   [("%V", kind), ("%W", kind)], MOMENTUM)
            text = function(name, zip(["%A", "%B", "%V", "%W"], [x.shape, y.shape, (m, n), (m, n)]), text, ALONE)
            reference = 7.0 - 0.1 * (0.9 * moment + x.astype(float).T @ y)
            kernels.append((text, name, [x, y, moment], (m, n), reference))
        self.check(kernels)

    def test_pooling_behind_convolutions(self):
        """Batch innermost: convolution, ReLU, maximum of 2 x 2, its place, both added up; the image is never stored."""
        kernels = []
        for number, (n, ic, oc, k, h, w) in enumerate([(32, 1, 6, 5, 28, 28), (32, 6, 16, 5, 10, 10), (5, 2, 3, 3, 4, 6),
                                                       (17, 3, 1, 1, 2, 2)]):
            x, weight = self.normal(ic, h + k - 1, w + k - 1, n), self.normal(oc, ic, k, k)
            patches = self.windows(x.transpose(3, 0, 1, 2), h, w, k, 1)
            image = np.maximum(np.einsum("nchiwj,ocij->ohwn", patches, weight.astype(float)), 0)
            parts = image.reshape(oc, h // 2, 2, w // 2, 2, n).transpose(0, 1, 3, 5, 2, 4).reshape(oc, h // 2, w // 2, n, 4)
            y, p = ("%Y", memref(image.shape)), ("%P", memref(parts.shape[:-1]))
            i, window = ("%I", p[1].replace("f32", "i32")), ("%K", memref((2, 2)))
            c, name = ("%C", p[1]), f"pool_{number}"
            text = "%low = arith.constant 0xFF800000 : f32\n  %four = arith.constant 4 : i32\n"
            text += "".join(f"  {b} = memref.alloca() {{alignment = 64}} : {kind}\n" for b, kind in [y, p, i, window])
            text += "  " + product("ohwncij", "cij", ["c, h + i, w + j, n", "o, c, i, j", "o, h, w, n"],
                                   [x.shape, weight.shape, image.shape], ("%A", "%B", "%Y"))
            text += "  " + generic("ohwn", "", ["o, h, w, n"] * 2, [y], [y], RELU)
            walk = ["o, h * 2 + i, w * 2 + j, n", "i, j"]
            text += f"  linalg.fill ins(%low : f32) outs(%P : {p[1]})\n  "
            text += generic("ohwnij", "ij", walk + ["o, h, w, n"], [y, window], [p], POOL)
            text += f"  linalg.fill ins(%four : i32) outs(%I : {i[1]})\n  "
            text += generic("ohwnij", "ij", walk + ["o, h, w, n"] * 2, [y, window, p], [i], PLACE)
            text += "  " + generic("ohwn", "", ["o, h, w, n"] * 3, [p, i], [c], JOINED)
            text = function(name, zip(["%A", "%B", "%C"], [x.shape, weight.shape, parts.shape[:-1]]), text, ALONE)
            kernels.append((text, name, [x, weight], parts.shape[:-1], parts.max(-1) + parts.argmax(-1)))
        self.check(kernels)

    def test_sums_behind_convolutions(self):
        """Channels innermost: by image and channel, a sum of distances and one of weighted squares, added up."""
        kernels = []
        for number, (n, ic, oc, k, h, w) in enumerate([(2, 3, 16, 3, 8, 8), (3, 2, 5, 3, 7, 6), (2, 4, 33, 1, 5, 17),
                                                       (1, 16, 64, 3, 9, 31), (4, 1, 1, 1, 1, 1)]):
            x, weight = self.normal(n, h + k - 1, w + k - 1, ic), self.normal(k, k, ic, oc)
            origin, share = self.normal(oc), self.normal(n, h, w, oc)
            patches = self.windows(x.transpose(0, 3, 1, 2), h, w, k, 1)
            far = np.einsum("nchiwj,ijco->nhwo", patches, weight.astype(float)) - origin
            sums = memref((n, oc))
            y, s, q = ("%Y", memref(share.shape)), ("%S", sums), ("%Q", sums)
            text = "".join(f"%{b} = memref.alloca() {{alignment = 64}} : {kind}\n  " for b, kind in [("Y", y[1]), ("S", sums)])
            text += f"%none = arith.constant -0.0 : f32\n  linalg.fill ins(%none : f32) outs(%S : {sums})\n  "
            text += f"linalg.fill ins(%none : f32) outs(%Q : {sums})\n  "
            text += product("nhwoijc", "ijc", ["n, h + i, w + j, c", "i, j, c, o", "n, h, w, o"],
                            [x.shape, weight.shape, share.shape], ("%A", "%B", "%Y"))
            text += "  " + generic("nhwo", "hw", ["n, h, w, o", "o", "n, h, w, o", "n, o", "n, o"],
                                   [y, ("%O", memref((oc,))), ("%R", memref(share.shape))], [s, q], DISTANCES)
            text += "  " + generic("no", "", ["n, o", "n, o"], [s], [q], ADDED)
            shapes = [x.shape, weight.shape, (oc,), share.shape, (n, oc)]
            text = function(f"sums_{number}", zip(["%A", "%B", "%O", "%R", "%Q"], shapes), text, ALONE)
            reference = far.sum((1, 2)) + (far * far * share).sum((1, 2))
            kernels.append((text, f"sums_{number}", [x, weight, origin, share], (n, oc), reference))
        self.check(kernels)


if __name__ == "__main__":
    unittest.main()
