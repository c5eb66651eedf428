"""Operators, keywords and `dtype` of layers that MindSpore 2.1 and later have: beside NumPy, PyTorch and the same call by position."""

import unittest

import numpy as np
import torch

import plumb
from plumb import Parameter, Tensor, nn, ops
from plumb.common._offers import known_as

HALF = plumb.float16


def halves(*shape):
    """A tensor of float16."""
    return Tensor(np.random.default_rng(3).normal(size=shape).astype(np.float16))


def singles(value):
    """Tensors of float16 in tuples, as float32."""
    if isinstance(value, tuple):
        return tuple(map(singles, value))
    return value.astype(plumb.float32) if value.dtype == HALF else value


class TypedLayers(unittest.TestCase):
    """Layers with Parameters of float16 compute in it, as the same layer does whose Parameters are converted."""

    LAYERS = [(lambda **k: nn.Dense(3, 4, **k), (halves(2, 3),)), (lambda **k: nn.BiDense(3, 4, 5, **k), (halves(2, 3), halves(2, 4))),
              (lambda **k: nn.Conv1d(3, 4, 3, has_bias=True, **k), (halves(2, 3, 8),)), (lambda **k: nn.Conv2d(3, 4, 3, **k), (halves(2, 3, 8, 8),)),
              (lambda **k: nn.Conv3d(3, 4, 3, **k), (halves(1, 3, 4, 4, 4),)), (lambda **k: nn.Conv1dTranspose(3, 4, 3, **k), (halves(1, 3, 4),)),
              (lambda **k: nn.Conv2dTranspose(3, 4, 3, has_bias=True, **k), (halves(1, 3, 4, 4),)),
              (lambda **k: nn.Conv3dTranspose(3, 4, 3, **k), (halves(1, 3, 2, 2, 2),)), (lambda **k: nn.BatchNorm1d(3, **k), (halves(4, 3),)),
              (lambda **k: nn.BatchNorm2d(3, **k), (halves(2, 3, 4, 4),)), (lambda **k: nn.BatchNorm3d(3, **k), (halves(2, 3, 2, 2, 2),)),
              (lambda **k: nn.SyncBatchNorm(3, **k), (halves(2, 3, 4, 4),)), (lambda **k: nn.LayerNorm((4,), **k), (halves(2, 4),)),
              (lambda **k: nn.GroupNorm(2, 4, **k), (halves(2, 4, 3, 3),)), (lambda **k: nn.InstanceNorm1d(4, **k), (halves(2, 4, 3),)),
              (lambda **k: nn.InstanceNorm3d(4, **k), (halves(2, 4, 3, 2, 2),)), (lambda **k: nn.RNNCell(3, 4, **k), (halves(2, 3), halves(2, 4))),
              (lambda **k: nn.GRUCell(3, 4, **k), (halves(2, 3), halves(2, 4))),
              (lambda **k: nn.LSTMCell(3, 4, **k), (halves(2, 3), (halves(2, 4), halves(2, 4)))), (lambda **k: nn.RNN(3, 4, **k), (halves(2, 2, 3),)),
              (lambda **k: nn.GRU(3, 4, **k), (halves(2, 2, 3),)), (lambda **k: nn.LSTM(3, 4, **k), (halves(2, 2, 3),)),
              (lambda **k: nn.EmbeddingLookup(4, 2, **k), (Tensor([1, 2]),)), (lambda **k: nn.MultiheadAttention(4, 2, **k), (halves(2, 2, 4),) * 3),
              (lambda **k: nn.TransformerEncoderLayer(4, 2, 8, **k), (halves(2, 2, 4),)),
              (lambda **k: nn.TransformerDecoderLayer(4, 2, 8, **k), (halves(2, 2, 4),) * 2)]

    def test_results(self):
        for make, inputs in self.LAYERS:
            layer, other = make(dtype=HALF), make()
            with self.subTest(layer=type(layer).__name__):
                for parameter in layer.trainable_params():
                    self.assertEqual(parameter.dtype, HALF)
                plumb.load_param_into_net(other, {p.name: p for p in layer.get_parameters() if p.dtype == HALF}, strict_load=False)
                for cell in (layer, other):
                    cell.set_train(False)
                found, wanted = layer(*inputs), other(*singles(inputs))
                found, wanted = (value[0] if isinstance(value, tuple) else value for value in (found, wanted))
                self.assertEqual(found.dtype, HALF)
                np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), rtol=2e-2, atol=4e-3)

    BESIDE = [(lambda **k: nn.Dense(3, 4, **k), torch.nn.Linear(3, 4), (2, 3)),
              (lambda **k: nn.Conv2d(3, 4, 3, pad_mode="valid", has_bias=True, **k), torch.nn.Conv2d(3, 4, 3), (2, 3, 6, 5)),
              (lambda **k: nn.Conv1d(3, 4, 3, pad_mode="valid", has_bias=True, **k), torch.nn.Conv1d(3, 4, 3), (2, 3, 6)),
              (lambda **k: nn.BiDense(3, 3, 5, **k), torch.nn.Bilinear(3, 3, 5), (2, 3)),
              (lambda **k: nn.Conv3d(3, 4, 2, pad_mode="valid", has_bias=True, **k), torch.nn.Conv3d(3, 4, 2), (1, 3, 3, 4, 3)),
              (lambda **k: nn.LayerNorm((4,), epsilon=1e-5, **k), torch.nn.LayerNorm(4), (2, 4)),
              (lambda **k: nn.Conv2dTranspose(3, 4, 3, pad_mode="valid", has_bias=True, **k), torch.nn.ConvTranspose2d(3, 4, 3), (1, 3, 4, 4)),
              (lambda **k: nn.GroupNorm(2, 4, **k), torch.nn.GroupNorm(2, 4), (2, 4, 3, 3)),
              (lambda **k: nn.BatchNorm2d(3, **k), torch.nn.BatchNorm2d(3), (2, 3, 4, 4)),
              (lambda **k: nn.RNN(3, 4, **k), torch.nn.RNN(3, 4), (2, 2, 3)), (lambda **k: nn.LSTM(3, 4, **k), torch.nn.LSTM(3, 4), (2, 2, 3))]

    def test_numbers(self):
        """PyTorch's layers in float32, with the same weights."""
        rng = np.random.default_rng(12)
        for make, theirs, shape in self.BESIDE:
            layer = make(dtype=HALF)
            with self.subTest(layer=type(layer).__name__):
                for parameter, other in zip(layer.trainable_params(), theirs.parameters(), strict=True):
                    values = rng.normal(size=parameter.shape).astype(np.float16)
                    parameter.set_data(Tensor(values))
                    other.data = torch.tensor(values.astype(np.float32)).reshape(other.shape)
                layer.set_train(False)
                theirs.eval()
                x = rng.normal(size=shape).astype(np.float16)
                count = 2 if isinstance(theirs, torch.nn.Bilinear) else 1
                found, wanted = layer(*[Tensor(x)] * count), theirs(*[torch.tensor(x.astype(np.float32))] * count)
                found, wanted = (value[0] if isinstance(value, tuple) else value for value in (found, wanted))
                np.testing.assert_allclose(found.asnumpy(), wanted.detach().numpy(), rtol=1e-2, atol=2e-2)

    def test_by_position(self):
        self.assertEqual(nn.Dense(3, 4, "ones", "zeros", True, None, HALF).weight.dtype, HALF)
        self.assertEqual(nn.Dense(3, 4, dtype=plumb.float64).weight.asnumpy().dtype, np.float64)

    def test_values_are_those_of_the_rule(self):
        np.testing.assert_array_equal(nn.LayerNorm((3,), gamma_init="ones", dtype=HALF).gamma.asnumpy(), np.ones(3, np.float16))

    def test_training_converts_nothing(self):
        layer = nn.BatchNorm2d(3, dtype=HALF)
        layer.set_train()
        layer(halves(2, 3, 4, 4))
        self.assertEqual(layer.moving_mean.dtype, HALF)
        self.assertNotEqual(float(np.abs(layer.moving_mean.asnumpy()).sum()), 0.0)

    def test_refused(self):
        with self.assertRaisesRegex(TypeError, "'Dense', the 'dtype' must be a type of floating point"):
            nn.Dense(3, 4, dtype=plumb.int32)
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'kind'"):
            nn.Dense(3, 4, kind=HALF)


class Keywords(unittest.TestCase):
    """Arguments by the names of other versions, alone, compiled and in gradients."""

    X = Tensor(np.array([[1.5, -2.25, 0.3]], np.float32))
    CASES = [(lambda x: ops.asinh(input=x), lambda x: ops.asinh(x)), (lambda x: ops.arcsinh(input=x), ops.asinh),
             (lambda x: ops.softmax(input=x, axis=0), lambda x: ops.softmax(x, 0)),
             (lambda x: ops.where(x > 0, input=x, other=0.0), lambda x: ops.where(x > 0, x, 0.0)),
             (lambda x: ops.logsumexp(x, dim=1, keepdim=True), lambda x: ops.logsumexp(x, 1, True)), (lambda x: ops.gelu(input=x), ops.gelu),
             (lambda x: ops.silu(input=x), ops.silu), (lambda x: ops.prelu(input=x, weight=Tensor([0.2])), lambda x: ops.prelu(x, Tensor([0.2]))),
             (lambda x: ops.kron(input=x, other=x), lambda x: ops.kron(x, x)),
             (lambda x: ops.binary_cross_entropy_with_logits(input=x, target=x), lambda x: ops.binary_cross_entropy_with_logits(x, x)),
             (lambda x: ops.select(condition=x > 0, input=x, other=x * 2), lambda x: ops.select(x > 0, x, x * 2)),
             (lambda x: ops.dstack(tensors=(x, x)), lambda x: ops.dstack((x, x))),
             (lambda x: ops.prod(x, axis=1, dtype=plumb.float64), lambda x: ops.prod(ops.cast(x, plumb.float64), 1)),
             (lambda x: nn.Sigmoid()(x=x), nn.Sigmoid()), (lambda x: nn.Softmax()(input=x), nn.Softmax()),
             (lambda x: nn.LogSigmoid()(input_x=x), nn.LogSigmoid()),
             (lambda x: nn.MarginRankingLoss()(input1=x, input2=x, target=x), lambda x: nn.MarginRankingLoss()(x, x, x)),
             (lambda x: nn.TripletMarginLoss()(x, x * 2, x, margin=3.0), lambda x: nn.TripletMarginLoss(margin=3.0)(x, x * 2, x))]

    def test_equal(self):
        for mode in (plumb.GRAPH_MODE, plumb.PYNATIVE_MODE):
            plumb.set_context(mode=mode)
            for case, plain in self.CASES:
                with self.subTest(line=case.__code__.co_firstlineno, names=case.__code__.co_names, mode=mode):
                    np.testing.assert_array_equal(case(self.X).asnumpy(), plain(self.X).asnumpy())
                    np.testing.assert_array_equal(plumb.jit(case)(self.X).asnumpy(), plain(self.X).asnumpy())
                    np.testing.assert_array_equal(plumb.grad(case)(self.X).asnumpy(), plumb.grad(plain)(self.X).asnumpy())

    def test_unknown(self):
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'inputs'"):
            ops.softmax(inputs=self.X)

    def test_own_function(self):
        @known_as(input="x")
        def twice(x):
            return x * 2

        np.testing.assert_array_equal(plumb.grad(twice)(self.X).asnumpy(), np.full((1, 3), 2, np.float32))
        self.assertEqual(twice(input=3), 6)

    def test_one_argument_twice(self):
        for call in (lambda x: ops.softmax(x=x, input=x), lambda x: nn.MSELoss()(logits=x, labels=x, input=x, target=x),
                     lambda x: ops.softmax(x, input=x), plumb.grad(lambda x: ops.softmax(x=x, input=x)), plumb.jit(lambda x: ops.softmax(x=x, input=x))):
            self.assertRaisesRegex(TypeError, "multiple values", call, self.X)

    def test_new_keywords(self):
        np.testing.assert_allclose(ops.round(Tensor([1.256, -2.25], plumb.float32), decimals=1).asnumpy(), [1.3, -2.2], rtol=1e-6)
        self.assertEqual([part.asnumpy().tolist() for part in ops.nonzero(self.X > 0, as_tuple=True)], [[0, 0], [0, 2]])
        found = ops.searchsorted(Tensor([3.0, 1.0, 2.0]), Tensor([1.0, 2.5]), side="right", sorter=Tensor([1, 2, 0]))
        self.assertEqual(found.asnumpy().tolist(), np.searchsorted([1, 2, 3], [1, 2.5], "right").tolist())
        with self.assertRaisesRegex(ValueError, "'side'"):
            ops.searchsorted(Tensor([1.0]), Tensor([1.0]), side="left", right=True)
        with self.assertRaisesRegex(ValueError, "maxlen"):
            ops.range(0, 10, 1, maxlen=3)


class Operators(unittest.TestCase):
    """Operators beside PyTorch and their definitions."""

    def test_embedding(self):
        table, numbers = np.random.default_rng(4).normal(size=(5, 3)).astype(np.float32), np.array([[0, 4, 0], [1, 1, 1]])
        for settings in ({}, {"padding_idx": 1}, {"padding_idx": -5, "scale_grad_by_freq": True}):
            with self.subTest(settings=settings):
                weight = torch.tensor(table, requires_grad=True)
                wanted = torch.nn.functional.embedding(torch.tensor(numbers), weight, **settings)
                (wanted ** 2).sum().backward()
                np.testing.assert_allclose(ops.embedding(Tensor(numbers), Tensor(table), **settings).asnumpy(), wanted.detach().numpy(), rtol=1e-6)
                found = plumb.grad(lambda w, settings=settings: (ops.embedding(Tensor(numbers), w, **settings) ** 2).sum())(Tensor(table))
                np.testing.assert_allclose(found.asnumpy(), weight.grad.numpy(), rtol=1e-5)

    def test_embedding_renormalises(self):
        table, numbers = np.random.default_rng(5).normal(size=(5, 3)).astype(np.float32) * 3, np.array([0, 4, 0])
        for norm_type in (1.0, 2.0):
            weight, theirs = Parameter(Tensor(table), name="w"), torch.tensor(table)
            wanted = torch.nn.functional.embedding(torch.tensor(numbers), theirs, max_norm=1.0, norm_type=norm_type)
            np.testing.assert_allclose(ops.embedding(Tensor(numbers), weight, max_norm=1.0, norm_type=norm_type).asnumpy(), wanted.numpy(), rtol=1e-5)
            np.testing.assert_allclose(weight.asnumpy(), theirs.numpy(), rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "padding_idx"):
            ops.embedding(Tensor(numbers), Tensor(table), padding_idx=5)

    def test_gates(self):
        x = np.random.default_rng(6).normal(size=(4, 3)).astype(np.float32)
        first, second = torch.chunk(torch.tensor(x), 2, 0)
        np.testing.assert_allclose(ops.swiglu(Tensor(x), 0).asnumpy(), (torch.nn.functional.silu(first) * second).numpy(), rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "halved"):
            ops.swiglu(Tensor(x))
        np.testing.assert_array_equal(ops.row_stack((Tensor(x), Tensor(x))).asnumpy(), np.vstack((x, x)))

    def test_experts(self):
        rng = np.random.default_rng(7)
        tokens, experts, shares = rng.normal(size=(6, 3)).astype(np.float32), rng.integers(0, 4, (6, 2)), rng.random((6, 2)).astype(np.float32)
        permuted, places = ops.moe_token_permute(Tensor(tokens), Tensor(experts))
        order = np.argsort(experts.ravel(), kind="stable")
        np.testing.assert_array_equal(permuted.asnumpy(), tokens[order // 2])
        self.assertEqual((places.dtype, places.asnumpy().tolist()), (plumb.int32, np.argsort(order, kind="stable").tolist()))
        self.assertEqual(ops.moe_token_permute(Tensor(tokens), Tensor(experts), 5)[0].shape, (5, 3))
        np.testing.assert_allclose(ops.moe_token_unpermute(permuted, places, Tensor(shares)).asnumpy(), tokens * shares.sum(1, keepdims=True), rtol=1e-5)
        self.assertEqual(ops.moe_token_permute(Tensor(tokens), Tensor(experts), 99)[0].shape, permuted.shape)
        for count in range(1, experts.size):  # rows that are not kept count as zeros
            kept, places = ops.moe_token_permute(Tensor(tokens), Tensor(experts), count)
            shown = np.where(places.asnumpy().reshape(experts.shape) < count, shares, 0)
            found = ops.moe_token_unpermute(kept, places, Tensor(shares))
            np.testing.assert_allclose(found.asnumpy(), tokens * shown.sum(1, keepdims=True), rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "num_out_tokens"):
            ops.moe_token_permute(Tensor(tokens), Tensor(experts), -1)
        permuted, places = ops.moe_token_permute(Tensor(tokens), Tensor(experts[:, 0]))
        np.testing.assert_array_equal(ops.moe_token_unpermute(permuted, places).asnumpy(), tokens)

    def test_rotations(self):
        """Pairs of the last axis turn by the angle: their lengths stay."""
        x, angle = np.random.default_rng(8).normal(size=(2, 3, 5, 4)).astype(np.float32), np.random.default_rng(9).normal(size=(1, 3, 1, 2))
        for mode, spread, pair in ((0, lambda a: np.concatenate((a, a),
                                                                -1), lambda v: v[..., :2] + 1j * v[..., 2:]), (1, lambda a: np.repeat(a, 2, -1), lambda v: v[..., ::2] + 1j * v[..., 1::2])):
            cos, sin = (Tensor(spread(f(angle)).astype(np.float32)) for f in (np.cos, np.sin))
            found = ops.rotary_position_embedding(Tensor(x), cos, sin, mode).asnumpy()
            np.testing.assert_allclose(pair(found), pair(x) * np.exp(1j * angle), rtol=1e-4, atol=1e-5)

    def test_add_layer_norm(self):
        x, y, scale, shift = np.random.default_rng(10).normal(size=(4, 2, 5)).astype(np.float32)
        found = ops.add_layer_norm(Tensor(x), Tensor(y), Tensor(scale[0]), Tensor(shift[0]), 1e-3)
        wanted = torch.nn.functional.layer_norm(torch.tensor(x + y), (5,), torch.tensor(scale[0]), torch.tensor(shift[0]), 1e-3)
        np.testing.assert_allclose(found[0].asnumpy(), wanted.numpy(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(found[1].asnumpy(), (x + y).mean(-1, keepdims=True), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(found[2].asnumpy(), 1 / np.sqrt((x + y).var(-1, keepdims=True) + 1e-3), rtol=1e-4)
        np.testing.assert_array_equal(found[3].asnumpy(), x + y)

    def test_loops(self):
        self.assertEqual(ops.WhileLoop()(lambda value: value < 100, lambda value: value + 7, 10), 101)
        self.assertEqual(ops.ForiLoop()(0, 4, lambda index, value: index + value, 0), 6)
        self.assertEqual(ops.Scan()(lambda carry, x: (carry + x, carry * x), 1, [2, 3]), (6, [2, 9]))
        self.assertEqual(ops.Scan()(lambda carry, x: (carry + 1, carry), 0, None, length=3), (3, [0, 1, 2]))
        for xs, length in (([1, 2, 3], 2), (None, None)):
            with self.assertRaisesRegex(ValueError, "'Scan'.*'length'"):
                ops.Scan()(lambda carry, x: (carry, carry), 0, xs, length)

        @plumb.jit
        def compiled(x):
            grown = ops.WhileLoop()(lambda value: value.sum() < 100, lambda value: value * 2, x)
            return ops.ForiLoop()(0, 3, lambda index, value: index + value, grown), ops.Scan()(lambda carry, x: (carry + x, carry), x, [1, 2])[0]

        found = compiled(Tensor([1.0, 2.0]))
        self.assertEqual([part.asnumpy().tolist() for part in found], [[67.0, 131.0], [4.0, 5.0]])

    def test_one_device(self):
        x = Tensor([1.0, 2.0])
        for operation in (ops.Reduce(0), ops.CollectiveGather(0), ops.CollectiveScatter(), ops.AlltoAll(1, 0, 0)):
            np.testing.assert_array_equal(operation(x).asnumpy(), x.asnumpy())
        self.assertIsNone(ops.Barrier()())
        for make in (lambda: ops.Reduce(1), lambda: ops.AlltoAll(8, 0, 0), lambda: ops.CollectiveScatter(2)):
            self.assertRaisesRegex(ValueError, "the (only device|number of devices)", make)


class Methods(unittest.TestCase):
    """Methods of tensors with PyTorch's arguments, alone, compiled and in gradients; their first form stays."""

    #: Expressions of x (3, 4), its fellow y and numbers i (2, 2), whose results PyTorch's methods give.
    CASES = [lambda x, y, i: x.chunk(2, dim=1)[1], lambda x, y, i: x.cumsum(dim=1), lambda x, y, i: x.flatten(start_dim=0),
             lambda x, y, i: x.unsqueeze(0).flatten(0, 1), lambda x, y, i: x.gather(1, i), lambda x, y, i: x.gather(dim=0, index=i),
             lambda x, y, i: x.mean(dim=1, keepdim=True), lambda x, y, i: x.mean(dim=0), lambda x, y, i: x.sum(dim=0, keepdim=True),
             lambda x, y, i: x.std(dim=1), lambda x, y, i: x.var(dim=1, correction=0, keepdim=True), lambda x, y, i: x.sub(y, alpha=0.5),
             lambda x, y, i: x.add(y, alpha=2), lambda x, y, i: x.transpose(dim0=0, dim1=1), lambda x, y, i: x.reshape(1, 3, 4).transpose(0, 2),
             lambda x, y, i: x.max(dim=1)[0], lambda x, y, i: x.min(dim=0, keepdim=True)[1], lambda x, y, i: x.select(1, 0),
             lambda x, y, i: x.select(dim=0, index=-1), lambda x, y, i: x.scatter(dim=1, index=i, src=y), lambda x, y, i: x.scatter_add(1, i, y),
             lambda x, y, i: x.sort(dim=0, descending=True)[0], lambda x, y, i: x.argsort(dim=1), lambda x, y, i: x.topk(2, dim=1)[0],
             lambda x, y, i: x.tile(dims=(2, 1)), lambda x, y, i: x.split(split_size=1, dim=0)[1], lambda x, y, i: x.argmax(dim=1),
             lambda x, y, i: x.argmin(dim=0, keepdim=True), lambda x, y, i: x.all(dim=1), lambda x, y, i: (x > 1).any(dim=0, keepdim=True),
             lambda x, y, i: x.prod(dim=1, keepdim=True), lambda x, y, i: x.median(dim=1)[0], lambda x, y, i: x.kthvalue(2)[0],
             lambda x, y, i: x.round(decimals=1), lambda x, y, i: x.take(index=i), lambda x, y, i: x.nansum(dim=1),
             lambda x, y, i: x.index_select(dim=1, index=i[0]), lambda x, y, i: x.isclose(other=y, rtol=0.5),
             lambda x, y, i: x.logsumexp(dim=1, keepdim=True)]

    def setUp(self):
        rng = np.random.default_rng(11)
        self.arrays = [*rng.normal(size=(2, 3, 4)).astype(np.float32), np.array([[0, 1], [2, 1]])]

    def test_beside_pytorch(self):
        tensors, theirs = list(map(Tensor, self.arrays)), list(map(torch.tensor, self.arrays))
        for case in self.CASES:
            with self.subTest(names=case.__code__.co_names, constants=case.__code__.co_consts):
                wanted = case(theirs[0].requires_grad_(), *theirs[1:])
                for found in (case(*tensors), plumb.jit(case)(*tensors)):
                    self.assertEqual((found.shape, found.asnumpy().dtype), (tuple(wanted.shape), wanted.detach().numpy().dtype))
                    np.testing.assert_allclose(found.asnumpy(), wanted.detach().numpy(), rtol=1e-5, atol=1e-6)
                if wanted.requires_grad:
                    expected, = torch.autograd.grad(wanted.sum(), theirs[0])
                    np.testing.assert_allclose(plumb.grad(lambda *xs, case=case: case(*xs).sum())(*tensors).asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-5)

    def test_first_forms(self):
        x, y, i = self.arrays
        t = Tensor(x)
        for found, wanted in ((t.std(1), x.std(1)), (t.max(axis=1), x.max(1)), (t.sum(0, keepdims=True), x.sum(0, keepdims=True)), (t.transpose(0, 1), x), (t.transpose(1, 0), x.T), (t.flatten(), x.ravel()),
                              (t.gather(Tensor(i[0]),
                                        1), x[:, i[0]]), (t.select(t > 0,
                                                                   0.0), np.where(x > 0, x, 0)), (t.index_add(0, Tensor([0, 1, 2], plumb.int32), Tensor(y)), x + y), (t.take(Tensor(i)), x.ravel()[i]), (t.var(ddof=1), x.var(ddof=1))):
            np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-5)
        self.assertEqual(t.argmax(axis=1).asnumpy().tolist(), x.argmax(1).tolist())

    def test_counts(self):
        t = Tensor(self.arrays[0])
        np.testing.assert_array_equal(t.index_add(Tensor([0], plumb.int32), Tensor(self.arrays[1][:1]), 0).asnumpy()[1:], self.arrays[0][1:])
        self.assertEqual((t.count_nonzero(dim=1).dtype, t.count_nonzero(dim=1).asnumpy().tolist()), (plumb.int64, [4, 4, 4]))
        self.assertEqual([part.asnumpy().tolist() for part in Tensor([3, 1, 3]).unique(return_counts=True)], [[1, 3], [1, 2]])

    def test_random(self):
        found = Tensor(np.zeros(2000, np.float32)).uniform(1.0, 3.0).asnumpy()
        self.assertTrue((found >= 1).all() and (found < 3).all())
        self.assertAlmostEqual(float(found.mean()), 2, delta=0.06)
        self.assertAlmostEqual(float(np.log(Tensor(np.zeros(4000, np.float32)).log_normal(1.0, 0.5).asnumpy()).std()), 0.5, delta=0.03)


if __name__ == "__main__":
    unittest.main()
