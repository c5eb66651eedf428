"""Control flow on tensors: each function runs compiled and by CPython on NumPy, with equal results and types.

All functions are compiled as one, which runs on several inputs: one per way through the branches.
"""

import unittest

import numpy as np

import numeric
import plumb
from plumb import Tensor, ops
from plumb._parse import CompileError


def while_break(x):
    i = x.sum() * 0
    while i < 10:
        if x[0] + i > 5:
            break
        i = i + 1
    return i


def while_continue(x):
    i = x[0] * 0
    s = x[0] * 0
    while i < 10:
        i = i + 1
        if i % 2 == 0:
            continue
        s = s + i * x[1]
    return s, i


def while_return(x):
    i = x[0] * 0
    while i < 10:
        if i * i > 20 * x[2]:
            return i + x[0]
        i = i + 1
    return i - x[1]


def while_endless(x):
    i = 0
    total = x[0]
    while True:
        i += 1
        total = total * 1.5
        if x[0] + i > 4:
            break
    return total + i


def while_nested(x):
    i = x[0] * 0
    n = x[0] * 0
    while i < 6:
        j = x[0] * 0
        while True:
            j = j + 1
            if j > i:
                break
            if j * i > 12:
                return n * x[3] + j
            n = n + x[4]
        i = i + 1
    return n


def while_branches(x):
    n = x[0] * 0
    k = x[0] * 0
    while n < 20:
        n = n + 1
        if k > 3:
            k = k - 2
            continue
        elif k < -2:
            break
        else:
            k = k + x[1]
        k = k + 0.25
    return k, n


def for_break(x):
    s = 0.0
    for i in range(6):
        if x[i] > 1:
            break
        s = s + x[i]
    return s + 0 * x[0]


def for_continue(x):
    s = x[0] * 0
    for i in range(12):
        if x[i % 6] > 1:
            continue
        s = s + x[i % 6]
    return s


def for_return(x):
    for i in range(6):
        if x[i] > 1:
            return x[i]
    return x.sum()


def for_nested(x):
    s = x[0] * 0
    for i in range(4):
        for j in range(4):
            if x[i] < x[j]:
                continue
            if x[i] - x[j] > 2:
                break
            s = s + x[i] * x[j]
        if s > 5:
            break
    return s


def while_in_for(x):
    s = x[0] * 0
    for i in range(3):
        k = x[i]
        while k < 4:
            k = k * 0.5 + 2.5
            if k > 3 and i > 0:
                break
        s = s + k
        if s > 8:
            return s + 0.5
    return s


def branches(x):
    y = x
    if x[0] > 0:
        if x[1] > 0:
            return y * 2
        y = y + 1
    else:
        y = y - 1
    y = y * 3
    if y.sum() > 2:
        return y
    return -y


def settles(x):
    h = None
    i = x[0] * 0
    while i < 3:
        h = x if h is None else h * 2
        i = i + 1
    return i


def numbers_become_tensors(x):
    s = 0
    i = 0
    while i < x.sum() * 0 + 4:
        s = s + x[0]
        i += 1
    return s


def structures(x):
    s = (x, {"a": x[0] + 3, "n": x[1] * 0})
    while s[1]["a"] < 20:
        s = (s[0] * 0.5, {"a": s[1]["a"] + 3 + x[1] * 0, "n": s[1]["n"] + 1})
    return s[0], s[1]["a"], s[1]["n"]


def conditions(x):
    a = x[0] > 0
    b = x[1] > 0
    r = x[0] if a and b else x[1]
    q = x[2] if a or b else x[3]
    t = x[0] if not a else x[1]
    inside = x[4] if 0 < x[0] < 0.75 else x[5]
    return r * q, t, inside


def stores(x):
    out = x * 0
    i = 0
    while i < x.sum() * 0 + 6:
        if i == 4:
            i += 1
            continue
        out[i] = x[i] * (i + 1)
        i += 1
    return out


def for_else(x):
    for i in range(3):
        if x[i] > 2:
            break
    else:
        return x * 10
    return x + i


def while_else(x):
    i = 0
    while i < x[0]:
        if x[1] + i > 4:
            break
        i = i + 1
    else:
        i = i + 100
    return i + x[2]


def nested_else(x):
    r = 0
    for i in range(3):
        for j in range(2):
            if x[i] > j + 1:
                break
        else:
            r = r + 1
            continue
        r = r + 10
    return r + x[0]


def clamp(a):
    if a > 2:
        return a - 2
    return a + 1


def calls(x):
    i = 0
    a = x[0]
    while i < x[0] * 0 + 5:
        a = clamp(a) * x[1]
        i = i + 1
    return a


CASES = [while_break, while_continue, while_return, while_endless, while_nested, while_branches, for_break, for_continue,
         for_return, for_nested, while_in_for, branches, settles, numbers_become_tensors, structures, conditions, stores, calls,
         for_else, while_else, nested_else]
# No two steps of a function stand so close to a branch that rounding could choose the other.
INPUTS = [np.array(values) for values in ([0.53, -1.1, 2.2, 0.27, 3.1, -2.3], [-2.1, 1.2, 0.56, 1.51, -1.3, 0.77],
                                          [1.01, 2.02, 3.03, 4.04, 5.05, 6.06], [.11, .22, .33, .44, .55, .66])]


def everything(x):
    return (while_break(x), while_continue(x), while_return(x), while_endless(x), while_nested(x), while_branches(x),
            for_break(x), for_continue(x), for_return(x), for_nested(x), while_in_for(x), branches(x), settles(x),
            numbers_become_tensors(x), structures(x), conditions(x), stores(x), calls(x), for_else(x),
            while_else(x), nested_else(x))


def flatten(value):
    """The leaves of nested tuples."""
    return [leaf for item in value for leaf in flatten(item)] if isinstance(value, tuple) else [value]


LAST_BLOCKS = []  # functions whose last block sees what a return under a condition has left


def last_block(function):
    """Enters a function."""
    LAST_BLOCKS.append(function)
    return function


@last_block
def number(x):
    count = 1
    try:
        if x.sum() > 0:
            count = 5
            return x
        count = 2
        x = x * count
    finally:
        if count > 3:
            return x * 100
    return x + count


@last_block
def both(x):
    seen = 0
    try:
        if x.sum() > 0:
            seen = 1
            return x
        else:
            seen = 2
            return x * 2
    finally:
        return x * 10 + seen


@last_block
def in_loop(x):
    turns = 0
    try:
        while x.sum() < 9:
            turns += 1
            if x.sum() > 3:
                return x
            x = x + 1
    finally:
        return x * 10 + turns


@last_block
def unrolled(x):
    place = 0
    try:
        for place in range(3):
            if x[0] > place:
                return x
            x = x + 1
    finally:
        x = x * 10 + place
        return x


@last_block
def by_closure(x):
    count = 1

    def shown():
        return count * 10

    try:
        if x.sum() > 0:
            count = 5
            return x
        count = 2
    finally:
        return x + shown()


class ControlFlowTest(unittest.TestCase):
    """Values and gradients of every function, on every input."""

    def test_values(self):
        compiled = plumb.jit(everything)
        for x in INPUTS:
            actual, expected = flatten(compiled(Tensor(x))), flatten(everything(x.copy()))
            names = [case.__name__ for case in CASES for _ in flatten(case(x.copy()))]
            for name, one, other in zip(names, actual, expected, strict=True):
                numeric.compare(one, np.asarray(other), 1e-12, name)

    def test_gradients(self):
        def total(x):
            result = x.sum() * 0
            for value in everything(x):
                for leaf in value if isinstance(value, tuple) else (value,):
                    result = result + (leaf * leaf).sum()
            return result

        compiled = plumb.jit(plumb.grad(total))
        for x in INPUTS:
            reference = numeric.differences(lambda value: sum((np.asarray(leaf) ** 2).sum() for leaf in flatten(everything(value))),
                                            [x], 0)
            numeric.compare(compiled(Tensor(x)), reference, 1e-5, f"gradient at {x}")

    def test_sides_that_become_values_from_outside(self):
        def chosen(x):
            v = x.sum() * 0
            if not (x * 2).min() >= 0.3:
                v = ops.reshape(ops.stack((x,), -1), ())
            return v

        for number, result in ((1.5, 0.0), (-1.5, -1.5)):
            self.assertEqual(plumb.jit(chosen)(Tensor(np.float32(number))).asnumpy(), np.float32(result))

    def test_flat_side_of_a_branch(self):
        """What has no derivative beside what has one: the gradient is zero there."""
        def halves(x):
            y = x
            if x.sum() > 0:
                y = x // 2
            return y.sum()

        for number, slope in ((3.0, 0.0), (-3.0, 1.0)):
            self.assertEqual(plumb.grad(halves)(Tensor(np.float32([number, number]))).asnumpy().tolist(), [slope] * 2)

    def refuse(self, function, *messages):
        with self.assertRaises(CompileError) as caught:
            plumb.jit(function)(Tensor(np.ones(3, np.float32)))
        for message in messages:
            self.assertIn(message, str(caught.exception))

    def test_last_blocks_behind_returns(self):
        """A last block sees the names that a return under a condition has left, not those of the other way."""
        def last(x, y):
            try:
                if x.sum() > 0:
                    return x
                y = y * 2
            finally:
                if y.max() < 5:
                    return y * 100
            return y

        for sign in (1, -1):
            for size in (1, 3, 7):
                x, y = np.full(2, sign, np.float32), np.full(2, size, np.float32)
                np.testing.assert_array_equal(plumb.jit(last)(Tensor(x), Tensor(y)).asnumpy(), last(x, y), err_msg=f"{sign} {size}")

    def test_last_blocks_see_numbers(self):
        """Numbers, and names of either way, as the way that was taken has left them."""
        for function in LAST_BLOCKS:
            for first in (-3, -1, 0.5, 1, 2, 4, 12):
                x = np.array([first, 1], np.float32)
                with self.subTest(function=function.__name__, first=first):
                    np.testing.assert_array_equal(plumb.jit(function)(Tensor(x)).asnumpy(), function(x.copy()))

    def test_last_blocks_refuse(self):
        """A name that one way leaves without a value, or with one of another type, has none in the last block."""
        def one_sided(x):
            try:
                if x.sum() > 0:
                    return x
                y = x * 2
            finally:
                x = y
            return x

        def of_two_types(x):
            y = x
            try:
                if x.sum() > 0:
                    y = "text"
                    return x
            finally:
                x = y
            return x

        self.refuse(one_sided, "'y' may be undefined here")
        self.refuse(of_two_types, "Type Join Failed: 'y' is")

    def test_endless_loops_that_raise(self):
        """`while True` that nothing but a `raise` leaves."""
        @plumb.jit
        def doubles(x):
            while True:
                x = x * 2
                if x.sum() > 100:
                    raise ValueError(f"reached {x[0]}")

        with self.assertRaisesRegex(ValueError, "reached 64"):
            doubles(Tensor(np.array([1, 1], np.float32)))

        @plumb.jit
        def counts(x):
            turns = 0
            while True:
                turns += 1
                assert x.sum() > 0, "negative"
                if turns == 3:
                    break
            return x * turns

        np.testing.assert_array_equal(counts(Tensor(np.array([1, 2], np.float32))).asnumpy(), [3, 6])

    def test_gradients_of_loops_in_branches(self):
        """The loop reads a Parameter; it stands on one side, or on both."""
        class Network(plumb.nn.Cell):
            """Chooses between loops."""

            def __init__(self, both):
                super().__init__()
                self.weight, self.both = plumb.Parameter(Tensor(np.array([2.0, 3.0], np.float32)), name="weight"), both

            def construct(self, x):
                turns = 0
                if x.sum() > 0:
                    while x.sum() < 20:
                        x = x * self.weight + turns
                        turns += 1
                elif self.both:
                    while x.sum() > -20:
                        x = x - self.weight
                return x.sum()

        for both in (False, True):
            network = Network(both)
            gradient = plumb.grad(network, 0, network.trainable_params())
            for first, by_x, by_weight in ((1, [8, 27], [13, 28]), (-1, [1, 1], [-4, -4] if both else [0, 0])):
                found = gradient(Tensor(np.full(2, first, np.float32)))
                found = [found[0], found[1][0] if isinstance(found[1], tuple) else found[1]]
                self.assertEqual([part.asnumpy().tolist() for part in found], [by_x, by_weight], (both, first))

    def test_choices_of_every_type(self):
        """Constants and computed tensors on either side of a branch and in a loop."""
        def choose(x, y):
            one = Tensor([2, 3], y.dtype) if x > 0 else Tensor([5, 7], y.dtype)
            other = Tensor(2, y.dtype)
            if x > 1:
                other = other + y[0]
            n = x
            while n < 3:
                n = n + 1
                other = Tensor(1, y.dtype) if n > 2 else other
            return one, other + y, y if x > 0 else Tensor([9, 9], y.dtype)

        for name in "uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64".split():
            y = np.array([1, 3]).astype(name)
            for first in (-1, 1, 2, 4):
                others = 2 + y[0] if first >= 3 else np.array(1, name)
                expected = [[2, 3] if first > 0 else [5, 7], (others + y).tolist(), y.tolist() if first > 0 else [9, 9]]
                found = plumb.jit(choose)(Tensor(np.float32(first)), Tensor(y))
                with self.subTest(name=name, first=first):
                    self.assertEqual([part.asnumpy().tolist() for part in found], expected)
                    self.assertEqual({part.asnumpy().dtype.name for part in found}, {name})

    def test_refused(self):
        def grows(x):
            while x.sum() < 3:
                x = x[None]
            return x

        def nothing(x):
            if x[0] > 0:
                return x
            return None

        def sometimes(x):
            h = None
            while x[0] < 3:
                h = x
                x = x + 1
            return h

        def unassigned(x):
            if x[0] > 0:
                y = x
            return y

        self.refuse(grows, "a loop whose condition depends on a tensor needs fixed types", "while x.sum() < 3")
        self.refuse(nothing, "returns a Tensor[Float32] of shape (3,) if the condition holds, but None", "with a flag beside it")
        self.refuse(sometimes, "Type Join Failed: 'h'", "None", "with a flag")
        self.refuse(unassigned, "'y' may be undefined here", "return y")


if __name__ == "__main__":
    unittest.main()
