"""Cases of sparse tensors, factorisations, normalisation by functions and optimizers as operators; as cases.py says."""

_UNARY = """abs asin asinh atan atanh ceil cos cosh exp expm1 floor inv isfinite isinf isnan log log1p neg relu relu6 round sigmoid sin
    sinh softsign sqrt square tan tanh acos acosh""".split()
_COO = "ms.COOTensor(ms.Tensor([[0, 1], [1, 2], [2, 0]], ms.int32), ops.abs(v[:3]) * {scale}, (3, 4))"
_COO_LONG = "ms.COOTensor(ms.Tensor([[0, 1], [1, 2], [2, 0]], ms.int64), v[:3], (3, 4))"
_CSR = "ms.CSRTensor(ms.Tensor([0, 1, 2, 3], ms.int32), ms.Tensor([1, 2, 0], ms.int32), ops.abs(v[:3]) * {scale}, (3, 4))"
_PLUS = {"acosh": "+ 1.5"}


def _sparse(form, name):
    """A sparse tensor on which a function is defined."""
    return form.format(scale=f"0.3 {_PLUS.get(name, '')}")


_PROBABILITIES = "ops.log_softmax(steps, 2)"
_LABELLED = "ms.Tensor([[1, 2, 2], [3, 1, 0]], ms.int32), ms.Tensor([6, 5], ms.int32), ms.Tensor([3, 2], ms.int32)"
_CTC = [f"{{0}}({_PROBABILITIES}, {_LABELLED}, {arguments})[0]" for arguments in ("0, 'none'", "0, 'mean'", "0, 'sum', True", "4, 'none'")]
_MARKED = "ms.Tensor([[0, 0], [0, 1], [1, 0]], ms.int64), ms.Tensor([1, 2, 3], ms.int32), ms.Tensor([6, 5], ms.int32)"
_INDICES, _SHAPE = "ms.Tensor([[0, 1], [1, 2], [2, 0]], ms.int64)", "ms.Tensor([3, 4], ms.int64)"

FUNCTIONS = {
    "qr": ["ops.qr(definite)[1]"], "svd": ["ops.svd(definite)[0]", "ops.svd(x)[0]"], "pinv": ["ops.pinv(definite)"],
    "geqrf": ["ops.geqrf(definite)[0]"], "matrix_exp": ["ops.matrix_exp(definite * 0.3)"],
    "lrn": ["ops.lrn(images)", "ops.lrn(images, 3, 2.0, 0.5, 0.7)"],
    **{name: [text.format(f"ops.{name}") for text in _CTC] for name in ("ctc_loss",)},
    "ctc_greedy_decoder": [f"ops.ctc_greedy_decoder({_PROBABILITIES}, ms.Tensor([6, 5], ms.int32){more})[{i}]" for more in ("", ", False") for i in range(4)],
    "sparse_segment_mean": ["ops.sparse_segment_mean(square, ms.Tensor([0, 3, 1], ms.int32), ms.Tensor([0, 0, 2], ms.int32))"],
    "coo2csr": ["ops.coo2csr(ms.Tensor([0, 0, 2], ms.int32), 4)"], "csr2coo": ["ops.csr2coo(ms.Tensor([0, 2, 2, 3], ms.int32), 3)"],
    "csr_gather": ["ops.csr_gather(ms.Tensor([0, 1, 2], ms.int32), ms.Tensor([1, 3], ms.int32), square3[:2], (2, 4))"],
    "batch_norm": ["ops.batch_norm(images, ms.Tensor([0.1, -0.2, 0.3, 0.4]), ms.Tensor([0.6, 1.2, 0.8, 1.5]), channels, weights)"],
}

PRIMITIVES = {
    "Qr": ["ops.Qr()(definite)[1]"], "Svd": ["ops.Svd()(definite)[0]"],
    "CTCLoss": [f"ops.CTCLoss({arguments})({inputs}, {_MARKED})[{i}]" for arguments, inputs in (("", "steps"), ("False, False", "steps")) for i in (0, 1)],
    "CTCLossV2": [f"ops.CTCLossV2({arguments})({_PROBABILITIES}, {_LABELLED})[{i}]" for arguments in ("", "4") for i in (0, 1)],
    "CTCGreedyDecoder": [f"ops.CTCGreedyDecoder()({_PROBABILITIES}, ms.Tensor([6, 5], ms.int32))[{i}]" for i in range(4)],
    "SparseToDense": [f"ops.SparseToDense()({_INDICES}, v[:3], (3, 4))"],
    "SparseTensorDenseAdd": [f"ops.SparseTensorDenseAdd()({_INDICES}, v[:3], {_SHAPE}, square3)"],
    "SparseTensorDenseMatmul": [f"ops.SparseTensorDenseMatmul()({_INDICES}, v[:3], (3, 4), square)",
                                f"ops.SparseTensorDenseMatmul(True, True)({_INDICES}, v[:3], (3, 4), other)"],
    "LSTM": [f"ops.LSTM(8, 4, 1, True, False, 0.0)(sequence, square3[None], square3[None] * 0.5, packed)[{i}]" for i in (0, 1, 2)],
    "LRN": ["ops.LRN()(images)", "ops.LRN(3, 2.0, 0.5, 0.7)(images)"],
    "LayerNorm": ["ops.LayerNorm(2, 2)(sequence, ops.ones((8,), ms.float32), ops.zeros((8,), ms.float32))[0]"],
    "BatchNorm": ["ops.BatchNorm()(images, weights, channels, ms.Tensor([0.1, -0.2, 0.3, 0.4]), ms.Tensor([0.6, 1.2, 0.8, 1.5]))[0]"],
}

VALUES = {
    **{f"csr_{name}": [f"ops.csr_{name}({_sparse(_CSR, '')}, {inputs}){more}" for inputs in texts] for name, texts, more in (
        ("mul", ("square3 + 3", "weights"), ""), ("div", ("square3 + 3", "weights"), ""), ("reduce_sum", ("1",), ""), ("softmax", ("ms.float32",), ".values"))},
    "coo_concat": [f"ops.coo_concat(({_COO_LONG}, {_COO_LONG}), {axis}).{part}" for axis in (0, 1) for part in ("indices", "values")],
    **{name: [f"ops.{name}(ms.Tensor([[0, 0, 1], [1, 1, 2]], ms.int64), v[:3], ms.Tensor([3, 3], ms.int64))"] for name in ("coalesce", "Coalesce()")},
    "SparseSlice": [f"ops.SparseSlice()({_INDICES}, v[:3], {_SHAPE}, ms.Tensor([0, 1], ms.int64), ms.Tensor([2, 3], ms.int64))"],
    "RaggedRange": ["ops.RaggedRange(ms.int64)(ms.Tensor([2, 5, 8], ms.int32), ms.Tensor([3, 5, 12], ms.int32), ms.Tensor([1, 1, 2], ms.int32))"],
    **{f"coo_{name}": [f"ops.coo_{name}({_sparse(_COO, name)}).values"] for name in _UNARY},
    **{f"csr_{name}": [f"ops.csr_{name}({_sparse(_CSR, name)}).values"] for name in _UNARY},
    "coo_add": [f"ops.coo_add({_sparse(_COO, '')}, {_sparse(_COO, '')}, ms.Tensor(0.0)).values"],
    "csr_to_dense": [f"ops.csr_to_dense({_sparse(_CSR, '')})"], "csr_to_coo": [f"ops.csr_to_coo({_sparse(_CSR, '')}).indices"],
    "csr_add": [f"ops.csr_add({_sparse(_CSR, '')}, {_sparse(_CSR, '')}, ms.Tensor(1.0), ms.Tensor(2.0)).values"],
    "csr_mv": [f"ops.csr_mv({_sparse(_CSR, '')}, weights[:, None])"], "csr_mm": [f"ops.csr_mm({_sparse(_CSR, '')}, square)"],
    "dense_to_sparse_coo": ["ops.dense_to_sparse_coo(n).values"], "dense_to_sparse_csr": ["ops.dense_to_sparse_csr(n).indptr"],
    "ApplyMomentum": ["state(ops.ApplyMomentum(), x, ms.Parameter(y, name='v'), ms.Tensor(0.1), p, ms.Tensor(0.9))"],
    "ApplyGradientDescent": ["state(ops.ApplyGradientDescent(), x, ms.Tensor(0.1), p)"],
    "ApplyAdagrad": ["state(ops.ApplyAdagrad(), x, ms.Parameter(q, name='h'), ms.Tensor(0.1), p)"],
    "ApplyAdadelta": ["state(ops.ApplyAdadelta(), x, ms.Parameter(q, name='h'), ms.Parameter(p, name='u'), ms.Tensor(0.1), ms.Tensor(0.9), ms.Tensor(1e-6), y)"],
    "ApplyAddSign": ["state(ops.ApplyAddSign(), x, ms.Parameter(y, name='m'), 0.1, 1.0, 0.9, 0.8, p)"],
    "ApplyPowerSign": ["state(ops.ApplyPowerSign(), x, ms.Parameter(y, name='m'), 0.1, 2.718, 0.9, 0.8, p)"],
    "ApplyProximalGradientDescent": ["state(ops.ApplyProximalGradientDescent(), x, 0.1, 0.2, 0.3, p)"],
    "ApplyProximalAdagrad": ["state(ops.ApplyProximalAdagrad(), x, ms.Parameter(q, name='h'), 0.1, 0.2, 0.3, p)"],
    "ApplyAdaMax": ["state(ops.ApplyAdaMax(), x, ms.Parameter(y, name='m'), ms.Parameter(q, name='h'), 0.9, 0.1, 0.9, 0.99, 1e-8, p)"],
}

VALUES["Coalesce"] = VALUES.pop("Coalesce()")

CELLS = {
    "CTCLoss": [(f"nn.CTCLoss({arguments})", f"cell({_PROBABILITIES}, {_LABELLED})") for arguments in ("", "0, 'sum'", "4, 'none', True")],
    "SparseToDense": [("nn.SparseToDense()", f"cell({_COO_LONG})")],
    "SparseTensorDenseMatmul": [("nn.SparseTensorDenseMatmul()", f"cell({_INDICES}, v[:3], (3, 4), square)")],
}

#: Names that draw random numbers, whose streams differ.
RANDOM = """Bernoulli Dropout Dropout2D Dropout3D Multinomial RandomCategorical RandomShuffle StandardLaplace StandardNormal TruncatedNormal UniformInt
    UniformReal bernoulli dropout dropout1d dropout2d dropout3d gumbel_softmax laplace multinomial multinomial_with_replacement normal rand
    rand_like randint randint_like randn randn_like random_categorical randperm shuffle standard_laplace standard_normal uniform""".split()
