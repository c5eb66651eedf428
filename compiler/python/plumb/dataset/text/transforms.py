"""Operations on strings, row by row: a value is one string (no axes) or an array of them."""

import re
import unicodedata

import numpy as np

from plumb.common import dtype as mstype
from plumb.dataset._bases import Implementation, TensorOperation, TextTensorOperation  # pylint: disable=unused-import
from plumb.dataset._errors import Operation
from plumb.dataset.text.utils import NormalizeForm, Vocab


DE_C_INTER_NORMALIZE_FORM = {form: form for form in NormalizeForm}  # as `_c_dataengine` calls them


def strings_of(value):
    """A string or an array of them, of bytes in UTF-8 as strings."""
    value = np.asarray(value)
    return np.char.decode(value, "utf-8") if value.dtype.kind == "S" else value


def _each(function, value):
    """A function of one string on a string or an array of them."""
    value = strings_of(value)
    return np.asarray([function(str(item)) for item in value.reshape(-1)]).reshape(value.shape)


def _one(value, who):
    value = strings_of(value)
    if value.ndim or value.dtype.kind != "U":
        raise ValueError(f"For '{who}', a row must hold one string, but got {value.dtype} of the shape {list(value.shape)}.")
    return str(value)


class Lookup(Operation):
    """Words to their numbers in a Vocab.

    Args:
      vocab: the Vocab.
      unknown_token: the word whose number unknown ones get; without it they are an error.
      data_type: the numbers' element type (int32).
    """

    def __init__(self, vocab, unknown_token=None, data_type=mstype.int32):
        if not isinstance(vocab, Vocab):
            raise TypeError(f"For 'Lookup', vocab must be a text.Vocab, but got {type(vocab).__name__}.")
        self.vocab, self.numbers, self.dtype = vocab, vocab.vocab(), mstype.as_dtype(data_type).numpy
        if unknown_token is not None and unknown_token not in self.numbers:
            raise ValueError(f"unknown_token: [{unknown_token}], does not exist in vocab.")
        self.unknown = self.numbers.get(unknown_token)

    def __call__(self, value):
        value = strings_of(value)
        found = [self.numbers.get(word, self.unknown) for word in value.reshape(-1).tolist()]
        if None in found:
            raise ValueError(f"For 'Lookup', the word '{value.reshape(-1)[found.index(None)]}' is not in the vocabulary: give an "
                             f"unknown_token.")
        return np.asarray(found, self.dtype).reshape(value.shape)


class WhitespaceTokenizer(Operation):
    """A string to its words between white space."""

    def __init__(self, with_offsets=False):
        self.with_offsets = with_offsets

    def __call__(self, value):
        return _tokens(list(re.finditer(r"\S+", _one(value, "WhitespaceTokenizer"))), _one(value, ""), self.with_offsets)


class UnicodeCharTokenizer(Operation):
    """A string to its characters."""

    def __init__(self, with_offsets=False):
        self.with_offsets = with_offsets

    def __call__(self, value):
        return _tokens(list(re.finditer(r"(?s).", _one(value, "UnicodeCharTokenizer"))), _one(value, ""), self.with_offsets)


def _tokens(found, text, with_offsets):
    """Words of matches; with offsets, their first and last bytes in UTF-8 as well."""
    words = np.asarray([match.group() for match in found] or [""])
    if not with_offsets:
        return words
    ends = [[len(text[:match.span()[end]].encode()) for match in found] or [0] for end in (0, 1)]
    return words, np.asarray(ends[0], np.uint32), np.asarray(ends[1], np.uint32)


class PythonTokenizer(Operation):
    """A string to what a Python function makes of it: a list of strings."""

    def __init__(self, tokenizer):
        if not callable(tokenizer):
            raise TypeError(f"For 'PythonTokenizer', tokenizer must be a function, but got {type(tokenizer).__name__}.")
        self.tokenizer = tokenizer

    def __call__(self, value):
        return np.asarray(self.tokenizer(_one(value, "PythonTokenizer")))


# What text is read without: characters of the property Default_Ignorable_Code_Point.
_IGNORED = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
                      "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]")


def folded(text):
    """Unicode's NFKC_Casefold: no differences of case, width or form, and nothing that is not seen."""
    before = None
    while before != text:
        before, text = text, unicodedata.normalize("NFKC", _IGNORED.sub("", unicodedata.normalize("NFD", text)).casefold())
    return text


class CaseFold(Operation):
    """Strings without differences of case, width and form (NFKC_Casefold)."""

    def __call__(self, value):
        return _each(folded, value)


class NormalizeUTF8(Operation):
    """Strings in a form of Unicode (NFKC)."""

    def __init__(self, normalize_form=NormalizeForm.NFKC):
        self.form = NormalizeForm(normalize_form)

    def __call__(self, value):
        if self.form == NormalizeForm.NONE:
            return value
        return _each(lambda text: unicodedata.normalize(self.form.name, text), value)


class RegexReplace(Operation):
    """Parts of strings that match a regular expression replaced: all, or the first."""

    def __init__(self, pattern, replace, replace_all=True):
        self.pattern, self.replace, self.count = re.compile(pattern), replace, 0 if replace_all else 1

    def __call__(self, value):
        return _each(lambda text: self.pattern.sub(self.replace, text, count=self.count), value)


class FilterWikipediaXML(Operation):
    """Text of Wikipedia's dumps as words of the letters a to z with one space between them.

    Tags go, on one line with all that stands between the first and the last of them; `&…;` and other signs become spaces, capitals small,
    digits words; a page that redirects is empty. MindSpore 2.0.0 loses capital R's.
    """

    _WORDS = str.maketrans({**{str(i): f" {word} " for i, word in enumerate("zero one two three four five six seven eight nine".split())},
                            **{chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}})

    def __call__(self, value):
        return _each(self._filtered, value)

    def _filtered(self, text):
        text = "" if "#redirect" in text.lower() else text
        text = re.sub(r"&[^;]*;", " ", re.sub(r"<[^>]*>", "", re.sub(r"<.*>", "", text)))
        return re.sub(r"[^a-z]+", " ", text.translate(self._WORDS)).strip()


class ToNumber(Operation):
    """Strings to numbers of `data_type`: what a string begins with, so that "12.7 kg" is 12 or 12.7.

    Raises:
      ValueError: for a string that begins with no number, or one out of the type's range.
    """

    def __init__(self, data_type):
        self.dtype = mstype.as_dtype(data_type).numpy

    def __call__(self, value):
        value = strings_of(value)
        return np.asarray([self._number(str(item)) for item in value.reshape(-1).tolist()], self.dtype).reshape(value.shape)

    def _number(self, item):
        whole = self.dtype.kind in "iu"
        found = (_INTEGER if whole else _FLOAT).match(item)
        if not found:
            raise ValueError(f"For 'ToNumber', {item!r} does not begin with a number.")
        number = int(found[0]) if whole else float(found[0])
        limits = np.iinfo(self.dtype) if whole else np.finfo(self.dtype)
        named = item.strip().lstrip("+-")[:1].lower() in ("i", "n")  # "inf" and "nan" mean what they say
        if not named and not limits.min <= number <= limits.max:
            raise ValueError(f"For 'ToNumber', {item} is out of the range of {self.dtype}.")
        return number


_INTEGER = re.compile(r"\s*[+-]?\d+")
_FLOAT = re.compile(r"\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)", re.IGNORECASE)


class Ngram(Operation):
    """Words to all rows of n words that follow each other, joined by `separator`.

    Args:
      n: how many words, or a list of counts, one after another.
      left_pad, right_pad: (word, how often) at the ends.
    """

    def __init__(self, n, left_pad=("", 0), right_pad=("", 0), separator=" "):
        self.counts = [n] if isinstance(n, int) else list(n)
        if not self.counts or any(count < 1 for count in self.counts):
            raise ValueError(f"gram_{n} must be positive.")
        self.left, self.right, self.separator = [left_pad[0]] * left_pad[1], [right_pad[0]] * right_pad[1], separator

    def __call__(self, value):
        words, found = strings_of(value).tolist(), []
        for count in self.counts:
            room = count - 1  # no row is of padding alone
            row = self.left[:room] + words + self.right[:room]
            found += [self.separator.join(row[i:i + count]) for i in range(len(row) - count + 1)] or [""]
        return np.asarray(found)


class SlidingWindow(Operation):
    """All rows of `width` elements that follow each other along `axis`, which an array of one axis has."""

    def __init__(self, width, axis=0):
        if width < 1:
            raise ValueError(f"Input width is not within the required interval of [1, 2147483647], but got {width}.")
        self.width, self.axis = width, axis

    def __call__(self, value):
        value = np.asarray(value)
        if value.ndim != 1 or self.axis not in (0, -1):
            raise ValueError(f"For 'SlidingWindow', a row must have one axis, but got the shape {list(value.shape)}.")
        if len(value) < self.width:
            return np.zeros(0, value.dtype)
        return np.ascontiguousarray(np.lib.stride_tricks.sliding_window_view(value, self.width))


class Truncate(Operation):
    """At most the first `max_seq_len` words."""

    def __init__(self, max_seq_len):
        self.length = max_seq_len

    def __call__(self, value):
        return strings_of(value)[:self.length]


class TruncateSequencePair(Operation):
    """Two rows of words cut at their ends, the longer one first, until both have `max_length` together."""

    def __init__(self, max_length):
        self.max_length = max_length

    def __call__(self, first, second):
        lengths = [len(first), len(second)]
        while sum(lengths) > self.max_length:
            lengths[0 if lengths[0] > lengths[1] else 1] -= 1
        return np.asarray(first)[:lengths[0]], np.asarray(second)[:lengths[1]]
