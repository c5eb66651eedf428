"""The best boxes of all classes of images; on the host, since each image's boxes are chosen one after another."""

import numpy as np

from plumb.common._structures import on_host
from plumb.common.tensor import Tensor


def _overlaps(box, others):
    """The area that a box shares with each of others, over that of both together."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    both = np.prod(np.maximum(high - low, 0), 1)
    union = np.prod(box[2:] - box[:2]) + np.prod(others[:, 2:] - others[:, :2], 1) - both
    return np.divide(both, union, out=np.zeros_like(both), where=union > 0)


def _chosen(boxes, scores, most, threshold, least):
    """Numbers of the boxes that stay, best first, at most so many: those above a score that overlap no better one too much."""
    order, found = [place for place in np.argsort(-scores, kind="stable") if scores[place] > least], []
    corners = np.concatenate((np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])), 1)
    for place in order:
        if len(found) < most and not (_overlaps(corners[place], corners[found]) > threshold).any():
            found.append(place)
    return found


def _of_image(boxes, scores, most, threshold, least):
    """(score, class, box) of what stays of each class, best first."""
    rows = []
    for kind in range(scores.shape[1]):
        own = boxes[:, kind if boxes.shape[1] > 1 else 0]
        rows += [(scores[place, kind], kind, own[place]) for place in _chosen(own, scores[:, kind], most, threshold, least)]
    return sorted(rows, key=lambda row: -row[0])


def _check(boxes, scores):
    if boxes.ndim != 4 or scores.ndim != 3 or boxes.shape[3] != 4 or boxes.shape[:2] != scores.shape[:2] \
            or boxes.shape[2] not in (1, scores.shape[2]):
        raise ValueError(f"For 'CombinedNonMaxSuppression', boxes must be (N, boxes, 1 or classes, 4) and scores (N, boxes, classes), but "
                         f"got {boxes.shape} and {scores.shape}.")


@on_host("call it outside and pass what it gives", "it runs on the host")
def combined_nms(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold, pad_per_class=False,
                 clip_boxes=True):
    """Boxes, scores, classes and their number for each image, best first, with zeros behind: float32, the number int32.

    Args:
      boxes: (N, boxes, q, 4), two corners (y, x) each in any order; q is 1 or the number of classes.
      scores: (N, boxes, classes).
      max_output_size_per_class, max_total_size: how many of a class and of all classes stay at most, Tensors of one int32.
      iou_threshold, score_threshold: a box stays if its score is above, and no better one of its class overlaps it more, of float32.
      pad_per_class: whether the results are no longer than so many of each class need.
      clip_boxes: whether corners are moved into [0, 1].

    Raises:
      ValueError: if shapes do not fit.
    """
    _check(boxes, scores)
    most, total = int(max_output_size_per_class.asnumpy()), int(max_total_size.asnumpy())
    total = min(total, most * scores.shape[2]) if pad_per_class else total
    count = boxes.shape[0]
    found, points = np.zeros((count, total, 4), np.float32), np.zeros((count, total), np.float32)
    kinds, counts = np.zeros((count, total), np.float32), np.zeros((count,), np.int32)
    for image, (own, marks) in enumerate(zip(boxes.asnumpy(), scores.asnumpy())):
        rows = _of_image(own, marks, most, float(iou_threshold.asnumpy()), float(score_threshold.asnumpy()))[:total]
        counts[image] = len(rows)
        for place, (mark, kind, box) in enumerate(rows):
            found[image, place], points[image, place], kinds[image, place] = box, mark, kind
    return tuple(Tensor(part) for part in (np.clip(found, 0, 1) if clip_boxes else found, points, kinds, counts))


__all__ = []
