"""Methods of tensors that take the arguments of MindSpore 2.5 and later, too: PyTorch's, as the functions of `plumb.mint` have them.

A call is of the later form where it has a keyword that the first form has not, or, for some methods, a number or numbers where the first
form takes tensors. In the parsable subset.
"""

import functools

from plumb import mint
from plumb.common import dtype as mstype
from plumb.common._offers import known_as
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops import function as ops


def either(own, later, keywords, is_later=None):
    """A method of both forms.

    Args:
      own, later: the functions of the first and the later form.
      keywords: those that the later form has alone.
      is_later: a function of the tensor and a call's arguments by position that tells the later form; None tells it by keywords alone.
    """
    @functools.wraps(own)
    def called(self, *args, **kwargs):
        if (len(kwargs) > 0 and len([name for name in kwargs if name in keywords]) > 0) or (is_later is not None and is_later(self, args)):
            return later(self, *args, **kwargs)
        return own(self, *args, **kwargs)

    return called


def _number_first(_, args):
    return len(args) > 0 and isinstance(args[0], int)


def _number_before_tensor(_, args):
    return len(args) > 1 and isinstance(args[0], int)


def _tensor_first(_, args):
    return len(args) > 0 and isinstance(args[0], Tensor)


def _two_of_more_axes(tensor, args):
    return tensor.ndim > 2 and len(args) == 2 and isinstance(args[0], int) and isinstance(args[1], int)


@known_as(split_size="split_size_or_sections")
def split(self, split_size_or_sections, dim=0):
    """Parts along `dim`: of one size, or of a list of sizes."""
    return mint.split(self, split_size_or_sections, dim)


def index_add(self, indices, y, axis, use_lock=True, check_index_bound=True):
    """A copy to which `y` is added at the parts `indices` of an axis."""
    return ops.index_add(self, F.cast(indices, mstype.int32), y, axis, use_lock, check_index_bound)


def index_select(self, dim, index):
    """The parts at `index` of an axis."""
    return ops.index_select(self, dim, index)


#: The later form of methods, the keywords that it has alone, and what tells it by position.
LATER = {
    **{name: (getattr(mint, name), ("dim", "keepdim"), None) for name in "all any argmax argmin max median min nansum prod sum".split()},
    **{name: (getattr(mint, name), ("dim", "keepdim", "correction"), None) for name in ("std", "var")},
    **{name: (getattr(mint, name), ("dim", "stable"), None) for name in ("argsort", "sort")},
    **{name: (getattr(mint, name), ("alpha",), None) for name in ("add", "sub")},
    "mean": (mint.mean, ("dim", "keepdim", "dtype"), None), "count_nonzero": (mint.count_nonzero, ("dim",), None),
    "cumsum": (mint.cumsum, ("dim",), None), "chunk": (mint.chunk, ("dim",), None), "split": (split, ("dim", "split_size"), None),
    "tile": (mint.tile, ("dims",), None), "transpose": (mint.transpose, ("dim0", "dim1"), _two_of_more_axes),
    "flatten": (mint.flatten, (), _number_first), "gather": (mint.gather, ("dim", "index"), _number_before_tensor),
    "scatter": (mint.scatter, ("dim",), None), "scatter_add": (mint.scatter_add, ("dim", "index", "src"), _number_before_tensor),
    "index_add": (index_add, ("indices", "y", "axis"), _tensor_first), "index_select": (index_select, ("dim",), None),
    "select": (mint.select, ("dim", "index"), _number_before_tensor), "take": (mint.take, ("index",), None),
}

#: Methods that the first form has not.
NEW = {name: getattr(mint, name) for name in ("kthvalue", "triangular_solve", "unique")}
