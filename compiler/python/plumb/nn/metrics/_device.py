"""Metrics that the compiled step itself adds up, in Parameters of its own, so that outputs need not come to the host.

For a metric there is a cell here that does for one step what the metric's `update` does on the host, with its numbers as Parameters. Counts are
equal to the host's. Sums are in float64, but what is summed is computed by another program, whose last digits may differ.
"""

import numpy as np

from plumb import ops
from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.nn.metrics.classification import (Accuracy, Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy)
from plumb.nn.metrics.regression import MAE, MSE, Loss


class _Tally(Cell):
    """Numbers of one metric.

    Args:
      metric: whose numbers they are.
      names: of counts, int64, and of sums, float64.
    """

    def __init__(self, metric, counts=(), sums=()):
        super().__init__(auto_prefix=False)
        self.metric, self.names = metric, tuple(counts) + tuple(sums)
        for name in self.names:
            dtype = np.int64 if name in counts else np.float64
            setattr(self, name, Parameter(Tensor(np.zeros((), dtype)), name=f"metric{id(metric)}.{name}", requires_grad=False))

    def reset(self):
        """Begins anew."""
        for name in self.names:
            value = getattr(self, name)
            value.set_data(np.zeros((), value.dtype.numpy))

    def numbers(self):
        """Returns what was added up, in order of the names."""
        return [getattr(self, name).asnumpy().item() for name in self.names]


class _LossTally(_Tally):
    """As Loss, of a loss of one element."""

    indexes = (0,)

    def __init__(self, metric):
        super().__init__(metric, ["steps"], ["sum"])

    def construct(self, loss):
        """Adds a step."""
        if loss.size != 1:
            raise ValueError("only a loss of one element is added up on the device")
        ops.assign(self.sum, self.sum + ops.cast(ops.reshape(loss, ()), mstype.float64))
        ops.assign(self.steps, self.steps + 1)

    def finish(self):
        """Gives the metric its numbers."""
        self.metric._steps, self.metric._sum = self.numbers()


class _ErrorTally(_Tally):
    """As MAE and MSE."""

    indexes = (1, 2)

    def __init__(self, metric):
        super().__init__(metric, ["rows"], ["sum"])
        self.squared = isinstance(metric, MSE)

    def construct(self, outputs, targets):
        """Adds a step."""
        if outputs.shape != targets.shape:
            raise ValueError("outputs and targets have different shapes")
        difference = ops.cast(outputs, mstype.float64) - ops.cast(targets, mstype.float64)
        distance = difference * difference if self.squared else ops.abs(difference)
        ops.assign(self.sum, self.sum + distance.sum())
        ops.assign(self.rows, self.rows + (outputs.shape[0] if outputs.ndim else 1))

    def finish(self):
        """Gives the metric its numbers."""
        self.metric._rows, self.metric._sum = self.numbers()


def _largest(scores):
    """NumPy's argmax over axis 1: the first of the largest, and NaN is larger than all."""
    strange = ops.isnan(scores)
    number = ops.cast(ops.argmax(scores, 1), mstype.int64)
    return ops.select(strange.any(1), ops.cast(ops.argmax(ops.cast(strange, mstype.int32), 1), mstype.int64), number)


class _AccuracyTally(_Tally):
    """As Accuracy of classes."""

    indexes = (1, 2)

    def __init__(self, metric):
        super().__init__(metric, ["correct", "total", "lowest", "highest", "classes"])

    def construct(self, outputs, labels):
        """Adds a step."""
        if outputs.ndim < 2 or outputs.ndim not in (labels.ndim, labels.ndim + 1):
            raise ValueError("outputs and labels do not fit")
        classes = outputs.shape[1]
        true = _largest(labels) if labels.ndim == outputs.ndim else ops.cast(labels, mstype.int64)
        chosen = _largest(outputs)
        if true.shape != chosen.shape:
            raise ValueError("outputs and labels do not fit")
        ops.assign(self.correct, self.correct + ops.cast(true == chosen, mstype.int64).sum())
        ops.assign(self.total, self.total + true.size)
        ops.assign(self.lowest, ops.minimum(self.lowest, true.min()))
        ops.assign(self.highest, ops.maximum(self.highest, true.max()))
        ops.assign(self.classes, self.classes * 0 + classes)

    def finish(self):
        """Gives the metric its numbers."""
        correct, total, lowest, highest, classes = self.numbers()
        if total and (lowest < 0 or highest >= classes):
            raise ValueError(f"For 'Accuracy.update', the labels must be classes below {classes}, but there is {highest}.")
        self.metric._correct, self.metric._total = correct, total


class _TopKTally(_Tally):
    """As TopKCategoricalAccuracy: the true class is one of the k if fewer than k stand before it, where NaN stands last."""

    indexes = (1, 2)

    def __init__(self, metric):
        super().__init__(metric, ["correct", "total"])
        self.k = metric.k

    def construct(self, outputs, labels):
        """Adds a step."""
        rows = labels.ndim == 2 and labels.shape == outputs.shape
        if outputs.ndim != 2 or not rows and labels.size != outputs.shape[0]:
            raise ValueError("outputs and labels do not fit")
        true = ops.reshape(_largest(labels) if rows else labels, (-1, 1))
        numbers = ops.reshape(ops.arange(outputs.shape[1]), (1, -1))
        is_true, is_number = numbers == true, outputs == outputs
        score = ops.select(is_true, outputs, ops.zeros_like(outputs)).sum(1, keepdims=True)
        known = score == score
        equal = ops.select(known.broadcast_to(outputs.shape), outputs == score, ops.logical_not(is_number))
        larger = ops.select(known.broadcast_to(outputs.shape), outputs > score, is_number)
        before = ops.logical_or(larger, ops.logical_and(equal, numbers < true))
        right = ops.logical_and(ops.cast(before, mstype.int32).sum(1) < self.k, is_true.any(1))
        ops.assign(self.correct, self.correct + ops.cast(right, mstype.int64).sum())
        ops.assign(self.total, self.total + outputs.shape[0])

    def finish(self):
        """Gives the metric its numbers."""
        self.metric._correct, self.metric._total = self.numbers()


# By the metric's very class: one that is derived from it may count in another way.
_TALLIES = {Loss: _LossTally, MAE: _ErrorTally, MSE: _ErrorTally, Accuracy: _AccuracyTally, TopKCategoricalAccuracy: _TopKTally,
            Top1CategoricalAccuracy: _TopKTally, Top5CategoricalAccuracy: _TopKTally}


def tally_of(metric):
    """The cell that adds up what a metric needs; None where only the host can."""
    if type(metric) not in _TALLIES or metric.indexes or getattr(metric, "_type", "classification") != "classification":
        return None
    return _TALLIES[type(metric)](metric)


class Evaluation(Cell):
    """A step of evaluation that reports nothing and adds up metrics.

    Args:
      network: returns loss, outputs and labels, among other things.
      tallies: cells by `tally_of`.
      places: where those three stand in what the network returns.
    """

    def __init__(self, network, tallies, places):
        super().__init__(auto_prefix=False)
        self.network, self.places, self.tallies = network, tuple(places), tallies
        for number, tally in enumerate(tallies):
            setattr(self, f"tally{number}", tally)

    def construct(self, *columns):
        """Compiled body."""
        found = self.network(*columns)
        for tally in self.tallies:
            chosen = []
            for index in tally.indexes:
                chosen.append(found[self.places[index]])
            tally(*chosen)
