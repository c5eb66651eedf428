"""The cheapest assignment of rows to columns, by shortest augmenting paths (Crouse, "On implementing 2D rectangular assignment
algorithms", 2016)."""

import sys

import numpy as np

from plumb.common.tensor import Tensor


def linear_sum_assignment(cost_matrix, maximize, dimension_limit=Tensor(sys.maxsize)):
    """Returns (rows, columns) as int64: pairs, each row and column at most once, whose costs have the smallest sum.

    Args:
      cost_matrix: the cost of each pair.
      maximize: whether the largest sum is wanted instead.
      dimension_limit: only so many columns are assigned; pairs that are missing for that are -1.
    """
    costs = np.asarray(cost_matrix.asnumpy(), np.float64)
    if costs.ndim != 2:
        raise ValueError(f"For 'linear_sum_assignment', the costs must be a matrix, but the shape is {costs.shape}.")
    if np.isnan(costs).any():
        raise ValueError("For 'linear_sum_assignment', the costs must not be NaN.")
    pairs = min(costs.shape)
    costs = (-costs if bool(maximize) else costs)[:, :max(int(dimension_limit), 0)]
    rows, columns = _assigned(costs) if costs.shape[0] <= costs.shape[1] else _assigned(costs.T)[::-1]
    order = np.argsort(rows)
    missing = np.full(pairs - rows.size, -1)
    return Tensor(np.concatenate([rows[order], missing])), Tensor(np.concatenate([columns[order], missing]))


def _assigned(costs):
    """Rows and the columns assigned to them; there are at least as many columns as rows."""
    height, width = costs.shape
    row_price, column_price = np.zeros(height), np.zeros(width)
    owner, chosen = np.full(width, -1), np.full(height, -1)
    for start in range(height):
        shortest, before = np.full(width, np.inf), np.full(width, -1)
        done = np.zeros(width, bool)
        reached, row, length = [], start, 0.0
        while True:
            reached.append(row)
            new = length + costs[row] - row_price[row] - column_price
            better = ~done & (new < shortest)
            shortest[better], before[better] = new[better], row
            open_columns = np.where(done, np.inf, shortest)
            column = int(np.argmin(np.where(open_columns == open_columns.min(), owner, height)))
            length = open_columns[column]
            if not np.isfinite(length):
                raise ValueError("For 'linear_sum_assignment', the costs allow no assignment.")
            done[column] = True
            if owner[column] < 0:
                break
            row = owner[column]
        row_price[start] += length
        for other in reached[1:]:
            row_price[other] += length - shortest[chosen[other]]
        column_price[done] += shortest[done] - length
        while column >= 0:
            row = before[column]
            owner[column], chosen[row], column = row, column, chosen[row]
    return np.arange(height), chosen
