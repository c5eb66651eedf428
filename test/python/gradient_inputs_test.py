"""By which inputs gradients are taken: tuples, lists and dicts of tensors, numbers."""

import unittest

import numpy as np

import plumb
from plumb import ops


def tensor(*values, dtype=np.float32):
    return plumb.Tensor(np.array(values, dtype))


def plain(value):
    """A structure with lists of numbers in place of tensors."""
    if isinstance(value, (tuple, list)):
        return type(value)(plain(item) for item in value)
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value.asnumpy().tolist()


X, Y = tensor(1, 2), tensor(3, 5)
EVERY = ops.GradOperation(get_all=True)


class ContainersTest(unittest.TestCase):
    """Mutable ones are inputs, others constants, where gradients of all inputs are wanted."""

    def test_constants(self):
        def product(pair, z):
            return pair[0] * pair[1] * z

        for pair in ((X, Y), [X, Y], {0: X, 1: Y}):
            with self.subTest(pair=type(pair).__name__):
                self.assertEqual(plain(EVERY(product)(pair, X)), ([3.0, 10.0],))
                self.assertEqual(EVERY(lambda pair: pair[0] * pair[1])(pair), ())
        self.assertEqual(plain(EVERY(lambda x, n: x * n)(X, 3.0)), ([3.0, 3.0],))
        self.assertEqual(plain(EVERY(lambda n, x, none: x * n)(2, X, None)), ([2.0, 2.0],))

    def test_mutable(self):
        def product(pair, z):
            return pair[0] * pair[1] * z

        self.assertEqual(plain(EVERY(product)(plumb.mutable((X, Y)), X)), (([3.0, 10.0], [1.0, 4.0]), [3.0, 10.0]))
        self.assertEqual(plain(EVERY(product)(plumb.mutable([X, Y]), X)), ([[3.0, 10.0], [1.0, 4.0]], [3.0, 10.0]))
        named = plumb.mutable({"a": X, "b": Y})
        self.assertEqual(plain(EVERY(lambda pair: pair["a"] * pair["b"])(named)), ({"a": [3.0, 5.0], "b": [1.0, 2.0]},))
        self.assertEqual(plain(plumb.jit(lambda pair: pair["a"] * pair["b"])(named)), [3.0, 10.0])
        self.assertEqual(named, plumb.mutable(named))

    def test_positions(self):
        """What a position names has a gradient of its own structure."""
        def product(pair, z):
            return pair[0] * pair[1] * z

        self.assertEqual(plain(plumb.grad(product)((X, Y), X)), ([3.0, 10.0], [1.0, 4.0]))
        self.assertEqual(plain(plumb.grad(product, (0, 1))([X, Y], X)), ([[3.0, 10.0], [1.0, 4.0]], [3.0, 10.0]))
        value, gradients = plumb.value_and_grad(product, (1,))((X, Y), X)
        self.assertEqual((plain(value), plain(gradients)), ([3.0, 20.0], ([3.0, 10.0],)))

    def test_weights(self):
        weight = plumb.Parameter(tensor(2, 2), name="weight")

        def product(pair, z):
            return pair[0] * weight * z

        both = ops.GradOperation(get_all=True, get_by_list=True)
        self.assertEqual(plain(both(product, [weight])((X, Y), X)), (([2.0, 4.0],), ([1.0, 4.0],)))
        self.assertEqual(plain(both(lambda pair: pair[0] * weight, [weight])((X, Y))), ((), ([1.0, 2.0],)))
        given = ops.GradOperation(get_all=True, sens_param=True)
        self.assertEqual(plain(given(product)(plumb.mutable((X, Y)), X, Y)), (([6.0, 20.0], [0.0, 0.0]), [6.0, 20.0]))


if __name__ == "__main__":
    unittest.main()
