"""Operations on strings."""

from plumb.common._offers import not_offered
from plumb.dataset.text.tokenizers import (AddToken, BasicTokenizer, BertTokenizer, RegexTokenizer, UnicodeScriptTokenizer,
                                           WordpieceTokenizer)
from plumb.dataset.text.transforms import (CaseFold, FilterWikipediaXML, Lookup, Ngram, NormalizeUTF8, PythonTokenizer, RegexReplace,
                                           SlidingWindow, ToNumber, Truncate, TruncateSequencePair, UnicodeCharTokenizer,
                                           WhitespaceTokenizer)
from plumb.dataset.text.utils import NormalizeForm, Vocab, to_bytes, to_str
from plumb.dataset.text.vectors import CharNGram, FastText, GloVe, ToVectors, Vectors

_JIEBA = "text.PythonTokenizer calls a function, such as jieba.lcut"
_PIECES = "text.PythonTokenizer calls a function, such as the method `encode` of the package sentencepiece"

__getattr__ = not_offered(__name__, instead={
    **dict.fromkeys(("JiebaMode", "JiebaTokenizer"), _JIEBA),
    **dict.fromkeys(("SPieceTokenizerLoadType", "SPieceTokenizerOutType", "SentencePieceModel", "SentencePieceTokenizer",
                     "SentencePieceVocab"), _PIECES),
})
