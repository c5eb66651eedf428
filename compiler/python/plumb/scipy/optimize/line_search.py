"""A step along a direction that satisfies the strong Wolfe conditions (Nocedal, Wright: Numerical Optimization, 2006, 3.5)."""

from collections import namedtuple

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.scipy.optimize._objective import Objective, point_of

LineSearchResults = namedtuple("LineSearchResults", "failed nit nfev ngev k a_k f_k g_k status")
_Trial = namedtuple("_Trial", "step value slope gradient")


class Search:
    """The values along a line.

    Args:
      objective: gives (value, gradient) at a point.
      point, direction: vectors.
      start: (value, gradient) at the point.
      c1, c2: the constants of sufficient decrease and of curvature.
    """

    def __init__(self, objective, point, direction, start, c1, c2):
        self.objective, self.point, self.direction = objective, point, direction
        self.c1, self.c2 = c1, c2
        self.first = _Trial(0.0, start[0], float(start[1] @ direction), start[1])
        self.trials = 0

    def at(self, step):
        """The trial of one step."""
        self.trials += 1
        value, gradient = self.objective(self.point + step * self.direction)
        return _Trial(step, value, float(gradient @ self.direction), gradient)

    def is_high(self, trial):
        """Whether the value has not fallen enough."""
        return not trial.value <= self.first.value + self.c1 * trial.step * self.first.slope

    def is_flat(self, trial):
        """Whether the slope has fallen enough."""
        return abs(trial.slope) <= -self.c2 * self.first.slope

    def run(self, step, most):
        """Returns (a trial that satisfies both conditions, or the best one; whether it does)."""
        last = self.first
        while self.trials < most:
            trial = self.at(step)
            if self.is_high(trial) or (self.trials > 1 and trial.value >= last.value):
                return self.between(last, trial, most)
            if self.is_flat(trial):
                return trial, True
            if trial.slope >= 0:
                return self.between(trial, last, most)
            last, step = trial, 2 * step
        return last, False

    def between(self, low, high, most):
        """Shrinks an interval that holds a step: `low` has the smaller value, and its slope points into the interval."""
        while self.trials < most and abs(high.step - low.step) > 1e-12:
            trial = self.at(_inside(low, high))
            if self.is_high(trial) or trial.value >= low.value:
                high = trial
                continue
            if self.is_flat(trial):
                return trial, True
            if trial.slope * (high.step - low.step) >= 0:
                high = low
            low = trial
        return low, False


def _inside(low, high):
    """The minimum of the cubic through two values and slopes, or the middle where that lies outside or near an end."""
    width = high.step - low.step
    middle = low.step + 0.5 * width
    slopes = low.slope + high.slope - 3 * (low.value - high.value) / (low.step - high.step)
    root = slopes * slopes - low.slope * high.slope
    if not root >= 0:
        return middle
    root = np.copysign(np.sqrt(root), width)
    below = high.slope - low.slope + 2 * root
    if below == 0:
        return middle
    step = high.step - width * (high.slope + root - slopes) / below
    share = (step - low.step) / width
    return step if 0.1 <= share <= 0.9 else middle


def line_search(f, xk, pk, jac=None, gfk=None, old_fval=None, old_old_fval=None, c1=1e-4, c2=0.9, maxiter=20):
    """Returns LineSearchResults: a step `a_k` from `xk` along `pk` with value `f_k` and gradient `g_k` there.

    Args:
      f: gives a tensor of one element for a tensor.
      xk, pk: the point and the direction.
      jac: gives the gradient; by default that of `f`.
      gfk, old_fval: gradient and value at `xk`, when they are known.
      old_old_fval: the value at the point before, from which the first step is guessed.
      c1, c2: the constants of sufficient decrease and of curvature.
      maxiter: the most steps to try.

    Numbers are f32. MindSpore 2.0.0 gives some in f64, and as `g_k` the gradient at `xk` where the first step is taken.
    """
    objective, point, direction = Objective(f, xk, (), jac), point_of(xk), point_of(pk)
    if gfk is None or old_fval is None:
        start = objective(point)
    else:
        start = float(old_fval), point_of(gfk)
    search, step = Search(objective, point, direction, start, c1, c2), 1.0
    if old_old_fval is not None and search.first.slope != 0:
        guess = 2.02 * (start[0] - float(old_old_fval)) / search.first.slope
        step = guess if 0 < guess < 1 else 1.0
    trial, found = search.run(step, maxiter)
    return LineSearchResults(
        Tensor(not found), Tensor(search.trials, mstype.int32), Tensor(objective.values, mstype.int32),
        Tensor(objective.gradients, mstype.int32), Tensor(search.trials, mstype.int32),
        Tensor(np.asarray(trial.step, objective.type)), Tensor(np.asarray(trial.value, objective.type)),
        objective.tensor(trial.gradient), Tensor(0 if found else 1, mstype.int32))
