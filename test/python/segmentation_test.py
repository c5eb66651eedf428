"""Words and pieces after files of dictionaries and models: expected is what MindSpore 2.0.0 gives for the same files."""

import struct
import unittest

import numpy as np

from plumb import dataset
from plumb.common._protobuf import written
from plumb.dataset import text
from plumb.dataset.text import JiebaMode, SPieceTokenizerOutType
from folders import Folder

WORDS = """我 300 r
们 20 k
我们 200 r
来 90 v
来到 60 v
到 80 v
北京 100 ns
清华 30 nz
大学 120 n
清华大学 40 nt
长江 50 ns
大桥 60 n
长江大桥 20 ns
市长 40 n
市 70 n
"""
MODEL = """#start, then transitions, then the characters of each state
-0.26 -3.14e+100 -3.14e+100 -1.46
-3.14e+100 -0.51 -0.91 -3.14e+100
-0.58 -3.14e+100 -3.14e+100 -0.80
-3.14e+100 -0.33 -1.26 -3.14e+100
-0.72 -3.14e+100 -3.14e+100 -0.66
#B
小:-5.0,明:-6.5,硕:-9.0,去:-8.0
#E
明:-5.5,士:-6.0,了:-8.0
#M
明:-9.0,硕:-9.5
#S
去:-4.0,了:-3.0,小:-8.0
"""
SENTENCE = "我们来到北京清华大学，小明去了长江大桥 abc12.5x。"

# -- models of sentencepiece

PIECES = [("<unk>", 0, 2), ("<s>", 0, 3), ("\u2581", -3, 1), ("\u2581low", -4, 1), ("low", -5, 1), ("er", -2.5, 1), ("l", -6, 1),
          ("o", -6, 1), ("w", -6, 1), ("e", -6, 1), ("r", -6, 1), ("<sep>", 0, 4), ("lo", -4.5, 1), ("we", -4.5, 5), ("\u2581l", -5, 1)]
TEXTS = ["low lower", "  lower<sep>low  er", "Lower zz w", "", " ", "weo\u00e9w", "\uff4cow \u216fer"]


def trie(forms):
    """A table of normal forms in the file's layout, from dict {text: form}: each node's children have a block of 256 units of their own."""
    texts, begins, units = b"", {}, [0] * 256
    for key, form in forms.items():
        begins[key.encode() + b"\0"] = len(texts)
        texts += form.encode() + b"\0"

    def place(keys, at, depth):
        block = len(units)
        units.extend([0] * 256)
        units[at] |= (at ^ block) << 10
        for label in {key[depth] for key in keys}:
            if label == 0:
                units[at] |= 1 << 8
                units[block] = 1 << 31 | begins[next(key for key in keys if key[depth] == 0)]
            else:
                units[block + label] = label
                place([key for key in keys if key[depth] == label], block + label, depth + 1)

    place(list(begins), 0, 0)
    return struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + texts


def model(kind, pieces=PIECES, trained=b"", form=b""):
    """A model's file: what it is for, and how texts are brought into a normal form, as fields."""
    made = b"".join(written(1, written(1, piece) + written(2, np.float32(score)) + written(3, sort)) for piece, score, sort in pieces)
    return made + written(2, written(3, kind) + trained) + written(3, written(1, "own") + form)


FORMS = trie({"\uff4c": "l", "\u216f": "low", "\u00e9": "e", "\t": " ", "L": "l"})
MODELS = {
    "unigram": model(1, form=written(2, FORMS)),
    "pairs": model(2, form=written(2, FORMS)),
    "words": model(3, form=written(2, FORMS)),
    "characters": model(4, form=written(2, FORMS)),
    "bytes": model(1, [*PIECES, *((f"<0x{byte:02X}>", 0, 6) for byte in range(256))], written(35, 1), written(2, FORMS)),
    "as it is": model(1, form=written(3, 0) + written(4, 0)),
    "behind": model(1, [*PIECES, ("w\u2581", -4.5, 1)], written(24, 1)),
}


JIEBA = {
    JiebaMode.MIX: ["我们", "来到", "北京", "清华大学", "，", "小明", "去", "了", "长江大桥", " ", "abc12", ".", "5", "x", "。"],
    JiebaMode.MP: ["我们", "来到", "北京", "清华大学", "，", "小", "明", "去", "了", "长江大桥", " ", "a", "b", "c", "1", "2", ".", "5", "x", "。"],
    JiebaMode.HMM: ["我", "们", "来", "到", "北", "京", "清", "华", "大", "学", "，", "小明", "去了", "长", "江", "大", "桥", " ", "abc12", ".", "5",
        "x", "。"],
}
OWN_WORDS = ["我们", "来到", "北京", "清华大学", "，", "小明", "去", "了", "长江大桥", " ", "a", "b", "c", "1", "2", ".", "5", "x", "。"]
# By model: the pieces of each text, and their numbers.
PIECES_OF = {
    "unigram": (
        [["▁low", "▁low", "er"], ["▁low", "er", "<sep>", "low", "▁", "er"], ["▁low", "er", "▁", "zz", "▁", "w"], [], [], ["▁",
            "w", "e", "o", "e", "w"], ["▁low", "▁low", "er"]],
        [[3, 3, 5], [3, 5, 11, 4, 2, 5], [3, 5, 2, 0, 2, 8], [], [], [2, 8, 9, 7, 9, 8], [3, 3, 5]],
    ),
    "pairs": (
        [["▁low", "▁low", "er"], ["▁low", "er", "<sep>", "low", "▁", "er"], ["▁low", "er", "▁", "zz", "▁", "w"], [], [], ["▁",
            "w", "e", "o", "e", "w"], ["▁low", "▁low", "er"]],
        [[3, 3, 5], [3, 5, 11, 4, 2, 5], [3, 5, 2, 0, 2, 8], [], [], [2, 8, 9, 7, 9, 8], [3, 3, 5]],
    ),
    "words": (
        [["▁low", "▁lower"], ["▁lower<sep>low▁er"], ["▁lower▁zz▁w"], [], [], ["▁weoew"], ["▁low", "▁lower"]],
        [[3, 0], [0], [0], [], [], [0], [3, 0]],
    ),
    "characters": (
        [["▁", "l", "o", "w", "▁", "l", "o", "w", "e", "r"], ["▁", "l", "o", "w", "e", "r", "<sep>", "l", "o", "w", "▁", "e",
            "r"], ["▁", "l", "o", "w", "e", "r", "▁", "zz", "▁", "w"], [], [], ["▁", "w", "e", "o", "e", "w"], ["▁", "l", "o",
            "w", "▁", "l", "o", "w", "e", "r"]],
        [[2, 6, 7, 8, 2, 6, 7, 8, 9, 10], [2, 6, 7, 8, 9, 10, 11, 6, 7, 8, 2, 9, 10], [2, 6, 7, 8, 9, 10, 2, 0, 2, 8], [], [], [2,
            8, 9, 7, 9, 8], [2, 6, 7, 8, 2, 6, 7, 8, 9, 10]],
    ),
    "bytes": (
        [["▁low", "▁low", "er"], ["▁low", "er", "<sep>", "low", "▁", "er"], ["▁low", "er", "▁", "<0x7A>", "<0x7A>", "▁", "w"], [],
            [], ["▁", "w", "e", "o", "e", "w"], ["▁low", "▁low", "er"]],
        [[3, 3, 5], [3, 5, 11, 4, 2, 5], [3, 5, 2, 137, 137, 2, 8], [], [], [2, 8, 9, 7, 9, 8], [3, 3, 5]],
    ),
    "as it is": (
        [["low", "▁low", "er"], ["▁", "▁low", "er", "<sep>", "low", "▁", "▁", "er"], ["L", "o", "w", "er", "▁", "zz", "▁", "w"],
            [], ["▁"], ["w", "e", "o", "é", "w"], ["ｌ", "o", "w", "▁", "Ⅿ", "er"]],
        [[4, 3, 5], [2, 3, 5, 11, 4, 2, 2, 5], [0, 7, 8, 5, 2, 0, 2, 8], [], [2], [8, 9, 7, 0, 8], [0, 7, 8, 2, 0, 5]],
    ),
    "behind": (
        [["low", "▁low", "er", "▁"], ["low", "er", "<sep>", "low", "▁", "er", "▁"], ["L", "o", "w", "er", "▁", "zz", "▁", "w▁"],
            [], [], ["w", "e", "o", "é", "w▁"], ["ｌ", "o", "w▁", "Ⅿ", "er", "▁"]],
        [[4, 3, 5, 2], [4, 5, 11, 4, 2, 5, 2], [0, 7, 8, 5, 2, 0, 2, 15], [], [], [8, 9, 7, 0, 15], [0, 7, 15, 0, 5, 2]],
    ),
}


class JiebaTest(Folder):
    """Chinese words."""

    def make(self, *args, **options):
        """A tokenizer of the files above."""
        self.write("words", WORDS.encode())
        self.write("model", MODEL.encode())
        return text.JiebaTokenizer(str(self.folder / "model"), str(self.folder / "words"), *args, **options)

    def test_modes(self):
        for mode, expected in JIEBA.items():
            with self.subTest(mode=mode):
                self.assertEqual(self.make(mode)(SENTENCE).tolist(), expected)

    def test_offsets(self):
        self.assertEqual([part.tolist() for part in self.make(with_offsets=True)("我们，ab")],
                         [["我们", "，", "ab"], [0, 6, 9], [6, 9, 11]])
        self.assertEqual([part.tolist() for part in self.make(with_offsets=True)("")], [[""], [], []])

    def test_own_words(self):
        tokenizer = self.make(JiebaMode.MP)
        tokenizer.add_word("小明", 1000)
        tokenizer.add_dict({"明去": None})
        self.write("own", "京清\n大桥 3\nbad line here\n".encode())
        tokenizer.add_dict(str(self.folder / "own"))
        self.assertEqual(tokenizer(SENTENCE).tolist(), OWN_WORDS)

    def test_pipeline(self):
        data = dataset.NumpySlicesDataset(["我们来到", "北京"], ["text"], shuffle=False).map(self.make(), "text")
        self.assertEqual([row[0].tolist() for row in self.rows(data)], [["我们", "来到"], ["北京"]])

    def test_errors(self):
        self.write("words", WORDS.encode())
        self.assertRaises(ValueError, text.JiebaTokenizer, str(self.folder / "none"), str(self.folder / "words"))
        self.assertRaises(TypeError, text.JiebaTokenizer, 3, str(self.folder / "words"))
        self.assertRaises(TypeError, self.make, 0)
        self.assertRaises(TypeError, self.make().add_word, "x", 1.5)
        self.assertRaises(ValueError, self.make().add_word, "x", -1)


class SentencePieceTest(Folder):
    """Pieces of trained models."""

    def make(self, content, kind=SPieceTokenizerOutType.STRING):
        """A tokenizer of a model's bytes."""
        self.write("own.model", content)
        return text.SentencePieceTokenizer(str(self.folder / "own.model"), kind)

    def test_pieces(self):
        for name, content in MODELS.items():
            for kind, expected in zip(SPieceTokenizerOutType, PIECES_OF[name]):
                with self.subTest(model=name, kind=kind):
                    tokenizer = self.make(content, kind)
                    self.assertEqual([tokenizer(value).tolist() for value in TEXTS], expected)

    def test_numbers(self):
        self.assertEqual(self.make(MODELS["unigram"], SPieceTokenizerOutType.INT)("low").dtype, np.int32)

    def test_errors(self):
        self.assertRaises(TypeError, text.SentencePieceTokenizer, 3, SPieceTokenizerOutType.INT)
        self.assertRaises(TypeError, self.make, MODELS["unigram"], 0)
        for content in (b"no model at all", b"", MODELS["unigram"][:50]):
            with self.assertRaisesRegex(ValueError, "is no model of sentencepiece"):
                self.make(content)
        with self.assertRaisesRegex(NotImplementedError, "train one of these"):
            self.make(model(3, trained=written(24, 1)))


if __name__ == "__main__":
    unittest.main()
