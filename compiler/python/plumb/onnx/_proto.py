"""ONNX files: the messages of onnx.proto that an importer needs, and tensors as NumPy arrays.

Field numbers and element types: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. Tensors may lie in files beside the model
(`external_data`); such a file must lie in the model's folder or below it.
"""

import math
import os

import numpy as np

from plumb.onnx._wire import Schema, read

# Numbers of TensorProto.DataType. bfloat16 has no type of NumPy's: its bits are widened to float32.
ELEMENT_TYPES = {1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
                 11: "float64", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16"}
_STRING = 8
_MAX_BYTES = 1 << 40

_PAIR = Schema("StringStringEntry", {1: ("key", "text"), 2: ("value", "text")})
_SEGMENT = Schema("Segment", {1: ("begin", "int"), 2: ("end", "int")})
TENSOR = Schema("Tensor", {
    1: (["dims"], "int"), 2: ("data_type", "int"), 3: ("segment", _SEGMENT), 4: (["float_data"], "float"), 5: (["int32_data"], "int"),
    6: (["string_data"], "bytes"), 7: (["int64_data"], "int"), 8: ("name", "text"), 9: ("raw_data", "bytes"), 10: (["double_data"], "double"),
    11: (["uint64_data"], "uint64"), 13: (["external_data"], _PAIR), 14: ("data_location", "int")})
SEQUENCE = Schema("Sequence", {1: ("name", "text"), 2: ("elem_type", "int"), 3: (["tensors"], TENSOR)})
OPTIONAL = Schema("Optional", {1: ("name", "text"), 2: ("elem_type", "int"), 3: ("tensor", TENSOR), 5: ("sequence", SEQUENCE)})
_DIM = Schema("Dimension", {1: ("dim_value", "int"), 2: ("dim_param", "text")})
_SHAPE = Schema("TensorShape", {1: (["dim"], _DIM)})
_TENSOR_TYPE = Schema("TensorType", {1: ("elem_type", "int"), 2: ("shape", _SHAPE)})
_TYPE = Schema("Type", {1: ("tensor_type", _TENSOR_TYPE), 4: ("sequence_type", Schema("SequenceType", {})),
                        8: ("sparse_tensor_type", Schema("SparseTensorType", {})), 9: ("optional_type", Schema("OptionalType", {}))})
_VALUE = Schema("ValueInfo", {1: ("name", "text"), 2: ("type", _TYPE)})
_ATTRIBUTE = Schema("Attribute", {
    1: ("name", "text"), 2: ("f", "float"), 3: ("i", "int"), 4: ("s", "bytes"), 5: ("t", TENSOR), 6: ("g", lambda: GRAPH), 7: (["floats"], "float"),
    8: (["ints"], "int"), 9: (["strings"], "bytes"), 10: (["tensors"], TENSOR), 11: (["graphs"], lambda: GRAPH), 20: ("type", "int"),
    21: ("ref_attr_name", "text")})
NODE = Schema("Node", {1: (["input"], "text"), 2: (["output"], "text"), 3: ("name", "text"), 4: ("op_type", "text"), 5: (["attribute"], _ATTRIBUTE),
                       7: ("domain", "text")})
GRAPH = Schema("Graph", {1: (["node"], NODE), 2: ("name", "text"), 5: (["initializer"], TENSOR), 11: (["input"], _VALUE), 12: (["output"], _VALUE),
                         15: (["sparse_initializer"], Schema("SparseTensor", {}))})
_OPERATOR_SET = Schema("OperatorSetId", {1: ("domain", "text"), 2: ("version", "int")})
FUNCTION = Schema("Function", {1: ("name", "text"), 4: (["input"], "text"), 5: (["output"], "text"), 6: (["attribute"], "text"), 7: (["node"], NODE),
                               9: (["opset_import"], _OPERATOR_SET), 10: ("domain", "text"), 11: (["attribute_proto"], _ATTRIBUTE)})
_MODEL = Schema("Model", {1: ("ir_version", "int"), 2: ("producer_name", "text"), 7: ("graph", GRAPH), 8: (["opset_import"], _OPERATOR_SET),
                          20: (["training_info"], Schema("TrainingInfo", {})), 25: (["functions"], FUNCTION)})


def read_model(path):
    """The Model message of a file; raises ValueError for what is none, OSError where it cannot be read."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        model = read(data, _MODEL)
    except ValueError as problem:
        raise ValueError(f"{path} is no ONNX file: {problem}") from None
    if model.graph is None or not model.opset_import:
        raise ValueError(f"{path} is no ONNX file: it holds no {'graph' if model.graph is None else 'operator set'}")
    return model


def element_type(number):
    """The name of an element type by its number; raises ValueError for one that tensors here do not have."""
    if number not in ELEMENT_TYPES:
        raise ValueError("tensors of strings are not offered" if number == _STRING else f"the element type {number} is unknown")
    return ELEMENT_TYPES[number]


def to_array(tensor, folder=None):
    """A NumPy array of a Tensor message (bfloat16 as float32); `folder` holds the model's external data, if any."""
    kind = element_type(tensor.data_type)
    if tensor.segment is not None:
        raise ValueError(f"tensor '{tensor.name}' is stored in segments, which are not offered")
    if any(size < 0 for size in tensor.dims) or math.prod(tensor.dims) > _MAX_BYTES:
        raise ValueError(f"tensor '{tensor.name}' has the shape {tensor.dims}")
    if tensor.data_location == 1:
        array = _of_bytes(_external(tensor, folder), kind)
    elif "raw_data" in tensor.given:
        array = _of_bytes(tensor.raw_data, kind)
    else:
        array = _of_fields(tensor, kind)
    if array.size != math.prod(tensor.dims):
        raise ValueError(f"tensor '{tensor.name}' of shape {tensor.dims} has {array.size} elements")
    return array.reshape(tensor.dims)


def _of_bytes(data, kind):
    if kind == "bfloat16":
        return (np.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4")
    dtype = np.dtype(kind).newbyteorder("<")
    if len(data) % dtype.itemsize:
        raise ValueError(f"{len(data)} bytes are no whole number of elements of {kind}")
    return np.frombuffer(data, dtype).astype(kind)


def _of_fields(tensor, kind):
    """Elements that are stored as numbers: narrow ones as int32, halves as their bits, complex ones by turns."""
    if kind in ("float32", "complex64"):
        return np.asarray(tensor.float_data, "float32").view(kind)
    if kind in ("float64", "complex128"):
        return np.asarray(tensor.double_data, "float64").view(kind)
    if kind in ("float16", "bfloat16"):
        return _of_bytes(np.asarray(tensor.int32_data, "int64").astype("<u2").tobytes(), kind)
    if kind == "int64":
        return np.asarray(tensor.int64_data, "int64")
    if kind in ("uint32", "uint64"):
        return np.asarray(tensor.uint64_data, "uint64").astype(kind)
    return np.asarray(tensor.int32_data, "int64").astype(kind)


def _external(tensor, folder):
    """The bytes of a tensor that lie in a file beside the model."""
    entries = {pair.key: pair.value for pair in tensor.external_data}
    if folder is None or "location" not in entries:
        raise ValueError(f"tensor '{tensor.name}' lies in a file that is not named")
    root = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(root, entries["location"]))
    if os.path.commonpath([root, path]) != root:
        raise ValueError(f"tensor '{tensor.name}' lies in '{entries['location']}', outside of the model's folder")
    with open(path, "rb") as file:
        size, begin = os.fstat(file.fileno()).st_size, int(entries.get("offset", 0))
        length = int(entries.get("length", size - begin))
        if begin < 0 or length < 0 or begin + length > size:
            raise ValueError(f"tensor '{tensor.name}' lies at {begin} to {begin + length} of '{entries['location']}', which has {size} bytes")
        file.seek(begin)
        return file.read(length)
