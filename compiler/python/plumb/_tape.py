"""Gradients of functions that Python runs: in PyNative mode, of those that ask for values of tensors, or change what Python holds.

Python runs the function. Each operation, cell and compiled function that it calls is a program of its own, as outside of gradients, and
is noted where what is differentiated by reaches it. Backwards, the calls are differentiated from last to first, each by the compiled
gradient function of its target. That computes the call's values once more, so Parameters that the call has written, such as moving
averages and the numbers of random draws, hold meanwhile what they held before it. Where elements are stored into a tensor, another
one stands for what it was in all that was noted before.
"""

import contextlib
import functools
import inspect

import numpy as np

from plumb import context
from plumb.common import _bfloat, _taping, dtype as mstype
from plumb.common._offers import by_own_names
from plumb.common._refusals import refused
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor, tensors_in
from plumb._parse.diagnostics import CompileError
from plumb.nn.cell import Cell


def gradients(function, args, kwargs):
    """What a GradFunction returns, whose function Python runs."""
    sens = args[-1] if function.sens else None
    inputs = args[:-1] if function.sens else args
    chosen = [value for value in inputs if isinstance(value, Tensor)] if function.argnums is None else \
        [inputs[position] for position in function.argnums]
    if not all(isinstance(value, Tensor) for value in chosen):
        raise TypeError("In PyNative mode, a function that is run by Python is differentiated by tensors only.")
    tape = Tape((*chosen, *function.weights))
    with _taping.recording(tape):
        result = function.fn(*inputs, **kwargs)
    main = result[0] if function.has_aux else result
    with _taping.recording(None):
        found = tape.backwards(main, sens)
    by_input = None if function.argnums == () else [found(value) for value in chosen]
    arranged = function.arrange(by_input, [found(weight) for weight in function.weights] if function.weights else None)
    if function.value:
        return result, arranged
    return (arranged, tuple(result[1:])) if function.has_aux else arranged


class Tape:
    """What a function has computed of the tensors that it is differentiated by.

    Args:
      sources: these tensors.
    """

    def __init__(self, sources):
        self._sources = sources
        self._origins = list(sources)  # these, or what they were before elements were stored into them
        self._reached = {id(source): source for source in sources}  # kept, so that no other has their identity
        self._notes = []

    def reaches(self, *values):
        """Whether a tensor among values, nested, depends on the sources."""
        return any(id(tensor) in self._reached for tensor in tensors_in(values))

    def call(self, run, target, args, kwargs, compute):
        """Returns what `compute` gives, a call of `target` by a Run; notes it."""
        weights = [parameter for parameter in run.parameters.values() if id(parameter) in self._reached]
        if not weights and not self.reaches(args, kwargs):
            return compute()
        before = run.written()
        result = compute()
        self._note(_Call(target, args, kwargs, weights, self, before, result), result)
        return result

    def part(self, tensor, index, result):
        """Notes that `result` holds the elements of `tensor` at an index of NumPy's."""
        if self.reaches(tensor):
            self._note(_Part(tensor, index, result), result)

    def stored(self, tensor, before, index, value):
        """Notes that elements of `tensor`, which was the array `before`, at an index of NumPy's have become `value`."""
        if not self.reaches(tensor, value):
            return
        if isinstance(tensor, Parameter):
            self.refuse_change(tensor, value)
        old = Tensor.from_numpy(before)
        for note in self._notes:
            note.rename(tensor, old)
        if id(tensor) in self._reached:
            self._reached[id(old)] = old
        for place, source in enumerate(self._sources):
            if source is tensor and self._origins[place] is tensor:
                self._origins[place] = old
        self._note(_Store(old, index, value, tensor), tensor)

    def passed(self, values, take):
        """Returns tensors that hold what those of a tuple do. Backwards, `take` is given their gradients, and gives those by `values`."""
        with _taping.recording(None):
            result = tuple(value.copy() if isinstance(value, Tensor) else value for value in values)
        if self.reaches(values):
            self._note(_Passed(values, result, take), result)
        return result

    def refuse_change(self, *tensors):
        """Raises RuntimeError where elements of a tensor are to change that depends on the sources, or where such are stored."""
        if self.reaches(*tensors):
            raise refused(RuntimeError, "in a function that Python runs for its gradient, no elements of Parameters that lead to the "
                                        "gradient can be stored; make a new tensor, by ops.select or ops.concat")

    def _note(self, note, result):
        self._notes.append(note)
        self._reached.update((id(tensor), tensor) for tensor in tensors_in(result) if _is_float(tensor))

    def backwards(self, result, sens):
        """Returns a function that gives the gradient of `result`, weighed by `sens`, by a source."""
        found = {}
        ones = [Tensor.from_numpy(np.ones(tensor.shape, _kind(tensor))) for tensor in tensors_in(result)]
        for tensor, adjoint in zip(tensors_in(result), ones if sens is None else tensors_in(sens)):
            _add(found, tensor, adjoint.asnumpy())
        for note in reversed(self._notes):
            if any(id(tensor) in found for tensor in tensors_in(note.result)):
                note.pass_on(found)
        origins = {id(source): origin for source, origin in zip(self._sources, self._origins)}
        return lambda source: _gradient(origins[id(source)], found)


class _Passed:
    """Tensors that hold what those of `values` do, where Python sees and changes gradients on their way."""

    def __init__(self, values, result, take):
        self.values, self.result, self.take = values, result, take

    def rename(self, tensor, old):
        """Has `old` stand for what a tensor was until now."""
        self.values, self.result = _renamed((self.values, self.result), tensor, old)

    def pass_on(self, found):
        """Adds what is taken of the gradients by the result to those by the values."""
        taken = self.take(tuple(_adjoint(item, found) if isinstance(item, Tensor) else item for item in self.result))
        for value, adjoint in zip(self.values, taken):
            if isinstance(value, Tensor) and _is_float(value):
                _add(found, value, adjoint.asnumpy())


class _Part:
    """A tensor of elements of another."""

    def __init__(self, tensor, index, result):
        self.tensor, self.index, self.result = tensor, index, result

    def rename(self, tensor, old):
        """Has `old` stand for what a tensor was until now."""
        self.tensor, self.result = _renamed((self.tensor, self.result), tensor, old)

    def pass_on(self, found):
        """Adds to the gradient by the tensor."""
        adjoint = np.zeros(self.tensor.shape, _kind(self.tensor))
        np.add.at(adjoint, self.index, found[id(self.result)])
        _add(found, self.tensor, adjoint)


class _Store:
    """A tensor in which elements have become others: `result`, which was `tensor`."""

    def __init__(self, tensor, index, value, result):
        self.tensor, self.index, self.value, self.result = tensor, index, value, result

    def rename(self, tensor, old):
        """Has `old` stand for what a tensor was until now."""
        self.tensor, self.value, self.result = _renamed((self.tensor, self.value, self.result), tensor, old)

    def pass_on(self, found):
        """Adds to the gradients by what the tensor was, and by what was stored."""
        adjoint = found.pop(id(self.result)).copy()
        if isinstance(self.value, Tensor):
            _add(found, self.value, _summed(adjoint[self.index], self.value))
        adjoint[self.index] = 0
        _add(found, self.tensor, adjoint)


class _Call:
    """A call of what is compiled, with the Parameters among the sources that it depends on, and what it wrote as it was before."""

    def __init__(self, target, args, kwargs, weights, tape, before, result):
        self.target, self.args = _by_position(target, args, kwargs)
        self.called, self.weights, self.result = target, weights, result
        self.positions = [place for place, value in enumerate(self.args) if tape.reaches(value)]
        self._before = before

    def rename(self, tensor, old):
        """Has `old` stand for what a tensor was until now."""
        self.args, self.result = _renamed((self.args, self.result), tensor, old)

    def pass_on(self, found):
        """Adds to the gradients by the arguments and by the Parameters."""
        adjoint = _adjoint(self.result, found)
        with self._as_before(), _noting(self.called), context._silent_prints():
            try:
                self._add_gradients(self.positions, adjoint, found)
            except CompileError:
                # Where values of integers decide sizes, they are constants, and have no gradient.
                floats = [place for place in self.positions if any(map(_is_float, tensors_in(self.args[place])))]
                if floats == self.positions or not floats:
                    raise
                self._add_gradients(floats, adjoint, found)

    def _add_gradients(self, positions, adjoint, found):
        from plumb.ops.grad import GradFunction
        gradient = GradFunction(self.target, tuple(positions), self.weights, value=False, sens=True, single=False)
        if _under_way.count(id(self.target)) > 1:  # Python has run it, and it was one call of itself
            gradient.compiled_only()
        made = gradient(*self.args, adjoint)
        by_inputs, by_weights = made if positions and self.weights else (made, ()) if positions else ((), made)
        if len(positions) == 1:
            by_inputs = (by_inputs,)
        sources = [*tensors_in([self.args[place] for place in positions]), *self.weights]
        for source, one in zip(sources, tensors_in([*by_inputs, *by_weights]), strict=True):
            _add(found, source, one.asnumpy())

    @contextlib.contextmanager
    def _as_before(self):
        """Surrounds a second computation of the call."""
        after = [(parameter, parameter.asnumpy()) for parameter, _ in self._before]
        for parameter, array in self._before:
            parameter.set_data(array)
        try:
            yield
        finally:
            for parameter, array in after:
                parameter.set_data(array)


_under_way = []  # the targets of calls that are being differentiated, by identity


@contextlib.contextmanager
def _noting(target):
    _under_way.append(id(target))
    try:
        yield
    finally:
        _under_way.pop()


def _by_position(target, args, kwargs):
    """What is called, and all its arguments, none by name: settings that are given by name only are part of what is called."""
    if not kwargs:
        return target, args
    function = target.construct if isinstance(target, Cell) else target
    names = getattr(function, "known_as", {})
    bound = inspect.signature(function).bind(*args, **by_own_names(function, names, kwargs))
    bound.apply_defaults()
    if not bound.kwargs:
        return target, bound.args
    if tensors_in(bound.kwargs):
        raise refused(TypeError, f"in a function that Python runs for its gradient, {list(bound.kwargs)} cannot be tensors that are "
                                 f"given by name only")
    settings = tuple(bound.kwargs.items())
    try:
        return _with_settings(target, settings), bound.args
    except TypeError:  # lists and dicts are no keys
        return _with_settings.__wrapped__(target, settings), bound.args


@functools.lru_cache(maxsize=1024)
def _with_settings(target, settings):
    """One object for one target and its settings, so that its gradient is compiled once."""
    return functools.partial(target, **dict(settings))


def _renamed(value, tensor, old):
    """The value with `old` in the place of a tensor."""
    if value is tensor:
        return old
    if isinstance(value, (tuple, list)):
        items = [_renamed(item, tensor, old) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return {name: _renamed(item, tensor, old) for name, item in value.items()} if isinstance(value, dict) else value


def _summed(adjoint, value):
    """The gradient by a tensor that was stored, of the elements that it has become."""
    adjoint = np.asarray(adjoint, _kind(value))
    adjoint = adjoint.sum(tuple(range(adjoint.ndim - value.ndim)))
    repeated = tuple(axis for axis, extent in enumerate(value.shape) if extent != adjoint.shape[axis])
    return adjoint.sum(repeated, keepdims=True).reshape(value.shape)


def _adjoint(result, found):
    """The adjoint of a result, of its structure without what is no tensor, as the ids of gradients."""
    if isinstance(result, (tuple, list)):
        return tuple(_adjoint(item, found) for item in result if isinstance(item, (tuple, list, dict, Tensor)))
    return _gradient(result, found)


def _gradient(tensor, found):
    """What has been found of the gradient by a tensor, of its element type; zeros where nothing has been."""
    array = found.get(id(tensor), np.zeros(tensor.shape, _kind(tensor)))
    return Tensor.from_numpy(_bfloat.stored(array, tensor.dtype.numpy))


def _kind(tensor):
    """NumPy's type for sums of the gradient by a tensor: float32 for bfloat16."""
    return np.dtype(np.float32) if tensor.dtype is mstype.bfloat16 else tensor.dtype.numpy


def _is_float(tensor):
    return _kind(tensor).kind in "fc"


def _add(found, tensor, adjoint):
    known = found.get(id(tensor))
    found[id(tensor)] = np.asarray(adjoint if known is None else known + adjoint)
