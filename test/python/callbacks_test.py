"""Callbacks that follow losses and metrics, in Model.train and Model.fit; when each point is called and what it finds."""

import contextlib
import io
import os
import signal
import tempfile
import unittest

import numpy as np

import plumb
from plumb import nn, train


def rows():
    """Two batches of one regression."""
    x = np.array([[1, 0], [0, 1], [1, 1], [1, -1]], np.float32)
    return plumb.dataset.NumpySlicesDataset((x, x @ np.array([[1.0], [2.0]], np.float32)), ["x", "y"], shuffle=False).batch(2)


def model(rate=0.1, **kwargs):
    """A linear model, and its network."""
    network = nn.Dense(2, 1, "zeros", has_bias=False)
    return train.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), rate), {"mae", "loss"}, **kwargs), network


class Notes(train.Callback):
    """Notes the points of training and evaluation."""

    def __init__(self):
        self.points = []

    def note(self, name, run_context):
        """Adds a point."""
        params = run_context.original_args()
        self.points.append((name, params.cur_epoch_num, params.cur_step_num))


for _name in ("train_begin", "train_epoch_begin", "train_step_end", "train_epoch_end", "train_end", "eval_begin", "eval_step_end",
              "eval_end"):
    setattr(Notes, f"on_{_name}", lambda self, run_context, name=_name: self.note(name, run_context))


class PointsTest(unittest.TestCase):
    """The order of calls in fit, and what run parameters hold."""

    def test_fit(self):
        notes, found = Notes(), []
        shown = train.LambdaCallback(on_train_epoch_end=lambda run: found.append(dict(run.original_args().eval_results)))
        made, _ = model()
        with contextlib.redirect_stdout(io.StringIO()) as said:
            made.fit(2, rows(), rows(), 2, [notes, shown])
        self.assertEqual(notes.points, [
            ("train_begin", 0, 0), ("train_epoch_begin", 1, 0), ("train_step_end", 1, 1), ("train_step_end", 1, 2),
            ("train_epoch_end", 1, 2), ("train_epoch_begin", 2, 2), ("train_step_end", 2, 3), ("train_step_end", 2, 4),
            ("eval_begin", 0, 0), ("eval_step_end", 0, 1), ("eval_step_end", 0, 2), ("eval_end", 0, 2),
            ("train_epoch_end", 2, 4), ("train_end", 2, 4)])
        self.assertEqual((found[0], sorted(found[1])), ({}, ["eval_loss", "loss", "mae"]))
        self.assertEqual(found[1]["loss"], found[1]["eval_loss"])
        self.assertRegex(said.getvalue(), r"^Eval result: epoch 2, metrics: \{'loss': ")

    def test_number_of_a_step_that_begins(self):
        """As in MindSpore, a step has its number from its beginning, and a launch that of its last step."""
        for sink, expected in ((False, [1, 2, 3, 4]), (True, [2, 4])):
            found = []
            note = train.LambdaCallback(on_train_step_begin=lambda run: found.append(run.original_args().cur_step_num))
            model()[0].train(2, rows(), [note], dataset_sink_mode=sink)
            self.assertEqual(found, expected)

    def test_old_style_hears_of_training_only(self):
        class Old(train.Callback):
            """Has r1.x methods."""

            steps = 0

            def step_end(self, run_context):
                """Counts."""
                self.steps += 1

        old = Old()
        with contextlib.redirect_stdout(io.StringIO()):
            model()[0].fit(2, rows(), rows(), callbacks=old)
        self.assertEqual(old.steps, 4)

    def test_history(self):
        history, (made, _) = train.History(), model()
        with contextlib.redirect_stdout(io.StringIO()):
            made.fit(3, rows(), rows(), callbacks=history)
        self.assertEqual(history.epoch, {"epoch": [1, 2, 3]})
        self.assertEqual([len(values) for values in history.history.values()], [3, 3, 3])
        self.assertEqual(sorted(history.history), ["loss", "mae", "net_output"])


class ManagerTest(unittest.TestCase):
    """Programs' own loops call a manager's methods, which are those of all its callbacks."""

    def test_own_loop(self):
        from plumb.train.callback import _CallbackManager, _InternalCallbackParam
        network = nn.Dense(1, 1)
        parameters = _InternalCallbackParam(optimizer=nn.Momentum(network.trainable_params(), 1.0, 0.9))
        context, rates, stops = train.RunContext(parameters), [], []
        watchers = [train.ReduceLROnPlateau("eval_loss", patience=2), train.EarlyStopping("acc", patience=2, baseline=0.55)]
        with _CallbackManager(watchers) as manager:
            for epoch, (loss, share) in enumerate(((1.0, 0.6), (1.1, 0.3), (0.9, 0.5), (1.0, 0.5), (1.1, 0.5))):
                manager.on_train_epoch_begin(context)
                parameters.cur_epoch_num, parameters.eval_results = epoch + 1, {"eval_loss": loss, "acc": share}
                manager.on_train_epoch_end(context)
                rates.append(float(parameters.optimizer.learning_rate.asnumpy()))
                stops.append(context.get_stop_requested())
        np.testing.assert_allclose(rates, [1, 1, 1, 1, 0.1])
        self.assertEqual(stops, [False, False, True, True, True])


class AtStep(train.Callback):
    """Does something at one step."""

    def __init__(self, number, act):
        self.left, self.act, self.seen = number, act, 0

    def step_end(self, run_context):
        """Counts."""
        self.seen += 1
        if self.seen == self.left:
            self.act()


class InterruptionsTest(unittest.TestCase):
    """What is kept of a training that is ended from outside, or by an error."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_signal(self):
        before = signal.getsignal(signal.SIGTERM)
        trained, network = model()
        ends = AtStep(3, lambda: os.kill(os.getpid(), signal.SIGTERM))
        keeps = train.OnRequestExit(file_name="Ended", directory=os.path.join(self.folder, "new"))
        with self.assertWarnsRegex(UserWarning, "no '.*Ended_train.mindir' is written"):
            trained.train(5, rows(), [ends, keeps], dataset_sink_mode=False)
        self.assertEqual((ends.seen, signal.getsignal(signal.SIGTERM)), (3, before))
        kept = plumb.load_checkpoint(os.path.join(self.folder, "new", "Ended_train.ckpt"))
        np.testing.assert_array_equal(kept["weight"].asnumpy(), network.weight.asnumpy())

    def test_backup(self):
        def fail():
            raise KeyError("ended")

        path = os.path.join(self.folder, "backup.ckpt")
        trained, first = model()
        with self.assertRaisesRegex(KeyError, "ended"):
            trained.train(3, rows(), [train.BackupAndRestore(self.folder), AtStep(5, fail)], dataset_sink_mode=False)
        kept = plumb.load_checkpoint(path)
        self.assertEqual((int(kept["epoch_num"].asnumpy()), int(kept["step_num"].asnumpy())), (2, 4))
        seen = []
        trained, second = model()
        looks = AtStep(1, lambda: seen.append(os.path.exists(path)))
        trained.train(1, rows(), [train.BackupAndRestore(self.folder), looks], dataset_sink_mode=False)
        self.assertEqual((seen, os.path.exists(path)), ([True], False))
        trained, third = model()
        trained.train(3, rows(), dataset_sink_mode=False)
        np.testing.assert_allclose(second.weight.asnumpy(), third.weight.asnumpy(), rtol=1e-6)
        self.assertFalse(np.allclose(first.weight.asnumpy(), third.weight.asnumpy()))

    def test_wrong_arguments(self):
        for make, error in ((lambda: train.OnRequestExit(sig=signal.SIGKILL), ValueError), (lambda: train.OnRequestExit(sig="TERM"), TypeError),
                            (lambda: train.OnRequestExit(1), TypeError), (lambda: train.BackupAndRestore(""), ValueError),
                            (lambda: train.BackupAndRestore("d", 0), ValueError), (lambda: train.BackupAndRestore("d", "x"), TypeError)):
            with self.assertRaises(error):
                make()


class WatchersTest(unittest.TestCase):
    """Early stop, falling rates, scheduled rates."""

    def test_early_stop(self):
        """A rate at which the loss grows: it stops, and the best weights come back."""
        stop = train.EarlyStopping("loss", patience=2, verbose=True, restore_best_weights=True)
        made, network = model(3.0)
        weights = []
        keep = train.LambdaCallback(on_train_epoch_end=lambda run: weights.append(network.weight.asnumpy().copy()))
        with contextlib.redirect_stdout(io.StringIO()) as said:
            made.train(9, rows(), [keep, stop])
        self.assertEqual((stop.stopped_epoch, len(weights), said.getvalue()), (3, 3, "Epoch 00003: early stopping\n"))
        np.testing.assert_array_equal(network.weight.asnumpy(), weights[0])

    def test_early_stop_by_metric(self):
        """Nothing is better than 0 is by more than 10: only the first epoch counts as better."""
        stop = train.EarlyStopping("mae", min_delta=10.0, patience=2)
        with contextlib.redirect_stdout(io.StringIO()):
            model()[0].fit(9, rows(), rows(), callbacks=stop)
        self.assertEqual(stop.stopped_epoch, 3)
        self.assertTrue(train.EarlyStopping("accuracy").is_better(0.6, 0.5))
        self.assertFalse(train.EarlyStopping("loss").is_better(0.6, 0.5))

    def test_plateau(self):
        made, network = model(0.5)
        rates = []
        reduce = train.ReduceLROnPlateau("loss", 0.5, 1, min_delta=1e9, cooldown=1, min_lr=0.1)
        keep = train.LambdaCallback(on_train_epoch_end=lambda run: rates.append(
            round(float(run.original_args().optimizer.learning_rate.asnumpy()), 6)))
        made.train(7, rows(), [reduce, keep], dataset_sink_mode=True)
        # The first epoch is better than nothing; after each change one epoch is waited.
        self.assertEqual(rates, [0.5, 0.25, 0.25, 0.125, 0.125, 0.1, 0.1])
        with self.assertRaisesRegex(ValueError, "one learning rate"):
            model([0.1, 0.2])[0].train(1, rows(), train.ReduceLROnPlateau("loss"))

    def test_scheduler(self):
        made, network = model(0.1)
        made.train(1, rows(), train.LearningRateScheduler(lambda rate, step: rate / 2))
        self.assertAlmostEqual(float(made._optimizer.learning_rate.asnumpy()), 0.025, places=6)
        weight, x = np.zeros(2), np.array([[1.0, 0], [0, 1], [1, 1], [1, -1]])
        for batch, rate in ((x[:2], 0.1), (x[2:], 0.05)):
            weight -= rate * 2 * ((batch @ weight - batch @ [1.0, 2.0]) @ batch) / 2
        np.testing.assert_allclose(network.weight.asnumpy()[0], weight, rtol=1e-5)

    def test_wrong_arguments(self):
        for make in (lambda: train.EarlyStopping(mode="up"), lambda: train.EarlyStopping(patience=-1),
                     lambda: train.ReduceLROnPlateau(factor=1.0)):
            with self.assertRaises(ValueError):
                make()
        with self.assertRaises(TypeError):
            train.LambdaCallback(on_train_begin=3)
        with self.assertRaises(TypeError):
            model()[0].fit(1, rows(), rows(), 0)


if __name__ == "__main__":
    unittest.main()
