"""Where a voice is in a signal [..., time], and its pitch."""

import math

import numpy as np

from plumb.dataset.audio._signals import AudioOperation, window_of
from plumb.dataset.audio.utils import WindowType, not_negative, positive


class DetectPitchFrequency(AudioOperation):
    """The pitch of each stretch of `frame_time` seconds, in Hz, [..., frame]: by correlation of the signal with itself.

    Args:
      win_length: the frames over which the median is taken.
      freq_low, freq_high: the range of the pitch.
    """

    single = True

    def __init__(self, sample_rate, frame_time=0.01, win_length=30, freq_low=85, freq_high=3400):
        positive("DetectPitchFrequency", sample_rate=sample_rate, win_length=win_length)
        for name, value in (("frame_time", frame_time), ("freq_low", freq_low), ("freq_high", freq_high)):
            not_negative("DetectPitchFrequency", **{name: value})
            if value == 0:
                raise ValueError(f"For 'DetectPitchFrequency', {name} must be more than 0, but got {value}.")
        self._sample_rate, self._frame, self._window = sample_rate, math.ceil(sample_rate * frame_time), win_length
        self._lags, self._least = math.ceil(sample_rate / freq_low), math.ceil(sample_rate / freq_high)

    def changed(self, signal):
        return self._sample_rate / (1e-9 + self._smooth(self._best(self._correlations(signal))))

    def _correlations(self, signal):
        """The normalised correlation of each frame with the signal later by 1, 2 … samples, [..., frame, lag]."""
        frames = math.ceil(signal.shape[-1] / self._frame)
        room = self._lags + frames * self._frame - signal.shape[-1]
        wide = np.pad(signal, [(0, 0)] * (signal.ndim - 1) + [(0, room)])

        def cut(lag):
            return wide[..., lag:lag + frames * self._frame].reshape(wide.shape[:-1] + (frames, self._frame))

        now, found = cut(0), []
        energy = 1e-9 + np.sum(now ** 2, axis=-1)
        for lag in range(1, self._lags + 1):
            later = cut(lag)
            found.append(np.sum(now * later, axis=-1) / energy / (1e-9 + np.sum(later ** 2, axis=-1)))
        return np.stack(found, axis=-1)

    def _best(self, correlations):
        """The lag of the largest correlation; one of the first half where that is nearly as large."""
        least, half = self._least, correlations.shape[-1] // 2
        whole, first = correlations[..., least:], correlations[..., least:half]
        best = whole.argmax(axis=-1)
        if first.shape[-1]:
            best = np.where(first.max(axis=-1) > 0.99 * whole.max(axis=-1), first.argmax(axis=-1), best)
        return best + least + 1

    def _smooth(self, lags):
        room = (self._window - 1) // 2
        wide = np.concatenate([np.repeat(lags[..., :1], room, axis=-1), lags], axis=-1)
        if wide.shape[-1] < self._window:
            raise ValueError(f"For 'DetectPitchFrequency', win_length {self._window} is too long for a signal of {lags.shape[-1]} frames.")
        windows = np.sort(np.lib.stride_tricks.sliding_window_view(wide, self._window, axis=-1), axis=-1)
        return windows[..., (self._window - 1) // 2]


class Vad(AudioOperation):
    """Cuts what stands before a voice in a signal, [time] or [channel, time], after SoX's `vad`.

    Where no voice is found, the last pre_trigger_time + search_time + measure_duration seconds stay. MindSpore 2.0.0 finds few
    voices.

    Args:
      sample_rate: the signal's.
      trigger_level: how loud a voice is above noise.
      trigger_time: the time (s) over which loudness is averaged.
      search_time: how far (s) back from where a voice is found it may have begun.
      allowed_gap: the longest silence (s) within that.
      pre_trigger_time: how much (s) is kept before.
      boot_time: the time (s) in which noise is learned.
      noise_up_time, noise_down_time: how fast (s) the estimate of noise grows and falls.
      noise_reduction_amount: how much of the noise is taken away.
      measure_freq: measurements in a second; measure_duration: the time (s) of each, None means twice their distance.
      measure_smooth_time: the time (s) over which spectra are averaged.
      hp_filter_freq, lp_filter_freq: the range of spectra (Hz); hp_lifter_freq, lp_lifter_freq: that of cepstra.
    """

    def __init__(self, sample_rate, trigger_level=7.0, trigger_time=0.25, search_time=1.0, allowed_gap=0.25, pre_trigger_time=0.0,
                 boot_time=0.35, noise_up_time=0.1, noise_down_time=0.01, noise_reduction_amount=1.35, measure_freq=20.0,
                 measure_duration=None, measure_smooth_time=0.4, hp_filter_freq=50.0, lp_filter_freq=6000.0, hp_lifter_freq=150.0,
                 lp_lifter_freq=2000.0):
        positive("Vad", sample_rate=sample_rate)
        not_negative("Vad", search_time=search_time, allowed_gap=allowed_gap, pre_trigger_time=pre_trigger_time, boot_time=boot_time,
                     noise_reduction_amount=noise_reduction_amount)
        for name, value in dict(trigger_time=trigger_time, noise_up_time=noise_up_time, noise_down_time=noise_down_time,
                                measure_freq=measure_freq, measure_smooth_time=measure_smooth_time, hp_filter_freq=hp_filter_freq,
                                lp_filter_freq=lp_filter_freq, hp_lifter_freq=hp_lifter_freq, lp_lifter_freq=lp_lifter_freq).items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
                raise ValueError(f"For 'Vad', {name} must be a number of more than 0, but got {value!r}.")
        duration = 2 / measure_freq if measure_duration is None else measure_duration
        self._level, self._reduction = trigger_level, noise_reduction_amount
        self._period, self._gap = int(sample_rate / measure_freq + 0.5), int(allowed_gap * measure_freq + 0.5)
        self._count, self._boot = math.ceil(search_time * measure_freq), int(boot_time * measure_freq - 0.5)
        self._frame = int(sample_rate * duration + 0.5)
        self._kept = int(pre_trigger_time * sample_rate + 0.5) + self._count * self._period + self._frame
        self._decays = [math.exp(-1 / (time * measure_freq)) for time in (trigger_time, noise_up_time, noise_down_time, measure_smooth_time)]
        self._set_spectra(sample_rate, hp_filter_freq, lp_filter_freq, hp_lifter_freq, lp_lifter_freq)

    def _set_spectra(self, sample_rate, low, high, low_lifter, high_lifter):
        """The windows and ranges of spectra and cepstra."""
        self._size = max(16, 1 << (self._frame - 1).bit_length())
        self._bins = slice(max(int(low / sample_rate * self._size + 0.5), 1), min(int(high / sample_rate * self._size + 0.5), self._size // 2))
        width = self._bins.stop - self._bins.start
        self._lifter = slice(math.ceil(sample_rate * 0.5 / high_lifter), min(math.floor(sample_rate * 0.5 / low_lifter), self._size // 4))
        if width < 1 or self._lifter.stop <= self._lifter.start:
            raise ValueError("For 'Vad', the ranges of the filters or lifters are empty at this sample_rate.")
        self._window = window_of(WindowType.HANN, self._frame) * 2 / math.sqrt(self._frame)
        self._cepstrum_window = window_of(WindowType.HANN, width) * 2 / math.sqrt(width)

    def changed(self, signal):
        if signal.ndim > 2:
            raise ValueError(f"For 'Vad', the input must be of shape [time] or [channel, time], but got {list(signal.shape)}.")
        rows = signal.reshape(-1, signal.shape[-1])
        begin = self._begin(rows)
        return rows[:, begin:].reshape(signal.shape[:-1] + (-1,))

    def _begin(self, rows):
        """The first sample that is kept."""
        width = self._bins.stop - self._bins.start
        spectra, noises = np.zeros((2, len(rows), width))
        history, means = np.zeros((len(rows), self._count)), np.zeros(len(rows))
        wide = np.pad(rows, ((0, 0), (self._frame, 0)))
        for number, end in enumerate(range(self._frame, rows.shape[1] + 1, self._period)):
            boot = number if number <= self._boot else -1
            history = np.roll(history, 1, axis=1)
            found = [self._measure(wide[at, end - 1:end - 1 + self._frame], spectra[at], noises[at], boot) for at in range(len(rows))]
            history[:, 0] = found
            means = means * self._decays[0] + history[:, 0] * (1 - self._decays[0])
            if np.any(means >= self._level):
                triggered = np.logical_or.accumulate(means >= self._level)
                back = max(self._length_of(row) for row, seen in zip(history, triggered) if seen)
                return max(end - self._kept + (self._count - back) * self._period, 0)
        return max(rows.shape[1] - self._kept, 0)

    def _length_of(self, history):
        """How many measurements back the voice began; the latest of `history` stands first."""
        count = len(history)
        triggered = zero = count
        for at, level in enumerate(history):
            if level >= self._level and at <= triggered + self._gap:
                zero = triggered = at
            elif level == 0 and triggered >= zero:
                zero = at
        return min(count - 1, zero, count)

    def _measure(self, frame, spectrum, noise, boot):
        """How much a frame sounds like a voice; goes on with the averages of the spectrum and of the noise."""
        _, up, down, smooth = self._decays
        found = np.abs(np.fft.rfft(frame * self._window, self._size))[self._bins]
        share = boot / (1 + boot) if boot >= 0 else smooth
        spectrum[:] = spectrum * share + found * (1 - share)
        power = spectrum ** 2
        share = 0 if boot >= 0 else np.where(power > noise, up, down)
        noise[:] = noise * share + power * (1 - share)
        buffer = np.zeros(self._size // 2)
        buffer[self._bins] = np.sqrt(np.maximum(0, power - self._reduction * noise)) * self._cepstrum_window
        strength = np.mean(np.abs(np.fft.rfft(buffer)[self._lifter]) ** 2)
        return max(0.0, 21 + math.log(strength)) if strength > 0 else 0.0
