"""Primitive classes of `mindspore.scipy`."""

from plumb.common._offers import not_offered as _not_offered
from plumb.ops._primitive import Composite
from plumb.scipy.optimize import linear_sum_assignment


class LinearSumAssignment(Composite):
    """Finds the cheapest assignment; runs on the host, see `plumb.scipy.optimize.linear_sum_assignment`."""

    def construct(self, cost_matrix, dimension_limit, maximize):
        """What a call computes."""
        return linear_sum_assignment(cost_matrix, maximize, dimension_limit)


__getattr__ = _not_offered(__name__)
