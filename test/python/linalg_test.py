"""Norms, distances and linear equations against PyTorch's, with first and second derivatives; see together.py."""

import unittest

import numpy as np
import torch

import plumb
from plumb import ops
from numeric import check as check_differences
from numeric import numbers
from together import Fixed, check

A, B, V = numbers(3, 4), numbers(5, 4, seed=1), numbers(4, seed=2)
S, SQUARE = numbers(2, 3, 4, seed=4), numbers(2, 4, 4, seed=3)
INF = float("inf")


def norms():
    """Norms of vectors and matrices, distances, covariances."""
    for order in (2, 1, 3, 0.5, INF, -INF, 0):
        yield f"vector_norm {order}", lambda x, o=order: ops.vector_norm(x, o, (0, 2), True), lambda x, o=order: torch.linalg.vector_norm(
            x, o, (0, 2), True), S
    yield "norm at 0", lambda x: ops.norm(x * 0, 3, 1) + ops.norm(x * 0, 2, 1), lambda x: (x * 0).sum(1), A
    for order in ("fro", 1, -1, INF, -INF):
        yield f"matrix_norm {order}", lambda x, o=order: ops.norm(x, o, (1, 2)), lambda x, o=order: torch.linalg.matrix_norm(x, o), S
    for order in ("nuc", 2, -2):
        yield f"matrix_norm {order}", lambda x, o=order: ops.matrix_norm(x, o, (2, 1), True), lambda x, o=order: torch.linalg.matrix_norm(
            x, o, (2, 1), True), S
    for order in (None, -2, "nuc", "fro", 1, -INF):
        yield f"cond {order}", lambda x, o=order: ops.cond(x, o), lambda x, o=order or 2: torch.linalg.matrix_norm(
            x, o) * torch.linalg.matrix_norm(torch.inverse(x), o), SQUARE
    yield "norm", ops.norm, torch.linalg.norm, S
    yield "norm kept", lambda x: ops.norm(x, dim=1, keepdim=True), lambda x: torch.linalg.norm(x, dim=1, keepdim=True), S
    yield "cdist", ops.cdist, lambda x, y: torch.cdist(x, y), A, B
    yield "cdist 1", lambda x, y: ops.cdist(x, y, 1.0), lambda x, y: torch.cdist(x, y, 1.0), A, B
    yield "pdist", lambda x: ops.pdist(x, 3.0), lambda x: torch.pdist(x, 3.0), B
    yield "dist", lambda x: ops.dist(x, x * 2 + 1, 3), lambda x: torch.dist(x, x * 2 + 1, 3), A
    yield "renorm", lambda x: ops.renorm(x, 2, 1, 1.5), lambda x: torch.renorm(x, 2, 1, 1.5), A
    yield "cov", ops.cov, torch.cov, A
    yield "cov with weights", lambda x: ops.cov(x, correction=0, fweights=plumb.Tensor([1, 2, 3, 1]), aweights=plumb.Tensor(
        [0.5, 1, 2, 1])), lambda x: torch.cov(x, correction=0, fweights=torch.tensor([1, 2, 3, 1]), aweights=torch.tensor([0.5, 1, 2, 1])), A
    yield "clip_by_global_norm", lambda x, y: ops.clip_by_global_norm((x, y), 1.5), lambda x, y: (
        x * 1.5 / (x.square().sum() + y.square().sum()).sqrt(), y * 1.5 / (x.square().sum() + y.square().sum()).sqrt()), A, B
    yield "vander", lambda x: ops.vander(x, 3), lambda x: torch.stack((x * x, x, x * 0 + 1), 1), V


def systems():
    """Elimination, with pivots away from the diagonal."""
    swapped = SQUARE.copy()
    swapped[0, 0, 0] = 0
    yield "inverse", ops.inverse, torch.inverse, swapped
    yield "det", ops.det, torch.det, swapped
    yield "slogdet", ops.slogdet, lambda x: tuple(torch.slogdet(x)), swapped
    yield "matrix_solve", ops.matrix_solve, torch.linalg.solve, swapped, numbers(2, 4, 3)
    yield "matrix_solve of a batch", lambda a, b: ops.matrix_solve(a, b, True), lambda a, b: torch.linalg.solve(a.mT, b), swapped, numbers(
        4, 3, seed=8)
    yield "matrix_exp", ops.matrix_exp, torch.matrix_exp, SQUARE * 3
    for rows, columns in ((6, 4), (4, 6)):
        x, right = numbers(rows, columns, seed=5), numbers(rows, 3, seed=6)
        yield f"lstsq {rows}", ops.lstsq, lambda a, b: torch.linalg.pinv(a) @ b, x, right
        yield f"pinv {rows}", ops.pinv, torch.linalg.pinv, x
        yield f"matrix_solve_ls {rows}", lambda a, b: ops.MatrixSolveLs()(a, b, plumb.Tensor(0.0, plumb.float64)), lambda a, b: (
            torch.linalg.pinv(a) @ b), x, right
    yield "matrix_solve_ls slow", lambda a, b: ops.MatrixSolveLs(fast=False)(a, b, plumb.Tensor(0.0, plumb.float64)), lambda a, b: (
        torch.linalg.pinv(a) @ b), x, right
    yield "pinv of small rank", lambda x: ops.pinv(ops.matmul(x, x.T)) * 1e-3, lambda x: torch.linalg.pinv(x @ x.T) * 1e-3, Fixed(
        numbers(5, 2))
    yield "pinv by limits", lambda x: ops.pinv(x, atol=1.0, rtol=0.1), lambda x: torch.linalg.pinv(x, atol=1.0, rtol=0.1), Fixed(SQUARE)
    yield "pinv of symmetric", lambda x: ops.pinv(x + x.swapaxes(-1, -2), hermitian=True), lambda x: torch.linalg.pinv(x + x.mT), SQUARE
    yield "matrix_power", lambda x: ops.matrix_power(x, -3), lambda x: torch.matrix_power(x, -3), SQUARE
    yield "matrix_power 5", lambda x: ops.matrix_power(x, 5), lambda x: torch.matrix_power(x, 5), SQUARE
    yield "cholesky", lambda x: ops.cholesky(ops.matmul(x, x.swapaxes(-1, -2)) + 1.0), lambda x: torch.linalg.cholesky(x @ x.mT + 1.0), SQUARE
    triangle = np.tril(SQUARE[0]) + 3 * np.eye(4)
    # Only one triangle is read; PyTorch gives the other a slope, too.
    yield "cholesky_inverse", lambda x: ops.cholesky_inverse(ops.tril(x)), lambda x: torch.cholesky_inverse(torch.tril(x)), triangle
    yield "cholesky_solve", lambda b, x: ops.cholesky_solve(b, ops.triu(x), True), lambda b, x: torch.cholesky_solve(
        b, torch.triu(x), True), numbers(4, 2), triangle.T


def factorizations():
    """Those whose signs are given, and products of those whose are not."""
    tall, wide = numbers(2, 6, 4, seed=9), numbers(4, 6, seed=9)
    for x in (tall, wide, SQUARE):
        for mode in ("reduced", "complete"):
            if mode == "reduced" and x is not wide:
                yield f"qr {x.shape}", ops.qr, torch.linalg.qr, x
            else:
                yield f"qr {mode} {x.shape}", lambda x, m=mode: ops.qr(x, m), lambda x, m=mode: torch.linalg.qr(x, m), Fixed(x)
        yield f"geqrf {x.shape}", ops.geqrf, torch.geqrf, Fixed(x)
        yield f"svd values {x.shape}", lambda x: ops.svd(x, compute_uv=False), torch.linalg.svdvals, x
        yield f"svd product {x.shape}", lambda x: product_of(ops.svd(x)), lambda x: x * 1, x
    for left, transposed in ((True, False), (True, True), (False, False), (False, True)):
        other = numbers(2, 6, 3, seed=10) if left else numbers(2, 3, 6, seed=10)
        yield f"ormqr {left} {transposed}", lambda x, t, o, l=left, r=transposed: ops.ormqr(x, t, o, l, r), lambda x, t, o, l=left, r=transposed: (
            torch.ormqr(x, t, o, l, r)), Fixed(tall), Fixed(np.full((2, 4), 0.3)), Fixed(other)
    yield "orgqr", ops.orgqr, torch.orgqr, Fixed(tall), Fixed(np.full((2, 3), 0.3))


def product_of(parts):
    """u @ diag(s) @ v.T."""
    s, u, v = parts
    return ops.matmul(u * ops.expand_dims(s, -2), v.swapaxes(-1, -2))


class LinalgTest(unittest.TestCase):
    """Three executables, and second derivatives."""

    def test_norms(self):
        check(self, norms())

    def test_systems(self):
        check(self, systems(), np.float64, tolerance=1e-6)

    def test_factorizations(self):
        check(self, factorizations(), np.float64, tolerance=1e-6)

    def test_whole_bases(self):
        """What `full_matrices` adds completes the columns; its gradient is refused by name."""
        for shape in ((6, 4), (2, 4, 6), (256, 10)):
            x = numbers(*shape)
            s, u, v = (part.asnumpy() for part in ops.svd(plumb.Tensor(x), full_matrices=True))
            self.assertEqual((u.shape[-1], v.shape[-1]), shape[-2:])
            for base in (u, v):
                unit = np.swapaxes(base, -1, -2) @ base
                np.testing.assert_allclose(unit, np.broadcast_to(np.eye(base.shape[-1]), unit.shape), atol=1e-13)
            np.testing.assert_allclose(s, np.linalg.svd(x, compute_uv=False), rtol=1e-12)
        for function in (lambda x: ops.svd(x, True)[1].sum(), lambda x: ops.qr(x, "complete")[0].sum(), lambda x: ops.geqrf(x)[0].sum()):
            with self.assertRaisesRegex(Exception, "geqrf"):
                plumb.grad(function)(plumb.Tensor(numbers(6, 4)))

    def test_large(self):
        x = numbers(256, 256)
        for dtype, limit in ((np.float32, 2e-3), (np.float64, 1e-11)):
            a = plumb.Tensor(x.astype(dtype))
            np.testing.assert_allclose(ops.matmul(a, ops.inverse(a)).asnumpy(), np.eye(256), atol=limit)
            sign, logarithm = ops.slogdet(a)
            expected = np.linalg.slogdet(x)
            self.assertEqual(float(sign.asnumpy()), expected[0])
            np.testing.assert_allclose(logarithm.asnumpy(), expected[1], rtol=1e-4 if dtype == np.float32 else 1e-12)

    def test_matrix_exp(self):
        """Large norms; one that is too large is NaN, not wrong."""
        turn = np.array([[0.0, 1000.0], [-1000.0, 0.0]])
        np.testing.assert_allclose(ops.matrix_exp(plumb.Tensor(turn)).asnumpy(), [
            [np.cos(1000.0), np.sin(1000.0)], [-np.sin(1000.0), np.cos(1000.0)]], atol=1e-11)
        self.assertTrue(np.isnan(ops.matrix_exp(plumb.Tensor(turn * 1000)).asnumpy()).all())

    def test_pinv_by_limits(self):
        """Slopes with a singular value cut off, against differences."""
        check_differences(lambda x: ops.pinv(x, atol=1.0), lambda x: np.linalg.pinv(x, 1.0 / np.linalg.norm(x, 2)),
                          np.diag([3.0, 2, 0.5]) @ np.linalg.qr(numbers(3, 3))[0], dtype=np.float64)

    def test_halves(self):
        x = plumb.Tensor(SQUARE[0].astype(np.float16))
        self.assertEqual({part.dtype for part in (ops.inverse(x), ops.det(x), ops.qr(x)[0], ops.svd(x)[1])}, {plumb.float16})

    def test_lu(self):
        """Pivots count from 1; SciPy's from 0 are in scipy_test.py."""
        data, pivots = torch.linalg.lu_factor(torch.tensor(SQUARE))
        p, lower, upper = torch.lu_unpack(data, pivots)
        made = ops.lu_unpack(plumb.Tensor(data.numpy()), plumb.Tensor(pivots.numpy()))
        for ours, theirs in zip(made, (p, lower, upper)):
            np.testing.assert_array_equal(ours.asnumpy(), theirs.numpy())
        b = numbers(2, 4, 3)
        solved = ops.lu_solve(plumb.Tensor(b), plumb.Tensor(data.numpy()), plumb.Tensor(pivots.numpy()))
        np.testing.assert_allclose(solved.asnumpy(), np.linalg.solve(SQUARE, b), rtol=1e-10)
        self.assertEqual(ops.LuUnpack(unpack_pivots=False)(plumb.Tensor(data.numpy()), plumb.Tensor(pivots.numpy()))[0], None)

    def test_errors(self):
        x = plumb.Tensor(A)
        for call, message in ((lambda: ops.inverse(x), "'inverse', the input must be square"), (lambda: ops.qr(x, "r"), "'mode' must be"),
                              (lambda: ops.svd(x[0]), "'svd', the input must have 2 axes"), (lambda: ops.norm(x, 5), "'ord' must be 'fro', 'nuc'"),
                              (lambda: ops.lstsq(x, plumb.Tensor(B)), r"'lstsq', the inputs must be \(m, n\)"),
                              (lambda: ops.orgqr(x.T, x[0]), "'tau' must have a number for each column")):
            with self.assertRaisesRegex((ValueError, TypeError), message):
                call()

    def test_second_derivatives(self):
        x = SQUARE[0] + 3 * np.eye(4)
        w = numbers(4, 4, seed=7)
        for ours, theirs in ((ops.inverse, torch.inverse), (ops.det, torch.det)):
            first = plumb.grad(lambda a, f=ours: ops.reduce_sum(f(a)))
            made = plumb.grad(lambda a, v: ops.reduce_sum(first(a) * v))(plumb.Tensor(x), plumb.Tensor(w)).asnumpy()
            a = torch.tensor(x, requires_grad=True)
            slope, = torch.autograd.grad(theirs(a).sum(), a, create_graph=True)
            wanted, = torch.autograd.grad((slope * torch.tensor(w)).sum(), a)
            np.testing.assert_allclose(made, wanted.numpy(), rtol=1e-6, atol=1e-8)


class ComplexTest(unittest.TestCase):
    """Square systems of complex numbers."""

    def test_solutions(self):
        for kind, error in ((np.complex64, 1e-4), (np.complex128, 1e-11)):
            a = numbers(2, 4, 4).astype(kind) + 1j * numbers(2, 4, 4, seed=1).astype(kind)
            b = numbers(2, 4, 3, seed=2).astype(kind) - 1j * numbers(2, 4, 3, seed=3).astype(kind)
            for matrix, adjoint in ((a, False), (np.conj(np.swapaxes(a, 1, 2)), True)):
                x = ops.matrix_solve(plumb.Tensor(a), plumb.Tensor(b), adjoint).asnumpy()
                self.assertEqual(x.dtype, kind)
                np.testing.assert_allclose(matrix @ x, b, atol=error)
            np.testing.assert_allclose(ops.inverse(plumb.Tensor(a)).asnumpy() @ a, np.stack([np.eye(4)] * 2), atol=error)
        mixed = ops.matrix_solve(plumb.Tensor(a.real), plumb.Tensor(b)).asnumpy()
        np.testing.assert_allclose(a.real @ mixed, b, atol=1e-11)
        self.assertRaisesRegex(ValueError, "square", ops.inverse, plumb.Tensor(b))


if __name__ == "__main__":
    unittest.main()
