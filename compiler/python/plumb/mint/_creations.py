"""New tensors and random ones with PyTorch's arguments, in the parsable subset: shapes are extents, one tuple, or given by name."""

from plumb import ops
from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common._refusals import HostError
from plumb.common.tensor import Tensor
from plumb.mint._functions import _of
from plumb.ops._primitive import Composite


def zeros(*extents, size=None, dtype=None):
    """Zeros of a shape, float32 by default."""
    return ops.zeros(_shape(extents, size), mstype.float32 if dtype is None else dtype)


def ones(*extents, size=None, dtype=None):
    """Ones of a shape, float32 by default."""
    return ops.ones(_shape(extents, size), mstype.float32 if dtype is None else dtype)


def empty(*extents, size=None, dtype=None, device=None):
    """A tensor of a shape: of zeros here, of anything in MindSpore."""
    _here("empty", device)
    return ops.zeros(_shape(extents, size), mstype.float32 if dtype is None else dtype)


def _shape(extents, size=None):
    """A shape given by its extents, as one tuple, or by name."""
    if size is not None:
        if len(extents) > 0:
            raise TypeError(f"the shape is given twice: as {extents} and as size={size}")
        return (size,) if isinstance(size, int) else size
    return extents[0] if len(extents) == 1 and isinstance(extents[0], (tuple, list)) else extents


def _here(name, device):
    """Refuses other devices than the one that there is."""
    if device is not None and device != "CPU":
        raise ValueError(f"For '{name}', the 'device' must be 'CPU' or None, as programs run on one device, but got {device}.")


def full(size, fill_value, *, dtype=None):
    """A tensor of one value."""
    return ops.full(size, fill_value, dtype=dtype)


def empty_like(input, *, dtype=None, device=None):
    """A tensor of another's shape: of zeros here, of anything in MindSpore."""
    _here("empty_like", device)
    return ops.zeros(input.shape, input.dtype if dtype is None else dtype)


def eye(n, m=None, dtype=None):
    """The unit matrix [n, m], float32 by default."""
    return ops.eye(n, n if m is None else m, mstype.float32 if dtype is None else dtype)


def linspace(start, end, steps, *, dtype=None):
    """`steps` numbers at equal distances from `start` to `end`."""
    return _of(ops.linspace(start, end, steps), dtype)


# -- random numbers


class _Drawn(Composite):
    """A random function's draw from a generator of the program's own, which Python makes."""

    def __call__(self, generator, draw, *args, **named):
        with generator.drawing():
            return draw(*args, **named)

    def construct(self, generator, draw, *args, **named):
        """Compiled draws come from one stream."""
        raise HostError("compiled functions draw from the stream that manual_seed begins: leave 'generator' out, or draw outside of them")


_drawn = _Drawn()


def rand(*extents, size=None, generator=None, dtype=None, device=None):
    """Uniform numbers of [0, 1)."""
    _here("rand", device)
    if generator is not None:
        return _drawn(generator, rand, *_shape(extents, size), dtype=dtype)
    return ops.rand(*_shape(extents, size), dtype=dtype)


def randn(*extents, size=None, generator=None, dtype=None, device=None):
    """Normal numbers."""
    _here("randn", device)
    if generator is not None:
        return _drawn(generator, randn, *_shape(extents, size), dtype=dtype)
    return ops.randn(*_shape(extents, size), dtype=dtype)


def normal(mean=0.0, std=1.0, size=None, generator=None):
    """Numbers of normal distributions: of `size`, or of the shape of `mean` and `std` where these are tensors; float32."""
    if generator is not None:
        return _drawn(generator, normal, mean, std, size)
    if size is None:
        centre = std * 0.0 + mean
        size = centre.shape if isinstance(centre, Tensor) else ()
    return ops.randn(*size, dtype=mstype.float32) * std + mean


def randint(*args, low=0, high=None, size=None, generator=None, dtype=None, device=None):
    """Uniform integers of [low, high), int64 by default: called with (high, size) or (low, high, size)."""
    _here("randint", device)
    if len(args) > 0 and size is None:
        args, size = args[:-1], args[-1]
    if len(args) > 0 and high is None:
        args, high = args[:-1], args[-1]
    low = args[0] if len(args) > 0 else low
    kind = mstype.int64 if dtype is None else dtype
    if generator is not None:
        return _drawn(generator, randint, low, high, size, dtype=kind)
    return ops.randint(low, high, size, dtype=kind)


def rand_like(input, *, dtype=None, device=None):
    """Uniform numbers of [0, 1), of another tensor's shape and type."""
    _here("rand_like", device)
    return ops.rand_like(input, dtype=dtype)


def randn_like(input, *, dtype=None, device=None):
    """Normal numbers of another tensor's shape and type."""
    _here("randn_like", device)
    return ops.randn_like(input, dtype=dtype)


def randint_like(input, *limits, low=0, high=None, dtype=None, device=None):
    """Uniform integers of [low, high), of another tensor's shape and type: called with (input, high) or (input, low, high)."""
    _here("randint_like", device)
    low = limits[0] if len(limits) == 2 else low
    return ops.randint_like(input, low, limits[-1] if len(limits) > 0 else high, dtype=input.dtype if dtype is None else dtype)


def randperm(n, *, generator=None, dtype=mstype.int64):
    """The numbers 0 … n - 1 in random order."""
    if generator is not None:
        return _drawn(generator, randperm, n, dtype=dtype)
    return ops.randperm(n, dtype=dtype)


def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Positions drawn with the weights of each row, int64."""
    if generator is not None:
        return _drawn(generator, multinomial, input, num_samples, replacement)
    return ops.cast(ops.multinomial(input, num_samples, replacement), mstype.int64)


def bernoulli(input, *, generator=None):
    """1 with the probability of each element, else 0."""
    if generator is not None:
        return _drawn(generator, bernoulli, input)
    return ops.cast(ops.bernoulli(input, input), input.dtype)


__all__ = [name for name in offered(globals()) if name not in ("Composite", "HostError", "Tensor")]
