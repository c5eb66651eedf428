"""Classes about shapes, places and indices: the compiler's primitives, and tables of functions."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.tensor import Tensor
from plumb.ops import _checks
from plumb.ops import function as f
from plumb.ops.function.padding import pad_all
from plumb.ops.function.folding import columns_to_image
from plumb.ops.function.index import embedding_lookup
from plumb.ops.function.join import split_of
from plumb.ops.function.scatter import inplace_update_at
from plumb.ops.operations.layout_ops import (DynamicShape, Im2Col, InvertPermutation, ListDiff, ParallelConcat, TensorShape,
                                             UnravelIndex)
from plumb.ops._primitive import Composite, Named, Only, Unordered, function_classes, simple_class
from plumb.ops.function import patches, scan, search, sequences

BroadcastTo = simple_class("BroadcastTo", "broadcast_to", [("shape", ...)])
Cast = simple_class("Cast", "cast")
Concat = simple_class("Concat", "concat", [("axis", 0)])
ExpandDims = simple_class("ExpandDims", "expand_dims")
Flatten = simple_class("Flatten", "flatten")
Reshape = simple_class("Reshape", "reshape")
Select = simple_class("Select", "select")
Squeeze = simple_class("Squeeze", "squeeze", [("axis", ())])
Stack = simple_class("Stack", "stack", [("axis", 0)])
Tile = simple_class("Tile", "tile")
Transpose = simple_class("Transpose", "transpose")
Pack = Stack

SHAPE = {
    "BatchToSpaceND": (f.batch_to_space_nd, {"block_shape": ..., "crops": ...}),
    "ChannelShuffle": (f.channel_shuffle, {"group": Named(..., "groups")}),
    "ConjugateTranspose": f.conjugate_transpose,
    "BatchToSpace": (f.batch_to_space_nd, {"block_size": Named(..., "block_shape"), "crops": ...}),
    "Col2Im": (columns_to_image, {"kernel_size": ..., "dilation": 1, "padding": 0, "stride": 1}),
    "Expand": f.expand,
    "ExtractVolumePatches": (patches.extract_volume_patches, {"kernel_size": ..., "strides": ..., "padding": ...}),
    "SpaceToBatch": (f.space_to_batch_nd, {"block_size": ..., "paddings": ...}),
    "SplitV": (split_of, {"size_splits": ..., "split_dim": ..., "num_split": ...}),
    "DepthToSpace": (f.depth_to_space, {"block_size": ...}),
    "Identity": f.identity,
    "MirrorPad": (f.mirror_pad, {"mode": "REFLECT"}),
    "Pad": (pad_all, {"paddings": ...}),
    "Padding": (f.padding, {"pad_dim_size": 8}),
    "ReverseSequence": (f.reverse_sequence, {"seq_dim": ..., "batch_dim": 0}),
    "ReverseV2": (f.reverse, {"axis": ...}),
    "Roll": (f.roll, {"shift": Named(..., "shifts"), "axis": Named(..., "dims")}),
    "SpaceToBatchND": (f.space_to_batch_nd, {"block_shape": Named(..., "block_size"), "paddings": ...}),
    "SpaceToDepth": (f.space_to_depth, {"block_size": ...}),
    "StopGradient": f.stop_gradient,
    "Unpack": (f.unstack, {"axis": 0}),
}

DIAGONALS = {
    "Diag": f.diag,
    "DiagPart": f.diag_part,
    "Diagonal": (f.diagonal, {"offset": 0, "dim1": 0, "dim2": 1}),
    "FillDiagonal": (f.fill_diagonal, {"fill_value": ..., "wrap": False}),
    "MatrixBandPart": f.matrix_band_part,
    "MatrixDiagPartV3": (f.matrix_diag_part, {"align": "RIGHT_LEFT"}),
    "MatrixDiagV3": (f.matrix_diag, {"align": "RIGHT_LEFT"}),
    "MatrixSetDiagV3": (f.matrix_set_diag, {"align": "RIGHT_LEFT"}),
    "Tril": (f.tril, {"diagonal": 0}),
    "Triu": (f.triu, {"diagonal": 0}),
}

CREATION = {
    "Eye": f.eye,
    "Fill": f.fill,
    "Fills": f.fills,
    "LinSpace": f.linspace,
    "LogSpace": (f.logspace, {"steps": 10, "base": 10, "dtype": mstype.float32}),
    "Meshgrid": (f.meshgrid, {"indexing": "xy"}),
    "OneHot": (f.one_hot, {"axis": -1}),
    "Ones": f.ones,
    "OnesLike": f.ones_like,
    "ScalarCast": f.scalar_cast,
    "ScalarToArray": f.scalar_to_array,
    "ScalarToTensor": f.scalar_to_tensor,
    "TrilIndices": (f.tril_indices, {"row": ..., "col": ..., "offset": 0, "dtype": mstype.int32}),
    "TriuIndices": (f.triu_indices, {"row": ..., "col": ..., "offset": 0, "dtype": mstype.int32}),
    "TupleToArray": f.tuple_to_array,
    "Zeros": f.zeros,
    "ZerosLike": f.zeros_like,
}

INDEX = {
    "Coalesce": f.coalesce,
    "Gather": (f.gather, {"batch_dims": 0}),
    "GatherV2": (f.gather, {"batch_dims": 0}),
    "GatherD": f.gather_d,
    "GatherNd": f.gather_nd,
    "IndexFill": f.index_fill,
    "MaskedFill": f.masked_fill,
    "EmbeddingLookup": embedding_lookup,
    "Slice": f.slice,
    "StridedSlice": (f.strided_slice, {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0,
                                       "shrink_axis_mask": 0}),
}

LOCKS = {"use_locking": Unordered(False)}


def replaced_at(x1, x2, indices, accumulate=0):
    """`index_put` with the values before the indices."""
    return f.index_put(x1, indices, x2, accumulate)


SCATTER = {
    "InplaceAdd": (f.inplace_add, {"indices": ...}),
    "InplaceIndexAdd": (f.inplace_index_add, {"axis": ...}),
    "InplaceSub": (f.inplace_sub, {"indices": ...}),
    "InplaceUpdate": (f.inplace_update, {"indices": ...}),
    "InplaceUpdateV2": inplace_update_at,
    "IndexAdd": (f.index_add, {"axis": ..., "use_lock": Unordered(True), "check_index_bound": Only(True)}),
    "IndexPut": (replaced_at, {"accumulate": 0}),
    "MaskedScatter": f.masked_scatter,
    "ScatterNd": f.scatter_nd,
    "ScatterNdUpdate": (f.scatter_nd_update, {"use_locking": Unordered(True)}),
    "ScatterUpdate": (f.scatter_update, {"use_locking": Unordered(True)}),
    "TensorScatterElements": (f.tensor_scatter_elements, {"axis": 0, "reduction": "none"}),
} | {f"Scatter{name}": (getattr(f, f"scatter_{name.lower()}"), LOCKS) for name in (
    "Add", "Div", "Max", "Min", "Mul", "Sub")} | {
        f"ScatterNd{name}": (getattr(f, f"scatter_nd_{name.lower()}"), LOCKS) for name in (
            "Add", "Div", "Max", "Min", "Mul", "Sub")} | {
                f"TensorScatter{name}": getattr(f, f"tensor_scatter_{name.lower()}") for name in (
                    "Add", "Div", "Max", "Min", "Mul", "Sub", "Update")}

SEARCH = {
    "EditDistance": (sequences.edit_distance, {"normalize": True}),
    "InTopK": (f.intopk, {"k": ...}),
    "LowerBound": (search.bound_below, {"out_type": mstype.int32}),
    "MaskedSelect": f.masked_select,
    "NonZero": f.nonzero,
    "NthElement": (search.nth_element, {"reverse": False}),
    "Sort": (f.sort, {"axis": -1, "descending": False}),
    "TopK": (f.top_k, {"sorted": True}),
    "Unique": f.unique,
    "UniqueConsecutive": (search.unique_runs, {"return_idx": False, "return_counts": False, "axis": None}),
    "UniqueWithPad": f.unique_with_pad,
    "UpperBound": (search.bound_above, {"out_type": mstype.int32}),
}

SEGMENTS = {
    "SegmentMax": scan.segment_max,
    "SegmentMean": scan.segment_mean,
    "SegmentMin": scan.segment_min,
    "SegmentProd": scan.segment_prod,
    "SegmentSum": scan.segment_sum,
    "UnsortedSegmentMax": f.unsorted_segment_max,
    "UnsortedSegmentMin": f.unsorted_segment_min,
    "UnsortedSegmentProd": f.unsorted_segment_prod,
    "UnsortedSegmentSum": f.unsorted_segment_sum,
}

globals().update(function_classes(SCATTER | SEARCH | SEGMENTS | INDEX | SHAPE | DIAGONALS | CREATION))


class SearchSorted(Composite):
    """How many elements of sorted sequences are below each value (not above it if `right`), as `dtype`."""

    def __init__(self, dtype=mstype.int64, right=False):
        super().__init__()
        self.dtype, self.right = dtype, right

    def construct(self, sorted_sequence, values):
        """Compiled body."""
        return f.cast(f.searchsorted(sorted_sequence, values, right=self.right), self.dtype)


class FillV2(Composite):
    """Makes a tensor of a shape filled with a tensor of one element."""

    def construct(self, shape, value):
        """Compiled body."""
        extents = tuple(shape.tolist()) if isinstance(shape, Tensor) else shape
        return f.broadcast_to(f.reshape(value, ()), extents)


class Range(Composite):
    """The numbers from `start` to before `limit` in steps of `delta`; raises ValueError when they are more than `maxlen`."""

    def __init__(self, maxlen=1000000):
        super().__init__()
        self.maxlen = maxlen

    def construct(self, start, limit, delta):
        """Compiled body."""
        numbers = f.range(start, limit, delta)
        if numbers.size > self.maxlen:
            raise ValueError(f"For 'Range', there are {numbers.size} numbers, more than 'maxlen', {self.maxlen}")
        return numbers


class RangeV2(Range):
    """`Range` by its newer name."""


class StridedSliceV2(StridedSlice):
    """`StridedSlice` by its newer name."""


class CheckNumerics(Composite):
    """Gives what it takes, a Tensor of floating point; an error where an element is NaN or infinite.

    Raises:
      TypeError: for other element types.
      RuntimeError: where there is such an element; it ends the launch of a compiled function.
    """

    def construct(self, x):
        """Compiled body."""
        if f.any(f.isnan(_checks.floating("CheckNumerics", x))):
            raise RuntimeError("For 'CheckNumerics', the Tensor has NaN among its elements")
        if f.any(f.isinf(x)):
            raise RuntimeError("For 'CheckNumerics', the Tensor has infinite elements")
        return x


class ConcatOffsetV1(Composite):
    """Where each of several tensors begins in their concatenation: of their shapes, vectors of int32 each, a tuple of such vectors.

    The shapes and the axis, a Tensor of one int32, must be known while compiling.
    """

    def construct(self, axis, x):
        """Compiled body."""
        place, rank, start, found = axis.item(), x[0].shape[0], 0, ()
        place = place + rank if place < 0 else place
        for shape in x:
            found = found + (Tensor(tuple([start if axis_of == place else 0 for axis_of in range(rank)]), mstype.int32),)
            start = start + shape.tolist()[place]
        return found


class ScatterAddWithAxis(Composite):
    """A Tensor with updates added at places along an axis, which indices of the updates' shape name; see `tensor_scatter_elements`."""

    def __init__(self, axis=0):
        super().__init__()
        self.axis = axis

    def construct(self, input_x, indices, updates):
        """Compiled body."""
        return f.tensor_scatter_elements(input_x, indices, updates, self.axis, "add")


class Split(Composite):
    """Cuts a tensor into `output_num` slices of one extent along an axis."""

    def __init__(self, axis=0, output_num=1):
        super().__init__()
        self.axis, self.output_num = axis, output_num

    def construct(self, x):
        """Compiled body."""
        return f.chunk(x, self.output_num, self.axis)


class Unstack(Composite):
    """Takes the slices along an axis apart, without it; `num` must be their number when it is given."""

    def __init__(self, axis=0, num=None):
        super().__init__()
        self.axis, self.num = axis, num

    def construct(self, x):
        """Compiled body."""
        if self.num is not None and self.num != x.shape[self.axis]:
            raise ValueError(f"For 'Unstack', 'num' must be {x.shape[self.axis]}, but got {self.num}")
        return f.unstack(x, self.axis)


__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in (
    "CREATION", "Composite", "DIAGONALS", "INDEX", "LOCKS", "Named", "Only", "SCATTER", "SEARCH",
    "SEGMENTS", "SHAPE", "Tensor", "Unordered")]
