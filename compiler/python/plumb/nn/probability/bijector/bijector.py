"""Bijector: what all bijectors share, in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common.api import Whole
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.nn.probability import _parameters
from plumb.ops import _functions as F
from plumb.ops._checks import FLOATS
from plumb.ops.function.shape import broadcast_shapes


class Bijector(Cell):
    """Base of bijectors. Subclasses define `_forward`, `_inverse`, `_forward_log_jacobian` and `_inverse_log_jacobian`.

    Args:
      is_constant_jacobian: whether the derivative is the same everywhere.
      is_injective: whether no two values have one result.
      name: a name of the object's own.
      dtype: the element type that values must have; None takes all floats.
      param: a dict with the constructor's parameters; "param_dict" holds those of the bijector, by name.
    """

    def __init__(self, is_constant_jacobian=False, is_injective=True, name=None, dtype=None, param=None):
        super().__init__()
        if not isinstance(name, str):
            raise TypeError(f"For '{type(self).__name__}', the 'name' must be a str, but got {type(name).__name__}.")
        if dtype is not None:
            _parameters.check_type(type(self).__name__, dtype)
        values = (param or {}).get("param_dict", {})
        self._name, self._dtype = name, dtype
        self._described = {key: value for key, value in (param or {}).items() if key != "self" and not key.startswith("_")}
        self._is_constant_jacobian, self._is_injective = bool(is_constant_jacobian), bool(is_injective)
        self.parameter_names, self.default_parameters = [], []
        self._batch_shape = _parameters.shape_of(values.values()) if values else ()
        self._is_scalar_batch = _parameters.are_numbers(values.values())

    name = property(lambda self: self._name, doc="The object's name.")
    dtype = property(lambda self: self._dtype, doc="The element type of values; None for all floats.")
    parameters = property(lambda self: self._described, doc="The constructor's parameters by name.")
    is_constant_jacobian = property(lambda self: self._is_constant_jacobian, doc="Whether the derivative is constant.")
    is_injective = property(lambda self: self._is_injective, doc="Whether no two values have one result.")
    batch_shape = property(lambda self: self._batch_shape, doc="The shape of its parameters together.")
    is_scalar_batch = property(lambda self: self._is_scalar_batch, doc="Whether its parameters are numbers.")

    def _add_parameter(self, value, name):
        """Notes a parameter; returns it as a tensor."""
        if value is None or isinstance(value, bool):
            raise TypeError(f"{name} cannot be type {type(value)}")
        tensor = _parameters.as_tensor(value, _parameters.element_type([value], self._dtype or mstype.int32))
        self.parameter_names.append(name)
        self.default_parameters.append(value)
        return tensor

    def _check_value_dtype(self, value):
        """Returns a value; raises TypeError where it is no tensor of the element types that the bijector takes."""
        if not isinstance(value, Tensor):
            raise TypeError(f"the input value of a bijector should be a Tensor, but got {value}")
        if value.dtype not in FLOATS or self.dtype is not None and value.dtype != self.dtype:
            raise TypeError(f"the input value of a bijector should be of {self.dtype or 'floats'}, but got {value.dtype}")
        return value

    def cast_param_by_value(self, value, para):
        """A parameter in the element type of a value."""
        return F.cast(para, value.dtype)

    def shape_mapping(self, shape):
        """The shape of what is made of values of a shape."""
        return broadcast_shapes(shape, self._batch_shape)

    @Whole
    def forward(self, value, *args, **kwargs):
        """What becomes of a value."""
        return self._forward(value, *args, **kwargs)

    @Whole
    def inverse(self, value, *args, **kwargs):
        """Which value becomes this one."""
        return self._inverse(value, *args, **kwargs)

    @Whole
    def forward_log_jacobian(self, value, *args, **kwargs):
        """The logarithm of the derivative of `forward`."""
        return self._forward_log_jacobian(value, *args, **kwargs)

    @Whole
    def inverse_log_jacobian(self, value, *args, **kwargs):
        """The logarithm of the derivative of `inverse`."""
        return self._inverse_log_jacobian(value, *args, **kwargs)

    def __call__(self, *args, **kwargs):
        """The distribution of what becomes of a distribution's events; or the method that the first argument names."""
        from plumb.nn.probability.distribution import Distribution, TransformedDistribution
        if isinstance(args[0], Distribution):
            return TransformedDistribution(self, args[0])
        return super().__call__(*args, **kwargs)

    def construct(self, name, *args, **kwargs):
        """Compiled body: the method called `name`."""
        if name not in ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian"):
            raise ValueError(f"A bijector has the methods forward, inverse, forward_log_jacobian and inverse_log_jacobian, but got "
                             f"{name}")
        return getattr(self, name)(*args, **kwargs)

    def extend_repr(self):
        """What `repr` shows."""
        if not self.is_scalar_batch:
            return f"batch_shape = {self.batch_shape}"
        return ", ".join(f"{name} = {value}" for name, value in zip(self.parameter_names, self.default_parameters))
