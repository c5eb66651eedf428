"""Operations on images of Pillow: Pillow's arithmetic, and images of Pillow until `ToTensor` or `ToNumpy`; and how arrays are resized."""

import io
import unittest

import numpy as np
from PIL import Image, ImageEnhance, ImageOps

from plumb import dataset
from plumb.dataset import vision
from plumb.dataset.vision import py_transforms

INTER = vision.Inter
NUMBERS = np.random.default_rng(0)
ARRAY = NUMBERS.integers(0, 256, (32, 40, 3), dtype=np.uint8)
IMAGE = Image.fromarray(ARRAY)


def enhanced(kind, factor, image=IMAGE):
    return getattr(ImageEnhance, kind)(image).enhance(factor)


class PillowImagesTest(unittest.TestCase):

    def check(self, operation, expected, image=IMAGE):
        """The operation gives an image of Pillow with the pixels of another."""
        result = operation(image)
        self.assertIsInstance(result, Image.Image, operation)
        np.testing.assert_array_equal(np.asarray(result), np.asarray(expected), type(operation).__name__)

    def test_sizes(self):
        for method, theirs in ((INTER.NEAREST, Image.NEAREST), (INTER.LINEAR, Image.BILINEAR), (INTER.CUBIC, Image.BICUBIC),
                               (INTER.ANTIALIAS, Image.LANCZOS)):
            self.check(vision.Resize((20, 25), method), IMAGE.resize((25, 20), theirs))
            self.check(vision.RandomResizedCrop((20, 20), (1, 1), (1.25, 1.25), method), IMAGE.resize((20, 20), theirs))
        self.check(vision.Resize(16), IMAGE.resize((20, 16), Image.BILINEAR))
        self.check(vision.CenterCrop((50, 60)), ImageOps.expand(IMAGE, (10, 9), 0))
        self.check(vision.Pad((1, 2, 3, 4), (5, 6, 7)), ImageOps.expand(IMAGE, (1, 2, 3, 4), (5, 6, 7)))
        self.check(vision.RandomCrop((34, 42), 1), ImageOps.expand(IMAGE, 1, 0))
        self.check(vision.RandomCrop((32, 40), pad_if_needed=True), IMAGE)
        self.assertRaisesRegex(ValueError, "smaller", vision.RandomCrop(50), IMAGE)
        self.assertRaisesRegex(ValueError, "not inside", vision.FiveCrop(50), IMAGE)

    def test_several(self):
        five = vision.FiveCrop((4, 5))(IMAGE)
        for part, top, left in zip(five, (0, 0, 28, 28, 14), (0, 35, 0, 35, 18)):
            np.testing.assert_array_equal(np.asarray(part), ARRAY[top:top + 4, left:left + 5])
        for vertical in (False, True):
            ten = vision.TenCrop((4, 5), vertical)(IMAGE)
            np.testing.assert_array_equal(np.asarray(ten[5]), (ARRAY[::-1] if vertical else ARRAY[:, ::-1])[:4, :5])

    def test_colours(self):
        for name, kind in (("Brightness", "Brightness"), ("Contrast", "Contrast"), ("Saturation", "Color")):
            self.check(getattr(vision, f"Adjust{name}")(1.5), enhanced(kind, 1.5))
        self.check(vision.RandomColor((0.3, 0.3)), enhanced("Color", 0.3))
        self.check(vision.RandomSharpness((1.7, 1.7)), enhanced("Sharpness", 1.7))
        self.check(vision.AutoContrast(10.0, [3, 4]), ImageOps.autocontrast(IMAGE, 10.0, [3, 4]))
        self.check(vision.Equalize(), ImageOps.equalize(IMAGE))
        self.check(vision.Invert(), ImageOps.invert(IMAGE))
        self.check(vision.Grayscale(1), IMAGE.convert("L"))
        self.check(vision.RandomGrayscale(1.0), Image.merge("RGB", (IMAGE.convert("L"),) * 3))
        self.check(vision.RandomGrayscale(0.0), IMAGE)
        self.check(vision.AdjustGamma(1.0, 0.5), np.round((256 - 1e-3) * 0.5 * (ARRAY / 255.0)))
        self.check(vision.AdjustHue(0.0), IMAGE.convert("HSV").convert("RGB"))
        self.assertIsInstance(vision.RandomLighting(0.1)(IMAGE), Image.Image)

    def test_colours_in_random_order(self):
        plain = lambda image: image.convert("HSV").convert("RGB")
        choices = [np.asarray(plain(enhanced("Brightness", 1.5))), np.asarray(enhanced("Brightness", 1.5, plain(IMAGE)))]
        found = [np.asarray(vision.RandomColorAdjust((1.5, 1.5))(IMAGE)) for _ in range(20)]
        self.assertTrue(all(any(np.array_equal(one, choice) for choice in choices) for one in found))
        self.assertRaisesRegex(ValueError, "hue", vision.RandomColorAdjust, hue=0.6)
        red = np.full((2, 2, 3), (200, 0, 0), np.uint8)
        for image in (red, Image.fromarray(red)):
            self.assertEqual(np.asarray(vision.RandomColorAdjust(hue=(1 / 3, 1 / 3))(image))[0, 0, 1], 200)

    def test_places(self):
        self.check(vision.RandomHorizontalFlip(1.0), ARRAY[:, ::-1])
        self.check(vision.RandomVerticalFlip(1.0), ARRAY[::-1])
        self.check(vision.RandomHorizontalFlip(0.0), ARRAY)
        self.check(vision.RandomRotation((30, 30), INTER.BILINEAR, True), IMAGE.rotate(30, Image.BILINEAR, True))
        corners = [(0, 0), (39, 0), (39, 31), (0, 31)]
        self.check(vision.Perspective(corners, corners, INTER.NEAREST), IMAGE)
        flipped = [corners[at] for at in (1, 0, 3, 2)]
        self.assertGreater((np.asarray(vision.Perspective(corners, flipped, INTER.NEAREST)(IMAGE))[:, :-1] == ARRAY[:, -2::-1]).mean(), 0.99)
        self.assertIsInstance(vision.RandomPerspective(0.5, 1.0)(IMAGE), Image.Image)

    def test_affine_maps(self):
        """Sums that MindSpore 2.0.0 gives of this image."""
        for total, settings in ((492860, {"degrees": (30, 30), "scale": (1.5, 1.5)}), (470751, {"degrees": (0, 0), "shear": (10, 10)}),
                                (413890, {"degrees": (0, 0), "shear": (0, 0, 20, 20)}), (413289, {"degrees": (30, 30), "fill_value": 7}),
                                (457659, {"degrees": (30, 30), "shear": (10, 10, 20, 20), "scale": (1.2, 1.2)})):
            self.assertEqual(np.asarray(vision.RandomAffine(**settings)(IMAGE)).sum(), total, settings)

    def test_a_pipeline(self):
        file = io.BytesIO()
        IMAGE.save(file, "PNG")
        files = {"image": np.frombuffer(file.getvalue(), np.uint8)[np.newaxis]}
        expected = np.asarray(IMAGE.resize((20, 16), Image.BILINEAR)).transpose(2, 0, 1) / np.float32(255)
        for decode in (vision.Decode(True), py_transforms.Decode()):
            data = dataset.NumpySlicesDataset(files, shuffle=False).map([decode, vision.Resize(16), vision.ToTensor()], "image")
            np.testing.assert_allclose(next(iter(data))[0].asnumpy(), expected, rtol=1e-6)
        data = dataset.NumpySlicesDataset(files, shuffle=False).map(
            [vision.Decode(True), vision.Resize(16), vision.Rescale(1 / 255, 0.0), vision.HWC2CHW()], "image")
        np.testing.assert_allclose(next(iter(data))[0].asnumpy(), expected, rtol=1e-6)

    def test_others_give_arrays(self):
        for operation in (vision.HorizontalFlip(), vision.VerticalFlip(), vision.Rotate(30), vision.Posterize(3), vision.ToNumpy()):
            np.testing.assert_array_equal(operation(IMAGE), operation(ARRAY))
            self.assertIsInstance(operation(IMAGE), np.ndarray)


class CubicTest(unittest.TestCase):
    """Arrays resized by cubic kernels."""

    def test_pillows(self):
        for shape, size in (((32, 40, 3), (20, 25)), ((9, 7), (20, 30))):
            image = NUMBERS.integers(0, 256, shape, dtype=np.uint8)
            np.testing.assert_array_equal(vision.Resize(size, INTER.PILCUBIC)(image), Image.fromarray(image).resize(size[::-1], Image.BICUBIC))

    def test_opencvs(self):
        same = vision.Resize((32, 40), INTER.CUBIC)(ARRAY)
        np.testing.assert_array_equal(same, ARRAY)
        halves = vision.Resize((32, 20), INTER.CUBIC)(ARRAY)[:, 1:-1].astype(np.float64)
        taps = np.lib.stride_tricks.sliding_window_view(ARRAY, 4, 1)[:, 1::2][:, :18] @ np.asarray([-3, 19, 19, -3]) / 32
        np.testing.assert_allclose(halves, np.clip(taps, 0, 255), atol=0.51)
        numbers = vision.Resize((32, 20), INTER.CUBIC)(ARRAY.astype(np.float32))
        np.testing.assert_allclose(numbers[:, 1:-1], taps, atol=1e-3)
        self.assertEqual(vision.Resize(16, INTER.CUBIC)(ARRAY[..., 0]).shape, (16, 20))
        data = dataset.NumpySlicesDataset({"image": ARRAY[np.newaxis]}, shuffle=False).map(vision.Resize((32, 20), INTER.CUBIC), "image")
        np.testing.assert_array_equal(next(iter(data))[0].asnumpy()[:, 1:-1], halves)

    def test_others(self):
        self.assertRaisesRegex(ValueError, "ANTIALIAS", vision.Resize(3, INTER.ANTIALIAS), ARRAY)


if __name__ == "__main__":
    unittest.main()
