"""Classes of arithmetic, comparison, logic, bits and reductions: the compiler's primitives, and tables of functions."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import function as f
from plumb.ops.function import eigen, equations, factorizations, linalg, scan, search
from plumb.ops._ragged import ragged_range
from plumb.ops.function.bits import compare_and_bitpack
from plumb.ops._primitive import Composite, Named, Only, function_classes, simple_class

Abs = simple_class("Abs", "abs")
Add = simple_class("Add", "add")
AddV2 = TensorAdd = Add
BitwiseAnd = simple_class("BitwiseAnd", "bitwise_and")
BitwiseOr = simple_class("BitwiseOr", "bitwise_or")
BitwiseXor = simple_class("BitwiseXor", "bitwise_xor")
Div = simple_class("Div", "div")
RealDiv = Div
Equal = simple_class("Equal", "equal")
FloorDiv = simple_class("FloorDiv", "floor_div")
FloorMod = simple_class("FloorMod", "mod")
Greater = simple_class("Greater", "greater")
GreaterEqual = simple_class("GreaterEqual", "greater_equal")
Invert = simple_class("Invert", "invert")
Less = simple_class("Less", "less")
LessEqual = simple_class("LessEqual", "less_equal")
MatMul = simple_class("MatMul", "matmul", [("transpose_a", False), ("transpose_b", False)])
BatchMatMul = simple_class("BatchMatMul", "matmul", [("transpose_a", False), ("transpose_b", False)])
Maximum = simple_class("Maximum", "maximum")
Minimum = simple_class("Minimum", "minimum")
Mod = simple_class("Mod", "rem", note="The remainder has the sign of x. Its gradient by y is -trunc(x / y); MindSpore 2.0.0's is that of FloorMod.")
Mul = simple_class("Mul", "mul")
Neg = simple_class("Neg", "neg")
NotEqual = simple_class("NotEqual", "not_equal")
Pow = simple_class("Pow", "pow")
ReduceMax = simple_class("ReduceMax", "reduce_max", [("keep_dims", False)])
ReduceMean = simple_class("ReduceMean", "reduce_mean", [("keep_dims", False)])
ReduceMin = simple_class("ReduceMin", "reduce_min", [("keep_dims", False)])
ReduceProd = simple_class("ReduceProd", "reduce_prod", [("keep_dims", False)])
ReduceSum = simple_class("ReduceSum", "reduce_sum", [("keep_dims", False)])
Sign = simple_class("Sign", "sign")
Square = simple_class("Square", "square")
Sub = simple_class("Sub", "sub")
Exp = simple_class("Exp", "exp")
Log = simple_class("Log", "log")
Sqrt = simple_class("Sqrt", "sqrt")
Rsqrt = simple_class("Rsqrt", "rsqrt")
Reciprocal = simple_class("Reciprocal", "reciprocal")
Erf = simple_class("Erf", "erf")
Floor = simple_class("Floor", "floor")
LogicalAnd = simple_class("LogicalAnd", "logical_and")
LogicalOr = simple_class("LogicalOr", "logical_or")
LogicalNot = simple_class("LogicalNot", "logical_not")
ELEMENTWISE = {
    "AccumulateNV2": f.accumulate_n,
    "AddN": f.addn,
    "Addcdiv": f.addcdiv,
    "Addcmul": f.addcmul,
    "ApproximateEqual": (f.approximate_equal, {"tolerance": 1e-5}),
    "Ceil": f.ceil,
    "Cos": f.cos,
    "DivNoNan": f.div_no_nan,
    "Eps": f.eps,
    "Expm1": f.expm1,
    "Gcd": f.gcd,
    "Heaviside": f.heaviside,
    "Hypot": f.hypot,
    "Inv": f.reciprocal,
    "Lcm": f.lcm,
    "Lerp": f.lerp,
    "Log1p": f.log1p,
    "MulNoNan": f.mul_no_nan,
    "NanToNum": (f.nan_to_num, {"nan": 0.0, "posinf": None, "neginf": None}),
    "Sin": f.sin,
    "Sinc": f.sinc,
    "SquaredDifference": f.squared_difference,
    "TruncateDiv": f.truncate_div,
    "TruncateMod": f.truncate_mod,
    "Xdivy": f.xdivy,
    "Xlogy": f.xlogy,
}

MATHEMATICAL = {
    "ACos": f.acos,
    "Acosh": f.acosh,
    "Asin": f.asin,
    "Asinh": f.asinh,
    "Atan": f.atan,
    "Atan2": f.atan2,
    "Atanh": f.atanh,
    "Cosh": f.cosh,
    "Digamma": f.digamma,
    "Erfc": f.erfc,
    "Erfinv": f.erfinv,
    "Lgamma": f.lgamma,
    "Polygamma": f.polygamma,
    "Rint": f.rint,
    "Round": f.round,
    "Sinh": f.sinh,
    "Tan": f.tan,
    "Trunc": f.trunc,
}

SPECIAL = {
    "BesselI0": f.bessel_i0,
    "BesselI0e": f.bessel_i0e,
    "BesselI1": f.bessel_i1,
    "BesselI1e": f.bessel_i1e,
    "BesselJ0": f.bessel_j0,
    "BesselJ1": f.bessel_j1,
    "BesselK0": f.bessel_k0,
    "BesselK0e": f.bessel_k0e,
    "BesselK1": f.bessel_k1,
    "BesselK1e": f.bessel_k1e,
    "BesselY0": f.bessel_y0,
    "BesselY1": f.bessel_y1,
    "Betainc": f.betainc,
    "Igamma": f.igamma,
    "Igammac": f.igammac,
    "Mvlgamma": (f.mvlgamma, {"p": ...}),
    "NextAfter": f.nextafter,
    "Zeta": f.zeta,
}

LINALG = {
    "Cdist": (f.cdist, {"p": 2.0}),
    "Cholesky": (f.cholesky, {"upper": False}),
    "CholeskyInverse": (f.cholesky_inverse, {"upper": False}),
    "CholeskySolve": (f.cholesky_solve, {"upper": False}),
    "Eig": (eigen.eig_of, {"compute_v": False}),
    "Geqrf": f.geqrf,
    "L2Normalize": (linalg.l2_normalize, {"axis": 0, "epsilon": 1e-4}),
    "LogMatrixDeterminant": f.log_matrix_determinant,
    "LpNorm": (linalg.lp_norm, {"axis": ..., "p": 2, "keep_dims": False, "epsilon": 1e-12}),
    "Lstsq": (equations.lstsq, {"fast": Only(True), "l2_regularizer": Only(0.0)}),
    "LuSolve": f.lu_solve,
    "LuUnpack": (f.lu_unpack, {"unpack_data": True, "unpack_pivots": True}),
    "MatrixDeterminant": f.matrix_determinant,
    "MatrixExp": f.matrix_exp,
    "MatrixLogarithm": eigen.matrix_logarithm,
    "MatrixInverse": (equations.inverse_of, {"adjoint": False}),
    "MatrixPower": (f.matrix_power, {"n": ...}),
    "MatrixSolve": (f.matrix_solve, {"adjoint": False}),
    "MatrixSolveLs": (equations.matrix_solve_ls, {"fast": True}),
    "MatrixTriangularSolve": (equations.triangular_solve, {"lower": True, "adjoint": False}),
    "NuclearNorm": (linalg.nuclear_norm, {"dim": Named(None, "axis"), "keepdim": Named(False, "keepdims")}),
    "Orgqr": f.orgqr,
    "Ormqr": (f.ormqr, {"left": True, "transpose": False}),
    "Pdist": (f.pdist, {"p": 2.0}),
    "Qr": (factorizations.qr_of, {"full_matrices": False}),
    "Renorm": (f.renorm, {"p": ..., "dim": Named(..., "axis"), "maxnorm": ...}),
    "SelfAdjointEig": (eigen.self_adjoint_eig, {"compute_v": True}),
    "Svd": (factorizations.three_of_svd, {"full_matrices": False, "compute_uv": True}),
    "TridiagonalSolve": (eigen.tridiagonal_solve, {"partial_pivoting": True}),
}

PRODUCTS = {
    "Dense": f.dense,
    "Cross": (f.cross, {"dim": -65530}),
    "Ger": f.ger,
    "Trace": f.trace,
}

COMPARISON = {
    "Fmax": f.fmax,
    "Fmin": f.fmin,
    "IsClose": (f.isclose, {"rtol": 1e-5, "atol": 1e-8, "equal_nan": True}),
    "IsFinite": f.isfinite,
    "IsInf": f.isinf,
    "IsNan": f.isnan,
    "LogicalXor": f.logical_xor,
}

BITS = {
    "CompareAndBitpack": compare_and_bitpack,
    "LeftShift": f.bitwise_left_shift,
    "PopulationCount": f.population_count,
    "RightShift": f.bitwise_right_shift,
}

REDUCTIONS = {
    "SparseSegmentMean": f.sparse_segment_mean,
    "ArgMaxWithValue": (f.argmax_with_value, {"axis": 0, "keep_dims": False}),
    "ArgMinWithValue": (f.argmin_with_value, {"axis": 0, "keep_dims": False}),
    "CountNonZero": (f.count_nonzero, {"dims": Named(None, "axis")}),
    "RaggedRange": (ragged_range, {"Tsplits": ...}),
    "ReduceAll": (f.all, {"keep_dims": False}),
    "ReduceAny": (f.any, {"keep_dims": False}),
}

SCANS = {
    "Bincount": search.bincount_of,
    "Bucketize": (search.buckets_of, {"boundaries": ...}),
    "CumProd": (scan.scan_product, {"exclusive": False, "reverse": False}),
    "CumSum": (scan.scan_sum, {"exclusive": False, "reverse": False}),
    "Cummax": (f.cummax, {"axis": ...}),
    "Cummin": (f.cummin, {"axis": ...}),
    "CumulativeLogsumexp": (scan.scan_log, {"exclusive": False, "reverse": False}),
    "Histogram": (f.histc, {"bins": 100, "min": 0.0, "max": 0.0}),
    "HistogramFixedWidth": (search.histogram_fixed_width, {"nbins": ..., "dtype": mstype.int32}),
    "Quantile": (search.quantile_of, {"dim": Named(None, "axis"), "keep_dims": Named(False, "keepdims"), "ignore_nan": False}),
}

globals().update(function_classes(SCANS | ELEMENTWISE | MATHEMATICAL | SPECIAL | LINALG | PRODUCTS | COMPARISON | BITS | REDUCTIONS))


class Einsum(Composite):
    """Einstein's sum of a tuple of tensors by an equation; see `ops.einsum`."""

    def __init__(self, equation):
        super().__init__()
        self.equation = equation

    def construct(self, inputs):
        """Compiled body."""
        return f.einsum(self.equation, *inputs)


class Median(Composite):
    """The lower one of the middle elements along an axis, or among all if `global_median`, and its place, int64.

    The gradient goes to that element; MindSpore 2.0.0 has a share of it elsewhere.
    """

    def __init__(self, global_median=False, axis=0, keep_dims=False):
        super().__init__()
        self.global_median, self.axis, self.keep_dims = global_median, axis, keep_dims

    def construct(self, x):
        """Compiled body."""
        return search.global_median(x) if self.global_median else f.median(x, self.axis, self.keep_dims)


class Argmax(Composite):
    """Finds the place of the first largest element along an axis, as `output_type`."""

    def __init__(self, axis=-1, output_type=mstype.int32):
        super().__init__()
        self.axis, self.output_type = axis, output_type

    def construct(self, x):
        """Compiled body."""
        return f.cast(f.argmax(x, self.axis), self.output_type)


class Argmin(Composite):
    """Finds the place of the first smallest element along an axis, as `output_type`."""

    def __init__(self, axis=-1, output_type=mstype.int32):
        super().__init__()
        self.axis, self.output_type = axis, output_type

    def construct(self, x):
        """Compiled body."""
        return f.cast(f.argmin(x, self.axis), self.output_type)


class EqualCount(Composite):
    """Counts the places where two tensors are equal, in their element type, as a vector of one element."""

    def construct(self, x, y):
        """Compiled body."""
        return f.reshape(f.reduce_sum(f.cast(f.equal(x, y), x.dtype)), (1,))


class ReduceStd(Composite):
    """Standard deviation and mean over the axes; `unbiased` divides by the count less one."""

    def __init__(self, axis=(), unbiased=True, keep_dims=False):
        super().__init__()
        self.axis, self.unbiased, self.keep_dims = axis, unbiased, keep_dims

    def construct(self, x):
        """Compiled body."""
        return f.std_mean(x, self.axis, 1 if self.unbiased else 0, self.keep_dims)


class SquareSumAll(Composite):
    """The sums of the squares of two tensors."""

    def construct(self, x, y):
        """Compiled body."""
        return f.reduce_sum(f.square(x)), f.reduce_sum(f.square(y))


class EuclideanNorm(Composite):
    """The square root of the sum of squares over axes, which are an input."""

    def __init__(self, keep_dims=False):
        super().__init__()
        self.keep_dims = keep_dims

    def construct(self, x, axes):
        """Compiled body."""
        return f.vector_norm(x, 2, tuple(axes.tolist()) if f.is_tensor(axes) else axes, self.keep_dims)


class TridiagonalMatMul(Composite):
    """The product of a matrix with the diagonals `superdiag`, `maindiag` and `subdiag`, of one row each, and a matrix."""

    def construct(self, superdiag, maindiag, subdiag, rhs):
        """Compiled body."""
        rows = rhs.shape[-2]
        above = f.narrow(rhs, -2, 1, rows - 1) * f.swapaxes(f.narrow(superdiag, -1, 0, rows - 1), -1, -2)
        below = f.narrow(rhs, -2, 0, rows - 1) * f.swapaxes(f.narrow(subdiag, -1, 1, rows - 1), -1, -2)
        return rhs * f.swapaxes(maindiag, -1, -2) + f.pad(above, (0, 0, 0, 1)) + f.pad(below, (0, 0, 1, 0))


__all__ = [name for name in offered(globals()) if name[0].isupper() and not name.isupper() and name not in (
    "Composite", "Named", "Only")]
