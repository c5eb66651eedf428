"""Primitive classes, MindSpore's `ops.ReLU()` spelling: made once, called later."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _functions as F
from plumb.ops._array import one_hot
from plumb.ops._primitive import Composite, Primitive, simple_class

Abs = simple_class("Abs", "abs")
Add = simple_class("Add", "add")
TensorAdd = Add
Assign = simple_class("Assign", "assign")
BitwiseAnd = simple_class("BitwiseAnd", "bitwise_and")
BitwiseOr = simple_class("BitwiseOr", "bitwise_or")
BitwiseXor = simple_class("BitwiseXor", "bitwise_xor")
BroadcastTo = simple_class("BroadcastTo", "broadcast_to", [("shape", ...)])
Cast = simple_class("Cast", "cast")
Concat = simple_class("Concat", "concat", [("axis", 0)])
Depend = simple_class("Depend", "depend")
Div = simple_class("Div", "div")
RealDiv = Div
Equal = simple_class("Equal", "equal")
Erf = simple_class("Erf", "erf")
Exp = simple_class("Exp", "exp")
ExpandDims = simple_class("ExpandDims", "expand_dims")
Flatten = simple_class("Flatten", "flatten")
Floor = simple_class("Floor", "floor")
FloorDiv = simple_class("FloorDiv", "floor_div")
FloorMod = simple_class("FloorMod", "mod")
Gather = simple_class("Gather", "gather")
GeLU = simple_class("GeLU", "gelu")
Greater = simple_class("Greater", "greater")
GreaterEqual = simple_class("GreaterEqual", "greater_equal")
Invert = simple_class("Invert", "invert")
Less = simple_class("Less", "less")
LessEqual = simple_class("LessEqual", "less_equal")
Log = simple_class("Log", "log")
LogSoftmax = simple_class("LogSoftmax", "log_softmax", [("axis", -1)])
LogicalAnd = simple_class("LogicalAnd", "logical_and")
LogicalNot = simple_class("LogicalNot", "logical_not")
LogicalOr = simple_class("LogicalOr", "logical_or")
MatMul = simple_class("MatMul", "matmul", [("transpose_a", False), ("transpose_b", False)])
BatchMatMul = simple_class("BatchMatMul", "matmul", [("transpose_a", False), ("transpose_b", False)])
Maximum = simple_class("Maximum", "maximum")
Minimum = simple_class("Minimum", "minimum")
Mod = simple_class("Mod", "rem")
Mul = simple_class("Mul", "mul")
Neg = simple_class("Neg", "neg")
NotEqual = simple_class("NotEqual", "not_equal")
OnesLike = simple_class("OnesLike", "ones_like")
Pow = simple_class("Pow", "pow")
Print = simple_class("Print", "builtins.print")
ReLU = simple_class("ReLU", "relu")
ReLU6 = simple_class("ReLU6", "relu6")
Reciprocal = simple_class("Reciprocal", "reciprocal")
ReduceMax = simple_class("ReduceMax", "reduce_max", [("keep_dims", False)])
ReduceMean = simple_class("ReduceMean", "reduce_mean", [("keep_dims", False)])
ReduceMin = simple_class("ReduceMin", "reduce_min", [("keep_dims", False)])
ReduceProd = simple_class("ReduceProd", "reduce_prod", [("keep_dims", False)])
ReduceSum = simple_class("ReduceSum", "reduce_sum", [("keep_dims", False)])
Reshape = simple_class("Reshape", "reshape")
Rsqrt = simple_class("Rsqrt", "rsqrt")
Select = simple_class("Select", "select")
Sigmoid = simple_class("Sigmoid", "sigmoid")
Sign = simple_class("Sign", "sign")
Softmax = simple_class("Softmax", "softmax", [("axis", -1)])
Split = simple_class("Split", "split", [("axis", 0), ("output_num", 1)])
Sqrt = simple_class("Sqrt", "sqrt")
Square = simple_class("Square", "square")
Squeeze = simple_class("Squeeze", "squeeze", [("axis", ())])
Stack = simple_class("Stack", "stack", [("axis", 0)])
Sub = simple_class("Sub", "sub")
Tanh = simple_class("Tanh", "tanh")
Tile = simple_class("Tile", "tile")
Transpose = simple_class("Transpose", "transpose")
ZerosLike = simple_class("ZerosLike", "zeros_like")


class BiasAdd(Composite):
    """Adds a bias along axis 1."""

    def __init__(self, data_format="NCHW"):
        super().__init__()
        if data_format != "NCHW":
            raise ValueError(f"For 'BiasAdd', only data_format='NCHW' is offered, but got '{data_format}'.")

    def construct(self, x, bias):
        """Compiled body."""
        return F.bias_add(x, bias)


class Argmax(Composite):
    """Finds the place of the first largest element along an axis, as `output_type`."""

    def __init__(self, axis=-1, output_type=mstype.int32):
        super().__init__()
        self.axis, self.output_type = axis, output_type

    def construct(self, x):
        """Compiled body."""
        return F.cast(F.argmax(x, self.axis), self.output_type)


class Fill(Composite):
    """Makes a tensor of `type` and `shape` filled with `value`."""

    def construct(self, type, shape, value):
        """Compiled body."""
        return F.fill(type, shape, value)


class DType(Composite):
    """Gives a tensor's element type."""

    def construct(self, x):
        """Compiled body."""
        return x.dtype


class Shape(Composite):
    """Gives a tensor's shape, a tuple of ints."""

    def construct(self, x):
        """Compiled body."""
        return x.shape


class Rank(Composite):
    """Gives the number of a tensor's axes."""

    def construct(self, x):
        """Compiled body."""
        return x.ndim


class Size(Composite):
    """Gives the number of a tensor's elements."""

    def construct(self, x):
        """Compiled body."""
        return x.size


class AssignAdd(Composite):
    """Adds a value to a parameter."""

    def construct(self, variable, value):
        """Compiled body."""
        return F.assign_add(variable, value)


class AssignSub(Composite):
    """Subtracts a value from a parameter."""

    def construct(self, variable, value):
        """Compiled body."""
        return F.assign_sub(variable, value)


class ReduceAny(Composite):
    """Whether an element over the axes holds."""

    def __init__(self, keep_dims=False):
        super().__init__()
        self.keep_dims = keep_dims

    def construct(self, x, axis=()):
        """Compiled body."""
        return F.any(x, axis, self.keep_dims)


class ReduceAll(Composite):
    """Whether all elements over the axes hold."""

    def __init__(self, keep_dims=False):
        super().__init__()
        self.keep_dims = keep_dims

    def construct(self, x, axis=()):
        """Compiled body."""
        return F.all(x, axis, self.keep_dims)


class OneHot(Composite):
    """Turns indices into rows with `on_value` at the index, on an axis put in at `axis`."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, indices, depth, on_value, off_value):
        """Compiled body."""
        return one_hot(indices, depth, on_value, off_value, self.axis)


class SoftmaxCrossEntropyWithLogits(Composite):
    """Per-row loss of logits against probabilities, and its gradient."""

    def construct(self, logits, labels):
        """Compiled body."""
        return F.softmax_cross_entropy(logits, labels), F.softmax(logits, -1) - labels


class SparseSoftmaxCrossEntropyWithLogits(Composite):
    """Mean loss of logits against class indices."""

    def construct(self, logits, labels):
        """Compiled body."""
        return F.reduce_mean(F.sparse_softmax_cross_entropy(logits, labels))


class GradOperation(Primitive):
    """Makes gradient functions, r1.x style: `GradOperation(get_by_list=True)(network, weights)(*inputs)`.

    Args:
      get_all: gradients of all inputs instead of the first.
      get_by_list: gradients of the weights given with the function.
      sens_param: the gradient function takes the output's adjoint as its last argument.
    """

    def __init__(self, get_all=False, get_by_list=False, sens_param=False):
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(value, bool):
                raise TypeError(f"For 'GradOperation', the '{name}' should be bool, but got {type(value).__name__}")
        super().__init__("grad_operation", get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)

    def __call__(self, fn, weights=None):
        from plumb.ops.grad import GradFunction
        config = self.config
        if config["get_by_list"] and weights is None:
            weights = fn.trainable_params()
        argnums = () if config["get_by_list"] and not config["get_all"] else None if config["get_all"] else (0,)
        return GradFunction(fn, argnums, tuple(weights or ()) if config["get_by_list"] else (), value=False,
                            sens=config["sens_param"], single=not config["get_all"])


__all__ = [name for name in offered(globals()) if name[0].isupper()]
