"""Loops that are unrolled and that a tensor leaves: values as in CPython, gradients, and compilation in linear time."""

import time
import unittest

import numpy as np

import plumb
from plumb import Tensor, nn, ops

N = 6


def broken(x):
    total, last = x[0] * 0, 0
    for i in range(N):
        if x[i] > 3:
            break
        total = total + x[i] * (i + 1)
        last = i
    return total * 10 + last


def broken_or_not(x):
    total = x[0] * 0
    for i in range(N):
        if x[i] > 3:
            total = total - 100
            break
        total = total + x[i]
    else:
        total = total * 2
    return total


def skipped(x):
    total = x[0] * 0
    for i in range(N):
        if x[i] < 0:
            continue
        if x[i] > 3:
            break
        total = total + x[i]
    return total


def returned(x):
    total = x[0] * 0
    for i in range(N):
        if x[i] > 3:
            return total * 10
        if x[i] < -3:
            return total - i
        total = total + x[i]
    return total - 1


def returned_of_list(x):
    rows = []
    for i in range(N):
        if x[i] > 3:
            return x * 100
        rows.append(x[i] * 2)
    return ops.stack(rows)


def returned_of_dict(x):
    seen = {}
    for i in range(N):
        if x[i] > 3:
            return x[i] * 100
        seen[i] = x[i] * 2
    return sum(seen.values()) + len(seen)


def stored(x):
    rows, count = [x[0] * 0] * N, 0
    for i in range(N):
        if x[i] > 3:
            break
        rows[i] = x[i] * 2
        count += 1
    return ops.stack(rows) + count


def raised(x):
    rows = []
    try:
        for i in range(N):
            if x[i] > 3:
                raise ValueError("much")
            rows.append(x[i] * 2)
    except ValueError:
        return x - 1
    return ops.stack(rows)


def raised_behind_state(x):
    total = x[0] * 0
    try:
        for i in range(N):
            total = total + x[i]
            if x[i] > 3:
                raise ValueError("much")
            if x[i] < -3:
                raise KeyError(i)
            total = total * 2
    except ValueError:
        total = total * 100
    except KeyError as problem:
        total = total - 1000 - problem.args[0]
    return total


def raised_or_left(x):
    total = x[0] * 0
    rows = (x[0],)
    try:
        for i in range(N):
            if x[i] > 4:
                raise ValueError(f"much at {i}")
            if x[i] > 3:
                return total - 7
            if i == 4:
                raise IndexError(i)
            rows = rows + (x[i],)
            total = total + x[i] * len(rows)
    except ValueError as problem:
        total = total * 100 + len(str(problem))
    except IndexError:
        total = total * 10
    return total


def check(x):
    rows = []
    for i in range(N):
        if x[i] > 3:
            raise ValueError(f"row {i}")
        rows.append(x[i] * 2)
    return ops.stack(rows)


def in_caller(x):
    try:
        return check(x) + 1
    except ValueError as problem:
        return x * int(str(problem)[4:])


def in_last(x):
    total = x[0] * 0
    try:
        for i in range(N):
            if x[i] > 3:
                raise ValueError("much")
            if x[i] < -3:
                break
            total = total + x[i]
    except ValueError:
        total = total - 50
    finally:
        total = total * 2
    return total


def unhandled(x):
    total = x[0] * 0
    for i in range(N):
        if x[i] < -3:
            break
        if x[i] > 3:
            raise ValueError(f"much at {i}")
        total = total + x[i]
    return total


def within(x):
    total = x[0] * 0
    for i in range(3):
        for j in range(N):
            if x[j] > 3 - i:
                break
            if total > 40:
                return total * 0 - i - j
            total = total + x[j] + i
        if total < -4:
            break
    return total


def tried_again(x):
    total = x[0] * 0
    for i in range(N):
        try:
            if x[i] > 3:
                raise ValueError("much")
            total = total + x[i]
            break
        except ValueError:
            total = total - 1
    return total


def taken(x):
    total, rows = x[0] * 0, iter([x[0], x[1], x[2], x[3], x[4]])
    for row in rows:
        if row > 3:
            break
        total = total * 2 + row
    return total


def taken_in_pairs(x):
    total = x[0] * 0
    for i, (a, b) in enumerate(zip(x[:3], x[3:])):
        if a > 3:
            break
        if b < -3:
            return total - i
        total = total * 2 + a - b
    return total


def counted(x):
    total, i = x[0] * 0, 0
    while i < N:
        if x[i] > 3:
            break
        total = total + x[i]
        i += 1
    return total * 10 + i


def counted_under_try(x):
    total, i = x[0] * 0, 0
    try:
        while i < N:
            if x[i] > 3:
                raise ValueError("much")
            total = total + x[i]
            i += 1
    except ValueError:
        return total - i
    return total * 10 + i


def counted_before(x):
    total, rows, count, i = x[0] * 0, [x[0], x[1] * 2, x[2] * 3], 0, 0
    while i < 3:
        i += 1
        total = total + rows[i - 1]
        if x[i] > 3:
            break
        count += len(range(i))
    return total * 10 + count + i


def grown_before(x):
    total, rows, tail = x[0] * 0, (), x[:1]
    for i in range(N):
        rows = rows + (x[i],)
        tail = ops.concat([tail, x[i:i + 1]])
        total = total + tail[-1] * len(rows) + tail.sum()
        if x[i] > 3:
            break
    return total


class Machine:
    """A state that loops change."""

    def __init__(self, x):
        self.state = x[0] * 0
        self.steps = 0

    def step(self, value):
        """Goes on, or raises."""
        if value > 3:
            raise ValueError("much")
        self.state = self.state + value
        self.steps += 1


def of_object(x):
    machine = Machine(x)
    try:
        for i in range(N):
            machine.step(x[i])
    except ValueError:
        machine.state = machine.state * 10
    return machine.state + machine.steps


class Layers:
    """Counts in Python how many of its layers have run."""

    def __init__(self):
        self.done = 0
        self.named = {"last": "none", "at": 0}

    def __call__(self, x):
        self.done += 1
        self.named["at"] = self.done
        if self.done == 3:
            x = ops.concat([x, x[:1]])
        return x * self.done


def of_counting_object(x):
    layers, y, total = Layers(), x, x[0] * 0
    for i in range(N):
        y = layers(y)
        total = total + y.sum() + len("a" * layers.named["at"])
        if x[i] > 3:
            break
    return total + layers.done + layers.named["at"]


class Node:
    """A link of a chain."""

    def __init__(self, value, behind=None):
        self.value = value
        self.place = 1 if behind is None else behind.place + 1


def of_made_objects(x):
    node, total = None, x[0] * 0
    for i in range(N):
        node = Node(x[i], node)
        total = total + node.value * node.place
        if x[i] > 3:
            break
    return total


def of_listed_objects(x):
    nodes, total = [], x[0] * 0
    try:
        for i in range(N):
            nodes.append(Node(x[i]))
            if x[i] > 3:
                raise ValueError
            total = total + sum(node.value for node in nodes)
    except ValueError:
        return -total
    return total


def taken_inside(x):
    total, numbers = x[0] * 0, iter(range(1, 20))
    for i in range(N):
        total = total + x[i] * next(numbers)
        if x[i] > 3:
            break
    return total


def of_function(x):
    total = x[0] * 0

    def add(value):
        nonlocal total
        total = total + value
        return total

    for i in range(N):
        if add(x[i]) > 6:
            break
    return total


FUNCTIONS = [broken, broken_or_not, skipped, returned, returned_of_list, returned_of_dict, stored, raised, raised_behind_state,
             raised_or_left, in_caller, in_last, unhandled, within, tried_again, taken, taken_in_pairs, counted,
             counted_under_try, counted_before, grown_before, of_object, of_counting_object, of_made_objects, of_listed_objects,
             taken_inside, of_function]
STILL = [1.13, -2.21, 2.71, 0.47, 2.37, -1.19]
INPUTS = [STILL] + [STILL[:i] + [value] + STILL[i + 1:] for i in range(N) for value in (3.5, 5, -4)] + [[4, -4] * 3]


def outcome(function, values):
    """What a function gives: an array, or the exception."""
    try:
        return function(Tensor(np.float64(values))).asnumpy()
    except Exception as problem:  # pylint: disable=broad-except
        return problem


def differentiate(function, values):
    """The gradient of the sum of what a function gives, by central differences; nothing where it raises."""
    if isinstance(outcome(function, values), Exception):
        return None
    step = 1e-6
    return np.array([(outcome(function, values + step * row).sum() - outcome(function, values - step * row).sum()) / (2 * step)
                     for row in np.eye(N)])


class LeftLoopsTest(unittest.TestCase):
    """Each way out, taken in each iteration."""

    def test_values(self):
        for function in FUNCTIONS:
            compiled = plumb.jit(function)
            for values in INPUTS:
                with self.subTest(function.__name__, values=values):
                    wanted, found = outcome(function, values), outcome(compiled, values)
                    if isinstance(wanted, Exception):
                        self.assertEqual(type(found).__name__, type(wanted).__name__, found)
                        self.assertIn(str(wanted), str(found))
                    else:
                        self.assertNotIsInstance(found, Exception)
                        np.testing.assert_allclose(found, wanted, rtol=1e-12)

    def test_gradients(self):
        """Of the way that was taken."""
        for function in FUNCTIONS:
            gradient = plumb.jit(plumb.grad(lambda x, function=function: function(x).sum()))
            for values in INPUTS[:9]:
                with self.subTest(function.__name__, values=values):
                    wanted = differentiate(function, np.array(values))
                    if wanted is not None:
                        found = gradient(Tensor(np.float64(values))).asnumpy()
                        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)

    def test_cells(self):
        """In graph mode, with a Parameter that iterations change until one leaves the loop."""
        class Counts(nn.Cell):
            """Counts its steps."""

            def __init__(self):
                super().__init__()
                self.count = plumb.Parameter(Tensor(np.float64(0)), name="count")

            def construct(self, x):
                """Tries."""
                rows = []
                try:
                    for i in range(N):
                        if x[i] > 3:
                            raise ValueError("much")
                        self.count += 1
                        rows.append(x[i])
                except ValueError:
                    return x * 0
                return ops.stack(rows) * 2

        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        for values in INPUTS:
            net = Counts()
            before = next((i for i, value in enumerate(values) if value > 3), N)
            wanted = np.array(values) * (2 if before == N else 0)
            np.testing.assert_array_equal(net(Tensor(np.float64(values))).asnumpy(), wanted)
            self.assertEqual(float(net.count.asnumpy()), before)

    def test_what_cannot_be_known(self):
        """A list of another size where the loop was left is refused where somebody may read it."""
        def behind_break(x):
            rows = []
            for i in range(N):
                if x[i] > 3:
                    break
                rows.append(x[i])
            return ops.stack(rows)

        def kept_by_caller(box, x):
            rows = []
            box["rows"] = rows
            for i in range(N):
                if x[i] > 3:
                    raise ValueError("much")
                rows.append(x[i])

        def of_caller(x):
            box = {"rows": None}
            try:
                kept_by_caller(box, x)
            except ValueError:
                return x * len(box["rows"])
            return x

        def in_last_block(x):
            rows, count = [], x[0] * 0
            try:
                try:
                    for i in range(N):
                        if x[i] > 3:
                            raise ValueError("much")
                        rows.append(x[i])
                finally:
                    count = count + len(rows)
            except ValueError:
                return count
            return count

        def of_last_block(x):
            rows, count = [], x[0] * 0

            def run():
                nonlocal count
                try:
                    for i in range(N):
                        if x[i] > 3:
                            return x[i]
                        rows.append(x[i])
                finally:
                    count = count + len(rows)
                return x[0]

            return run() + count

        for function, words in ((behind_break, "sizes are known"), (of_caller, "sizes are known"),
                                (in_last_block, "another size"), (of_last_block, "sizes are known")):
            with self.subTest(function.__name__), self.assertRaisesRegex(plumb._parse.CompileError, words):
                plumb.jit(function)(Tensor(np.float64(STILL)))


def compile_turns(turns, leave):
    """Compiles a loop of so many iterations that a tensor leaves, and checks it; returns seconds of the processor."""
    def broken_off(x):
        total = x[0] * 0
        for i in range(turns):
            if x[i] > 3:
                break
            total = total + x[i]
        return total

    def checked(x):
        rows = []
        for i in range(turns):
            if x[i] > 3:
                raise ValueError(f"row {i}")
            rows.append(x[i] * 1)
        return ops.stack(rows).sum()

    def handled(x):
        try:
            return checked(x)
        except ValueError:
            return x[0] * 0 - 1

    function = {"break": broken_off, "raise": handled, "gradient": plumb.value_and_grad(broken_off)}[leave]
    begin = time.process_time()
    result = plumb.jit(function)(Tensor(np.ones(turns, np.float32)))
    taken_time = time.process_time() - begin
    np.testing.assert_allclose(float(result[0] if leave == "gradient" else result), turns, rtol=1e-6)
    return taken_time


class CompileTimeTest(unittest.TestCase):
    """Four times as many iterations take about four times as long to compile."""

    def test_linear(self):
        for leave in ("break", "raise", "gradient"):
            with self.subTest(leave):
                compile_turns(4, leave)
                short, long = compile_turns(40, leave), compile_turns(160, leave)
                self.assertLess(long, 8 * short)


if __name__ == "__main__":
    unittest.main()
