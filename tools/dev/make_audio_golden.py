#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what MindSpore's audio operations make of some signals: test/data/audio/golden.txt.

Needs MindSpore 2.0.0 (`tools/dev/install_peers FOLDER mindspore`), which nothing else here does. Each line is one result: INPUT,
EXPRESSION, the number of the result, its shape, its element type, its elements (of more than 400 every second, third …) as
float32 or int64 in base 64, between tabs.
"""

import base64
import os

import mindspore.dataset.audio as audio
import numpy as np

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../test/data/audio/golden.txt")
#: Expressions by the signal that they are applied to; "none": what they are.
EXPRESSIONS = {
    "wave": """
    AllpassBiquad(8000, 1200.0) AllpassBiquad(44100, 200.0, 0.3) BandBiquad(8000, 1000.0) BandBiquad(8000, 1000.0, 0.4, True)
    BandpassBiquad(8000, 900.0) BandpassBiquad(8000, 900.0, 0.9, True) BandrejectBiquad(8000, 1100.0, 0.5)
    BassBiquad(8000, 6.0) BassBiquad(8000, -6.0, 300.0, 0.4) TrebleBiquad(8000, 4.0) TrebleBiquad(16000, -9.0, 2500.0, 0.5)
    Biquad(0.2, 0.3, -0.1, 1.2, -0.4, 0.25) DeemphBiquad(44100) DeemphBiquad(48000) EqualizerBiquad(8000, 700.0, 5.0)
    EqualizerBiquad(8000, 700.0, -5.0, 0.9) HighpassBiquad(8000, 500.0) HighpassBiquad(8000, 1500.0, 0.4) LowpassBiquad(8000, 500.0)
    LowpassBiquad(8000, 1500.0, 0.4) RiaaBiquad(44100) RiaaBiquad(48000) RiaaBiquad(88200) RiaaBiquad(96000)
    LFilter([1.0, -0.3, 0.2, 0.1], [0.5, 0.2, -0.4, 0.1]) LFilter([2.0, 0.5], [5.0, 1.0]) LFilter([2.0, 0.5], [5.0, 1.0], False)
    Filtfilt([1.0, -0.3, 0.2], [0.5, 0.2, -0.4]) Filtfilt([1.0, 0.5], [1.5, 1.0], False)
    Contrast() Contrast(20.0) DCShift(0.5, 0.02) DCShift(-0.4) DCShift(0.3) Gain() Gain(-7.5) Overdrive() Overdrive(3.0, 50.0)
    Vol(0.5) Vol(3.0) Vol(2.5, GainType.POWER) Vol(4.0, GainType.DB) Phaser(8000) Phaser(4000, 0.6, 0.9, 2.0, 0.3, 1.0, False)
    Flanger(8000) Flanger(8000, 1.0, 3.0, 40.0, 60.0, 4.0, 50.0, Modulation.TRIANGULAR, Interpolation.QUADRATIC)
    Flanger(4000, 0.0, 5.0, -30.0, 90.0, 9.0, 10.0, Modulation.SINUSOIDAL, Interpolation.QUADRATIC)
    Fade(10, 20) Fade(15, 15, FadeShape.QUARTER_SINE) Fade(15, 25, FadeShape.HALF_SINE)
    Fade(30, 40, FadeShape.EXPONENTIAL) Fade(1, 1) MuLawEncoding() MuLawEncoding(64)
    Spectrogram(16) Spectrogram(16, 12, 5, 3, WindowType.HAMMING, 1.0, True) Spectrogram(16, power=0.0, center=False)
    Spectrogram(15, 15, 7, 0, WindowType.BLACKMAN, 2.0, False, True, BorderType.SYMMETRIC, False)
    Spectrogram(8, 8, 4, window=WindowType.BARTLETT, pad_mode=BorderType.EDGE) Spectrogram(12, 9, 6, 2, WindowType.KAISER, 3.0, pad_mode=BorderType.CONSTANT)
    SpectralCentroid(8000, 16) SpectralCentroid(8000, 20, 18, 6, 4, WindowType.HAMMING)
    MelSpectrogram(8000, 32, n_mels=8) MelSpectrogram(8000, 32, 30, 9, 100.0, 3500.0, 2, 6, power=1.0, norm=NormType.SLANEY, mel_scale=MelType.SLANEY)
    MFCC(8000, 5, melkwargs=mel_options) MFCC(8000, 4, 2, NormMode.NONE, True, mel_options)
    LFCC(8000, 16, 5, 0.0, 4000.0, speckwargs=options) LFCC(8000, 16, 5, 100.0, 3000.0, 2, NormMode.NONE, True, options)
    Dither() Dither(DensityFunction.TPDF, True)
    Resample(8000, 6000) Resample(3000, 8000, ResampleMethod.KAISER_WINDOW) Resample(8000, 4000, ResampleMethod.KAISER_WINDOW, 10, 0.9, 8.0)
    Resample(3, 5, ResampleMethod.SINC_INTERPOLATION, 4, 0.8) Resample(5, 5) PitchShift(8000, 3, 12, 16) PitchShift(8000, -5, 24, 20, 16, 4, WindowType.HAMMING)
    """,
    "power": """
    AmplitudeToDB() AmplitudeToDB(ScaleType.MAGNITUDE, 2.0, 1e-5, 20.0) AmplitudeToDB(top_db=1.0) DBToAmplitude(1.0, 0.5) DBToAmplitude(2.0, 1.0)
    ComputeDeltas() ComputeDeltas(7, BorderType.REFLECT) ComputeDeltas(3, BorderType.CONSTANT) ComputeDeltas(9, BorderType.SYMMETRIC)
    MaskAlongAxis(2, 3, 0.5, 1) MaskAlongAxis(0, 4, -1.0, 2) FrequencyMasking(False, 3, 2) TimeMasking(False, 4, 1)
    MelScale(5, 8000, 0.0, None, 9) MelScale(4, 8000, 200.0, 3000.0, 9, NormType.SLANEY, MelType.SLANEY)
    GriffinLim(16, 3, rand_init=False) GriffinLim(16, 2, 14, 5, WindowType.HAMMING, 1.0, 0.5, 57, False)
    SlidingWindowCmn(6, 3) SlidingWindowCmn(5, 2, True) SlidingWindowCmn(6, 3, True, True) SlidingWindowCmn(6, 3, False, True) SlidingWindowCmn()
    """,
    "complex": """
    Angle() ComplexNorm() ComplexNorm(2.0) ComplexNorm(0.5) Magphase() Magphase(2.0)
    PhaseVocoder(1.3, phases) PhaseVocoder(0.7, phases) TimeStretch(4, 9, 1.5) TimeStretch(5, 9, 0.6)
    InverseSpectrogram(None, 16) InverseSpectrogram(50, 16, 12, 5, 0, WindowType.HAMMING) InverseSpectrogram(40, 16, 16, 4, 2, normalized=True)
    InverseSpectrogram(44, 16, 16, 4, center=False, window=WindowType.HAMMING)
    """,
    "codes": "MuLawDecoding() MuLawDecoding(512)",
    "long": """
    DetectPitchFrequency(8000) DetectPitchFrequency(8000, 0.02, 5, 100, 2000) DetectPitchFrequency(4000, 0.01, 10, 50, 500)
    Vad(8000) Vad(8000, 5.0, boot_time=0.1, pre_trigger_time=0.05)
    """,
    "none": """
    create_dct(5, 8) create_dct(8, 8, NormMode.ORTHO) melscale_fbanks(9, 0.0, 4000.0, 5, 8000)
    melscale_fbanks(33, 100.0, 3000.0, 8, 8000, NormType.SLANEY, MelType.SLANEY) melscale_fbanks(17, 0.0, 4000.0, 6, 8000, mel_type=MelType.SLANEY)
    melscale_fbanks(17, 0.0, 4000.0, 6, 8000, NormType.SLANEY) linear_fbanks(17, 0.0, 4000.0, 6, 8000) linear_fbanks(9, 500.0, 2500.0, 3, 8000)
    """,
}


def expressions(text):
    """The expressions, one by one: calls end where their parentheses do."""
    found, depth = "", 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        found += letter if letter.strip() or depth else ""
        if letter == ")" and depth == 0:
            yield found
            found = ""


def signals():
    """The signals by name; test/python/audio_test.py makes the same."""
    rng, time = np.random.RandomState(21), np.arange(3000) / 8000
    tone = np.sin(2 * np.pi * 440 * time) * (time > 0.15) * 0.6 + 0.001 * rng.uniform(-1, 1, 3000)
    return {"wave": rng.uniform(-0.9, 0.9, (2, 60)).astype(np.float32), "power": rng.uniform(0.01, 4, (2, 9, 12)).astype(np.float32),
            "complex": rng.normal(size=(2, 9, 12, 2)).astype(np.float32), "codes": rng.randint(0, 256, (2, 30)).astype(np.int32),
            "long": tone[np.newaxis].astype(np.float32), "none": None}


def constants(space):
    """What expressions name beside the space of the operations."""
    options = {"n_fft": 32, "win_length": 32, "hop_length": 16, "pad": 0, "window": space.WindowType.HANN, "power": 2.0,
               "normalized": False, "center": True, "pad_mode": space.BorderType.REFLECT, "onesided": True}
    mel_options = {**options, "f_min": 0.0, "f_max": 4000.0, "n_mels": 12, "norm": space.NormType.NONE, "mel_scale": space.MelType.HTK}
    phases = (np.pi * 4 * np.arange(9) / 8).reshape(9, 1).astype(np.float32)
    return {**vars(space), "options": options, "mel_options": mel_options, "phases": phases}


def result_of(expression, signal, space):
    """The results, a tuple of arrays."""
    made = eval(expression, constants(space))  # pylint: disable=eval-used
    made = made if signal is None else made(signal)
    return tuple(np.asarray(part.asnumpy() if hasattr(part, "asnumpy") else part) for part in (made if isinstance(made, tuple) else (made,)))


def thinned(result):
    """At most 400 of a result's elements."""
    return result.reshape(-1)[::1 + result.size // 400]


def main():
    """Writes the file."""
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "w", encoding="ascii") as file:
        for name, signal in signals().items():
            for expression in expressions(EXPRESSIONS[name]):
                for at, result in enumerate(result_of(expression, signal, audio)):
                    shape = " ".join(map(str, result.shape))
                    content = thinned(result).astype(np.float32 if result.dtype.kind == "f" else np.int64).tobytes()
                    file.write(f"{name}\t{expression}\t{at}\t{shape}\t{result.dtype}\t{base64.b64encode(content).decode()}\n")


if __name__ == "__main__":
    main()
