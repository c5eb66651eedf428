"""Distances between the outlines of two segmentations: Hausdorff, mean, root mean square."""

import numpy as np

from plumb._checkparam import check_value_type
from plumb.nn.metrics.metric import Metric, array_of, rearrange_inputs


class _Surfaces(Metric):
    """Base: takes pairs of label images and the label, keeps the distances of the last pair."""

    def __init__(self, distance_metric):
        super().__init__()
        if distance_metric not in ("euclidean", "chessboard", "taxicab"):
            raise ValueError(f"For '{type(self).__name__}', 'distance_metric' must be 'euclidean', 'chessboard' or 'taxicab', but "
                             f"got {distance_metric!r}.")
        self.distance_metric = distance_metric
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._edges = None

    @rearrange_inputs
    def update(self, *inputs):
        """Takes predicted and true labels of one shape, and the label whose outlines are held against each other."""
        if len(inputs) != 3:
            raise ValueError(f"For '{type(self).__name__}.update', it needs 3 inputs (predicted value, true value, label index), "
                             f"but got {len(inputs)}.")
        predicted, true, label = array_of(inputs[0]), array_of(inputs[1]), inputs[2]
        if not isinstance(label, (int, float)):
            raise TypeError(f"For '{type(self).__name__}.update', the label must be int or float, but got {type(label).__name__}.")
        if label not in predicted and label not in true:
            raise ValueError(f"For '{type(self).__name__}.update', the label {label} is in neither of the inputs.")
        if predicted.shape != true.shape or not predicted.size:
            raise ValueError(f"For '{type(self).__name__}.update', predictions of shape {predicted.shape} do not fit labels of "
                             f"shape {true.shape}.")
        self._edges = _edges(predicted == label), _edges(true == label)

    def _distances(self, first, second):
        """From each point of one outline to the nearest of the other one."""
        if not len(first):
            return np.full((max(len(second), 1),), np.inf)
        if not len(second):
            return np.full((len(first),), np.inf)
        apart = np.abs(first[:, None, :] - second[None, :, :])
        if self.distance_metric == "euclidean":
            return np.sqrt((apart ** 2).sum(2).min(1))
        return (apart.max(2) if self.distance_metric == "chessboard" else apart.sum(2)).min(1).astype(np.float64)

    def _ways(self, symmetric):
        """The distances from the prediction's outline to the true one, and those back for `symmetric`."""
        self._needs(self._edges is not None)
        there = self._distances(*self._edges)
        return [there, self._distances(*self._edges[::-1])] if symmetric else [there]


def _edges(mask):
    """Places of the mask's points that have a neighbour along an axis outside of it; there is nothing around the image."""
    padded = np.pad(mask, 1)
    inner = padded.copy()
    for axis in range(mask.ndim):
        inner &= np.roll(padded, 1, axis) & np.roll(padded, -1, axis)
    return np.argwhere(padded & ~inner)


class HausdorffDistance(_Surfaces):
    """The largest distance from a point of one outline to the other outline.

    Args:
      distance_metric: "euclidean", "chessboard" or "taxicab".
      percentile: this percentile of the distances in place of the largest.
      directed: only from the prediction to the truth; else the larger one of both ways.
      crop: changes how much MindSpore computes, not what.
    """

    def __init__(self, distance_metric="euclidean", percentile=None, directed=False, crop=True):
        super().__init__(distance_metric)
        if percentile is not None and not 0 <= percentile <= 100:
            raise ValueError(f"For 'HausdorffDistance', 'percentile' must be between 0 and 100, but got {percentile}.")
        check_value_type("directed", directed, bool, "HausdorffDistance")
        self.percentile, self.directed = percentile, directed

    def eval(self):
        """Returns the distance."""
        ways = self._ways(not self.directed)
        return max(way.max() if self.percentile is None else np.percentile(way, self.percentile) for way in ways)


class MeanSurfaceDistance(_Surfaces):
    """The mean distance from the points of the prediction's outline to the true one; `symmetric`: the mean of both ways' means."""

    def __init__(self, symmetric=False, distance_metric="euclidean"):
        check_value_type("symmetric", symmetric, bool, type(self).__name__)
        super().__init__(distance_metric)
        self.symmetric = symmetric

    def eval(self):
        """Returns the mean."""
        return np.mean([way.mean() for way in self._ways(self.symmetric)])


class RootMeanSquareDistance(MeanSurfaceDistance):
    """The mean square of the distances from the prediction's outline to the true one; `symmetric`: the root of the mean of both.

    The name and MindSpore's documentation promise a root of one way's mean square, too; MindSpore's results and tests have none,
    and so has this.
    """

    def eval(self):
        """Returns the mean square of one way, the root for both."""
        squares = [np.square(way).mean() for way in self._ways(self.symmetric)]
        return np.sqrt(np.mean(squares)) if self.symmetric else squares[0]
