"""Data formats, permutations, paddings, scalar functions, and what Python runs: expected values are MindSpore 2.0.0's or closed forms."""

import unittest

import numpy as np
import torch

import plumb
from plumb import Tensor, nn, ops
from plumb.ops import operations as P

RNG = np.random.default_rng(6)


def values(result):
    """A tensor as lists."""
    return result.asnumpy().tolist()


class LayoutsTest(unittest.TestCase):
    """Orders of axes and numbers."""

    def test_formats(self):
        self.assertEqual(values(P.nn_ops.DataFormatDimMap()(Tensor([0, 1, 2, 3, -1]))), [0, 3, 1, 2, 2])
        self.assertEqual(values(P.DataFormatVecPermute("NHWC", "NCHW")(Tensor([1, 2, 3, 4]))), [1, 4, 2, 3])
        pairs = Tensor(np.array([[1, 5], [2, 6], [3, 7], [4, 8]]))
        self.assertEqual(values(P.DataFormatVecPermute("NCHW", "NHWC")(pairs)), [[1, 5], [3, 7], [4, 8], [2, 6]])
        with self.assertRaisesRegex(ValueError, r"\(4,\)"):
            P.DataFormatVecPermute()(Tensor([7, 9]))

    def test_permutations(self):
        self.assertEqual(P.InvertPermutation()((3, 4, 0, 2, 1)), (2, 4, 3, 0, 1))
        order = RNG.permutation(50)
        np.testing.assert_array_equal(P.InvertPermutation()(Tensor(order)).asnumpy(), np.argsort(order))
        filled = P.Randperm(max_length=9, pad=-1)(Tensor([6], plumb.int32)).asnumpy()
        self.assertEqual((sorted(filled[:6].tolist()), filled[6:].tolist()), (list(range(6)), [-1] * 3))
        self.assertEqual(sorted(values(P.RandpermV2(plumb.int32)(20, 1, 2))), list(range(20)))
        one, two, count = Tensor([1], plumb.int64), Tensor([2], plumb.int64), Tensor([20], plumb.int64)
        self.assertEqual(sorted(values(P.RandpermV2()(count, one, two))), list(range(20)))
        drawn = P.MultinomialWithReplacement(90, True)(Tensor([[0.1, 0.5, 0.0, 0.4]], plumb.float32), one, two)
        self.assertEqual(set(values(drawn)[0]), {0, 1, 3})

    def test_places(self):
        places = RNG.integers(0, 4 * 5 * 6, (3, 7))
        found = P.array_ops.UnravelIndex()(Tensor(places), Tensor([4, 5, 6]))
        np.testing.assert_array_equal(found.asnumpy(), np.stack(np.unravel_index(places, (4, 5, 6))))
        self.assertEqual(values(P.UnravelIndex()(Tensor(5), Tensor([4, 3]))), [1, 2])
        shape = P.TensorShape()(Tensor(np.zeros((2, 3, 4))))
        self.assertEqual((values(shape), shape.dtype), ([2, 3, 4], plumb.int64))

    def test_padding(self):
        x = RNG.normal(size=(2, 3, 5, 6)).astype(np.float32)
        for mode, other in (("constant", "constant"), ("reflect", "reflect"), ("edge", "replicate"), ("circular", "circular")):
            for paddings, contiguous in (([1, 2, 3, 0], True), ([1, 3, 2, 0], False)):
                more = (Tensor(np.float32(1.5)),) if mode == "constant" else ()
                result = P.PadV3(mode, contiguous)(Tensor(x), Tensor(paddings), *more).asnumpy()
                expected = torch.nn.functional.pad(torch.tensor(x), (1, 2, 3, 0), other, 1.5 if more else None)
                np.testing.assert_array_equal(result, expected)

    def test_columns(self):
        x = RNG.normal(size=(2, 3, 8, 9)).astype(np.float32)
        for settings in ({"ksizes": (2, 3)}, {"ksizes": 2, "strides": 2, "pads": 1}, {"ksizes": 3, "dilations": 2}):
            one = lambda name, default: settings.get(name, default)
            expected = torch.nn.functional.unfold(torch.tensor(x), one("ksizes", 1), one("dilations", 1), one("pads", 0), one("strides", 1))
            result = P.Im2Col(**settings)(Tensor(x)).asnumpy()
            np.testing.assert_array_equal(result.reshape(expected.shape), expected)
            self.assertEqual(result.shape[:2], (2, 3))
        rows = ops.ParallelConcat()([Tensor([[0, 1]]), Tensor([[2, 1]])])
        self.assertEqual(values(rows), [[0, 1], [2, 1]])

    def test_random(self):
        plumb.set_seed(1)
        drawn = P.NonDeterministicInts(plumb.int32)((4000,)).asnumpy().astype(np.float64)
        self.assertLess(abs(drawn.mean()), 2 ** 31 * 0.05)
        self.assertAlmostEqual(drawn.std() / 2 ** 32, 12 ** -0.5, delta=0.02)
        logs = np.log(P.LogNormalReverse(0.5, 2.0)(Tensor(np.zeros(5000, np.float32))).asnumpy())
        self.assertAlmostEqual(logs.mean(), 0.5, delta=0.1)
        self.assertAlmostEqual(logs.std(), 2.0, delta=0.1)
        x = Tensor(np.full(3000, -1, np.float32))
        slopes = -ops.rrelu(x, 0.2, 0.6).asnumpy()
        self.assertTrue((slopes >= 0.2).all() and (slopes <= 0.6).all() and slopes.std() > 0.1)
        self.assertEqual(values(ops.rrelu(Tensor([1.0, 2.0]))), [1, 2])

    def test_scalars(self):
        pairs = [(name, x, y) for name in ("add", "sub", "mul", "div", "floordiv", "mod", "pow") for x, y in ((7, 2), (-7, 3), (2.5, 0.5))]
        signs = {"add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//", "mod": "%", "pow": "**"}
        for name, x, y in pairs:
            self.assertEqual(getattr(ops, f"scalar_{name}")(x, y), eval(f"({x}) {signs[name]} ({y})"))  # pylint: disable=eval-used
        self.assertEqual((ops.scalar_lt(1, 2), ops.scalar_ge(1, 2), ops.scalar_usub(3)), (True, False, -3))


class HostTest(unittest.TestCase):
    """What Python runs, outside of compiled functions only."""

    def test_function(self):
        add = P.other_ops.PyFunc(lambda a, b: a + b, [plumb.float32] * 2, [(2,)] * 2, [plumb.float32], [(2,)])
        self.assertEqual(values(add((Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))[0]), [4, 6])
        with self.assertRaisesRegex(TypeError, "input must be"):
            add((Tensor([1.0]), Tensor([3.0])))

        class Net(nn.Cell):
            def construct(self, x):
                return add((x, x))

        self.assertEqual(values(Net()(Tensor([1.0, 2.0]))[0]), [2, 4])
        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        with self.assertWarnsRegex(UserWarning, "'Net' is not compiled.*runs Python"):
            self.assertEqual(values(Net()(Tensor([1.0, 2.0]))[0]), [2, 4])

    def test_differences(self):
        found, places = ops.ListDiff()(Tensor([1, 2, 3, 4, 5, 6]), Tensor([1, 3, 5]))
        self.assertEqual((values(found), values(places), places.dtype), ([2, 4, 6], [1, 3, 5], plumb.int32))

    def test_array(self):
        array = nn.TensorArray(plumb.int64, ())
        array.write(0, 1)
        array.write(2, Tensor(np.int64(5)))
        self.assertEqual((values(array.read(2)), values(array.stack()), values(array.size())), (5, [1, 0, 5], 3))
        array.clear()
        self.assertEqual(array.stack().shape, (0,))
        with self.assertRaisesRegex(IndexError, "2"):
            nn.TensorArray(plumb.float32, (2,), dynamic_size=False, size=2).write(2, Tensor([1.0, 2.0]))


if __name__ == "__main__":
    unittest.main()
