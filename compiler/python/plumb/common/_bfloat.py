"""Elements of bfloat16, which NumPy does not have: tensors keep their bits in a type of arrays of its own, programs read float32."""

import numpy as np

BITS = np.dtype("V2")  # the runtime makes arrays of this type, too, which no numbers have


def widened(array):
    """An array as programs read it: bfloat16 as float32, which holds each of its values."""
    if array.dtype != BITS:
        return array
    return (np.ascontiguousarray(array).view(np.uint16).astype(np.uint32) << 16).view(np.float32).reshape(array.shape)


def stored(array, kind):
    """An array as a tensor keeps elements of NumPy's type `kind`; numbers become bfloat16 by rounding to nearest even."""
    array = np.asarray(array)
    if array.dtype == kind:
        return array
    array = widened(array)
    return _narrowed(np.asarray(array, np.float32)) if kind == BITS else array.astype(kind)


def _narrowed(array):
    bits = np.ascontiguousarray(array).view(np.uint32)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    kept = np.where(np.isnan(array), bits >> 16 | 0x40, rounded)  # a NaN stays one
    return kept.astype(np.uint16).view(BITS).reshape(array.shape)
