"""JiebaTokenizer: words of Chinese text by frequencies of known words, and by a hidden Markov model for the others.

The method is that of the C++ library cppjieba: known words make a graph over the positions of a sentence, whose path of the greatest
product of frequencies is taken (Viterbi backwards); characters that stand alone there are joined by the model's states begin, end,
middle and single (Viterbi forwards). Both files are that library's: words with frequencies, and logarithms of probabilities.
"""

import collections
import enum
import math
import os
import re

import numpy as np

from plumb.dataset._errors import Operation
from plumb.dataset.text.tokenizers import _spans
from plumb.dataset.text.transforms import _one

_MAX_WORD = 512  # characters of a word that is looked up
_IMPOSSIBLE = -3.14e100  # the logarithm of no probability
_MIDDLES = re.compile(r"([ \t\n，。])")  # what ends a sentence, and is a word
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9][0-9.]*|[\x00-\x7f]")
_BEGIN, _END, _MIDDLE, _SINGLE = range(4)


class JiebaMode(enum.IntEnum):
    """By frequencies (MP), by the hidden Markov model (HMM), or by the first and what it leaves by the second (MIX)."""

    MIX = 0
    MP = 1
    HMM = 2


class _Words:
    """The logarithms of known words' frequencies.

    Args:
      path: a file of lines "word frequency kind".
    """

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            lines = [line.split(" ") for line in file.read().splitlines() if line]
        if any(len(line) != 3 for line in lines):
            raise ValueError(f"{path}: every line must be a word, its frequency and its kind.")
        self._total = sum(float(frequency) for _, frequency, _ in lines)
        weights = sorted(self._weight(float(frequency)) for _, frequency, _ in lines)
        self.least, self._usual = weights[0], weights[len(weights) // 2]
        self.weights, self.singles, self._starts = {}, set(), set()
        for word, frequency, _ in lines:
            self._add(word, self._weight(float(frequency)))

    def _weight(self, frequency):
        return math.log(frequency / self._total)

    def _add(self, word, weight):
        self.weights[word] = weight
        self._starts.update(word[:size] for size in range(1, len(word) + 1))

    def add(self, word, frequency):
        """Adds a word of the program's; the frequency 0 is the one that half of the words are below."""
        self._add(word, self._weight(frequency) if frequency else self._usual)
        if len(word) == 1:
            self.singles.add(word)

    def ends(self, text, begin):
        """Yields (the end of a word that begins there, its weight): first of the single character, which may be none."""
        yield begin + 1, self.weights.get(text[begin], self.least)
        for end in range(begin + 2, min(len(text), begin + _MAX_WORD) + 1):
            if text[begin:end] not in self._starts:
                return
            if text[begin:end] in self.weights:
                yield end, self.weights[text[begin:end]]

    def spans(self, text):
        """Yields (begin, end) of the words of the likeliest path."""
        best, steps = [0.0] * (len(text) + 1), [0] * len(text)
        for begin in reversed(range(len(text))):
            best[begin] = -math.inf
            for end, weight in self.ends(text, begin):
                if best[end] + weight > best[begin]:
                    best[begin], steps[begin] = best[end] + weight, end
        at = 0
        while at < len(text):
            yield at, steps[at]
            at = steps[at]


class _Model:
    """The hidden Markov model.

    Args:
      path: a file of nine lines beside comments: how a word begins, what follows each state, and the characters of each state.
    """

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            lines = [line for line in file.read().splitlines() if line and not line.startswith("#")]
        if len(lines) != 9:
            raise ValueError(f"{path}: it must have 9 lines beside comments, but has {len(lines)}.")
        numbers = [[float(number) for number in line.split()] for line in lines[:5]]
        self.first, self.next = numbers[0], numbers[1:]
        self.letters = [dict(self._pair(item) for item in line.split(",") if item) for line in lines[5:]]

    @staticmethod
    def _pair(item):
        letter, _, number = item.rpartition(":")
        return letter, float(number)

    def spans(self, text):
        """Yields (begin, end) of words; runs of Latin letters and digits are words."""
        at = 0
        for match in _LATIN.finditer(text):
            yield from self._joined(text, at, match.start())
            yield match.span()
            at = match.end()
        yield from self._joined(text, at, len(text))

    def _joined(self, text, begin, end):
        states = self._states(text[begin:end]) if end > begin else []
        at = begin
        for position, state in enumerate(states, begin + 1):
            if state in (_END, _SINGLE):
                yield at, position
                at = position

    def _states(self, text):
        """The likeliest states of the characters."""
        weights = [self.first[state] + self._emitted(state, text[0]) for state in range(4)]
        origins = []
        for letter in text[1:]:
            before, weights, chosen = weights, [], []
            for state in range(4):
                weight, origin = _IMPOSSIBLE, _END
                for other in range(4):
                    there = before[other] + self.next[other][state] + self._emitted(state, letter)
                    if there > weight:
                        weight, origin = there, other
                weights.append(weight)
                chosen.append(origin)
            origins.append(chosen)
        states = [_END if weights[_END] >= weights[_SINGLE] else _SINGLE]
        for chosen in reversed(origins):
            states.append(chosen[states[-1]])
        return states[::-1]

    def _emitted(self, state, letter):
        return self.letters[state].get(letter, _IMPOSSIBLE)


class JiebaTokenizer(Operation):
    """A string to its words, as Chinese is written without spaces.

    Args:
      hmm_path: the file of the hidden Markov model (cppjieba's hmm_model.utf8).
      mp_path: the file of known words (cppjieba's jieba.dict.utf8).
      mode: a JiebaMode.
      with_offsets: whether the first and last bytes of words in UTF-8 are returned, too.
    """

    def __init__(self, hmm_path, mp_path, mode=JiebaMode.MIX, with_offsets=False):
        for name, path in (("hmm_path", hmm_path), ("mp_path", mp_path)):
            if path is None:
                raise ValueError(f"For 'JiebaTokenizer', '{name}' must be given.")
            if not isinstance(path, str):
                raise TypeError(f"For 'JiebaTokenizer', '{name}' must be a str, but got {type(path).__name__}.")
            if not os.path.isfile(path):
                raise ValueError(f"For 'JiebaTokenizer', there is no file '{path}' for '{name}'.")
        if not isinstance(mode, JiebaMode) or not isinstance(with_offsets, bool):
            raise TypeError("For 'JiebaTokenizer', 'mode' must be a JiebaMode and 'with_offsets' a bool.")
        self.mode, self.with_offsets = mode, with_offsets
        self._words, self._model = _Words(mp_path), _Model(hmm_path)

    def add_word(self, word, freq=None):
        """Adds a word that is to be known.

        Args:
          freq: how frequent it is, at least 0; None or 0 stand for the frequency that half of the words are below.
        """
        if not isinstance(word, str) or not word:
            raise ValueError(f"For 'add_word', 'word' must be a str that is not empty, but got {word!r}.")
        if freq is not None and (isinstance(freq, bool) or not isinstance(freq, int)):
            raise TypeError(f"For 'add_word', 'freq' must be an int, but got {type(freq).__name__}.")
        if freq is not None and freq < 0:
            raise ValueError(f"For 'add_word', 'freq' must be at least 0, but got {freq}.")
        self._words.add(word, freq or 0)

    def add_dict(self, user_dict):
        """Adds words: a dict of frequencies, or a file's path, whose lines are words with a frequency or none; others are left out."""
        if isinstance(user_dict, dict):
            for word, frequency in user_dict.items():
                self.add_word(word, frequency)
            return
        if not isinstance(user_dict, str):
            raise TypeError(f"For 'add_dict', 'user_dict' must be a dict or a path, but got {type(user_dict).__name__}.")
        if not os.path.isfile(user_dict):
            raise ValueError(f"For 'add_dict', there is no file '{user_dict}'.")
        with open(user_dict, encoding="utf-8") as file:
            for line in file:
                match = re.fullmatch(r"\s*(.+?)(?:\s+(\d+))?\s*", line)
                if match:
                    self.add_word(match[1], int(match[2] or 0))

    def __call__(self, value):
        text = _one(value, "JiebaTokenizer")
        if not text and self.with_offsets:  # as MindSpore has it
            return np.asarray([""]), np.asarray([], np.uint32), np.asarray([], np.uint32)
        return _spans(text, self._found(text), self.with_offsets)

    def _found(self, text):
        cut = {JiebaMode.MP: self._words.spans, JiebaMode.HMM: self._model.spans, JiebaMode.MIX: self._mixed}[self.mode]
        at = 0
        for part in _MIDDLES.split(text):
            if _MIDDLES.fullmatch(part):
                yield at, at + 1
            else:
                yield from ((at + begin, at + end) for begin, end in cut(part))
            at += len(part)

    def _mixed(self, text):
        """Known words, and between them what the model makes of characters that stand alone."""
        alone = collections.deque()
        for begin, end in self._words.spans(text):
            if end - begin == 1 and text[begin] not in self._words.singles:
                alone.append(begin)
                continue
            yield from self._of_model(text, alone)
            yield begin, end
        yield from self._of_model(text, alone)

    def _of_model(self, text, alone):
        if alone:
            first, last = alone[0], alone[-1] + 1
            alone.clear()
            yield from ((first + begin, first + end) for begin, end in self._model.spans(text[first:last]))
