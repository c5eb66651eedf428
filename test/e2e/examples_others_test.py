"""The examples about tables, graphs and ways to train: what they reach in a short training, and numbers beside PyTorch's."""

import contextlib
import io
import tempfile
import unittest

import numpy as np
import torch
import torch.nn.functional as F

import examples
import plumb
from plumb import ops, train


class OthersTest(unittest.TestCase):
    """One program each."""

    def test_dlrm(self):
        """The area under the curve comes near that of the true probabilities, for tables of the sizes named."""
        program, (reached, best), recorder = examples.run("dlrm", "--tables", "100,50,20", "--rows", 30000, "--epochs", 4)
        self.assertGreater(best, 0.8)
        self.assertGreater(reached, best - 0.04)
        self.assertEqual([recorder.values[f"embeddings.{number}.embedding_table"].shape[0] for number in range(3)], [100, 50, 20])

        def perceptron(w, name, x):
            return examples.dense(w, name + ".1", F.relu(examples.dense(w, name + ".0", x)))

        def loss(w, numbers, categories, clicked):
            first = perceptron(w, "bottom", numbers)
            tables = [w[f"embeddings.{number}.embedding_table"][categories[:, number]] for number in range(3)]
            vectors = torch.stack([first] + tables, 1)
            rows, columns = np.tril_indices(4, -1)
            pairs = (vectors @ vectors.transpose(1, 2))[:, rows, columns]
            return F.binary_cross_entropy_with_logits(perceptron(w, "top", torch.cat([first, pairs], 1)), clicked)

        # The first update is that of Adam; behind it LazyAdam leaves rows alone that a batch does not name.
        rows = examples.batches(program.batches(30000, [100, 50, 20], 1, True), 2)
        examples.check_losses(recorder, examples.in_torch(recorder, loss, rows, examples.adam(0.005)))

    def test_custom_operators(self):
        """A function of C++ and bodies in MLIR beside PyTorch's Mish, and norms and distances written out there."""
        program, accuracy, recorder = examples.run("custom_operators", "--epochs", 2)
        self.assertGreater(accuracy, 0.85)

        def loss(w, images, labels):
            hidden = F.mish(examples.dense(w, "fc1", images.reshape(len(images), -1)))
            unit = hidden * torch.rsqrt((hidden ** 2).mean(1, keepdim=True) + 1e-6) * w["scale"]
            return F.cross_entropy(-((examples.dense(w, "fc2", unit)[:, None] - w["points"]) ** 2).sum(2), labels)

        rows = examples.batches(program.digits(program.DIGITS, "train"), 10)
        examples.check_losses(recorder, examples.in_torch(recorder, loss, rows, examples.adam(0.001)))

    def test_area(self):
        """The metric counts pairs in the right order."""
        program = __import__("dlrm")
        rng = np.random.default_rng(3)
        scores, clicked = rng.standard_normal(300), rng.integers(0, 2, 300)
        pairs = scores[clicked == 1][:, None] > scores[clicked == 0]
        self.assertAlmostEqual(program.area(scores, clicked), pairs.mean())

    def test_graph_convolution(self):
        """Forty labels and the edges find the communities of all nodes; the features alone do not."""
        program, accuracy, recorder = examples.run("graph_convolution", "--nodes", 1000, "--dropout", 0)
        self.assertGreater(accuracy, 0.93)
        graph = program.Graph(1000)
        known, others = graph.split(10)
        centres = np.stack([graph.features[known][graph.labels[known] == label].mean(0) for label in range(program.COMMUNITIES)])
        nearest = ((graph.features[others][:, None] - centres) ** 2).sum(2).argmin(1)
        self.assertLess((nearest == graph.labels[others]).mean(), 0.85)
        matrix = np.zeros((1000, 1000), np.float32)
        matrix[graph.targets, graph.sources] = graph.weights
        matrix = torch.tensor(matrix)

        def loss(w, nodes, labels):
            hidden = F.relu(matrix @ examples.dense(w, "first.dense", torch.tensor(graph.features)))
            return F.cross_entropy((matrix @ examples.dense(w, "second.dense", hidden))[nodes], labels)

        rows = examples.batches(graph.batch(known), 20)
        examples.check_losses(recorder, examples.in_torch(recorder, loss, rows, examples.adam(0.01, decay=5e-4)))

    def test_gan(self):
        """Made points lie in the clouds, and in all of them."""
        _, (good, least), _ = examples.run("gan", "--steps", 3000, "--sink-size", 3000)
        self.assertGreater(good, 0.6)
        self.assertGreater(least, 0.04)

    def test_gan_beside_torch(self):
        """The first rounds, with the noise that the program drew."""
        program = __import__("gan")
        plumb.set_seed(1)
        game = program.Game()
        w = {name: torch.tensor(each.asnumpy().copy()) for name, each in game.parameters_dict().items()}
        rounds = plumb.data_sink(game, program.clouds(2048, 128), sink_size=1)
        reported = [[float(loss) for loss in rounds()] for _ in range(5)]
        plumb.set_seed(1)

        def perceptron(name, x):
            for layer in (0, 1):
                x = F.relu(examples.dense(w, f"{name}.{layer}", x))
            return examples.dense(w, name + ".2", x)

        def told(points):
            return perceptron("discriminator", points.reshape(-1, 2 * program.SEEN))

        def made():
            return perceptron("generator", torch.tensor(ops.randn(128, 8).asnumpy()))

        states, update = {name: {} for name in w}, examples.adam(0.001, 0.5, 0.9)

        def updated(player, step, loss_of):
            names = [each.name for each in player.trainable_params()]
            for name in names:
                w[name] = w[name].detach().requires_grad_()
            loss = loss_of()
            for name, gradient in zip(names, torch.autograd.grad(loss, [w[name] for name in names])):
                w[name] = update(step, w[name].detach(), gradient, states[name])
            return float(loss)

        rows = examples.batches(program.clouds(2048, 128), 5)
        expected = [[updated(game.discriminator, step, lambda: F.softplus(-told(points)).mean() + F.softplus(told(made().detach())).mean()),
                     updated(game.generator, step, lambda: F.softplus(-told(made())).mean())] for step, (points,) in enumerate(rows, 1)]
        np.testing.assert_allclose(reported, expected, rtol=1e-4)

    def test_accumulation(self):
        _, accuracy, recorder = examples.run("accumulation", "--epochs", 1)
        self.assertGreater(accuracy, 0.85)
        self.assertEqual(len(recorder.losses), 400)

    def test_accumulated_steps_are_those_of_large_batches(self):
        """Five batches of 20 in float32 update as one batch of 100 does in PyTorch."""
        program, losses = __import__("accumulation"), examples.Recorder()
        network, step = program.make_step(5, "O0")
        data = program.digits(program.DIGITS, "train", 20)
        train.Model(step).train(1, data, losses, dataset_sink_mode=True, sink_size=20)

        def loss(w, images, labels):
            for layer in ("0", "2"):
                images = F.relu(examples.same_conv(images, w[layer + ".weight"], stride=2))
            hidden = F.relu(examples.dense(w, "5", images.flatten(1)))
            return F.cross_entropy(examples.dense(w, "6", hidden), labels)

        losses.trained = [each.name for each in network.trainable_params()]
        small = examples.batches(program.digits(program.DIGITS, "train", 20), 20)
        large = [[torch.cat(columns) for columns in zip(*small[first:first + 5])] for first in range(0, 20, 5)]
        expected = examples.in_torch(losses, loss, large, examples.momentum([0.05] * 4))
        np.testing.assert_allclose(np.reshape(losses.losses, (4, 5)).mean(1), expected, rtol=1e-4)

    def test_early_stop(self):
        """The run ends when the loss on other digits rises, with the weights of its best epoch."""
        with tempfile.TemporaryDirectory() as folder:
            _, (model, history), _ = examples.run("early_stop", "--images", 500, "--patience", 2, "--folder", folder)
        epochs, judged = history.epoch["epoch"], history.history["loss"]
        self.assertTrue(4 <= len(epochs) < 50)
        self.assertEqual(judged.index(min(judged)), len(judged) - 3)
        program = __import__("early_stop")
        values = model.eval(program.digits(program.DIGITS, "test", 1000))
        self.assertAlmostEqual(values["loss"], min(judged), places=5)
        self.assertGreater(values["accuracy"], 0.8)

    def test_resume(self):
        """A run that ended goes on to the same weights, bit for bit, as one that was left alone."""
        def weights(*runs):
            with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
                for arguments in runs:
                    _, (model, _), _ = examples.run("early_stop", "--images", 500, "--folder", folder, *arguments)
            return {name: each.asnumpy() for name, each in model.train_network.parameters_dict().items()}

        alone = weights(("--epochs", 4))
        resumed = weights(("--epochs", 2), ("--epochs", 4, "--resume"))
        self.assertEqual(list(alone), list(resumed))
        for name, value in alone.items():
            np.testing.assert_array_equal(resumed[name], value, name)


if __name__ == "__main__":
    unittest.main()
