"""`mindspore.ops._grad`: where programs register gradients of operations."""

from plumb.ops._grad.grad_base import bprop_getters

__all__ = ["bprop_getters"]
