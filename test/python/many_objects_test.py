"""Many objects, lists, dicts and exceptions, made in unrolled loops: what Python sees of them, and how long they take to compile."""

import functools
import time
import unittest
import weakref

import numpy as np

import plumb
from plumb import Tensor

KEPT, WEAK, CALLBACKS = [], weakref.WeakSet(), []


class Box:
    """Keeps what it is given."""

    def __init__(self, value):
        self.value = value

    def twice(self):
        """Read by the loops."""
        return self.value * 2


class Node(Box):
    """Keeps another one, too."""

    def __init__(self, value, before):
        super().__init__(value)
        self.before = before


class Gathering:
    """Is made without tensors, by Python."""

    def __init__(self, scale):
        self.items, self.table, self.scale = [], {}, scale

    def add(self, value):
        """Changes what it holds."""
        self.items.append(value)
        self.table["last"] = value
        return self

    def total(self):
        """Reads it."""
        return sum(self.items) * self.scale + self.table["last"]


class Registered:
    """Python keeps its objects in ways that the interpreter does not see."""

    def __init__(self, number, way):
        self.number = number
        if way == "list":
            KEPT.append(self)
        elif way == "weak":
            WEAK.add(self)
        elif way == "method":
            CALLBACKS.append(self.get)

    def get(self):
        """Read through CALLBACKS."""
        return self.number


@functools.lru_cache
def remembered(box):
    """Python keeps what it is given."""
    return box


SOURCELESS = {"kept": KEPT, "weak": WEAK, "callbacks": CALLBACKS}
exec("""
def numbers():
    return [item.number for item in kept], sorted(item.number for item in weak), [get() for get in callbacks]
def keep(item):
    kept.append(item)
def number_of(item):
    return item.number
""", SOURCELESS)  # pylint: disable=exec-used
numbers, keep, number_of = (SOURCELESS[name] for name in ("numbers", "keep", "number_of"))


def forget():
    """Clears what Python keeps."""
    KEPT.clear()
    WEAK.clear()
    CALLBACKS.clear()


def boxes(x, count):
    """An object in each iteration."""
    for _ in range(count):
        box = Box(x)
        if isinstance(box, Box) and box is not None:
            x = x + box.twice()
    return x


def kept_boxes(x, count):
    """Objects in a list."""
    boxes_made = []
    for i in range(count):
        boxes_made.append(Box(x + i))
    for box in boxes_made:
        x = x + box.twice()
    return x


def linked(x, count):
    """Each object holds the one before."""
    node = None
    for i in range(count):
        node = Node(x + i, node)
        x = x + node.twice()
    return x + node.before.before.value


def gatherings(x, count):
    """Objects with lists and dicts."""
    total = x
    for i in range(count):
        total = total + Gathering(i % 3).add(x).add(x + i).total()
    return total


def containers(x, count):
    """Lists and dicts."""
    for i in range(count):
        items, table = [x, i], {"a": x}
        items.append(table["a"])
        table["b"] = items[2]
        x = x + table["b"] * 0.01
    return x


def raised(x, count):
    """Texts that a handler around the loop reads."""
    steps = x * 0
    try:
        for i in range(count):
            if x.sum() < i - 3:
                raise ValueError(f"at {i}")
            steps = steps + 1
    except ValueError as problem:
        return steps, str(problem) == "at 5", len(str(problem))
    return steps, False, 0


def caught(x, count):
    """Texts that a handler in the loop reads."""
    for i in range(count):
        try:
            if x.sum() < i:
                raise ValueError("x" * (i % 5))
            x = x + 1
        except ValueError as problem:
            x = x + len(str(problem))
    return x


class ManyObjectsTest(unittest.TestCase):
    """Compares with CPython, and times."""

    def setUp(self):
        forget()

    def test_values(self):
        for function in (boxes, kept_boxes, linked, gatherings, containers, caught):
            for count in (3, 40):
                expected = function(np.float32(1.5), count)
                np.testing.assert_allclose(plumb.jit(function)(Tensor(np.float32(1.5)), count).asnumpy(), expected, rtol=1e-5, err_msg=function.__name__)

    def test_exceptions_of_a_loop(self):
        for count in (4, 20, 60):
            function = plumb.jit(raised)
            for value in (-100.0, 1.5, 15.5, 30.0, 100.0):
                steps, is_five, length = raised(np.float32(value), count)
                made = function(Tensor(np.float32(value)), count)
                self.assertEqual([float(made[0]), bool(made[1]), int(made[2])], [float(steps), is_five, length], (count, value))

    def test_python_sees_what_it_keeps(self):
        """The constructor runs in Python, which keeps the object; what the function sets of it later, Python's own functions see."""
        for way in ("list", "weak", "method"):
            forget()

            def changed(x, way):
                made = [Registered(number, way) for number in range(20)]
                for item in made:
                    item.number = item.number + 100
                return numbers(), x, made[3].number

            seen = plumb.jit(changed)(Tensor(1.0), way)[0]
            expected = list(range(100, 120))
            self.assertEqual(seen, {"list": (expected, [], []), "weak": ([], expected, []), "method": ([], [], expected)}[way], way)

    def test_python_keeps_it_later(self):
        def kept(x):
            made = [Registered(number, "") for number in range(20)]
            for item in made:
                item.number = item.number + 100
            keep(made[4])
            remembered(made[5])
            made[4].number = 7
            return number_of(made[6]), numbers()[0], x

        self.assertEqual(plumb.jit(kept)(Tensor(1.0))[:2], (106, [7]))

    def test_time_is_linear(self):
        for function in (boxes, linked, gatherings, containers, raised, caught):
            seconds = []
            for count in (49, 50, 200):
                begin = time.process_time()
                plumb.jit(function)(Tensor(np.float32(1.5)), count)
                seconds.append(time.process_time() - begin)
            self.assertLess(seconds[2], 8 * seconds[1] + 0.5, function.__name__)


if __name__ == "__main__":
    unittest.main()
