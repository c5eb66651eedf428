"""Parameters: tensors with a name that training changes.

While a session on the device holds a parameter's newest value, the parameter knows that session and fetches the value
when the program reads it. `version` counts changes; a session compares it with what it last saw (see _session).
"""

import numpy as np

from plumb.common import _bfloat, _reads, dtype as mstype
from plumb.common._offers import SERVED, not_offered
from plumb.common._states import ParameterInfo
from plumb.common.tensor import Tensor

_DEFAULT_NAME = "Parameter"

__getattr__ = not_offered(__name__, instead={"_get_unique_parameter_key": SERVED})


class Parameter(Tensor):
    """A named, trainable tensor that a Cell holds.

    Args:
      default_input: the first value: a Tensor, an array, a number, or what `initializer` returns.
      name: its name; by default that of the attribute it is assigned to.
      requires_grad: whether optimizers change it.
      layerwise_parallel, parallel_optimizer: how several devices would share it; one holds it whole.
    """

    is_init = False  # whether the program says that the value is where it is computed; a Tensor's is a function
    is_internal = False  # whether it is a layer's own, of which a program sees nothing: MindSpore's layer has none
    other_name = None  # what MindSpore calls it, where that is no place in the network
    # What one device makes of settings for several.
    comm_fusion, requires_aggr, sliced, is_param_ps, cache_enable, cache_shape = 1, True, False, False, False, ()
    init_in_server, unique, key, inited_param = False, False, -1, None

    def __init__(self, default_input, name=None, requires_grad=True, layerwise_parallel=False,
                 parallel_optimizer=True):
        for setting, value in (("layerwise_parallel", layerwise_parallel), ("parallel_optimizer", parallel_optimizer)):
            if not isinstance(value, bool):
                raise TypeError(f"For 'Parameter', the argument '{setting}' must be a bool, but got {type(value).__name__}.")
        self.layerwise_parallel, self.parallel_optimizer = layerwise_parallel, parallel_optimizer
        self._adopt(default_input)
        self.name = name or _DEFAULT_NAME
        self.requires_grad = bool(requires_grad)
        self.version = 0
        self._home = None

    def _adopt(self, value):
        if isinstance(value, Tensor) and value.has_init:
            self._shape, self._dtype, self._array = value._shape, value._dtype, None
            self._rule, self._stream = value._rule, value._stream
        elif isinstance(value, (bool, int, float)):
            kind = mstype.bool_ if isinstance(value, bool) else mstype.int32 if isinstance(value, int) \
                else mstype.float32
            Tensor.__init__(self, np.asarray(value, kind.numpy))
        else:
            Tensor.__init__(self, np.array(value._elements() if isinstance(value, Tensor) else value))

    @property
    def has_default_name(self):
        """Whether the parameter still has the default name."""
        return self.name == _DEFAULT_NAME

    def value(self):
        """Returns a tensor of the newest value."""
        return self._part(...)

    @property
    def data(self):
        """The parameter itself, as in MindSpore."""
        return self

    @property
    def rule(self):
        """(kind, numbers, stream) while the value is the one the rule gives, else None."""
        if self._rule is None or self.version:
            return None
        return self._rule + (self._stream,)

    @property
    def param_info(self):
        """What training knows of the Parameter; see ParameterInfo."""
        return ParameterInfo(self)

    def _elements(self):
        """The newest value, fetched from the device when a session holds it."""
        _reads.refuse(self)
        self._come_home()
        return super()._elements()

    def _come_home(self):
        if self._home is not None:
            self._array = self._home.fetch(self)
            self._home = None

    def __getstate__(self):
        """What a copy has, pickled ones too: the newest value, and no session."""
        self._come_home()
        return super().__getstate__()

    def moved_to(self, session):
        """Notes that `session` now holds the newest value."""
        self._home = session
        self.version += 1

    def set_data(self, data, slice_shape=False):
        """Replaces the value; its element type stays, and its shape unless `slice_shape` is set.

        Raises ValueError where the shape is another.
        """
        _reads.refuse(self)
        array = np.asarray(data.asnumpy() if isinstance(data, Tensor) else data)
        if tuple(array.shape) != self.shape and not slice_shape:
            raise ValueError(f"Can not change the shape of Parameter which has been initialized. Current shape is "
                             f"{self.shape}, but got shape of data {tuple(array.shape)}.")
        self._array = np.array(_bfloat.stored(array, self._dtype.numpy))
        if tuple(array.shape) != self.shape:
            from plumb import _engine
            _engine.forget_runs()
            self._shape = tuple(array.shape)
        self._home = None
        self.version += 1
        return self

    def _replace(self, array):
        self.set_data(array)

    def assign_value(self, value):
        """Replaces the value, as `set_data`."""
        return self.set_data(value)

    assign_value_cpp = assign_value

    def set_dtype(self, dtype):
        """Converts the Parameter itself to another element type, which it returns; a value that a rule gives stays its rule."""
        if self.rule is None or self._array is not None:
            return super().set_dtype(dtype)
        self._dtype = mstype.as_dtype(dtype)
        return self._dtype

    def _become(self, array):
        _reads.refuse(self)
        super()._become(array)
        self._home = None
        self.version += 1

    def clone(self, init="same"):
        """Returns a parameter of the same type; `init` is "same" or what `initializer` takes."""
        from plumb.common.initializer import initializer
        value = Tensor(self._elements().copy()) if init == "same" else initializer(init, self.shape, self.dtype)
        copy = Parameter(value, name=self.name, requires_grad=self.requires_grad)
        return copy

    def __repr__(self):
        return (f"Parameter (name={self.name}, shape={self.shape}, dtype={self._dtype}, "
                f"requires_grad={self.requires_grad})")

    def __str__(self):
        return repr(self)


def parameters_of(iterable):
    """Returns what an iterable holds, Parameters, as a tuple."""
    items = tuple(iterable)
    for item in items:
        if not isinstance(item, Parameter):
            raise TypeError(f"For 'ParameterTuple', every element must be a Parameter, but got {type(item).__name__}.")
    return items


def number_unnamed(parameters):
    """Names parameters that have the default name, where there are several, by their numbers: Parameter$1, Parameter$2, ..."""
    unnamed = {id(parameter): parameter for parameter in parameters if parameter.has_default_name}
    for number, parameter in enumerate(unnamed.values() if len(unnamed) > 1 else (), 1):
        parameter.name = f"{_DEFAULT_NAME}${number}"


class ParameterTuple(tuple):
    """A tuple of parameters; those that have the default name are told apart by their numbers."""

    def __new__(cls, iterable):
        items = parameters_of(iterable)
        number_unnamed(items)
        return super().__new__(cls, items)

    def clone(self, prefix, init="same"):
        """Clones every parameter and puts `prefix.` before its name."""
        copies = []
        for parameter in self:
            copy = parameter.clone(init)
            copy.name = f"{prefix}.{parameter.name}"
            copies.append(copy)
        return ParameterTuple(copies)
