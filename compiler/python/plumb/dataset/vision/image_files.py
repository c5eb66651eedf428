"""Image files: reading, writing and what is in them. JPEG is coded by Pillow."""

import io

import numpy as np

from plumb.dataset.files import files_of
from plumb.dataset.vision import images
from plumb.dataset.vision.utils import ImageReadMode


#: How files begin, and how colours become grey there: bits of the weights, what is added before they are cut, weights.
_BEGINNINGS = {b"\x89PNG": "PNG", b"\xff\xd8": "JPEG"}
_GREYS = {"PNG": (15, 0, 9797, 19234, 3737), "JPEG": (15, 1 << 14, 9798, 19235, 3735), "other": (14, 1 << 13, 4899, 9617, 1868)}


def get_image_size(image):
    """(height, width) of an image [height, width] or [height, width, channels], as a list."""
    return list(images.image_of(image, "get_image_size").shape[:2])


def get_image_num_channels(image):
    """The number of channels of an image: 1 for [height, width]."""
    image = images.image_of(image, "get_image_num_channels")
    return 1 if image.ndim == 2 else image.shape[2]


def read_file(filename):
    """A file's bytes, uint8 with one axis."""
    return np.fromfile(files_of(filename)[0], np.uint8)


def read_image(filename, mode=ImageReadMode.UNCHANGED):
    """A file's image, uint8 [height, width, channels]: as it is but for transparency, in grey, or in RGB.

    Grey ones are what the libraries that MindSpore reads files by make of colours: those of PNG files are rounded down.
    """
    if not isinstance(mode, ImageReadMode):
        raise TypeError(f"Argument mode with value {mode} is not of type [<enum 'ImageReadMode'>].")
    content = read_file(filename)
    found = images.opened(content, f"'{filename}'", "RGB" if mode == ImageReadMode.COLOR else None)
    if mode == ImageReadMode.GRAYSCALE and found.ndim == 3:
        kind = next((kind for begin, kind in _BEGINNINGS.items() if content.tobytes().startswith(begin)), "other")
        bits, half, *weights = _GREYS[kind]
        found = (found[..., :3].astype(np.int64) @ np.asarray(weights) + half >> bits).astype(np.uint8)
    return found[..., np.newaxis] if found.ndim == 2 else found[..., :3]


def write_file(filename, data):
    """Writes bytes, uint8 with one axis, to a file."""
    data = _array(data, "write_file")
    if data.dtype != np.uint8 or data.ndim != 1:
        raise ValueError(f"For 'write_file', the data must be uint8 with one axis, but got {data.dtype} of the shape {list(data.shape)}.")
    data.tofile(filename)


def encode_jpeg(image, quality=75):
    """An image's bytes as a JPEG file, uint8: `quality` from 1 to 100."""
    if not 1 <= quality <= 100:
        raise ValueError(f"Input quality is not within the required interval of [1, 100], but got {quality}.")
    return _encoded(image, "encode_jpeg", "JPEG", quality=quality)


def encode_png(image, compression_level=6):
    """An image's bytes as a PNG file, uint8: `compression_level` from 0 to 9."""
    if not 0 <= compression_level <= 9:
        raise ValueError(f"Input compression_level is not within the required interval of [0, 9], but got {compression_level}.")
    return _encoded(image, "encode_png", "PNG", compress_level=compression_level)


def write_jpeg(filename, image, quality=75):
    """Writes an image as a JPEG file."""
    encode_jpeg(image, quality).tofile(filename)


def write_png(filename, image, compression_level=6):
    """Writes an image as a PNG file."""
    encode_png(image, compression_level).tofile(filename)


def _array(value, who):
    from plumb.common.tensor import Tensor
    value = value.asnumpy() if isinstance(value, Tensor) else value
    if not isinstance(value, np.ndarray):
        raise TypeError(f"For '{who}', an array or Tensor is needed, but got {type(value).__name__}.")
    return value


def _encoded(image, who, kind, **options):
    from PIL import Image
    image = _array(image, who)
    image = image[..., 0] if image.ndim == 3 and image.shape[2] == 1 else image
    if image.dtype != np.uint8 or image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] != 3):
        raise ValueError(f"For '{who}', an image must be uint8 [height, width], or with 1 or 3 channels, but got {image.dtype} of the "
                         f"shape {list(image.shape)}.")
    file = io.BytesIO()
    Image.fromarray(image).save(file, kind, **options)
    return np.frombuffer(file.getvalue(), np.uint8).copy()
