"""`mutable`: constants as inputs; `constexpr`: what Python computes; marks that this compiler does not need."""

import functools

from plumb.common._structures import compiled_as


class MutableInt(int):
    """A number that is an input of compiled functions: calls with other numbers run the same program."""


class MutableFloat(float):
    """A number that is an input of compiled functions."""


class MutableTuple(tuple):
    """A tuple whose tensors are differentiated by where gradients of all inputs are wanted; one that is not is a constant."""


class MutableList(list):
    """Such a list."""


class MutableDict(dict):
    """Such a dict."""


def mutable(input_data, dynamic_len=False):
    """Makes numbers inputs of the compiled functions that they are passed to.

    Tensors are inputs always; any other number is a constant of the program, which is compiled anew for each. A number
    inside `mutable` becomes a tensor of rank 0, of int64 or float32. `GradOperation(get_all=True)` differentiates by Tensors and
    by what is mutable; other tuples, lists and dicts are constants to it.

    Args:
      input_data: a number, a Tensor, or a tuple, list or dict of such, nested.
      dynamic_len: whether calls will come with sequences of other lengths: each length has a program of its own in any case.

    Raises:
      TypeError: if `input_data` holds anything else, or is no tuple or list where `dynamic_len` is set.
    """
    if dynamic_len and not isinstance(input_data, (tuple, list)):
        raise TypeError(f"For 'mutable', when 'dynamic_len' is True, the 'input_data' should be a tuple or list, but got "
                        f"{type(input_data).__name__}.")
    return _mutable(input_data)


def _mutable(value):
    from plumb.common.tensor import Tensor
    if isinstance(value, Tensor) or value is None:
        return value
    if type(value) is int:
        return MutableInt(value)
    if type(value) is float:
        return MutableFloat(value)
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list, MutableTuple, MutableList):
        return (MutableTuple if isinstance(value, tuple) else MutableList)(_mutable(item) for item in value)
    if type(value) in (dict, MutableDict):
        return MutableDict((name, _mutable(item)) for name, item in value.items())
    if isinstance(value, (MutableInt, MutableFloat)):
        return value
    raise TypeError(f"For 'mutable', the 'input_data' should be a number, a Tensor, or a tuple, list or dict of such, but got "
                    f"{type(value).__name__}.")


def jit_class(cls):
    """Marks a class whose instances compiled functions use; those of any other class may be used as well.

    Raises:
      TypeError: if `cls` is no class, or a Cell, which needs no mark.
    """
    from plumb.nn.cell import Cell
    if not isinstance(cls, type):
        raise TypeError(f"Decorator jit_class can only be used for class type, but got {cls}.")
    if issubclass(cls, Cell):
        raise TypeError(f"Decorator jit_class is used for user-defined classes and cannot be used for nn.Cell: {cls}.")
    return cls


ms_class = jit_class


class Computed:
    """A function that Python computes while compiling, whatever its body holds; only where a tensor of the run time is among
    its arguments, it is compiled."""

    def __init__(self, fn):
        functools.update_wrapper(self, fn)

    def __call__(self, *args, **kwargs):
        return self.__wrapped__(*args, **kwargs)


def _inner_constexpr(fn=None, get_instance=True, name=None, reuse_result=True, check=True):
    """`constexpr` inside of compiled code, where functions see names of others: their known values are computed anyway."""
    if fn is None:
        return lambda given: _inner_constexpr(given, get_instance)
    return fn if get_instance else lambda: fn


@compiled_as(_inner_constexpr)
def constexpr(fn=None, get_instance=True, name=None, reuse_result=True, check=True):
    """Marks a function that Python computes while compiling, since its arguments are known by then.

    Args:
      fn: the function.
      get_instance: whether the mark gives the function; otherwise what gives it when it is called without arguments.
      name, reuse_result, check: how MindSpore wraps it; without effect on what it returns.
    """
    del name, reuse_result, check
    if fn is None:
        return functools.partial(constexpr, get_instance=get_instance)
    return Computed(fn) if get_instance else functools.partial(Computed, fn)


def lazy_inline(fn=None, attrs=None, policy=None):
    """Marks a cell's `__init__`: the compiler inlines all calls anyway. Returns it, or what gives it back.

    Args:
      fn: the `__init__`.
      attrs, policy: which attributes tell instances apart, and where they are inlined; without effect on results.
    """
    del attrs, policy
    return (lambda given: given) if fn is None else fn


def no_inline(fn=None):
    """Marks a function, which it returns: the compiler inlines all calls, and results are the same."""
    return (lambda given: given) if fn is None else fn


def recompute(block, *args, use_reentrant=True, output_recompute=False, early_stop=True, context_fn=None, **kwargs):
    """Calls `block`, a cell or function, with the other arguments; the compiler chooses what to keep for gradients."""
    return block(*args, **kwargs)
