"""`mindspore.dataset.core.datatypes`: the pipeline's names of element types."""

from plumb.common import dtype as mstype


def mstype_to_detype(type_):
    """Returns what the pipeline calls an element type: that type's name."""
    return mstype.as_dtype(type_).name
