"""Cases of sparse tensors, factorisations, normalisation by functions and optimizers as operators; as cases.py says."""

_UNARY = """abs asin asinh atan atanh ceil cos cosh exp expm1 floor inv isfinite isinf isnan log log1p neg relu relu6 round sigmoid sin
    sinh softsign sqrt square tan tanh acos acosh""".split()
_COO = "ms.COOTensor(ms.Tensor([[0, 1], [1, 2], [2, 0]], ms.int32), ops.abs(v[:3]) * {scale}, (3, 4))"
_CSR = "ms.CSRTensor(ms.Tensor([0, 1, 2, 3], ms.int32), ms.Tensor([1, 2, 0], ms.int32), ops.abs(v[:3]) * {scale}, (3, 4))"
_PLUS = {"acosh": "+ 1.5"}


def _sparse(form, name):
    """A sparse tensor on which a function is defined."""
    return form.format(scale=f"0.3 {_PLUS.get(name, '')}")


FUNCTIONS = {
    "qr": ["ops.qr(definite)[1]"], "svd": ["ops.svd(definite)[0]", "ops.svd(x)[0]"], "pinv": ["ops.pinv(definite)"],
    "geqrf": ["ops.geqrf(definite)[0]"], "matrix_exp": ["ops.matrix_exp(definite * 0.3)"],
    "lrn": ["ops.lrn(images)", "ops.lrn(images, 3, 2.0, 0.5, 0.7)"],
    "batch_norm": ["ops.batch_norm(images, ms.Tensor([0.1, -0.2, 0.3, 0.4]), ms.Tensor([0.6, 1.2, 0.8, 1.5]), channels, weights)"],
}

PRIMITIVES = {
    "Qr": ["ops.Qr()(definite)[1]"], "Svd": ["ops.Svd()(definite)[0]"],
    "LRN": ["ops.LRN()(images)", "ops.LRN(3, 2.0, 0.5, 0.7)(images)"],
    "LayerNorm": ["ops.LayerNorm(2, 2)(sequence, ops.ones((8,), ms.float32), ops.zeros((8,), ms.float32))[0]"],
    "BatchNorm": ["ops.BatchNorm()(images, weights, channels, ms.Tensor([0.1, -0.2, 0.3, 0.4]), ms.Tensor([0.6, 1.2, 0.8, 1.5]))[0]"],
}

VALUES = {
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

#: Names that draw random numbers, whose streams differ.
RANDOM = """Bernoulli Dropout Dropout2D Dropout3D Multinomial RandomCategorical RandomShuffle StandardLaplace StandardNormal TruncatedNormal UniformInt
    UniformReal bernoulli dropout dropout1d dropout2d dropout3d gumbel_softmax laplace multinomial multinomial_with_replacement normal rand
    rand_like randint randint_like randn randn_like random_categorical randperm shuffle standard_laplace standard_normal uniform""".split()
