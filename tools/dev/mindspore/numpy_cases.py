"""Cases of `mindspore.numpy`, which expressions call `mnp`; as cases.py says."""

_UNARY = """abs absolute arctan arcsinh cbrt ceil cos cosh deg2rad exp exp2 expm1 fabs fix floor isfinite isinf isnan negative
    positive rad2deg radians rint sign signbit sin sinh square tan tanh trunc isneginf isposinf ravel fliplr flipud diag
    zeros_like ones_like atleast_1d atleast_2d atleast_3d diagflat size""".split()
_WITHIN_ONE = "arccos arcsin arctanh".split()
_POSITIVE = "log log10 log1p log2 reciprocal sqrt".split()
_PAIRS = """add subtract multiply maximum minimum arctan2 copysign hypot logaddexp logaddexp2 heaviside equal greater
    greater_equal less less_equal not_equal isclose array_equal array_equiv""".split()
_QUOTIENTS = "divide true_divide floor_divide mod remainder fmod float_power power divmod".split()
_LOGIC = "logical_and logical_or logical_xor".split()
_BITS = "bitwise_and bitwise_or bitwise_xor gcd lcm".split()
_REDUCTIONS = "sum mean max min amax amin ptp".split()
_MOMENTS = "var std nansum nanmean nanmax nanmin nanvar nanstd count_nonzero".split()
_WINDOWS = "bartlett blackman hamming hanning".split()

NUMPY = {
    **{name: [f"mnp.{name}(x)", f"mnp.{name}(n)"] for name in _UNARY},
    **{name: [f"mnp.{name}(shares)"] for name in _WITHIN_ONE},
    **{name: [f"mnp.{name}(p)"] for name in _POSITIVE},
    **{name: [f"mnp.{name}(x, y)", f"mnp.{name}(x, row)", f"mnp.{name}(n, m)"] for name in _PAIRS},
    **{name: [f"mnp.{name}(p, q)", f"mnp.{name}(p, 2)"] for name in _QUOTIENTS},
    **{name: [f"mnp.{name}(b, c)"] for name in _LOGIC}, **{name: [f"mnp.{name}(n, m)"] for name in _BITS},
    "mod": ["mnp.mod(x, p)", "mnp.mod(n, m)", "mnp.mod(n, 3)"], "remainder": ["mnp.remainder(x, p)", "mnp.remainder(n, m)"],
    "fmod": ["mnp.fmod(x, p)", "mnp.fmod(n, m)"], "floor_divide": ["mnp.floor_divide(x, p)", "mnp.floor_divide(n, m)"],
    "divide": ["mnp.divide(x, p)", "mnp.divide(n, m)"], "true_divide": ["mnp.true_divide(x, p)", "mnp.true_divide(n, m)"],
    "divmod": ["mnp.divmod(x, p)[0]", "mnp.divmod(x, p)[1]"],
    "logical_not": ["mnp.logical_not(b)"], "invert": ["mnp.invert(n)"], "bitwise_not": ["mnp.bitwise_not(n)"],
    "arccosh": ["mnp.arccosh(p + 1)"], "clip": ["mnp.clip(x, -0.3, 0.4)", "mnp.clip(n, 0, 3)"],
    **{name: [f"mnp.{name}(t)", f"mnp.{name}(t, 1)", f"mnp.{name}(t, (0, 2), keepdims=True)", f"mnp.{name}(n)"] for name in _REDUCTIONS},
    **{name: [f"mnp.{name}(t)", f"mnp.{name}(t, 1, keepdims=True)", f"mnp.{name}(n)"] for name in _MOMENTS},
    "var": ["mnp.var(t)", "mnp.var(t, 1, 1, True)", "mnp.var(x, (0, 1), ddof=1)"], "std": ["mnp.std(t)", "mnp.std(t, 1, 1, True)"],
    "argmax": ["mnp.argmax(t)", "mnp.argmax(t, 1)"], "argmin": ["mnp.argmin(t)", "mnp.argmin(t, 1)"],
    "average": ["mnp.average(x)", "mnp.average(x, 1, row)", "mnp.average(x, 0, p, returned=True)[1]"],
    "cumsum": ["mnp.cumsum(t)", "mnp.cumsum(t, 1)", "mnp.cumsum(n, 0)"], "cumprod": ["mnp.cumprod(t)", "mnp.cumprod(t, 1)"],
    "nancumsum": ["mnp.nancumsum(t, 1)"], "diff": ["mnp.diff(x)", "mnp.diff(t, 2, 1)", "mnp.diff(x, 1, 0, y[:1], p[:2])"],
    "ediff1d": ["mnp.ediff1d(x)", "mnp.ediff1d(row, v, weights)"], "gradient": ["mnp.gradient(row)", "mnp.gradient(x, axis=1)"],
    "trapz": ["mnp.trapz(x)", "mnp.trapz(t, dx=0.3, axis=1)", "mnp.trapz(x, p)"], "unwrap": ["mnp.unwrap(x * 9)"],
    "around": ["mnp.around(x)", "mnp.around(x * 3, 1)"],
    # Shapes.
    "append": ["mnp.append(x, y)", "mnp.append(x, y, 1)"], "array_split": ["mnp.array_split(x, 3, 1)[1]"],
    "broadcast_arrays": ["mnp.broadcast_arrays(x, row)[1]"], "broadcast_to": ["mnp.broadcast_to(row, (2, 3, 7))"],
    "choose": ["mnp.choose(ids, (weights, weights * 2, weights * 3))"], "column_stack": ["mnp.column_stack((x, y))"],
    "concatenate": ["mnp.concatenate((x, y), 1)", "mnp.concatenate((x, y), None)"], "diagonal": ["mnp.diagonal(t, 1, 1, 2)"],
    "dsplit": ["mnp.dsplit(t, (1, 3))[1]"], "dstack": ["mnp.dstack((x, y))"], "expand_dims": ["mnp.expand_dims(x, 1)"],
    "flip": ["mnp.flip(t)", "mnp.flip(t, (0, 2))"], "hsplit": ["mnp.hsplit(square, (1, 3))[1]"], "hstack": ["mnp.hstack((x, y))"],
    "moveaxis": ["mnp.moveaxis(t, 0, 2)"], "pad": ["mnp.pad(x, ((1, 0), (2, 1)))", "mnp.pad(x, 1, 'edge')", "mnp.pad(x, ((1, 2), (0, 1)), 'reflect')",
        "mnp.pad(x, ((1, 2), (0, 1)), 'symmetric')", "mnp.pad(x, 2, 'wrap')", "mnp.pad(x, 1, 'mean')", "mnp.pad(x, 1, 'linear_ramp', end_values=2)",
        "mnp.pad(x, 1, 'maximum')"],
    "repeat": ["mnp.repeat(x, 2)", "mnp.repeat(x, 2, 1)", "mnp.repeat(x, [1, 2, 3], 0)"], "reshape": ["mnp.reshape(x, (7, 3))"],
    "roll": ["mnp.roll(x, 2)", "mnp.roll(t, (1, 2), (0, 2))"], "rollaxis": ["mnp.rollaxis(t, 2)"], "rot90": ["mnp.rot90(x)", "mnp.rot90(t, 3, (1, 2))"],
    "split": ["mnp.split(square, 2)[1]", "mnp.split(x, (2, 3), 1)[2]"], "squeeze": ["mnp.squeeze(mnp.expand_dims(x, 0))"],
    "stack": ["mnp.stack((x, y), 1)"], "swapaxes": ["mnp.swapaxes(t, 0, 2)"], "tile": ["mnp.tile(x, (2, 1))", "mnp.tile(x, (2, 1, 2))"],
    "trace": ["mnp.trace(square)", "mnp.trace(t, 1, 1, 2)"], "transpose": ["mnp.transpose(t)", "mnp.transpose(t, (2, 0, 1))"],
    "tril": ["mnp.tril(square, 1)"], "triu": ["mnp.triu(square, -1)"], "vsplit": ["mnp.vsplit(square, 2)[0]"], "vstack": ["mnp.vstack((x, y))"],
    "vander": ["mnp.vander(v)", "mnp.vander(v, 3, True)"], "meshgrid": ["mnp.meshgrid(v, row)[1]", "mnp.meshgrid(v, row, sparse=True, indexing='ij')[0]"],
    "ix_": ["mnp.ix_(ids, labels)[1]"],
    # Products.
    "convolve": ["mnp.convolve(v, row)", "mnp.convolve(v, row, 'same')", "mnp.convolve(v, row, 'valid')"],
    "correlate": ["mnp.correlate(row, v)", "mnp.correlate(row, v, 'full')"], "corrcoef": ["mnp.corrcoef(x)"],
    "cov": ["mnp.cov(x)", "mnp.cov(x, y, False, ddof=0)"], "cross": ["mnp.cross(other, other * 2 + 1)"],
    "dot": ["mnp.dot(square, other)", "mnp.dot(t, other)", "mnp.dot(v, v)"], "inner": ["mnp.inner(x, y)"], "kron": ["mnp.kron(square, other)"],
    "matmul": ["mnp.matmul(t, u)", "mnp.matmul(square, v)"], "multi_dot": [
        "mnp.multi_dot((square, other, square3))"], "norm": ["mnp.norm(x)", "mnp.norm(x, 1)", "mnp.norm(t, 2, 1)", "mnp.norm(x, float('inf'), keepdims=True)"],
    "outer": ["mnp.outer(v, row)"], "tensordot": ["mnp.tensordot(square, other, 1)", "mnp.tensordot(t, u, ((0, 2), (0, 1)))"],
    # Indices and sets.
    "where": ["mnp.where(b, x, y)", "mnp.where(b, x, 0.5)"], "select": ["mnp.select(mnp.stack((b, c)), mnp.stack((x, y)), 0.5)", "mnp.select([b, c], [x, y], 0.5)"],
    "take": ["mnp.take(x, ids)", "mnp.take(x, ids, 1)"], "take_along_axis": ["mnp.take_along_axis(x, labels_like, 1)"],
    "searchsorted": ["mnp.searchsorted([-0.5, 0.0, 0.35], x)", "mnp.searchsorted([-2, 3, 4], n, 'right')"],
    "digitize": ["mnp.digitize(x, [-0.5, 0.0, 0.35])"], "bincount": ["mnp.bincount(ids)", "mnp.bincount(ids, square[:, 0], 6)"],
    "histogram": ["mnp.histogram(x, 5)[0]", "mnp.histogram(x, 5, (-0.5, 0.5), density=True)[0]", "mnp.histogram(x, [-1, 0.0, 0.3, 1])[0]"],
    "histogram_bin_edges": ["mnp.histogram_bin_edges(x, 5)"], "histogram2d": ["mnp.histogram2d(x[0], y[0], 3)[0]"],
    "histogramdd": ["mnp.histogramdd(square, 2)[0]"], "interp": ["mnp.interp(x, [-0.5, 0.0, 0.6], [1.0, 3.0, 2.0])"],
    "isin": ["mnp.isin(n, [1, 3])", "mnp.isin(n, m[0], True)"], "in1d": ["mnp.in1d(n, [1, 3])"],
    "unravel_index": ["mnp.unravel_index(labels, (2, 3))[1]"], "ravel_multi_index": ["mnp.ravel_multi_index(mnp.stack((ids, ids)), (3, 3))"],
    "tril_indices": ["mnp.tril_indices(4, 1)[0]"], "triu_indices": ["mnp.triu_indices(4, 1, 5)[1]"],
    "tril_indices_from": ["mnp.tril_indices_from(square)[0]"], "triu_indices_from": ["mnp.triu_indices_from(square, 1)[1]"],
    "diag_indices": ["mnp.diag_indices(3)[1]"], "sometrue": ["mnp.sometrue(b)", "mnp.sometrue(b, 1, True)"],
    "polyadd": ["mnp.polyadd(v, row)"], "polysub": ["mnp.polysub(v, row)"], "polymul": ["mnp.polymul(v, row)"], "polyval": ["mnp.polyval(v, x)"],
    "polyder": ["mnp.polyder(v)", "mnp.polyder(v, 2)"], "polyint": ["mnp.polyint(v)", "mnp.polyint(v, 2, (1, 2))"],
    "copy": ["mnp.copy(x)"], "round": ["mnp.around(x * 3)"], "matrix_power": ["mnp.matrix_power(definite, 3)"],
    "full_like": ["mnp.full_like(x, 2)"],
}

#: Expressions of host functions: values alone.
VALUES = {
    "array": ["mnp.array([[1, 2], [3, 4]])", "mnp.array([1.5, 2])", "mnp.array(((1, 2.5),), ms.float16, ndmin=3)", "mnp.array(True)"],
    "asarray": ["mnp.asarray([1, 2])"], "asfarray": ["mnp.asfarray([1, 2])"], "array_str": ["mnp.array_str(ids)"],
    "arange": ["mnp.arange(5)", "mnp.arange(1, 2, 0.3)", "mnp.arange(2, 9, 3, ms.float32)", "mnp.arange(4.0)"],
    "linspace": ["mnp.linspace(1, 4, 7)", "mnp.linspace(1, 4, 6, False, True)[1]", "mnp.linspace([1, 2], [3, 5], 4, axis=1)"],
    "logspace": ["mnp.logspace(0, 2, 5)", "mnp.logspace(0, 2, 5, False, 2)"], "geomspace": ["mnp.geomspace(1, 64, 7)"],
    "zeros": ["mnp.zeros((2, 3))", "mnp.zeros(2, ms.int32)"], "ones": ["mnp.ones((2, 3))"], "full": ["mnp.full((2, 3), 1.5)", "mnp.full(2, 3)",
        "mnp.full((2, 2), [1, 2])", "mnp.full(2, True)"],
    "eye": ["mnp.eye(3)", "mnp.eye(2, 4, 1, ms.int32)"], "identity": ["mnp.identity(3)"], "tri": ["mnp.tri(3, 4, 1)"],
    "indices": ["mnp.indices((2, 3))", "mnp.indices((2, 3), sparse=True)"], "mgrid": ["mnp.mgrid[0:3, 1:4]", "mnp.mgrid[0:1:5j]"],
    "ogrid": ["mnp.ogrid[0:3, 1:4]"], **{name: [f"mnp.{name}(7)", f"mnp.{name}(1)"] for name in _WINDOWS},
    "isscalar": ["mnp.isscalar(2)", "mnp.isscalar(x)", "mnp.isscalar('a')"],
    "promote_types": ["str(mnp.promote_types(ms.float32, ms.int64)).lower()", "str(mnp.promote_types(ms.uint8, ms.int8)).lower()"],
    "result_type": ["str(mnp.result_type(x, n, ms.float16)).lower()", "str(mnp.result_type(2, n)).lower()"],
    "unique": ["mnp.unique(n)", "mnp.unique(n, True)"], "apply_along_axis": ["mnp.apply_along_axis(mnp.cumsum, 1, x)"],
    "apply_over_axes": ["mnp.apply_over_axes(mnp.sum, t, [0, 2])"], "piecewise": ["mnp.piecewise(x, [x < 0, x >= 0], [-1, 1])"],
    "empty": ["mnp.empty((2, 3)).shape"], "empty_like": ["mnp.empty_like(x).shape"],
    "rand": ["mnp.rand(2, 3).shape"], "randn": ["mnp.randn(2, 3).shape"], "randint": ["mnp.randint(3, 5, (2, 3)).shape", "str(mnp.randint(4).dtype)"],
}
