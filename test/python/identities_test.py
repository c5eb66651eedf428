"""`x is y` of tensors, lists and dicts that compiled functions are given, hand to functions and get back."""

import unittest

import numpy as np

import plumb
from plumb import Tensor, nn

X, Y = Tensor([1.0, 2.0]), Tensor([1.0, 2.0])
ITEMS = [1, 2]


def same(a, b):
    """Whether both are one."""
    return a is b


class Net(nn.Cell):
    """Tells by which tensors it is given."""

    def construct(self, x, y):
        return x * 2 if x is y else x + y * 10


class IdentitiesTest(unittest.TestCase):
    """Compares with CPython."""

    def check(self, function, *args):
        """What the compiled function gives is what the function itself gives, also in the second call."""
        compiled = plumb.jit(function)
        for _ in range(2):
            self.assertEqual(compiled(*args), function(*args))

    def test_arguments(self):
        for args in ((X, X), (X, Y), (Y, Y)):
            self.check(lambda x, y: (x is y, x is not y), *args)
            self.check(lambda pair, other: (pair[0] is pair[1], pair[0] is other), args, X)
            self.check(lambda *all_of: [one is other for one in all_of for other in all_of], *args, Y)
            self.check(lambda table, x: [value is x for value in table.values()], {"a": args[0], "b": args[1]}, X)

    def test_arguments_by_name(self):
        compiled = plumb.jit(lambda x, y=None, z=None: (x is y, y is z, y is None))
        self.assertEqual(compiled(X, y=X), (True, False, False))
        self.assertEqual(compiled(X, y=Y), (False, False, False))
        self.assertEqual(compiled(X, y=Y, z=Y), (False, True, False))
        self.assertEqual(compiled(X), (False, True, True))

    def test_cells(self):
        net = Net()
        for _ in range(3):
            np.testing.assert_array_equal(net(X, X).asnumpy(), [2, 4])
            np.testing.assert_array_equal(net(X, Y).asnumpy(), [11, 22])

    def test_gradients(self):
        def scaled(x, y):
            return (x * x if x is y else x * y).sum()

        for _ in range(2):
            self.assertEqual([part.asnumpy().tolist() for part in plumb.grad(scaled, (0, 1))(X, X)], [[2, 4], [0, 0]])
            self.assertEqual([part.asnumpy().tolist() for part in plumb.grad(scaled, (0, 1))(X, Y)], [[1, 2], [1, 2]])

    def test_calls_inside(self):
        def nested(a, b, c):
            return same(a, b), same(b, c), same(a, c), same(a, a)

        def returned(x, y):
            def both(a):
                return a, [a], a + 1

            first, (second,), third = both(x)
            return first is x, second is first, third is x, same(first, second), same(third, x), same(y, both(y)[0])

        def seen(x, y):
            def inner(a):
                return a is x, a is y

            return inner(x), inner(y), inner(x + 0)

        for args in ((X, Y, X), (X, X, Y), (X, Y, Y), (X, X, X), (X, Y, Tensor([3.0]))):
            self.check(nested, *args)
        for args in ((X, X), (X, Y)):
            self.check(returned, *args)
            self.check(seen, *args)

    def test_objects(self):
        class Box:
            """Keeps a tensor."""

            def __init__(self, value):
                self.value = value

            def has(self, other):
                """Whether it is this one."""
                return self.value is other

        def kept(x, y):
            box = Box(x)
            return box.value is x, box.has(x), box.has(y), box.has(x + 1)

        self.check(kept, X, X)
        self.check(kept, X, Y)

    def test_containers(self):
        table = {"a": X}
        self.check(same, ITEMS, ITEMS)
        self.check(same, ITEMS, [1, 2])
        self.check(same, table, table)
        self.check(same, table, dict(table))
        self.check(lambda pair, items: (pair[0] is items, pair[1] is items), ([ITEMS], ITEMS), ITEMS)

        def changed(x, first, second):
            first.append(x)
            return len(second)

        self.assertEqual(plumb.jit(changed)(X, plumb.mutable(ITEMS), plumb.mutable(ITEMS)), 2)
        shared = [1]
        self.assertEqual(plumb.jit(changed)(X, shared, shared), 2)
        self.assertEqual(plumb.jit(changed)(X, shared, [1]), 1)

    def test_refused(self):
        """What is not known is no answer: a tensor from outside as argument and name, what branches and loops choose."""
        def branch(x, y):
            z = x if x.sum() > 0 else y + 1
            return same(z, x)

        def loop(x, y):
            z = x
            while z.sum() < 10:
                if z is x:
                    z = z + y
                z = z + 1
            return z

        box = type("Box", (), {})()
        box.items = ITEMS
        for function, args in ((branch, (X, Y)), (loop, (X, Y)), (lambda x: X is Y, (X,)), (lambda x: (X + Y, x is X), (X,)),
                               (lambda x: box.items is box.items, (X,)), (lambda x: ITEMS.append == ITEMS.append, (X,))):
            with self.subTest(function.__name__), self.assertRaisesRegex(RuntimeError, "decides whether .* 'is' the other one"):
                plumb.jit(function)(*args)
        for function in (lambda x: {ITEMS.append: 1}, lambda x: ITEMS.append in {"a": 1}, lambda x: {"a": 1}.get(ITEMS.append, 2)):
            with self.assertRaisesRegex(TypeError, "be a key or a member of a set"):
                plumb.jit(function)(X)
        self.check(lambda x: (x + 1 is X, ITEMS is None, [1, 2] is ITEMS), X)

    def test_constants(self):
        """Tensors from outside, as names and arguments."""
        none = Tensor([0.0, 0.0])

        def masked(x, mask=none):
            return mask is none, same(mask, none), x is none, mask is x

        compiled = plumb.jit(masked)
        for _ in range(2):
            for args in ((X,), (X, none), (X, Y), (none,), (none, none), (X, X), (none, X), (none, Tensor([0.0, 0.0]))):
                self.assertEqual(compiled(*args), masked(*args))
        self.check(lambda x: (X is X, x is X, Tensor([3.0]) is X), Y)

    def test_what_only_python_knows(self):
        """A branch on a tensor that leaves both sides alike chooses nothing."""
        def alike(x, y):
            z = y
            if x.sum() > 0:
                w = x
            else:
                w = x
            return z is y, w is x, w is y

        self.check(alike, X, X)
        self.check(alike, X, Y)


if __name__ == "__main__":
    unittest.main()
