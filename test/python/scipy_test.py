"""`plumb.scipy`: minima that are known, assignments against all permutations, linear algebra against NumPy and PyTorch."""

import itertools
import unittest

import numpy as np
import torch

import plumb
from plumb import Tensor
from plumb.scipy import linalg, optimize
from plumb.scipy.linalg import block_diag
from plumb.scipy.ops import LinearSumAssignment, SolveTriangular
from numeric import numbers


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

    def test_options(self):
        """By MindSpore's names or SciPy's; the norm bounds the gradient."""
        start = Tensor(np.zeros(2))
        for options in ({"line_search_maxiter": 15}, {"maxls": 15}, {"norm": 2, "gtol": 1e-8}):
            result = optimize.minimize(himmelblau, start, method="BFGS", options=options)
            np.testing.assert_allclose(result.x.asnumpy(), [3, 2], rtol=1e-5)
            self.assertLessEqual(np.linalg.norm(result.jac.asnumpy(), options.get("norm", np.inf)), options.get("gtol", 1e-5))
        found = [optimize.minimize(rosenbrock, Tensor(np.zeros(6)), (100.0,), "LBFGS", options=options)
                 for options in ({"history_size": 3}, {"maxcor": 3}, {"history_size": 20})]
        self.assertEqual(int(found[0].nit), int(found[1].nit))
        self.assertNotEqual(int(found[0].nit), int(found[2].nit))
        with self.assertRaisesRegex(ValueError, "one of two spellings"):
            optimize.minimize(himmelblau, start, method="LBFGS", options={"maxcor": 3, "history_size": 3})
        with self.assertRaisesRegex(ValueError, r"\['history_size'\] are not offered"):
            optimize.minimize(himmelblau, start, method="BFGS", options={"history_size": 3})

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

    def test_inv_and_det(self):
        x = numbers(5, 5)
        np.testing.assert_allclose(linalg.inv(Tensor(x)).asnumpy(), np.linalg.inv(x), rtol=1e-9)
        np.testing.assert_allclose(linalg.det(Tensor(x)).asnumpy(), np.linalg.det(x), rtol=1e-12)
        self.assertEqual(linalg.inv(Tensor([[1, 2], [3, 4]])).dtype, plumb.float64)

    def test_cholesky(self):
        x, b = numbers(5, 5), numbers(5, 2)
        x = x @ x.T + np.eye(5)
        for lower in (True, False):
            expected = np.linalg.cholesky(x)
            np.testing.assert_allclose(linalg.cholesky(Tensor(x), lower).asnumpy(), expected if lower else expected.T, rtol=1e-12)
            factor = linalg.cho_factor(Tensor(x), lower)
            self.assertEqual(factor[1], lower)
            for right in (b, b[:, 0]):
                np.testing.assert_allclose(linalg.cho_solve(factor, Tensor(right)).asnumpy(), np.linalg.solve(x, right), rtol=1e-9)

    def test_eigh(self):
        x = numbers(256, 256)
        w, v = linalg.eigh(Tensor(x), lower=False)
        symmetric = np.triu(x) + np.triu(x, 1).T
        np.testing.assert_allclose(w.asnumpy(), np.linalg.eigvalsh(symmetric), atol=1e-12)
        np.testing.assert_allclose(symmetric @ v.asnumpy(), v.asnumpy() * w.asnumpy(), atol=1e-11)
        np.testing.assert_array_equal(linalg.eigh(Tensor(x), lower=False, eigvals_only=True).asnumpy(), w.asnumpy())

    def test_lu(self):
        for shape in ((4, 4), (3, 5), (5, 3)):
            x = numbers(*shape)
            p, lower, upper = (part.numpy() for part in torch.linalg.lu(torch.tensor(x)))
            for made, expected in zip(plumb.jit(linalg.lu)(Tensor(x)), (p, lower, upper)):
                np.testing.assert_allclose(made.asnumpy(), expected, rtol=1e-10, atol=1e-14)
            for made, expected in zip(linalg.lu(Tensor(x), permute_l=True), (p @ lower, upper)):
                np.testing.assert_allclose(made.asnumpy(), expected, rtol=1e-10, atol=1e-14)
        x, b = numbers(6, 6), numbers(6, 2)
        packed = linalg.lu_factor(Tensor(x))
        factors, pivots = torch.linalg.lu_factor(torch.tensor(x))
        np.testing.assert_allclose(packed[0].asnumpy(), factors.numpy(), rtol=1e-10)
        self.assertEqual(packed[1].tolist(), (pivots - 1).tolist())
        for trans in (0, 1, 2):
            for right in (b, b[:, 0]):
                np.testing.assert_allclose(linalg.lu_solve(packed, Tensor(right), trans).asnumpy(),
                                           np.linalg.solve(x.T if trans else x, right), rtol=1e-9)

    def test_solve_triangular(self):
        a, b = numbers(5, 5) + 3 * np.eye(5), numbers(5, 2)
        for trans in (0, 1, "T"):
            for lower in (True, False):
                for unit in (True, False):
                    part = np.tril(a) if lower else np.triu(a)
                    part = part - part * np.eye(5) + np.eye(5) if unit else part
                    for right in (b, b[:, 0]):
                        made = linalg.solve_triangular(Tensor(a), Tensor(right), trans, lower, unit).asnumpy()
                        np.testing.assert_allclose(made, np.linalg.solve(part.T if trans else part, right), rtol=1e-9)
        made = SolveTriangular(lower=True, trans="T")(Tensor(a), Tensor(b)).asnumpy()
        np.testing.assert_allclose(made, np.linalg.solve(np.tril(a).T, b), rtol=1e-9)

    def test_errors_of_linalg(self):
        x = Tensor(numbers(3, 4))
        with self.assertRaisesRegex(ValueError, "'inv', the input must be a square matrix, but got"):
            linalg.inv(x)
        with self.assertRaisesRegex(ValueError, "'eigh', b="):
            linalg.eigh(Tensor(numbers(3, 3)), Tensor(numbers(3, 3)))
        with self.assertRaisesRegex(TypeError, "'lower' must be bool"):
            linalg.cholesky(Tensor(numbers(3, 3)), 1)
        with self.assertRaisesRegex(ValueError, "must have 3 rows"):
            linalg.cho_solve((Tensor(np.eye(3)), True), Tensor(numbers(4)))


class LeastSquares(unittest.TestCase):
    """`linalg.lstsq` beside NumPy's; which results a driver gives are those of MindSpore 2.10."""

    def test_solutions(self):
        rng = np.random.default_rng(12)
        for shape, right in (((5, 3), (5,)), ((5, 3), (5, 2)), ((3, 5), (3, 2)), ((4, 4), (4, 1))):
            for dtype, tolerance in ((np.float32, 2e-4), (np.float64, 1e-9)):
                a, b = rng.normal(size=shape).astype(dtype), rng.normal(size=right).astype(dtype)
                wanted, left, rank, values = np.linalg.lstsq(a, b, rcond=None)
                found = linalg.lstsq(Tensor(a), Tensor(b), driver="gelsd")
                np.testing.assert_allclose(found[0].asnumpy(), wanted, rtol=tolerance, atol=tolerance)
                np.testing.assert_allclose(found[1].asnumpy().ravel(), np.ravel(left), rtol=tolerance, atol=tolerance)
                self.assertEqual((found[2].dtype, int(found[2])), (plumb.int64, rank))
                np.testing.assert_allclose(found[3].asnumpy(), values, rtol=tolerance)

    def test_deficient(self):
        found = linalg.lstsq(Tensor(np.ones((4, 3), np.float32)), Tensor(np.arange(4, dtype=np.float32)), driver="gelss")
        np.testing.assert_allclose(found[0].asnumpy(), [0.5] * 3, rtol=1e-5)
        self.assertEqual((round(float(found[1].asnumpy()[0]), 4), int(found[2])), (5.0, 1))

    def test_drivers(self):
        a, b = Tensor(np.eye(5, 3, dtype=np.float32)), Tensor(np.ones((5, 2), np.float32))
        for driver, shapes in ((None, [(3, 2), (0,), (), (0,)]), ("gelsy", [(3, 2), (0,), (), (0,)]), ("gels", [(3, 2), (2,), (0,), (0,)]), ("gelsd", [(3, 2), (2,), (), (3,)])):
            self.assertEqual([part.shape for part in linalg.lstsq(a, b, driver=driver)], shapes)
        for one, other in ((np.float64, np.float32), (np.float32, np.float64), (np.float64, np.int32), (np.float32, np.int64)):
            x = linalg.lstsq(Tensor(np.eye(3, dtype=one)), Tensor(np.array([1, 2, 3], other)))[0]
            self.assertEqual((x.dtype, x.asnumpy().round(5).tolist()), (plumb.float64, [1, 2, 3]))
        with self.assertRaisesRegex(ValueError, "driver"):
            linalg.lstsq(a, b, driver="qr")
        with self.assertRaisesRegex(ValueError, "do not fit"):
            linalg.lstsq(a, Tensor(np.ones((4, 2), np.float32)))


if __name__ == "__main__":
    unittest.main()
