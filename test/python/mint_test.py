"""`plumb.mint`: the same expressions give what PyTorch gives, alone and in compiled functions, with gradients."""

import unittest

import numpy as np
import torch

import plumb
from plumb import Tensor, jit, mint, nn, ops

INF = float("inf")

#: Expressions of the package `m` (torch or mint) and tensors x, y (3, 4), v (4), q (2, 3, 4), i (int64) and b (booleans).
ELEMENTS = [lambda m, x, y: m.add(x, y, alpha=2), lambda m, x, y: m.sub(x, y, alpha=3), lambda m, x, y: m.div(x, y, rounding_mode="floor"),
            lambda m, x, y: m.clamp(x, -0.5, 0.5), lambda m, x, y: m.clamp(x, min=0.1), lambda m, x, y: m.round(x * 100, decimals=1),
            lambda m, x, y: m.exp2(x), lambda m, x, y: m.pow(m.abs(x), 1.5), lambda m, x, y: m.fmod(x, y), lambda m, x, y: m.remainder(x, y),
            lambda m, x, y: m.where(x > 0, x, y), lambda m, x, y: m.masked_fill(x, y > 0, 3.0), lambda m, x, y: m.lerp(x, y, 0.3),
            lambda m, x, y: m.nan_to_num(m.log(x)), lambda m, x, y: m.isclose(x, y, rtol=0.5), lambda m, x, y: m.maximum(x, y),
            lambda m, x, y: m.atan2(x, y), lambda m, x, y: m.logaddexp(x, y), lambda m, x, y: m.erfinv(m.tanh(x)), lambda m, x, y: m.sinc(x),
            lambda m, x, y: m.xlogy(x, m.abs(y)), lambda m, x, y: m.hypot(x, y), lambda m, x, y: m.rsqrt(m.abs(x)), lambda m, x, y: m.frac(x * 3),
            lambda m, x, y: m.logical_xor(x > 0, y > 0), lambda m, x, y: m.eq(x, x),
            lambda m, x, y: m.softmax(x, 1) if m is mint else torch.softmax(x, 1), lambda m, x, y: m.addcdiv(x, x, m.abs(y) + 1, value=2.0),
            lambda m, x, y: m.clone(x), lambda m, x, y: m.clone(x[0, 0]), lambda m, x, y: m.isnan(m.log(x)),
            lambda m, x, y: m.empty_like(x) * 0 if m is mint else torch.zeros_like(x), lambda m, x, y: m.fix(x * 3),
            lambda m, x, y: m.nn.functional.softmax(x, dim=None), lambda m, x, y: m.cdist(x, y, compute_mode="donot_use_mm_for_euclid_dist"),
            lambda m, x, y: m.asinh(input=x), lambda m, x, y: m.sqrt(input=m.abs(y))]
REDUCTIONS = [
    lambda m, x, y: m.sum(x), lambda m, x, y: m.sum(x, dim=1, keepdim=True), lambda m, x, y: m.sum(x, (0, 1)), lambda m, x, y: m.mean(x, 0),
    lambda m, x, y: m.mean(x, dim=(0, 1), keepdim=True), lambda m, x, y: m.prod(x), lambda m, x, y: m.prod(x, 1, True),
    lambda m, x, y: m.all(x > -9), lambda m, x, y: m.any(x > 1, dim=1), lambda m, x, y: m.all(x > 0, 0, True), lambda m, x, y: m.amax(x, dim=1),
    lambda m, x, y: m.amin(x, (0, 1), True), lambda m, x, y: m.argmax(x), lambda m, x, y: m.argmax(x, dim=1, keepdim=True),
    lambda m, x, y: m.argmin(x, 0), lambda m, x, y: m.max(x), lambda m, x, y: m.max(x, 1), lambda m, x, y: m.max(x, dim=0, keepdim=True),
    lambda m, x, y: m.max(x, y), lambda m, x, y: m.min(x, 1, True), lambda m, x, y: m.min(x, y), lambda m, x, y: m.median(x, 1),
    lambda m, x, y: m.median(x), lambda m, x, y: m.var(x), lambda m, x, y: m.var(x, dim=1, correction=0), lambda m, x, y: m.std(x, dim=0, keepdim=True),
    lambda m, x, y: m.var_mean(x, dim=1), lambda m, x, y: m.std_mean(x, dim=(0, 1)), lambda m, x, y: m.logsumexp(x, 1, keepdim=True),
    lambda m, x, y: m.logsumexp(x, (0, 1)), lambda m, x, y: m.count_nonzero(m.round(x), dim=1), lambda m, x, y: m.nansum(m.log(x), 1),
    lambda m, x, y: m.norm(x), lambda m, x, y: m.norm(x, p=1), lambda m, x, y: m.norm(x, 3, 1), lambda m, x, y: m.norm(x, INF, dim=0, keepdim=True),
    lambda m, x, y: m.allclose(x, x) if m is mint else torch.tensor(torch.allclose(x, x)),
]
SCANS = [
    lambda m, x, y: m.cumsum(x, 1), lambda m, x, y: m.cumprod(x, dim=0), lambda m, x, y: m.cummax(x, 1), lambda m, x, y: m.cummin(x, dim=0),
    lambda m, x, y: m.diff(x, dim=0), lambda m, x, y: m.diff(x, 2), lambda m, x, y: m.sort(x, dim=0), lambda m, x, y: m.sort(x, descending=True),
    lambda m, x, y: m.argsort(x), lambda m, x, y: m.argsort(x, 0, True), lambda m, x, y: m.topk(x, 2), lambda m, x, y: m.topk(x, 2, 0, False),
    lambda m, x, y: m.kthvalue(x, 2), lambda m, x, y: m.kthvalue(x, 3, 0, keepdim=True),
]
SHAPES = [lambda m, x, y: m.cat((x, y), dim=1), lambda m, x, y: m.cat([x, y]), lambda m, x, y: m.concat((x, y), 1),
          lambda m, x, y: m.stack((x, y), dim=2), lambda m, x, y: m.split(x, 3, dim=1), lambda m, x, y: m.split(x, [1, 2]),
          lambda m, x, y: m.chunk(x, 2, dim=1), lambda m, x, y: m.transpose(x, 0, 1), lambda m, x, y: m.swapaxes(x, -1, 0),
          lambda m, x, y: m.permute(x, (1, 0)), lambda m, x, y: m.flatten(x), lambda m, x, y: m.flatten(m.unsqueeze(x, 0), 0, 1),
          lambda m, x, y: m.squeeze(m.unsqueeze(x, 1)), lambda m, x, y: m.squeeze(m.unsqueeze(x, 1), 1), lambda m, x, y: m.squeeze(x, 0),
          lambda m, x, y: m.tile(x, (2, 1)), lambda m, x, y: m.repeat_interleave(x, 2, 1), lambda m, x, y: m.repeat_interleave(x, 2),
          lambda m, x, y: m.narrow(x, 1, 1, 2), lambda m, x, y: m.select(x, 1, -2), lambda m, x, y: m.meshgrid(x[0], x[1], indexing="ij"),
          lambda m, x, y: m.movedim(x, 0, 1), lambda m, x, y: m.flip(x, (0,)), lambda m, x, y: m.roll(x, 1, 0), lambda m, x, y: m.tril(x, 1),
          lambda m, x, y: m.triu(x), lambda m, x, y: m.unbind(x, 1), lambda m, x, y: m.reshape(x, (2, 6)),
          lambda m, x, y: m.broadcast_to(x[0], (2, 4)), lambda m, x, y: m.hstack((x, y)), lambda m, x, y: m.hstack((x[0], y[1])),
          lambda m, x, y: m.dstack((x, y)), lambda m, x, y: m.diag(x[0], 1), lambda m, x, y: m.diag(x, -1)]
PRODUCTS = [lambda m, x, y: m.matmul(x, m.t(y)), lambda m, x, y: m.mm(x, m.t(y)), lambda m, x, y: m.einsum("ij,kj->ik", x, y),
            lambda m, x, y: m.outer(x[0], y[1]), lambda m, x, y: m.addmm(x[:, :3], x, m.t(y), beta=0.5, alpha=2.0),
            lambda m, x, y: m.bmm(m.unsqueeze(x, 0), m.unsqueeze(m.t(y), 0)),
            lambda m, x, y: m.baddbmm(x[:, :3], m.unsqueeze(x, 0), m.unsqueeze(m.t(y), 0), beta=0.5, alpha=2.0), lambda m, x, y: m.dot(x[0], y[0]),
            lambda m, x, y: m.linalg.vector_norm(x, 3, dim=1), lambda m, x, y: m.linalg.matrix_norm(x, keepdim=True),
            lambda m, x, y: m.linalg.inv(m.matmul(x, m.t(y))), lambda m, x, y: m.linalg.norm(x, 1, 0), lambda m, x, y: m.special.expm1(x),
            lambda m, x, y: m.special.log_softmax(x, 1), lambda m, x, y: m.trace(x[:, :3]), lambda m, x, y: m.mv(x, y[0]),
            lambda m, x, y: m.vdot(x[0], y[1]), lambda m, x, y: m.triangular_solve(x, m.abs(y[:, :3]) + 1),
            lambda m, x, y: m.triangular_solve(x, y[:, :3] + 9, False, True, True)]
FUNCTIONS = [lambda m, x, y: m.nn.functional.linear(x, y, y[:, 0]), lambda m, x, y: m.nn.functional.elu(x, 0.7),
             lambda m, x, y: m.nn.functional.leaky_relu(x), lambda m, x, y: m.nn.functional.gelu(x),
             lambda m, x, y: m.nn.functional.gelu(x, approximate="tanh"), lambda m, x, y: m.nn.functional.glu(x),
             lambda m, x, y: m.nn.functional.softplus(x), lambda m, x, y: m.nn.functional.hardshrink(x, 0.3),
             lambda m, x, y: m.nn.functional.softshrink(x), lambda m, x, y: m.nn.functional.layer_norm(x, (4,)),
             lambda m, x, y: m.nn.functional.layer_norm(x, (3, 4), x, y), lambda m, x, y: m.nn.functional.smooth_l1_loss(x, y, beta=0.4),
             lambda m, x, y: m.nn.functional.mse_loss(x, y), lambda m, x, y: m.nn.functional.binary_cross_entropy_with_logits(x, m.sigmoid(y)),
             lambda m, x, y: m.nn.functional.normalize(x, dim=0), lambda m, x, y: m.nn.functional.pad(x, (1, 2)),
             lambda m, x, y: m.nn.functional.cosine_similarity(x, y), lambda m, x, y: m.nn.functional.softmax(x, dim=0),
             lambda m, x, y: m.nn.functional.hardswish(x), lambda m, x, y: m.nn.functional.mish(x),
             lambda m, x, y: m.nn.functional.group_norm(m.unsqueeze(x, 2), 2, x[0], y[1]),
             lambda m, x, y: m.nn.functional.group_norm(m.unsqueeze(x, 0), 3), lambda m, x, y: m.nn.functional.kl_div(x, m.abs(y)),
             lambda m, x, y: m.nn.functional.kl_div(x, y, reduction="batchmean", log_target=True),
             lambda m, x, y: m.nn.functional.threshold(x, 0.1, 2.0),
             lambda m, x, y: m.nn.functional.kl_div(input=x, target=y, reduction="none", log_target=True),
             lambda m, x, y: m.nn.functional.hardtanh(x, -0.3, 0.4), lambda m, x, y: m.nn.functional.silu(input=x),
             lambda m, x, y: m.nn.functional.batch_norm(x, y[0], m.abs(y[1]) + 1),
             lambda m, x, y: m.nn.functional.batch_norm(x, y[0], m.abs(y[1]) + 1, y[2], x[0], eps=1e-3),
             lambda m, x, y: m.nn.functional.log_softmax(x, dim=None), lambda m, x, y: m.nn.functional.soft_margin_loss(x, m.sign(y)),
             lambda m, x, y: m.nn.functional.cosine_embedding_loss(x, y, m.sign(y[:, 0]), margin=0.1)]
IMAGES = [lambda m, x, w: m.nn.functional.conv2d(x, w, padding=1), lambda m, x, w: m.nn.functional.conv2d(x, w, stride=2, padding=(0, 1), dilation=2),
          lambda m, x, w: m.nn.functional.conv2d(x, w, padding="same"), lambda m, x, w: m.nn.functional.max_pool2d(x, 2),
          lambda m, x, w: m.nn.functional.max_pool2d(x, 3, 2, 1), lambda m, x, w: m.nn.functional.avg_pool2d(x, 2),
          lambda m, x, w: m.nn.functional.avg_pool2d(x, (3, 2), 2, 1, count_include_pad=False),
          lambda m, x, w: m.nn.functional.interpolate(x, size=(4, 5), mode="bilinear", align_corners=True),
          lambda m, x, w: m.nn.functional.unfold(x, 3), lambda m, x, w: m.nn.functional.conv1d(x[:, :, 0], w[:, :, 0], padding=1),
          lambda m, x, w: m.nn.functional.adaptive_avg_pool2d(x, (2, 3)),
          lambda m, x, w: m.nn.functional.conv_transpose2d(x, m.transpose(w, 0, 1), stride=2, padding=(1, 0), output_padding=1, dilation=(1, 2)),
          lambda m, x, w: m.nn.functional.conv_transpose2d(x[0], w[:3], w[0, 0, 0], groups=1),
          lambda m, x, w: m.nn.functional.conv3d(m.unsqueeze(x, 0), m.unsqueeze(w[:2], 2)[:, :2], padding=(0, 1, 1)),
          lambda m, x, w: m.nn.functional.adaptive_max_pool1d(x[:, :, 0], 4, True),
          lambda m, x, w: m.nn.functional.adaptive_max_pool2d(x, (2, 3), return_indices=True),
          lambda m, x, w: m.nn.functional.max_unpool2d(*m.nn.functional.max_pool2d(x, 2, return_indices=True), 2, output_size=(7, 6))]
LOOKUPS = [lambda m, x, i: m.gather(x, 1, i), lambda m, x, i: m.index_select(x, 0, i[0]), lambda m, x, i: m.scatter(x, 1, i, x[:2, :2]),
           lambda m, x, i: m.scatter(x, 0, i, 2.0), lambda m, x, i: m.scatter_add(x, 1, i, x[:2, :2]),
           lambda m, x, i: m.index_add(x, 0, i[0], x[:2], alpha=2), lambda m, x, i: m.nn.functional.one_hot(i, 4),
           lambda m, x, i: m.nn.functional.embedding(i, x), lambda m, x, i: m.nn.functional.embedding(i, x, padding_idx=-1),
           lambda m, x, i: m.nn.functional.embedding(i, x, padding_idx=0, scale_grad_by_freq=True),
           lambda m, x, i: m.searchsorted(m.sort(x[0])[0], x[1], right=True), lambda m, x, i: m.sum(i, 1),
           lambda m, x, i: m.nn.functional.cross_entropy(x[:2], i[0]), lambda m, x, i: m.nn.functional.nll_loss(x[:2], i[0], reduction="sum")]


def leaves(value):
    """The tensors of nested results as arrays."""
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    return [value.detach().numpy() if isinstance(value, torch.Tensor) else value.asnumpy()]


class Expressions(unittest.TestCase):
    """The same expression beside PyTorch."""

    def check(self, cases, *arrays):
        """Values, alone and compiled, and gradients by the first tensor."""
        arrays = [np.ascontiguousarray(array) for array in arrays]
        for case in cases:
            with self.subTest(line=case.__code__.co_firstlineno, names=case.__code__.co_names, constants=case.__code__.co_consts):
                first = torch.tensor(arrays[0], requires_grad=True)
                wanted = case(torch, first, *map(torch.tensor, arrays[1:]))
                tensors = list(map(Tensor, arrays))
                self.compare(leaves(case(mint, *tensors)), leaves(wanted))
                self.compare(leaves(jit(lambda *xs, case=case: case(mint, *xs))(*tensors)), leaves(wanted))
                self.check_gradient(case, first, wanted, tensors)

    def check_gradient(self, case, first, wanted, tensors):
        """The gradient of the sum of the first result."""
        whole = wanted[0] if isinstance(wanted, (tuple, list)) else wanted
        if not whole.requires_grad:
            return
        expected, = torch.autograd.grad(whole.sum(), first, allow_unused=True)

        def total(*xs):
            made = case(mint, *xs)
            return ops.reduce_sum(made[0] if isinstance(made, (tuple, list)) else made)

        found = plumb.grad(total, 0)(*tensors).asnumpy()
        expected = np.zeros_like(found) if expected is None else expected.numpy()
        np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-4)

    def compare(self, found, expected):
        """Compares results."""
        self.assertEqual([(value.shape, value.dtype) for value in found], [(value.shape, value.dtype) for value in expected])
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5)

    def setUp(self):
        rng = np.random.default_rng(7)
        self.x, self.y = rng.normal(size=(2, 3, 4)).astype(np.float32)
        self.images, self.weights = rng.normal(size=(2, 3, 7, 6)).astype(np.float32), rng.normal(size=(4, 3, 3, 3)).astype(np.float32)

    def test_elements(self):
        self.check(ELEMENTS, self.x, self.y)

    def test_reductions(self):
        self.check(REDUCTIONS, self.x, self.y)

    def test_scans(self):
        self.check(SCANS, self.x, self.y)

    def test_shapes(self):
        self.check(SHAPES, self.x, self.y)

    def test_products(self):
        self.check(PRODUCTS, self.x, self.y)

    def test_functions(self):
        self.check(FUNCTIONS, self.x, self.y)

    def test_images(self):
        self.check(IMAGES, self.images, self.weights)

    def test_lookups(self):
        self.check(LOOKUPS, self.x, np.array([[0, 2], [1, 0]], np.int64))


class Creations(unittest.TestCase):
    """New tensors and random ones."""

    def test_values(self):
        for made, expected in ((mint.zeros(2, 3), torch.zeros(2, 3)), (mint.ones((2, 3), dtype=plumb.int32), torch.ones((2, 3), dtype=torch.int32)),
                               (mint.full((2,), 1.5), torch.full((2,), 1.5)), (mint.eye(2, 3), torch.eye(2, 3)), (mint.arange(1, 7, 2), torch.arange(1, 7, 2)),
                               (mint.linspace(0, 1, 5), torch.linspace(0, 1, 5)), (mint.zeros_like(Tensor([1.5])), torch.zeros(1))):
            np.testing.assert_allclose(made.asnumpy(), expected.numpy())
        self.assertEqual(mint.empty(2, 3).shape, (2, 3))
        found = mint.nonzero(Tensor([[1, 0], [0, 2]]), as_tuple=True)
        self.assertEqual([part.asnumpy().tolist() for part in found], [[0, 1], [0, 1]])

    def test_of_values(self):
        """What depends on values, outside of compiled functions."""
        x, rows = np.array([3, 1, 2, 1, 3, 3], np.int64), np.array([[1, 2], [0, 5], [1, 2], [0, 4]], np.float32)
        for case in (lambda m, x, rows: m.unique(x), lambda m, x, rows: m.unique(x, return_inverse=True, return_counts=True), lambda m, x, rows: m.unique(rows, return_inverse=True),
                     lambda m, x, rows: m.unique(rows, dim=0,
                                                 return_counts=True), lambda m, x, rows: m.unique(rows, dim=1, return_inverse=True), lambda m, x, rows: m.unique_consecutive(x),
                     lambda m, x, rows: m.unique_consecutive(x, True,
                                                             True), lambda m, x, rows: m.unique_consecutive(rows, dim=1, return_counts=True), lambda m, x, rows: m.nn.functional.one_hot(x)):
            with self.subTest(names=case.__code__.co_names, constants=case.__code__.co_consts):
                wanted = leaves(case(torch, torch.tensor(x), torch.tensor(rows)))
                for one, other in zip(leaves(case(mint, Tensor(x), Tensor(rows))), wanted, strict=True):
                    self.assertEqual((one.dtype, one.tolist()), (other.dtype, other.tolist()))
        for shape in ((0,), (0, 3), (2, 0)):
            empty = np.zeros(shape, np.float32)
            for dim in (None, 0) if shape[0] == 0 else (None,):
                wanted = torch.unique(torch.tensor(empty), return_inverse=True, return_counts=True, dim=dim)
                found = mint.unique(Tensor(empty), return_inverse=True, return_counts=True, dim=dim)
                self.assertEqual([(one.shape, one.dtype) for one in leaves(found)], [(one.shape, one.dtype) for one in leaves(wanted)])
        with self.assertRaisesRegex(ValueError, "no elements"):
            mint.unique(Tensor(np.zeros((2, 0), np.float32)), dim=0)
        self.assertIs(mint.equal(Tensor(x), Tensor(x)), True)
        self.assertIs(mint.equal(Tensor(x), Tensor(x + 1)), False)
        self.assertIs(mint.equal(Tensor(x), Tensor(rows)), False)

    def test_in_place(self):
        values = np.array([-1.5, 0.5, 7], np.float32)
        for name, arguments in (("relu_", ()), ("elu_", (0.7,)), ("threshold_", (0.6, 2.0)), ("hardtanh_", (-1.0, 1.0)), ("relu", (True,)), ("silu", (True,)), ("relu6", (True,))):
            with self.subTest(name=name):
                ours, theirs = Tensor(values), torch.tensor(values)
                result = getattr(mint.nn.functional, name)(ours, *arguments)
                getattr(torch.nn.functional, name)(theirs, *arguments)
                for found in (ours, result):
                    np.testing.assert_allclose(found.asnumpy(), theirs.numpy(), rtol=1e-6)

    def test_random_arguments(self):
        self.assertEqual(mint.normal(0.0, 1.0, (2, 3)).shape, (2, 3))
        self.assertAlmostEqual(float(mint.normal(Tensor(np.full(3000, 5, np.float32)), 0.1).asnumpy().mean()), 5, delta=0.02)
        self.assertEqual((mint.rand(size=(2, 3), device="CPU").shape, mint.zeros(size=(4,)).shape, mint.randint(5, (3,)).shape), ((2, 3), (4,), (3,)))
        self.assertEqual(set(mint.randint(low=3, high=5, size=(99,)).asnumpy().tolist()), {3, 4})
        self.assertEqual(set(mint.randint_like(Tensor(np.zeros(99, np.int32)), 2).asnumpy().tolist()), {0, 1})
        for make in (mint.zeros, mint.ones, mint.empty, mint.rand, mint.randn):
            self.assertRaisesRegex(TypeError, "given twice", make, 2, 3, size=(4,))
        with self.assertRaisesRegex(ValueError, "device"):
            mint.rand(2, device="Ascend")

    def test_random(self):
        self.assertEqual(mint.rand(2, 3).shape, (2, 3))
        self.assertLess(abs(float(mint.randn(2000).asnumpy().mean())), 0.1)
        self.assertEqual(sorted(mint.randperm(9).asnumpy().tolist()), list(range(9)))
        numbers = mint.randint(3, 7, (500,))
        self.assertEqual((numbers.dtype, set(numbers.asnumpy().tolist())), (plumb.int64, {3, 4, 5, 6}))
        self.assertAlmostEqual(float(mint.bernoulli(Tensor(np.full(4000, 0.3, np.float32))).asnumpy().mean()), 0.3, delta=0.04)


class Layers(unittest.TestCase):
    """Layers of `mint.nn` with PyTorch's weights."""

    PAIRS = [(lambda m: m.Linear(4, 3), (5, 4)), (lambda m: m.Conv2d(3, 4, 3, stride=2, padding=(1, 2)), (2, 3, 7, 6)),
             (lambda m: m.Conv2d(4, 4, 3, groups=2, bias=False, padding="same"), (2, 4, 5, 6)), (lambda m: m.Conv1d(3, 4, 3, padding=1), (2, 3, 7)),
             (lambda m: m.LayerNorm((3, 4)), (5, 3, 4)), (lambda m: m.LayerNorm(4, eps=1e-3), (5, 4)), (lambda m: m.GroupNorm(2, 4), (2, 4, 5)),
             (lambda m: m.MaxPool2d(2), (2, 3, 6, 6)), (lambda m: m.AvgPool2d(3, 2, 1), (2, 3, 6, 6)), (lambda m: m.GELU(), (3, 4)),
             (lambda m: m.Softmax(dim=0), (3, 4)), (lambda m: m.LogSoftmax(dim=1), (3, 4)), (lambda m: m.LeakyReLU(), (3, 4)),
             (lambda m: m.Flatten(), (2, 3, 4)), (lambda m: m.SiLU(), (3, 4)), (lambda m: m.Hardswish(), (3, 4)), (lambda m: m.ELU(0.7), (3, 4)),
             (lambda m: m.ReLU(), (3, 4)), (lambda m: m.BatchNorm2d(3), (2, 3, 4, 4)),
             (lambda m: m.ConvTranspose2d(4, 6, 3, 2, (1, 0), 1, 2), (2, 4, 5, 6)), (lambda m: m.PReLU(4), (2, 4, 3)),
             (lambda m: m.Hardtanh(-0.5, 0.7), (3, 4)), (lambda m: m.LogSigmoid(), (3, 4)), (lambda m: m.AvgPool1d(3, 2, 1), (2, 3, 7)),
             (lambda m: m.AvgPool3d(2, ceil_mode=True), (1, 2, 5, 4, 3)), (lambda m: m.AdaptiveMaxPool1d(3), (2, 3, 7)),
             (lambda m: m.AdaptiveMaxPool2d((2, 3)), (2, 3, 7, 6)), (lambda m: m.Unfold((2, 3), stride=2), (2, 3, 6, 7)),
             (lambda m: m.Fold((4, 5), 2), (2, 12, 12)), (lambda m: m.Upsample(scale_factor=2), (2, 3, 4)),
             (lambda m: m.Upsample((5, 7), mode="bilinear"), (2, 3, 4, 4)), (lambda m: m.UpsamplingNearest2d((5, 7)), (2, 3, 4, 4)),
             (lambda m: m.UpsamplingBilinear2d(scale_factor=2), (2, 3, 4, 4)), (lambda m: m.ReflectionPad3d(1), (1, 2, 3, 4, 5)),
             (lambda m: m.ReplicationPad3d((1, 0, 2, 1, 0, 1)), (1, 2, 3, 4, 5)),
             (lambda m: m.Conv2d(2, 4, 3, padding=(1, 2), padding_mode="reflect"), (1, 2, 5, 6)),
             (lambda m: m.Conv1d(2, 4, 4, padding="same", padding_mode="circular"), (1, 2, 7)),
             (lambda m: m.Conv3d(2, 4, (1, 2, 3), stride=(1, 2, 1), padding=1), (1, 2, 3, 4, 5)), (lambda m: m.BatchNorm1d(3, momentum=None), (4, 3)),
             (lambda m: m.BatchNorm3d(3, affine=False), (2, 3, 2, 2, 2)), (lambda m: m.BatchNorm2d(3, track_running_stats=False), (2, 3, 4, 4)),
             (lambda m: m.LayerNorm(4, elementwise_affine=False), (5, 4)), (lambda m: m.GroupNorm(2, 4, affine=False), (2, 4, 5)),
             (lambda m: m.ZeroPad1d((1, 2)) if m is mint.nn else m.ConstantPad1d((1, 2), 0.0), (1, 2, 3)),
             (lambda m: m.ZeroPad3d(1) if m is mint.nn else m.ConstantPad3d(1, 0.0), (1, 2, 3, 2, 2)), (lambda m: m.GLU(0), (4, 3)),
             (lambda m: m.ReLU6(), (3, 4)), (lambda m: m.Threshold(0.3, 2.0), (3, 4)), (lambda m: m.Softmax(), (3, 4))]

    def test_forward(self):
        rng = np.random.default_rng(8)
        for make, shape in self.PAIRS:
            ours, theirs = make(mint.nn), make(torch.nn)
            with self.subTest(layer=type(ours).__name__):
                x = rng.normal(size=shape).astype(np.float32)
                weights = dict(theirs.named_parameters())
                for parameter in ours.trainable_params():
                    other = weights.pop(parameter.name)
                    self.assertEqual(parameter.shape, tuple(other.shape))
                    other.data = torch.tensor(rng.normal(size=tuple(other.shape)).astype(np.float32))
                    parameter.set_data(Tensor(other.detach().numpy()))
                self.assertEqual(list(weights), [])
                for training in (True, False):
                    ours.set_train(training)
                    theirs.train(training)
                    np.testing.assert_allclose(ours(Tensor(x)).asnumpy(), theirs(torch.tensor(x)).detach().numpy(), rtol=2e-4, atol=2e-4)
                ours = {parameter.name: parameter for parameter in ours.untrainable_params()}
                for name, buffer in theirs.named_buffers():
                    np.testing.assert_allclose(ours[name].asnumpy(), buffer.numpy(), rtol=1e-5, err_msg=name)

    def test_keywords(self):
        """Inputs by the names that MindSpore's layers give them."""
        x, values = Tensor(np.array([[0.5, -2.0]], np.float32)), torch.tensor([[0.5, -2.0]])
        for name in "ReLU ELU SELU Hardshrink Hardsigmoid Hardswish Identity LogSigmoid Mish ReLU6 Sigmoid SiLU Softshrink Tanh".split():
            found = getattr(mint.nn, name)()(input=x)
            np.testing.assert_allclose(found.asnumpy(), getattr(torch.nn, name)()(values).numpy(), rtol=1e-5, atol=1e-6, err_msg=name)
        np.testing.assert_array_equal(mint.nn.Threshold(0.1, 1.0)(input=x).asnumpy(), [[0.5, 1.0]])
        for name in ("MSELoss", "BCEWithLogitsLoss", "KLDivLoss"):
            found = getattr(mint.nn, name)()(input=x, target=ops.abs(x) * 0.3)
            np.testing.assert_allclose(found.asnumpy(), getattr(torch.nn, name)()(values, values.abs() * 0.3).numpy(), rtol=1e-5)

    def test_sizes_of_results(self):
        layer, theirs = mint.nn.ConvTranspose2d(2, 3, 3, stride=2, padding=1), torch.nn.ConvTranspose2d(2, 3, 3, stride=2, padding=1)
        layer.weight.set_data(Tensor(theirs.weight.detach().numpy()))
        layer.bias.set_data(Tensor(theirs.bias.detach().numpy()))
        x = np.ones((1, 2, 4, 5), np.float32)
        found = layer(Tensor(x), output_size=(8, 9)).asnumpy()
        np.testing.assert_allclose(found, theirs(torch.tensor(x), output_size=(8, 9)).detach().numpy(), rtol=1e-5, atol=1e-6)
        with self.assertRaisesRegex(ValueError, "extents"):
            layer(Tensor(x), output_size=(9, 9))

    def test_initial_values(self):
        weights = mint.nn.Linear(400, 300).weight.asnumpy()
        self.assertAlmostEqual(float(np.abs(weights).max()), 0.05, delta=0.001)
        self.assertAlmostEqual(float(mint.nn.Embedding(200, 300).weight.asnumpy().std()), 1, delta=0.02)

    def test_training(self):
        """A network of these layers learns."""
        net = nn.SequentialCell(mint.nn.Linear(4, 16), mint.nn.GELU(), mint.nn.Dropout(0.1), mint.nn.Linear(16, 2))
        optimizer = mint.optim.AdamW(net.trainable_params(), lr=0.05)
        rng = np.random.default_rng(9)
        x = rng.normal(size=(64, 4)).astype(np.float32)
        labels = (x[:, 0] * x[:, 1] > 0).astype(np.int32)
        loss = mint.nn.CrossEntropyLoss()
        step = plumb.value_and_grad(lambda data, label: loss(net(data), label), None, optimizer.parameters)
        losses = []
        for _ in range(60):
            value, gradients = step(Tensor(x), Tensor(labels))
            optimizer(gradients)
            losses.append(float(value))
        self.assertLess(losses[-1], 0.5 * losses[0])

    def test_divergence(self):
        """Kullback-Leibler divergence of log-probabilities, of one shape and of shapes that broadcast."""
        rng = np.random.default_rng(10)
        x, y = np.log(rng.random((2, 2, 3), np.float32))
        for one, other in ((x, y), (x[0], y), (x, y[0])):
            for reduction in ("none", "mean", "sum", "batchmean"):
                found = mint.nn.KLDivLoss(reduction, True)(Tensor(one), Tensor(other))
                wanted = torch.nn.KLDivLoss(reduction=reduction, log_target=True)(torch.tensor(one), torch.tensor(other))
                np.testing.assert_allclose(found.asnumpy(), wanted.numpy(), rtol=1e-5)
        for log_target in (True, False):
            with self.assertRaisesRegex(ValueError, "reduction"):
                mint.nn.KLDivLoss("avg", log_target)(Tensor(x), Tensor(y))

    def test_tables(self):
        """Types and values of the tables that look-ups begin with."""
        table = Tensor(np.ones((3, 2), np.float32))
        for dtype in (plumb.float16, plumb.bfloat16, plumb.float64):
            self.assertIs(mint.nn.Embedding(3, 2, padding_idx=-1, dtype=dtype).weight.dtype, dtype)
            self.assertIs(mint.nn.Embedding(3, 2, _weight=table, dtype=dtype).weight.dtype, dtype)
        np.testing.assert_array_equal(mint.nn.Embedding(3, 2, padding_idx=-1).weight.asnumpy()[2], [0, 0])
        for row in (3, -4):
            with self.assertRaisesRegex(ValueError, "padding_idx"):
                mint.nn.Embedding(3, 2, padding_idx=row)
        with self.assertRaisesRegex(ValueError, "_weight"):
            mint.nn.Embedding(3, 3, _weight=table)

    def test_arguments(self):
        """What no convolution and no normalisation can compute."""
        wrong = [{"groups": 2}, {"groups": 0}, {"groups": -1}, {"out_channels": -4}, {"stride": 0}, {"stride": -1}, {"dilation": 0},
                 {"kernel_size": 0}, {"kernel_size": (3, 3, 3, 3)}, {"padding": -1}]
        for kind in (mint.nn.Conv1d, mint.nn.Conv2d, mint.nn.Conv3d, mint.nn.ConvTranspose2d):
            for arguments in wrong + [{"padding": (1, 1, 1, 1)}] + [{"padding": "same", "stride": 2},
                                                                    {"padding": "full"}] * (kind is not mint.nn.ConvTranspose2d):
                with self.subTest(kind=kind.__name__, arguments=arguments), self.assertRaises(ValueError):
                    kind(**{"in_channels": 3, "out_channels": 4, "kernel_size": 3, **arguments})
        with self.assertRaisesRegex(ValueError, "padding"):
            mint.nn.functional.conv2d(Tensor(np.ones((1, 3, 5, 5), np.float32)), Tensor(np.ones((4, 3, 3, 3), np.float32)), padding=(1, 1, 1))
        for make in (mint.nn.BatchNorm2d, mint.nn.LayerNorm, lambda *args, dtype: mint.nn.Conv2d(*args, 3, 3, dtype=dtype), lambda *args, dtype: mint.nn.Linear(*args, 3, dtype=dtype)):
            for dtype in (plumb.int32, plumb.int64):
                self.assertRaisesRegex(TypeError, "dtype", make, 3, dtype=dtype)
        with self.assertRaisesRegex(ValueError, r"BatchNorm2d.*\(4,\).*\(2, 3\)"):
            mint.nn.BatchNorm2d(3)(Tensor(np.ones((2, 3), np.float32)))

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "padding_mode"):
            mint.nn.Conv2d(1, 1, 3, padding_mode="round")
        with self.assertRaisesRegex(ValueError, "sparse"):
            mint.nn.Embedding(2, 2, sparse=True)
        with self.assertRaisesRegex(AttributeError, "mint.nn.*near to it"):
            mint.nn.Conv9d  # pylint: disable=pointless-statement


if __name__ == "__main__":
    unittest.main()
