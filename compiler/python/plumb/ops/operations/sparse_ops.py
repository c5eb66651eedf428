"""Classes of sparse tensors that are given as tensors one by one: tables of functions."""

from plumb.common._offers import offered
from plumb.ops import _ragged
from plumb.ops import _sparse_host as host
from plumb.ops import _sparse_matrices as m
from plumb.ops._primitive import function_classes

BY_COORDINATES = {
    "DenseToDenseSetOperation": (host.dense_to_dense_set, {"set_operation": "a-b", "validate_indices": True}),
    "DenseToSparseSetOperation": (host.dense_to_sparse_set, {"set_operation": "", "validate_indices": True}),
    "RaggedTensorToSparse": (_ragged.ragged_to_sparse, {"Tsplits": ...}),
    "RaggedTensorToTensor": (_ragged.ragged_to_tensor, {"row_partition_types": ...}),
    "SetSize": m.set_size,
    "SparseAdd": host.sparse_add,
    "SparseAddmm": m.addmm,
    "SparseConcat": (m.concat, {"concat_dim": 0}),
    "SparseCountSparseOutput": (host.count_output, {"binary_output": False, "minlength": -1, "maxlength": -1}),
    "SparseDenseCwiseAdd": m.dense_cwise_add,
    "SparseDenseCwiseDiv": m.dense_cwise_div,
    "SparseDenseCwiseMul": m.dense_cwise_mul,
    "SparseFillEmptyRows": host.fill_empty_rows,
    "SparseReorder": m.reorder,
    "SparseReshape": m.reshape,
    "SparseSlice": host.sparse_slice,
    "SparseSoftmax": m.softmax,
    "SparseSparseMaximum": host.sparse_maximum,
    "SparseSparseMinimum": host.sparse_minimum,
    "SparseSplit": (host.sparse_split, {"num_split": 1}),
    "SparseTensorDenseAdd": m.tensor_dense_add,
    "SparseTensorDenseMatmul": (m.tensor_dense_matmul, {"adjoint_st": False, "adjoint_dt": False}),
    "SparseToDense": m.to_dense,
    "SparseToDenseV2": (m.to_dense_with, {"validate_indices": True}),
    "Sspaddmm": m.sspaddmm,
}

SEGMENTS = {
    "SparseSegmentMeanWithNumSegments": m.segment_mean_of,
    "SparseSegmentSqrtN": m.segment_sqrt_n,
    "SparseSegmentSqrtNWithNumSegments": m.segment_sqrt_n_of,
    "SparseSegmentSum": m.segment_sum,
    "SparseSegmentSumWithNumSegments": m.segment_sum_of,
}

TRANSPOSITIONS = {"transpose_a": False, "transpose_b": False, "adjoint_a": False, "adjoint_b": False}

IN_ROWS = {
    "CSRSparseMatrixToDense": m.csr_to_dense,
    "CSRSparseMatrixToSparseTensor": m.csr_to_coordinates,
    "DenseToCSRSparseMatrix": m.dense_to_csr,
    "SparseMatrixAdd": host.csr_matrix_add,
    "SparseMatrixMatMul": (m.csr_matmul, {"transpose_x1": False, "transpose_x2": False, "adjoint_x1": False, "adjoint_x2": False,
                                          "transpose_output": False, "conjugate_output": False}),
    "SparseMatrixNNZ": m.csr_nnz,
    "SparseMatrixSoftmax": (m.csr_softmax, {"dtype": ...}),
    "SparseMatrixSparseMatMul": (host.csr_matrix_mm, TRANSPOSITIONS),
    "SparseMatrixTranspose": (m.csr_transpose, {"conjugate": False}),
    "SparseTensorToCSRSparseMatrix": m.coordinates_to_csr,
}

globals().update(function_classes(BY_COORDINATES | SEGMENTS | IN_ROWS))

__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in (
    "BY_COORDINATES", "IN_ROWS", "SEGMENTS", "TRANSPOSITIONS")]
