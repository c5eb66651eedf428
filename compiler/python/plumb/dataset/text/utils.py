"""Vocabularies: numbers of words."""

import collections
import enum

import numpy as np


class NormalizeForm(enum.IntEnum):
    """Forms of Unicode, of `NormalizeUTF8`."""

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


class Vocab:
    """Words and their numbers. Made by `from_list`, `from_dict`, `from_file` or `from_dataset`."""

    def __init__(self):
        self._numbers, self._words = {}, {}

    @classmethod
    def _of(cls, pairs):
        made = cls()
        for word, number in pairs:
            if word in made._numbers:
                raise ValueError(f"word_list contains duplicate word: {word}.")
            made._numbers[word] = number
            made._words[number] = word
        return made

    @classmethod
    def from_list(cls, word_list, special_tokens=None, special_first=True):
        """Numbers words in their order, `special_tokens` before or behind them."""
        if not isinstance(word_list, (list, tuple)) or not all(isinstance(word, str) for word in word_list):
            raise TypeError("word_list must be a list of strings.")
        special = list(special_tokens or [])
        both = sorted(set(special) & set(word_list))
        if both:
            raise ValueError(f"special_tokens and word_list contain duplicate word: {both[0]}.")
        words = special + list(word_list) if special_first else list(word_list) + special
        return cls._of(zip(words, range(len(words))))

    @classmethod
    def from_dict(cls, word_dict):
        """Takes words with their numbers, which are not negative."""
        if not isinstance(word_dict, dict) or not all(isinstance(word, str) and isinstance(number, int) for word, number in word_dict.items()):
            raise TypeError("word_dict must be a dict of numbers at least 0 by words.")
        if any(number < 0 for number in word_dict.values()):
            raise ValueError(f"Input word_dict is not within the required interval of [0, 2147483647], but got {min(word_dict.values())}.")
        return cls._of(word_dict.items())

    @classmethod
    def from_file(cls, file_path, delimiter="", vocab_size=None, special_tokens=None, special_first=True):
        """Takes the words of a file's lines, up to the delimiter; at most `vocab_size` of them."""
        from plumb.dataset.files import files_of
        with open(*files_of(file_path), encoding="utf-8") as file:
            lines = [line for line in file.read().splitlines() if line]
        words = [line.split(delimiter)[0] if delimiter else line for line in lines]
        return cls.from_list(words[:vocab_size], special_tokens, special_first)

    @classmethod
    def from_dataset(cls, dataset, columns=None, freq_range=None, top_k=None, special_tokens=None, special_first=True):
        """Takes the words of a data set's columns, the most frequent first, words as frequent as each other in order.

        Args:
          freq_range: (least, greatest) frequency, None for no bound.
          top_k: how many of the most frequent words to take.
        """
        names = dataset.get_col_names()
        wanted = [columns] if isinstance(columns, str) else list(columns or names)
        counts = collections.Counter()
        for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True):
            for name in wanted:
                counts.update(np.asarray(row[names.index(name)]).reshape(-1).tolist())
        least, greatest = freq_range or (None, None)
        words = sorted((word for word, count in counts.items() if (least or 0) <= count <= (greatest or count)),
                       key=lambda word: (-counts[word], word))
        return cls.from_list(words[:top_k], special_tokens, special_first)

    @property
    def c_vocab(self):
        """The Vocab itself, which `_c_dataengine` takes."""
        return self

    def vocab(self):
        """Returns the numbers by word."""
        return dict(self._numbers)

    def tokens_to_ids(self, tokens):
        """Returns the number of a word, or those of a list; -1 for unknown ones."""
        words, many = self._several(tokens)
        for word in words:
            if not isinstance(word, str):
                raise TypeError(f"Argument tokens with value {tokens} holds {word!r}, which is no string.")
        found = [self._numbers.get(word, -1) for word in words]
        return found if many else found[0]

    def ids_to_tokens(self, ids):
        """Returns the word of a number, or those of a list; an empty string for unknown ones."""
        numbers, many = self._several(ids)
        for number in numbers:
            if isinstance(number, bool) or not isinstance(number, int):
                raise TypeError(f"Argument ids with value {ids} holds {number!r}, which is no int.")
            if number < 0:
                raise ValueError(f"Input ids is not within the required interval of [0, 2147483647], but got {number}.")
        found = [self._words.get(number, "") for number in numbers]
        return found if many else found[0]

    def _several(self, values):
        """A list of what was given, and whether it was several; raises RuntimeError while there are no words."""
        if not self._numbers:
            raise RuntimeError("The vocabulary has no words: make it by from_list, from_dict, from_file or from_dataset.")
        values = values.tolist() if isinstance(values, (np.ndarray, np.generic)) else values
        return (values, True) if isinstance(values, list) else ([values], False)


def to_bytes(array, encoding="utf8"):
    """Returns an array of strings as bytes."""
    return np.char.encode(array, encoding)


def to_str(array, encoding="utf8"):
    """Returns an array of bytes as strings."""
    return np.char.decode(array, encoding)
