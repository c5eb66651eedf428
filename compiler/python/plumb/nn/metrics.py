"""Metrics, computed on the host from what an evaluation step reports."""

import numpy as np

from plumb.common.tensor import Tensor


class Metric:
    """Base of metrics: `clear`, `update` per step, `eval` in the end."""

    def clear(self):
        """Forgets what was seen."""
        raise NotImplementedError

    def update(self, *inputs):
        """Adds one step's outputs."""
        raise NotImplementedError

    def eval(self):
        """Returns the metric over all that was seen."""
        raise NotImplementedError

    @staticmethod
    def _array(value):
        return value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)


class Accuracy(Metric):
    """Share of rows whose largest output is the label's class."""

    def __init__(self, eval_type="classification"):
        if eval_type != "classification":
            raise ValueError(f"For 'Accuracy', only eval_type='classification' is offered, but got '{eval_type}'.")
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._correct, self._total = 0, 0

    def update(self, *inputs):
        """Adds one step's outputs and labels (class indices or one-hot rows)."""
        if len(inputs) != 2:
            raise ValueError(f"For 'Accuracy.update', it needs 2 inputs (predicted value, true value), but got "
                             f"{len(inputs)}.")
        outputs, labels = self._array(inputs[0]), self._array(inputs[1])
        classes = labels.argmax(axis=1) if labels.ndim == 2 and labels.shape == outputs.shape else labels.reshape(-1)
        if outputs.ndim != 2 or outputs.shape[0] != classes.shape[0]:
            raise ValueError(f"For 'Accuracy.update', outputs of shape {outputs.shape} do not fit labels of shape "
                             f"{labels.shape}.")
        self._correct += int((outputs.argmax(axis=1) == classes).sum())
        self._total += classes.shape[0]

    def eval(self):
        """Returns the share of correct rows."""
        if self._total == 0:
            raise RuntimeError("The 'Accuracy' can not be calculated, because the number of samples is 0.")
        return self._correct / self._total


class Loss(Metric):
    """Mean of the losses."""

    def __init__(self):
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._sum, self._steps = 0.0, 0

    def update(self, *inputs):
        """Adds one step's loss."""
        if len(inputs) != 1:
            raise ValueError(f"For 'Loss.update', it needs 1 input (loss), but got {len(inputs)}.")
        self._sum += float(np.mean(self._array(inputs[0])))
        self._steps += 1

    def eval(self):
        """Returns the mean loss."""
        if self._steps == 0:
            raise RuntimeError("The 'Loss' can not be calculated, because the number of batches is 0.")
        return self._sum / self._steps


class _Error(Metric):
    """A distance of outputs from targets, averaged over rows."""

    def __init__(self):
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._sum, self._rows = 0.0, 0

    def update(self, *inputs):
        """Adds one step's outputs and targets, which have the same shape."""
        name = type(self).__name__
        if len(inputs) != 2:
            raise ValueError(f"For '{name}.update', it needs 2 inputs (predicted value, true value), but got "
                             f"{len(inputs)}.")
        outputs, targets = (self._array(value).astype(np.float64) for value in inputs)
        if outputs.shape != targets.shape:
            raise ValueError(f"For '{name}.update', outputs of shape {outputs.shape} do not fit targets of shape "
                             f"{targets.shape}.")
        self._sum += float(self._distance(outputs - targets))
        self._rows += outputs.shape[0] if outputs.ndim else 1

    def eval(self):
        """Returns the sum of the distances divided by the rows."""
        if self._rows == 0:
            raise RuntimeError(f"The '{type(self).__name__}' can not be calculated, because the number of samples is 0.")
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


_BY_NAME = {"accuracy": Accuracy, "acc": Accuracy, "loss": Loss, "mae": MAE, "mse": MSE}


def get_metric_fn(name, *args, **kwargs):
    """Returns the metric called `name`."""
    if name not in _BY_NAME:
        raise KeyError(f"There is no metric called '{name}'; there are {', '.join(_BY_NAME)}.")
    return _BY_NAME[name](*args, **kwargs)


def get_metrics(metrics):
    """Turns None, a set of names or a dict of metrics into a dict of metrics."""
    if metrics is None:
        return {}
    if isinstance(metrics, dict):
        return dict(metrics)
    if isinstance(metrics, (set, list, tuple)):
        return {name: get_metric_fn(name) for name in sorted(metrics)}
    raise TypeError(f"For 'Model', 'metrics' must be a dict, a set or None, but got {type(metrics).__name__}.")
