"""Minimisation by quasi-Newton methods: BFGS and, with a bounded memory, L-BFGS (Nocedal, Wright, 2006, 6.1 and 7.2)."""

from collections import namedtuple

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._offers import only_defaults
from plumb.common.tensor import Tensor
from plumb.scipy.optimize._objective import Objective, point_of
from plumb.scipy.optimize.line_search import Search

OptimizeResults = namedtuple("OptimizeResults", "x success status fun jac hess_inv nfev njev nit")


class _Dense:
    """The inverse of the second derivative, as a matrix."""

    def __init__(self, size):
        self.inverse = np.eye(size)

    def direction(self, gradient):
        """Where the quadratic model has its minimum."""
        return -self.inverse @ gradient

    def learn(self, step, change):
        """Takes in that the gradient changed by `change` over `step`."""
        scale = 1.0 / (change @ step)
        left = np.eye(step.size) - scale * np.outer(step, change)
        self.inverse = left @ self.inverse @ left.T + scale * np.outer(step, step)


class _Limited:
    """The inverse of the second derivative, as the last steps and changes of the gradient."""

    def __init__(self, memory):
        self.memory, self.pairs = memory, []

    def direction(self, gradient):
        """Where the quadratic model has its minimum, by the recursion in two loops."""
        result, shares = gradient.copy(), []
        for step, change in reversed(self.pairs):
            share = (step @ result) / (change @ step)
            result -= share * change
            shares.append(share)
        if self.pairs:
            step, change = self.pairs[-1]
            result *= (step @ change) / (change @ change)
        for (step, change), share in zip(self.pairs, reversed(shares)):
            result += step * (share - (change @ result) / (change @ step))
        return -result

    def learn(self, step, change):
        """Takes in that the gradient changed by `change` over `step`."""
        self.pairs = (self.pairs + [(step, change)])[-self.memory:]


def minimize(func, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), tol=None,
             callback=None, options=None):
    """Returns OptimizeResults: the point `x` where a function of one element is smallest nearby, and how it was found.

    Args:
      func: gives a tensor of one element for a tensor, and `args`.
      x0: where to start.
      method: "BFGS" or "LBFGS".
      jac: gives the gradient; by default that of `func`.
      tol: the largest element of the gradient at which the search ends; 1e-5 by default, `gtol` of the options before it.
      callback: called with the point after each iteration.
      options: a dict of `maxiter` (200 for each element by default), `gtol`, `norm` (the order of the gradient's norm that `gtol`
        bounds, infinite by default), `line_search_maxiter` (20) or SciPy's `maxls` for it, and, for LBFGS, `history_size` (20) or
        SciPy's `maxcor` for it.
    """
    only_defaults("minimize", hess=(hess, None), hessp=(hessp, None), bounds=(bounds, None), constraints=(constraints, ()))
    if method is None or method.lower() not in ("bfgs", "lbfgs"):
        raise ValueError(f"For 'minimize', 'method' must be 'BFGS' or 'LBFGS', but got {method!r}.")
    chosen = _chosen(method.lower(), tol, options or {})
    objective, point = Objective(func, x0, args, jac), point_of(x0)
    model = _Dense(point.size) if method.lower() == "bfgs" else _Limited(chosen["history_size"])
    return _descend(objective, point, model, chosen, callback)


_SPELLINGS = {"maxls": "line_search_maxiter", "maxcor": "history_size"}


def _chosen(method, tol, options):
    """All options by MindSpore's names, those that are given or their defaults."""
    chosen = {"maxiter": None, "gtol": 1e-5 if tol is None else tol, "norm": np.inf, "line_search_maxiter": 20, "history_size": 20}
    given = {_SPELLINGS.get(name, name): value for name, value in options.items()}
    unknown = sorted(name for name in options if _SPELLINGS.get(name, name) not in chosen or method == "bfgs" and name in ("history_size", "maxcor"))
    if unknown:
        raise ValueError(f"For 'minimize', the options {unknown} are not offered; leave them out.")
    if len(given) < len(options):
        raise ValueError(f"For 'minimize', give one of two spellings: {', '.join(f'{a} or {b}' for a, b in _SPELLINGS.items())}.")
    return {**chosen, **given}


def _descend(objective, point, model, chosen, callback):
    most = 200 * point.size if chosen["maxiter"] is None else chosen["maxiter"]
    value, gradient = objective(point)
    iterations, status, previous = 0, 0, None
    while np.linalg.norm(gradient, chosen["norm"]) > chosen["gtol"]:
        if iterations == most:
            status = 1
            break
        direction = model.direction(gradient)
        search = Search(objective, point, direction, (value, gradient), 1e-4, 0.9)
        # The first direction is a gradient: its length says nothing about the step.
        step = 1.0 if previous is not None else min(1.0, 1.0 / np.linalg.norm(gradient))
        trial, found = search.run(step, chosen["line_search_maxiter"])
        iterations += 1
        if not found and not trial.value < value:
            status = 3
            break
        moved, change = trial.step * direction, trial.gradient - gradient
        point, previous, value, gradient = point + moved, value, trial.value, trial.gradient
        if change @ moved > 1e-10 * np.linalg.norm(change) * np.linalg.norm(moved):
            model.learn(moved, change)
        if callback is not None:
            callback(objective.tensor(point))
    inverse = Tensor(np.asarray(model.inverse, objective.type)) if isinstance(model, _Dense) else None
    return OptimizeResults(
        objective.tensor(point), Tensor(status == 0), Tensor(status, mstype.int32), Tensor(np.asarray(value, objective.type)),
        objective.tensor(gradient), inverse, Tensor(objective.values, mstype.int32), Tensor(objective.gradients, mstype.int32),
        Tensor(iterations, mstype.int32))
