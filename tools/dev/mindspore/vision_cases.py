"""Cases of operations on images with boxes or labels, of image files, tokenizers and word vectors; as cases.py says.

Random operations get ranges that leave nothing to chance, or their results are compared by means of many rows.
"""

_FILES = "ds.ImageFolderDataset(folder + '/images', shuffle=False)"
_VOCAB = "text.Vocab.from_list(['un', '##want', '##ed', 'want', 'run', '##ning', '[UNK]', 'don', '北', '京', 'welcome', 'to', ',', 'a', '3'])"
_TOKENIZERS = {
    "RegexTokenizer": [r"'\s+'", r"r'\s+|,', r','"], "UnicodeScriptTokenizer": ["", "True"],
    "BasicTokenizer": ["", "True", "keep_whitespace=True", "False, False, text.NormalizeForm.NFKC", "preserve_unused_token=False"],
    "BertTokenizer": [f"{_VOCAB}{more}" for more in ("", ", lower_case=True", ", '##', 4, ''")],
}
_PIECES = ["", ", '##', 3", ", unknown_token=''"]


def _pictures(*operations):
    """Files decoded, as images of PIL where MindSpore asks for them, and what operations make of them."""
    return f"{_FILES}.map([vision.Decode(to_pil), {', '.join(operations)}], 'image')"


def _boxed(operation):
    """Images and their boxes after an operation."""
    return f"boxed.map(vision.{operation}, ['image', 'bbox'])"


def _offsets(made):
    """Words and where they stand."""
    return f"mixed.map(text.{made}, 'text', ['text', 'begin', 'end'])"


#: Row operations: the kind of column and how the operation is made, by name.
ROW_OPERATIONS = {
    "HsvToRgb": [("unit", "vision.HsvToRgb(True)"), ("planes", "vision.HsvToRgb()")], "ToType": [("image", "vision.ToType(np.float32)")],
    "RgbToHsv": [("unit", "vision.RgbToHsv(True)"), ("planes", "vision.RgbToHsv()")],
    "LinearTransformation": [("planes", "vision.LinearTransformation(np.eye(24)[::-1] * 0.5 + 0.1, np.arange(24) * 0.1)")],
    "RandomAffine": [("image", "vision.RandomAffine((30, 30), (0.2, 0.2, -0.1, -0.1), (1.2, 1.2), (5, 5, 3, 3))"), ("image", "vision.RandomAffine((-15, -15))")],
    "RandomColor": [("image", f"vision.RandomColor(({factor}, {factor}))") for factor in (0.5, 1.7)],
    "RandomSharpness": [("image", f"vision.RandomSharpness(({factor}, {factor}))") for factor in (0.5, 1.7)],
    "RandomRotation": [("image", "vision.RandomRotation((30, 30))"), ("image", "vision.RandomRotation((45, 45), vision.Inter.BILINEAR, True)")],
    "RandomResize": [("image", "vision.RandomResize((7, 6))")], "RandomErasing": [("planes", "vision.RandomErasing(0.0)")],
    **{name: [("mixed", f"text.{name}({arguments})") for arguments in texts] for name, texts in _TOKENIZERS.items()},
    "WordpieceTokenizer": [("pieces", f"text.WordpieceTokenizer({_VOCAB}{more})") for more in _PIECES],
}

#: Datasets: expressions over `folder`, `boxed`, images and boxes, and `mixed`, strings of several scripts.
DATASETS = {
    "BoundingBoxAugment": [_boxed("BoundingBoxAugment(vision.RandomVerticalFlip(1.0), 1.0)")],
    **{name: [_boxed(f"{name}({chance})") for chance in (1.0, 0.0)] for name in ("RandomHorizontalFlipWithBBox", "RandomVerticalFlipWithBBox")},
    "ResizeWithBBox": [_boxed("ResizeWithBBox((8, 20))"), _boxed("ResizeWithBBox(20, vision.Inter.NEAREST)")],
    "RandomResizeWithBBox": [_boxed("RandomResizeWithBBox((12, 10))")], "RandomCropWithBBox": [_boxed("RandomCropWithBBox((12, 10))"), _boxed("RandomCropWithBBox((16, 16), [2, 3, 4, 1])")],
    "RandomResizedCropWithBBox": [_boxed("RandomResizedCropWithBBox((6, 5), (1, 1), (10 / 12, 10 / 12))")],
    "FiveCrop": [_pictures("vision.FiveCrop((2, 3))", "side_by_side")],
    "TenCrop": [_pictures("vision.TenCrop((2, 3))", "side_by_side"), _pictures("vision.TenCrop(3, True)", "side_by_side")],
    "RandomCropDecodeResize": [f"{_FILES}.map(vision.RandomCropDecodeResize((8, 10), (1, 1), (5 / 4, 5 / 4)), 'image')"],
    "RandomGrayscale": [_pictures(f"vision.RandomGrayscale({chance})", "vision.ToTensor()") for chance in (1.0, 0.0)],
    "RandomPerspective": [_pictures("vision.RandomPerspective(0.5, 0.0)", "vision.ToTensor()")], "ToNumpy": [_pictures("vision.ToNumpy()")],
    "CutMixBatch": ["labelled.batch(4).map(vision.CutMixBatch(vision.ImageBatchFormat.NHWC, 0.5, 0.0), ['image', 'label'])"],
    "RegexTokenizer": [_offsets(r"RegexTokenizer(r'\s+', with_offsets=True)")],
    **{name: [_offsets(f"{name}({arguments}, with_offsets=True)")] for name, arguments in (
        ("UnicodeScriptTokenizer", "True"), ("BasicTokenizer", "True"), ("BertTokenizer", f"{_VOCAB}, lower_case=True"))},
    **{name: [f"mixed.map([text.WhitespaceTokenizer(), lambda words: words[0], text.ToVectors(text.{name}.from_file(folder + '/{file}'){more})], 'text')"
              for more in ("", ", [-1.0, -2.0, 0.5]", ", lower_case_backup=True")]
       for name, file in (("Vectors", "vectors.txt"), ("GloVe", "glove.6B.test.txt"), ("FastText", "fast.vec"), ("CharNGram", "characters.txt"))},
    "ToVectors": ["mixed.map([text.WhitespaceTokenizer(), lambda words: words[0], text.ToVectors(text.Vectors.from_file(folder + '/vectors.txt', 1))], 'text')"],
}

#: Expressions of host functions: values alone.
VALUES = {"vision": {
    "get_image_size": ["vision.get_image_size(photograph())"], "get_image_num_channels": ["vision.get_image_num_channels(photograph())"],
    "read_file": ["vision.read_file(written_to(vision.write_file, photograph().reshape(-1)))"], "read_image": [f"vision.read_image(stored(){mode})" for mode in (
        "", ", vision.ImageReadMode.COLOR", ", vision.ImageReadMode.GRAYSCALE")],
    "write_file": ["written(vision.write_file, np.arange(9, dtype=np.uint8), vision.read_file)"],
    "encode_png": ["decoded(vision.encode_png(photograph()))", "decoded(vision.encode_png(photograph()[..., :1], 2))"],
    "write_png": ["written(vision.write_png, photograph(), vision.read_image)"],
    "encode_jpeg": [f"decoded(vision.encode_jpeg(photograph(){quality}))" for quality in ("", ", 95")],
    "write_jpeg": ["written(vision.write_jpeg, photograph(), vision.read_image)"],
}}

_LABELLED = "many_labelled.batch(4).map({0}, ['image', 'label']).project(['{1}'])"

#: Datasets of which the means of the rows are samples, by module and name: over images, with `many_boxed` and `many_labelled` boxes or labels.
RANDOM = {"vision": {
    "RandomLighting": [f"many.map([vision.RandomLighting(0.5), lambda image: image[..., {channel}]], 'image')" for channel in range(3)],
    "RandomErasing": ["many.map([vision.ToTensor(), vision.RandomErasing(1.0, (0.1, 0.3), (0.5, 2.0), 1)], 'image')",
                      "many.map([vision.ToTensor(), vision.RandomErasing(0.4, value=(3, 0, 1))], 'image')"],
    "RandomColor": ["many.map(vision.RandomColor((0.2, 1.8)), 'image')"], "RandomRotation": ["many.map(vision.RandomRotation(40), 'image')"],
    "RandomAffine": ["many.map(vision.RandomAffine(0, (-0.3, 0.3), (0.6, 1.4), fill_value=255), 'image')"],
    **{name: [f"many_boxed.map(vision.{name}({arguments}), ['image', 'bbox']).project(['{column}'])" for column in ("image", "bbox")]
       for name, arguments in (("RandomResizedCropWithBBox", "(8, 7), (0.3, 0.9)"), ("BoundingBoxAugment", "vision.Invert(), 0.5"))},
    "RandomCropWithBBox": ["many_boxed.map(vision.RandomCropWithBBox((8, 7)), ['image', 'bbox']).project(['image'])"],
    "CutMixBatch": [_LABELLED.format(f"vision.CutMixBatch(vision.ImageBatchFormat.NHWC, {arguments})", column)
                    for arguments in ("0.7", "1.0, 0.5") for column in ("image", "label")],
    "MixUp": [_LABELLED.format("vision.MixUp(4, 0.7)", column) for column in ("image", "label")],
}, "dataset": {"FakeImageDataset": ["ds.FakeImageDataset(2000, (8, 9, 3), 7, shuffle=False).project(['image'])",
                                    "ds.FakeImageDataset(2000, (8, 9, 3), 7, shuffle=False).project(['label'])"]}}

#: Functions that these expressions use; part of the generated file.
HEAD = '''
from mindspore.dataset import vision


def photograph():
    rows, columns = np.mgrid[0:14, 0:11]
    return np.stack([rows * 9, columns * 12 + rows, 120 + rows * columns % 60], -1).astype(np.uint8)


def stored():
    return written_to(vision.write_png, photograph())


def written_to(write, data):
    path = os.path.join(tempfile.mkdtemp(), "written.bin")
    write(path, data)
    return path


def written(write, data, read):
    return read(written_to(write, data))


def decoded(content):
    return written(vision.write_file, content, vision.read_image)
'''
