"""What MindSpore's programs register custom operators with: dtypes and formats of inputs and outputs."""

_TYPES = {"None": "", "BOOL": "bool", "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64", "U8": "uint8", "U16": "uint16",
          "U32": "uint32", "U64": "uint64", "F16": "float16", "F32": "float32", "F64": "float64", "C64": "complex64",
          "C128": "complex128"}

# The formats of a host, and those that operators of other devices are registered with.
PLAIN_FORMATS = ("", "DefaultFormat")
_FORMATS = {"None": "", "Default": "DefaultFormat", "5HD": "NC1HWC0", "FracZ": "FRACTAL_Z", "FracNZ": "FRACTAL_NZ",
            "FracZNLSTM": "FRACTAL_ZN_LSTM", "FracZNRNN": "FRACTAL_ZN_RNN", "ND_RNNBIAS": "ND_RNN_BIAS",
            **{name: name for name in "C1HWNCoC0 ChannelLast DHWCN FRACTAL_Z_3D HWCN NC1HWC0 NCDHW NCHW NDC1HWC0 NDHWC NHWC".split()}}


class DataType:
    """Pairs of a dtype and a format, such as `DataType.F32_Default`; `None` stands for any. Formats of other devices are there for
    the operators that a program registers for these; tensors lie row by row here."""


for _name, _dtype in _TYPES.items():
    for _format, _text in _FORMATS.items():
        setattr(DataType, f"{_name}_{_format}", (_dtype, _text))


class _RegOp:
    """Collects what is registered of an operator; `get_op_info` gives it."""

    def __init__(self, op_name):
        self._info = {"op_name": op_name, "inputs": [], "outputs": [], "attr": [], "dtype_format": []}

    def input(self, index=None, name=None, param_type=None, **others):
        """Names an input."""
        return self._add("inputs", index=index, name=name, paramType=param_type, **others)

    def output(self, index=None, name=None, param_type=None, **others):
        """Names an output."""
        return self._add("outputs", index=index, name=name, paramType=param_type, **others)

    def attr(self, name=None, param_type=None, value_type=None, **others):
        """Names an attribute."""
        return self._add("attr", name=name, paramType=param_type, type=value_type, **others)

    def fusion_type(self, fusion_type):
        """Names how another compiler may fuse the operator; it changes nothing."""
        self._info["fusion_type"] = fusion_type
        return self

    def dtype_format(self, *pairs):
        """Adds one choice of dtypes: a pair for each input and output.

        Raises:
          ValueError: if there is another number of pairs than of inputs and outputs.
        """
        count = len(self._info["inputs"]) + len(self._info["outputs"])
        if len(pairs) != count:
            raise ValueError(f"For '{type(self).__name__}', there are {count} inputs and outputs, but dtype_format got {len(pairs)} "
                             f"pairs.")
        self._info["dtype_format"].append(list(pairs))
        return self

    def get_op_info(self):
        """Returns the registration, a dict."""
        return self._info

    def _add(self, kind, **item):
        self._info[kind].append(item)
        return self


class CustomRegOp(_RegOp):
    """Collects what is registered of a custom operator, for `Custom(..., reg_info=…)`, which refuses attributes.

    Args:
      op_name: the operator's name.
    """

    def __init__(self, op_name="Custom"):
        super().__init__(op_name)
        self._info["target"] = ""

    def input(self, index=None, name=None, param_type="required", **others):
        """Names an input."""
        return super().input(index, name, param_type, **others)

    def output(self, index=None, name=None, param_type="required", **others):
        """Names an output."""
        return super().output(index, name, param_type, **others)

    def attr(self, name=None, param_type=None, value_type=None, default_value=None, **others):
        """Names an attribute."""
        return super().attr(name, param_type, value_type, defaultValue=default_value, **others)

    def target(self, target=None):
        """Names the device."""
        self._info["target"] = target
        return self


class AiCPURegOp(_RegOp):
    """Collects what is registered of an operator of another device's processor."""


class AkgAscendRegOp(_RegOp):
    """Collects what is registered of an operator that another compiler makes for another device."""


class AkgGpuRegOp(_RegOp):
    """Collects what is registered of an operator that another compiler makes for a GPU."""


class CpuRegOp(_RegOp):
    """Collects what is registered of an operator that an outside library has."""

    def attr(self, name=None, value_type=None, value=None, **others):
        """Names an attribute."""
        return super().attr(name, None, value_type, value=value, **others)


class TBERegOp(_RegOp):
    """Collects what is registered of an operator in another device's language."""

    def attr(self, name=None, param_type=None, value_type=None, value=None, default_value=None, **others):
        """Names an attribute."""
        return super().attr(name, param_type, value_type, value=value, defaultValue=default_value, **others)

    def input(self, index=None, name=None, need_compile=None, param_type=None, shape=None, value_depend=None, **others):
        """Names an input."""
        return super().input(index, name, param_type, need_compile=need_compile, shape=shape, value_depend=value_depend, **others)

    def output(self, index=None, name=None, need_compile=None, param_type=None, shape=None, **others):
        """Names an output."""
        return super().output(index, name, param_type, need_compile=need_compile, shape=shape, **others)


def _setting(name, default):
    def setter(self, value=default):
        self._info[name] = value  # pylint: disable=protected-access
        return self

    setter.__name__, setter.__doc__ = name, f"Sets `{name}` of the other device's operator."
    return setter


for _name, _default in {"async_flag": False, "binfile_name": None, "compute_cost": 10, "dynamic_compile_static": False,
                        "dynamic_rank_support": None, "dynamic_shape": False, "input_to_attr_index": None, "is_dynamic_format": False,
                        "kernel_name": None, "need_check_supported": False, "op_pattern": None, "partial_flag": True,
                        "real_input_index": None, "reshape_type": None, "unknown_shape_formats": None}.items():
    setattr(TBERegOp, _name, _setting(_name, _default))


def op_info_register(op_info):
    """Registers a function as another device's operator: programs do so where they are imported, whatever they run on. The function
    is left as it is, and the operator is refused by name where it is called.

    Args:
      op_info: a registration, a dict or its JSON text.

    Raises:
      TypeError: if `op_info` is neither.
    """
    if not isinstance(op_info, (dict, str)):
        raise TypeError(f"For 'op_info_register', 'op_info' must be a dict or a str, but got {type(op_info).__name__}.")
    return lambda function: function
