"""Operations on images: bytes that MindSpore 2.0.0 gives (test/data/vision/golden.txt), Pillow, colorsys and closed forms."""

import colorsys
import io
import os
import pathlib
import tempfile
import unittest

import numpy as np
from PIL import Image, ImageOps

from plumb import dataset
from plumb.dataset import vision
from plumb.dataset.vision import augment, py_transforms_util as pillow

GOLDEN = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../data/vision/golden.txt")
#: Operations whose weights OpenCV rounds, and by how much results may differ.
ROUNDED = {"GaussianBlur": 1, "BICUBIC": 1}


def images():
    """The two images of tools/dev/make_vision_golden.py."""
    rows, columns = np.meshgrid(np.arange(11), np.arange(9), indexing="ij")
    noise = np.random.RandomState(20).randint(0, 256, (11, 9, 3), dtype=np.uint8)
    return noise, np.stack([rows * 20, columns * 25, (rows + columns) * 12], axis=2).astype(np.uint8)


def photograph(seed=3, shape=(60, 80, 3)):
    """A smooth image with noise."""
    rng = np.random.default_rng(seed)
    base = np.linspace(0, 200, shape[0] * shape[1]).reshape(shape[:2] + (1,))
    return (base + rng.integers(0, 55, shape)).astype(np.uint8)


class GoldenTest(unittest.TestCase):
    """Every operation without chance, beside MindSpore's result."""

    def test_golden(self):
        results, seen = {}, {}
        with open(GOLDEN, encoding="ascii") as file:
            for line in file:
                expression, number, shape, kind, content = line.rstrip("\n").split("\t")
                key = expression, int(number)
                if key not in results:
                    made = eval(expression, vars(vision))(images()[key[1]])  # pylint: disable=eval-used
                    results[key] = made if isinstance(made, tuple) else (made,)
                place = seen.setdefault(key, 0)
                seen[key] += 1
                expected = np.frombuffer(bytes.fromhex(content), kind).reshape(tuple(map(int, shape.split())))
                with self.subTest(expression=expression, image=number, part=place):
                    self.compare(expression, results[key][place], expected)
        self.assertGreater(len(results), 80)
        self.assertEqual({key: len(parts) for key, parts in results.items()}, seen)

    def compare(self, expression, result, expected):
        """Compares a result with what is expected of it."""
        self.assertEqual((result.shape, result.dtype), (expected.shape, expected.dtype))
        allowed = max([limit for word, limit in ROUNDED.items() if word in expression], default=0)
        self.assertLessEqual(np.abs(result.astype(int) - expected.astype(int)).max(), allowed)


class ColoursTest(unittest.TestCase):
    """Pillow and colorsys."""

    def test_pillow(self):
        image = photograph()
        picture = Image.fromarray(image)
        np.testing.assert_array_equal(vision.Posterize(4)(image), np.asarray(ImageOps.posterize(picture, 4)))
        np.testing.assert_array_equal(vision.Solarize(128)(image), np.asarray(ImageOps.solarize(picture, 128)))
        difference = vision.AutoContrast(2)(image).astype(int) - np.asarray(ImageOps.autocontrast(picture, 2)).astype(int)
        self.assertLessEqual(np.abs(difference).max(), 1)

    def test_halves_between_bytes(self):
        """MindSpore 2.0.0's bytes of colours times 1.7, whose sums end near halves."""
        pixels = np.array([[[12, 21, 96], [187, 46, 157], [28, 227, 87], [146, 65, 82], [195, 207, 15], [115, 105, 125]]], np.uint8)
        by_image = [[1, 17, 144], [247, 7, 196], [0, 255, 41], [184, 47, 76], [204, 224, 0], [118, 102, 136]]
        by_grey = [[2, 17, 144], [247, 8, 196], [0, 255, 42], [185, 47, 76], [204, 225, 0], [118, 101, 136]]
        for operation, expected in ((vision.RandomColor((1.7, 1.7)), by_image), (vision.AdjustSaturation(1.7), by_grey),
                                    (vision.RandomColorAdjust(saturation=(1.7, 1.7)), by_grey)):
            self.assertEqual(operation(pixels)[0].tolist(), expected, type(operation).__name__)

    def test_hue(self):
        image = photograph(shape=(6, 7, 3))
        hsv = vision.RgbToHsv(is_hwc=True)(image)
        expected = [[colorsys.rgb_to_hsv(*pixel) for pixel in row] for row in image.tolist()]
        np.testing.assert_allclose(hsv, expected, rtol=1e-12)
        np.testing.assert_allclose(vision.HsvToRgb(is_hwc=True)(hsv), image, atol=1e-10)
        batch = np.stack([image, image[::-1]]).transpose(0, 3, 1, 2)
        np.testing.assert_allclose(vision.HsvToRgb()(vision.RgbToHsv()(batch)), batch, atol=1e-10)

    def test_normalize_pad(self):
        image = photograph(shape=(5, 4, 3))
        result = vision.NormalizePad([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], "float16")(image)
        self.assertEqual((result.shape, result.dtype), ((5, 4, 4), np.float16))
        np.testing.assert_allclose(result[..., :3], (image - [1.0, 2.0, 3.0]) / [4.0, 5.0, 6.0], rtol=1e-3, atol=1e-3)
        self.assertFalse(result[..., 3].any())
        first = vision.NormalizePad([1.0] * 3, [4.0] * 3, is_hwc=False)(image.transpose(2, 0, 1))
        self.assertEqual(first.shape, (4, 5, 4))

    def test_linear(self):
        image = np.random.default_rng(1).normal(size=(3, 4, 5))
        matrix, mean = np.random.default_rng(2).normal(size=(60, 60)), np.arange(60.0)
        result = vision.LinearTransformation(matrix, mean)(image)
        np.testing.assert_allclose(result.reshape(-1), (image.reshape(-1) - mean) @ matrix)
        with self.assertRaisesRegex(ValueError, "square"):
            vision.LinearTransformation(matrix[:5], mean)


class VideosTest(unittest.TestCase):
    """Operations that MindSpore 2.0.0 offers for videos, frame by frame."""

    def test_frames(self):
        video = np.random.default_rng(3).integers(0, 256, (2, 3, 8, 10, 3)).astype(np.uint8)
        for operation in (vision.HorizontalFlip(), vision.VerticalFlip(), vision.CenterCrop(4), vision.AdjustGamma(1.5), vision.Rotate(30),
                          vision.RandomHorizontalFlip(1.0), vision.RandomVerticalFlip(1.0), vision.Resize((4, 6)), vision.Resize(5, vision.Inter.CUBIC),
                          vision.Resize(5, vision.Inter.AREA), vision.Normalize([1, 2, 3], [4, 5, 6]), vision.Normalize([1] * 8, [4] * 8, is_hwc=False)):
            expected = np.stack([np.stack([operation(frame) for frame in part]) for part in video])
            np.testing.assert_array_equal(operation(video), expected)
            rows = dataset.NumpySlicesDataset({"video": video}, shuffle=False).map([operation], "video")
            np.testing.assert_array_equal([row[0].asnumpy() for row in rows], expected)

    def test_chance(self):
        """All frames change alike."""
        frame = np.random.default_rng(4).integers(0, 256, (16, 16, 3)).astype(np.uint8)
        for operation in (vision.RandomCrop(4), vision.RandomResizedCrop(4), vision.RandomHorizontalFlip(0.5)):
            first, second = operation(np.stack([frame, frame]))
            np.testing.assert_array_equal(first, second)

    def test_images_alone(self):
        with self.assertRaisesRegex(ValueError, "works on images of shape"):
            vision.Invert()(np.zeros((2, 4, 4, 3), np.uint8))


class PartsTest(unittest.TestCase):
    """Crops, patches and what covers parts."""

    def test_crops(self):
        image = photograph()
        parts = vision.TenCrop((20, 30))(image)
        self.assertEqual([part.shape for part in parts], [(20, 30, 3)] * 10)
        np.testing.assert_array_equal(parts[3], image[40:, 50:])
        np.testing.assert_array_equal(parts[4], image[20:40, 25:55])
        np.testing.assert_array_equal(parts[5], image[:, ::-1][:20, :30])
        with self.assertRaisesRegex(ValueError, "not inside"):
            vision.FiveCrop(70)(image)

    def test_erasing(self):
        image = photograph().transpose(2, 0, 1)
        covered = [vision.RandomErasing(1.0, (0.1, 0.2), (0.5, 2.0), 255)(image) for _ in range(50)]
        shares = [(part != image).any(axis=0).mean() for part in covered]
        self.assertTrue(all(0.08 < share < 0.22 for share in shares), shares)
        np.testing.assert_array_equal(vision.RandomErasing(0.0)(image), image)

    def test_boxes(self):
        image, boxes = photograph(), np.asarray([[10, 5, 20, 30], [50, 20, 30, 40]], np.float32)
        flipped, moved = vision.RandomHorizontalFlipWithBBox(1.0)(image, boxes)
        np.testing.assert_array_equal(moved[:, 0], 80 - boxes[:, 0] - boxes[:, 2])
        np.testing.assert_array_equal(flipped[5:35, 50:70], image[5:35, 10:30][:, ::-1])
        _, moved = vision.RandomVerticalFlipWithBBox(1.0)(image, boxes)
        np.testing.assert_array_equal(moved[:, 1], [25, 0])
        resized, moved = vision.ResizeWithBBox((30, 160))(image, boxes)
        self.assertEqual(resized.shape, (30, 160, 3))
        np.testing.assert_array_equal(moved[0], [20, 2.5, 40, 15])
        for _ in range(20):
            part, moved = vision.RandomCropWithBBox((40, 40), 3)(image, boxes)
            self.assertEqual(part.shape, (40, 40, 3))
            self.assertTrue((moved[:, :2] + moved[:, 2:4] <= 40).all() and (moved >= 0).all())
        with self.assertRaisesRegex(ValueError, "within the image"):
            vision.RandomCropWithBBox((4, 4))(image, boxes + 50)

    def test_boxes_are_chosen_one_by_one(self):
        image, boxes = np.zeros((40, 60, 3), np.uint8), np.asarray([[2, 3, 10, 12], [30, 20, 20, 10]], np.float32)
        operation = vision.BoundingBoxAugment(vision.Invert(), 0.7)
        found = [tuple(bool(part[row, column, 0]) for row, column in ((5, 5), (25, 35))) for part in (
            operation(image, boxes)[0] for _ in range(1000))]
        for choice, chance in (((True, True), 0.49), ((True, False), 0.21), ((False, True), 0.21), ((False, False), 0.09)):
            self.assertAlmostEqual(found.count(choice) / 1000, chance, delta=0.07)
        self.assertEqual(int((vision.BoundingBoxAugment(vision.Invert(), 1.0)(image, boxes)[0][..., 0] == 255).sum()), 320)

    def test_crop_keeps_pixels_in_boxes(self):
        image = np.zeros((50, 60, 1), np.uint8)
        image[10:30, 20:50] = 200
        for _ in range(20):
            part, moved = vision.RandomCropWithBBox((35, 35), 2)(image, np.asarray([[20, 10, 30, 20]], np.int32))
            left, top, width, height = moved[0]
            self.assertEqual(int((part > 0).sum()), width * height)
            self.assertTrue((part[top:top + height, left:left + width] == 200).all())


class ChanceTest(unittest.TestCase):
    """Random operations: what they never change, and how often they act."""

    OPERATIONS = [vision.RandomColor((0.5, 1.5)), vision.RandomSharpness(), vision.RandomLighting(0.1), vision.RandomRotation(20),
                  vision.RandomAffine(20, (-0.1, 0.1), (0.8, 1.2), 10), vision.RandomPerspective(prob=1.0), vision.RandomSolarize(),
                  vision.RandomPosterize((2, 6)), vision.RandAugment(), vision.TrivialAugmentWide(), vision.AutoAugment(),
                  vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10), vision.AutoAugment(vision.AutoAugmentPolicy.SVHN),
                  vision.UniformAugment([vision.Invert(), vision.Equalize()], 2),
                  vision.RandomAdjustSharpness(2.0), vision.RandomAutoContrast(), vision.RandomEqualize(), vision.RandomInvert(),
                  vision.RandomGrayscale(0.5), vision.RandomSelectSubpolicy([[(vision.Invert(), 0.5)], [(vision.Equalize(), 1.0)]])]

    def test_forms(self):
        image = photograph()
        for operation in self.OPERATIONS:
            with self.subTest(operation=type(operation).__name__):
                results = [operation(image) for _ in range(12)]
                self.assertEqual({(result.shape, result.dtype.name) for result in results}, {((60, 80, 3), "uint8")})
                self.assertGreater(len({result.tobytes() for result in results}), 1)

    def test_no_magnitude_is_no_change(self):
        image = photograph()
        for name in ("ShearX", "TranslateY", "Rotate", "Color", "Contrast", "Brightness", "Sharpness"):
            result = augment.applied(name, 0.0, image, vision.Inter.BILINEAR, (0, 0, 0))
            np.testing.assert_array_equal(result, image, err_msg=name)

    def test_translation_is_by_pixels(self):
        image = photograph()
        result = augment.applied("TranslateX", 7, image, vision.Inter.NEAREST, (1, 2, 3))
        np.testing.assert_array_equal(result[:, 7:], image[:, :-7])
        self.assertTrue((result[:, :7] == [1, 2, 3]).all())

    def test_policies_have_25_pairs(self):
        for policy in vision.AutoAugmentPolicy:
            self.assertEqual(len(augment.policy_of(policy)), 25)

    def test_affine_translation_is_by_parts_of_pixels(self):
        """0.2 of 17 pixels are 3.4 (in 32nds: 3 and 13 / 32)."""
        image = photograph(shape=(13, 17, 3))
        result = vision.RandomAffine((0, 0), (0.2, 0.2), resample=vision.Inter.BILINEAR)(image)
        wide = image.astype(float)
        expected = wide[:, 1:14] * (19 / 32) + wide[:, 0:13] * (13 / 32)
        self.assertLessEqual(np.abs(result[:, 4:].astype(float) - expected).max(), 0.51)

    def test_same_order_of_numbers_for_workers(self):
        rows = dataset.NumpySlicesDataset({"image": np.stack([photograph(i, (8, 9, 3)) for i in range(12)])}, shuffle=False)
        def run(workers):
            dataset.config.set_seed(5)
            data = rows.map([vision.RandomRotation(30), vision.RandAugment()], "image", num_parallel_workers=workers)
            return [row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        np.testing.assert_array_equal(run(1), run(3))


class MixtureTest(unittest.TestCase):
    """CutMix and MixUp."""

    def setUp(self):
        self.image = np.stack([np.full((20, 30, 3), 10 * number, np.uint8) for number in range(8)])
        self.label = np.eye(8, dtype=np.float32)

    def test_cut_mix(self):
        mixed, label = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)(self.image, self.label)
        np.testing.assert_allclose(label.sum(1), 1, rtol=1e-6)
        for number in range(8):
            own = (mixed[number] == 10 * number).all(-1).mean()
            other = np.flatnonzero((label[number] > 0) & (np.arange(8) != number))
            if other.size:
                self.assertAlmostEqual(label[number, number], own, places=5)
        first, _ = vision.CutMixBatch(vision.ImageBatchFormat.NCHW, prob=0.0)(self.image.transpose(0, 3, 1, 2), self.label)
        np.testing.assert_array_equal(first, self.image.transpose(0, 3, 1, 2))

    def test_mix_up(self):
        mixed, label = vision.MixUp(8, 0.4)(self.image, self.label)
        shares = np.diagonal(label)
        expected = shares * np.arange(8) * 10 + (1 - shares) * np.roll(np.arange(8) * 10, -1)
        np.testing.assert_allclose(mixed[:, 0, 0, 0], expected, rtol=1e-6)
        with self.assertRaisesRegex(ValueError, "is_single"):
            vision.MixUp(8, 0.4, is_single=False)


class FilesTest(unittest.TestCase):
    """Reading and writing."""

    def test_round_trip(self):
        image = photograph()
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            vision.write_png(str(folder / "a.png"), image)
            np.testing.assert_array_equal(vision.read_image(str(folder / "a.png")), image)
            grey = vision.read_image(str(folder / "a.png"), vision.ImageReadMode.GRAYSCALE)
            self.assertEqual(grey.shape, (60, 80, 1))
            vision.write_jpeg(str(folder / "a.jpg"), image, 95)
            self.assertLess(np.abs(vision.read_image(str(folder / "a.jpg")).astype(int) - image).mean(), 12)
            content = vision.read_file(str(folder / "a.png"))
            self.assertEqual(content.tobytes(), (folder / "a.png").read_bytes())
            vision.write_file(str(folder / "b.png"), content)
            self.assertEqual((folder / "b.png").read_bytes(), content.tobytes())
        self.assertEqual(Image.open(io.BytesIO(vision.encode_png(image[..., 0]).tobytes())).size, (80, 60))
        self.assertEqual((vision.get_image_size(image), vision.get_image_num_channels(image)), ([60, 80], 3))
        with self.assertRaisesRegex(ValueError, "quality"):
            vision.encode_jpeg(image, 0)

    def test_colours_read_in_grey(self):
        """As the libraries that MindSpore reads by make them: PNG rounded down, others to the nearest; without transparency."""
        pixels = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [10, 20, 33], [7, 7, 7]]], np.uint8)
        with tempfile.TemporaryDirectory() as name:
            for kind, expected in (("PNG", [76, 149, 29, 18, 7]), ("BMP", [76, 150, 29, 18, 7])):
                path = str(pathlib.Path(name) / f"image.{kind.lower()}")
                Image.fromarray(pixels).save(path)
                grey = vision.read_image(path, vision.ImageReadMode.GRAYSCALE)
                self.assertEqual((grey.shape, grey[0, :, 0].tolist()), ((1, 5, 1), expected), kind)
            Image.fromarray(np.dstack([pixels, np.full((1, 5), 9, np.uint8)])).save(name + "/clear.png")
            np.testing.assert_array_equal(vision.read_image(name + "/clear.png"), pixels)

    def test_resize_keeps_proportions(self):
        data = dataset.NumpySlicesDataset({"image": photograph()[np.newaxis]}, shuffle=False).map(vision.Resize(30), "image")
        self.assertEqual(next(iter(data))[0].shape, (30, 40, 3))
        self.assertEqual(vision.Resize(40)(photograph().transpose(1, 0, 2)).shape, (53, 40, 3))


class PillowTest(unittest.TestCase):
    """Functions of Pillow's images."""

    def setUp(self):
        self.array = photograph()[:30]
        self.image = Image.fromarray(self.array)

    def check(self, image, expected):
        self.assertTrue(pillow.is_pil(image) and not pillow.is_numpy(image))
        np.testing.assert_array_equal(np.asarray(image), expected)

    def test_colours(self):
        image, array = self.image, self.array
        for change in (pillow.adjust_brightness, pillow.adjust_contrast, pillow.adjust_saturation):
            self.check(change(image, 1), array)
        self.check(pillow.adjust_brightness(image, 0), np.zeros_like(array))
        self.check(pillow.adjust_gamma(image, 1.0, 0.5), np.round((256 - 1e-3) * 0.5 * (array / 255.0)))
        self.check(pillow.invert_color(image), 255 - array)
        self.check(pillow.adjust_hue(image.convert("L"), 0.3), np.asarray(image.convert("L")))
        self.assertEqual(pillow.adjust_hue(Image.new("RGB", (2, 2), (200, 0, 0)), 1 / 3).getpixel((0, 0))[1], 200)
        grey = np.asarray(pillow.grayscale(image, 1))
        self.check(pillow.grayscale(image, 3), np.stack([grey] * 3, -1))
        stretched = np.asarray(pillow.auto_contrast(image, 0, None))
        self.assertEqual((stretched.min(), stretched.max()), (0, 255))
        self.assertEqual(pillow.equalize(image).size, image.size)

    def test_parts(self):
        image, array = self.image, self.array
        height, width = array.shape[:2]
        self.check(pillow.horizontal_flip(image), array[:, ::-1])
        self.check(pillow.vertical_flip(image), array[::-1])
        self.check(pillow.random_horizontal_flip(image, 1), array[:, ::-1])
        self.check(pillow.random_vertical_flip(image, 0), array)
        self.check(pillow.crop(image, 2, 3, 5, 7), array[2:7, 3:10])
        self.check(pillow.center_crop(image, (height - 4, width - 6)), array[2:-2, 3:-3])
        self.check(pillow.rotate(image, 90, vision.Inter.NEAREST, True, None, 0), np.rot90(array))
        self.check(pillow.random_rotation(image, (180, 180), vision.Inter.NEAREST, False, None, 0), array[::-1, ::-1])
        corner = pillow.rotate(image, 45, vision.Inter.BILINEAR, True, None, 9).getpixel((0, 0))
        self.assertEqual(corner, (9, 9, 9))
        self.check(pillow.pad(image, (1, 2), 0, vision.Border.EDGE), np.pad(array, ((2, 2), (1, 1), (0, 0)), "edge"))
        self.check(pillow.pad(image, (1, 2, 3, 4), (0, 0, 0), vision.Border.CONSTANT), np.pad(array, ((2, 4), (1, 3), (0, 0))))
        self.check(pillow.resize(image, (height, width)), array)
        self.assertEqual(pillow.resize(image, 15, vision.Inter.ANTIALIAS).size, (width * 15 // height, 15))
        part = pillow.random_crop(image, (height, width + 1), 0, True, 0, vision.Border.EDGE)
        self.assertIn(True, [np.array_equal(part, np.pad(array, ((0, 0), sides, (0, 0)), "edge")) for sides in ((0, 1), (1, 0))])
        self.assertRaisesRegex(ValueError, "larger", pillow.random_crop, image, (99, 9), None, False, 0, vision.Border.EDGE)

    def test_kinds(self):
        np.testing.assert_array_equal(pillow.hwc_to_chw(self.array), self.array.transpose(2, 0, 1))
        self.assertIs(pillow.hwc_to_chw(self.array[0]).base, self.array[0].base)
        self.check(pillow.to_pil(self.array), self.array)
        for call in (lambda: pillow.hwc_to_chw(self.image), lambda: pillow.rotate(self.array, 3, vision.Inter.NEAREST, False, None, 0),
                     lambda: pillow.adjust_hue(self.array, 0.1)):
            self.assertRaisesRegex(TypeError, "img should be", call)


if __name__ == "__main__":
    unittest.main()
