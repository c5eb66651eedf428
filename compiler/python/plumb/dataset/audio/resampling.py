"""Resample: signals at another rate."""

import math

import numpy as np

from plumb.dataset.audio._signals import AudioOperation
from plumb.dataset.audio.utils import ResampleMethod, one_of, positive, within

_BETA = 14.769656459379492  # of Kaiser's window, where none is given
_AT_ONCE = 1 << 20  # weights in memory


def resampled(signal, before, after, method=ResampleMethod.SINC_INTERPOLATION, width=6, rolloff=0.99, beta=None):  # pylint: disable=too-many-arguments
    """A signal at the rate `after`: each sample is a sum of its neighbours, weighted by a sine cardinal in a window.

    Args:
      width: how many of the sine's zeros the window has at each side.
      rolloff: the highest frequency kept, as a share of what the lower rate can hold.
    """
    common = math.gcd(before, after)
    before, after = before // common, after // common
    if before == after:
        return signal
    base = min(before, after) * rolloff
    room = math.ceil(width * before / base)
    count = math.ceil(after * signal.shape[-1] / before)
    wide = np.pad(signal, [(0, 0)] * (signal.ndim - 1) + [(room, 2 * room + before)])
    result = np.empty(signal.shape[:-1] + (count,))
    chunk = max(_AT_ONCE // (2 * room + 2), 1)
    for begin in range(0, count, chunk):
        at = np.arange(begin, min(begin + chunk, count)) * before
        taps = (at // after)[:, np.newaxis] + np.arange(-room, room + 2)
        time = np.clip((taps - (at / after)[:, np.newaxis]) * (base / before), -width, width)
        if method is ResampleMethod.SINC_INTERPOLATION:
            window = np.cos(time * np.pi / width / 2) ** 2
        else:
            window = np.i0((_BETA if beta is None else beta) * np.sqrt(1 - (time / width) ** 2)) / np.i0(_BETA if beta is None else beta)
        weights = np.sinc(time) * window * base / before
        result[..., begin:begin + len(at)] = np.einsum("...ij,ij->...i", wide[..., taps + room], weights)
    return result


class Resample(AudioOperation):
    """A signal [..., time] at another rate.

    Args:
      orig_freq, new_freq: the rates, more than 0; whole numbers in the end.
      resample_method: the window of the kernel.
      lowpass_filter_width: the zeros of the sine on each side; more make the filter sharper.
      rolloff: the highest frequency kept, as a share of what the lower rate can hold, of (0, 1].
      beta: of Kaiser's window; 14.77 where None.
    """

    def __init__(self, orig_freq=16000, new_freq=16000, resample_method=ResampleMethod.SINC_INTERPOLATION, lowpass_filter_width=6,
                 rolloff=0.99, beta=None):
        within("Resample", "[1, 16777216]", orig_freq=orig_freq, new_freq=new_freq)
        one_of("Resample", ResampleMethod, resample_method=resample_method)
        positive("Resample", lowpass_filter_width=lowpass_filter_width)
        within("Resample", "(0, 1]", rolloff=rolloff)
        self._arguments = (int(orig_freq), int(new_freq), resample_method, lowpass_filter_width, rolloff, beta)

    def changed(self, signal):
        return resampled(signal, *self._arguments)
