"""Loss, MAE, MSE and Perplexity: means over rows."""

import numpy as np

from plumb.nn.metrics.metric import Metric, rearrange_inputs


class Loss(Metric):
    """Mean of the losses."""

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._sum, self._steps = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds one step's loss."""
        loss, = self._inputs(inputs, ("loss",))
        if loss.ndim > 1:
            raise ValueError(f"For 'Loss.update', the loss must be a number or one in an axis, but got the shape {loss.shape}.")
        self._sum += float(np.mean(loss))
        self._steps += 1

    def eval(self):
        """Returns the mean loss."""
        self._needs(self._steps)
        return self._sum / self._steps


class _Error(Metric):
    """A distance of outputs from targets, averaged over rows."""

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._sum, self._rows = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds one step's outputs and targets, which have the same shape."""
        name = type(self).__name__
        outputs, targets = (each.astype(np.float64) for each in self._inputs(inputs, ("predicted value", "true value")))
        if outputs.shape != targets.shape:
            raise ValueError(f"For '{name}.update', outputs of shape {outputs.shape} do not fit targets of shape "
                             f"{targets.shape}.")
        self._sum += float(self._distance(outputs - targets))
        self._rows += outputs.shape[0] if outputs.ndim else 1

    def eval(self):
        """Returns the sum of the distances divided by the rows."""
        self._needs(self._rows)
        return self._sum / self._rows


class MAE(_Error):
    """Sum of absolute errors over the number of rows."""

    @staticmethod
    def _distance(difference):
        return np.abs(difference).sum()


class MSE(_Error):
    """Sum of squared errors over the number of rows."""

    @staticmethod
    def _distance(difference):
        return np.square(difference).sum()


class Perplexity(Metric):
    """exp of the mean negative logarithm of the probabilities of the true classes.

    Args:
      ignore_label: rows of this class count nothing.
    """

    def __init__(self, ignore_label=None):
        super().__init__()
        if ignore_label is not None and not isinstance(ignore_label, int):
            raise TypeError(f"For 'Perplexity', 'ignore_label' must be an int or None, but got {ignore_label!r}.")
        self.ignore_label = ignore_label
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._sum, self._count = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds one step's probabilities (N, …, C) and classes (N, …)."""
        probabilities, labels = self._inputs(inputs, ("predicted value", "true value"))
        labels = labels.reshape(-1).astype(np.int64)
        rows = probabilities.reshape(-1, probabilities.shape[-1])
        if len(rows) != len(labels):
            raise RuntimeError(f"For 'Perplexity.update', predictions of shape {probabilities.shape} do not fit {len(labels)} "
                               f"labels.")
        picked = rows[np.arange(len(labels)), labels].astype(np.float64)
        if self.ignore_label is not None:
            picked = picked[labels != self.ignore_label]
        self._sum -= float(np.log(np.maximum(picked, 1e-10)).sum())
        self._count += len(picked)

    def eval(self):
        """Returns the perplexity."""
        self._needs(self._count)
        return float(np.exp(self._sum / self._count))
