"""`print` in compiled code: it shows what MindSpore shows, in the program's order, and changes no result."""

import contextlib
import io
import os
import re
import tempfile
import unittest

import numpy as np
import torch

import plumb
from plumb import Tensor, dataset, nn, ops, train


def shown(function, *args):
    """Calls a function; returns (result, the lines that were printed)."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = function(*args)
    return result, out.getvalue().splitlines()


def array(*numbers):
    """A float32 tensor."""
    return Tensor(np.array(numbers, np.float32))


class Talking(nn.Cell):
    """A layer that prints the mean of what it gives."""

    def __init__(self):
        super().__init__()
        self.d = nn.Dense(3, 1)

    def construct(self, x):
        """Prints, and computes."""
        h = self.d(x)
        print("mean", h.mean())
        return h


def batches(count=2):
    """`count` batches of four equal rows."""
    x = np.ones((4 * count, 3), np.float32)
    return dataset.NumpySlicesDataset((x, x[:, :1]), ["x", "y"], shuffle=False).batch(4)


class Formats(unittest.TestCase):
    """The text of values, as in the documentation of MindSpore's Print."""

    def test_values(self):
        @plumb.jit
        def f(x, y, z, b):
            print("Print Tensor x and Tensor y:", x, y)
            print(z, b)
            print("a number", 3, 2.5, True, None, ("in", "a tuple"))
            print("{} and {braces}")
            print()
            return x

        ones = np.ones((2, 2), np.int32)
        result, lines = shown(f, Tensor(ones[:, :1]), Tensor(ones), array(1, -2.5), Tensor(True))
        np.testing.assert_array_equal(result.asnumpy(), ones[:, :1])
        self.assertEqual(lines, [
            "Print Tensor x and Tensor y:", "Tensor(shape=[2, 1], dtype=Int32, value=", "[[1]", " [1]])",
            "Tensor(shape=[2, 2], dtype=Int32, value=", "[[1 1]", " [1 1]])",
            "Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00 -2.50000000e+00])", "1",
            "a number", "3", "2.5", "1", "None", "in", "a tuple", "{} and {braces}"])

    def test_constants(self):
        """Numbers are printed as the device prints its own, ints and floats in a tuple or list on one line."""
        @plumb.jit
        def f(x):
            print(2.0, 1 / 3, False, x.shape, [1, 2], (1.5, -2.0), (1, "a"), ((1, 2), 3), {"k": x.sum(), "l": 4})
            return x

        self.assertEqual(shown(f, array(1, 2))[1], ["2", "0.333333", "0", "(2)", "(1, 2)", "( 1.50000000e+00, -2.00000000e+00)",
                                                    "1", "a", "1", "2", "3", "3", "4"])

    def test_texts(self):
        """What a text shows of a tensor are its numbers, as the program runs."""
        @plumb.jit
        def f(x):
            y, left = x * 2, Tensor(2)
            print(f"twice {y}, {{}} and {y.sum()}")
            print("%s of %d" % (y.sum(), 3), "sum " + str(y.sum()))
            print("{}: {}".format("x", x))
            while left > 0:
                print(f"{left} left")
                left = left - 1
            print("a", f"b {left}", sep=", ")
            return y

        self.assertEqual(shown(f, array(1, 2.5))[1], ["twice [2.0 5.0], {} and 7.0", "7.0 of 3", "sum 7.0", "x: [1.0 2.5]", "2 left", "1 left",
                                                      "a, b 0"])

    def test_without_elements(self):
        self.assertEqual(repr(Tensor(np.zeros((0,), np.float32))), "Tensor(shape=[0], dtype=Float32, value= )")
        self.assertEqual(repr(Tensor(np.zeros((2, 0), np.int32))), "Tensor(shape=[2, 0], dtype=Int32, value=\n)")

    def test_python_prints_in_pynative_mode(self):
        """On one line, in the words of `str`; once, and with the gradient of what is printed."""
        class Shown(nn.Cell):
            """Prints what it has."""

            def __init__(self):
                super().__init__()
                self.w = plumb.Parameter(array(3, 4), name="w")
                self.print = ops.Print()

            def construct(self, x):
                """Prints."""
                y = x * self.w
                print("y", y, y.sum(), (y.sum(), 1), sep=" | ")
                self.print("x", x, (x, 2))
                return y

        one = "Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])"
        wanted = ["y | [3. 8.] | 11.0 | (Tensor(shape=[], dtype=Float32, value= 11), 1)", "x", one, f"({one}, 2)"]
        net = Shown()
        for _ in range(2):
            self.assertEqual(shown(net, array(1, 2))[1], wanted)
            gradient, lines = shown(plumb.value_and_grad(net, 0, net.trainable_params()), array(1, 2))
            self.assertEqual(lines, wanted)
            np.testing.assert_array_equal(gradient[1][0].asnumpy(), [3, 4])
            np.testing.assert_array_equal(gradient[1][1][0].asnumpy(), [1, 2])

    def test_compiled_functions_in_what_python_runs_print_once(self):
        @plumb.jit
        def inner(x):
            print("inner", x)
            return x * x

        def outer(x):
            print("outer", x)
            return inner(x) * 2

        gradient, lines = shown(plumb.grad(outer), array(3))
        np.testing.assert_array_equal(gradient.asnumpy(), [12])
        self.assertEqual(lines, ["outer [3.]", "inner", "Tensor(shape=[1], dtype=Float32, value=[ 3.00000000e+00])"])

    def test_what_is_not_reached_prints_nothing(self):
        """A print that no call reaches leaves nothing to Python; one in a function that only compiling comes to does."""
        class Talks(nn.Cell):
            """Prints on demand, by a method that a name finds."""

            def __init__(self, is_loud):
                super().__init__()
                self.is_loud, self.name = is_loud, "say"

            def say(self, x):
                """Prints."""
                print("x", x)

            def construct(self, x):
                """Says what it is given."""
                if self.is_loud:
                    getattr(self, self.name)(x)
                return x * 2

        for is_loud in (False, True):
            net = Talks(is_loud)
            self.assertEqual(shown(net, array(3))[1], ["x [3.]"] if is_loud else [])
            self.assertEqual(net._in_python, is_loud)

    def test_large_tensors_are_shortened(self):
        def f(x):
            print(x)
            return x

        _, lines = shown(plumb.jit(f), Tensor(np.arange(2000, dtype=np.int32)))
        self.assertEqual(lines, ["Tensor(shape=[2000], dtype=Int32, value=[   0    1    2 ... 1997 1998 1999])"])


class InGraphMode(unittest.TestCase):
    """What cells and gradients print where they are compiled."""

    def setUp(self):
        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)


class Places(InGraphMode):
    """Where prints may stand."""

    def test_branches(self):
        @plumb.jit
        def f(x):
            print("first")
            if x > 0:
                print("above", x)
                if x > 10:
                    print("far above")
            else:
                print("below", x)
            print("last")
            return x * 2

        for value, between in ((1, ["above", "1"]),
                               (20, ["above", "20", "far above"]),
                               (-3, ["below", "-3"])):
            result, lines = shown(f, Tensor(np.float32(value)))
            self.assertEqual(float(result), 2 * value)
            self.assertEqual(lines, ["first"] + between + ["last"])

    def test_unrolled_loops(self):
        def f(x):
            for i in range(3):
                print("step", i, x)
                x = x + 1
            return x

        result, lines = shown(plumb.jit(f), Tensor(np.int32(4)))
        self.assertEqual(int(result), 7)
        self.assertEqual(lines[1::3], ["0", "1", "2"])
        self.assertEqual(lines[5], "5")

    def test_loops_on_tensors(self):
        @plumb.jit
        def f(x):
            print("begin", x)
            while x > 0:
                if x % 2 == 0:
                    print("even", x)
                    y = x
                    while y > 0:
                        print("inner", y)
                        y = y - 2
                else:
                    print("odd")
                x = x - 1
            print("end", x)
            return x

        def reference(x):
            lines = [f"begin {x}"]
            while x > 0:
                lines += [f"even {x}"] + [f"inner {y}" for y in range(x, 0, -2)] if x % 2 == 0 else ["odd"]
                x -= 1
            return lines + [f"end {x}"]

        for start in (0, 1, 5, 40):
            result, lines = shown(f, Tensor(np.int32(start)))
            self.assertEqual(int(result), 0)
            words = re.sub(r"\n(-?\d+)", r" \1", "\n".join(lines)).split("\n")
            self.assertEqual(words, reference(start))

    def test_many_prints_of_a_large_value(self):
        """More than any ring holds: none is lost, and each shows the value of its iteration."""
        @plumb.jit
        def f(x, steps):
            t = steps * 0
            while t < steps:
                print(x.sum(), x)
                x = x + 1
                t = t + 1
            return x

        x = np.zeros((64, 512), np.float32)
        result, lines = shown(f, Tensor(x), Tensor(np.int32(300)))
        np.testing.assert_array_equal(result.asnumpy(), x + 300)
        sums = [float(line) for line in lines if line[:1].isdigit()]
        np.testing.assert_allclose(sums, [i * 64.0 * 512 for i in range(300)], rtol=1e-5)  # six digits are shown
        firsts = [float(re.search(r"[\d.]+(e[-+]\d+)?", line)[0]) for line in lines if line.startswith("[[")]
        self.assertEqual(firsts, list(range(300)))

    def test_element_types(self):
        @plumb.jit
        def f(a, b, c, steps):
            t = steps * 0
            while t < steps:
                print(a, b, c)
                t = t + 1
            return t

        _, lines = shown(f, Tensor(np.array([200, 7], np.uint8)), Tensor(np.array([True, False, True])),
                         Tensor(np.array(2 ** 40, np.int64)), Tensor(np.int32(2)))
        self.assertEqual(lines, ["Tensor(shape=[2], dtype=UInt8, value=[200   7])",
                                 "Tensor(shape=[3], dtype=Bool, value=[ True False  True])", "1099511627776"] * 2)

    def test_values_are_those_of_their_iteration(self):
        """A Parameter's value is printed as it is at the print, whatever is written behind it."""
        class Counter(nn.Cell):
            """Counts in a Parameter."""

            def __init__(self):
                super().__init__()
                self.count = plumb.Parameter(Tensor(np.array([0, 10], np.int32)), name="count")

            def construct(self, steps):
                """Prints before and behind each write."""
                t = steps * 0
                while t < steps:
                    print("before", self.count)
                    self.count = self.count + 1
                    print("behind", self.count)
                    t = t + 1
                return t

        cell = Counter()
        _, lines = shown(cell, Tensor(np.int32(3)))
        numbers = [line.split("value=")[1] for line in lines[1::2]]
        self.assertEqual(numbers, [f"[ {i} {i + 10}])" for i in (0, 1, 1, 2, 2, 3)])
        np.testing.assert_array_equal(cell.count.asnumpy(), [3, 13])

    def test_differentiated_loops(self):
        """The forward loop prints, once; what the reverse computes again is silent."""
        def f(x, steps):
            t = steps * 0
            while t < steps:
                if t % 2 == 0:
                    print("t", t)
                x = ops.tanh(x)
                i = t * 0
                while i < 2:
                    print("i", i)
                    x = x * 1.5
                    i = i + 1
                t = t + 1
            return x.sum()

        x = np.linspace(-1, 1, 5, dtype=np.float32)
        value = torch.tensor(x, requires_grad=True)
        out = value
        for _ in range(70):  # more than a tape has slots
            out = torch.tanh(out) * 2.25
        out.sum().backward()
        (_, gradient), lines = shown(plumb.value_and_grad(f), Tensor(x), Tensor(np.int32(70)))
        np.testing.assert_allclose(gradient.asnumpy(), value.grad.numpy(), rtol=2e-4, atol=1e-6)
        self.assertEqual((lines.count("t"), lines.count("i"), len(lines)), (35, 140, 350))

    def test_gradients(self):
        net = Talking()
        gradient = plumb.value_and_grad(lambda x: (net(x) ** 2).mean(), None, net.trainable_params())
        (loss, grads), lines = shown(gradient, Tensor(np.ones((4, 3), np.float32)))
        self.assertEqual((loss.shape, len(grads), lines[0], len(lines)), ((), 2, "mean", 2))
        grads, lines = shown(plumb.grad(lambda x: net(x).sum()), Tensor(np.ones((4, 3), np.float32)))
        self.assertEqual((grads.shape, len(lines)), ((4, 3), 2))


class Training(InGraphMode):
    """Prints once per step, and never as loss, output or metric."""

    def model(self):
        """A model of the printing network."""
        net = Talking()
        return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mse"})

    def test_train(self):
        for sink in (False, True):
            losses = []

            class Listener(train.Callback):
                """Collects losses."""

                def step_end(self, run_context):
                    """After each step or sink."""
                    losses.append(run_context.original_args().net_outputs)

            _, lines = shown(lambda: self.model().train(2, batches(), callbacks=[Listener()], dataset_sink_mode=sink))
            self.assertEqual(lines[0::2], ["mean"] * 4)
            self.assertTrue(all(isinstance(loss, Tensor) and loss.shape == () for loss in losses))

    def test_loops_in_sunk_steps(self):
        """Each step prints as often as its data says, in the order of the steps."""
        class Chatty(nn.Cell):
            """Prints as often as the first element says."""

            def __init__(self):
                super().__init__()
                self.d = nn.Dense(3, 1)

            def construct(self, x):
                """Counts down from the first element."""
                left = x[0, 0]
                while left > 0:
                    print("left", left)
                    left = left - 1
                return self.d(x)

        x = np.ones((4 * 30, 3), np.float32)
        x[::4, 0] = [n % 5 for n in range(30)]
        for sink in (False, True):
            data = dataset.NumpySlicesDataset((x, x[:, :1]), ["x", "y"], shuffle=False).batch(4)
            net = Chatty()
            model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01))
            _, lines = shown(lambda: model.train(1, data, callbacks=[train.LossMonitor()], dataset_sink_mode=sink, sink_size=30))
            numbers = [int(line) for line in lines if line.isdigit()]
            self.assertEqual(numbers, [left for n in range(30) for left in range(n % 5, 0, -1)])

    def test_prints_come_before_the_loss_of_their_step(self):
        _, lines = shown(lambda: self.model().train(1, batches(), callbacks=[train.LossMonitor()]))
        self.assertEqual([line.split()[0] for line in lines], ["mean", lines[1], "epoch:", "mean", lines[4], "epoch:"])
        float(lines[1])

    def test_eval_and_predict(self):
        model = self.model()
        metrics, lines = shown(model.eval, batches())
        self.assertEqual((list(metrics), len(lines)), (["mse"], 4))
        output, lines = shown(model.predict, Tensor(np.ones((2, 3), np.float32)))
        self.assertEqual((output.shape, len(lines)), ((2, 1), 2))

    def test_data_sink(self):
        net = Talking()
        optimizer = nn.SGD(net.trainable_params(), 0.1)
        gradient = plumb.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, net.trainable_params())

        def step(x, y):
            loss, grads = gradient(x, y)
            optimizer(grads)
            return loss

        loss, lines = shown(train.data_sink(step, batches(), sink_size=2))
        self.assertEqual((loss.shape, len(lines)), ((), 4))


class Files(unittest.TestCase):
    """`print_file_path` and `parse_print`."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = os.path.join(scratch.name, "folder/print.data")
        self.addCleanup(plumb.set_context, print_file_path="")
        plumb.set_context(print_file_path=self.path)

    def read(self):
        """What the file holds: strings, and (type, values) of tensors."""
        return [value if isinstance(value, str) else (str(value.dtype), value.asnumpy().tolist()) for value in plumb.parse_print(self.path)]

    def test_values(self):
        class Shown(nn.Cell):
            """Prints its input and more."""

            def __init__(self):
                super().__init__()
                self.print = ops.Print()

            def construct(self, x, y, b):
                """Prints."""
                self.print("x and y:", x, y)
                print("é", b, 3, x.sum())
                return x

        long = np.arange(3000, dtype=np.float32) / 7
        y = np.array([[1, -2], [3, 4]], np.int64)
        _, lines = shown(Shown(), Tensor(long), Tensor(y), Tensor(True))
        self.assertEqual(lines, [])
        self.assertEqual(self.read(), ["x and y:", ("Float32", long.tolist()), ("Int64", y.tolist()), "é", ("Bool", True), "3",
                                       ("Float32", float(long.sum()))])
        self.assertEqual(plumb.get_context("print_file_path"), self.path)

    def test_types(self):
        @plumb.jit
        def f(a, b, c):
            print(a)
            print(b, ops.cast(c, plumb.bfloat16))
            return a

        inputs = Tensor([0.5, -1.5], plumb.float16), Tensor([1, 2], plumb.uint8), Tensor([0.5, 3.0])
        f(*inputs)
        self.assertEqual(self.read(), [("Float16", [0.5, -1.5]), ("UInt8", [1, 2]), ("Float32", [0.5, 3.0])])
        plumb.set_context(print_file_path="")
        _, lines = shown(f, *inputs)
        self.assertEqual((len(lines), len(self.read())), (3, 3))

    def test_files(self):
        """A file that exists is kept."""
        with open(self.path, "wb") as file:
            file.write(b"mine")
        plumb.set_context(print_file_path=self.path)

        @plumb.jit
        def f(x):
            print("step")
            return x

        self.assertEqual(shown(f, array(1.0))[1], [])
        with open(self.path, "rb") as file:
            self.assertEqual(file.read(), b"mine")
        other, = [name for name in os.listdir(os.path.dirname(self.path)) if name != "print.data"]
        self.assertEqual(plumb.parse_print(os.path.join(os.path.dirname(self.path), other)), ["step"])

    def test_training(self):
        """A sunk training writes each step's values in order."""
        net = Talking()
        model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        model.train(2, batches(), dataset_sink_mode=True)
        found = self.read()
        self.assertEqual(found[::2], ["mean"] * 4)
        self.assertEqual(len({value for _, value in found[1::2]}), 4)

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "does not exist or is empty"):
            plumb.parse_print(self.path)
        with open(self.path, "wb") as file:
            file.write(b"no message")
        with self.assertRaisesRegex(ValueError, "cannot be read"):
            plumb.parse_print(self.path)
        with self.assertRaisesRegex(TypeError, "print_file_path"):
            plumb.set_context(print_file_path=3)


class EmptyTest(unittest.TestCase):
    """Tensors without elements, as MindSpore 2.0.0 shows them."""

    def test_repr(self):
        x = plumb.ops.dsplit(plumb.ops.arange(8.0).reshape(2, 1, 4), [4])
        self.assertTrue(repr(x).endswith("Tensor(shape=[2, 1, 0], dtype=Float32, value=\n))"), repr(x))


if __name__ == "__main__":
    unittest.main()
