"""Gradient functions: `value_and_grad`, `grad` and what `GradOperation` makes.

A GradFunction is an object the compiler understands (`#net.grad<…>`), whether a compiled function calls it or plain
Python does.
"""

import types
import weakref

import numpy as np

from plumb import _draws, context
from plumb._parse.diagnostics import CompileError
from plumb.common import _taping
from plumb.common._marks import MutableDict, MutableFloat, MutableInt, MutableList, MutableTuple
from plumb.common._refusals import refused
from plumb.common._structures import TensorStructure
from plumb.common.api import Jit, Whole
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor


# Code of functions, and cells, that Python runs for their gradients, in PyNative mode.
_run_by_python = weakref.WeakSet()


class GradFunction:
    """The gradient of a function or cell.

    Attributes:
      fn: the function differentiated.
      argnums: positions of the inputs whose gradients are wanted; None means all.
      weights: parameters whose gradients are wanted.
      value: whether the function's value is returned before the gradients.
      has_aux: whether only the first result is differentiated and the others are passed through.
      sens: whether the last argument is the adjoint of the result.
      single: whether the program gave one position as a plain int, so that the gradient is no tuple.
      return_ids: whether each gradient stands behind its position or its Parameter's name.
      of_compiled: whether `fn` is compiled where Python calls it, too.
      by_none: whether the program gave weights, but no Parameter among them: an empty tuple stands for their gradients.
    """

    def __init__(self, fn, argnums, weights, value, has_aux=False, sens=False, single=True, single_weight=False,
                 return_ids=False, by_none=False):
        self.fn = _function_of(fn)
        self.of_compiled = isinstance(fn, Jit) and not isinstance(fn, Whole)
        self.argnums = argnums
        self.weights = tuple(weights)
        self.value = value
        self.has_aux = has_aux
        self.sens = sens
        self.single = single
        self.single_weight = single_weight
        self.return_ids = return_ids
        self.by_none = by_none
        self.left_to_python = True

    def compiled_only(self):
        """This gradient, which Python does not run where it cannot be compiled."""
        self.left_to_python = False
        return self

    def __call__(self, *args, **kwargs):
        found = self._gradients(args, kwargs)
        if not self.by_none or self.argnums == ():
            return found
        if self.value:
            return found[0], (found[1], ())
        return ((found[0], ()), found[1]) if self.has_aux else (found, ())

    def _gradients(self, args, kwargs):
        """The gradients by what there is."""
        from plumb import _engine
        inputs = args[:-1] if self.sens and "sens" not in kwargs else args
        if self.argnums is None and not all(isinstance(value, _INPUTS) for value in inputs):
            positions = [at for at, value in enumerate(inputs) if isinstance(value, _INPUTS)]
            gradients = self._by(positions)(*args, **kwargs)
            return gradients if positions or not self.weights else ((), gradients)
        if self.argnums and len(self.argnums) > 1:
            positions = tuple(at for at in self.argnums if at >= len(inputs) or not _is_constant(inputs[at]))
            if 0 < len(positions) < len(self.argnums):  # Among several inputs, those that are constants have no gradients.
                return self._by(positions)(*args, **kwargs)
        if self.argnums == () and not self.weights:
            return ()
        if not self._is_run_by_python():
            before = _draws.state()
            try:
                return _engine.call(self, args, kwargs)
            except CompileError as problem:
                if context.get_context("mode") != context.PYNATIVE_MODE or not _engine.needs_python(problem) or not self.left_to_python:
                    raise
                if _taping.current() is not None:
                    raise refused(RuntimeError, f"Python runs the function that this gradient is taken in, and would have to run the "
                                                f"function that it is taken of, too: {problem.message}") from problem
            _draws.restore(before)  # the numbers that compiling has drawn
        from plumb import _tape
        found = _tape.gradients(self, args, kwargs)
        self._leave_to_python()
        return found

    def _is_run_by_python(self):
        return (self.left_to_python and getattr(self.fn, "__code__", self.fn) in _run_by_python and _taping.current() is None
                and context.get_context("mode") == context.PYNATIVE_MODE)

    def _can_leave_to_python(self, on_tape):
        """Whether Python may run the function: it is not one of `jit`, and Python does not run it for another gradient already."""
        return not on_tape and not self.of_compiled and self.left_to_python

    def _leave_to_python(self):
        """Has Python run the next calls of the function, or of others with its code."""
        _run_by_python.add(getattr(self.fn, "__code__", self.fn))

    def _by(self, positions):
        """The gradient by inputs at these positions, for calls with constants among their inputs."""
        return GradFunction(self.fn, tuple(positions), self.weights, self.value, self.has_aux, self.sens, False,
                            self.single_weight, self.return_ids)

    def placed(self, result, args):
        """A call's structured result in which gradients by sparse tensors stand where the tensors' own values do."""
        args = args[:-1] if self.sens else args
        if not _holds_structures(args):
            return result
        return placed(result, args, self.argnums, bool(self.weights), self.value, self.has_aux)

    def arrange(self, by_input, by_weight):
        """Puts gradients (tuples, or None by inputs or weights that the program did not name) into the structure that the caller wants."""
        if by_input is not None:
            by_input = self._arrange(self.argnums or range(len(by_input)), by_input)
        if by_weight is not None:
            named = tuple(zip([weight.name for weight in self.weights], by_weight)) if self.return_ids else tuple(by_weight)
            by_weight = named[0] if self.single_weight else named
        if by_input is None or by_weight is None:
            return by_weight if by_input is None else by_input
        return by_input, by_weight

    def _arrange(self, names, gradients):
        if self.return_ids:
            gradients = tuple(zip(names, gradients))
        return gradients[0] if len(gradients) == 1 and (self.single or self.return_ids) else tuple(gradients)


def _function_of(value):
    """What is differentiated where a gradient of an object is taken: its `__call__`."""
    if not callable(value):
        raise TypeError(f"For the gradient, the function must be a function or a Cell, but got {type(value).__name__}.")
    method = getattr(type(value), "__call__", None)
    if isinstance(method, types.FunctionType) and not method.__module__.startswith("plumb."):
        return types.MethodType(method, value)
    return value


def placed(result, args, argnums, by_weights, value, has_aux):
    """What a gradient function returns, with gradients by sparse tensors at the places of the tensors; in the parsable subset.

    Args:
      result: the gradients, behind the function's value if `value` is set, before its other results if `has_aux` is.
      args: what the function was called with.
      argnums, by_weights: by which arguments (None means all that hold tensors), and whether by Parameters, behind them.
    """
    if value:
        return result[0], placed(result[1], args, argnums, by_weights, False, False)
    if has_aux:
        return placed(result[0], args, argnums, by_weights, False, False), result[1]
    if argnums == ():
        return result
    chosen = [value for value in args if isinstance(value, _HOLDERS)] if argnums is None else [args[at] for at in argnums]
    gradients = result[0] if by_weights else result
    gradients = _at_places_of(tuple(chosen), gradients) if isinstance(gradients, tuple) else _at_places_of(chosen[0], gradients)
    return (gradients, result[1]) if by_weights else gradients


_HOLDERS = (Tensor, TensorStructure, tuple, list)
# By what all inputs are differentiated: what else a gradient function is called with is constant.
_INPUTS = (Tensor, np.ndarray, TensorStructure, MutableInt, MutableFloat, MutableTuple, MutableList, MutableDict)


def _is_constant(value):
    """Whether an input is a plain number, string or None."""
    return isinstance(value, (bool, int, float, str, type(None))) and not isinstance(value, _INPUTS)


def _holds_structures(value):
    """Whether a value, or what it holds, is a sparse tensor."""
    if isinstance(value, (tuple, list)):
        return any(_holds_structures(item) for item in value)
    return isinstance(value, TensorStructure)


def _at_places_of(value, gradient):
    """A gradient, or several, with the indices of the sparse tensors that they belong to, where they are such."""
    if isinstance(value, TensorStructure):
        return value.with_values(gradient.values)
    if isinstance(value, (tuple, list)) and isinstance(gradient, (tuple, list)):
        return tuple([_at_places_of(one, other) for one, other in zip(value, gradient)])
    return gradient


def value_and_grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """Returns a function that gives `fn`'s value and its gradients.

    Args:
      fn: a function or Cell.
      grad_position: int or tuple of ints, the inputs to differentiate by; None for none.
      weights: Parameter or sequence of them to differentiate by; None for none.
      has_aux: whether results after the first are passed through undifferentiated.
      return_ids: whether each gradient stands behind its position, or its Parameter's name, for `get_grad`.
    """
    return _make(fn, grad_position, weights, has_aux, return_ids, value=True, who="value_and_grad")


def grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """Returns a function that gives the gradients of `fn`; arguments as in `value_and_grad`.

    Where a gradient by integers or of integers is wanted, integers are differentiated as if they were floats, and fractions
    are cut; operations whose rules do not hold for integers, and booleans, pass nothing on.
    """
    return _make(fn, grad_position, weights, has_aux, return_ids, value=False, who="grad")


def _make(fn, grad_position, weights, has_aux, return_ids, value, who):
    if grad_position is None and weights is None:
        raise ValueError("`grad_position` and `weights` can not be None at the same time.")
    positions = _positions(grad_position, who)
    chosen = (weights,) if isinstance(weights, Parameter) else tuple(weights or ())
    for item in chosen:
        if not isinstance(item, Parameter):
            raise TypeError(f"For '{who}', the 'weights' must be Parameters, but got {type(item).__name__}.")
    return GradFunction(fn, positions, chosen, value, has_aux, single=isinstance(grad_position, int),
                        single_weight=isinstance(weights, Parameter), return_ids=return_ids,
                        by_none=weights is not None and not chosen)


def _positions(grad_position, who):
    if grad_position is None:
        return ()
    positions = (grad_position,) if isinstance(grad_position, int) else tuple(grad_position)
    if not all(isinstance(position, int) and position >= 0 for position in positions):
        raise ValueError(f"For '{who}', the 'grad_position' must be ints of at least 0, but got {grad_position}.")
    return positions
