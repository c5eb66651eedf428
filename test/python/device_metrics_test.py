"""Metrics that the step of a sunk evaluation adds up, against `update` on the host."""

import unittest

import numpy as np

import plumb
from plumb import Tensor, dataset, nn, ops, train
from plumb.nn.metrics._device import Evaluation, tally_of

RNG = np.random.default_rng(5)


class Pass(nn.Cell):
    """Loss, outputs and labels."""

    def construct(self, x, y):
        """Returns them."""
        return ops.reduce_mean(x), x, y


def scores(*shape):
    """Outputs with equal, infinite and undefined numbers in a few rows."""
    x = RNG.normal(size=shape).astype(np.float32)
    x[1], x[2], x[3, 0], x[4, :3], x[5, 1] = 1, np.nan, np.nan, np.inf, -np.inf
    return x


class TallyTest(unittest.TestCase):
    """Step by step."""

    def check(self, make, x, y, exact=True):
        """Compares three steps' worth."""
        on_host, on_device = make(), make()
        tally = tally_of(on_device)
        step = Evaluation(Pass(), [tally], [0, 1, 2])
        for shift in range(3):
            inputs = np.roll(x, shift, 0), y
            on_host.update(*([Pass()(*map(Tensor, inputs))[0]] if isinstance(on_host, nn.Loss) else inputs))
            step(*map(Tensor, inputs))
        tally.finish()
        if exact:
            self.assertEqual(on_device.eval(), on_host.eval())
        else:
            np.testing.assert_allclose(on_device.eval(), on_host.eval(), rtol=1e-14)

    def test_accuracy(self):
        classes = RNG.integers(0, 10, 64)
        for labels in (classes.astype(np.int32), classes.astype(np.int64), classes.astype(np.float32), np.eye(10, dtype=np.float32)[classes]):
            self.check(nn.Accuracy, scores(64, 10), labels)
        self.check(nn.Accuracy, scores(8, 5, 4, 3), RNG.integers(0, 5, (8, 4, 3)).astype(np.int32))
        self.check(nn.Accuracy, scores(64, 10).astype(np.float16), classes.astype(np.int32))

    def test_top_k(self):
        classes = RNG.integers(0, 10, 64)
        for make in (nn.Top1CategoricalAccuracy, nn.Top5CategoricalAccuracy, lambda: nn.TopKCategoricalAccuracy(3),
                     lambda: nn.TopKCategoricalAccuracy(20)):
            for labels in (classes.astype(np.int32), classes.astype(np.float32) + 0.5, np.full(64, 10, np.int32), np.eye(10, dtype=np.float32)[classes]):
                self.check(make, scores(64, 10), labels)

    def test_numbers(self):
        x, y = RNG.normal(size=(2, 64, 10)).astype(np.float32)
        self.check(nn.Loss, x, y)
        self.check(nn.MAE, x, y, exact=False)
        self.check(nn.MSE, x, y, exact=False)
        self.check(nn.MSE, x[:, 0], y[:, 0], exact=False)

    def test_which(self):
        class Mine(nn.Accuracy):
            """Somebody's own."""

        for metric in (Mine(), nn.Precision(), nn.Accuracy("multilabel"), nn.Accuracy().set_indexes([0, 1])):
            self.assertIsNone(tally_of(metric))


class Steps(train.Callback):
    """Hears evaluation's steps."""

    def __init__(self):
        self.count, self.shapes = 0, []

    def on_eval_step_end(self, run_context):
        """Notes outputs."""
        self.count += 1
        self.shapes.append(run_context.original_args().net_outputs[1].shape)


class EvaluationTest(unittest.TestCase):
    """Model.eval and fit."""

    def setUp(self):
        plumb.set_seed(2)
        rng = np.random.default_rng(6)
        self.x, self.y = rng.normal(size=(96, 6)).astype(np.float32), rng.integers(0, 3, 96).astype(np.int32)
        self.net = nn.SequentialCell(nn.Dense(6, 8), nn.ReLU(), nn.Dense(8, 3))

    def model(self, metrics=("loss", "accuracy", "top_1_accuracy")):
        """A model."""
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        return plumb.Model(self.net, loss, nn.Momentum(self.net.trainable_params(), 0.1, 0.9), metrics=set(metrics))

    def data(self, rows=96):
        """Batches of 8."""
        return dataset.NumpySlicesDataset((self.x[:rows], self.y[:rows]), ["x", "y"], shuffle=False).batch(8)

    def assert_same(self, found, expected):
        """Shares of counts are equal, sums but for their last digits."""
        self.assertAlmostEqual(found["loss"], expected["loss"], places=6)
        self.assertEqual({**found, "loss": 0}, {**expected, "loss": 0})

    def launches(self, model):
        """By what tells programs apart: launches."""
        return {key[1]: run.launches for key, run in model._runs.items() if key[0] == "eval"}

    def test_one_launch(self):
        model = self.model()
        expected = model.eval(self.data())
        for _ in range(2):
            self.assert_same(model.eval(self.data(), dataset_sink_mode=True), expected)
        self.assertEqual(self.launches(model), {True: 12, ("metrics", True): 2})
        self.assertEqual(set(self.net.parameters_dict()), {"0.weight", "0.bias", "2.weight", "2.bias"})

    def test_while_training(self):
        results = []
        for sink in (False, True):
            self.setUp()
            found = []

            class Keep(train.Callback):
                """Keeps metrics."""

                def on_train_epoch_end(self, run_context):
                    """Of an epoch."""
                    found.append(run_context.original_args().eval_results)

            self.model().fit(3, self.data(), self.data(48), callbacks=[Keep()], dataset_sink_mode=True, valid_dataset_sink_mode=sink)
            results.append(found)
        for on_host, on_device in zip(*results):
            self.assert_same({**on_device, "eval_loss": 0}, {**on_host, "eval_loss": 0})
        self.assertNotEqual(results[0][0], results[0][2])

    def test_the_host_does_it(self):
        model, steps = self.model(), Steps()
        expected = model.eval(self.data(), steps)
        self.assertEqual((steps.count, steps.shapes[0]), (12, (8, 3)))
        self.assertEqual(model.eval(self.data(), Steps(), dataset_sink_mode=True), expected)
        ragged = self.data(93)
        self.assertEqual(model.eval(ragged, dataset_sink_mode=True), model.eval(ragged))
        other = self.model(("accuracy", "precision"))
        np.testing.assert_array_equal(other.eval(self.data(), dataset_sink_mode=True)["precision"], other.eval(self.data())["precision"])
        self.assertNotIn(("metrics", True), {**self.launches(model), **self.launches(other)})

    def test_wrong_labels(self):
        self.y[17] = 4
        model = plumb.Model(self.net, nn.MAELoss(), metrics={"accuracy"}, eval_network=Pass3(self.net), eval_indexes=[0, 1, 2])
        for sink in (False, True):
            with self.assertRaisesRegex(ValueError, "For 'Accuracy.update', the labels must be classes below 3, but there is 4."):
                model.eval(self.data(), dataset_sink_mode=sink)

    def test_outputs_that_do_not_fit(self):
        model = plumb.Model(self.net, nn.MAELoss(), metrics={"mae"}, eval_network=Pass3(self.net), eval_indexes=[0, 1, 2])
        for sink in (False, True):
            with self.assertRaisesRegex(ValueError, "For 'MAE.update', outputs of shape"):
                model.eval(self.data(), dataset_sink_mode=sink)


class Pass3(nn.Cell):
    """An evaluation of one's own, without a loss of labels."""

    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.net = net

    def construct(self, x, y):
        """Returns loss, outputs and labels."""
        outputs = self.net(x)
        return outputs.mean(), outputs, y


if __name__ == "__main__":
    unittest.main()
