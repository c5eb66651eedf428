"""`mindspore.train.metrics`: the metrics of `plumb.nn`."""

from plumb.nn.metrics import (F1, MAE, MSE, ROC, Accuracy, BleuScore, ConfusionMatrix, ConfusionMatrixMetric,
                              CosineSimilarity, Dice, Fbeta, HausdorffDistance, Loss, MeanSurfaceDistance, Metric,
                              OcclusionSensitivity, Perplexity, Precision, Recall, RootMeanSquareDistance,
                              Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy, auc,
                              get_metric_fn, get_metrics, names, rearrange_inputs)
