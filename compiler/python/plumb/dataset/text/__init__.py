"""Operations on strings."""

from plumb.common._offers import not_offered
from plumb.dataset.text.jieba import JiebaMode, JiebaTokenizer
from plumb.dataset.text.sentence_pieces import SentencePieceTokenizer, SPieceTokenizerLoadType, SPieceTokenizerOutType
from plumb.dataset.text.tokenizers import (AddToken, BasicTokenizer, BertTokenizer, RegexTokenizer, UnicodeScriptTokenizer,
                                           WordpieceTokenizer)
from plumb.dataset.text.transforms import (CaseFold, FilterWikipediaXML, Lookup, Ngram, NormalizeUTF8, PythonTokenizer, RegexReplace,
                                           SlidingWindow, ToNumber, Truncate, TruncateSequencePair, UnicodeCharTokenizer,
                                           WhitespaceTokenizer)
from plumb.dataset.text.utils import NormalizeForm, Vocab, to_bytes, to_str
from plumb.dataset.text.vectors import CharNGram, FastText, GloVe, ToVectors, Vectors

_TRAINED = "train a model by the package sentencepiece, and give its file to text.SentencePieceTokenizer"

__getattr__ = not_offered(__name__, instead=dict.fromkeys(("SentencePieceModel", "SentencePieceVocab"), _TRAINED))
