"""`mindspore.ops.composite`: GradOperation under the r1.x name."""

from plumb.ops.operations import GradOperation
