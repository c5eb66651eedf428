"""Cases of scattering, segments, searching, sorting, scans and windows; as cases.py says.

`state(operation, value, …)` calls an operation with a new parameter of that value first, and gives its result and what
the parameter is afterwards.
"""

_UPDATES = "add div max min mul sub update".split()
_CLASSES = [name.capitalize() for name in _UPDATES]
_TWO = "ms.Tensor([2, 0], ms.int32)"
_NESTED = "ms.Tensor([[2, 1], [0, 1]], ms.int32)"
_PLACES = "ms.Tensor([[2], [0]], ms.int32)"
_PAIRS = "ms.Tensor([[2, 1], [0, 6], [2, 0]], ms.int32)"
_COLUMN = "ms.Tensor([[2], [0], [2]], ms.int32)"
_SORTED = "ms.Tensor([[1, 3, 5, 7], [2, 4, 6, 8.0]])"

FUNCTIONS = {
    **{f"tensor_scatter_{name}": [f"ops.tensor_scatter_{name}(x, {_PLACES}, q[:2])", f"ops.tensor_scatter_{name}(x, {_PAIRS}, p[0, :3])"]
       for name in _UPDATES},
    "tensor_scatter_elements": ["ops.tensor_scatter_elements(x, ms.Tensor([[2, 0, 1]], ms.int32), p[:1, :3])",
                                "ops.tensor_scatter_elements(x, ms.Tensor([[2, 0], [6, 6], [1, 5]], ms.int32), p[:, :2], 1, 'add')"],
    "scatter_nd": [f"ops.scatter_nd({_COLUMN}, x, (4, 7))", f"ops.scatter_nd({_PAIRS}, p[0, :3], (3, 7))"],
    "scatter": ["ops.scatter(x, 1, ms.Tensor([[2, 0], [6, 4], [1, 5]], ms.int32), p[:, :2])"],
    "index_put": ["ops.index_put(x, [ms.Tensor([2, 0], ms.int32), ms.Tensor([1, 6], ms.int32)], p[0, :2])",
                  "ops.index_put(x, [ms.Tensor([2, 2], ms.int32), ms.Tensor([1, 1], ms.int32)], p[0, :2], 1)"],
    "inplace_add": ["ops.inplace_add(x, q[:2], (2, 0))"], "inplace_sub": ["ops.inplace_sub(x, q[:2], (2, 0))"],
    "inplace_update": ["ops.inplace_update(x, q[:2], (2, 0))", "ops.inplace_update(x, q[:1], 1)"],
    "masked_scatter": ["ops.masked_scatter(x, b, p)"],
    "select_scatter": ["ops.select_scatter(x, row, 0, 1)", "ops.select_scatter(t, u[:, :3, 0], 2, 3)"],
    "slice_scatter": ["ops.slice_scatter(x, p[:, :2], 1, 2, 6, 2)"],
    "diagonal_scatter": ["ops.diagonal_scatter(square, weights)", "ops.diagonal_scatter(x, row[:3], 2)"],
    **{f"unsorted_segment_{name}": [f"ops.unsorted_segment_{name}(square, ids, 3)"] for name in ("max", "min", "prod", "sum")},
    "sort": ["ops.sort(t)[0]", "ops.sort(t, 1)[1]", "ops.sort(t, 0, True)[0]", "ops.sort(t, -1, True)[1]"],
    "argsort": ["ops.argsort(t)", "ops.argsort(t, 1, True)"], "msort": ["ops.msort(t)"],
    "topk": ["ops.topk(x, 3)[0]", "ops.topk(x, 3)[1]", "ops.topk(x, 2, 0, False)[0]", "ops.topk(x, 2, 0, False)[1]"],
    "top_k": ["ops.top_k(x, 3)[0]", "ops.top_k(x, 3)[1]"],
    "searchsorted": [f"ops.searchsorted({_SORTED}, ms.Tensor([[3, 6, 9.0], [3, 6, 9]]))",
                     f"ops.searchsorted({_SORTED}, ms.Tensor([[3, 6, 9.0], [3, 6, 9]]), out_int32=True, right=True)"],
    "bucketize": ["ops.bucketize(x, [-0.5, 0.0, 0.35])", "ops.bucketize(n, [-2, 3, 4], right=True)"],
    "median": ["ops.median(x, 1)[0]", "ops.median(t, 0)[0]", "ops.median(t, 1, True)[1]"],
    "nanmedian": ["ops.nanmedian(x)[0]", "ops.nanmedian(t, 1, True)[1]"],
    "nanmean": ["ops.nanmean(t)", "ops.nanmean(t, 1, True)", "ops.nanmean(ops.log(x), 1)"],
    "quantile": ["ops.quantile(x, 0.3)", "ops.quantile(x, ms.Tensor([0.2, 0.9]), 1)", "ops.quantile(t, 0.5, 1, True)"],
    "nanquantile": ["ops.nanquantile(x, 0.3)", "ops.nanquantile(x, ms.Tensor([0.2, 0.9]), 1, True)"],
    "intopk": ["ops.intopk(scores, labels, 2)"],
    "cumsum": ["ops.cumsum(t, 1)", "ops.cumsum(n, 0)", "ops.cumsum(t, -1, ms.float16)"],
    "cumprod": ["ops.cumprod(t, 1)", "ops.cumprod(p, 0, ms.float16)"],
    "cummax": ["ops.cummax(t, 1)[0]", "ops.cummax(t, -1)[1]"], "cummin": ["ops.cummin(t, 0)[0]", "ops.cummin(t, 2)[1]"],
    "logcumsumexp": ["ops.logcumsumexp(t, 1)"],
    "diff": ["ops.diff(x)", "ops.diff(t, 2, 1)", "ops.diff(x, 1, 0, y[:1], p[:2])"],
    "histc": ["ops.histc(x, 5, -0.7, 0.6)", "ops.histc(x, 4)"], "bincount": ["ops.bincount(ids)", "ops.bincount(ids, square[:, 0], 6)"],
    "trapz": ["ops.trapz(x)", "ops.trapz(t, dx=0.3, dim=1)", "ops.trapz(x, p)"],
    "nonzero": ["ops.nonzero(n)"], "argwhere": ["ops.argwhere(b)"],
}

_BOUNDS = f"{_SORTED}, ms.Tensor([[3, 6, 9.0], [3, 6, 9]])"

PRIMITIVES = {
    **{f"TensorScatter{name}": [f"ops.TensorScatter{name}()(x, {_PLACES}, q[:2])"] for name in _CLASSES},
    "TensorScatterElements": ["ops.TensorScatterElements(1, 'add')(x, ms.Tensor([[2, 0], [6, 6], [1, 5]], ms.int32), p[:, :2])"],
    "ScatterNd": [f"ops.ScatterNd()({_COLUMN}, x, (4, 7))"],
    "IndexPut": ["ops.IndexPut(1)(x, p[0, :2], [ms.Tensor([2, 2], ms.int32), ms.Tensor([1, 1], ms.int32)])"],
    "InplaceAdd": ["ops.InplaceAdd((2, 0))(x, q[:2])"], "InplaceSub": ["ops.InplaceSub((2, 0))(x, q[:2])"],
    "InplaceUpdate": ["ops.InplaceUpdate((2, 0))(x, q[:2])"],
    "InplaceUpdateV2": [f"ops.operations.array_ops.InplaceUpdateV2()(x, {_TWO}, q[:2])"],
    "MaskedScatter": ["ops.MaskedScatter()(x, b, p)"],
    **{f"UnsortedSegment{name}": [f"ops.UnsortedSegment{name}()(square, ids, 3)"] for name in ("Max", "Min", "Prod", "Sum")},
    **{f"Segment{name}": [f"ops.Segment{name}()(square, ms.Tensor([0, 0, 1, 2], ms.int32))"]
       for name in ("Max", "Min", "Prod", "Sum", "Mean")},
    "Sort": ["ops.Sort()(t)[0]", "ops.Sort(0, True)(t)[1]"], "TopK": ["ops.TopK()(x, 3)[0]", "ops.TopK(True)(x, 3)[1]"],
    "SearchSorted": [f"ops.SearchSorted()({_BOUNDS})"],
    "LowerBound": [f"ops.LowerBound()({_BOUNDS})"], "UpperBound": [f"ops.UpperBound(ms.int64)({_BOUNDS})"],
    "Bucketize": ["ops.Bucketize([-0.5, 0.0, 0.35])(x)"], "InTopK": ["ops.InTopK(2)(scores, labels)"],
    "NthElement": ["ops.NthElement()(x, ms.Tensor(2, ms.int32))", "ops.NthElement(True)(x, ms.Tensor(2, ms.int32))"],
    "Median": ["ops.Median(False, 1)(x)[0]", "ops.Median(True)(x)[0]", "ops.Median()(t)[0]"],
    "Quantile": ["ops.Quantile(1, True)(x, ms.Tensor([0.2, 0.9]))"],
    "CumSum": ["ops.CumSum()(t, 1)", "ops.CumSum(True, True)(t, 2)"], "CumProd": ["ops.CumProd()(t, 1)", "ops.CumProd(True)(t, 2)"],
    "Cummax": ["ops.Cummax(1)(t)[0]"], "Cummin": ["ops.Cummin(0)(t)[0]"],
    "CumulativeLogsumexp": ["ops.CumulativeLogsumexp()(t, ms.Tensor(1))", "ops.CumulativeLogsumexp(True, True)(t, ms.Tensor(2))"],
    "Histogram": ["ops.Histogram(5, -0.7, 0.6)(x)"],
    "HistogramFixedWidth": ["ops.HistogramFixedWidth(5)(x, ms.Tensor([-0.7, 0.6]))"],
    "Bincount": ["ops.Bincount()(ids, ms.Tensor(5, ms.int32), square[:, 0])"],
    "CountNonZero": ["ops.CountNonZero()(n)", "ops.CountNonZero([1])(n)"], "NonZero": ["ops.NonZero()(n)"],
    "EmbeddingLookup": ["ops.EmbeddingLookup()(x, ids, 0)", "ops.EmbeddingLookup()(x, ids + 2, 2)"],
    "StridedSlice": ["ops.StridedSlice()(t, (0, 1, 0), (2, 3, 5), (1, 1, 2))", "ops.StridedSlice(1, 2, 0, 0, 4)(t, (1, 0, 2), (2, 1, 5), (1, 1, 1))"],
    "ReverseSequence": ["ops.ReverseSequence(1)(x, ms.Tensor([1, 2, 3]))"],
}

#: Expressions of host functions: values alone.
VALUES = {
    **{f"scatter_{name}": [f"state(ops.scatter_{name}, x, {_TWO}, q[:2])", f"state(ops.scatter_{name}, x, {_NESTED}, t[:, :2, :1] * p[:2, None])"]
       for name in _UPDATES},
    **{f"scatter_nd_{name}": [f"state(ops.scatter_nd_{name}, x, {_PLACES}, q[:2])"] for name in _UPDATES},
    **{f"Scatter{name}": [f"state(ops.Scatter{name}(), x, {_TWO}, q[:2])"] for name in _CLASSES},
    **{f"ScatterNd{name}": [f"state(ops.ScatterNd{name}(), x, {_PAIRS}, p[0, :3])"] for name in _CLASSES},
    "index_add": [f"state(ops.index_add, x, {_TWO}, p[:, :2], 1)", f"state(ops.index_add, x, {_TWO}, p[:2], 0, False, False)"],
    "IndexAdd": [f"state(ops.IndexAdd(1), x, {_TWO}, p[:, :2])"],
    "inplace_index_add": [f"state(ops.inplace_index_add, x, {_TWO}, p[:2], 0)"],
    "InplaceIndexAdd": [f"state(ops.InplaceIndexAdd(0), x, {_TWO}, p[:2])"],
    "assign": ["state(ops.assign, x, y)"], "Assign": ["state(ops.Assign(), x, y)"],
    "assign_add": ["state(ops.assign_add, x, y)"], "AssignAdd": ["state(ops.AssignAdd(), x, y)"],
    "assign_sub": ["state(ops.assign_sub, x, y)"], "AssignSub": ["state(ops.AssignSub(), x, y)"],
    "unique": ["ops.unique(n)", "ops.unique(ids)"], "Unique": ["ops.Unique()(ids)"],
    "unique_consecutive": ["ops.unique_consecutive(ids)", "ops.unique_consecutive(ids, True, True)"],
    "UniqueConsecutive": ["ops.UniqueConsecutive(True, True)(ids)"],
    "unique_with_pad": ["ops.unique_with_pad(ids, 9)"], "UniqueWithPad": ["ops.UniqueWithPad()(ids, 9)"],
    "masked_select": ["ops.masked_select(x, b)", "ops.masked_select(row, b)"], "MaskedSelect": ["ops.MaskedSelect()(x, b)"],
    **{f"{name}_window": [f"ops.{name}_window(9)", f"ops.{name}_window(8, False)", f"ops.{name}_window(1)"]
       for name in "bartlett blackman hamming hann kaiser".split()},
    **{f"{name}Window": [f"ops.{name}Window()(ms.Tensor(9, ms.int32))", f"ops.{name}Window(False)(ms.Tensor(8, ms.int32))"]
       for name in "Bartlett Blackman Hamming".split()},
}

METHODS = {
    **{f"scatter_{name}": [f"x.scatter_{name}({_PLACES}, q[:2])"] for name in ("add", "div", "max", "min", "mul", "sub")},
    "index_add": [f"x.index_add(1, {_TWO}, p[:, :2])"], "searchsorted": [f"{_SORTED}[0].searchsorted(x)", f"{_SORTED}[0].searchsorted(x, 'right')"],
    "choose": ["ids.choose([weights, weights * 2, weights * 3])"], "masked_select": ["x.masked_select(b)"],
    "unique_consecutive": ["ids.unique_consecutive(True, True)"], "unique_with_pad": ["ids.unique_with_pad(9)"],
    "median": ["x.median()[0]", "x.median(1)[0]", "x.median(0, True)[1]"], "histc": ["x.histc(5, -0.7, 0.6)"],
    "sort": ["t.sort()[0]", "t.sort(1, True)[1]"], "argsort": ["t.argsort(1, True)"], "index_put": [
        "x.index_put((ms.Tensor([2, 0], ms.int32), ms.Tensor([1, 6], ms.int32)), p[0, :2])"],
    "diff": ["x.diff()", "t.diff(2, 1)"], "inplace_update": ["x.inplace_update(q[:2], (2, 0))"],
    "bincount": ["ids.bincount()", "ids.bincount(square[:, 0], 6)"],
}
