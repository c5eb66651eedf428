"""Images as arrays [height, width, channels] or [height, width]: what operations on them share."""

import io

import numpy as np


def decoded(content, where):
    """The image in a file's bytes as RGB, uint8 [height, width, 3]; raises ValueError that names `where`."""
    return opened(content, where, "RGB")


def opened(content, where, mode=None):
    """The image in a file's bytes in one of Pillow's modes, or its own where None; raises ValueError that names `where`."""
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        raise ImportError("Decoding images needs Pillow: install python3-pil, or pip install pillow.") from None
    try:
        with Image.open(io.BytesIO(np.asarray(content, np.uint8).tobytes())) as image:
            own = image.mode if image.mode in ("L", "RGB", "RGBA") else "RGB"
            return np.asarray(image.convert(mode or own))
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as problem:
        raise ValueError(f"{where} is no image that can be decoded: {problem}") from None


def as_pillow(image, who):
    """An array of bytes as Pillow's image; raises TypeError that names the operation."""
    from PIL import Image
    image = np.asarray(image)
    if image.dtype != np.uint8 or image.ndim not in (2, 3):
        raise TypeError(f"{who} works on images of uint8, [height, width, channels] or [height, width], but got {image.dtype} of the "
                        f"shape {list(image.shape)}.")
    return Image.fromarray(image[..., 0] if image.ndim == 3 and image.shape[2] == 1 else image)


def image_of(value, who):
    """An operation's argument as an array of two or three axes; raises ValueError that names the operation."""
    image = np.asarray(value)
    if image.ndim not in (2, 3):
        raise ValueError(f"{who} works on images of shape [height, width, channels] or [height, width], but got the shape "
                         f"{list(image.shape)}.")
    return image


def window(image, top, left, height, width):
    """A part of an image."""
    return np.ascontiguousarray(image[top:top + height, left:left + width])


def resized(image, size, interpolation):
    """An image of (height, width)."""
    from plumb.dataset.operations import Resize
    flat = image.ndim == 2
    result = Resize(size, interpolation)(image[..., np.newaxis] if flat else image)
    return result[..., 0] if flat else result


def padded(image, padding, fill_value, mode):
    """An image with (left, top, right, bottom) more pixels."""
    left, top, right, bottom = padding
    widths = [(top, bottom), (left, right)] + [(0, 0)] * (image.ndim - 2)
    if mode != "constant":
        return np.pad(image, widths, mode)
    result = np.empty((image.shape[0] + top + bottom, image.shape[1] + left + right) + image.shape[2:], image.dtype)
    result[...] = fill_value
    result[top:top + image.shape[0], left:left + image.shape[1]] = image
    return result


def blended(first, second, share):
    """share * first + (1 - share) * second, in the element type of `first`; of bytes, rounded and cut to their range."""
    share = np.float32(share)
    mixed = first.astype(np.float32) * share + (1 - share) * second
    return np.clip(np.rint(mixed), 0, 255).astype(np.uint8) if first.dtype == np.uint8 else mixed.astype(first.dtype)


def fused(first, second, share):
    """`blended` of bytes, as machines compute it that multiply and add at once: the first product is exact, the second one of f32."""
    share = np.float32(share)
    return _added(first, share, second, 1 - share)


def _added(first, first_share, second, second_share):
    rest = (second.astype(np.float32) * second_share).astype(np.float64)
    mixed = (first.astype(np.float64) * np.float64(first_share) + rest).astype(np.float32)
    return np.clip(np.rint(mixed), 0, 255).astype(np.uint8)


def moved(image, other, factor):
    """An image of bytes moved from another one by a factor: (1 - factor) * other + factor * image, the first product exact."""
    factor = np.float32(factor)
    return _added(other, 1 - factor, image, factor)


def grey_bytes(image):
    """An RGB image's brightness in whole numbers: `grey`, rounded, of bytes with weights in units of 2 ** -15."""
    if image.dtype != np.uint8:
        return np.rint(grey(image))
    return (image[..., :3].astype(np.int32) @ np.asarray([9798, 19235, 3735], np.int32) + (1 << 14)) >> 15


def grey(image):
    """An RGB image's brightness by ITU-R 601-2: 0.299 R + 0.587 G + 0.114 B, as float32 [height, width]."""
    return image[..., :3].astype(np.float32) @ np.asarray([0.299, 0.587, 0.114], np.float32)
