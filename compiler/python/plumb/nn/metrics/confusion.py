"""Confusion matrices, the numbers that follow from them, similarities and Dice coefficients."""

import numpy as np

from plumb._checkparam import check_value_type
from plumb.nn.metrics.metric import Metric, rearrange_inputs


class ConfusionMatrix(Metric):
    """How often each class (row) was taken for each class (column).

    Args:
      num_classes: number of classes.
      normalize: "no_norm"; "target" divides by the rows' sums, "prediction" by the columns', "all" by the sum of all.
      threshold: scores of one class above it are class 1.
    """

    def __init__(self, num_classes, normalize="no_norm", threshold=0.5):
        super().__init__()
        if normalize not in ("no_norm", "target", "prediction", "all", None):
            raise ValueError(f"For 'ConfusionMatrix', the argument 'normalize' must be 'no_norm', 'target', 'prediction' or "
                             f"'all', but got {normalize!r}.")
        check_value_type("num_classes", num_classes, int, "ConfusionMatrix")
        check_value_type("threshold", threshold, (int, float), "ConfusionMatrix")
        if num_classes < 1:
            raise ValueError(f"For 'ConfusionMatrix', 'num_classes' must be a positive int, but got {num_classes!r}.")
        self.num_classes, self.normalize, self.threshold = num_classes, normalize, threshold
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._matrix, self._seen = np.zeros((self.num_classes, self.num_classes)), False

    @rearrange_inputs
    def update(self, *inputs):
        """Adds predictions (N, C, …) or (N, …) and classes (N, …)."""
        predicted, true = self._inputs(inputs, ("predicted value", "true value"))
        if predicted.ndim == true.ndim + 1:
            predicted = predicted.argmax(1)
        elif predicted.ndim != true.ndim:
            raise ValueError(f"For 'ConfusionMatrix.update', predictions of shape {predicted.shape} do not fit labels of shape "
                             f"{true.shape}.")
        elif predicted.dtype.kind == "f":
            predicted = predicted > self.threshold
        places = true.reshape(-1).astype(np.int64) * self.num_classes + predicted.reshape(-1).astype(np.int64)
        self._matrix += np.bincount(places, minlength=self.num_classes ** 2).reshape(self._matrix.shape)
        self._seen = True

    def eval(self):
        """Returns the matrix."""
        self._needs(self._seen)
        axes = {"target": (1,), "prediction": (0,), "all": (0, 1)}.get(self.normalize)
        if axes is None:
            return self._matrix
        sums = self._matrix.sum(axes, keepdims=True)
        return np.divide(self._matrix, sums, out=np.zeros_like(self._matrix), where=sums != 0)


def _root(x):
    return np.sqrt(np.maximum(x, 0))


# By name: what follows from the counts of right and wrong positives and negatives, a pair of numerator and denominator.
_NUMBERS = {
    "sensitivity": lambda tp, fp, tn, fn: (tp, tp + fn),
    "specificity": lambda tp, fp, tn, fn: (tn, tn + fp),
    "precision": lambda tp, fp, tn, fn: (tp, tp + fp),
    "negative predictive value": lambda tp, fp, tn, fn: (tn, tn + fn),
    "miss rate": lambda tp, fp, tn, fn: (fn, tp + fn),
    "fall out": lambda tp, fp, tn, fn: (fp, tn + fp),
    "false discovery rate": lambda tp, fp, tn, fn: (fp, tp + fp),
    "false omission rate": lambda tp, fp, tn, fn: (fn, tn + fn),
    "threat score": lambda tp, fp, tn, fn: (tp, tp + fn + fp),
    "accuracy": lambda tp, fp, tn, fn: (tp + tn, tp + fp + tn + fn),
    "f1 score": lambda tp, fp, tn, fn: (2 * tp, 2 * tp + fp + fn),
    "matthews correlation coefficient": lambda tp, fp, tn, fn: (
        tp * tn - fp * fn, _root((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))),
    "fowlkes mallows index": lambda tp, fp, tn, fn: (tp, _root((tp + fp) * (tp + fn))),
}
_COMBINED = {
    "balanced accuracy": lambda of: (of("sensitivity") + of("specificity")) / 2,
    "informedness": lambda of: of("sensitivity") + of("specificity") - 1,
    "markedness": lambda of: of("precision") + of("negative predictive value") - 1,
    "prevalence threshold": lambda of: _divided(_root(of("sensitivity") * (1 - of("specificity"))) + of("specificity") - 1,
                                                of("sensitivity") + of("specificity") - 1),
}
_ALIASES = {
    "recall": "sensitivity", "hit rate": "sensitivity", "true positive rate": "sensitivity", "tpr": "sensitivity",
    "selectivity": "specificity", "true negative rate": "specificity", "tnr": "specificity",
    "positive predictive value": "precision", "ppv": "precision", "npv": "negative predictive value",
    "false negative rate": "miss rate", "fnr": "miss rate", "false positive rate": "fall out", "fpr": "fall out",
    "fdr": "false discovery rate", "for": "false omission rate", "pt": "prevalence threshold",
    "critical success index": "threat score", "ts": "threat score", "csi": "threat score", "acc": "accuracy",
    "ba": "balanced accuracy", "f1": "f1 score", "mcc": "matthews correlation coefficient", "fm": "fowlkes mallows index",
    "bm": "informedness", "bookmaker informedness": "informedness", "mk": "markedness", "deltap": "markedness",
}


def _divided(numerator, denominator):
    """The quotient; NaN where the denominator is 0."""
    numerator, denominator = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    return np.divide(numerator, denominator, out=np.full(np.broadcast(numerator, denominator).shape, np.nan),
                     where=denominator != 0)


class ConfusionMatrixMetric(Metric):
    """A number that follows from the counts of right and wrong positives and negatives.

    Args:
      skip_channel: False leaves the first class (the background) out. So MindSpore computes and tests it, though it documents
        the opposite.
      metric_name: "sensitivity", "specificity", "precision", … or one of their usual short names ("tpr", "ppv", "f1").
      calculation_method: whether the number is computed for each class of each sample, and then reduced; else of all counts.
      decrease: with `calculation_method` how: "none", "mean", "sum", or one of both over the "_batch" or "_channel" alone.
    """

    def __init__(self, skip_channel=True, metric_name="sensitivity", calculation_method=False, decrease="mean"):
        super().__init__()
        check_value_type("metric_name", metric_name, str, "ConfusionMatrixMetric")
        check_value_type("skip_channel", skip_channel, bool, "ConfusionMatrixMetric")
        check_value_type("calculation_method", calculation_method, bool, "ConfusionMatrixMetric")
        name = metric_name.replace("_", " ").lower()
        name = _ALIASES.get(name, name)
        if name not in _NUMBERS and name not in _COMBINED:
            raise NotImplementedError(f"For 'ConfusionMatrixMetric', there is no metric_name '{metric_name}'; there are "
                                      f"{', '.join(sorted({*_NUMBERS, *_COMBINED}))}.")
        if decrease not in ("none", "mean", "sum", "mean_batch", "sum_batch", "mean_channel", "sum_channel"):
            raise ValueError(f"For 'ConfusionMatrixMetric', there is no decrease {decrease!r}.")
        self.skip_channel, self.name = skip_channel, name
        self.calculation_method, self.decrease = calculation_method, decrease
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._counts, self._values = 0.0, []

    @rearrange_inputs
    def update(self, *inputs):
        """Adds predictions and labels, both of shape (N, C, …) with elements 0 and 1."""
        predicted, true = self._inputs(inputs, ("predicted value", "true value"))
        if predicted.shape != true.shape or predicted.ndim < 2:
            raise ValueError(f"For 'ConfusionMatrixMetric.update', predictions of shape {predicted.shape} do not fit labels of "
                             f"shape {true.shape}.")
        if not self.skip_channel and predicted.shape[1] > 1:
            predicted, true = predicted[:, 1:], true[:, 1:]
        predicted, true = (each.reshape(each.shape[:2] + (-1,)).astype(np.float64) for each in (predicted, true))
        counts = np.stack([(predicted * true).sum(2), (predicted * (1 - true)).sum(2), ((1 - predicted) * (1 - true)).sum(2),
                           ((1 - predicted) * true).sum(2)])
        if self.calculation_method:
            self._values.append(self._number(counts))
        else:
            self._counts = self._counts + counts.sum((1, 2))
            self._values.append(None)

    def _number(self, counts):
        def of(name):
            return _divided(*_NUMBERS[name](*counts))

        return _COMBINED[self.name](of) if self.name in _COMBINED else of(self.name)

    def eval(self):
        """Returns the number, in an array, or as `decrease` says."""
        self._needs(self._values)
        if not self.calculation_method:
            return np.reshape(self._number(self._counts), (1,))
        values = np.concatenate(self._values)
        if self.decrease == "none":
            return values
        over = np.nansum if self.decrease.startswith("sum") else np.nanmean
        if self.decrease.endswith("_batch"):
            return over(values, 0)
        return over(values, 1) if self.decrease.endswith("_channel") else over(over(values, 1))


class CosineSimilarity(Metric):
    """Products of all pairs of rows, of length 1 for "cosine".

    Args:
      similarity: "cosine" or "dot".
      reduction: "none", or "sum" or "mean" over the last axis.
      zero_diagonal: whether a row's similarity to itself counts as 0.
    """

    def __init__(self, similarity="cosine", reduction="none", zero_diagonal=True):
        super().__init__()
        check_value_type("zero_diagonal", zero_diagonal, bool, "CosineSimilarity")
        if similarity not in ("cosine", "dot") or reduction not in ("none", "sum", "mean"):
            raise ValueError(f"For 'CosineSimilarity', 'similarity' is 'cosine' or 'dot' and 'reduction' 'none', 'sum' or "
                             f"'mean', but got {similarity!r} and {reduction!r}.")
        self.similarity, self.reduction, self.zero_diagonal = similarity, reduction, zero_diagonal
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._matrix = None

    @rearrange_inputs
    def update(self, *inputs):
        """Takes a matrix; the last one counts."""
        rows, = self._inputs(inputs, ("matrix",))
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
        self._matrix = rows @ rows.T

    def eval(self):
        """Returns the similarities."""
        self._needs(self._matrix is not None)
        matrix = self._matrix.copy()
        if self.zero_diagonal:
            np.fill_diagonal(matrix, 0)
        return matrix if self.reduction == "none" else getattr(matrix, self.reduction)(-1)


class Dice(Metric):
    """2 * |p * t| / (p^2 + t^2 + smooth) of each step, summed and divided by the number of samples."""

    def __init__(self, smooth=1e-5):
        super().__init__()
        check_value_type("smooth", smooth, (int, float), "Dice")
        if not smooth > 0:
            raise ValueError(f"For 'Dice', 'smooth' must be greater than 0, but got {smooth}.")
        self.smooth = smooth
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._sum, self._samples = 0.0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds predictions and labels of one shape (N, …)."""
        predicted, true = self._inputs(inputs, ("predicted value", "true value"))
        if predicted.shape != true.shape:
            raise ValueError(f"For 'Dice.update', predictions of shape {predicted.shape} do not fit labels of shape {true.shape}.")
        predicted, true = (each.reshape(-1).astype(np.float64) for each in (predicted, true))
        self._sum += 2 * float(predicted @ true) / float(predicted @ predicted + true @ true + self.smooth)
        self._samples += inputs[1].shape[0]

    def eval(self):
        """Returns the coefficient."""
        self._needs(self._samples)
        return self._sum / self._samples
