"""Sampling, boxes, colours and similarity of images beside PyTorch, NumPy and Python's colorsys."""

import colorsys
import unittest

import numpy as np
import torch

import plumb
from plumb import Tensor, nn, ops
from numeric import numbers
from together import Fixed, check

IMAGES, VOLUMES = numbers(2, 3, 12, 9), numbers(2, 2, 5, 6, 7)
PLACES = {2: numbers(2, 7, 8, 2, low=-1.7, high=1.7), 3: numbers(2, 3, 4, 5, 3, low=-1.7, high=1.7)}
RNG = np.random.default_rng(2)
CORNERS = RNG.uniform(0, 60, (40, 2))
BOXES = np.concatenate([CORNERS, CORNERS + RNG.uniform(1, 30, (40, 2))], 1)
SCORES = RNG.permutation(40) / 40


def samples():
    """Grids of affine maps, and samples at random places."""
    for corners in (False, True):
        for size in ((2, 3, 5, 7), (2, 3, 4, 5, 6)):
            yield (f"affine {corners} {len(size)}", lambda t, s=size, c=corners: ops.affine_grid(t, s, c),
                   lambda t, s=size, c=corners: torch.nn.functional.affine_grid(t, s, c), numbers(2, len(size) - 2, len(size) - 1))
        for mode in ("bilinear", "nearest"):
            for padding in ("zeros", "border", "reflection"):
                for x in (IMAGES, VOLUMES):
                    grid = PLACES[x.ndim - 2]
                    yield (f"{mode} {padding} {corners} {x.ndim}", lambda x, g, m=mode, p=padding, c=corners: ops.grid_sample(x, g, m, p, c),
                           lambda x, g, m=mode, p=padding, c=corners: torch.nn.functional.grid_sample(x, g, m, p, c), x,
                           grid if mode == "bilinear" else Fixed(grid))


def bilinear(image, y, x, outside):
    """An image (H, W, C) at a place between elements."""
    height, width = image.shape[:2]
    if not (0 <= y <= height - 1 and 0 <= x <= width - 1):
        return np.full(image.shape[2], outside)
    top, left = min(int(y), height - 2), min(int(x), width - 2)
    part, dy, dx = image[top:top + 2, left:left + 2], y - top, x - left
    return (part[0, 0] * (1 - dx) + part[0, 1] * dx) * (1 - dy) + (part[1, 0] * (1 - dx) + part[1, 1] * dx) * dy


def overlap(one, other):
    wide, high = (max(min(one[2 + at], other[2 + at]) - max(one[at], other[at]), 0) for at in (0, 1))
    sizes = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return wide * high / (sum(sizes) - wide * high)


def suppressed(boxes, scores, threshold):
    """Numbers of the boxes that stay, best first."""
    kept = []
    for number in np.argsort(-scores):
        if all(overlap(boxes[number], boxes[other]) <= threshold for other in kept):
            kept.append(number)
    return kept


def similarity(first, second, size, sigma):
    """SSIM of each image by NumPy, and its contrast's part."""
    places = np.arange(size) - (size - 1) / 2
    window = np.exp(-(places[:, None] ** 2 + places ** 2) / (2 * sigma ** 2))
    window /= window.sum()

    def mean(x):
        return (np.lib.stride_tricks.sliding_window_view(x, (size, size), (2, 3)) * window).sum((-2, -1))
    a, b = mean(first), mean(second)
    spread = (2 * (mean(first * second) - a * b) + 9e-4) / (mean(first ** 2) - a ** 2 + mean(second ** 2) - b ** 2 + 9e-4)
    return (spread * (2 * a * b + 1e-4) / (a * a + b * b + 1e-4)).mean((1, 2, 3)), spread.mean((2, 3))


def as_tensor(array, dtype=np.float32):
    return Tensor(np.asarray(array).astype(dtype))


class ImageOperatorsTest(unittest.TestCase):
    def test_samples(self):
        check(self, samples(), tolerance=1e-4)

    def test_crops(self):
        images = IMAGES.transpose(0, 2, 3, 1).astype(np.float32)
        boxes = np.array([[0.1, 0.2, 0.8, 0.9], [-0.3, 0.0, 1.2, 1.0], [0.9, 0.5, 0.1, 0.4], [0.2, 0.2, 0.6, 0.6]], np.float32)
        owners = np.array([0, 1, 1, 0], np.int32)
        for size in ((5, 4), (1, 6)):
            made = ops.crop_and_resize(as_tensor(images), as_tensor(boxes), as_tensor(owners, np.int32), size, extrapolation_value=0.25).asnumpy()
            for box, owner, crop in zip(boxes.astype(np.float64), owners, made):
                ys = np.linspace(box[0], box[2], size[0]) * 11 if size[0] > 1 else [(box[0] + box[2]) / 2 * 11]
                expected = [[bilinear(images[owner], y, x, 0.25) for x in np.linspace(box[1], box[3], size[1]) * 8] for y in ys]
                np.testing.assert_allclose(crop, expected, 1e-4, 1e-5)

    def test_crops_of_whole_elements(self):
        images = IMAGES.transpose(0, 2, 3, 1).astype(np.float32)
        boxes = np.array([[0.1, 0.2, 0.8, 0.9], [0.9, 0.5, 0.1, 0.4], [0.2, 0.2, 0.2, 0.2], [0.0, 0.0, 0.99, 0.99]], np.float32)
        owners = np.array([0, 1, 1, 0], np.int32)
        for size in ((5, 4), (1, 6), (13, 17)):
            made = ops.crop_and_resize(as_tensor(images), as_tensor(boxes), as_tensor(owners, np.int32), size, "bilinear_v2").asnumpy()
            for box, owner, crop in zip(boxes, owners, made):
                top, left, bottom, right = (int(side * extent) for side, extent in zip(box, (12, 9, 12, 9)))
                part = images[owner, top:max(bottom, top) + 1, left:max(right, left) + 1]
                places = [np.clip((np.arange(wanted) + 0.5) * extent / wanted - 0.5, 0, extent - 1) for wanted, extent in zip(size, part.shape)]
                part = np.pad(part, ((0, 1), (0, 1), (0, 0)), "edge")
                np.testing.assert_allclose(crop, [[bilinear(part, y, x, 0) for x in places[1]] for y in places[0]], 1e-4, 1e-5)

    def test_colours_of_half_precision(self):
        images = np.random.default_rng(3).random((2, 4, 4, 3)).astype(np.float16)
        for adjust, factor in ((ops.AdjustHue(), 0.2), (ops.AdjustSaturation(), 0.5)):
            made = adjust(Tensor(images), Tensor(factor))
            self.assertEqual(made.dtype, plumb.float16)
            np.testing.assert_allclose(made.asnumpy(), adjust(as_tensor(images), Tensor(factor)).asnumpy(), atol=8e-3)

    def test_boxes_of_features(self):
        rois = np.array([[0, 1.2, 2.1, 9.3, 15.7], [1, 3, 4, 9, 20]])
        made = ops.ROIAlign(3, 2, 0.5, 2, 1)(as_tensor(IMAGES), as_tensor(rois)).asnumpy()
        for (owner, x1, y1, x2, y2), box in zip(rois, made):
            high, wide = (y2 + 1 - y1) / 2 / 6, (x2 + 1 - x1) / 2 / 4
            image = IMAGES[int(owner)].transpose(1, 2, 0)
            fine = np.array([[bilinear(image, min(y1 / 2 + (i + 0.5) * high, 11), min(x1 / 2 + (j + 0.5) * wide, 8), 0) for j in range(4)]
                             for i in range(6)])
            np.testing.assert_allclose(box, fine.reshape(3, 2, 2, 2, 3).mean((1, 3)).transpose(2, 0, 1), 1e-4, 1e-5)

    def test_boxes_of_features_that_are_padding(self):
        """A box without width at x = 0 makes zeros and no gradient; one elsewhere, or of no height, is a box."""
        features = as_tensor(np.random.default_rng(4).uniform(1, 2, (1, 2, 10, 12)).astype(np.float32))
        boxes = [(0, 10, 0, 40), (0, 0, 0, 0), (-9e-4, 10, 9e-4, 40), (2e-3, 10, 0, 40), (0, 10, 2e-3, 40), (8, 10, 8, 40), (10, 0, 40, 0)]
        for mode in (0, 1):
            operator = ops.ROIAlign(2, 3, 0.25, 2, mode)
            for number, box in enumerate(boxes):
                roi = as_tensor(np.array([(0,) + box], np.float32))
                made, gradient = operator(features, roi).asnumpy(), plumb.grad(lambda x: operator(x, roi).sum())(features).asnumpy()
                self.assertEqual((made > 0).all(), number > 2, box)
                np.testing.assert_allclose(gradient.sum(), 12.0 if number > 2 else 0.0, rtol=1e-5)

    def test_bins_that_features_stand_for(self):
        """Means over bins as MindSpore's kernel cuts them, and gradients to the elements in them."""
        features = np.random.default_rng(5).normal(size=(2, 2 * 9, 11, 13)).astype(np.float32)
        rois = np.array([[[0, 0], [3.3, 40], [8, 2.7], [77, 95], [60, 3.1]], [[1, 0], [0, 12.5], [0, 44], [103, 13], [87, 80]]], np.float32)
        operator = ops.PSROIPooling(spatial_scale=1 / 8, group_size=3, output_dim=2)
        made, share = operator(Tensor(features), Tensor(rois)).asnumpy(), np.zeros_like(features)
        for number, (owner, *box) in enumerate(rois.transpose(0, 2, 1).reshape(-1, 5)):
            x1, y1, x2, y2 = (np.floor(side / 8 + 0.5) for side in box)
            for place in np.ndindex(2, 3, 3):
                sides = []
                for bin_, first, last, extent in ((place[1], y1, y2, 11), (place[2], x1, x2, 13)):
                    step = max(last - first, 0.1) / 3
                    sides.append(slice(int(np.floor(bin_ * step + first)), max(min(int(np.ceil((bin_ + 1) * step + first)), extent - 1), 0)))
                channel = (int(owner), np.ravel_multi_index(place, (2, 3, 3)))
                part = features[channel][tuple(sides)]
                self.assertAlmostEqual(made[(number, *place)], part.mean() if part.size else 0, 4, (number, place))
                share[channel][tuple(sides)] += 1 / max(part.size, 1)
        gradient = plumb.grad(lambda x: operator(x, Tensor(rois)).sum())(Tensor(features)).asnumpy()
        np.testing.assert_allclose(gradient, share, rtol=1e-5, atol=1e-6)

    def test_glimpses(self):
        x = np.arange(60.0).reshape(1, 6, 10, 1)
        made = ops.operations.image_ops.ExtractGlimpse(True, True, False, "zero")(as_tensor(x), Tensor([3, 4], plumb.int32), as_tensor([[0.9, 0.0]]))
        np.testing.assert_array_equal(made.asnumpy()[0, :, :, 0], [[43, 44, 45, 46], [53, 54, 55, 56], [0, 0, 0, 0]])
        noisy = ops.operations.image_ops.ExtractGlimpse(True, True)(as_tensor(x - 100), Tensor([3, 4], plumb.int32), as_tensor([[0.9, 0.0]]))
        self.assertTrue(np.all((noisy.asnumpy()[0, 2] >= 0) & (noisy.asnumpy()[0, 2] < 1)) and np.unique(noisy.asnumpy()[0, 2]).size > 2)

    def test_suppression(self):
        for threshold in (0.1, 0.3, 0.6):
            rows = np.concatenate([BOXES, SCORES[:, None]], 1)
            ordered, numbers_, stays = [value.asnumpy() for value in ops.NMSWithMask(threshold)(as_tensor(rows))]
            kept = suppressed(BOXES, SCORES, threshold)
            np.testing.assert_allclose(ordered[stays], rows[kept], 1e-6)
            self.assertEqual(numbers_.tolist(), list(range(40)))
            found = ops.NonMaxSuppressionV3()(as_tensor(BOXES), as_tensor(SCORES), 7, threshold, 0.2)
            self.assertEqual(found.asnumpy().tolist(), [number for number in kept if SCORES[number] > 0.2][:7])

    def test_boxes(self):
        others = BOXES[:9] + RNG.uniform(-5, 5, (9, 4))
        wide = np.maximum(np.minimum(BOXES[:, 2], others[:, None, 2]) - np.maximum(BOXES[:, 0], others[:, None, 0]) + 1, 0)
        high = np.maximum(np.minimum(BOXES[:, 3], others[:, None, 3]) - np.maximum(BOXES[:, 1], others[:, None, 1]) + 1, 0)
        area, own = ((box[:, 2] - box[:, 0] + 1) * (box[:, 3] - box[:, 1] + 1) for box in (BOXES, others))
        np.testing.assert_allclose(ops.iou(as_tensor(BOXES), as_tensor(others)).asnumpy(), wide * high / (own[:, None] + area - wide * high), 1e-4, 1e-6)
        np.testing.assert_allclose(ops.iou(as_tensor(BOXES), as_tensor(others), "iof").asnumpy(), wide * high / own[:, None], 1e-4, 1e-6)
        means, stds = (0.1, 0.2, 0.3, 0.4), (1.0, 2.0, 0.5, 0.3)
        deltas = ops.bounding_box_encode(as_tensor(BOXES), as_tensor(BOXES + 2), means, stds)
        np.testing.assert_allclose(deltas.asnumpy()[:, 2:], np.broadcast_to(-np.array(means[2:]) / stds[2:], (40, 2)), 1e-4, 1e-4)
        back = ops.bounding_box_decode(as_tensor(BOXES), deltas, (100, 70), means, stds)
        np.testing.assert_allclose(back.asnumpy(), np.minimum(BOXES + 2, [70, 100, 70, 100]), 1e-4, 1e-3)
        with self.assertRaisesRegex(ValueError, "'img_metas' must have 3 elements"):
            ops.check_valid(as_tensor(BOXES), as_tensor([60, 50, 1.5, 1.5]))
        valid = ops.check_valid(as_tensor(BOXES), as_tensor([60, 50, 1.5]))
        self.assertEqual(valid.asnumpy().tolist(), ((BOXES[:, 2] <= 74) & (BOXES[:, 3] <= 89)).tolist())

    def test_colours(self):
        colours = RNG.uniform(0, 1, (2, 5, 6, 3))
        colours[0, 0, 0], colours[0, 0, 1] = 0.0, 0.4

        def each(function):
            return np.apply_along_axis(lambda c: function(*c), -1, colours)
        np.testing.assert_allclose(ops.RGBToHSV()(as_tensor(colours)).asnumpy(), each(colorsys.rgb_to_hsv), 1e-4, 1e-5)
        np.testing.assert_allclose(ops.HSVToRGB()(as_tensor(colours)).asnumpy(), each(colorsys.hsv_to_rgb), 1e-4, 1e-5)

        def moved(r, g, b):
            h, s, v = colorsys.rgb_to_hsv(r, g, b)
            return colorsys.hsv_to_rgb((h - 0.7) % 1, s, v)

        def paler(r, g, b):
            h, s, v = colorsys.rgb_to_hsv(r, g, b)
            return colorsys.hsv_to_rgb(h, min(s * 1.6, 1), v)
        np.testing.assert_allclose(ops.AdjustHue()(as_tensor(colours), as_tensor(-0.7)).asnumpy(), each(moved), 1e-4, 1e-5)
        np.testing.assert_allclose(ops.AdjustSaturation()(as_tensor(colours), as_tensor(1.6)).asnumpy(), each(paler), 1e-4, 1e-5)

    def test_similarity(self):
        first = RNG.uniform(0, 1, (2, 3, 40, 45))
        second = np.clip(first + RNG.normal(0, 0.1, first.shape), 0, 1)
        np.testing.assert_allclose(nn.SSIM()(as_tensor(first), as_tensor(second)).asnumpy(), similarity(first, second, 11, 1.5)[0], 1e-4)
        np.testing.assert_allclose(nn.PSNR()(as_tensor(first), as_tensor(second)).asnumpy(),
                                   -10 * np.log10(((first - second) ** 2).mean((1, 2, 3))), 1e-5)
        np.testing.assert_allclose(nn.SSIM()(as_tensor(first), as_tensor(first)).asnumpy(), 1.0, 1e-5)
        with self.assertRaisesRegex(TypeError, "of one type"):
            nn.SSIM()(as_tensor(first), as_tensor(first).astype(plumb.float16))
        halved = [x.reshape(2, 3, 20, 2, 22, 2).mean((3, 5)) for x in (first[..., :44], second[..., :44])]
        spread = similarity(first, second, 7, 1.5)[1]
        last = np.stack([similarity(halved[0][:, [c]], halved[1][:, [c]], 7, 1.5)[0] for c in range(3)], 1)
        made = nn.MSSSIM(power_factors=(0.4, 0.6), filter_size=7)(as_tensor(first), as_tensor(second))
        np.testing.assert_allclose(made.asnumpy(), (spread ** 0.4 * last ** 0.6).mean(1), 1e-4)

    def test_parts(self):
        x = IMAGES.astype(np.float32)
        rows, columns = nn.ImageGradients()(Tensor(x))
        np.testing.assert_array_equal(rows.asnumpy()[:, :, :-1], np.diff(x, axis=2))
        np.testing.assert_array_equal(columns.asnumpy()[..., -1], 0)
        np.testing.assert_array_equal(nn.CentralCrop(0.5)(Tensor(x)).asnumpy(), x[:, :, 3:9, 2:7])

    def test_types(self):
        for make in (lambda: nn.CentralCrop(True), lambda: nn.CentralCrop(1), lambda: nn.PSNR(True), lambda: nn.SSIM("1"), lambda: nn.SSIM(1.0, 1.1),
                     lambda: nn.MSSSIM(True)):
            with self.assertRaises(TypeError):
                make()
        with self.assertRaisesRegex(ValueError, "'central_fraction'"):
            nn.CentralCrop(1.5)


class KnownValuesTest(unittest.TestCase):
    def test_argument_as_a_shape(self):
        """A tensor argument whose value decides shapes: a program for each value, found again."""
        class Net(nn.Cell):
            def construct(self, x, size):
                return ops.ResizeBilinearV2()(x, size) * 1.0

        net, x = Net(), as_tensor(IMAGES)
        for size in ((4, 5), (7, 2), (4, 5)):
            self.assertEqual(net(x, Tensor(size, plumb.int32)).shape, (2, 3) + size)
        size = Tensor([4, 5], plumb.int32)
        self.assertEqual(net(x, size).shape, (2, 3, 4, 5))
        size[0] = 6
        self.assertEqual(net(x, size).shape, (2, 3, 6, 5))

    def test_constants(self):
        table = Tensor([[1, 2], [0, 1]], plumb.int32)

        @plumb.jit
        def lists(x):
            return ops.mirror_pad(x, table, "REFLECT"), x * table.tolist()[0][1], x + table.item((0, 1))

        x = as_tensor(np.arange(12.0).reshape(3, 4))
        padded, doubled, moved = lists(x)
        np.testing.assert_array_equal(padded.asnumpy(), np.pad(x.asnumpy(), ((1, 2), (0, 1)), "reflect"))
        np.testing.assert_array_equal(doubled.asnumpy(), x.asnumpy() * 2)
        np.testing.assert_array_equal(moved.asnumpy(), x.asnumpy() + 2)
        with self.assertRaisesRegex(TypeError, "tolist.. needs a tensor that is known while compiling"):
            plumb.jit(lambda x: x * x.tolist()[0][0])(x)


if __name__ == "__main__":
    unittest.main()
