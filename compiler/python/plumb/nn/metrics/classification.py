"""Accuracy, Precision, Recall, F-scores and top-k accuracy: shares of right classes."""

import numpy as np

from plumb._checkparam import check_value_type
from plumb.nn.metrics.metric import Metric, check_eval_type, class_counts, labels_in_rows, rearrange_inputs


class Accuracy(Metric):
    """Share of samples whose largest output is the label's class; of samples with all labels right for "multilabel"."""

    def __init__(self, eval_type="classification"):
        super().__init__()
        self._type = check_eval_type("Accuracy", eval_type)
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._correct, self._total = 0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds outputs (N, C, …) and labels: classes (N, …) or one-hot rows (N, C, …)."""
        predicted, true = self._inputs(inputs, ("predicted value", "true value"))
        counted = class_counts if self._type == "classification" else labels_in_rows
        predicted, true = counted("Accuracy", predicted, true)
        self._correct += int((predicted == true).all(1).sum())
        self._total += len(true)

    def eval(self):
        """Returns the share of right samples."""
        self._needs(self._total)
        return self._correct / self._total


class _ByClass(Metric):
    """Counts of each class: right ones, predicted ones, true ones. For "multilabel" of each sample instead."""

    def __init__(self, eval_type="classification"):
        super().__init__()
        self._type = check_eval_type(type(self).__name__, eval_type)
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._right = self._predicted = self._true = None

    @rearrange_inputs
    def update(self, *inputs):
        """Adds outputs (N, C, …) and labels: classes (N, …) or one-hot rows (N, C, …)."""
        predicted, true = self._inputs(inputs, ("predicted value", "true value"))
        who, by_class = type(self).__name__, self._type == "classification"
        predicted, true = (class_counts if by_class else labels_in_rows)(who, predicted, true)
        counts = [each.sum(0 if by_class else 1) for each in (predicted * true, predicted, true)]
        if self._right is None:
            self._right, self._predicted, self._true = counts
        elif by_class and len(counts[0]) != len(self._right):
            raise ValueError(f"For '{who}.update', there were {len(self._right)} classes before, but now {len(counts[0])}.")
        else:
            join = np.add if by_class else lambda *parts: np.concatenate(parts)
            self._right, self._predicted, self._true = (
                join(before, now) for before, now in zip((self._right, self._predicted, self._true), counts))

    def _share(self, right, of, average):
        self._needs(self._right is not None)
        share = np.divide(right, of, out=np.zeros(np.shape(of)), where=of > 0)
        return share.mean() if average else share


class Precision(_ByClass):
    """Right ones of those that were predicted, for each class; for each sample where the type is "multilabel"."""

    def eval(self, average=False):
        """Returns the precisions; with `average` their mean."""
        return self._share(self._right, self._predicted, average)


class Recall(_ByClass):
    """Right ones of those that there are, for each class; for each sample where the type is "multilabel"."""

    def eval(self, average=False):
        """Returns the recalls; with `average` their mean."""
        return self._share(self._right, self._true, average)


class Fbeta(_ByClass):
    """(1 + beta^2) * right / (beta^2 * true + predicted), for each class."""

    def __init__(self, beta):
        super().__init__()
        check_value_type("beta", beta, (int, float), "Fbeta")
        if beta <= 0:
            raise ValueError(f"For 'Fbeta', the argument 'beta' must be greater than 0, but got {beta}.")
        self._square = float(beta) ** 2

    def eval(self, average=False):
        """Returns the score of each class; with `average` the mean."""
        self._needs(self._right is not None)
        return self._share((1 + self._square) * self._right, self._square * self._true + self._predicted, average)


class F1(Fbeta):
    """Fbeta with beta 1."""

    def __init__(self):
        super().__init__(1.0)


class TopKCategoricalAccuracy(Metric):
    """Share of samples whose class is among the k largest outputs; of equal outputs the first ones count."""

    def __init__(self, k):
        super().__init__()
        if isinstance(k, bool) or not isinstance(k, int):
            raise TypeError(f"For '{type(self).__name__}', the argument 'k' must be int, but got {type(k).__name__}.")
        if k < 1:
            raise ValueError(f"For '{type(self).__name__}', the argument 'k' must be at least 1, but got {k}.")
        self.k = k
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._correct, self._total = 0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds outputs (N, C) and labels: classes (N,) or one-hot rows, which may leave out last classes."""
        predicted, true = self._inputs(inputs, ("predicted value", "true value"))
        if true.ndim == 2 and true.shape[1] > 1:
            true = true.argmax(1)
        if predicted.ndim != 2 or len(true.reshape(-1)) != len(predicted):
            raise ValueError(f"For '{type(self).__name__}.update', predictions of shape {predicted.shape} do not fit labels of "
                             f"shape {true.shape}.")
        best = np.argsort(-predicted, 1, kind="stable")[:, :self.k]
        self._correct += int((best == true.reshape(-1, 1)).any(1).sum())
        self._total += len(best)

    def eval(self):
        """Returns the share."""
        self._needs(self._total)
        return self._correct / self._total


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """TopKCategoricalAccuracy with k 1."""

    def __init__(self):
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """TopKCategoricalAccuracy with k 5."""

    def __init__(self):
        super().__init__(5)
