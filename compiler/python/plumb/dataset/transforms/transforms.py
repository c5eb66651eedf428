"""Operations on any column that this process computes, row by row, and how operations are put together."""

import enum

import numpy as np

from plumb.common import dtype as mstype
from plumb.dataset import _random
from plumb.dataset._bases import Implementation, PyTensorOperation, TensorOperation  # pylint: disable=unused-import
from plumb.dataset._errors import Operation, pipeline_error
from plumb.dataset._padding import pad_end
from plumb.dataset._random import RandomOperation
from plumb.dataset.operations import OneHot, TypeCast


class Relational(enum.IntEnum):
    """Comparisons of `Mask`."""

    EQ = 0
    NE = 1
    GT = 2
    GE = 3
    LT = 4
    LE = 5


_COMPARE = {Relational.EQ: np.equal, Relational.NE: np.not_equal, Relational.GT: np.greater,
            Relational.GE: np.greater_equal, Relational.LT: np.less, Relational.LE: np.less_equal}


class _Group(RandomOperation):
    """Base of operations that call others, with numbers of their own for each that draws."""

    def __init__(self, transforms):
        if not isinstance(transforms, (list, tuple)) or not transforms or not all(map(callable, transforms)):
            raise TypeError(f"For '{type(self).__name__}', transforms must be a list of operations, but got {transforms!r}.")
        self.transforms = list(transforms)

    def _run(self, rng, operations, values):
        for operation in operations:
            values = values if isinstance(values, tuple) else (values,)
            values = _random.apply(operation, int(rng.integers(2 ** 63)), values)
        return values


class Compose(_Group):
    """Operations one after another."""

    def transform(self, rng, *values):
        return self._run(rng, self.transforms, values)


class RandomApply(_Group):
    """Operations one after another with probability `prob`; otherwise nothing."""

    def __init__(self, transforms, prob=0.5):
        super().__init__(transforms)
        if not 0 <= prob <= 1:
            raise ValueError(f"Input prob is not within the required interval of [0.0, 1.0], but got {prob}.")
        self.prob = prob

    def transform(self, rng, *values):
        return self._run(rng, self.transforms if rng.random() < self.prob else [], values) if self.prob else _alone(values)


class RandomChoice(_Group):
    """One of the operations, each as probable as the others."""

    def transform(self, rng, *values):
        return self._run(rng, [self.transforms[int(rng.integers(len(self.transforms)))]], values)


class RandomOrder(_Group):
    """All operations, in random order."""

    def transform(self, rng, *values):
        return self._run(rng, [self.transforms[number] for number in rng.permutation(len(self.transforms))], values)


def _alone(values):
    return values if len(values) != 1 else values[0]


class Fill(Operation):
    """All elements `fill_value`, in the column's type and shape."""

    def __init__(self, fill_value):
        self.fill_value = fill_value

    def __call__(self, value):
        value = np.asarray(value)
        if (value.dtype.kind in "US") != isinstance(self.fill_value, (str, bytes)):
            raise TypeError(f"For 'Fill', the value {self.fill_value!r} does not fit a column of {value.dtype}.")
        return np.full(value.shape, self.fill_value, None if value.dtype.kind in "US" else value.dtype)


class PadEnd(Operation):
    """Cut, or filled at the ends with `pad_value` (0, or an empty string), to `pad_shape`; None keeps an axis."""

    def __init__(self, pad_shape, pad_value=None):
        if not isinstance(pad_shape, list):
            raise TypeError(f"Argument pad_shape with value {pad_shape} is not of type [{list}], but got {type(pad_shape)}.")
        for extent in pad_shape:
            if extent is not None and (isinstance(extent, bool) or not isinstance(extent, int)):
                raise TypeError("a value in the list is not an integer.")
            if extent is not None and extent < 1:
                raise ValueError("Input pad_shape is not within the required interval of [1, 9223372036854775807].")
        self.pad_shape, self.pad_value = list(pad_shape), pad_value

    def __call__(self, value):
        return pad_end(np.asarray(value), self.pad_shape, self.pad_value, "PadEnd")


class Slice(Operation):
    """A part of a value: for each axis an index, a list of indices, a slice, None or ... for all."""

    def __init__(self, *slices):
        self.slices = tuple(self._part(part) for part in slices)

    @staticmethod
    def _part(part):
        if part is None or part is Ellipsis:
            return slice(None) if part is None else part
        if isinstance(part, bool) or not isinstance(part, (int, list, slice)):
            raise TypeError(f"For 'Slice', each part must be an int, a list, a slice, None or ..., but got {part!r}.")
        return [part] if isinstance(part, int) else part

    def __call__(self, value):
        value = np.asarray(value)
        for axis, part in enumerate(self.slices):
            value = value[(slice(None),) * axis + (part,)] if part is not Ellipsis else value
        return np.ascontiguousarray(value)


class Mask(Operation):
    """Where elements compare with `constant`, which is taken in their type, as `dtype` (bool).

    Raises:
      TypeError: for a `dtype` that is no type of numbers, and for a constant of strings beside numbers or the other way round.
    """

    def __init__(self, operator, constant, dtype=mstype.bool_):
        self.operator, self.constant, self.dtype = Relational(operator), constant, mstype.as_dtype(dtype).numpy
        if self.dtype is None or self.dtype.kind in "US":
            raise pipeline_error(TypeError("For 'Mask': Only supports bool or numeric datatype for generated mask type, but got "
                                           f"{dtype}."))

    def __call__(self, value):
        value, constant = np.asarray(value), np.asarray(self.constant)
        if (value.dtype.kind in "US") != (constant.dtype.kind in "US"):
            raise TypeError(f"For 'Mask': input datatype does not match the value datatype: {value.dtype} and {self.constant!r}.")
        constant = constant.astype(value.dtype.kind if value.dtype.kind in "US" else value.dtype)
        return _COMPARE[self.operator](value, constant).astype(self.dtype)


class Concatenate(Operation):
    """Columns joined along `axis`, between `prepend` and `append`."""

    def __init__(self, axis=0, prepend=None, append=None):
        self.axis, self.prepend, self.append = axis, prepend, append

    def __call__(self, *values):
        ends = [[] if end is None else [np.asarray(end)] for end in (self.prepend, self.append)]
        values = list(map(np.asarray, values))
        parts = ends[0] + values + ends[1]
        return np.concatenate([part.astype(values[0].dtype) if part.dtype.kind not in "US" else part for part in parts], self.axis)


class Duplicate(Operation):
    """A column twice."""

    def __call__(self, value):
        value = np.asarray(value)
        return value, value


class Unique(Operation):
    """The elements without repetition as they first come, each one's position among them, and how often each comes."""

    def __call__(self, value):
        found, first, positions, counts = np.unique(np.asarray(value), True, True, True)
        order = np.argsort(first)
        return found[order], np.argsort(order)[positions.reshape(-1)].astype(np.int32), counts[order].astype(np.int32)


def not_random(function):
    """Marks a Python function as one that always gives the same for the same values; returns it. Caches keep its results either way."""
    function.random = False
    return function
