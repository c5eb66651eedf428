"""Every primitive that `plumb.ops` offers: value and gradient, compiled and run, against NumPy and differences.

Shapes are odd, unit and prime on purpose: vector tails, broadcasting and empty loops are where kernels go wrong.
"""

import os
import runpy
import tempfile
import unittest

import numpy as np

import plumb
from numeric import (avg_pool2d, check, check_value, conv2d, distinct, erf, log_softmax, max_pool2d, numbers, softmax)
from plumb import ops
from plumb.ops import _functions as F

X, Y = distinct(3, 7), distinct(3, 7, seed=1) + 0.03
POSITIVE = numbers(5, 3, low=0.3, high=2.5)
IMAGES = distinct(2, 4, 7, 5)
ROWS = np.array([2, 0, 1, 2], np.int32)
NAN = np.where(distinct(5, 7, seed=2) > 0.9, np.nan, distinct(5, 7))
GELU_TANH = np.sqrt(2 / np.pi)


def gelu(x):
    """GELU by tanh."""
    return 0.5 * x * (1 + np.tanh(GELU_TANH * (x + 0.044715 * x ** 3)))


def elementwise():
    """(name, function, reference, inputs…) of functions of one tensor."""
    yield "neg", ops.neg, np.negative, X
    yield "abs", ops.abs, np.abs, X
    yield "exp", ops.exp, np.exp, X
    yield "exp over its range", ops.exp, np.exp, np.linspace(-80, 80, 23)
    yield "log", ops.log, np.log, POSITIVE
    yield "sqrt", ops.sqrt, np.sqrt, POSITIVE
    yield "rsqrt", ops.rsqrt, lambda x: 1 / np.sqrt(x), POSITIVE
    yield "square", ops.square, np.square, X
    yield "reciprocal", ops.reciprocal, lambda x: 1 / x, POSITIVE
    yield "tanh", ops.tanh, np.tanh, X
    yield "tanh far out", ops.tanh, np.tanh, np.linspace(-30, 30, 13)
    yield "sigmoid", ops.sigmoid, lambda x: 1 / (1 + np.exp(-x)), X
    yield "relu", ops.relu, lambda x: np.maximum(x, 0), X
    yield "relu6", ops.relu6, lambda x: np.clip(x, 0, 6), X * 9
    yield "gelu by tanh", lambda x: ops.gelu(x, "tanh"), gelu, X
    yield "gelu", ops.gelu, lambda x: 0.5 * x * (1 + erf(x / np.sqrt(2))), X
    yield "erf", ops.erf, erf, X * 3
    yield "sin", ops.sin, np.sin, X * 5
    yield "cos", ops.cos, np.cos, X * 5
    yield "sin", ops.sin, np.sin, np.array([3.1415927, -6.2831855, 1e-30, 0.0, -0.7853982, 40.0, 355.0])
    yield "silu", ops.silu, lambda x: x / (1 + np.exp(-x)), X
    yield "softplus", ops.softplus, lambda x: np.log1p(np.exp(x)), X
    yield "elu", ops.elu, lambda x: np.where(x > 0, x, np.exp(x) - 1), X
    yield "leaky_relu", ops.leaky_relu, lambda x: np.where(x > 0, x, 0.2 * x), X
    yield "clip_by_value", lambda x: ops.clip_by_value(x, -0.52, 0.61), lambda x: np.clip(x, -0.52, 0.61), X
    yield "cast", lambda x: ops.cast(x, plumb.float64), lambda x: x, X


def broadcasting():
    """Functions of two tensors, of all ways that shapes can differ."""
    shapes = [((3, 7), (3, 7)), ((2, 3, 5), (5,)), ((5,), (2, 1, 5)), ((3, 1), (1, 7)), ((), (2, 3)), ((1, 1), (7,)),
              ((4, 1, 3), (2, 1))]
    for left, right in shapes:
        x, y = distinct(*left), distinct(*right, seed=1) + 0.03
        yield "add", ops.add, np.add, x, y
        yield "mul", ops.mul, np.multiply, x, y
    for left, right in shapes[:4]:
        x, y = numbers(*left, low=0.5, high=2), numbers(*right, seed=1, low=0.5, high=2)
        yield "sub", ops.sub, np.subtract, x, y
        yield "div", ops.div, np.divide, x, y
        yield "pow", ops.pow, np.power, x, y
        yield "maximum", ops.maximum, np.maximum, x, y
        yield "minimum", ops.minimum, np.minimum, x, y
    yield "pow of a constant", lambda x: x ** 3, lambda x: x ** 3, X
    yield "pow to the minus second", lambda x: x ** -2.0, lambda x: x ** -2.0, X
    yield "select", lambda x, y: ops.select(ops.greater(x, y), x * x, y), lambda x, y: np.where(x > y, x * x, y), X, Y
    yield "mse_loss", ops.mse_loss, lambda x, y: np.mean((x - y) ** 2), X, Y


def reductions():
    """Reductions over every kind of axes."""
    pairs = [("reduce_sum", np.sum), ("reduce_mean", np.mean), ("reduce_max", np.max), ("reduce_min", np.min),
             ("reduce_prod", np.prod)]
    for name, reference in pairs:
        primitive = getattr(ops, name)
        for axis, keep, shape in [((), False, (3, 7)), ((0,), False, (3, 7)), (-1, True, (2, 1, 5)),
                                  ((0, 2), False, (2, 3, 5)), ((1,), False, (1, 1)), ((0,), False, (37,))]:
            x = distinct(*shape) if shape != (37,) else numbers(37, low=0.8, high=1.3)
            yield (name, lambda x, f=primitive, a=axis, k=keep: f(x, a, k),
                   lambda x, f=reference, a=axis, k=keep: f(x, None if a == () else a, keepdims=k), x)
    yield "sum", lambda x: ops.sum(x, 1), lambda x: x.sum(1), X
    yield "mean", lambda x: ops.mean(x, 0), lambda x: x.mean(0), X


def shapes():
    """Operations that only move elements."""
    x = distinct(2, 3, 5)
    yield "reshape", lambda x: ops.reshape(x, (5, -1)), lambda x: x.reshape(5, 6), x
    yield "transpose", lambda x: ops.transpose(x, (2, 0, 1)), lambda x: x.transpose(2, 0, 1), x
    yield "transpose of two", lambda x: ops.transpose(x, (0, 2, 1)), lambda x: x.transpose(0, 2, 1), distinct(1, 17, 19)
    yield ("broadcast_to", lambda x: ops.broadcast_to(x, (2, 3, 4)), lambda x: np.broadcast_to(x, (2, 3, 4)),
           distinct(3, 1))
    yield "concat", lambda x, y: ops.concat((x, y), 1), lambda x, y: np.concatenate((x, y), 1), x, distinct(2, 1, 5)
    yield "concat of itself", lambda x: ops.concat((x, x * x), -1), lambda x: np.concatenate((x, x * x), -1), x
    yield "stack", lambda x, y: ops.stack((x, y), 1), lambda x, y: np.stack((x, y), 1), X, Y
    yield "split by size", lambda x: ops.split(x, 2)[1] * 2.0, lambda x: x[2:4] * 2, distinct(6, 1)
    yield "split with a rest", lambda x: ops.split(x, 4, -1)[1] * 2.0, lambda x: x[:, 4:] * 2, X
    yield "split by sizes", lambda x: ops.split(x, (1, 4, 2), 1)[1] * 2.0, lambda x: x[:, 1:5] * 2, X
    yield "split by number", lambda x: ops.Split(1, 7)(x)[3] * 2.0, lambda x: x[:, 3:4] * 2, X
    yield "expand_dims", lambda x: ops.expand_dims(x, -1), lambda x: x[..., None], x
    yield "squeeze", lambda x: ops.squeeze(x, (1,)), lambda x: x[:, 0], distinct(3, 1, 1)
    yield "flatten", ops.flatten, lambda x: x.reshape(2, 15), x
    yield "flatten the first", lambda x: ops.flatten(x, start_dim=0, end_dim=1), lambda x: x.reshape(6, 5), x
    yield "tile", lambda x: ops.tile(x, (2, 1, 3)), lambda x: np.tile(x, (2, 1, 3)), distinct(3, 2)
    yield ("pad", lambda x: ops.pad(x, (2, 3, 1, 0), value=0.5),
           lambda x: np.pad(x, ((0, 0), (1, 0), (2, 3)), constant_values=0.5), x)
    yield "slice", lambda x: x[1:, ::2, 1:4], lambda x: x[1:, ::2, 1:4], x
    yield "slice of one", lambda x: x[-1], lambda x: x[-1], x
    yield ("strided_slice", lambda x: ops.strided_slice(x, (0, 1, 0), (2, 3, 5), (1, 1, 2)), lambda x: x[0:2, 1:3, ::2],
           x)
    yield "gather", lambda x, i: ops.gather(x, i, 0), lambda x, i: x[i], distinct(3, 5), ROWS
    yield "gather by columns", lambda x, i: ops.gather(x, i, 1), lambda x, i: x[:, i], distinct(2, 3, 5), ROWS


def contractions():
    """Matrix products and convolutions."""
    for m, k, n in [(3, 5, 7), (1, 1, 1), (1, 13, 1), (17, 1, 19), (5, 37, 3)]:
        for a, b in [(False, False), (False, True), (True, False), (True, True)]:
            left, right = numbers(*((k, m) if a else (m, k))), numbers(*((n, k) if b else (k, n)), seed=1)
            yield ("matmul", lambda x, y, a=a, b=b: ops.matmul(x, y, a, b),
                   lambda x, y, a=a, b=b: (x.T if a else x) @ (y.T if b else y), left, right)
    yield "matmul in batches", ops.matmul, np.matmul, numbers(2, 3, 5), numbers(2, 5, 4)
    yield "matmul broadcasting", ops.matmul, np.matmul, numbers(3, 1, 2, 5), numbers(2, 5, 3)
    yield "matmul of vectors", ops.matmul, np.matmul, numbers(5), numbers(5, seed=1)
    yield "matmul of a vector", ops.matmul, np.matmul, numbers(5), numbers(2, 5, 3)
    yield "matmul by a vector", ops.matmul, np.matmul, numbers(2, 3, 5), numbers(5)
    yield "matmul of one matrix", ops.matmul, np.matmul, numbers(2, 3, 5), numbers(5, 4)
    yield ("bmm", ops.BatchMatMul(transpose_b=True), lambda x, y: x @ y.transpose(0, 2, 1), numbers(3, 2, 5),
           numbers(3, 7, 5))
    cases = [((2, 3, 7, 5), (5, 3, 3, 3), (1, 1), (0, 0, 0, 0), (1, 1), 1),
             ((1, 1, 5, 5), (1, 1, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1),
             ((2, 2, 7, 6), (3, 2, 3, 2), (2, 2), (1, 0, 1, 1), (1, 2), 1),
             ((1, 4, 5, 7), (6, 2, 3, 3), (1, 2), (1, 1, 1, 1), (1, 1), 2),
             ((2, 3, 6, 6), (3, 1, 3, 3), (2, 1), (1, 1, 2, 0), (1, 1), 3),
             ((1, 2, 9, 9), (3, 2, 2, 3), (3, 2), (0, 1, 2, 1), (2, 3), 1),
             # Patches that do not overlap: all of the image, with pads and gaps, with an end that none covers.
             ((2, 3, 10, 5), (4, 3, 5, 5), (5, 5), (0, 0, 0, 0), (1, 1), 1),
             ((1, 4, 14, 16), (6, 2, 5, 4), (6, 7), (1, 0, 2, 1), (1, 1), 2),
             ((1, 2, 13, 9), (2, 2, 5, 5), (7, 5), (3, 3, 0, 4), (1, 1), 1)]
    for image, kernel, stride, pad, dilation, group in cases:
        settings = (stride, pad, dilation, group)
        yield ("conv2d", lambda x, w, s=stride, p=pad, d=dilation, g=group: ops.conv2d(x, w, None, s, "pad", p, d, g),
               lambda x, w, s=settings: conv2d(x, w, *s), numbers(*image), numbers(*kernel, seed=1))


def pools():
    """Pooling with overlap, gaps and padding."""
    for kernel, stride, pad in [((2, 2), (2, 2), (0, 0, 0, 0)), ((3, 2), (1, 2), (1, 1, 0, 1)),
                                ((3, 3), (2, 2), (1, 1, 1, 1)), ((1, 1), (3, 2), (0, 0, 0, 0)),
                                ((7, 5), (1, 1), (0, 0, 0, 0))]:
        settings = (kernel, stride, pad)
        yield ("max_pool2d", lambda x, k=kernel, s=stride, p=pad: ops.max_pool2d(x, k, s, p),
               lambda x, s=settings: max_pool2d(x, *s), IMAGES)
        yield ("avg_pool2d", lambda x, k=kernel, s=stride, p=pad: ops.avg_pool2d(x, k, s, p),
               lambda x, s=settings: avg_pool2d(x, *s), IMAGES)
    yield ("avg_pool2d without padding", lambda x: ops.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
           lambda x: avg_pool2d(x, (3, 3), (2, 2), (1, 1, 1, 1), False), IMAGES)


def softmaxes():
    """Softmax and the losses made of it."""
    logits = numbers(4, 3) * 3
    yield "softmax", lambda x: ops.softmax(x, -1), softmax, logits
    yield "softmax by columns", lambda x: ops.softmax(x, 0), lambda x: softmax(x, 0), logits
    yield "softmax of far numbers", lambda x: ops.softmax(x, -1), softmax, logits * 20 + 300
    yield "softmax of one class", lambda x: ops.softmax(x, -1), softmax, numbers(5, 1)
    yield "log_softmax", lambda x: ops.log_softmax(x, -1), log_softmax, logits
    yield "log_softmax in the middle", lambda x: ops.log_softmax(x, 1), lambda x: log_softmax(x, 1), numbers(2, 3, 5)
    yield ("sparse_softmax_cross_entropy", ops.sparse_softmax_cross_entropy,
           lambda x, i: -log_softmax(x)[np.arange(4), i], logits, ROWS)
    yield "cross_entropy", ops.cross_entropy, lambda x, i: -log_softmax(x)[np.arange(4), i].mean(), logits, ROWS
    ignored = np.array([2, -100, 1, 7], np.int32)
    yield ("cross_entropy without some rows", lambda x, i: ops.cross_entropy(x, ops.select(i > 2, -100, i)),
           lambda x, i: -log_softmax(x)[[0, 2], [2, 1]].mean(), logits, ignored)
    yield ("softmax_cross_entropy", lambda x, i: ops.softmax_cross_entropy(x, F.one_hot(i, 3, 0.8, 0.1, x.dtype)),
           lambda x, i: -(log_softmax(x) * np.where(np.eye(3)[i] > 0, 0.8, 0.1)).sum(1), logits, ROWS)


TABLES = (elementwise, broadcasting, reductions, shapes, contractions, pools, softmaxes)


class GradientsTest(unittest.TestCase):
    """Values and gradients of the tables above."""

    def check_table(self, table, dtype):
        """Checks every row of a table; each compiles one executable."""
        for name, function, reference, *inputs in table():
            with self.subTest(name, shapes=[value.shape for value in inputs]):
                check(function, reference, *inputs, dtype=dtype, what=name)


for _table in TABLES:
    for _dtype in (np.float32, np.float64):
        setattr(GradientsTest, f"test_{_table.__name__}_{_dtype.__name__}",
                lambda self, t=_table, d=_dtype: self.check_table(t, d))


INTEGERS, DIVISORS = np.array([-7, -3, 0, 5, 8], np.int32), np.array([2, -2, 3, -3, 5], np.int32)


def values():
    """Operations without a gradient: results of integers and truth values, and constants."""
    for name, reference in [("equal", np.equal), ("not_equal", np.not_equal), ("less", np.less),
                            ("less_equal", np.less_equal), ("greater", np.greater),
                            ("greater_equal", np.greater_equal)]:
        yield name, getattr(ops, name), reference, np.array([[1., 2, 3]]), np.array([[2.], [2], [3]])
        yield name, getattr(ops, name), reference, INTEGERS, DIVISORS
    yield "floor", ops.floor, np.floor, X * 7
    yield "ceil", ops.ceil, np.ceil, X * 7
    yield "sign", ops.sign, np.sign, np.append(X, 0.0)
    a, b = np.array([True, True, False, False]), np.array([True, False, True, False])
    yield "logical_and", ops.logical_and, np.logical_and, a, b
    yield "logical_or", ops.logical_or, np.logical_or, a, b
    yield "logical_not", ops.logical_not, np.logical_not, a
    yield "floor_div", ops.floor_div, np.floor_divide, X * 9, Y
    yield "mod", ops.mod, np.fmod, X * 9, Y
    yield "floor_mod", ops.floor_mod, np.mod, X * 9, Y
    yield "floor_div of integers", ops.floor_div, np.floor_divide, INTEGERS, DIVISORS
    yield "mod of integers", ops.mod, np.fmod, INTEGERS, DIVISORS
    yield "floor_mod of integers", ops.floor_mod, np.mod, INTEGERS, DIVISORS
    yield "add of integers", ops.add, np.add, INTEGERS, DIVISORS
    yield ("pow of any sign", ops.pow, np.power, np.array([-2.0, -2, -0.5, 0, 0, 3, -7, 1.5]),
           np.array([3.0, 2, -1, 0, 2, 0, 0, 2.5]))
    yield "mul of integers", ops.mul, np.multiply, INTEGERS, DIVISORS
    yield "maximum of integers", ops.maximum, np.maximum, INTEGERS, DIVISORS
    yield "reduce_sum of integers", ops.reduce_sum, np.sum, INTEGERS
    yield "argmax", lambda x: ops.argmax(x, 1), lambda x: x.argmax(1), distinct(3, 7)
    yield "argmax with NaN", lambda x: ops.argmax(x, 0), lambda x: x.argmax(0), NAN
    yield "argmax of a row", lambda x: ops.argmax(x, 1), lambda x: x.argmax(1), NAN
    yield "argmax of minus infinity", lambda x: ops.argmax(x, 1), lambda x: x.argmax(1), X - np.inf
    yield "argmax of equals", lambda x: ops.argmax(x, 0), lambda x: x.argmax(0), np.zeros((5, 3))
    yield "cast", lambda x: ops.cast(x, plumb.int32), lambda x: x.astype(np.int32), X * 9
    yield "cast of integers", lambda x: ops.cast(x, plumb.float32), lambda x: x.astype(np.float64), INTEGERS
    yield "cast of truth", lambda x: ops.cast(x, plumb.float32), lambda x: x.astype(np.float64), a
    yield "one_hot", lambda i: ops.one_hot(i, 3, 0.9, 0.1), lambda i: np.where(np.eye(3)[i] > 0, 0.9, 0.1), ROWS
    yield "fill", lambda x: ops.fill(plumb.float32, (2, 3), 1.5) + x, lambda x: np.full((2, 3), 1.5) + x, np.zeros(1)
    yield "eye", lambda x: ops.eye(3, 5) * x, lambda x: np.eye(3, 5) * x, np.array([2.0])
    yield "zeros_like", lambda x: ops.zeros_like(x) + x, lambda x: x, X
    yield "ones_like", lambda x: ops.ones_like(x) * x, lambda x: x, X
    yield "ones", lambda x: ops.ones((3, 7), plumb.float32) + x, lambda x: 1 + x, X


class ValuesTest(unittest.TestCase):
    """Values alone."""

    def test_values(self):
        for name, function, reference, *inputs in values():
            with self.subTest(name):
                check_value(function, reference, *inputs, what=name)

    def test_keywords(self):
        """Arguments by the names that MindSpore's functions have, called and compiled."""
        x, y = plumb.Tensor(np.array([[1, -2, 3], [7, 5, -4]], np.float32)), plumb.Tensor(np.full((2, 3), 2, np.float32))
        i, j = x.astype(plumb.int32), y.astype(plumb.int32)
        unary = [(name, {"input": x}) for name in "abs absolute neg negative relu sign square".split()]
        binary = [(name, {"input": x, "other": y}) for name in "add sub mul multiply equal not_equal greater greater_equal less less_equal "
                  "lt".split()]
        whole = [(f"bitwise_{name}", {"input": i, "other": j}) for name in "and or xor left_shift right_shift".split()]
        others = [("relu6", {"x": x}), ("maximum", {"x": x, "y": y}), ("floor_mod", {"x": x, "y": y}), ("stop_gradient", {"value": x}),
                  ("transpose", {"input": x, "input_perm": (1, 0)}), ("broadcast_to", {"input": x, "shape": (4, 2, 3)}),
                  ("expand_dims", {"input_x": x, "axis": 1}), ("tile", {"input": x, "multiples": (2, 1)}),
                  ("stack", {"tensors": (x, y), "axis": 1}), ("cast", {"input_x": x, "type": plumb.int32})]
        for name, given in unary + binary + whole + others:
            with self.subTest(name=name):
                expected, call = getattr(ops, name)(*given.values()).asnumpy(), f"ops.{name}({', '.join(f'{key}={key}' for key in given)})"
                np.testing.assert_array_equal(getattr(ops, name)(**given).asnumpy(), expected)
                np.testing.assert_array_equal(self.compiled(call, given).asnumpy(), expected)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'wrong'"):
            ops.add(input=x, other=y, wrong=3)

    def compiled(self, call, given):
        """What a call gives inside of a compiled function."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "call.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"from plumb import ops\ndef call({', '.join(given)}):\n    return {call}\n")
            space = runpy.run_path(path)
            return plumb.jit(space["call"])(*given.values())

    def test_equal_ones_share_a_gradient(self):
        x, y = np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 4.0])
        for function, first in ((ops.maximum, [0.5, 1, 0]), (ops.minimum, [0.5, 0, 1])):
            made = plumb.grad(lambda x, y, f=function: ops.reduce_sum(f(x, y)), (0, 1))(plumb.Tensor(x), plumb.Tensor(y))
            self.assertEqual(made[0].asnumpy().tolist(), first)
            self.assertEqual((made[0].asnumpy() + made[1].asnumpy()).tolist(), [1, 1, 1])

    def test_no_gradient_passes_stop_gradient(self):
        check_value(plumb.grad(lambda x: ops.reduce_sum(x * ops.stop_gradient(x))), lambda x: x, X)

    def test_every_primitive_has_a_row(self):
        rows = {row[0].split()[0] for table in TABLES + (values,) for row in table()}
        elsewhere = {"assign", "depend", "stop_gradient", "random_uniform"}  # engine_test, above, and of no fixed value
        elsewhere |= {"bitwise_and", "bitwise_or", "bitwise_xor", "invert"}  # operators_test
        elsewhere |= {"tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "asinh", "acosh", "atanh", "log1p", "expm1",
                      "erfc", "erfinv", "lgamma", "polygamma", "round", "trunc", "is_nan", "is_inf", "is_finite",
                      "bitcast"}  # math_functions_test
        elsewhere |= {"argmin", "cumsum", "cumprod", "linear_recurrence", "cummax", "cummin", "sort", "scatter",
                      "iota"}  # axis_test
        elsewhere |= {"cholesky", "lu", "qr", "geqrf", "svd", "eigh", "triangular_solve"}  # factorisations_test
        elsewhere |= {"complex", "real", "imag", "conj", "angle", "complex_abs", "fft"}  # complex_test, fourier_test
        elsewhere |= {"conv2d_input_grad", "from_front"}  # nn_tables_test, and behind gather_nd in shapes_test
        self.assertEqual(sorted(set(ops._functions._NAMES) - rows - elsewhere), [])


class LargeArgumentsTest(unittest.TestCase):
    """Sine and cosine far out, where a reduction by too few digits of pi gives noise."""

    def arguments(self):
        """Numbers of all sizes, the neighbours of multiples of pi/2, the worst case of f32, and both infinities."""
        sizes = 10.0 ** np.linspace(-3, 38.5, 997) * np.where(np.arange(997) % 2, 1, -1)
        multiples = np.arange(1, 4001, 7) * (np.pi / 2)
        worst = [16367173 * 2.0 ** 72, 1e5, 1e9, 2.0 ** 28, np.nextafter(np.float32(2.0 ** 28), np.float32(0))]
        return np.concatenate([sizes, multiples, worst]).astype(np.float32)

    def test_sin_and_cos(self):
        x = self.arguments()
        for name in ("sin", "cos"):
            made = getattr(ops, name)(plumb.Tensor(x)).asnumpy()
            exact = getattr(np, name)(x.astype(np.float64))
            np.testing.assert_allclose(made, exact, rtol=2.5e-7, atol=0, err_msg=name)

    def test_no_value(self):
        x = plumb.Tensor(np.array([np.inf, -np.inf, np.nan, 1.0], np.float32))
        for function in (ops.sin, ops.cos):
            self.assertEqual(np.isnan(function(x).asnumpy()).tolist(), [True, True, True, False])


class SecondOrderTest(unittest.TestCase):
    """Gradients of gradients, against differences of the compiled gradient's own reference."""

    def second(self, function, x):
        """Checks the gradient of sum(grad(function)(x) * w) by differences of the compiled first gradient in f64."""
        w = plumb.Tensor(numbers(*x.shape, seed=5))
        first = plumb.grad(lambda x: ops.reduce_sum(function(x)))
        made = plumb.grad(lambda x, w: ops.reduce_sum(first(x) * w))(plumb.Tensor(x), w).asnumpy()
        expected = np.zeros(x.shape)
        for index in np.ndindex(*x.shape):
            step = np.zeros(x.shape)
            step[index] = 1e-5
            above, below = (first(plumb.Tensor(x + s)).asnumpy() for s in (step, -step))
            expected[index] = ((above - below) * w.asnumpy()).sum() / 2e-5
        np.testing.assert_allclose(made, expected, rtol=1e-6, atol=1e-7)

    def test_elementwise(self):
        for name in ("exp", "tanh", "sigmoid", "gelu", "erf", "sin", "softmax", "log_softmax", "reciprocal"):
            with self.subTest(name):
                self.second(getattr(ops, name), numbers(2, 3, low=0.3, high=1.5))

    def test_contractions(self):
        weight = plumb.Tensor(numbers(3, 2, 3, 3))
        self.second(lambda x: ops.square(ops.tanh(ops.matmul(x, x, transpose_b=True))), numbers(3, 5))
        self.second(lambda x: ops.tanh(ops.conv2d(x, weight, None, 2, "pad", 1)), numbers(1, 2, 5, 3))
        self.second(lambda x: ops.exp(ops.avg_pool2d(x, 2, 1)), numbers(1, 1, 3, 3))


if __name__ == "__main__":
    unittest.main()
