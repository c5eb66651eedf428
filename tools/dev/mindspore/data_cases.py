"""Cases of data: row operations on images, columns and strings, readers of files, samplers and what datasets do; as cases.py says."""

import os
import struct
import zlib

import numpy as np

import picture_set_cases
import set_cases
import sound_set_cases

_VOCAB = "text.Vocab.from_list(['a', 'b', 'c', 'the'])"

#: Rows that an operation gets, by the kind of column.
ROWS = {
    "image": np.random.default_rng(2).integers(0, 256, (3, 7, 6, 3)).astype(np.uint8),
    "number": np.array([1, 3, 0], np.int32), "vector": np.random.default_rng(3).standard_normal((3, 5)).astype(np.float32),
    "integers": np.array([[3, 1, 3, 2], [0, 0, 5, 1], [7, 7, 7, 7]], np.int32),
    "text": np.array(["The Cat sat", "a b  c", "ÀÉ ﬁne 3"]), "words": np.array([["a", "b", "the", "c"], ["c", "c", "a", "b"]]),
    "digits": np.array(["12", "-7", "3"]), "points": np.array(["1.5", "-2.25", "1e3"]),
    "mixed": np.array(["Welcome to  Beijing 北京欢迎您", "  lead 12,34 a-b_c! Ünï ", "[CLS] don't [UNK]Stop\tnow\n", "日本語 текст mixed3x", "to welcome\u00a0"]),
    "pieces": np.array([["unwanted", "running", "北"], ["xyz", "un", "wanton"]]), "unit": np.random.default_rng(4).random((3, 5, 4, 3)),
    "planes": np.random.default_rng(5).random((3, 3, 2, 4)),
    "markup": np.array(["[http://a.b text] &lt;b&gt;x&lt;/b&gt;", "[[File:a.png]] <ref> x</ref> 12"]), "bytes": np.array(["abc", "de"]),
}

#: Row operations: the kind of column and how the operation is made, by name.
ROW_OPERATIONS = {
    "CenterCrop": [("image", "vision.CenterCrop((3, 5))"), ("image", "vision.CenterCrop(4)"), ("image", "vision.CenterCrop((10, 9))")],
    "Crop": [("image", "vision.Crop((1, 2), (3, 4))"), ("image", "vision.Crop((0, 0), 5)")],
    "HorizontalFlip": [("image", "vision.HorizontalFlip()")], "VerticalFlip": [("image", "vision.VerticalFlip()")],
    "Invert": [("image", "vision.Invert()")], "ToTensor": [("image", "vision.ToTensor()"), ("image", "vision.ToTensor(np.float16)")],
    "Border": [("image", f"vision.Pad((1, 2, 3, 2), 0, vision.Border.{mode})") for mode in ("EDGE", "REFLECT", "SYMMETRIC")],
    "Pad": [("image", "vision.Pad((1, 2), 5)"), ("image", "vision.Pad(2, (1, 2, 3))"), ("image", "vision.Pad((1, 2, 3, 0))")],
    "RandomHorizontalFlip": [("image", f"vision.RandomHorizontalFlip({chance})") for chance in (1.0, 0.0)],
    "RandomVerticalFlip": [("image", f"vision.RandomVerticalFlip({chance})") for chance in (1.0, 0.0)],
    "RandomCrop": [("image", "vision.RandomCrop((7, 6))")], "RandomResizedCrop": [("image", "vision.RandomResizedCrop((7, 6), (1, 1), (6 / 7, 6 / 7))")],
    "RandomColorAdjust": [("image", "vision.RandomColorAdjust()")] + [("image", f"vision.RandomColorAdjust({what}=({value}, {value}))") for what, value in (
        ("brightness", 0.5), ("brightness", 1.7), ("contrast", 0.4), ("contrast", 1.6), ("saturation", 0.3), ("saturation", 1.9), ("hue", 0.2), ("hue", -0.4))],
    "AdjustBrightness": [("image", f"vision.AdjustBrightness({factor})") for factor in (0.5, 1.7)],
    "AdjustContrast": [("image", f"vision.AdjustContrast({factor})") for factor in (0.4, 1.6)],
    "AdjustGamma": [("image", "vision.AdjustGamma(2.0)"), ("image", "vision.AdjustGamma(0.6, 1.2)")],
    "AdjustHue": [("image", f"vision.AdjustHue({factor})") for factor in (0.2, -0.4)],
    "AdjustSaturation": [("image", f"vision.AdjustSaturation({factor})") for factor in (0.3, 1.9)],
    "AdjustSharpness": [("image", f"vision.AdjustSharpness({factor})") for factor in (0.0, 0.5, 2.0)],
    "Affine": [("image", "vision.Affine(30, [1, 2], 1.2, [5, 3])"), ("image", "vision.Affine(-15.0, [-0.2, 0.1], 0.8, 10.0, vision.Inter.BILINEAR)")],
    "AutoContrast": [("image", "vision.AutoContrast()"), ("image", "vision.AutoContrast(10.0, [10, 20])")], "Equalize": [("image", "vision.Equalize()")],
    "ConvertColor": [("image", f"vision.ConvertColor(vision.ConvertMode.COLOR_{mode})") for mode in ("RGB2GRAY", "RGB2BGR", "RGB2RGBA")],
    "ConvertMode": [("image", "vision.ConvertColor(vision.ConvertMode.COLOR_BGR2GRAY)")],
    "Erase": [("image", "vision.Erase(1, 2, 3, 2)"), ("image", "vision.Erase(0, 0, 2, 2, (1, 2, 3))")],
    "GaussianBlur": [("image", "vision.GaussianBlur(3)"), ("image", "vision.GaussianBlur((3, 5), (0.8, 1.5))")],
    "NormalizePad": [("image", "vision.NormalizePad([10.0, 20.0, 30.0], [2.0, 3.0, 4.0])")],
    "PadToSize": [("image", "vision.PadToSize(10)"), ("image", "vision.PadToSize((9, 8), (1, 0), 7)")],
    "Perspective": [("image", "vision.Perspective([[0, 0], [5, 0], [5, 6], [0, 6]], [[1, 0], [5, 1], [4, 6], [0, 5]], vision.Inter.BILINEAR)")],
    "Posterize": [("image", f"vision.Posterize({bits})") for bits in (0, 3, 8)],
    "ResizedCrop": [("image", "vision.ResizedCrop(1, 1, 5, 4, (8, 6))"), ("image", "vision.ResizedCrop(0, 2, 4, 4, 3, vision.Inter.NEAREST)")],
    "Rotate": [("image", "vision.Rotate(90)"), ("image", "vision.Rotate(30.0, vision.Inter.BILINEAR)"), ("image", "vision.Rotate(45, expand=True)")],
    "Solarize": [("image", "vision.Solarize((0, 100))"), ("image", "vision.Solarize(128)")],
    "RandomInvert": [("image", f"vision.RandomInvert({chance})") for chance in (1.0, 0.0)],
    "RandomSolarize": [("image", "vision.RandomSolarize((100, 100))")], "RandomPosterize": [("image", "vision.RandomPosterize((3, 3))")],
    "RandomEqualize": [("image", "vision.RandomEqualize(1.0)")], "RandomAutoContrast": [("image", "vision.RandomAutoContrast(0.0, None, 1.0)")],
    "RandomAdjustSharpness": [("image", "vision.RandomAdjustSharpness(2.0, 1.0)")],
    "AddToken": [("words", "text.AddToken('<s>')"), ("words", "text.AddToken('</s>', False)")],
    "Fill": [("integers", "transforms.Fill(3)"), ("vector", "transforms.Fill(2)")],
    "PadEnd": [("vector", "transforms.PadEnd([7], 9)"), ("integers", "transforms.PadEnd([6])"), ("words", "transforms.PadEnd([6], '<pad>')")],
    "Slice": [("vector", f"transforms.Slice({which})") for which in ("slice(1, 3)", "[0, 2]", "1", "...", "slice(4, 0, -2)")],
    "Mask": [("integers", f"transforms.Mask(transforms.Relational.{relation}, 3)") for relation in ("EQ", "NE", "GT", "GE", "LT", "LE")],
    "Relational": [("vector", "transforms.Mask(transforms.Relational.GT, 0.1, ms.float32)")],
    "Concatenate": [("integers", "transforms.Concatenate(0, np.array([7], np.int32), np.array([8], np.int32))")],
    "Compose": [("image", "transforms.Compose([vision.HorizontalFlip(), vision.Invert()])")],
    "RandomApply": [("image", f"transforms.RandomApply([vision.Invert()], {chance})") for chance in (1.0, 0.0)],
    "RandomChoice": [("image", "transforms.RandomChoice([vision.Invert()])")], "RandomOrder": [("image", "transforms.RandomOrder([vision.Invert()])")],
    "CaseFold": [("text", "text.CaseFold()")], "FilterWikipediaXML": [("markup", "text.FilterWikipediaXML()")],
    "Lookup": [("words", f"text.Lookup({_VOCAB})"), ("words", "text.Lookup(text.Vocab.from_list(['a', 'b']), 'b')")],
    "Vocab": [("words", "text.Lookup(text.Vocab.from_dict({'a': 4, 'b': 2, 'c': 1, 'the': 0}), data_type=ms.int64)")],
    "Ngram": [("words", f"text.Ngram({arguments})") for arguments in ("2", "[2, 3], ('_', 1), ('_', 1), '-'")],
    "NormalizeUTF8": [("text", f"text.NormalizeUTF8(text.NormalizeForm.{form})") for form in ("NONE", "NFC", "NFKC", "NFD", "NFKD")],
    "NormalizeForm": [("text", "text.NormalizeUTF8()")],
    "PythonTokenizer": [("text", "text.PythonTokenizer(lambda line: line.split())")],
    "RegexReplace": [("text", "text.RegexReplace('[a-c]', 'X')"), ("text", "text.RegexReplace('[a-c]', 'X', False)")],
    "SlidingWindow": [("words", "text.SlidingWindow(2)"), ("integers", "text.SlidingWindow(3, 0)")],
    "ToNumber": [("digits", "text.ToNumber(ms.int32)"), ("digits", "text.ToNumber(ms.int8)"), ("points", "text.ToNumber(ms.float32)"),
                 ("points", "text.ToNumber(ms.float16)")],
    "Truncate": [("words", "text.Truncate(3)"), ("integers", "text.Truncate(2)")],
    "UnicodeCharTokenizer": [("text", "text.UnicodeCharTokenizer()")], "WhitespaceTokenizer": [("text", "text.WhitespaceTokenizer()")],
}


#: Datasets: expressions over `rows`, a dataset of two columns, and `folder`, which has the files of `write_files`.
DATASETS = {
    "NumpySlicesDataset": ["rows", "rows.batch(4)", "rows.batch(4, True)", "rows.batch(4).repeat(2)", "rows.take(5).batch(2)",
                           "rows.repeat(2).batch(4)", "rows.project(['b'])", "rows.skip(3)", "rows.rename(['a'], ['c'])", "rows.concat(more)",
                           "rows + more", "rows.filter(lambda b: b % 2 == 0, 'b')", "rows.filter(lambda a, b: b > 2, ['a', 'b']).batch(2)",
                           "rows.map(lambda a: a * 2, 'a')", "rows.map(lambda a: (a, a + 1), 'a', ['c', 'd']).project(['d', 'c', 'b'])",
                           "rows.map([lambda a: a * 2, lambda a: a.sum()], ['a'])", "rows.split([4, 3], randomize=False)[1]",
                           "rows.split([0.5, 0.5], randomize=False)[0]", "rows.batch(3, per_batch_map=lambda a, b, info: ([x * 2 for x in a], b))",
                           "rows.apply(lambda data: data.take(2))", "ds.NumpySlicesDataset(np.arange(6).reshape(3, 2), shuffle=False)",
                           "ds.NumpySlicesDataset(([1, 2], [3.5, 4.5]), ['x', 'y'], shuffle=False)",
                           "ds.NumpySlicesDataset([1, 2, 3, 4], shuffle=False, num_shards=2, shard_id=1)",
                           "ds.NumpySlicesDataset([1, 2, 3], num_samples=2, shuffle=False)"],
    "GeneratorDataset": [
        "ds.GeneratorDataset([(np.array([i]), np.float32(i)) for i in range(5)], ['x', 'y'], shuffle=False)",
        "ds.GeneratorDataset(lambda: ((np.array([i, i + 1], np.int16),) for i in range(4)), ['x'])",
        "ds.GeneratorDataset([(np.arange(i + 1),) for i in range(5)], ['x'], shuffle=False).padded_batch(2, pad_info={'x': ([6], -1)})",
        "ds.GeneratorDataset([(np.arange(i + 1),) for i in range(5)], ['x'], shuffle=False).padded_batch(2, True, pad_info={})",
        "ds.GeneratorDataset([(np.array([i], np.float32),) for i in range(5)], ['x'], column_types=[ms.float32], shuffle=False)"],
    "PaddedDataset": ["ds.PaddedDataset([{'x': np.array([1, 2])}, {'x': np.array([3, 4])}])"],
    "zip": ["ds.zip((rows, more.rename(['a', 'b'], ['c', 'd']).skip(2)))", "rows.zip(more.rename(['a', 'b'], ['c', 'd']))"],
    "MnistDataset": ["ds.MnistDataset(folder + '/mnist', shuffle=False)", "ds.MnistDataset(folder + '/mnist', 'test', num_samples=3, shuffle=False)"],
    "FashionMnistDataset": ["ds.FashionMnistDataset(folder + '/mnist', 'train', shuffle=False)"],
    "Cifar10Dataset": ["ds.Cifar10Dataset(folder + '/cifar10', 'test', num_samples=5, shuffle=False)"],
    "Cifar100Dataset": ["ds.Cifar100Dataset(folder + '/cifar100', 'test', num_samples=5, shuffle=False)"],
    "CSVDataset": ["ds.CSVDataset(folder + '/table.csv', column_defaults=['', 0, 0.0], column_names=['n', 'i', 'f'], shuffle=False)",
                   "ds.CSVDataset([folder + '/table.csv'], column_names=['n', 'i', 'f'], shuffle=False)",
                   "ds.CSVDataset(folder + '/headed.csv', ';', shuffle=False)"],
    "TextFileDataset": ["ds.TextFileDataset(folder + '/lines.txt', shuffle=False)", "ds.TextFileDataset([folder + '/lines.txt'] * 2, 3, shuffle=False)"],
    "ImageFolderDataset": ["ds.ImageFolderDataset(folder + '/images', shuffle=False, decode=True)",
                           "ds.ImageFolderDataset(folder + '/images', shuffle=False, decode=True, class_indexing={'b': 5})"],
    "Decode": ["ds.ImageFolderDataset(folder + '/images', shuffle=False).map(vision.Decode(), 'image')"],
    "Grayscale": [f"ds.ImageFolderDataset(folder + '/images', shuffle=False).map([vision.Decode(to_pil), vision.Grayscale({channels}), vision.ToTensor()], 'image')"
                  for channels in ("", "3")],
    "TFRecordDataset": ["ds.TFRecordDataset(folder + '/rows.tfrecord', shuffle=False)",
                        "ds.TFRecordDataset(folder + '/rows.tfrecord', columns_list=['weights'], shuffle=False)"],
    "SequentialSampler": [f"ds.NumpySlicesDataset(np.arange(9), sampler=ds.{made})" for made in ("SequentialSampler()", "SequentialSampler(2, 5)")],
    "SubsetSampler": ["ds.NumpySlicesDataset(np.arange(9), sampler=ds.SubsetSampler([7, 2, 2, 5]))"],
    "DistributedSampler": [f"ds.NumpySlicesDataset(np.arange(9), sampler=ds.DistributedSampler({arguments}))" for arguments in (
        "4, 0, False", "4, 3, False", "2, 1, shuffle=False, num_samples=3", "4, 2, False, offset=1")],
    "RandomSampler": ["ds.NumpySlicesDataset(np.arange(1), sampler=ds.RandomSampler())",
                      "ds.NumpySlicesDataset(np.arange(1), sampler=ds.RandomSampler(True, 3))"],
    "SubsetRandomSampler": ["ds.NumpySlicesDataset(np.arange(9), sampler=ds.SubsetRandomSampler([7]))"],
    "WeightedRandomSampler": ["ds.NumpySlicesDataset(np.arange(3), sampler=ds.WeightedRandomSampler([0.0, 1.0, 0.0], 4))"],
    "SlicePatches": [f"ds.ImageFolderDataset(folder + '/images', shuffle=False).map([vision.Decode(), vision.SlicePatches({arguments})], 'image', {names})"
                     for arguments, names in (("1, 2", "['a', 'b']"), ("2, 2, vision.SliceMode.DROP", "['a', 'b', 'c', 'd']"), ("3, 1, fill_value=7", "['a', 'b', 'c']"))],
    "Duplicate": ["rows.map(transforms.Duplicate(), ['b'], ['b', 'c'])"],
    "Unique": ["ds.NumpySlicesDataset({'x': [[3, 1, 3, 2]]}, shuffle=False).batch(1).map(transforms.Unique(), ['x'], ['x', 'y', 'z'])"],
    "TruncateSequencePair": ["ds.NumpySlicesDataset({'x': [[1, 2, 3]], 'y': [[4, 5, 6, 7]]}, shuffle=False).map(text.TruncateSequencePair(4), ['x', 'y'], ['x', 'y'])"],
}

#: Expressions of functions of strings.
VALUES = {"text": {"to_bytes": ["[str(part) for part in strings.to_bytes(np.array(['ab', 'c']))]"],
                   "to_str": ["list(strings.to_str(np.array([b'ab', b'c'])))"]}}


#: Files of word vectors.
_VECTORS = {"vectors.txt": "to 0.5 0.25 -1\nwelcome 1 2 3\n日本語 4 5 6\nlead 7 8 9\n", "glove.6B.test.txt": "to 0.5 0.25 -1\nwelcome 1 2 3\n[CLS] 4 5 6\n",
            "fast.vec": "3 3\nto 0.5 0.25 -1\nwelcome 1 2 3\nlead 4 5 6\n",
            "characters.txt": "1gram-t 1 2 3\n2gram-to 3 4 1\n2gram-#BEGIN#l 5 5 0\n3gram-lea 1 1 0.5\n4gram-welc 1 0 1\n4gram-come 1 3 1\n"}


def _png(pixels):
    """A PNG file of 8-bit colours."""
    height, width, _ = pixels.shape
    parts = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
             (b"IDAT", zlib.compress(b"".join(b"\0" + row.tobytes() for row in pixels))), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts)


def _field(number, content):
    """A field of bytes of a protocol buffer that is shorter than 128 bytes."""
    return bytes([number << 3 | 2, len(content)]) + content


def _masked(data):
    """The checksum of a TFRecord: CRC-32C, turned and shifted."""
    checksum = 0xFFFFFFFF
    for byte in data:
        checksum ^= byte
        for _ in range(8):
            checksum = checksum >> 1 ^ (0x82F63B78 if checksum & 1 else 0)
    checksum ^= 0xFFFFFFFF
    return ((checksum >> 15 | checksum << 17) + 0xA282EAD8) & 0xFFFFFFFF


def _record(number):
    """A TFRecord of an Example: a label, weights and a name."""
    features = {b"label": _field(3, _field(1, bytes([number]))), b"name": _field(1, _field(1, b"row%d" % number)),
                b"weights": _field(2, _field(1, np.array([number, number / 4], "<f4").tobytes()))}
    content = _field(1, b"".join(_field(1, _field(1, name) + _field(2, value)) for name, value in features.items()))
    head = struct.pack("<Q", len(content))
    return head + struct.pack("<I", _masked(head)) + content + struct.pack("<I", _masked(content))


def write_files(folder):
    """Writes small files of every form that a dataset reads."""
    rng = np.random.default_rng(6)
    for part in ("mnist", "cifar10", "cifar100", "images/a", "images/b"):
        os.makedirs(os.path.join(folder, part))
    for prefix, count in (("train", 5), ("t10k", 4)):
        for kind, head, values in (("images-idx3", (2051, count, 28, 28), rng.integers(0, 256, (count, 28, 28))),
                                   ("labels-idx1", (2049, count), rng.integers(0, 10, count))):
            with open(f"{folder}/mnist/{prefix}-{kind}-ubyte", "wb") as file:
                file.write(struct.pack(f">{len(head)}i", *head) + values.astype(np.uint8).tobytes())
    # MindSpore reads blocks of ten thousand records.
    for name, size, classes in (("cifar10/test_batch", 3073, 10), ("cifar100/test", 3074, 100)):
        rng.integers(0, classes, (10000, size), np.uint8).tofile(f"{folder}/{name}.bin")
    contents = {"table.csv": "one,1,1.5\ntwo,-2,2e3\n\"a,b\",3,.25\n", "headed.csv": "x;y\n1;2.5\n3;4.5\n", "lines.txt": "first line\n\n second\nlast"}
    for name, content in contents.items():
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(content)
    for name in ("a/one", "a/two", "b/three"):
        with open(f"{folder}/images/{name}.png", "wb") as file:
            file.write(_png(rng.integers(0, 256, (4, 5, 3)).astype(np.uint8)))
    with open(f"{folder}/rows.tfrecord", "wb") as file:
        file.write(b"".join(map(_record, range(4))))
    for name, content in _VECTORS.items():
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(content)
    for sets in (set_cases, picture_set_cases, sound_set_cases):
        sets.write_files(folder, _png)
