"""Public data sets of texts, read from their files: tables, lines, trees of sentences, documents."""

import csv
import json
import os

import numpy as np

from plumb.dataset._dataset import wants_cache
from plumb.dataset.files import Lines, Shuffle, folder_of
from plumb.dataset.generator import IndexedDataset
from plumb.dataset import samplers


def chosen_parts(parts, usage, who):
    """The files of the parts that `usage` names, in order; all of them for None and "all"."""
    if usage not in (None, "all", *parts):
        raise ValueError(f"For '{who}', usage should be one of {', '.join(map(repr, [*parts, 'all']))}, but got {usage}.")
    return [parts[part] for part in parts if usage in (None, "all", part)]


def existing(folder, names, who):
    """Paths of files in a folder; raises ValueError where one is missing."""
    paths = [os.path.join(folder, name) for name in names]
    for path in paths:
        if not os.path.isfile(path):
            raise ValueError(f"For '{who}', the file {path} does not exist.")
    return paths


class _TextSet(Lines):
    """Base of sets whose files hold rows of strings. Subclasses say which columns and files, and read one.

    Args:
      dataset_dir: the folder.
      usage: the part: see the class; None and "all" take all of them.
      shuffle: whether rows come in a new random order each epoch: True, False or Shuffle.GLOBAL; or, with Shuffle.FILES, files.
      num_samples, num_shards, shard_id: which rows.
    """

    columns, parts = (), {}

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=Shuffle.GLOBAL, num_shards=None,
                 shard_id=None, cache=None):
        who = type(self).__name__
        wants_cache(who, cache)
        paths = existing(folder_of(dataset_dir), chosen_parts(self.parts, usage, who), who)
        files = [[tuple(map(np.asarray, row)) for row in self._rows_of(path)] for path in paths]
        super().__init__(list(self.columns), files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)

    def _rows_of(self, path):
        """Yields the rows of a file, tuples of strings."""
        raise NotImplementedError


# -- tables


class _Table(_TextSet):
    """Base of sets in CSV files without a head: train.csv and test.csv."""

    parts = {"train": "train.csv", "test": "test.csv"}

    def _rows_of(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            lines = csv.reader(file)
            for line in lines:
                if len(line) != len(self.columns):
                    raise ValueError(f"{path}:{lines.line_num}: {len(line)} fields, but there are {len(self.columns)} columns.")
                yield tuple(line)


class AGNewsDataset(_Table):
    """AG News: train.csv and test.csv. Columns: index, title, description (strings). Usages: "train", "test", "all"."""

    columns = ("index", "title", "description")


class AmazonReviewDataset(_Table):
    """Amazon Review Polarity or Full: train.csv and test.csv. Columns: label, title, content (strings). Usages: "train", "test", "all"."""

    columns = ("label", "title", "content")


class DBpediaDataset(_Table):
    """DBpedia: train.csv and test.csv. Columns: class, title, content (strings). Usages: "train", "test", "all"."""

    columns = ("class", "title", "content")


class SogouNewsDataset(_Table):
    """Sogou News: train.csv and test.csv. Columns: index, title, content (strings). Usages: "train", "test", "all"."""

    columns = ("index", "title", "content")


class YahooAnswersDataset(_Table):
    """Yahoo Answers: train.csv and test.csv. Columns: class, title, content, answer (strings). Usages: "train", "test", "all"."""

    columns = ("class", "title", "content", "answer")


class YelpReviewDataset(_Table):
    """Yelp Review Polarity or Full: train.csv and test.csv. Columns: label, text (strings). Usages: "train", "test", "all"."""

    columns = ("label", "text")


class SST2Dataset(Lines):
    """SST-2: train.tsv, dev.tsv and test.tsv. Columns: sentence and label, or of "test" sentence alone (strings).

    Args:
      usage: "train" (by default), "dev" or "test".
      dataset_dir, shuffle, num_samples, num_shards, shard_id: as of AGNewsDataset.
    """

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=Shuffle.GLOBAL, num_shards=None,
                 shard_id=None, cache=None):
        wants_cache("SST2Dataset", cache)
        usage = usage or "train"
        if usage not in ("train", "test", "dev"):
            raise ValueError(f"For 'SST2Dataset', usage should be one of 'train', 'test', 'dev', but got {usage}.")
        path = existing(folder_of(dataset_dir), [usage + ".tsv"], "SST2Dataset")[0]
        with open(path, encoding="utf-8") as file:
            lines = [line.split("\t") for line in file.read().split("\n")[1:] if line]
        names = ["sentence"] if usage == "test" else ["sentence", "label"]
        rows = [tuple(map(np.asarray, line[1:] if usage == "test" else line)) for line in lines]
        super().__init__(names, [rows], num_samples, num_parallel_workers, shuffle, num_shards, shard_id)


# -- lines


class _LineSet(_TextSet):
    """Base of sets whose rows are lines that are not empty."""

    columns = ("text",)

    def _rows_of(self, path):
        with open(path, encoding="utf-8") as file:
            yield from ((line,) for line in file.read().split("\n") if line)


class PennTreebankDataset(_LineSet):
    """Penn Treebank as ptb.train.txt, ptb.test.txt and ptb.valid.txt. Column: text (a string). Usages: "train", "test", "valid", "all"."""

    parts = {part: f"ptb.{part}.txt" for part in ("train", "test", "valid")}


class WikiTextDataset(_LineSet):
    """WikiText-2 and -103: wiki.train.tokens and its kin. Column: text (a string). Usages: "train", "test", "valid", "all"."""

    parts = {part: f"wiki.{part}.tokens" for part in ("train", "test", "valid")}


class EnWik9Dataset(_LineSet):
    """The first 10^9 bytes of Wikipedia: the file enwik9. Column: text (a string; lines without letters are rows as well).

    Args:
      dataset_dir, shuffle, num_samples, num_shards, shard_id: as of AGNewsDataset.
    """

    parts = {"all": "enwik9"}

    def _rows_of(self, path):
        with open(path, encoding="utf-8") as file:
            yield from ((line.rstrip("\n"),) for line in file)

    def __init__(self, dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=True, num_shards=None, shard_id=None, cache=None):
        super().__init__(dataset_dir, None, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)


class Multi30kDataset(Lines):
    """Multi30k: pairs of lines. Columns: text, translation (strings).

    Args:
      usage: "train", "valid", "test" or "all".
      language_pair: ["en", "de"] (by default) or ["de", "en"].
      dataset_dir, shuffle, num_samples, num_shards, shard_id: as of AGNewsDataset.
    """

    _PARTS = {"train": "training/train", "test": "mmt16_task1_test/test", "valid": "validation/val"}

    def __init__(self, dataset_dir, usage=None, language_pair=None, num_samples=None, num_parallel_workers=None, shuffle=None,
                 num_shards=None, shard_id=None, cache=None):
        wants_cache("Multi30kDataset", cache)
        languages = list(language_pair or ("en", "de"))
        if languages not in (["en", "de"], ["de", "en"]):
            raise ValueError(f"language_pair can only be ['en', 'de'] or ['de', 'en'], but got {language_pair}.")
        files = []
        for part in chosen_parts(self._PARTS, usage, "Multi30kDataset"):
            texts = []
            for path in existing(folder_of(dataset_dir), [f"{part}.{language}" for language in languages], "Multi30kDataset"):
                with open(path, encoding="utf-8") as file:
                    texts.append([line for line in file.read().split("\n") if line])
            if len(texts[0]) != len(texts[1]):
                raise ValueError(f"'{part}': {len(texts[0])} lines of {languages[0]}, but {len(texts[1])} of {languages[1]}.")
            files.append([tuple(map(np.asarray, pair)) for pair in zip(*texts)])
        super().__init__(["text", "translation"], files, num_samples, num_parallel_workers, True if shuffle is None else shuffle,
                         num_shards, shard_id)


# -- sentences of words with tags


class _TaggedSet(_TextSet):
    """Base of sets whose sentences are lines of words with their tags, with an empty line behind each: rows of arrays of strings."""

    separator = "\t"

    def _rows_of(self, path):
        with open(path, encoding="utf-8") as file:
            blocks = file.read().split("\n\n")
        for block in blocks:
            words = [line.strip().split(self.separator) for line in block.split("\n") if line.strip()]
            if words:
                yield tuple(np.asarray(column) for column in zip(*words))


class CoNLL2000Dataset(_TaggedSet):
    """CoNLL-2000's chunks: train.txt and test.txt. Columns: word, pos_tag, chunk_tag (arrays of strings). Usages: "train", "test", "all"."""

    columns, separator = ("word", "pos_tag", "chunk_tag"), " "
    parts = {"train": "train.txt", "test": "test.txt"}


class UDPOSDataset(_TaggedSet):
    """Universal Dependencies' parts of speech: en-ud-tag.v2.train.txt and its kin. Columns: word, universal, stanford (arrays of strings).

    Usages: "train", "test", "valid", "all".
    """

    columns = ("word", "universal", "stanford")
    parts = {"train": "en-ud-tag.v2.train.txt", "test": "en-ud-tag.v2.test.txt", "valid": "en-ud-tag.v2.dev.txt"}


# -- documents


class IMDBDataset(IndexedDataset):
    """IMDb's reviews: folders train and test with pos and neg. Columns: text (a string), label (int32: neg is 0, pos is 1).

    Of a file of several lines, which IMDb has none of, MindSpore 2.0.0 gives the last one alone.

    Args:
      dataset_dir: the folder.
      usage: "train", "test" or "all".
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None,
                 shard_id=None, cache=None):
        wants_cache("IMDBDataset", cache)
        folder, self._files = folder_of(dataset_dir), []
        for part in chosen_parts({"train": "train", "test": "test"}, usage, "IMDBDataset"):
            for name, label in (("pos", 1), ("neg", 0)):
                inner = folder_of(os.path.join(folder, part, name))
                self._files += [(os.path.join(inner, file), label) for file in sorted(os.listdir(inner)) if file.endswith(".txt")]
        order = samplers.chosen(sampler, shuffle, num_samples, num_shards, shard_id)
        super().__init__(["text", "label"], self._row_at, len(self._files), order, num_parallel_workers or 1)

    def _row_at(self, index):
        path, label = self._files[index]
        with open(path, encoding="utf-8") as file:
            return np.asarray(file.read()), np.asarray(label, np.int32)


class SQuADDataset(Lines):
    """SQuAD 1.1 and 2.0: train-v*.json and dev-v*.json. Columns: context, question, text (an array of strings), answer_start (uint32).

    Questions without an answer have one empty text and the start 4294967295.

    Args:
      usage: "train", "dev" or "all".
      dataset_dir, shuffle, num_samples, num_shards, shard_id: as of AGNewsDataset.
    """

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=Shuffle.GLOBAL, num_shards=None,
                 shard_id=None, cache=None):
        wants_cache("SQuADDataset", cache)
        folder, files = folder_of(dataset_dir), []
        for part in chosen_parts({"train": "train-v", "dev": "dev-v"}, usage, "SQuADDataset"):
            names = sorted(name for name in os.listdir(folder) if name.startswith(part) and name.endswith(".json"))
            for path in existing(folder, names or [part + "*.json"], "SQuADDataset"):
                with open(path, encoding="utf-8") as file:
                    files.append(list(self._rows_of(json.load(file)["data"])))
        names = ["context", "question", "text", "answer_start"]
        super().__init__(names, files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)

    @staticmethod
    def _rows_of(articles):
        """The rows of a file's articles."""
        for article in articles:
            for paragraph in article["paragraphs"]:
                for question in paragraph["qas"]:
                    answers = question.get("answers") or [{"text": "", "answer_start": 2 ** 32 - 1}]
                    yield (np.asarray(paragraph["context"]), np.asarray(question["question"]),
                           np.asarray([answer["text"] for answer in answers]),
                           np.asarray([answer["answer_start"] for answer in answers], np.uint32))
