"""Effects on signals [..., time], most after SoX."""

import math

import numpy as np

from plumb.dataset._errors import Operation
from plumb.dataset.audio._signals import AudioOperation, RandomAudioOperation, filtered, signal_of
from plumb.dataset.audio.utils import (DensityFunction, FadeShape, GainType, Interpolation, Modulation, not_negative, number, of_type,
                                       one_of, positive, within)


class Contrast(AudioOperation):
    """Makes a signal sound louder, as compression does: by `enhancement_amount` of 0 … 100."""

    def __init__(self, enhancement_amount=75.0):
        within("Contrast", "[0, 100]", enhancement_amount=enhancement_amount)
        self._share = enhancement_amount / 750

    def changed(self, signal):
        turn = signal * np.pi / 2
        return np.sin(turn + self._share * np.sin(4 * turn))


class DCShift(AudioOperation):
    """Adds `shift` (-2 … 2); what comes near to the limits with it is compressed by `limiter_gain`, where that is given.

    For negative shifts, MindSpore 2.0.0 gives positive numbers where it compresses.
    """

    def __init__(self, shift, limiter_gain=None):
        within("DCShift", "[-2.0, 2.0]", shift=shift)
        if limiter_gain is not None:
            number("DCShift", limiter_gain=limiter_gain)
        self._shift, self._gain = shift, limiter_gain

    def changed(self, signal):
        if self._gain is None or self._shift == 0:
            return np.clip(signal + self._shift, -1, 1)
        sign, limit = np.sign(self._shift), 1 - (abs(self._shift) - self._gain)
        over = sign * signal > limit
        bent = sign * np.minimum((sign * signal - limit) * self._gain / (1 - limit) + limit + abs(self._shift), limit)
        return np.where(over, bent, np.clip(signal + self._shift, -1, 1))


class Gain(AudioOperation):
    """Multiplies by `gain_db` decibels."""

    def __init__(self, gain_db=1.0):
        within("Gain", "[-16777216, 16777216]", gain_db=gain_db)
        self._ratio = 10 ** (gain_db / 20)

    def changed(self, signal):
        return signal * self._ratio


class Vol(AudioOperation):
    """Multiplies by a gain and cuts to [-1, 1].

    Args:
      gain: at least 0 for an amplitude, more than 0 for a power.
      gain_type: what the gain is: of the amplitude, of the power, or decibels.
    """

    def __init__(self, gain, gain_type=GainType.AMPLITUDE):
        within("Vol", "[-16777216, 16777216]", gain=gain)
        one_of("Vol", GainType, gain_type=gain_type)
        if gain_type is GainType.AMPLITUDE and gain < 0 or gain_type is GainType.POWER and gain <= 0:
            raise ValueError(f"For 'Vol', the gain of {gain_type.value} must be {'at least' if gain_type is GainType.AMPLITUDE else 'more than'} 0, "
                             f"but got {gain}.")
        self._ratio = {GainType.AMPLITUDE: lambda: gain, GainType.POWER: lambda: math.sqrt(gain), GainType.DB: lambda: 10 ** (gain / 20)}[gain_type]()

    def changed(self, signal):
        return np.clip(signal * self._ratio, -1, 1)


class Overdrive(AudioOperation):
    """Distorts as an overdriven amplifier: `gain` in decibels and `color`, the even harmonics, each 0 … 100."""

    def __init__(self, gain=20.0, color=20.0):
        within("Overdrive", "[0, 100]", gain=gain, color=color)
        self._gain, self._color = 10 ** (gain / 20), color / 200

    def changed(self, signal):
        bent = np.clip(signal * self._gain + self._color, -1, 1)
        bent -= bent ** 3 / 3
        # The mean goes by a filter of first order.
        return np.clip(signal * 0.5 + filtered(bent, (1, -1), (1, -0.995)) * 0.75, -1, 1)


class Fade(AudioOperation):
    """Grows from silence at the begin and falls to it at the end.

    Args:
      fade_in_len, fade_out_len: in samples; at most the signal's.
      fade_shape: how. FadeShape.LOGARITHMIC is at most 1, in MindSpore 1.04.
    """

    _SHAPES = {FadeShape.LINEAR: lambda time: time, FadeShape.EXPONENTIAL: lambda time: 2 ** (time - 1) * time,
               FadeShape.LOGARITHMIC: lambda time: np.log10(0.1 + time) + 1, FadeShape.QUARTER_SINE: lambda time: np.sin(time * np.pi / 2),
               FadeShape.HALF_SINE: lambda time: np.sin(time * np.pi - np.pi / 2) / 2 + 0.5}

    def __init__(self, fade_in_len=0, fade_out_len=0, fade_shape=FadeShape.LINEAR):
        for name, value in (("fade_in_len", fade_in_len), ("fade_out_len", fade_out_len)):
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"For 'Fade', {name} must be an int, but got {value!r}.")
        not_negative("Fade", fade_in_len=fade_in_len, fade_out_len=fade_out_len)
        one_of("Fade", FadeShape, fade_shape=fade_shape)
        self._lengths, self._shape = (fade_in_len, fade_out_len), self._SHAPES[fade_shape]

    def changed(self, signal):
        if max(self._lengths) > signal.shape[-1]:
            raise ValueError(f"For 'Fade', the lengths {self._lengths} must be at most that of the signal, {signal.shape[-1]}.")
        times = np.linspace(0, 1, self._lengths[0]), 1 - np.linspace(0, 1, self._lengths[1])
        begin, end = (np.clip(self._shape(time), 0, 1) for time in times)
        result = signal.copy()
        result[..., :len(begin)] *= begin
        result[..., signal.shape[-1] - len(end):] *= end
        return result


class MuLawEncoding(Operation):
    """Numbers -1 … 1 to codes 0 … `quantization_channels` - 1, int32, of which the small ones are finer."""

    def __init__(self, quantization_channels=256):
        positive("MuLawEncoding", quantization_channels=quantization_channels)
        self._most = quantization_channels - 1

    def __call__(self, signal):
        signal, _ = signal_of(signal, "MuLawEncoding")
        bent = np.sign(signal) * np.log1p(self._most * np.abs(signal)) / np.log1p(self._most)
        return ((bent + 1) / 2 * self._most + 0.5).astype(np.int32)


class MuLawDecoding(AudioOperation):
    """Codes of MuLawEncoding to numbers -1 … 1."""

    def __init__(self, quantization_channels=256):
        positive("MuLawDecoding", quantization_channels=quantization_channels)
        self._most = quantization_channels - 1

    def changed(self, signal):
        bent = signal / self._most * 2 - 1
        return np.sign(bent) * np.expm1(np.abs(bent) * np.log1p(self._most)) / self._most


class Dither(RandomAudioOperation):
    """Rounds to 16 bits after noise was added.

    Args:
      density_function: TPDF adds a triangle over the signal's time, RPDF one sample of it, GPDF the sum of several.
      noise_shaping: whether the error of a sample is added to the next.
    """

    def __init__(self, density_function=DensityFunction.TPDF, noise_shaping=False):
        one_of("Dither", DensityFunction, density_function=density_function)
        of_type("Dither", (bool,), noise_shaping=noise_shaping)
        self._density, self._shaping = density_function, noise_shaping

    def changed(self, rng, signal):
        rounded = np.round(signal * (2 ** 15 - 2) + self._noise(rng, signal)) / 2 ** 15
        if self._shaping:
            rounded[..., 1:] += (rounded - signal)[..., :-1]
        return rounded

    def _noise(self, rng, signal):
        length = signal.shape[-1]
        if self._density is DensityFunction.TPDF:
            return 1 - np.abs(2 * np.arange(length) / length - 1)
        drawn = rng.choice(signal.reshape(-1), 1 if self._density is DensityFunction.RPDF else 7)
        return drawn[0] - 0.5 if len(drawn) == 1 else drawn.sum()


def _oscillation(modulation, length, least, most, phase):
    """One period of an oscillation between two numbers."""
    point = (np.arange(length) + int(phase / (2 * math.pi) * length + 0.5)) % length / length
    if modulation is Modulation.SINUSOIDAL:
        wave = (np.sin(2 * np.pi * point) + 1) / 2
    else:
        wave = np.where(point < 0.25, 2 * point + 0.5, np.where(point < 0.75, 1.5 - 2 * point, 2 * point - 1.5))
    return wave * (most - least) + least


class Phaser(AudioOperation):
    """Adds an echo whose delay oscillates.

    Args:
      gain_in, gain_out: 0 … 1 and 0 … 1e9.
      delay_ms: 0 … 5, decay: 0 … 0.99, mod_speed: 0.1 … 2 Hz.
      sinusoidal: whether the oscillation is a sine, or else a triangle.
    """

    def __init__(self, sample_rate, gain_in=0.4, gain_out=0.74, delay_ms=3.0, decay=0.4, mod_speed=0.5, sinusoidal=True):
        positive("Phaser", sample_rate=sample_rate)
        within("Phaser", "[0, 1]", gain_in=gain_in)
        within("Phaser", "[0, 1000000000.0]", gain_out=gain_out)
        within("Phaser", "[0, 5.0]", delay_ms=delay_ms)
        within("Phaser", "[0, 0.99]", decay=decay)
        within("Phaser", "[0.1, 2]", mod_speed=mod_speed)
        of_type("Phaser", (bool,), sinusoidal=sinusoidal)
        self._gains, self._decay = (gain_in, gain_out), decay
        self._length = int(delay_ms * 0.001 * sample_rate + 0.5)
        modulation = Modulation.SINUSOIDAL if sinusoidal else Modulation.TRIANGULAR
        delays = _oscillation(modulation, int(sample_rate / mod_speed + 0.5), 1, self._length, math.pi / 2)
        self._delays = (delays + 0.5).astype(np.int64)

    def changed(self, signal):
        rows = np.moveaxis(signal, -1, 0)
        kept, made = np.zeros((self._length,) + rows.shape[1:]), np.empty(rows.shape)
        for number, value in enumerate(rows):
            echo = kept[(number + self._delays[number % len(self._delays)]) % self._length]
            made[number] = value * self._gains[0] + echo * self._decay
            kept[(number + 1) % self._length] = made[number]
        return np.clip(np.moveaxis(made, 0, -1) * self._gains[1], -1, 1)


class Flanger(AudioOperation):
    """Adds a copy of the signal whose delay oscillates; signals [..., channel, time].

    Args:
      delay: 0 … 30 ms; depth: 0 … 10 ms more; regen: how much comes back, -95 … 95 %; width: how much is added, 0 … 100 %.
      speed: 0.1 … 10 Hz; phase: how much later a channel's oscillation is than the one's before, 0 … 100 %.
      modulation, interpolation: the oscillation, and how values between samples are found.
    """

    axes, keeps_half = 2, True

    def __init__(self, sample_rate, delay=0.0, depth=2.0, regen=0.0, width=71.0, speed=0.5, phase=25.0,
                 modulation=Modulation.SINUSOIDAL, interpolation=Interpolation.LINEAR):
        positive("Flanger", sample_rate=sample_rate)
        within("Flanger", "[0, 30]", delay=delay)
        within("Flanger", "[0, 10]", depth=depth)
        within("Flanger", "[-95, 95]", regen=regen)
        within("Flanger", "[0, 100]", width=width, phase=phase)
        within("Flanger", "[0.1, 10]", speed=speed)
        one_of("Flanger", Modulation, modulation=modulation)
        one_of("Flanger", Interpolation, interpolation=interpolation)
        self._back, added, self._phase = regen / 100, width / 100, phase / 100
        self._gain_in = 1 / (1 + added)
        self._gain_added = added / (1 + added) * (1 - abs(self._back))
        self._length = int((delay + depth) / 1000 * sample_rate + 0.5) + 2
        least = math.floor(delay / 1000 * sample_rate + 0.5)
        self._delays = _oscillation(modulation, int(sample_rate / speed), least, self._length - 2, 3 * math.pi / 2)
        self._quadratic = interpolation is Interpolation.QUADRATIC

    def changed(self, signal):
        rows = np.moveaxis(signal, -1, 0)
        channel = np.arange(signal.shape[-2])
        later = (channel * len(self._delays) * self._phase + 0.5).astype(np.int64)
        kept, last = np.zeros((self._length,) + rows.shape[1:]), np.zeros(rows.shape[1:])
        made, at = np.empty(rows.shape), 0
        for number, value in enumerate(rows):
            at = (at - 1) % self._length
            kept[at] = value + last * self._back
            last = self._delayed(kept, at, self._delays[(number + later) % len(self._delays)], channel)
            made[number] = value * self._gain_in + last * self._gain_added
        return np.clip(np.moveaxis(made, 0, -1), -1, 1)

    def _delayed(self, kept, at, delays, channel):
        """What was kept `delays` samples ago, by channel."""
        whole = np.floor(delays).astype(np.int64)
        share = delays - whole
        values = [kept[(at + whole + step) % self._length, ..., channel] for step in range(3)]
        values = [np.moveaxis(value, 0, -1) for value in values]
        if not self._quadratic:
            return values[0] + (values[1] - values[0]) * share
        second, first = values[2] - values[0], values[1] - values[0]
        return values[0] + ((second / 2 - first) * share + first * 2 - second / 2) * share
