"""Tokenizers and word vectors: expected words and offsets are MindSpore 2.0.0's where nothing else is said."""

import unittest

import numpy as np

import plumb
from plumb import dataset
from plumb.dataset import text
from folders import Folder

MIXED = "Welcome to  Beijing 北京欢迎您"
SIGNS = "  lead 12,34 a-b_c! Ünï "
TOKENS = "[CLS] don't [UNK]Stop\tnow\n"
VOCAB = text.Vocab.from_list(["un", "##want", "##ed", "want", "run", "##ning", "[UNK]", "hello", "world", "北", "京", ",", "!", "don",
                              "'", "t"])


class TokenizersTest(unittest.TestCase):
    """Words of one string."""

    CASES = [
        (text.UnicodeScriptTokenizer(), MIXED, ["Welcome", "to", "Beijing", "北京欢迎您"]),
        (text.UnicodeScriptTokenizer(), SIGNS, ["lead", "12,34", "a", "-", "b", "_", "c", "!", "Ünï"]),
        (text.UnicodeScriptTokenizer(), "日本語 текст mixed3x", ["日本語", "текст", "mixed", "3", "x"]),
        (text.UnicodeScriptTokenizer(True), TOKENS,
         ["[", "CLS", "]", " ", "don", "'", "t", " ", "[", "UNK", "]", "Stop", "\t", "now", "\n"]),
        (text.UnicodeScriptTokenizer(), "", [""]),
        (text.RegexTokenizer(r"\s+"), SIGNS, ["lead", "12,34", "a-b_c!", "Ünï"]),
        (text.RegexTokenizer(r"\s+", r"\s+"), MIXED, ["Welcome", " ", "to", "  ", "Beijing", " ", "北京欢迎您"]),
        (text.BasicTokenizer(), MIXED, ["Welcome", "to", "Beijing", "北", "京", "欢", "迎", "您"]),
        (text.BasicTokenizer(), TOKENS, ["[CLS]", "don", "'", "t", "[UNK]", "Stop", "now"]),
        (text.BasicTokenizer(preserve_unused_token=False), TOKENS,
         ["[", "CLS", "]", "don", "'", "t", "[", "UNK", "]", "Stop", "now"]),
        (text.BasicTokenizer(True), SIGNS, ["lead", "12", ",", "34", "a", "-", "b", "_", "c", "!", "uni"]),
        (text.BasicTokenizer(keep_whitespace=True), TOKENS,
         ["[CLS]", " ", "don", "'", "t", " ", "[UNK]", "Stop", " ", "now", " "]),
        (text.BasicTokenizer(keep_whitespace=True), "a\u00a0b\u3000\x01c\u00add", ["a", "\u00a0", "b", "\u3000 ", "c", " ", "d"]),
        # MindSpore folds the whole string again for each token that stays.
        (text.BasicTokenizer(True), TOKENS, ["[CLS]", "don", "'", "t", "[UNK]", "stop", "now"]),
        (text.WordpieceTokenizer(VOCAB), "unwanted", ["un", "##want", "##ed"]),
        (text.WordpieceTokenizer(VOCAB), "xyz", ["[UNK]"]),
        (text.WordpieceTokenizer(VOCAB, unknown_token=""), "unwantedx", ["unwantedx"]),
        (text.WordpieceTokenizer(VOCAB, max_bytes_per_token=3), "unwanted", ["[UNK]"]),
        (text.WordpieceTokenizer(VOCAB), np.array(["unwanted", "running", "北"]), ["un", "##want", "##ed", "run", "##ning", "北"]),
        (text.BertTokenizer(VOCAB), "hello world, unwanted 北京! don't xyz",
         ["hello", "world", ",", "un", "##want", "##ed", "北", "京", "!", "don", "'", "t", "[UNK]"]),
        (text.AddToken("TOKEN"), np.array([["a", "b"], ["c", "d"]]), [["TOKEN", "a", "b"], ["TOKEN", "c", "d"]]),
        (text.AddToken("TOKEN", begin=False), np.array(["a", "b"]), ["a", "b", "TOKEN"]),
    ]

    def test_words(self):
        for tokenizer, value, expected in self.CASES:
            with self.subTest(tokenizer=type(tokenizer).__name__, value=str(value)):
                self.assertEqual(tokenizer(value).tolist(), expected)

    def test_offsets(self):
        cases = [
            (text.UnicodeScriptTokenizer(True, True), MIXED, [0, 7, 8, 10, 12, 19, 20], [7, 8, 10, 12, 19, 20, 35]),
            (text.RegexTokenizer(r"\s+|,", r",", True), SIGNS, [2, 7, 9, 10, 13, 20], [6, 9, 10, 12, 19, 25]),
            (text.BasicTokenizer(True, with_offsets=True), SIGNS, [2, 7, 9, 10, 13, 14, 15, 16, 17, 18, 20],
             [6, 9, 10, 12, 14, 15, 16, 17, 18, 19, 23]),
            (text.WordpieceTokenizer(VOCAB, with_offsets=True), "unwanted", [0, 2, 6], [2, 6, 8]),
            (text.BertTokenizer(VOCAB, lower_case=True, with_offsets=True), "Hello world, unWanted", [0, 6, 11, 13, 15, 19],
             [5, 11, 12, 15, 19, 21])]
        for tokenizer, value, begins, ends in cases:
            with self.subTest(tokenizer=type(tokenizer).__name__):
                words, first, last = tokenizer(value)
                self.assertEqual((first.tolist(), last.tolist(), first.dtype), (begins, ends, np.uint32))
                self.assertEqual(len(words), len(begins))

    def test_in_a_pipeline(self):
        lines = dataset.GeneratorDataset([(line,) for line in ("hello world", "unwanted, 北京!")], ["text"], shuffle=False)
        ids = lines.map([text.BertTokenizer(VOCAB), text.Lookup(VOCAB, "[UNK]")], "text")
        rows = [row[0].tolist() for row in ids.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        self.assertEqual(rows, [[7, 8], [0, 1, 2, 11, 9, 10, 12]])

    def test_refused(self):
        with self.assertRaisesRegex(TypeError, "text.Vocab"):
            text.WordpieceTokenizer(["a"])
        with self.assertRaisesRegex(ValueError, "one string"):
            text.BasicTokenizer()(np.array(["a", "b"]))


class VectorsTest(Folder):
    """Files of vectors."""

    def written(self, name, content):
        """A file's path."""
        (self.folder / name).write_text(content, encoding="utf-8")
        return str(self.folder / name)

    def test_words(self):
        path = self.written("glove.6B.test.txt", "ok 0.418 0.24968 -0.41242\n! 0.013441 0.23682 -0.16899\nthe 0.1 0.2 0.3\n")
        vectors = text.GloVe.from_file(path)
        found = text.ToVectors(vectors)("ok")
        np.testing.assert_array_equal(found, np.float32([0.418, 0.24968, -0.41242]))
        np.testing.assert_array_equal(text.ToVectors(vectors)("nope"), np.zeros(3, np.float32))
        np.testing.assert_array_equal(text.ToVectors(vectors, [-1, -1, -1])("nope"), [-1, -1, -1])
        np.testing.assert_array_equal(text.ToVectors(vectors, lower_case_backup=True)("THE"), np.float32([0.1, 0.2, 0.3]))
        few = text.Vectors.from_file(path, 2)
        self.assertFalse(text.ToVectors(few)("the").any())
        rows = text.ToVectors(vectors)(np.array(["ok", "the"]))
        self.assertEqual((rows.shape, rows.dtype), ((2, 3), np.float32))

    def test_header(self):
        vectors = text.FastText.from_file(self.written("fast.vec", "2 3\nok 0.1 0.2 0.3\nhi 0.5 0.25 0.125\n"))
        np.testing.assert_array_equal(text.ToVectors(vectors)("hi"), [0.5, 0.25, 0.125])

    def test_character_grams(self):
        path = self.written("char.txt", "1gram-o 1 2\n2gram-ok 3 4\n2gram-#BEGIN#o 5 5\n3gram-#BEGIN#ok 1 1\n")
        np.testing.assert_allclose(text.ToVectors(text.CharNGram.from_file(path))("ok"), [3, 10 / 3], rtol=1e-6)

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "glove"):
            text.GloVe.from_file(self.written("x.txt", "a 1\n"))
        with self.assertRaisesRegex(ValueError, ":2: 2 numbers"):
            text.Vectors.from_file(self.written("y.txt", "a 1\nb 1 2\n"))
        with self.assertRaisesRegex(ValueError, ":1 is no line"):
            text.Vectors.from_file(self.written("z.txt", "a b\n"))
        with self.assertRaisesRegex(ValueError, "1 numbers"):
            text.ToVectors(text.Vectors.from_file(self.written("y.txt", "a 1\n")), [1, 2])


class FoldedTest(unittest.TestCase):
    """Case, width and form, by Unicode's NFKC_Casefold, with MindSpore 2.0.0's results."""

    def test_folded(self):
        for given, expected in (("\uff01\uff21", "!a"), ("\u00df", "ss"), ("\u00adsoft\u200bx", "softx"), ("\u2167", "viii"), ("e\u0301\u00c9", "\u00e9\u00e9"),
                                ("\uff76\uff9e", "\u30ac"), ("\u01c4", "d\u017e"), ("\u00bd", "1\u20442"), ("Stra\ufe0fE", "strae")):
            self.assertEqual(str(text.CaseFold()(given)), expected)
        self.assertEqual(text.BasicTokenizer(True)("\uff01\uff21").tolist(), ["!", "a"])
        self.assertEqual(text.BasicTokenizer(False)("\uff01\uff21").tolist(), ["\uff01", "\uff21"])


class NumbersOfWordsTest(unittest.TestCase):
    """What a Vocab takes and refuses."""

    def test_single_elements(self):
        words = text.Vocab.from_list(["a", "b"])
        self.assertEqual((words.tokens_to_ids(np.array("b")), words.tokens_to_ids(np.array(["b", "x"])), words.tokens_to_ids("a")), (1, [1, -1], 0))
        self.assertEqual((words.ids_to_tokens(np.array(1)), words.ids_to_tokens(np.array([1, 7])), words.ids_to_tokens(np.int64(0))), ("b", ["b", ""], "a"))

    def test_refusals(self):
        words = text.Vocab.from_list(["a", "b"])
        for error, call in ((RuntimeError, lambda: text.Vocab().tokens_to_ids("a")), (RuntimeError, lambda: text.Vocab().ids_to_tokens(2)),
                            (TypeError, lambda: words.tokens_to_ids([1, "a"])), (TypeError, lambda: words.ids_to_tokens([1, 1.5])),
                            (ValueError, lambda: words.ids_to_tokens(-2)), (ValueError, lambda: text.Vocab.from_dict({"a": -1}))):
            self.assertRaises(error, call)


class BytesTest(unittest.TestCase):
    """Strings that are given as bytes in UTF-8."""

    def test_words(self):
        self.assertEqual(text.PythonTokenizer(str.split)(np.array("Hallo Wört".encode())).tolist(), ["Hallo", "Wört"])
        self.assertEqual(text.Lookup(text.Vocab.from_list(["a", "b"]))(np.array([b"b", b"a"])).tolist(), [1, 0])
        self.assertEqual(text.CaseFold()(np.array(b"Ab")).tolist(), "ab")
        self.assertEqual(text.ToNumber(plumb.int32)(np.array([b"1", b"20"])).tolist(), [1, 20])
        first, second = text.TruncateSequencePair(4)(["1", "2", "3"], ["4", "5"])
        self.assertEqual((first.tolist(), second.tolist()), (["1", "2"], ["4", "5"]))


if __name__ == "__main__":
    unittest.main()
