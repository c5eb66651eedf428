"""Attributes that compiled functions set under conditions on tensors: what objects have behind the calls, as CPython leaves it."""

import functools
import unittest

import numpy as np

import plumb as ms
from plumb import Tensor, context, nn
from plumb._parse import CompileError
from language_test import plain


def one_side(self, x):
    """One side sets an attribute, the other side another one."""
    if x.sum() > 0:
        self.a = x
    else:
        self.b = 3
    return x * 2


def joined(self, x):
    """Numbers of both sides, and an attribute that is set in one of two branches, or both."""
    if x.sum() > 0:
        self.a = x
        self.b = 3.0
    else:
        self.b = 4.0
    if x.sum() > 2:
        self.a = x * 5
    return x * self.b


def returns(self, x):
    """A side that leaves the function."""
    if x.sum() > 0:
        self.a = [x, 1]
        return self.a[0] * 3
    return x


def sets(self, x):
    """Sets one under a condition."""
    if x.sum() > 0:
        self.a = x * 3


def in_functions(self, x):
    """Functions that set attributes under conditions, or are called under some."""
    sets(self, x)
    if x.sum() < 5:
        sets(self, x - 1)
    return x


def in_loop(self, x):
    """A loop that may run no iteration."""
    count = 0
    while x.sum() > count:
        if x.sum() > 4:
            self.b = x * count
        self.a = x * count
        count = count + 1
    return x


def in_iterations(self, x):
    """Iterations that a tensor ends."""
    for i in range(3):
        if x.sum() > i:
            self.a = x * i
        else:
            break
    return x


def raised(self, x):
    """An exception behind the attribute."""
    try:
        if x.sum() > 0:
            self.a = x
            raise ValueError("no")
        y = x
    except ValueError:
        y = self.a * 3
    return y


def overwritten(self, x):
    """Set on one side, then in any case."""
    sets(self, x)
    self.a = x * 7
    return self.a


class Bare:
    """An object without attributes."""


def left(owner):
    """The attributes that a call has left."""
    return {name: plain(value) for name, value in vars(owner).items() if name in ("a", "b")}


class Cached(nn.Cell):
    """Keeps its first input, in the way of a cache, and what its properties give first."""

    def __init__(self):
        super().__init__()
        self.factor = 2

    @functools.cached_property
    def scale(self):
        """A number."""
        return self.factor * 10

    def construct(self, x):
        """Compiled body."""
        if not hasattr(self, "_first"):
            self._first = x * 2
        return self._first + x * self.scale


class SetAttributesTest(unittest.TestCase):
    """Compiled functions against CPython."""

    def test_left_behind(self):
        """What an object has behind a call that had nothing before, and what one has that had something."""
        for function in (one_side, joined, returns, in_functions, in_loop, in_iterations, raised, overwritten):
            for before in ({}, {"a": "old"}):
                for sign in (1, -1, 3):
                    with self.subTest(function.__name__, before=before, sign=sign):
                        x = Tensor(np.float32([2, 1]) * sign)
                        compiled, owner = Bare(), Bare()
                        vars(compiled).update(before)
                        vars(owner).update(before)
                        result = ms.jit(lambda x: function(compiled, x))(x)  # pylint: disable=cell-var-from-loop
                        self.assertEqual(repr(plain(result)), repr(plain(function(owner, x))))
                        wanted = {name: np.asarray(value).tolist() for name, value in numbers(left(owner)).items()}
                        self.assertEqual({name: np.asarray(value).tolist() for name, value in numbers(left(compiled)).items()}, wanted)

    def test_several_calls(self):
        """A program that is compiled once sets the attribute in those calls alone in which its condition holds."""
        owner = Bare()
        compiled = ms.jit(lambda x: one_side(owner, x))
        for number in (1.0, -1.0, 2.0, -2.0):
            vars(owner).clear()
            compiled(Tensor(np.float32([number])))
            self.assertEqual(left(owner), {"a": ("Tensor", (1,), "Float32", [number])} if number > 0 else {"b": 3})

    def test_caches(self):
        """hasattr() and cached properties: the second call finds what the first has left."""
        for mode in (context.PYNATIVE_MODE, context.GRAPH_MODE):
            context.set_context(mode=mode)
            net = Cached()
            found = []
            for number in (1.0, 5.0, 7.0):
                found.append(float(net(Tensor(number)).asnumpy()))
                net.factor += 1
            self.assertEqual(found, [22.0, 102.0, 142.0])
            self.assertEqual((vars(net)["scale"], float(vars(net)["_first"].asnumpy())), (20, 2.0))
        context.set_context(mode=context.PYNATIVE_MODE)

    def test_state_is_refused(self):
        """What would need the value of the call before."""
        def read_on_other_side(x):
            if x.sum() > 0:
                owner.a = x
                return x
            return x * owner.a

        def asked(x):
            if x.sum() > 0:
                owner.b = x
            return x if hasattr(owner, "b") else x * 2

        owner = Bare()
        owner.a = 2.0
        for function, message in ((read_on_other_side, "would have to live from one call to the next"), (asked, "'b' may be missing here")):
            with self.assertRaisesRegex(CompileError, message):
                ms.jit(function)(Tensor(np.float32([1, 2])))


def numbers(values):
    """Tensors as their elements; a branch makes them of numbers."""
    return {name: value[3] if isinstance(value, tuple) and value[:1] == ("Tensor",) else str(value) if isinstance(value, list) else value
            for name, value in values.items()}


if __name__ == "__main__":
    unittest.main()
