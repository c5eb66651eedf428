"""`mindspore.ops.primitive`: primitives under the r1.x name."""

from plumb.common._marks import constexpr
from plumb.common._offers import not_offered
from plumb.ops._primitive import Primitive

_primexpr = constexpr


def prim_attr_register(fn):
    """Leaves the constructor of a primitive as it is: its arguments are what it stores itself."""
    return fn


class PrimitiveWithInfer(Primitive):
    """An operator of a program's own, of which it gives the shape and dtype alone: MindSpore has kernels of another device compute
    it. Programs define such classes for devices that they may not run on; the operator is refused where it is called.

    Args:
      name: the operator's name.
    """

    mnemonic, config = "builtins.foreign", {}

    def __init__(self, name=None):
        self._name = name or type(self).__name__

    @property
    def name(self):
        """The operator's name."""
        return getattr(self, "_name", type(self).__name__)

    def init_prim_io_names(self, inputs, outputs):
        """Names what goes in and comes out."""
        self.input_names, self.output_names = list(inputs), list(outputs)

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"Unsupported op [{self.name}] on CPU: nothing says how '{type(self).__name__}' is computed; "
                           f"plumb.ops.Custom makes an operator of a function of one's own.")


class PrimitiveWithCheck(PrimitiveWithInfer):
    """Such an operator, which checks its inputs itself."""


__getattr__ = not_offered(__name__)
