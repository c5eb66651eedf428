"""`mindspore.ops.composite`: functions of functions under the r1.x name."""

from plumb.ops._maps import HyperMap, Map, MultitypeFuncGraph
from plumb.ops.operations import GradOperation
