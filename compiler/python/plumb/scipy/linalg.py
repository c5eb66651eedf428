"""Linear algebra with SciPy's signatures; in the parsable subset."""

from plumb.common._offers import not_offered as _not_offered
from plumb.numpy import _common as C
from plumb.ops import _functions as F


def block_diag(*arrs):
    """The matrices, and vectors as rows, along the diagonal of one matrix; zeros elsewhere."""
    blocks = C.together([_block(x) for x in arrs])
    width, left, rows = 0, 0, ()
    for block in blocks:
        width = width + block.shape[1]
    for block in blocks:
        rows = rows + (F.pad(block, (0, left), (0, width - left - block.shape[1]), 0),)
        left = left + block.shape[1]
    return F.concat(rows, 0)


def _block(x):
    block = C.tensor(x)
    if block.ndim > 2:
        raise ValueError(f"For 'block_diag', the blocks must have two axes at most, but got the shape {block.shape}")
    return F.reshape(block, (1,) * (2 - block.ndim) + block.shape)


__getattr__ = _not_offered(__name__)
