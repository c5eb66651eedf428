"""What convolutions and pooling share: kernels, strides and zeros around an image, in the parsable subset."""


def pair(name, value):
    """Turns an int or a pair of ints into a pair; raises when an element is not a positive int."""
    values = (value, value) if isinstance(value, int) else tuple(value)
    if len(values) == 4 and values[:2] == (1, 1):
        values = values[2:]
    if len(values) != 2 or not isinstance(values[0], int) or not isinstance(values[1], int) or min(values) <= 0:
        raise ValueError(f"The '{name}' must be a positive int or two of them, but got {value}.")
    return values


def same_pads(extent, kernel, stride, dilation):
    """Zeros before and after one axis so that the result has ceil(extent / stride) positions."""
    reach = (kernel - 1) * dilation + 1
    total = max((-(-extent // stride) - 1) * stride + reach - extent, 0)
    return (total // 2, total - total // 2)


def volume_pads(volume, kernel, stride):
    """`same_pads` of three axes: before and after the first, before and after the second, and so on."""
    pads = ()
    for i in range(3):
        pads = pads + same_pads(volume[i], kernel[i], stride[i], 1)
    return pads


def image_pads(padding):
    """Top, bottom, left and right of an int, of two (rows, columns) or of all four."""
    if isinstance(padding, int):
        return (padding,) * 4
    if len(padding) == 2:
        return (padding[0], padding[0], padding[1], padding[1])
    return tuple(padding)


def conv_pads(who, pad_mode, padding, image, kernel, stride, dilation=(1, 1)):
    """Top, bottom, left and right for a pad mode: "same", "valid" or "pad"."""
    if pad_mode == "pad":
        return image_pads(padding)
    if pad_mode not in ("same", "valid"):
        raise ValueError(f"For '{who}', 'pad_mode' must be 'same', 'valid' or 'pad', but got '{pad_mode}'.")
    if pad_mode == "valid":
        return (0, 0, 0, 0)
    return (same_pads(image[0], kernel[0], stride[0], dilation[0]) + same_pads(image[1], kernel[1], stride[1],
                                                                               dilation[1]))


def pool_pads(image, kernel, stride, pads, ceil_mode):
    """The pads, with those more at the bottom and right that a last window needs in `ceil_mode`."""
    if not ceil_mode:
        return pads
    return (pads[0], pads[1] + _beyond(image[0], kernel[0], stride[0], pads[0], pads[1]), pads[2],
            pads[3] + _beyond(image[1], kernel[1], stride[1], pads[2], pads[3]))


def _beyond(extent, kernel, stride, before, after):
    """How far the last window that begins inside reaches over the end."""
    places = -(-(extent + before + after - kernel) // stride) + 1
    if (places - 1) * stride >= extent + before:
        places = places - 1
    return max((places - 1) * stride + kernel - extent - before - after, 0)
