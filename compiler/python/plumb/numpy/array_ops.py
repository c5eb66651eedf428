"""Shapes, axes, joining, splitting and repeating; in the parsable subset."""

from plumb import ops as O
from plumb.common._offers import offered
from plumb.numpy import _common as C
from plumb.ops import _functions as F


def size(a, axis=None):
    """The number of elements, along an axis when one is given."""
    x = C.tensor(a)
    return x.size if axis is None else x.shape[C.one_axis("size", axis, x.ndim)]


def reshape(x, new_shape):
    """The same elements in another shape; one extent may be -1."""
    return F.reshape(C.tensor(x), C.extents(new_shape))


def ravel(x):
    """All elements on one axis."""
    return F.reshape(C.tensor(x), (-1,))


def transpose(a, axes=None):
    """The axes in another order, by default the reverse."""
    x = C.tensor(a)
    return F.transpose(x, tuple(range(x.ndim - 1, -1, -1)) if axes is None else C.extents(axes))


def expand_dims(a, axis):
    """New axes of extent 1 at the places `axis` of the result."""
    x = C.tensor(a)
    rank = x.ndim + (1 if isinstance(axis, int) else len(axis))
    places = C.all_axes("expand_dims", axis, rank)
    shape, taken = (), 0
    for place in range(rank):
        shape = shape + ((1,) if place in places else (x.shape[taken],))
        taken = taken + (0 if place in places else 1)
    return F.reshape(x, shape)


def squeeze(a, axis=None):
    """Without the axes of extent 1; only those of `axis` when it is given."""
    x = C.tensor(a)
    places = () if axis is None else C.all_axes("squeeze", axis, x.ndim)
    for place in places:
        if x.shape[place] != 1:
            raise ValueError(f"For 'squeeze', axis {place} has extent {x.shape[place]}, not 1")
    return F.squeeze(x, places)


def swapaxes(x, axis1, axis2):
    """Two axes exchanged."""
    return O.swapaxes(C.tensor(x), axis1, axis2)


def moveaxis(a, source, destination):
    """Axes moved to other places; the rest keep their order."""
    return O.moveaxis(C.tensor(a), source, destination)


def rollaxis(x, axis, start=0):
    """One axis moved back until it lies before the axis `start`."""
    a = C.tensor(x)
    place = C.one_axis("rollaxis", axis, a.ndim)
    if not isinstance(start, int) or start < -a.ndim or start > a.ndim:
        raise ValueError(f"For 'rollaxis', 'start' must lie in [{-a.ndim}, {a.ndim}], but got {start}")
    before = start if start >= 0 else start + a.ndim
    return O.moveaxis(a, place, before - 1 if before > place else before)


def concatenate(arrays, axis=0):
    """The tensors one behind another along an axis; all elements of all of them when it is None."""
    tensors = C.together(arrays)
    if axis is None:
        return F.concat(tuple([F.reshape(x, (-1,)) for x in tensors]), 0)
    return F.concat(tensors, C.one_axis("concatenate", axis, tensors[0].ndim))


def append(arr, values, axis=None):
    """`values` behind `arr` along an axis; all elements of both when it is None."""
    return concatenate((arr, values), axis)


def stack(arrays, axis=0):
    """The tensors one behind another along a new axis."""
    tensors = C.together(arrays)
    return F.stack(tensors, C.one_axis("stack", axis, tensors[0].ndim + 1))


def _at_least(x, rank):
    """`x` with at least so many axes, as `atleast_1d`, `atleast_2d` and `atleast_3d` add them."""
    a = C.tensor(x)
    if a.ndim >= rank:
        return a
    if rank < 3:
        return F.reshape(a, (1,) * (rank - a.ndim) + a.shape)
    return F.reshape(a, (1, a.size, 1) if a.ndim < 2 else a.shape + (1,))


def _one_or_all(tensors):
    return tensors[0] if len(tensors) == 1 else tensors


def atleast_1d(*arys):
    """Tensors with at least one axis: one tensor for one argument, else a list."""
    return _one_or_all([_at_least(x, 1) for x in arys])


def atleast_2d(*arys):
    """Tensors with at least two axes, new ones in front: one tensor for one argument, else a list."""
    return _one_or_all([_at_least(x, 2) for x in arys])


def atleast_3d(*arys):
    """Tensors with at least three axes: (N,) becomes (1, N, 1) and (M, N) becomes (M, N, 1)."""
    return _one_or_all([_at_least(x, 3) for x in arys])


def column_stack(tup):
    """Vectors as columns beside matrices."""
    columns = [C.tensor(x) for x in tup]
    return concatenate([F.expand_dims(_at_least(x, 1), 1) if x.ndim < 2 else x for x in columns], 1)


def vstack(tup):
    """Tensors below one another; vectors are rows."""
    return concatenate([_at_least(x, 2) for x in tup], 0)


def hstack(tup):
    """Tensors beside one another: along axis 1, vectors along axis 0."""
    tensors = [_at_least(x, 1) for x in tup]
    return concatenate(tensors, 0 if tensors[0].ndim == 1 else 1)


def dstack(tup):
    """Tensors behind one another along the third axis."""
    return concatenate([_at_least(x, 3) for x in tup], 2)


def broadcast_to(array, shape):
    """Repeated to `shape`."""
    return F.broadcast_to(C.tensor(array), C.extents(shape))


def broadcast_arrays(*args):
    """The tensors repeated to their common shape."""
    tensors = [C.tensor(x) for x in args]
    shape = C.common_shape("broadcast_arrays", [x.shape for x in tensors])
    return [F.broadcast_to(x, shape) for x in tensors]


def _sections(who, x, indices_or_sections, axis, even):
    """Slices of `x` along an axis: a number of equal ones, or those between places."""
    place = C.one_axis(who, axis, x.ndim)
    extent, bounds = x.shape[place], (0,)
    if isinstance(indices_or_sections, int):
        number = indices_or_sections
        if number <= 0 or even and extent % number != 0:
            raise ValueError(f"For '{who}', the extent {extent} cannot be split into {number} equal parts")
        for part in range(number):
            bounds = bounds + (bounds[-1] + extent // number + (1 if part < extent % number else 0),)
    else:
        for bound in indices_or_sections:
            stop = bound if bound >= 0 else bound + extent
            bounds = bounds + (extent if stop > extent else stop,)
        bounds = bounds + (extent,)
    for part in range(len(bounds) - 1):
        if bounds[part] >= bounds[part + 1]:
            raise ValueError(f"For '{who}', a part would hold nothing: tensors have one element at least")
    return tuple([F.part(x, place, bounds[part], bounds[part + 1]) for part in range(len(bounds) - 1)])


def split(x, indices_or_sections, axis=0):
    """Parts along an axis: a number of equal ones, or those that lie between the given places."""
    return _sections("split", C.tensor(x), indices_or_sections, axis, True)


def array_split(x, indices_or_sections, axis=0):
    """Parts along an axis; the first ones are longer by one where the extent cannot be divided."""
    return _sections("array_split", C.tensor(x), indices_or_sections, axis, False)


def vsplit(x, indices_or_sections):
    """Parts along axis 0."""
    return split(x, indices_or_sections, 0)


def hsplit(x, indices_or_sections):
    """Parts along axis 1; along axis 0 of a vector."""
    a = C.tensor(x)
    return split(a, indices_or_sections, 1 if a.ndim > 1 else 0)


def dsplit(x, indices_or_sections):
    """Parts along axis 2."""
    return split(x, indices_or_sections, 2)


def flip(m, axis=None):
    """The order of elements reversed along the axes; along all when `axis` is None."""
    return O.flip(C.tensor(m), axis)


def flipud(m):
    """The order of rows reversed."""
    return flip(m, 0)


def fliplr(m):
    """The order of columns reversed."""
    return flip(m, 1)


def roll(a, shift, axis=None):
    """Elements moved along axes; those that leave at the end come in at the front. Along all in order when `axis` is None."""
    x = C.tensor(a)
    if axis is None:
        total = 0
        for step in C.extents(shift):
            total = total + step
        return O.roll(x, total)
    axes, shifts = C.extents(axis), C.extents(shift)
    shifts = shifts * len(axes) if len(shifts) == 1 else shifts
    return O.roll(x, shifts, axes * len(shifts) if len(axes) == 1 else axes)


def rot90(a, k=1, axes=(0, 1)):
    """Turned by `k` quarters in the plane of two axes, from the first towards the second."""
    return O.rot90(C.tensor(a), k, axes)


def tile(a, reps):
    """Repeated along the axes."""
    x, times = C.tensor(a), C.extents(reps)
    if len(times) < x.ndim:
        times = (1,) * (x.ndim - len(times)) + times
    return F.tile(F.reshape(x, (1,) * (len(times) - x.ndim) + x.shape), times)


def repeat(a, repeats, axis=None):
    """Each element `repeats` times, or its own number of times, along an axis; of all in order when `axis` is None."""
    return O.repeat_interleave(C.tensor(a), repeats, axis)


def array_str(a):
    """The text of a tensor, as print shows it."""
    return str(C.tensor(a))


__all__ = offered(globals())
