"""`plumb.numpy` against NumPy: each table of calls runs once by NumPy, and once compiled as one function.

The global `np_` is the module that a table calls. Element types are compared where the two agree on them.
"""

import unittest

import numpy as np

import plumb
from numeric import differences
from plumb import Tensor
from plumb import numpy as mnp

np_ = np
RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((2, 3, 4)).astype(np.float32)
CUBE = RNG.standard_normal((2, 3, 4)).astype(np.float32)
COUNT = np.arange(12, dtype=np.int32).reshape(3, 4)
TRUTH = X > 0
HOLES = np.where(X > 0.5, np.nan, X).astype(np.float32)


def creations(x, y, cube, count, truth, holes):
    """Filled, counted, triangular, coordinates, windows."""
    return [
        np_.diag(x[0], -1), np_.diag(x, 1), np_.diagonal(cube, 0, 1, 2), np_.diagonal(cube, -1, 2, 1), np_.diagflat(x, 2),
        np_.trace(cube, 1), np_.tril(x, -1), np_.triu(cube, 1), np_.tri(3, 5, 1), np_.eye(3, 4, 1), np_.vander(x[0], 3),
        np_.vander(x[0], increasing=True), *np_.indices((2, 3)), *np_.ix_(x[0], y[1]), *np_.meshgrid(x[0], y[0][:3]),
        *np_.meshgrid(x[0], y[0], x[1][:2], indexing="ij", sparse=True), np_.full_like(x, 3), np_.full((2, 3), x[0][:3]),
        np_.linspace(x[0], y[0], 5, axis=1), np_.linspace(1, 7, 4, endpoint=False), np_.logspace(0, 2, 5),
        np_.geomspace(1, 1000, 4), np_.arange(3, 30, 4), np_.arange(2.0, 0.0, -0.5), np_.arange(10000)[::999], np_.hamming(7),
        np_.hanning(6), np_.blackman(6), np_.bartlett(5), *np_.tril_indices(3, 1, 5), *np_.triu_indices(4, -1),
        np_.pad(x, ((1, 2), (3, 2)), constant_values=((1, 2), (3, 4))), np_.pad(x, 2, mode="edge"),
        np_.pad(x, ((1, 5), (7, 2)), mode="reflect"), np_.pad(x, ((4, 5), (9, 2)), mode="symmetric"),
        np_.pad(x, ((1, 3), (4, 2)), mode="wrap"), np_.pad(x, 1, mode="maximum"), np_.pad(x, 1, mode="mean"),
        np_.pad(x, ((1, 2), (3, 1)), mode="maximum", stat_length=2), np_.pad(x, 2, mode="mean", stat_length=((1, 2), (3, 9))),
        np_.pad(x, 2, mode="minimum", stat_length=((1, 3),)), np_.pad(x, 2, mode="reflect", reflect_type="odd"),
        np_.pad(count, ((1, 9), (7, 2)), mode="reflect", reflect_type="odd"),
        np_.pad(count, ((4, 5), (9, 12)), mode="symmetric", reflect_type="odd"), np_.pad(x, 1, mode="minimum"), np_.pad(x, 3, mode="linear_ramp", end_values=2)]


def shapes(x, y, cube, count, truth, holes):
    """Axes, joining, splitting, repeating."""
    return [
        np_.concatenate((x, count), 1), np_.concatenate((x, y), None), np_.append(x, y), np_.stack([x, y], -1),
        np_.vstack([x, y[0]]), np_.hstack([x, y]), np_.hstack([x[0], y[0]]), np_.dstack([x, y]),
        np_.column_stack([x[:, 0], y]), np_.transpose(cube), np_.moveaxis(cube, 0, -1), np_.moveaxis(cube, (0, 1), (2, 0)),
        np_.rollaxis(cube, 2, 0), np_.rollaxis(cube, 0, 3), np_.swapaxes(cube, 0, 2), np_.expand_dims(x, (0, 3)),
        np_.flip(cube), np_.flip(cube, (0, 2)), np_.flipud(x), np_.fliplr(x), np_.roll(cube, 5), np_.roll(cube, (1, 2), (0, 2)),
        np_.roll(x, -1, 1), np_.rot90(x), np_.rot90(cube, 3, (1, 2)), np_.rot90(x, 2), np_.tile(x, (2, 1)), np_.tile(x, 2),
        np_.tile(x[0], (2, 1, 2)), np_.repeat(x, 2), np_.repeat(x, 3, 1), np_.repeat(x, [1, 0, 2], 0), *np_.split(x, 2, 1),
        *np_.array_split(x, [1, 3], 1), *np_.array_split(x, 3, 1), *np_.hsplit(x, 2), *np_.vsplit(x, 3), *np_.dsplit(cube, 2),
        np_.broadcast_to(x[0], (3, 4)), *np_.broadcast_arrays(x, x[0]), np_.atleast_3d(x), *np_.atleast_3d(x[0], cube),
        np_.atleast_2d(x[0]), np_.atleast_1d(x), np_.squeeze(x[:1]), np_.ravel(x), np_.reshape(cube, (4, -1))]


def choices(x, y, cube, count, truth, holes):
    """Elements by condition and by number."""
    return [
        np_.where(truth, x, y), np_.where(truth, x, 2.5), np_.where(truth[0], x, y[:, :1]),
        np_.select([x > 1, x > 0], [x, y], 7), np_.take(x, count[0], 0, mode="clip"), np_.take(x, count, mode="wrap"),
        np_.take(x, -count[0], mode="raise"), np_.take_along_axis(x, count[:2] % 3, 0),
        np_.take_along_axis(cube, count.reshape(2, 3, 2) % 4, 2), np_.choose(count[0] % 3, [x[0], y[0], x[1]]),
        *np_.unravel_index(count, (4, 3)), *np_.unravel_index(count, (4, 3), order="F"),
        np_.ravel_multi_index((count[0] % 3, count[0]), (3, 4)), np_.ravel_multi_index((count[0] % 3, count[0]), (3, 4), order="F")]


def logic(x, y, cube, count, truth, holes):
    """Comparison, logic, questions."""
    return [
        np_.isnan(holes), np_.isinf(x), np_.isfinite(holes), np_.isposinf(x / 0.0), np_.isneginf(x / 0.0), np_.isnan(count),
        np_.isclose(x, x + 1e-9), np_.isclose(holes, holes, equal_nan=True), np_.isclose(x / 0.0, x / 0.0), np_.array_equal(x, x),
        np_.array_equal(x, y), np_.array_equal(holes, holes), np_.array_equal(holes, holes, equal_nan=True),
        np_.array_equiv(x, x[0]), np_.array_equiv(x, count), np_.isin(count, [3, 4, 50]), np_.in1d(count, [3, 4], invert=True),
        np_.logical_xor(truth, x), np_.logical_and(truth, count), np_.logical_or(truth, count), np_.logical_not(count),
        np_.less(x, y), np_.less_equal(x, count), np_.greater(x, 0.5), np_.greater_equal(count, 3), np_.equal(count, 3),
        np_.not_equal(count, x)]


def reductions(x, y, cube, count, truth, holes):
    """Sums, means, extrema, moments."""
    return [
        np_.sum(x), np_.sum(x, 0), np_.sum(cube, (0, 2), keepdims=True), np_.sum(count), np_.sum(x, initial=3), np_.amax(x, 1),
        np_.amin(cube, (0, 1)), np_.amax(x, 0, initial=-1, where=truth), np_.amin(x, 0, initial=9.0, where=truth), np_.ptp(x, 1),
        np_.mean(cube, (0, 2)), np_.mean(count, 0), np_.average(x, 1, weights=x[0] + 9), np_.average(x, weights=y),
        np_.var(x, 0, ddof=1), np_.std(cube), np_.std(cube, (0, 1), keepdims=True), np_.var(count), np_.count_nonzero(count, 0),
        np_.nansum(holes, 0), np_.nanmax(holes, 1), np_.nanmin(holes), np_.nanmean(holes, 0), np_.nanvar(holes, 1, ddof=1),
        np_.nanstd(holes), np_.argmax(x, 1), np_.argmin(x, 0), np_.argmin(x), np_.argmin(count), np_.argmax(count, 0),
        np_.argmin(-count, 1)]


def products(x, y, cube, count, truth, holes):
    """Products, norms, covariances, convolutions, differences, counts, polynomials."""
    return [
        np_.matmul(x, y.T), np_.matmul(cube, x[0]), np_.matmul(x[0], y[0]), np_.matmul(cube, x.T), np_.dot(cube, x.T),
        np_.dot(cube, x[0]), np_.dot(count, count.T), np_.inner(cube, x), np_.inner(x[0], y[0]), np_.outer(x[0], y),
        np_.tensordot(cube, x), np_.tensordot(cube, cube, ((0, 2), (0, 2))), np_.tensordot(x, y, 0), np_.kron(x, y),
        np_.kron(x[0], cube), np_.cross(x[:, :3], y[:, :3]), np_.cross(x[:, :2], y[:, 1:4]), np_.cross(x[:, :2], y[:, 1:3]),
        np_.cross(x, y, axis=0), np_.norm(x), np_.norm(x, 1), np_.norm(x, -np_.inf, (1, 0)),
        np_.norm(cube, np_.inf, (0, 2), True), np_.norm(cube, 3, 1), np_.norm(x, 0, 1),
        np_.norm(cube, 2, 1), np_.norm(x, "fro"), np_.norm(x, "nuc"), np_.norm(cube, -2, (0, 2)),
        np_.norm(x, 2, None, True), np_.multi_dot([x, y.T, x]),
        np_.matrix_power(x[:, :3], 5), np_.cov(x), np_.cov(x[0]), np_.cov(x, y, rowvar=False, bias=True),
        np_.cov(x, fweights=count[1], aweights=count[2]), np_.corrcoef(x, y), np_.convolve(x[0], y[1][:2]),
        np_.convolve(count[0], count[1][:3], "same"), np_.convolve(x[0], 2), np_.convolve(3, 4),
        np_.convolve(x[0][:2], y[1], "valid"), np_.correlate(x[0], y[0][:2]),
        np_.correlate(x[0][:2], y[0], "full"), np_.correlate(x[0], y[0][:3], "same"), np_.diff(cube), np_.diff(x, 2, 0),
        np_.diff(count, axis=1, prepend=3, append=x), np_.diff(truth), np_.ediff1d(x, to_begin=3, to_end=[1.5, 2]),
        np_.trapz(x), np_.trapz(x, dx=0.5, axis=0), np_.trapz(cube, x[0]), *np_.gradient(cube), np_.gradient(x[0], 0.5),
        np_.gradient(x, np_.array([1.0, 1.5, 3.0, 3.25]), axis=1), *np_.gradient(cube[:, :, :3], axis=(1, 2), edge_order=2),
        np_.gradient(x, np_.array([1.0, 1.5, 3.0, 3.25]), axis=1, edge_order=2), np_.gradient(x[0], 0.5, edge_order=2),
        np_.searchsorted(np_.arange(7), x * 5), np_.searchsorted([1, 3, 3, 8], 3),
        np_.searchsorted([1, 3, 3, 8], [[3, 0], [9, 8]], side="right"), np_.digitize(x, [-1.0, 0.0, 0.5]),
        np_.digitize(count, [9, 5, 2], right=True), np_.digitize(count, [9, 5, 2]), *np_.histogram(x), *np_.histogram(x, 4, (-1, 1)),
        *np_.histogram(x, [-1.0, 0.0, 0.5, 2.0], weights=y), np_.histogram(x, density=True)[0], *np_.histogram(count * 0 + 4, 3),
        *np_.histogram2d(x[0], y[0], 3), np_.histogramdd(x, (2, 3, 2, 2))[0], np_.histogramdd(x[:, :2], 2, density=True)[0],
        np_.interp(x, [-1.0, 0.2, 1.0], [3.0, 5.0, -1.0]), np_.interp(x, [-1.0, 0.2, 1.0], [3.0, 5.0, -1.0], left=7, right=8),
        np_.polyadd(x[0], y[0][:2]), np_.polysub([1, 2], [3, 4, 5]), np_.polymul(x[0], y[0]), np_.polyval(x[0], y),
        np_.polyder(x[0], 2), np_.polyder(x[0, :1]), np_.polyder([3.0, 1.0], 3), np_.polyint(x[0]), np_.polyint([3, 2], 2, [5, 6])]


def smooth(x, y, cube):
    """What has a gradient, at points without kinks."""
    some = np_.abs(x) + 0.25
    return [
        np_.diagonal(cube, 1, 1, 2), np_.trace(cube), np_.tril(x), np_.triu(cube, 1), np_.diag(x[0]), np_.vander(x[0], 4),
        np_.linspace(x, y, 3), np_.pad(x, 2, mode="reflect"), np_.pad(x, 2, mode="mean"), np_.pad(x, 1, mode="linear_ramp"),
        np_.concatenate((x, y), 1), np_.stack([x, y], 1), np_.moveaxis(cube, 0, 2), np_.flip(cube, (0, 2)), np_.roll(x, 2),
        np_.rot90(x), np_.tile(x, (2, 2)), np_.repeat(x, [1, 0, 2], 0), np_.array_split(x, 3, 1)[0], np_.where(x > y, x, y * 2),
        np_.select([x > 0.5, y > 0], [x, y], 7), np_.take(x, [[0, 3], [3, 3]], 1), np_.choose([0, 1, 1, 0], [x[0], y[0]]),
        np_.sum(cube, (0, 2)), np_.amax(x, 1), np_.amin(cube), np_.ptp(x, 0), np_.mean(cube, 1), np_.average(x, 1, some[0]),
        np_.var(x, 0, ddof=1), np_.std(cube, (0, 1)), np_.matmul(cube, x.T), np_.dot(cube, x[0]), np_.inner(x, y),
        np_.outer(x[0], y[0]), np_.tensordot(cube, x), np_.kron(x, y), np_.cross(x[:, :3], y[:, :3]), np_.norm(x), np_.norm(x, 3, 1),
        np_.norm(x, 1), np_.multi_dot([x, y.T, x]), np_.matrix_power(x[:, :3], 3), np_.cov(x, y), np_.corrcoef(x),
        np_.convolve(x[0], y[0]), np_.correlate(x[0], y[0][:2]), np_.diff(cube, 2), np_.trapz(x, axis=0), np_.gradient(x, axis=1),
        np_.gradient(x, axis=1, edge_order=2), np_.interp(x, [-1.0, 0.25, 1.0], y[0][:3]), np_.polyval(x[0], y), np_.polymul(x[0], y[0]), np_.polyint(x[0]),
        np_.sqrt(some), np_.exp(x), np_.log(some), np_.sin(x), np_.tanh(x), np_.absolute(x), np_.divide(x, some), np_.power(some, y),
        np_.maximum(x, y), np_.hypot(x, y), np_.logaddexp(x, y), np_.logaddexp2(x, y), np_.copysign(x, y), np_.reciprocal(some),
        np_.cbrt(x), np_.exp2(x), np_.log2(some), np_.log10(some), np_.deg2rad(x), np_.float_power(some, 1.5), np_.tan(x / 3),
        np_.sinh(x), np_.arcsin(x / 3), np_.arctan(x), np_.arcsinh(x), np_.arctanh(x / 3), np_.log1p(some), np_.expm1(x),
        np_.arctan2(x, y), np_.clip(x, -0.5, 0.5), np_.remainder(x, 3.0), np_.cumsum(x), np_.cumprod(x, 1), np_.unwrap(x)]


def weighted(x, y, cube, *weights):
    """The sum of all results of `smooth`, each element with its weight."""
    results, total = smooth(x, y, cube), 0.0
    for number in range(len(results)):
        total = total + np_.sum(results[number] * weights[number])
    return total


class NumPy:
    """NumPy, with the functions of its linalg that `plumb.numpy` has among the others."""

    norm, multi_dot = staticmethod(np.linalg.norm), staticmethod(np.linalg.multi_dot)
    matrix_power = staticmethod(np.linalg.matrix_power)

    def __getattr__(self, name):
        return getattr(np, name)


def mathematics(x, y, cube, count, truth, holes):
    """Element by element."""
    some = np_.abs(x) + 0.25
    return [
        np_.sqrt(some), np_.exp(x), np_.log(some), np_.sin(cube), np_.cos(count), np_.tanh(x), np_.floor(x * 3), np_.ceil(x * 3),
        np_.negative(x), np_.absolute(count - 5), np_.fabs(x), np_.sign(x), np_.sign(count - 3), np_.square(count),
        np_.invert(count), np_.invert(truth), np_.add(x, count), np_.add(truth, 1), np_.subtract(x, y[0]), np_.multiply(count, 2.5),
        np_.divide(x, y), np_.true_divide(count, count + 1), np_.floor_divide(x, y), np_.floor_divide(count - 5, 3),
        np_.remainder(count - 5, 3), np_.remainder(x, y), np_.fmod(x, y), np_.fmod(count - 5, 3), np_.power(some, x),
        np_.power(count, 2), np_.maximum(x, count), np_.minimum(x, holes), np_.bitwise_and(count, 5), np_.bitwise_or(count, 5),
        np_.bitwise_xor(count, count.T.reshape(3, 4)), np_.hypot(x, y), np_.logaddexp(x, y * 50), np_.logaddexp2(x, y),
        np_.copysign(x, y), np_.copysign(some, -0.0), np_.heaviside(x - x[0], 0.5), np_.gcd(count, 8), np_.lcm(count, 8), np_.diff(cube, 0, append=cube),
        np_.cumsum(x), np_.cumsum(cube, 1), np_.cumsum(count, 1), np_.cumprod(x, 1), np_.cumprod(count[0] + 1),
        np_.nancumsum(holes, 0), np_.unwrap(x * 9), np_.unwrap(cube * 9, axis=1), np_.positive(x), np_.reciprocal(x), np_.cbrt(x), np_.exp2(x), np_.exp2(count), np_.log2(some), np_.log10(some),
        np_.deg2rad(x), np_.rad2deg(x), np_.float_power(some, 1.5), *np_.divmod(x, y), np_.clip(x, -0.5, 0.5),
        np_.clip(x, y, 1), np_.clip(count, None, 4), np_.tan(x), np_.sinh(x), np_.cosh(x), np_.arcsin(x / 3), np_.arccos(x / 3),
        np_.arctan(x), np_.arcsinh(x), np_.arccosh(some + 1), np_.arctanh(x / 3), np_.log1p(some), np_.expm1(x / 9),
        np_.rint(x * 2.5), np_.trunc(x * 3), np_.fix(x * 3), np_.around(x, 2), np_.around(count), np_.arctan2(x, y),
        np_.arctan2(x, count), np_.signbit(np_.copysign(x, y) * 0.0), np_.signbit(count - 3)]


def by_numpy(table, *inputs):
    """What NumPy gives; divisions by zero are meant."""
    global np_
    np_ = NumPy()
    with np.errstate(all="ignore"):
        return [np.asarray(value) for value in table(*inputs)]


def compiled(table, *inputs):
    """What one compiled function of all calls gives."""
    global np_
    np_ = mnp
    try:
        return plumb.jit(table)(*[Tensor(value) for value in inputs])
    finally:
        np_ = np


class NumpyTest(unittest.TestCase):
    """Tables."""

    def check(self, table, *inputs):
        """Compares every call of a table, as exactly as its element type is."""
        expected, results = by_numpy(table, *inputs), compiled(table, *inputs)
        self.assertEqual(len(expected), len(results))
        for number, (want, got) in enumerate(zip(expected, results)):
            self.assertEqual(want.shape, got.shape, f"{table.__name__}: result {number}")
            rtol = {2: 4e-3, 8: 1e-9}.get(got.itemsize, 2e-5)
            np.testing.assert_allclose(got.asnumpy(), want, rtol=rtol, atol=rtol / 20, err_msg=f"{table.__name__}: result {number}")

    def test_tables(self):
        """All themes."""
        for table in (creations, shapes, choices, logic, reductions, products, mathematics):
            with self.subTest(table.__name__):
                self.check(table, X, Y, CUBE, COUNT, TRUTH, HOLES)


    def test_element_types(self):
        """Doubles stay doubles, and halves halves: what is computed in another type on the way would show."""
        for kind, table in ((np.float64, mathematics), (np.float64, reductions), (np.float16, choices)):
            with self.subTest(table.__name__, kind=kind):
                arrays = [array.astype(kind) if array.dtype.kind == "f" else array for array in (X, Y, CUBE, COUNT, TRUTH, HOLES)]
                self.check(table, *arrays)

    def test_gradients(self):
        """Against central differences of NumPy's values, in float64; all functions in one program."""
        global np_
        inputs = [RNG.permutation(np.arange(X.size) - 5.4).reshape(3, 4) / 4, RNG.permutation(np.arange(X.size) - 5.2).reshape(3, 4) / 4,
                  RNG.permutation(np.arange(CUBE.size) - 11.3).reshape(CUBE.shape) / 8]
        weights = [RNG.standard_normal(value.shape) for value in by_numpy(smooth, *inputs)]
        np_ = mnp
        try:
            value, gradients = plumb.value_and_grad(weighted, (0, 1, 2))(*[Tensor(array) for array in inputs + weights])
        finally:
            np_ = NumPy()
        np.testing.assert_allclose(float(value), weighted(*inputs, *weights), rtol=1e-9)
        for position, gradient in enumerate(gradients):
            expected = differences(lambda *arrays: weighted(*arrays, *weights), inputs, position)
            np.testing.assert_allclose(gradient.asnumpy(), expected, rtol=1e-5, atol=1e-5)
        np_ = np


class EagerTest(unittest.TestCase):
    """Calls from plain Python."""

    def test_a_call_is_one_program(self):
        """A second call of the same signature compiles nothing; lists of one shape share a program."""
        from plumb import _engine
        mnp.std(Tensor(X), 1)
        mnp.isin([1, 2, 3], [3])
        runs = len(_engine._runs)
        mnp.std(Tensor(Y), 1)
        self.assertTrue(mnp.isin([7, 8, 9], [8]).asnumpy().tolist() == [False, True, False])
        self.assertEqual(len(_engine._runs), runs)

    def test_types(self):
        """Numbers and lists are of 32 bits; sequences stay sequences."""
        for value, kind in ((mnp.array([1, 2]), "Int32"), (mnp.array(2.5), "Float32"), (mnp.array([True]), "Bool"),
                            (mnp.arange(3), "Int32"), (mnp.arange(3.0), "Float32"), (mnp.ones(3), "Float32"),
                            (mnp.eye(2, dtype=int), "Int32"), (mnp.full((2,), 3), "Int32"), (mnp.argmax([1, 2]), "Int64"),
                            (mnp.mean([1, 2]), "Float32"), (mnp.where([True], 1, 2.5), "Float32"),
                            (mnp.array([1, 2], "float64"), "Float64"), (mnp.sum([True, True]), "Int32")):
            self.assertEqual(str(value.dtype), kind)
        self.assertEqual((type(mnp.split(mnp.ones(3), 1)), type(mnp.indices((2,))), type(mnp.atleast_1d([1], [2]))),
                         (tuple, list, list))

    def test_narrow_integers(self):
        """Running sums and products of narrow integers do not wrap around; limits of booleans are numbers."""
        small = np.array([[200, 100], [7, 9]], np.uint8)
        for made, expected, kind in ((mnp.cumsum(Tensor(small)), np.cumsum(small), "Int32"),
                                     (mnp.nancumsum(Tensor(small), 0), np.cumsum(small, 0), "Int32"),
                                     (mnp.cumprod(Tensor(small), 1), np.cumprod(small, 1), "UInt32"),
                                     (mnp.cumsum(Tensor(small.astype(np.int8))), np.cumsum(small.astype(np.int8)), "Int32"),
                                     (mnp.cumsum(Tensor(small > 50)), np.cumsum(small > 50), "Int32"),
                                     (mnp.clip(Tensor(small > 50), -0.3, 0.4), small > 50, "Bool"),
                                     (mnp.heaviside([-2, 0, 3], [7, 8, 9]), np.array([0, 8, 1]), "Int32"),
                                     (mnp.heaviside(Tensor([-2.0, 0]), Tensor([7, 8])), np.array([0, 8.0]), "Float32")):
            np.testing.assert_array_equal(made.asnumpy(), expected)
            self.assertEqual(str(made.dtype), kind)

    def test_host(self):
        """Sets, whose size depends on values; grids; random numbers, which `set_seed` starts anew."""
        found, places = mnp.unique([[2, 1], [2, 5]], return_inverse=True)
        np.testing.assert_array_equal(mnp.argwhere([[2, 0], [0, 5]]).asnumpy(), [[0, 0], [1, 1]])
        self.assertEqual((found.tolist(), places.tolist()), ([1, 2, 5], [1, 0, 1, 2]))
        self.assertEqual((mnp.intersect1d([1, 2, 3], [3, 1]).tolist(), mnp.setdiff1d([1, 2], [2]).tolist(),
                          mnp.union1d([1], [0]).tolist(), mnp.bincount([1, 1, 3]).tolist()), ([1, 3], [1], [0, 1], [0, 2, 0, 1]))
        np.testing.assert_array_equal(mnp.mgrid[0:2, 1:4:2].asnumpy(), np.mgrid[0:2, 1:4:2])
        np.testing.assert_allclose(mnp.ogrid[0:1:3j, 0:2][0].asnumpy(), np.ogrid[0:1:3j, 0:2][0])
        plumb.set_seed(3)
        first = mnp.rand(2, 3), mnp.randn((4,)), mnp.randint(2, 5, (1000,))
        plumb.set_seed(3)
        for one, other in zip(first, (mnp.rand((2, 3)), mnp.randn(4), mnp.randint(2, 5, (1000,)))):
            np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
        self.assertEqual(mnp.unique(first[2]).tolist(), [2, 3, 4])
        with self.assertRaisesRegex(plumb._parse.CompileError, "numpy_test.py.*'unique' cannot be called.*depends on values"):
            plumb.jit(lambda x: mnp.unique(x))(Tensor(X))

    def test_errors(self):
        """Errors are of the classes that NumPy users know."""
        with self.assertRaisesRegex(ValueError, "'sum', the axis must be in .-2, 2., but got 2"):
            mnp.sum(Tensor(X), 2)
        with self.assertRaisesRegex(ValueError, "'even' or 'odd'"):
            mnp.pad(Tensor(X), 1, mode="reflect", reflect_type="both")
        with self.assertRaisesRegex(ValueError, "stat_length must be at least 1"):
            mnp.pad(Tensor(X), 1, mode="maximum", stat_length=0)
        with self.assertRaisesRegex(AttributeError, "plumb.numpy.random' is not offered"):
            mnp.random  # pylint: disable=pointless-statement


class StructureTest(unittest.TestCase):
    """Several results come in the containers that NumPy gives them in."""

    def test_lists_and_tuples(self):
        counts, edges = mnp.histogramdd(plumb.Tensor(np.arange(15, dtype=np.float32).reshape(5, 3)), bins=(2, 3, 4))
        expected, bounds = np.histogramdd(np.arange(15).reshape(5, 3), bins=(2, 3, 4))
        np.testing.assert_array_equal(counts.asnumpy(), expected)
        self.assertIsInstance(edges, list)
        for made, bound in zip(edges, bounds, strict=True):
            np.testing.assert_allclose(made.asnumpy(), bound, rtol=1e-6)
        self.assertIsInstance(mnp.split(plumb.Tensor(np.arange(4.0)), 2), tuple)
        self.assertIsInstance(mnp.broadcast_arrays(plumb.Tensor(np.arange(4.0)), 1.0), list)

    def test_copies(self):
        """What `array` makes of a tensor is another one, which changes alone."""
        first = mnp.asarray([1.0, 2.0])
        second = mnp.array(first)
        second[0] = 5.0
        self.assertEqual((first.asnumpy().tolist(), second.asnumpy().tolist()), ([1, 2], [5, 2]))
        self.assertIs(mnp.array(first, copy=False), first)
        self.assertIsNot(mnp.array(first, dtype=plumb.float32), first)

    def test_ends_of_ranges(self):
        """Windows of no points, diagonals outside of a matrix, triangles between two diagonals."""
        for name in ("hanning", "hamming", "blackman", "bartlett"):
            for points in (-3, 0, 1):
                self.assertEqual(getattr(mnp, name)(points).asnumpy().tolist(), getattr(np, name)(points).tolist())
        for offset in (-5, -2, 3, 9):
            self.assertEqual(mnp.diag(X[:2], offset).asnumpy().tolist(), np.diag(X[:2], offset).tolist())
            self.assertEqual(mnp.diagonal(CUBE, offset, 1, -1).shape, np.diagonal(CUBE, offset, 1, -1).shape)
        for name in ("tril_indices", "triu_indices"):
            for number in (2.4, -1.7, 2.0, -3):  # NumPy mixes others up
                found, wanted = getattr(mnp, name)(4, number, 5), getattr(np, name)(4, number, 5)
                self.assertEqual([part.asnumpy().tolist() for part in found], [part.tolist() for part in wanted], (name, number))

    def test_common_types(self):
        """The types in which whole numbers meet are NumPy's, so that such tensors can be joined."""
        whole = "uint8 uint16 uint32 int8 int16 int32 int64".split()
        for one in whole:
            for other in whole:
                wanted = np.result_type(one, other)
                self.assertEqual(mnp.result_type(getattr(plumb, one), getattr(plumb, other)).numpy, wanted, (one, other))
        joined = mnp.concatenate((Tensor([65535], plumb.uint16), Tensor([-1], plumb.int32)))
        self.assertEqual((joined.dtype, joined.asnumpy().tolist()), (plumb.int32, [65535, -1]))

    def test_bins_of_nothing(self):
        for values, bins in (([[1.0, 2.0]], []), ([], [1.0, 2.0]), ([], [])):
            found, wanted = mnp.digitize(values, bins).asnumpy(), np.digitize(values, bins)
            self.assertEqual((found.shape, found.tolist()), (wanted.shape, wanted.tolist()))

    def test_divisors_of_floats(self):
        """NumPy has them of integers alone: of floats and booleans, every quotient is whole and no larger number has such ones."""
        first, second = Tensor([4.5, 6.0, 0.0], plumb.float32), Tensor([6.0, 9.0, 2.5], plumb.float32)
        np.testing.assert_array_equal(mnp.gcd(first, second).asnumpy(), [1.5, 3, 2.5])
        np.testing.assert_array_equal(mnp.lcm(first, second).asnumpy(), [18, 18, 0])
        truths = Tensor([True, True, False]), Tensor([True, False, False])
        self.assertEqual((mnp.gcd(*truths).asnumpy().tolist(), mnp.lcm(*truths).asnumpy().tolist()), ([True, True, False], [True, False, False]))
        with self.assertRaisesRegex(ValueError, "both inputs must have one axis"):
            mnp.correlate(2, first)
        with self.assertRaisesRegex(TypeError, "must be of integers"):
            plumb.ops.lcm(first, second)


if __name__ == "__main__":
    unittest.main()
