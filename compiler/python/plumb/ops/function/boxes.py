"""Boxes in images: (x1, y1, x2, y2) in the last axis, with MindSpore's signatures, in the parsable subset."""

import math

from plumb.common import dtype as mstype
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.search import _places_where


def _columns(who, boxes, count=4):
    """The columns of rows of numbers."""
    if boxes.ndim != 2 or boxes.shape[1] != count:
        raise ValueError(f"For '{who}', boxes must be of shape (N, {count}), but got {boxes.shape}")
    return tuple([F.reshape(F.part(boxes, 1, place, place + 1), (-1,)) for place in range(count)])


def _centred(who, boxes):
    """Middle and extent along x and y; the last pixel belongs to a box."""
    x1, y1, x2, y2 = _columns(who, boxes)
    return (x1 + x2) * 0.5, (y1 + y2) * 0.5, x2 - x1 + 1.0, y2 - y1 + 1.0


def bounding_box_encode(anchor_box, groundtruth_box, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0)):
    """How boxes differ from anchors: shifts of the middle in extents, and logarithms of ratios of extents, less means, over deviations."""
    px, py, pw, ph = _centred("bounding_box_encode", anchor_box)
    gx, gy, gw, gh = _centred("bounding_box_encode", groundtruth_box)
    made = ((gx - px) / pw, (gy - py) / ph, F.log(gw / pw), F.log(gh / ph))
    return F.stack(tuple([(made[place] - means[place]) / stds[place] for place in range(4)]), 1)


def bounding_box_decode(anchor_box, deltas, max_shape, means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0), wh_ratio_clip=0.016):
    """The boxes that `bounding_box_encode` described, inside an image.

    Args:
      max_shape: its height and width.
      wh_ratio_clip: logarithms of ratios of extents are at most the size of this number's.
    """
    px, py, pw, ph = _centred("bounding_box_decode", anchor_box)
    moved = _columns("bounding_box_decode", deltas)
    dx, dy, dw, dh = tuple([moved[place] * stds[place] + means[place] for place in range(4)])
    most = abs(math.log(wh_ratio_clip))
    gx, gy = px + pw * dx, py + ph * dy
    gw, gh = pw * F.exp(F.minimum(F.maximum(dw, -most), most)), ph * F.exp(F.minimum(F.maximum(dh, -most), most))
    made = (gx - gw * 0.5 + 0.5, gy - gh * 0.5 + 0.5, gx + gw * 0.5 - 0.5, gy + gh * 0.5 - 0.5)
    return F.stack(tuple([F.minimum(F.maximum(made[place], 0.0), 1.0 * max_shape[1 - place % 2]) for place in range(4)]), 1)


def check_valid(bboxes, img_metas):
    """Whether boxes lie in an image of a height and width, both times a ratio: `img_metas` holds the three."""
    x1, y1, x2, y2 = _columns("check_valid", bboxes)
    if img_metas.shape != (3,):
        raise ValueError(f"For 'check_valid', 'img_metas' must have 3 elements, but got the shape {img_metas.shape}.")
    height, width = img_metas[0] * img_metas[2] - 1, img_metas[1] * img_metas[2] - 1
    above = F.logical_and(F.greater_equal(x1, 0), F.greater_equal(y1, 0))
    return F.logical_and(above, F.logical_and(F.less_equal(x2, width), F.less_equal(y2, height)))


def _overlaps(first, second, pixel):
    """The areas of the boxes `first` (N, 1), of `second` (1, M), and of what both have."""
    wide = F.maximum(F.minimum(first[2], second[2]) - F.maximum(first[0], second[0]) + pixel, 0.0)
    high = F.maximum(F.minimum(first[3], second[3]) - F.maximum(first[1], second[1]) + pixel, 0.0)
    return ((first[2] - first[0] + pixel) * (first[3] - first[1] + pixel), (second[2] - second[0] + pixel) * (second[3] - second[1] + pixel),
            wide * high)


def iou(anchor_boxes, gt_boxes, mode="iou"):
    """Of each box (M of `gt_boxes`, then N anchors) and anchor the area of both over that of either ("iou"), or of the box ("iof").

    It has gradients by all coordinates; MindSpore 2.0.0's are zero.
    """
    if mode not in ("iou", "iof"):
        raise ValueError(f"For 'iou', 'mode' must be 'iou' or 'iof', but got {mode}")
    boxes = tuple([F.expand_dims(column, 1) for column in _columns("iou", gt_boxes)])
    of_box, of_anchor, both = _overlaps(boxes, _columns("iou", anchor_boxes), 1.0)
    return both / ((of_box + of_anchor - both if mode == "iou" else of_box) + 1e-10)


def _kept(overlaps, valid, threshold):
    """Which boxes in descending order stay when each that stays takes those away that overlap it more than the threshold."""
    count = valid.shape[0]
    numbers, row = F.arange(count), F.fill(mstype.int32, (), 0)
    while row < count:
        removes = F.logical_and(F.greater(overlaps[row], threshold), F.greater(numbers, row))
        valid = F.logical_and(valid, F.logical_not(F.logical_and(removes, valid[row])))
        row = row + 1
    return valid


def _pairs(boxes):
    """The overlaps of all pairs of boxes given as columns; boxes are continuous here."""
    of_first, of_second, both = _overlaps(tuple([F.expand_dims(column, 1) for column in boxes]), boxes, 0.0)
    union = of_first + of_second - both
    return F.select(F.greater(union, 0.0), both / F.select(F.greater(union, 0.0), union, F.ones_like(union)), F.zeros_like(union))


def nms_with_mask(bboxes, iou_threshold=0.5):
    """Boxes (N, 5) in descending order of their scores, the last column; the numbers from 0 on, int32; and which of them stay.

    Each box that stays takes those away whose area in common is more than the threshold of that of either.
    """
    columns = _columns("NMSWithMask", bboxes, 5)
    _, order = F.sort(columns[4], 0, True)
    ordered = F.gather(bboxes, order, 0)
    overlaps = _pairs(_columns("NMSWithMask", ordered, 5)[:4])
    count = bboxes.shape[0]
    return ordered, F.arange(count), _kept(overlaps, F.fill(mstype.bool_, (count,), True), iou_threshold)


def _number(value):
    return value.item() if isinstance(value, _checks.Tensor) else value


def _selected(overlaps, scores, most, threshold, least):
    """Numbers of the boxes that stay, best first, at most so many; `least` is the lowest score but one that counts."""
    _, order = F.sort(scores, 0, True)
    ordered = F.gather(F.gather(overlaps, order, 0), order, 1)
    stay = _kept(ordered, F.greater(F.gather(scores, order, 0), least), threshold)
    found = F.gather(order, _places_where(stay), 0)
    return F.part(found, 0, 0, most) if most < found.shape[0] else found


def non_max_suppression(boxes, scores, max_output_size, iou_threshold, score_threshold):
    """Numbers, int32, of at most `max_output_size` boxes by descending score that overlap no better one more than a threshold.

    Corners of a box are in any order. The extent depends on values, which are known outside of compiled functions.
    """
    y1, x1, y2, x2 = _columns("NonMaxSuppressionV3", boxes)
    overlaps = _pairs((F.minimum(x1, x2), F.minimum(y1, y2), F.maximum(x1, x2), F.maximum(y1, y2)))
    return _selected(overlaps, scores, _number(max_output_size), _number(iou_threshold), _number(score_threshold))


def non_max_suppression_by(overlaps, scores, max_output_size, overlap_threshold, score_threshold):
    """`non_max_suppression` by given overlaps (N, N)."""
    return _selected(overlaps, scores, _number(max_output_size), _number(overlap_threshold), _number(score_threshold))


bounding_box_encode, bounding_box_decode, check_valid, iou = (
    Whole(bounding_box_encode), Whole(bounding_box_decode), Whole(check_valid), Whole(iou))
nms_with_mask = Whole(nms_with_mask)

__all__ = ["bounding_box_decode", "bounding_box_encode", "check_valid", "iou"]
