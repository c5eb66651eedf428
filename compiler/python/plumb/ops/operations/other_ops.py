"""Classes with effects, questions about tensors, and gradient functions."""

import types

from plumb.common._offers import offered
from plumb.common.tensor import Tensor
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops._maps import partial
from plumb.ops._overflows import depend
from plumb.ops.operations.layout_ops import PyFunc
from plumb.ops._primitive import Composite, Primitive

Assign = F.Assign


class Depend(Composite):
    """The first argument; what the second one does happens before it."""

    def construct(self, value, expr):
        """Compiled body."""
        return depend(value, expr)


class Print(F.Printing):
    """Prints its arguments, each on lines of its own: in compiled code tensors as MindSpore's device shows them, elsewhere as `repr`."""


class DType(Composite):
    """Gives a tensor's element type."""

    def construct(self, x):
        """Compiled body."""
        return x.dtype


class Shape(Composite):
    """Gives a tensor's shape, a tuple of ints."""

    def construct(self, x):
        """Compiled body."""
        return x.shape


class Rank(Composite):
    """Gives the number of a tensor's axes; raises TypeError for what is no tensor."""

    def construct(self, x):
        """Compiled body."""
        return _checks.tensor("Rank", x).ndim


class Size(Composite):
    """Gives the number of a tensor's elements; raises TypeError for what is no tensor."""

    def construct(self, x):
        """Compiled body."""
        return _checks.tensor("Size", x).size


class AssignAdd(Composite):
    """Adds a value to a parameter."""

    def construct(self, variable, value):
        """Compiled body."""
        return F.assign_add(variable, value)


class AssignSub(Composite):
    """Subtracts a value from a parameter."""

    def construct(self, variable, value):
        """Compiled body."""
        return F.assign_sub(variable, value)


class Partial(Composite):
    """Makes a function that calls another with these arguments before its own."""

    def construct(self, fn, *args):
        """Compiled body."""
        return partial(fn, *args)


class IdentityN(Composite):
    """Gives a tuple of tensors as it is."""

    def construct(self, x):
        """Compiled body."""
        return tuple(x)


class Assert(Composite):
    """Prints tensors and raises an error unless a condition holds: `Assert()(condition, [x, y])`.

    Args:
      summarize: how many elements of each tensor are printed.

    Raises:
      TypeError: if `summarize` is no int.
      RuntimeError: if the condition, a bool or a Tensor of one, is false.
    """

    def __init__(self, summarize=3):
        super().__init__()
        if isinstance(summarize, bool) or not isinstance(summarize, int):
            raise TypeError(f"For 'Assert', 'summarize' must be an int, but got {type(summarize).__name__}.")
        self.summarize = summarize

    def __call__(self, condition, input_data):
        if bool(condition.asnumpy().all() if isinstance(condition, Tensor) else condition):
            return
        print("For 'Assert' condition is false.")
        for value in input_data:
            print("input data:", value.asnumpy().reshape(-1)[:self.summarize] if isinstance(value, Tensor) else value)
        raise RuntimeError("assert failed")

    def construct(self, condition, input_data):
        """Compiled body."""
        if not (condition.all() if isinstance(condition, Tensor) else condition):
            print("For 'Assert' condition is false.")
            for value in input_data:
                print("input data:", value.reshape(-1)[:self.summarize] if isinstance(value, Tensor) else value, sep=" ")
            raise RuntimeError("assert failed")


class InsertGradientOf(Composite):
    """Gives what it takes; the gradient that comes back through it is what `f` makes of it.

    Args:
      f: a function from a gradient to a gradient of the same shape, which is compiled.
    """

    def __init__(self, f):
        if not callable(f):
            raise TypeError(f"For 'InsertGradientOf', the 'f' should be a function, but got {type(f).__name__}.")
        super().__init__()
        self.f = f

    def construct(self, x):
        """Compiled body."""
        return x

    def bprop(self, x, out, dout):
        """The rule of its gradient."""
        return (self.f(dout),)


class HookBackward(Composite):
    """Gives what it takes; `hook_fn` sees the gradients that come back through it, and may change them.

    Args:
      hook_fn: a function of the tuple of gradients, one per input, which is compiled; what it returns, if not None, replaces
        them: a tuple, or the one gradient.
      cell_id: part of the name under which hooks were kept; it has no use here.
    """

    _hooks_of_gradients = ("hook_fn",)

    def __init__(self, hook_fn, cell_id=""):
        if not isinstance(hook_fn, (types.FunctionType, types.MethodType)):
            raise TypeError(f"For 'HookBackward', the type of 'hook_fn' must be python function, but got {hook_fn}.")
        super().__init__()
        self.hook_fn = hook_fn
        self.cell_id = cell_id

    def construct(self, *inputs):
        """Compiled body."""
        return inputs[0] if len(inputs) == 1 else inputs

    def bprop(self, inputs, out, dout):
        """The rule of its gradients."""
        gradients = dout if isinstance(dout, tuple) else (dout,)
        changed = self.hook_fn(gradients)
        if changed is None:
            changed = gradients
        return (changed if isinstance(changed, tuple) else (changed,),)


class GradOperation(Primitive):
    """Makes gradient functions, r1.x style: `GradOperation(get_by_list=True)(network, weights)(*inputs)`.

    Args:
      get_all: gradients of all inputs instead of the first.
      get_by_list: gradients of the weights given with the function.
      sens_param: the gradient function takes the output's adjoint as its last argument.
    """

    def __init__(self, get_all=False, get_by_list=False, sens_param=False):
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(value, bool):
                raise TypeError(f"For 'GradOperation', the '{name}' should be bool, but got {type(value).__name__}")
        super().__init__("grad_operation", get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param

    def __call__(self, fn, weights=None):
        from plumb.ops.grad import GradFunction
        config = self.config
        if config["get_by_list"] and weights is None:
            weights = fn.trainable_params()
        argnums = () if config["get_by_list"] and not config["get_all"] else None if config["get_all"] else (0,)
        return GradFunction(fn, argnums, tuple(weights or ()) if config["get_by_list"] else (), value=False,
                            sens=config["sens_param"], single=not config["get_all"], by_none=config["get_by_list"] and not weights)


__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in ("F", "Composite", "Primitive", "Tensor")]
