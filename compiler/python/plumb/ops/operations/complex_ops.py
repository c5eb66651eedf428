"""Classes of complex numbers and Fourier transforms."""

from plumb.ops import function as f
from plumb.ops._primitive import function_classes
from plumb.ops.function.complex_numbers import complex_magnitude, complex_of
from plumb.ops.function.fourier import fft_with_size
from plumb.ops.function.spectrogram import short_time_transform

COMPLEX = {
    "Angle": f.angle,
    "Complex": complex_of,
    "ComplexAbs": complex_magnitude,
    "Conj": f.conj,
    "FFTWithSize": (fft_with_size, {"signal_ndim": ..., "inverse": ..., "real": ..., "norm": "backward", "onesided": True,
                                    "signal_sizes": ()}),
    "Imag": f.imag,
    "Polar": f.polar,
    "Real": f.real,
    "STFT": (short_time_transform, {"n_fft": ..., "hop_length": ..., "win_length": ..., "normalized": ..., "onesided": ...,
                                    "return_complex": ...}),
}

globals().update(function_classes(COMPLEX))

__all__ = list(COMPLEX)
