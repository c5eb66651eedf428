"""Classes that MindSpore's own layers are made of."""

from plumb.common import dtype as mstype
from plumb.common._offers import EXCHANGED, not_offered, offered
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops import function as f
from plumb.ops._primitive import Composite, function_classes
from plumb.ops.function import linalg


def _same(who, x, y):
    if x.dtype != y.dtype:
        raise TypeError(f"For '{who}', both inputs must be of one element type, but got {x.dtype} and {y.dtype}")
    if x.shape != y.shape:
        raise ValueError(f"For '{who}', both inputs must be of one shape, but got {x.shape} and {y.shape}")


class SameTypeShape(Composite):
    """Gives its first input; raises TypeError or ValueError unless the second is of the same element type and shape."""

    def construct(self, x, y):
        """Compiled body."""
        _same("SameTypeShape", x, y)
        return x


class CheckBprop(Composite):
    """Gives a tuple of gradients; raises TypeError or ValueError unless they are as many, of the types and shapes of the inputs."""

    def __init__(self, prim_to_check=""):
        super().__init__()
        self.prim_to_check = prim_to_check

    def construct(self, xs, ys):
        """Compiled body."""
        if len(xs) != len(ys):
            raise ValueError(f"For 'CheckBprop', there must be {len(ys)} gradients, but got {len(xs)}")
        for place in range(len(xs)):
            _same("CheckBprop", xs[place], ys[place])
        return xs


class FlattenConcat(Composite):
    """Tensors of each element type behind each other as one vector; the vectors in the order in which their types come first."""

    def construct(self, tensors):
        """Compiled body."""
        kinds = ()
        for tensor in tensors:
            kinds = kinds if tensor.dtype in kinds else kinds + (tensor.dtype,)
        return tuple([F.concat(tuple([F.reshape(tensor, (-1,)) for tensor in tensors if tensor.dtype == kind]), 0) for kind in kinds])


class MixedPrecisionCast(Composite):
    """Tensors of floating point in another type; others, and what is no tensor, stay. Tuples and lists are gone through."""

    def construct(self, dtype, x):
        """Compiled body."""
        if isinstance(x, (tuple, list)):
            return tuple([self.construct(dtype, part) for part in x])
        if isinstance(x, Tensor) and x.dtype in (mstype.float16, mstype.bfloat16, mstype.float32, mstype.float64):
            return F.cast(x, dtype)
        return x


class DynamicBroadcastGradientArgs(Composite):
    """Over which axes the gradients of two inputs that were broadcast are summed: two vectors of int64, from two shapes.

    The shapes are tuples, or Tensors that are known while compiling.
    """

    def construct(self, s0, s1):
        """Compiled body."""
        shapes = [tuple(shape.tolist()) if isinstance(shape, Tensor) else tuple(shape) for shape in (s0, s1)]
        rank = max(len(shapes[0]), len(shapes[1]))
        first, second = [(1,) * (rank - len(shape)) + shape for shape in shapes]
        found = ()
        for own, other in ((first, second), (second, first)):
            summed = [axis for axis in range(rank) if own[axis] == 1 and other[axis] != 1]
            found = found + (Tensor(summed, mstype.int64) if len(summed) > 0 else F.fill(mstype.int64, (0,), 0),)
        return found


class ConvertToDynamic(Composite):
    """Gives its input: MindSpore's takes it for one of open extents from there on, and here all extents are known.

    Args:
      is_dynamic_rank: whether the number of axes were open, too.
    """

    def __init__(self, is_dynamic_rank=False, is_dynamic_shape=True):
        super().__init__()
        self.is_dynamic_rank, self.is_dynamic_shape = is_dynamic_rank, is_dynamic_shape

    def construct(self, x):
        """Compiled body."""
        return x


class GpuConvertToDynamicShape(ConvertToDynamic):
    """`ConvertToDynamic` of open extents, as MindSpore's tests call it."""

    def __init__(self):
        super().__init__()


globals().update(function_classes({"ClipByNorm": (linalg.clipped_by_norm, {"axis": None}), "Cummin": (f.cummin, {"axis": ...}),
                                   "SequenceMask": f.sequence_mask, "SiLU": f.silu}))

__getattr__ = not_offered(__name__, instead=dict.fromkeys(("Receive", "Send"), EXCHANGED))

__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in ("Composite", "F", "Tensor")]
