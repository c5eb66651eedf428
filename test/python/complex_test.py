"""Complex numbers: values beside NumPy's, gradients beside PyTorch's, element types, structure, state and errors.

Many functions are compiled as one program, and compared one by one.
"""

import os
import tempfile
import unittest

import numpy as np
import torch

import plumb
from plumb import Parameter, Tensor, nn, ops
from plumb import numpy as mnp

# In double precision NumPy's own log1p is off by a unit in the last place of 1.
KINDS = {np.complex64: 4e-6, np.complex128: 3e-13}


def grid(kind):
    """Points of all quadrants, near zero, on and beside the axes and the unit circle, and large ones."""
    sizes = np.array([1e-6, 0.02, 0.3, 0.9, 1.0, 1.1, 2.7, 8.0])
    angles = np.linspace(-np.pi, np.pi, 24, endpoint=False) + 0.1
    ring = (sizes[:, None] * np.exp(1j * angles)).ravel()
    axes = np.array([0.5, -0.5, 2.0, -2.0, 0.5j, -0.5j, 2j, -2j, 1 + 1e-4j])
    return np.concatenate([ring, axes]).astype(kind)


def scattered(*shape, seed=0, kind=np.complex128):
    """Normal complex numbers."""
    rng = np.random.default_rng([seed, *shape])
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(kind)


# Ours, NumPy's, PyTorch's.
FUNCTIONS = [
    (ops.exp, np.exp, torch.exp), (ops.log, np.log, torch.log), (ops.sqrt, np.sqrt, torch.sqrt),
    (ops.rsqrt, lambda z: 1 / np.sqrt(z), torch.rsqrt), (ops.sin, np.sin, torch.sin), (ops.cos, np.cos, torch.cos),
    (ops.tan, np.tan, torch.tan), (ops.sinh, np.sinh, torch.sinh), (ops.cosh, np.cosh, torch.cosh),
    (ops.tanh, np.tanh, torch.tanh), (ops.asin, np.arcsin, torch.asin), (ops.acos, np.arccos, torch.acos),
    (ops.atan, np.arctan, torch.atan), (ops.asinh, np.arcsinh, torch.asinh), (ops.acosh, np.arccosh, torch.acosh),
    (ops.atanh, np.arctanh, torch.atanh), (ops.log1p, np.log1p, lambda z: torch.log(1 + z)), (ops.expm1, np.expm1, lambda z: torch.exp(z) - 1),
    (ops.square, np.square, torch.square), (ops.reciprocal, np.reciprocal, torch.reciprocal), (ops.neg, np.negative, torch.neg),
    (ops.sigmoid, lambda z: 1 / (1 + np.exp(-z)), torch.sigmoid), (ops.conj, np.conj, torch.conj_physical),
    (ops.log2, np.log2, torch.log2), (ops.log10, np.log10, torch.log10), (ops.sgn, lambda z: z / np.abs(z), torch.sgn)]
PARTS = [(ops.real, np.real, lambda z: z.real), (ops.imag, np.imag, lambda z: z.imag), (ops.ComplexAbs(), np.abs, torch.abs),
         (ops.angle, np.angle, torch.angle)]


def all_of(z):
    """Every function of one tensor, in the tables' order."""
    return (ops.exp(z), ops.log(z), ops.sqrt(z), ops.rsqrt(z), ops.sin(z), ops.cos(z), ops.tan(z), ops.sinh(z), ops.cosh(z),
            ops.tanh(z), ops.asin(z), ops.acos(z), ops.atan(z), ops.asinh(z), ops.acosh(z), ops.atanh(z), ops.log1p(z), ops.expm1(z),
            ops.square(z), ops.reciprocal(z), ops.neg(z), ops.sigmoid(z), ops.conj(z), ops.log2(z), ops.log10(z), ops.sgn(z),
            ops.real(z), ops.imag(z), ops.ComplexAbs()(z), ops.angle(z))


class StatisticsTest(unittest.TestCase):
    """Means, spreads and norms: real where NumPy's and PyTorch's are, but for `ops.norm`."""

    CASES = [(mnp.mean, np.mean), (lambda z: mnp.mean(z, 1), lambda z: np.mean(z, 1)), (lambda z: mnp.average(z, 0), lambda z: np.average(z, 0)),
             (lambda z: mnp.var(z, 1), lambda z: np.var(z, 1)), (mnp.std, np.std), (mnp.cov, np.cov), (mnp.corrcoef, np.corrcoef),
             (lambda z: ops.var(z, 0, 1), lambda z: np.var(z, 0, ddof=1)), (lambda z: ops.cov(z), np.cov),
             (lambda z: mnp.gradient(z, axis=1), lambda z: np.gradient(z, axis=1)), (mnp.norm, np.linalg.norm),
             (lambda z: mnp.norm(z, 1, 0), lambda z: np.linalg.norm(z, 1, 0)), (lambda z: ops.norm(z, 3, 1), lambda z: np.linalg.norm(z, 3, 1) + 0j),
             (lambda z: mnp.norm(z, np.inf), lambda z: np.linalg.norm(z, np.inf)), (lambda z: ops.matrix_norm(z, 1), lambda z: np.linalg.norm(z, 1)),
             (mnp.trapz, lambda z: ((z[:, 1:] + z[:, :-1]) / 2).sum(1)), (mnp.log2, np.log2), (mnp.log10, np.log10),
             (lambda z: mnp.polyint(z[0]), lambda z: np.polyint(z[0])), (lambda z: ops.float_power(z, 2), lambda z: np.float_power(z, 2)),
             (lambda z: ops.L2Normalize(1)(z), lambda z: z / np.linalg.norm(z, axis=1, keepdims=True))]

    def test_values(self):
        z = scattered(3, 5)
        for number, (ours, theirs) in enumerate(self.CASES):
            with self.subTest(case=number):
                expected = theirs(z)
                for function in (ours, plumb.jit(ours)):
                    found = function(Tensor(z)).asnumpy()
                    self.assertEqual(found.dtype, expected.dtype)
                    np.testing.assert_allclose(found, expected, rtol=1e-10)


class FunctionsTest(unittest.TestCase):
    """Elementwise functions."""

    def test_values(self):
        for kind, rtol in KINDS.items():
            z = grid(kind)
            made = plumb.jit(all_of)(Tensor(z))
            for (ours, theirs, _), value in zip(FUNCTIONS + PARTS, made):
                exact = theirs(z.astype(np.complex128))
                value = value.asnumpy()
                self.assertEqual(value.dtype, theirs(z).dtype, ours)
                error = np.abs(value - exact) / np.maximum(np.abs(exact), 1e-3)
                at = int(np.argmax(np.where(np.isnan(error), np.inf, error)))
                self.assertLess(error[at], rtol, f"{ours} of {z[at]!r} is {value[at]!r}, not {exact[at]!r}")

    def test_magnitudes(self):
        """`abs` gives complex numbers without an imaginary part, however it is called, as in MindSpore; so do norms."""
        size = lambda z: (z.abs(), ops.abs(z), ops.Abs()(z), ops.absolute(z), abs(z), ops.norm(z, dim=0), z.norm(dim=0))
        for kind in KINDS:
            z = scattered(3, seed=8, kind=kind)
            for made in (size(Tensor(z)), plumb.jit(size)(Tensor(z))):
                for number, found in enumerate(made):
                    expected = np.abs(z) if number < 5 else np.linalg.norm(z)
                    self.assertEqual(found.asnumpy().dtype, kind, number)
                    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)

    def test_extremes(self):
        big = np.array([3e30 + 4e30j, -3e-30 + 4e-30j, 1e38 + 0j, 0j], np.complex64)
        np.testing.assert_allclose(ops.abs(Tensor(big)).asnumpy(), np.abs(big), rtol=1e-6)
        np.testing.assert_allclose(ops.div(Tensor(big[:3]), Tensor(big[:3])).asnumpy(), np.ones(3), rtol=1e-6)
        np.testing.assert_allclose(ops.tanh(Tensor(np.array([90 + 1j, -90 + 1j], np.complex64))).asnumpy(), [1, -1], atol=1e-6)
        np.testing.assert_array_equal(ops.exp(Tensor(np.array([200 + 0j], np.complex64))).asnumpy(), [np.inf + 0j])

    def test_quotients_at_zero_and_infinity(self):
        """As in C: a finite number by an infinite one is zero, a number by zero infinite; so are gradients of the first."""
        inf = np.inf
        above = Tensor(np.array([2, 1 + 1j, -3j, 0, 1e30 - 1e30j], np.complex64))
        for below in (inf, -inf, complex(0, inf), complex(inf, inf), complex(1, -inf), complex(-inf, 2)):
            divisor = Tensor(np.full(5, below, np.complex64))
            np.testing.assert_array_equal(ops.div(above, divisor).asnumpy(), np.zeros(5), str(below))
            np.testing.assert_array_equal(ops.reciprocal(divisor).asnumpy(), np.zeros(5), str(below))
            for gradient in plumb.grad(lambda x, y: ops.real(x / y).sum(), (0, 1))(above, divisor):
                np.testing.assert_array_equal(gradient.asnumpy(), np.zeros(5), str(below))
        zeros = Tensor(np.array([0, complex(-0.0, 0)], np.complex64))
        np.testing.assert_array_equal(ops.div(Tensor(np.full(2, 1 - 2j, np.complex64)), zeros).asnumpy(),
                                      [complex(inf, -inf), complex(-inf, inf)])

    def test_functions_at_infinity(self):
        inf = np.inf
        points = {ops.sqrt: (complex(0, inf), complex(-2, -inf), complex(-inf, inf), complex(-inf, 1), complex(inf, 1), 2e38 + 2e38j),
                  ops.rsqrt: (inf, complex(inf, 3), complex(-inf, 1)), ops.exp: (complex(-inf, inf), complex(-inf, 1), -inf),
                  ops.sinh: (inf, -inf, 200, complex(inf, 1)), ops.cosh: (inf, -inf, -200, complex(-inf, 1)),
                  ops.sin: (complex(0, inf), -200j, complex(1, inf)), ops.cos: (complex(0, inf), -200j, complex(1, inf)),
                  ops.tanh: (complex(inf, inf), complex(-inf, 1), inf), ops.tan: (complex(inf, inf), complex(1, -inf))}
        numpys = {ops.rsqrt: lambda z: 1 / np.sqrt(z)}
        with np.errstate(all="ignore"):
            for function, numbers in points.items():
                z = np.array(numbers, np.complex64)
                expected = numpys.get(function, getattr(np, function.__name__, None))(z)
                np.testing.assert_allclose(function(Tensor(z)).asnumpy(), expected, rtol=1e-6, err_msg=function.__name__)

    def test_powers_of_zero(self):
        """As in C and MindSpore; of zero itself it is 1, as in Python."""
        exponents = np.array([0, 2, 1 + 1j, -2, -2 + 1j, 1j], np.complex64)
        found = ops.pow(Tensor(np.zeros(6, np.complex64)), Tensor(exponents)).asnumpy()
        np.testing.assert_array_equal(found.real, [1, 0, 0, np.inf, np.inf, np.nan])
        np.testing.assert_array_equal(found.imag, [0, 0, 0, np.nan, np.nan, np.nan])

    def test_gradients(self):
        z = scattered(40, seed=3) * 0.7
        weights = scattered(len(FUNCTIONS), 40, seed=4), np.random.default_rng(5).standard_normal((len(PARTS), 40))

        def total(z, complex_weights, real_weights):
            values = all_of(z)
            summed = 0.0
            for number in range(26):
                summed = summed + ops.real(values[number] * ops.conj(complex_weights[number])).sum()
            for number in range(4):
                summed = summed + (values[26 + number] * real_weights[number]).sum()
            return summed

        ours = plumb.grad(total)(Tensor(z), Tensor(weights[0]), Tensor(weights[1])).asnumpy()
        t = torch.from_numpy(z).requires_grad_()
        loss = sum((f(t) * torch.from_numpy(w).conj()).real.sum() for (_, _, f), w in zip(FUNCTIONS, weights[0]))
        loss = loss + sum((f(t) * torch.from_numpy(w)).sum() for (_, _, f), w in zip(PARTS, weights[1]))
        np.testing.assert_allclose(ours, torch.autograd.grad(loss, t)[0].numpy(), rtol=1e-9)


class ArithmeticTest(unittest.TestCase):
    """Operators of two tensors, and element types."""

    def test_values_and_gradients(self):
        a, b = scattered(3, 4, seed=1), scattered(4, seed=2)
        w = scattered(3, 4, seed=3)

        def ours(x, y, w):
            z = (x + y) * (x - y) / (x * y + 2.0) + x ** y + x ** 3 + y ** -2 + (1j * x) / 2 + 3 - y
            return ops.real(z * ops.conj(w)).sum(), z

        (value, z), gradients = plumb.value_and_grad(ours, (0, 1), has_aux=True)(Tensor(a), Tensor(b), Tensor(w))
        x, y = torch.from_numpy(a).requires_grad_(), torch.from_numpy(b).requires_grad_()
        reference = (x + y) * (x - y) / (x * y + 2.0) + x ** y + x ** 3 + y ** -2 + (1j * x) / 2 + 3 - y
        loss = (reference * torch.from_numpy(w).conj()).real.sum()
        np.testing.assert_allclose(z.asnumpy(), reference.detach().numpy(), rtol=1e-12)
        np.testing.assert_allclose(value.asnumpy(), loss.item(), rtol=1e-12)
        for mine, theirs in zip(gradients, torch.autograd.grad(loss, (x, y))):
            np.testing.assert_allclose(mine.asnumpy(), theirs.numpy(), rtol=1e-11)

    def test_gradient_of_a_complex_result(self):
        """The adjoint of the result is 1 + 0i, or the one given."""
        z = scattered(5, kind=np.complex64)
        t = torch.from_numpy(z).requires_grad_()
        expected = torch.autograd.grad(torch.exp(t), t, torch.ones(5, dtype=torch.complex64))[0].numpy()
        np.testing.assert_allclose(plumb.grad(ops.exp)(Tensor(z)).asnumpy(), expected, rtol=1e-5)
        np.testing.assert_allclose(expected, np.conj(np.exp(z)), rtol=1e-5)
        sens = scattered(5, seed=9, kind=np.complex64)
        given = ops.GradOperation(sens_param=True)(lambda x: x * x)(Tensor(z), Tensor(sens))
        expected = torch.autograd.grad(t * t, t, torch.from_numpy(sens))[0].numpy()
        np.testing.assert_allclose(given.asnumpy(), expected, rtol=1e-5)

    def test_second_order(self):
        z = scattered(4)

        def length(x):
            return (ops.abs(x) ** 3).sum()

        def of_gradient(x):
            return ops.real(plumb.grad(length)(x) * ops.conj(x) * (1 + 2j)).sum()

        t = torch.from_numpy(z).requires_grad_()
        first = torch.autograd.grad((t.abs() ** 3).sum(), t, create_graph=True)[0]
        second = torch.autograd.grad((first * t.conj() * (1 + 2j)).real.sum(), t)[0]
        np.testing.assert_allclose(plumb.grad(of_gradient)(Tensor(z)).asnumpy(), second.numpy(), rtol=1e-11)

    def test_element_types(self):
        z = {name: Tensor(np.ones(2), getattr(plumb, name)) for name in
             ("bool_", "int8", "int64", "float16", "float32", "float64", "complex64", "complex128")}
        for name, other in z.items():
            wide = name in ("float64", "complex128")
            self.assertIs((z["complex64"] + other).dtype, plumb.complex128 if wide else plumb.complex64, name)
            self.assertIs((other * z["complex128"]).dtype, plumb.complex128, name)
        for number in (2, 2.5, True, 1 + 2j):
            self.assertIs((z["complex64"] * number).dtype, plumb.complex64, number)
        self.assertIs((z["float32"] * 2j).dtype, plumb.complex64)
        self.assertIs((2j * z["float64"]).dtype, plumb.complex128)
        self.assertIs((z["int64"] / z["complex64"]).dtype, plumb.complex64)
        self.assertEqual((z["complex64"].itemsize, z["complex128"].itemsize), (8, 16))

    def test_numbers_in_compiled_code(self):
        @plumb.jit
        def turned(x):
            factor = 1j ** 2 + 2j
            return x * factor + (1 - 1j)

        x = np.array([1.0, -2.0], np.float32)
        made = turned(Tensor(x))
        self.assertIs(made.dtype, plumb.complex64)
        np.testing.assert_allclose(made.asnumpy(), x * (1j ** 2 + 2j) + (1 - 1j), rtol=1e-6)

    def test_casts_and_comparisons(self):
        z = np.array([1 + 2j, 0, 3, 2j, np.nan + 1j, np.inf * 1j], np.complex64)

        @plumb.jit
        def asked(x, y):
            return (x == y, x != y, ops.isnan(x), ops.isfinite(x), ops.isinf(x), x.astype(plumb.bool_), ops.isreal(x), x.astype(plumb.complex128),
                    ops.cast(ops.real(x), plumb.complex64), x.astype(plumb.float32))

        other = np.array([1 + 2j, 1, 3, 2, 0, 0], np.complex64)
        made = [value.asnumpy() for value in asked(Tensor(z), Tensor(other))]
        expected = [z == other, z != other, np.isnan(z), np.isfinite(z), np.isinf(z), z != 0, z.imag == 0, z.astype(np.complex128),
                    z.real.astype(np.complex64), z.real]
        for number, (mine, theirs) in enumerate(zip(made, expected)):
            self.assertEqual(mine.dtype, theirs.dtype)
            np.testing.assert_array_equal(mine, theirs, err_msg=str(number))


class StructureTest(unittest.TestCase):
    """Reductions, products, moved elements."""

    def check(self, ours, theirs, *inputs, rtol=1e-11):
        """Values and gradients of a function of complex tensors, beside PyTorch's."""
        tensors = [torch.from_numpy(value).requires_grad_() for value in inputs]
        expected = theirs(*tensors)
        weight = scattered(*expected.shape, seed=77)
        loss = (expected * torch.from_numpy(weight).conj()).real.sum()

        def total(*values):
            made = ours(*values[:-1])
            return ops.real(made * ops.conj(values[-1])).sum(), made

        (_, made), gradients = plumb.value_and_grad(total, tuple(range(len(inputs))), has_aux=True)(
            *[Tensor(value) for value in inputs], Tensor(weight))
        np.testing.assert_allclose(made.asnumpy(), expected.detach().resolve_conj().numpy(), rtol=rtol, atol=rtol)
        for mine, slope in zip(gradients, torch.autograd.grad(loss, tensors)):
            np.testing.assert_allclose(mine.asnumpy(), slope.resolve_conj().numpy(), rtol=rtol, atol=rtol)

    def test_reductions(self):
        x = scattered(3, 4, 5)
        self.check(lambda z: ops.concat((z.sum(1), z.mean(1), ops.prod(z, 1)), 0),
                   lambda z: torch.cat((z.sum(1), z.mean(1), z.prod(1)), 0), x)
        self.check(lambda z: ops.cumsum(z, 1) + ops.cumprod(z, 1) + ops.cumprod(z, -1),
                   lambda z: z.cumsum(1) + z.cumprod(1) + z.cumprod(-1), x)
        np.testing.assert_allclose(ops.prod(Tensor(x)).asnumpy(), x.prod(), rtol=1e-11)
        np.testing.assert_allclose(ops.reduce_prod(Tensor(x), (0, 2), True).asnumpy(), x.prod((0, 2), keepdims=True), rtol=1e-11)

    def test_products(self):
        a, b = scattered(2, 3, 4, seed=1), scattered(2, 4, 5, seed=2)
        self.check(lambda x, y: x @ y, lambda x, y: x @ y, a, b)
        self.check(lambda x, y: ops.einsum("bij,bjk->bik", x, ops.conj(y)),
                   lambda x, y: torch.einsum("bij,bjk->bik", x, y.conj()), a, b)
        self.check(lambda x: ops.matmul(x, x.adjoint()), lambda x: x @ x.mH, a)

    def test_moved_elements(self):
        x, y = scattered(4, 6, seed=1), scattered(4, 6, seed=2)

        def ours(x, y):
            z = ops.concat((x.reshape(6, 4).T, ops.roll(y, 2, 1), ops.flip(x, (0,))[:, 1:5]), 1)
            z = ops.where(ops.real(z) > 0, z, ops.gather(z, Tensor([3, 1, 1, 0]), 0))
            z = ops.pad(z, (1, 2)) + ops.tile(ops.expand_dims(x[:, 0], 1), (1, z.shape[1] + 3))
            return ops.stack((z, ops.broadcast_to(z[0:1], z.shape)), 1)

        def theirs(x, y):
            z = torch.cat((x.reshape(6, 4).T, y.roll(2, 1), x.flip(0)[:, 1:5]), 1)
            z = torch.where(z.real > 0, z, z[[3, 1, 1, 0]])
            z = torch.nn.functional.pad(z, (1, 2)) + x[:, 0].unsqueeze(1).tile(1, z.shape[1] + 3)
            return torch.stack((z, z[0:1].expand(z.shape)), 1)

        self.check(ours, theirs, x, y)

    def test_creation(self):
        made = ops.full((2, 2), 3, dtype=plumb.complex64) + ops.eye(2, 2, plumb.complex64) * ops.ones((2, 2), plumb.complex64)
        np.testing.assert_array_equal(made.asnumpy(), np.full((2, 2), 3) + np.eye(2))
        z = scattered(3, kind=np.complex64)
        made = ops.ones_like(Tensor(z)) * 1j + ops.zeros_like(Tensor(z))
        np.testing.assert_array_equal(made.asnumpy(), np.full(3, 1j))

    def test_parts(self):
        re, im = np.array([1.0, -2.0], np.float32), np.array([0.5, 3.0], np.float32)
        np.testing.assert_array_equal(ops.Complex()(Tensor(re), Tensor(im)).asnumpy(), re + 1j * im)
        np.testing.assert_allclose(ops.polar(Tensor(re), Tensor(im)).asnumpy(), re * np.exp(1j * im), rtol=1e-6)
        z = Tensor(re + 1j * im)
        np.testing.assert_array_equal(ops.view_as_real(z).asnumpy(), np.stack((re, im), 1))
        np.testing.assert_allclose(ops.ComplexAbs()(z).asnumpy(), np.abs(re + 1j * im), rtol=1e-6)
        self.assertTrue(ops.is_complex(z) and not ops.is_complex(Tensor(re)))
        np.testing.assert_array_equal(z.T.asnumpy(), z.asnumpy())
        np.testing.assert_array_equal(z.H.asnumpy(), z.asnumpy().conj())
        np.testing.assert_array_equal(z.real().asnumpy(), re)
        np.testing.assert_array_equal(ops.isclose(z, z * (1 + 1e-7)).asnumpy(), [True, True])

    def test_transposed(self):
        def turned(z):
            return z.T, z.H, z.mT, z.mH, hasattr(z, "mH")

        for z in (scattered(2, 3), scattered(3, 2, 4), np.arange(6, dtype=np.float32).reshape(2, 3)):
            for function in (turned, plumb.jit(turned)):
                *found, known = function(Tensor(z))
                for one, expected in zip(found, (z.T, z.T.conj(), np.swapaxes(z, -1, -2), np.swapaxes(z, -1, -2).conj())):
                    np.testing.assert_array_equal(one.asnumpy(), expected)
                self.assertTrue(known)

    def test_control_flow(self):
        @plumb.jit
        def walked(z, n):
            total = ops.zeros_like(z)
            i = 0
            while i < n:
                total = total * z + 1j
                if ops.real(ops.abs(total)).sum() > 100.0:
                    total = total / 2
                i = i + 1
            return total

        z = np.array([1.5 + 0.5j, -0.3j], np.complex64)
        expected = np.zeros(2, np.complex64)
        for _ in range(9):
            expected = expected * z + 1j
            expected = expected / 2 if np.abs(expected).sum() > 100 else expected
        np.testing.assert_allclose(walked(Tensor(z), Tensor(9)).asnumpy(), expected, rtol=1e-5)

    def test_early_exits(self):
        """Zeros stand for what the way that is not taken has."""
        @plumb.jit
        def returned(z, x):
            i = Tensor(0)
            while i < 3:
                if x[0] > i:
                    return z * 2
                i = i + 1
            return z

        @plumb.jit
        def broken(z, x):
            for i in range(3):
                if x[i % 2] > 1.5:
                    break
                z = z * (1 + 1j)
            return z

        z, x = np.array([1 + 2j, 3 - 1j], np.complex64), np.array([1, 2], np.float32)
        np.testing.assert_array_equal(returned(Tensor(z), Tensor(x)).asnumpy(), z * 2)
        np.testing.assert_array_equal(returned(Tensor(z), Tensor(x - 2)).asnumpy(), z)
        np.testing.assert_array_equal(broken(Tensor(z), Tensor(x)).asnumpy(), z * (1 + 1j))


class Rotation(nn.Cell):
    """Multiplies by a complex Parameter."""

    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(scattered(3, seed=6, kind=np.complex64)), name="weight")

    def construct(self, x):
        """The squared error to a fixed turn."""
        return (ops.abs(self.weight * x - 1j * x) ** 2).sum()


class StateTest(unittest.TestCase):
    """Parameters, training, files, other libraries."""

    def test_training(self):
        net = Rotation()
        x = scattered(3, seed=7, kind=np.complex64)
        weight = torch.from_numpy(net.weight.asnumpy().copy()).requires_grad_()
        step = plumb.value_and_grad(net, None, (net.weight,))
        optimizer = torch.optim.SGD([weight], 0.05)
        for _ in range(5):
            loss, (gradient,) = step(Tensor(x))
            reference = ((weight * torch.from_numpy(x) - 1j * torch.from_numpy(x)).abs() ** 2).sum()
            optimizer.zero_grad()
            reference.backward()
            optimizer.step()
            np.testing.assert_allclose(loss.asnumpy(), reference.item(), rtol=1e-5)
            np.testing.assert_allclose(gradient.asnumpy(), weight.grad.numpy(), rtol=1e-4)
            ops.assign_sub(net.weight, gradient * 0.05)
        np.testing.assert_allclose(net.weight.asnumpy(), weight.detach().numpy(), rtol=1e-5)

    def test_files(self):
        net = Rotation()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "weights.ckpt")
            plumb.save_checkpoint(net, path)
            read = plumb.load_checkpoint(path)["weight"]
            self.assertIs(read.dtype, plumb.complex64)
            np.testing.assert_array_equal(read.asnumpy(), net.weight.asnumpy())

    def test_other_libraries(self):
        z = scattered(3, kind=np.complex64)
        np.testing.assert_array_equal(torch.from_dlpack(Tensor(z)).numpy(), z)
        np.testing.assert_array_equal(np.asarray(Tensor(z)), z)
        self.assertEqual(repr(Tensor(np.array([[1 + 2j, 3e-7], [1 / 3, 1e10j]]))),
                         "Tensor(shape=[2, 2], dtype=Complex128, value=\n[[1+2j, 3e-07+0j],\n [0.333333+0j, 0+1e+10j]])")
        self.assertEqual(complex(Tensor(1 + 2j)), 1 + 2j)

    def test_triangular_systems(self):
        matrix, right = scattered(2, 4, 4, kind=np.complex64) + 3 * np.eye(4, dtype=np.complex64), scattered(2, 4, 3, kind=np.complex64)
        for lower, part in ((True, np.tril(matrix)), (False, np.triu(matrix))):
            for adjoint, whole in ((False, part), (True, part.conj().swapaxes(1, 2))):
                x = ops.MatrixTriangularSolve(lower=lower, adjoint=adjoint)(Tensor(matrix), Tensor(right)).asnumpy()
                np.testing.assert_allclose(whole @ x, right, rtol=1e-3, atol=1e-4)

    def test_inverse(self):
        rng = np.random.default_rng(5)
        for shape in ((2, 2), (3, 4, 4)):
            matrix = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)
            np.testing.assert_allclose(ops.inverse(plumb.Tensor(matrix)).asnumpy(), np.linalg.inv(matrix), rtol=1e-3, atol=1e-4)


class ErrorsTest(unittest.TestCase):
    """What complex numbers do not have is refused by name."""

    def refuse(self, function, *words):
        """The error of a function of a complex tensor names `words`."""
        with self.assertRaises((TypeError, ValueError, RuntimeError)) as caught:
            function(Tensor(scattered(4, kind=np.complex64)))
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_real_functions(self):
        self.refuse(mnp.cbrt, "real numbers", "Complex64")
        self.refuse(mnp.deg2rad, "real numbers")

    def test_order(self):
        self.refuse(lambda z: z < z, "less")
        self.refuse(ops.sort, "complex")
        self.refuse(lambda z: ops.maximum(z, z), "maximum", "a tensor of real numbers")
        self.refuse(ops.relu, "relu")
        self.refuse(lambda z: ops.floor(z), "floor")
        self.refuse(lambda z: z % z, "mod")

    def test_matrices(self):
        self.refuse(lambda z: ops.cholesky(z.reshape(2, 2)), "Complex64")

    def test_compiled(self):
        @plumb.jit
        def printed(z):
            print(z)
            return z

        self.refuse(printed, "cannot print complex numbers")


if __name__ == "__main__":
    unittest.main()
