"""Cases of further public data sets of sounds and of texts, and small files of the form of each; as cases.py says."""

import io
import json
import os
import wave

import numpy as np

from set_cases import Folder, made, whole

_SEGMENTS = """<?xml version="1.0" encoding="UTF-8"?>
<mteval><refset><doc docid="1"><title>T</title><hl><seg id="1"> {0} one &amp; so </seg></hl>
<seg id="2">{0} two</seg></doc></refset></mteval>
"""

#: The tasks of CLUE, and the parts that have a file.
_TASKS = ("AFQMC", "CMNLI", "IFLYTEK", "TNEWS", "WSC", "CSL")

DATASETS = {f"{name}Dataset": texts for name, texts in {
    "YesNo": whole("YesNo", ""), "SpeechCommands": made("SpeechCommands", "", "'train'", "'test'", "'valid', 1"),
    "GTZAN": whole("GTZAN", "", "'train'") + made("GTZAN", "'valid'", "'test', 1"), "LJSpeech": made("LJSpeech", "", "1"),
    "LibriTTS": made("LibriTTS", "'dev-clean'", "'test-other', 1"), "CMUArctic": made("CMUArctic", "", "'ahw'"),
    "Tedlium": made("Tedlium", "'release1', 'train'", "'release2', 'test'"),
    "CLUE": [f"ds.CLUEDataset(folder + '/sets/CLUE/{part}.json', '{task}', '{part}', shuffle=False)" for task in _TASKS for part in ("train", "test", "eval")]
            + ["ds.CLUEDataset([folder + '/sets/CLUE/train.json'], 'CSL', num_samples=1, shuffle=False)"],
    "IWSLT2016": made("IWSLT2016", "'train'", "'valid'", "'test', test_set='tst2013'") + whole("IWSLT2016", ""),
    "IWSLT2017": made("IWSLT2017", "'valid', ('nl', 'it')", "'train', ('nl', 'it'), 1"),
}.items()}


class _Sounds(Folder):
    """Writes files of sound, too."""

    def wav(self, name, rate=16000, channels=1):
        """A sound of 16-bit integers."""
        file = io.BytesIO()
        with wave.open(file, "wb") as sound:
            sound.setnchannels(channels)
            sound.setsampwidth(2)
            sound.setframerate(rate)
            sound.writeframes(self.rng.integers(-32768, 32768, 60).astype("<i2").tobytes())
        self.write(name, file.getvalue())

    def sphere(self, name, order):
        """A SPHERE file of the samples 0, 1, …."""
        head = ("NIST_1A\n   1024\nsample_count -i 400\nsample_n_bytes -i 2\nchannel_count -i 1\n"
                f"sample_byte_format -s2 {order}\nsample_rate -i 16000\nsample_coding -s3 pcm\nend_head\n")
        self.write(name, head.encode().ljust(1024, b"\0") + np.arange(400).astype("<i2" if order == "01" else ">i2").tobytes())


def _write_words(to):
    """Sounds that are told by their names."""
    for number, name in enumerate(("0_1_1_0_1_0_0_1", "1_1_0_0_1_0_1_0", "0_0_0_0_1_1_1_1")):
        to.wav(f"YesNo/{name}.wav", 8000, 1 + number // 2)
    for name in ("yes/b_nohash_1", "cat/a_nohash_0", "cat/c_nohash_12", "_background_noise_/x"):
        to.wav(f"SpeechCommands/{name}.wav")
    to.write("SpeechCommands/testing_list.txt", "cat/c_nohash_12.wav\n")
    to.write("SpeechCommands/validation_list.txt", "yes/b_nohash_1.wav\n")
    for number in (0, 12, 29, 43):
        to.wav(f"GTZAN/blues/blues.{number:05}.wav", 22050)


def _write_speech(to):
    """Sounds with the text that is spoken."""
    for name in ("LJ1", "LJ2"):
        to.wav(f"LJSpeech/wavs/{name}.wav", 22050)
    to.write("LJSpeech/metadata.csv", 'LJ1|"Mr." 1, x|mister one\nLJ2|two|two\n')
    for name in ("aew", "ahw"):
        to.wav(f"CMUArctic/cmu_us_{name}_arctic/wav/arctic_a0001.wav")
        to.write(f"CMUArctic/cmu_us_{name}_arctic/etc/txt.done.data", f'( arctic_a0001 "It\'s {name}." )\n')
    for part in ("dev-clean", "test-other"):
        names = [f"12_34_00000{number}_00000{number + 1}" for number in range(2)]
        for name in names:
            to.wav(f"LibriTTS/{part}/12/34/{name}.wav", 24000)
        to.write(f"LibriTTS/{part}/12/34/12_34.trans.tsv", "".join(f'{name}\tA "b" {name[-1]}\tn {part}\n' for name in names))
    for release, part in (("release1", "train"), ("release2", "test")):
        for talk, order in (("Zed", "01"), ("Al", "10")):
            to.sphere(f"Tedlium/{part}/sph/{talk}.sph", order)
            to.write(f"Tedlium/{part}/stm/{talk}.stm", f"{talk} 1 {talk}_s 0.001 0.0015 <o,f0> so  {release}\n{talk} 1 {talk}_s 0 0.0001 <x> b\n")


def _write_languages(to):
    """Lines of JSON, and translations."""
    line = {"target": {"span2_index": 28, "span1_index": 3, "span1_text": "傅", "span2_text": "他"}, "idx": 4, "id": 2, "label": "true", "label_des": "d",
            "label_desc": "e", "text": "x y", "sentence": "s t", "sentence1": "one", "sentence2": "two", "keywords": "k,l", "keyword": ["k", "l m"], "abst": "ab"}
    for part in ("train", "test", "eval"):
        to.write(f"CLUE/{part}.json", json.dumps(line) + "\n" + json.dumps({**line, "sentence": part, "sentence1": part, "abst": part, "text": part}, ensure_ascii=False) + "\n")
    folder = "IWSLT2016/texts/de/en/de-en/"
    for language in ("de", "en"):
        to.write(f"{folder}train.tags.de-en.{language}", f"<url>u</url>\n<title>T</title>\n {language} one &amp; \n<b> {language}\n")
        for name in ("tst2013", "tst2014"):
            to.write(f"{folder}IWSLT16.TED.{name}.de-en.{language}.xml", _SEGMENTS.format(f"{name} {language}"))
    folder = "IWSLT2017/texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo/"
    for language in ("nl", "it"):
        to.write(f"{folder}IWSLT17.TED.dev2010.nl-it.{language}.xml", _SEGMENTS.format(language))
        to.write(f"{folder}train.tags.nl-it.{language}", f"<url>u</url>\n {language} one \n{language} two\n")


def write_files(folder, png):
    """Writes all files below `folder`/sets; `png` makes the bytes of a picture's file."""
    to = _Sounds(os.path.join(folder, "sets"), png)
    for part in (_write_words, _write_speech, _write_languages):
        part(to)
