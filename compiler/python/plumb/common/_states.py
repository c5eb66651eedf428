"""What a tensor says of itself beside its value, and changes of the value as a whole."""

import numpy as np

from plumb.common import _bfloat, dtype as mstype

_CACHED = "tables that are larger than memory are not offered; nn.EmbeddingLookup keeps its table whole"

#: Names of MindSpore's tensors that this package has no use for, and what to use in their place.
INSTEAD = {
    "register_hook": "ops.InsertGradientOf shows the gradient of a tensor, Cell.register_backward_hook those of a cell",
    "getitem_index_info": "read elements by x[index]",
    "setitem_index_info": "store elements by x[index] = value",
    "set_cast_dtype": "Cell.to_float says what a network computes in, astype converts one tensor",
    "set_const_arg": "make the value a number, or an attribute of the cell: both are constants of compiled code",
    **dict.fromkeys(("asnumpy_of_slice_persistent_data", "persistent_data_from_numpy", "slice_num_of_persistent_data",
                     "slice_shape_of_persistent_data"), _CACHED),
}


class TensorStates:
    """Members of Tensor that say how it is kept."""

    adapter_flag = False
    init_flag = False

    def set_init_flag(self, flag):
        """Notes whether the value is where it is computed; `init_flag` and `is_init()` give it back."""
        self.init_flag = bool(flag)

    def is_init(self):
        """What `set_init_flag` noted; False before."""
        return self.init_flag

    @property
    def param_info(self):
        """None: only a Parameter has it."""
        return None

    @property
    def delta_seed(self):
        """0: what another device would add to the seed of values that are drawn."""
        return 0

    @property
    def init_finished(self):
        """True: values that follow a rule are drawn where they are read."""
        return True

    def is_contiguous(self):
        """True: elements always lie side by side."""
        return True

    def stride(self, dim=None):
        """How many elements lie between one and the next along each axis, or along `dim`."""
        strides = tuple(step // self.itemsize for step in self.strides)
        return strides if dim is None else strides[dim]

    def storage_offset(self):
        """0: a tensor has its elements to itself."""
        return 0

    def move_to(self, to, blocking=True):
        """The tensor: there is one device. `to` is "CPU", as in MindSpore's graph mode on a CPU.

        Raises:
          ValueError: if `to` is no device that MindSpore has.
        """
        if to not in ("CPU", "Ascend", "GPU"):
            raise ValueError(f"For 'move_to', 'to' must be 'CPU', 'GPU' or 'Ascend', but got {to!r}.")
        return self

    def is_persistent_data(self):
        """False: values are in memory as a whole."""
        return False

    def flush_from_cache(self):
        """Writes nothing back: values are in memory as a whole."""

    def assign_value(self, value):
        """Takes the value of another tensor, with its shape and element type; returns this one.

        Raises:
          TypeError: if `value` is no Tensor.
          RuntimeError: if a compiled function holds the tensor as a constant.
        """
        if not isinstance(value, TensorStates):
            raise TypeError(f"For 'assign_value', the 'value' must be a Tensor, but got {type(value).__name__}.")
        self._become(np.array(value._elements()))
        return self

    assign_value_cpp = assign_value

    def set_dtype(self, dtype):
        """Converts the tensor itself to another element type; returns that.

        Raises:
          RuntimeError: if a compiled function holds the tensor as a constant.
        """
        kind = mstype.as_dtype(dtype)
        self._become(_bfloat.stored(self.asnumpy(), kind.numpy))
        return kind

    def _become(self, array):
        self._refuse_constant()
        self._array, self._shape, self._dtype = array, array.shape, mstype.as_dtype(array.dtype)


class ParameterInfo:
    """What training knows of a Parameter: its name, and whether optimizers change it, are the Parameter's own.

    One device has all of it: what MindSpore keeps for several ones reads as their defaults.
    """

    layerwise_parallel, parallel_optimizer, parallel_optimizer_comm_recompute = False, True, False
    cache_enable, use_persistent_storage, init_in_server, requires_aggr = False, False, False, True
    comm_fusion, key = 1, -1

    def __init__(self, parameter):
        self.obj = parameter

    @property
    def name(self):
        """The Parameter's name."""
        return self.obj.name

    @name.setter
    def name(self, name):
        self.obj.name = name

    @property
    def requires_grad(self):
        """Whether optimizers change the Parameter."""
        return self.obj.requires_grad

    @requires_grad.setter
    def requires_grad(self, value):
        self.obj.requires_grad = value

    @property
    def parameter_shape(self):
        """The Parameter's extents, a list."""
        return list(self.obj.shape)
