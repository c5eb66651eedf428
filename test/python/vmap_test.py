"""Mapped functions (`vmap`) and ensembles of cells, against closed forms and against each cell alone."""

import functools
import unittest

import numpy as np

import plumb
from plumb import Tensor, nn

X = np.array([1.0, 2.0])
x = Tensor(X)


def square(a):
    return a * a


def pair(a, b):
    return a * b, a + b


def cubes(a):
    return (a * a * a).sum()


def plain(value):
    """Tensors as nested lists."""
    return tuple(plain(item) for item in value) if isinstance(value, tuple) else value.tolist()


class MapTest(unittest.TestCase):
    """vmap."""

    def test_axes(self):
        many = Tensor(np.arange(6.0).reshape(3, 2))
        self.assertEqual(plain(plumb.vmap(pair, (0, None))(many, x)),
                         ([[0.0, 2.0], [2.0, 6.0], [4.0, 10.0]], [[1.0, 3.0], [3.0, 5.0], [5.0, 7.0]]))
        self.assertEqual(plain(plumb.vmap(square, 1, 1)(many)), (many * many).tolist())
        self.assertEqual(plumb.vmap(pair, 0, (0, 1))(many, many)[1].shape, (2, 3))
        self.assertEqual(plain(plumb.vmap(plumb.grad(cubes))(many)), (many * many * 3).tolist())
        with self.assertRaises(ValueError):
            plumb.vmap(pair)(many, x)
        with self.assertRaises(ValueError):
            plumb.vmap(square, 2)(many)

    def test_in_compiled_functions(self):
        """Made there or outside, of functions, gradient functions and methods that read Parameters; beside and below gradients."""
        class Network(plumb.nn.Cell):
            """Maps a gradient function that it makes."""

            def __init__(self):
                super().__init__()
                self.weight = plumb.Parameter(Tensor(np.array([1.0, 2.0])), name="weight")
                self.kept = plumb.vmap(plumb.grad(self.loss))

            def loss(self, one):
                return (one * one * self.weight).sum()

            def construct(self, rows):
                return plumb.vmap(plumb.grad(self.loss))(rows), self.kept(rows)

        many = Tensor(np.arange(6.0).reshape(3, 2))
        slopes = (many * many * 3).tolist()
        outside = plumb.vmap(pair, (0, None), (0, 1))
        cases = (lambda rows: plumb.vmap(plumb.grad(cubes))(rows), slopes), \
            (lambda rows: plumb.vmap(plumb.grad(cubes), 1, 1)(rows), slopes), \
            (lambda rows: plumb.vmap(lambda row: plumb.grad(cubes)(row) * 2)(rows), (many * many * 6).tolist()), \
            (lambda rows: plumb.grad(lambda all_: plumb.vmap(plumb.grad(cubes))(all_).sum())(rows), (many * 6).tolist()), \
            (lambda rows: plumb.vmap(pair, (0, None), (0, 1))(rows, x), plain(outside(many, x))), \
            (lambda rows: outside(rows, x), plain(outside(many, x))), \
            (Network(), ((many * Tensor(np.array([2.0, 4.0]))).tolist(),) * 2)
        for number, (function, expected) in enumerate(cases):
            with self.subTest(number=number):
                compiled = function if isinstance(function, plumb.nn.Cell) else plumb.jit(function)
                self.assertEqual(plain(compiled(many)), expected)
        for function in (lambda rows: plumb.vmap(pair)(rows, x), lambda rows: plumb.vmap(square, 2)(rows)):
            with self.assertRaises(ValueError):
                plumb.jit(function)(many)

    def test_calls_of_the_program(self):
        """Gradients, products with Jacobians and jit of a mapped function, and of one with arguments bound, called from Python."""
        mapped, value = plumb.vmap(square), X.tolist()
        self.assertEqual(plain(plumb.jit(mapped)(x)), (X * X).tolist())
        self.assertEqual(plain(plumb.grad(mapped)(x)), (2 * X).tolist())
        self.assertEqual(plain(plumb.grad(plumb.grad(plumb.vmap(plumb.vmap(lambda a: a * a * a))))(x.reshape(1, 2))), [(6 * X).tolist()])
        self.assertEqual(plain(plumb.value_and_grad(mapped)(x)), ((X * X).tolist(), (2 * X).tolist()))
        self.assertEqual(plain(plumb.jvp(mapped, x, x)[1]), (2 * X * X).tolist())
        self.assertEqual(plain(plumb.vjp(mapped, x)[1](x)[0]), (2 * X * X).tolist())
        bound = functools.partial(lambda factor, a: factor * a, 3.0)
        self.assertEqual(plain(plumb.jit(bound)(x)), (3 * X).tolist())
        self.assertEqual(plain(plumb.grad(bound)(x)), [3.0] * len(value))


class EnsembleTest(unittest.TestCase):
    """vmap of a CellList: each cell takes the slice of its number."""

    def setUp(self):
        self.cells = nn.CellList([nn.Dense(3, 2) for _ in range(2)])
        self.rows = Tensor(np.arange(24, dtype=np.float32).reshape(2, 4, 3) / 10)

    def test_values(self):
        every = plumb.vmap(self.cells, in_axes=None)(self.rows[0])
        np.testing.assert_array_equal(every.asnumpy(), [cell(self.rows[0]).asnumpy() for cell in self.cells])
        each = [cell(rows).asnumpy() for cell, rows in zip(self.cells, self.rows)]
        np.testing.assert_array_equal(plumb.vmap(self.cells)(self.rows).asnumpy(), each)
        turned = plumb.vmap(self.cells, 1, 1)(self.rows.transpose((1, 0, 2)))
        np.testing.assert_array_equal(turned.asnumpy(), np.stack(each, 1))

    def test_in_compiled_functions(self):
        class Mean(nn.Cell):
            """The mean of an ensemble that is mapped there, and of one that was mapped before."""

            def __init__(self, cells):
                super().__init__()
                self.nets = cells
                self.kept = plumb.vmap(cells, in_axes=None)

            def construct(self, rows):
                return plumb.vmap(self.nets, in_axes=None)(rows).mean(0), self.kept(rows).mean(0)

        mean = np.mean([cell(self.rows[0]).asnumpy() for cell in self.cells], 0)
        for found in Mean(self.cells)(self.rows[0]):
            np.testing.assert_allclose(found.asnumpy(), mean, rtol=1e-6)

    def test_training(self):
        """Each network is trained as alone."""
        steps = [nn.TrainOneStepCell(nn.WithLossCell(cell, nn.MSELoss()), nn.Momentum(cell.trainable_params(), rate, 0.9))
                 for cell, rate in zip(self.cells, (0.1, 0.01))]
        labels = Tensor(np.ones((2, 4, 2), np.float32))
        before = [cell.weight.asnumpy().astype(np.float64) for cell in self.cells]
        losses = plumb.vmap(nn.CellList(steps))(self.rows, labels).asnumpy()
        for number, (cell, rate) in enumerate(zip(self.cells, (0.1, 0.01))):
            rows = self.rows[number].asnumpy()
            difference = rows @ before[number].T - 1  # biases are 0 at first
            self.assertAlmostEqual(losses[number], np.mean(difference ** 2), 5)
            expected = before[number] - rate * 2 * difference.T @ rows / difference.size
            np.testing.assert_allclose(cell.weight.asnumpy(), expected, atol=1e-5)

    def test_refused(self):
        for cells in ([nn.Dense(3, 2)], [nn.Dense(3, 2), nn.ReLU()]):
            with self.assertRaisesRegex(ValueError, "two cells or more"):
                plumb.vmap(nn.CellList(cells))
        with self.assertRaisesRegex(ValueError, "as there are cells, 2, but have .4."):
            plumb.vmap(self.cells)(self.rows[0])
        with self.assertRaisesRegex(TypeError, "but got list"):
            plumb.vmap([square, square])


if __name__ == "__main__":
    unittest.main()
