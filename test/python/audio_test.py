"""Operations on sound: numbers that MindSpore 2.0.0 gives (test/data/audio/golden.txt), and closed forms."""

import base64
import os
import unittest

import numpy as np

from plumb import dataset
from plumb.dataset import audio
from plumb.dataset.audio._signals import filtered

GOLDEN = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../data/audio/golden.txt")


def signals():
    """The signals of tools/dev/make_audio_golden.py."""
    rng, time = np.random.RandomState(21), np.arange(3000) / 8000
    tone = np.sin(2 * np.pi * 440 * time) * (time > 0.15) * 0.6 + 0.001 * rng.uniform(-1, 1, 3000)
    return {"wave": rng.uniform(-0.9, 0.9, (2, 60)).astype(np.float32), "power": rng.uniform(0.01, 4, (2, 9, 12)).astype(np.float32),
            "complex": rng.normal(size=(2, 9, 12, 2)).astype(np.float32), "codes": rng.randint(0, 256, (2, 30)).astype(np.int32),
            "long": tone[np.newaxis].astype(np.float32), "none": None}


def constants():
    """What its expressions name."""
    options = {"n_fft": 32, "win_length": 32, "hop_length": 16, "pad": 0, "window": audio.WindowType.HANN, "power": 2.0,
               "normalized": False, "center": True, "pad_mode": audio.BorderType.REFLECT, "onesided": True}
    mel_options = {**options, "f_min": 0.0, "f_max": 4000.0, "n_mels": 12, "norm": audio.NormType.NONE, "mel_scale": audio.MelType.HTK}
    phases = (np.pi * 4 * np.arange(9) / 8).reshape(9, 1).astype(np.float32)
    return {**vars(audio), "options": options, "mel_options": mel_options, "phases": phases}


def noise(*shape, seed=4):
    """Random numbers of [-1, 1]."""
    return np.random.default_rng(seed).uniform(-1, 1, shape)


class GoldenTest(unittest.TestCase):
    """Every operation without chance, beside MindSpore's result."""

    def test_golden(self):
        given, names, results, seen = signals(), constants(), {}, {}
        with open(GOLDEN, encoding="ascii") as file:
            for line in file:
                name, expression, at, shape, kind, content = line.rstrip("\n").split("\t")
                with self.subTest(expression=expression, input=name, part=at):
                    if (name, expression) not in results:
                        made = eval(expression, names)  # pylint: disable=eval-used
                        made = made if given[name] is None else made(given[name])
                        results[name, expression] = made if isinstance(made, tuple) else (made,)
                    result = results[name, expression][int(at)]
                    seen[name, expression] = int(at) + 1
                    self.assertEqual((result.shape, str(result.dtype)), (tuple(map(int, shape.split())), kind))
                    expected = np.frombuffer(base64.b64decode(content), np.float32 if kind.startswith("float") else np.int64)
                    np.testing.assert_allclose(result.reshape(-1)[::1 + result.size // 400], expected, rtol=2e-5,
                                               atol=2e-5 * max(1, np.abs(expected).max()))
        self.assertGreater(len(results), 120)
        self.assertEqual({key: len(parts) for key, parts in results.items()}, seen)


class FiltersTest(unittest.TestCase):
    """Recursive filters."""

    def test_recursion(self):
        """Blocks give what the recursion gives sample by sample."""
        signal = noise(2, 3, 1000)
        for b, a in (([0.2, 0.3], [1.0, -0.9]), ([1.0, 0.5, 0.25, 0.1], [2.0, -1.8, 0.9, -0.2]), ([0.5], [1.0, 0, 0, 0, 0, -0.8]), ([3.0], [2.0])):
            expected = np.zeros(signal.shape)
            for n in range(signal.shape[-1]):
                value = sum(b[k] * signal[..., n - k] for k in range(min(len(b), n + 1)))
                expected[..., n] = (value - sum(a[k] * expected[..., n - k] for k in range(1, min(len(a), n + 1)))) / a[0]
            np.testing.assert_allclose(filtered(signal, b, a), expected, rtol=1e-9, atol=1e-9)

    def test_frequencies(self):
        """Tones behind filters are as loud as the filters' names say."""
        time = np.arange(16000) / 16000
        def loudness(operation, frequency):
            return np.abs(operation(0.4 * np.sin(2 * np.pi * frequency * time))[8000:]).max() / 0.4
        self.assertGreater(loudness(audio.LowpassBiquad(16000, 1000.0), 100), 0.99)
        self.assertLess(loudness(audio.LowpassBiquad(16000, 1000.0), 7000), 0.02)
        self.assertLess(loudness(audio.HighpassBiquad(16000, 1000.0), 50), 0.01)
        self.assertLess(loudness(audio.BandrejectBiquad(16000, 1000.0), 1000), 0.01)
        self.assertAlmostEqual(loudness(audio.AllpassBiquad(16000, 1000.0), 333), 1, 3)
        self.assertAlmostEqual(loudness(audio.EqualizerBiquad(16000, 500.0, 6.0), 500), 10 ** 0.3, 2)
        self.assertAlmostEqual(loudness(audio.BassBiquad(16000, -6.0, 2000.0), 10), 10 ** -0.3, 2)

    def test_types(self):
        for kind, half in ((np.float64, np.float64), (np.float32, np.float32), (np.float16, np.float16), (np.int16, np.float32)):
            signal = (noise(50) * 3).astype(kind)
            self.assertEqual(audio.LowpassBiquad(8000, 500.0)(signal).dtype, half)
            self.assertEqual(audio.Gain()(signal).dtype, np.float32 if kind == np.float16 else half)
            self.assertEqual(audio.MuLawEncoding()(signal).dtype, np.int32)


class EffectsTest(unittest.TestCase):
    """Effects that the file has not."""

    def test_dcshift(self):
        signal = noise(1000)
        np.testing.assert_allclose(audio.DCShift(-0.4, 0.05)(signal), -audio.DCShift(0.4, 0.05)(-signal))

    def test_fade(self):
        made = audio.Fade(10, 20, audio.FadeShape.LOGARITHMIC)(np.ones(40))
        np.testing.assert_allclose(made[:10], np.minimum(np.log10(0.1 + np.linspace(0, 1, 10)) + 1, 1), atol=1e-12)
        np.testing.assert_allclose(made[20:], audio.Fade(20, 0, audio.FadeShape.LOGARITHMIC)(np.ones(20))[::-1])

    def test_dither(self):
        signal = noise(2, 500) * 0.9
        for density in audio.DensityFunction:
            for shaping in (False, True):
                made = audio.Dither(density, shaping)(signal)
                self.assertLess(np.abs(made - signal).max(), 5e-4)
                if not shaping:
                    np.testing.assert_allclose(made * 2 ** 15, np.round(made * 2 ** 15), atol=1e-6)

    def test_codes(self):
        signal = noise(300)
        decoded = audio.MuLawDecoding()(audio.MuLawEncoding()(signal))
        self.assertLess(np.abs(decoded - signal).max(), 0.03)


class SpectraTest(unittest.TestCase):
    """Inverses, and what is random."""

    def test_inverse(self):
        signal = noise(2, 200)
        spectra = audio.Spectrogram(32, 24, 8, power=0.0, normalized=True)(signal)
        np.testing.assert_allclose(audio.InverseSpectrogram(200, 32, 24, 8, normalized=True)(spectra), signal, atol=1e-12)
        two = audio.Spectrogram(32, hop_length=8, power=0.0, onesided=False)(signal)
        np.testing.assert_allclose(audio.InverseSpectrogram(200, 32, hop_length=8, onesided=False)(two), signal, atol=1e-12)

    def test_griffin_lim(self):
        time = np.arange(2000) / 8000
        signal = np.sin(2 * np.pi * 300 * time) + 0.5 * np.sin(2 * np.pi * 1200 * time)
        spectrum = audio.Spectrogram(64, hop_length=16)(signal)
        made = audio.GriffinLim(64, 60, hop_length=16)(spectrum)
        error = np.abs(audio.Spectrogram(64, hop_length=16)(made) - spectrum).sum() / spectrum.sum()
        self.assertLess(error, 0.1)
        with self.assertRaisesRegex(ValueError, "frames"):
            audio.GriffinLim(64, 2, hop_length=16, length=100)(spectrum)

    def test_inverse_mel(self):
        spectrum = np.abs(noise(2, 33, 3))
        scale = audio.MelScale(8, 8000, 0.0, None, 33)
        mels = scale(spectrum)
        found = audio.InverseMelScale(33, 8, 8000, 0.0, None, max_iter=5000, tolerance_loss=1e-8, tolerance_change=1e-14)(mels)
        self.assertTrue((found >= 0).all())
        np.testing.assert_allclose(scale(found), mels, atol=1e-3)

    def test_pitch(self):
        """A tone's pitch after a shift, in the same time; after resampling, faster."""
        time = np.arange(8000) / 8000
        tone = 0.5 * np.sin(2 * np.pi * 400 * time)
        def peak(signal):
            return np.abs(np.fft.rfft(signal * np.hanning(len(signal)))).argmax() * 8000 / len(signal)
        higher = audio.PitchShift(8000, 12)(tone)
        self.assertEqual(len(higher), 8000)
        self.assertAlmostEqual(peak(higher[1000:-1000]), 800, delta=10)
        self.assertAlmostEqual(peak(audio.Resample(8000, 4000)(tone)), 800, delta=4)
        detected = audio.DetectPitchFrequency(8000)(tone)
        self.assertAlmostEqual(float(np.median(detected)), 400, delta=10)

    def test_voice(self):
        rng, time = np.random.default_rng(5), np.arange(16000) / 8000
        sound = 0.002 * rng.uniform(-1, 1, 16000) + (time > 1) * 0.4 * np.sin(2 * np.pi * 180 * time) * np.sign(np.sin(2 * np.pi * 90 * time))
        kept = audio.Vad(8000)(sound[np.newaxis])
        self.assertEqual(kept.shape[0], 1)
        self.assertGreater(kept.shape[1], 8000)  # all of the voice
        self.assertLess(kept.shape[1], 10500)
        np.testing.assert_array_equal(kept[0], sound[-kept.shape[1]:])


class MasksTest(unittest.TestCase):
    """Random masks, alone and in a pipeline."""

    def test_masks(self):
        spectrum = np.abs(noise(2, 20, 30)) + 1
        for operation, axis in ((audio.FrequencyMasking(True, 8), 1), (audio.TimeMasking(True, 8), 2), (audio.MaskAlongAxisIID(8, 0.0, 1), 1)):
            widths = set()
            for _ in range(40):
                made = operation(spectrum)
                covered = (made == 0).all(axis=(0, 3 - axis))
                np.testing.assert_array_equal(np.moveaxis(made, axis, 0)[~covered], np.moveaxis(spectrum, axis, 0)[~covered])
                widths.add(int(covered.sum()))
                self.assertLessEqual(np.abs(np.diff(covered.astype(int))).sum(), 2)
            self.assertTrue(len(widths) > 3 and max(widths) <= 8, widths)

    def test_pipeline(self):
        """Rows of a data set: the same for any number of workers."""
        waves = noise(6, 100).astype(np.float32)
        def rows(workers):
            data = dataset.NumpySlicesDataset({"wave": waves}, shuffle=False)
            steps = [audio.Spectrogram(16), audio.AmplitudeToDB(), audio.TimeMasking(True, 5)]
            data = data.map(steps, "wave", num_parallel_workers=workers)
            return np.stack([row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)])
        self.assertEqual(rows(1).shape, (6, 9, 13))
        np.testing.assert_array_equal(rows(1), rows(3))


class ErrorsTest(unittest.TestCase):
    """What is refused."""

    def test_arguments(self):
        for make, message in ((lambda: audio.LowpassBiquad(8000, 500.0, 1.5), "Q"), (lambda: audio.LowpassBiquad(0, 500.0), "sample_rate"),
                              (lambda: audio.DeemphBiquad(8000), "44100"), (lambda: audio.LFilter([1.0], [1.0, 2.0]), "equally long"),
                              (lambda: audio.Spectrogram(16, 32), "win_length"), (lambda: audio.MelScale(4, 8000, 3000.0, 2000.0), "f_max"),
                              (lambda: audio.Contrast(101.0), "enhancement_amount"), (lambda: audio.MaskAlongAxis(0, 1, 0.0, 3), "axis"),
                              (lambda: audio.MFCC(melkwargs={"hops": 3}), "hops"), (lambda: audio.MFCC(n_mfcc=200), "at most 128"),
                              (lambda: audio.Vol(-1.0), "gain"), (lambda: audio.Resample(0, 5), "orig_freq"), (lambda: audio.Overdrive(-1.0), "gain")):
            with self.assertRaisesRegex(ValueError, message):
                make()
        for make, message in ((lambda: audio.AllpassBiquad(44100, 1000.0, 0), r"Input Q is not within the required interval of \(0, 1\]\."),
                              (lambda: audio.TimeStretch(512, 3, -1.3), r"Input fixed_rate is not within the required interval of \(0, 16777216\]\."),
                              (lambda: audio.Gain(10 ** 30), r"gain_db is not within the required interval of \[-16777216, 16777216\]\."),
                              (lambda: audio.AllpassBiquad(0, 1000.0), r"sample_rate is not within .* of \[-2147483648, 0\) and \(0, 2147483647\]\.")):
            self.assertRaisesRegex(ValueError, message, make)
        self.assertRaisesRegex(TypeError, r"enhancement_amount with value 75.0 is not of type \[<class 'float'>, <class 'int'>\], but got <class 'str'>\.",
                               audio.Contrast, "75.0")
        for make in (lambda: audio.Spectrogram(16.5), lambda: audio.Fade(fade_shape="linear"), lambda: audio.Gain("1"), lambda: audio.LowpassBiquad(8.5, 1.0)):
            with self.assertRaises(TypeError):
                make()

    def test_inputs(self):
        with self.assertRaisesRegex(TypeError, "numbers"):
            audio.Gain()(np.array(["a"]))
        with self.assertRaisesRegex(ValueError, "real and imaginary"):
            audio.Angle()(noise(3))
        with self.assertRaisesRegex(ValueError, "at least 2 axes"):
            audio.TimeMasking(False, 1)(noise(3))
        with self.assertRaisesRegex(ValueError, "too short"):
            audio.Spectrogram(16)(noise(3))
        with self.assertRaisesRegex(ValueError, "n_stft is 201"):
            audio.MelScale()(noise(3, 4))
        with self.assertRaisesRegex(ValueError, "reaches over"):
            audio.MaskAlongAxis(2, 3, 0.0, 1)(noise(4, 5))

    def test_magnitudes_to_the_last_bit(self):
        numbers = np.array([[2.0, 3.0], [1.0, 1.0]])
        for power in (1.0, 3.0):
            np.testing.assert_array_equal(audio.ComplexNorm(power)(numbers), np.array([13.0, 2.0]) ** (power / 2))


if __name__ == "__main__":
    unittest.main()
