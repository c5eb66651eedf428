"""Operators of windows, sequences, boxes, rings and handles beside PyTorch, NumPy and plain Python; see together.py.

Numbers under "measured" were given by MindSpore 2.0.0 on a CPU.
"""

import contextlib
import functools
import inspect
import io
import unittest

import numpy as np
import torch

import plumb
from plumb import CSRTensor, Parameter, Tensor, nn, ops
from plumb.ops import operations as P
from plumb.ops.operations import _csr_ops, _grad_ops, _inner_ops, _rl_inner_ops, _tensor_array
from numeric import differences, distinct, numbers
from together import check

IMAGES, VOLUMES = distinct(2, 3, 6, 7), numbers(2, 2, 4, 5, 6)
FILTER, DIAGONALS = distinct(3, 2, 3, seed=1) * 0.37, numbers(2, 3, 5, low=1.0, high=2.0)


def dilated(x, filter, stride, dilation, pads):
    """Grey dilation by PyTorch's windows."""
    kernel = filter.shape[1:]
    x = torch.nn.functional.pad(x, pads, value=float("-inf"))
    columns = torch.nn.functional.unfold(x, kernel, dilation, 0, stride)
    sizes = [(x.shape[2 + axis] - dilation * (kernel[axis] - 1) - 1) // stride + 1 for axis in range(2)]
    sums = columns.reshape(x.shape[0], x.shape[1], -1, columns.shape[-1]) + filter.reshape(1, x.shape[1], -1, 1)
    return sums.amax(2).reshape(x.shape[:2] + tuple(sizes))


def patches(x, kernel, stride):
    """The windows of volumes as channels."""
    for axis in range(3):
        x = x.unfold(2 + axis, kernel, stride)
    return x.permute(0, 5, 6, 7, 1, 2, 3, 4).flatten(1, 4)


def matrix_of(diagonals):
    """The matrices of three diagonals."""
    upper, middle, lower = diagonals.unbind(-2)
    return torch.diag_embed(middle) + torch.diag_embed(upper[..., :-1], 1) + torch.diag_embed(lower[..., 1:], -1)


def beside_torch():
    """Cases for `check`."""
    yield "dilation", lambda x, k: ops.Dilation2D(2, 1, "valid")(x, k), lambda x, k: dilated(x, k, 2, 1, (0, 0)), IMAGES, FILTER
    yield "dilation, same", lambda x, k: ops.Dilation2D((1, 1, 1, 1), 2, "SAME")(x, k), lambda x, k: dilated(
        x, k, 1, 2, (2, 2, 1, 1)), IMAGES, FILTER
    yield "volume patches", lambda x: ops.ExtractVolumePatches((1, 1, 2, 2, 2), (1, 1, 2, 1, 2), "VALID")(x), lambda x: torch.cat(
        [patches(x, 2, 1)[:, :, ::2, :, ::2]]), VOLUMES
    yield "tridiagonal", P.TridiagonalSolve(), lambda d, b: torch.linalg.solve(matrix_of(d), b), DIAGONALS, numbers(2, 5, 3)
    yield "bidense", ops.bidense, torch.nn.functional.bilinear, numbers(4, 2, 3), numbers(4, 2, 5), numbers(6, 3, 5), numbers(6)
    yield "floor_divide", lambda x: ops.floor_divide(x, 2.5), lambda x: torch.floor(x / 2.5), numbers(9)
    yield "max pool 3d", ops.MaxPool3DWithArgmax(2, 2, 1, ceil_mode=True), lambda x: torch.nn.functional.max_pool3d(
        x, 2, 2, 1, 1, True, True), VOLUMES
    yield "cosines", nn.layer.CosineSimilarity(-1), lambda x, y: torch.nn.functional.cosine_similarity(x, y, -1), numbers(4, 5), numbers(
        4, 5, seed=1)
    yield "diagonal", ops.Diagonal(1, -1, 1), lambda x: torch.diagonal(x, 1, -1, 1), VOLUMES[0]
    yield "dense", ops.Dense(), torch.nn.functional.linear, numbers(2, 3, 4), numbers(5, 4), numbers(5)


class Operators(unittest.TestCase):
    """Values and gradients."""

    def test_beside_torch(self):
        """One program of all."""
        check(self, beside_torch())

    def test_equal_sums_of_a_dilation(self):
        """The first of them has the gradient."""
        ones = Tensor(np.ones((1, 3, 4, 4), np.float32))
        kernel = Tensor(np.ones((3, 2, 2), np.float32))
        made = _grad_ops.Dilation2DBackpropInput(1, 1)(ones, kernel, ones)
        np.testing.assert_array_equal(made.asnumpy(), ones.asnumpy())
        made = _grad_ops.Dilation2DBackpropFilter(2, 1)(ones, kernel, Tensor(np.ones((1, 3, 2, 2), np.float32)))
        np.testing.assert_array_equal(made.asnumpy(), [[[4, 0], [0, 0]]] * 3)

    def test_settings_of_windows(self):
        """What does not fit is refused."""
        x = Tensor(np.ones((1, 2, 4, 4), np.float32))
        with self.assertRaisesRegex(ValueError, "'same' or 'valid'"):
            ops.Dilation2D(1, 1, "full")(x, Tensor(np.ones((2, 2, 2), np.float32)))
        with self.assertRaisesRegex(ValueError, "5 axes"):
            ops.ExtractVolumePatches(2, 1, "valid")(x)
        with self.assertRaisesRegex(ValueError, "offsets must be of"):
            ops.deformable_conv2d(x, Tensor(np.ones((1, 2, 3, 3), np.float32)), x, (3, 3), (1, 1, 1, 1), (0, 0, 0, 0))

    def test_arange_has_the_type_of_what_is_given(self):
        """Measured."""
        whole, wide, double = Tensor(1, plumb.int32), Tensor(1, plumb.int64), Tensor(1.0, plumb.float64)
        for given, dtype in (((whole, Tensor(5, plumb.int32), whole), plumb.int32), ((wide, 5, 1), plumb.int64), ((whole, 5, 1), plumb.int64),
                             ((double, 5, 1), plumb.float64), ((1.0, Tensor(5, plumb.int32), 1), plumb.float32),
                             ((Tensor(12.0, plumb.float64), 2, Tensor(-1.0, plumb.float32)), plumb.float64)):
            self.assertEqual(ops.arange(*given).dtype, dtype, given)

    def test_small_classes(self):
        """Of indices, shapes and numbers."""
        x = Tensor([[1, 2, 3], [4, 5, 6]], plumb.int32)
        made = ops.IndexPut(1)(x, Tensor([3], plumb.int32), (Tensor([0, 0], plumb.int32), Tensor([0, 1], plumb.int32)))
        np.testing.assert_array_equal(made.asnumpy(), [[4, 5, 3], [4, 5, 6]])
        made = ops.ScatterAddWithAxis(1)(x, Tensor([[2], [0]], plumb.int32), Tensor([[8], [9]], plumb.int32))
        np.testing.assert_array_equal(made.asnumpy(), [[1, 2, 11], [13, 5, 6]])
        made = ops.ConcatOffsetV1()(Tensor(-2, plumb.int32), tuple(Tensor([1, size, 3], plumb.int32) for size in (2, 5, 4)))
        self.assertEqual([part.asnumpy().tolist() for part in made], [[0, 0, 0], [0, 2, 0], [0, 7, 0]])
        np.testing.assert_array_equal(ops.RangeV2()(*(Tensor(n, plumb.int32) for n in (0, 10, 4))).asnumpy(), [0, 4, 8])
        np.testing.assert_array_equal(ops.StridedSliceV2()(x, (0, 2), (2, 0), (1, -1)).asnumpy(), [[3, 2], [6, 5]])
        self.assertEqual((x.type(), x.type(plumb.float32).dtype, x.type_as(Tensor(1.0)).dtype), (plumb.int32, plumb.float32, plumb.float32))

    def test_numbers_that_are_none(self):
        """Reported, in compiled functions too."""
        np.testing.assert_array_equal(ops.CheckNumerics()(Tensor([1.0, 2.0])).asnumpy(), [1, 2])
        for wrong, word in ((np.nan, "NaN"), (np.inf, "infinite")):
            with self.assertRaisesRegex(RuntimeError, word):
                ops.CheckNumerics()(Tensor([1.0, wrong], plumb.float32))
        with self.assertRaisesRegex(RuntimeError, "infinite"):
            plumb.jit(lambda x: ops.CheckNumerics()(x * x))(Tensor([1e30, 0.0], plumb.float32))
        with self.assertRaisesRegex(TypeError, "float16, float32"):
            ops.CheckNumerics()(Tensor([1, 2]))

    def test_assertions(self):
        """The first elements are printed where a condition does not hold."""
        x, text = Tensor([[-1, 0], [1, 2]], plumb.int32), io.StringIO()
        ops.Assert()(Tensor(True), [x])
        with contextlib.redirect_stdout(text), self.assertRaisesRegex(RuntimeError, "assert failed"):
            ops.Assert(3)(False, [x, "why"])
        self.assertEqual(text.getvalue(), "For 'Assert' condition is false.\ninput data: [-1  0  1]\ninput data: why\n")
        with self.assertRaisesRegex(TypeError, "'summarize'"):
            ops.Assert(1.5)

    def test_types_of_numbers(self):
        """As Python and tensors have them."""
        self.assertEqual([plumb.dtype_to_pytype(dtype) for dtype in (plumb.bool_, plumb.uint8, plumb.float16, plumb.complex64)],
                         [bool, int, float, complex])
        self.assertEqual([plumb.get_py_obj_dtype(value) for value in (1, 2.0, True, np.int8, np.float32(1))],
                         [plumb.int64, plumb.float64, plumb.bool_, plumb.int8, plumb.float32])

    def test_softmax_with_its_gradient(self):
        """Against PyTorch's."""
        logits, labels = numbers(4, 5), np.array([1, 0, 4, 2])
        x = torch.from_numpy(logits).requires_grad_()
        loss = torch.nn.functional.cross_entropy(x, torch.from_numpy(labels), reduction="none")
        loss.sum().backward()
        made = ops.SparseSoftmaxCrossEntropyWithLogitsV2()(Tensor(logits, plumb.float32), Tensor(labels, plumb.int32))
        np.testing.assert_allclose(made[0].asnumpy(), loss.detach().numpy(), rtol=1e-5)
        np.testing.assert_allclose(made[1].asnumpy(), x.grad.numpy(), atol=1e-6)

    def test_sizes_of_images(self):
        """As `interpolate` gives them; the nearest below as MindSpore documents it."""
        row = Tensor(np.array([[[[1, 2, 3, 4]]]], np.float32))
        sizes = Tensor([1, 1, 1, 9], plumb.int64)
        made = ops.ResizeV2()(row, row, row, sizes)
        np.testing.assert_array_equal(made.asnumpy().ravel(), [1, 1, 1, 2, 2, 3, 3, 4, 4])
        made = ops.ResizeV2("align_corners", "linear")(row, row, row, sizes)
        np.testing.assert_allclose(made.asnumpy(), ops.interpolate(row, (1, 9), mode="bilinear", align_corners=True).asnumpy())
        volume = Tensor(np.arange(16, dtype=np.float32).reshape(1, 1, 2, 2, 4))
        np.testing.assert_array_equal(ops.UpsampleNearest3D()(volume, (3, 4, 5), None).asnumpy(),
                                      ops.UpsampleNearest3D((3, 4, 5))(volume).asnumpy())
        with self.assertRaisesRegex(ValueError, "one of 'output_size'"):
            ops.UpsampleNearest3D()(volume)

    def test_optimizer_with_betas_as_inputs(self):
        """The same as the operator that has them as attributes."""
        results = []
        for made, betas in ((ops.ApplyAdamWithAmsgrad(0.8, 0.999, 1e-8), ()), (ops.ApplyAdamWithAmsgradV2(), (0.8, 0.999, 1e-8))):
            kept = [Parameter(Tensor(numbers(2, 2, seed=place, low=0.1, high=0.5), plumb.float32), name=f"p{place}") for place in range(4)]
            made(*kept, 0.9, 0.999, 0.01, *betas, Tensor(numbers(2, 2, seed=9), plumb.float32))
            results.append(np.stack([part.asnumpy() for part in kept]))
        np.testing.assert_array_equal(*results)


def deformable(x, weight, offsets, stride, pads, dilation, groups):
    """A deformable convolution, place by place."""
    images, channels, height, width = x.shape
    rows, columns = weight.shape[2:]
    sizes = [(x.shape[2 + axis] + pads[2 * axis] + pads[2 * axis + 1] - dilation * (weight.shape[2 + axis] - 1) - 1) // stride + 1
             for axis in range(2)]
    shifts = offsets.reshape(images, 3, groups, rows, columns, *sizes)
    result = np.zeros((images, weight.shape[0], *sizes))
    for n, i, j, r, c, d in np.ndindex(images, *sizes, rows, columns, channels):
        dx, dy, factor = shifts[n, :, d // (channels // groups), r, c, i, j]
        y, z = i * stride - pads[0] + r * dilation + dy, j * stride - pads[2] + c * dilation + dx
        value = 0.0
        for a, b in ((int(np.floor(y)) + up, int(np.floor(z)) + left) for up in (0, 1) for left in (0, 1)):
            if 0 <= a < height and 0 <= b < width:
                value += x[n, d, a, b] * (1 - abs(y - a)) * (1 - abs(z - b))
        result[n, :, i, j] += weight[:, d, r, c] * value * factor
    return result


class Deformable(unittest.TestCase):
    """`ops.deformable_conv2d`."""

    def test_values_and_gradients(self):
        """Against a loop, whose gradient is by differences."""
        x, weight = numbers(1, 2, 4, 4), numbers(2, 2, 2, 2, seed=1)
        offsets = numbers(1, 24, 3, 3, seed=2, low=0.1, high=0.9)
        function = lambda x, w, o: ops.deformable_conv2d(x, w, o, (2, 2), (1, 1, 1, 1), (0, 0, 0, 0), deformable_groups=2)
        plain = functools.partial(deformable, stride=1, pads=(0,) * 4, dilation=1, groups=2)
        given = [Tensor(value, plumb.float32) for value in (x, weight, offsets)]
        np.testing.assert_allclose(function(*given).asnumpy(), plain(x, weight, offsets), rtol=2e-4, atol=2e-5)
        made = plumb.grad(lambda *inputs: function(*inputs).sum(), (0, 1, 2))(*given)
        for place in range(3):
            expected = differences(lambda *inputs: plain(*inputs).sum(), [x, weight, offsets], place)
            np.testing.assert_allclose(made[place].asnumpy(), expected, rtol=2e-3, atol=2e-4)

    def test_strides_pads_and_gaps(self):
        """Against the loop."""
        x, weight, offsets = numbers(2, 4, 6, 5), numbers(4, 2, 3, 2, seed=1), numbers(2, 18, 4, 3, seed=2)
        made = ops.deformable_conv2d(Tensor(x, plumb.float32), Tensor(weight, plumb.float32), Tensor(offsets, plumb.float32), (3, 2),
                                     (1, 1, 2, 2), (2, 2, 1, 1), dilations=(1, 1, 1, 1), groups=2)
        halves = [deformable(x[:, at:at + 2], weight, offsets, 2, (2, 2, 1, 1), 1, 1) for at in (0, 2)]
        expected = np.concatenate([halves[0][:, :2], halves[1][:, 2:]], 1)
        np.testing.assert_allclose(made.asnumpy(), expected, rtol=2e-4, atol=2e-5)


class Matrices(unittest.TestCase):
    """Eigenvalues and logarithms."""

    def test_eigenvalues(self):
        """A @ v = v * w, of batches and complex matrices."""
        for dtype, kind in ((plumb.float32, plumb.complex64), (plumb.float64, plumb.complex128)):
            x = Tensor(numbers(2, 4, 4), dtype)
            w, v = ops.eig(x)
            self.assertEqual((w.dtype, v.dtype), (kind, kind))
            np.testing.assert_allclose(x.asnumpy() @ v.asnumpy(), v.asnumpy() * w.asnumpy()[:, None], atol=1e-5)
            np.testing.assert_allclose(np.sort_complex(ops.eigvals(x).asnumpy()), np.sort_complex(w.asnumpy()), atol=1e-5)
        w, none = ops.Eig()(Tensor([[1j, 0], [0, 2]], plumb.complex64))
        self.assertEqual((sorted(w.asnumpy().tolist(), key=abs), none.shape), ([1j, 2], (0,)))
        w, v = P.SelfAdjointEig()(Tensor([[2.0, 9.0], [1.0, 2.0]], plumb.float32))
        np.testing.assert_allclose(w.asnumpy(), [1, 3], rtol=1e-6)
        np.testing.assert_allclose(np.abs(v.asnumpy()), np.full((2, 2), 0.5 ** 0.5), rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "square matrices"):
            ops.eig(Tensor(numbers(2, 3), plumb.float32))
        with self.assertRaisesRegex(TypeError, "Int64"):
            ops.eig(Tensor([[1]]))
        self.assertEqual(list(inspect.signature(ops.eig).parameters), ["A"])

    def test_logarithms(self):
        """The exponential of a logarithm, also far from one and without as many eigenvectors."""
        far = numbers(3, 4, 4) * 2 + 1j * numbers(3, 4, 4, seed=1)
        made = P.MatrixLogarithm()(Tensor(far, plumb.complex128)).asnumpy()
        np.testing.assert_allclose(torch.matrix_exp(torch.from_numpy(made)).numpy(), far, atol=1e-9)
        made = P.MatrixLogarithm()(Tensor([[2, 1], [0, 2]], plumb.complex128)).asnumpy()
        np.testing.assert_allclose(made, [[np.log(2), 0.5], [0, np.log(2)]], atol=1e-12)
        with self.assertRaisesRegex(ValueError, "singular"):
            P.MatrixLogarithm()(Tensor([[0, 0], [0, 0]], plumb.complex64))

    def test_refused_in_compiled_functions(self):
        """With the way round."""
        with self.assertRaisesRegex(Exception, "runs on the host"):
            plumb.jit(lambda x: ops.eig(x))(Tensor(numbers(2, 2), plumb.float32))


class Paths(unittest.TestCase):
    """`jet` and `derivative`."""

    def test_derivatives_of_a_function_of_each_element(self):
        """exp(sin(x)), by hand."""
        x = numbers(2, 3)
        s, c, e = np.sin(x), np.cos(x), np.exp(np.sin(x))
        expected = [e * c, e * (c * c - s), e * (c ** 3 - 3 * s * c - c)]
        path = np.zeros((3, 2, 3))
        path[0] = 1
        value, made = ops.jet(lambda x: ops.exp(ops.sin(x)), Tensor(x, plumb.float32), Tensor(path, plumb.float32))
        np.testing.assert_allclose(value.asnumpy(), e, rtol=1e-5)
        np.testing.assert_allclose(made.asnumpy(), expected, rtol=2e-4, atol=1e-5)
        _, third = ops.derivative(lambda x: ops.exp(ops.sin(x)), Tensor(x, plumb.float32), 3)
        np.testing.assert_allclose(third.asnumpy(), expected[2], rtol=2e-4, atol=1e-5)

    def test_path_of_two_inputs(self):
        """x * y of curves, by the product rule; two results."""
        x, y, dx, dy, ddx, ddy = (numbers(3, seed=seed) for seed in range(6))
        paths = tuple(Tensor(np.stack(pair), plumb.float32) for pair in ((dx, ddx), (dy, ddy)))
        values, made = ops.jet(lambda x, y: (x * y, x), (Tensor(x, plumb.float32), Tensor(y, plumb.float32)), paths)
        np.testing.assert_allclose(values[0].asnumpy(), x * y, rtol=1e-5)
        np.testing.assert_allclose(made[0].asnumpy(), [dx * y + x * dy, ddx * y + 2 * dx * dy + x * ddy], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(made[1].asnumpy(), [dx, ddx], rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "one axis more"):
            ops.jet(lambda x: x, Tensor(x), Tensor(x))
        with self.assertRaisesRegex(ValueError, "above 0"):
            ops.derivative(lambda x: x, Tensor(x), 0)


class Distances(unittest.TestCase):
    """Distances and repetitions."""

    @staticmethod
    def sparse(rows, shape):
        """Sequences of a batch, (rows, length), as a sparse tensor."""
        places = [(row, column) for row, symbols in enumerate(rows) for column in range(len(symbols))]
        return (Tensor(np.array(places, np.int64).reshape(-1, 2)), Tensor(np.array(sum(rows, []), np.int64)), Tensor(shape, plumb.int64))

    def test_distances(self):
        """Against the recursion."""
        @functools.lru_cache(maxsize=None)
        def steps(one, other):
            if not one or not other:
                return len(one) + len(other)
            return min(steps(one[1:], other) + 1, steps(one, other[1:]) + 1, steps(one[1:], other[1:]) + (one[0] != other[0]))

        rng = np.random.default_rng(3)
        ones, others = ([rng.integers(0, 3, rng.integers(1, 7)).tolist() for _ in range(12)] for _ in range(2))
        expected = [steps(tuple(one), tuple(other)) for one, other in zip(ones, others)]
        given = self.sparse(ones, [12, 7]) + self.sparse(others, [12, 6])
        np.testing.assert_array_equal(ops.EditDistance(False)(*given).asnumpy(), expected)
        shares = [count / len(other) for count, other in zip(expected, others)]
        np.testing.assert_allclose(ops.EditDistance()(*given).asnumpy(), shares, rtol=1e-6)

    def test_distance_to_nothing(self):
        """Infinite shares; 0 where both are empty."""
        given = self.sparse([[1, 2], []], [2, 3]) + self.sparse([[], []], [2, 3])
        np.testing.assert_array_equal(ops.EditDistance()(*given).asnumpy(), [np.inf, 0])
        with self.assertRaisesRegex(ValueError, "lie outside"):
            ops.EditDistance()(*self.sparse([[1, 2]], [1, 1]), *self.sparse([[1]], [1, 1]))
        made = ops.EditDistance(False)(*self.sparse([[1, 2], [3]], [1, 2]), *self.sparse([[1], [3, 4]], [2, 2]))
        np.testing.assert_array_equal(made.asnumpy(), [1, 1])

    def test_repetitions(self):
        """Against a search."""
        rng = np.random.default_rng(4)
        for size in (1, 2, 3):
            states, scores = rng.integers(0, 4, (2, 3, 9)), rng.random((2, 3, 4)).astype(np.float32)
            expected = scores.copy()
            for place in np.ndindex(2, 3):
                said = states[place].tolist()
                for start in range(9 - size + 1):
                    if said[start:start + size - 1] == said[9 - size + 1:]:
                        expected[place][said[start + size - 1]] = np.finfo(np.float32).min
            made = ops.NoRepeatNGram(size)(Tensor(states, plumb.int32), Tensor(scores))
            np.testing.assert_array_equal(made.asnumpy(), expected)
        with self.assertRaisesRegex(ValueError, "above 0"):
            ops.NoRepeatNGram(0)(Tensor(states, plumb.int32), Tensor(scores))


class Boxes(unittest.TestCase):
    """The best boxes of classes; gradients of crops."""

    def test_best_boxes(self):
        """By hand: of two that overlap the better one, per class; corners cut to [0, 1]."""
        boxes = np.array([[[[0, 0, 0.5, 0.5]], [[0, 0, 0.5, 0.45]], [[0.6, 0.6, 1.5, 1.0]]]], np.float32)
        scores = np.array([[[0.9, 0.1], [0.8, 0.7], [0.3, 0.05]]], np.float32)
        given = [Tensor(boxes), Tensor(scores), Tensor(2, plumb.int32), Tensor(4, plumb.int32), Tensor(0.5, plumb.float32),
                 Tensor(0.2, plumb.float32)]
        found, points, kinds, counts = (part.asnumpy() for part in ops.CombinedNonMaxSuppression()(*given))
        np.testing.assert_allclose(points, [[0.9, 0.7, 0.3, 0]])
        np.testing.assert_array_equal(kinds, [[0, 1, 0, 0]])
        np.testing.assert_array_equal(counts, [3])
        np.testing.assert_allclose(found[0], [[0, 0, 0.5, 0.5], [0, 0, 0.5, 0.45], [0.6, 0.6, 1, 1], [0, 0, 0, 0]])
        found = ops.CombinedNonMaxSuppression(clip_boxes=False)(*given)[0].asnumpy()
        self.assertEqual(found[0, 2, 2], 1.5)
        with self.assertRaisesRegex(ValueError, "boxes must be"):
            ops.CombinedNonMaxSuppression()(Tensor(boxes[0]), *given[1:])

    def test_gradients_of_crops(self):
        """That by images is adjoint; that by boxes is what `grad` gives."""
        images, boxes = Tensor(numbers(2, 5, 6, 3), plumb.float32), Tensor([[0.1, 0.2, 0.7, 0.9], [0.3, 0.1, 0.6, 0.8]], plumb.float32)
        numbers_of, weights = Tensor([1, 0], plumb.int32), Tensor(numbers(2, 3, 4, 3, seed=1), plumb.float32)
        crops = ops.crop_and_resize(images, boxes, numbers_of, (3, 4))
        made = ops.CropAndResizeGradImage(plumb.float32)(weights, boxes, numbers_of, Tensor([2, 5, 6, 3], plumb.int32))
        self.assertAlmostEqual(float((crops * weights).sum().asnumpy()), float((made * images).sum().asnumpy()), places=3)
        by_boxes = plumb.grad(lambda b: (ops.crop_and_resize(images, b, numbers_of, (3, 4)) * weights).sum())(boxes)
        np.testing.assert_allclose(ops.CropAndResizeGradBoxes()(weights, images, boxes, numbers_of).asnumpy(), by_boxes.asnumpy(), rtol=1e-4)


class Rings(unittest.TestCase):
    """Rows that were seen; numbers are measured."""

    def setUp(self):
        self.rows = Parameter(Tensor(np.arange(8).reshape(4, 2), plumb.float32), name="rows")
        self.count, self.head = Parameter(Tensor(3, plumb.int32), name="count"), Parameter(Tensor(0, plumb.int32), name="head")
        self.settings = ([(2,)], [plumb.float32])

    def test_append_and_get(self):
        """Behind the newest, then over the oldest."""
        append = ops.BufferAppend(4, *self.settings)
        states = []
        for value in (100.0, 101.0, 102.0):
            append([self.rows], [Parameter(Tensor([value, value]), name="row")], self.count, self.head)
            states.append((self.rows.asnumpy()[:, 0].tolist(), int(self.count.asnumpy()), int(self.head.asnumpy())))
        self.assertEqual(states, [([0, 2, 4, 100], 4, 0), ([101, 2, 4, 100], 4, 1), ([101, 102, 4, 100], 4, 2)])
        get = ops.BufferGetItem(4, *self.settings)
        found = [get([self.rows], self.count, self.head, index)[0].asnumpy()[0] for index in (0, 1, 3, -1)]
        self.assertEqual(found, [4, 100, 102, 102])

    def test_sample(self):
        """Rows that are held; without repetition where that is wanted."""
        sample = ops.BufferSample(4, 3, *self.settings, unique=True)
        for _ in range(3):
            self.assertEqual(sorted(sample([self.rows], self.count, self.head)[0].asnumpy()[:, 0].tolist()), [0, 2, 4])
        rows = ops.BufferSample(4, 4, *self.settings)([self.rows], self.count, self.head)[0].asnumpy()
        self.assertTrue(set(rows[:, 0].tolist()) <= {0, 2, 4})
        with self.assertRaisesRegex(ValueError, "must be of"):
            ops.BufferSample(3, 2, *self.settings)([self.rows], self.count, self.head)


class Candidates(unittest.TestCase):
    """Classes that are drawn, and how often they are expected."""

    def test_without_repetition(self):
        """Expected counts are the shares of draws that a class is in."""
        plumb.set_seed(3)
        true = Tensor(np.arange(8).reshape(4, 2), plumb.int32)
        for sampler in (ops.UniformCandidateSampler(2, 3, True, 8), ops.LogUniformCandidateSampler(2, 3, True, 8)):
            met, expected = np.zeros(8), np.zeros(8)
            for _ in range(400):
                drawn, of_true, of_drawn = (part.asnumpy() for part in sampler(true))
                self.assertEqual((len(set(drawn.tolist())), drawn.dtype, of_true.shape), (3, np.int32, (4, 2)))
                np.testing.assert_array_equal(of_drawn, of_true.reshape(-1)[drawn])
                met[drawn] += 1 / 400
                expected += of_true.reshape(-1) / 400
            np.testing.assert_allclose(met, expected, atol=0.09)
            self.assertAlmostEqual(expected.sum(), 3, delta=0.25)

    def test_no_hits(self):
        """None of the true classes where enough others are left; classes beyond the range have a count, too."""
        plumb.set_seed(5)
        true = Tensor([[1], [3], [9], [3]], plumb.int64)
        for _ in range(20):
            drawn, of_true, of_drawn = ops.uniform_candidate_sampler(true, 1, 3, True, 7, 0, True)
            self.assertFalse({1, 3} & set(drawn.asnumpy().tolist()))
            np.testing.assert_array_equal(of_true.asnumpy()[:, 0], of_drawn.asnumpy()[0])
        drawn, _, _ = ops.uniform_candidate_sampler(true, 1, 5, True, 5, 0, True)
        self.assertEqual(sorted(drawn.asnumpy().tolist()), [0, 1, 2, 3, 4])
        _, of_true, _ = ops.log_uniform_candidate_sampler(true, 1, 3, False, 7)
        np.testing.assert_allclose(of_true.asnumpy()[2], 3 * np.log(11 / 10) / np.log(8), rtol=1e-5)

    def test_with_repetition(self):
        """Counts by the shares."""
        plumb.set_seed(4)
        true = Tensor(np.arange(6).reshape(6, 1), plumb.int64)
        shares = np.log((np.arange(6) + 2) / (np.arange(6) + 1)) / np.log(7)
        for name, wanted in (("uniform", np.full(6, 1 / 6)), ("log_uniform", shares)):
            drawn, of_true, _ = getattr(ops, f"{name}_candidate_sampler")(true, 1, 4000, False, 6)
            np.testing.assert_allclose(of_true.asnumpy()[:, 0], 4000 * wanted, rtol=1e-5)
            np.testing.assert_allclose(np.bincount(drawn.asnumpy(), minlength=6) / 4000, wanted, atol=0.03)

    def test_refused(self):
        """More different classes than there are; wrong shapes."""
        true = Tensor([[1], [2]], plumb.int64)
        with self.assertRaisesRegex(ValueError, "at most 'range_max', 4"):
            ops.uniform_candidate_sampler(true, 1, 5, True, 4)
        with self.assertRaisesRegex(ValueError, "must be"):
            ops.uniform_candidate_sampler(true, 2, 3, True, 4)


class Sequences(unittest.TestCase):
    """Classes of operations on tuples and lists, beside Python's."""

    def test_numbers(self):
        from plumb.ops.operations import _sequence_ops as seq
        for operation, given, expected in (
                (seq.SequenceAdd, ((1, 2), (3,)), (1, 2, 3)), (seq.SequenceAddOffset, ((1, 2), (3,)), (0, 2)), (seq.SequenceMul, ((1, 2), 2), (1, 2, 1, 2)),
                (seq.SequenceSlice, ((1, 2, 3, 4), 0, 4, 2), (1, 3)), (seq.SequenceCount, ((1, 2, 1), 1), 2), (seq.SequenceIndex, ((5, 6, 7), 6, 0, 3), 1),
                (seq.InSequence, (3, (1, 2)), False), (seq.SequenceMax, ((1, 5, 2),), 5), (seq.SequenceMin, ((4, 5, 2),), 2), (seq.shape_mul, ((2, 3),), 6),
                (seq.make_range, (1, 6, 2), (1, 3, 5)), (seq.sequence_len, ((1, 2),), 2), (seq.tuple_equal, ((1, 2), (1, 2)), True),
                (seq.tuple_equal, ((1, 2), (1,)), False), (seq.tuple_lt, ((1, 2), (1, 3)), True), (seq.tuple_greater_equal, ((1, 2), (1, 3)), False),
                (seq.ListInsert, ([1, 3], 1, 2), [1, 2, 3]), (seq.ListAppend, ([1], 2), [1, 2])):
            with self.subTest(operation=operation.__name__):
                found = operation()(*given)
                self.assertEqual(list(found) if isinstance(found, (tuple, list)) else found, list(expected) if isinstance(expected, tuple) else expected)

    def test_tensors(self):
        """Elements that are tensors, in compiled code."""
        from plumb.ops.operations import _sequence_ops as seq
        x, y = Tensor([1, 2]), Tensor([3, 4])
        count, total, contains = seq.SequenceCount(), seq.SequenceAddN(), seq.InSequence()
        found = plumb.jit(lambda x, y: (count((x, y, x), x), total((x, y)), contains(y, (x, x)), seq.TupleToTensor()((1, 2), plumb.float32)))(x, y)
        self.assertEqual([np.asarray(part.asnumpy()).tolist() for part in found], [2, [4, 6], False, [1.0, 2.0]])


class Handles(unittest.TestCase):
    """Lists and queues on the host."""

    def test_lists(self):
        """Written, read, joined, closed."""
        handle = _tensor_array.TensorArray(plumb.int32, ())()
        for index in range(2):
            _tensor_array.TensorArrayWrite()(handle, Tensor(index), Tensor(index + 5, plumb.int32))
        self.assertEqual(int(_tensor_array.TensorArrayRead(plumb.int32, ())(handle, 1).asnumpy()), 6)
        np.testing.assert_array_equal(_tensor_array.TensorArrayStack(plumb.int32, ())(handle).asnumpy(), [5, 6])
        self.assertEqual(int(_tensor_array.TensorArraySize()(handle).asnumpy()), 2)
        _tensor_array.TensorArrayClose()(handle)
        with self.assertRaisesRegex(ValueError, "no list of the handle"):
            _tensor_array.TensorArraySize()(handle)

    def test_queues(self):
        """Tuples come out in order; a full one, an empty one and wrong shapes are refused."""
        shapes = ((), (1, 2))
        handle = _rl_inner_ops.TensorsQueueCreate(plumb.float32, shapes, 1)()
        put, pop = _rl_inner_ops.TensorsQueuePut(plumb.float32, shapes), _rl_inner_ops.TensorsQueueGet(plumb.float32, shapes, True)
        row = (Tensor(1.0, plumb.float32), Tensor([[1.0, 2.0]], plumb.float32))
        put(handle, row)
        with self.assertRaisesRegex(ValueError, "full"):
            put(handle, row)
        np.testing.assert_array_equal(pop(handle)[1].asnumpy(), [[1, 2]])
        self.assertEqual(int(_rl_inner_ops.TensorsQueueSize()(handle).asnumpy()), 0)
        with self.assertRaisesRegex(IndexError, "empty"):
            pop(handle)
        with self.assertRaisesRegex(ValueError, "must be"):
            put(handle, row[::-1])


class Private(unittest.TestCase):
    """Modules that are private in MindSpore."""

    def test_rows_of_matrices(self):
        """Against dense ones."""
        parts = (Tensor([0, 1, 3], plumb.int32), Tensor([1, 0, 3], plumb.int32), Tensor([2.0, 3.0, 4.0], plumb.float32))
        matrix, other = CSRTensor(*parts, (2, 4)).to_dense().asnumpy(), Tensor(numbers(4, 1), plumb.float32)
        dense, wide = Tensor(numbers(2, 4, low=1.0, high=2.0), plumb.float32), Tensor(numbers(4, 3), plumb.float32)
        stored = matrix != 0
        for made, expected in ((_csr_ops.CSRMV()(*parts, (2, 4), other), matrix @ other.asnumpy()),
                               (_csr_ops.CSRMM()(*parts, (2, 4), wide), matrix @ wide.asnumpy()),
                               (_csr_ops.CSRReduceSum()(*parts, (2, 4), 1), matrix.sum(1, keepdims=True)),
                               (_csr_ops.CSRMul()(*parts, (2, 4), dense), (matrix * dense.asnumpy())[stored]),
                               (_csr_ops.CSRDiv()(*parts, (2, 4), dense), (matrix / dense.asnumpy())[stored]),
                               (_csr_ops.CSRGather()(*parts[:2], dense, (2, 4)), dense.asnumpy()[stored]),
                               (_csr_ops.CSR2COO()(parts[0], 3), [0, 1, 1]),
                               (_csr_ops.COO2CSR()(Tensor([0, 1, 1], plumb.int32), 2), [0, 1, 3])):
            np.testing.assert_allclose(made.asnumpy(), expected, rtol=1e-5)

    def test_gradients(self):
        """Against PyTorch's and differences."""
        a, x = numbers(6, low=0.5, high=8.0), numbers(6, seed=1, low=0.5, high=8.0)
        step = 1e-4
        share = lambda a: torch.special.gammainc(torch.from_numpy(a), torch.from_numpy(x)).numpy()
        made = _grad_ops.IgammaGradA()(Tensor(a, plumb.float64), Tensor(x, plumb.float64))
        np.testing.assert_allclose(made.asnumpy(), (share(a + step) - share(a - step)) / (2 * step), rtol=1e-4, atol=1e-7)
        maps, weights = torch.zeros(2, 2, 3, requires_grad=True), numbers(2, 4, 5, 2)
        (torch.nn.functional.affine_grid(maps, (2, 1, 4, 5), align_corners=True) * torch.from_numpy(weights)).sum().backward()
        made = _grad_ops.AffineGridGrad(True)(Tensor(weights, plumb.float32), (2, 1, 4, 5))
        np.testing.assert_allclose(made.asnumpy(), maps.grad.numpy(), rtol=1e-4, atol=1e-5)
        root = numbers(3, 3)
        matrix = torch.from_numpy(root @ root.T + np.eye(3)).requires_grad_()
        factor, adjoint = torch.linalg.cholesky(matrix), numbers(3, 3, seed=2)
        (factor * torch.from_numpy(np.tril(adjoint))).sum().backward()
        made = _grad_ops.CholeskyGrad()(Tensor(factor.detach().numpy()), Tensor(adjoint))
        np.testing.assert_allclose(made.asnumpy(), matrix.grad.numpy(), atol=1e-8)

    def test_gradient_of_a_box(self):
        """Values go back to where they stood."""
        rows = Tensor(np.array([[0, 0], [1, 2], [2, 3]]), plumb.int64)
        start, values = Tensor([1, 1], plumb.int64), Tensor([1.0, 2.0, 3.0])
        found = ops.SparseSlice()(rows, values, Tensor([3, 4], plumb.int64), start, Tensor([2, 3], plumb.int64))
        made = _grad_ops.SparseSliceGrad()(Tensor([5.0, 6.0]), rows, start, found[0])
        np.testing.assert_array_equal(made.asnumpy(), [0, 5, 6])
        with self.assertRaisesRegex(ValueError, "stores no value"):
            _grad_ops.SparseSliceGrad()(Tensor([5.0]), rows, start, Tensor([[9, 9]], plumb.int64))

    def test_parts_of_layers(self):
        """Types, shapes and broadcasts."""
        one, two = Tensor([[1.0], [2.0]], plumb.float32), Tensor([3.0, 4.0], plumb.float64)
        np.testing.assert_array_equal(_inner_ops.ConvertToDynamic(is_dynamic_rank=True)(one).asnumpy(), one.asnumpy())
        made = _inner_ops.FlattenConcat()((one, two, one))
        self.assertEqual([part.asnumpy().tolist() for part in made], [[1, 2, 1, 2], [3, 4]])
        cast = _inner_ops.MixedPrecisionCast()(plumb.float16, (one, Tensor([1], plumb.int32)))
        self.assertEqual([part.dtype for part in cast], [plumb.float16, plumb.int32])
        made = _inner_ops.DynamicBroadcastGradientArgs()((4, 2, 1), (2, 7))
        self.assertEqual([part.asnumpy().tolist() for part in made], [[2], [0]])
        np.testing.assert_allclose(_inner_ops.ClipByNorm(1)(Tensor([[3.0, 4.0], [0.1, 0.2]], plumb.float32), Tensor([1.0], plumb.float32)).asnumpy(),
                                   [[0.6, 0.8], [0.1, 0.2]], rtol=1e-6)
        np.testing.assert_array_equal(_inner_ops.SequenceMask()(Tensor([1, 3]), 3).asnumpy(), [[1, 0, 0], [1, 1, 1]])
        self.assertEqual(_inner_ops.CheckBprop()((one,), (one,))[0].shape, (2, 1))
        with self.assertRaisesRegex(TypeError, "one element type"):
            _inner_ops.SameTypeShape()(one, Tensor([[1], [2]], plumb.int32))
        with self.assertRaisesRegex(ValueError, "one shape"):
            _inner_ops.CheckBprop()((one,), (Tensor([1.0], plumb.float32),))


if __name__ == "__main__":
    unittest.main()
