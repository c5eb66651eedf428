"""Sparse tensors: stored values and where they stand, all else zero.

A sparse tensor never changes. In compiled functions it is a structure of its tensors: it may be an argument, made inside, and
returned; how many elements it stores is part of its type. Gradients go through its values. Where elements stand is checked
when it is used, as the numbers of a gather are.
"""

import functools
import types

from plumb.common import dtype as mstype
from plumb.common._printing import plain_text
from plumb.common._structures import TensorStructure, assembled
from plumb.common.api import Whole
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops import _sparse, _sparse_host


def _check_tensors(who, names, tensors, shape):
    """Raises TypeError where a sparse tensor's parts are of wrong classes, ValueError where an extent is not positive."""
    for name, part in zip(names, tensors):
        if not isinstance(part, Tensor):
            raise TypeError(f"For '{who}', '{name}' must be a Tensor, but got {type(part).__name__}.")
        if name != "values" and part.dtype not in _sparse.INDEX_TYPES:
            raise TypeError(f"For '{who}', '{name}' must be of int16, int32 or int64, but got {part.dtype}.")
    if not isinstance(shape, tuple):
        raise TypeError(f"For '{who}', 'shape' must be a tuple, but got {type(shape).__name__}.")
    for extent in shape:
        if not isinstance(extent, int) or isinstance(extent, bool):
            raise TypeError(f"For '{who}', 'shape' must hold ints, but got {extent}.")
        if extent <= 0:
            raise ValueError(f"For '{who}', 'shape' must hold positive numbers, but got {extent}.")


def _check_coo(who, indices, values, shape):
    _check_tensors(who, ("indices", "values"), (indices, values), shape)
    if len(shape) != 2:
        raise ValueError(f"For '{who}', the length of 'shape' must be 2, but got {shape}.")
    if indices.ndim != 2 or indices.shape[1] != len(shape):
        raise ValueError(f"For '{who}', 'indices' must be of the shape (N, {len(shape)}), but got {indices.shape}.")
    if values.ndim != 1 or values.shape[0] != indices.shape[0]:
        raise ValueError(f"For '{who}', 'values' must be of the shape ({indices.shape[0]},), but got {values.shape}.")


def _check_csr(indptr, indices, values, shape):
    _check_tensors("CSRTensor", ("indptr", "indices", "values"), (indptr, indices, values), shape)
    if len(shape) < 2:
        raise ValueError(f"For 'CSRTensor', the length of 'shape' must be at least 2, but got {shape}.")
    if indptr.ndim != 1 or indptr.shape[0] != shape[0] + 1:
        raise ValueError(f"For 'CSRTensor', 'indptr' must be of the shape ({shape[0] + 1},), but got {indptr.shape}.")
    if indices.ndim != 1 or values.shape[:1] != indices.shape:
        raise ValueError(f"For 'CSRTensor', 'indices' must hold a number for each of the values, but got {indices.shape} and "
                         f"{values.shape}.")
    if values.shape[1:] != shape[2:]:
        raise ValueError(f"For 'CSRTensor', each value must be of {shape[2:]}, but got {values.shape[1:]}.")


def _check_rows(indices, values, shape):
    _check_tensors("RowTensor", ("indices", "values"), (indices, values), shape)
    if indices.ndim != 1 or values.shape[:1] != indices.shape or len(shape) < 1 or values.shape[1:] != shape[1:]:
        raise ValueError(f"For 'RowTensor', 'values' of {values.shape} must be rows of {shape}, one for each of 'indices' of "
                         f"{indices.shape}.")


class _whole(Whole):
    """A method that plain Python calls as one program; compiled functions call it like any other."""

    def __get__(self, instance, kind=None):
        if instance is None:
            return self
        # A tensor without elements passes into no program.
        is_whole = all(issubclass(type(tensor), Tensor) and tensor.size for tensor in instance._tensors)
        return functools.partial(self, instance) if is_whole else types.MethodType(self.fn, instance)


class _SparseTensor(TensorStructure):
    """What all sparse tensors have: values in the last place of their tensors, a shape, a text."""

    STORED = TensorStructure.STORED + ("indices", "values", "shape")

    def _copy(self, other, parts, name):
        """Takes over another one's parts; raises TypeError when it is none, or when other arguments are given."""
        if not isinstance(other, _SparseTensor):
            raise TypeError(f"For '{type(self).__name__}', '{name}' must be a {type(self).__name__}, but got "
                            f"{type(other).__name__}.")
        if any(part is not None for part in parts):
            raise TypeError(f"For '{type(self).__name__}', nothing else can be given with '{name}'.")
        self._tensors, self._known = other._tensors, other._known

    @property
    def values(self):
        """The stored values."""
        return self._tensors[-1]

    @property
    def indices(self):
        """Where the stored values stand."""
        return self._tensors[-2]

    @property
    def shape(self):
        """The extents, a tuple of ints."""
        return self._known

    @property
    def dtype(self):
        """The element type of the values."""
        return self.values.dtype

    @property
    def size(self):
        """How many numbers are stored."""
        return self.values.size

    @property
    def itemsize(self):
        """Bytes of one number."""
        return self.values.itemsize

    @property
    def ndim(self):
        """The number of axes."""
        return len(self.shape)

    def with_values(self, values):
        """The same places with other values."""
        return assembled(type(self), self._tensors[:-1] + (values,), self._known)

    def astype(self, dtype):
        """The values converted to `dtype`."""
        return self.with_values(F.cast(self.values, dtype))

    def abs(self):
        """The values without sign."""
        return self.with_values(F.abs(self.values))

    def to_tuple(self):
        """The tensors, and the shape behind them."""
        return self._tensors + (self._known,)

    def __neg__(self):
        return self.with_values(-self.values)

    def __radd__(self, other):
        raise TypeError(f"{type(other).__name__} add with {type(self).__name__} is not supported.")

    def __rsub__(self, other):
        raise TypeError(f"{type(other).__name__} subtract with {type(self).__name__} is not supported.")

    def __rmul__(self, other):
        raise TypeError(f"{type(other).__name__} multiply with {type(self).__name__} is not supported.")

    def __rtruediv__(self, other):
        raise TypeError(f"{type(other).__name__} divide with {type(self).__name__} is not supported.")

    def __abs__(self):
        return self.with_values(F.abs(self.values))

    def __repr__(self):
        parts = [f"{name}=Tensor(shape={list(part.shape)}, dtype={part.dtype}, value={plain_text(part.asnumpy())})"
                 for name, part in zip(self._NAMES, self._tensors)]
        return f"{type(self).__name__}(shape={list(self._known)}, dtype={self._tensors[-1].dtype}, {', '.join(parts)})"


class COOTensor(_SparseTensor):
    """A matrix of which each stored element stands at a row and a column of its own; equal ones are taken together.

    Args:
      indices: rows and columns, a tensor of integers of the shape (N, 2).
      values: the stored elements, (N,).
      shape: the extents, a tuple of two ints.
      coo_tensor: another one, instead of the others.

    Raises:
      TypeError, ValueError: if the parts are of wrong types, or do not fit each other.
    """

    _NAMES = ("indices", "values")

    def __init__(self, indices=None, values=None, shape=None, coo_tensor=None):
        if coo_tensor is not None:
            self._copy(coo_tensor, (indices, values, shape), "coo_tensor")
            return
        _check_coo(type(self).__name__, indices, values, shape)
        self._tensors, self._known = (indices, values), shape

    @staticmethod
    def made(indices=None, values=None, shape=None, coo_tensor=None):
        """The constructor, as compiled functions run it."""
        if coo_tensor is not None:
            return coo_tensor
        _check_coo("COOTensor", indices, values, shape)
        return assembled(COOTensor, (indices, values), shape)

    @_whole
    def to_dense(self):
        """The dense tensor; values at one place are summed."""
        if self.size == 0:
            return F.fill(self.dtype, self.shape, 0)
        return _sparse.densified(_sparse.flat_places(self.indices, self.shape), self.values, self.shape)

    @_whole
    def to_csr(self):
        """The same matrix in rows; elements of one row keep their order."""
        if self.size == 0:
            empty = F.fill(self.indices.dtype, (0,), 0)
            return assembled(CSRTensor, (F.fill(self.indices.dtype, (self.shape[0] + 1,), 0), empty, self.values), self.shape)
        rows, columns = _sparse.column(self.indices, 0), _sparse.column(self.indices, 1)
        rows, order = F.sort(_sparse.checked(rows, self.shape[0], mstype.int32), 0)
        indptr = _sparse.row_pointers(rows, self.shape[0], self.indices.dtype)
        return assembled(CSRTensor, (indptr, F.gather(columns, order, 0), F.gather(self.values, order, 0)), self.shape)

    def coalesce(self):
        """The same matrix with each place stored once, in order of rows and columns, and the sum of its values."""
        return assembled(COOTensor, _sparse_host.coalesce(self.indices, self.values, self.shape), self.shape)

    def add(self, other, thresh):
        """The sum with another one, each place stored once and in order, without sums below `thresh`, a tensor, in size."""
        if not isinstance(other, COOTensor):
            raise TypeError(f"COOTensor add with {type(other).__name__} is not supported.")
        if self.shape != other.shape:
            raise ValueError(f"Input tensors should have the same shape, but got {self.shape} and {other.shape}.")
        parts = _sparse_host.coo_add((self.indices, self.values), (other.indices, other.values), self.shape, thresh.item())
        return assembled(COOTensor, parts, self.shape)

    def _beside(self, other, what):
        """Raises TypeError or ValueError unless `other` is a dense or a COO tensor of the same shape."""
        if not isinstance(other, (Tensor, COOTensor)):
            raise TypeError(f"COOTensor {what} with {type(other).__name__} is not supported.")
        if self.shape != other.shape:
            raise ValueError(f"Input tensors should have the same shape, but got {self.shape} and {other.shape}.")

    def _sum(self, other):
        parts = _sparse_host.coo_add((self.indices, self.values), (other.indices, other.values), self.shape, 0)
        return assembled(COOTensor, parts, self.shape)

    @_whole
    def _at_places(self, dense):
        """The elements of a dense tensor of the same shape where this one stores values."""
        return F.gather(F.reshape(dense, (-1,)), _sparse.flat_places(self.indices, self.shape), 0)

    def __add__(self, other):
        self._beside(other, "add")
        if isinstance(other, COOTensor):
            return self._sum(other)
        return other + self.to_dense()

    def __radd__(self, other):
        return self.__add__(other)

    def __sub__(self, other):
        self._beside(other, "subtract")
        if isinstance(other, COOTensor):
            return self._sum(other.__neg__())
        return self.to_dense() - other

    def __rsub__(self, other):
        self._beside(other, "subtract")
        return other - self.to_dense()

    def __mul__(self, other):
        self._beside(other, "multiply")
        if isinstance(other, COOTensor):
            raise TypeError("COOTensor multiply with COOTensor is not supported.")
        return self.with_values(self.values * self._at_places(other))

    def __rmul__(self, other):
        return self.__mul__(other)

    def __truediv__(self, other):
        self._beside(other, "divide")
        if isinstance(other, COOTensor):
            raise TypeError("COOTensor divide with COOTensor is not supported.")
        return self.with_values(self.values / self._at_places(other))


class SparseTensor(COOTensor):
    """The older name of COOTensor."""


class CSRTensor(_SparseTensor):
    """A matrix whose stored elements stand row by row, each at a column; elements may be tensors themselves.

    Args:
      indptr: a tensor of integers of the shape (M + 1,): row r has the stored elements from indptr[r] to before indptr[r + 1].
      indices: the column of each stored element, (N,).
      values: the stored elements, (N, …).
      shape: the extents, a tuple (M, columns, …).
      csr_tensor: another one, instead of the others.

    Raises:
      TypeError, ValueError: if the parts are of wrong types, or do not fit each other.
    """

    _NAMES = ("indptr", "indices", "values")
    STORED = _SparseTensor.STORED + ("indptr",)

    def __init__(self, indptr=None, indices=None, values=None, shape=None, csr_tensor=None):
        if csr_tensor is not None:
            self._copy(csr_tensor, (indptr, indices, values, shape), "csr_tensor")
            return
        _check_csr(indptr, indices, values, shape)
        self._tensors, self._known = (indptr, indices, values), shape

    @staticmethod
    def made(indptr=None, indices=None, values=None, shape=None, csr_tensor=None):
        """The constructor, as compiled functions run it."""
        if csr_tensor is not None:
            return csr_tensor
        _check_csr(indptr, indices, values, shape)
        return assembled(CSRTensor, (indptr, indices, values), shape)

    @property
    def indptr(self):
        """Where each row begins among the stored elements, and where the last ends."""
        return self._tensors[0]

    @_whole
    def to_coo(self):
        """The same matrix with a row and a column for each stored element."""
        if self.ndim != 2:
            raise ValueError(f"Currently only support 2-D CSRTensor when converting to COOTensor, but got {self.shape}.")
        if self.size == 0:
            return assembled(COOTensor, (F.fill(self.indices.dtype, (0, 2), 0), self.values), self.shape)
        rows = F.cast(_sparse.row_numbers(self.indptr, self.indices.size), self.indices.dtype)
        return assembled(COOTensor, (F.stack((rows, self.indices), 1), self.values), self.shape)

    @_whole
    def to_dense(self):
        """The dense tensor; values at one place are summed."""
        if self.size == 0:
            return F.fill(self.dtype, self.shape, 0)
        places = _sparse.flat_places(F.stack((self._rows(), F.cast(self.indices, mstype.int32)), 1), self.shape[:2])
        return F.reshape(_sparse.sums(places, self.values, self.shape[0] * self.shape[1]), self.shape)

    def _rows(self):
        """The row of each stored element, int32."""
        return _sparse.row_numbers(self.indptr, self.indices.size)

    def mv(self, dense_vector):
        """The product with a dense matrix of one column, (columns, 1); see `ops.csr_mv`."""
        return self._times(dense_vector)

    def mm(self, matrix):
        """The product with a dense matrix, a dense one; or with a CSR one, of which each place is stored once and in order."""
        if not isinstance(matrix, CSRTensor):
            return self._times(matrix)
        if self.ndim != 2 or matrix.ndim != 2 or self.shape[1] != matrix.shape[0]:
            raise ValueError(f"For 'CSRTensor', {self.shape} and {matrix.shape} have no product.")
        shape = (self.shape[0], matrix.shape[1])
        return assembled(CSRTensor, _sparse_host.csr_mm(self._tensors, matrix._tensors, shape), shape)

    @_whole
    def _times(self, dense):
        """The product with a dense matrix; raises TypeError or ValueError when it is none, or has other rows."""
        if not isinstance(dense, Tensor):
            raise TypeError(f"For 'CSRTensor', a product takes a Tensor, but got {type(dense).__name__}.")
        if self.ndim != 2 or dense.ndim != 2 or dense.shape[0] != self.shape[1]:
            raise ValueError(f"For 'CSRTensor', a product of {self.shape} takes a matrix of {self.shape[1]} rows, but got "
                             f"{dense.shape}.")
        if self.size == 0:
            return F.fill(self.dtype, (self.shape[0], dense.shape[1]), 0)
        return _sparse.multiplied(self._rows(), self.indices, self.values, self.shape[0], self.shape[1], dense)

    @_whole
    def sum(self, axis):
        """The sums along axis 1, in a column, or along axis 0, in a row."""
        if axis not in (0, 1, 1 - self.ndim, -self.ndim):
            raise ValueError(f"For 'CSRTensor.sum', 'axis' must be 0 or 1, but got {axis}.")
        if self.size == 0:
            return F.fill(self.dtype, ((1, self.shape[1]) if axis in (0, -self.ndim) else (self.shape[0], 1)) + self.shape[2:], 0)
        if axis in (1, 1 - self.ndim):
            return F.expand_dims(_sparse.sums(self._rows(), self.values, self.shape[0]), 1)
        columns = _sparse.checked(self.indices, self.shape[1], mstype.int32)
        return F.expand_dims(_sparse.sums(columns, self.values, self.shape[1]), 0)

    def add(self, b, alpha, beta):
        """alpha * this + beta * b, each place stored once and in order."""
        if not isinstance(b, CSRTensor):
            raise TypeError(f"CSRTensor add with {type(b).__name__} is not supported.")
        if self.shape != b.shape:
            raise ValueError(f"Input tensors should have the same shape, but got {self.shape} and {b.shape}.")
        one = (self.indptr, self.indices, self.values * alpha)
        return assembled(CSRTensor, _sparse_host.csr_add(one, (b.indptr, b.indices, b.values * beta), self.shape), self.shape)

    def _sum(self, other, what, sign):
        if not isinstance(other, CSRTensor):
            raise TypeError(f"CSRTensor {what} with {type(other).__name__} is not supported.")
        return self.add(other, 1, sign)

    @_whole
    def picked_from(self, dense):
        """The elements of a dense tensor, which broadcasts to the shape, where this one stores values."""
        return _sparse.picked_from((self._rows(), self.indices), self.shape, dense)

    def _scaled_by(self, other):
        """What values are multiplied by: a number, or a tensor for each of them; None for what is no number or tensor."""
        if isinstance(other, (bool, int, float)):
            return other
        if not isinstance(other, Tensor):
            return None
        if other.size == 1 and other.ndim <= self.ndim:
            return F.reshape(other, ())
        picked = self.picked_from(other)
        return F.reshape(picked, picked.shape + (1,) * (self.values.ndim - picked.ndim))

    def _is_number(self, other):
        """Whether `other` is a number or a tensor of one element: what is computed with it are the values alone."""
        return not isinstance(other, Tensor) or other.size == 1

    def __add__(self, other):
        return self._sum(other, "add", 1)

    def __sub__(self, other):
        return self._sum(other, "subtract", -1)

    def __mul__(self, other):
        factors = self._scaled_by(other)
        if factors is None:
            raise TypeError(f"CSRTensor multiply with {type(other).__name__} is not supported.")
        values = self.values * factors
        return values if self._is_number(other) else self.with_values(values)

    def __rmul__(self, other):
        if not isinstance(other, Tensor):
            raise TypeError(f"{type(other).__name__} multiply with CSRTensor is not supported.")
        return self.__mul__(other)

    def __truediv__(self, other):
        factors = self._scaled_by(other)
        if factors is None:
            raise TypeError(f"CSRTensor divide with {type(other).__name__} is not supported.")
        values = self.values / factors
        return values if self._is_number(other) else self.with_values(values)


class RowTensorInner(_SparseTensor):
    """Rows of a larger tensor, by their numbers along its first axis.

    Args:
      indices: the rows' numbers, a tensor of integers of the shape (N,).
      values: the rows, (N, …).
      shape: the larger tensor's extents, a tuple.
      row_tensor: another one, instead of the others.
    """

    _NAMES = ("indices", "values")
    STORED = _SparseTensor.STORED + ("dense_shape",)

    def __init__(self, indices=None, values=None, shape=None, row_tensor=None):
        if row_tensor is not None:
            self._copy(row_tensor, (indices, values, shape), "row_tensor")
            return
        _check_rows(indices, values, shape)
        self._tensors, self._known = (indices, values), shape

    @staticmethod
    def made(indices=None, values=None, shape=None, row_tensor=None):
        """The constructor, as compiled functions run it."""
        if row_tensor is not None:
            return row_tensor
        _check_rows(indices, values, shape)
        return assembled(RowTensor, (indices, values), shape)

    @property
    def dense_shape(self):
        """The larger tensor's extents."""
        return self._known


class RowTensor(RowTensorInner):
    """Rows of a larger tensor; see RowTensorInner."""
