"""Element types of tensors, with MindSpore's names.

Each type knows three spellings: its public name (`float32`), the compiler's (`f32`) and NumPy's.
"""

import enum

import numpy as np

from plumb.common import _bfloat


# Types whose variables in MindSpore have other names than they have themselves.
_OWN_NAMES = {"bool": "bool_", "string": "string_", "list": "list_", "tuple": "tuple_", "none": "type_none"}


class DType:
    """One element type; instances are unique, compare by identity."""

    def __init__(self, name, mlir, numpy_type):
        self.name = name
        self.mlir = mlir
        self.numpy = None if numpy_type is None else np.dtype(numpy_type)

    def __str__(self):
        """The name as MindSpore prints it: "Float32", "UInt8", "BFloat16"."""
        return self.name.capitalize().replace("Ui", "UI").replace("Bf", "BF")

    def __repr__(self):
        return f"mindspore.{_OWN_NAMES.get(self.name, self.name)}"

    def __reduce__(self):
        return (by_name, (self.name,))


bool_ = DType("bool", "i1", np.bool_)
int8 = DType("int8", "i8", np.int8)
int16 = DType("int16", "i16", np.int16)
int32 = DType("int32", "i32", np.int32)
int64 = DType("int64", "i64", np.int64)
uint8 = DType("uint8", "ui8", np.uint8)
uint16 = DType("uint16", "ui16", np.uint16)
uint32 = DType("uint32", "ui32", np.uint32)
uint64 = DType("uint64", "ui64", np.uint64)
float16 = DType("float16", "f16", np.float16)
float32 = DType("float32", "f32", np.float32)
float64 = DType("float64", "f64", np.float64)
bfloat16 = DType("bfloat16", "bf16", _bfloat.BITS)
complex64 = DType("complex64", "complex<f32>", np.complex64)
complex128 = DType("complex128", "complex<f64>", np.complex128)

string = DType("string", None, np.str_)  # of columns of data sets; no tensor has it

half, float_, double, int_, long = float16, float32, float64, int64, int64
cfloat, cdouble = complex64, complex128

_ALL = (bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, bfloat16,
        complex64, complex128)
_BY_NAME = {dtype.name: dtype for dtype in _ALL}
_BY_NUMPY = {dtype.numpy: dtype for dtype in _ALL if dtype.numpy is not None}

float_type = tuple(dtype for dtype in _ALL if "float" in dtype.name)
int_type = (int8, int16, int32, int64)
complex_type = (complex64, complex128)
uint_type = (uint8, uint16, uint32, uint64)
number_type = int_type + uint_type + (float16, float32, float64) + complex_type
signed_type = int_type + (float16, float32, float64) + complex_type
byte, short, intc, intp = int8, int16, int32, int64
ubyte, ushort, uintc, uint, uintp, single = uint8, uint16, uint32, uint64, uint64, float32


def _kind(name, members, summary):
    """A class whose instances are element types."""
    meta = type("Kind", (type,), {"__instancecheck__": lambda cls, value: isinstance(value, DType) and value in members})
    return meta(name, (), {"__doc__": summary})


Bool = _kind("Bool", (bool_,), "Booleans.")
Int = _kind("Int", int_type, "Signed integers.")
UInt = _kind("UInt", uint_type, "Integers of at least 0.")
Float = _kind("Float", float_type, "Floats.")
Complex = _kind("Complex", complex_type, "Complex numbers.")
Number = _kind("Number", _ALL, "All element types.")
TensorType = _kind("TensorType", (), "Types of tensors as wholes, which no value has: `dtype` is that of the elements.")
Type = DType

# What is no type of elements: programs compare kinds of arguments with them.
tensor_type, list_, tuple_, number, type_none = (DType(name, None, None) for name in ("tensor", "list", "tuple", "number", "none"))


def by_name(name):
    """Returns the type called `name` ("float32"); raises ValueError when there is none."""
    if name not in _BY_NAME:
        raise ValueError(f"There is no element type called '{name}'; there are {', '.join(_BY_NAME)}.")
    return _BY_NAME[name]


def by_mlir(spelling):
    """Returns the type the compiler spells `spelling` ("f32", "u8" and "ui8" alike, "c64")."""
    spelling = {"c64": "complex<f32>", "c128": "complex<f64>"}.get(spelling, spelling)
    if spelling[0] == "u" and spelling[1] != "i":
        spelling = "ui" + spelling[1:]
    for dtype in _ALL:
        if dtype.mlir == spelling:
            return dtype
    raise ValueError(f"There is no element type spelled '{spelling}'.")


def as_dtype(value):
    """Turns a DType, a NumPy type, a Python type or a name into a DType."""
    if isinstance(value, DType):
        return value
    if value is bool:
        return bool_
    if value is int:
        return int64
    if value is float:
        return float32
    if value is complex:
        return complex128
    if isinstance(value, str):
        return _BY_NAME.get(value) or _by_numpy_name(value)
    numpy_type = np.dtype(value)
    if numpy_type not in _BY_NUMPY:
        raise TypeError(f"Tensors cannot hold elements of type '{numpy_type}'.")
    return _BY_NUMPY[numpy_type]


def _by_numpy_name(name):
    """The type that NumPy calls `name` ("i2"); "int" and "float" are of 32 bits."""
    try:
        return _BY_NUMPY[np.dtype({"int": "int32", "float": "float32"}.get(name, name))]
    except (TypeError, KeyError):
        return by_name(name)


class _FewBits(enum.Enum):
    """Base of QuantDtype."""

    def value(self):
        """The number that MindSpore's files hold."""
        return self._value_

    def __str__(self):
        return self.name


_FEW = {f"INT{bits}": bits - 1 for bits in range(1, 17)} | {f"UINT{bits}": bits + 99 for bits in range(1, 17)}
QuantDtype = _FewBits("QuantDtype", _FEW, module=__name__)
QuantDtype.__doc__ = "Numbers of few bits, INT1 to INT16 and UINT1 to UINT16, which MindSpore's tools for quantized networks name."


def dtype_to_nptype(type_):
    """Returns NumPy's type for an element type, as MindSpore's function of this name."""
    return as_dtype(type_).numpy.type


def pytype_to_dtype(obj):
    """Returns the element type for a Python or NumPy type, as MindSpore's function of this name; float64 for float."""
    return float64 if obj is float else as_dtype(obj)


def dtype_to_pytype(type_):
    """Returns Python's type for an element type: bool, int, float or complex."""
    kind = as_dtype(type_).numpy.kind
    return {"b": bool, "i": int, "u": int, "c": complex}.get(kind, float)


def get_py_obj_dtype(obj):
    """Returns the element type of a number of Python or NumPy, or of a type of numbers.

    Raises:
      TypeError, ValueError: if `obj` is neither.
    """
    return pytype_to_dtype(obj if isinstance(obj, type) else type(obj))
