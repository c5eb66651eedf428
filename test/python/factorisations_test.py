"""Factorisations of matrices and triangular systems: values against NumPy, gradients against differences."""

import unittest

import numpy as np

import plumb
from plumb import Tensor
from plumb.ops import _functions as F
from numeric import check, numbers


def positive(x):
    """A symmetric positive definite matrix, made of any."""
    return x @ np.swapaxes(x, -1, -2) + 0.5 * np.eye(x.shape[-1])


def symmetric(x):
    """A symmetric matrix, made of any."""
    return x + np.swapaxes(x, -1, -2)


def net_positive(x):
    """`positive`, compiled."""
    return F.matmul(x, x, False, True) + F.eye(x.shape[-1], x.shape[-1], x.dtype) * 0.5


def lu(x):
    """The packed factors of the rows in order, without pivots."""
    x = np.array(x)
    for k in range(x.shape[-1]):
        x[..., k + 1:, k] /= x[..., k, k][..., None]
        x[..., k + 1:, k + 1:] -= x[..., k + 1:, k, None] * x[..., None, k, k + 1:]
    return x


class ValuesTest(unittest.TestCase):
    """What was factored is the product of the factors, and factors have their form."""

    def assertClose(self, actual, expected, scale=1.0):
        """Compares to rounding."""
        actual = np.asarray(actual)
        rtol = 2e-5 if actual.dtype == np.float32 else 1e-11
        np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol * scale)

    def test_cholesky(self):
        for dtype in (np.float32, np.float64):
            for shape in ((1, 1), (5, 5), (2, 3, 7, 7)):
                x = positive(numbers(*shape)).astype(dtype)
                self.assertClose(F.cholesky(Tensor(x)).asnumpy(), np.linalg.cholesky(x.astype(np.float64)), 10)
        self.assertTrue(np.isnan(F.cholesky(Tensor(np.array([[1.0, 2], [2, 1]]))).asnumpy()).any())

    def test_lu(self):
        for shape in ((1, 1), (6, 6), (2, 7, 4), (3, 2, 4, 7)):
            x = numbers(*shape)
            factors, rows = (part.asnumpy() for part in plumb.jit(lambda x: F.lu(x))(Tensor(x)))
            small = min(shape[-2:])
            lower = np.tril(factors[..., :small], -1) + np.eye(shape[-2], small)
            self.assertClose(lower @ np.triu(factors[..., :small, :]), np.take_along_axis(x, rows[..., None], -2), 10)
            self.assertLessEqual(np.abs(np.tril(factors[..., :small], -1)).max(initial=0), 1)
        singular = np.array([[0.0, 0, 1], [0, 0, 2], [0, 0, 3]])
        factors, rows = (part.asnumpy() for part in plumb.jit(lambda x: F.lu(x))(Tensor(singular)))
        self.assertTrue(np.isfinite(factors).all())

    def test_qr(self):
        for shape in ((1, 1), (6, 6), (2, 7, 4), (3, 2, 4, 7)):
            x = numbers(*shape)
            q, r = (part.asnumpy() for part in plumb.jit(lambda x: F.qr(x))(Tensor(x)))
            expected = [np.stack([part for part in parts]) for parts in zip(*[
                np.linalg.qr(matrix) for matrix in x.reshape(-1, *shape[-2:])])]
            self.assertClose(q, expected[0].reshape(q.shape), 10)
            self.assertClose(r, expected[1].reshape(r.shape), 10)
        q, r = (part.asnumpy() for part in plumb.jit(lambda x: F.qr(x))(Tensor(np.zeros((4, 2)))))
        self.assertClose(q, np.eye(4, 2))

    def test_eigh(self):
        for dtype in (np.float32, np.float64):
            for shape in ((1, 1), (2, 2), (2, 9, 9), (40, 40)):
                x = symmetric(numbers(*shape)).astype(dtype)
                w, v = (part.asnumpy() for part in plumb.jit(lambda x: F.eigh(x))(Tensor(x)))
                self.assertClose(w, np.linalg.eigvalsh(x.astype(np.float64)), 20)
                self.assertClose(v * w[..., None, :] @ np.swapaxes(v, -1, -2), x, 20)
                self.assertClose(np.swapaxes(v, -1, -2) @ v, np.broadcast_to(np.eye(shape[-1]), x.shape), 5)
        w, v = (part.asnumpy() for part in plumb.jit(lambda x: F.eigh(x))(Tensor(np.diag([2.0, 1, 2]))))
        self.assertClose(w, [1, 2, 2])

    def assertOrthonormal(self, columns):
        """Compares the products of columns with each other to rounding that grows with their number."""
        columns = columns.astype(np.float64)
        limit = 4 * columns.shape[-2] * np.finfo(np.float32 if self.single else np.float64).eps
        product = np.swapaxes(columns, -1, -2) @ columns
        np.testing.assert_allclose(product, np.broadcast_to(np.eye(columns.shape[-1]), product.shape), atol=limit)

    def check_svd(self, x):
        """Residual, orthogonality and values against NumPy's, all to rounding beside the largest singular value."""
        self.single = x.dtype == np.float32
        s, u, v = (part.asnumpy() for part in F.svd(Tensor(x)))
        expected = np.linalg.svd(x.astype(np.float64), compute_uv=False)
        limit = 2 * max(x.shape) * np.finfo(x.dtype).eps * max(expected.max(), 1e-300)
        np.testing.assert_allclose(s, expected, atol=limit, rtol=0)
        np.testing.assert_allclose((u * s[..., None, :]).astype(np.float64) @ np.swapaxes(v, -1, -2), x, atol=limit, rtol=0)
        self.assertOrthonormal(u)
        self.assertOrthonormal(v)
        largest = np.take_along_axis(v, np.argmax(np.abs(v), -2)[..., None, :], -2)
        self.assertGreater(largest.min(), 0)

    def test_svd(self):
        for dtype in (np.float32, np.float64):
            for shape in ((1, 1), (4, 1), (1, 4), (6, 6), (2, 7, 4), (3, 2, 4, 7), (64, 8, 8), (256, 256), (300, 20)):
                self.check_svd(numbers(*shape).astype(dtype))

    def test_svd_of_small_rank(self):
        for dtype in (np.float32, np.float64):
            self.check_svd(np.zeros((4, 3), dtype))
            self.check_svd(np.ones((4, 6), dtype))
            self.check_svd((numbers(9, 2) @ numbers(2, 9, seed=1)).astype(dtype))
            self.check_svd(np.diag([0, 3, 0, 1]).astype(dtype))

    def test_scales(self):
        """Elements whose squares are no numbers, and small singular values: those of a graded matrix are right in all digits."""
        for factor in (1e-30, 1e30):
            self.check_svd((numbers(5, 5) * factor).astype(np.float32))
            x = symmetric(numbers(5, 5)).astype(np.float32) * np.float32(factor)
            w = F.eigh(Tensor(x))[0].asnumpy()
            np.testing.assert_allclose(w, np.linalg.eigvalsh(x.astype(np.float64)), atol=1e-6 * np.abs(w).max())
        graded = numbers(6, 6) * 10.0 ** -np.arange(0, 12, 2)
        s = F.svd(Tensor(graded.astype(np.float32)))[0].asnumpy()
        np.testing.assert_allclose(s, np.linalg.svd(graded.astype(np.float32).astype(np.float64), compute_uv=False), rtol=1e-5)

    def test_geqrf(self):
        for shape in ((1, 1), (6, 6), (7, 4), (4, 7)):
            x = numbers(*shape)
            factors, tau = (part.asnumpy() for part in F.geqrf(Tensor(x)))
            expected, expected_tau = np.linalg.qr(x, mode="raw")
            self.assertClose(factors, expected.T, 10)
            self.assertClose(tau, expected_tau, 10)

    def test_eigenvalues_that_are_equal(self):
        for x in (np.eye(7), np.ones((5, 5)), np.zeros((3, 3)), np.kron(np.eye(3), [[0.0, 1], [1, 0]])):
            w, v = (part.asnumpy() for part in F.eigh(Tensor(x)))
            self.assertClose(w, np.linalg.eigvalsh(x), 10)
            self.assertClose(v * w @ v.T, x, 10)
            self.assertClose(v.T @ v, np.eye(len(x)), 10)

    def test_triangular_solve(self):
        a, b = numbers(2, 6, 6) + 4 * np.eye(6), numbers(2, 6, 3, seed=1)
        for lower in (True, False):
            for transpose in (True, False):
                for unit in (True, False):
                    part = np.tril(a) if lower else np.triu(a)
                    if unit:
                        part = part - part * np.eye(6) + np.eye(6)
                    part = np.swapaxes(part, 1, 2) if transpose else part
                    made = F.triangular_solve(Tensor(a), Tensor(b), lower, transpose, unit).asnumpy()
                    self.assertClose(part @ made, b, 100)

    def test_large(self):
        x = positive(numbers(300, 300)).astype(np.float64)
        self.assertClose(F.cholesky(Tensor(x)).asnumpy(), np.linalg.cholesky(x), 100)
        q, r = (part.asnumpy() for part in plumb.jit(lambda x: F.qr(x))(Tensor(x)))
        self.assertClose(q @ r, x, 1000)


class GradientsTest(unittest.TestCase):
    """Gradients in float64."""

    def check(self, function, reference, *inputs):
        """Checks value and gradients."""
        check(function, reference, *inputs, dtype=np.float64, what=function.__name__)

    def test_cholesky(self):
        self.check(lambda x: F.cholesky(net_positive(x)), lambda x: np.linalg.cholesky(positive(x)), numbers(2, 4, 4))

    def test_triangular_solve(self):
        a, b = numbers(2, 3, 3) + 3 * np.eye(3), numbers(2, 3, 2, seed=1)
        for lower, transpose in ((True, False), (True, True), (False, False), (False, True)):
            part = np.tril if lower else np.triu
            turn = (lambda x: np.swapaxes(x, 1, 2)) if transpose else (lambda x: x)
            self.check(lambda a, b: F.triangular_solve(a, b, lower, transpose),
                       lambda a, b: np.linalg.solve(turn(part(a)), b), a, b)

    def test_lu(self):
        x = numbers(4, 4) + np.diag([9.0, 7, 5, 3])
        self.check(lambda x: F.lu(x)[0], lu, x)
        rows = np.array([2, 0, 3, 1])
        self.check(lambda x: F.lu(x)[0], lambda y: lu(y[np.argsort(rows)]), x[rows])

    def test_qr(self):
        for shape in ((3, 3), (2, 5, 3)):
            def factors(x):
                q, r = F.qr(x)
                return F.matmul(q * q, r * r + r)

            def reference(x):
                q, r = (np.stack(parts).reshape(*x.shape[:-2], *parts[0].shape) for parts in zip(*[
                    np.linalg.qr(matrix) for matrix in x.reshape(-1, *x.shape[-2:])]))
                return q * q @ (r * r + r)

            self.check(factors, reference, numbers(*shape))

    def test_eigh(self):
        def factors(x):
            w, v = F.eigh(x + F.transpose(x, (1, 0)))
            return F.matmul(v * v, F.expand_dims(w * w, 1))

        def reference(x):
            w, v = np.linalg.eigh(symmetric(x))
            return (v * v) @ (w * w)[:, None]

        self.check(factors, reference, numbers(4, 4))

    def test_svd(self):
        for shape in ((4, 4), (5, 3), (2, 3, 5)):
            def factors(x):
                s, u, v = F.svd(x)
                return F.matmul(u * u * F.expand_dims(s, -2), v * v + F.square(v * v), False, True)

            def reference(x):
                u, s, v = np.linalg.svd(x, full_matrices=False)
                return u * u * s[..., None, :] @ (v * v + v ** 4)

            self.check(factors, reference, numbers(*shape))


if __name__ == "__main__":
    unittest.main()
