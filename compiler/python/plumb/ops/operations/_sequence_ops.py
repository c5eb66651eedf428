"""Classes of operations on tuples and lists, as MindSpore's compiler makes them of Python's; code of one's own writes Python's."""

from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops import function as f
from plumb.ops._primitive import function_classes


def _add(input_1, input_2):
    """Two sequences, one behind the other."""
    return input_1 + input_2


def _offsets(shape_0, shape_1):
    """Where two sequences begin in the one that they make together: 0 and the length of the first."""
    return 0, len(shape_0)


def _add_n(inputs):
    """The sum of the elements."""
    total = inputs[0]
    for item in inputs[1:]:
        total = total + item
    return total


def _multiply(sequence, scalar):
    """A sequence as often as a number says, one behind the other."""
    return sequence * scalar


def _append(input_data, target):
    """A list with one element more at its end."""
    return list(input_data) + [target]


def _insert(input_data, index, target):
    """A list with one element more before `index`."""
    return list(input_data)[:index] + [target] + list(input_data)[index:]


def _slice(seq, start, stop, step):
    """Every step-th element from `start` on, before `stop`."""
    return seq[start:stop:step]


def _same(first, second):
    """Whether two elements are equal: numbers, or all elements of tensors of one shape."""
    if isinstance(first, Tensor) and isinstance(second, Tensor):
        return first.shape == second.shape and F.equal(first, second).all()
    return first == second


def _contains(element, input_data):
    """Whether an element is equal to one of a sequence."""
    found = False
    for item in input_data:
        found = found or _same(element, item)
    return found


def _count(sequence, target):
    """How many elements of a sequence are equal to one."""
    number = 0
    for item in sequence:
        number = number + (1 if _same(item, target) else 0)
    return number


def _index(sequence, target, start, end):
    """The place of the first element equal to `target` among those from `start` on, before `end`; raises ValueError without one."""
    return sequence.index(target, start, end)


def _to_tensor(input_tuple, dtype):
    """A sequence of numbers as a tensor of an element type."""
    return f.tuple_to_array(input_tuple).astype(dtype)


def _to_tuple(input_tensor):
    """The numbers of a tensor of one axis, or its slices along the first one, as a tuple."""
    return f.unbind(input_tensor)


def _to_list(input_tensor):
    """The same as a list."""
    return list(f.unbind(input_tensor))


def _to_scalar(input_tensor):
    """The number of a tensor without axes."""
    return F.reshape(input_tensor, ())


def _zeros_like(sequence):
    """Zeros of the elements' types and shapes."""
    return tuple([f.zeros_like(item) if isinstance(item, Tensor) else 0 * item for item in sequence])


def _product(input_data):
    """The product of the elements."""
    total = 1
    for item in input_data:
        total = total * item
    return total


def _range(start, limit, delta):
    """The ints from `start` on, `delta` apart, before `limit`, as a tuple."""
    return tuple(range(start, limit, delta))


def _length(sequence):
    """The number of elements."""
    return len(sequence)


def _max(sequence):
    """The largest element."""
    return max(sequence)


def _min(sequence):
    """The least element."""
    return min(sequence)


def _equal(x, y):
    """Whether two sequences have equal elements."""
    same = len(x) == len(y)
    for first, second in zip(x, y):
        same = same and _same(first, second)
    return same


def _greater(input_0, input_1):
    """Whether the first of two sequences comes behind the second, by the first elements that differ."""
    return input_0 > input_1


def _greater_equal(input_0, input_1):
    """Whether it comes behind it or is equal to it."""
    return input_0 >= input_1


def _less(input_0, input_1):
    """Whether the first of two sequences comes before the second, by the first elements that differ."""
    return input_0 < input_1


def _less_equal(input_0, input_1):
    """Whether it comes before it or is equal to it."""
    return input_0 <= input_1


globals().update(function_classes({
    "InSequence": _contains, "ListAppend": _append, "ListInsert": _insert, "ListToTensor": _to_tensor, "SequenceAdd": _add,
    "SequenceAddN": _add_n, "SequenceAddOffset": _offsets, "SequenceCount": _count, "SequenceIndex": _index, "SequenceMax": _max,
    "SequenceMin": _min, "SequenceMul": _multiply, "SequenceSlice": _slice, "SequenceZerosLike": _zeros_like, "TensorToList": _to_list,
    "TensorToScalar": _to_scalar, "TensorToTuple": _to_tuple, "TupleToTensor": _to_tensor, "list_equal": _equal,
    "list_greater_equal": _greater_equal, "list_greater_than": _greater, "list_le": _less_equal, "list_lt": _less, "make_range": _range,
    "sequence_len": _length, "shape_mul": _product, "tuple_equal": _equal, "tuple_greater_equal": _greater_equal,
    "tuple_greater_than": _greater, "tuple_le": _less_equal, "tuple_lt": _less}))
