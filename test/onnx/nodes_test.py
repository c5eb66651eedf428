"""ONNX's own tests of operators: models with inputs and outputs, of Debian's libonnx-testdata.

`expected.txt` names those that are not passed, how they end and why; a test that is not named must pass, one that is named must end so.
"""

import glob
import os
import re
import unittest

import numpy as np

import plumb as ms
from plumb import Tensor, onnx
from plumb.onnx import _proto

_DATA = "/usr/share/libonnx-testdata/data"
_FOLDERS = ("node", "simple", "pytorch-converted", "pytorch-operator")
_BFLOAT16 = 16
# Operators that draw: only shapes and element types are compared.
_DRAW = ("bernoulli", "randomuniform", "training_dropout")


def read_value(path, value):
    """The array, list of arrays or None in a file, by the type of the graph's input or output."""
    with open(path, "rb") as file:
        data = file.read()
    if value.type.optional_type is not None:
        held = _proto.read(data, _proto.OPTIONAL)
        if held.sequence is not None:
            return [_proto.to_array(one) for one in held.sequence.tensors]
        return None if held.tensor is None else _proto.to_array(held.tensor)
    if value.type.sequence_type is not None:
        return [_proto.to_array(one) for one in _proto.read(data, _proto.SEQUENCE).tensors]
    array = _proto.to_array(_proto.read(data, _proto.TENSOR))
    if value.type.tensor_type.elem_type == _BFLOAT16 and array.dtype == np.uint16:  # bits, under another type's number
        array = (array.astype("<u4") << 16).view("<f4")
    return array


def as_input(array, value, known):
    """What the network is called with."""
    if isinstance(array, list):
        return [Tensor(one) for one in array]
    if array is None or known:
        return array
    kind = value.type.tensor_type
    return Tensor(array, ms.bfloat16) if kind is not None and kind.elem_type == _BFLOAT16 else Tensor(array)


def as_arrays(result):
    """A result with arrays in the places of tensors."""
    if isinstance(result, (list, tuple)):
        return [as_arrays(one) for one in result]
    if isinstance(result, Tensor):
        return (result.astype(ms.float32) if result.dtype == ms.bfloat16 else result).asnumpy()
    return result


def difference(got, wanted, draws):
    """What differs, as a text, or None."""
    if isinstance(wanted, list):
        if len(got) != len(wanted):
            return f"{len(got)} elements instead of {len(wanted)}"
        return next((text for text in (difference(one, other, draws) for one, other in zip(got, wanted)) if text), None)
    if wanted is None or got is None:
        return None if got is wanted else f"{got} instead of {wanted}"
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"{got.dtype}{got.shape} instead of {wanted.dtype}{wanted.shape}"
    loose = wanted.dtype == np.float16
    if draws or np.allclose(got, wanted, rtol=1e-2 if loose else 1e-3, atol=1e-3 if loose else 1e-5, equal_nan=True):
        return None
    return f"{got} instead of {wanted}"


def run_test(folder):
    """What is wrong with a test, as a text, or None."""
    path = os.path.join(folder, "model.onnx")
    graph = _proto.read_model(path).graph
    held = {tensor.name for tensor in graph.initializer}
    inputs = [value for value in graph.input if value.name not in held]
    try:
        net = onnx.load(path)
        for data in sorted(glob.glob(os.path.join(folder, "test_data_set_*"))):
            values = [as_input(read_value(f"{data}/input_{number}.pb", value), value, entry[3])
                      for number, (value, entry) in enumerate(zip(inputs, net.inputs))]
            results = net(*values)
            results = results if len(graph.output) > 1 else (results,)
            for number, value in enumerate(graph.output):
                text = difference(as_arrays(results[number]), read_value(f"{data}/output_{number}.pb", value), any(word in folder for word in _DRAW))
                if text:
                    return f"output {number}: {text}"
    except Exception as problem:  # pylint: disable=broad-except
        return f"{type(problem).__name__}: {problem}"
    return None


def expected():
    """How the tests in expected.txt end, by name: the class of the error, or "output"."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "expected.txt"), encoding="utf-8") as file:
        return dict(re.match(r"(\w+) \((\w+)\): ", line).groups() for line in file if not line.startswith("#"))


class NodesTest(unittest.TestCase):
    """All tests of a folder."""

    def setUp(self):
        ms.set_context(mode=ms.GRAPH_MODE)

    def check(self, part):
        """Compares what a folder's tests give with what is expected."""
        left_out, found = expected(), {}
        folders = [os.path.dirname(path) for path in sorted(glob.glob(f"{_DATA}/{part}/*/model.onnx"))]
        self.assertGreater(len(folders), 20)
        for folder in folders:
            text, name = run_test(folder), os.path.basename(folder)
            kind = None if text is None else re.match(r"\w+", text)[0]
            if kind != left_out.get(name):
                found[name] = text or "passes, but expected.txt names it"
        self.assertEqual(found, {})

    def test_node(self):
        self.check("node")

    def test_simple(self):
        self.check("simple")

    def test_pytorch_converted(self):
        self.check("pytorch-converted")

    def test_pytorch_operator(self):
        self.check("pytorch-operator")

    def test_expected_names_are_there(self):
        there = {os.path.basename(path) for folder in _FOLDERS for path in glob.glob(f"{_DATA}/{folder}/*")}
        self.assertEqual(set(expected()) - there, set())


if __name__ == "__main__":
    unittest.main()
