"""Operators that few programs use: values beside NumPy's, PyTorch's and MindSpore's documented ones, moments of random ones, refusals."""

import unittest

import numpy as np
import torch

import plumb
from numeric import check, numbers
from plumb import Parameter, Tensor, ops

RNG = np.random.default_rng(11)


def array(*shape):
    """Normal numbers, float32."""
    return RNG.standard_normal(shape).astype(np.float32)


class WindowsTest(unittest.TestCase):
    """Windows of images."""

    def test_image_patches_beside_unfold(self):
        x = array(2, 3, 7, 6)
        for kernel, steps, gaps in (((2, 3), (1, 2), (1, 1)), ((3, 2), (2, 1), (2, 3))):
            made = ops.ExtractImagePatches((1, 1) + kernel, (1, 1) + steps, (1, 1) + gaps)(Tensor(x)).asnumpy()
            expected = torch.nn.functional.unfold(torch.tensor(x), kernel, gaps, 0, steps).numpy()
            expected = expected.reshape(2, 3, kernel[0] * kernel[1], -1).transpose(0, 2, 1, 3).reshape(made.shape)
            np.testing.assert_array_equal(made, expected)
        same = ops.ExtractImagePatches((1, 1, 3, 3), (1, 1, 2, 2), (1, 1, 1, 1), "same")(Tensor(x)).asnumpy()
        self.assertEqual(same.shape, (2, 27, 4, 3))
        np.testing.assert_array_equal(same[:, 12:15], x[:, :, 0::2, 1::2])
        with self.assertRaisesRegex(ValueError, r"\(N, C, H, W\)"):
            ops.ExtractImagePatches((1, 1, 2, 2), (1, 1, 1, 1), (1, 1, 1, 1))(Tensor(x[0]))

    def test_deformable_offsets_are_the_windows_of_the_convolution(self):
        x, offsets, weight = Tensor(array(2, 4, 6, 5)), Tensor(array(2, 36, 4, 4)), Tensor(array(3, 4, 3, 2))
        settings = ((1, 1, 2, 1), (1, 2, 1, 0), (3, 2), (1, 1, 1, 2))
        read = ops.DeformableOffsets(*settings, deformable_groups=2)(x, offsets)
        self.assertEqual(read.shape, (2, 4, 12, 8))
        made = ops.conv2d(read, weight, None, (3, 2))
        expected = ops.deformable_conv2d(x, weight, offsets, (3, 2), settings[0], settings[1], None, settings[3], 1, 2)
        np.testing.assert_allclose(made.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-5)

    def test_deformable_offsets_without_shifts_are_the_windows(self):
        x = array(1, 2, 4, 4)
        offsets = np.zeros((1, 12, 3, 3), np.float32)
        offsets[:, 8:] = 1
        read = ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(Tensor(x), Tensor(offsets)).asnumpy()
        windows = np.lib.stride_tricks.sliding_window_view(x, (2, 2), (2, 3))
        np.testing.assert_array_equal(read, windows.transpose(0, 1, 2, 4, 3, 5).reshape(1, 2, 6, 6))
        with self.assertRaisesRegex(ValueError, r"must be of \(1, 12, 3, 3\)"):
            ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(Tensor(x), Tensor(offsets[:, :8]))

    def test_gradients(self):
        space = {"patches": lambda x: ops.ExtractImagePatches((1, 1, 2, 2), (1, 1, 1, 2), (1, 1, 2, 1), "same")(x),
                 "relu": lambda x: ops.ReLUV2()(x)[0]}
        for name, reference in (("relu", lambda x: np.maximum(x, 0)), ("patches", _patches)):
            check(space[name], reference, numbers(1, 2, 4, 5))


def _patches(x):
    """Windows (2, 2) in steps (1, 2) with gaps (2, 1), zeros at both ends."""
    x = np.pad(x, ((0, 0), (0, 0), (1, 1), (0, 1)))
    parts = [x[:, :, r * 2:r * 2 + 4, c:c + 5:2] for r in range(2) for c in range(2)]
    return np.concatenate(parts, 1)


class BitsTest(unittest.TestCase):
    """Operators that pack booleans."""

    def test_relu_with_its_mask(self):
        x = array(2, 20, 3, 4)
        result, mask = ops.ReLUV2()(Tensor(x))
        np.testing.assert_array_equal(result.asnumpy(), np.maximum(x, 0))
        self.assertEqual((mask.shape, mask.dtype), ((2, 2, 3, 4, 2), plumb.uint8))
        bits = np.unpackbits(mask.asnumpy(), -1, bitorder="little").transpose(0, 1, 4, 2, 3).reshape(2, 32, 3, 4)
        np.testing.assert_array_equal(bits[:, :20], x > 0)
        self.assertFalse(bits[:, 20:].any())

    def test_dropout_in_two_steps(self):
        x = np.ones((40, 70), np.float32)
        mask = ops.DropoutGenMask(3, 5)(x.shape, Tensor(0.75))
        self.assertEqual((mask.shape, mask.dtype), ((352,), plumb.uint8))
        kept = ops.DropoutDoMask()(Tensor(x), mask, Tensor(0.75)).asnumpy()
        expected = np.unpackbits(mask.asnumpy(), bitorder="little")[:x.size].reshape(x.shape)
        np.testing.assert_allclose(kept, expected / 0.75, rtol=1e-6)
        self.assertAlmostEqual(expected.mean(), 0.75, delta=0.03)
        with self.assertRaisesRegex(ValueError, "2800 elements take 352 bytes"):
            ops.DropoutDoMask()(Tensor(x), mask[:8], Tensor(0.75))


class RandomTest(unittest.TestCase):
    """Moments, and ranges."""

    def test_normal_between(self):
        rows = [(0, 1, -1, 1), (1, 2, -1, 2), (0, 1, 4, 7), (0, 1, -9, -6), (3, 0.5, -100, 100)]
        parts = [Tensor(np.array(column, np.float32)) for column in zip(*rows)]
        drawn = ops.ParameterizedTruncatedNormal(1, 2)(Tensor([5, 40000]), *parts).asnumpy()
        self.assertEqual(drawn.dtype, np.float32)
        for row, (mean, width, low, high) in zip(drawn, rows):
            self.assertTrue(low <= row.min() and row.max() <= high)
            grid = np.linspace(max(low, mean - 9 * width), min(high, mean + 9 * width), 200001)
            weights = np.exp(-0.5 * ((grid - mean) / width) ** 2)
            expected = (grid * weights).sum() / weights.sum()
            spread = np.sqrt(((grid - expected) ** 2 * weights).sum() / weights.sum())
            self.assertAlmostEqual(row.mean(), expected, delta=5 * spread / 200)
            self.assertAlmostEqual(row.std(), spread, delta=0.03 * spread)
        with self.assertRaisesRegex(ValueError, "one number or 5"):
            ops.ParameterizedTruncatedNormal()(Tensor([5, 4]), *[part[:2] for part in parts])

    def test_cauchy(self):
        drawn = ops.Cauchy([40000], 1.0, 2.0)().asnumpy()
        np.testing.assert_allclose(np.quantile(drawn, [0.25, 0.5, 0.75]), [-1, 1, 3], atol=0.12)
        of_tensor = Tensor(np.zeros((200, 200), np.float16)).cauchy(1.0, 2.0)
        self.assertEqual(of_tensor.dtype, plumb.float16)
        np.testing.assert_allclose(np.quantile(of_tensor.asnumpy(), [0.25, 0.5, 0.75]), [-1, 1, 3], atol=0.12)
        with self.assertRaisesRegex(ValueError, "'sigma' must be at least 0"):
            ops.Cauchy([2], 0.0, -1.0)()

    def test_counts_and_choices(self):
        counts = ops.poisson((20000, 2), Tensor([3.0, 50.0])).asnumpy()
        np.testing.assert_allclose(counts.mean(0), [3, 50], rtol=0.02)
        places, real = ops.choice_with_mask(Tensor(np.array([[True, False], [True, True]])), 4)
        self.assertEqual(real.asnumpy().tolist(), [True] * 3 + [False])
        self.assertEqual(sorted(map(tuple, places.asnumpy()[:3].tolist())), [(0, 0), (1, 0), (1, 1)])


class KeysTest(unittest.TestCase):
    """Operators on numbers of rows."""

    def test_keys(self):
        x = np.array([1, 2, 9, 17], np.int32)
        np.testing.assert_array_equal(ops.MapUniform()(Tensor(x), 2, 8).asnumpy(), x % 8 * 2 + x // 8)
        kept, places = ops.SubAndFilter()(Tensor(np.array([1, 3, 5, 8, 2, 16])), 9, 2)
        self.assertEqual((kept.asnumpy().tolist(), places.asnumpy().tolist()), ([1, 3, 6, 0], [1, 2, 3, 4]))
        with self.assertRaisesRegex(TypeError, "MapUniform"):
            ops.MapUniform()(Tensor([1.0]), 2, 8)

    def test_accidental_hits(self):
        true, drawn = np.array([[1, 2], [0, 4], [3, 3]]), np.array([0, 1, 2, 3, 4])
        rows, places, weights = ops.ComputeAccidentalHits(2)(Tensor(true), Tensor(drawn))
        self.assertEqual(rows.asnumpy().tolist(), [0, 0, 1, 1, 2, 2])
        self.assertEqual(places.asnumpy().tolist(), [1, 2, 0, 4, 3, 3])
        self.assertTrue((weights.asnumpy() == np.finfo(np.float32).min).all())

    def test_sizes_that_depend_on_values_are_refused_in_compiled_code(self):
        @plumb.jit
        def kept(x):
            return ops.SubAndFilter()(x + 1, 9, 2)[0]

        with self.assertRaisesRegex(Exception, "ops.select, which keeps the size"):
            plumb.ops.grad(kept)(Tensor([1, 2]))

    def test_other_spellings(self):
        table = array(5, 3)
        np.testing.assert_array_equal(ops.SparseGatherV2()(Tensor(table), Tensor([3, 1]), 0).asnumpy(), table[[3, 1]])
        weight = Parameter(Tensor(np.zeros(6, np.float32)), name="weight")
        ops.ScatterNonAliasingAdd()(weight, Tensor([[2], [4]]), Tensor([5.0, 6.0]))
        self.assertEqual(weight.asnumpy().tolist(), [0, 0, 5, 0, 6, 0])
        x = array(4, 1, 2, 1)
        made = ops.BatchToSpaceNDV2()(Tensor(x), Tensor([2, 2]), Tensor([[0, 0], [1, 0]]))
        np.testing.assert_array_equal(made.asnumpy(), ops.batch_to_space_nd(Tensor(x), [2, 2], [[0, 0], [1, 0]]).asnumpy())

    def test_functions_of_the_compiler(self):
        x = Tensor(np.arange(9.0).reshape(3, 3).astype(np.float32))
        self.assertEqual((ops.shape_(x), ops.shape_mul((2, 3)), ops.reshape_(x, (9,)).shape), ((3, 3), 6, (9,)))
        unknown = ops.is_sequence_value_unknown, ops.is_sequence_shape_unknown
        self.assertEqual([[test(shape) for test in unknown] for shape in ((2, 3), (-1, 3), (-2,))], [[False] * 2, [True, False], [False, True]])
        self.assertEqual(plumb.jit(lambda x: x if unknown[0](x.shape) else x + 1)(x).asnumpy().tolist(), (x + 1).asnumpy().tolist())
        self.assertEqual(ops.fill_(plumb.int32, (2,), 3).asnumpy().tolist(), [3, 3])
        self.assertEqual(ops.tensor_range(Tensor(0), Tensor(5), Tensor(2)).asnumpy().tolist(), [0, 2, 4])
        self.assertEqual(ops.tensor_slice(x, (0, 1), (2, 2)).asnumpy().tolist(), [[1, 2], [4, 5]])
        total = ops.hyper_add((x, (x, x)), (x, (x, x)))
        np.testing.assert_array_equal(total[1][1].asnumpy(), 2 * x.asnumpy())
        cast = ops.mixed_precision_cast(plumb.float16, (x, Tensor([1])))
        self.assertEqual([part.dtype for part in cast], [plumb.float16, plumb.int64])

    def test_diagonals_with_computed_padding(self):
        x, pad = array(3), Tensor(np.float32(7))
        found = plumb.jit(lambda x, pad: ops.matrix_diag(x, 1, padding_value=pad))(Tensor(x), pad)
        np.testing.assert_array_equal(found.asnumpy(), np.where(np.eye(4, k=1), np.diag(x, 1), np.float32(7)))
        part = plumb.jit(lambda x, pad: ops.matrix_diag_part(x, (-1, 0), pad))(Tensor(np.diag(x)), pad)
        np.testing.assert_array_equal(part.asnumpy(), [x, [0, 0, 7]])


if __name__ == "__main__":
    unittest.main()
