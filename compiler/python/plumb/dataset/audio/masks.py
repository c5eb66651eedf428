"""Masks over spectra [..., frequency, time]."""

import numpy as np

from plumb.dataset.audio._signals import AudioOperation, RandomAudioOperation
from plumb.dataset.audio.utils import check_int, not_negative, of_type, positive, within


def _check_axis(who, axis):
    check_int(who, "axis", axis)
    within(who, "[1, 2]", axis=axis)


def _int(who, **numbers):
    of_type(who, (int,), **numbers)
    within(who, "[0, 2147483647]", **numbers)


def _covered(spectrum, begin, width, value, axis, who):
    """A spectrum in which rows (axis -2) or columns (-1) are replaced by a value."""
    if begin + width > spectrum.shape[axis]:
        raise ValueError(f"For '{who}', the mask from {begin} on of {width} reaches over the {spectrum.shape[axis]} of the input of shape "
                         f"{list(spectrum.shape)}.")
    result = np.moveaxis(spectrum.copy(), axis, 0)
    result[begin:begin + width] = value
    return np.moveaxis(result, 0, axis)


class MaskAlongAxis(AudioOperation):
    """Replaces rows by `mask_value`.

    Args:
      mask_start, mask_width: from which on, and how many, at least 1.
      axis: 1 for frequencies, 2 for time.
    """

    axes = 2

    def __init__(self, mask_start, mask_width, mask_value, axis):
        _int("MaskAlongAxis", mask_start=mask_start)
        positive("MaskAlongAxis", mask_width=mask_width)
        _check_axis("MaskAlongAxis", axis)
        self._begin, self._width, self._value, self._axis = mask_start, mask_width, mask_value, axis - 3

    def changed(self, signal):
        return _covered(signal, self._begin, self._width, self._value, self._axis, "MaskAlongAxis")


class MaskAlongAxisIID(RandomAudioOperation):
    """Replaces a random number of rows by `mask_value`: less than `mask_param`, from a random one on.

    Args:
      mask_param: at most as many as there are.
      axis: 1 for frequencies, 2 for time.
    """

    axes = 2

    def __init__(self, mask_param, mask_value, axis):
        _int("MaskAlongAxisIID", mask_param=mask_param)
        _check_axis("MaskAlongAxisIID", axis)
        self._most, self._value, self._axis = mask_param, mask_value, axis - 3

    def changed(self, rng, signal):
        return _covered(signal, *_drawn(rng, signal.shape[self._axis], self._most, "MaskAlongAxisIID"), self._value, self._axis,
                        "MaskAlongAxisIID")


def _drawn(rng, extent, most, who):
    """(begin, width) of a random mask."""
    if most > extent:
        raise ValueError(f"For '{who}', the mask's parameter must be at most {extent}, but got {most}.")
    width = int(rng.uniform() * most)
    return int(rng.uniform() * (extent - width)), width


class _Masking(RandomAudioOperation):
    """Base of the masks of SpecAugment."""

    axes = 2
    _AXIS = -1

    def __init__(self, iid_masks, most, mask_start, mask_value):
        who = type(self).__name__
        if not isinstance(iid_masks, bool):
            raise TypeError(f"For '{who}', iid_masks must be a bool, but got {iid_masks!r}.")
        _int(who, mask_param=most, mask_start=mask_start)
        not_negative(who, mask_value=mask_value)
        self._random, self._most, self._begin, self._value = iid_masks, most, mask_start, mask_value

    def changed(self, rng, signal):
        who = type(self).__name__
        place = _drawn(rng, signal.shape[self._AXIS], self._most, who) if self._random else (self._begin, self._most)
        return _covered(signal, *place, self._value, self._AXIS, who)


class FrequencyMasking(_Masking):
    """Replaces neighbouring frequencies by `mask_value`.

    Args:
      iid_masks: whether how many and which is random: less than `freq_mask_param`; otherwise that many from `mask_start` on.
    """

    _AXIS = -2

    def __init__(self, iid_masks=False, freq_mask_param=0, mask_start=0, mask_value=0.0):
        super().__init__(iid_masks, freq_mask_param, mask_start, mask_value)


class TimeMasking(_Masking):
    """Replaces neighbouring frames by `mask_value`.

    Args:
      iid_masks: whether how many and which is random: less than `time_mask_param`; otherwise that many from `mask_start` on.
    """

    _AXIS = -1

    def __init__(self, iid_masks=False, time_mask_param=0, mask_start=0, mask_value=0.0):
        super().__init__(iid_masks, time_mask_param, mask_start, mask_value)
