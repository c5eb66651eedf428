"""ONNX control flow, in the parsable subset. Graphs within nodes are functions that return tuples."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.ops import _functions as F
from plumb.onnx._registry import operator
from plumb.onnx._values import is_known, number, only, positive, tensor


def _only(results, outputs):
    return results[0] if outputs == 1 else tuple(results)


def _as_tensors(values):
    """Known values as tensors, also in lists; None as it is."""
    return tuple([_as_tensor(value) for value in values])


def _as_tensor(value):
    if isinstance(value, list):
        return [tensor(one) for one in value]
    return value if value is None else tensor(value)


@operator("If")
def if_(condition, then_branch, else_branch, outputs=1):
    """The results of one of two graphs; of a condition that a tensor decides it is a branch of the executable."""
    if is_known(condition):
        return _only(then_branch() if only(condition) else else_branch(), outputs)
    if F.reshape(condition, ()):
        results = _as_tensors(then_branch())
    else:
        results = _as_tensors(else_branch())
    return _only(results, outputs)


@operator("Loop", known=(0, 1))
def loop(most, condition, *carried, body, outputs=1):
    """Repeats a graph, at most so often, as long as its condition holds; behind what is carried, what each iteration yields is stacked.

    Where the number of iterations is known, they are written out; else nothing can be stacked.
    """
    if (most is not None and not is_known(most)) or (condition is not None and not is_known(condition)):
        raise NotImplementedError("Loop: the number of iterations and the first condition must be known while compiling")
    most_iterations = None if most is None else number(most, "the iterations of Loop")
    values, collected, iteration = carried, [], 0
    goes_on = condition is None or bool(only(condition))
    while goes_on and (most_iterations is None or iteration < most_iterations):
        results = body(np.array(iteration, "int64"), np.array(True), *values)
        if not is_known(results[0]):
            if len(results) > 1 + len(carried) or iteration > 0:
                raise NotImplementedError("Loop: a condition that values decide, and results that are stacked")
            return _only(_while(most_iterations, body, carried), outputs)
        collected.append(results[1 + len(carried):])
        values, goes_on, iteration = results[1:1 + len(carried)], bool(only(results[0])), iteration + 1
    if not collected and outputs > len(carried):
        raise NotImplementedError("Loop: results that are stacked, of no iteration at all")
    stacked = tuple([_stacked(parts) for parts in zip(*collected)])
    return _only(tuple(values) + stacked, outputs)


def _while(most_iterations, body, carried):
    """A loop whose condition values decide."""
    values, iteration, goes_on = _as_tensors(carried), F.fill(mstype.int64, (), 0), tensor(np.array(True))
    while goes_on:
        results = body(iteration, goes_on, *values)
        values, iteration = _as_tensors(results[1:]), iteration + 1
        goes_on = F.reshape(results[0], ())
        if most_iterations is not None:
            goes_on = F.logical_and(goes_on, iteration < most_iterations)
    return values


def _stacked(parts):
    return np.stack(parts, 0) if is_known(*parts) else F.stack(_as_tensors(parts), 0)


@operator("Scan", since=9)
def scan(*values, body, num_scan_inputs, scan_input_axes=None, scan_input_directions=None, scan_output_axes=None, scan_output_directions=None,
         outputs=1):
    """Runs a graph on the slices of tensors along an axis, one after the other; what each iteration yields is stacked."""
    count = len(values) - num_scan_inputs
    states, inputs = values[:count], [tensor(one) for one in values[count:]]
    axes = tuple([positive(axis, one.ndim) for axis, one in zip(scan_input_axes or (0,) * num_scan_inputs, inputs)])
    backwards = scan_input_directions or (0,) * num_scan_inputs
    steps, collected = inputs[0].shape[axes[0]], []
    for step in range(steps):
        slices = []
        for one, axis, back in zip(inputs, axes, backwards):
            slices.append(one[(slice(None),) * axis + (steps - 1 - step if back else step,)])
        results = body(*states, *slices)
        states = results[:count]
        collected.append(results[count:])
    stacked, yielded = [], list(zip(*collected))
    for place, parts in enumerate(yielded):
        back = (scan_output_directions or (0,) * len(yielded))[place]
        axis = (scan_output_axes or (0,) * len(yielded))[place]
        stacked.append(F.stack(_as_tensors(parts[::-1] if back else parts), axis))
    return _only(tuple(states) + tuple(stacked), outputs)
