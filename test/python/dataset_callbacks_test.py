"""Callbacks of `map`: what they hear, when, and how they wait for training; events are those of MindSpore 2.0.0."""

import time
import unittest

import numpy as np

from plumb import dataset, nn
from plumb.train import Callback, Model
from dataset_events import Heard, Trains, Waits


def source(rows=4):
    return dataset.NumpySlicesDataset(np.arange(rows, dtype=np.float32), ["x"], shuffle=False)


class CallbacksTest(unittest.TestCase):
    """What callbacks hear."""

    def heard(self, make, epochs=2, step_size=1):
        """The events of some passes over what `make` returns for the callback."""
        callback = Heard(step_size)
        data = make(callback)
        self.assertTrue(data.get_dataset_size() and data.output_shapes())
        self.assertEqual(callback.events, [])
        rows = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
        for _ in range(epochs):
            list(rows)
        return callback.events

    def test_events(self):
        events = self.heard(lambda callback: source(2).map(lambda x: x, callbacks=callback))
        self.assertEqual(events, [("begin", 0, 0, 0),
                                  ("epoch", 1, 0, 0), ("row", 1, 1, 1), ("done", 1, 1, 1), ("row", 1, 2, 2), ("done", 1, 2, 2), ("over", 1, 2, 2),
                                  ("epoch", 2, 0, 2), ("row", 2, 1, 3), ("done", 2, 1, 3), ("row", 2, 2, 4), ("done", 2, 2, 4), ("over", 2, 2, 4)])

    def test_steps(self):
        rows = lambda events: [event[1:] for event in events if event[0] == "row"]
        for step_size, expected in ((2, [(1, 1, 1), (1, 3, 3), (2, 1, 5), (2, 3, 7)]), (3, [(1, 1, 1), (1, 4, 4), (2, 1, 5), (2, 4, 8)])):
            self.assertEqual(rows(self.heard(lambda callback: source().map(lambda x: x, callbacks=[callback]), 2, step_size)), expected)
        events = self.heard(lambda callback: source().batch(2).map(lambda x: x, callbacks=callback))
        self.assertEqual(rows(events), [(1, 1, 1), (1, 2, 2), (2, 1, 3), (2, 2, 4)])

    def test_repeat_is_within_an_epoch(self):
        for make in (lambda callback: source().map(lambda x: x, callbacks=callback).batch(2).repeat(3),
                     lambda callback: source().repeat(3).map(lambda x: x, callbacks=callback)):
            events = self.heard(make)
            self.assertEqual([event for event in events if event[0] in ("epoch", "over")],
                             [("epoch", 1, 0, 0), ("over", 1, 12, 12), ("epoch", 2, 0, 12), ("over", 2, 12, 24)])
            self.assertEqual(sum(event[0] == "row" for event in events), 24)

    def test_workers_and_results(self):
        make = lambda callbacks: [row[0].tolist() for row in source(20).map(
            lambda x: x * 2, callbacks=callbacks, num_parallel_workers=3).create_tuple_iterator(num_epochs=1, output_numpy=True)]
        callback = Heard()
        self.assertEqual(make(callback), make(None))
        for name in ("row", "done"):
            self.assertEqual([event[3] for event in callback.events if event[0] == name], list(range(1, 21)))

    def test_errors(self):
        class Fails(dataset.DSCallback):
            def ds_step_begin(self, ds_run_context):
                raise RuntimeError("no more")
        with self.assertRaisesRegex(RuntimeError, "no more"):
            list(source().map(lambda x: x, callbacks=Fails()).create_tuple_iterator(num_epochs=1))
        with self.assertRaisesRegex(TypeError, "Argument callbacks with value 5"):
            source().map(lambda x: x, callbacks=[5])
        for step_size, problem in ((0, ValueError), ("a", TypeError), (True, TypeError)):
            with self.assertRaisesRegex(problem, "step_size"):
                dataset.DSCallback(step_size)


class Adds(nn.Cell):
    """A network without Parameters."""

    def construct(self, x):
        return x + 1


class WaitedTest(unittest.TestCase):
    """Rows that wait for training."""

    def test_order(self):
        for _ in range(2):
            events = []
            waits = Waits(events, 2)
            data = source().map(lambda x: x, callbacks=waits).batch(2)
            Model(Adds()).train(2, data, [Trains(events), waits], dataset_sink_mode=False)
            self.assertEqual(events, ["step 1", "row 3 behind step 1", "step 2", "epoch 1", "rows of epoch 2 behind step 2",
                                      "row 5 behind step 2", "step 3", "row 7 behind step 3", "step 4", "epoch 2"])

    def test_failed_training_leaves_no_rows_waiting(self):
        class Fails(Callback):
            def step_end(self, run_context):
                raise RuntimeError("no")
        model, begin = Model(Adds()), time.monotonic()
        for _ in range(3):
            waits = Waits([], 1)
            with self.assertRaisesRegex(RuntimeError, "^no$"):
                model.train(2, source(40).map(lambda x: x, callbacks=waits), [Fails(), waits], dataset_sink_mode=False)
        self.assertLess(time.monotonic() - begin, 30)

    def test_refusals(self):
        waits = Waits([], 1)
        with self.assertRaisesRegex(ValueError, "dataset_sink_mode=False"):
            Model(Adds()).train(1, source().map(lambda x: x, callbacks=waits), [waits], dataset_sink_mode=True)
        self.addCleanup(dataset.config.set_callback_timeout, dataset.config.get_callback_timeout())
        dataset.config.set_callback_timeout(1)
        with self.assertRaisesRegex(RuntimeError, "have waited 1 s for step 1 of epoch 1 of training: give the Waits"):
            list(source().map(lambda x: x, callbacks=Waits([], 1)).create_tuple_iterator(num_epochs=1))


if __name__ == "__main__":
    unittest.main()
