"""Cells and optimizers that few programs use, beside NumPy's formulas."""

import unittest

import numpy as np
import torch

import plumb
from plumb import Parameter, Tensor, nn, ops

RNG = np.random.default_rng(12)


def array(*shape):
    """Normal numbers, float32."""
    return RNG.standard_normal(shape).astype(np.float32)


class SampledSoftmaxTest(unittest.TestCase):
    """The loss with given candidates, with drawn ones, and its gradients."""

    def setUp(self):
        self.weights, self.biases, self.inputs = array(7, 3), array(7), array(4, 3)
        self.labels = np.array([[1, 3], [0, 4], [2, 2], [6, 5]])
        self.drawn = np.array([1, 4, 2])
        self.counts = RNG.uniform(0.1, 0.9, (4, 2)).astype(np.float32), RNG.uniform(0.1, 0.9, 3).astype(np.float32)

    def expected(self, inputs, removes):
        """The loss of each row by PyTorch."""
        weights, biases = torch.tensor(self.weights), torch.tensor(self.biases)
        scores = inputs @ weights.T + biases
        true = torch.gather(scores, 1, torch.tensor(self.labels)) - torch.tensor(self.counts[0]).log()
        other = scores[:, self.drawn] - torch.tensor(self.counts[1]).log()
        if removes:
            hits = (self.labels[:, :, None] == self.drawn).any(1)
            other = other.masked_fill(torch.tensor(hits), -torch.inf)
        return -torch.log_softmax(torch.cat([true, other], 1), 1)[:, :2].mean(1)

    def test_values_and_gradients(self):
        for removes in (True, False):
            loss = nn.SampledSoftmaxLoss(3, 7, 2, (Tensor(self.drawn), *map(Tensor, self.counts)), removes)
            given = [Tensor(value) for value in (self.weights, self.biases, self.labels)]
            inputs = torch.tensor(self.inputs, requires_grad=True)
            expected = self.expected(inputs, removes)
            np.testing.assert_allclose(loss(*given, Tensor(self.inputs)).asnumpy(), expected.detach().numpy(), rtol=1e-5)
            expected.square().sum().backward()
            found = plumb.grad(lambda x: ops.square(loss(*given, x)).sum())(Tensor(self.inputs))
            np.testing.assert_allclose(found.asnumpy(), inputs.grad.numpy(), rtol=1e-4, atol=1e-5)

    def test_drawn_candidates(self):
        """All classes are drawn: the loss is the cross entropy with the softmax of what is expected of each."""
        loss = nn.SampledSoftmaxLoss(7, 7, 1, reduction="mean")
        values = [Tensor(value) for value in (self.weights, self.biases, self.labels[:, :1], self.inputs)]
        scores = torch.tensor(self.inputs) @ torch.tensor(self.weights).T + torch.tensor(self.biases)
        expected = torch.nn.functional.cross_entropy(scores, torch.tensor(self.labels[:, 0]))
        self.assertAlmostEqual(float(loss(*values)), float(expected), delta=0.8)
        self.assertEqual(loss(*values).shape, ())
        with self.assertRaisesRegex(ValueError, "'num_true' and 'num_sampled' must be from 1 to 'num_classes', 7"):
            nn.SampledSoftmaxLoss(3, 7, 8)


class FieldsTest(unittest.TestCase):
    """Rows of a table, put together by field."""

    INDICES = np.array([[2, 4, 6, 0, 0], [1, 3, 5, 0, 0]], np.int32)
    VALUES = np.array([[0.1, 2, -1, 0, 0], [1, 1, 0.5, 3e-6, 0]], np.float32)
    FIELDS = np.array([[0, 1, 1, 0, 0], [0, 0, 1, 2, 7]], np.int32)

    def reference(self, table, operator):
        """By NumPy."""
        found = np.zeros((2, 3, 2))
        for row in range(2):
            for field in range(3):
                chosen = self.FIELDS[row] == field
                values = self.VALUES[row, chosen]
                rows = table[self.INDICES[row, chosen]] * values[:, None]
                if operator == "MAX":
                    rows = rows[values != 0]
                if len(rows):
                    size = np.abs(values).sum() if operator == "MEAN" else 1
                    found[row, field] = rows.max(0) if operator == "MAX" else rows.sum(0) / (size or 1)
        return found

    def test_operators(self):
        for operator in ("SUM", "MAX", "MEAN"):
            layer = nn.MultiFieldEmbeddingLookup(10, 2, 3, operator=operator)
            table = array(10, 2) - 1
            layer.embedding_table.set_data(Tensor(table))
            inputs = [Tensor(value) for value in (self.INDICES, self.VALUES, self.FIELDS)]
            np.testing.assert_allclose(layer(*inputs).asnumpy(), self.reference(table, operator), rtol=1e-5, err_msg=operator)
            gradient = plumb.grad(lambda *x, cell=layer: ops.square(cell(*x)).sum(), None, layer.trainable_params())(*inputs)
            step, base = 1e-4, np.square(self.reference(table.astype(np.float64), operator)).sum()
            moved = table.astype(np.float64)
            moved[4, 1] += step
            expected = (np.square(self.reference(moved, operator)).sum() - base) / step
            found = (gradient[0] if isinstance(gradient, tuple) else gradient).asnumpy()[4, 1]
            self.assertAlmostEqual(found, expected, delta=0.01 + abs(expected) * 1e-3)

    def test_refusals(self):
        with self.assertRaisesRegex(ValueError, "'SUM', 'MAX' or 'MEAN'"):
            nn.MultiFieldEmbeddingLookup(10, 2, 3, operator="ALL")
        with self.assertRaisesRegex(ValueError, "feature_num_list"):
            nn.MultiFieldEmbeddingLookup(10, 2, 3, feature_num_list=[1])


class Two(nn.Cell):
    """Two results of two inputs."""

    def construct(self, x, y):
        """Compiled body."""
        return x * y, ops.sin(x)


class WrappersTest(unittest.TestCase):
    """Networks around networks."""

    def test_batches_in_parts(self):
        x, net = Tensor(array(6, 4)), nn.SequentialCell(nn.Dense(4, 2), nn.Tanh())
        whole = net(x).asnumpy()
        for made, count in ((nn.MicroBatchInterleaved(net), 2), (nn.PipelineCell(net, 3), 3)):
            self.assertEqual([p.name for p in made.get_parameters()], [p.name for p in net.get_parameters()])
            np.testing.assert_allclose(made(x).asnumpy(), whole.reshape(count, -1, 2).sum(0), rtol=1e-5, atol=1e-6)
        with self.assertRaisesRegex(Exception, r"must be a multiple of 4, but got \(6, 4\)"):
            nn.PipelineCell(net, 4)(x)
        with self.assertRaisesRegex(ValueError, "'micro_size' must be an int above 0"):
            nn.PipelineCell(net, 0)

    def test_training_in_parts_is_training_with_their_sum(self):
        class Loss(nn.Cell):
            """Sum of squares."""

            def __init__(self):
                super().__init__()
                self.dense = nn.Dense(4, 1)

            def construct(self, x):
                """Compiled body."""
                return ops.square(self.dense(x)).sum()

        x, net = Tensor(array(6, 4)), Loss()
        weights = net.trainable_params()
        one = plumb.grad(net, None, weights)(x)
        other = plumb.grad(nn.MicroBatchInterleaved(net, 3), None, weights)(x)
        for a, b in zip(one, other):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-6)

    def test_products_with_jacobians(self):
        x, y, v, w = array(3), array(3), array(3), array(3)
        tensors = [Tensor(value) for value in (x, y)]
        outputs, product = nn.Jvp(Two())(*tensors, (Tensor(v), Tensor(w)))
        np.testing.assert_allclose(outputs[0].asnumpy(), x * y, rtol=1e-6)
        np.testing.assert_allclose(product[0].asnumpy(), v * y + w * x, rtol=1e-5)
        np.testing.assert_allclose(product[1].asnumpy(), v * np.cos(x), rtol=1e-5)
        outputs, product = nn.Vjp(Two())(*tensors, (Tensor(v), Tensor(w)))
        np.testing.assert_allclose(product[0].asnumpy(), v * y + w * np.cos(x), rtol=1e-5)
        np.testing.assert_allclose(product[1].asnumpy(), v * x, rtol=1e-5)
        self.assertEqual(nn.Vjp(nn.Sigmoid())(Tensor(x), Tensor(v))[1].shape, (3,))
        np.testing.assert_allclose(nn.Jvp(nn.ReLU())(Tensor(x), Tensor(v))[1].asnumpy(), v * (x > 0))

    def test_products_in_compiled_code(self):
        x, y, v, w = (Tensor(array(3)) for _ in range(4))
        for kind in (nn.Jvp, nn.Vjp):
            product = kind(Two())
            wanted, found = product(x, y, (v, w)), plumb.jit(lambda x, y, v, w, product=product: product(x, y, (v, w)))(x, y, v, w)
            for one, other in zip((*wanted[0], *wanted[1]), (*found[0], *found[1]), strict=True):
                np.testing.assert_allclose(other.asnumpy(), one.asnumpy(), rtol=1e-5)

    def test_matrix_set_diag(self):
        for shape in ((3, 3), (2, 3, 5), (2, 5, 3)):
            x, diagonal = array(*shape), array(*shape[:-2], 3)
            expected = x.copy()
            expected[..., np.arange(3), np.arange(3)] = diagonal
            np.testing.assert_array_equal(nn.layer.MatrixSetDiag()(Tensor(x), Tensor(diagonal)).asnumpy(), expected)
        with self.assertRaisesRegex(Exception, r"must be Float32 of \(2, 3\)"):
            nn.MatrixSetDiag()(Tensor(array(2, 5, 3)), Tensor(array(2, 5)))


    def test_diagonals(self):
        for shape in ((3,), (2, 3), (2, 1, 4)):
            x = array(*shape)
            np.testing.assert_array_equal(nn.MatrixDiag()(Tensor(x)).asnumpy(), torch.diag_embed(torch.tensor(x)).numpy())
        for shape in ((3, 3), (2, 3, 5), (2, 2, 5, 3)):
            x = array(*shape)
            np.testing.assert_array_equal(nn.MatrixDiagPart()(Tensor(x)).asnumpy(), np.diagonal(x, 0, -2, -1))

    def test_roll(self):
        x = array(3, 4, 2)
        for shift, axis in ((1, 0), (-1, -2), ([1, 2], [0, -1]), ((5, -7), (1, 1)), ((2,), (1,))):
            np.testing.assert_array_equal(nn.Roll(shift, axis)(Tensor(x)).asnumpy(), np.roll(x, shift, axis))
        for shift, axis in (([1, 2], [0]), ([1], 0), (1, [0, 1])):
            with self.assertRaisesRegex(ValueError, "equally long"):
                nn.Roll(shift, axis)
        with self.assertRaisesRegex(TypeError, "'shift'"):
            nn.Roll(1.5, 0)
        with self.assertRaises(ValueError):
            nn.Roll(1, 5)(Tensor(x))


class AdaFactorTest(unittest.TestCase):
    """Steps beside the formulas."""

    @staticmethod
    def steps(weight, gradients, clip=1.0, beta1=0.9, decay=0.0, rate=None):
        """The weight after all gradients, by NumPy in float64."""
        row, column, mean, squares = 0.0, 0.0, 0.0, 0.0
        for step, gradient in enumerate(gradients, 1):
            beta = 1 - step ** -0.8
            now = gradient ** 2 + 1e-30
            if weight.ndim > 1:
                row, column = beta * row + (1 - beta) * now.mean(-1), beta * column + (1 - beta) * now.mean(-2)
                update = gradient / np.sqrt((row / row.mean(-1, keepdims=True))[..., None] * column[..., None, :])
            else:
                squares = beta * squares + (1 - beta) * now
                update = gradient / np.sqrt(squares)
            speed = min(1e-2, step ** -0.5) * max(1e-3, np.sqrt(np.mean(weight ** 2))) if rate is None else rate
            update = update * speed / max(1, np.sqrt(np.mean(update ** 2)) / clip)
            mean = update if beta1 is None else beta1 * mean + (1 - beta1) * update
            weight = weight - weight * decay * speed - mean
        return weight

    def test_steps(self):
        settings = [({}, {}), ({"beta1": None}, {"beta1": None}), ({"beta1": 0.0}, {"beta1": 0.0}),
                    ({"beta1": 0.5, "clip_threshold": 0.3}, {"beta1": 0.5, "clip": 0.3}),
                    ({"learning_rate": 0.1, "relative_step": False, "scale_parameter": False, "weight_decay": 0.2}, {"rate": 0.1, "decay": 0.2})]
        for given, expected in settings:
            first = [array(3, 2), array(4), array(2, 3, 2)]
            weights = [Parameter(Tensor(value), name=f"w{i}") for i, value in enumerate(first)]
            optimizer, gradients = nn.AdaFactor(weights, **given), [[array(*value.shape) for value in first] for _ in range(4)]
            for step in gradients:
                optimizer(tuple(map(Tensor, step)))
            for i, value in enumerate(first):
                reference = self.steps(value.astype(np.float64), [step[i] for step in gradients], **expected)
                np.testing.assert_allclose(weights[i].asnumpy(), reference, rtol=2e-5, atol=1e-6, err_msg=f"{given} {i}")

    def test_refusals(self):
        weights = [Parameter(Tensor(array(2)), name="w")]
        for given, message in (({"learning_rate": 0.1}, "relative_step=False"), ({"relative_step": False}, "needs a 'learning_rate'"),
                               ({"beta1": 1.0}, "'beta1' must be at least 0 and below 1")):
            with self.assertRaisesRegex(ValueError, message):
                nn.AdaFactor(weights, **given)


if __name__ == "__main__":
    unittest.main()
