"""What a cell says of itself, and what programs for several devices set: one device computes the same whatever they say."""

import enum
import functools
import time

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.context import warn_once
from plumb.nn._mixed import in_type
from plumb.nn._operations import Operation
from plumb.ops._primitive import check_place

#: Names of MindSpore's cells that this package has no use for, and what to use in their place.
INSTEAD = {
    "IGNORE_LIST": "it lists private attributes of MindSpore's cells; cells are copied by copy.deepcopy",
    "cell_init_args": "keep the constructor's arguments as attributes",
    "auto_parallel_compile_and_run": "call the cell, or `compile_and_run`: a network runs on one device",
    "exec_checkpoint_graph": "call plumb.save_checkpoint",
    "get_func_graph_proto": "call plumb.export for the graph of a network",
    "infer_param_pipeline_stage": "`pipeline_stage` of a cell is what the program set: one device has no stages",
    "set_boost": "it leaves out layers or updates for speed, which changes results; nn.LARS, nn.Lamb and plumb.boost.GradientAccumulation stay",
}


class MixedPrecisionType(enum.IntEnum):
    """What floats a cell computes in; BF16 is of this package, beside MindSpore's own."""

    NOTSET = 0
    FP16 = 1
    FP32 = 2
    BF16 = 3


_FLOATS = {MixedPrecisionType.NOTSET: None, MixedPrecisionType.FP16: mstype.float16, MixedPrecisionType.FP32: mstype.float32,
           MixedPrecisionType.BF16: mstype.bfloat16}


@functools.lru_cache(maxsize=None)
def _cast():
    """The operation of this name, whose module imports this one."""
    from plumb.ops.operations.array_ops import Cast
    return Cast()


class CellSettings:
    """Members of Cell beside its parameters, children and calls."""

    def place(self, role, rank_id):
        """Takes the one process that there is, the role "MS_WORKER" and the number 0; raises ValueError for others."""
        check_place("Cell.place", role, rank_id)

    cell_type = None
    cast = Operation("cast", lambda self: _cast())

    @property
    def compile_cache(self):
        """MindSpore's notes of what is compiled, which programs hand on when they copy cells: there are none here."""
        return set()

    @property
    def create_time(self):
        """The time of the first access to this property, in nanoseconds: a number that tells cells apart."""
        return self.__dict__.setdefault("_create_time", time.time_ns())

    @property
    def jit_config_dict(self):
        """The options that `set_jit_config` took; empty before."""
        return self.__dict__.get("_jit_config", {})

    @property
    def phase(self):
        """"train", or "predict" after `set_train(False)`; or what the program set."""
        return self.__dict__.get("_phase", "train")

    @phase.setter
    def phase(self, value):
        if not isinstance(value, str):
            raise TypeError(f"For 'Cell', the property 'phase' must be a str, but got {type(value).__name__}.")
        self.__dict__["_phase"] = value

    @property
    def bprop_debug(self):
        """Whether the program debugs the cell's `bprop`. It is compiled either way, and print() in it prints what it computes."""
        return self.__dict__.get("_bprop_debug", False)

    @bprop_debug.setter
    def bprop_debug(self, value):
        if not isinstance(value, bool):
            raise TypeError(f"For 'Cell', the property 'bprop_debug' must be a bool, but got {type(value).__name__}.")
        self.__dict__["_bprop_debug"] = value

    @property
    def pipeline_stage(self):
        """The stage of a pipeline over devices that the program set; one device computes all of them.

        Raises:
          AttributeError: before it is set.
        """
        if "_pipeline_stage" not in self.__dict__:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute 'pipeline_stage'.")
        return self.__dict__["_pipeline_stage"]

    @pipeline_stage.setter
    def pipeline_stage(self, value):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"For 'Cell', the property 'pipeline_stage' must be an int, but got {type(value).__name__}.")
        if value < 0:
            raise ValueError(f"For 'Cell', the property 'pipeline_stage' can not be less than 0, but got {value}.")
        self.__dict__["_pipeline_stage"] = value

    def update_cell_type(self, cell_type):
        """Notes a kind, such as that of a quantized network, as the attribute `cell_type`."""
        self.cell_type = cell_type

    # -- scopes

    def get_scope(self):
        """Where the cell stands in the network that `generate_scope` was called on: "Default/block-Block/dense-Dense"; else None."""
        return self.__dict__.get("_scope")

    def generate_scope(self):
        """Names all cells below this one by where they stand, see `get_scope`."""
        self._scope_children("Default")

    def _scope_children(self, prefix):
        for name, child in self._cells.items():
            child.__dict__["_scope"] = f"{prefix}/{name}-{type(child).__name__}"
            child._scope_children(child._scope)

    # -- inputs and element types

    def get_inputs(self):
        """What `set_inputs` took; None before."""
        return self.__dict__.get("_inputs")

    def cast_inputs(self, inputs, dst_type):
        """The tensors of a tuple, and of tuples in it, in another element type."""
        return tuple([self.cast_inputs(part, dst_type) if isinstance(part, tuple) else
                      part.astype(dst_type) if isinstance(part, Tensor) else part for part in inputs])

    def auto_cast_inputs(self, inputs):
        """The inputs with tensors of floats in what the cell computes in (`to_float`); as they are without it."""
        return inputs if self._float_type is None else in_type(inputs, self._float_type)

    def get_mixed_precision_type(self):
        """What the cell computes in, a MixedPrecisionType; see `to_float`."""
        return next(kind for kind, dtype in _FLOATS.items() if dtype == self._float_type)

    def set_mixed_precision_type(self, mixed_type, recursive=True):
        """Computes in another element type, as `to_float`; only this cell itself if `recursive` is False.

        MindSpore 2.0.0 never reaches the cells below: it converts this cell's inputs alone.
        """
        for _, cell in self.cells_and_names() if recursive else [("", self)]:
            cell.__dict__["_float_type"] = _FLOATS[MixedPrecisionType(mixed_type)]
            cell.__dict__["_result_type"] = None

    def run_construct(self, cast_inputs, kwargs):
        """Calls the cell with a tuple of inputs and a dict."""
        return self(*cast_inputs, **kwargs)

    # -- one device

    def flatten_weights(self, fusion_size=0):
        """Would put all Parameters into one piece of memory in MindSpore; results are the same. Says once that it does nothing."""
        if isinstance(fusion_size, bool) or not isinstance(fusion_size, int) or fusion_size < 0:
            raise ValueError(f"For 'flatten_weights', the 'fusion_size' must be an int of at least 0, but got {fusion_size}.")
        warn_once("Cell.flatten_weights changes nothing: the compiler chooses where Parameters lie.")

    @property
    def parameter_layout_dict(self):
        """How Parameters are divided among devices: an empty dict, since one has all."""
        return {}

    @property
    def parallel_parameter_name_list(self):
        """Parameters that are divided among devices: none."""
        return ()

    @property
    def parallel_parameter_merge_net_dict(self):
        """Parameters by the network they are divided for: none."""
        return {}

    def set_data_parallel(self):
        """Would mark the cell's operators for several devices; one computes them whole."""

    def set_auto_parallel(self):
        """Would mark the cell for several devices; one computes it whole."""

    def set_param_ps(self, recurse=True, init_in_server=False):
        """Would keep Parameters on a server in MindSpore; the program is the only one that trains them."""

    def set_parallel_input_with_inputs(self, *inputs):
        """Would divide inputs among devices; one takes them whole."""

    def load_parameter_slice(self, params):
        """Would leave each device its part of the Parameters; one keeps them whole."""

    def remove_redundant_parameters(self):
        """Would drop Parameters of other devices; one keeps all."""
