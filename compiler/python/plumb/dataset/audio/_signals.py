"""What operations on sound share: recursive filters, windows, frames and Fourier transforms of them.

Signals are arrays whose last axis is time. Numbers are computed in float64 and given back as float64 where they were, else as
float32; some operations keep float16.
"""

import math

import numpy as np

from plumb.dataset._errors import Operation
from plumb.dataset._random import RandomOperation
from plumb.dataset.audio.utils import BorderType, WindowType

_BLOCK = 128  # samples that a recursive filter takes at once


def signal_of(value, who, axes=1, keeps_half=False):
    """(a signal as float64, the type of the result); raises TypeError or ValueError for other things."""
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"For '{who}', the input must be of numbers, but got {array.dtype}.")
    if array.ndim < axes:
        raise ValueError(f"For '{who}', the input must have at least {axes} ax{'is' if axes == 1 else 'es'}, but got the shape "
                         f"{list(array.shape)}.")
    kept = array.dtype == np.float64 or keeps_half and array.dtype == np.float16
    return array.astype(np.float64), array.dtype if kept else np.dtype(np.float32)


class AudioOperation(Operation):
    """Base of operations on one signal; `axes`: how many axes it must have, `keeps_half`: whether float16 stays what it is, `single`: whether
    the result is float32 whatever the signal is."""

    axes, keeps_half, single = 1, False, False

    def __call__(self, signal):
        signal, dtype = signal_of(signal, type(self).__name__, self.axes, self.keeps_half)
        return self.changed(signal).astype(np.float32 if self.single else dtype)

    def changed(self, signal):
        """Returns the operation's result for a signal of float64."""
        raise NotImplementedError


class RandomAudioOperation(RandomOperation):
    """Base of random operations on one signal."""

    axes = 1

    def transform(self, rng, signal):
        signal, dtype = signal_of(signal, type(self).__name__, self.axes)
        return self.changed(rng, signal).astype(dtype)

    def changed(self, rng, signal):
        """Returns the operation's result for a row's generator."""
        raise NotImplementedError


class ComplexOperation(AudioOperation):
    """Base of operations on complex numbers: pairs (real, imaginary) in the last axis."""

    axes = 2

    def __call__(self, signal):
        signal, dtype = signal_of(signal, type(self).__name__, self.axes)
        if signal.shape[-1] != 2:
            raise ValueError(f"For '{type(self).__name__}', the last axis must hold real and imaginary parts, but got the shape "
                             f"{list(signal.shape)}.")
        made = self.changed(signal[..., 0] + 1j * signal[..., 1])
        return tuple(part.astype(dtype) for part in made) if isinstance(made, tuple) else made.astype(dtype)


def pairs(numbers):
    """Complex numbers as pairs in a last axis."""
    return np.stack([numbers.real, numbers.imag], axis=-1)


def filtered(signal, b, a):
    """y[n] = (sum of b[k] x[n - k] - sum of a[k] y[n - k], k > 0) / a[0], from rest.

    The recursion goes block by block: what a block gives from rest is a product with a matrix, and what it goes on with are the
    last outputs of the block before, which decay by the same matrix's columns.
    """
    b, a = np.asarray(b, np.float64) / a[0], np.asarray(a, np.float64) / a[0]
    rows = signal.reshape(-1, signal.shape[-1])
    driven = np.zeros(rows.shape)
    for delay, weight in enumerate(b[:rows.shape[1]]):
        driven[:, delay:] += weight * rows[:, :rows.shape[1] - delay]
    return (_recursion(driven, a) if len(a) > 1 else driven).reshape(signal.shape)


def _recursion(driven, a):
    order, length = len(a) - 1, driven.shape[1]
    # Column j: the outputs of a block that an output j steps before it leaves; the last one is a pulse within.
    responses = np.zeros((_BLOCK + order, order + 1))
    responses[:order, :order] = np.eye(order)
    responses[order, order] = 1
    for at in range(order, _BLOCK + order):
        responses[at] -= a[:0:-1] @ responses[at - order:at]
    responses = responses[order:]
    pulse, at = responses[:, order], np.arange(_BLOCK)
    from_rest = np.where(at[:, np.newaxis] >= at, pulse[at[:, np.newaxis] - at], 0)
    blocks = np.pad(driven, ((0, 0), (0, -length % _BLOCK))).reshape(len(driven), -1, _BLOCK) @ from_rest.T
    state = np.zeros((len(driven), order))
    for block in range(blocks.shape[1]):
        blocks[:, block] += state @ responses[:, :order].T
        state = np.concatenate([state, blocks[:, block]], axis=1)[:, -order:]
    return blocks.reshape(len(driven), -1)[:, :length]


def window_of(kind, length):
    """A periodic window."""
    if kind is WindowType.KAISER:
        return np.kaiser(length + 1, 12)[:-1]
    time = np.arange(length) / length
    if kind is WindowType.BARTLETT:
        return 1 - np.abs(2 * time - 1)
    weights = {WindowType.HANN: (0.5, 0.5, 0), WindowType.HAMMING: (0.54, 0.46, 0), WindowType.BLACKMAN: (0.42, 0.5, 0.08)}[kind]
    return weights[0] - weights[1] * np.cos(2 * np.pi * time) + weights[2] * np.cos(4 * np.pi * time)


def padded(signal, before, after, mode):
    """A signal longer at both ends."""
    widths = [(0, 0)] * (signal.ndim - 1) + [(before, after)]
    return np.pad(signal, widths, {BorderType.REFLECT: "reflect", BorderType.SYMMETRIC: "symmetric", BorderType.EDGE: "edge"}.get(
        mode, "constant"))


class Frames:
    """Frames of a signal: `n_fft` samples every `hop`, weighted by a window in their middle.

    Raises ValueError, which names `who`, where the window is longer than a frame or a signal shorter.
    """

    def __init__(self, who, n_fft, win_length, hop, window, center=True, pad_mode=BorderType.REFLECT, onesided=True):
        win_length = n_fft if win_length is None else win_length
        if win_length > n_fft:
            raise ValueError(f"For '{who}', win_length must be at most n_fft, but got {win_length} and {n_fft}.")
        self.who, self.n_fft, self.hop, self.center, self.mode, self.onesided = who, n_fft, hop, center, pad_mode, onesided
        room = n_fft - win_length
        self.window = np.pad(window_of(window, win_length), (room // 2, room - room // 2))

    def transformed(self, signal):
        """The frames' spectra, complex [..., frequencies, frames]."""
        half = self.n_fft // 2
        if self.center:
            if self.mode is BorderType.REFLECT and signal.shape[-1] <= half or not signal.shape[-1]:
                raise ValueError(f"For '{self.who}', a signal of {signal.shape[-1]} samples is too short for frames of {self.n_fft}.")
            signal = padded(signal, half, half, self.mode)
        if signal.shape[-1] < self.n_fft:
            raise ValueError(f"For '{self.who}', n_fft must be at most the length of the signal, {signal.shape[-1]}, but got {self.n_fft}.")
        frames = np.lib.stride_tricks.sliding_window_view(signal, self.n_fft, axis=-1)[..., ::self.hop, :] * self.window
        return np.swapaxes(np.fft.rfft(frames) if self.onesided else np.fft.fft(frames), -1, -2)

    def inverted(self, spectra, length=None):
        """The signal whose frames fit the spectra best, cut or filled up to `length` samples."""
        spectra = np.swapaxes(spectra, -1, -2)
        frames = (np.fft.irfft(spectra, self.n_fft) if self.onesided else np.fft.ifft(spectra).real) * self.window
        count = frames.shape[-2]
        total = self.n_fft + self.hop * (count - 1)
        signal, weights = np.zeros(frames.shape[:-2] + (total,)), np.zeros(total)
        for number in range(count):
            begin = number * self.hop
            signal[..., begin:begin + self.n_fft] += frames[..., number, :]
            weights[begin:begin + self.n_fft] += self.window ** 2
        begin = self.n_fft // 2 if self.center else 0
        end = total - begin if length is None else begin + length
        signal, weights = signal[..., begin:end], weights[begin:end]
        if np.any(np.abs(weights) < 1e-11):
            raise ValueError(f"For '{self.who}', the windows of the frames leave out samples of the signal: take a smaller hop_length.")
        signal = signal / weights
        if length is not None and signal.shape[-1] < length:
            signal = padded(signal, 0, length - signal.shape[-1], BorderType.CONSTANT)
        return signal


def advanced(spectra, rate, phase_advance):
    """Spectra of frames `rate` times as far apart, which go on with their phases: a phase vocoder.

    Args:
      spectra: complex [..., frequencies, frames].
      phase_advance: what each frequency turns by in a frame, [frequencies, 1].
    """
    steps = np.arange(math.ceil(spectra.shape[-1] / rate)) * rate
    first = steps.astype(np.int64)
    shares = steps - first
    wide = np.concatenate([spectra, np.zeros(spectra.shape[:-1] + (2,))], axis=-1)
    now, later = wide[..., first], wide[..., first + 1]
    turns = np.angle(later) - np.angle(now) - phase_advance
    turns += phase_advance - 2 * np.pi * np.round(turns / (2 * np.pi))
    phases = np.cumsum(np.concatenate([np.angle(spectra[..., :1]), turns[..., :-1]], axis=-1), axis=-1)
    return (shares * np.abs(later) + (1 - shares) * np.abs(now)) * np.exp(1j * phases)
