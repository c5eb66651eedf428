"""Damaged and hostile ONNX files: an error that says what is wrong, never a crash, a hang or a file read from elsewhere."""

import ast
import glob
import os
import random
import struct
import tempfile
import unittest

from onnx_writer import field, function, graph, model, node, varint
from plumb import onnx
from plumb.onnx import _proto, _wire

_MODELS = sorted(glob.glob("/usr/share/libonnx-testdata/data/node/*/model.onnx"))


class DamagedTest(unittest.TestCase):
    """Files that are wrong in one way each."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "net.onnx")

    def load(self, data):
        """Loads a file of these bytes."""
        with open(self.path, "wb") as file:
            file.write(data)
        return onnx.load(self.path)

    def test_cut_off(self):
        data = field(7, b"\0" * 100)[:50]
        with self.assertRaisesRegex(ValueError, "is no ONNX file: byte 2: 100 bytes are announced, 48 are left"):
            self.load(data)

    def test_other_files(self):
        for data in (b"", b"\x7fELF" + b"\1" * 60, b"PK\3\4" + bytes(100)):
            with self.assertRaisesRegex(ValueError, "is no ONNX file"):
                self.load(data)

    def test_long_number(self):
        with self.assertRaisesRegex(ValueError, "more than ten bytes"):
            _wire.read(b"\x80" * 11, _proto.TENSOR)

    def test_deep_graphs(self):
        node = b""
        for _ in range(200):
            node = field(1, field(5, field(6, node)))  # a node whose attribute is a graph of such a node
        with self.assertRaisesRegex(ValueError, "hold each other more than 64 deep"):
            self.load(model(node))

    def test_tensor_of_wrong_size(self):
        tensor = varint(1 << 3) + varint(3) + varint(2 << 3) + varint(1) + field(8, b"w") + field(9, struct.pack("<2f", 1, 2))
        with self.assertRaisesRegex(ValueError, r"tensor 'w' of shape \[3\] has 2 elements"):
            self.load(model(field(5, tensor)))

    def test_huge_tensor(self):
        tensor = varint(1 << 3) + varint(1 << 62) + varint(1 << 3) + varint(1 << 62) + varint(2 << 3) + varint(1) + field(8, b"w")
        with self.assertRaisesRegex(ValueError, "tensor 'w' has the shape"):
            self.load(model(field(5, tensor)))

    def test_data_outside_of_the_folder(self):
        for place in (b"../secret", b"/etc/passwd"):
            entry = field(1, b"location") + field(2, place)
            tensor = varint(1 << 3) + varint(3) + varint(2 << 3) + varint(1) + field(8, b"w") + field(13, entry) + varint(14 << 3) + varint(1)
            with self.assertRaisesRegex(ValueError, "outside of the model's folder"):
                self.load(model(field(5, tensor)))

    def test_unknown_operator(self):
        node = field(1, b"x") + field(2, b"y") + field(3, b"this") + field(4, b"Nonsense")
        with self.assertRaisesRegex(NotImplementedError, "operator Nonsense, version 13, of node 'this' is not offered"):
            self.load(model(field(1, node)))

    def test_unknown_attribute(self):
        node = field(1, b"x") + field(2, b"y") + field(3, b"this") + field(4, b"Relu") + field(5, field(1, b"slope") + varint(20 << 3) + varint(2))
        with self.assertRaisesRegex(NotImplementedError, "attribute 'slope' of Relu 'this' is not offered"):
            self.load(model(field(1, node) + field(11, field(1, b"x"))))

    def test_value_of_no_node(self):
        node = field(1, b"nowhere") + field(2, b"y") + field(4, b"Relu")
        with self.assertRaisesRegex(ValueError, "the value 'nowhere' is used before a node computes it"):
            self.load(model(field(1, node)))

    def test_names_that_are_code(self):
        self.path = os.path.join(self.folder.name, 'net"""\nexit(3).onnx')
        for end in (b"\n", b"\r", b"\x0c", "\u2028".encode(), b"'", b'"""'):
            result = b"y" + end + b"exit(3)"
            node = field(1, b"x') or exit(3) #") + field(2, result) + field(3, b"a" + end + b"exit(3)") + field(4, b"Relu")
            net = self.load(model(field(1, node) + field(11, field(1, b"x') or exit(3) #")) + field(12, field(1, result))))
            calls = [one for one in ast.walk(ast.parse(net.text)) if isinstance(one, ast.Call)]
            self.assertEqual({one.func.id for one in calls}, {"Relu", "tensor"})

    def test_nodes_that_lack_something(self):
        many = [function(f"F{level}", "x", "y", [node(f"F{level - 1}", "x", "a", "own"), node(f"F{level - 1}", "a", "y", "own")] if level else
                         [node("Relu", "x", "y")]) for level in range(30)]
        for nodes, functions, message in (
                ([node("Constant", "", "y")], (), "the constant 'y' is given as nothing"),
                ([field(4, "Constant")], (), "has no result"),
                ([node("Identity", "", "y")], (), "Identity 'the Identity' lacks 'x'"),
                ([field(4, "Constant") + field(2, "y") + field(5, field(1, "value") + field(20, 4))], (), "the constant 'y' has no value"),
                ([node("If", "x", "y", else_branch=b"") + field(5, field(1, "then_branch") + field(20, 5))], (), "the attribute 'then_branch' has no value"),
                ([node("If", "x", "y", else_branch=b"")], (), "If 'the If' lacks 'then_branch'"),
                ([node("Split", "x", "y", outputs=2)], (), "the attribute 'outputs' of Split 'the Split' is not offered"),
                ([node("Relu", "x", "y", x=1)], (), "the attribute 'x' of Relu 'the Relu' is not offered"),
                ([node("LeakyRelu", "x", "y", alpha=("ref", "alpha"))], (), "stands in none"),
                ([node("F", "x", "y", "own")], [function("F", "x", "y", [node("F", "x", "y", "own")])], "the function 'F' calls itself"),
                ([node("F", "x", "y", "own")], [function("F", "x", "y", [node("Relu", "x", "z")])], "the value 'y' is used before"),
                ([node("F29", "x", "y", "own")], many, "more than 200000 nodes")):
            with self.subTest(message):
                with self.assertRaisesRegex((ValueError, NotImplementedError), message):
                    self.load(model(graph(nodes, ["x"], "y"), 13, functions))

    def test_changed_bytes(self):
        draw = random.Random(5)
        for path in draw.sample(_MODELS, 150):
            with open(path, "rb") as file:
                data = bytearray(file.read())
            for _ in range(4):
                changed = bytearray(data)
                for _ in range(draw.choice((1, 1, 2, 8))):
                    changed[draw.randrange(len(changed))] = draw.randrange(256)
                try:
                    self.load(changed[:draw.choice((len(changed), draw.randrange(1, len(changed) + 1)))])
                except (NotImplementedError, ValueError):
                    pass


if __name__ == "__main__":
    unittest.main()
