"""Random kernels with float64 references: products, convolutions, pools, reductions, element-wise trees, gathers.

`draw(rng)` gives one Kernel: MLIR of one function, its inputs and what it must compute. Sizes are drawn so that lanes,
tiles and blocks do not fit: units, primes, one more and one less than multiples of vectors.
"""

import dataclasses
import itertools

import numpy as np

SIZES = (1, 2, 3, 5, 7, 8, 9, 13, 15, 16, 17, 23, 31, 32, 33, 47, 48, 49, 64, 67)
SMALL = (1, 2, 3, 4, 5, 7, 8, 11, 16)
PRODUCT = """^bb0(%a: f32, %b: f32, %c: f32):
  %m = arith.mulf %a, %b : f32
  %s = arith.addf %c, %m : f32
  linalg.yield %s : f32"""


@dataclasses.dataclass
class Kernel:
    """One function with its inputs and its result in float64."""
    kind: str
    body: str
    inputs: list
    result: np.ndarray
    scratch: list = dataclasses.field(default_factory=list)  # shapes of buffers with no particular contents

    def text(self, name):
        """The function, called `name`."""
        arguments = [f"%in{index}: {memref(value)}" for index, value in enumerate(self.inputs)]
        arguments.append(f"%out: {memref(self.result, 'f32')}")
        arguments += [f"%tmp{index}: {memref(np.zeros(shape, np.float32))}" for index, shape in enumerate(self.scratch)]
        return f"func.func @{name}({', '.join(arguments)}) {{\n{self.body}  return\n}}\n"


def memref(value, element=None):
    """The type of an array."""
    names = {"float32": "f32", "int32": "i32", "int64": "i64"}
    shape = "".join(f"{extent}x" for extent in value.shape)
    return f"memref<{shape}{element or names[value.dtype.name]}>"


def normal(rng, *shape):
    """Normal numbers in f32."""
    return rng.standard_normal(shape).astype(np.float32)


def pick(rng, choices):
    """One of `choices`."""
    return choices[int(rng.integers(len(choices)))]


def generic(loops, reduced, maps, operands, region, inputs):
    """The text of one linalg.generic; `operands` are (name, array or type) pairs, the last of which is the output."""
    kinds = ", ".join('"reduction"' if loop in reduced else '"parallel"' for loop in loops)
    maps_text = ", ".join(f"affine_map<({', '.join(loops)}) -> ({text})>" for text in maps)
    names = [name for name, _ in operands]
    types = [value if isinstance(value, str) else memref(value, "f32" if value.dtype.kind == "f" else None)
             for _, value in operands]
    ins = f"ins({', '.join(names[:inputs])} : {', '.join(types[:inputs])}) " if inputs else ""
    return (f"  linalg.generic {{indexing_maps = [{maps_text}], iterator_types = [{kinds}]}} {ins}"
            f"outs({names[-1]} : {types[-1]}) {{\n  {region}\n  }}\n")


def fill(value, result):
    """Sets the output to a constant."""
    return (f"  %fill = arith.constant {value} : f32\n"
            f"  linalg.fill ins(%fill : f32) outs(%out : {memref(result, 'f32')})\n")


def contraction(kind, loops, reduced, maps, inputs, result, pads=None):
    """A kernel that adds up the products of two inputs; `pads` (low, high) of each axis lie around the first as zeros."""
    operands = [("%in0", inputs[0]), ("%in1", inputs[1]), ("%out", result)]
    body = ""
    if pads and any(map(any, pads)):
        body, padded = halo(inputs[0], pads)
        operands[0] = ("%halo", padded)
    body += fill("0.0", result) + generic(loops, reduced, maps, operands, PRODUCT, 2)
    return Kernel(kind, body, inputs, result)


def halo(value, pads):
    """The text of a view of %in0 with zeros around it, and its type."""
    strides = [int(np.prod(value.shape[axis + 1:])) for axis in range(value.ndim)]
    shape = "".join(f"{low + extent + high}x" for extent, (low, high) in zip(value.shape, pads))
    padded = f"memref<{shape}f32, strided<{strides}>>"
    low, high = [low for low, _ in pads], [high for _, high in pads]
    return f"  %halo = device.halo %in0 low {low} high {high} : {memref(value)} to {padded}\n", padded


# -- products


def product(rng):
    """A matrix product in one of four forms, perhaps of a batch, perhaps with a transposed result."""
    m, n, k = (pick(rng, SIZES) for _ in range(3))
    size = {"m": m, "n": n, "k": k, "b": pick(rng, (1, 2, 3, 5))}
    batch = "b" if rng.random() < 0.3 else ""
    a, b = batch + pick(rng, ("mk", "km")), batch + pick(rng, ("kn", "nk"))
    c = batch + pick(rng, ("mn", "mn", "nm"))
    if batch and rng.random() < 0.3:
        b = b.replace("b", "")
    x, y = (normal(rng, *[size[d] for d in dims]) for dims in (a, b))
    result = np.einsum(f"{a},{b}->{c}", x.astype(float), y.astype(float))
    loops = batch + pick(rng, ("mnk", "nmk"))
    return contraction(f"product {a},{b}->{c} {size}", loops, "k", [", ".join(t) for t in (a, b, c)], [x, y], result)


# -- convolutions


def moved(value, order):
    """`value`, whose axes are called by `order[0]`, with the axes of `order[1]`."""
    return np.ascontiguousarray(value.transpose([order[0].index(axis) for axis in order[1]]))


@dataclasses.dataclass
class Window:
    """The sizes of a two-dimensional window operation."""
    n: int
    c: int
    o: int
    g: int
    h: int
    w: int
    kh: int
    kw: int
    stride: int
    dilation: int

    @staticmethod
    def draw(rng):
        """Random sizes, small enough for many tests."""
        return Window(pick(rng, (1, 2, 3, 5, 8, 16, 17, 32)), pick(rng, (1, 2, 3, 5, 8, 16, 17)),
                      pick(rng, (1, 2, 3, 6, 8, 16, 17, 32)), pick(rng, (1, 1, 1, 2, 3)), pick(rng, (1, 2, 4, 7, 10)),
                      pick(rng, (1, 3, 5, 8, 14)), pick(rng, (1, 2, 3, 5)), pick(rng, (1, 2, 3, 5)),
                      pick(rng, (1, 1, 2, 3)), pick(rng, (1, 1, 1, 2)))

    def image(self):
        """Height and width of the image, which holds exactly what the windows read."""
        return [(extent - 1) * self.stride + (kernel - 1) * self.dilation + 1
                for extent, kernel in ((self.h, self.kh), (self.w, self.kw))]

    def patches(self, x):
        """x[n, g, c, h, w] as an array over n, g, c, h, i, w, j."""
        at = lambda count, kernel: (np.arange(count)[:, None] * self.stride + np.arange(kernel)[None] * self.dilation)
        return x.astype(float)[:, :, :, at(self.h, self.kh)][:, :, :, :, :, at(self.w, self.kw)]

    def reads(self):
        """The image's two coordinates."""
        return f"h * {self.stride} + i * {self.dilation}", f"w * {self.stride} + j * {self.dilation}"


LAYOUTS = {"plain": ("ngchw", "ngohw", "gocij"), "batch": ("gchwn", "gohwn", "gocij"),
           "channels": ("nhwgc", "nhwgo", "gijco")}


def convolution(rng):
    """Forward, weight gradient or (scattering) data gradient of a convolution, in one of three layouts."""
    size = Window.draw(rng)
    layout = pick(rng, tuple(LAYOUTS))
    image, out, kernel = LAYOUTS[layout]
    rows, columns = size.image()
    x = normal(rng, size.n, size.g, size.c, rows, columns)
    weight = normal(rng, size.g, size.o, size.c, size.kh, size.kw)
    dy = normal(rng, size.n, size.g, size.o, size.h, size.w)
    if size.g == 1 and rng.random() < 0.7:
        x, weight, dy = x[:, 0], weight[0], dy[:, 0]
        image, out, kernel = (axes.replace("g", "") for axes in (image, out, kernel))
    return _convolution(rng, size, layout, (x, weight, dy), (image, out, kernel))


def _convolution(rng, size, layout, values, axes):
    x, weight, dy = values
    image, out, kernel = axes
    group = "g" if "g" in image else ""
    plain = ("n" + group + "chw", "n" + group + "ohw", group + "ocij")
    patches = size.patches(x if group else x[:, None])
    patches = patches if group else patches[:, 0]
    taps = "n" + group + "chiwj"
    at = dict(zip("hw", size.reads()))
    image_map = ", ".join(at.get(axis, axis) for axis in image)
    out_map, kernel_map = ", ".join(out), ", ".join(kernel)
    x, weight, dy = moved(x, (plain[0], image)), moved(weight, (plain[2], kernel)), moved(dy, (plain[1], out))
    # What is scattered to has windows without gaps: the compiler makes no others.
    plain_windows = size.stride == 1 and size.dilation == 1
    form = pick(rng, ("forward", "weight", "data") if plain_windows else ("forward", "weight"))
    kind = f"{form} convolution {layout} {size}"
    as_float = [value.astype(float) for value in (x, weight, dy)]
    if form == "forward":
        result = np.einsum(f"{taps},{kernel}->{out}", patches, as_float[1])
        return contraction(kind, out + "cij", "cij", [image_map, kernel_map, out_map], [x, weight], result)
    if form == "weight":
        result = np.einsum(f"{taps},{out}->{kernel}", patches, as_float[2])
        return contraction(kind, kernel + "nhw", "nhw", [image_map, out_map, kernel_map], [x, dy], result)
    parts = np.einsum(f"{out},{kernel}->n{group}chiwj", as_float[2], as_float[1])
    result = np.zeros([dict(zip(image, x.shape))[axis] for axis in "n" + group + "chw"])
    for i, j in itertools.product(range(size.kh), range(size.kw)):
        rows = slice(i * size.dilation, i * size.dilation + (size.h - 1) * size.stride + 1, size.stride)
        columns = slice(j * size.dilation, j * size.dilation + (size.w - 1) * size.stride + 1, size.stride)
        result[..., rows, columns] += parts[..., i, :, j]
    parallel = "".join(axis for axis in image if axis in "ngc")
    return contraction(kind, parallel + "hwoij", "hwoij", [out_map, kernel_map, image_map], [dy, weight],
                       moved(result, ("n" + group + "chw", image)))


def padded(rng):
    """A convolution whose image ends in zeros that are not stored, or the gathering gradient of its data."""
    size = dataclasses.replace(Window.draw(rng), g=1)
    layout = pick(rng, tuple(LAYOUTS))
    image, out, kernel = (axes.replace("g", "") for axes in LAYOUTS[layout])
    reach = ((size.kh - 1) * size.dilation, (size.kw - 1) * size.dilation)
    form = pick(rng, ("forward", "weight", "data"))
    if form == "data":
        return _gathered(rng, size, reach, layout)
    spans = [extent - 1 for extent in size.image()]
    pads = [(int(rng.integers(0, limit + 1)), int(rng.integers(0, limit + 1))) for limit in reach]
    rows, columns = [max(1, span + 1 - low - high) for span, (low, high) in zip(spans, pads)]
    pads = [(low, span + 1 - extent - low) for span, extent, (low, _) in zip(spans, (rows, columns), pads)]
    pads = [(low, max(high, 0)) for low, high in pads]
    x = normal(rng, size.n, size.c, rows, columns)
    weight, dy = normal(rng, size.o, size.c, size.kh, size.kw), normal(rng, size.n, size.o, size.h, size.w)
    patches = size.patches(np.pad(x, [(0, 0), (0, 0)] + pads)[:, None])[:, 0]
    at = dict(zip("hw", size.reads()))
    maps = [", ".join(at.get(axis, axis) for axis in image), ", ".join(kernel), ", ".join(out)]
    around = [dict(h=pads[0], w=pads[1]).get(axis, (0, 0)) for axis in image]
    kind = f"padded {form} {layout} {pads} {size}"
    x = moved(x, ("nchw", image))
    if form == "forward":
        result = np.einsum(f"nchiwj,ocij->{out}", patches, weight.astype(float))
        return contraction(kind, out + "cij", "cij", maps, [x, moved(weight, ("ocij", kernel))], result, around)
    result = np.einsum(f"nchiwj,nohw->{kernel}", patches, dy.astype(float))
    return contraction(kind, kernel + "nhw", "nhw", [maps[0], maps[2], maps[1]], [x, moved(dy, ("nohw", out))], result,
                       around)


def _gathered(rng, size, reach, layout):
    """dx[y] = sum of dy[y - i * dilation + pad] * k[i], where dy is zero outside."""
    image, out, kernel = (axes.replace("g", "") for axes in LAYOUTS[layout])
    pads = [(int(rng.integers(0, limit + 1)), int(rng.integers(0, limit + 1))) for limit in reach]
    dy, weight = normal(rng, size.n, size.o, size.h, size.w), normal(rng, size.o, size.c, size.kh, size.kw)
    # What a forward convolution with `limit - low` zeros before and `limit - high` behind has as its image.
    rows, columns = [extent + low + high - limit for extent, (low, high), limit in zip((size.h, size.w), pads, reach)]
    if rows < 1 or columns < 1:
        pads = [(limit, limit) for limit in reach]
        rows, columns = size.h + reach[0], size.w + reach[1]
    spread = np.pad(dy.astype(float), [(0, 0), (0, 0)] + pads)
    result = np.zeros((size.n, size.c, rows, columns))
    for i, j in itertools.product(range(size.kh), range(size.kw)):
        top, left = reach[0] - i * size.dilation, reach[1] - j * size.dilation
        part = spread[:, :, top:top + rows, left:left + columns]
        result += np.einsum("nohw,oc->nchw", part, weight[:, :, i, j].astype(float))
    at = dict(h=f"h - i * {size.dilation} + {reach[0]}", w=f"w - j * {size.dilation} + {reach[1]}")
    maps = [", ".join(at.get(axis, axis) for axis in out), ", ".join(kernel), ", ".join(image)]
    around = [dict(h=pads[0], w=pads[1]).get(axis, (0, 0)) for axis in out]
    inputs = [moved(dy, ("nohw", out)), moved(weight, ("ocij", kernel))]
    return contraction(f"gathered data {layout} {pads} {size}", image + "oij", "oij", maps, inputs,
                       moved(result, ("nchw", image)), around)


def depthwise(rng):
    """A convolution with one filter per channel."""
    size = dataclasses.replace(Window.draw(rng), g=1, o=1)
    rows, columns = size.image()
    image, kernel = pick(rng, (("nchw", "cij"), ("chwn", "cij"), ("nhwc", "ijc")))
    x, weight = normal(rng, size.n, size.c, rows, columns), normal(rng, size.c, size.kh, size.kw)
    result = np.einsum(f"nchiwj,cij->{image}", size.patches(x[:, None])[:, 0], weight.astype(float))
    at = dict(zip("hw", size.reads()))
    image_map = ", ".join(at.get(axis, axis) for axis in image)
    inputs = [moved(x, ("nchw", image)), moved(weight, ("cij", kernel))]
    return contraction(f"depthwise {image} {size}", image + "ij", "ij",
                       [image_map, ", ".join(kernel), ", ".join(image)], inputs, result)


def pool(rng):
    """A maximum or sum over windows."""
    size = dataclasses.replace(Window.draw(rng), g=1, o=1)
    rows, columns = size.image()
    order = pick(rng, ("nchw", "chwn", "nhwc"))
    x = normal(rng, size.n, size.c, rows, columns)
    patches = size.patches(x[:, None])[:, 0]
    largest = rng.random() < 0.6
    result = moved((patches.max if largest else patches.sum)((3, 5)), ("nchw", order))
    at = dict(zip("hw", size.reads()))
    region = (f"^bb0(%a: f32, %d: f32, %c: f32):\n  %s = arith.{'maximumf' if largest else 'addf'} %c, %a : f32\n"
              f"  linalg.yield %s : f32")
    shape = np.zeros((size.kh, size.kw), np.float32)
    body = fill("0xFF800000" if largest else "0.0", result)
    operands = [("%in0", moved(x, ("nchw", order))), ("%in1", shape), ("%out", result)]
    maps = [", ".join(at.get(axis, axis) for axis in order), "i, j", ", ".join(order)]
    body += generic(order + "ij", "ij", maps, operands, region, 2)
    return Kernel(f"pool {order} max={largest} {size}", body, [operands[0][1], shape], result)


# -- the rest


def reduction(rng):
    """A sum, a sum of squares or a maximum over some of up to four axes."""
    rank = int(rng.integers(1, 5))
    shape = [pick(rng, SIZES if rank < 3 else SMALL) for _ in range(rank)]
    loops = "abcd"[:rank]
    reduced = [loop for loop in loops if rng.random() < 0.5] or [loops[int(rng.integers(rank))]]
    kept = "".join(loop for loop in loops if loop not in reduced)
    kind = pick(rng, ("sum", "squares", "max"))
    x = normal(rng, *shape)
    axes = tuple(loops.index(loop) for loop in reduced)
    values = x.astype(float)
    result = {"sum": values.sum, "squares": (values ** 2).sum, "max": values.max}[kind](axes)
    step = {"sum": "%s = arith.addf %c, %a : f32", "max": "%s = arith.maximumf %c, %a : f32",
            "squares": "%m = arith.mulf %a, %a : f32\n  %s = arith.addf %c, %m : f32"}[kind]
    region = f"^bb0(%a: f32, %c: f32):\n  {step}\n  linalg.yield %s : f32"
    result = np.asarray(result)
    body = fill("0xFF800000" if kind == "max" else "0.0", result)
    body += generic(loops, reduced, [", ".join(loops), ", ".join(kept)], [("%in0", x), ("%out", result)], region, 1)
    return Kernel(f"{kind} of {shape} over {axes}", body, [x], result)


BINARY = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "maximumf": np.maximum, "minimumf": np.minimum}
UNARY = {"math.exp": np.exp, "math.tanh": np.tanh, "math.absf": np.abs, "arith.negf": np.negative,
         "math.sin": np.sin}


def elementwise(rng):
    """A tree of operations over arrays, some of which are broadcast or transposed."""
    rank = int(rng.integers(1, 4))
    loops = "abc"[:rank]
    size = {loop: pick(rng, SIZES if rank < 3 else SMALL) for loop in loops}
    inputs, maps, values = [], [], []
    for _ in range(int(rng.integers(1, 4))):
        kept = [loop for loop in loops if rng.random() < 0.8]
        if rng.random() < 0.3:
            rng.shuffle(kept)
        x = normal(rng, *[size[loop] for loop in kept])
        inputs.append(x)
        maps.append(", ".join(kept))
        ordered = sorted(kept)
        spread = x.astype(float).transpose([kept.index(loop) for loop in ordered])
        values.append(spread.reshape([size[loop] if loop in kept else 1 for loop in loops]))
    lines, names = [], [f"%x{index}" for index in range(len(inputs))]
    for step in range(int(rng.integers(1, 7))):
        left, right = int(rng.integers(len(names))), int(rng.integers(len(names)))
        if rng.random() < 0.4:
            operation = pick(rng, tuple(UNARY))
            value = UNARY[operation](np.clip(values[left], -4, 4))
            lines += [f"%lo{step} = arith.maximumf {names[left]}, %low : f32",
                      f"%hi{step} = arith.minimumf %lo{step}, %high : f32",
                      f"%v{step} = {operation} %hi{step} : f32"]
        else:
            operation = pick(rng, tuple(BINARY))
            value = BINARY[operation](values[left], values[right])
            lines.append(f"%v{step} = arith.{operation} {names[left]}, {names[right]} : f32")
        names.append(f"%v{step}")
        values.append(value)
    result = np.ascontiguousarray(np.broadcast_to(values[-1], [size[loop] for loop in loops]))
    heads = ", ".join(f"{name}: f32" for name in names[:len(inputs)])
    region = (f"^bb0({heads}, %c: f32):\n  %low = arith.constant -4.0 : f32\n  %high = arith.constant 4.0 : f32\n  " +
              "\n  ".join(lines) + f"\n  linalg.yield {names[-1]} : f32")
    operands = [(f"%in{index}", value) for index, value in enumerate(inputs)] + [("%out", result)]
    body = generic(loops, "", maps + [", ".join(loops)], operands, region, len(inputs))
    return Kernel(f"elementwise {size} {maps} {lines}", body, inputs, result)


def two_orders(rng):
    """A sum and a product of two arrays as two results of one operation, each with its axes in an order of its own; then both
    are added up."""
    rank = int(rng.integers(2, 5))
    loops = "abcd"[:rank]
    size = {loop: pick(rng, SIZES if rank == 2 else SMALL) for loop in loops}
    orders = [[loops[axis] for axis in rng.permutation(rank)] for _ in range(4)]
    x, y = (normal(rng, *[size[loop] for loop in order]) for order in orders[:2])
    left, right = (value.astype(float).transpose([order.index(loop) for loop in loops]) for value, order in zip((x, y), orders))
    kept, other = orders[2:]
    result = np.ascontiguousarray((left + right + left * right).transpose([loops.index(loop) for loop in kept]))
    scratch = np.zeros([size[loop] for loop in other], np.float32)
    maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(order)})>" for order in (*orders[:2], other, kept))
    kinds = ", ".join(['"parallel"'] * rank)
    both = f"{memref(scratch)}, {memref(result, 'f32')}"
    body = (f"  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins(%in0, %in1 : {memref(x)}, {memref(y)}) "
            f"outs(%tmp0, %out : {both}) {{\n  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):\n  %s = arith.addf %a, %b : f32\n"
            "  %m = arith.mulf %a, %b : f32\n  linalg.yield %s, %m : f32, f32\n  }\n")
    region = "^bb0(%a: f32, %c: f32):\n  %s = arith.addf %a, %c : f32\n  linalg.yield %s : f32"
    body += generic(loops, "", [", ".join(other), ", ".join(kept)], [("%tmp0", scratch), ("%out", result)], region, 1)
    return Kernel(f"two orders {size} {orders}", body, [x, y], result, [scratch.shape])


def transpose(rng):
    """A copy with permuted axes."""
    rank = int(rng.integers(2, 5))
    loops = "abcd"[:rank]
    shape = [pick(rng, SIZES if rank == 2 else SMALL) for _ in range(rank)]
    order = [int(axis) for axis in rng.permutation(rank)]
    x = normal(rng, *shape)
    result = np.ascontiguousarray(x.astype(float).transpose(order))
    region = "^bb0(%a: f32, %c: f32):\n  linalg.yield %a : f32"
    target = ", ".join(loops[axis] for axis in order)
    body = generic(loops, "", [", ".join(loops), target], [("%in0", x), ("%out", result)], region, 1)
    return Kernel(f"transpose {shape} by {order}", body, [x], result)


def epilogue(rng):
    """A product or convolution whose result goes through element-wise work, as bias, activation and residual do."""
    while True:
        first = pick(rng, (product, padded, convolution))(rng)
        if 0 < first.result.ndim and first.result.size < 1 << 16 and "data" not in first.kind:
            break
    space = "abcdefg"[:first.result.ndim]
    body = first.body.replace("%out", "%tmp0")
    value, names, inputs = first.result, ["%t"], list(first.inputs)
    operands, maps = [("%tmp0", first.result)], [", ".join(space)]
    lines = []
    for step, kind in enumerate(rng.permutation(["bias", "relu", "residual", "scale"])[:int(rng.integers(1, 5))]):
        if kind in ("bias", "residual"):
            axes = space if kind == "residual" else pick(rng, space)
            x = normal(rng, *[extent for axis, extent in zip(space, value.shape) if axis in axes])
            operands.append((f"%in{len(inputs)}", x))
            maps.append(", ".join(axes))
            inputs.append(x)
            spread = [extent if axis in axes else 1 for axis, extent in zip(space, value.shape)]
            value = value + x.astype(float).reshape(spread)
            lines.append(f"%v{step} = arith.addf {names[-1]}, %x{len(operands) - 1} : f32")
        else:
            value = np.maximum(value, 0) if kind == "relu" else value * 0.5
            lines += [f"%k{step} = arith.constant {0.0 if kind == 'relu' else 0.5} : f32",
                      f"%v{step} = arith.{'maximumf' if kind == 'relu' else 'mulf'} {names[-1]}, %k{step} : f32"]
        names.append(f"%v{step}")
    heads = "".join(f"%x{index}: f32, " for index in range(1, len(operands)))
    region = f"^bb0(%t: f32, {heads}%c: f32):\n  " + "\n  ".join(lines) + f"\n  linalg.yield {names[-1]} : f32"
    body += generic(space, "", maps + [", ".join(space)], operands + [("%out", value)], region, len(operands))
    return Kernel(f"epilogue {lines} of {first.kind}", body, inputs, value, [first.result.shape])


def gather(rng):
    """Rows of a table by number, as an embedding reads them."""
    rows, width, count = pick(rng, SIZES), pick(rng, SIZES), pick(rng, SIZES)
    table, index = normal(rng, rows, width), rng.integers(0, rows, count).astype(np.int32)
    result = table[index].astype(float)
    region = ("^bb0(%i: i32, %c: f32):\n  %row = arith.index_cast %i : i32 to index\n"
              "  %column = linalg.index 1 : index\n"
              f"  %v = memref.load %in0[%row, %column] : {memref(table)}\n  linalg.yield %v : f32")
    body = generic("ab", "", ["a", "a, b"], [("%in1", index), ("%out", result)], region, 1)
    return Kernel(f"gather {count} of {rows}x{width}", body, [table, index], result)


def scatter_add(rng):
    """Rows added to a table by number, as an embedding's gradient does."""
    rows, width, count = pick(rng, SIZES), pick(rng, SIZES), pick(rng, SIZES)
    values, index = normal(rng, count, width), rng.integers(0, rows, count).astype(np.int32)
    result = np.zeros((rows, width))
    np.add.at(result, index, values.astype(float))
    body = fill("0.0", result) + f"""  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = arith.constant {count} : index
  %width = arith.constant {width} : index
  scf.for %n = %zero to %count step %one {{
    %i = memref.load %in1[%n] : {memref(index)}
    %row = arith.index_cast %i : i32 to index
    scf.for %w = %zero to %width step %one {{
      %v = memref.load %in0[%n, %w] : {memref(values)}
      %old = memref.load %out[%row, %w] : {memref(result, 'f32')}
      %new = arith.addf %old, %v : f32
      memref.store %new, %out[%row, %w] : {memref(result, 'f32')}
    }}
  }}
"""
    return Kernel(f"scatter {count} into {rows}x{width}", body, [values, index], result)


KINDS = {"product": product, "convolution": convolution, "padded": padded, "depthwise": depthwise, "pool": pool,
         "reduction": reduction, "elementwise": elementwise, "two_orders": two_orders, "transpose": transpose, "epilogue": epilogue,
         "gather": gather, "scatter_add": scatter_add}
