"""The base of metrics, and what they share."""

import functools

import numpy as np

from plumb.common.tensor import Tensor


def rearrange_inputs(func):
    """Wraps an `update` so that it gets its inputs in the order of the object's `indexes`, if they are set."""

    @functools.wraps(func)
    def wrapper(self, *inputs):
        indexes = self.indexes
        return func(self, *(inputs if not indexes else [inputs[index] for index in indexes]))

    return wrapper


class Metric:
    """Base of metrics: `clear`, `update` per step, `eval` in the end. They compute on the host from what a step reports."""

    def __init__(self):
        self._indexes = None

    @property
    def indexes(self):
        """Which inputs of `update` are taken, in order; None means all."""
        return getattr(self, "_indexes", None)

    def set_indexes(self, indexes):
        """Takes the inputs of `update` at these positions; returns the metric."""
        if not isinstance(indexes, list) or not all(isinstance(index, int) for index in indexes):
            raise ValueError(f"For 'set_indexes', the argument 'indexes' should be a list of ints, but got {indexes}.")
        self._indexes = indexes
        return self

    def clear(self):
        """Forgets what was seen."""
        raise NotImplementedError(f"{type(self).__name__}.clear")

    def update(self, *inputs):
        """Adds one step's outputs."""
        raise NotImplementedError(f"{type(self).__name__}.update")

    def eval(self):
        """Returns the metric over all that was seen."""
        raise NotImplementedError(f"{type(self).__name__}.eval")

    def __call__(self, *inputs):
        """Returns the metric of these inputs alone: clear, update, eval."""
        self.clear()
        self.update(*inputs)
        return self.eval()

    def _convert_data(self, data):
        """A Tensor, list or number as an array: for metrics that users write."""
        return array_of(data)

    def _inputs(self, inputs, names):
        """The inputs as arrays; raises when there are not as many as names."""
        if len(inputs) != len(names):
            raise ValueError(f"For '{type(self).__name__}.update', it needs {len(names)} inputs ({', '.join(names)}), but got "
                             f"{len(inputs)}.")
        return [array_of(value) for value in inputs]

    def _needs(self, seen):
        """Raises unless something was seen."""
        if not seen:
            raise RuntimeError(f"The '{type(self).__name__}' can not be calculated, because the number of samples is 0: call "
                               f"'update' first.")


def array_of(value):
    """A Tensor, list, number or array as an array."""
    return value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)


def class_counts(who, predicted, true):
    """One-hot rows of the predicted and of the true classes, for (N, C, …) scores and classes or one-hot rows."""
    if predicted.ndim not in (true.ndim, true.ndim + 1) or predicted.ndim < 2:
        raise ValueError(f"For '{who}.update', predictions of shape {predicted.shape} do not fit labels of shape {true.shape}.")
    count = predicted.shape[1]
    classes = true.argmax(1) if true.ndim == predicted.ndim else true
    classes = classes.reshape(-1).astype(np.int64)
    chosen = predicted.argmax(1).reshape(-1)
    if len(chosen) != len(classes):
        raise ValueError(f"For '{who}.update', predictions of shape {predicted.shape} do not fit labels of shape {true.shape}.")
    if classes.size and (classes.min() < 0 or classes.max() >= count):
        raise ValueError(f"For '{who}.update', the labels must be classes below {count}, but there is {classes.max()}.")
    rows = np.eye(count, dtype=np.int64)
    return rows[chosen], rows[classes]


def labels_in_rows(who, predicted, true):
    """Samples as rows of labels, 0 or 1 each: (N, C, …) becomes (N * …, C)."""
    if predicted.shape != true.shape or predicted.ndim < 2:
        raise ValueError(f"For '{who}.update', predictions of shape {predicted.shape} do not fit labels of shape {true.shape}.")
    if not (np.isin(predicted, (0, 1)).all() and np.isin(true, (0, 1)).all()):
        raise ValueError(f"For '{who}.update' with eval_type 'multilabel', all elements must be 0 or 1.")
    return tuple(np.moveaxis(each, 1, -1).reshape(-1, each.shape[1]).astype(np.int64) for each in (predicted, true))


def check_eval_type(who, eval_type):
    """Raises unless the type is one of the two."""
    if eval_type not in ("classification", "multilabel"):
        raise TypeError(f"For '{who}', the argument 'eval_type' must be 'classification' or 'multilabel', but got {eval_type!r}.")
    return eval_type
