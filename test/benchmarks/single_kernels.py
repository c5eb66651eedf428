"""Programs of one kernel each, as IR of the stage `lower`: their steps are that kernel and nothing else."""

import dataclasses
import math


@dataclasses.dataclass
class Kernel:
    """One kernel: its IR, and the work of a step."""

    name: str
    text: str
    flops: int = 0
    bytes: int = 0  # read and written
    footprint: int = 0  # of its operands; less than bytes where it works in place


def tensor(shape, kind="tensor"):
    """`tensor<2x3xf32>`."""
    return f"{kind}<{'x'.join(map(str, [*shape, 'f32']))}>"


def module(variables, body, maps=()):
    """A device module with a loop over `body`; variables are (name, shape) and are `%name` in it."""
    lines, offset = [], 0
    for name, shape in variables:
        lines.append(f"  device.variable @{name} : {tensor(shape)} = dense<0.5> : {tensor(shape)} {{offset = {offset} : i64}}")
        offset += (4 * math.prod(shape) + 63) // 64 * 64
    views = [f"    %{name} = device.variable.view @{name} : {tensor(shape, 'memref')}" for name, shape in variables]
    return "\n".join([*(f"#{name} = affine_map<{text}>" for name, text in maps),
                      f"device.module @kernel attributes {{arena_bytes = 64 : i64, variables_bytes = {offset} : i64}} {{",
                      *lines, '  device.loop @run {mode = "train", record_bytes = 8 : i64} {', *views,
                      "    %zero = arith.constant 0.0 : f32", *body, "    device.yield", "  }", "}"]) + "\n"


def generic(maps, iterators, inputs, outputs, body, shapes):
    """A linalg.generic on variables; `body` lines yield by themselves, elements are called by the operands' names."""
    def group(names):
        return f"({', '.join('%' + name for name in names)} : {', '.join(tensor(shapes[name], 'memref') for name in names)})"
    arguments = ", ".join(f"%_{name}: f32" for name in [*inputs, *(f"{name}_out" for name in outputs)])
    kinds = ", ".join(f'"{kind}"' for kind in iterators)
    return [f"    linalg.generic {{indexing_maps = [{', '.join('#' + m for m in maps)}], iterator_types = [{kinds}]}} "
            f"ins{group(inputs)} outs{group(outputs)} {{", f"    ^bb0({arguments}):", *(f"      {line}" for line in body), "    }"]


def product(m, n, k):
    """C = A B, row-major."""
    shapes = {"a": (m, k), "b": (k, n), "c": (m, n)}
    maps = [("x", "(i, j, k) -> (i, k)"), ("y", "(i, j, k) -> (k, j)"), ("z", "(i, j, k) -> (i, j)")]
    body = [f"    linalg.fill ins(%zero : f32) outs(%c : {tensor(shapes['c'], 'memref')})",
            *generic("xyz", ["parallel", "parallel", "reduction"], "ab", "c",
                     ["%p = arith.mulf %_a, %_b : f32", "%q = arith.addf %_c_out, %p : f32", "linalg.yield %q : f32"], shapes)]
    return Kernel(f"GEMM {m}x{n}x{k}", module(shapes.items(), body, maps), flops=2 * m * n * k)


def convolution(batch, side, inputs, outputs, window):
    """Channels innermost, no padding: `side` is the result's."""
    image = side + window - 1
    shapes = {"x": (batch, image, image, inputs), "w": (window, window, inputs, outputs), "y": (batch, side, side, outputs)}
    loops = "(n, i, j, o, p, q, c)"
    maps = [("x", f"{loops} -> (n, i + p, j + q, c)"), ("w", f"{loops} -> (p, q, c, o)"), ("y", f"{loops} -> (n, i, j, o)")]
    body = [f"    linalg.fill ins(%zero : f32) outs(%y : {tensor(shapes['y'], 'memref')})",
            *generic("xwy", ["parallel"] * 4 + ["reduction"] * 3, "xw", "y",
                     ["%p = arith.mulf %_x, %_w : f32", "%q = arith.addf %_y_out, %p : f32", "linalg.yield %q : f32"], shapes)]
    return Kernel(f"convolution {inputs}->{outputs}, {side}x{side}", module(shapes.items(), body, maps),
                  flops=2 * math.prod(shapes["w"]) * batch * side * side)


def elementwise(name, shapes, maps, inputs, outputs, body):
    """Elementwise work on variables of two dimensions, with the bytes that it must move."""
    size = sum(4 * math.prod(shapes[operand]) for operand in [*inputs, *outputs])
    text = module(shapes.items(), generic(maps, ["parallel", "parallel"], inputs, outputs, body, shapes),
                  [("id", "(i, j) -> (i, j)"), ("row", "(i, j) -> (j)")])
    return Kernel(name, text, bytes=size, footprint=sum(4 * math.prod(shape) for shape in shapes.values()))


def bias_relu(rows, columns):
    """max(x + bias, 0) in place."""
    return elementwise(f"bias+ReLU {rows}x{columns}", {"x": (rows, columns), "b": (columns,)}, ["id", "row", "id"], "xb", "x",
                       ["%s = arith.addf %_x, %_b : f32", "%m = arith.maximumf %s, %zero : f32", "linalg.yield %m : f32"])


def momentum(rows, columns):
    """m = 0.9 m + g; w -= 0.01 m: two in and out, one in."""
    shape = (rows, columns)
    return elementwise(f"momentum {rows}x{columns}", {"w": shape, "m": shape, "g": shape}, ["id"] * 5, "wmg", "wm",
                       ["%k = arith.constant 0.9 : f32", "%r = arith.constant 0.01 : f32", "%a = arith.mulf %_m, %k : f32",
                        "%n = arith.addf %a, %_g : f32", "%d = arith.mulf %n, %r : f32", "%v = arith.subf %_w, %d : f32",
                        "linalg.yield %v, %n : f32, f32"])


def adam(rows, columns):
    """Adam without bias correction, which is two scalars of a step: three in and out, one in."""
    shape = (rows, columns)
    scale = [f"%c{i} = arith.constant {value} : f32" for i, value in enumerate(("0.9", "0.1", "0.999", "0.001", "1.0e-08", "0.01"))]
    return elementwise(f"Adam {rows}x{columns}", {"w": shape, "m": shape, "v": shape, "g": shape}, ["id"] * 7, "wmvg", "wmv",
                       [*scale, "%m0 = arith.mulf %_m, %c0 : f32", "%g0 = arith.mulf %_g, %c1 : f32", "%n = arith.addf %m0, %g0 : f32",
                        "%v0 = arith.mulf %_v, %c2 : f32", "%g1 = arith.mulf %_g, %_g : f32", "%g2 = arith.mulf %g1, %c3 : f32",
                        "%u = arith.addf %v0, %g2 : f32", "%s = math.sqrt %u : f32", "%e = arith.addf %s, %c4 : f32",
                        "%d = arith.divf %n, %e : f32", "%d1 = arith.mulf %d, %c5 : f32", "%x = arith.subf %_w, %d1 : f32",
                        "linalg.yield %x, %n, %u : f32, f32, f32"])


def copy(rows, columns):
    """What memcpy does, by Plumb."""
    return elementwise(f"copy {rows}x{columns}", {"x": (rows, columns), "y": (rows, columns)}, ["id", "id"], "x", "y",
                       ["linalg.yield %_x : f32"])


def max_pool(channels, side, batch):
    """2x2 maxima with stride two, batch innermost."""
    half = side // 2
    shapes = {"x": (channels, side, side, batch), "w": (2, 2), "y": (channels, half, half, batch)}
    loops = "(c, i, j, p, q, n)"
    maps = [("x", f"{loops} -> (c, i * 2 + p, j * 2 + q, n)"), ("w", f"{loops} -> (p, q)"), ("y", f"{loops} -> (c, i, j, n)")]
    iterators = ["parallel"] * 3 + ["reduction"] * 2 + ["parallel"]
    body = ["    %low = arith.constant 0xFF800000 : f32",
            f"    linalg.fill ins(%low : f32) outs(%y : {tensor(shapes['y'], 'memref')})",
            *generic("xwy", iterators, "xw", "y", ["%m = arith.maximumf %_x, %_y_out fastmath<nsz> : f32", "linalg.yield %m : f32"], shapes)]
    size = 4 * (math.prod(shapes["x"]) + math.prod(shapes["y"]))
    return Kernel(f"max pool {channels}x{side}x{side}x{batch}", module(shapes.items(), body, maps), bytes=size, footprint=size)
