"""Images and signals at other sizes, values and gradients beside PyTorch's, and beside NumPy where PyTorch has no such map."""

import unittest

import numpy as np
import torch

import plumb
from plumb import Tensor, nn, ops
from numeric import numbers
from together import check

IMAGES, SIGNALS, VOLUMES = numbers(2, 3, 23, 17), numbers(2, 3, 19), numbers(1, 2, 5, 6, 7)
SIZES = ((46, 51), (11, 30), (1, 1), (23, 40))


def by_torch(x, size, mode, **options):
    return torch.nn.functional.interpolate(x, size, mode=mode, **options)


def cubic(x, size, corners=False):
    """NumPy's map by the four elements around, at positions rounded to 1024ths; along both axes.

    Half-pixel positions, and only what lies inside; or, where corners are aligned, the last elements repeated.
    """
    a = -0.75 if corners else -0.5

    def matrix(extent, wanted):
        places = np.arange(wanted) * (extent - 1) / max(wanted - 1, 1) if corners else (np.arange(wanted) + 0.5) * extent / wanted - 0.5
        numbers = np.arange(-2, extent + 2)
        distance = np.abs(np.rint(places[:, None] * 1024) / 1024 - numbers)
        near = (a + 2) * distance ** 3 - (a + 3) * distance ** 2 + 1
        far = a * (distance ** 3 - 5 * distance ** 2 + 8 * distance - 4)
        weights = np.where(distance <= 1, near, np.where(distance < 2, far, 0))
        if corners:
            weights[:, 2] += weights[:, :2].sum(1)
            weights[:, -3] += weights[:, -2:].sum(1)
        weights = weights[:, 2:-2]
        return torch.tensor(weights / weights.sum(1, keepdims=True))
    return torch.einsum("ih,nchw,jw->ncij", matrix(x.shape[2], size[0]), x, matrix(x.shape[3], size[1]))


def area(x, size, corners):
    """Means over stretches of NHWC images, by many small steps along both axes."""
    def matrix(extent, wanted):
        step = (extent - 1) / (wanted - 1) if corners and wanted > 1 else extent / wanted
        fine = np.arange(wanted)[:, None] * step + (np.arange(4000) + 0.5) / 4000 * step
        marks = np.minimum(fine.astype(int), extent - 1)
        return np.stack([(marks == at).mean(1) for at in range(extent)], 1)
    return np.einsum("ih,nhwc,jw->nijc", matrix(x.shape[1], size[0]), x, matrix(x.shape[2], size[1]))


def cases():
    """All modes at all sizes."""
    for size in SIZES:
        for mode in ("nearest", "nearest-exact", "bilinear", "area"):
            yield f"{mode} {size}", lambda x, s=size, m=mode: ops.interpolate(x, s, mode=m), lambda x, s=size, m=mode: by_torch(x, s, m), IMAGES
        yield (f"bilinear aligned {size}", lambda x, s=size: ops.interpolate(x, s, mode="bilinear", align_corners=True),
               lambda x, s=size: by_torch(x, s, "bilinear", align_corners=True), IMAGES)
        yield (f"bicubic aligned {size}", lambda x, s=size: ops.interpolate(x, s, mode="bicubic", align_corners=True),
               lambda x, s=size: cubic(x, s, True), IMAGES)
        yield f"bicubic {size}", lambda x, s=size: ops.interpolate(x, s, mode="bicubic"), lambda x, s=size: cubic(x, s), IMAGES
    yield "linear", lambda x: ops.interpolate(x, 31, mode="linear"), lambda x: by_torch(x, 31, "linear"), SIGNALS
    yield "trilinear", lambda x: ops.interpolate(x, (9, 4, 7), mode="trilinear"), lambda x: by_torch(x, (9, 4, 7), "trilinear"), VOLUMES
    yield "nearest of volumes", lambda x: ops.interpolate(x, (9, 4, 14)), lambda x: by_torch(x, (9, 4, 14), "nearest"), VOLUMES
    yield ("factor", lambda x: ops.interpolate(x, scale_factor=1.7, mode="bilinear"),
           lambda x: by_torch(x, None, "bilinear", scale_factor=1.7), IMAGES)
    yield ("factor by extents", lambda x: ops.interpolate(x, None, (1.7, 2.3), "bilinear", None, True), lambda x: by_torch(
        x, None, "bilinear", scale_factor=(1.7, 2.3), recompute_scale_factor=True), IMAGES)


class ResizeTest(unittest.TestCase):
    def test_beside_torch(self):
        check(self, cases())

    def test_double(self):
        check(self, list(cases())[:7], np.float64)

    def test_classes(self):
        check(self, [
            ("ResizeBilinear", lambda x: ops.ResizeBilinear((40, 11), True)(x), lambda x: by_torch(x, (40, 11), "bilinear", align_corners=True),
             IMAGES),
            ("ResizeBilinearV2", lambda x: ops.ResizeBilinearV2(False, True)(x, (40, 11)), lambda x: by_torch(x, (40, 11), "bilinear"), IMAGES),
            ("ResizeLinear1D", lambda x: ops.ResizeLinear1D("half_pixel")(x, (31,)), lambda x: by_torch(x, 31, "linear"), SIGNALS),
            ("ResizeBicubic", lambda x: ops.ResizeBicubic(True)(x, (30, 20)), lambda x: cubic(x, (30, 20), True), IMAGES),
            ("ResizeNearestNeighborV2", lambda x: ops.ResizeNearestNeighborV2()(x, (2, 13)),
             lambda x: by_torch(x.permute(0, 3, 1, 2), (2, 13), "nearest").permute(0, 2, 3, 1), IMAGES),
            ("UpsampleTrilinear3D", lambda x: ops.UpsampleTrilinear3D([9, 8, 9], align_corners=True)(x),
             lambda x: by_torch(x, (9, 8, 9), "trilinear", align_corners=True), VOLUMES),
            ("UpsampleNearest3D", lambda x: ops.UpsampleNearest3D([9, 8, 9])(x), lambda x: by_torch(x, (9, 8, 9), "nearest"), VOLUMES),
            ("nn.Upsample", lambda x: nn.Upsample(scale_factor=2, mode="bilinear")(x), lambda x: by_torch(
                x, None, "bilinear", scale_factor=2), IMAGES),
            ("nn.ResizeBilinear", lambda x: nn.ResizeBilinear(True)(x, None, 2), lambda x: by_torch(x, (46, 34), "bilinear"), IMAGES)])

    def test_cubic_of_mindspore(self):
        """Numbers that MindSpore 2.0.0 gives."""
        x = Tensor([[[[0.003088, 0.313131, 0.481231, 0.326219, 0.190293], [0.711616, 0.583990, 0.718121, 0.258823, 0.121847],
                      [0.781316, 0.591508, 0.858185, 0.091935, 0.444639]]]], plumb.float32)
        expected = [[0.03822611, 0.46333972, 0.22834322], [0.28746387, 0.5581466, 0.18683837], [0.67183554, 0.718121, 0.1437704],
                    [0.7293942, 0.8196158, 0.25528505], [0.7234655, 0.8687634, 0.3344739]]
        np.testing.assert_allclose(ops.interpolate(x, (5, 3), mode="bicubic").asnumpy()[0, 0], expected, rtol=2e-7)

    def test_legacy_positions(self):
        x = np.arange(4.0, dtype=np.float32)
        for taps, expected in ((ops.ResizeBilinearV2(), [0, 4 / 7, 8 / 7, 12 / 7, 16 / 7, 20 / 7, 3]),
                               (ops.ResizeNearestNeighborV2(True, data_format="NCHW"), [0, 1, 1, 2, 2, 3, 3])):
            made = taps(Tensor(x.reshape(1, 1, 1, 4)), Tensor([1, 7], plumb.int32))
            np.testing.assert_allclose(made.asnumpy().ravel(), expected, 1e-6)

    def test_older_names(self):
        """As MindSpore 1.8 to 1.10 name the arguments: corners are aligned by default, and factors stand for each axis."""
        for given, wanted in (({"sizes": (11, 30), "mode": "bilinear", "coordinate_transformation_mode": "half_pixel", "roi": None},
                               {"size": (11, 30), "mode": "bilinear", "align_corners": False}),
                              ({"scales": (1.0, 1.0, 2.0, 1.5), "mode": "bilinear"}, {"size": (46, 25), "mode": "bilinear", "align_corners": True}),
                              ({"sizes": (30,)}, {"size": 30, "mode": "linear", "align_corners": True})):
            x = torch.tensor(SIGNALS if wanted["mode"] == "linear" else IMAGES)
            made = ops.interpolate(Tensor(x.numpy()), **given).asnumpy()
            np.testing.assert_allclose(made, torch.nn.functional.interpolate(x, **wanted), rtol=1e-5, atol=1e-6)
        with self.assertRaisesRegex(ValueError, "'mode' must be 'linear' for inputs of 3 axes or 'bilinear' for 4"):
            ops.interpolate(Tensor(IMAGES), sizes=(3, 3))
        for options in ({"sizes": (3, 3), "align_corners": False}, {"sizes": (3, 3), "size": (3, 3)},
                        {"size": (3, 3), "coordinate_transformation_mode": "half_pixel"}):
            with self.assertRaisesRegex(ValueError, "not beside them"):
                ops.interpolate(Tensor(IMAGES), mode="bilinear", **options)
        with self.assertRaisesRegex(ValueError, "the first two of them 1"):
            ops.interpolate(Tensor(IMAGES), scales=(2.0, 1.0, 2.0, 2.0), mode="bilinear")

    def test_nearest_of_integers(self):
        """Integers have gradients, too: how often each element was taken."""
        for dtype in (np.int32, np.int64, np.uint8, np.float32):
            x = Tensor(np.ones((1, 1, 4, 6), dtype))
            found = plumb.grad(lambda x: ops.ResizeNearestNeighbor((7, 3))(x))(x)
            np.testing.assert_array_equal(found.asnumpy()[0, 0], np.outer([2, 2, 2, 1], [1, 0, 1, 0, 1, 0]))
            self.assertEqual(found.asnumpy().dtype, dtype)

    def test_area(self):
        images = IMAGES.transpose(0, 2, 3, 1).astype(np.float32)
        for size in ((10, 30), (46, 5)):
            for corners in (False, True):
                made = ops.ResizeArea(corners)(Tensor(images), Tensor(size, plumb.int32))
                np.testing.assert_allclose(made.asnumpy(), area(images, size, corners), 2e-3, 2e-3)

    def test_kernels(self):
        images = Tensor(np.eye(12, dtype=np.float32).reshape(12, 12, 1, 1))
        scale, moved = Tensor([0.55, 1.0], plumb.float32), Tensor([0.31, 0.0], plumb.float32)
        middle = (np.arange(6)[:, None] + 0.5 - 0.31) / 0.55
        for antialias in (True, False):
            x = np.abs(np.arange(12) + 0.5 - middle) * (0.55 if antialias else 1.0)
            for name, weights in (("triangle", np.maximum(1 - x, 0)), ("lanczos3", np.where(x < 3, np.sinc(x) * np.sinc(x / 3), 0))):
                made = ops.ScaleAndTranslate(name, antialias)(images, Tensor([6, 1], plumb.int32), scale, moved)
                np.testing.assert_allclose(made.asnumpy()[:, :, 0, 0].T, weights / weights.sum(1, keepdims=True), 1e-4, 1e-5)

    def test_half(self):
        made = ops.interpolate(Tensor(IMAGES.astype(np.float16)), (30, 40), mode="bilinear")
        self.assertEqual(made.dtype, plumb.float16)
        expected = by_torch(torch.tensor(IMAGES.astype(np.float16).astype(np.float64)), (30, 40), "bilinear").numpy()
        np.testing.assert_allclose(made.asnumpy(), expected, 1e-3, 1e-3)

    def test_infinities_stay_where_they_are(self):
        x = np.zeros((1, 1, 4, 4), np.float32)
        x[0, 0, 3, 3] = np.inf
        made = ops.interpolate(Tensor(x), (8, 8), mode="bilinear").asnumpy()
        self.assertTrue(np.all(made[0, 0, :5] == 0) and np.isinf(made[0, 0, 7, 7]))

    def test_refusals(self):
        x = Tensor(IMAGES.astype(np.float32))
        for words, options in (("one of", {}), ("'mode' must be in", {"size": 2, "mode": "cubic"}), ("takes inputs of", {"size": 2, "mode": "linear"}),
                               ("does not go with mode", {"size": 2, "align_corners": True}), ("does not go with 'size'", {
                                   "size": 2, "recompute_scale_factor": True}), ("above 0", {"size": (0, 2)}), ("2 of them", {"size": (2, 2, 2)})):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                ops.interpolate(x, **options)
        with self.assertRaisesRegex(ValueError, "exclude each other"):
            ops.ResizeBilinearV2(True, True)(x, (2, 2))


if __name__ == "__main__":
    unittest.main()
