"""Which function of ours stands for which operator of PyTorch's op_db: by name, or by a mapping of its arguments.

A mapping only renames, reorders and completes arguments as MindSpore's documentation has them; it computes nothing that
the operator is asked to compute, except where PyTorch's operator is defined by others (`rsub`, `trapezoid`'s alias …).
"""

from typing import Callable, NamedTuple, Optional

import torch

import plumb
import plumb.numpy as pnp
from plumb import ops
from plumb.scipy import linalg


class Entry(NamedTuple):
    """A function of ours; PyTorch's where op_db's own is not the same question; whether scalars are no inputs of ours; how far
    PyTorch's values may be from the exact ones."""

    function: Callable
    reference: Optional[Callable] = None
    ranked: bool = False
    slack: float = 0.0


def renamed(function, **names):
    """`function` with keywords that PyTorch spells otherwise; `None` where a default of ours means the same."""
    def mapped(*args, **kwargs):
        return function(*args, **{names.get(name, name): value for name, value in kwargs.items()})

    return mapped


def along(function, keep=None):
    """`function` that calls `dim` an axis."""
    return renamed(function, dim="axis", **({"keepdim": keep} if keep else {}))


def of_real(function):
    """`function`, whose complex numbers without an imaginary part are PyTorch's real ones."""
    return lambda x, *args, **kwargs: ops.real(function(x, *args, **kwargs)) if x.dtype in (plumb.complex64, plumb.complex128) else \
        function(x, *args, **kwargs)


SAME = """acos acosh addbmm addcdiv addcmul addmm addmv baddbmm addr asin asinh atan atan2 atanh atleast_1d atleast_2d
atleast_3d block_diag bmm broadcast_tensors broadcast_to cartesian_prod ceil cholesky chunk clamp column_stack
combinations copysign cos cosh cov cross cummax cummin cumprod cumsum deg2rad diag_embed diagonal diagonal_scatter digamma
dist div|no_rounding_mode div|trunc_rounding div|floor_rounding dot dstack einsum eq erf erfc erfinv exp exp2 expand
expm1 flip fliplr flipud float_power floor fmax fmin fmod frac gcd ge gt heaviside histc hstack hypot inner isclose
isfinite isinf isnan isneginf isposinf isreal kron lcm ldexp le lerp lgamma log log10 log1p log2 logaddexp logaddexp2
logcumsumexp logdet logical_and logical_not logical_or logical_xor logit lt masked_fill masked_scatter masked_select matmul
matrix_exp maximum minimum mm msort mul mv nan_to_num ne neg nextafter outer permute positive pow rad2deg
ravel reciprocal remainder renorm reshape roll round rsqrt sgn sigmoid sign signbit sin sinc sinh sqrt square stack
t tan tanh tile trace tril triu trunc true_divide unsqueeze vstack xlogy bitwise_not bitwise_and bitwise_or bitwise_xor
bitwise_left_shift bitwise_right_shift zeros_like ones_like full_like nonzero argwhere diagflat unflatten i0 lu_unpack
hsplit vsplit dsplit bincount tril_indices triu_indices index_put movedim""".split()

OTHER = {
    "linalg.": "det cross slogdet matrix_power cond cholesky vecdot vander matrix_norm vector_norm multi_dot",
    "special.": "i0e i1 i1e entr zeta",
    "nn.functional.": """relu adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
        adaptive_max_pool2d adaptive_max_pool3d avg_pool1d avg_pool2d avg_pool3d binary_cross_entropy_with_logits
        hardswish soft_margin_loss margin_ranking_loss
        multilabel_soft_margin_loss max_pool1d max_pool2d max_pool3d glu elu prelu celu selu silu hardsigmoid logsigmoid
        mish softsign tanhshrink threshold triplet_margin_loss binary_cross_entropy softshrink hardshrink hardtanh gelu
        relu6 softplus mse_loss grid_sample smooth_l1_loss l1_loss cosine_embedding_loss nll_loss gaussian_nll_loss
        hinge_embedding_loss huber_loss pdist pixel_shuffle pixel_unshuffle kl_div cross_entropy cosine_similarity ctc_loss
        unfold max_unpool1d max_unpool2d max_unpool3d max_unpool1d|grad max_unpool2d|grad max_unpool3d|grad""",
}


def by_name():
    """The operators whose arguments are ours."""
    for name in SAME:
        yield name, getattr(ops, name.split("|")[0])
    for prefix, names in OTHER.items():
        for name in names.split():
            function = getattr(ops, name.split("|")[0], None)
            if function is not None:
                yield prefix + name, function
    for n in range(5):
        yield f"polygamma|polygamma_n_{n}", lambda x, order: ops.polygamma(order, x)
    for p in (1, 3, 5):
        yield f"mvlgamma|mvlgamma_p_{p}", ops.mvlgamma
    for places in ("0", "3", "neg_3"):
        yield f"round|decimals_{places}", pnp.round
    yield "special.polygamma|special_polygamma_n_0", lambda x, order: ops.polygamma(order, x)
    for name in ("bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1"):
        yield "special." + name, getattr(ops, name)
    for name in ("i0", "i1", "k0", "k1"):
        yield "special.modified_bessel_" + name, getattr(ops, "bessel_" + name)
    yield "special.scaled_modified_bessel_k0", ops.bessel_k0e
    yield "special.scaled_modified_bessel_k1", ops.bessel_k1e


def arithmetic():
    """Sums with a factor, and operators with the operands exchanged."""
    yield "add", lambda x, y, alpha=1: ops.add(x, y if alpha == 1 else ops.mul(y, alpha))
    yield "sub", lambda x, y, alpha=1: ops.subtract(x, y, alpha=alpha)
    yield "rsub", lambda x, y, alpha=1: ops.subtract(y, x if alpha == 1 else x * alpha)
    yield "__radd__", lambda x, y: y + x
    yield "__rmul__", lambda x, y: y * x
    yield "__rsub__", lambda x, y: y - x
    yield "__rdiv__", lambda x, y: y / x
    yield "__rmod__", lambda x, y: y % x
    yield "__rpow__", lambda x, y: y ** x
    yield "__rmatmul__", lambda x, y: y @ x
    yield "__rand__", lambda x, y: y & x
    yield "__ror__", lambda x, y: y | x
    yield "__rxor__", lambda x, y: y ^ x
    yield "floor_divide", ops.floor_div
    yield "clamp_max", lambda x, y: ops.minimum(x, y)
    yield "clamp_min", lambda x, y: ops.maximum(x, y)
    yield "max|binary", ops.maximum
    yield "min|binary", ops.minimum
    yield "vdot", lambda x, y: ops.dot(ops.conj(x), y)
    yield "where", lambda x, condition, y: ops.where(condition, x, y)
    yield "linalg.multi_dot", pnp.multi_dot
    yield "einsum", lambda operands, equation: ops.einsum(equation, *operands)
    yield "bincount", lambda x, weights=None, minlength=0: ops.cast(ops.bincount(x, weights, minlength), plumb.int64 if weights is None else plumb.float64)
    yield "cov", ops.cov
    yield "nonzero", lambda x, as_tuple=False: tuple(ops.unbind(ops.nonzero(x), 1)) if as_tuple else ops.nonzero(x)
    yield "addmm|decomposed", ops.addmm
    yield "isin", lambda x, y, assume_unique=False, invert=False: pnp.isin(x, y, invert)
    yield "special.i0e", ops.bessel_i0e
    yield "special.i1e", ops.bessel_i1e
    yield "special.i1", ops.bessel_i1
    yield "narrow_copy", ops.narrow
    yield "histc", lambda x, bins=100, min=0.0, max=0.0: ops.cast(ops.histc(x, bins, float(min), float(max)), x.dtype)
    yield "full_like", lambda x, value, dtype=None, device=None: ops.full_like(x, value, dtype=dtype)
    yield "zeros_like", lambda x, dtype=None, device=None: ops.zeros_like(x, dtype=dtype)
    yield "ones_like", lambda x, dtype=None, device=None: ops.ones_like(x, dtype=dtype)
    yield "tensordot", lambda x, y, dims=2: pnp.tensordot(x, y, dims)
    yield "corrcoef", pnp.corrcoef


def mapped_by(reduce, **fixed):
    """A reduction over `dim`, all axes where it is None."""
    def mapped(x, dim=None, keepdim=False, **kwargs):
        return reduce(x, dim, keepdim, **{**fixed, **kwargs})

    return mapped


def spread(function):
    """A variance or deviation, whose correction PyTorch spells in two ways."""
    def mapped(x, dim=None, unbiased=True, keepdim=False, correction=None):
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        return function(x, dim, int(unbiased) if correction is None else correction, keepdim)

    return mapped


def chosen(with_index, whole):
    """PyTorch's (values, indices) along a dim, or the value alone of all."""
    def mapped(x, dim=None, keepdim=False):
        return whole(x) if dim is None else with_index(x, dim, keepdim)

    return mapped


def largest(x, dim, keepdim):
    """Values and places of the largest."""
    return ops.max(x, dim, keepdim)


def smallest(x, dim, keepdim):
    """Values and places of the smallest."""
    return ops.min(x, dim, keepdim)


def reductions():
    """Reductions, by `dim` and `keepdim`."""
    for name in ("all", "any", "argmax", "argmin", "mean", "nanmean", "nansum", "prod", "sum", "amax", "amin"):
        yield name, mapped_by(getattr(ops, name))
    yield "count_nonzero", lambda x, dim=None: ops.count_nonzero(x, () if dim is None else dim)
    yield "logsumexp", lambda x, dim, keepdim=False: ops.logsumexp(x, dim, keepdim)
    yield "var", spread(ops.var)
    yield "std", spread(ops.std)
    yield "var_mean", spread(ops.var_mean)
    yield "std_mean", spread(ops.std_mean)
    yield "max|reduction_with_dim", largest_of(ops.max)
    yield "min|reduction_with_dim", largest_of(ops.min)
    yield "max|reduction_no_dim", ops.max_all if hasattr(ops, "max_all") else lambda x: ops.reduce_max(x)
    yield "min|reduction_no_dim", lambda x: ops.reduce_min(x)
    yield "median", chosen(ops.median, lambda x: pnp_median(x))
    yield "nanmedian", chosen(ops.nanmedian, lambda x: pnp_median(x))
    yield "aminmax", lambda x, dim=None, keepdim=False: ops.aminmax(x, axis=dim, keepdims=keepdim)
    yield "quantile", lambda x, q, dim=None, keepdim=False: ops.quantile(x, q, dim, keepdim)
    yield "nanquantile", lambda x, q, dim=None, keepdim=False: ops.nanquantile(x, q, dim, keepdim)


def largest_of(function):
    """(values, indices) along a dim."""
    return lambda x, dim, keepdim=False: function(x, dim, keepdim)


def pnp_median(x):
    """The lower median of all elements."""
    return ops.median(x.reshape(-1), 0)[0]


def shapes():
    """Operators that move, join and part."""
    yield "cat", along(ops.cat)
    yield "split", along(ops.split)
    yield "split|list_args", along(ops.split)
    yield "split_with_sizes", along(ops.split)
    yield "tensor_split", along(ops.tensor_split)
    yield "unbind", ops.unbind
    yield "rot90", lambda x, k=1, dims=(0, 1): ops.rot90(x, k, dims)
    yield "squeeze", lambda x, dim=None: ops.squeeze(x, dim) if dim is None or x.shape[dim] == 1 else x
    yield "transpose", ops.swapaxes
    yield "narrow", ops.narrow
    yield "select", lambda x, dim, index: ops.gather(x, index, dim)
    yield "repeat", lambda x, *sizes: ops.tile(x, sizes[0] if isinstance(sizes[0], (tuple, list)) else sizes)
    yield "tile", lambda x, *sizes: ops.tile(x, sizes[0] if isinstance(sizes[0], (tuple, list)) else sizes)
    yield "repeat_interleave", lambda x, repeats, dim=None: ops.repeat_interleave(x, repeats, dim)
    yield "flatten", lambda x, start_dim=0, end_dim=-1: ops.flatten(x, start_dim=start_dim, end_dim=end_dim)
    yield "view", lambda x, *shape: x.view(*shape)
    yield "view_as", lambda x, other: x.view_as(other)
    yield "reshape_as", lambda x, other: x.reshape_as(other)
    yield "expand_as", lambda x, other: x.expand_as(other)
    yield "T", lambda x: x.T
    yield "mT", lambda x: ops.swapaxes(x, -1, -2)
    yield "H", lambda x: ops.conj(ops.transpose(x, (1, 0)) if x.ndim else x)
    yield "mH", ops.adjoint
    yield "clone", lambda x, memory_format=None: x.copy()
    yield "contiguous", lambda x, memory_format=None: ops.identity(x)  # ours lie so always
    yield "diag", lambda x, diagonal=0: pnp.diag(x, diagonal)
    yield "meshgrid|variadic_tensors", lambda *xs, indexing="ij": ops.meshgrid(*xs, indexing=indexing)
    yield "meshgrid|list_of_tensors", lambda xs, indexing="ij": ops.meshgrid(*xs, indexing=indexing)
    yield "select_scatter", ops.select_scatter
    yield "slice_scatter", renamed(ops.slice_scatter, dim="axis")


def kind_of(arguments):
    """The type of numbers that the arguments of `to` name, or that of the tensor among them."""
    for argument in arguments:
        if isinstance(argument, plumb.DType):
            return argument
        if isinstance(argument, plumb.Tensor):
            return argument.dtype
    raise TypeError("no type of numbers")


def lookups():
    """Operators that pick, put and sort."""
    yield "index_select", ops.index_select
    yield "index_fill", ops.index_fill
    yield "index_add", lambda x, dim, index, source, alpha=1: ops.index_add(x, ops.cast(index, plumb.int32), source if alpha == 1 else source * alpha, dim)
    yield "gather", ops.gather_elements
    yield "take_along_dim", lambda x, index, dim=None: pnp.take_along_axis(x, index, dim)
    yield "take", lambda x, index: ops.gather(x.reshape(-1), index, 0)
    yield "scatter_add", lambda x, dim, index, source: ops.tensor_scatter_elements(x, index, source, dim, "add")
    yield "scatter", lambda x, dim, index, source, reduce=None: ops.tensor_scatter_elements(x, index, source, dim, {None: "none", "add": "add", "multiply": "mul"}[reduce])
    yield "__getitem__", lambda x, index: x[index]
    yield "fill", lambda x, value: ops.fills(x, value)
    yield "slice", lambda x, dim=0, start=None, end=None, step=1: x[(slice(None),) * dim + (slice(start, end, step),)]
    yield "to", lambda x, *args, memory_format=None: ops.cast(x, kind_of(args))
    yield "constant_pad_nd", lambda x, pads, value=0: ops.pad(x, pads, "constant", value)
    for mode in ("constant", "reflect", "replicate", "circular"):
        yield "nn.functional.pad|" + mode, lambda x, pads, mode="constant", value=None: ops.pad(x, pads, mode, value)
    yield "sort", lambda x, dim=-1, descending=False, stable=None: ops.sort(x, dim, descending)
    yield "argsort", lambda x, dim=-1, descending=False: ops.argsort(x, dim, descending)
    yield "topk", ops.topk
    yield "diff", along(ops.diff)
    yield "trapz", lambda y, x=None, dim=-1, dx=1.0: ops.trapz(y, x, dim=dim, dx=dx)
    yield "trapezoid", lambda y, x=None, dim=-1, dx=1.0: ops.trapz(y, x, dim=dim, dx=dx)
    yield "searchsorted", lambda x, values, out_int32=False, right=False, side=None, sorter=None: ops.searchsorted(x, values, out_int32=out_int32, right=right)
    yield "bucketize", lambda x, bounds, out_int32=False, right=False: ops.bucketize(x, bounds.asnumpy().tolist(), right=right)


def creations():
    """Tensors of a size and a value."""
    yield "ones", lambda size, dtype=None, device=None: ops.ones(size, dtype or plumb.float32)
    yield "zeros", lambda size, dtype=None, device=None: ops.zeros(size, dtype or plumb.float32)
    yield "eye", lambda n, m=None, dtype=None, device=None, requires_grad=False: ops.eye(n, m, dtype or plumb.float32)
    yield "linspace", lambda start, end, steps, dtype=None, device=None: ops.linspace(start, end, steps)
    yield "logspace", lambda start, end, steps, base=10.0, dtype=None, device=None: ops.logspace(start, end, steps, base, dtype=dtype or plumb.float32)
    yield "arange", lambda *args, dtype=None, device=None: ops.arange(*args, dtype=dtype)
    yield "tril_indices", lambda rows, columns, offset=0, dtype=None, device=None: ops.tril_indices(rows, columns, offset)
    yield "triu_indices", lambda rows, columns, offset=0, dtype=None, device=None: ops.triu_indices(rows, columns, offset)
    yield "new_zeros", lambda x, size, dtype=None, device=None: ops.zeros(size, dtype or x.dtype)
    yield "new_ones", lambda x, size, dtype=None, device=None: ops.ones(size, dtype or x.dtype)
    yield "new_full", lambda x, size, value, dtype=None, device=None: ops.full(size, value, dtype=dtype or x.dtype)


def casts():
    """Conversions by methods of Tensor."""
    kinds = dict(bool="bool_", byte="uint8", char="int8", double="float64", float="float32", half="float16", int="int32",
                 long="int64", short="int16", bfloat16="bfloat16")
    for name, kind in kinds.items():
        if name != "bfloat16":
            yield name, lambda x, memory_format=None, kind=getattr(plumb, kind): ops.cast(x, kind)


def networks():
    """Functions of layers."""
    F = "nn.functional."
    for name in ("softmax", "log_softmax", F + "softmin"):
        function = getattr(ops, name.split(".")[-1])
        yield name, softened(function)
    yield "softmax|with_dtype", softened(ops.softmax)
    yield "log_softmax|dtype", softened(ops.log_softmax)
    yield F + "softmin|with_dtype", softened(ops.softmin)
    yield F + "linear", ops.dense
    yield F + "smooth_l1_loss", lambda x, target, reduction="mean", beta=1.0: ops.smooth_l1_loss(x, target, beta, reduction)
    for n in (1, 2, 3):
        yield F + f"avg_pool{n}d", averaged(getattr(ops, f"avg_pool{n}d"))
    yield F + "conv1d", batched(convolved(ops.conv1d), 3)
    yield F + "conv2d", batched(convolved(ops.conv2d), 4)
    yield F + "layer_norm", normalized
    yield F + "adaptive_max_pool1d", lambda x, size, return_indices=False: ops.adaptive_max_pool1d(x, size)
    yield F + "ctc_loss", lambda x, *args, **kwargs: ops.ctc_loss(ops.log_softmax(x, -1), *args, **kwargs)[0]
    yield F + "multi_margin_loss", of_rows(ops.multi_margin_loss, 1)
    yield F + "multilabel_margin_loss", of_rows(ops.multilabel_margin_loss, 2)
    # op_db's distance is the Euclidean one
    yield F + "triplet_margin_with_distance_loss", lambda a, p, n, distance_function=None, margin=1.0, **kwargs: ops.triplet_margin_loss(a, p, n, margin=float(margin), **kwargs)
    yield F + "leaky_relu", lambda x, negative_slope=0.01: ops.leaky_relu(x, negative_slope)
    yield F + "embedding", lambda table, index: ops.reshape(ops.gather(table, ops.reshape(index, (-1,)), 0), index.shape + table.shape[1:])
    yield F + "triplet_margin_loss", lambda a, p, n, margin=1.0, **kwargs: ops.triplet_margin_loss(a, p, n, margin=float(margin), **kwargs)
    for mode in ("nearest", "linear", "bilinear", "bicubic", "trilinear", "area"):
        yield F + "interpolate|" + mode, lambda x, size=None, scale_factor=None, mode="nearest", align_corners=None: ops.interpolate(x, size, scale_factor, mode, align_corners)
    yield F + "glu", lambda x, dim=-1: ops.glu(x, dim)
    yield F + "one_hot", lambda x, num_classes=-1: ops.one_hot(x, num_classes)
    yield F + "gelu", lambda x, approximate="none": ops.gelu(x, approximate)
    yield F + "batch_norm", lambda x, mean=None, var=None, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5: ops.batch_norm(x, mean, var, weight, bias, training, momentum, eps)
    yield F + "upsample_bilinear", lambda x, size=None, scale_factor=None: ops.interpolate(x, size, scale_factor, "bilinear", True)
    yield F + "upsample_nearest", lambda x, size=None, scale_factor=None: ops.interpolate(x, size, scale_factor, "nearest")


def softened(function):
    """A softmax along `dim`, of the numbers as `dtype` where that is given."""
    def mapped(x, dim, dtype=None):
        return function(x, dim) if dtype is None else function(ops.cast(x, dtype), dim)

    return mapped


def averaged(function):
    """Average pooling whose stride is its window where it is not given."""
    def mapped(x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        more = {} if divisor_override is None else {"divisor_override": divisor_override}
        return function(x, kernel_size, stride or kernel_size, padding, ceil_mode, count_include_pad, **more)

    return mapped


def batched(function, rank):
    """A function of batches, of one element too."""
    def mapped(x, *args, **kwargs):
        return function(x, *args, **kwargs) if x.ndim == rank else ops.squeeze(function(ops.expand_dims(x, 0), *args, **kwargs), 0)

    return mapped


def of_rows(function, rank):
    """A loss of rows of scores, of one row or one score too; targets of a batch have `rank` axes."""
    def mapped(x, target, reduction="mean", **kwargs):
        if x.ndim == 2:
            return function(x, target, reduction=reduction, **kwargs)
        result = function(ops.reshape(x, (1, -1)), ops.reshape(target, (1,) if rank == 1 else (1, -1)), reduction=reduction, **kwargs)
        return ops.reshape(result, ())

    return mapped


def convolved(function):
    """A convolution whose padding is a number or one of the words `same` and `valid`."""
    def mapped(x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        if isinstance(padding, str):
            return function(x, weight, bias, single(stride), padding, 0, single(dilation), groups)
        return function(x, weight, bias, single(stride), "pad", padding, single(dilation), groups)

    return mapped


def single(value):
    """The number in a tuple of one number; anything else as it is."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def normalized(x, shape, weight=None, bias=None, eps=1e-5):
    """Layer normalisation by the operator of the layer."""
    first = x.ndim - len(shape)
    gamma = ops.ones(shape, x.dtype) if weight is None else weight
    beta = ops.zeros(shape, x.dtype) if bias is None else bias
    return ops.LayerNorm(first, first, eps)(x, gamma, beta)[0]


def transposed(function):
    """A transposed convolution."""
    def mapped(x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
        sides = tuple([side for side in padding for _ in (0, 1)]) if isinstance(padding, tuple) else padding
        result = function(x, weight, "pad", sides, stride, dilation, groups, output_padding)
        return result if bias is None else result + ops.reshape(bias, (1, -1) + (1,) * (x.ndim - 2))

    return mapped


def reduced(how):
    """Scattering with a reduction, of which ours starts from the element that is there."""
    def mapped(x, dim, index, source, reduce, include_self=True):
        if not include_self:
            raise ValueError("without the element that is there: not offered")
        return ops.tensor_scatter_elements(x, index, source, dim, how)

    return mapped


def solved_triangular(a, b, upper=True, left=True, unitriangular=False):
    """The solution of a x = b, or of x a = b as that of its transpose."""
    if left:
        return linalg.solve_triangular(a, b, lower=not upper, unit_diagonal=unitriangular)
    transposed = linalg.solve_triangular(ops.swapaxes(a, -1, -2), ops.swapaxes(b, -1, -2), lower=upper, unit_diagonal=unitriangular)
    return ops.swapaxes(transposed, -1, -2)


def solved_by_factors(factors, pivots, b, left=True, adjoint=False):
    """The solution by an LU factorisation, from the left."""
    if adjoint or not left:
        raise ValueError("a transposed system: not offered")
    return ops.lu_solve(b, factors, pivots)


def eigen(x, UPLO="L"):
    """Eigenvalues and vectors without their signs."""
    values, vectors = linalg.eigh(x, lower=UPLO == "L")
    return values, ops.abs(vectors)


def normed(x, p="fro", dim=None, keepdim=False):
    """PyTorch's norm: of all elements as a vector where no dim is given, of matrices for `nuc` alone."""
    if p == "nuc":
        return ops.matrix_norm(x, p, (-2, -1) if dim is None else dim, keepdim)
    return ops.vector_norm(x, 2 if p == "fro" else p, dim, keepdim)


def algebra():
    """Factorisations and solvers."""
    yield "nn.functional.conv_transpose3d", batched(transposed(ops.conv3d_transpose), 5)
    for theirs, ours in (("sum", "add"), ("prod", "mul"), ("amin", "min"), ("amax", "max")):
        yield "scatter_reduce|" + theirs, reduced(ours)
    yield "linalg.solve_triangular", solved_triangular
    yield "triangular_solve", lambda b, a, upper=True, transpose=False, unitriangular=False: linalg.solve_triangular(a, b, trans=int(transpose), lower=not upper, unit_diagonal=unitriangular)
    yield "linalg.eigh", eigen
    yield "linalg.eigvalsh", lambda x, UPLO="L": linalg.eigh(x, lower=UPLO == "L", eigvals_only=True)
    yield "linalg.lu_solve", solved_by_factors
    yield "ormqr", ops.ormqr
    yield "qr", lambda x, some=True: ops.qr(x, "reduced" if some else "complete")
    yield "cholesky_solve", ops.cholesky_solve
    yield "cholesky_inverse", ops.cholesky_inverse
    yield "linalg.inv", ops.inverse
    # an error is an error of ours, not a number beside the result
    yield "linalg.inv_ex", lambda x, check_errors=False: ops.inverse(x)
    yield "linalg.cholesky_ex", lambda x, upper=False, check_errors=False: ops.cholesky(x, upper)
    yield "linalg.solve_ex", lambda a, b, check_errors=False: ops.matrix_solve(a, b) if b.ndim == a.ndim else ops.squeeze(ops.matrix_solve(a, ops.expand_dims(b, -1)), -1)
    yield "gradient", lambda x, spacing=None, dim=None, edge_order=1: pnp.gradient(x, *(() if spacing is None else spacing if isinstance(spacing, tuple) else (spacing,)), axis=dim, edge_order=edge_order)
    yield "linalg.solve", lambda a, b: ops.matrix_solve(a, b) if b.ndim == a.ndim else ops.squeeze(ops.matrix_solve(a, ops.expand_dims(b, -1)), -1)
    yield "linalg.norm", of_real(lambda x, ord=None, dim=None, keepdim=False, dtype=None: ops.norm(x, ord, dim, keepdim, dtype=dtype))
    yield "abs", of_real(ops.abs)
    yield "linalg.matrix_norm", lambda x, ord="fro", dim=(-2, -1), keepdim=False, dtype=None: ops.matrix_norm(x, ord, dim, keepdim, dtype=dtype)
    yield "linalg.vector_norm", lambda x, ord=2, dim=None, keepdim=False, dtype=None: ops.vector_norm(x, ord, dim, keepdim, dtype=dtype)
    yield "linalg.vecdot", lambda x, y, dim=-1: ops.vecdot(x, y, axis=dim)
    yield "linalg.vander", lambda x, N=None: pnp.vander(x, N, increasing=True)
    yield "linalg.pinv", lambda x, hermitian=False, **kwargs: ops.pinv(x, hermitian=hermitian, **kwargs)
    yield "pinverse", lambda x, rcond=None: ops.pinv(x, rtol=rcond)
    yield "linalg.svdvals", lambda x: ops.svd(x, compute_uv=False)
    yield "linalg.qr", lambda x, mode="reduced": ops.qr(x, mode)
    yield "linalg.cross", lambda x, y, dim=-1: ops.cross(x, y, dim)
    yield "linalg.det|singular", ops.det
    yield "linalg.householder_product", ops.orgqr
    yield "svd", lambda x, some=True: positive(ops.svd(x, full_matrices=not some))
    yield "linalg.svd", lambda x, full_matrices=True: positive(ops.svd(x, full_matrices=full_matrices))
    yield "geqrf", ops.geqrf
    yield "lu_solve", ops.lu_solve
    yield "cdist", lambda x, y, p=2.0, mode=None: ops.cdist(x, y, p)
    for name in ("norm", "norm|inf", "norm|fro", "norm|nuc"):
        yield name, normed
    yield "linalg.norm|subgradients_at_zero", of_real(lambda x, ord=None, dim=None, keepdim=False, dtype=None: ops.norm(x, ord, dim, keepdim, dtype=dtype))
    yield "linalg.pinv|hermitian", lambda x, hermitian: ops.pinv((x + ops.swapaxes(x, -1, -2)) / 2, hermitian=hermitian)


def transforms():
    """Fourier transforms, parts of complex numbers, and what else is of complex results."""
    for name in ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "rfft", "irfft", "rfft2", "irfft2", "rfftn", "irfftn", "hfft", "ihfft", "hfft2",
                 "ihfft2", "hfftn", "ihfftn", "fftshift", "ifftshift"):
        yield "fft." + name, getattr(ops, name)
    for name in ("real", "imag", "conj", "angle", "polar", "view_as_real", "igamma", "igammac"):
        yield name, getattr(ops, name)
    yield "conj_physical", ops.conj
    yield "complex", lambda x, y: ops.Complex()(x, y)
    yield "nn.functional.silu|complex", lambda x: x * ops.sigmoid(x)


# Ours have axes of tensors only, where PyTorch's take a scalar as having one (the scalar targets of one loss are no labels).
RANKED = set("""cumsum cumprod cummax cummin logcumsumexp softmax softmax|with_dtype log_softmax log_softmax|dtype argsort sort
topk aminmax index_select index_fill index_add gather scatter scatter_add msort unsqueeze all any amax amin argmax argmin sum
mean nansum nanmean prod var std var_mean std_mean logsumexp max|reduction_with_dim min|reduction_with_dim median nanmedian
quantile nanquantile norm norm|inf norm|fro count_nonzero linalg.vander linalg.vector_norm linalg.norm squeeze mT mH H T
transpose flatten repeat_interleave take_along_dim nn.functional.softmin nn.functional.softmin|with_dtype roll
nn.functional.glu index_put argwhere nonzero nn.functional.hinge_embedding_loss""".split())


def lower(b, factor, upper=False):
    """PyTorch's solution; its gradient counts the half of the factor that the operator does not read."""
    return torch.cholesky_solve(b, factor.triu() if upper else factor.tril(), upper)


def lower_inverse(factor, upper=False):
    """PyTorch's inverse, as above."""
    return torch.cholesky_inverse(factor.triu() if upper else factor.tril(), upper)


def positive(factors):
    """The singular values, and the parts of the factors that do not hang on the choice of signs."""
    s, u, v = factors
    return s, ops.abs(u[..., :s.shape[-1]]), ops.abs(v[..., :s.shape[-1]])


def positive_of(function):
    """PyTorch's, as above."""
    def mapped(*args, **kwargs):
        u, s, v = function(*args, **kwargs)
        return s, u[..., :s.shape[-1]].abs(), v[..., :s.shape[-1]].abs()

    return mapped


def unpooled(function):
    """PyTorch's unpooling, whose gradient at an element that another one overwrites is 0."""
    def mapped(x, indices, *args, **kwargs):
        axes = function.__name__[-2]
        flat = indices.flatten(-int(axes))
        writers = torch.arange(flat.shape[-1]).expand(flat.shape)
        last = torch.zeros((*flat.shape[:-1], int(flat.max()) + 1), dtype=torch.int64).scatter(-1, flat, writers)
        stays = (last.gather(-1, flat) == writers).reshape(x.shape)
        return function(torch.where(stays, x, x.detach()), indices, *args, **kwargs)

    return mapped


def dotted(x, y):
    """A product of which PyTorch's own gives 0 for complex vectors where BLAS returns such otherwise."""
    return (x * y).sum() if x.ndim == y.ndim == 1 else torch.matmul(x, y)


REFERENCES = {
    "dot": dotted, "matmul": dotted, "inner": lambda x, y: dotted(x, y) if x.ndim == y.ndim == 1 else torch.inner(x, y),
    "vdot": lambda x, y: dotted(x.conj(), y), "__rmatmul__": lambda x, y: dotted(y, x),
    **{f"nn.functional.max_unpool{n}d": unpooled(getattr(torch.nn.functional, f"max_unpool{n}d")) for n in (1, 2, 3)},
    # the gradient by one element of a symmetric matrix is the two's, which each library parts as it likes
    "linalg.pinv|hermitian": lambda x, hermitian: torch.linalg.pinv((x + x.mT) / 2, hermitian=hermitian),
    "linalg.inv_ex": lambda x, **kwargs: torch.linalg.inv(x),
    "linalg.cholesky_ex": lambda x, upper=False, **kwargs: torch.linalg.cholesky(x, upper=upper),
    "linalg.solve_ex": lambda a, b, **kwargs: torch.linalg.solve(a, b),
    # the gradient of PyTorch's is 0 within rounding only
    "sgn": lambda x: torch.sgn(x) if x.is_complex() else torch.sign(x),
    "linalg.vecdot": lambda x, y, dim=-1: (x.conj() * y).sum(dim),
    # PyTorch's gradient is right where the inputs are logarithms of probabilities
    "nn.functional.ctc_loss": lambda x, *args, **kwargs: torch.nn.functional.ctc_loss(x.log_softmax(-1), *args, **kwargs),

    "svd": positive_of(torch.svd),
    "linalg.svd": positive_of(lambda *args, **kwargs: (lambda u, s, v: (u, s, v.mT))(*torch.linalg.svd(*args, **kwargs))),

    "cholesky_solve": lower,
    "cholesky_inverse": lower_inverse,
    "__rpow__": lambda x, y: torch.pow(y, x),  # PyTorch's copies its second operand and loses the gradient
    "linalg.eigh": lambda x, UPLO="L": (lambda found: (found[0], found[1].abs()))(torch.linalg.eigh(x, UPLO)),
    "triangular_solve": lambda *args, **kwargs: torch.triangular_solve(*args, **kwargs)[0],
    "nn.functional.adaptive_max_pool1d": lambda x, size, return_indices: torch.nn.functional.adaptive_max_pool1d(x, size),
    "__rmod__": lambda x, y: torch.remainder(y, x),
}


# PyTorch 1.13's Bessel functions above 5 are up to 6e-7 from the integrals that define them; ours are within 1e-15.
SLACK = {"special.bessel_" + name: 1e-6 for name in ("j0", "j1", "y0", "y1")}


def table():
    """All entries by the operator's name."""
    found = {}
    for family in (by_name, arithmetic, reductions, shapes, lookups, creations, casts, networks, algebra, transforms):
        for name, function in family():
            found[name] = Entry(function, REFERENCES.get(name), name in RANKED, SLACK.get(name, 0.0))
    return found
