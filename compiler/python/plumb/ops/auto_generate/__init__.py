"""`mindspore.ops.auto_generate` of 2.3 and later: classes with PyTorch's arguments ("Ext"), and those of `plumb.ops` besides.

Settings are inputs: `AddExt()(x, y, alpha)`. Random classes take no seed here; `mint` has their functions.
"""

from plumb import mint, ops
from plumb.common._offers import not_offered
from plumb.mint.nn import functional
from plumb.ops._primitive import function_classes

_ON_ASCEND = "it is a kernel of Ascend devices, for large language models' inference: compose it of operators"
_RANDOM = "it takes the state of a device's generator: call the function of mint of this name, which draws from the program's stream"


def _add(input, other, alpha=1):
    """input + alpha * other."""
    return mint.add(input, other, alpha=alpha)


def _sub(input, other, alpha=1):
    """input - alpha * other."""
    return mint.sub(input, other, alpha=alpha)


def _sum(input, dim=None, keepdim=False, dtype=None):
    """The sum over the axes `dim`; None is all."""
    return mint.sum(input, dim, keepdim, dtype=dtype)


def _mean(input, dim=None, keepdim=False, dtype=None):
    """The mean over the axes `dim`; None is all."""
    return mint.mean(input, dim, keepdim, dtype=dtype)


def _prod(input, dim=None, keepdim=False, dtype=None):
    """The product over the axis `dim`; None is all."""
    return mint.prod(input, dim, keepdim, dtype=dtype)


def _sort(input, dim=-1, descending=False, stable=False):
    """Elements in order along an axis, and their positions."""
    return mint.sort(input, dim=dim, descending=descending, stable=stable)


def _zeros_like(input, dtype=None):
    """Zeros of a tensor's shape."""
    return mint.zeros_like(input, dtype=dtype)


def _ones_like(input, dtype=None):
    """Ones of a tensor's shape."""
    return mint.ones_like(input, dtype=dtype)


def _one_hot(tensor, num_classes, on_value, off_value, axis=-1):
    """Rows with `on_value` at the number of the class."""
    return ops.one_hot(tensor, num_classes, on_value, off_value, axis)


def _swiglu(input, dim=-1):
    """SiLU of one half of the elements along an axis, times the other half (Shazeer 2020)."""
    gate, other = mint.chunk(input, 2, dim)
    return functional.silu(gate) * other


def _same(input):
    """The tensor."""
    return input


def _copy(input):
    """A tensor of equal elements."""
    return input.copy()


def _add_scaled_quotient(input, tensor1, tensor2, value=1):
    """input + value * tensor1 / tensor2."""
    return mint.addcdiv(input, tensor1, tensor2, value=value)


def _repeat_each(input, repeats, dim=None, output_size=None):
    """Elements along an axis, each as often; None is the tensor as one row."""
    return mint.repeat_interleave(input, repeats, dim)


def _new_zeros(input, size, dtype=None):
    """Zeros of a shape, of a tensor's element type by default."""
    return mint.zeros(size, dtype=input.dtype if dtype is None else dtype)


def _new_ones(input, size, dtype=None):
    """Ones of a shape, of a tensor's element type by default."""
    return mint.ones(size, dtype=input.dtype if dtype is None else dtype)


def _strided(input, dim, start, end, step):
    """Every `step`-th part of an axis from `start` to before `end`."""
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)]


def _einsum(equation, operands):
    """Einstein's sum of a tuple of tensors."""
    return ops.einsum(equation, *operands)


globals().update(function_classes({
    "AddExt": _add, "SubExt": _sub, "SumExt": _sum, "MeanExt": _mean, "ProdExt": _prod, "MatMulExt": mint.matmul,
    "BatchMatMulExt": mint.bmm, "StackExt": (mint.stack, {"dim": 0}), "TopkExt": mint.topk, "SortExt": _sort, "CumsumExt": mint.cumsum,
    "OneHotExt": (_one_hot, {"axis": -1}), "SplitWithSize": mint.split, "SplitTensor": mint.split, "ZerosLikeExt": _zeros_like,
    "OnesLikeExt": _ones_like, "MaxDim": mint.max, "MinDim": mint.min, "Swiglu": _swiglu, "SiLU": functional.silu,
    "GeluExt": functional.gelu, "Outer": mint.outer, "FmodScalar": mint.fmod, "FmodTensor": mint.fmod, "IndexSelect": mint.index_select,
    "Clone": _copy, "Copy": _copy, "Contiguous": _same, "ArgMaxExt": mint.argmax,
    "ArgMinExt": mint.argmin, "AnyExt": mint.any, "FlattenExt": mint.flatten, "LayerNormExt": functional.layer_norm,
    "EluExt": (functional.elu, {"alpha": 1.0}), "LeakyReLUExt": functional.leaky_relu, "SoftplusExt": functional.softplus,
    "LogSoftmaxExt": functional.log_softmax, "L1LossExt": functional.l1_loss, "MSELossExt": functional.mse_loss,
    "Conv2DExt": functional.conv2d, "Dense": functional.linear, "Muls": mint.mul, "Divs": mint.div, "Chunk": mint.chunk,
    "Narrow": mint.narrow, "PowTensorScalar": mint.pow, "ClampScalar": mint.clamp, "ClampTensor": mint.clamp, "TrilExt": mint.tril,
    "Atan2Ext": mint.atan2, "AcosExt": mint.acos, "AsinExt": mint.asin, "AtanExt": mint.atan, "AcoshExt": mint.acosh,
    "AsinhExt": mint.asinh, "AddcdivExt": _add_scaled_quotient, "LogSumExp": mint.logsumexp, "RepeatInterleaveInt": _repeat_each,
    "RemainderTensorScalar": mint.remainder, "RemainderTensorTensor": mint.remainder, "SelectV2": mint.where, "View": ops.reshape,
    "BroadcastToView": ops.broadcast_to, "ExpandDimsView": ops.expand_dims, "NarrowView": mint.narrow, "SelectExtView": mint.select,
    "SliceExtView": _strided, "TransposeExtView": mint.transpose, "TransposeView": ops.transpose, "NewOnes": _new_ones,
    "NewZeros": _new_zeros, "TExt": mint.t, "MatrixInverseExt": mint.inverse, "DiagExt": mint.diag, "EinsumExt": _einsum,
}))

_missing = not_offered(__name__, instead={
    **dict.fromkeys("""ApplyRotaryPosEmb FlashAttentionScore FusedAddTopKDiv FusedInferAttentionScore GenerateEodMaskV2 GroupedMatmul
        GroupedMatmulV2 GroupedMatmulV4 IncreFlashAttention KVCacheScatterUpdate MoeComputeExpertTokens MoeDistributeCombine
        MoeDistributeDispatch MoeFinalizeRouting MoeGatingTopKSoftmax MoeInitRouting MoeInitRoutingV2 MoeTokenPermute MoeTokenUnpermute
        PagedAttention PagedAttentionMask PromptFlashAttention QuantBatchMatmul ReshapeAndCache RotaryPositionEmbedding
        WeightQuantBatchMatmul apply_rotary_pos_emb_ flash_attention_score fused_infer_attention_score grouped_matmul paged_attention
        reshape_and_cache weight_quant_batch_matmul pyboost_inner_prim""".split(), _ON_ASCEND),
    **dict.fromkeys("BernoulliExt DropoutExt MultinomialExt RandExt RandInt RandLikeExt Randn RandnLike RandpermExt UniformExt".split(),
                    _RANDOM),
})


# Functions by the names that MindSpore's own code calls them by.
new_ones, new_zeros, select_ext_view, transpose_ext_view = _new_ones, _new_zeros, mint.select, mint.transpose
clamp_scalar = clamp_tensor = mint.clamp


def __getattr__(name):
    offered = getattr(ops, name, None) if name.endswith("_ext") else vars(ops).get(name)
    return _missing(name) if offered is None or name.startswith("_") else offered
