"""Row operations that this process computes: images, any column, strings. Expected values are MindSpore 2.0.0's, or NumPy's."""

import unittest

import numpy as np

import plumb
from plumb import dataset
from plumb.dataset import text, transforms, vision
from plumb.dataset.vision import py_transforms

RNG = np.random.default_rng(4)
IMAGE = RNG.integers(0, 256, (6, 8, 3)).astype(np.uint8)


def strings(*words):
    """A row of words."""
    return np.array(words)


def mapped(data, operations, names, outputs=None, workers=1, passes=1):
    """The rows of some passes after `operations`."""
    found = data.map(operations, names, outputs, num_parallel_workers=workers)
    return [row for _ in range(passes) for row in found.create_tuple_iterator(num_epochs=1, output_numpy=True)]


class ImagesTest(unittest.TestCase):
    """Operations on one image."""

    def same(self, operation, expected, image=IMAGE):
        """Compares arrays, with their types."""
        found = operation(image)
        self.assertEqual(found.dtype, expected.dtype)
        np.testing.assert_array_equal(found, expected)

    def test_parts(self):
        self.same(vision.CenterCrop((3, 5)), IMAGE[1:4, 1:6])
        self.same(vision.CenterCrop(4), IMAGE[1:5, 2:6])
        self.same(vision.CenterCrop((8, 10)), np.pad(IMAGE, ((1, 1), (1, 1), (0, 0))))
        self.same(vision.CenterCrop((9, 7)), np.pad(IMAGE, ((2, 1), (0, 0), (0, 0)))[:, :7])
        self.same(vision.Crop((1, 2), (3, 4)), IMAGE[1:4, 2:6])
        with self.assertRaisesRegex(ValueError, "is not inside an image"):
            vision.Crop((4, 2), 3)(IMAGE)

    def test_flips_and_colours(self):
        self.same(vision.HorizontalFlip(), IMAGE[:, ::-1])
        self.same(vision.VerticalFlip(), IMAGE[::-1])
        self.same(vision.Invert(), 255 - IMAGE)
        self.same(vision.ToTensor(), (IMAGE * np.float32(1 / 255)).transpose(2, 0, 1))
        self.same(vision.ToTensor(), (IMAGE[..., 0] * np.float32(1 / 255))[np.newaxis], IMAGE[..., 0])
        grey = vision.Grayscale(3)(np.full((2, 2, 3), (255, 0, 0), np.uint8))
        self.assertEqual(grey.tolist(), [[[76] * 3] * 2] * 2)

    def test_every_byte_is_scaled_as_mindspore_scales_it(self):
        every = np.arange(256, dtype=np.uint8).reshape(16, 16, 1)
        product = (every.astype(np.float32) * np.float32(1 / 255)).transpose(2, 0, 1)
        quotient = (every.astype(np.float32) / np.float32(255)).transpose(2, 0, 1)
        self.assertEqual(np.sum(product != quotient), 126)  # what MindSpore 2.0.0's two classes differ by
        for kind in (np.uint8, np.int32, np.float32, np.float64):
            self.same(vision.ToTensor(), product, every.astype(kind))
        self.same(vision.ToTensor(np.float16), product.astype(np.float16), every)
        self.same(py_transforms.ToTensor(), quotient, every)
        self.same(vision.ToTensor(), vision.Rescale(1 / 255, 0.0)(every).transpose(2, 0, 1), every)

    def test_colours_are_rounded(self):
        image = np.array([[[214, 66, 27], [77, 104, 207]], [[33, 18, 254], [5, 90, 141]]], np.uint8)
        for arguments, expected in (({"brightness": (0.5, 0.5)}, [[107, 33, 14], [38, 52, 104], [16, 9, 127], [2, 45, 70]]),
                                    ({"contrast": (1.6, 1.6)}, [[255, 56, 0], [73, 117, 255], [3, 0, 255], [0, 94, 176]]),
                                    ({"saturation": (0.3, 0.3)}, [[138, 94, 82], [99, 107, 138], [44, 40, 111], [50, 76, 91]])):
            self.same(vision.RandomColorAdjust(**arguments), np.array(expected, np.uint8).reshape(2, 2, 3), image)

    def test_padding(self):
        for border, mode in ((vision.Border.EDGE, "edge"), (vision.Border.REFLECT, "reflect"),
                             (vision.Border.SYMMETRIC, "symmetric")):
            self.same(vision.Pad((1, 2, 3, 2), 0, border), np.pad(IMAGE, ((2, 2), (1, 3), (0, 0)), mode))
        self.same(vision.Pad((1, 2), 5), np.pad(IMAGE, ((2, 2), (1, 1), (0, 0)), constant_values=5))

    def test_certain_chances(self):
        self.same(vision.RandomHorizontalFlip(1.0), IMAGE[:, ::-1])
        self.same(vision.RandomVerticalFlip(0.0), IMAGE)
        self.same(vision.RandomCrop((6, 8)), IMAGE)
        self.same(vision.RandomResizedCrop((6, 8), (1, 1), (8 / 6, 8 / 6)), IMAGE)
        self.same(vision.RandomColorAdjust((2, 2)), np.clip(IMAGE.astype(int) * 2, 0, 255).astype(np.uint8))
        self.same(vision.RandomColorAdjust(contrast=(1, 1)), IMAGE)

    def test_random_parts(self):
        """Every place comes, none outside."""
        seen = set()
        numbered = np.arange(48, dtype=np.uint8).reshape(6, 8)
        for _ in range(400):
            part = vision.RandomCrop((5, 6))(numbered)
            self.assertEqual((part.shape, (part == part[0, 0] + np.arange(5)[:, None] * 8 + np.arange(6)).all()), ((5, 6), True))
            seen.add(int(part[0, 0]))
        self.assertEqual(seen, {0, 1, 2, 8, 9, 10})
        for _ in range(50):
            self.assertEqual(vision.RandomResizedCrop(4)(IMAGE).shape, (4, 4, 3))
            cut = vision.CutOut(3, 2)(np.ones((9, 9, 3), np.uint8))
            self.assertTrue(4 * 3 <= (cut == 0).sum() <= 18 * 3)
        self.assertEqual(vision.RandomCrop(10, pad_if_needed=True)(IMAGE).shape, (10, 10, 3))
        with self.assertRaisesRegex(ValueError, "is smaller than"):
            vision.RandomCrop(10)(IMAGE)

    def test_mix_up(self):
        data = dataset.NumpySlicesDataset((RNG.random((64, 8, 8, 3)).astype(np.float32), np.eye(4, dtype=np.float32)[np.arange(64) % 4]),
                                          ["image", "label"], shuffle=False).batch(32)
        for image, label in mapped(data, [vision.MixUpBatch(0.5)], ["image", "label"]):
            self.assertEqual((image.shape, label.shape), ((32, 8, 8, 3), (32, 4)))
            np.testing.assert_allclose(label.sum(1), 1, rtol=1e-6)


class PipelineTest(unittest.TestCase):
    """Random operations in pipelines."""

    def rows(self, workers, processes=False, seed=7):
        """Two passes over augmented images."""
        plumb.dataset.config.set_seed(seed)
        data = dataset.NumpySlicesDataset({"image": np.repeat(IMAGE[np.newaxis], 60, 0)}, shuffle=False)
        operations = [vision.RandomCrop(4, padding=1), vision.RandomHorizontalFlip(), vision.Rescale(1 / 255., 0.),
                      vision.Normalize([0.5] * 3, [0.2] * 3), vision.HWC2CHW()]
        data = data.map(operations, ["image"], num_parallel_workers=workers, python_multiprocessing=processes)
        found = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
        return [np.stack([row[0] for row in found]) for _ in range(2)]

    def test_workers(self):
        """The same numbers for any number of workers, threads or processes; others in each pass and for each row."""
        first, second = self.rows(1)
        self.assertEqual((first.shape, first.dtype), ((60, 3, 4, 4), np.float32))
        for arguments in ((4,), (3, True)):
            for expected, found in zip((first, second), self.rows(*arguments)):
                np.testing.assert_array_equal(found, expected)
        self.assertFalse((first == second).all())
        self.assertGreater(len(np.unique(first.reshape(60, -1), axis=0)), 20)
        self.assertFalse((self.rows(1, seed=8)[0] == first).all())

    def test_chains(self):
        """Operations of the runtime behind each other are one chain of it, with the same result."""
        found = vision.HWC2CHW()(vision.Normalize([0.5] * 3, [0.2] * 3)(vision.Rescale(1 / 255., 0.)(IMAGE)))
        data = dataset.GeneratorDataset([(IMAGE,)], ["image"])
        row, = mapped(data, [np.asarray, vision.Rescale(1 / 255., 0.), vision.Normalize([0.5] * 3, [0.2] * 3), vision.HWC2CHW()],
                      ["image"])[0]
        np.testing.assert_array_equal(row, found)

    def test_groups(self):
        rows = dataset.GeneratorDataset([(np.float32(1),)] * 400, ["x"], shuffle=False)
        double, negative = (lambda x: x * 2), (lambda x: -x)
        self.assertEqual({float(x) for x, in mapped(rows, transforms.Compose([double, negative]), ["x"])}, {-2.0})
        self.assertEqual({float(x) for x, in mapped(rows, transforms.RandomApply([double, negative], 0.3), ["x"])}, {-2.0, 1.0})
        self.assertEqual({float(x) for x, in mapped(rows, transforms.RandomChoice([double, negative]), ["x"])}, {-1.0, 2.0})
        chosen = [float(x) for x, in mapped(rows, transforms.RandomOrder([double, lambda x: x + 1]), ["x"])]
        self.assertEqual(set(chosen), {3.0, 4.0})
        self.assertTrue(120 < chosen.count(3.0) < 280)


class ColumnsTest(unittest.TestCase):
    """Operations on any column."""

    def test_values(self):
        for operation, value, expected in (
                (transforms.Fill(3), np.arange(4, dtype=np.int32), [3, 3, 3, 3]),
                (transforms.PadEnd([6], 9), np.arange(4), [0, 1, 2, 3, 9, 9]),
                (transforms.PadEnd([2], -1), np.arange(4), [0, 1]),
                (transforms.PadEnd([3], "<pad>"), strings("a", "b"), ["a", "b", "<pad>"]),
                (transforms.PadEnd([3], b"<pad>"), np.array([b"a", b"b"]), [b"a", b"b", b"<pad>"]),
                (transforms.PadEnd([3]), np.array([b"a", b"b"]), [b"a", b"b", b""]),
                (transforms.PadEnd([1, 3], -1), np.arange(4).reshape(2, 2), [[0, 1, -1]]),
                (transforms.Concatenate(0), [4, 5], [4, 5]),
                (transforms.Slice(slice(1, 3)), np.arange(5), [1, 2]),
                (transforms.Slice([0, 2], 1), np.arange(12).reshape(3, 4), [[1], [9]]),
                (transforms.Slice(..., slice(0, 2)), np.arange(12).reshape(3, 4), [[0, 1], [4, 5], [8, 9]]),
                (transforms.Slice(None, slice(0, 2)), np.arange(12).reshape(3, 4), [[0, 1], [4, 5], [8, 9]]),
                (transforms.Mask(transforms.Relational.GE, 3), np.arange(6), [False] * 3 + [True] * 3),
                (transforms.Mask(transforms.Relational.EQ, 3.5), np.arange(5), [False] * 3 + [True, False]),
                (transforms.Mask(transforms.Relational.LE, "b"), strings("a", "bb"), [True, False]),
                (transforms.Concatenate(0, np.array([7]), np.array([8])), np.arange(3), [7, 0, 1, 2, 8])):
            with self.subTest(type(operation).__name__):
                self.assertEqual(operation(value).tolist(), expected)

    def test_masks_of_another_kind(self):
        for value, constant in ((np.arange(2), "a"), (strings("a"), 1)):
            with self.assertRaisesRegex(RuntimeError, "input datatype does not match"):
                transforms.Mask(transforms.Relational.EQ, constant)(value)
        with self.assertRaisesRegex(RuntimeError, "Only supports bool or numeric"):
            transforms.Mask(transforms.Relational.EQ, 1, plumb.string)

    def test_padding_of_another_kind(self):
        """Numbers and strings do not come together; shapes are lists of ints."""
        for value in (np.arange(2), strings("a", "b"), np.array([b"a", b"b"])):
            for fill in (1, "x", b"x"):
                if np.asarray(fill).dtype.kind != value.dtype.kind:
                    with self.assertRaisesRegex(RuntimeError, "can not pad numeric and string tensors together"):
                        transforms.PadEnd([3], fill)(value)
        for shape, kind in ((2, TypeError), (["2"], TypeError), ([0], ValueError)):
            self.assertRaises(kind, transforms.PadEnd, shape, 1)

    def test_more_columns(self):
        rows = dataset.GeneratorDataset([(np.array([3, 1, 3, 2, 1]),)], ["x"])
        found, = mapped(rows, [transforms.Unique()], ["x"], ["u", "index", "count"])
        self.assertEqual([item.tolist() for item in found], [[3, 1, 2], [0, 1, 0, 2, 1], [2, 2, 1]])
        found, = mapped(rows, [transforms.Duplicate()], ["x"], ["a", "b"])
        self.assertEqual([item.tolist() for item in found], [[3, 1, 3, 2, 1]] * 2)


class TextTest(unittest.TestCase):
    """Operations on strings."""

    def test_values(self):
        vocab = text.Vocab.from_list(["b", "a", "c"], ["<unk>"])
        for operation, value, expected in (
                (text.Lookup(vocab, "<unk>"), strings("a", "zz", "c"), [2, 0, 3]),
                (text.WhitespaceTokenizer(), strings("  hello big  world ")[0], ["hello", "big", "world"]),
                (text.WhitespaceTokenizer(), np.array(" "), [""]),
                (text.UnicodeCharTokenizer(), np.array("aé b"), ["a", "é", " ", "b"]),
                (text.CaseFold(), np.array("Straße ABC"), "strasse abc"),
                (text.NormalizeUTF8(), np.array("\ufb01"), "fi"),
                (text.RegexReplace(r"\d+", "#"), np.array("a12b3"), "a#b#"),
                (text.RegexReplace(r"\d+", "#", False), np.array("a12b3"), "a#b3"),
                (text.FilterWikipediaXML(), strings("[[image:a.png|12px]] It&nbsp;is", "<b>bold</b> don't", "see #REDIRECT [[Foo]]", "a <b\nc> É"),
                 ["image a png one two px it is", "don t", "", "a"]),
                (text.ToNumber(plumb.int32), strings("1", "-7"), [1, -7]),
                (text.ToNumber(plumb.int32), strings("1.9", " 7 m"), [1, 7]),
                (text.ToNumber(plumb.float32), strings("1.5x", "-2e1", "inf"), [1.5, -20.0, np.inf]),
                (text.Ngram(2), strings("a", "b", "c"), ["a b", "b c"]),
                (text.Ngram([1, 3]), strings("a", "b", "c"), ["a", "b", "c", "a b c"]),
                (text.Ngram(5), strings("a", "b", "c"), [""]),
                (text.Ngram(2, ("_", 4), ("|", 1)), strings("a", "b", "c"), ["_ a", "a b", "b c", "c |"]),
                (text.SlidingWindow(2), np.arange(4), [[0, 1], [1, 2], [2, 3]]),
                (text.PythonTokenizer(lambda line: line.split(",")), np.array("a,bb"), ["a", "bb"])):
            with self.subTest(type(operation).__name__, value=str(value)):
                self.assertEqual(operation(value).tolist(), expected)
        self.assertEqual([part.tolist() for part in text.WhitespaceTokenizer(True)(np.array(" hé wo"))], [["hé", "wo"], [1, 5], [4, 7]])
        self.assertEqual([len(part) for part in text.TruncateSequencePair(3)(np.arange(4), np.arange(4))], [2, 1])

    def test_refusals(self):
        vocab = text.Vocab.from_list(["a"])
        for wrong, message in ((lambda: text.Lookup(vocab)(strings("b")), "the word 'b' is not in the vocabulary"),
                               (lambda: text.Lookup(vocab, "b"), "does not exist in vocab"),
                               (lambda: text.Vocab.from_list(["a", "a"]), "duplicate word: a"),
                               (lambda: text.ToNumber(plumb.int8)(strings("x1")), "does not begin with a number"),
                               (lambda: text.ToNumber(plumb.float16)(strings("1e9")), "1e9 is out of the range of float16"),
                               (lambda: text.ToNumber(plumb.int8)(strings("300")), "300 is out of the range of int8"),
                               (lambda: text.WhitespaceTokenizer()(strings("a", "b")), "a row must hold one string")):
            with self.assertRaisesRegex(ValueError, message):
                wrong()

    def test_vocab_of_rows(self):
        rows = dataset.GeneratorDataset([(strings("b", "a", "b"),), (strings("c", "b"),), (strings("a"),)], ["words"], shuffle=False)
        for options, expected in (({}, ["b", "a", "c"]), ({"freq_range": (2, None)}, ["b", "a"]), ({"top_k": 1}, ["b"]),
                                  ({"special_tokens": ["<pad>"], "special_first": False}, ["b", "a", "c", "<pad>"])):
            vocab = text.Vocab.from_dataset(rows, "words", **options)
            self.assertEqual(vocab.vocab(), {word: number for number, word in enumerate(expected)})
        self.assertEqual((vocab.tokens_to_ids(["a", "zz"]), vocab.ids_to_tokens([0, 9])), ([1, -1], ["b", ""]))

    def test_sentences_become_batches(self):
        """Lines to numbers of one length, as a classifier takes them."""
        lines = [f"word{i % 50} word{i % 7} end" if i % 2 else f"word{i % 50}" for i in range(500)]
        rows = dataset.GeneratorDataset([(np.array(line),) for line in lines], ["text"], shuffle=False)
        rows = rows.map(text.WhitespaceTokenizer(), ["text"])
        vocab = text.Vocab.from_dataset(rows, special_tokens=["<pad>"])
        rows = rows.map([text.Lookup(vocab), transforms.PadEnd([4], 0)], ["text"]).batch(100)
        batch = next(rows.create_tuple_iterator(output_numpy=True))[0]
        self.assertEqual((batch.shape, batch.dtype), ((100, 4), np.int32))
        self.assertEqual(vocab.ids_to_tokens(batch[1].tolist()), ["word1", "word1", "end", "<pad>"])


class LabelRows(unittest.TestCase):
    """Rows of OneHot; shapes and numbers are MindSpore 2.0.0's."""

    def test_shapes(self):
        for label, shape in ((1, (5,)), ([1], (5,)), ([[1]], (5,)), ([1, 2], (2, 5)), ([[1], [2]], (2, 5)), ([[1, 2]], (2, 5))):
            rows = dataset.transforms.OneHot(5)(np.array(label))
            self.assertEqual((rows.shape, rows.dtype), (shape, np.int64))
            np.testing.assert_array_equal(rows.argmax(-1).reshape(-1), np.ravel(label))
        with self.assertRaisesRegex(ValueError, "an integer label"):
            dataset.transforms.OneHot(5)(np.zeros((2, 2), np.int32))

    def test_smoothed(self):
        np.testing.assert_allclose(dataset.transforms.OneHot(5, 0.1)(np.array(1, np.int32)), [0.02, 0.92, 0.02, 0.02, 0.02])
        rows = dataset.NumpySlicesDataset({"label": np.array([[[1], [0]]])}, shuffle=False).map(dataset.transforms.OneHot(2, 0.5), "label")
        for row in rows.create_dict_iterator(output_numpy=True):
            np.testing.assert_allclose(row["label"], [[0.25, 0.75], [0.75, 0.25]])
            self.assertEqual(row["label"].dtype, np.float64)
        with self.assertRaisesRegex(ValueError, "smoothing_rate"):
            dataset.transforms.OneHot(5, 1.5)
        with self.assertRaisesRegex(TypeError, "smoothing_rate"):
            dataset.transforms.OneHot(5, "0.1")


if __name__ == "__main__":
    unittest.main()
