"""Products of vectors, matrices and tensors against PyTorch's; see together.py."""

import unittest

import numpy as np
import torch

import plumb
from plumb import ops
from numeric import numbers
from together import check

A, B, V, W = numbers(3, 4), numbers(4, 5, seed=1), numbers(4, seed=2), numbers(3, seed=3)
S, T = numbers(2, 3, 4, seed=4), numbers(2, 4, 5, seed=5)


def products():
    """Products by name."""
    for name, *inputs in (("mm", A, B), ("bmm", S, T), ("mv", A, V), ("outer", V, W), ("ger", V, W), ("inner", S, A), ("inner", V, V),
                          ("kron", A, B), ("kron", V, A), ("matmul", V, B), ("matmul", S, V), ("matmul", S, B), ("dot", V, V)):
        yield (name, getattr(ops, name), getattr(torch, name), *inputs)
    yield "dot of tensors", ops.dot, lambda x, y: torch.einsum("ij,kjl->ikl", x, y), A, T
    yield "vecdot", lambda x, y: ops.vecdot(x, y, axis=1), lambda x, y: (x * y).sum(1), A, A + 1
    yield "tensor_dot", lambda x, y: ops.tensor_dot(x, y, ((2, 0), (1, 0))), lambda x, y: torch.tensordot(x, y, ((2, 0), (1, 0))), S, T
    yield "tensor_dot of one", lambda x, y: ops.tensor_dot(x, y, 1), lambda x, y: torch.tensordot(x, y, 1), S, B
    yield "batch_dot", ops.batch_dot, torch.bmm, S, T
    yield "batch_dot of rows", lambda x, y: ops.batch_dot(x, y, 1), lambda x, y: (x * y).sum(1, keepdim=True), A, A - 1
    yield "cross", lambda x, y: ops.cross(x, y, 1), lambda x, y: torch.cross(x, y, 1), S, S * 2 + 1
    yield "cross by default", ops.cross, lambda x, y: torch.cross(x, y, 0), A, A[:, ::-1].copy()
    yield "addmm", lambda c, x, y: ops.addmm(c, x, y, beta=0.5, alpha=2), lambda c, x, y: torch.addmm(c, x, y, beta=0.5, alpha=2), W[
        :, None], A, B
    yield "addmv", lambda c, x, y: ops.addmv(c, x, y, alpha=2), lambda c, x, y: torch.addmv(c, x, y, alpha=2), W, A, V
    yield "addr", lambda c, x, y: ops.addr(c, x, y, beta=3), lambda c, x, y: torch.addr(c, x, y, beta=3), A.T.copy(), V, W
    yield "addbmm", ops.addbmm, torch.addbmm, numbers(3, 5), S, T
    yield "baddbmm", lambda c, x, y: ops.baddbmm(c, x, y, 0.5, 2), lambda c, x, y: torch.baddbmm(c, x, y, beta=0.5, alpha=2), numbers(
        2, 3, 5), S, T
    yield "dense", ops.dense, torch.nn.functional.linear, S, numbers(6, 4), numbers(6)
    for equation, *inputs in (("ij,jk->ik", A, B), ("ij,jk", A, B), ("bij,bjk->bik", S, T), ("ij->ji", A), ("ij->", A), ("ij->i", A),
                              ("ii->i", B[:, :4]), ("ii", B[:, :4]), ("i,j->ij", V, W), ("...j,jk->...k", S, B), ("b...,b...->...", S, S),
                              ("ij,jk,kl->il", A, B, numbers(5, 2)), ("bij,k->bk", S, V), ("bii->bi", numbers(2, 3, 3)), (" b i j -> j b i ", S),
                              ("bij,bkj->ikb", S, S * 2), ("ijk,...k", S, V), ("i...->...", S)):
        yield (f"einsum {equation}", lambda *xs, e=equation: ops.einsum(e, *xs), lambda *xs, e=equation: torch.einsum(e, *xs),
               *[np.ascontiguousarray(x) for x in inputs])


def times(one, other):
    """The operator in compiled code."""
    return one @ other


class ProductsTest(unittest.TestCase):
    """One executable."""

    def test_products(self):
        check(self, products())

    def test_several_element_types(self):
        """As MindSpore: of float32 where one is a vector or they are of several ranks, else a TypeError."""
        vector, matrix, stack = [plumb.Tensor(array.astype(np.float32)) for array in (V, B, S)]
        for kind in (plumb.float64, plumb.float16, plumb.int64):
            for one, other in ((vector.astype(kind), matrix), (stack, matrix.astype(kind)), (vector, vector.astype(kind))):
                wanted = one.asnumpy().astype(np.float32) @ other.asnumpy().astype(np.float32)
                for product in (ops.matmul(one, other), one @ other, plumb.jit(ops.matmul)(one, other), plumb.jit(times)(one, other)):
                    self.assertEqual(product.dtype, plumb.float32)
                    np.testing.assert_allclose(product.asnumpy(), wanted, 1e-5, 1e-5)
            self.assertEqual(ops.matmul(vector.astype(kind), matrix.astype(kind)).dtype, kind)
            for product in (ops.matmul, plumb.jit(times)):
                self.assertRaises(TypeError, product, plumb.Tensor(A).astype(kind), matrix)


if __name__ == "__main__":
    unittest.main()
