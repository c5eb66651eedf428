"""Enumerations of operations on sound, and the matrices of filter banks."""

import enum

import numpy as np


class BorderType(str, enum.Enum):
    """What stands beyond the ends of a signal."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(str, enum.Enum):
    """The distribution of noise: triangular, rectangular, Gaussian."""

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(str, enum.Enum):
    """How loudness grows and falls."""

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, enum.Enum):
    """What a gain multiplies: the amplitude, the power, or the power in decibels."""

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, enum.Enum):
    """How values between samples are found."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, enum.Enum):
    """Scales of pitch: O'Shaughnessy's as HTK has it, or Slaney's."""

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, enum.Enum):
    """Shapes of a slow oscillation."""

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, enum.Enum):
    """Whether a cosine transform is orthonormal."""

    ORTHO = "ortho"
    NONE = "none"


class NormType(str, enum.Enum):
    """Whether filters of a bank have equal areas."""

    SLANEY = "slaney"
    NONE = "none"


class ResampleMethod(str, enum.Enum):
    """The window of the kernel that resamples."""

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, enum.Enum):
    """What a spectrum holds."""

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, enum.Enum):
    """Windows of frames, periodic; Kaiser's with beta 12."""

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"


def of_type(who, kinds, **values):
    """Raises TypeError where one of the values is of none of the types; a bool counts as a number nowhere."""
    for name, value in values.items():
        if not isinstance(value, kinds) or isinstance(value, bool) and bool not in kinds:
            raise TypeError(f"Argument {name} with value {value} is not of type {list(kinds)}, but got {type(value)}. It is one of '{who}'.")


def number(who, **numbers):
    """Raises TypeError where one of the numbers is none."""
    of_type(who, (float, int), **numbers)


def within(who, interval, **numbers):
    """Raises TypeError or ValueError where one of the numbers is none, or outside of an interval such as "(0, 16777216]"."""
    number(who, **numbers)
    least, most = (float(end) for end in interval[1:-1].split(","))
    for name, value in numbers.items():
        if not (least < value if interval[0] == "(" else least <= value) or not (value < most if interval[-1] == ")" else value <= most):
            raise ValueError(f"Input {name} is not within the required interval of {interval}. For '{who}', it is {value}.")


def positive(who, **numbers):
    """Raises TypeError or ValueError where one of the numbers is no int, or less than 1."""
    of_type(who, (int,), **numbers)
    within(who, "[1, 2147483647]", **numbers)


def not_negative(who, **numbers):
    """Raises TypeError or ValueError where one of the numbers is no number, or less than 0."""
    within(who, "[0, 16777216]", **numbers)


def one_of(who, kind, **values):
    """Raises TypeError where one of the values is no member of the enumeration."""
    of_type(who, (kind,), **values)


def check_int(who, name, value):
    """Raises TypeError where a value is no int."""
    of_type(who, (int,), **{name: value})


def create_dct(n_mfcc, n_mels, norm=NormMode.NONE):
    """Returns the matrix of a cosine transform (type 2), float32 [n_mels, n_mfcc].

    Args:
      n_mfcc: the number of coefficients.
      n_mels: the number of values that are transformed.
      norm: NormMode.ORTHO makes the columns orthonormal; otherwise they are twice the cosines.
    """
    positive("create_dct", n_mfcc=n_mfcc, n_mels=n_mels)
    one_of("create_dct", NormMode, norm=norm)
    matrix = 2 * np.cos(np.pi / n_mels * np.outer(np.arange(n_mels) + 0.5, np.arange(n_mfcc)))
    if norm is NormMode.ORTHO:
        matrix *= np.sqrt(1 / (2 * n_mels))
        matrix[:, 0] *= np.sqrt(0.5)
    return matrix.astype(np.float32)


#: Slaney's scale: linear up to 1000 Hz, 15 mel, logarithmic above.
_LINEAR_STEP, _KNEE, _LOG_STEP = 200 / 3, 1000.0, np.log(6.4) / 27


def _to_mel(frequency, mel_type):
    if mel_type is MelType.HTK:
        return 2595 * np.log10(1 + frequency / 700)
    if frequency < _KNEE:
        return frequency / _LINEAR_STEP
    return _KNEE / _LINEAR_STEP + np.log(frequency / _KNEE) / _LOG_STEP


def _from_mel(mels, mel_type):
    if mel_type is MelType.HTK:
        return 700 * (10 ** (mels / 2595) - 1)
    knee = _KNEE / _LINEAR_STEP
    return np.where(mels < knee, mels * _LINEAR_STEP, _KNEE * np.exp(_LOG_STEP * (np.maximum(mels, knee) - knee)))


def _check_range(who, f_min, f_max, sample_rate):
    not_negative(who, f_min=f_min)
    number(who, f_max=f_max)
    if f_max <= f_min:
        raise ValueError(f"For '{who}', f_max must be greater than f_min, but got {f_max} and {f_min}.")
    positive(who, sample_rate=sample_rate)


def triangles(frequencies, points):
    """The bank of triangular filters between neighbours of `points`, [frequencies, points - 2]."""
    widths = np.diff(points)
    distances = points[np.newaxis] - frequencies[:, np.newaxis]
    rising, falling = -distances[:, :-2] / widths[:-1], distances[:, 2:] / widths[1:]
    return np.maximum(0, np.minimum(rising, falling))


def melscale_fbanks(n_freqs, f_min, f_max, n_mels, sample_rate, norm=NormType.NONE, mel_type=MelType.HTK):
    """Returns a bank of triangular filters whose middles are equally far apart in mel, float32 [n_freqs, n_mels].

    Args:
      n_freqs: the number of frequencies 0 … sample_rate // 2.
      f_min, f_max: the range in Hz.
      norm: NormType.SLANEY divides each filter by its width.
      mel_type: the scale of pitch.
    """
    positive("melscale_fbanks", n_freqs=n_freqs, n_mels=n_mels)
    _check_range("melscale_fbanks", f_min, f_max, sample_rate)
    one_of("melscale_fbanks", NormType, norm=norm)
    one_of("melscale_fbanks", MelType, mel_type=mel_type)
    ends = _to_mel(f_min, mel_type), _to_mel(f_max, mel_type)
    points = _from_mel(np.linspace(*ends, n_mels + 2), mel_type)
    bank = triangles(np.linspace(0, sample_rate // 2, n_freqs), points)
    if norm is NormType.SLANEY:
        bank *= 2 / (points[2:] - points[:-2])
    return bank.astype(np.float32)


def linear_fbanks(n_freqs, f_min, f_max, n_filter, sample_rate):
    """Returns a bank of triangular filters whose middles are equally far apart in Hz, float32 [n_freqs, n_filter]."""
    positive("linear_fbanks", n_freqs=n_freqs, n_filter=n_filter)
    _check_range("linear_fbanks", f_min, f_max, sample_rate)
    return triangles(np.linspace(0, sample_rate // 2, n_freqs), np.linspace(f_min, f_max, n_filter + 2)).astype(np.float32)
