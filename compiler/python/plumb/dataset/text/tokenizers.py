"""Tokenizers of strings by regular expressions, scripts and BERT's rules, row by row.

A tokenizer takes one string and returns its words; with offsets, their first and last bytes in UTF-8 as well. Source of BERT's rules:
Devlin et al. 2018, "tokenization" of its public code's description: basic tokens, then the longest pieces of a vocabulary from the left.
"""

import re
import unicodedata

import numpy as np

from plumb.dataset._errors import Operation
from plumb.dataset.text.transforms import CaseFold, NormalizeUTF8, _one, strings_of
from plumb.dataset.text.utils import NormalizeForm, Vocab

_UNUSED = ("[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]")


def _spans(text, found, with_offsets):
    """Words given as (begin, end) in a string; an empty one where there are none."""
    found = list(found) or [(0, 0)]
    words = np.asarray([text[begin:end] for begin, end in found])
    if not with_offsets:
        return words
    ends = np.cumsum([0] + [len(letter.encode()) for letter in text])
    return (words, *(np.asarray([ends[span[side]] for span in found], np.uint32) for side in (0, 1)))


class RegexTokenizer(Operation):
    """A string to what stands between matches of a regular expression.

    Args:
      delim_pattern: of delimiters.
      keep_delim_pattern: of the delimiters that are words as well.
      with_offsets: whether offsets are returned, too.
    """

    def __init__(self, delim_pattern, keep_delim_pattern="", with_offsets=False):
        self.pattern, self.kept = re.compile(delim_pattern), re.compile(keep_delim_pattern) if keep_delim_pattern else None
        self.with_offsets = with_offsets

    def __call__(self, value):
        text = _one(value, "RegexTokenizer")
        return _spans(text, self._found(text), self.with_offsets)

    def _found(self, text):
        at = 0
        for match in self.pattern.finditer(text):
            begin, end = match.span()
            if begin > at:
                yield at, begin
            if end > begin and self.kept is not None and self.kept.fullmatch(match.group()):
                yield begin, end
            at = end
        if at < len(text):
            yield at, len(text)


def _script(letter):
    """A letter's script, by the first word of its name; "COMMON" for digits, marks of writing and white space."""
    if not unicodedata.category(letter).startswith("L"):
        return "COMMON"
    words = unicodedata.name(letter, "UNKNOWN").split()
    return "HAN" if words[0] == "CJK" else words[0]


class UnicodeScriptTokenizer(Operation):
    """A string to runs of one script each; digits and signs are runs of their own.

    Args:
      keep_whitespace: whether runs of white space are words, too.
      with_offsets: whether offsets are returned, too.
    """

    def __init__(self, keep_whitespace=False, with_offsets=False):
        self.keep_whitespace, self.with_offsets = keep_whitespace, with_offsets

    def __call__(self, value):
        text = _one(value, "UnicodeScriptTokenizer")
        return _spans(text, self._found(text), self.with_offsets)

    def _found(self, text):
        begin = 0
        for at in range(1, len(text) + 1):
            if at == len(text) or self._kind(text[at], text[at - 1]) != self._kind(text[at - 1], text[at - 1]):
                if self.keep_whitespace or not text[begin].isspace():
                    yield begin, at
                begin = at

    @staticmethod
    def _kind(letter, before):
        """What a letter's run is of; a mark that combines belongs to the letter before."""
        if unicodedata.combining(letter):
            letter = before
        return "SPACE" if letter.isspace() else _script(letter)


def _is_chinese(letter):
    """Whether a letter is an ideograph of one of the blocks that BERT takes apart."""
    point = ord(letter)
    return any(low <= point <= high for low, high in (
        (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF),
        (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)))


def _is_punctuation(letter):
    point = ord(letter)
    return 33 <= point <= 47 or 58 <= point <= 64 or 91 <= point <= 96 or 123 <= point <= 126 or \
        unicodedata.category(letter).startswith("P")


class BasicTokenizer(Operation):
    """A string to words as BERT's first step makes them: at white space, around punctuation and ideographs.

    With `lower_case`, MindSpore 2.0.0 gives a text that holds [CLS] or its like again behind each of them, folded.

    Args:
      lower_case: whether letters are folded and lose their accents.
      keep_whitespace: whether runs of white space are words, too.
      normalization_form: a form of Unicode, where `lower_case` is not set.
      preserve_unused_token: whether [CLS], [SEP], [UNK], [PAD] and [MASK] stay whole.
      with_offsets: whether offsets, in the text after folding, are returned, too.
    """

    def __init__(self, lower_case=False, keep_whitespace=False, normalization_form=NormalizeForm.NONE, preserve_unused_token=True,
                 with_offsets=False):
        self.lower_case, self.keep_whitespace, self.with_offsets = lower_case, keep_whitespace, with_offsets
        self.normalize, self.preserve = NormalizeUTF8(normalization_form), preserve_unused_token

    def __call__(self, value):
        text = self._prepared(_one(value, "BasicTokenizer"))
        return _spans(text, self._found(text), self.with_offsets)

    def _prepared(self, text):
        """The text folded and normalised, but for words that stay whole; characters of control and of format as blanks."""
        parts = re.split("(" + "|".join(map(re.escape, _UNUSED)) + ")", text) if self.preserve else [text]
        return "".join(part if part in _UNUSED and self.preserve else self._changed(part) for part in parts)

    def _changed(self, text):
        if self.lower_case:
            folded = unicodedata.normalize("NFD", str(CaseFold()(text)))
            text = "".join(letter for letter in folded if unicodedata.category(letter) != "Mn")
        else:
            text = str(self.normalize(text))
        return "".join(" " if unicodedata.category(letter) in ("Cc", "Cf") else letter for letter in text)

    def _found(self, text):
        begin = at = 0
        while at < len(text):
            length, alone = self._unit(text, at)
            if alone and at > begin:
                yield begin, at
            if alone:
                if self.keep_whitespace or not text[at].isspace():
                    yield at, at + length
                begin = at + length
            at += length
        if at > begin:
            yield begin, at

    def _unit(self, text, at):
        """How many letters at a place belong together, and whether they are a word of their own."""
        if self.preserve:
            for word in _UNUSED:
                if text.startswith(word, at):
                    return len(word), True
        if text[at].isspace():
            return len(re.match(r"\s+", text[at:]).group()), True
        return 1, _is_punctuation(text[at]) or _is_chinese(text[at])


class WordpieceTokenizer(Operation):
    """Words to the longest pieces of a vocabulary, from the left.

    Of an unknown word that begins with known pieces MindSpore 2.0.0 gives the offsets of these, too, more than there are words.

    Args:
      vocab: a Vocab.
      suffix_indicator: what pieces behind a word's first begin with in the vocabulary.
      max_bytes_per_token: longer words are unknown.
      unknown_token: what stands for words that have no pieces; "" leaves them as they are.
      with_offsets: whether offsets within the words are returned, too.
    """

    def __init__(self, vocab, suffix_indicator="##", max_bytes_per_token=100, unknown_token="[UNK]", with_offsets=False):
        if not isinstance(vocab, Vocab):
            raise TypeError(f"For 'WordpieceTokenizer', vocab must be a text.Vocab, but got {type(vocab).__name__}.")
        if max_bytes_per_token < 0:
            raise ValueError(f"Input max_bytes_per_token is not within the required interval of [0, 2147483647], but got "
                             f"{max_bytes_per_token}.")
        self.words, self.suffix, self.longest = set(vocab.vocab()), suffix_indicator, max_bytes_per_token
        self.unknown, self.with_offsets = unknown_token, with_offsets

    def __call__(self, value):
        words = [str(word) for word in strings_of(value).reshape(-1)]
        return self.pieces(words, [0] * len(words))

    def pieces(self, words, begins):
        """The pieces of words whose first bytes are at `begins`."""
        found = [piece for word, begin in zip(words, begins) for piece in self._pieces(word, begin)]
        pieces = np.asarray([piece for piece, _, _ in found] or [""])
        if not self.with_offsets:
            return pieces
        ends = [[entry[side] for entry in found] or [0] for side in (1, 2)]
        return pieces, np.asarray(ends[0], np.uint32), np.asarray(ends[1], np.uint32)

    def _pieces(self, word, begin):
        """(piece, first byte, byte behind the last) of a word."""
        size = len(word.encode())
        whole = [(self.unknown or word, begin, begin + size)]
        if not word:
            return [(word, begin, begin)]
        if size > self.longest:
            return whole
        found, at, place = [], 0, begin
        while at < len(word):
            end = next((end for end in range(len(word), at, -1) if self._spelled(word, at, end) in self.words), None)
            if end is None:
                return whole
            length = len(word[at:end].encode())
            found.append((self._spelled(word, at, end), place, place + length))
            at, place = end, place + length
        return found

    def _spelled(self, word, begin, end):
        return (self.suffix if begin else "") + word[begin:end]


class BertTokenizer(Operation):
    """BasicTokenizer and WordpieceTokenizer one after the other: their arguments.

    They say where MindSpore 2.0.0 differs: the text again behind [CLS] with `lower_case`, offsets of pieces of unknown words.
    """

    def __init__(self, vocab, suffix_indicator="##", max_bytes_per_token=100, unknown_token="[UNK]", lower_case=False,
                 keep_whitespace=False, normalization_form=NormalizeForm.NONE, preserve_unused_token=True, with_offsets=False):
        self.basic = BasicTokenizer(lower_case, keep_whitespace, normalization_form, preserve_unused_token, True)
        self.wordpiece = WordpieceTokenizer(vocab, suffix_indicator, max_bytes_per_token, unknown_token, with_offsets)

    def __call__(self, value):
        words, begins, _ = self.basic(value)
        return self.wordpiece.pieces([str(word) for word in words], begins.tolist())


class AddToken(Operation):
    """A word put before or behind the words along the last of one or two axes.

    Args:
      token: the word.
      begin: whether it comes first.
    """

    def __init__(self, token, begin=True):
        if not isinstance(token, str):
            raise TypeError(f"Argument token with value {token} is not of type [<class 'str'>].")
        self.token, self.begin = token, begin

    def __call__(self, value):
        words = strings_of(value)
        if words.ndim not in (1, 2):
            raise ValueError(f"For 'AddToken', a row must have one or two axes, but got the shape {list(words.shape)}.")
        column = np.full(words.shape[:-1] + (1,), self.token)
        return np.concatenate([column, words] if self.begin else [words, column], axis=-1)
