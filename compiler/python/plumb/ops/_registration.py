"""What MindSpore's programs register custom operators with: dtypes and formats of inputs and outputs."""

_TYPES = {"None": "", "BOOL": "bool", "I8": "int8", "I16": "int16", "I32": "int32", "I64": "int64", "U8": "uint8", "U16": "uint16",
          "U32": "uint32", "U64": "uint64", "F16": "float16", "F32": "float32", "F64": "float64"}


class DataType:
    """Pairs of a dtype and a format, such as `DataType.F32_Default`; `None` stands for any. Formats of other devices are not
    offered: tensors lie row by row."""


for _name, _dtype in _TYPES.items():
    setattr(DataType, f"{_name}_None", (_dtype, ""))
    setattr(DataType, f"{_name}_Default", (_dtype, "DefaultFormat"))


class CustomRegOp:
    """Collects what is registered of a custom operator; `get_op_info` gives it, for `Custom(..., reg_info=…)`.

    Args:
      op_name: the operator's name.
    """

    def __init__(self, op_name="Custom"):
        self._info = {"op_name": op_name, "inputs": [], "outputs": [], "attr": [], "dtype_format": [], "target": ""}

    def input(self, index=None, name=None, param_type="required"):
        """Names an input."""
        return self._add("inputs", index=index, name=name, paramType=param_type)

    def output(self, index=None, name=None, param_type="required"):
        """Names an output."""
        return self._add("outputs", index=index, name=name, paramType=param_type)

    def attr(self, name=None, param_type=None, value_type=None, default_value=None, **others):
        """Names an attribute, which `Custom` refuses."""
        return self._add("attr", name=name, paramType=param_type, type=value_type, defaultValue=default_value, **others)

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
            raise ValueError(f"For 'CustomRegOp', there are {count} inputs and outputs, but dtype_format got {len(pairs)} pairs.")
        self._info["dtype_format"].append(list(pairs))
        return self

    def target(self, target=None):
        """Names the device."""
        self._info["target"] = target
        return self

    def get_op_info(self):
        """Returns the registration, a dict."""
        return self._info

    def _add(self, kind, **item):
        self._info[kind].append(item)
        return self
