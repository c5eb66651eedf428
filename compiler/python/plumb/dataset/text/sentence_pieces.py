"""SentencePieceTokenizer: pieces of text after a model that the library sentencepiece has trained.

Source of the method: Kudo and Richardson 2018, "SentencePiece", and that library's file format (sentencepiece_model.proto, a message of
Protocol Buffers): pieces with scores, the kind of the model, and how text is brought into a normal form.
"""

import dataclasses
import enum
import heapq
import struct

import numpy as np

from plumb.common import _protobuf
from plumb.common._refusals import refused
from plumb.dataset._errors import Operation
from plumb.dataset.text._normal_forms import SPACE, Normalizer
from plumb.dataset.text.transforms import _one

_NORMAL, _UNKNOWN, _CONTROL, _OF_USER, _UNUSED, _BYTE = range(1, 7)  # kinds of pieces
_PENALTY = 10.0  # by which an unknown character's score is below the least one
_UNIGRAM, _PAIRS, _WORDS, _CHARACTERS = range(1, 5)  # kinds of models


class SPieceTokenizerOutType(enum.IntEnum):
    """What the tokenizer gives: pieces, or their numbers."""

    STRING = 0
    INT = 1


class SPieceTokenizerLoadType(enum.IntEnum):
    """Where a model comes from."""

    FILE = 0
    MODEL = 1


@dataclasses.dataclass
class _Model:
    """What a model's file says."""

    pieces: list = dataclasses.field(default_factory=list)  # (piece, score, kind), by number
    kind: int = _UNIGRAM
    by_bytes: bool = False  # whether unknown characters become pieces of bytes
    space_behind: bool = False  # whether the mark of a space stands behind a word
    characters: bytes = b""  # the table of normal forms
    leading_space: bool = True
    few_spaces: bool = True
    marked_spaces: bool = True


def _float(value):
    return np.float32(struct.unpack("<f", bytes(value))[0])


def _read(data):
    """A message as a _Model."""
    model = _Model()
    for number, value in _protobuf.fields(memoryview(data)):
        if number == 1:
            piece = dict(_protobuf.fields(value))
            model.pieces.append((_protobuf.content(piece[1]).decode(), _float(piece[2]) if 2 in piece else np.float32(0),
                                 piece.get(3, _NORMAL)))
        elif number == 2:
            trained = dict(_protobuf.fields(value))
            model.kind, model.by_bytes = trained.get(3, _UNIGRAM), bool(trained.get(35, 0))
            model.space_behind = bool(trained.get(24, 0))
        elif number == 3:
            form = dict(_protobuf.fields(value))
            model.characters = _protobuf.content(form.get(2, b""))
            model.leading_space, model.few_spaces, model.marked_spaces = (bool(form.get(field, 1)) for field in (3, 4, 5))
    return model


class SentencePieceTokenizer(Operation):
    """A string to the pieces of a trained model.

    Args:
      mode: the path of a model's file. Models are trained by the package sentencepiece (`spm_train`), or by MindSpore's
        SentencePieceVocab, whose `save_model` writes such a file.
      out_type: a SPieceTokenizerOutType: strings, or their numbers (int32).

    Raises:
      TypeError: if `mode` is no path, or `out_type` no SPieceTokenizerOutType.
      ValueError: if the file holds no model.
    """

    def __init__(self, mode, out_type):
        if not isinstance(mode, str):
            raise TypeError(f"For 'SentencePieceTokenizer', 'mode' must be a model's path, but got {type(mode).__name__}.")
        if not isinstance(out_type, SPieceTokenizerOutType):
            raise TypeError(f"For 'SentencePieceTokenizer', 'out_type' must be a SPieceTokenizerOutType, but got {out_type!r}.")
        self.out_type, self._path = out_type, mode
        with open(mode, "rb") as file:
            data = file.read()
        try:
            self._model = _read(data)
        except (ValueError, IndexError, KeyError, TypeError, struct.error) as problem:
            raise ValueError(f"For 'SentencePieceTokenizer', {mode} is no model of sentencepiece: {problem}.") from None
        if not self._model.pieces:
            raise ValueError(f"For 'SentencePieceTokenizer', {mode} is no model of sentencepiece: it has no pieces.")
        self._prepare()

    def _prepare(self):
        pieces = self._model.pieces
        self._numbers = {piece: number for number, (piece, _, kind) in enumerate(pieces) if kind in (_NORMAL, _OF_USER, _UNUSED)}
        self._reserved = {piece: number for number, (piece, _, kind) in enumerate(pieces) if kind not in (_NORMAL, _OF_USER, _UNUSED)}
        self._unknown = next((number for number, (_, _, kind) in enumerate(pieces) if kind == _UNKNOWN), 0)
        self._longest = max(map(len, self._numbers), default=1)
        of_user = {piece for piece, _, kind in pieces if kind == _OF_USER}
        self._of_user = sorted(of_user, key=len, reverse=True)
        scores = [score for _, score, kind in pieces if kind == _NORMAL] or [np.float32(0)]
        self._least, self._most = min(scores), max(scores)
        self._normalizer = Normalizer(self._model, self._of_user)
        cuts = {_UNIGRAM: self._likeliest, _PAIRS: self._merged, _WORDS: self._words, _CHARACTERS: self._characters}
        if self._model.kind not in cuts or self._model.kind == _WORDS and self._model.space_behind:
            raise refused(NotImplementedError, f"{self._path}: models of words with spaces behind them, or of a kind that is none of "
                                               f"unigram, bpe, char and word, are not offered by plumb: train one of these")
        self._cut = cuts[self._model.kind]

    def __call__(self, value):
        text = self._normalizer(_one(value, "SentencePieceTokenizer"))
        found = list(self._with_bytes(self._cut(text))) if self._model.by_bytes else self._joined(self._cut(text))
        if self.out_type == SPieceTokenizerOutType.INT:
            return np.asarray([number for _, number in found], np.int32)
        return np.asarray([piece for piece, _ in found], None if found else "U1")

    def _number(self, piece):
        return self._reserved.get(piece, self._numbers.get(piece, self._unknown))

    def _joined(self, cut):
        """(piece, number) of pieces; unknown ones side by side are one."""
        found = []
        for piece in cut:
            number = self._number(piece)
            if found and number == self._unknown == found[-1][1]:
                found[-1] = (found[-1][0] + piece, number)
            else:
                found.append((piece, number))
        return found

    def _with_bytes(self, cut):
        """(piece, number) of pieces; unknown ones are pieces for each of their bytes."""
        for piece in cut:
            number = self._number(piece)
            if number != self._unknown:
                yield piece, number
                continue
            for byte in piece.encode():
                yield f"<0x{byte:02X}>", self._number(f"<0x{byte:02X}>")

    # -- by the kinds of models

    def _likeliest(self, text):
        """The pieces with the greatest sum of scores, by Viterbi; of equal ones those that begin first.

        As in the library, sums are kept in float32 and compared in float64, which decides between the same pieces in other orders.
        """
        best, origins = [None] * (len(text) + 1), [0] * (len(text) + 1)
        best[0] = 0.0
        for begin in range(len(text)):
            alone = False
            for end in range(begin + 1, min(len(text), begin + self._longest) + 1):
                score = self._score(text[begin:end])
                if score is None:
                    continue
                alone = alone or end == begin + 1
                self._take(best, origins, begin, end, score)
            if not alone:
                self._take(best, origins, begin, begin + 1, float(self._least - np.float32(_PENALTY)))
        return _path(text, origins)

    @staticmethod
    def _take(best, origins, begin, end, score):
        there = best[begin] + score
        if best[end] is None or there > best[end]:
            best[end], origins[end] = float(np.float32(there)), begin

    def _score(self, piece):
        """A known piece's score; None for one that is not or not to be used."""
        number = self._numbers.get(piece)
        if number is None or self._model.pieces[number][2] == _UNUSED:
            return None
        if self._model.pieces[number][2] == _OF_USER:
            return float(np.float32(len(piece.encode())) * self._most) - 0.1
        return float(self._model.pieces[number][1])

    def _merged(self, text):
        """Characters, of which again and again the pair with the highest score becomes one piece, of equal ones the first."""
        symbols = list(self._characters(text))
        after, before = list(range(1, len(symbols) + 1)), list(range(-1, len(symbols) - 1))
        frozen = [symbol in self._of_user for symbol in symbols]
        agenda, halves = [], {}

        def propose(left, right):
            if left < 0 or right >= len(symbols) or frozen[left] or frozen[right]:
                return
            pair = symbols[left] + symbols[right]
            number = self._numbers.get(pair)
            if number is not None:
                heapq.heappush(agenda, (-float(self._model.pieces[number][1]), left, right, pair))
                if self._model.pieces[number][2] == _UNUSED:
                    halves[pair] = symbols[left], symbols[right]

        for left in range(len(symbols) - 1):
            propose(left, left + 1)
        while agenda:
            _, left, right, pair = heapq.heappop(agenda)
            if not symbols[left] or not symbols[right] or symbols[left] + symbols[right] != pair:
                continue  # one of the two has become part of another since
            symbols[left], symbols[right] = pair, ""
            after[left] = after[right]
            if after[right] < len(symbols):
                before[after[right]] = left
            propose(before[left], left)
            propose(left, after[left])
        return [part for symbol in symbols if symbol for part in self._used(symbol, halves)]

    def _used(self, piece, halves):
        """A piece, or what it was made of where it is not to be used."""
        number = self._numbers.get(piece)
        if piece not in halves or number is None or self._model.pieces[number][2] != _UNUSED:
            return [piece]
        return [part for half in halves[piece] for part in self._used(half, halves)]

    def _characters(self, text):
        """Characters, and the pieces that the user has defined."""
        at = 0
        while at < len(text):
            piece = next((piece for piece in self._of_user if text.startswith(piece, at)), text[at])
            yield piece
            at += len(piece)

    def _words(self, text):
        """What stands between spaces, with the mark of the space."""
        first, *others = text.split(SPACE)
        return ([first] if first else []) + [SPACE + word for word in others]


def _path(text, origins):
    """The pieces from the beginnings of those that end at each position."""
    found, end = [], len(text)
    while end:
        found.append(text[origins[end]:end])
        end = origins[end]
    return found[::-1]
