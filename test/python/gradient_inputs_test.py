"""By which inputs gradients are taken: tuples, lists and dicts of tensors, numbers, integers. Numbers are MindSpore 2.0.0's."""

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

    def test_numbers_among_positions(self):
        """They have no gradients, and the others keep their order."""
        def product(x, n, y):
            return x * n + y

        self.assertEqual(plain(plumb.grad(product, (0, 1, 2))(X, 3.0, Y)), ([3.0, 3.0], [1.0, 1.0]))
        self.assertEqual(plain(plumb.jit(lambda x, y: plumb.grad(product, (0, 1, 2))(x, 3, y))(X, Y)), ([3.0, 3.0], [1.0, 1.0]))
        self.assertEqual(plain(plumb.value_and_grad(product, (1, 2))(X, 3.0, Y)), ([6.0, 11.0], ([1.0, 1.0],)))
        with self.assertRaisesRegex(TypeError, "no gradient"):
            plumb.grad(product, 1)(X, 3.0, Y)
        with self.assertRaisesRegex(IndexError, "only 3 positional"):
            plumb.grad(product, 3)(X, 3.0, Y)
        with self.assertRaisesRegex(TypeError, "sens holds"):
            ops.GradOperation(sens_param=True)(lambda x, y: (x, y))(X, Y, X)

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


class IntegersTest(unittest.TestCase):
    """Integers are differentiated as if they were floats, and what comes of it is cut."""

    def test_functions(self):
        whole, halves = tensor(2, 3, 4, dtype=np.int32), tensor(1.5, 2, 3)
        for function, inputs, by, expected in (
                (lambda x: x * x, (whole,), 0, [4, 6, 8]),
                (lambda x, y: x * y, (whole, halves), (0, 1), ([1, 2, 3], [2.0, 3.0, 4.0])),
                (lambda x, y: (x * y).sum(), (whole, halves), 0, [1, 2, 3]),
                (lambda x: ops.cast(x, plumb.float32) * 2.5, (whole,), 0, [2, 2, 2]),
                (lambda i, x: ops.gather(x, i, 0), (tensor(0, 1, dtype=np.int32), halves), (0, 1), ([0, 0], [1.0, 1.0, 0.0])),
                (lambda x: ops.cast(x * 2, plumb.int32), (halves,), 0, [2.0, 2.0, 2.0]),
                (lambda x: x > 2, (halves,), 0, [0.0, 0.0, 0.0]),
                (lambda x: x / 2, (whole,), 0, [0, 0, 0]),
                (lambda x: x.max() * 5, (whole,), 0, [0, 0, 5]),
                (lambda x: x.min() * 5, (tensor(2, 1, 1, dtype=np.int32),), 0, [0, 0, 0]),
                (lambda x: ops.scatter_nd(tensor(0, 2, 0, dtype=np.int32).reshape(3, 1), x, (3,)) * 3, (whole,), 0, [3, 3, 3]),
                (lambda x: ops.tensor_scatter_update(x, tensor(1, dtype=np.int32).reshape(1, 1), x[:1]) * 2, (whole,), 0, [4, 0, 2]),
                (lambda x, i: ops.unsorted_segment_sum(x, i, 2), (whole, tensor(1, 0, 1, dtype=np.int32)), (0, 1), ([1, 1, 1], [0, 0, 0])),
                (lambda x: x.sum(), (whole,), 0, [1, 1, 1]),
                (lambda x: (x * 0.3).sum(), (whole,), 0, [0, 0, 0]),
                (ops.abs, (whole,), 0, [1, 1, 1]),
                (lambda x: x.logical_not(), (tensor(True, False, dtype=np.bool_),), 0, [False, False])):
            with self.subTest(expected=expected):
                self.assertEqual(plain(plumb.grad(function, by)(*inputs)), expected)

    def test_types(self):
        for dtype in (np.int8, np.uint8, np.int16, np.int32, np.int64):
            found = plumb.grad(lambda x: x * x)(tensor(2, 3, 4, dtype=dtype))
            self.assertEqual((found.asnumpy().dtype, plain(found)), (dtype, [4, 6, 8]))
        value, gradient = plumb.value_and_grad(lambda x: x * x * x)(tensor(2, 3, 4, dtype=np.int32))
        self.assertEqual((plain(value), plain(gradient)), ([8, 27, 64], [12, 27, 48]))
        square = tensor(1, 1, dtype=np.int32).reshape(1, 2)
        self.assertEqual(plain(plumb.grad(ops.matmul)(square, square.T * 3)), [[3, 3]])
        given = ops.GradOperation(sens_param=True)(lambda x: x * x)
        whole = tensor(2, 3, 4, dtype=np.int32)
        self.assertEqual(plain(given(whole, whole)), [8, 18, 32])

    def test_control_flow(self):
        """Counters and indices of loops beside them."""
        def power(x):
            y, i = x, 0
            while i < x[0]:
                y = y * x if y[1] > 0 else y
                i = i + 1
            return y

        self.assertEqual(plain(plumb.grad(power)(tensor(2, 3, dtype=np.int32))), [12, 27])

    def test_power_of_zero(self):
        """The power 0 of anything is 1, and its gradient 0, as in PyTorch; whether the exponent is known or not."""
        x = tensor(0.0, 2.0, -3.0)
        self.assertEqual(plain(plumb.grad(lambda x: x ** 0)(x)), [0.0, 0.0, 0.0])
        self.assertEqual(plain(plumb.grad(lambda x, y: x ** y)(x, tensor(0.0, 0.0, 2.0))), [0.0, 0.0, -6.0])

    def test_floats_alone(self):
        """Where no integer is asked for, integers between floats pass gradients on, cut to integers, as MindSpore's do."""
        self.assertEqual(plain(plumb.grad(lambda x: x.astype(plumb.int32).astype(plumb.float32) * x)(tensor(1.5, 2.5))), [2.0, 4.0])


if __name__ == "__main__":
    unittest.main()
