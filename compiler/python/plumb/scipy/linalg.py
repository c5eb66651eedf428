"""Linear algebra with SciPy's signatures; in the parsable subset."""

from plumb import ops as O
from plumb.common._offers import not_offered as _not_offered
from plumb.numpy import _common as C


def block_diag(*arrs):
    """The matrices, and vectors as rows, along the diagonal of one matrix; zeros elsewhere."""
    return O.block_diag(*C.together(arrs))


__getattr__ = _not_offered(__name__)
