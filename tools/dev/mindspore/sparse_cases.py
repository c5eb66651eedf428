"""Cases of sparse operators that MindSpore keeps among its operators' modules alone; as cases.py says.

`primitive(name, …)` makes one from the module of `ops.operations` that has it.
"""

_ENTRIES = "ms.Tensor([[0, 1], [1, 2], [2, 0]], ms.int64)"
_OTHERS = "ms.Tensor([[0, 1], [1, 1], [2, 3]], ms.int64)"
_SHAPE = "ms.Tensor([3, 4], ms.int64)"
_COO, _COO2 = f"{_ENTRIES}, v[:3], {_SHAPE}", f"{_OTHERS}, weights[:3], {_SHAPE}"
_WHOLE = f"{_ENTRIES}, ms.Tensor([4, 1, 4], ms.int64), {_SHAPE}"
_CSR = "ms.Tensor([3, 4], ms.int32), ms.Tensor([0, 4], ms.int32), ms.Tensor([0, 2, 2, 4], ms.int32), ms.Tensor([0, 3, 1, 2], ms.int32), square[:, 0]"
_CSR2 = "ms.Tensor([4, 2], ms.int32), ms.Tensor([0, 3], ms.int32), ms.Tensor([0, 1, 1, 2, 3], ms.int32), ms.Tensor([1, 0, 1], ms.int32), v[:3]"
_ROWS = "ms.Tensor([0, 3, 1], ms.int32), ms.Tensor([0, 0, 2], ms.int32)"
_RUNS = "ms.Tensor([0, 3, 1], ms.int32), ms.Tensor([0, 0, 1], ms.int32)"
_SETS = "ms.Tensor([[2, 2, 0], [2, 3, 1], [0, 2, 2]], ms.int64)"
_UPDATED = "q[:2], ms.Tensor([2, 0], ms.int32)"
_RATES = "ms.Tensor(0.1), ms.Tensor(0.02), ms.Tensor(0.03)"

#: What a primitive is made with and called with, by name.
_CALLS = {
    **{f"SparseSegment{name}": [("", f"square, {_ROWS}")] for name in ("Mean",)},
    **{f"SparseSegment{name}": [("", f"square, {_RUNS}")] for name in ("Sum", "SqrtN")},
    **{f"SparseSegment{name}WithNumSegments": [("", f"square, {_ROWS}, ms.Tensor([4], ms.int32)")] for name in ("Mean", "Sum", "SqrtN")},
    **{f"SparseDenseCwise{name}": [("", f"{_COO}, {dense}") for dense in ("square3 + 4", "weights + 4")] for name in ("Add", "Mul", "Div")},
    **{f"SparseSparse{name}": [("", f"{_COO}, {_COO2}")] for name in ("Maximum", "Minimum")},
    "SparseAdd": [("", f"{_COO}, {_COO2}, ms.Tensor(0.0)")], "SparseReorder": [("", f"ms.Tensor([[2, 1], [0, 3], [0, 1]], ms.int64), v[:3], {_SHAPE}")],
    "SparseAddmm": [("", f"{_ENTRIES}, v[:3], {_SHAPE}, square, other[:3, :1] * row[:5], ms.Tensor([0.5]), ms.Tensor([2.0])")],
    "SparseConcat": [(axis, f"({_ENTRIES}, {_OTHERS}), (v[:3], weights[:3]), ({_SHAPE}, {_SHAPE})") for axis in ("0", "1")],
    "SparseCountSparseOutput": [("", f"{_WHOLE}, ms.Tensor([1.0, 2.0, 3.0])"), ("False, 6", f"{_WHOLE}, ms.Tensor([1.0, 2.0, 3.0])")],
    "SparseFillEmptyRows": [("", f"ms.Tensor([[0, 1], [2, 0]], ms.int64), v[:2], {_SHAPE}, ms.Tensor(5.0)")],
    "SparseReshape": [("", f"{_ENTRIES}, {_SHAPE}, ms.Tensor([2, -1], ms.int64)")],
    "SparseSoftmax": [("", f"ms.Tensor([[0, 1], [0, 3], [2, 0]], ms.int64), v[:3], {_SHAPE}")],
    "SparseToDenseV2": [("", f"{_ENTRIES}, {_SHAPE}, v[:3], ms.Tensor(0.5)")],
    "SparseSplit": [("2", f"ms.Tensor(1, ms.int64), {_COO}")],
    "SparseTensorToCSRSparseMatrix": [("", _COO)], "CSRSparseMatrixToSparseTensor": [("", _CSR)], "CSRSparseMatrixToDense": [("", _CSR)],
    "DenseToCSRSparseMatrix": [("", f"square3, {_ENTRIES}")], "SparseMatrixNNZ": [("", _CSR)], "SparseMatrixTranspose": [("", _CSR)],
    "SparseMatrixSoftmax": [("ms.float32", _CSR)], "SparseMatrixAdd": [("", f"{_CSR}, {_CSR}, ms.Tensor(0.5), ms.Tensor(2.0)")],
    "SparseMatrixMatMul": [("", f"{_CSR}, square"), ("transpose_x1=True", f"{_CSR}, square3")], "SparseMatrixSparseMatMul": [("", f"{_CSR}, {_CSR2}")],
    "DenseToDenseSetOperation": [(f"'{kind}'", f"{_SETS}, {_SETS}[::-1]") for kind in ("a-b", "b-a", "intersection", "union")],
    "DenseToSparseSetOperation": [(f"'{kind}'", f"{_SETS}, {_WHOLE}") for kind in ("a-b", "b-a", "intersection", "union")],
    "SetSize": [("", _WHOLE)], "RaggedTensorToSparse": [("ms.int64", "[ms.Tensor([0, 3, 3, 5, 6], ms.int64)], row[:6]")],
    "RaggedTensorToTensor": [("['ROW_SPLITS']", "ms.Tensor([4, 4], ms.int32), row, ms.Tensor(0.5), [ms.Tensor([0, 3, 3, 5, 7], ms.int32)]")],
    "Sspaddmm": [("", f"{_ENTRIES}.T, v[:3], ms.Tensor([3, 3], ms.int64), {_ENTRIES}.T, weights[:3], ms.Tensor([3, 3], ms.int64), x[:, :3], ms.Tensor(0.5), ms.Tensor(2.0)")],
}

_STATES = {
    "SparseApplyAdagradDA": ("(0, 1, 2)", f"x, y, q, {_UPDATED}, {_RATES}, ms.Tensor(3, ms.int64)"),
    "SparseApplyCenteredRMSProp": ("(0, 1, 2, 3)", "x, y * 0.1, q + 1, p, ms.Tensor(0.1), ms.Tensor(0.9), ms.Tensor(0.8), ms.Tensor(1e-6), " + _UPDATED),
    "SparseApplyProximalGradientDescent": ("(0,)", f"x, {_RATES}, {_UPDATED}"),
}

_MADE = f"ms.COOTensor({_ENTRIES}, v[:3], (3, 4))"
_ROWWISE = "ms.CSRTensor(ms.Tensor([0, 1, 2, 3], ms.int32), ms.Tensor([1, 2, 0], ms.int32), v[:3], (3, 4))"

VALUES = {
    **{name: [f"primitive('{name}'{made and ', ' + made})({inputs})" for made, inputs in texts] for name, texts in _CALLS.items()},
    **{name: [f"states(primitive('{name}'), {places}, {inputs})"] for name, (places, inputs) in _STATES.items()},
    **{f"coo_tensor_get_{part}": [f"ops.coo_tensor_get_{part}({_MADE})"] for part in ("indices", "values", "dense_shape")},
    **{f"csr_tensor_get_{part}": [f"ops.csr_tensor_get_{part}({_ROWWISE})"] for part in ("indptr", "indices", "values", "dense_shape")},
}
