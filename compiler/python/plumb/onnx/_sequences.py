"""ONNX sequences, which are lists, and optional values, which may be None, in the parsable subset. Positions are known while compiling."""

import numpy as np

from plumb import ops
from plumb.ops import _functions as F
from plumb.onnx._registry import operator
from plumb.onnx._shapes import part_of
from plumb.onnx._values import is_known, number, numbers, positive, tensor


@operator("SequenceEmpty")
def sequence_empty(dtype=1):
    """A list without elements."""
    return []


@operator("SequenceConstruct")
def sequence_construct(*values):
    """A list of values."""
    return list(values)


@operator("SequenceInsert", known=(2,))
def sequence_insert(sequence, value, position=None):
    """The list with one more element, at its end by default."""
    place = len(sequence) if position is None else number(position, "the position of SequenceInsert")
    place = place + len(sequence) if place < 0 else place
    return list(sequence[:place]) + [value] + list(sequence[place:])


@operator("SequenceErase", known=(1,))
def sequence_erase(sequence, position=None):
    """The list without an element, the last by default."""
    place = -1 if position is None else number(position, "the position of SequenceErase")
    place = place + len(sequence) if place < 0 else place
    return list(sequence[:place]) + list(sequence[place + 1:])


@operator("SequenceAt", known=(1,))
def sequence_at(sequence, position):
    """An element of the list."""
    return sequence[number(position, "the position of SequenceAt")]


@operator("SequenceLength")
def sequence_length(sequence):
    """How many elements the list has."""
    return np.array(len(sequence), "int64")


@operator("SplitToSequence", known=(1,))
def split_to_sequence(x, given=None, axis=0, keepdims=1):
    """Parts along an axis as a list: single slices by default, else of one extent or of several."""
    axis = positive(axis, x.ndim)
    extent, parts, first = x.shape[axis], [], 0
    sizes = (1,) if given is None else numbers(given, "the extents of SplitToSequence")
    if given is None or given.ndim == 0:
        sizes = tuple([min(sizes[0], extent - place) for place in range(0, extent, sizes[0])])
    for size in sizes:
        part = part_of(x, axis, first, first + size, 1)
        parts.append(F.squeeze(tensor(part), (axis,)) if given is None and not keepdims else part)
        first = first + size
    return parts


@operator("ConcatFromSequence")
def concat_from_sequence(sequence, axis, new_axis=0):
    """The elements of a list one behind another along an axis, which may be a new one."""
    if is_known(*sequence):
        return np.stack(sequence, axis) if new_axis else np.concatenate(sequence, axis)
    values = tuple([tensor(one) for one in sequence])
    return F.stack(values, axis) if new_axis else ops.concat(values, axis)


@operator("SequenceMap")
def sequence_map(sequence, *others, body, outputs=1):
    """A graph's results for each element; other lists give theirs, other values are the same for all."""
    found = [[] for _ in range(outputs)]
    for place in range(len(sequence)):
        results = body(sequence[place], *[one[place] if isinstance(one, list) else one for one in others])
        for number_, one in enumerate(results):
            found[number_].append(one)
    return found[0] if outputs == 1 else tuple(found)


@operator("Optional")
def optional(value=None, type=None):  # pylint: disable=redefined-builtin
    """A value that may be None."""
    return value


@operator("OptionalHasElement")
def optional_has_element(value=None):
    """Whether there is a value."""
    return np.array(value is not None)


@operator("OptionalGetElement")
def optional_get_element(value):
    """The value that is there."""
    if value is None:
        raise ValueError("OptionalGetElement of an optional value without an element")
    return value
