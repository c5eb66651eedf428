"""`bprop_getters`: where programs register gradients for classes of operations."""

from plumb.context import warn_once
from plumb.ops._primitive import Primitive


class _Registry:
    """What `bprop_getters` is."""

    def register(self, prim):
        """Returns a decorator for what makes the gradient of a class of operations. The operations keep their own, as those of
        MindSpore 2.0.0 do, of which a warning tells.

        Raises TypeError where `prim` is no class of operations.
        """
        if not (isinstance(prim, type) and issubclass(prim, Primitive)):
            raise TypeError(f"For 'bprop_getters', gradients are registered for classes of operations, but got {prim!r}.")
        warn_once(f"'{prim.__name__}' keeps its own gradient, as in MindSpore, whatever is registered for it; a Cell with a `bprop` has "
                  f"another.")
        return lambda maker: maker


bprop_getters = _Registry()
