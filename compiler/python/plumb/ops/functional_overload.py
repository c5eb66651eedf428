"""`mindspore.ops.functional_overload` of 2.5 and later: functions of several forms, which `plumb.ops` and `plumb.mint` have."""

from plumb import ops
from plumb.common._offers import not_offered

_missing = not_offered(__name__)


def __getattr__(name):
    offered = vars(ops).get(name)
    return _missing(name) if offered is None or name.startswith("_") else offered
