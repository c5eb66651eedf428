"""`Inter` and `Border`, under their r1.x place."""

import enum

from plumb.dataset.operations import Inter


class Border(str, enum.Enum):
    """How pixels outside of an image are filled."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"
