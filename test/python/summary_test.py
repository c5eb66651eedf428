"""Summaries in TensorBoard's event files, read back by the formats' definitions; the Profiler's trace."""

import io
import json
import os
import pathlib
import struct
import tempfile
import unittest

import numpy as np
from PIL import Image

import plumb
from plumb import Tensor, _trace, dataset, nn, ops, profiler
from plumb.common._crc import crc32c, masked_crc
from plumb.common._protobuf import fields
from plumb.train.summary.summary_record import _get_summary_tensor_data

RNG = np.random.default_rng(12)


def events(folder):
    """(step, {tag: fields of the value}) of every event in a folder's files, checksums checked."""
    found = []
    for path in sorted(pathlib.Path(folder).glob("*tfevents*")):
        data, at = path.read_bytes(), 0
        while at < len(data):
            length, check = struct.unpack("<QI", data[at:at + 12])
            content = data[at + 12:at + 12 + length]
            assert check == masked_crc(data[at:at + 8])
            assert struct.unpack("<I", data[at + 12 + length:at + 16 + length])[0] == masked_crc(content)
            at += 16 + length
            found.append(event(content))
    return found


def event(content):
    """An event's step and values."""
    step, values = 0, {}
    for number, value in fields(memoryview(content)):
        step = value if number == 2 else step
        for _, entry in fields(value) if number == 5 else ():
            parts = dict(fields(entry))
            values[bytes(parts[1]).decode()] = parts
    return step, values


def number_of(parts):
    """A scalar's number."""
    return struct.unpack("<f", parts[2])[0]


class Net(nn.Cell):
    """A dense layer with summaries of all kinds."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 3)
        self.scalar, self.histogram = ops.ScalarSummary(), ops.HistogramSummary()
        self.tensor, self.image = ops.TensorSummary(), ops.ImageSummary()

    def construct(self, x):
        y = self.dense(x)
        self.scalar("mean", y.mean())
        self.scalar("largest", y.max())
        self.histogram("outputs", y)
        self.tensor("inputs", x)
        self.image("picture", ops.reshape(x, (1, 1, 2, -1)))
        return y


class Folder(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name


class RecordTest(Folder):
    """SummaryRecord and the summary operations."""

    def test_checksum(self):
        self.assertEqual(crc32c(b"123456789"), 0xE3069283)

    def test_operations(self):
        net, x = Net(), RNG.normal(size=(6, 4)).astype(np.float32)
        with plumb.SummaryRecord(self.folder) as record:
            for step in (1, 2):
                y = net(Tensor(x * step)).asnumpy()
                self.assertTrue(record.record(step))
            record.record(3)
        found = events(self.folder)
        self.assertEqual([step for step, _ in found], [0, 1, 2, 3])
        values = found[2][1]
        self.assertAlmostEqual(number_of(values["mean"]), y.mean(), places=5)
        self.assertAlmostEqual(number_of(values["largest"]), y.max(), places=5)
        self.assertEqual(found[3][1], {})
        tensor = dict(fields(values["inputs"][8]))
        np.testing.assert_array_equal(np.frombuffer(tensor[4], np.float32).reshape(6, 4), x * 2)
        extents = [dict(fields(part))[1] for number, part in fields(tensor[2])]
        self.assertEqual((tensor[1], extents), (1, [6, 4]))
        histogram = dict(fields(values["outputs"][5]))
        low, high, count, total = (struct.unpack("<d", histogram[number])[0] for number in (1, 2, 3, 4))
        np.testing.assert_allclose([low, high, count, total], [y.min(), y.max(), 18, y.sum()], rtol=1e-5, atol=1e-5)
        self.assertEqual(np.frombuffer(histogram[7], np.float64).sum(), 18)
        self.assertTrue((np.diff(np.frombuffer(histogram[6], np.float64)) > 0).all())
        picture = dict(fields(values["picture"][4]))
        image = np.asarray(Image.open(io.BytesIO(bytes(picture[4]))))
        expected = (x.reshape(2, 12) - x.min()) / (x.max() - x.min()) * 255
        np.testing.assert_allclose(image, expected, atol=0.51)

    def test_values_of_its_own(self):
        record = plumb.SummaryRecord(self.folder, file_suffix="_X", export_options={"tensor_format": "npy"})
        record.add_value("scalar", "a/b", Tensor(0.25))
        record.add_value("tensor", "t", Tensor([1, 2]))
        record.record(7, plugin_filter=lambda kind: kind == "tensor")
        record.close()
        self.assertFalse(record.record(8))
        self.assertEqual([(step, list(values)) for step, values in events(self.folder)], [(0, []), (7, ["t"])])
        np.testing.assert_array_equal(np.load(os.path.join(self.folder, "export/tensor/t_7.npy")), [1, 2])
        self.assertTrue(record.log_dir.endswith("_X"))

    def test_file_size(self):
        with plumb.SummaryRecord(self.folder, max_file_size=150) as record:
            for step in range(6):
                record.add_value("scalar", "x", Tensor(float(step)))
                record.record(step)
        self.assertGreater(len(os.listdir(self.folder)), 1)
        numbers = sorted(number_of(values["x"]) for _, values in events(self.folder) if values)
        self.assertEqual(numbers, [0, 1, 2, 3, 4, 5])

    def test_errors(self):
        record = plumb.SummaryRecord(self.folder)
        with self.assertRaisesRegex(ValueError, "plugin"):
            record.add_value("graph", "x", Tensor(1.0))
        with self.assertRaisesRegex(TypeError, "must be a Tensor"):
            record.add_value("scalar", "x", 1.0)
        with self.assertRaisesRegex(ValueError, "one element"):
            ops.ScalarSummary()("x", Tensor([1.0, 2.0]))
        blocked = os.path.join(self.folder, "file")
        pathlib.Path(blocked).touch()
        with self.assertRaises(OSError):
            plumb.SummaryRecord(blocked, raise_exception=True).record(1)
        self.assertFalse(plumb.SummaryRecord(blocked).record(1))


class CollectorTest(Folder):
    """SummaryCollector in training, sunk or not."""

    def train(self, sink, **options):
        x = RNG.normal(size=(64, 4)).astype(np.float32)
        data = dataset.NumpySlicesDataset((x, x[:, :3] * 2), ["x", "y"], shuffle=False).batch(8)
        net = Net()
        model = plumb.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.05, 0.9))
        losses = plumb.train.History()
        model.train(3, data, [plumb.SummaryCollector(self.folder, **options), losses], dataset_sink_mode=sink)
        return net, losses.epoch["epoch"], [item for item in events(self.folder) if item[1]]

    def test_steps(self):
        _, _, found = self.train(False, collect_freq=4)
        self.assertEqual([step for step, _ in found], [1, 4, 8, 12, 16, 20, 24])
        names = set(found[0][1])
        self.assertLessEqual({"loss/auto", "dense.weight/auto", "dense.bias/auto", "mean", "outputs", "inputs", "picture"}, names)
        losses = [number_of(values["loss/auto"]) for _, values in found]
        self.assertLess(losses[-1], losses[0])
        self.assertAlmostEqual(number_of(found[0][1]["learning_rate/auto"]), 0.05, places=6)

    def test_sunk(self):
        net, _, found = self.train(True, collect_freq=1)
        self.assertEqual([step for step, _ in found], [8, 16, 24])
        self.assertIn("mean", found[-1][1])
        histogram = dict(fields(found[-1][1]["dense.weight/auto"][5]))
        self.assertAlmostEqual(struct.unpack("<d", histogram[4])[0], float(net.dense.weight.asnumpy().sum()), places=4)

    def test_choices(self):
        _, _, found = self.train(False, collect_specified_data={"histogram_regular": ".*bias"}, keep_default_action=False,
                                 collect_tensor_freq=2)
        self.assertNotIn("loss/auto", found[0][1])
        self.assertIn("dense.bias/auto", found[0][1])
        self.assertNotIn("dense.weight/auto", found[0][1])
        self.assertEqual(["inputs" in values for _, values in found], [True, False, True])
        with self.assertRaisesRegex(ValueError, "collect_graph"):
            plumb.SummaryCollector(self.folder, collect_specified_data={"collect_graph": True})


    def test_noted_tensors(self):
        note, count = ops.TensorSummary(), ops.ScalarSummary()

        @plumb.jit
        def step(x):
            note("seen by name", x * 2)
            count("sum", x.sum())
            return x

        step(Tensor([1.0, 2.0]))
        noted = _get_summary_tensor_data()
        np.testing.assert_array_equal(noted["seen by name[:Tensor]"].asnumpy(), [2, 4])
        self.assertEqual(noted["sum[:Scalar]"].asnumpy(), 3)
        self.assertEqual(_get_summary_tensor_data(), {})


class ProfilerTest(Folder):
    """Spans of compilations, calls and launches."""

    def test_trace(self):
        profiler = plumb.Profiler(output_path=self.folder, start_profile=False)
        net, x = Net(), Tensor(RNG.normal(size=(6, 4)).astype(np.float32))
        net(x)
        profiler.start()
        for _ in range(3):
            net(x)
        with self.assertRaisesRegex(RuntimeError, "twice"):
            plumb.Profiler(output_path=self.folder)
        data = dataset.NumpySlicesDataset((np.ones((16, 4), np.float32), np.ones((16, 3), np.float32)), ["x", "y"]).batch(4)
        plumb.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)).train(2, data, dataset_sink_mode=True)
        profiler.analyse()
        with open(os.path.join(self.folder, "profiler", "timeline.json"), encoding="utf-8") as file:
            spans = json.load(file)["traceEvents"]
        kinds = [one["cat"] for one in spans]
        self.assertEqual((kinds.count("call"), kinds.count("launch")), (3, 2))
        self.assertGreaterEqual(kinds.count("compile"), 1)
        self.assertTrue(all(one["ph"] == "X" and one["dur"] > 0 for one in spans))
        self.assertEqual([one["args"]["steps"] for one in spans if one["cat"] == "launch"], [4, 4])
        with open(os.path.join(self.folder, "profiler", "summary.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["call Net"]["count"], 3)

    def test_schedule(self):
        chosen = profiler.schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
        self.assertEqual([chosen(step).name for step in range(12)],
                         ["NONE", "NONE", "WARM_UP", "RECORD", "RECORD_AND_SAVE"] + ["NONE", "WARM_UP", "RECORD", "RECORD_AND_SAVE"]
                         + ["NONE"] * 3)
        self.assertRaises(ValueError, profiler.schedule, wait=0, active=0)

    def test_windows(self):
        net, x = Net(), Tensor(RNG.normal(size=(6, 4)).astype(np.float32))
        net(x)
        with profiler.profile(schedule=profiler.schedule(wait=1, active=2, repeat=2), experimental_config=profiler._ExperimentalConfig(),
                              on_trace_ready=profiler.tensorboard_trace_handler(self.folder)) as made:
            made.add_metadata("kind", "test")
            for step in range(8):
                number = profiler.mstx.range_start(f"step {step}")
                net(x)
                profiler.mstx.range_end(number)
                made.step()
        found = []
        for name in ("timeline.json", "timeline_2.json"):
            with open(os.path.join(self.folder, "profiler", name), encoding="utf-8") as file:
                trace = json.load(file)
            found.append([one["name"] for one in trace["traceEvents"] if one["cat"] == "mark"])
            self.assertEqual(trace["otherData"], {"kind": "test"})
        self.assertEqual(found, [["step 1", "step 2"], ["step 4", "step 5"]])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "profiler", "timeline_3.json")))

    def test_window_without_schedule(self):
        net, x = Net(), Tensor(RNG.normal(size=(6, 4)).astype(np.float32))
        net(x)
        ready = []
        with profiler.profile(on_trace_ready=lambda made: ready.append(len(_trace.events))) as made:
            net(x)
            made.step()
            net(x)
        self.assertEqual(ready, [2])
        self.assertRaises(RuntimeError, made.step)

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "l2_cache"):
            plumb.Profiler(output_path=self.folder, l2_cache=True)
        with self.assertRaisesRegex(TypeError, "not known"):
            plumb.Profiler(output_path=self.folder, something=1)


if __name__ == "__main__":
    unittest.main()
