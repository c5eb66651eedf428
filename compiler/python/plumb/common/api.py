"""`jit`: marks a function to be compiled as one; and the options it takes."""

import functools
import inspect

import numpy as np

from plumb.common._executors import _cell_graph_executor, _pynative_executor
from plumb.common._marks import jit_class, ms_class
from plumb.common._offers import only_defaults
from plumb.common._taping import _no_grad
from plumb.common.tensor import Tensor, tensors_in


# MindSpore's compiled cells by their identity, of which programs write entries: nothing here reads them.
cells_compile_cache = {}

_LEVELS = ("", "O0", "O1", "O2", "O3")


class JitConfig:
    """Options of compilation.

    Args:
      jit_level: "O0", "O1" or "O2"; the compiler optimises all of them alike.
      exc_mode: "auto", "sink" or "no_sink".
      jit_syntax_level: "", "STRICT" or "LAX"; compiled code is strict always.
    """

    def __init__(self, jit_level="O1", exc_mode="auto", jit_syntax_level="", **kwargs):
        if jit_level not in _LEVELS:
            raise ValueError(f"For 'JitConfig', 'jit_level' must be one of ['O0', 'O1', 'O2', 'O3'], but got "
                             f"{jit_level}.")
        if exc_mode not in ("auto", "sink", "no_sink"):
            raise ValueError(f"For 'JitConfig', 'exc_mode' must be one of ['auto', 'sink', 'no_sink'], but got "
                             f"{exc_mode}.")
        if jit_syntax_level not in ("", "STRICT", "LAX"):
            raise ValueError(f"For 'JitConfig', 'jit_syntax_level' must be 'STRICT' or 'LAX', but got "
                             f"{jit_syntax_level}.")
        only_defaults("JitConfig", **{name: (value, ...) for name, value in kwargs.items()})
        self.jit_config_dict = {"jit_level": jit_level, "exc_mode": exc_mode}


class Jit:
    """A function that is compiled when it is called: once per signature of its arguments, or only for a given one."""

    def __init__(self, fn, owner=None, signature=None):
        functools.update_wrapper(self, fn)  # Copies what `fn` holds, which may be a `fn` of its own.
        del self.__wrapped__
        self.fn = fn
        self.owner = owner
        self._signature = signature

    def __get__(self, instance, kind=None):
        return self if instance is None else Jit(self.fn.__get__(instance, kind), instance, self._signature)

    def __call__(self, *args, **kwargs):
        from plumb import _engine
        if self._signature is not None:
            _check_signature(self._signature, args)
        return _engine.call(self.fn, args, kwargs, is_graph=True)


def _check_signature(signature, args):
    """Raises ValueError where arguments are not of the shapes and types of a signature's tensors."""
    wanted, given = tensors_in(signature), tensors_in(args)
    fits = len(wanted) == len(given) and all(
        one.dtype is other.dtype and len(one.shape) == len(other.shape)
        and all(extent in (-1, there) for extent, there in zip(one.shape, other.shape)) for one, other in zip(wanted, given))
    if not fits:
        kinds = [", ".join(f"{one.dtype}{list(one.shape)}" for one in tensors) for tensors in (wanted, given)]
        raise ValueError(f"For 'jit', the arguments must be as in 'input_signature': {kinds[0]}, but got {kinds[1]}.")


class Whole(Jit):
    """A function of this package: plain Python's call of it compiles all of it as one program.

    What does not compile runs as plain Python, operation by operation, and raises what Python raises.

    Args:
      fn: the function, in the parsable subset; compiled functions that call it see it as it is.
      arrays: names of parameters that take lists: they are tensors of the program, not constants.
    """

    def __init__(self, fn, arrays=(), owner=None):
        super().__init__(fn, owner)
        self.arrays = arrays
        self._plain = False
        self.__signature__ = inspect.signature(fn)
        self._names = [name for name, parameter in self.__signature__.parameters.items()
                       if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]

    def __get__(self, instance, kind=None):
        return self if instance is None else Whole(self.fn.__get__(instance, kind), self.arrays, instance)

    def __call__(self, *args, **kwargs):
        from plumb import _engine
        from plumb._parse.diagnostics import CompileError
        named = self._names + [""] * len(args)
        args = tuple(_as_operand(value) if name in self.arrays else value for name, value in zip(named, args))
        kwargs = {name: _as_operand(value) if name in self.arrays else value for name, value in kwargs.items()}
        if not self._plain:
            try:
                return _engine.call(self.fn, args, kwargs)
            except CompileError:
                pass
        # Outside of the handler: an error of this call is no consequence of the compiler's.
        result = self.fn(*args, **kwargs)
        self._plain = True
        return result

    def __repr__(self):
        return f"<function {self.fn.__module__}.{self.__name__}>"


class HostFunction:
    """A function of this package that runs on the host; a compiled function that calls it is told the reason at its line."""

    def __init__(self, fn, reason):
        self.fn, self.reason = fn, reason
        functools.update_wrapper(self, fn)

    def __call__(self, *args, **kwargs):
        return self.fn(*args, **kwargs)

    def __repr__(self):
        return f"<function {self.fn.__module__}.{self.__name__}>"


def _as_operand(value):
    """A list of numbers as a tensor: one program serves all lists of its shape."""
    if not isinstance(value, list) or not value:
        return value
    array = np.asarray(value)
    kinds = {"b": np.bool_, "i": np.int32, "f": np.float32}
    return Tensor(array.astype(kinds[array.dtype.kind])) if array.dtype.kind in kinds else value


_JIT_CHOICES = {"capture_mode": ("ast", "bytecode", "trace"), "jit_level": _LEVELS, "backend": ("", "ms_backend"),
                "dynamic": (0, 1), "fullgraph": (False, True)}


def _check_choices(owner, given):
    """Takes out of `given` what has several values that are compiled alike; refuses other values by name."""
    for name in [name for name in given if name in _JIT_CHOICES]:
        value = given.pop(name)
        if value not in _JIT_CHOICES[name]:
            raise ValueError(f"For '{owner}', {name}={value!r} is not offered; '{name}' must be one of "
                             f"{list(_JIT_CHOICES[name])}, which compile alike.")


def jit(fn=None, mode="PSJit", input_signature=None, hash_args=None, jit_config=None, **kwargs):
    """Compiles a function as a whole; usable as `@jit` and `@jit(jit_config=…)`.

    `capture_mode`, `jit_level`, `dynamic`, `fullgraph` and `backend` may be given as MindSpore documents them: functions are
    compiled from their source, as one graph, once for each signature, with all optimisations. `hash_args` tells MindSpore what
    else the function depends on; it may be anything, since this is found out. `input_signature`, a tensor, or tensors in tuples, lists
    and dicts, says of what shapes and types the arguments are: others are a ValueError; an extent of None may be any.
    """
    _check_choices("jit", kwargs)
    if mode not in ("PSJit", "PIJit"):
        raise ValueError(f"For 'jit', 'mode' must be 'PSJit' or 'PIJit', which compile alike, but got {mode!r}.")
    if jit_config is not None and not isinstance(jit_config, JitConfig):
        raise TypeError(f"For 'jit', the 'jit_config' must be a JitConfig, but got {type(jit_config).__name__}.")
    only_defaults("jit", **{name: (value, ...) for name, value in kwargs.items()})
    if fn is None:
        return lambda function: Jit(function, signature=input_signature)
    return Jit(fn, signature=input_signature)


ms_function = jit


