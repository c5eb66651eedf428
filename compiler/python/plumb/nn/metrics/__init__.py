"""Metrics, computed on the host from what an evaluation step reports, or some of them (`_device`) by the step itself."""

from plumb.nn.metrics.classification import (F1, Accuracy, Fbeta, Precision, Recall, Top1CategoricalAccuracy,
                                             Top5CategoricalAccuracy, TopKCategoricalAccuracy)
from plumb.nn.metrics.confusion import ConfusionMatrix, ConfusionMatrixMetric, CosineSimilarity, Dice
from plumb.nn.metrics.curves import ROC, auc
from plumb.nn.metrics.metric import Metric, rearrange_inputs
from plumb.nn.metrics.others import BleuScore, OcclusionSensitivity
from plumb.nn.metrics.regression import MAE, MSE, Loss, Perplexity
from plumb.nn.metrics.surfaces import HausdorffDistance, MeanSurfaceDistance, RootMeanSquareDistance

_BY_NAME = {
    "accuracy": Accuracy, "acc": Accuracy, "precision": Precision, "recall": Recall, "F1": F1, "dice": Dice, "roc": ROC,
    "auc": auc, "topk": TopKCategoricalAccuracy, "hausdorff_distance": HausdorffDistance,
    "top_1_accuracy": Top1CategoricalAccuracy, "top_5_accuracy": Top5CategoricalAccuracy, "mae": MAE, "mse": MSE,
    "loss": Loss, "mean_surface_distance": MeanSurfaceDistance, "root_mean_square_distance": RootMeanSquareDistance,
    "bleu_score": BleuScore, "cosine_similarity": CosineSimilarity, "occlusion_sensitivity": OcclusionSensitivity,
    "perplexity": Perplexity, "confusion_matrix": ConfusionMatrix, "confusion_matrix_metric": ConfusionMatrixMetric,
}


def names():
    """Returns the names that `get_metric_fn` and Model's `metrics` know."""
    return sorted(_BY_NAME)


def get_metric_fn(name, *args, **kwargs):
    """Returns the metric called `name`, made with the further arguments."""
    if name not in _BY_NAME:
        raise KeyError(f"There is no metric called '{name}'; there are {', '.join(_BY_NAME)}.")
    return _BY_NAME[name](*args, **kwargs)


def get_metrics(metrics):
    """Turns None, a set of names or a dict of metrics into a dict of metrics."""
    if metrics is None:
        return {}
    if isinstance(metrics, dict):
        for name, metric in metrics.items():
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise TypeError(f"For 'Model', a dict of 'metrics' has names and Metrics, but got {name!r}: "
                                f"{type(metric).__name__}.")
        return dict(metrics)
    if isinstance(metrics, (set, list, tuple)):
        return {name: get_metric_fn(name) for name in sorted(metrics)}
    raise TypeError(f"For 'Model', 'metrics' must be a dict, a set or None, but got {type(metrics).__name__}.")
