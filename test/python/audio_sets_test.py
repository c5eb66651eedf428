"""Public data sets of sounds beside what was written into their files; rows are those that MindSpore 2.0.0 gives."""

import struct
import unittest

import numpy as np

from plumb import dataset
from folders import Folder

SAMPLES = np.array([0, 1, -2, 32767, -32768, 300])


class SoundsTest(Folder):
    """Sets of sounds."""

    def told(self, data):
        """The columns behind the waveform, as lists."""
        return [[value.tolist() for value in row[1:]] for row in self.rows(data)]

    def test_waveform(self):
        self.wav("a/0_1.wav", SAMPLES, 8000)
        waveform, rate, label = self.rows(dataset.YesNoDataset(str(self.folder / "a")))[0]
        np.testing.assert_array_equal(waveform, SAMPLES.astype(np.float32)[np.newaxis] / np.float32(32767))
        self.assertEqual((rate.dtype, int(rate), label.dtype, label.tolist()), (np.int32, 8000, np.int32, [0, 1]))
        data = dataset.YesNoDataset(str(self.folder / "a"))
        self.assertTrue(isinstance(data, dataset.AudioBaseDataset) and isinstance(data, dataset.MappableDataset))
        self.assertFalse(isinstance(data, dataset.VisionBaseDataset) or isinstance(data, dataset.TextBaseDataset))
        self.wav("b/8_1.wav", SAMPLES, channels=2)
        self.assertEqual(self.told(dataset.YesNoDataset(str(self.folder / "b")))[0][1], [8, 1])
        self.assertEqual(self.rows(dataset.YesNoDataset(str(self.folder / "b")))[0][0].shape, (1, 6))

    def test_hostile_sounds(self):
        self.wav("1.wav", SAMPLES)
        whole = (self.folder / "1.wav").read_bytes()
        self.wav("wide.wav", SAMPLES, width=4)
        contents = [whole[:length] for length in range(0, len(whole), 5)] + [(self.folder / "wide.wav").read_bytes()]
        contents.append(whole[:20] + struct.pack("<H", 3) + whole[22:])  # floats
        (self.folder / "wide.wav").unlink()
        for content in contents:
            self.write("1.wav", content)
            with self.assertRaisesRegex(ValueError, "1.wav' "):
                self.rows(dataset.YesNoDataset(str(self.folder)))

    def test_speech_commands(self):
        for name in ("yes/b_nohash_1", "cat/a_nohash_0", "cat/c_nohash_12", "_background_noise_/x"):
            self.wav(name + ".wav", SAMPLES)
        self.write("testing_list.txt", "cat/c_nohash_12.wav\n")
        self.write("validation_list.txt", "yes/b_nohash_1.wav\n")
        rows = [[16000, "cat", "a", 0], [16000, "cat", "c", 12], [16000, "yes", "b", 1]]
        for usage, expected in (("all", rows), ("train", rows[:1]), ("test", rows[1:2]), ("valid", rows[2:])):
            self.assertEqual(self.told(dataset.SpeechCommandsDataset(str(self.folder), usage, shuffle=False)), expected)
        self.write("testing_list.txt", "../x.wav\n")
        with self.assertRaisesRegex(ValueError, "SPEAKER_nohash_NUMBER.wav"):
            dataset.SpeechCommandsDataset(str(self.folder), "test")

    def test_gtzan(self):
        for number in (0, 12, 29, 43):
            self.wav(f"blues/blues.{number:05}.wav", SAMPLES, 22050)
        self.assertEqual(dataset.GTZANDataset(str(self.folder)).get_dataset_size(), 4)
        for usage, count in (("train", 2), ("valid", 1), ("test", 1)):
            self.assertEqual(self.told(dataset.GTZANDataset(str(self.folder), usage)), [[22050, "blues"]] * count)
        self.wav("blues/blues.00000.wav", SAMPLES)
        with self.assertRaisesRegex(ValueError, "sampling rate of GTZAN wav file must be 22050.*blues.00000.wav"):
            self.rows(dataset.GTZANDataset(str(self.folder), "valid"))

    def test_texts(self):
        self.wav("wavs/LJ1.wav", SAMPLES, 22050)
        self.write("metadata.csv", 'LJ1|"Mr." 1, x|mister one\n')
        data = dataset.LJSpeechDataset(str(self.folder))
        self.assertEqual(data.get_col_names(), ["waveform", "sample_rate", "transcription", "normalized_transcription"])
        self.assertEqual(self.told(data), [[22050, '"Mr." 1, x', "mister one"]])
        self.wav("cmu_us_ahw_arctic/wav/arctic_a0001.wav", SAMPLES)
        self.write("cmu_us_ahw_arctic/etc/txt.done.data", '( arctic_a0001 "It\'s (so)." )\n')
        self.assertEqual(self.told(dataset.CMUArcticDataset(str(self.folder), "ahw")), [[16000, "It's (so).", "a0001"]])
        for path, line, kind in (("metadata.csv", "LJ1|x", dataset.LJSpeechDataset),
                                 ("cmu_us_aew_arctic/etc/txt.done.data", "( a0001 x )", dataset.CMUArcticDataset)):
            self.write(path, line)
            with self.assertRaisesRegex(ValueError, path + ":1: a line should"):
                kind(str(self.folder))

    def test_libri_tts(self):
        for name in ("12_34_000001_000002", "12_34_000000_000001"):
            self.wav(f"dev-clean/12/34/{name}.wav", SAMPLES, 24000)
        self.write("dev-clean/12/34/12_34.trans.tsv", '12_34_000001_000002\tA "b"\tn\n12_34_000000_000001\tC\tm\n')
        expected = [[24000, 'A "b"', "n", 12, 34, "12_34_000001_000002"], [24000, "C", "m", 12, 34, "12_34_000000_000001"]]
        self.assertEqual(self.told(dataset.LibriTTSDataset(str(self.folder), shuffle=False)), expected)
        self.write("dev-clean/12/34/12_34.trans.tsv", "12_x_1_2\ta\tb\n")
        with self.assertRaisesRegex(ValueError, "12_34.trans.tsv:1: a line should"):
            dataset.LibriTTSDataset(str(self.folder))

    def sphere(self, name, order, rate=16000, count=400):
        """Writes a SPHERE file of the samples 0, 1, …."""
        head = (f"NIST_1A\n   1024\nsample_count -i {count}\nsample_n_bytes -i 2\nchannel_count -i 1\nsample_byte_format -s2 {order}\n"
                f"sample_rate -i {rate}\nsample_coding -s3 pcm\nend_head\n")
        self.write(name, head.encode().ljust(1024, b"\0") + np.arange(count).astype("<i2" if order == "01" else ">i2").tobytes())

    def test_tedlium(self):
        for talk, order in (("Zed", "01"), ("Al", "10")):
            self.sphere(f"train/sph/{talk}.sph", order)
            self.write(f"train/stm/{talk}.stm", f"{talk} 1 {talk}_s 0.001 0.0015 <o,f0> so  it\n{talk} 1 {talk}_s 0 0.0001 <x> b\n")
        data = dataset.TedliumDataset(str(self.folder), "release1", "train", shuffle=False)
        rows = self.rows(data)
        self.assertEqual([[str(value) for value in row[2:]] for row in rows],
                         [[text, talk, talk + "_s", kind] for text, kind in (("so  it", "<o,f0>"), ("b", "<x>")) for talk in ("Al", "Zed")])
        for row in rows[:2]:
            np.testing.assert_array_equal(row[0], np.arange(16, 24, dtype=np.float32)[np.newaxis] / np.float32(32767))
        self.write("train/stm/Al.stm", "Al 1 Al 0 9 <x> b\n")
        with self.assertRaisesRegex(ValueError, "Al.sph' has 0.025 seconds, but a segment of 'Al' ends at 9"):
            self.rows(dataset.TedliumDataset(str(self.folder), "release2", "train"))
        self.write("train/stm/Al.stm", "Al 1 Al 3 2 <x> b\n")
        with self.assertRaisesRegex(ValueError, "Al.stm:1: a line should"):
            dataset.TedliumDataset(str(self.folder), "release1", "train")
        self.write("train/stm/Al.stm", "Al 1 Al 0 0.001 <x> b\n")
        for content in (b"", b"NIST_1A\n   1024\nend_head\n".ljust(1024), b"NIST_1A\nx\n", b"RIFF"):
            self.write("train/sph/Al.sph", content)
            with self.assertRaisesRegex(ValueError, "Al.sph' (is no|should be a) SPHERE file"):
                self.rows(dataset.TedliumDataset(str(self.folder), "release1", "train", shuffle=False))


if __name__ == "__main__":
    unittest.main()
