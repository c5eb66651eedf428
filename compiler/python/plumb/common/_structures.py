"""Objects made of tensors that pass into, through and out of compiled functions, and functions of them that the host runs."""

import functools
import inspect

from plumb.common._refusals import refused


class TensorStructure:
    """An object of a fixed number of tensors and of what is known while compiling; sparse tensors are such.

    A compiled function sees its tensors as tensors and all else as constants. Instances never change.

    Attributes:
      _tensors: the tensors, in order.
      _known: a tuple of what is known: numbers, strings, tuples of such.
      STORED: names of attributes that read these two alone, so that they can be read while the tensors are not known.
    """

    STORED = ("_tensors", "_known")

    @classmethod
    def of(cls, tensors, known):
        """Returns an instance of these parts, which are not checked."""
        made = cls.__new__(cls)
        made._tensors = tuple([part.tensor if isinstance(part, Held) else part for part in tensors])
        made._known = tuple(known)
        return made


class Held:
    """A constant tensor of a structure, which compiled code knows by name: its values travel when they are used."""

    def __init__(self, tensor):
        self.tensor = tensor


class _Assembler:
    """`TensorStructure.of` as an object, which the live process calls also where tensors are not known."""

    def __call__(self, kind, tensors, known):
        return kind.of(tensors, known)


assembled = _Assembler()


_OF_SIZES = "how many elements its result stores depends on their values, and compiled code has fixed sizes"


class OnHost:
    """A function that runs where values are known, and compiled code is told so by name: its result's sizes depend on them.

    In a compiled function it is computed while compiling when all that it is given is constant.

    Args:
      fn: the function.
      advice: what to do instead, for the error.
      reason: why it does, where it is not for sizes.
    """

    def __init__(self, fn, advice, reason=_OF_SIZES):
        self.fn, self.advice, self.reason = fn, advice, reason
        functools.update_wrapper(self, fn)
        del self.__wrapped__
        self.__signature__ = inspect.signature(fn)

    def __get__(self, instance, kind=None):
        return self if instance is None else OnHost(self.fn.__get__(instance, kind), self.advice, self.reason)

    def __call__(self, *args, **kwargs):
        return self.fn(*args, **kwargs)

    def __repr__(self):
        return f"<function {self.__module__}.{self.__name__}>"

    def refusal(self):
        """Returns the error for a call on tensors whose values are not known while compiling."""
        return refused(TypeError, f"'{self.__name__}' cannot be called in compiled functions on tensors that are computed there: "
                                  f"{self.reason}; {self.advice}", "operation")


def on_host(advice, reason=_OF_SIZES):
    """Returns a decorator that makes an OnHost."""
    return lambda fn: OnHost(fn, advice, reason)


class InCode:
    """What compiled code calls in another form than plain Python."""

    def in_code(self):
        """Returns that form: a function, and its arguments before the call's own."""
        raise NotImplementedError


class InTwoForms(InCode):
    """A function that compiled code calls as another.

    Args:
      fn: the function of plain Python.
      compiled: that of compiled code.
    """

    def __init__(self, fn, compiled):
        self.fn, self.compiled = fn, compiled
        functools.update_wrapper(self, fn)
        del self.__wrapped__
        self.__signature__ = inspect.signature(fn)

    def __call__(self, *args, **kwargs):
        return self.fn(*args, **kwargs)

    def __repr__(self):
        return f"<function {self.__module__}.{self.__name__}>"

    def in_code(self):
        return self.compiled, ()


def compiled_as(compiled):
    """Returns a decorator that makes an InTwoForms."""
    return lambda fn: InTwoForms(fn, compiled)
