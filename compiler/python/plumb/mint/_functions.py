"""Functions of `plumb.mint`: those of `plumb.ops` with PyTorch's arguments, in the parsable subset.

A `dim` is an int, or where several are allowed a tuple of ints; None stands for all axes.
"""

from plumb import numpy as mnp
from plumb import ops
from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.common.tensor import Tensor
from plumb.ops.function import equations

# -- elements


def add(input, other, *, alpha=1):
    """input + alpha * other."""
    return ops.add(input, other if alpha == 1 else other * alpha)


def sub(input, other, *, alpha=1):
    """input - alpha * other."""
    return ops.sub(input, other if alpha == 1 else other * alpha)


def clamp(input, min=None, max=None):
    """Elements cut to min … max."""
    return ops.clamp(input, min, max)


def round(input, *, decimals=0):
    """Elements rounded to `decimals`, halves to the even side."""
    return ops.round(input) if decimals == 0 else mnp.round(input, decimals)


def exp2(input):
    """2 to the power of the elements."""
    return ops.exp2(input)


def nan_to_num(input, nan=None, posinf=None, neginf=None):
    """NaN and infinities replaced: by 0 and the largest numbers of the type where None."""
    return ops.nan_to_num(input, 0.0 if nan is None else nan, posinf, neginf)


def isnan(input):
    """Whether elements are NaN."""
    return ops.isnan(input)


def gcd(input, other):
    """The greatest common divisors of integers."""
    return ops.gcd(input, other)


def addcdiv(input, tensor1, tensor2, *, value=1):
    """input + value * tensor1 / tensor2."""
    return input + tensor1 / tensor2 * value


def clone(input):
    """A copy of the tensor, through which gradients go."""
    return input.clone()


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether elements are equal within atol + rtol * |other|."""
    return ops.isclose(input, other, rtol, atol, equal_nan)


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are equal within atol + rtol * |other|, a boolean tensor of no axes."""
    return ops.all(ops.isclose(input, other, rtol, atol, equal_nan))


def where(condition, input, other):
    """Elements of input where the condition holds, else of other."""
    return ops.where(condition, input, other)


def masked_fill(input, mask, value):
    """Elements replaced by `value` where the mask holds."""
    return ops.masked_fill(input, mask, value)


def _classes(input, dim):
    """The axis of the classes: `dim`, or by PyTorch's rule the first of 0, 1 and 3 axes, else the second."""
    return (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim


def softmax(input, dim=None, *, dtype=None):
    """exp(input) over its sum along `dim`, by default the first of 0, 1 or 3 axes, else the second; of elements converted to `dtype`."""
    return ops.softmax(_of(input, dtype), _classes(input, dim))


def log_softmax(input, dim=None, *, dtype=None):
    """The logarithm of softmax."""
    return ops.log_softmax(_of(input, dtype), _classes(input, dim))


def fix(input):
    """Elements without their fractions."""
    return ops.trunc(input)


def equal(input, other):
    """Whether two tensors have the same shape and elements, a boolean of Python; not in compiled functions."""
    return input.shape == other.shape and bool(ops.all(ops.equal(input, other)))


def item(input):
    """The one element of a tensor, a number of Python; not in compiled functions."""
    return input.item()


# -- reductions


def _of(input, dtype):
    return input if dtype is None else ops.cast(input, dtype)


def sum(input, dim=None, keepdim=False, *, dtype=None):
    """Sum along `dim`; of integers and booleans int64."""
    return ops.sum(_of(input, dtype), dim, keepdim)


def mean(input, dim=None, keepdim=False, *, dtype=None):
    """Mean along `dim`."""
    return ops.mean(_of(input, dtype), dim, keepdim)


def prod(input, dim=None, keepdim=False, *, dtype=None):
    """Product along `dim`."""
    return ops.prod(_of(input, dtype), dim, keepdim)


def all(input, dim=None, keepdim=False):
    """Whether all elements along `dim` are not 0."""
    return ops.all(ops.cast(input, mstype.bool_), dim, keepdim)


def any(input, dim=None, keepdim=False):
    """Whether any element along `dim` is not 0."""
    return ops.any(ops.cast(input, mstype.bool_), dim, keepdim)


def amax(input, dim=(), keepdim=False):
    """Largest along `dim`."""
    return ops.reduce_max(input, dim, keepdim)


def amin(input, dim=(), keepdim=False):
    """Smallest along `dim`."""
    return ops.reduce_min(input, dim, keepdim)


def argmax(input, dim=None, keepdim=False):
    """Position of the largest along `dim`, int64; in the flattened tensor where None."""
    return ops.cast(ops.argmax(input, dim, keepdim), mstype.int64)


def argmin(input, dim=None, keepdim=False):
    """Position of the smallest along `dim`, int64; in the flattened tensor where None."""
    return ops.cast(ops.argmin(input, dim, keepdim), mstype.int64)


def _extreme(with_index, pairwise, whole, input, dim, keepdim):
    if dim is None:
        return whole(input)
    if isinstance(dim, Tensor):
        return pairwise(input, dim)
    values, indices = with_index(input, dim, keepdim)
    return values, ops.cast(indices, mstype.int64)


def max(input, dim=None, keepdim=False):
    """The largest of all; (values, positions) along an int `dim`; of two tensors, the larger elements."""
    return _extreme(ops.max, ops.maximum, ops.reduce_max, input, dim, keepdim)


def min(input, dim=None, keepdim=False):
    """The smallest of all; (values, positions) along an int `dim`; of two tensors, the smaller elements."""
    return _extreme(ops.min, ops.minimum, ops.reduce_min, input, dim, keepdim)


def median(input, dim=None, keepdim=False):
    """The lower median of all; (values, positions) along an int `dim`."""
    if dim is None:
        return ops.median(ops.reshape(input, (-1,)), 0)[0]
    return ops.median(input, dim, keepdim)


def var(input, dim=None, *, correction=1, keepdim=False):
    """Variance along `dim`; the count less `correction` divides."""
    return ops.var(input, dim, correction, keepdim)


def std(input, dim=None, *, correction=1, keepdim=False):
    """Deviation along `dim`; the count less `correction` divides."""
    return ops.std(input, dim, correction, keepdim)


def var_mean(input, dim=None, *, correction=1, keepdim=False):
    """(variance, mean) along `dim`."""
    return ops.var_mean(input, dim, correction, keepdim)


def std_mean(input, dim=None, *, correction=1, keepdim=False):
    """(deviation, mean) along `dim`."""
    return ops.std_mean(input, dim, correction, keepdim)


def logsumexp(input, dim, keepdim=False):
    """The logarithm of the sum of exponentials along `dim`."""
    return ops.logsumexp(input, dim, keepdim)


def nansum(input, dim=None, keepdim=False, *, dtype=None):
    """Sum along `dim` of what is no NaN."""
    return ops.nansum(input, dim, keepdim, dtype=dtype)


def count_nonzero(input, dim=None):
    """How many elements along `dim` are not 0, int64."""
    return ops.cast(ops.count_nonzero(input, () if dim is None else dim), mstype.int64)


def norm(input, p="fro", dim=None, keepdim=False, *, dtype=None):
    """The p-norm along `dim`: "fro", "nuc", a number or infinity."""
    number = 2 if p == "fro" else p
    if dim is None and p != "nuc":
        input, dim = ops.reshape(input, (-1,)), None
    if p == "nuc":
        return ops.norm(input, p, dim, keepdim, dtype=dtype)
    return ops.vector_norm(input, number, dim, keepdim, dtype=dtype)


# -- scans and orders


def cumsum(input, dim, dtype=None):
    """Running sum along `dim`."""
    return ops.cumsum(input, dim, dtype)


def cumprod(input, dim, dtype=None):
    """Running product along `dim`."""
    return ops.cumprod(input, dim, dtype)


def cummax(input, dim):
    """(running maximum, its position) along `dim`."""
    values, indices = ops.cummax(input, dim)
    return values, ops.cast(indices, mstype.int64)


def cummin(input, dim):
    """(running minimum, its position) along `dim`."""
    values, indices = ops.cummin(input, dim)
    return values, ops.cast(indices, mstype.int64)


def diff(input, n=1, dim=-1, prepend=None, append=None):
    """The n-th differences along `dim`."""
    return ops.diff(input, n, dim, prepend, append)


def sort(input, *, dim=-1, descending=False, stable=False):
    """(elements in order along `dim`, their positions); always stable."""
    values, indices = ops.sort(input, dim, descending)
    return values, ops.cast(indices, mstype.int64)


def argsort(input, dim=-1, descending=False, stable=False):
    """The positions of the elements in order along `dim`; always stable."""
    return ops.cast(ops.argsort(input, dim, descending), mstype.int64)


def topk(input, k, dim=-1, largest=True, sorted=True):
    """(the k largest along `dim`, their positions); the smallest where `largest` is False."""
    values, indices = ops.topk(input, k, dim, largest, sorted)
    return values, ops.cast(indices, mstype.int64)


def kthvalue(input, k, dim=-1, keepdim=False):
    """(the k-th smallest along `dim`, its position, int64); k counts from 1."""
    values, indices = sort(input, dim=dim)
    values, indices = ops.narrow(values, dim, k - 1, 1), ops.narrow(indices, dim, k - 1, 1)
    return (values, indices) if keepdim else (ops.squeeze(values, dim), ops.squeeze(indices, dim))


# -- shapes


def cat(tensors, dim=0):
    """Tensors joined along `dim`."""
    return ops.cat(tensors, dim)


def stack(tensors, dim=0):
    """Tensors joined along a new axis."""
    return ops.stack(tensors, dim)


def split(tensor, split_size_or_sections, dim=0):
    """Parts along `dim`: of one size, or of a list of sizes."""
    return ops.split(tensor, split_size_or_sections, dim)


def chunk(input, chunks, dim=0):
    """At most `chunks` parts of equal size along `dim`."""
    return ops.chunk(input, chunks, dim)


def transpose(input, dim0, dim1):
    """Two axes exchanged."""
    return ops.swapaxes(input, dim0, dim1)


def swapaxes(input, axis0, axis1):
    """Two axes exchanged."""
    return ops.swapaxes(input, axis0, axis1)


def permute(input, dims):
    """Axes in the order of `dims`."""
    return ops.permute(input, dims)


def flatten(input, start_dim=0, end_dim=-1):
    """Axes start_dim … end_dim as one."""
    return ops.flatten(input, start_dim=start_dim, end_dim=end_dim)


def squeeze(input, dim=None):
    """Without the axes of extent 1, or without `dim` where that has extent 1."""
    if dim is None:
        return ops.squeeze(input)
    dims = dim if isinstance(dim, tuple) else (dim,)
    return ops.squeeze(input, tuple([d for d in dims if input.shape[d] == 1]))


def hstack(tensors):
    """Tensors joined along the second axis, vectors along their only one."""
    return ops.hstack(tensors)


def dstack(tensors):
    """Tensors joined along the third axis, which is added where it is missing."""
    return ops.dstack(tensors)


def diag(input, diagonal=0):
    """The matrix that has a vector on its `diagonal`, or that diagonal of a matrix."""
    return mnp.diag(input, diagonal)


def tile(input, dims):
    """The tensor repeated."""
    return ops.tile(input, dims)


def repeat_interleave(input, repeats, dim=None):
    """Each element repeated along `dim`; of the flattened tensor where None."""
    return ops.repeat_interleave(input, repeats, dim)


def narrow(input, dim, start, length):
    """`length` elements from `start` on along `dim`."""
    return ops.narrow(input, dim, start, length)


def select(input, dim, index):
    """The part at `index` of an axis, without it."""
    return ops.squeeze(ops.narrow(input, dim, index if index >= 0 else index + input.shape[dim], 1), dim)


def meshgrid(*tensors, indexing=None):
    """Grids of the coordinates that vectors give, "ij" by default."""
    return ops.meshgrid(*tensors, indexing="ij" if indexing is None else indexing)


def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """Distances of the `p` norm of each row of x1 and each of x2; `compute_mode` is PyTorch's choice of a way, of which there is one here."""
    ways = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist")
    if compute_mode not in ways:
        raise ValueError(f"For 'cdist', 'compute_mode' must be one of {ways}, but got {compute_mode}.")
    return ops.cdist(x1, x2, p)


def movedim(input, source, destination):
    """Axes moved to other places."""
    return ops.movedim(input, source, destination)


# -- lookups


def take(input, index):
    """Elements by their number in order, in the shape of `index`; negative ones count from the end."""
    places = ops.floor_mod(index, input.size)
    return ops.reshape(ops.gather(ops.reshape(input, (-1,)), ops.reshape(places, (-1,)), 0), index.shape)


def gather(input, dim, index):
    """Elements at the positions `index` along `dim`."""
    return ops.gather_elements(input, dim, index)


def index_select(input, dim, index):
    """The parts at `index` of an axis."""
    return ops.index_select(input, dim, index)


def scatter(input, dim, index, src):
    """A copy in which elements at the positions `index` along `dim` are those of `src`, a tensor or a number."""
    values = _first(src, index.shape) if isinstance(src, Tensor) else ops.full(index.shape, src, dtype=input.dtype)
    return ops.tensor_scatter_elements(input, index, values, dim)


def scatter_add(input, dim, index, src):
    """A copy to which `src` is added at the positions `index` along `dim`."""
    return ops.tensor_scatter_elements(input, index, _first(src, index.shape), dim, "add")


def _first(src, shape):
    """The first elements of each axis, as many as `shape` says."""
    return src if src.shape == shape else src[tuple([slice(0, extent) for extent in shape])]


def index_add(input, dim, index, source, *, alpha=1):
    """A copy to which alpha * source is added at the parts `index` of an axis."""
    return ops.index_add(input, ops.cast(index, mstype.int32), source if alpha == 1 else source * alpha, dim)


def nonzero(input, *, as_tuple=False):
    """Positions of the elements that are not 0, int64 [count, axes], or a tensor for each axis; not in compiled functions."""
    return ops.nonzero(input, as_tuple=as_tuple)


@known_as(input="values")
def searchsorted(sorted_sequence, values, *, out_int32=False, right=False, side=None, sorter=None):
    """Where elements would be put in to keep a sequence in order."""
    return ops.searchsorted(sorted_sequence, values, out_int32=out_int32, right=right, side=side, sorter=sorter)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The elements, or slices along `dim`, without those that equal the one before; their numbers and the runs' lengths, int64, if wanted.

    Not in compiled functions.
    """
    found = ops.unique_consecutive(input, return_inverse, return_counts, dim)
    return (found[0],) + tuple([ops.cast(each, mstype.int64) for each in found[1:]]) if return_inverse or return_counts else found


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The elements, or slices along `dim`, each once, and if wanted each one's number among them, and how often each stands there, int64.

    They come in order, whether `sorted` or not. Not in compiled functions.
    """
    if input.size == 0:
        return _unique_of_none(input, return_inverse, return_counts, dim)
    axis = 0 if dim is None else dim
    rows = ops.reshape(input, (-1,)) if dim is None else ops.moveaxis(input, axis, 0)
    order = _order(ops.reshape(rows, (rows.shape[0], -1)))
    values, numbers, counts = ops.unique_consecutive(ops.gather(rows, order, 0), True, True, 0)
    inverse = ops.tensor_scatter_elements(ops.zeros_like(numbers), order, numbers)
    results = (values if dim is None else ops.moveaxis(values, 0, axis),)
    if return_inverse:
        results += (ops.cast(ops.reshape(inverse, input.shape) if dim is None else inverse, mstype.int64),)
    if return_counts:
        results += (ops.cast(counts, mstype.int64),)
    return results if len(results) > 1 else results[0]


def _unique_of_none(input, return_inverse, return_counts, dim):
    """`unique` of a tensor without elements; raises ValueError along an axis where other axes have none, as PyTorch does."""
    if dim is not None and input.shape[dim] != 0:
        raise ValueError(f"For 'unique', a tensor of the shape {input.shape} has no elements in its slices along {dim}")
    counts = ops.zeros((0,), mstype.int64)
    inverse = ops.zeros(input.shape if dim is None else (0,), mstype.int64)
    results = (ops.reshape(input, (-1,)) if dim is None else input,) + (inverse,) * return_inverse + (counts,) * return_counts
    return results if len(results) > 1 else results[0]


def _order(rows):
    """The numbers of a matrix's rows in the order of their elements, those of the first column first."""
    order = ops.arange(rows.shape[0], dtype=mstype.int32)
    for column in range(rows.shape[1] - 1, -1, -1):
        order = ops.gather(order, ops.argsort(ops.gather(rows[:, column], order, 0)), 0)
    return order


def bincount(input, weights=None, minlength=0):
    """How often each number stands there, or the sums of the weights; not in compiled functions."""
    found = ops.bincount(input, weights, minlength)
    return ops.cast(found, mstype.int64) if weights is None else found


# -- products


def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * batch1 @ batch2."""
    return ops.baddbmm(input, batch1, batch2, beta, alpha)


def matmul(input, other):
    """The product of matrices."""
    return ops.matmul(input, other)


def mv(input, vec):
    """The product of a matrix and a vector."""
    return ops.mv(input, vec)


def vdot(input, other):
    """The sum of the products of two vectors' elements, those of the first conjugated."""
    return ops.reduce_sum(ops.mul(ops.conj(input), other), ())


def triangular_solve(b, A, upper=True, transpose=False, unitriangular=False):
    """(X, A) with A @ X = b, of A only the one triangle being read; with A.T in its place if `transpose`.

    Args:
      unitriangular: whether the diagonal counts as ones.
    """
    unit = ops.eye(A.shape[-1], A.shape[-1], A.dtype)
    matrix = A * (1 - unit) + unit if unitriangular else A
    if transpose:  # with `adjoint` complex numbers would be conjugated
        matrix, upper = ops.swapaxes(matrix, -1, -2), not upper
    return equations.triangular_solve(matrix, b, not upper), A


__all__ = [name for name in offered(globals()) if name != "Tensor"]
