"""Choosing elements: by conditions, by numbers, along axes; in the parsable subset."""

from plumb import ops as O
from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.tensor import Tensor as _Tensor
from plumb.numpy import _common as C
from plumb.ops import _functions as F


def where(condition, x=None, y=None):
    """Elements of `x` where the condition holds, of `y` elsewhere."""
    if x is None or y is None:
        raise ValueError("For 'where', 'x' and 'y' must be given; places where a condition holds are given by 'nonzero'")
    sides = C.together((x, y))
    choice = C.converted(C.tensor(condition), mstype.bool_)
    shape = C.common_shape("where", (choice.shape, sides[0].shape, sides[1].shape))
    return F.select(F.broadcast_to(choice, shape), F.broadcast_to(sides[0], shape), F.broadcast_to(sides[1], shape))


def select(condlist, choicelist, default=0):
    """Elements of the first choice whose condition holds, `default` where none does."""
    if len(condlist) != len(choicelist) or len(condlist) == 0:
        raise ValueError("For 'select', there must be as many conditions as choices, and one at least")
    choices = C.together(choicelist)
    result = C.tensor(default, choices[0].dtype)
    for number in range(len(condlist) - 1, -1, -1):
        result = where(condlist[number], choices[number], result)
    return result


def _within(places, extent, mode):
    """Numbers of elements that lie in [0, extent)."""
    if mode == "wrap":
        return F.floor_mod(places, extent)
    if mode == "clip":
        return F.minimum(F.maximum(places, 0), extent - 1)
    if mode == "raise":
        return F.from_front(places, extent)
    raise ValueError(f"For 'take' and 'choose', 'mode' must be 'raise', 'wrap' or 'clip', but got {mode}")


def take(a, indices, axis=None, mode="clip"):
    """Elements along an axis by number, of all in order when `axis` is None.

    mode: what becomes of numbers outside: "clip" to the nearest, "wrap" around, or "raise" an error.
    """
    x, places = C.tensor(a), C.tensor(indices)
    x = F.reshape(x, (-1,)) if axis is None else x
    place = 0 if axis is None else C.one_axis("take", axis, x.ndim)
    return F.gather(x, _within(places, x.shape[place], mode), place)


def take_along_axis(arr, indices, axis):
    """Along an axis, the elements that `indices`, of as many axes as `arr`, names in each line."""
    x, places = C.tensor(arr), C.tensor(indices)
    if axis is None:
        return F.gather(F.reshape(x, (-1,)), F.reshape(places, (-1,)), 0)
    if x.ndim != places.ndim:
        raise ValueError("For 'take_along_axis', the tensors must have equally many axes")
    place = C.one_axis("take_along_axis", axis, x.ndim)
    extent = x.shape[place]
    flat = F.from_front(places, extent)
    outer = x.shape[:place] + (1,) + x.shape[place + 1:]
    shape = C.common_shape("take_along_axis", (outer, places.shape[:place] + (1,) + places.shape[place + 1:]))
    shape = shape[:place] + (places.shape[place],) + shape[place + 1:]
    x = F.broadcast_to(x, shape[:place] + (extent,) + shape[place + 1:])
    stride = 1
    number = F.zeros_like(F.broadcast_to(flat, shape))
    for other in range(x.ndim - 1, -1, -1):
        along = F.broadcast_to(flat, shape) if other == place else F.broadcast_to(
            F.reshape(C.count_up(shape[other], flat.dtype), (-1,) + (1,) * (x.ndim - other - 1)), shape)
        number = number + along * stride
        stride = stride * x.shape[other]
    return F.gather(F.reshape(x, (-1,)), number, 0)


def choose(a, choices, mode="clip"):
    """Element by element, that of the choice whose number stands in `a`."""
    numbers = C.tensor(a)
    offers = tuple([choices[number] for number in range(choices.shape[0])]) if isinstance(choices, _Tensor) else choices
    tensors = C.together(offers)
    shape = C.common_shape("choose", [numbers.shape] + [x.shape for x in tensors])
    places = F.broadcast_to(_within(numbers, len(tensors), mode), shape)
    result = F.broadcast_to(tensors[0], shape)
    for number in range(1, len(tensors)):
        result = F.select(F.equal(places, number), F.broadcast_to(tensors[number], shape), result)
    return result


def unravel_index(indices, shape, order="C"):
    """The numbers along each axis of elements that are numbered in order; in "F" order the first axis runs fastest."""
    if order not in ("C", "F"):
        raise ValueError(f"For 'unravel_index', 'order' must be 'C' or 'F', but got {order}")
    extents, numbers, found = C.extents(shape), C.tensor(indices), ()
    number = C.product(extents)
    rest = F.minimum(F.maximum(numbers, -number), number - 1)
    rest = F.select(F.less(rest, 0), rest + number, rest)
    for extent in (extents[::-1] if order == "C" else extents):
        found = found + (F.floor_mod(rest, extent),)
        rest = F.floor_div(rest, extent)
    return found[::-1] if order == "C" else found


def ravel_multi_index(multi_index, dims, mode="clip", order="C"):
    """The number in order of elements that are given by their numbers along each axis, in float32, as MindSpore has it."""
    if order not in ("C", "F"):
        raise ValueError(f"For 'ravel_multi_index', 'order' must be 'C' or 'F', but got {order}")
    extents, stride, total = C.extents(dims), 1, C.tensor(0)
    places = C.together([multi_index[axis] for axis in range(len(extents))])
    for axis in (range(len(extents) - 1, -1, -1) if order == "C" else range(len(extents))):
        total = total + _within(places[axis], extents[axis], mode) * stride
        stride = stride * extents[axis]
    return F.cast(total, mstype.float32)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """`func1d` of every line along an axis; what it gives stands in that axis's place."""
    x = C.tensor(arr)
    place = C.one_axis("apply_along_axis", axis, x.ndim)
    lines = O.moveaxis(x, place, -1)
    outer = lines.shape[:-1]
    rows = F.reshape(lines, (-1, x.shape[place]))
    results = [C.tensor(func1d(rows[number], *args, **kwargs)) for number in range(rows.shape[0])]
    inner = results[0].shape
    whole = F.reshape(F.stack(tuple(results)), outer + inner)
    return O.moveaxis(whole, tuple(range(len(outer), len(outer) + len(inner))), tuple(range(place, place + len(inner))))


def apply_over_axes(func, a, axes):
    """`func(a, axis)` of one axis after another; axes that it drops are kept with extent 1."""
    x = C.tensor(a)
    for axis in C.extents(axes):
        place = C.one_axis("apply_over_axes", axis, x.ndim)
        result = func(x, place)
        if result.ndim == x.ndim:
            x = result
        elif result.ndim == x.ndim - 1:
            x = F.expand_dims(result, place)
        else:
            raise ValueError("For 'apply_over_axes', the function must keep the number of axes, or drop one")
    return x


def piecewise(x, condlist, funclist, *args, **kw):
    """Of each element, the function (or number) of the first condition that holds; 0, or the function over, where none does.

    The element type is that in which the results meet.
    """
    a = C.tensor(x)
    many = isinstance(condlist, (tuple, list)) and not isinstance(condlist[0], (bool, int))
    conditions = tuple(condlist) if many else (condlist,)
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise ValueError("For 'piecewise', there must be a function for each condition, and one more at most")
    result = C.tensor(0)
    if len(funclist) > len(conditions):
        result = _value_of(funclist[-1], a, args, kw)
    for number in range(len(conditions) - 1, -1, -1):
        result = where(conditions[number], _value_of(funclist[number], a, args, kw), result)
    return F.broadcast_to(result, a.shape)


def _value_of(function, x, args, kwargs):
    if isinstance(function, (bool, int, float, _Tensor)):
        return C.tensor(function)
    return function(x, *args, **kwargs)


__all__ = offered(globals())
