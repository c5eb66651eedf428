"""The short-time Fourier transform, in the parsable subset."""

import math

from plumb.common import dtype as mstype
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.padding import mirror_pad, pad


def _frames(x, n_fft, hop_length):
    """The sections of `n_fft` elements, each `hop_length` behind the one before: (batch, time) becomes (batch, sections, n_fft).

    A section is put together of pieces as long as a hop, of which each starts a section: slices, not indices.
    """
    count = (x.shape[1] - n_fft) // hop_length + 1
    pieces = ()
    for start in range(0, n_fft, hop_length):
        length = min(hop_length, n_fft - start)
        section = x[:, start:start + (count - 1) * hop_length + length]
        if length < hop_length or count > 1:
            section = F.pad(section, (0, 0), (0, hop_length - length), 0)
        piece = F.reshape(section, (x.shape[0], count, hop_length))
        pieces = pieces + (piece[:, :, 0:length],)
    return F.concat(pieces, 2)


def _window(window, win_length, n_fft):
    """The window of `win_length` elements, ones by default, in the middle of `n_fft` with zeros around it."""
    if window is None:
        window = F.fill(mstype.float32, (win_length,), 1)
    if window.ndim != 1 or window.shape[0] != win_length:
        raise ValueError(f"For 'stft', the window must have the shape ({win_length},), but got {window.shape}")
    before = (n_fft - win_length) // 2
    return F.pad(window, (before,), (n_fft - win_length - before,), 0)


def _centred(x, n_fft, pad_mode):
    """x with half a section more at both ends."""
    half = n_fft // 2
    mode = pad_mode.lower()
    if mode in ("reflect", "symmetric"):
        return mirror_pad(x, ((0, 0), (half, half)), mode.upper())
    return pad(x, (half, half), mode)


def stft(x, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="REFLECT", normalized=False,
         onesided=None, return_complex=None):
    """The Fourier transforms of overlapping sections of signals, (time,) or (batch, time).

    Args:
      n_fft: the length of a section.
      hop_length: from one section's start to the next's; a quarter of `n_fft` by default.
      win_length: the window's length, `n_fft` by default; a shorter one stands in the middle of the section.
      window: what each section is multiplied by; ones by default.
      center: whether the signal is continued at both ends by half a section, as `pad_mode` says: "CONSTANT", "REFLECT",
        "SYMMETRIC", "REPLICATE" or "CIRCULAR".
      normalized: whether the result is divided by the root of `n_fft`.
      onesided: whether only the first n_fft // 2 + 1 frequencies are given; by default where all is real.
      return_complex: complex numbers, or the parts on a last axis of two; by default complex where the input or window is.

    Returns:
      A tensor (frequencies, sections), behind the batch if there is one.
    """
    hop_length = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    signal = F.expand_dims(x, 0) if x.ndim == 1 else x
    is_complex = x.dtype in _checks.COMPLEX or window is not None and window.dtype in _checks.COMPLEX
    if signal.ndim != 2:
        raise ValueError(f"For 'stft', the signal must have one or two axes, but got {x.shape}")
    if n_fft < 1 or hop_length < 1 or win_length < 1 or win_length > n_fft:
        raise ValueError(f"For 'stft', 'n_fft', 'hop_length' and 'win_length' must be positive, and the window no longer than the "
                         f"section, but got {n_fft}, {hop_length} and {win_length}")
    if is_complex and onesided:
        raise ValueError("For 'stft', 'onesided' is for real signals and windows")
    if center:
        signal = _centred(signal, n_fft, pad_mode)
    if signal.shape[1] < n_fft:
        raise ValueError(f"For 'stft', the signal has {signal.shape[1]} elements, but a section {n_fft}")
    y = F.fft(F.mul(_frames(signal, n_fft, hop_length), _window(window, win_length, n_fft)), (2,))
    if onesided is None and not is_complex or onesided:
        y = y[:, :, 0:n_fft // 2 + 1]
    y = F.transpose(y * (1.0 / math.sqrt(n_fft)) if normalized else y, (0, 2, 1))
    if not (is_complex if return_complex is None else return_complex):
        y = F.stack((F.real(y), F.imag(y)), 3)
    return F.squeeze(y, (0,)) if x.ndim == 1 else y


def short_time_transform(x, window, n_fft, hop_length, win_length, normalized, onesided, return_complex):
    """`stft` of a signal that is not continued at its ends."""
    return stft(x, n_fft, hop_length, win_length, window, False, "REFLECT", normalized, onesided, return_complex)


__all__ = ["stft"]
