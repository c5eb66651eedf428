"""Parameters written in branches and loops: random programs do what the same text does with NumPy.

A program is drawn as Python text: assignments of a few Parameters and of local tensors, in nested `if` and `while` whose
conditions depend on tensors, and `for` with `break`, `continue` and `return` under such a condition. Plumb compiles it, for
calls, sunk and differentiated; the reference runs the text as it stands, with NumPy in place of `ops`, and takes gradients by
finite differences, where each read counts as the Parameter itself. `state_test.py --seeds A:B` checks other programs than the fixed few.
"""

import argparse
import importlib.util
import os
import sys
import tempfile
import types
import unittest

import numpy as np

import plumb
from plumb import dataset, nn, ops

SHAPES = [(), (4,), (3, 5), (37,)]
STEPS = 5


class Writer:
    """Draws one program: its text, and the shapes of its Parameters."""

    def __init__(self, seed, loops=("while", "for")):
        self.loops = loops
        self.rng = np.random.default_rng(seed)
        self.shapes = [SHAPES[self.rng.integers(len(SHAPES))] for _ in range(self.rng.integers(1, 4))]
        self.lines, self.counters = [], 0
        self.block(1, 0, [])

    def pick(self, *choices):
        """One of `choices`."""
        return choices[self.rng.integers(len(choices))]

    def state(self):
        """A Parameter."""
        return f"self.p{self.rng.integers(len(self.shapes))}"

    def number(self, names):
        """A scalar of the input, a Parameter or a local tensor."""
        return f"{self.pick('x', 't', self.state(), *names)}.mean()"

    def value(self, name, names):
        """A tensor shaped like `name`."""
        return self.pick(f"{name} * 0.5 + {self.number(names)}", f"{self.number(names)} - {name}", f"{name} + 1.0",
                         f"ops.zeros_like({name})", f"ops.tanh({name} + {self.number(names)})")

    def block(self, indent, depth, names):
        """A few statements; `names` are the local tensors that are defined before."""
        names, space = list(names), "    " * indent
        for _ in range(self.rng.integers(2, 5)):
            kind = self.pick("write", "write", "local", "sum", "if", "if", *self.loops) if depth < 3 else "write"
            if kind == "if":
                self.branch(indent, depth, names)
            elif kind == "while":
                self.loop(indent, depth, names)
            elif kind == "for":
                self.unrolled(indent, names)
            elif kind == "local":
                name, fresh = self.state(), f"v{len(names)}"
                self.lines.append(f"{space}{fresh} = {self.value(name, names)}")
                names.append(fresh)
            elif kind == "sum":
                self.lines.append(f"{space}t = ops.tanh(t + {self.number(names)})")
            else:
                name = self.state()
                self.lines.append(f"{space}ops.assign({name}, {self.value(name, names)})")

    def branch(self, indent, depth, names):
        """An `if`, now and then with an `else`."""
        space = "    " * indent
        self.lines.append(f"{space}if {self.number(names)} {self.pick('<', '>')} {self.pick(-.71, -.23, .07, .31, .87)}:")
        self.block(indent + 1, depth + 1, names)
        if self.rng.random() < 0.6:
            self.lines.append(f"{space}else:")
            self.block(indent + 1, depth + 1, names)

    def loop(self, indent, depth, names):
        """A `while` whose counter is a local tensor or a Parameter of its own."""
        space, number = "    " * indent, self.counters
        self.counters += 1
        counter, advance = self.pick((f"c{number}", f"c{number} = c{number} + 1.0"),
                                     (f"self.c{number}", f"ops.assign(self.c{number}, self.c{number} + 1.0)"))
        start = "x.mean() * 0.0"
        self.lines.append(f"{space}ops.assign({counter}, {start})" if "self" in counter else f"{space}{counter} = {start}")
        self.lines += [f"{space}while {counter} < {self.rng.integers(0, 4)}:", f"{space}    {advance}"]
        self.block(indent + 1, depth + 1, names)

    def unrolled(self, indent, names):
        """A `for` of a few iterations, which a condition ends early or cuts short."""
        space, name = "    " * indent, self.state()
        leave = self.pick("break", "continue", "return t * 0.5") if indent == 1 else self.pick("break", "continue")
        self.lines += [f"{space}for i in range({self.rng.integers(1, 4)}):",
                       f"{space}    if {self.number(names)} > {self.pick(-.71, -.23, .07, .31)}:",
                       f"{space}        ops.assign({name}, {self.value(name, names)})",
                       f"{space}        {leave}",
                       f"{space}    t = ops.tanh(t * 1.5 + {self.number(names)} + 0.1 * i)"]

    def text(self):
        """The function."""
        return "\n".join(["def construct(self, x):", "    t = x.mean()", *self.lines, "    return t", ""])

    def parameters(self):
        """Initial values by name."""
        values = {f"p{i}": self.rng.standard_normal(shape).astype(np.float32) for i, shape in enumerate(self.shapes)}
        values.update({f"c{i}": np.zeros((), np.float32) for i in range(self.counters)})
        return values


def assign(array, value):
    """NumPy's counterpart of ops.assign."""
    array[...] = value


def reference_names():
    """What a program's text finds in place of `ops`."""
    return {"ops": types.SimpleNamespace(assign=assign, zeros_like=np.zeros_like, tanh=np.tanh)}


def run_reference(text, parameters, batches):
    """What the program returns in each step; `parameters` change in place."""
    names = reference_names()
    exec(text, names)  # pylint: disable=exec-used
    return [float(names["construct"](types.SimpleNamespace(**parameters), batch)) for batch in batches]


def load_cell(path, parameters):
    """An instance of the class in the file `path`."""
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Program({name: plumb.Parameter(plumb.Tensor(value), name=name) for name, value in parameters.items()})


HEAD = """from plumb import nn, ops


class Program(nn.Cell):
    def __init__(self, parameters):
        super().__init__()
        for name, parameter in parameters.items():
            setattr(self, name, parameter)

"""


def widen(parameters):
    """A copy in float64."""
    return {name: value.astype(np.float64) for name, value in parameters.items()}


def write_program(path, text):
    """Writes the class around `text` to the file `path`."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join("    " + line + "\n" for line in text.splitlines()))


class Recorded:
    """Parameters whose reads are noted in `reads`."""

    def __init__(self, parameters):
        self.parameters, self.reads = parameters, []

    def __getattr__(self, name):
        self.reads.append((name, self.parameters[name].copy()))
        return self.parameters[name]


class Moved:
    """Parameters whose reads are those of a run before, with `moves` added by name: a gradient takes each read for the
    Parameter itself, whatever was written before."""

    def __init__(self, reads, moves):
        self.reads, self.moves = iter(reads), moves

    def __getattr__(self, name):
        noted, value = next(self.reads)
        assert noted == name, "the move took another branch"
        return np.asarray(value + self.moves.get(name, 0.0))


def difference(text, parameters, batch, name):
    """The gradient of what the program returns by `name`, a Parameter or the batch, by central differences."""
    names = reference_names()
    exec(text, names)  # pylint: disable=exec-used
    batch, recorded = batch.astype(np.float64), Recorded(widen(parameters))
    names["construct"](recorded, batch)
    gradient = np.zeros_like(batch if name == "x" else parameters[name], dtype=np.float64)
    for index in np.ndindex(gradient.shape):
        move = np.zeros_like(gradient)
        move[index] = 1e-6
        ends = [names["construct"](Moved(recorded.reads, {name: m}), batch + (m if name == "x" else 0.0)) for m in (move, -move)]
        gradient[index] = (float(ends[0]) - float(ends[1])) / 2e-6
    return gradient


def check_gradients(seed, folder):
    """Differentiates the program of `seed`; a message says where it differs from the reference."""
    writer = Writer(seed, loops=("for",))
    text, parameters = writer.text(), writer.parameters()
    batch = writer.rng.standard_normal(8).astype(np.float32)
    state = widen(parameters)
    expected = run_reference(text, state, [batch.astype(np.float64)])
    path = os.path.join(folder, f"gradient_{seed}.py")
    write_program(path, text)
    cell = load_cell(path, parameters)
    weights = [getattr(cell, name) for name in parameters]
    value, (by_batch, by_weights) = plumb.value_and_grad(cell, 0, plumb.ParameterTuple(weights))(plumb.Tensor(batch))
    where = f"seed {seed}\n{text}"
    np.testing.assert_allclose(value.asnumpy(), expected[0], rtol=1e-4, atol=1e-5, err_msg=where)
    for name, gradient in zip(["x", *parameters], [by_batch, *by_weights]):
        np.testing.assert_allclose(gradient.asnumpy(), difference(text, parameters, batch, name), rtol=1e-3, atol=1e-4,
                                   err_msg=f"gradient by {name}, {where}")
    for name, array in state.items():  # Effects happen once.
        np.testing.assert_allclose(getattr(cell, name).asnumpy(), array, rtol=1e-4, atol=1e-5, err_msg=f"{name}, {where}")


def check(seed, folder):
    """Runs the program of `seed` by calls and sunk; a message says where it differs from the reference."""
    writer = Writer(seed)
    text, parameters = writer.text(), writer.parameters()
    batches = writer.rng.standard_normal((STEPS, 8)).astype(np.float32)
    state = widen(parameters)
    expected = run_reference(text, state, batches.astype(np.float64))
    path = os.path.join(folder, f"program_{seed}.py")
    write_program(path, text)

    def compare(kind, cell, actual):
        where = f"seed {seed}, {kind}\n{text}"
        np.testing.assert_allclose(actual, expected[-len(actual):], rtol=1e-4, atol=1e-5, err_msg=where)
        for name, value in state.items():
            np.testing.assert_allclose(getattr(cell, name).asnumpy(), value, rtol=1e-4, atol=1e-5, err_msg=f"{name}, {where}")

    called = load_cell(path, parameters)
    compare("called", called, [float(called(plumb.Tensor(batch)).asnumpy()) for batch in batches])
    sunk = load_cell(path, parameters)
    data = dataset.NumpySlicesDataset({"x": batches.reshape(-1)}, shuffle=False).batch(8)
    compare("sunk", sunk, [float(plumb.data_sink(sunk, data, sink_size=STEPS)().asnumpy())])


class Counters(nn.Cell):
    """One Parameter for each way to write one; nothing is returned."""

    def __init__(self):
        super().__init__()
        for name in ("stored", "increased", "assigned", "added", "taken"):
            setattr(self, name, plumb.Parameter(plumb.Tensor(np.zeros(2, np.float32)), name=name))

    def construct(self, x):
        self.stored = self.stored + x
        self.increased += x
        ops.assign(self.assigned, self.assigned + x)
        ops.assign_add(self.added, x)
        ops.assign_sub(self.taken, -x)


class StateTest(unittest.TestCase):
    """A few random programs."""

    def test_calls_outside_training_write_parameters(self):
        for training in (False, True):
            cell = Counters().set_train(training)
            for _ in range(3):
                self.assertIsNone(cell(plumb.Tensor(np.array([1, 2], np.float32))))
            for parameter in cell.get_parameters():
                with self.subTest(parameter=parameter.name, training=training):
                    np.testing.assert_array_equal(parameter.asnumpy(), [3, 6])

    def test_random_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(8):
                with self.subTest(seed=seed):
                    check(seed, folder)

    def test_random_gradients(self):
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(8):
                with self.subTest(seed=seed):
                    check_gradients(seed, folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", help="the programs A to B-1 instead of the tests")
    options, rest = parser.parse_known_args()
    if not options.seeds:
        unittest.main(argv=[sys.argv[0], *rest])
    first, last = map(int, options.seeds.split(":"))
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last):
            check(seed, folder)
            check_gradients(seed, folder)
            print(seed, "agrees", flush=True)
