"""`mindspore.ops.primitive`: primitives under the r1.x name."""

import functools
import inspect

from plumb.common._marks import constexpr
from plumb.common._offers import not_offered
from plumb.ops._primitive import Composite, Primitive

_primexpr = constexpr


def _run_op(obj, op_name, args):
    """The operation's results on these arguments, whatever a program's own class calls when it is called itself; `op_name` is its name."""
    del op_name
    return (Composite if isinstance(obj, Composite) else Primitive).__call__(obj, *args)


def prim_attr_register(fn):
    """Wraps the constructor of a program's own primitive: the arguments become attributes, and are noted in `attrs`."""

    @functools.wraps(fn)
    def construct(self, *args, **kwargs):
        if type(self).__init__ is construct and not isinstance(self, PrimitiveWithInfer):
            Primitive.__init__(self, type(self).__name__)
        bound = inspect.signature(fn).bind(self, *args, **kwargs)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            self.add_prim_attr(name, value)
        fn(self, *args, **kwargs)

    return construct


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

    def __call__(self, *args, **kwargs):
        raise RuntimeError(f"Unsupported op [{self.name}] on CPU: nothing says how '{type(self).__name__}' is computed; "
                           f"plumb.ops.Custom makes an operator of a function of one's own.")


class PrimitiveWithCheck(PrimitiveWithInfer):
    """Such an operator, which checks its inputs itself."""


__getattr__ = not_offered(__name__)
