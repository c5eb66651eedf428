"""Products with Jacobians, Jacobians, and mapping over an axis: `vjp`, `jvp`, `jacrev`, `jacfwd`, `vmap`, `get_grad`.

They are called from plain Python, and within compiled functions in the forms of _transforms_in_code.py. They run what they need
through compiled functions: a vector-Jacobian product is a gradient with a sensitivity, and since it is linear in that
sensitivity, its own gradient is the Jacobian-vector product.
"""

import numpy as np

from plumb._identity import identity
from plumb.common import _taping
from plumb.common._refusals import refused
from plumb.common._structures import InCode, compiled_as
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops import _transforms_in_code as in_code
from plumb.ops._primitive import Composite
from plumb.ops.grad import GradFunction


class _FirstResult(Composite):
    """A function's first result."""

    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def construct(self, *inputs):
        return self.fn(*inputs)[0]


class _Pulled(Composite):
    """The inner product of `vectors` with the vector-Jacobian product of `sens`: linear in `sens`."""

    def __init__(self, pullback):
        super().__init__()
        self.pullback = pullback

    def construct(self, sens, inputs, vectors):
        total = 0.0
        for gradient, vector in zip(self.pullback(*inputs, sens), vectors):
            total = total + (gradient * vector).sum()
        return total


_made = {}


def _helper(kind, fn):
    """Returns the helper of `kind` around `fn`; equal functions share one, so that it is compiled once."""
    kept = []
    key = (kind, identity(fn, kept))
    if key not in _made:
        while len(_made) >= 256:
            del _made[next(iter(_made))]
        _made[key] = (kept, kind(fn))
    return _made[key][1]


def _pullback(fn, inputs):
    return GradFunction(fn, tuple(range(len(inputs))), (), False, sens=True, single=False)


def _tensors(who, name, values):
    values = tuple(values) if isinstance(values, (tuple, list)) else (values,)
    for value in values:
        if not isinstance(value, Tensor):
            raise TypeError(f"For '{who}', the '{name}' must be a Tensor or a tuple of Tensors, but got "
                            f"{type(value).__name__}.")
    return values


def _as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def _without_aux(fn, outputs, has_aux, who):
    """Returns (function to differentiate, its result, the other results)."""
    if not has_aux:
        return fn, outputs, ()
    if not isinstance(outputs, tuple) or len(outputs) < 2:
        raise ValueError(f"For '{who}', the function must return at least two results where 'has_aux' is True.")
    rest = outputs[1:]
    return _helper(_FirstResult, fn), outputs[0], (rest[0] if len(rest) == 1 else rest,)


@compiled_as(in_code.vjp)
def vjp(fn, *inputs, has_aux=False):
    """Returns the results of `fn` and a function from their sensitivities to a tuple of gradients, one per input.

    Args:
      fn: a function or Cell of Tensors, which returns one Tensor or a tuple of them.
      inputs: Tensors.
      has_aux: whether only the first result is differentiated; the others are returned as a third value.
    """
    inputs = _tensors("vjp", "inputs", inputs)
    main, outputs, aux = _without_aux(fn, fn(*inputs), has_aux, "vjp")
    pull = _pullback(main, inputs)

    def vjp_fn(*sens):
        if len(sens) != len(_as_tuple(outputs)):
            raise TypeError(f"For 'vjp', the function has {len(_as_tuple(outputs))} results, but {len(sens)} sensitivities "
                            f"were given.")
        return _as_tuple(pull(*inputs, sens[0] if len(sens) == 1 else sens))

    return (outputs, vjp_fn) + aux


@compiled_as(in_code.jvp)
def jvp(fn, inputs, v, has_aux=False):
    """Returns the results of `fn` and the product of its Jacobian with `v`, in the structure of the results.

    Args:
      fn: as for `vjp`.
      inputs, v: a Tensor or a tuple of Tensors each, of equal shapes.
      has_aux: as for `vjp`.
    """
    inputs, vectors = _tensors("jvp", "inputs", inputs), _tensors("jvp", "v", v)
    if [item.shape for item in inputs] != [item.shape for item in vectors]:
        raise ValueError("For 'jvp', the 'inputs' and 'v' must have the same shapes.")
    main, outputs, aux = _without_aux(fn, fn(*inputs), has_aux, "jvp")
    return (outputs, _push(main, outputs, inputs, vectors)) + aux


@compiled_as(in_code.linearize)
def linearize(fn, inputs):
    """Returns the results of `fn`, and a function from a tensor or tuple `v` to the product of its Jacobian with `v`.

    Args:
      fn, inputs: as for `jvp`.
    """
    inputs = _tensors("linearize", "inputs", inputs)
    return fn(*inputs), lambda v: jvp(fn, inputs, v)[1]


def _push(fn, outputs, inputs, vectors):
    """The Jacobian-vector product in the structure of `outputs`."""
    pulled = GradFunction(_helper(_Pulled, _pullback(fn, inputs)), (0,), (), False)
    zeros = tuple(Tensor(np.zeros(item.shape, item.dtype.numpy)) for item in _as_tuple(outputs))
    result = pulled(zeros if isinstance(outputs, tuple) else zeros[0], inputs, vectors)
    return result


class _Jacobian(InCode):
    """A function that gives the Jacobian of another; see `jacrev`. Compiled code may call one that was made outside of it."""

    def __init__(self, fn, grad_position, has_aux, forward):
        self.fn, self.has_aux, self.forward = fn, has_aux, forward
        self.single = isinstance(grad_position, int)
        self.positions = (grad_position,) if self.single else tuple(grad_position)
        if not self.positions or not all(type(position) is int and position >= 0 for position in self.positions):
            raise TypeError(f"For '{self.who}', the 'grad_position' must be an int or a tuple of ints of at least 0.")

    def in_code(self):
        """See InCode."""
        position = self.positions[0] if self.single else self.positions
        return in_code.jacobian, (self.fn, position, self.has_aux, self.forward)

    @property
    def who(self):
        """The name under which the user knows the function."""
        return "jacfwd" if self.forward else "jacrev"

    def __call__(self, *inputs):
        inputs = _tensors(self.who, "inputs", inputs)
        if max(self.positions) >= len(inputs):
            raise ValueError(f"For '{self.who}', 'grad_position' is {max(self.positions)}, but only {len(inputs)} inputs were "
                             f"given.")
        if _taping.current() is not None:  # which knows of operations, not of arrays
            if self.forward:
                raise refused(RuntimeError, "in a function that Python runs for its gradient, 'jacfwd' has none; use 'jacrev'")
            function, settings = self.in_code()
            return function(*settings, *inputs)
        main, outputs, aux = _without_aux(self.fn, self.fn(*inputs), self.has_aux, self.who)
        rows = self._by_columns(main, outputs, inputs) if self.forward else self._by_rows(main, outputs, inputs)
        shaped = tuple(tuple(Tensor(array.reshape(output.shape + inputs[position].shape))
                             for array, position in zip(row, self.positions))
                       for row, output in zip(rows, _as_tuple(outputs)))
        jacobian = tuple(row[0] for row in shaped) if self.single else shaped
        jacobian = jacobian if isinstance(outputs, tuple) else jacobian[0]
        return (jacobian,) + aux if aux else jacobian

    def _by_rows(self, fn, outputs, inputs):
        """One vector-Jacobian product per element of the outputs."""
        pull, several = _pullback(fn, inputs), isinstance(outputs, tuple)
        result = []
        for number, output in enumerate(_as_tuple(outputs)):
            rows = [[] for _ in self.positions]
            for unit in _units(output):
                sens = tuple(unit if other == number else Tensor(np.zeros(item.shape, item.dtype.numpy))
                             for other, item in enumerate(_as_tuple(outputs)))
                gradients = _as_tuple(pull(*inputs, sens if several else sens[0]))
                for row, position in zip(rows, self.positions):
                    row.append(gradients[position].asnumpy().ravel())
            result.append([np.array(row) for row in rows])
        return result

    def _by_columns(self, fn, outputs, inputs):
        """One Jacobian-vector product per element of the inputs."""
        columns = []
        for position in self.positions:
            found = []
            for unit in _units(inputs[position]):
                vectors = tuple(unit if other == position else Tensor(np.zeros(item.shape, item.dtype.numpy))
                                for other, item in enumerate(inputs))
                found.append([item.asnumpy().ravel() for item in _as_tuple(_push(fn, outputs, inputs, vectors))])
            columns.append(found)
        return [[np.array([column[number] for column in found]).T for found in columns]
                for number in range(len(_as_tuple(outputs)))]


def _units(like):
    """Tensors like the given one, each with a single one among zeros."""
    for number in range(like.size):
        array = np.zeros(like.size, like.dtype.numpy)
        array[number] = 1
        yield Tensor(array.reshape(like.shape))


@compiled_as(in_code.jacrev)
def jacrev(fn, grad_position=0, has_aux=False):
    """Returns a function that gives the Jacobian of `fn`, by one reverse pass per element of its results.

    Args:
      fn: as for `vjp`.
      grad_position: the input, or the inputs, to differentiate by; a tuple gives a tuple per result.
      has_aux: whether only the first result is differentiated; the others are returned behind the Jacobian.
    """
    return _Jacobian(fn, grad_position, has_aux, forward=False)


@compiled_as(in_code.jacfwd)
def jacfwd(fn, grad_position=0, has_aux=False):
    """Returns a function that gives the Jacobian of `fn`, by one product per element of its inputs; as `jacrev`."""
    return _Jacobian(fn, grad_position, has_aux, forward=True)


def get_grad(gradients, identifier):
    """Returns one gradient of those that `grad(…, return_ids=True)` gave.

    Args:
      gradients: what the gradient function returned.
      identifier: the position of an input, or a Parameter.
    """
    if not isinstance(identifier, (int, Parameter)):
        raise TypeError(f"For 'get_grad', the 'identifier' must be an int or a Parameter, but got "
                        f"{type(identifier).__name__}.")
    wanted = identifier if isinstance(identifier, int) else identifier.name
    pending = [gradients]
    while pending:
        item = pending.pop()
        if isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], (int, str)):
            if item[0] == wanted:
                return item[1]
        elif isinstance(item, tuple):
            pending += item
    raise RuntimeError(f"For 'get_grad', there is no gradient of {identifier!r}.")


class _Mapped(InCode):
    """A function applied to every slice along an axis, or cells each to its own; see `vmap`."""

    def __init__(self, fn, in_axes, out_axes):
        self.fn, self.in_axes, self.out_axes = _checked_callee(fn), in_axes, out_axes

    def __call__(self, *inputs):
        if _taping.current() is not None:
            return _map_in_code(self.fn, self.in_axes, self.out_axes, *inputs)
        count, axes = _find_count(self.fn, self.in_axes, inputs)
        slices = [tuple(_take(value, axis, index) for value, axis in zip(inputs, axes)) for index in range(count)]
        return _stack([_callee(self.fn, index)(*part) for index, part in enumerate(slices)], self.out_axes)

    def in_code(self):
        return _map_in_code, (self.fn, self.in_axes, self.out_axes)


def _checked_callee(fn):
    """What is to be mapped, if it can be: a function, or a tuple of cells, which a CellList is in compiled code."""
    if isinstance(fn, tuple):
        if len(fn) < 2 or len({type(cell) for cell in fn}) > 1:
            raise ValueError("For 'vmap', a CellList must hold two cells or more, all of one class.")
    elif not callable(fn):
        raise TypeError(f"For 'vmap', the 'fn' must be a function, a Cell or a CellList, but got {type(fn).__name__}.")
    return fn


def _callee(fn, index):
    """What the slice of a number is given to."""
    return fn[index] if isinstance(fn, tuple) else fn


def _find_count(fn, in_axes, inputs):
    """How many slices the inputs have, and the axis of each input."""
    axes = in_axes if isinstance(in_axes, (tuple, list)) else (in_axes,) * len(inputs)
    if len(axes) != len(inputs):
        raise ValueError(f"For 'vmap', 'in_axes' names {len(axes)} inputs, but {len(inputs)} were given.")
    sizes = sorted(set(size for value, axis in zip(inputs, axes) for size in _find_sizes(value, axis)))
    if isinstance(fn, tuple):
        if sizes not in ([], [len(fn)]):
            raise ValueError(f"For 'vmap', the mapped axes must have as many elements as there are cells, {len(fn)}, but have {sizes}.")
        return len(fn), axes
    if len(sizes) != 1:
        raise ValueError(f"For 'vmap', the mapped axes must have one size, but have {sizes}.")
    return sizes[0], axes


def _find_sizes(value, axis):
    if isinstance(value, (tuple, list)):
        parts = [_find_sizes(item, axis[number] if isinstance(axis, (tuple, list)) else axis) for number, item in enumerate(value)]
        return [size for part in parts for size in part]
    if axis is None:
        return []
    if not isinstance(axis, int) or isinstance(axis, bool) or not isinstance(value, Tensor) or not -value.ndim <= axis < value.ndim:
        raise ValueError(f"For 'vmap', 'in_axes' must name an axis of a Tensor or be None, but got {axis!r}.")
    return [value.shape[axis]]


def _take(value, axis, index):
    if isinstance(value, (tuple, list)):
        return tuple(_take(item, axis[number] if isinstance(axis, (tuple, list)) else axis, index)
                     for number, item in enumerate(value))
    return value if axis is None else Tensor(np.take(value.asnumpy(), index, axis))


def _stack(results, axis):
    """Results of all slices as one, in their structure; with None for an axis, the first one's."""
    if isinstance(results[0], tuple):
        return tuple(_stack([result[number] for result in results],
                            axis[number] if isinstance(axis, (tuple, list)) else axis)
                     for number in range(len(results[0])))
    return results[0] if axis is None else Tensor(np.stack([result.asnumpy() for result in results], axis))


def _take_in_code(value, axis, index):
    if isinstance(value, (tuple, list)):
        return tuple([_take_in_code(item, axis[number] if isinstance(axis, (tuple, list)) else axis, index)
                      for number, item in enumerate(value)])
    return value if axis is None else value[(slice(None),) * (axis % value.ndim) + (index,)]


def _stack_in_code(results, axis):
    if isinstance(results[0], tuple):
        return tuple([_stack_in_code([result[number] for result in results], axis[number] if isinstance(axis, (tuple, list)) else axis)
                      for number in range(len(results[0]))])
    return results[0] if axis is None else F.stack(tuple(results), axis)


def _map_in_code(fn, in_axes, out_axes, *inputs):
    """What compiled code makes of a mapped function: a call per slice."""
    count, axes = _find_count(fn, in_axes, inputs)
    results = [_callee(fn, index)(*[_take_in_code(value, axis, index) for value, axis in zip(inputs, axes)]) for index in range(count)]
    return _stack_in_code(results, out_axes)


def _mapping_in_code(fn, in_axes=0, out_axes=0):
    callee = _checked_callee(fn)
    return lambda *inputs: _map_in_code(callee, in_axes, out_axes, *inputs)


@compiled_as(_mapping_in_code)
def vmap(fn, in_axes=0, out_axes=0):
    """Returns a function that applies `fn` to every slice of its inputs, and stacks the results.

    Args:
      fn: a function or Cell of Tensors; compiled once, and run once per slice. In compiled functions each slice is a call. Or a
        CellList, an ensemble of cells of one class: each cell takes the slice of its own number.
      in_axes: the axis to slice, for all inputs or one per input; None for an input that every slice takes whole. All may be None
        where cells are mapped.
      out_axes: the axis along which results are stacked, for all or one per result.
    """
    from plumb.nn.layer.container import CellList
    return _Mapped(tuple(fn) if isinstance(fn, CellList) else fn, in_axes, out_axes)
