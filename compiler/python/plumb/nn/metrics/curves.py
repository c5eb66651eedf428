"""Receiver operating characteristics and the area under them."""

import numpy as np

from plumb.nn.metrics.metric import Metric, array_of, rearrange_inputs


class ROC(Metric):
    """False and true positive rates over all thresholds.

    Args:
      class_num: number of classes, where outputs have one score for each; each class is held against the rest.
      pos_label: the positive class where there is one score; 1 when None.

    Of several classes, MindSpore 2.0.0 mixes up samples and classes unless there are as many of both.
    """

    def __init__(self, class_num=None, pos_label=None):
        super().__init__()
        for name, value in (("class_num", class_num), ("pos_label", pos_label)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
                raise TypeError(f"For 'ROC', the '{name}' must be an int or None, but got {value!r}.")
        self.class_num, self.pos_label = class_num, pos_label
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._scores, self._labels = [], []

    @rearrange_inputs
    def update(self, *inputs):
        """Adds scores (N, …), or (N, C, …) of several classes, and labels (N, …)."""
        scores, labels = self._inputs(inputs, ("predicted value", "true value"))
        if scores.ndim == labels.ndim + 1:
            if self.class_num != scores.shape[1]:
                raise ValueError(f"For 'ROC.update', the number of classes {scores.shape[1]} is not 'class_num' {self.class_num}.")
            scores = np.moveaxis(scores, 1, -1).reshape(-1, scores.shape[1])
        elif scores.shape == labels.shape:
            scores = scores.reshape(-1, 1)
        else:
            raise ValueError(f"For 'ROC.update', predictions of shape {scores.shape} do not fit labels of shape {labels.shape}.")
        self._scores.append(scores)
        self._labels.append(labels.reshape(-1))

    def eval(self):
        """Returns (false positive rates, true positive rates, thresholds): arrays, or lists of one for each class."""
        self._needs(self._scores)
        scores, labels = np.concatenate(self._scores), np.concatenate(self._labels)
        if scores.shape[1] == 1:
            return _curve(scores[:, 0], labels == (1 if self.pos_label is None else self.pos_label))
        curves = [_curve(scores[:, index], labels == index) for index in range(scores.shape[1])]
        return tuple(list(part) for part in zip(*curves))


def _curve(scores, positive):
    order = np.argsort(-scores, kind="stable")
    scores, positive = scores[order], positive[order]
    ends = np.append(np.nonzero(np.diff(scores))[0], len(scores) - 1)
    true = np.cumsum(positive)[ends]
    false = 1 + ends - true
    if not true[-1] or not false[-1]:
        raise ValueError("The 'ROC' can not be calculated, because there are no positive or no negative samples.")
    return (np.append(0.0, false / false[-1]), np.append(0.0, true / true[-1]),
            np.append(scores[0] + 1, scores[ends]))


def auc(x, y, reorder=False):
    """The area under the points (x, y) by the trapezoidal rule.

    Args:
      x: rising or falling numbers, as ROC's false positive rates.
      y: as many numbers.
      reorder: whether the points are sorted by x first.
    """
    x, y = array_of(x).astype(np.float64).reshape(-1), array_of(y).astype(np.float64).reshape(-1)
    if len(x) != len(y) or len(x) < 2:
        raise ValueError(f"For 'auc', there must be two or more points, but got {len(x)} and {len(y)} coordinates.")
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    steps = np.diff(x)
    if (steps < 0).any() and (steps > 0).any():
        raise ValueError("For 'auc', 'x' must rise or fall throughout; give reorder=True to have it sorted.")
    return float(abs((steps * (y[1:] + y[:-1]) / 2).sum()))
