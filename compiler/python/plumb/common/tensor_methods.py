"""Methods of tensors, as functions in the parsable subset.

Compiled code finds them in the namespace `plumb.Tensor`; plain Python through `Tensor.__getattr__`. The tensor is the
first argument. Where a method's parameters are those of the function of `plumb.ops` it is that function (`_SAME`).
"""

import functools
import types

from plumb.common import _later_methods, _refusals
from plumb.common import dtype as mstype
from plumb.common._offers import known_as
from plumb.common.api import Whole
from plumb.common.tensor import added_methods
from plumb.numpy import indexing, sampling
from plumb.ops import _functions as F
from plumb.ops import function as ops
from plumb.ops.function.random import cauchy_numbers

_SAME = """
    aminmax bitwise_not count_nonzero diagonal_scatter eigvals eq floor_divide nanquantile orgqr quantile select_scatter slice_scatter
    abs absolute acos acosh add addbmm addcdiv addcmul addmm addmv addr adjoint all amax amin angle any
    arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmin argsort argwhere asin asinh atan atan2 atanh baddbmm
    bernoulli bincount bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor bmm broadcast_to ceil
    cholesky cholesky_inverse cholesky_solve chunk clamp clip col2im conj copysign cos cosh cov cross cummax cummin
    cumprod deg2rad det diag diagflat diff digamma dot dsplit equal erf erfc erfinv exp expand expand_dims expm1
    fill_diagonal fills flip fliplr flipud floor fmax fmin fmod fold frac gather gather_elements gather_nd
    gcd ge geqrf ger greater greater_equal gt hardshrink heaviside histc hsplit hypot i0 igamma igammac imag index_fill
    index_put index_select inner inplace_update inv inverse invert is_complex is_floating_point isclose isfinite isinf
    isnan isneginf isposinf isreal lcm ldexp le lerp less less_equal lgamma log log10 log1p log2 log_matrix_determinant
    logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not logical_or logical_xor logit lstsq lt
    lu_solve masked_fill masked_scatter masked_select matrix_determinant matrix_power maximum mean median minimum
    mm moveaxis movedim msort mul multinomial multiply mv mvlgamma nan_to_num nanmean nanmedian nansum narrow ne neg
    negative nextafter nonzero norm not_equal numel outer polygamma positive pow prod ptp rad2deg
    random_categorical ravel real reciprocal renorm reverse reverse_sequence roll rot90
    round rsqrt scatter sgn sigmoid sign signbit sin sinc sinh slogdet soft_shrink sort split sqrt square squeeze std
    sub subtract svd swapaxes swapdims t tan tanh tensor_split tile topk top_k tril triu trunc unbind unfold
    unique_consecutive unique_with_pad unsorted_segment_max unsorted_segment_min unsorted_segment_prod unsqueeze var
    vsplit xdivy zeta
""".split()


def reshape(self, *shape):
    """The same elements in another shape."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        return F.reshape(self, shape[0])
    return F.reshape(self, shape)


def reshape_as(self, other):
    """The same elements in the shape of another tensor."""
    return F.reshape(self, other.shape)


def transpose(self, *axes):
    """The axes in another order; reversed when none is given."""
    if len(axes) == 1 and isinstance(axes[0], (tuple, list)):
        return F.transpose(self, axes[0])
    if len(axes) == 0:
        return F.transpose(self, tuple(range(self.ndim - 1, -1, -1)))
    return F.transpose(self, axes)


def permute(self, *axis):
    """The axes in another order."""
    return transpose(self, *axis)


def astype(self, dtype, copy=True):
    """The elements converted to `dtype`."""
    return F.cast(self, dtype)


def type(self, dtype=None):
    """The element type; or, given one, the elements converted to it."""
    return self.dtype if dtype is None else F.cast(self, dtype)


def type_as(self, other):
    """The elements converted to the type of another tensor's."""
    return F.cast(self, other.dtype)


def to(self, dtype):
    """The elements converted to `dtype`."""
    return F.cast(self, dtype)


def bool(self):
    """The elements as bool."""
    return F.cast(self, mstype.bool_)


def int(self):
    """The elements as int32."""
    return F.cast(self, mstype.int32)


def long(self):
    """The elements as int64."""
    return F.cast(self, mstype.int64)


def short(self):
    """The elements as int16."""
    return F.cast(self, mstype.int16)


def half(self):
    """The elements as float16."""
    return F.cast(self, mstype.float16)


def float(self):
    """The elements as float32."""
    return F.cast(self, mstype.float32)


def double(self):
    """The elements as float64."""
    return F.cast(self, mstype.float64)


def bfloat16(self):
    """The elements as bfloat16."""
    return F.cast(self, mstype.bfloat16)


def byte(self):
    """The elements as uint8."""
    return F.cast(self, mstype.uint8)


def clone(self):
    """A copy of the tensor, through which gradients go."""
    return ops.concat((self,)) if self.ndim > 0 else F.reshape(ops.concat((F.reshape(self, (1,)),)), ())


def contiguous(self):
    """The tensor: elements always lie side by side."""
    return self


def allclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are equal within atol + rtol * |other|, a boolean tensor of no axes."""
    return ops.all(ops.isclose(self, other, rtol, atol, equal_nan))


def softmax(self, axis, dtype=None):
    """exp(x) over its sum along an axis; of elements converted to `dtype` when that is given."""
    return ops.softmax(self if dtype is None else F.cast(self, dtype), axis)


def qr(self, some=True):
    """q and r, the columns of q as many as the smaller extent if `some`, else all; see `ops.qr`."""
    return ops.qr(self, "reduced" if some else "complete")


def is_signed(self):
    """Whether the element type has negative numbers."""
    return self.dtype not in (mstype.bool_, mstype.uint8, mstype.uint16, mstype.uint32, mstype.uint64)


def sum(self, axis=None, dtype=None, keepdims=False, initial=None):
    """Sum over the axes, and of `initial`; of elements converted to `dtype` when that is given."""
    total = ops.sum(self, axis, keepdims, dtype=dtype)
    return total if initial is None else total + initial


def max(self, axis=None, keepdims=False, *, initial=None, where=True, return_indices=False):
    """Largest over the axes, and the place of the first when `return_indices` is set; see `ops.amax`."""
    if return_indices:
        return ops.max(self, axis, keepdims, initial=initial, where=None if where is True else where)
    return ops.amax(self, axis, keepdims, initial=initial, where=None if where is True else where)


def min(self, axis=None, keepdims=False, *, initial=None, where=True, return_indices=False):
    """Smallest over the axes, and the place of the first when `return_indices` is set; see `ops.amin`."""
    if return_indices:
        return ops.min(self, axis, keepdims, initial=initial, where=None if where is True else where)
    return ops.amin(self, axis, keepdims, initial=initial, where=None if where is True else where)


def argmax(self, axis=None, keepdims=False):
    """Place of the first largest element along an axis, as int64; among all in order when `axis` is None."""
    return ops.argmax(self, axis, keepdims)


def argmax_with_value(self, axis=0, keep_dims=False):
    """Largest along an axis, and the place of the first of them, int32."""
    return ops.max(self, axis, keep_dims)


def argmin_with_value(self, axis=0, keep_dims=False):
    """Smallest along an axis, and the place of the first of them, int32."""
    return ops.min(self, axis, keep_dims)


def flatten(self, order="C", *, start_dim=0, end_dim=-1):
    """The axes from `start_dim` to `end_dim` on one axis."""
    return ops.flatten(self, order, start_dim=start_dim, end_dim=end_dim)


def expand_as(self, x):
    """Repeated to the shape of another tensor."""
    return F.broadcast_to(self, x.shape)


def repeat(self, repeats, axis=None, *more):
    """Each element behind itself along an axis, see `ops.repeat_interleave`; given three numbers or more, as MindSpore 2.5 and later take
    one for each axis, the whole tensor behind itself, see `ops.tile`."""
    if len(more) > 0:
        return ops.tile(self, (repeats, axis) + more)
    return ops.repeat_interleave(self, repeats, axis)


def diagonal(self, offset=0, axis1=0, axis2=1):
    """A diagonal of two axes, as a new last one."""
    return ops.diagonal(self, offset, axis1, axis2)


def trace(self, offset=0, axis1=0, axis2=1, dtype=None):
    """The sum of a diagonal of two axes."""
    total = F.reduce_sum(ops.diagonal(self, offset, axis1, axis2), (-1,))
    return total if dtype is None else F.cast(total, dtype)


def cumsum(self, axis=None, dtype=None):
    """Sums of the elements up to each along an axis; of all in order when `axis` is None."""
    if axis is None:
        return ops.cumsum(F.reshape(self, (-1,)), 0, dtype)
    return ops.cumsum(self, axis, dtype)


def where(self, condition, y):
    """The elements where the condition holds, those of `y` elsewhere; see `ops.where`."""
    return ops.where(condition, self, y)


def select(self, condition, y):
    """The elements where the condition holds, those of `y` elsewhere; see `ops.select`."""
    return ops.select(condition, self, y)


def approximate_equal(self, other, tolerance=1e-5):
    """Whether elements are nearer than `tolerance`; see `ops.approximate_equal`."""
    return ops.approximate_equal(self, other, tolerance)


def div(self, value, *, rounding_mode=None):
    """Quotients; see `ops.div`."""
    return ops.div(self, value, rounding_mode=rounding_mode)


def divide(self, value, *, rounding_mode=None):
    """Quotients; see `ops.div`."""
    return ops.div(self, value, rounding_mode=rounding_mode)


def true_divide(self, value):
    """Quotients."""
    return F.div(self, value)


def remainder(self, divisor):
    """The remainder of division rounded down: its sign is that of `divisor`."""
    return F.floor_mod(self, divisor)


def float_power(self, other):
    """Powers in float64, of complex numbers in complex128."""
    return ops.float_power(self, other)


def xlogy(self, y):
    """self * log(y), and 0 where the tensor is 0 and y is no NaN."""
    return ops.xlogy(self, y)


def matmul(self, tensor2):
    """Matrix product; see `ops.matmul`."""
    return ops.matmul(self, tensor2)


@known_as(dim="axis", keepdim="keepdims")
def logsumexp(self, axis, keepdims=False):
    """log(sum(exp(x))) over the axes, without overflow."""
    return ops.logsumexp(self, axis, keepdims)


def ormqr(self, input2, input3, left=True, transpose=False):
    """Products with the orthogonal matrix that `geqrf` leaves; see `ops.ormqr`."""
    return ops.ormqr(self, input2, input3, left, transpose)


def repeat_interleave(self, repeats, dim=None):
    """Each element behind itself along an axis; see `ops.repeat_interleave`."""
    return ops.repeat_interleave(self, repeats, dim)


def new_ones(self, size, *, dtype=None):
    """Ones of a shape, of the tensor's element type by default."""
    return ops.ones(size, self.dtype if dtype is None else dtype)


def new_zeros(self, size, *, dtype=None):
    """Zeros of a shape, of the tensor's element type by default."""
    return ops.zeros(size, self.dtype if dtype is None else dtype)


def new_full(self, size, fill_value, *, dtype=None):
    """A tensor of one value, of the tensor's element type by default."""
    return F.fill(self.dtype if dtype is None else dtype, size, fill_value)


def new_empty(self, size, *, dtype=None, device=None):
    """A tensor of a shape: of zeros here, of anything in MindSpore."""
    return ops.zeros(size, self.dtype if dtype is None else dtype)


def fill(self, value):
    """The shape and element type filled with a number."""
    return F.fill(self.dtype, self.shape, value)


def sum_to_size(self, *size):
    """Sums over the axes along which `size` was broadcast to the tensor's shape."""
    shape = size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    lead = self.ndim - len(shape)
    if lead < 0:
        raise ValueError(f"For 'sum_to_size', {shape} does not broadcast to {self.shape}")
    axes = tuple(range(lead))
    for place in range(len(shape)):
        if shape[place] != self.shape[lead + place]:
            if shape[place] != 1:
                raise ValueError(f"For 'sum_to_size', {shape} does not broadcast to {self.shape}")
            axes = axes + (lead + place,)
    return F.reshape(F.reduce_sum(self, axes), shape) if len(axes) > 0 else self


def take(self, indices, axis=None, mode="clip"):
    """Elements by number along an axis, of all in order when it is None.

    Args:
      mode: "clip" holds numbers between the ends, "wrap" counts them around.
    """
    x = F.reshape(self, (-1,)) if axis is None else self
    axis = 0 if axis is None else axis
    extent = x.shape[axis]
    if mode not in ("clip", "wrap"):
        raise ValueError("For 'take', 'mode' must be 'clip' or 'wrap'")
    places = F.floor_mod(indices, extent) if mode == "wrap" else F.minimum(F.maximum(indices, 0), extent - 1)
    return F.gather(x, places, axis)


def view_as(self, other):
    """The same elements in the shape of another tensor."""
    return F.reshape(self, other.shape)


def index_add(self, dim, index, source, *, alpha=1):
    """The tensor with slices of `source`, times `alpha`, added along an axis at the places `index`."""
    return ops.index_add(self, index, source if alpha == 1 else source * alpha, dim)


def nelement(self):
    """The number of elements."""
    return self.size


def choose(self, choices, mode="clip"):
    """Element by element, that of the choice whose number stands here; see `numpy.choose`.

    MindSpore 2.0.0 cuts choices of float to whole numbers, and passes no gradient to them.
    """
    return indexing.choose(self, choices, mode)


def searchsorted(self, v, side="left", sorter=None):
    """Before which element each of `v` would stand; see `numpy.searchsorted`."""
    return sampling.searchsorted(self, v, side, sorter)


def resize(self, *new_shape):
    """The elements in order in another shape: those over are dropped, missing ones are zeros."""
    shape = new_shape[0] if len(new_shape) == 1 and isinstance(new_shape[0], (tuple, list)) else new_shape
    size = 1
    for extent in shape:
        size = size * extent
    flat = F.reshape(self, (-1,))
    if size > self.size:
        flat = F.pad(flat, (0,), (size - self.size,), 0)
    return F.reshape(flat[:size], shape)


def tolist(self):
    """The elements as nested lists of numbers: of a constant alone, which is known while compiling."""
    raise _refusals.NeededValueError(f"tolist() needs a tensor that is known while compiling, but {self} is computed by the program, or an argument of it")


def ndimension(self):
    """The number of axes."""
    return self.ndim


def cauchy(self, median=0.0, sigma=1.0):
    """A tensor of the shape and element type with numbers of Cauchy's distribution; MindSpore has it from 2.1 on."""
    return F.cast(cauchy_numbers(self.shape, median, sigma), self.dtype)


def uniform(self, from_=0.0, to=1.0, generator=None):
    """A tensor of the shape and element type with even numbers of [from_, to); MindSpore has it from 2.3 on."""
    return F.cast(_later_methods.mint.rand(*self.shape, generator=generator) * (to - from_) + from_, self.dtype)


def log_normal(self, mean=1.0, std=2.0):
    """A tensor of the shape and element type with numbers whose logarithms are normal; MindSpore has it from 2.1 on."""
    return F.cast(F.exp(_later_methods.mint.randn(*self.shape) * std + mean), self.dtype)


def to_coo(self):
    """The elements of a matrix that are not 0, a COOTensor; see `ops.dense_to_sparse_coo`."""
    return ops.dense_to_sparse_coo(self)


def to_csr(self):
    """The elements of a matrix that are not 0, a CSRTensor; see `ops.dense_to_sparse_csr`."""
    return ops.dense_to_sparse_csr(self)


_OWN = {name: function for name, function in list(globals().items())
        if callable(function) and getattr(function, "__module__", None) == __name__}
METHODS = {name: getattr(ops, name) for name in _SAME if hasattr(ops, name)} | _OWN
METHODS["view"] = reshape
# What `ops` calls by another name: its functions of the same name change Parameters.
METHODS |= {f"scatter_{word}": getattr(ops, f"tensor_scatter_{word}") for word in ("add", "div", "max", "min", "mul", "sub")}
METHODS = {**_later_methods.NEW, **{name: _later_methods.either(method, *_later_methods.LATER[name]) if name in _later_methods.LATER else method
                                    for name, method in METHODS.items()}}

# What gives Python's numbers, or takes a tensor's.
_OF_TYPES = frozenset("expand is_complex is_floating_point is_signed ndimension nelement numel".split())


@functools.lru_cache(maxsize=None)
def eager_method(name):
    """Returns the method as plain Python calls it, one program as a whole; None when there is none."""
    method = METHODS.get(name)
    if name in _OF_TYPES or not isinstance(method, types.FunctionType):
        return method
    return Whole(method)


def compiled_methods():
    """The methods that compiled code calls by name: the package's, and before them what a program has put into the class."""
    return {**METHODS, **added_methods()}


@functools.lru_cache(maxsize=None)
def by_name(name):
    """What `Tensor.name` is in compiled code, where the package's own method is plain Python's."""
    def method(self, *args, **kwargs):
        return getattr(self, name)(*args, **kwargs)

    return method
