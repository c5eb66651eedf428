"""Public data sets of sounds, read from WAV and SPHERE files of 16-bit samples. A waveform is float32 [1, samples]."""

import functools
import os
import re

import numpy as np

from plumb.dataset._gtzan import PARTS
from plumb.dataset._sounds import read_sphere, read_wav
from plumb.dataset.class_sets import files_in, folders_in
from plumb.dataset.files import FileRows, folder_of, one_of, rest_of, text_of
from plumb.dataset.text_sets import existing


class Sounds(FileRows):
    """Base of sets of sounds: columns waveform, sample_rate and those that rows hold.

    Args:
      names: the columns' names behind the first two.
      rows: for each row the path and the other columns' values.
      rest: the arguments that every data set has.
    """

    #: The rate's type, and the rate that all files must have.
    kind, rate = np.int32, None

    def __init__(self, names, rows, rest):
        columns = {"waveform": None, "sample_rate": None, **dict.fromkeys(names)}
        super().__init__(columns, rows, rest)

    def _row_at(self, index):
        path, *others = self._found[index]
        waveform, rate = self._sound(path)
        if self.rate not in (None, rate):
            raise ValueError(f"Invalid file, sampling rate of {type(self).__name__[:-len('Dataset')]} wav file must be {self.rate}, file "
                             f"path: {path}.")
        return waveform, np.asarray(rate, self.kind), *map(np.asarray, others)

    @staticmethod
    def _sound(path):
        return read_wav(path)


class SpeechCommandsDataset(Sounds):
    """Speech Commands: folders of words. Columns: waveform, sample_rate (int32), label, speaker_id (strings), utterance_number (int32).

    Args:
      dataset_dir: the folder, with testing_list.txt and validation_list.txt.
      usage: "train", "test", "valid" or "all".
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    _LISTS = {"test": "testing_list.txt", "valid": "validation_list.txt"}

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None,
                 shard_id=None, cache=None):
        usage, folder = one_of("usage", usage or "all", ["train", "test", "valid", "all"]), folder_of(dataset_dir)
        lists = [self._LISTS[part] for part in self._LISTS if usage in (part, "train")]
        listed = {name for path in existing(folder, lists, "SpeechCommandsDataset") for name in text_of(path).split()}
        names = {f"{word}/{os.path.basename(path)}" for word in folders_in(folder) if word != "_background_noise_"
                 for path in files_in(os.path.join(folder, word), (".wav",))}
        chosen = {"all": names, "train": names - listed}.get(usage, listed)
        super().__init__(["label", "speaker_id", "utterance_number"], [self._told(folder, name) for name in sorted(chosen)],
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    @staticmethod
    def _told(folder, name):
        found = re.fullmatch(r"([^/]+)/([^/]+)_nohash_(\d{1,9})\.wav", name)
        if not found:
            raise ValueError(f"'{os.path.join(folder, name)}' should be called SPEAKER_nohash_NUMBER.wav.")
        return os.path.join(folder, name), found[1], found[2], np.asarray(int(found[3]), np.int32)


class YesNoDataset(Sounds):
    """Yesno: files such as 0_1_1_0_1_0_0_1.wav. Columns: waveform, sample_rate (int32), label (int32 [8]: 1 is yes).

    Args:
      dataset_dir: the folder.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None, shard_id=None,
                 cache=None):
        rows = []
        for path in files_in(folder_of(dataset_dir), (".wav",)):
            name = os.path.basename(path)[:-4]
            if not re.fullmatch(r"\d+(_\d+)*", name):
                raise ValueError(f"'{path}' should be called by numbers (0 and 1 mean no and yes) with '_' between them.")
            rows.append((path, np.array(name.split("_"), np.int32)))
        super().__init__(["label"], rows, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


class GTZANDataset(Sounds):
    """GTZAN: folders of genres with files such as blues.00000.wav. Columns: waveform, sample_rate (uint32), label (a string).

    Args:
      dataset_dir: the folder.
      usage: "train", "valid", "test" (the lists without faulty files) or "all", which takes all files.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    kind, rate = np.uint32, 22050

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None,
                 shard_id=None, cache=None):
        usage, folder = one_of("usage", usage or "all", ["train", "valid", "test", "all"]), folder_of(dataset_dir)
        rows = []
        for genre, lists in PARTS.items():
            for path in files_in(os.path.join(folder, genre), (".wav",)) if os.path.isdir(os.path.join(folder, genre)) else ():
                found = re.fullmatch(re.escape(genre) + r"\.(\d{5})\.wav", os.path.basename(path))
                if found and (usage == "all" or int(found[1]) in lists[usage]):
                    rows.append((path, genre))
        super().__init__(["label"], rows, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


class LJSpeechDataset(Sounds):
    """LJ Speech. Columns: waveform, sample_rate (int32), transcription, normalized_transcription (strings).

    Args:
      dataset_dir: the folder with wavs and metadata.csv.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None, shard_id=None,
                 cache=None):
        folder, rows = folder_of(dataset_dir), []
        path = existing(folder, ["metadata.csv"], "LJSpeechDataset")[0]
        for number, line in enumerate(text_of(path).split("\n"), 1):
            fields = line.rstrip("\r").split("|")
            if len(fields) != 3 and line.strip():
                raise ValueError(f"{path}:{number}: a line should have three fields with '|' between them, but has {len(fields)}.")
            rows += [(os.path.join(folder, "wavs", fields[0] + ".wav"), *fields[1:])] if line.strip() else []
        super().__init__(["transcription", "normalized_transcription"], rows,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


class LibriTTSDataset(Sounds):
    """LibriTTS: folders of parts, speakers and chapters. Columns: waveform, sample_rate (uint32), original_text, normalized_text
    (strings), speaker_id, chapter_id (uint32), utterance_id (a string).

    Args:
      dataset_dir: the folder.
      usage: "dev-clean", "dev-other", "test-clean", "test-other", "train-clean-100", "train-clean-360", "train-other-500" or "all".
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    kind, rate = np.uint32, 24000
    _PARTS = ["dev-clean", "dev-other", "test-clean", "test-other", "train-clean-100", "train-clean-360", "train-other-500"]

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None,
                 shard_id=None, cache=None):
        usage, folder = one_of("usage", usage or "all", [*self._PARTS, "all"]), folder_of(dataset_dir)
        chapters = [os.path.join(folder, part, speaker, chapter) for part in self._PARTS
                    if usage in (part, "all") and os.path.isdir(os.path.join(folder, part))
                    for speaker in folders_in(os.path.join(folder, part)) for chapter in folders_in(os.path.join(folder, part, speaker))]
        super().__init__(["original_text", "normalized_text", "speaker_id", "chapter_id", "utterance_id"],
                         [row for chapter in chapters for row in self._utterances(chapter)],
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    @staticmethod
    def _utterances(folder):
        """Yields the rows of a chapter."""
        speaker, chapter = folder.split(os.sep)[-2:]
        path = existing(folder, [f"{speaker}_{chapter}.trans.tsv"], "LibriTTSDataset")[0]
        for number, line in enumerate(text_of(path).split("\n"), 1):
            fields = line.rstrip("\r").split("\t")
            ids = fields[0].split("_")
            if not line.strip():
                continue
            if len(fields) != 3 or len(ids) != 4 or not all(re.fullmatch(r"\d{1,9}", one) for one in ids[:2]):
                raise ValueError(f"{path}:{number}: a line should be SPEAKER_CHAPTER_NUMBER_NUMBER and two texts, with tabulators "
                                 f"between them.")
            yield os.path.join(folder, fields[0] + ".wav"), fields[1], fields[2], *(np.asarray(int(one), np.uint32) for one in ids[:2]), \
                fields[0]


class CMUArcticDataset(Sounds):
    """CMU Arctic: a folder for each voice. Columns: waveform, sample_rate (uint32), transcript, utterance_id (strings).

    Args:
      dataset_dir: the folder with cmu_us_NAME_arctic.
      name: the voice: "aew" (by default), "ahw", "aup", "awb", "axb", "bdl", "clb", "eey", "fem", "gka", "jmk", "ksp", "ljm", "lnh",
        "rms", "rxr", "slp" or "slt".
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    kind, rate = np.uint32, 16000
    _NAMES = ["aew", "ahw", "aup", "awb", "axb", "bdl", "clb", "eey", "fem", "gka", "jmk", "ksp", "ljm", "lnh", "rms", "rxr", "slp", "slt"]

    def __init__(self, dataset_dir, name=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None,
                 shard_id=None, cache=None):
        voice = one_of("name", name or "aew", self._NAMES)
        folder, rows = folder_of(os.path.join(folder_of(dataset_dir), f"cmu_us_{voice}_arctic")), []
        path = existing(folder, ["etc/txt.done.data"], "CMUArcticDataset")[0]
        for number, line in enumerate(text_of(path).split("\n"), 1):
            found = re.match(r'\(\s*arctic_(\w+)\s+"([^"]*)"', line)
            if line.strip() and not found:
                raise ValueError(f"{path}:{number}: a line should be '( arctic_ID \"text\" )', but is '{line}'.")
            rows += [(os.path.join(folder, "wav", f"arctic_{found[1]}.wav"), found[2], found[1])] if found else []
        super().__init__(["transcript", "utterance_id"], rows,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


class TedliumDataset(Sounds):
    """TED-LIUM: talks in SPHERE files and their segments in STM files. Columns: waveform, sample_rate (int32), transcript, talk_id,
    speaker_id, identifier (strings).

    Rows come by the segment's number within its talk, as text, and then by talk and part. MindSpore 2.0.0 gives waveforms of zeros.

    Args:
      dataset_dir: the folder with train, dev and test, or of "release3" with data; in each sph and stm.
      release: "release1", "release2" or "release3".
      usage: "train", "test", "dev" or "all"; of "release3" "all".
      extensions: ".sph".
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, release, usage=None, extensions=None, num_samples=None, num_parallel_workers=None, shuffle=None,
                 sampler=None, num_shards=None, shard_id=None, cache=None):
        one_of("release", release, ["release1", "release2", "release3"])
        parts = ["data"] if release == "release3" else ["dev", "test", "train"]
        usage = one_of("usage", usage or "all", ["all"] if release == "release3" else ["train", "test", "dev", "all"])
        if extensions not in (None, ".sph"):
            raise ValueError(f"TedliumNode: extension {extensions} is not supported.")
        folder, found = folder_of(dataset_dir), []
        for part in parts:
            if usage in (part, "all"):
                sounds = folder_of(os.path.join(folder, part, "sph"))
                for path in files_in(folder_of(os.path.join(folder, part, "stm")), (".stm",)):
                    talk = os.path.basename(path)[:-4]
                    sound = existing(sounds, [talk + ".sph"], "TedliumDataset")[0]
                    found += [(str(number), talk, part, (sound, *segment)) for number, segment in enumerate(_segments(path))]
        self._talk = functools.lru_cache(maxsize=2)(read_sphere)  # rows of a talk often come together
        super().__init__(["transcript", "talk_id", "speaker_id", "identifier"], [row for *_, row in sorted(found, key=lambda one: one[:3])],
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    def _row_at(self, index):
        path, begin, end, *texts = self._found[index]
        waveform, rate = self._talk(path)
        first, after = int(begin * rate), int(end * rate)
        if after > waveform.shape[1]:
            raise ValueError(f"'{path}' has {waveform.shape[1] / rate:g} seconds, but a segment of '{texts[1]}' ends at {end:g}.")
        return waveform[:, first:after], np.asarray(rate, np.int32), *map(np.asarray, texts)


def _segments(path):
    """Yields (begin, end, transcript, talk, speaker, identifier) of each line of an STM file: talk channel speaker begin end <…> text."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        words = line.rstrip("\r").split(" ", 6)
        if not line.strip():
            continue
        try:
            begin, end = float(words[3]), float(words[4])
        except (IndexError, ValueError):
            begin, end = 0, -1
        if len(words) != 7 or not 0 <= begin <= end < float("inf"):
            raise ValueError(f"{path}:{number}: a line should be a talk, a channel, a speaker, begin and end, an identifier and a text.")
        yield begin, end, words[6], words[0], words[2], words[5]
