"""Recursive filters of second order, most after R. Bristow-Johnson's cookbook and SoX; results are cut to [-1, 1].

Each takes signals [..., time].
"""

import math

import numpy as np

from plumb.dataset.audio._signals import AudioOperation, filtered
from plumb.dataset.audio.utils import check_int, number, of_type, within


def _check_rate(who, sample_rate):
    check_int(who, "sample_rate", sample_rate)
    if sample_rate == 0 or not -2 ** 31 <= sample_rate < 2 ** 31:
        raise ValueError("Input sample_rate is not within the required interval of [-2147483648, 0) and (0, 2147483647]. "
                         f"For '{who}', it is {sample_rate}.")


class _Biquad(AudioOperation):
    """Base of filters (b0 + b1 z + b2 z²) / (a0 + a1 z + a2 z²)."""

    keeps_half = True

    def __init__(self, b, a):
        self._b, self._a = b, a

    def changed(self, signal):
        return np.clip(filtered(signal, self._b, self._a), -1, 1)

    def _angle(self, sample_rate, Q=0.707, **frequencies):
        """(sine, cosine, the sine over twice the quality) at a frequency, given by its argument's name; checks the arguments."""
        who = type(self).__name__
        _check_rate(who, sample_rate)
        within(who, "[-16777216, 16777216]", **frequencies)
        within(who, "(0, 1]", Q=Q)
        frequency, = frequencies.values()
        turn = 2 * math.pi * frequency / sample_rate
        return math.sin(turn), math.cos(turn), math.sin(turn) / 2 / Q


class Biquad(_Biquad):
    """The filter with the given weights; a0 must not be 0."""

    def __init__(self, b0, b1, b2, a0, a1, a2):
        number("Biquad", b0=b0, b1=b1, b2=b2, a0=a0, a1=a1, a2=a2)
        if a0 == 0:
            raise ValueError("Input a0 is not within the required interval of [-16777216, 0) and (0, 16777216]. For 'Biquad', it is 0.")
        super().__init__((b0, b1, b2), (a0, a1, a2))


class AllpassBiquad(_Biquad):
    """Shifts phases, by half a turn at `central_freq` (Hz)."""

    def __init__(self, sample_rate, central_freq, Q=0.707):
        _, cosine, alpha = self._angle(sample_rate, Q, central_freq=central_freq)
        super().__init__((1 - alpha, -2 * cosine, 1 + alpha), (1 + alpha, -2 * cosine, 1 - alpha))


class BandBiquad(_Biquad):
    """Keeps what is near to `central_freq` (Hz), with slopes of SoX's `band`; `noise` for signals without pitch."""

    def __init__(self, sample_rate, central_freq, Q=0.707, noise=False):
        _, cosine, _ = self._angle(sample_rate, Q, central_freq=central_freq)
        of_type("BandBiquad", (bool,), noise=noise)
        a2 = math.exp(-2 * math.pi * central_freq / Q / sample_rate)
        a1 = -4 * a2 / (1 + a2) * cosine
        b0 = math.sqrt(1 - a1 * a1 / (4 * a2)) * (1 - a2)
        if noise:
            b0 = math.sqrt(((1 + a2) ** 2 - a1 * a1) * (1 - a2) / (1 + a2))
        super().__init__((b0, 0, 0), (1, a1, a2))


class BandpassBiquad(_Biquad):
    """Keeps what is near to `central_freq` (Hz); the peak is 1, or with `const_skirt_gain` Q."""

    def __init__(self, sample_rate, central_freq, Q=0.707, const_skirt_gain=False):
        sine, cosine, alpha = self._angle(sample_rate, Q, central_freq=central_freq)
        of_type("BandpassBiquad", (bool,), const_skirt_gain=const_skirt_gain)
        peak = sine / 2 if const_skirt_gain else alpha
        super().__init__((peak, 0, -peak), (1 + alpha, -2 * cosine, 1 - alpha))


class BandrejectBiquad(_Biquad):
    """Takes away what is near to `central_freq` (Hz)."""

    def __init__(self, sample_rate, central_freq, Q=0.707):
        _, cosine, alpha = self._angle(sample_rate, Q, central_freq=central_freq)
        super().__init__((1, -2 * cosine, 1), (1 + alpha, -2 * cosine, 1 - alpha))


def _shelf(cosine, alpha, gain, high):
    """The weights of a filter that multiplies what is above (`high`) or below a frequency by `gain`, in decibels."""
    amplitude = 10 ** (gain / 40)
    sign = 1 if high else -1
    slope, less, more = 2 * math.sqrt(amplitude) * alpha, (amplitude - 1) * cosine, (amplitude + 1) * cosine
    b = (amplitude * (amplitude + 1 + sign * less + slope), -2 * sign * amplitude * (amplitude - 1 + sign * more),
         amplitude * (amplitude + 1 + sign * less - slope))
    return b, (amplitude + 1 - sign * less + slope, 2 * sign * (amplitude - 1 - sign * more), amplitude + 1 - sign * less - slope)


class BassBiquad(_Biquad):
    """Multiplies what is below `central_freq` (Hz) by `gain` decibels."""

    def __init__(self, sample_rate, gain, central_freq=100.0, Q=0.707):
        within("BassBiquad", "[-16777216, 16777216]", gain=gain)
        _, cosine, alpha = self._angle(sample_rate, Q, central_freq=central_freq)
        super().__init__(*_shelf(cosine, alpha, gain, False))


class TrebleBiquad(_Biquad):
    """Multiplies what is above `central_freq` (Hz) by `gain` decibels."""

    def __init__(self, sample_rate, gain, central_freq=3000, Q=0.707):
        within("TrebleBiquad", "[-16777216, 16777216]", gain=gain)
        _, cosine, alpha = self._angle(sample_rate, Q, central_freq=central_freq)
        super().__init__(*_shelf(cosine, alpha, gain, True))


class DeemphBiquad(_Biquad):
    """Undoes the emphasis of compact discs (ISO 908), at a `sample_rate` of 44100 or 48000."""

    _SHELVES = {44100: (5283, 0.4845, -9.477), 48000: (5356, 0.479, -9.62)}

    def __init__(self, sample_rate):
        if sample_rate not in self._SHELVES:
            raise ValueError(f"Argument sample_rate should be 44100 or 48000, but got {sample_rate}.")
        frequency, slope, gain = self._SHELVES[sample_rate]
        sine, cosine, _ = self._angle(sample_rate, frequency=frequency)
        amplitude = 10 ** (gain / 40)
        alpha = sine / 2 * math.sqrt((amplitude + 1 / amplitude) * (1 / slope - 1) + 2)
        super().__init__(*_shelf(cosine, alpha, gain, True))


class EqualizerBiquad(_Biquad):
    """Multiplies what is near to `center_freq` (Hz) by `gain` decibels."""

    def __init__(self, sample_rate, center_freq, gain, Q=0.707):
        within("EqualizerBiquad", "[-16777216, 16777216]", gain=gain)
        _, cosine, alpha = self._angle(sample_rate, Q, center_freq=center_freq)
        amplitude = 10 ** (gain / 40)
        super().__init__((1 + alpha * amplitude, -2 * cosine, 1 - alpha * amplitude),
                         (1 + alpha / amplitude, -2 * cosine, 1 - alpha / amplitude))


class HighpassBiquad(_Biquad):
    """Keeps what is above `cutoff_freq` (Hz)."""

    def __init__(self, sample_rate, cutoff_freq, Q=0.707):
        _, cosine, alpha = self._angle(sample_rate, Q, cutoff_freq=cutoff_freq)
        super().__init__(((1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2), (1 + alpha, -2 * cosine, 1 - alpha))


class LowpassBiquad(_Biquad):
    """Keeps what is below `cutoff_freq` (Hz)."""

    def __init__(self, sample_rate, cutoff_freq, Q=0.707):
        _, cosine, alpha = self._angle(sample_rate, Q, cutoff_freq=cutoff_freq)
        super().__init__(((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2), (1 + alpha, -2 * cosine, 1 - alpha))


class RiaaBiquad(_Biquad):
    """Plays vinyl records back: a `sample_rate` of 44100, 48000, 88200 or 96000, 1 at 1000 Hz."""

    #: Zeros and poles, as SoX has them.
    _CURVES = {44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)), 48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
               88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)), 96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946))}

    def __init__(self, sample_rate):
        if sample_rate not in self._CURVES:
            raise ValueError(f"sample_rate should be one of [44100, 48000, 88200, 96000], but got {sample_rate}.")
        b, a = (np.poly(roots) for roots in self._CURVES[sample_rate])
        turn = np.exp(-2j * np.pi * 1000 / sample_rate) ** np.arange(3)
        super().__init__(b * abs(a @ turn) / abs(b @ turn), a)


def _weights(who, a_coeffs, b_coeffs, clamp):
    """Checks the weights of a filter of any order."""
    for name, weights in (("a_coeffs", a_coeffs), ("b_coeffs", b_coeffs)):
        if not isinstance(weights, (list, tuple)) or not weights or any(
                isinstance(weight, bool) or not isinstance(weight, (int, float)) for weight in weights):
            raise TypeError(f"For '{who}', {name} must be a list of numbers, but got {weights!r}.")
    if len(a_coeffs) != len(b_coeffs):
        raise ValueError(f"For '{who}', a_coeffs and b_coeffs must be equally long, but got {len(a_coeffs)} and {len(b_coeffs)}.")
    if a_coeffs[0] == 0:
        raise ValueError(f"For '{who}', the first of a_coeffs must not be 0.")
    if not isinstance(clamp, bool):
        raise TypeError(f"For '{who}', clamp must be a bool, but got {clamp!r}.")
    return a_coeffs, b_coeffs, clamp


class LFilter(AudioOperation):
    """A recursive filter of any order.

    Args:
      a_coeffs, b_coeffs: the weights of outputs and inputs, the present ones first; equally many.
      clamp: whether results are cut to [-1, 1].
    """

    keeps_half = True

    def __init__(self, a_coeffs, b_coeffs, clamp=True):
        self._a, self._b, self._clamp = _weights("LFilter", a_coeffs, b_coeffs, clamp)

    def changed(self, signal):
        result = filtered(signal, self._b, self._a)
        return np.clip(result, -1, 1) if self._clamp else result


class Filtfilt(AudioOperation):
    """A recursive filter forwards and then backwards, which leaves phases as they are; arguments as of LFilter.

    Only what comes out in the end is cut by `clamp`.
    """

    keeps_half = True

    def __init__(self, a_coeffs, b_coeffs, clamp=True):
        self._a, self._b, self._clamp = _weights("Filtfilt", a_coeffs, b_coeffs, clamp)

    def changed(self, signal):
        forwards = filtered(signal, self._b, self._a)
        result = filtered(forwards[..., ::-1], self._b, self._a)[..., ::-1]
        return np.clip(result, -1, 1) if self._clamp else result
