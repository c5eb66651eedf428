"""Operators that a program brings along: functions of C and C++, and bodies in MLIR. docs/custom_operators.md walks through them."""

import json
import types

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops._hosted import hosted, in_hybrid_language
from plumb.ops._native import CFunction, Library, read_function
from plumb.ops._primitive import Composite, Primitive
from plumb.ops._registration import (AiCPURegOp, AkgAscendRegOp, AkgGpuRegOp, CpuRegOp, CustomRegOp, DataType, PLAIN_FORMATS, TBERegOp)

_FUNC_TYPES = ("hybrid", "akg", "tbe", "aicpu", "aot", "pyfunc", "julia")


class _Operator(Composite):
    """An operator on tensors: checks its inputs and computes with them.

    Args:
      name: what messages call it.
      computation: the cell that computes, with the rule of its gradient if it has one.
    """

    def __init__(self, name, computation):
        super().__init__()
        self.operator_name, self.computation = name, computation

    def construct(self, *inputs):
        """Compiled body."""
        for x in inputs:
            if not isinstance(x, Tensor):
                raise TypeError(f"the custom operator '{self.operator_name}' takes Tensors, not {type(x)}")
        return self.computation(*inputs)


class _NativeCall(Composite):
    """Calls a function of C with results that a rule gives."""

    def __init__(self, function, results):
        super().__init__()
        self.results = results
        self.function = Primitive("custom_call", function=function.name, file=function.file, language=function.language,
                                  source=function.source)

    def construct(self, *inputs):
        """Compiled body."""
        several, shapes, dtypes = self.results([x.shape for x in inputs], [x.dtype for x in inputs])
        results = self.function(shapes, dtypes, *inputs)
        return results if several else results[0]


class _Refusal(Composite):
    """Stands for what cannot be computed: says why where it is called."""

    def __init__(self, reason):
        super().__init__()
        self.reason = reason

    def construct(self, *inputs):
        """Compiled body."""
        raise ValueError(self.reason)


class _Body(Composite):
    """Stands for a body in MLIR."""

    def __init__(self, name, text):
        super().__init__()
        self.text, self.body = _Text(text), Primitive("custom_body", name=name)

    def construct(self, *inputs):
        """Compiled body."""
        return self.body(self.text([x.shape for x in inputs], [x.dtype for x in inputs]), *inputs)


class _Ruled:
    """What computes and has a rule for its gradient."""

    def with_rule(self, name, rule):
        """Sets the rule; returns the object."""
        self.operator_name, self.rule = name, rule
        return self

    def bprop(self, inputs, out, dout):
        """The rule of its gradient."""
        return (self.adjoints(self.rule(*inputs, out, dout), len(inputs)),)

    def adjoints(self, given, count):
        """What a rule returned, as a tuple of one adjoint per input."""
        adjoints = given if isinstance(given, (tuple, list)) else (given,)
        if len(adjoints) != count:
            raise ValueError(f"the bprop of the custom operator '{self.operator_name}' must return an adjoint for each of its {count} "
                             f"inputs, but returns {len(adjoints)}")
        return tuple(adjoints)


class _RuledNativeCall(_Ruled, _NativeCall):
    pass


class _RuledBody(_Ruled, _Body):
    pass


def _check_rule(name, bprop):
    if bprop is not None and not callable(bprop):
        raise TypeError(f"For '{name}', the 'bprop' must be a function, but got {type(bprop).__name__}.")


class Custom(_Operator):
    """An operator that a function of C or C++ computes, which is compiled and linked into the executable; or, outside of compiled
    functions, one of Python.

    The function has the signature `int f(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes,
    void *stream, void *extra)`: its parameters are the inputs, then the outputs, row by row each. It fills the outputs and
    returns 0; another number ends the launch with a RuntimeError. `stream` and `extra` are null.

    Args:
      func: "path/of/source.cc:name", or a `CFunction`; or a function of Python: of arrays ("pyfunc"), or in MindSpore's hybrid language
        ("hybrid", see `ops.kernel`), which Python runs element by element.
      out_shape: the shape of the result, a tuple of those of several, or a function from the inputs' shapes (lists) to either.
      out_dtype: the dtype of the result, a tuple of those of several, or a function from the inputs' dtypes.
      func_type: "aot"; or "hybrid" or "pyfunc" for functions of Python, whose results need no `out_shape` and have no gradient. Other
        kinds that MindSpore knows need another compiler, and are refused where the operator is called.
      bprop: the rule of the gradient: a function (or another operator) from the inputs, the result and its adjoint to a tuple
        of the inputs' adjoints.
      reg_info: what `CustomRegOp` gave: the dtypes that the inputs may have.

    Inputs:
      Any number of Tensors of any shape and dtype.

    Returns:
      A Tensor, or a tuple of Tensors where `out_shape` is one of shapes.

    Raises:
      TypeError: if `func` or `bprop` is no such thing, or an input is no Tensor or has a dtype that `reg_info` does not name.
      ValueError: if `func` names no source of C or C++, or `reg_info` has attributes; where the operator is called, if `func` names
        a library, or `func_type` one of the other kinds.
      FileNotFoundError: if there is no such source.
    """

    def __init__(self, func, out_shape=None, out_dtype=None, func_type="hybrid", bprop=None, reg_info=None):
        refusal = _checked_func_type(func_type)
        _check_rule("Custom", bprop)
        if refusal is not None:
            super().__init__(str(func), _Refusal(refusal))
            return
        if func_type != "aot":
            super().__init__(getattr(func, "__name__", "custom"), _of_python(func, out_shape, out_dtype, func_type, bprop, reg_info))
            return
        function = func if isinstance(func, CFunction) else read_function(func) if isinstance(func, str) else None
        if function is None:
            raise TypeError(f"For 'Custom' of func_type 'aot', 'func' must be 'file_name:func_name' or a CFunction, but got "
                            f"{type(func).__name__}.")
        if isinstance(function, Library):
            super().__init__(function.name, _Refusal(function.refusal))
            return
        results = _Results(function.name, out_shape, out_dtype, reg_info)
        super().__init__(function.name, _NativeCall(function, results) if bprop is None else
                         _RuledNativeCall(function, results).with_rule(function.name, bprop))


class CustomMLIR(_Operator):
    """An operator whose body is MLIR, which takes the place of its calls.

    The body is one `func.func` on tensors of static shapes, of one block, with operations of the dialects `linalg`, `tensor`,
    `arith`, `math` and `scf`, and those of `net` that have no effects. One of `net` alone has the gradients of its operations.

    Args:
      text: the body; or a function from the inputs' types, strings such as "tensor<4x8xf32>", to the body.
      bprop: the rule of the gradient: a function (or another operator) from the inputs, the result and its adjoint to a tuple
        of the inputs' adjoints.
      name: what messages call the operator.

    Inputs:
      Tensors of the types of the body's arguments.

    Returns:
      What the body returns: a Tensor, or a tuple of several.

    Raises:
      TypeError: if `text` is neither, an input is no Tensor, or it has another type than the body's argument.
      ValueError: if the body is no MLIR, or not of the form above; with the line in it.
    """

    def __init__(self, text, bprop=None, name="custom"):
        if not isinstance(text, str) and not callable(text):
            raise TypeError(f"For 'CustomMLIR', the 'text' must be str or a function, but got {type(text).__name__}.")
        _check_rule("CustomMLIR", bprop)
        super().__init__(name, _Body(name, text) if bprop is None else _RuledBody(name, text).with_rule(name, bprop))


def _of_python(func, out_shape, out_dtype, func_type, bprop, reg_info):
    """What computes with a function of Python."""
    if not isinstance(func, types.FunctionType):
        raise TypeError(f"For 'Custom' of func_type '{func_type}', 'func' must be a function, but got {type(func).__name__}. A source of C or "
                        f"C++ needs func_type='aot'.")
    if bprop is not None:
        raise ValueError(f"For 'Custom' of func_type '{func_type}', 'bprop' is not offered: no compiled function calls it.")
    results = None if out_shape is None else _Results(func.__name__, out_shape, out_dtype, reg_info)
    return hosted(func.__name__, in_hybrid_language(func) if func_type == "hybrid" else func, results)


def _checked_func_type(func_type):
    """Why operators of a kind cannot be called; none where they can."""
    if func_type not in _FUNC_TYPES:
        raise ValueError(f"For 'Custom', 'func_type' must be one of {list(_FUNC_TYPES)}, but got {func_type!r}.")
    if func_type in ("aot", "hybrid", "pyfunc"):
        return None
    why = {"julia": "it needs Julia while the program runs"}.get(func_type, "there is no compiler for it")
    return (f"For 'Custom', the func_type '{func_type}' is not offered: {why}. Use func_type='aot' with a source of C or C++, or "
            f"ops.CustomMLIR.")


class _Results:
    """The rule for the results of an operator: called with the inputs' shapes and dtypes, gives whether there are several, their
    shapes and their dtypes."""

    def __init__(self, name, shape, dtype, reg_info):
        self.name, self.shape, self.dtype = name, shape, dtype
        self.admitted = _admitted_dtypes(reg_info)

    def __call__(self, shapes, dtypes):
        self._check_inputs(dtypes)
        shape = self.shape(*[list(one) for one in shapes]) if callable(self.shape) else self.shape
        dtype = self.dtype(*dtypes) if callable(self.dtype) else self.dtype
        if not isinstance(shape, (tuple, list)):
            raise TypeError(f"the out_shape of the custom operator '{self.name}' must be a list or tuple, but got "
                            f"{type(shape).__name__}")
        several = any(isinstance(one, (tuple, list)) for one in shape)
        result_shapes = shape if several else (shape,)
        result_dtypes = dtype if isinstance(dtype, (tuple, list)) else (dtype,)
        self._check_results(result_shapes, result_dtypes)
        return several, tuple(tuple(int(extent) for extent in one) for one in result_shapes), tuple(result_dtypes)

    def _check_results(self, shapes, dtypes):
        if len(shapes) != len(dtypes):
            raise ValueError(f"the custom operator '{self.name}' has {len(shapes)} results by its out_shape, but {len(dtypes)} by "
                             f"its out_dtype")
        for shape, dtype in zip(shapes, dtypes):
            if not isinstance(dtype, mstype.DType):
                raise TypeError(f"the out_dtype of the custom operator '{self.name}' must be a dtype, but got "
                                f"{type(dtype).__name__}")
            if not isinstance(shape, (tuple, list)) or any(extent < 0 for extent in shape):
                raise ValueError(f"the custom operator '{self.name}' cannot have a result of the shape {shape}; extents must be "
                                 f"known while compiling")

    def _check_inputs(self, dtypes):
        given = [dtype.name for dtype in dtypes]
        if self.admitted and not any(_admits(row, given) for row in self.admitted):
            raise TypeError(f"the custom operator '{self.name}' takes no inputs of {', '.join(given)}; its reg_info names "
                            f"{' or '.join(', '.join(name or 'any' for name in row) for row in self.admitted)}")


def _admits(row, given):
    return len(row) >= len(given) and all(name in ("", one) for name, one in zip(row, given))


def _admitted_dtypes(reg_info):
    """The rows of dtypes, one per input and output, that a registration names; none where it names none."""
    infos = reg_info if isinstance(reg_info, (list, tuple)) else [reg_info] if reg_info is not None else []
    rows = []
    for info in infos:
        info = json.loads(info) if isinstance(info, str) else info
        if not isinstance(info, dict):
            raise TypeError(f"For 'Custom', the 'reg_info' must be str, dict, list or tuple, but got {type(info).__name__}.")
        names = [item.get("name") for item in info.get("attr", [])]
        if names:
            raise ValueError(f"For 'Custom', attributes ({', '.join(map(str, names))}) are not offered: 'extra' is null. Pass "
                             f"numbers as Tensors, or write them into the source of a CFunction.")
        if info.get("target", "CPU") in ("CPU", ""):
            _check_formats(info)
            rows += [[pair[0] for pair in row] for row in info.get("dtype_format", [])]
    return rows


def _check_formats(info):
    """Refuses formats of other devices."""
    foreign = sorted({pair[1] for row in info.get("dtype_format", []) for pair in row} - set(PLAIN_FORMATS))
    if foreign:
        raise ValueError(f"For 'Custom', the format {', '.join(foreign)} is not offered: tensors lie row by row, as "
                         f"'DataType.F32_Default' says.")


class _Text:
    """The body of an operator for inputs of given types."""

    def __init__(self, text):
        self.text = text

    def __call__(self, shapes, dtypes):
        if isinstance(self.text, str):
            return self.text
        types = [f"tensor<{''.join(f'{extent}x' for extent in shape)}{dtype.mlir}>" for shape, dtype in zip(shapes, dtypes)]
        return self.text(*types)


__all__ = ["AiCPURegOp", "AkgAscendRegOp", "AkgGpuRegOp", "CFunction", "CpuRegOp", "Custom", "CustomMLIR", "CustomRegOp", "DataType", "TBERegOp"]
