"""Tensors by NumPy, for running a program for compiled functions by CPython as it stands.

Element types meet by MindSpore's rules: a number beside a tensor takes the tensor's type, but a float beside integers makes
both float32, and an int beside booleans makes both int32; of two tensors' types the later in `ORDER` wins; division of integers
gives float32, arithmetic on booleans int32.

`Mode` says how: in float64 whatever the element type is called (`wide`), for finite differences and to tell what rounding
decides; with results of floats that are rounded up or down (`nudge`), for the same; and with drawn truth values in place of
tensors' own (`forced`), to walk every way through a function.
"""

import contextlib
import operator
import types

import numpy as np

ORDER = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]


class Unknown(Exception):
    """The stand-ins do not know what plumb does here; never drawn."""


class TooLong(BaseException):
    """Drawn truth values do not end a loop."""


class Mode:
    """How the stand-ins compute.

    Attributes:
      wide: whether floats are float64.
      forced: a function that gives truth values in place of tensors' own, or None.
      asked: how many truth values of tensors were asked for.
      nudge: by how many steps the results of narrow floats are higher or, below zero, lower; 0 for plain ones.
      singular: whether something was divided by zero, or was no number.
      cuts: whether a tensor of floats was converted to integers.
      outside: whether a tensor was an index out of range.
      replayed: an iterator of what Parameters are to be given in place of what is written to them, or None. A gradient takes
        each read of a Parameter for the Parameter, whatever was written there.
      written: the arrays that were written to Parameters.
    """

    wide = False
    forced = None
    asked = 0
    nudge = 0
    singular = cuts = outside = False
    replayed = None
    written = ()

    @classmethod
    @contextlib.contextmanager
    def use(cls, wide=False, forced=None, nudge=0, replayed=None):
        """Computes so within the block."""
        before = cls.wide, cls.forced, cls.asked, cls.nudge
        cls.wide, cls.forced, cls.asked, cls.nudge, cls.singular, cls.cuts = wide, forced, 0, nudge, False, False
        cls.outside, cls.replayed, cls.written = False, replayed, []
        try:
            with np.errstate(divide="call", invalid="call", over="ignore", under="ignore", call=cls._note):
                yield cls
        finally:
            cls.wide, cls.forced, cls.asked, cls.nudge = before
            cls.replayed = None

    @classmethod
    def kept(cls, array):
        """What a Parameter holds to which an array is written."""
        cls.written.append(array)
        return array if cls.replayed is None else next(cls.replayed, array)

    @classmethod
    def _note(cls, *_):
        cls.singular = True

    @classmethod
    @contextlib.contextmanager
    def noting_indices(cls, index):
        """Notes an IndexError within the block of an index that is a tensor, or holds one."""
        try:
            yield
        except IndexError:
            parts = index if isinstance(index, tuple) else (index,)
            cls.outside |= any(isinstance(part, Tensor) for part in parts)
            raise


def cuts(kind, other):
    """Whether a conversion drops fractions, which gradients pass all the same, as in MindSpore."""
    return kind.startswith("float") and other.startswith(("int", "uint"))


def stored(kind):
    """The NumPy type that holds elements of the type `kind`."""
    return np.dtype("float64" if Mode.wide and kind.startswith("float") else kind)


class Tensor:
    """An array and what its element type is called."""

    __slots__ = ("array", "kind")
    __array_ufunc__ = None

    def __init__(self, data, dtype=None):
        if isinstance(data, Tensor):
            self.array, self.kind = data.array, dtype or data.kind
        else:
            array = np.asarray(data)
            kind = array.dtype.name
            if kind == "float64" and not isinstance(data, (np.ndarray, np.generic)):
                kind = "float32"
            self.array, self.kind = array, dtype or kind
        self.array = self.array.astype(stored(self.kind))

    # -- what programs ask

    shape = property(lambda self: self.array.shape)
    ndim = property(lambda self: self.array.ndim)
    size = property(lambda self: self.array.size)
    dtype = property(lambda self: self.kind)
    T = property(lambda self: made(self.array.T, self.kind))

    def __bool__(self):
        if self.array.size != 1:
            raise ValueError("the truth value of several elements")
        Mode.asked += 1
        if Mode.asked > 400:
            raise TooLong()
        return bool(self.array.reshape(())[()]) if Mode.forced is None else Mode.forced()

    def __len__(self):
        if not self.array.ndim:
            raise TypeError("len of a 0-D tensor")
        return len(self.array)

    def __iter__(self):
        if not self.array.ndim:
            raise TypeError("iteration over a 0-D tensor")
        return iter([made(row, self.kind) for row in self.array])

    def _refuse(self, *_):
        raise TypeError("the value of a tensor is not known")

    __int__ = __float__ = __index__ = __round__ = __format__ = _refuse

    def __contains__(self, item):
        if len(self) > 0 and isinstance(item, Tensor) and binary("eq", self[0], item).array.size != 1:
            raise ValueError("the truth of several elements")
        return self._refuse()
    __hash__ = None

    def __repr__(self):
        return f"Tensor({self.array.tolist()}, {self.kind}, {self.array.shape})"

    def __getitem__(self, index):
        with Mode.noting_indices(index):
            return made(self.array[plain_index(index, self.ndim)], self.kind)

    def with_item(self, index, value):
        """A tensor with other elements at `index`."""
        Mode.cuts |= isinstance(value, Tensor) and cuts(value.kind, self.kind)
        array = self.array.copy()
        with Mode.noting_indices(index):
            array[plain_index(index, self.ndim)] = value.array if isinstance(value, Tensor) else value
        return made(array, self.kind)

    # -- methods

    def astype(self, dtype):
        """Converted."""
        Mode.cuts |= cuts(self.kind, dtype)
        return made(self.array.astype(stored(dtype)), dtype)

    def float(self):
        """Converted."""
        return self.astype("float32")

    def half(self):
        """Converted."""
        return self.astype("float16")

    def int(self):
        """Converted."""
        return self.astype("int32")

    def long(self):
        """Converted."""
        return self.astype("int64")

    def bool(self):
        """Converted."""
        return self.astype("bool")

    def _check(self, axis):
        if axis is not None and not self.array.ndim:
            raise ValueError("an axis of no axes")

    def _reduced(self, name, axis=None, keepdims=False):
        self._check(axis)
        array = getattr(np, name)(self.array, axis=axis, keepdims=keepdims)
        return made(np.asarray(array), self.kind)

    def sum(self, axis=None, keepdims=False):
        """Sum."""
        kind = "int64" if self.kind == "bool" else self.kind
        return made(np.sum(self.array, axis=axis, keepdims=keepdims, dtype=stored(kind)), kind)

    def mean(self, axis=None, keep_dims=False):
        """Mean, of floats; of booleans the share of those that are true."""
        if not self.kind.startswith("float") and self.kind != "bool":
            raise TypeError("a mean of integers")
        kind = "float32" if self.kind == "bool" else self.kind
        return made(np.mean(self.array, axis=axis, keepdims=keep_dims, dtype=stored(kind)), kind)

    def max(self, axis=None, keepdims=False):
        """Largest."""
        return self._reduced("max", axis, keepdims)

    def min(self, axis=None, keepdims=False):
        """Smallest."""
        return self._reduced("min", axis, keepdims)

    def any(self):
        """Whether any."""
        return made(np.any(self.array), "bool")

    def all(self):
        """Whether all."""
        return made(np.all(self.array), "bool")

    def abs(self):
        """Absolute values."""
        return abs(self)

    def argmax(self, axis=None):
        """Place of the first largest."""
        return made(np.argmax(self.array, axis), "int64")

    def reshape(self, *shape):
        """In another shape."""
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        return made(self.array.reshape(shape), self.kind)

    def transpose(self, *axes):
        """Axes in another order."""
        return made(self.array.transpose(*axes), self.kind)

    view = reshape
    permute = transpose

    def squeeze(self, axis=None):
        """Without axes of one element."""
        self._check(axis)
        return made(self.array.squeeze(axis), self.kind)

    def clip(self, least, most):
        """Between two numbers, of floats."""
        if not self.kind.startswith("float"):
            raise Unknown("integers")
        return made(np.clip(self.array, least, most).astype(self.array.dtype), self.kind)

    def argmin(self, axis=None):
        """Place of the first smallest."""
        return made(np.argmin(self.array, axis), "int32")

    def prod(self, axis=None):
        """Product, of floats."""
        return self._of_floats("prod", axis)

    def var(self, axis=None):
        """Variance, of floats."""
        return self._of_floats("var", axis)

    def _of_floats(self, name, axis):
        if not self.kind.startswith("float"):
            raise Unknown("integers")
        return self._reduced(name, axis)

    def tile(self, counts):
        """Repeated as a whole."""
        if len(counts) < self.array.ndim:
            raise ValueError("tile: a multiple is needed for each axis")
        return made(np.tile(self.array, counts), self.kind)

    def repeat(self, count, axis=None):
        """Each repeated."""
        if axis is not None and not self.array.ndim:
            raise ValueError("repeat along an axis of a 0-D tensor")
        return made(np.repeat(self.array, count, axis), self.kind)

    def masked_fill(self, mask, value):
        """With a number where a mask is true."""
        if not self.kind.startswith("float"):
            raise Unknown("integers")
        return made(np.where(mask.array, np.asarray(value, self.array.dtype), self.array), self.kind)

    def broadcast_to(self, shape):
        """In a larger shape."""
        return made(np.broadcast_to(self.array, shape), self.kind)

    def ravel(self):
        """In one axis."""
        return self.flatten()

    def copy(self):
        """The same once more."""
        return self

    def flatten(self):
        """In one axis."""
        return made(self.array.reshape(-1), self.kind)

    def swapaxes(self, one, other):
        """Two axes exchanged; a number is taken for one axis."""
        return made(self.array.swapaxes(one, other) if self.shape else self.array, self.kind)

    def expand_dims(self, axis):
        """With one more axis."""
        return made(np.expand_dims(self.array, axis), self.kind)

    def cumsum(self, axis=None):
        """Sums so far."""
        self._check(axis)
        return made(np.cumsum(self.array, axis, dtype=self.array.dtype), self.kind)

    def __abs__(self):
        return made(np.abs(self.array), self.kind)

    def __neg__(self):
        kind = "int32" if self.kind == "bool" else self.kind
        return made(-self.array.astype(stored(kind)), kind)

    def __pos__(self):
        return self

    def __invert__(self):
        return made(np.logical_not(self.array), "bool")


def made(array, kind):
    """A tensor of an array."""
    tensor = Tensor.__new__(Tensor)
    tensor.array, tensor.kind = np.asarray(array, stored(kind)), kind
    if Mode.nudge and tensor.array.dtype in (np.float16, np.float32):
        for _ in range(abs(Mode.nudge)):
            tensor.array = np.nextafter(tensor.array, tensor.array.dtype.type(Mode.nudge * np.inf))
    return tensor


def plain_index(index, rank):
    """An index for NumPy. An ellipsis that takes no axis does not part what stands around it, as in MindSpore."""
    if isinstance(index, Tensor):
        return index.array
    if not isinstance(index, tuple):
        return index
    parts = [part.array if isinstance(part, Tensor) else part for part in index]
    taken = sum(part.ndim if isinstance(part, np.ndarray) and part.dtype == bool else 1 for part in parts
                if part is not None and part is not Ellipsis and not isinstance(part, bool))
    return tuple(part for part in parts if part is not Ellipsis or taken < rank)


def common_kind(left, right):
    """The element type in which two operands meet."""
    kinds = [value.kind for value in (left, right) if isinstance(value, Tensor)]
    if len(kinds) == 2:
        return "int16" if set(kinds) == {"uint8", "int8"} else max(kinds, key=ORDER.index)
    number = right if isinstance(left, Tensor) else left
    if isinstance(number, float) and not kinds[0].startswith("float"):
        return "float32"
    return "int32" if kinds[0] == "bool" and not isinstance(number, bool) else kinds[0]


def _power(base, exponent):
    """base ** exponent; of integers, to a negative power, without what is behind the point, and 0 of 0."""
    if base.dtype.kind != "i" or (exponent >= 0).all():
        return base ** exponent
    of_ones = np.where(np.abs(base) == 1, base ** (exponent & 1), 0)
    return np.where(exponent < 0, of_ones, base ** np.maximum(exponent, 0)).astype(base.dtype)


_COMPARISONS = {"eq", "ne", "lt", "le", "gt", "ge"}
_BITWISE = {"and_", "or_", "xor", "lshift", "rshift"}
_FUNCTIONS = {"eq": np.equal, "ne": np.not_equal, "maximum": np.maximum, "minimum": np.minimum, "mod": np.mod, "floordiv": np.floor_divide,
              "pow": _power}


_OF_SEQUENCES = {"add", "sub", "mul", "truediv", "floordiv", "mod", "pow"}


def _sequence_beside(name, value, other):
    """Numbers in a list or tuple beside a tensor are a tensor of its type."""
    if not isinstance(value, (list, tuple)) or not isinstance(other, Tensor) or name not in _OF_SEQUENCES:
        return value
    array = np.asarray(value, dtype=object)
    if not all(isinstance(item, (bool, int, float)) for item in array.reshape(-1)):
        raise TypeError("a list of something else than numbers beside a tensor")
    return made(array.astype(stored(other.kind)), other.kind)


def binary(name, left, right):
    """An operator on tensors, or a tensor and a number."""
    left, right = _sequence_beside(name, left, right), _sequence_beside(name, right, left)
    if not all(isinstance(value, (Tensor, bool, int, float)) for value in (left, right)):
        raise TypeError(f"operands of {name}")
    kind = common_kind(left, right)
    if name == "matmul" and not (isinstance(left, Tensor) and isinstance(right, Tensor)):
        raise ValueError("a matrix product with a number")
    if name == "matmul" and left.kind != right.kind:
        raise TypeError("a product of two element types")
    if name in _BITWISE and kind.startswith("float"):
        raise TypeError(f"{name} of floats")
    if name == "truediv" and not kind.startswith("float"):
        kind = "float32"
    keeps = name in _COMPARISONS or name in ("and_", "or_", "xor", "maximum", "minimum")
    kind = "int32" if kind == "bool" and not keeps else kind
    arrays = [(value.array if isinstance(value, Tensor) else np.asarray(value)).astype(stored(kind)) for value in (left, right)]
    function = _FUNCTIONS.get(name) or getattr(operator, name)
    return made(function(*arrays), "bool" if name in _COMPARISONS else kind)


def _method(name, swap):
    def method(self, other):
        if not isinstance(other, (Tensor, bool, int, float)) and not (isinstance(other, (list, tuple)) and name in _OF_SEQUENCES):
            if name in ("eq", "ne") and not isinstance(other, (list, tuple)):
                return NotImplemented  # unequal, if the other's class does not know better
            if name in _COMPARISONS:
                raise TypeError("operands of a comparison")
            return NotImplemented
        return binary(name, other, self) if swap else binary(name, self, other)
    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift"):
    setattr(Tensor, f"__{_name.rstrip('_')}__", _method(_name, False))
    setattr(Tensor, f"__r{_name.rstrip('_')}__", _method(_name, True))
for _name in _COMPARISONS:
    setattr(Tensor, f"__{_name}__", _method(_name, False))


# -- plumb.ops

def given(value):
    """`value`, which must be a tensor."""
    if not isinstance(value, Tensor):
        raise TypeError("no tensor")
    return value


def floating(x):
    """`x`, which must be a tensor of floats."""
    if not given(x).kind.startswith("float"):
        raise TypeError("no tensor of floats")
    return x


def _elementwise(function):
    return lambda x: made(function(given(x).array), x.kind)


def _of_floats(function):
    return lambda x: made(function(floating(x).array), x.kind)


def _as_floats(function):
    """Of numbers; integers become float32."""
    def called(x):
        kind = x.kind if given(x).kind.startswith("float") else "float32"
        return made(function(x.array.astype(stored(kind))), kind)
    return called


def _where(condition, x, y):
    if isinstance(x, Tensor) and isinstance(y, Tensor) and x.kind != y.kind:
        raise TypeError("where chooses between tensors of one type")
    kind = common_kind(x, y)
    return made(np.where(given(condition).array, *[(value.array if isinstance(value, Tensor) else np.asarray(value)).astype(stored(kind))
                                            for value in (x, y)]), kind)


def _joined(function, items, axis):
    kind = given(items[0]).kind
    if any(given(item).kind != kind for item in items):
        raise TypeError("tensors of several types")
    return made(function([item.array for item in items], axis=axis), kind)


def _softmax(x, axis):
    powers = np.exp(floating(x).array - x.array.max(axis, keepdims=True))
    return made(powers / powers.sum(axis, keepdims=True), x.kind)


ops = types.SimpleNamespace(
    tanh=_as_floats(np.tanh), sin=_as_floats(np.sin), cos=_as_floats(np.cos), exp=_as_floats(np.exp),
    square=_elementwise(np.square), relu=_elementwise(lambda x: np.maximum(x, 0)), abs=abs, neg=operator.neg,
    sign=_elementwise(np.sign), floor=_of_floats(np.floor), sqrt=_as_floats(np.sqrt),
    zeros_like=_elementwise(np.zeros_like), ones_like=_elementwise(np.ones_like),
    maximum=lambda x, y: binary("maximum", x, y), minimum=lambda x, y: binary("minimum", x, y),
    add=lambda x, y: binary("add", x, y), mul=lambda x, y: binary("mul", x, y), sub=lambda x, y: binary("sub", x, y),
    less=lambda x, y: binary("lt", x, y), equal=lambda x, y: binary("eq", x, y),
    where=_where, select=_where, cast=lambda x, dtype: given(x).astype(dtype),
    concat=lambda items, axis=0: _joined(np.concatenate, items, axis), stack=lambda items, axis=0: _joined(np.stack, items, axis),
    reshape=lambda x, shape: given(x).reshape(shape), transpose=lambda x, order: given(x).transpose(order),
    expand_dims=lambda x, axis: given(x).expand_dims(axis), broadcast_to=lambda x, shape: made(np.broadcast_to(given(x).array, shape), x.kind),
    reduce_sum=lambda x, axis=None: given(x).sum(axis), logical_and=lambda x, y: made(np.logical_and(given(x).array, given(y).array), "bool"),
    sigmoid=_of_floats(lambda x: 1 / (1 + np.exp(-x))), softmax=lambda x, axis=-1: _softmax(x, axis),
    gather=lambda x, indices, axis: made(np.take(given(x).array, indices.array, axis), x.kind), flip=lambda x, axes: made(np.flip(given(x).array, axes), x.kind),
    tile=lambda x, counts: given(x).tile(counts), squeeze=lambda x, axis: given(x).squeeze(axis), pow=lambda x, y: binary("pow", x, y),
    cumsum=lambda x, axis: given(x).cumsum(axis), logical_or=lambda x, y: made(np.logical_or(given(x).array, given(y).array), "bool"), logical_not=lambda x: made(~given(x).array, "bool"),
)
dtypes = types.SimpleNamespace(**{("bool_" if name == "bool" else name): name for name in ORDER})
