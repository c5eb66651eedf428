"""`plumb.scipy`: minima that are known, assignments against all permutations, factorisations against NumPy."""

import itertools
import unittest

import numpy as np

import plumb
from plumb import Tensor
from plumb.scipy import optimize
from plumb.scipy.linalg import block_diag
from plumb.scipy.ops import LinearSumAssignment


def himmelblau(p):
    """Its nearest minimum from (0, 0) is 0 at (3, 2)."""
    x, y = p
    return (x ** 2 + y - 11.0) ** 2 + (x + y ** 2 - 7.0) ** 2


def rosenbrock(x, steepness):
    """Its minimum is 0 where all are 1."""
    return ((x[1:] - x[:-1] ** 2) ** 2 * steepness + (1 - x[:-1]) ** 2).sum()


def wave(x):
    """Along (1,) from (0,) it falls to 2π/3 and rises again."""
    return x.sum() / 2 - ((x / 2).sin() * 2).sum()


class OptimizeTest(unittest.TestCase):
    """Searches."""

    def test_minimize(self):
        """Both methods; what was found, and how."""
        for method in ("BFGS", "LBFGS"):
            result = optimize.minimize(himmelblau, Tensor(np.zeros(2, np.float32)), method=method, options={"gtol": 1e-6})
            np.testing.assert_allclose(result.x.asnumpy(), [3, 2], rtol=1e-6)
            self.assertEqual((bool(result.success), int(result.status)), (True, 0))
            points = []
            result = optimize.minimize(rosenbrock, Tensor(np.zeros(6)), (100.0,), method, tol=1e-8, callback=points.append)
            np.testing.assert_allclose(result.x.asnumpy(), np.ones(6), rtol=1e-7)
            self.assertEqual(len(points), int(result.nit))
            self.assertLess(float(result.fun), 1e-14)
        result = optimize.minimize(rosenbrock, Tensor(np.zeros(6)), (100.0,), "BFGS", options={"maxiter": 3})
        self.assertEqual((bool(result.success), int(result.status), int(result.nit)), (False, 1, 3))

    def test_second_derivative(self):
        """BFGS's matrix is the inverse of a quadratic function's second derivative."""
        matrix = np.array([[4.0, 1.0], [1.0, 3.0]])
        factor = Tensor(matrix)
        result = optimize.minimize(lambda x: (x * plumb.ops.matmul(factor, x)).sum() / 2, Tensor(np.array([3.0, -2.0])),
                                   method="BFGS", tol=1e-9)
        np.testing.assert_allclose(result.hess_inv.asnumpy(), np.linalg.inv(matrix), rtol=0.1)

    def test_line_search(self):
        """The step satisfies both strong Wolfe conditions."""
        for start, direction in ((0.0, 1.0), (0.0, 0.05), (0.0, 30.0), (6.0, -1.0)):
            result = optimize.line_search(wave, Tensor(np.array([start])), Tensor(np.array([direction])), c2=0.1)

            def value(at):
                return at / 2 - 2 * np.sin(at / 2)

            def slope(at):
                return (0.5 - np.cos(at / 2)) * direction

            step = float(result.a_k)
            self.assertFalse(bool(result.failed))
            self.assertLessEqual(value(start + step * direction), value(start) + 1e-4 * step * slope(start))
            self.assertLessEqual(abs(slope(start + step * direction)), 0.1 * abs(slope(start)))
            np.testing.assert_allclose(float(result.f_k), value(start + step * direction))

    def test_assignment(self):
        """Against all permutations; a limit of columns; the largest sum."""
        rng = np.random.default_rng(1)
        for height, width in ((1, 1), (4, 4), (3, 6), (6, 3)):
            costs = np.round(rng.random((height, width)) * 9)
            rows, columns = optimize.linear_sum_assignment(Tensor(costs), False)
            wide = costs if height <= width else costs.T
            best = min(sum(wide[row, column] for row, column in enumerate(chosen))
                       for chosen in itertools.permutations(range(wide.shape[1]), wide.shape[0]))
            self.assertEqual(costs[rows.asnumpy(), columns.asnumpy()].sum(), best)
            self.assertEqual(len(set(columns.tolist())), min(height, width))
            self.assertEqual(rows.tolist(), sorted(set(rows.tolist())))
        costs = Tensor(np.array([[2.0, 3, 3], [3, 2, 3], [3, 3, 2]]))
        self.assertEqual([x.tolist() for x in LinearSumAssignment()(costs, Tensor(2), False)], [[0, 1, -1], [0, 1, -1]])
        rows, columns = optimize.linear_sum_assignment(costs, True)
        self.assertEqual(costs.asnumpy()[rows.asnumpy(), columns.asnumpy()].sum(), 9)

    def test_errors(self):
        """What is not offered, and where these do not run."""
        start = Tensor(np.zeros(2))
        with self.assertRaisesRegex(ValueError, "bounds=3 is not offered"):
            optimize.minimize(himmelblau, start, method="BFGS", bounds=3)
        with self.assertRaisesRegex(ValueError, "must be 'BFGS' or 'LBFGS', but got 'Newton'"):
            optimize.minimize(himmelblau, start, method="Newton")
        with self.assertRaisesRegex(ValueError, r"options \['xtol'\] are not offered"):
            optimize.minimize(himmelblau, start, method="BFGS", options={"xtol": 1})
        with self.assertRaisesRegex(plumb._parse.CompileError, "'minimize' cannot be called in compiled functions"):
            plumb.jit(lambda x: optimize.minimize(himmelblau, x, method="BFGS"))(start)


class LinalgTest(unittest.TestCase):
    """Linear algebra."""

    def test_block_diag(self):
        """Matrices and vectors along a diagonal."""
        result = block_diag(Tensor([[1, 0], [0, 1]]), Tensor([0, 0]), Tensor([[3.5, 4]]), Tensor(7))
        self.assertEqual(result.tolist(), [[1, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0],
                                           [0, 0, 0, 0, 3.5, 4, 0], [0, 0, 0, 0, 0, 0, 7]])


if __name__ == "__main__":
    unittest.main()
