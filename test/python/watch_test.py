"""Watch: values of Parameters at an interval, in the middle of sinks, equal to those that steps of their own leave."""

import os
import struct
import tempfile
import unittest

import numpy as np

import plumb
from plumb import dataset, nn, train
from plumb.common._protobuf import fields
from run_checkpoint_program import make
from summary_test import events

PACKED = np.dtype("<f8")


class Values(train.Callback):
    """Keeps a Parameter's value after each step that is a launch of its own."""

    def __init__(self, name):
        self.name, self.by_step = name, {}

    def step_end(self, run_context):
        """Copies the value."""
        params = run_context.original_args()
        self.by_step[params.cur_step_num] = params.train_network.parameters_dict()[self.name].asnumpy().copy()


class WatchTest(unittest.TestCase):
    """In trainings of 6 steps an epoch."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))

    def test_values_of_sunk_steps(self):
        model, data = make()
        straight = Values("moment1.last.weight")
        model.train(3, data, [straight])
        seen, losses = {}, []

        def take(name, step, value):
            if name == "loss":
                losses.append(step)
            else:
                seen[name, step] = value

        model, data = make()
        watch = train.Watch("moment*.last.weight", "loss", every_n_steps=4, function=take)
        model.train(3, data, [watch], dataset_sink_mode=True, sink_size=9)
        self.assertEqual((model.launches, model.steps), (3, 27), "no launch ends for it")
        self.assertEqual(losses, [4, 8, 12, 16, 20, 24])
        names = {"moment1.last.weight", "moment2.last.weight"}
        self.assertEqual(set(seen), {(name, step) for name in names for step in losses})
        for step in (4, 8, 12, 16):
            np.testing.assert_array_equal(seen["moment1.last.weight", step], straight.by_step[step])

    def test_results_do_not_depend_on_it(self):
        final = []
        for callbacks in ([], [train.Watch("*", every_n_steps=1, function=lambda *value: None)]):
            model, data = make()
            model.train(3, data, callbacks, dataset_sink_mode=True)
            final.append({name: value.asnumpy() for name, value in model.train_network.parameters_dict().items()})
        for name, value in final[0].items():
            np.testing.assert_array_equal(value, final[1][name], err_msg=name)

    def test_histograms(self):
        model, data = make()
        kept = {}
        watch = train.Watch("*.weight", every_n_steps=6, summary_dir=self.folder, function=lambda *seen: kept.update({seen[:2]: seen[2]}))
        model.train(2, data, [watch], dataset_sink_mode=True, sink_size=12)
        found = events(self.folder)
        self.assertEqual([step for step, _ in found], [0, 6, 12, 18, 24])
        self.assertLessEqual({"first.weight", "last.weight", "moment1.first.weight"}, set(found[1][1]))
        for (name, step), value in kept.items():
            content = dict(fields(found[step // 6][1][name][5]))
            low, high, count, total = (struct.unpack("<d", content[number])[0] for number in (1, 2, 3, 4))
            self.assertEqual((low, high, count), (value.min(), value.max(), value.size))
            self.assertAlmostEqual(total, float(value.astype(np.float64).sum()), places=9)
            limits, counts = (np.frombuffer(content[number], PACKED) for number in (6, 7))
            bounds = np.concatenate([[-np.inf], limits])
            np.testing.assert_array_equal(np.histogram(value.astype(np.float64), bounds)[0], counts, err_msg=name)

    def test_files(self):
        model, data = make()
        kept = {}
        watch = train.Watch("first.*", every_n_steps=5, values_dir=self.folder, function=lambda *seen: kept.update({seen[:2]: seen[2]}))
        model.train(2, data, [watch], dataset_sink_mode=True)
        self.assertEqual(sorted(os.listdir(self.folder)), ["values-000000000005.safetensors", "values-000000000010.safetensors"])
        for step in (5, 10):
            file = plumb.load_checkpoint(os.path.join(self.folder, f"values-{step:012d}.safetensors"))
            self.assertEqual(set(file), {"first.weight", "first.bias"})
            for name, value in file.items():
                np.testing.assert_array_equal(value.asnumpy(), kept[name, step])

    def test_beside_checkpoints_and_resume(self):
        steps = []
        for epochs in (1, 3):
            model, data = make()
            watch = train.Watch("loss", every_n_steps=4, function=lambda name, step, value: steps.append(step))
            model.train(epochs, data, [train.RunCheckpoint(self.folder, every_n_steps=3), watch], dataset_sink_mode=True)
        self.assertEqual(steps, [4, 8, 12, 16])

    def test_a_function_that_raises(self):
        def refuse(name, step, value):
            raise ArithmeticError(f"{name} at {step}")

        model, data = make()
        with self.assertRaisesRegex(ArithmeticError, "first.bias at 3"):
            model.train(100, data, [train.Watch("first.bias", every_n_steps=3, function=refuse)], dataset_sink_mode=True)
        model.train(1, data, dataset_sink_mode=True)

    def test_half_precision(self):
        net = nn.Dense(4, 3).to_float(plumb.float16)
        x = np.ones((8, 4), np.float32)
        data = dataset.NumpySlicesDataset((x, x[:, :3]), ["x", "y"], shuffle=False).batch(8)
        model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), amp_level="O3")
        seen = {}
        model.train(2, data, [train.Watch("weight", every_n_steps=2, function=lambda name, step, value: seen.update({step: value}))])
        np.testing.assert_array_equal(seen[2], net.weight.asnumpy())

    def test_wrong_arguments(self):
        for names, options, message in (((), {}, "at least one"), (("w",), {}, "give a 'function'"), (("w,every=3",), {}, "strings"),
                                        (("w",), {"every_n_steps": 0}, "'every_n_steps' must be an int of at least 1")):
            with self.assertRaisesRegex(ValueError, message):
                train.Watch(*names, **options)
        model, data = make()
        with self.assertRaisesRegex(FileNotFoundError, "no report 'weights', and the program no variable of that name"):
            model.train(1, data, [train.Watch("weights", function=print)])
        self.assertEqual(model.steps, 0)


if __name__ == "__main__":
    unittest.main()
