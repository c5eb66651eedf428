"""Spectra of signals [..., time] and what is made of them, [..., frequency, frame]; complex ones have a last axis of 2."""

import math

import numpy as np

from plumb.dataset.audio import utils
from plumb.dataset.audio._signals import (AudioOperation, ComplexOperation, Frames, RandomAudioOperation, advanced, padded, pairs)
from plumb.dataset.audio.resampling import resampled
from plumb.dataset.audio.utils import (BorderType, MelType, NormMode, NormType, ScaleType, WindowType, create_dct, linear_fbanks,
                                       melscale_fbanks, not_negative, of_type, one_of, positive, within)


def _sizes(who, n_fft, win_length, hop_length, divisor=2):
    """(n_fft, win_length, hop_length) with the defaults filled in; raises TypeError or ValueError."""
    positive(who, n_fft=n_fft)
    win_length = n_fft if win_length is None else win_length
    positive(who, win_length=win_length)
    hop_length = win_length // divisor if hop_length is None else hop_length
    positive(who, hop_length=hop_length)
    return n_fft, win_length, hop_length


def _frames(who, sizes, window, center=True, pad_mode=BorderType.REFLECT, onesided=True):
    one_of(who, WindowType, window=window)
    one_of(who, BorderType, pad_mode=pad_mode)
    of_type(who, (bool,), center=center, onesided=onesided)
    return Frames(who, *sizes, window, center, pad_mode, onesided)


class Spectrogram(AudioOperation):
    """The spectra of a signal's frames, [..., frequency, frame].

    Args:
      n_fft: samples of a frame, which give n_fft // 2 + 1 frequencies.
      win_length: those that the window keeps; None takes all.
      hop_length: how far frames are apart; None takes half of win_length.
      pad: zeros put before and behind the signal.
      window: the window's shape, periodic.
      power: of the magnitudes; 0 gives complex numbers, [..., frequency, frame, 2].
      normalized: whether they are divided by the window's norm.
      center: whether frames stand round multiples of hop_length, beyond the ends by `pad_mode`.
      onesided: whether frequencies that mirror others are left out.
    """

    def __init__(self, n_fft=400, win_length=None, hop_length=None, pad=0, window=WindowType.HANN, power=2.0, normalized=False,
                 center=True, pad_mode=BorderType.REFLECT, onesided=True):
        sizes = _sizes("Spectrogram", n_fft, win_length, hop_length)
        not_negative("Spectrogram", pad=pad, power=power)
        self._frames = _frames("Spectrogram", sizes, window, center, pad_mode, onesided)
        self._pad, self._power, self._normalized = pad, power, normalized

    def changed(self, signal):
        spectra = self._frames.transformed(padded(signal, self._pad, self._pad, BorderType.CONSTANT))
        if self._normalized:
            spectra /= np.linalg.norm(self._frames.window)
        return np.abs(spectra) ** self._power if self._power else pairs(spectra)


class InverseSpectrogram(ComplexOperation):
    """The signal of complex spectra [..., frequency, frame, 2]; arguments as of Spectrogram.

    Args:
      length: the samples of the result; None takes as many as there are. Without `center`, MindSpore leaves out the last n_fft.
    """

    axes = 3

    def __init__(self, length=None, n_fft=400, win_length=None, hop_length=None, pad=0, window=WindowType.HANN, normalized=False,
                 center=True, pad_mode=BorderType.REFLECT, onesided=True):
        sizes = _sizes("InverseSpectrogram", n_fft, win_length, hop_length)
        not_negative("InverseSpectrogram", pad=pad, length=length or 0)
        self._frames = _frames("InverseSpectrogram", sizes, window, center, pad_mode, onesided)
        self._pad, self._length, self._normalized = pad, length, normalized

    def changed(self, signal):
        if self._normalized:
            signal = signal * np.linalg.norm(self._frames.window)
        length = None if self._length is None else self._length + 2 * self._pad
        result = self._frames.inverted(signal, length)
        return result[..., self._pad:result.shape[-1] - self._pad] if self._length is not None else result


class GriffinLim(RandomAudioOperation):
    """A signal whose spectrogram is near to the given one, [..., frequency, frame]: Griffin's and Lim's algorithm, the fast one.

    Args:
      n_fft, win_length, hop_length, window_type: as of Spectrogram.
      n_iter: how often it is improved.
      power: of the magnitudes that are given.
      momentum: 0 … 1, less than 1; 0 is the algorithm of 1984.
      length: the samples of the result; None takes as many as there are.
      rand_init: whether the first phases are random, or else 0.
    """

    axes = 2

    def __init__(self, n_fft=400, n_iter=32, win_length=None, hop_length=None, window_type=WindowType.HANN, power=2.0,
                 momentum=0.99, length=None, rand_init=True):
        positive("GriffinLim", n_iter=n_iter)
        if power <= 0 or not 0 <= momentum < 1:
            raise ValueError(f"For 'GriffinLim', power must be more than 0 and momentum in [0, 1), but got {power} and {momentum}.")
        self._frames = _frames("GriffinLim", _sizes("GriffinLim", n_fft, win_length, hop_length), window_type)
        self._count, self._power, self._length, self._random = n_iter, power, length, rand_init
        self._momentum = momentum / (1 + momentum)

    def changed(self, rng, signal):
        magnitudes = signal ** (1 / self._power)
        angles = np.ones(signal.shape, np.complex128)
        if self._random:
            angles = rng.uniform(size=signal.shape) + 1j * rng.uniform(size=signal.shape)
        before = 0
        for _ in range(self._count):
            rebuilt = self._frames.transformed(self._frames.inverted(magnitudes * angles, self._length))
            if rebuilt.shape != signal.shape:
                raise ValueError(f"For 'GriffinLim', a signal of {self._length} samples has {rebuilt.shape[-1]} frames, but the input "
                                 f"{signal.shape[-1]}.")
            angles = rebuilt + (rebuilt - before) * self._momentum
            angles /= np.abs(angles) + 1e-16
            before = rebuilt
        return self._frames.inverted(magnitudes * angles, self._length)


class MelScale(AudioOperation):
    """Spectra [..., n_stft, frame] by a bank of filters on a scale of pitch: [..., n_mels, frame].

    Args:
      n_mels: the number of filters.
      sample_rate: the signal's.
      f_min, f_max: the range of the filters in Hz; f_max None is half of sample_rate.
      n_stft: the number of frequencies.
      norm, mel_type: as of melscale_fbanks.
    """

    axes = 2

    def __init__(self, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, n_stft=201, norm=NormType.NONE, mel_type=MelType.HTK):
        f_max = sample_rate // 2 if f_max is None else f_max
        self._bank = melscale_fbanks(n_stft, f_min, f_max, n_mels, sample_rate, norm, mel_type).astype(np.float64)

    def changed(self, signal):
        if signal.shape[-2] != len(self._bank):
            raise ValueError(f"For 'MelScale', n_stft is {len(self._bank)}, but the input has the shape {list(signal.shape)}.")
        return self._bank.T @ signal


class InverseMelScale(RandomAudioOperation):
    """Spectra [..., n_stft, frame] whose MelScale is near to the given one, [..., n_mels, frame], found by gradient descent.

    Args:
      n_stft, n_mels, sample_rate, f_min, f_max, norm, mel_type: as of MelScale.
      max_iter: the most steps.
      tolerance_loss, tolerance_change: the loss, and its change, at which it stops.
      sgdargs: {"sgd_lr": the rate (0.1), "sgd_momentum": the momentum (0.9)}.
    """

    axes = 2

    def __init__(self, n_stft, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, max_iter=100000, tolerance_loss=1e-5,
                 tolerance_change=1e-8, sgdargs=None, norm=NormType.NONE, mel_type=MelType.HTK):
        positive("InverseMelScale", max_iter=max_iter)
        not_negative("InverseMelScale", tolerance_loss=tolerance_loss, tolerance_change=tolerance_change)
        arguments = {"sgd_lr": 0.1, "sgd_momentum": 0.9, **(sgdargs or {})}
        if set(arguments) != {"sgd_lr", "sgd_momentum"}:
            raise ValueError(f"For 'InverseMelScale', sgdargs may have sgd_lr and sgd_momentum, but got {sgdargs}.")
        f_max = sample_rate // 2 if f_max is None else f_max
        self._bank = melscale_fbanks(n_stft, f_min, f_max, n_mels, sample_rate, norm, mel_type).astype(np.float64)
        self._most, self._enough, self._change = max_iter, tolerance_loss, tolerance_change
        self._rate, self._momentum = arguments["sgd_lr"], arguments["sgd_momentum"]

    def changed(self, rng, signal):
        if signal.shape[-2] != self._bank.shape[1]:
            raise ValueError(f"For 'InverseMelScale', n_mels is {self._bank.shape[1]}, but the input has the shape {list(signal.shape)}.")
        mels = np.swapaxes(signal, -1, -2)
        found = rng.uniform(size=mels.shape[:-1] + (len(self._bank),))
        speed, loss = np.zeros(found.shape), math.inf
        frames = mels.size // mels.shape[-1]
        for _ in range(self._most):
            error = found @ self._bank - mels
            before, loss = loss, np.sum(error ** 2) / frames
            if loss < self._enough or abs(before - loss) < self._change:
                break
            speed = self._momentum * speed + 2 / frames * error @ self._bank.T
            found = np.maximum(found - self._rate * speed, 0)
        return np.swapaxes(found, -1, -2)


class MelSpectrogram(AudioOperation):
    """MelScale of a Spectrogram, with the arguments of both."""

    def __init__(self, sample_rate=16000, n_fft=400, win_length=None, hop_length=None, f_min=0.0, f_max=None, pad=0, n_mels=128,
                 window=WindowType.HANN, power=2.0, normalized=False, center=True, pad_mode=BorderType.REFLECT, onesided=True,
                 norm=NormType.NONE, mel_scale=MelType.HTK):
        self._spectrogram = Spectrogram(n_fft, win_length, hop_length, pad, window, power, normalized, center, pad_mode, onesided)
        self._scale = MelScale(n_mels, sample_rate, f_min, f_max, n_fft // 2 + 1 if onesided else n_fft, norm, mel_scale)

    def changed(self, signal):
        return self._scale.changed(self._spectrogram.changed(signal))


def _options(who, given, **defaults):
    """Keyword arguments of an inner operation; raises ValueError for unknown ones."""
    unknown = sorted(set(given or {}) - set(defaults))
    if unknown:
        raise ValueError(f"For '{who}', there is no option '{unknown[0]}'; there are {', '.join(defaults)}.")
    return {**defaults, **(given or {})}


class _Cepstrum(AudioOperation):
    """Base of cepstra: the cosine transform of a spectrum's logarithm."""

    def __init__(self, count, filters, dct_type, norm, logarithm):
        who = type(self).__name__
        if dct_type != 2:
            raise ValueError(f"dct_type must be 2 (For '{who}'), but got {dct_type}.")
        if count > filters:
            raise ValueError(f"For '{who}', there can be at most {filters} coefficients, one for each filter, but got {count}.")
        self._matrix = create_dct(count, filters, norm).astype(np.float64)
        self._logarithm = logarithm

    def _transformed(self, spectrum):
        if self._logarithm:
            return self._matrix.T @ np.log(spectrum + 1e-6)
        return self._matrix.T @ _decibels(spectrum, 10, 1.0, 1e-10, 80.0)


class MFCC(_Cepstrum):
    """Mel-frequency cepstral coefficients of a signal, [..., n_mfcc, frame].

    Args:
      n_mfcc: the number of coefficients.
      dct_type: 2.
      norm: whether the cosine transform is orthonormal.
      log_mels: whether logarithms replace decibels.
      melkwargs: a dict of MelSpectrogram's arguments, except sample_rate.
    """

    single = True

    def __init__(self, sample_rate=16000, n_mfcc=40, dct_type=2, norm=NormMode.ORTHO, log_mels=False, melkwargs=None):
        options = _options("MFCC", melkwargs, n_fft=400, win_length=None, hop_length=None, f_min=0.0, f_max=None, pad=0, n_mels=128,
                           window=WindowType.HANN, power=2.0, normalized=False, center=True, pad_mode=BorderType.REFLECT,
                           onesided=True, norm=NormType.NONE, mel_scale=MelType.HTK)
        super().__init__(n_mfcc, options["n_mels"], dct_type, norm, log_mels)
        self._spectrogram = MelSpectrogram(sample_rate, **options)

    def changed(self, signal):
        return self._transformed(self._spectrogram.changed(signal))


class LFCC(_Cepstrum):
    """Cepstral coefficients by a bank of filters that are equally far apart in Hz, [..., n_lfcc, frame].

    Args:
      n_filter, n_lfcc: the numbers of filters and coefficients.
      f_min, f_max: the range of the filters; f_max None is half of sample_rate.
      dct_type, norm, log_lf: as of MFCC.
      speckwargs: a dict of Spectrogram's arguments.
    """

    single = True

    def __init__(self, sample_rate=16000, n_filter=128, n_lfcc=40, f_min=0.0, f_max=None, dct_type=2, norm=NormMode.ORTHO, log_lf=False,
                 speckwargs=None):
        options = _options("LFCC", speckwargs, n_fft=400, win_length=None, hop_length=None, pad=0, window=WindowType.HANN, power=2.0,
                           normalized=False, center=True, pad_mode=BorderType.REFLECT, onesided=True)
        super().__init__(n_lfcc, n_filter, dct_type, norm, log_lf)
        self._spectrogram = Spectrogram(**options)
        f_max = sample_rate // 2 if f_max is None else f_max
        self._bank = linear_fbanks(options["n_fft"] // 2 + 1, f_min, f_max, n_filter, sample_rate).astype(np.float64)

    def changed(self, signal):
        return self._transformed(self._bank.T @ self._spectrogram.changed(signal))


class SpectralCentroid(AudioOperation):
    """The mean frequency of each frame, weighted by magnitude, [..., 1, frame]; arguments as of Spectrogram."""

    def __init__(self, sample_rate, n_fft=400, win_length=None, hop_length=None, pad=0, window=WindowType.HANN):
        positive("SpectralCentroid", sample_rate=sample_rate)
        self._spectrogram = Spectrogram(n_fft, win_length, hop_length, pad, window, 1.0)
        self._frequencies = np.linspace(0, sample_rate // 2, n_fft // 2 + 1)[:, np.newaxis]

    def changed(self, signal):
        spectrum = self._spectrogram.changed(signal)
        return np.sum(self._frequencies * spectrum, axis=-2, keepdims=True) / np.sum(spectrum, axis=-2, keepdims=True)


def _decibels(spectrum, multiplier, reference, least, top):
    made = multiplier * (np.log10(np.maximum(spectrum, least)) - math.log10(max(least, reference)))
    if top is None:
        return made
    axes = tuple(range(-min(spectrum.ndim, 3), 0))
    return np.maximum(made, made.max(axis=axes, keepdims=True) - top)


class AmplitudeToDB(AudioOperation):
    """Power or magnitude to decibels.

    Args:
      stype: which of them.
      ref_value: what 0 decibels are, more than 0.
      amin: the least value taken, more than 0.
      top_db: how many decibels below the largest value (of the last three axes) values are cut, at least 0.
    """

    def __init__(self, stype=ScaleType.POWER, ref_value=1.0, amin=1e-10, top_db=80.0):
        one_of("AmplitudeToDB", ScaleType, stype=stype)
        not_negative("AmplitudeToDB", top_db=top_db)
        within("AmplitudeToDB", "(0, 16777216]", ref_value=ref_value, amin=amin)
        self._arguments = (10 if stype is ScaleType.POWER else 20, ref_value, amin, top_db)

    def changed(self, signal):
        return _decibels(signal, *self._arguments)


class DBToAmplitude(AudioOperation):
    """Decibels to ref * (10 ** (0.1 * decibels)) ** power: a power of 1 gives powers, 0.5 magnitudes."""

    def __init__(self, ref, power):
        within("DBToAmplitude", "[-16777216, 16777216]", ref=ref, power=power)
        self._reference, self._power = ref, power

    def changed(self, signal):
        return self._reference * (10 ** (0.1 * signal)) ** self._power


class ComputeDeltas(AudioOperation):
    """The slopes of spectra in time, over `win_length` frames (odd, at least 3); `pad_mode` says what stands beyond the ends."""

    axes = 2

    def __init__(self, win_length=5, pad_mode=BorderType.EDGE):
        positive("ComputeDeltas", win_length=win_length)
        within("ComputeDeltas", "[3, 2147483647]", win_length=win_length)
        one_of("ComputeDeltas", BorderType, pad_mode=pad_mode)
        self._half, self._mode = (win_length - 1) // 2, pad_mode

    def changed(self, signal):
        half, frames = self._half, signal.shape[-1]
        wide = padded(signal, half, half, self._mode)
        slopes = sum(step * wide[..., half + step:half + step + frames] for step in range(-half, half + 1))
        return slopes / (half * (half + 1) * (2 * half + 1) / 3)


class SlidingWindowCmn(AudioOperation):
    """Takes the mean over the frames around from each frame, [..., frame, frequency].

    Args:
      cmn_window: the most frames of a mean.
      min_cmn_window: the least at the begin; of use where `center` is False.
      center: whether the frames stand round each one, or before it.
      norm_vars: whether it is divided by their deviation, too.
    """

    axes = 2

    def __init__(self, cmn_window=600, min_cmn_window=100, center=False, norm_vars=False):
        not_negative("SlidingWindowCmn", cmn_window=cmn_window, min_cmn_window=min_cmn_window)
        for name, value in (("center", center), ("norm_vars", norm_vars)):
            if not isinstance(value, bool):
                raise TypeError(f"For 'SlidingWindowCmn', {name} must be a bool, but got {value!r}.")
        self._window, self._least, self._center, self._deviations = cmn_window, min_cmn_window, center, norm_vars

    def changed(self, signal):
        result = np.empty(signal.shape)
        for frame in range(signal.shape[-2]):
            part = signal[..., slice(*self._range(frame, signal.shape[-2])), :]
            result[..., frame, :] = signal[..., frame, :] - part.mean(axis=-2)
            if self._deviations:
                result[..., frame, :] = result[..., frame, :] / part.std(axis=-2) if part.shape[-2] > 1 else 0
        return result

    def _range(self, frame, frames):
        """The frames of a mean, (begin, end)."""
        begin = frame - (self._window // 2 if self._center else self._window)
        end = begin + self._window if self._center else frame + 1
        if begin < 0:
            begin, end = 0, end - begin
        if not self._center and end > frame:
            end = max(frame + 1, self._least)
        if end > frames:
            begin, end = max(begin - (end - frames), 0), frames
        return begin, end


class Angle(ComplexOperation):
    """The angles of complex numbers [..., 2]."""

    axes = 1

    def changed(self, signal):
        return np.angle(signal)


class ComplexNorm(ComplexOperation):
    """The magnitudes of complex numbers [..., 2] to the given power, at least 0."""

    axes = 1

    def __init__(self, power=1.0):
        not_negative("ComplexNorm", power=power)
        self._power = power

    def changed(self, signal):
        return (np.square(signal.real) + np.square(signal.imag)) ** (self._power / 2)


class Magphase(ComplexOperation):
    """(the magnitudes of complex numbers [..., 2] to the given power, at least 0; their angles)."""

    axes = 1

    def __init__(self, power=1.0):
        not_negative("Magphase", power=power)
        self._power = power

    def changed(self, signal):
        return np.abs(signal) ** self._power, np.angle(signal)


class PhaseVocoder(ComplexOperation):
    """Complex spectra [..., frequency, frame, 2], `rate` times as fast at the same pitch.

    Args:
      rate: more than 0.
      phase_advance: what each frequency turns by in a frame, [frequency, 1].
    """

    axes = 3

    def __init__(self, rate, phase_advance):
        within("PhaseVocoder", "(0, 16777216]", rate=rate)
        self._rate, self._advance = rate, np.asarray(phase_advance, np.float64)
        if self._advance.ndim != 2 or self._advance.shape[1] != 1:
            raise ValueError(f"For 'PhaseVocoder', phase_advance must be of shape [frequency, 1], but got {list(self._advance.shape)}.")

    def changed(self, signal):
        if signal.shape[-2] != len(self._advance):
            raise ValueError(f"For 'PhaseVocoder', phase_advance has {len(self._advance)} frequencies, but the input {signal.shape[-2]}.")
        return pairs(advanced(signal, self._rate, self._advance))


class TimeStretch(ComplexOperation):
    """Complex spectra [..., frequency, frame, 2] at another speed, with the same pitch.

    Args:
      hop_length: how far the frames are apart; None takes n_freq - 1.
      n_freq: the number of frequencies.
      fixed_rate: the speed, more than 0.
    """

    axes = 3

    def __init__(self, hop_length=None, n_freq=201, fixed_rate=None):
        positive("TimeStretch", n_freq=n_freq)
        hop_length = n_freq - 1 if hop_length is None else hop_length
        positive("TimeStretch", hop_length=hop_length)
        if fixed_rate is not None:
            within("TimeStretch", "(0, 16777216]", fixed_rate=fixed_rate)
        self._rate, self._advance = fixed_rate or 1.0, _advance(hop_length, n_freq)

    def changed(self, signal):
        if signal.shape[-2] != len(self._advance):
            raise ValueError(f"For 'TimeStretch', n_freq is {len(self._advance)}, but the input has {signal.shape[-2]} frequencies.")
        return pairs(advanced(signal, self._rate, self._advance))


def _advance(hop, frequencies):
    return np.linspace(0, np.pi * hop, frequencies)[:, np.newaxis]


class PitchShift(AudioOperation):
    """A signal higher by `n_steps`, of which an octave has `bins_per_octave`, in the same time.

    Args:
      n_fft, win_length, hop_length, window: as of Spectrogram; hop_length None takes a quarter of win_length.
    """

    def __init__(self, sample_rate, n_steps, bins_per_octave=12, n_fft=512, win_length=None, hop_length=None, window=WindowType.HANN):
        positive("PitchShift", sample_rate=sample_rate)
        utils.check_int("PitchShift", "n_steps", n_steps)
        utils.check_int("PitchShift", "bins_per_octave", bins_per_octave)
        if bins_per_octave == 0:
            raise ValueError("For 'PitchShift', bins_per_octave must not be 0.")
        self._frames = _frames("PitchShift", _sizes("PitchShift", n_fft, win_length, hop_length, 4), window)
        self._sample_rate, self._rate = sample_rate, 2 ** (-n_steps / bins_per_octave)

    def changed(self, signal):
        length, frames = signal.shape[-1], self._frames
        slow = advanced(frames.transformed(signal), self._rate, _advance(frames.hop, frames.n_fft // 2 + 1))
        made = resampled(frames.inverted(slow, int(round(length / self._rate))), int(self._sample_rate / self._rate), self._sample_rate)
        return padded(made[..., :length], 0, max(length - made.shape[-1], 0), BorderType.CONSTANT)
