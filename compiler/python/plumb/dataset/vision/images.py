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


def is_pillow(value):
    """Whether something is an image of Pillow, which need not be installed."""
    return not isinstance(value, np.ndarray) and hasattr(value, "getbands")


def action_of(operation, image):
    """What an operation does to an image, where that is one of Pillow and the operation has Pillow's arithmetic for it; else None."""
    if not is_pillow(image):
        return None
    from plumb.dataset.vision import pillow
    return pillow.action_of(operation)


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


def of_frames(video, change):
    """The results of a function of one frame, in the leading axes of a video [..., height, width, channels]."""
    frames = [change(frame) for frame in video.reshape(-1, *video.shape[-3:])]
    return np.stack(frames).reshape(*video.shape[:-3], *frames[0].shape)


def window(image, top, left, height, width):
    """A part of an image."""
    return np.ascontiguousarray(image[top:top + height, left:left + width])


def resized(image, size, interpolation):
    """An image of (height, width)."""
    from plumb.dataset.operations import Inter, Resize
    if interpolation == Inter.CUBIC:
        return _cubic(image, size)
    if interpolation == Inter.AREA:
        return _area(image, size)
    if interpolation == Inter.PILCUBIC:
        from PIL import Image
        return np.asarray(as_pillow(image, "Resize").resize(size[::-1], Image.BICUBIC)).reshape(size + image.shape[2:])
    if interpolation == Inter.ANTIALIAS:
        raise ValueError("Inter.ANTIALIAS is for images of Pillow: put ToPIL before, or use Inter.PILCUBIC.")
    flat = image.ndim == 2
    result = Resize(size, interpolation)(image[..., np.newaxis] if flat else image)
    return result[..., 0] if flat else result


def _cubic(image, size):
    """An image of (height, width) by OpenCV's cubic kernel (a = -0.75): weights of bytes have 11 bits, edges are repeated."""
    exact = image.dtype != np.uint8
    result = image.astype(np.float32 if image.dtype != np.float64 else np.float64) if exact else image.astype(np.int64)
    for axis, extent in ((1, size[1]), (0, size[0])):
        result = _cubic_along(result, axis, extent, exact)
    if exact:
        return result.astype(image.dtype)
    return np.clip((result + (1 << 21)) >> 22, 0, 255).astype(np.uint8)


def _cubic_along(image, axis, extent, exact):
    there = image.shape[axis]
    at = (np.arange(extent) + 0.5) * (there / extent) - 0.5
    first = np.floor(at).astype(np.int64)
    x, a = (at - first).astype(np.float32), np.float32(-0.75)
    outer = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    inner, after = [((a + 2) * t - (a + 3)) * t * t + 1 for t in (x, 1 - x)]
    weights = [outer, inner, after, 1 - outer - inner - after]
    shape = [-1 if at == axis else 1 for at in range(image.ndim)]
    total = 0
    for step, weight in enumerate(weights):
        weight = weight if exact else np.rint(weight * 2048).astype(np.int64)
        total = total + np.take(image, np.clip(first + step - 1, 0, there - 1), axis) * weight.reshape(shape)
    return total


def _area(image, size):
    """An image of (height, width) by OpenCV's INTER_AREA: means over what each element covers; where it grows, two elements each."""
    if size[0] > image.shape[0] or size[1] > image.shape[1]:
        return _grown(image, size)
    factors = [there / wanted for there, wanted in zip(image.shape, size)]
    kind = np.float64 if image.dtype == np.float64 else np.float32
    if factors == [2, 2] and image.dtype == np.uint8:
        total = sum(image[i::2, j::2].astype(np.int32) for i in (0, 1) for j in (0, 1))
        return ((total + 2) >> 2).astype(np.uint8)
    if all(factor == int(factor) for factor in factors):
        high, wide = map(int, factors)
        parts = image.astype(np.int64 if image.dtype == np.uint8 else kind).reshape(size[0], high, size[1], wide, *image.shape[2:])
        result = parts.sum((1, 3)).astype(kind) * kind(1 / (high * wide))
    else:
        result = image.astype(kind)
        for axis, extent in ((1, size[1]), (0, size[0])):
            result = np.moveaxis(np.tensordot(_area_shares(image.shape[axis], extent).astype(kind), result, (1, axis)), 0, axis)
    return np.clip(np.rint(result), 0, 255).astype(np.uint8) if image.dtype == np.uint8 else result.astype(image.dtype)


def _area_shares(there, extent):
    """[extent, there]: how much of an element of the result each of the input covers."""
    first = np.arange(extent)[:, np.newaxis] * (there / extent)
    place = np.arange(there)
    covered = np.minimum(place + 1, first + there / extent) - np.maximum(place, first)
    return np.maximum(covered, 0) * (extent / there)


def _grown(image, size):
    """Each element once, and between two of them as far as the result's element lies in the second; weights of bytes have 11 bits."""
    exact = image.dtype != np.uint8
    taps = []
    for axis in (1, 0):
        place, scale = np.arange(size[axis]), image.shape[axis] / size[axis]
        first = np.floor(place * scale).astype(np.int64)
        second = ((place + 1) - (first + 1) / scale).astype(np.float32)
        second = np.where(second <= 0, 0, second - np.floor(second)).reshape([-1 if at == axis else 1 for at in range(image.ndim)])
        weights = (1 - second, second) if exact else (np.rint((1 - second) * 2048).astype(np.int64), np.rint(second * 2048).astype(np.int64))
        taps.append((first, np.minimum(first + 1, image.shape[axis] - 1), weights))
    result = image if exact else image.astype(np.int64)
    for axis, (first, after, weights) in zip((1, 0), taps):
        parts = [np.take(result, at, axis) for at in (first, after)]
        if not exact and axis == 0:
            low, high = [weight * (part >> 4) >> 16 for weight, part in zip(weights, parts)]
            return np.clip((low + high + 2) >> 2, 0, 255).astype(np.uint8)
        result = parts[0] * weights[0] + parts[1] * weights[1]
    return result.astype(image.dtype)


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
