"""Every operator on every element type, compiled, against NumPy; and the element types that two operands meet in.

One function of all operators is compiled per element type. Expected results are NumPy's on arrays that were converted by
MindSpore 2.0's documented rules (note "Implicit Type Conversion") before; NumPy's own promotion plays no part.
"""

import unittest
import warnings

import numpy as np

import plumb
from plumb import Tensor, ops

SIGNED = [np.int8, np.int16, np.int32, np.int64]
UNSIGNED = [np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]
NUMBERS = SIGNED + UNSIGNED + FLOATS


def arithmetic(a, b):
    """Results in the element type of `a` and `b`."""
    return (a + b, a - b, a * b, a // b, a % b, ops.mod(a, b), ops.maximum(a, b), ops.minimum(a, b), a + 3, 3 - a, a * 2,
            a // 2, a % 3, a ** 2, a ** 3, ops.square(a), -a, ops.abs(a), a.max(), a.min(), ops.relu(a),
            ops.select(a > b, a, b))


def truncated(a, b):
    """C's remainder; integers modulo 0 are 0."""
    if a.dtype.kind == "f":
        return np.fmod(a, b)
    safe = np.where(b == 0, 1, b).astype(a.dtype)
    return np.where(b == 0, 0, np.fmod(a, safe)).astype(a.dtype)


def numpy_arithmetic(a, b):
    """What `arithmetic` gives, by NumPy."""
    of = a.dtype.type
    return (a + b, a - b, a * b, a // b, a % b, truncated(a, b), np.maximum(a, b), np.minimum(a, b), a + of(3), of(3) - a,
            a * of(2), a // of(2), a % of(3), a * a, a * a * a, a * a, -a, np.abs(a), a.max(), a.min(),
            np.maximum(a, of(0)), np.where(a > b, a, b))


def comparison(a, b):
    """Truth values, and numbers made of them."""
    return a == b, a != b, a < b, a <= b, a > b, a >= b, a > 3, (a > b).sum(), (a > b).any(), (a > b).all(), a.any(), a.all()


def bitwise(a, b, shift):
    """Bits of integers; ~ is a logical not, as in MindSpore, and `invert` the complement."""
    return a & b, a | b, a ^ b, ~a, ops.invert(a), a & 6, a | 6, a ^ 6, a << shift, a >> shift, a << 2, a >> 1, a.sum(), a.prod(), a ** shift


def numpy_bitwise(a, b, shift):
    """What `bitwise` gives, by NumPy."""
    six = a.dtype.type(6)
    return (a & b, a | b, a ^ b, a == 0, ~a, a & six, a | six, a ^ six, a << shift, a >> shift, a << a.dtype.type(2),
            a >> a.dtype.type(1), a.sum(dtype=a.dtype), a.prod(dtype=a.dtype), a ** shift)


def truths(a, b, rows):
    """Booleans."""
    return (a & b, a | b, a ^ b, ~a, a == b, a != b, a & True, a.sum(), a.prod(), a.max(), a.min(), rows.sum(0), rows.any(1),
            rows.all(1), a + 1, a * 2.5, a + b, a.mean(), -a)


def numpy_truths(a, b, rows):
    """What `truths` gives, by NumPy; sums and products of booleans count."""
    number = a.astype(np.int32)
    return (a & b, a | b, a ^ b, ~a, a == b, a != b, a, a.sum(dtype=np.int64), a.prod(dtype=np.int64), a.max(), a.min(),
            rows.sum(0, dtype=np.int64), rows.any(1), rows.all(1), number + np.int32(1), a.astype(np.float32) * np.float32(2.5),
            number + b.astype(np.int32), a.astype(np.float32).mean(), -number)


def casts(a):
    """To every element type."""
    return tuple([ops.cast(a, to) for to in TARGETS])


TARGETS = tuple(plumb.common.dtype.as_dtype(kind) for kind in NUMBERS + [np.bool_])


def operands(kind, size=37):
    """Two arrays with extremes, negative numbers where there are, ties and zero divisors."""
    if np.dtype(kind).kind == "f":
        a = np.random.default_rng(1).integers(-40, 40, size) * 0.25
        b = np.random.default_rng(2).choice([-3.5, -1, -0.5, 0.5, 1, 2, 4], size)
        return a.astype(kind), b.astype(kind)
    limits = np.iinfo(kind)
    a = np.random.default_rng(1).integers(limits.min, limits.max, size, dtype=kind, endpoint=True)
    a[:4] = [limits.min, limits.max, 0, 7]
    b = np.random.default_rng(2).integers(max(-5, limits.min), 6, size).astype(kind)
    b[:4] = [1, 0, 3, 7]
    return a, b


class Operators(unittest.TestCase):
    """See the file's head."""

    def check(self, function, reference, *arrays):
        """Compares each result of a compiled function with NumPy's, element types included."""
        results = plumb.jit(function)(*[Tensor(array) for array in arrays])
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected = reference(*arrays)
        self.assertEqual(len(results), len(expected))
        for index, (actual, wanted) in enumerate(zip(results, expected)):
            what = f"result {index} of {function.__name__} on {arrays[0].dtype}"
            self.assertEqual(actual.asnumpy().dtype, np.asarray(wanted).dtype, what)
            if np.asarray(wanted).dtype.kind == "f":
                np.testing.assert_allclose(actual.asnumpy(), wanted, rtol=1e-5 if actual.itemsize > 2 else 2e-3, err_msg=what)
            else:
                np.testing.assert_array_equal(actual.asnumpy(), wanted, what)

    def test_arithmetic(self):
        for kind in NUMBERS:
            with self.subTest(kind=kind.__name__):
                self.check(arithmetic, numpy_arithmetic, *operands(kind))

    def test_comparison(self):
        for kind in NUMBERS:
            with self.subTest(kind=kind.__name__):
                self.check(comparison, lambda a, b: (
                    a == b, a != b, a < b, a <= b, a > b, a >= b, a > 3, (a > b).sum(dtype=np.int64), (a > b).any(),
                    (a > b).all(), a.any(), a.all()), *operands(kind))

    def test_bits(self):
        for kind in SIGNED + UNSIGNED:
            with self.subTest(kind=kind.__name__):
                a, b = operands(kind)
                shift = np.random.default_rng(3).integers(0, 2 * a.itemsize * 8 if a.itemsize < 8 else 70, a.size)
                shift = np.minimum(shift, np.iinfo(kind).max).astype(kind)
                self.check(bitwise, numpy_bitwise, a, b, shift)

    def test_booleans(self):
        rng = np.random.default_rng(4)
        self.check(truths, numpy_truths, rng.random(300) < 0.5, rng.random(300) < 0.5, rng.random((5, 41)) < 0.9)

    def test_division(self):
        for kind in SIGNED + UNSIGNED:
            with self.subTest(kind=kind.__name__):
                a, b = operands(kind)
                b[b == 0] = 1
                self.check(lambda x, y: (x / y, x / 2, x + 0.5), lambda x, y: (
                    x.astype(np.float32) / y.astype(np.float32), x.astype(np.float32) / np.float32(2),
                    x.astype(np.float32) + np.float32(0.5)), a, b)

    def test_casts_by_name(self):
        """`astype` takes MindSpore's names and NumPy's, in any case; "int" and "float" are of 64 bits, as in MindSpore."""
        x = Tensor(np.array([1.5, 0.0], np.float32))
        for name, kind in (("Int32", np.int32), ("float16", np.float16), ("Float", np.float64), ("int", np.int64), ("half", np.float16),
                           ("double", np.float64), ("single", np.float32), ("ubyte", np.uint8), ("uint", np.uint64),
                           ("short", np.int16), ("intc", np.int32), ("BOOL", np.bool_)):
            for function in (plumb.jit(lambda x, name=name: x.astype(name)), lambda x, name=name: x.astype(name)):
                actual = function(x).asnumpy()
                self.assertEqual((actual.dtype, actual.tolist()), (np.dtype(kind), np.array([1.5, 0.0]).astype(kind).tolist()), name)
        with self.assertRaisesRegex(TypeError, "'dtype' of cast.. must be a dtype known while compiling, but it is the string 'nope'"):
            x.astype("nope")

    def test_casts(self):
        for kind in NUMBERS + [np.bool_]:
            with self.subTest(kind=kind.__name__):
                if kind is np.bool_:
                    values = np.array([True, False, True])
                elif kind in FLOATS:
                    values = np.array([0, 0.5, 1, 2.75, 100, 127], kind)
                else:
                    values = operands(kind)[0]
                self.check(casts, lambda a: tuple(a.astype(to.numpy) for to in TARGETS), values)

    def test_powers(self):
        values = np.array([-2, -1, 0, 1, 2, 3], np.int32)
        self.check(lambda a: (a ** -1, a ** 0, a ** 5, 2 ** a), lambda a: (
            np.array([0, -1, 0, 1, 0, 0], np.int32), a * 0 + np.int32(1), a ** np.int32(5),
            np.array([0, 0, 1, 2, 4, 8], np.int32)), values)

    def test_storing_elements(self):
        values = np.arange(6, dtype=np.float32).reshape(2, 3)
        stores = (((0, 1), 9.0), (1, [7, 8, 9]), ((slice(None), 2), 5), (values > 3, -1), (np.array([1, 0]), values[0]), (..., 2))
        for index, value in stores:
            given = values.copy()
            for make in (plumb.Tensor, lambda array: plumb.Parameter(plumb.Tensor(array), name="p")):
                tensor, wanted = make(given), values.copy()
                wanted[index] = value
                tensor[index if not isinstance(index, np.ndarray) else plumb.Tensor(index)] = plumb.Tensor(value)
                np.testing.assert_array_equal(tensor.asnumpy(), wanted)
                np.testing.assert_array_equal(given, values)
        with self.assertRaises(IndexError):
            plumb.Tensor(values)[2] = 0

    def test_products_with_vectors(self):
        """`@` takes rows on the left and columns on the right, as NumPy does, called and compiled."""
        rng = np.random.default_rng(3)
        shapes = (((2, 3), (3,)), ((3,), (3, 2)), ((3,), (3,)), ((4, 2, 3), (3,)), ((3,), (4, 3, 2)), ((4, 2, 3), (3, 5)))
        pairs = [tuple(rng.standard_normal(shape).astype(np.float32) for shape in pair) for pair in shapes]
        compiled = plumb.jit(lambda *tensors: tuple(tensors[i] @ tensors[i + 1] for i in range(0, 12, 2)))
        results = compiled(*[plumb.Tensor(array) for pair in pairs for array in pair])
        for (left, right), result in zip(pairs, results):
            for actual in (result, plumb.Tensor(left) @ plumb.Tensor(right)):
                np.testing.assert_allclose(actual.asnumpy(), left @ right, rtol=1e-5, atol=1e-6)
                self.assertEqual(actual.shape, (left @ right).shape)

    def test_storing_into_a_constant(self):
        mask = plumb.Tensor(np.array([1, 0], np.float32))
        masked = plumb.jit(lambda x: x * mask)
        np.testing.assert_array_equal(masked(plumb.Tensor(np.array([3, 4], np.float32))).asnumpy(), [3, 0])
        with self.assertRaisesRegex(RuntimeError, "constant 'mask'.*Make it a Parameter"):
            mask[1] = 1

    def test_eager_operators_are_the_compiled_ones(self):
        a, b = operands(np.int32)
        b[b == 0] = 2
        x, y = Tensor(a), Tensor(b)
        for actual, wanted in ((x & y, a & b), (x | y, a | b), (x ^ y, a ^ b), (~x, a == 0), (x << 1, a << 1), (x >> 1, a >> 1),
                               (x % y, a % b), (7 & x, 7 & a), ((x > y) & (x > 3), (a > b) & (a > 3)), (~(x > y), ~(a > b)),
                               (ops.Mod()(x, y), np.fmod(a, b)), (ops.FloorMod()(x, y), a % b)):
            np.testing.assert_array_equal(actual.asnumpy(), wanted)


    def test_not(self):
        """~ of any element type is whether an element is zero, compiled and eager."""
        for dtype in (np.float16, np.float32, np.float64, np.int32, np.uint8, np.bool_):
            array = np.array([0, 1, 3]).astype(dtype)
            for function in (plumb.jit(lambda x: ~x), lambda x: ~x):
                actual = function(Tensor(array)).asnumpy()
                self.assertEqual((actual.dtype, actual.tolist()), (np.bool_, [True, False, False]))

    def test_numbers_of_numpy(self):
        """An operator between a number of NumPy's and a tensor gives the tensor that the other order gives; arrays stay arrays."""
        x = Tensor(np.array([1.0, 4.0], np.float32))
        for number in (np.float64(2), np.float32(2), np.int64(2)):
            for actual, wanted in ((number * x, [2, 8]), (number - x, [1, -2]), (number / x, [2, 0.5]), (number ** x, [2, 16]),
                                   (number // x, [2, 0]), (number % x, [0, 2]), (number < x, [False, True]),
                                   (number >= x, [True, False]), (number == x, [False, False])):
                self.assertIsInstance(actual, Tensor)
                np.testing.assert_array_equal(actual.asnumpy(), wanted)
        self.assertEqual((number * Tensor(3.0, plumb.float32)).dtype, plumb.float32)
        for actual, wanted in ((np.ones(2) + x, [2, 5]), (np.sqrt(x), [1, 2]), (np.add(x, x), [2, 8]), (np.add.reduce(x), 5)):
            self.assertNotIsInstance(actual, Tensor)
            np.testing.assert_array_equal(actual, wanted)
        np.testing.assert_array_equal(plumb.grad(lambda x: (np.float64(2) * x).sum())(x).asnumpy(), [2, 2])
        with self.assertRaises(TypeError):
            np.add(x, x, out=x)


class Promotion(unittest.TestCase):
    """The element type in which two tensors, or a tensor and a number, meet."""

    def test_two_tensors(self):
        order = [np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64]
        pairs = tuple((i, j) for i in range(9) for j in range(i + 1, 9))
        tensors = [Tensor(np.ones(3, kind)) for kind in order]
        sums = plumb.jit(lambda *xs: tuple([xs[i] + xs[j] for i, j in pairs]))(*tensors)
        for (i, j), result in zip(pairs, sums):
            wanted = np.int16 if (order[i], order[j]) == (np.uint8, np.int8) else order[j]
            self.assertEqual(result.asnumpy().dtype, wanted, (order[i], order[j]))

    def test_wide_unsigned_integers_meet_only_themselves_booleans_and_floats(self):
        wide, narrow = Tensor(np.ones(3, np.uint32)), Tensor(np.ones(3, np.int32))
        with self.assertRaisesRegex(Exception, "UInt32 and of Int32 have no common element type; cast one"):
            wide + narrow
        self.assertEqual((wide + Tensor(np.ones(3, np.float32))).dtype, plumb.float32)

    def test_numbers_take_the_tensors_type(self):
        for kind in NUMBERS + [np.bool_]:
            whole, real = plumb.jit(lambda a: (a + 1, a + 1.5))(Tensor(np.ones(3, kind)))
            self.assertEqual(whole.asnumpy().dtype, np.int32 if kind is np.bool_ else kind)
            self.assertEqual(real.asnumpy().dtype, kind if kind in FLOATS else np.float32)


def subscripts(x):
    """Indices of all kinds, several in one."""
    return (x[::-1], x[..., 0], x[..., ::-1], x[1], x[-1], x[1:3], x[-2:], x[:, None], x[None], x[0, ..., 1], x[:, ::2], x[:, 4:1:-1],
            x[::-2, 1, ::-3], x[2:3:2, :, 5], x[:, ::5, 0], x[1, 2, 3], x[..., None, 2], x[5:0:-1], x[-1::-1, -1],
            x[:-100:-1], x[0][1:][::-1])


class Subscripts(unittest.TestCase):
    """Indices and slices, values and gradients, against NumPy."""

    def test_values_and_gradients(self):
        x = np.random.default_rng(5).standard_normal((4, 5, 6)).astype(np.float32)
        parts = subscripts(x)
        weights = tuple(Tensor(np.random.default_rng(index).standard_normal(part.shape).astype(np.float32))
                        for index, part in enumerate(parts))

        def weighted(x):
            total = 0.0
            for part, weight in zip(subscripts(x), weights):
                total = total + (part * weight).sum()
            return total

        for index, (made, wanted) in enumerate(zip(plumb.jit(subscripts)(Tensor(x)), parts)):
            np.testing.assert_array_equal(made.asnumpy(), wanted, f"subscript {index}")
        wanted = np.zeros(x.size)
        for where, weight in zip(subscripts(np.arange(x.size).reshape(x.shape)), weights):
            np.add.at(wanted, where.reshape(-1), weight.asnumpy().reshape(-1))
        made = plumb.grad(weighted)(Tensor(x))
        np.testing.assert_allclose(made.asnumpy(), wanted.reshape(x.shape), rtol=1e-5, atol=1e-5)


class Reductions(unittest.TestCase):
    """Sums of booleans count; means of integers are refused."""

    def test_mean_of_integers(self):
        with self.assertRaisesRegex(Exception, "the mean of integers .* would lose its fraction; convert them before"):
            ops.reduce_mean(Tensor(np.arange(3)))

    def test_count_of_equal_predictions(self):
        logits = np.eye(4, 3, dtype=np.float32)
        labels = np.array([0, 1, 2, 0], np.int32)
        count = plumb.jit(lambda x, y: (x.argmax(1) == y).sum())(Tensor(logits), Tensor(labels))
        self.assertEqual((int(count), count.dtype), (4, plumb.int64))


class WholePowersTest(unittest.TestCase):
    """Powers of two to four are products: exact where the result is a float."""

    def test_exact(self):
        numbers = np.arange(-40, 41)
        for dtype in (np.float32, np.float64):
            tensor = plumb.Tensor((numbers / 4).astype(dtype))
            for power in (2, 3, 4):
                np.testing.assert_array_equal((tensor ** power).asnumpy(), numbers ** power / 4.0 ** power)


class QuotientsTest(unittest.TestCase):
    """Whole quotients of floats, and what is left of them, where the division rounds up to a whole number."""

    def test_near_whole_numbers(self):
        rng = np.random.default_rng(1)
        for kind in (np.float32, np.float64):
            x = (rng.integers(-500, 500, 3000) / 10).astype(kind)
            y = (rng.integers(1, 40, 3000) / 10 * rng.choice([-1, 1], 3000)).astype(kind)
            first, second = Tensor(x), Tensor(y)
            np.testing.assert_array_equal(ops.floor_div(first, second).asnumpy(), x // y)
            np.testing.assert_array_equal((first % second).asnumpy(), x % y)
            np.testing.assert_array_equal(ops.fmod(first, second).asnumpy(), np.fmod(x, y))

    def test_limits(self):
        numbers = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 3e38, 5], np.float32)
        x, y = (values.ravel() for values in np.meshgrid(numbers, numbers))
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(ops.floor_div(Tensor(x), Tensor(y)).asnumpy(), np.floor(x / y))


if __name__ == "__main__":
    unittest.main()
