"""Primitive classes of `mindspore.scipy`."""

from plumb.common._offers import not_offered as _not_offered
from plumb.ops import _functions as F
from plumb.ops._primitive import Composite, function_class
from plumb.ops.function import factorizations as _factors
from plumb.scipy.linalg import solve_triangular as _solve_triangular
from plumb.scipy.optimize import linear_sum_assignment

SolveTriangular = function_class("SolveTriangular", _solve_triangular, lower=False, unit_diagonal=False, trans="N")


class LU(Composite):
    """Gives packed triangular factors of matrices, their pivots, and the permutation matrix p of a = p @ l @ u."""

    def construct(self, x):
        """What a call computes."""
        factors, rows = F.lu(x)
        small = x.shape[-2] if x.shape[-2] < x.shape[-1] else x.shape[-1]
        return factors, _factors.pivots_of(rows, small), _factors.permutation_matrix(rows, rows)


class LinearSumAssignment(Composite):
    """Finds the cheapest assignment; runs on the host, see `plumb.scipy.optimize.linear_sum_assignment`."""

    def construct(self, cost_matrix, dimension_limit, maximize):
        """What a call computes."""
        return linear_sum_assignment(cost_matrix, maximize, dimension_limit)


__getattr__ = _not_offered(__name__)
