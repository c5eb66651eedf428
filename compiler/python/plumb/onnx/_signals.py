"""ONNX operators on signals, in the parsable subset: windows, which are known while compiling, and Fourier transforms.

Complex numbers are pairs of real ones along a last axis.
"""

import numpy as np

from plumb.common.tensor import Tensor
from plumb.onnx import _proto
from plumb.onnx._registry import operator
from plumb.onnx._values import number, positive, tensor
from plumb.ops import _functions as F
from plumb.ops.function import fourier


def _window(name, weights):
    """Enters a window: a sum of cosines over its extent, or over one less where it is not periodic."""
    def window(size, periodic=1, output_datatype=1):
        count = number(size, f"the size of {name}")
        angle = 2 * np.pi * np.arange(count) / max(count if periodic else count - 1, 1)
        total = np.zeros(count)
        for order, weight in enumerate(weights):
            total = total + weight * np.cos(order * angle)
        return total.astype(_proto.element_type(output_datatype))
    operator(name, known=(0,))(window)


for _name, _weights in (("HannWindow", (0.5, -0.5)), ("HammingWindow", (25.0 / 46.0, -21.0 / 46.0)), ("BlackmanWindow", (0.42, -0.5, 0.08))):
    _window(_name, _weights)


def _complex(x):
    """The complex numbers of pairs, or of single real parts."""
    real = x[..., 0]
    return F.complex(real, x[..., 1] if x.shape[-1] == 2 else F.zeros_like(real))


def _pairs(x):
    return F.stack((F.real(x), F.imag(x)), -1)


@operator("DFT", since=20, known=(1, 2))
def dft_of_20(x, length=None, axis=None, inverse=0, onesided=0):
    """The transform along an axis that is an input, by default the last but one."""
    return dft(x, length, -2 if axis is None else number(axis, "the axis of DFT"), inverse, onesided)


@operator("DFT", known=(1,))
def dft(x, length=None, axis=1, inverse=0, onesided=0):
    """The discrete Fourier transform along an axis, or, divided by the length, its inverse; `onesided`: without conjugates, of real numbers."""
    x, axis = _complex(tensor(x)), positive(axis, x.ndim)
    count = None if length is None else number(length, "the length of DFT")
    if inverse and onesided:
        return F.expand_dims(fourier.irfft(x, count, axis), -1)
    made = fourier.ifft(x, count, axis) if inverse else fourier.fft(x, count, axis)
    return _pairs(F.part(made, axis, 0, made.shape[axis] // 2 + 1) if onesided else made)


@operator("STFT", known=(1, 3))
def stft(signal, step, window=None, length=None, onesided=1):
    """Fourier transforms of the frames of signals (N, L, 1 or 2): (N, frames, frequencies, 2)."""
    signal, hop = tensor(signal), number(step, "the step of STFT")
    size = tensor(window).shape[0] if length is None else number(length, "the length of STFT")
    frames = (signal.shape[1] - size) // hop + 1
    places = np.arange(frames).reshape(-1, 1) * hop + np.arange(size).reshape(1, -1)
    parts = F.gather(signal, Tensor(places.astype(np.int32)), 1)
    parts = parts if window is None else parts * F.reshape(tensor(window), (1, 1, -1, 1))
    return dft(parts, None, 2, 0, onesided)
