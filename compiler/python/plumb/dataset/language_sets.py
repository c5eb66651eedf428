"""Public data sets of texts in several languages: CLUE's tasks and IWSLT's translations."""

import os
import xml.etree.ElementTree

import numpy as np

from plumb.dataset._dataset import wants_cache
from plumb.dataset.files import files_of, folder_of, Lines, one_of, Shuffle, text_of
from plumb.dataset.scene_sets import json_of
from plumb.dataset.text_sets import existing


class CLUEDataset(Lines):
    """CLUE's classification tasks in files of JSON lines. Columns, in the order of their names, are the fields of a line: strings,
    arrays of strings, and numbers (uint32).

    | task | "train" and "eval" | "test" |
    |---|---|---|
    | "AFQMC", "CMNLI" | label, sentence1, sentence2 | id, sentence1, sentence2 |
    | "TNEWS" | keywords, label, label_desc, sentence | id, keywords, sentence |
    | "IFLYTEK" | label, label_des, sentence | id, sentence |
    | "WSC" | idx, label, span1_index, span1_text, span2_index, span2_text, text | the same without label |
    | "CSL" | abst, id, keyword, label | the same without label |

    Args:
      dataset_files: a path, or a list of them, which is sorted.
      task, usage: see the table.
      shuffle: whether rows come in a new random order each epoch: True, False or Shuffle.GLOBAL; or, with Shuffle.FILES, files.
      num_samples, num_shards, shard_id: which rows.
    """

    _PAIR, _SPANS = ["sentence1", "sentence2"], ["span1_index", "span1_text", "span2_index", "span2_text"]
    #: By task the columns for training and evaluation, and those of a test.
    _COLUMNS = {"AFQMC": (["label", *_PAIR], ["id", *_PAIR]), "CMNLI": (["label", *_PAIR], ["id", *_PAIR]),
                "TNEWS": (["keywords", "label", "label_desc", "sentence"], ["id", "keywords", "sentence"]),
                "IFLYTEK": (["label", "label_des", "sentence"], ["id", "sentence"]),
                "WSC": (["idx", "label", *_SPANS, "text"], ["idx", *_SPANS, "text"]),
                "CSL": (["abst", "id", "keyword", "label"], ["abst", "id", "keyword"])}

    def __init__(self, dataset_files, task="AFQMC", usage="train", num_samples=None, num_parallel_workers=None, shuffle=Shuffle.GLOBAL,
                 num_shards=None, shard_id=None, cache=None):
        if task not in self._COLUMNS:
            raise ValueError("task should be 'AFQMC', 'TNEWS', 'IFLYTEK', 'CMNLI', 'WSC' or 'CSL'.")
        if usage not in ("train", "test", "eval"):
            raise ValueError("usage should be 'train', 'test' or 'eval'.")
        wants_cache("CLUEDataset", cache)
        names = self._COLUMNS[task][usage == "test"]
        files = [list(_told(path, names)) for path in sorted(files_of(dataset_files))]
        super().__init__(names, files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)


def _told(path, names):
    """Yields the named fields of each line; those of spans stand in "target"."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        content = json_of(line, place)
        content = content if isinstance(content, dict) else {}
        spans = content.get("target")
        content = {**(spans if isinstance(spans, dict) else {}), **content}
        missing = [name for name in names if name not in content]
        if missing:
            raise ValueError(f"{place}: Invalid json file, in given JSON file, failed to find key: {missing[0]}.")
        yield tuple(_field(content[name], f"{place}: '{name}'") for name in names)


def _field(value, place):
    """A field as an array; raises ValueError that names the place."""
    if isinstance(value, str):
        return np.asarray(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2 ** 32:
        return np.asarray(value, np.uint32)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return np.asarray(value)
    raise ValueError(f"{place} should be a string, a number of at least 0 or a list of strings, but is {value!r}.")


class _Translations(Lines):
    """Base of IWSLT's sets: train.tags.PAIR.LANGUAGE and IWSLTYEAR.TED.SET.PAIR.LANGUAGE.xml."""

    _YEAR, _PAIRS = "", []

    def __init__(self, folder, usage, pair, sets, rest):
        wants_cache(type(self).__name__, rest.pop("cache"))
        usage = one_of("usage", usage or "all", ["train", "test", "valid", "all"])
        pair, files = "-".join(pair), []
        if usage in ("train", "all"):
            files.append(self._beside(folder, f"train.tags.{pair}.{{}}", pair, _tagged))
        for part, name in sets.items():
            if usage in (part, "all"):
                files.append(self._beside(folder, f"IWSLT{self._YEAR}.TED.{name}.{pair}.{{}}.xml", pair, _marked))
        super().__init__(["text", "translation"], files, **rest)

    @classmethod
    def _pair(cls, pair):
        pair = ("de", "en") if pair is None else tuple(pair)
        if pair not in cls._PAIRS:
            raise ValueError(f"Input language_pair{pair} is not within the valid set of {tuple(cls._PAIRS)}.")
        return pair

    def _beside(self, folder, name, pair, read):
        """The rows of two files."""
        paths = existing(folder, [name.format(language) for language in pair.split("-")], type(self).__name__)
        texts = [read(path) for path in paths]
        if len(texts[0]) != len(texts[1]):
            raise ValueError(f"'{paths[0]}' has {len(texts[0])} lines of text, but '{paths[1]}' has {len(texts[1])}.")
        return [tuple(map(np.asarray, row)) for row in zip(*texts)]


#: Lines of a file for training that are about the text.
_TAGS = ("<url", "<keywords", "<talkid", "<description", "<reviewer", "<translator", "<title", "<speaker", "<doc", "</doc")


def _tagged(path):
    """The lines of text of a file for training."""
    lines = [line.strip() for line in text_of(path).split("\n")]
    return [line for line in lines if line and not line.startswith(_TAGS)]


def _marked(path):
    """The segments of an XML file."""
    try:
        root = xml.etree.ElementTree.fromstring(text_of(path).lstrip("\ufeff").encode())
    except xml.etree.ElementTree.ParseError as problem:
        raise ValueError(f"'{path}' is no XML: {problem}") from None
    return ["".join(segment.itertext()).strip() for segment in root.iter("seg")]


class IWSLT2016Dataset(_Translations):
    """IWSLT 2016's talks. Columns: text, translation (strings). Headlines count as text; MindSpore 2.0.0 leaves them out.

    Args:
      dataset_dir: the folder with texts/SOURCE/TARGET/SOURCE-TARGET.
      usage: "train", "valid", "test" or "all".
      language_pair: ("de", "en") by default, or "en" with "ar", "cs", "de" or "fr" either way round.
      valid_set, test_set: "dev2010", "tst2010", "tst2011", "tst2012", "tst2013" (for "valid") or "tst2014" (for "test").
      shuffle: whether rows come in a new random order each epoch: True, False or Shuffle.GLOBAL; or, with Shuffle.FILES, files.
      num_samples, num_shards, shard_id: which rows.
    """

    _YEAR = "16"
    _PAIRS = [pair for other in ("ar", "de", "fr", "cs") for pair in (("en", other), (other, "en"))]
    _SETS = ["dev2010", "tst2010", "tst2011", "tst2012", "tst2013", "tst2014"]

    def __init__(self, dataset_dir, usage=None, language_pair=None, valid_set=None, test_set=None, num_samples=None,
                 shuffle=Shuffle.GLOBAL, num_shards=None, shard_id=None, num_parallel_workers=None, cache=None):
        pair = self._pair(language_pair)
        sets = {"valid": one_of("valid_set", valid_set or "tst2013", self._SETS),
                "test": one_of("test_set", test_set or "tst2014", self._SETS)}
        super().__init__(os.path.join(folder_of(dataset_dir), "texts", *pair, "-".join(pair)), usage, pair, sets,
                         {"num_samples": num_samples, "num_parallel_workers": num_parallel_workers, "shuffle": shuffle,
                          "num_shards": num_shards, "shard_id": shard_id, "cache": cache})


class IWSLT2017Dataset(_Translations):
    """IWSLT 2017's talks. Columns: text, translation (strings). Headlines count as text; MindSpore 2.0.0 leaves them out.

    Args:
      dataset_dir: the folder with texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo.
      usage: "train", "valid" (dev2010), "test" (tst2010) or "all".
      language_pair: ("de", "en") by default, or two of "de", "en", "it", "nl" and "ro".
      shuffle: whether rows come in a new random order each epoch: True, False or Shuffle.GLOBAL; or, with Shuffle.FILES, files.
      num_samples, num_shards, shard_id: which rows.
    """

    _YEAR = "17"
    _PAIRS = [(source, target) for source in ("en", "nl", "de", "it", "ro") for target in ("nl", "de", "it", "ro", "en") if source != target]

    def __init__(self, dataset_dir, usage=None, language_pair=None, num_samples=None, shuffle=Shuffle.GLOBAL, num_shards=None,
                 shard_id=None, num_parallel_workers=None, cache=None):
        pair = self._pair(language_pair)
        folder = os.path.join(folder_of(dataset_dir), "texts", "DeEnItNlRo", "DeEnItNlRo", "DeEnItNlRo-DeEnItNlRo")
        super().__init__(folder, usage, pair, {"valid": "dev2010", "test": "tst2010"},
                         {"num_samples": num_samples, "num_parallel_workers": num_parallel_workers, "shuffle": shuffle,
                          "num_shards": num_shards, "shard_id": shard_id, "cache": cache})
