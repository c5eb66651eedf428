"""Public functions of `ops` about arithmetic, shapes, reductions and indices, against PyTorch's; see together.py."""

import unittest

import numpy as np
import torch

import plumb
from plumb import ops
from numeric import distinct, numbers
from together import Fixed, check

X, Y = numbers(3, 4) * 2, numbers(3, 4, seed=1)
POSITIVE = numbers(3, 4, low=0.2, high=3.0)
SHARE = numbers(3, 4, low=-0.95, high=0.95)
ROW = numbers(4, seed=2)
HOLES = np.where(X > 1.5, 0.0, X)
NANS = np.where(X > 1.5, np.nan, X)
WHOLE, OTHER = np.array([[-7, 3, 0], [12, -18, 5]], np.int32), np.array([[2, -2, 5], [8, 27, -1]], np.int32)


def arithmetic():
    """Elementwise functions of one and of two tensors, that broadcast."""
    for name in ("exp", "exp2", "expm1", "log1p", "reciprocal", "rsqrt", "sqrt", "log", "log2", "log10"):
        yield name, getattr(ops, name), getattr(torch, name), POSITIVE
    for name in ("sin", "cos", "tanh", "erf", "abs", "neg", "square", "sigmoid", "sinc", "deg2rad", "rad2deg", "floor", "ceil",
                 "sign", "frac", "positive", "round", "trunc"):
        yield name, getattr(ops, name), getattr(torch, name), X
    yield "sgn", ops.sgn, torch.sgn, Fixed(X)  # PyTorch 1.13 leaves its gradient unwritten
    yield "sinc at 0", ops.sinc, torch.sinc, HOLES
    for name in ("add", "sub", "mul", "div", "true_divide", "maximum", "minimum", "hypot", "logaddexp", "logaddexp2", "fmax", "fmin"):
        yield name, getattr(ops, name), getattr(torch, name), X, Y[:1]
    yield "xlogy", ops.xlogy, torch.xlogy, HOLES, POSITIVE
    yield "xdivy", ops.xdivy, lambda x, y: x / y, HOLES, POSITIVE
    yield "fmod", ops.fmod, torch.fmod, X, POSITIVE
    yield "remainder", ops.remainder, torch.remainder, X, Fixed(Y)
    yield "pow", ops.pow, torch.pow, POSITIVE, Y
    yield "lerp", ops.lerp, torch.lerp, X, Y, SHARE
    yield "addcmul", lambda x, y, z: ops.addcmul(x, y, z, 0.5), lambda x, y, z: torch.addcmul(x, y, z, value=0.5), X, Y, ROW
    yield "addcdiv", lambda x, y, z: ops.addcdiv(x, y, z, 0.5), lambda x, y, z: torch.addcdiv(x, y, z, value=0.5), X, Y, POSITIVE
    yield "addn", lambda x, y: ops.addn((x, y, x)), lambda x, y: x + y + x, X, Y
    yield "subtract", lambda x, y: ops.subtract(x, y, alpha=3), lambda x, y: torch.sub(x, y, alpha=3), X, Y
    yield "copysign", ops.copysign, torch.copysign, X, Fixed(Y)
    yield "clamp", lambda x: ops.clamp(x, -0.5, 1.5), lambda x: torch.clamp(x, -0.5, 1.5), X
    yield "clamp from below", lambda x: ops.clip(x, min=0.5), lambda x: torch.clamp(x, min=0.5), X
    yield "nan_to_num", lambda x: ops.nan_to_num(x, 0.5), lambda x: torch.nan_to_num(x, 0.5), NANS
    yield "ldexp", ops.ldexp, torch.ldexp, X, Fixed(np.array([[3.0], [-2], [0]]))
    yield "squared_difference", ops.operations.SquaredDifference(), lambda x, y: (x - y) ** 2, X, Y
    yield "truncate_div", lambda x: ops.div(x, 0.7, rounding_mode="trunc"), lambda x: torch.div(x, 0.7, rounding_mode="trunc"), X
    yield "truncate_div of integers", ops.truncate_div, lambda x, y: torch.div(x, y, rounding_mode="trunc"), WHOLE, OTHER
    yield "truncate_mod of integers", ops.truncate_mod, torch.fmod, WHOLE, OTHER
    yield "remainder of integers", ops.remainder, torch.remainder, WHOLE, OTHER
    yield "gcd", ops.gcd, torch.gcd, WHOLE, OTHER
    yield "lcm", ops.lcm, torch.lcm, WHOLE, OTHER
    yield "heaviside", ops.heaviside, torch.heaviside, Fixed(HOLES), Fixed(Y)
    yield "integers as float32", ops.exp, lambda x: torch.exp(x), np.array([1, 2, 3], np.int32)


def comparisons():
    """Truth values."""
    special = Fixed(np.array([1.0, np.nan, np.inf, -np.inf, -0.0, -2.0]))
    for name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit", "isreal"):
        yield name, getattr(ops, name), getattr(torch, name), special
    yield ("isclose", ops.isclose, torch.isclose, special, Fixed(np.array([1.0, np.nan, np.inf, np.inf, 1e-9, -2.00001])))
    yield "isclose with NaN", lambda x: ops.isclose(x, x, equal_nan=True), lambda x: torch.isclose(x, x, equal_nan=True), special
    for name in ("eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor"):
        yield name, getattr(ops, name), getattr(torch, name), WHOLE, OTHER
    yield "logical_not", ops.logical_not, torch.logical_not, WHOLE
    yield ("population_count", ops.population_count, lambda x: torch.tensor([bin(v & 255).count("1") for v in x.tolist()],
                                                                            dtype=torch.uint8), np.array([0, 1, -1, 77], np.int8))


CUBE = numbers(2, 3, 4)
SQUARE = numbers(4, 4, seed=3)


def both(name, *args):
    """A row's name, our function and PyTorch's of that name, with arguments behind the tensors."""
    ours, theirs = getattr(ops, name), getattr(torch, name)
    return name, lambda *xs: ours(*xs, *args), lambda *xs: theirs(*xs, *args)


def layouts():
    """The same elements in other places."""
    for name, *args in (("flip", (0, 2)), ("fliplr",), ("flipud",), ("roll", 2), ("roll", (1, -2), (0, 2)), ("rot90", 1, (0, 2)),
                        ("rot90", 3, (1, 2)), ("rot90", -2, (0, 1)), ("swapaxes", 0, -1), ("swapdims", 1, 2), ("ravel",),
                        ("moveaxis", 0, -1), ("movedim", (0, 1), (2, 0)), ("permute", (2, 0, 1)), ("unsqueeze", -2),
                        ("repeat_interleave", 2, 1), ("repeat_interleave", 3), ("narrow", 2, 1, 2), ("adjoint",), ("diagonal", 1, 0, 2),
                        ("diagonal", -1, 2, 1), ("tril",), ("triu", 1), ("tril", -1), ("diag_embed",), ("diag_embed", 1, 0, 2),
                        ("diag_embed", -2), ("atleast_2d",), ("atleast_3d",), ("unflatten", 2, (2, -1))):
        yield (*both(name, *args), CUBE)
    for name, *args in (("t",), ("trace",), ("block_diag",), ("diagflat", 1), ("atleast_1d",)):
        yield (*both(name, *args), SQUARE)
    yield "atleast_3d of a vector", ops.atleast_3d, torch.atleast_3d, ROW
    yield "broadcast", lambda x: ops.expand(x, (2, -1, 4)), lambda x: x.expand(2, -1, 4), numbers(3, 1)
    yield "flatten", lambda x: ops.flatten(x, start_dim=1), lambda x: torch.flatten(x, 1), CUBE
    yield "pixel_shuffle", lambda x: ops.pixel_shuffle(x, 2), lambda x: torch.pixel_shuffle(x, 2), numbers(1, 8, 2, 3)
    yield "pixel_unshuffle", lambda x: ops.pixel_unshuffle(x, 2), lambda x: torch.pixel_unshuffle(x, 2), numbers(1, 2, 4, 6)
    yield "channel_shuffle", lambda x: ops.channel_shuffle(x, 3), lambda x: torch.channel_shuffle(x.detach(), 3), Fixed(numbers(1, 6, 2, 2))
    for mode in ("constant", "reflect", "replicate", "circular"):
        yield (f"pad {mode}", lambda x, m=mode: ops.pad(x, (1, 2, 0, 1), m), lambda x, m=mode: torch.nn.functional.pad(x, (1, 2, 0, 1), m),
               numbers(2, 3, 4, 5))
    yield "pad by negative numbers", lambda x: ops.pad(x, (-1, 2)), lambda x: torch.nn.functional.pad(x, (-1, 2)), CUBE
    yield "stacks", lambda x, y: (ops.hstack((x, y)), ops.vstack((x, y)), ops.dstack((x, y)), ops.column_stack((x, y))), lambda x, y: (
        torch.hstack((x, y)), torch.vstack((x, y)), torch.dstack((x, y)), torch.column_stack((x, y))), X, Y
    yield "hstack of vectors", lambda x: ops.hstack((x, x)), lambda x: torch.hstack((x, x)), ROW
    yield "splits", lambda x: ops.tensor_split(x, 3, 1) + ops.vsplit(x, (1, 2)) + ops.hsplit(x, 2) + ops.split(x, 3, 1) + ops.chunk(
        x, 3, 1) + ops.unbind(x, 1), lambda x: (*torch.tensor_split(x, 3, 1), *torch.vsplit(x, (1, 2)), *torch.hsplit(x, 2),
                                               *torch.split(x, 3, 1), *torch.chunk(x, 3, 1), *torch.unbind(x, 1)), X
    yield "dsplit", lambda x: ops.dsplit(x, 2), lambda x: torch.dsplit(x, 2), CUBE
    yield "meshgrid", lambda x, y: ops.meshgrid(x, y, indexing="ij") + ops.meshgrid(x, y), lambda x, y: (
        *torch.meshgrid(x, y, indexing="ij"), *torch.meshgrid(x, y, indexing="xy")), ROW, numbers(3)
    yield "cartesian_prod", ops.cartesian_prod, torch.cartesian_prod, ROW, numbers(3)
    yield "combinations", lambda x: ops.combinations(x, 3), lambda x: torch.combinations(x, 3), numbers(5)
    yield "combinations again", lambda x: ops.combinations(x, 2, True), lambda x: torch.combinations(x, 2, True), ROW
    yield "block_diag", ops.block_diag, torch.block_diag, X, ROW, SQUARE
    yield "diagonal_scatter", lambda x, y: ops.diagonal_scatter(x, y, 1), lambda x, y: torch.diagonal_scatter(x, y, 1), SQUARE, numbers(3)
    yield "fill_diagonal", lambda x: ops.fill_diagonal(x, 2.5, True), lambda x: x.clone().fill_diagonal_(2.5, True), numbers(7, 3)
    yield "tril_indices", lambda: ops.tril_indices(3, 4, 1), lambda: torch.tril_indices(3, 4, 1)
    yield "triu_indices", lambda: ops.triu_indices(3, 4, -1), lambda: torch.triu_indices(3, 4, -1)


def reductions():
    """Reductions over one, some and all axes."""
    for axes in ((0,), (0, 2), (-1,)):
        yield f"logsumexp {axes}", lambda x, a=axes: ops.logsumexp(x, a, True), lambda x, a=axes: torch.logsumexp(x, a, True), CUBE
        yield f"var {axes}", lambda x, a=axes: ops.var(x, a, 1, True), lambda x, a=axes: torch.var(x, a, unbiased=True, keepdim=True), CUBE
        yield f"std {axes}", lambda x, a=axes: ops.std(x, a), lambda x, a=axes: torch.std(x, a, unbiased=False), CUBE
        yield f"nansum {axes}", lambda x, a=axes: ops.nansum(x, a), lambda x, a=axes: torch.nansum(x, a), CUBE
        yield f"amax {axes}", lambda x, a=axes: ops.amax(x, a), lambda x, a=axes: torch.amax(x, a), distinct(2, 3, 4)
        yield f"amin {axes}", lambda x, a=axes: ops.amin(x, a, True), lambda x, a=axes: torch.amin(x, a, True), distinct(2, 3, 4)
        yield f"count_nonzero {axes}", lambda x, a=axes: ops.count_nonzero(x, a, dtype=plumb.int64), lambda x, a=axes: torch.count_nonzero(
            x, a), Fixed(np.round(CUBE))
    yield "logsumexp far out", lambda x: ops.logsumexp(x, 1), lambda x: torch.logsumexp(x, 1), X * 200
    yield "var_mean", lambda x: ops.var_mean(x, 1, True), lambda x: torch.var_mean(x, 1, unbiased=True), X
    yield "std_mean", ops.std_mean, lambda x: torch.std_mean(x, unbiased=False), X
    yield "nanmean", lambda x: ops.nanmean(x, 1), lambda x: torch.nanmean(x, 1), NANS
    for name in ("max", "min"):
        yield name, lambda x, f=getattr(ops, name): f(x, 1), lambda x, n=name: tuple(getattr(torch, n)(x, 1)), distinct(3, 5, 2)
        yield f"{name} kept", lambda x, f=getattr(ops, name): f(x, -1, True), lambda x, n=name: tuple(getattr(torch, n)(x, -1, True)), distinct(3, 5)
    yield "argmax", lambda x: (ops.argmax(x, 0), ops.argmax(x), ops.argmax(x, -1, True)), lambda x: (
        torch.argmax(x, 0), torch.argmax(x), torch.argmax(x, -1, True)), Fixed(distinct(3, 5))
    yield "argmin", lambda x: (ops.argmin(x, 0), ops.argmin(x), ops.argmin(x, -1, True)), lambda x: (
        torch.argmin(x, 0), torch.argmin(x), torch.argmin(x, -1, True)), Fixed(distinct(3, 5))
    yield "argmin of integers", lambda x: ops.argmin(x, 1), lambda x: torch.argmin(x, 1), np.array([[5, -2 ** 31, 7], [1, 0, 2]], np.int32)
    yield "aminmax", lambda x: ops.aminmax(x, axis=1), lambda x: tuple(torch.aminmax(x, dim=1)), Fixed(distinct(3, 5))


PLACES = np.array([[0, 2, 1], [3, 0, 3]])


def indices():
    """Elements by number and by truth."""
    yield "gather_elements", lambda x, i: ops.gather_elements(x, 1, i), lambda x, i: torch.gather(x, 1, i), X, PLACES
    yield "gather_d", lambda x, i: ops.gather_d(x, 0, i), lambda x, i: torch.gather(x, 0, i), CUBE[0].T.copy(), PLACES
    yield "index_select", lambda x, i: ops.index_select(x, 2, i), lambda x, i: torch.index_select(x, 2, i), CUBE, np.array([3, 0, 0])
    yield "gather", lambda x, i: ops.gather(x, i, 1), lambda x, i: x[:, i], X, PLACES
    yield "gather in batches", lambda x, i: ops.gather(x, i, 2, 1), lambda x, i: torch.stack([x[0][:, i[0]], x[1][:, i[1]]]), CUBE, PLACES
    yield ("gather in batches, counted from the indices' last axis", lambda x, i: ops.Gather(batch_dims=-1)(x, i, axis=2),
           lambda x, i: torch.stack([x[0][:, i[0]], x[1][:, i[1]]]), CUBE, PLACES)
    yield "gather_nd", ops.gather_nd, lambda x, i: x[i[:, 0], i[:, 1]], CUBE, np.array([[0, 2], [1, 0], [1, 1], [0, -1]])
    yield "strided_slice", lambda x: ops.strided_slice(x, (1, 0, -1), (2, 3, -4), (1, 2, -2)), lambda x: x[1:2, 0:3:2].flip(2)[..., ::2], CUBE
    yield "strided_slice by masks", lambda x: ops.strided_slice(x, (1, 0, 9, 1), (2, 0, 9, 3), (1, 1, 1, 1), 0, 0, 2, 4, 1), lambda x: (
        x[1][:, None, 1:3]), CUBE
    yield "StridedSlice", lambda x: ops.StridedSlice(2, 1)(x, (1, 2), (0, 2), (1, 1)), lambda x: x[1:, :2], CUBE
    yield "SplitV", lambda x: ops.SplitV([1, -1, 1], 2, 3)(x), lambda x: torch.split(x, [1, 2, 1], 2), CUBE
    yield "EmbeddingLookup", lambda x, i: ops.EmbeddingLookup()(x, i, 4), lambda x, i: torch.stack((x[1], x[0] * 0, x[2])), X, np.array([5, 1, 6])
    yield "CompareAndBitpack", lambda x: ops.CompareAndBitpack()(x, 0.0), lambda x: torch.tensor(
        np.packbits(x.numpy() > 0, -1)), Fixed(numbers(3, 16))
    yield "where", lambda x, y: ops.where(x > y, x, y * 2), lambda x, y: torch.where(x > y, x, y * 2), X, ROW
    yield "masked_fill", lambda x: ops.masked_fill(x, x > 0, 1.5), lambda x: torch.masked_fill(x, x > 0, 1.5), X
    yield "index_fill", lambda x: ops.index_fill(x, 1, plumb.Tensor([0, 2]), -1.0), lambda x: x.index_fill(1, torch.tensor([0, 2]), -1.0), X


TABLES = (arithmetic, comparisons, layouts, reductions, indices)


class TablesTest(unittest.TestCase):
    """Every table in one executable."""


for _table in TABLES:
    setattr(TablesTest, f"test_{_table.__name__}", lambda self, t=_table: check(self, t()))


class EmptyTest(unittest.TestCase):
    """Shapes with extents of 0."""

    def test_other_shapes(self):
        none, some = ops.zeros((0, 3), plumb.float32), plumb.Tensor(np.ones((2, 3), np.float32))
        self.assertEqual([ops.reshape(none, shape).shape for shape in ((3, 0), (0,), (4, 0, 2))], [(3, 0), (0,), (4, 0, 2)])
        self.assertEqual((ops.repeat_elements(some, 0, 1).shape, ops.repeat_interleave(some, 0).shape), ((2, 0), (0,)))
        self.assertEqual(plumb.numpy.repeat(some, 0).shape, (0,))

    def test_shapes_that_are_tensors(self):
        for shape, extents in ((plumb.Tensor(6), (6,)), (plumb.Tensor([6]), (6,)), (plumb.Tensor([3, 2]), (3, 2))):
            made = (ops.fill(plumb.int32, shape, 7), ops.full(shape, 7), ops.ones(shape), ops.zeros(shape),
                    ops.reshape(plumb.Tensor([1, 2, 3, 4, 5, 6]), shape))
            self.assertEqual([tensor.shape for tensor in made], [extents] * 5)
        jitted = plumb.jit(lambda x: ops.fill(plumb.int32, plumb.Tensor([x.shape[0], 3]), 3))
        self.assertEqual(jitted(plumb.Tensor([2, 1])).tolist(), [[3, 3, 3], [3, 3, 3]])


if __name__ == "__main__":
    unittest.main()
