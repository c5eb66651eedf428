"""Checkpoints from Python: files, what fits a network, and runs that go on after being killed."""

import contextlib
import io
import itertools
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import zipfile
import zlib

import numpy as np

import plumb
from plumb import dataset, nn, train


class CheckpointTest(unittest.TestCase):
    """safetensors files."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        """Returns the path of a file of this test."""
        return os.path.join(self.folder.name, name)

    def test_round_trip(self):
        path = self.path("net.safetensors")
        saved = {f"{dtype}{shape}": plumb.Tensor(np.ones(shape, dtype) * 3)
                 for dtype in ("float32", "float16", "float64", "int8", "int32", "int64", "uint8", "uint64", "bool")
                 for shape in ((), (1,), (2, 3), (0, 4), (1, 1))}
        saved["turned"] = plumb.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3).T)
        train.save_checkpoint(saved, path)
        loaded = train.load_checkpoint(path)
        self.assertEqual(list(loaded), list(saved))
        for name, value in saved.items():
            np.testing.assert_array_equal(loaded[name].asnumpy(), value.asnumpy(), err_msg=name)
            self.assertEqual((loaded[name].shape, loaded[name].dtype), (value.shape, value.dtype), name)
        self.assertEqual(os.listdir(self.folder.name), ["net.safetensors"])
        mask = os.umask(0o022)
        os.umask(mask)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o666 & ~mask)

    def test_appended_numbers(self):
        path = self.path("net.safetensors")
        train.save_checkpoint(nn.Dense(2, 2), path, append_dict={"epoch_num": 3, "rate": 0.5, "done": True})
        loaded = train.load_checkpoint(path)
        self.assertEqual([loaded[name].item() for name in ("epoch_num", "rate", "done")], [3, 0.5, True])
        train.save_checkpoint(nn.Dense(2, 2), path, append_dict={"weight": 1})  # as in MindSpore, the last one of a name stands
        self.assertEqual(train.load_checkpoint(path)["weight"].item(), 1)

    def test_appended_texts(self):
        """Ints are of 64 bits, and texts are strings, as in MindSpore's files; safetensors files have no place for texts."""
        added = {"epoch": 3, "steps": 2 ** 40, "stage": "warm-up \u00fc", "none": ""}
        for suffix in ("ckpt", "npz"):
            path = self.path("net." + suffix)
            train.save_checkpoint(nn.Dense(2, 2), path, append_dict=added)
            loaded = train.load_checkpoint(path, nn.Dense(2, 2))
            self.assertEqual((loaded["stage"], loaded["none"]), (added["stage"], ""))
            self.assertEqual([(loaded[name].dtype, loaded[name].item()) for name in ("epoch", "steps")],
                             [(plumb.int64, 3), (plumb.int64, 2 ** 40)])
        with open(self.path("net.ckpt"), "rb") as file:  # as MindSpore 2.0.0 has written it
            self.assertIn(b"stage\x12\x2d\x08\x00\x12\x03str\x1a\x24" + added["stage"].encode("utf-32-le"), file.read())
        with self.assertRaisesRegex(ValueError, "'stage' of 'append_dict' is a text"):
            train.save_checkpoint(nn.Dense(2, 2), self.path("net.safetensors"), append_dict=added)
        with self.assertRaisesRegex(ValueError, "'weight' is a text in the checkpoint"):
            train.load_param_into_net(nn.Dense(2, 2), {"weight": "none"})
        with contextlib.redirect_stderr(io.StringIO()) as heard:
            train.ckpt_to_safetensors(self.path("net.ckpt"))
        self.assertIn("(stage, none) are left out", heard.getvalue())
        self.assertEqual(set(train.load_checkpoint(self.path("net.safetensors"))), {"weight", "bias", "epoch", "steps"})

    def test_ints_of_other_widths(self):
        """Are loaded where they fit."""
        class Counts(nn.Cell):
            """Holds a count."""

            def __init__(self, dtype):
                super().__init__()
                self.count = plumb.Parameter(plumb.Tensor([7, 9], dtype), name="count")

        for dtype in (plumb.int64, plumb.uint8, plumb.int16):
            net = Counts(plumb.int32)
            train.load_param_into_net(net, {"count": plumb.Tensor([1, 200], dtype)})
            self.assertEqual((net.count.dtype, net.count.asnumpy().tolist()), (plumb.int32, [1, 200]))
        for wide, dtype in (([1, 2 ** 31], plumb.int64), ([1.0, 2.0], plumb.float32)):
            with self.assertRaisesRegex(ValueError, f"'count' is int32 in the network and {dtype.name} in the checkpoint"):
                train.load_param_into_net(Counts(plumb.int32), {"count": plumb.Tensor(wide, dtype)})
        with self.assertRaisesRegex(ValueError, "'count' is int32 in the network and int64"):
            train.load_param_into_net(Counts(plumb.int32), {"count": plumb.Tensor([1, 2])}, strict_load=True)

    def test_written_meanwhile(self):
        """What a file holds is what it was asked for with; an error is raised at the next file, or by training."""
        net = nn.Dense(2, 2)
        first = net.weight.asnumpy().copy()
        for suffix in ("ckpt", "npz", "safetensors"):
            train.save_checkpoint(net, self.path("net." + suffix), async_save=True, integrated_save=False)
            self.assertIn(plumb.async_ckpt_thread_status(), (True, False))
            net.weight.set_data(net.weight.asnumpy() + 1)
            np.testing.assert_array_equal(train.load_checkpoint(self.path("net." + suffix))["weight"].asnumpy(), first)
            first = net.weight.asnumpy().copy()
        train.save_checkpoint(net, self.path("missing/net.ckpt"), async_save=True)
        self.assertRaises(OSError, train.save_checkpoint, net, self.path("net.ckpt"))
        config = train.CheckpointConfig(1, keep_checkpoint_max=2, async_save=True)
        rows = dataset.NumpySlicesDataset((np.ones((6, 2), np.float32), np.ones((6, 2), np.float32)), ["x", "y"], shuffle=False).batch(1)
        train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params())).train(1, rows, train.ModelCheckpoint("a", self.folder.name, config),
                                                                            dataset_sink_mode=False)
        kept = sorted(name for name in os.listdir(self.folder.name) if name.startswith("a-"))
        self.assertEqual(kept, ["a-1_5.ckpt", "a-1_6.ckpt"])
        np.testing.assert_array_equal(train.load_checkpoint(self.path("a-1_6.ckpt"))["weight"].asnumpy(), net.weight.asnumpy())

    def test_every_layer_and_optimizer_goes_back(self):
        def make(value):
            net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Dropout(p=0.5), nn.Flatten(),
                                    nn.Dense(32, 3))
            step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params()))
            for parameter in step.get_parameters():
                parameter.set_data(np.full(parameter.shape, value, parameter.dtype.numpy))
            return step
        path = self.path("step.safetensors")
        train.save_checkpoint(make(2), path)
        fresh = make(1)
        self.assertEqual(train.load_param_into_net(fresh, train.load_checkpoint(path), strict_load=True), ([], []))
        for name, parameter in fresh.parameters_dict().items():
            self.assertTrue((parameter.asnumpy() == 2).all(), name)

    def test_what_does_not_fit_is_said(self):
        net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 4))
        with self.assertRaisesRegex(ValueError, "nothing was loaded: no name of the checkpoint.*'0.weight'.*has 'other'"):
            train.load_param_into_net(net, {"other": plumb.Tensor(np.ones(2))})
        before = net[0].weight.asnumpy().copy()
        wrong = {"0.weight": plumb.Tensor(np.ones((3, 2), np.float32)), "0.bias": plumb.Tensor(np.ones(7, np.float32)),
                 "1.weight": plumb.Tensor(np.ones((3, 4), np.float32))}
        with self.assertRaisesRegex(ValueError, r"'0.bias' has the shape \(3,\) in the network and \(7,\).*'1.weight'"):
            train.load_param_into_net(net, wrong)
        np.testing.assert_array_equal(net[0].weight.asnumpy(), before)
        double = {"0.weight": plumb.Tensor(np.ones((3, 2)))}
        with self.assertRaisesRegex(ValueError, "'0.weight' is float32 in the network and float64"):
            train.load_param_into_net(net, double, strict_load=True)
        heard = io.StringIO()
        with contextlib.redirect_stderr(heard):
            missing, unused = train.load_param_into_net(net, double)
        self.assertEqual((missing, unused), (["0.bias", "1.weight", "1.bias"], []))
        self.assertIn("3 parameters of the network are not in the checkpoint and keep their values: '0.bias'",
                      heard.getvalue())
        self.assertTrue((net[0].weight.asnumpy() == 1).all())

    def test_prefix_of_a_wrapper(self):
        net = nn.SequentialCell(nn.Dense(2, 3))
        wrapped = {"network." + name: plumb.Tensor(np.full(parameter.shape, 5, np.float32))
                   for name, parameter in net.parameters_dict().items()}
        with contextlib.redirect_stderr(io.StringIO()) as heard:
            self.assertEqual(train.load_param_into_net(net, wrapped), ([], []))
        self.assertIn("the prefix 'network.' of the checkpoint's names is removed", heard.getvalue())
        self.assertTrue((net[0].bias.asnumpy() == 5).all())

    def test_files_of_others(self):
        path = self.path("pt.safetensors")
        header = (b'{"__metadata__":{"format":"pt"},"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}')
        with open(path, "wb") as file:
            file.write(len(header).to_bytes(8, "little") + header + bytes([0x80, 0x3f, 0x20, 0xc0]))
        np.testing.assert_array_equal(train.load_checkpoint(path)["w"].asnumpy(), np.array([1, -2.5], np.float32))

    def test_damaged(self):
        path = self.path("net.safetensors")
        train.save_checkpoint(nn.Dense(4, 4), path)
        with open(path, "rb") as file:
            sound = file.read()
        for damaged, message in ((b"nonsense", "not a safetensors file"), (sound[:-1], "lies at"),
                                 (sound[:-1] + bytes([sound[-1] ^ 1]), "its checksum does not fit"),
                                 ((1 << 63).to_bytes(8, "little") + sound[8:], "announces a header"), (b"ab", "shorter"),
                                 (b"", "is empty: it holds no parameters")):
            with open(path, "wb") as file:
                file.write(damaged)
            with self.assertRaisesRegex(ValueError, message):
                train.load_checkpoint(path)
        with self.assertRaisesRegex(ValueError, "does not exist"):
            train.load_checkpoint("/no/such/file")

    def test_mindspore_checkpoints(self):
        """A file as MindSpore 2.0 writes it, byte by byte, and back."""
        def field(number, content):
            return bytes([number << 3 | 2, len(content)]) + content

        def value(name, dims, kind, content):
            tensor = b"".join(b"\x08" + bytes([extent]) for extent in dims) + field(2, kind) + field(3, content)
            return field(1, field(1, name) + field(2, tensor))

        expected = {"a.w": np.arange(3, dtype=np.float32), "s": np.array(2, np.int32), "h": np.ones((2, 1), np.float16),
                    "b": np.array([True, False])}
        names = {"a.w": ([3], b"Float32"), "s": ([0], b"Int32"), "h": ([2, 1], b"Float16"), "b": ([2], b"Bool")}
        data = b"".join(value(name.encode(), *names[name], array.tobytes()) for name, array in expected.items())
        path = self.path("net.ckpt")
        train.save_checkpoint({name: plumb.Tensor(array) for name, array in expected.items()}, path)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), data)
        with open(path, "ab") as file:  # bfloat16, and a tensor in two parts
            file.write(value(b"c", [1], b"BFloat16", b"\x80\x3f") + value(b"d", [2], b"Int8", b"\x01") + value(b"d", [2], b"Int8", b"\x02"))
        expected.update(c=np.ones(1, np.float32), d=np.array([1, 2], np.int8))
        read = train.load_checkpoint(path)
        self.assertEqual(list(read), list(expected))
        for name, array in expected.items():
            np.testing.assert_array_equal(read[name].asnumpy(), array)
            self.assertEqual((read[name].asnumpy().dtype, read[name].shape), (array.dtype, array.shape))
        for damaged in (data[:-1], data + b"\x0a\x7f", b"\x0a\x02\x0a\x00", data.replace(b"Int32", b"Int33")):
            with open(path, "wb") as file:
                file.write(damaged)
            with self.assertRaisesRegex(ValueError, "no sound MindSpore checkpoint"):
                train.load_checkpoint(path)

    def test_checkpoints_as_messages(self):
        """Programs put a checkpoint's tensors together themselves."""
        from plumb.train import serialization
        path = self.path("net.ckpt")
        train.save_checkpoint({"w": plumb.Tensor(np.ones((2, 3), np.float16)), "n": plumb.Tensor(np.array(300, np.int32))}, path)
        first, second = serialization._parse_ckpt_proto(path, None, None).value
        self.assertEqual((first.tag, first.tensor.dims, second.tensor.dims), ("w", [2, 3], [0]))
        self.assertIs(serialization.tensor_to_ms_type[first.tensor.tensor_type], plumb.float16)
        array = np.frombuffer(second.tensor.tensor_content, serialization.tensor_to_np_type[second.tensor.tensor_type])
        self.assertEqual((array.dtype, array.tolist()), (np.int32, [300]))
        # Two bytes for each field's tag and length or value, then the contents.
        self.assertEqual([first.tensor.ByteSize(), second.tensor.ByteSize()], [4 + 2 + 7 + 2 + 12, 2 + 2 + 5 + 2 + 4])
        with self.assertRaisesRegex(ValueError, "tables by keys are not offered"):
            serialization._load_map_parameter(first, {})
        with self.assertRaisesRegex(ValueError, "dec_key"):
            serialization._parse_ckpt_proto(path, b"0" * 16, "AES-GCM")
        with open(path, "ab") as file:
            file.write(b"\x0a\x7f")
        with self.assertRaisesRegex(ValueError, "no sound MindSpore checkpoint"):
            serialization._parse_ckpt_proto(path, None, None)

    def test_numpy_archives(self):
        cell, path = nn.Dense(2, 3), self.path("net.npz")
        train.save_checkpoint(cell, path, append_dict={"epoch": 3})
        read = train.load_checkpoint(path)
        np.testing.assert_array_equal(read["weight"].asnumpy(), cell.weight.asnumpy())
        self.assertEqual(read["epoch"].item(), 3)
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("w.npy", b"no array")
        with self.assertRaisesRegex(ValueError, "net.npz': it is no sound NumPy archive .'w.* is no array"):
            train.load_checkpoint(path)

    def test_names_of_others(self):
        path, names = self.path("torch.safetensors"), self.path("names")
        train.save_checkpoint({"fc.weight": plumb.Tensor(np.ones((3, 2), np.float32)), "fc.bias": plumb.Tensor(np.arange(3.0, dtype=np.float32)),
                               "bn.num_batches_tracked": plumb.Tensor(7)}, path)
        wanted = {"0.weight", "0.bias"}
        self.assertEqual(set(train.load_checkpoint(path, names={"fc.*": "0.*", "*.num_batches_tracked": None})), wanted)
        with open(names, "w", encoding="utf-8") as file:
            file.write("fc.*  0.*   # the last layer\n*.num_batches_tracked -\n")
        net = nn.SequentialCell(nn.Dense(2, 3))
        self.assertEqual(set(train.load_checkpoint(path, net, strict_load=True, names=names)), wanted)
        self.assertEqual(net[0].bias.asnumpy().tolist(), [0, 1, 2])
        for given, message in (({"fcc.*": "0.*"}, "'fcc.*' fits no name of the file"), ({"fc.*": "0"}, "both names have as many"),
                               ({"fc.weight": "fc.bias"}, "'fc.weight' and 'fc.bias' of the file both become 'fc.bias'"),
                               ({"a b": "c"}, "strings without spaces"), ({"fc.*": 3}, "strings without spaces")):
            with self.assertRaisesRegex(ValueError, message):
                train.load_checkpoint(path, names=given)

    def test_names_of_appended_cells(self):
        def nested():
            return nn.SequentialCell(nn.SequentialCell(nn.Dense(1, 1, has_bias=False)))

        class Grown(nn.Cell):
            """Lists that grow after they have become attributes."""

            def __init__(self, make, first=()):
                super().__init__()
                self.layers = nn.CellList(list(first))
                for _ in range(3):
                    self.layers.append(make())

        plain = lambda: nn.Dense(1, 1, has_bias=False)
        for net, names in ((Grown(plain), ["0.weight", "1.weight", "2.weight"]),
                           (Grown(nested), ["0.0.0.weight", "0.0.1.0.0.weight", "0.0.2.0.0.weight"]),
                           (Grown(plain, [nn.ReLU()]), ["1.weight", "2.weight", "3.weight"]),
                           (Grown(plain, [plain()]), [f"layers.{place}.weight" for place in range(4)])):
            saved = {name: plumb.Tensor(np.full((1, 1), number, np.float32)) for number, name in enumerate(names)}
            self.assertEqual(train.load_param_into_net(net, saved), ([], []))
            self.assertEqual([param.asnumpy().item() for param in net.get_parameters()], list(range(len(names))))
        inner = nn.SequentialCell(Grown(plain))
        self.assertEqual(train.load_param_into_net(inner, {"0.layers.2.weight": plumb.Tensor(np.ones((1, 1), np.float32))})[1], [])

    def test_paths_that_cannot_be_written(self):
        for path in ("/no/such/folder/w", "/dev/null", self.folder.name):
            with self.assertRaisesRegex(OSError, f"cannot write '{path}"):
                train.save_checkpoint(nn.Dense(2, 2), path)
        checkpoint = train.ModelCheckpoint("CKP", "/proc/no")
        with self.assertRaises(OSError):
            checkpoint.begin(train.RunContext(plumb.train.callback._callback.CallbackParams(cur_step_num=0)))


PROGRAM = """
import sys
import numpy as np
import plumb
from plumb import dataset, nn, train

def make():
    plumb.set_seed(7)
    net = nn.SequentialCell(nn.Dense(6, 8), nn.Dropout(p=0.5), nn.ReLU(), nn.Dense(8, 3))
    x = np.random.RandomState(0).randn(48, 6).astype(np.float32)
    y = (np.arange(48) % 3).astype(np.int32)
    data = dataset.NumpySlicesDataset((x, y), ["x", "y"], shuffle=True).batch(8, drop_remainder=True)
    model = train.Model(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                        nn.Adam(net.trainable_params(), 0.01))
    return model, data
"""
TRAIN = PROGRAM + """
model, data = make()
config = train.CheckpointConfig(6, keep_checkpoint_max=3, append_info=["epoch_num"])
model.train(100000, data, [train.ModelCheckpoint("run", sys.argv[1], config)], dataset_sink_mode=True)
"""


def state(model):
    """Returns every parameter's and state's value by name."""
    return {name: value.asnumpy().copy() for name, value in model.train_network.parameters_dict().items()}


class ResumeTest(unittest.TestCase):
    """A run that was killed goes on from its newest checkpoint, bit for bit."""

    def test_after_sigkill(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
            program = os.path.join(folder, "program.py")
            with open(program, "w", encoding="utf-8") as file:
                file.write(TRAIN)
            run = subprocess.Popen([sys.executable, program, folder], env=environment)
            while len(self.checkpoints(folder)) < 3 and run.poll() is None:
                time.sleep(0.01)
            time.sleep(0.05)
            run.send_signal(signal.SIGKILL)
            run.wait()
            newest = max(self.checkpoints(folder), key=lambda name: int(name.split("-")[1].split("_")[0]))
            self.resume(os.path.join(folder, newest))

    def checkpoints(self, folder):
        """Returns the checkpoints of a folder, without temporary files."""
        return [name for name in os.listdir(folder) if name.endswith(".ckpt")]

    def resume(self, path):
        """Compares five more epochs with those of a run that was never interrupted."""
        scope = {}
        exec(compile(PROGRAM, "program.py", "exec"), scope)  # pylint: disable=exec-used
        saved = train.load_checkpoint(path)
        done = saved["epoch_num"].item()
        model, data = scope["make"]()
        self.assertEqual(train.load_param_into_net(model.train_network, saved, strict_load=True), ([], ["epoch_num"]))
        model.train(done + 5, data, dataset_sink_mode=True, initial_epoch=done)
        straight, data = scope["make"]()
        straight.train(done + 5, data, dataset_sink_mode=True)
        for name, value in state(straight).items():
            np.testing.assert_array_equal(state(model)[name], value, err_msg=name)


class _Alike(nn.Cell):
    """Dropouts and a Parameter that all have one name."""

    def __init__(self):
        super().__init__(auto_prefix=False)
        self.first, self.second, self.third = [nn.Dropout(p=p) for p in (0.3, 0.5, 0.2)]
        self.key = plumb.Parameter(plumb.Tensor(np.ones(6, np.float32)))
        self.dense = nn.Dense(6, 1)

    def construct(self, x):
        """Compiled body."""
        return self.dense(self.third(self.second(self.first(x * self.key))))


class _Listed(nn.Cell):
    """Dropouts in a plain list and a dict of one, which are no children."""

    def __init__(self):
        super().__init__(auto_prefix=False)
        self.drops = [nn.Dropout(p=0.3), {"second": nn.Dropout(p=0.5)}]
        self.words = [f"word{number}" for number in range(100000)]
        self.words.append(self.words)
        self.dense = nn.Dense(6, 1)

    def construct(self, x):
        """Compiled body."""
        return self.dense(self.drops[1]["second"](self.drops[0](x)))


class DrawsTest(unittest.TestCase):
    """Layers that draw go on where they were, also where they have one name or stand in plain lists."""

    def model(self, kind):
        """A new run and its data."""
        plumb.set_seed(3)
        net, x = kind(), np.random.RandomState(0).randn(32, 6).astype(np.float32)
        data = dataset.NumpySlicesDataset((x, x[:, :1]), ["x", "y"], shuffle=False).batch(8)
        return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01)), data

    def check(self, kind):
        """Goes on from a file; returns the file's contents."""
        with tempfile.TemporaryDirectory() as folder:
            straight, data = self.model(kind)
            config = train.CheckpointConfig(4, keep_checkpoint_max=4)
            straight.train(4, data, [train.ModelCheckpoint("run", folder, config)])
            saved = train.load_checkpoint(os.path.join(folder, "run-2_4.ckpt"))
        resumed, data = self.model(kind)
        self.assertEqual(train.load_param_into_net(resumed.train_network, saved, strict_load=True), ([], []))
        resumed.train(4, data, initial_epoch=2)
        for name, value in state(straight).items():
            np.testing.assert_array_equal(state(resumed)[name], value, err_msg=name)
        return saved

    def test_layers_of_one_name(self):
        self.assertEqual(self.check(_Alike)["key"].shape, (6,))

    def test_layers_in_plain_lists(self):
        self.check(_Listed)


class Names(unittest.TestCase):
    """Which file a name makes, and which parameters are in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.net = folder.name, nn.Dense(2, 2)

    def path(self, name):
        """A file in the test's folder."""
        return os.path.join(self.folder, name)

    def test_endings(self):
        for name, settings in (("v1.0", {}), ("z.ckpt", {"format": "safetensors"}), ("plain", {}), ("plain", {}), ("a.npz", {})):
            train.save_checkpoint(self.net, self.path(name), **settings)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.npz", "plain.ckpt", "v1.0.ckpt", "z.ckpt.safetensors"])
        self.assertRaises(IsADirectoryError, train.save_checkpoint, self.net, self.folder)

    def test_prefix_and_choice(self):
        train.save_checkpoint(self.net, self.path("net.ckpt"))
        with self.assertRaisesRegex(ValueError, "check 'choice_func' and 'specify_prefix'"):
            train.load_checkpoint(self.path("net.ckpt"), specify_prefix="w", choice_func=lambda name: False)
        with self.assertRaisesRegex(ValueError, "check 'choice_func'[.]"):
            train.save_checkpoint(self.net, self.path("none.ckpt"), choice_func=lambda name: False)

    def test_checked_while_written(self):
        path = self.path("net.ckpt")
        train.save_checkpoint({"a": plumb.Tensor(np.ones((2000, 2000), np.float32))}, path, async_save=True)
        self.assertTrue(plumb.check_checkpoint(pathlib.Path(path)))

    def test_conversions_lose_nothing(self):
        path = self.path("net.ckpt")
        train.save_checkpoint(self.net, path)
        with self.assertRaisesRegex(ValueError, "'x'"):
            plumb.ckpt_to_safetensors(path, name_map={"weight": "x", "bias": "x"})
        plumb.ckpt_to_safetensors(pathlib.Path(path))
        header = b'{"half":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}'
        with open(self.path("half.safetensors"), "wb") as file:
            file.write(len(header).to_bytes(8, "little") + header + b"\xc1\xbf\x80\x3f")
        plumb.safetensors_to_ckpt(self.path("half.safetensors"))
        [value] = train.serialization._ckpt.message(self.path("half.ckpt")).value
        self.assertEqual((value.tag, value.tensor.dims, value.tensor.tensor_type, bytes(value.tensor.tensor_content)),
                         ("half", [2], "BFloat16", b"\xc1\xbf\x80\x3f"))
        plumb.ckpt_to_safetensors(self.path("half.ckpt"), save_path=self.path("back"))
        with open(self.path("back/half.safetensors"), "rb") as file:
            written = file.read()
        self.assertIn(b'"BF16"', written)
        self.assertTrue(written.endswith(b"\xc1\xbf\x80\x3f"))
        np.testing.assert_array_equal(train.load_checkpoint(self.path("back/half.safetensors"))["half"].asnumpy(), [-1.5078125, 1])


class Kept(unittest.TestCase):
    """How many files stay, with the numbers and files of MindSpore 2.0.0."""

    def test_settings(self):
        for given, wanted in (({}, (1, None, 5, None)), ({"save_checkpoint_seconds": 30, "keep_checkpoint_per_n_minutes": 3}, (1, None, 5, None)),
                              ({"keep_checkpoint_max": 0, "keep_checkpoint_per_n_minutes": 3}, (1, None, 0, 3)),
                              ({"keep_checkpoint_max": 0}, (1, None, 1, 0)), ({"save_checkpoint_steps": 0, "save_checkpoint_seconds": 7}, (0, 7, 5, None)),
                              ({"keep_checkpoint_max": None, "keep_checkpoint_per_n_minutes": 3}, (1, None, None, 3))):
            made = train.CheckpointConfig(**given)
            self.assertEqual((made.save_checkpoint_steps, made.save_checkpoint_seconds, made.keep_checkpoint_max,
                              made.keep_checkpoint_per_n_minutes), wanted)
        for kind, given in ((ValueError, {"keep_checkpoint_per_n_minutes": -1}), (ValueError, {"save_checkpoint_steps": 0}),
                            (TypeError, {"keep_checkpoint_max": 1.5}), (TypeError, {"save_checkpoint_seconds": True})):
            with self.assertRaisesRegex(kind, "For 'CheckpointConfig'"):
                train.CheckpointConfig(**given)

    def test_first_of_each_minute(self):
        net, rows = nn.Dense(2, 2), np.ones((9, 2), np.float32)
        data = dataset.NumpySlicesDataset((rows, rows), ["x", "y"], shuffle=False).batch(1)
        config = train.CheckpointConfig(keep_checkpoint_max=0, keep_checkpoint_per_n_minutes=1)
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("plumb.train.callback._checkpoint.time") as clock:
            clock.monotonic.side_effect = itertools.count(0, 20.5).__next__
            train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params())).train(1, data, train.ModelCheckpoint("a", folder, config),
                                                                                dataset_sink_mode=False)
            self.assertEqual(sorted(os.listdir(folder)), [f"a-1_{step}.ckpt" for step in (1, 3, 6, 9)])


class Chosen(unittest.TestCase):
    """Parts of checkpoints, formats, checksums."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = lambda name: os.path.join(folder.name, name)
        self.net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 2))

    def test_chosen_names(self):
        path = self.path("net.ckpt")
        train.save_checkpoint(self.net, path, choice_func=lambda name: name.endswith("weight"))
        self.assertEqual(set(train.load_checkpoint(path)), {"0.weight", "1.weight"})
        self.assertEqual(set(train.load_checkpoint(path, None, False, "0.")), {"1.weight"})
        self.assertEqual(set(train.load_checkpoint(path, filter_prefix=["1."], specify_prefix=("0.", "1."))), {"0.weight"})
        self.assertEqual(set(train.load_checkpoint(path, choice_func=lambda name: name[0] == "1")), {"1.weight"})
        with self.assertRaisesRegex(ValueError, "no parameter is left"):
            train.load_checkpoint(path, specify_prefix="9")
        with self.assertRaisesRegex(TypeError, "'filter_prefix' must be a string"):
            train.load_checkpoint(path, filter_prefix=[1])
        with self.assertRaisesRegex(ValueError, "dec_key=b'0123456789abcdef' is not offered"):
            train.load_checkpoint(path, dec_key=b"0123456789abcdef")
        with self.assertRaisesRegex(ValueError, "enc_key"):
            train.save_checkpoint(self.net, path, enc_key=b"0123456789abcdef")

    def test_endings(self):
        train.save_checkpoint(self.net, self.path("plain"))
        train.save_checkpoint(self.net, self.path("plain"), format="safetensors")
        for ending in ("ckpt", "safetensors"):
            self.assertEqual(set(plumb.load_checkpoint(self.path("plain." + ending), format=ending)), set(self.net.parameters_dict()))
        with self.assertRaisesRegex(ValueError, "format"):
            train.save_checkpoint(self.net, self.path("plain"), format="pt")

    def test_checksums(self):
        path = self.path("sum.ckpt")
        train.save_checkpoint(self.net, path, crc_check=True)
        with open(path, "rb") as file:
            data = file.read()
        self.assertEqual((data[-17:-10], int.from_bytes(data[-10:], "big")), (b"crc_num", zlib.crc32(data[:-17])))
        self.assertEqual(set(train.load_checkpoint(path, crc_check=True)), set(self.net.parameters_dict()))
        self.assertTrue(plumb.check_checkpoint(path))
        with open(path, "wb") as file:
            file.write(data[:-1] + bytes([data[-1] ^ 1]))
        self.assertEqual(set(train.load_checkpoint(path)), set(self.net.parameters_dict()))
        self.assertFalse(plumb.check_checkpoint(path))
        with self.assertRaisesRegex(ValueError, "checksum"):
            train.load_checkpoint(path, crc_check=True)

    def test_conversions(self):
        os.makedirs(self.path("from/rank_0"))
        train.save_checkpoint(self.net, self.path("from/rank_0/net.ckpt"))
        plumb.ckpt_to_safetensors(self.path("from"), self.path("to"), {"0.weight": "first"})
        found = train.load_checkpoint(self.path("to/rank_0/net.safetensors"))
        np.testing.assert_array_equal(found["first"].asnumpy(), self.net[0].weight.asnumpy())
        plumb.safetensors_to_ckpt(self.path("to/rank_0/net.safetensors"))
        self.assertEqual(set(plumb.load_checkpoint_async(self.path("to/rank_0/net.ckpt")).result()), set(found))
        with self.assertRaisesRegex(ValueError, "is no file that ends in '.safetensors'"):
            plumb.safetensors_to_ckpt(self.path("from"))
        with self.assertRaisesRegex(ValueError, "must be a folder"):
            plumb.ckpt_to_safetensors(self.path("from"), "to.ckpt")
        with self.assertRaisesRegex(ValueError, "does not exist"):
            plumb.load_checkpoint_async(self.path("none.ckpt")).result()


if __name__ == "__main__":
    unittest.main()
