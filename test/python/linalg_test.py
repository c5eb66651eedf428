"""Norms, distances and linear equations against PyTorch's, with first and second derivatives; see together.py."""

import unittest

import numpy as np
import torch

import plumb
from plumb import ops
from numeric import numbers
from together import check

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
    yield "matrix_power", lambda x: ops.matrix_power(x, -3), lambda x: torch.matrix_power(x, -3), SQUARE
    yield "matrix_power 5", lambda x: ops.matrix_power(x, 5), lambda x: torch.matrix_power(x, 5), SQUARE
    yield "cholesky", lambda x: ops.cholesky(ops.matmul(x, x.swapaxes(-1, -2)) + 1.0), lambda x: torch.linalg.cholesky(x @ x.mT + 1.0), SQUARE
    triangle = np.tril(SQUARE[0]) + 3 * np.eye(4)
    # Only one triangle is read; PyTorch gives the other a slope, too.
    yield "cholesky_inverse", lambda x: ops.cholesky_inverse(ops.tril(x)), lambda x: torch.cholesky_inverse(torch.tril(x)), triangle
    yield "cholesky_solve", lambda b, x: ops.cholesky_solve(b, ops.triu(x), True), lambda b, x: torch.cholesky_solve(
        b, torch.triu(x), True), numbers(4, 2), triangle.T


class LinalgTest(unittest.TestCase):
    """Two executables, and second derivatives."""

    def test_norms(self):
        check(self, norms())

    def test_systems(self):
        check(self, systems(), np.float64, tolerance=1e-6)

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


if __name__ == "__main__":
    unittest.main()
