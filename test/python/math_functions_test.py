"""Mathematical functions over all of their range, against NumPy, Python's math and PyTorch in float64.

All functions are compiled as one executable per element type: of all sizes of arguments, of their neighbourhoods, and of
what is no number. Gradients, first and second, are those of one weighted sum of all functions.
"""

import math
import unittest
import warnings

import numpy as np
import torch

import plumb
from plumb import Tensor, ops
from plumb.ops import _functions as F
from numeric import numbers


def by_torch(function):
    """A function of PyTorch on NumPy's arrays."""
    return lambda x: function(torch.from_numpy(np.asarray(x, np.float64))).numpy()


def polygamma(order, x):
    """psi and its derivatives of positive numbers, by Hurwitz's zeta function."""
    x = torch.from_numpy(x)
    if order == 0:
        return torch.digamma(x).numpy()
    factor = (-1) ** (order + 1) * math.factorial(order)
    return factor * torch.special.zeta(torch.tensor(order + 1.0, dtype=torch.float64), x).numpy()


def erfinv(x):
    """The inverse error function: PyTorch's, which loses digits next to one, and steps of Newton's iteration on erfc."""
    y = torch.erfinv(torch.from_numpy(x)).numpy()
    steep = (np.abs(x) > 0.5) & (np.abs(x) < 1)
    size, rest = np.abs(y[steep]), 1 - np.abs(x[steep])
    for _ in range(4):
        size += (np.vectorize(math.erfc, otypes=[float])(size) - rest) * np.sqrt(np.pi) / 2 * np.exp(size * size)
    y[steep] = np.copysign(size, x[steep])
    return y


def digamma(x):
    """psi: PyTorch's, but by reflection next to its poles, where that rounds the distance off."""
    y, rest = torch.digamma(torch.from_numpy(x)).numpy(), x - np.round(x)
    near = (x < 0) & (np.abs(rest) < 0.2) & (rest != 0)
    y[near] = torch.digamma(torch.from_numpy(1 - x[near])).numpy() - np.pi / np.tan(np.pi * rest[near])
    return y


# name, NumPy's word for it (or another reference), from and to: where it is smooth, for gradients.
FUNCTIONS = [
    ("tan", np.tan, -1.4, 1.4), ("asin", np.arcsin, -0.9, 0.9), ("acos", np.arccos, -0.9, 0.9),
    ("atan", np.arctan, -3, 3), ("sinh", np.sinh, -2, 2), ("cosh", np.cosh, -2, 2), ("asinh", np.arcsinh, -3, 3),
    ("acosh", np.arccosh, 1.2, 4), ("atanh", np.arctanh, -0.9, 0.9), ("log1p", np.log1p, -0.8, 4),
    ("expm1", np.expm1, -2, 2), ("erfc", by_torch(torch.erfc), -2, 2), ("erfinv", erfinv, -0.9, 0.9),
    ("lgamma", by_torch(torch.lgamma), 0.3, 6), ("digamma", digamma, 0.3, 6)]
ROUNDINGS = [("round", np.round), ("trunc", np.trunc), ("isnan", np.isnan), ("isinf", np.isinf),
             ("isfinite", np.isfinite)]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 2.0, -2.0, np.inf, -np.inf, np.nan, 3.0, 4.0, 1e-30, -1e-30]


def arguments(dtype):
    """Numbers of all sizes and both signs, around what is special, and multiples of pi/2."""
    largest = np.log10(float(np.finfo(dtype).max)) - 0.01
    smallest = np.log10(float(np.finfo(dtype).tiny)) + 0.5
    sizes = 10.0 ** np.linspace(smallest, largest, 2000)
    near = np.linspace(-12, 12, 4001)
    ones = 1 + np.concatenate([-sizes[sizes < 1], sizes[sizes < 1]])[::7]
    quarters = np.arange(1, 400, 3) * (np.pi / 2)
    values = np.concatenate([sizes, -sizes, near, ones, -ones, quarters, SPECIAL])
    return values.astype(dtype)


def all_of(x):
    """Every function of one tensor, in the tables' order."""
    return (ops.tan(x), ops.asin(x), ops.acos(x), ops.atan(x), ops.sinh(x), ops.cosh(x), ops.asinh(x), ops.acosh(x),
            ops.atanh(x), ops.log1p(x), ops.expm1(x), ops.erfc(x), ops.erfinv(x), ops.lgamma(x), ops.digamma(x),
            ops.round(x), ops.trunc(x), ops.isnan(x), ops.isinf(x), ops.isfinite(x))


class ValuesTest(unittest.TestCase):
    """Values over the whole range."""

    def check_dtype(self, dtype, rtol, slack, atol=0.0):
        """Compares all functions; `slack` is how many units in the last place are allowed beside `rtol` and `atol`."""
        x = arguments(dtype)
        made = plumb.jit(all_of)(Tensor(x))
        least = float(np.finfo(dtype).tiny)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            for (name, reference, *_), value in zip(FUNCTIONS + ROUNDINGS, made):
                exact = reference(x.astype(np.float64))
                if exact.dtype == bool:
                    np.testing.assert_array_equal(value.asnumpy(), exact, err_msg=name)
                    continue
                rounded, value = exact.astype(dtype), value.asnumpy()
                self.assertEqual(value.dtype, dtype)
                finite = np.isfinite(rounded)
                np.testing.assert_array_equal(value[~finite], rounded[~finite], err_msg=f"{name} of {x[~finite]}")
                unit = np.maximum(np.abs(np.spacing(rounded[finite])).astype(np.float64), least)
                error = np.abs(value[finite].astype(np.float64) - exact[finite])
                excess = error / (slack * unit + rtol * np.abs(exact[finite]) + atol)
                worst = int(np.argmax(np.where(np.isnan(excess), np.inf, excess)))
                self.assertLessEqual(excess[worst], 1, f"{name}({x[finite][worst]!r}) is {value[finite][worst]!r}, "
                                                       f"not {exact[finite][worst]!r}")

    def test_float32(self):
        self.check_dtype(np.float32, 0, 1.0)

    def test_float64(self):
        # The gamma functions' digits cancel at their zeros.
        self.check_dtype(np.float64, 4e-15, 8, atol=4e-15)

    def test_float16(self):
        self.check_dtype(np.float16, 0, 1.05)

    def test_angles(self):
        sides = np.array(SPECIAL + [1e38, -1e38, 2e-38, 0.3, -7.0, 1e-3], np.float32)
        y, x = (side.ravel() for side in np.meshgrid(sides, sides))
        for dtype, rtol in ((np.float32, 1.3e-7), (np.float64, 1e-15)):
            made = ops.atan2(Tensor(y.astype(dtype)), Tensor(x.astype(dtype))).asnumpy()
            exact = np.arctan2(y.astype(np.float64), x.astype(np.float64))
            np.testing.assert_allclose(made, exact, rtol=rtol, atol=2e-38 if dtype == np.float32 else 0)
            np.testing.assert_array_equal(np.signbit(made[~np.isnan(made)]), np.signbit(exact[~np.isnan(exact)]))

    def test_polygamma(self):
        x = np.concatenate([np.linspace(0.05, 9, 300), [20.0, 1e4, 1e8]])
        for order in (0, 1, 2, 3, 7):
            exact = polygamma(order, x)
            np.testing.assert_allclose(ops.polygamma(order, Tensor(x)).asnumpy(), exact, rtol=3e-13, err_msg=str(order))
            np.testing.assert_array_equal(ops.polygamma(Tensor(order), Tensor(x)).asnumpy(), ops.polygamma(order, Tensor(x)).asnumpy())

    def test_polygamma_of_negative_numbers(self):
        """By psi_n(x) = psi_n(x + 1) - (-1)^n n! / x^(n+1), until x is positive."""
        x = np.array([-0.25, -0.5, -1.3, -3.75, -6.1])
        for order in (0, 1, 2, 3, 6):
            expected, at = np.zeros_like(x), x.copy()
            for _ in range(8):
                expected -= np.where(at < 0.5, (-1) ** order * math.factorial(order) / at ** (order + 1), 0)
                at = np.where(at < 0.5, at + 1, at)
            expected += polygamma(order, at)
            np.testing.assert_allclose(ops.polygamma(order, Tensor(x)).asnumpy(), expected, rtol=1e-11, err_msg=str(order))

    def test_bits(self):
        for value, dtype in ((np.array([1.5, -0.0, np.inf, np.nan], np.float32), plumb.int32),
                             (np.array([1.5, -0.0, 2.0 ** -1074]), plumb.uint64),
                             (np.array([1.5, -2.0], np.float16), plumb.int16), (np.array([-1, 5], np.int8), plumb.uint8)):
            bits = F.bitcast(Tensor(value), dtype).asnumpy()
            np.testing.assert_array_equal(bits, value.view(bits.dtype))

    def test_sine_and_cosine_of_one_argument(self):
        """Of f64, where the machine's library has one function for both."""
        x = numbers(37)
        sine, cosine = plumb.jit(lambda x: (ops.sin(x), ops.cos(x)))(Tensor(x))
        np.testing.assert_allclose(sine.asnumpy(), np.sin(x), rtol=1e-15)
        np.testing.assert_allclose(cosine.asnumpy(), np.cos(x), rtol=1e-15)

    def test_denormal_numbers_are_zero(self):
        """As docs/numerics.md says; the host's mode is its own, and float16 keeps them."""
        for kind, tiny in ((np.float32, 1e-39), (np.float64, 1e-310)):
            x = Tensor(np.array([tiny, -tiny, 1], kind))
            np.testing.assert_array_equal((x * 2).asnumpy(), [0, 0, 2])
            np.testing.assert_array_equal((x == 0).asnumpy(), [True, True, False])
            smallest = np.finfo(kind).tiny
            np.testing.assert_array_equal((Tensor(np.array([smallest], kind)) * 0.5).asnumpy(), [0])
            self.assertGreater(np.array([tiny], kind)[0] * kind(2), 0)
        np.testing.assert_array_equal((Tensor(np.array([6e-8], np.float16)) * 2).asnumpy(), np.array([6e-8], np.float16) * 2)

    def test_a_million_elements(self):
        x = numbers(1000003, seed=3).astype(np.float32)
        made = plumb.jit(lambda x: (ops.tan(x), ops.log1p(ops.square(x)), ops.atan(x)))(Tensor(x))
        wide = x.astype(np.float64)
        for value, exact in zip(made, (np.tan(wide), np.log1p(np.square(x).astype(np.float64)), np.arctan(wide))):
            np.testing.assert_allclose(value.asnumpy(), exact, rtol=1.3e-7)


def total(x, w):
    """A weighted sum of all functions, each of a row of its own."""
    return ops.reduce_sum((ops.tan(x[0]) * w[0] + ops.asin(x[1]) * w[1] + ops.acos(x[2]) * w[2] + ops.atan(x[3]) * w[3]
                           + ops.sinh(x[4]) * w[4] + ops.cosh(x[5]) * w[5] + ops.asinh(x[6]) * w[6]
                           + ops.acosh(x[7]) * w[7] + ops.atanh(x[8]) * w[8] + ops.log1p(x[9]) * w[9]
                           + ops.expm1(x[10]) * w[10] + ops.erfc(x[11]) * w[11] + ops.erfinv(x[12]) * w[12]
                           + ops.lgamma(x[13]) * w[13] + ops.digamma(x[14]) * w[14] + ops.atan2(x[15], x[16]) * w[15]))


class GradientsTest(unittest.TestCase):
    """Gradients of all functions in float64, against differences of the references."""

    def setUp(self):
        ranges = [(low, high) for _, _, low, high in FUNCTIONS] + [(-2.0, 2.0), (0.3, 2.0)]
        self.x = np.stack([numbers(5, seed=i, low=low, high=high) for i, (low, high) in enumerate(ranges)])
        self.w = numbers(*self.x.shape, seed=77)

    def reference(self, x):
        """The functions' values, unweighted, row by row."""
        rows = [reference(row) for (_, reference, _, _), row in zip(FUNCTIONS, x)]
        return np.stack(rows + [np.arctan2(x[15], x[16])])

    def test_first(self):
        made = plumb.grad(total)(Tensor(self.x), Tensor(self.w)).asnumpy()
        step = 1e-6
        expected = np.zeros_like(self.x)
        for row in range(len(self.x)):
            moved = np.zeros_like(self.x)
            moved[row] = step
            change = (self.reference(self.x + moved) - self.reference(self.x - moved)) / (2 * step)
            expected[row] = (change * self.w[:len(change)]).sum(0)
        np.testing.assert_allclose(made, expected, rtol=1e-7, atol=1e-8)

    def test_second(self):
        v = Tensor(numbers(*self.x.shape, seed=5))
        first = plumb.grad(total)
        second = plumb.grad(lambda x, w, v: ops.reduce_sum(first(x, w) * v))
        made = second(Tensor(self.x), Tensor(self.w), v).asnumpy()
        step = 1e-5
        for row in range(len(self.x)):
            # Rows are independent but for the angle's two.
            moved = np.zeros_like(self.x)
            moved[row] = step
            above, below = (first(Tensor(self.x + s), Tensor(self.w)).asnumpy() for s in (moved, -moved))
            expected = ((above - below) / (2 * step) * v.asnumpy()).sum(0)
            np.testing.assert_allclose(made[row], expected, rtol=1e-6, atol=1e-7, err_msg=str(row))


if __name__ == "__main__":
    unittest.main()
