"""Scans, segments, scatters, sorting and searching against PyTorch's and NumPy's; see together.py."""

import unittest

import numpy as np
import torch

import plumb
from plumb import Parameter, Tensor, ops
from plumb.ops import _functions as F
from numeric import distinct, numbers
from together import Fixed, check

X, CUBE = numbers(3, 4) * 2, numbers(2, 3, 4)
APART = distinct(3, 5, 2)
TIES = np.array([[3.0, 1, 3, 2, 1], [0, 0, 0, 5, -1]])
ROWS, COLUMNS = np.array([[0, 2], [1, 0], [2, 3], [0, 0]]), np.array([[0, 2, 1], [3, 0, 3], [1, 1, 2]])


def placed(x, indices, updates, accumulate=True):
    """PyTorch's x with updates at rows of numbers."""
    return x.index_put(tuple(indices.T), updates, accumulate=accumulate)


def scans():
    """Sums, products and extrema of what came before."""
    for axis in (0, -1):
        yield f"cumsum {axis}", lambda x, a=axis: ops.cumsum(x, a), lambda x, a=axis: torch.cumsum(x, a), CUBE
        yield f"cumprod {axis}", lambda x, a=axis: ops.cumprod(x, a), lambda x, a=axis: torch.cumprod(x, a), np.where(CUBE > 1, 0, CUBE)
        yield f"cummax {axis}", lambda x, a=axis: ops.cummax(x, a), lambda x, a=axis: tuple(torch.cummax(x, a)), APART
        yield f"cummin {axis}", lambda x, a=axis: ops.cummin(x, a), lambda x, a=axis: tuple(torch.cummin(x, a)), APART
        yield f"logcumsumexp {axis}", lambda x, a=axis: ops.logcumsumexp(x, a), lambda x, a=axis: torch.logcumsumexp(x, a), CUBE * 40
    yield "CumSum", lambda x: ops.CumSum(True, True)(x, 1), lambda x: x.flip(1).cumsum(1).flip(1) - x, CUBE
    yield "diff", lambda x: ops.diff(x, 2, 1), lambda x: torch.diff(x, 2, 1), CUBE
    yield "diff with ends", lambda x: ops.diff(x, 1, 2, x, x), lambda x: torch.diff(x, 1, 2, x, x), CUBE
    yield "trapz", lambda y, x: ops.trapz(y, x, dim=1), lambda y, x: torch.trapz(y, x, dim=1), CUBE, np.array([0.0, 1.5, 2])
    yield "trapz by steps", lambda y: ops.trapz(y, dx=0.5), lambda y: torch.trapz(y, dx=0.5), CUBE


def segments():
    """Segments with an empty one and with slices of none."""
    ids = np.array([2, 0, 2])
    index = torch.tensor([[2, 2, 2, 2], [0, 0, 0, 0], [2, 2, 2, 2]])
    for name, mode, start in (("sum", "sum", 0.0), ("prod", "prod", 1.0), ("max", "amax", -3.4028234663852886e38), ("min", "amin", 3.4028234663852886e38)):
        yield (f"segment {name}", lambda x, i, f=getattr(ops, f"unsorted_segment_{name}"): f(x, i, 4)[::2],
               lambda x, i, m=mode, s=start: torch.full((4, 4), s, dtype=x.dtype).scatter_reduce(0, index, x, m)[::2],
               X, ids)
    yield "left out", lambda x: ops.unsorted_segment_sum(x, Tensor([0, -1, 7]), 2), lambda x: torch.stack((x[0], x[0] * 0)), X


def products(x, places, factors):
    """x, of which the elements at the places are multiplied by factors, one after the other."""
    for place, factor in zip(places[:, 0] * 4 + places[:, 1], factors):
        x = torch.where(torch.arange(12) == place, x.reshape(-1) * factor, x.reshape(-1))
    return x.reshape(3, 4)


def scatters():
    """Slices changed by rows of numbers, elements along an axis, in several places of one slice."""
    updates = numbers(4, seed=5)
    yield "add", ops.tensor_scatter_add, placed, X, ROWS, updates
    yield "sub", ops.tensor_scatter_sub, lambda x, i, u: placed(x, i, -u), X, ROWS, updates
    yield "update", ops.tensor_scatter_update, lambda x, i, u: placed(x, i, u, False), X, ROWS, updates
    for name, mode in (("mul", "prod"), ("max", "amax"), ("min", "amin")):
        yield (name, getattr(ops, f"tensor_scatter_{name}"), lambda x, i, u, m=mode: x.reshape(-1).scatter_reduce(
            0, i[:, 0] * 4 + i[:, 1], u, m).reshape(3, 4), X, np.concatenate([ROWS, ROWS[:1]]), numbers(5, seed=6))
    yield "mul with zeros", ops.tensor_scatter_mul, products, np.where(X > 1, 0, X), np.concatenate([ROWS] * 3), np.where(
        np.arange(12) % 5 < 2, 0, numbers(12, seed=7))
    yield "div", ops.tensor_scatter_div, lambda x, i, u: placed(x, i, x[tuple(i.T)] / u, False), X, ROWS, updates
    yield "div twice", ops.tensor_scatter_div, lambda x, i, u: products(x, i, 1 / u), X, np.concatenate([ROWS] * 2), numbers(8, seed=8)
    yield "slices", ops.tensor_scatter_add, lambda x, i, u: x.index_add(0, i[:, 0], u), X, np.array([[2], [2]]), numbers(2, 4)
    yield "scatter_nd", lambda i, u: ops.scatter_nd(i, u, (3, 4)), lambda i, u: placed(torch.zeros(3, 4, dtype=u.dtype), i, u), ROWS, updates
    yield "scatter", lambda x, i, s: ops.scatter(x, 1, i, s), lambda x, i, s: x.scatter(1, i, s), X, COLUMNS[:2, :2].copy(), numbers(2, 2)
    yield "elements", lambda x, i, s: ops.tensor_scatter_elements(x, i, s, 1, "add"), lambda x, i, s: x.scatter_add(1, i, s), X, COLUMNS, numbers(3, 3)
    yield "index_add", lambda x, i, s: ops.index_add(x, i, s, 1), lambda x, i, s: x.index_add(1, i, s), X, np.array([3, 0, 3]), numbers(3, 3)
    yield "inplace_update", lambda x, v: ops.inplace_update(x, v, (2, 0)), lambda x, v: x.index_copy(0, torch.tensor([2, 0]), v), X, numbers(2, 4)
    yield "inplace_sub", lambda x, v: ops.inplace_sub(x, v, (2, 0)), lambda x, v: x.index_add(0, torch.tensor([2, 0]), -v), X, numbers(2, 4)
    yield "index_put", lambda x, i, j, v: ops.index_put(x, (i, j), v, True), lambda x, i, j, v: x.index_put((i, j), v, True), X, np.array(
        [0, 2, 0]), np.array([1, 1, 1]), numbers(3)
    yield "masked_scatter", lambda x, s: ops.masked_scatter(x, x > 0, s), lambda x, s: x.masked_scatter(x > 0, s), X, numbers(12)
    yield "slice_scatter", lambda x, s: ops.slice_scatter(x, s, 1, 1, None, 2), lambda x, s: x.slice_scatter(s, 1, 1, None, 2), X, numbers(3, 2)
    yield "select_scatter", lambda x, s: ops.select_scatter(x, s, 1, 2), lambda x, s: x.select_scatter(s, 1, 2), X, numbers(3)


def searches():
    """Sorting, ranks, medians, quantiles, counts."""
    yield "sort", lambda x: ops.sort(x, 1), lambda x: tuple(torch.sort(x, stable=True, dim=1)), TIES
    yield "sort down", lambda x: ops.sort(x, 1, True), lambda x: tuple(torch.sort(x, 1, True)), APART
    yield "argsort", lambda x: ops.argsort(x, 1), lambda x: torch.argsort(x, 1), Fixed(APART)
    yield "msort", ops.msort, torch.msort, APART
    yield "topk", lambda x: ops.topk(x, 3, 1), lambda x: tuple(torch.topk(x, 3, 1)), APART
    yield "topk smallest", lambda x: ops.topk(x, 1, 0, False), lambda x: tuple(torch.topk(x, 1, 0, False)), APART
    yield "median", lambda x: ops.median(x, 1), lambda x: tuple(torch.median(x, 1)), APART
    yield "median kept", lambda x: ops.median(x, -1, True), lambda x: tuple(torch.median(x, -1, True)), APART
    holes = np.where(np.arange(10).reshape(2, 5) % 4 == 1, np.nan, TIES + np.arange(5) * 0.01)
    yield "nanmedian", lambda x: ops.nanmedian(x, 1)[0], lambda x: torch.nanmedian(x, 1)[0], holes
    yield "median of NaN", lambda x: ops.median(x, 1)[0], lambda x: torch.median(x, 1)[0], Fixed(holes)
    yield "quantile", lambda x: ops.quantile(x, Tensor(np.array([0.3, 0.61], np.float32)), 1), lambda x: torch.quantile(
        x, torch.tensor([0.3, 0.61]).float().double(), 1), APART
    yield "quantile of all", lambda x: ops.quantile(x, 0.25, keepdims=True), lambda x: torch.quantile(x, 0.25, keepdim=True), APART
    yield "nanquantile", lambda x: ops.nanquantile(x, 0.5, 1, True), lambda x: torch.nanquantile(x, 0.5, 1, True), holes
    for right in (False, True):
        yield (f"searchsorted {right}", lambda s, v, r=right: ops.searchsorted(s, v, right=r),
               lambda s, v, r=right: torch.searchsorted(s, v, right=r), Fixed(np.sort(X)), Fixed(np.sort(X)[:, 1:3].copy()))
        yield (f"bucketize {right}", lambda v, r=right: ops.bucketize(v, [-1.0, 0.0, 2.0], right=r), lambda v, r=right: torch.bucketize(
            v, torch.tensor([-1.0, 0, 2], dtype=v.dtype), right=r), Fixed(np.array([-2.0, -1, 0.5, 2])))
    yield "histc", lambda x: ops.histc(x, 5, -2.0, 2.0), lambda x: torch.histc(x, 5, -2.0, 2.0).int(), Fixed(X)
    yield "histc by its range", lambda x: ops.histc(x, 4), lambda x: torch.histc(x, 4).int(), Fixed(X)
    yield "intopk", lambda x, t: ops.intopk(x, t, 2), lambda x, t: (x > x.gather(1, t[:, None])).sum(1) < 2, Fixed(X), np.array([1, 3, 0])


COMPLETE = all(hasattr(F, name) for name in ("scatter", "sort", "cumsum", "cumprod", "cummax", "cummin", "linear_recurrence"))


@unittest.skipUnless(COMPLETE, "the compiler has no operations yet that scatter, sort and scan")
class TablesTest(unittest.TestCase):
    """Every table in one executable; places are of other integer types than PyTorch's."""


for _table in (scans, segments, scatters, searches):
    setattr(TablesTest, f"test_{_table.__name__}", lambda self, t=_table: check(self, t()))


@unittest.skipUnless(COMPLETE, "the compiler has no operations yet that scatter, sort and scan")
class ExtentsTest(unittest.TestCase):
    """Results of an extent that depends on values, outside of compiled functions; Parameters that are written."""

    def test_extents(self):
        x = np.array([5, 1, 9, 2, 5, 2, 2], np.int32)
        values, inverse = (part.asnumpy() for part in ops.unique(Tensor(x)))
        self.assertEqual(values.tolist(), [5, 1, 9, 2])
        self.assertEqual(values[inverse].tolist(), x.tolist())
        self.assertEqual(ops.unique_with_pad(Tensor(x), -1)[0].asnumpy().tolist(), [5, 1, 9, 2, -1, -1, -1])
        runs = [part.asnumpy().tolist() for part in ops.unique_consecutive(Tensor(x), True, True)]
        self.assertEqual(runs, [[5, 1, 9, 2, 5, 2], [0, 1, 2, 3, 4, 5, 5], [1, 1, 1, 1, 1, 2]])
        rows = ops.unique_consecutive(Tensor(np.array([[1, 1], [1, 1], [2, 3]], np.int32)), axis=0)
        self.assertEqual(rows.asnumpy().tolist(), [[1, 1], [2, 3]])
        self.assertEqual(ops.nonzero(Tensor(X > 0)).asnumpy().tolist(), np.argwhere(X > 0).tolist())
        np.testing.assert_array_equal(ops.masked_select(Tensor(X), Tensor(X > 0)).asnumpy(), X[X > 0])
        for none in (np.zeros((3, 4), np.float32), np.zeros(5, np.int32)):  # nothing is a result, too
            for function in (ops.nonzero, ops.argwhere):
                np.testing.assert_array_equal(function(Tensor(none)).asnumpy(), np.argwhere(none))
            self.assertEqual(ops.masked_select(Tensor(none), Tensor(none > 0)).shape, (0,))
        self.assertEqual(ops.bincount(Tensor(x)).asnumpy().tolist(), np.bincount(x).tolist())
        self.assertEqual(ops.operations.SegmentMean()(Tensor([1.0, 2.0, 9.0]), Tensor([0, 0, 2])).asnumpy().tolist(), [1.5, 0, 9])
        with self.assertRaisesRegex(Exception, "value, which is only known while training"):
            plumb.jit(ops.nonzero)(Tensor(X))

    def test_methods_make_new_tensors(self):
        """Methods are the functions on tensors, whose indices end in places; MindSpore 2.0.0's are."""
        x, rows, updates = np.arange(12, dtype=np.float32).reshape(3, 4), np.array([[2], [0]]), np.full((2, 4), 5, np.float32)
        for name, function in (("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("div", np.divide),
                               ("max", np.maximum), ("min", np.minimum)):
            expected, tensor = x.copy(), Tensor(x)
            expected[[2, 0]] = function(x[[2, 0]], updates)
            made = getattr(tensor, f"scatter_{name}")(Tensor(rows), Tensor(updates))
            np.testing.assert_allclose(made.asnumpy(), expected, err_msg=name)
            np.testing.assert_array_equal(tensor.asnumpy(), x)

    def test_segments_of_integers(self):
        """Extrema of segments hold up to the ends of every integer type; so do tensors filled with numbers of 63 bits."""
        ids, rng = np.array([2, 0, 2, 0], np.int32), np.random.default_rng(4)
        for kind in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64):
            limits = np.iinfo(kind)
            x = rng.integers(limits.min, limits.max, (4, 5), kind, endpoint=True)
            least, largest = (getattr(ops, f"unsorted_segment_{name}")(Tensor(x), Tensor(ids), 3).asnumpy() for name in ("min", "max"))
            np.testing.assert_array_equal(least, [x[[1, 3]].min(0), [limits.max] * 5, x[[0, 2]].min(0)], err_msg=str(kind))
            np.testing.assert_array_equal(largest, [x[[1, 3]].max(0), [limits.min] * 5, x[[0, 2]].max(0)], err_msg=str(kind))
        for number in (2 ** 53 + 1, 2 ** 63 - 1, -2 ** 53 - 3, -2 ** 63):
            self.assertEqual(ops.full((2,), number).asnumpy().tolist(), [number] * 2)
            self.assertEqual(ops.fill(plumb.int64, (1,), number).asnumpy().tolist(), [number])
            self.assertEqual(ops.full_like(Tensor([1]), number).asnumpy().tolist(), [number])

    def test_filled_with_a_tensor(self):
        """A tensor of one element fills as its number does, computed ones as well, and gets the sum of the gradients."""
        for fill in (lambda v: ops.full((2, 3), v), plumb.jit(lambda v: ops.full((2, 3), v)), plumb.jit(lambda v: ops.full((2, 3), Tensor(2.5)))):
            filled = fill(Tensor([2.5]))
            self.assertEqual((filled.dtype, filled.tolist()), (plumb.float32, [[2.5] * 3] * 2))
        self.assertEqual(ops.full_like(Tensor([1, 2]), Tensor(7.0)).tolist(), [7, 7])
        self.assertEqual(ops.fill(plumb.int32, 2, Tensor(7)).dtype, plumb.int32)
        self.assertEqual(plumb.grad(lambda v: ops.full((2, 3), v).sum())(Tensor(1.0)).tolist(), 6)

    def test_places_of_unique_elements(self):
        values, places = ops.unique(Tensor([[1, 2], [2, 1]]))
        self.assertEqual((values.asnumpy().tolist(), places.asnumpy().tolist()), ([1, 2], [[0, 1], [1, 0]]))

    def test_expand_by_a_tensor(self):
        self.assertEqual(ops.expand(Tensor(np.ones((3, 1), np.float32)), Tensor([2, 3, 4])).shape, (2, 3, 4))
        self.assertEqual(Tensor(np.ones((3, 1), np.float32)).expand(Tensor([2, 3, 4])).shape, (2, 3, 4))

    def test_parameters(self):
        table = Parameter(Tensor(np.zeros((3, 2), np.float32)), name="table")
        ops.scatter_add(table, Tensor([[0, 2]]), Tensor(np.ones((1, 2, 2), np.float32)))
        ops.ScatterNdUpdate()(table, Tensor([[1, 1]]), Tensor(np.array([7.0], np.float32)))
        self.assertEqual(table.asnumpy().tolist(), [[1, 1], [0, 7], [1, 1]])
        with self.assertRaisesRegex(TypeError, "must be a Parameter"):
            ops.scatter_add(Tensor(np.zeros((3, 2), np.float32)), Tensor([0]), Tensor(np.ones((1, 2), np.float32)))

    def test_gradients_of_updates(self):
        """Of what is written into a Parameter gradients go on to the updates, and to the Parameter as it was."""
        updates = np.arange(1, 9, dtype=np.float32).reshape(2, 4)
        rows, numbers_of_rows = Tensor([0, 2], plumb.int32), Tensor([[0], [2]], plumb.int32)
        before = np.full((3, 4), 3, np.float32)
        chosen = {"Add": lambda x, u: x + u, "Sub": lambda x, u: x - u, "Mul": lambda x, u: x * u, "Max": torch.maximum, "Update": lambda x, u: u}
        operations = [(getattr(ops, f"Scatter{name}")(), rows, change) for name, change in chosen.items()]
        operations += [(getattr(ops, f"ScatterNd{name}")(), numbers_of_rows, change) for name, change in chosen.items()]
        operations += [(kind(0), rows, chosen["Add"]) for kind in (ops.IndexAdd, ops.InplaceIndexAdd)]
        for operation, places, change in operations:
            with self.subTest(operation=type(operation).__name__):
                parameter = Parameter(Tensor(before + 0.5), name="changed")
                square = plumb.grad(lambda u, p=parameter, o=operation, i=places: ops.square(o(p, i, u)).sum(), 0, [parameter])
                by_updates, (by_parameter,) = square(Tensor(updates))
                x, u = torch.tensor(before + 0.5, requires_grad=True), torch.tensor(updates, requires_grad=True)
                x.index_copy(0, torch.tensor([0, 2]), change(x[[0, 2]], u)).square().sum().backward()
                np.testing.assert_allclose(by_updates.asnumpy(), u.grad.numpy(), rtol=1e-5)
                np.testing.assert_allclose(by_parameter.asnumpy(), x.grad.numpy(), rtol=1e-5)


if __name__ == "__main__":
    unittest.main()
