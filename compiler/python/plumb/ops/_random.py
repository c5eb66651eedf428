"""Where random functions draw from: one stream of numbers for the whole program, in the parsable subset.

The n-th draw is a function of the seed and n alone (`net.random_uniform`). Both live with the Parameters, so that draws go on
inside of a sink, and equal programs draw equal numbers however their steps are launched. `set_seed` starts the stream anew.
"""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common import seed as _seed
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F

SEED = Parameter(Tensor(0, mstype.int32), name="random.seed", requires_grad=False)
DRAWS = Parameter(Tensor(0, mstype.int32), name="random.draws", requires_grad=False)

_GOLDEN, _OTHER = 0x9E3779B1, 0x85EBCA77  # odd multipliers that spread neighbouring seeds over all bits


def mixed(seed, other=0):
    """An int32 for two seeds."""
    number = (seed * _GOLDEN + other * _OTHER) % 2 ** 32
    return number - 2 ** 32 if number >= 2 ** 31 else number


def restart():
    """Starts the stream of the seed that is set now."""
    go_to(mixed(_seed.session_seed()), 0)


def position():
    """Where the stream is, for `go_to`: its key and the number of draws."""
    return int(SEED.asnumpy()), int(DRAWS.asnumpy())


def go_to(key, draws):
    """Goes on from there."""
    SEED.set_data(np.int32(key))
    DRAWS.set_data(np.int32(draws))


def even(shape, seed=None, seed2=0):
    """Even numbers of [0, 1), float32 multiples of 2^-24; a seed of the call's own makes it another stream."""
    drawn = ahead(0, extents(shape), seed, seed2)
    skip(1)
    return drawn


def ahead(count, shape, seed=None, seed2=0):
    """What `even` would give after `count` more draws, an int or a tensor of one; they do not count as drawn."""
    key = SEED
    if seed is not None and (seed != 0 or seed2 != 0):
        key = F.bitwise_xor(SEED, F.fill(mstype.int32, (), mixed(seed, seed2)))
    return F.random_uniform(key, DRAWS + count, shape)


def skip(count):
    """Counts as many draws."""
    F.assign(DRAWS, DRAWS + count)


def state():
    """What a checkpoint of a run keeps of the stream: the number of draws by its name, nothing before the first one."""
    return {DRAWS.name: int(DRAWS.asnumpy())} if DRAWS.version and DRAWS.asnumpy() else {}


def resume(arrays):
    """Goes on with the stream where a checkpoint's arrays, tensors by name, left it."""
    if DRAWS.name in arrays:
        DRAWS.set_data(np.int32(arrays[DRAWS.name].asnumpy().item()))


def extents(shape):
    """A shape of an int, a list, a tuple or a constant tensor."""
    if isinstance(shape, Tensor):
        shape = shape.tolist()
    return (shape,) if isinstance(shape, int) else tuple(shape)


def normal(shape, seed=None, seed2=0):
    """Normal numbers of mean 0 and deviation 1, by Box and Muller (1958); 1 - u keeps the logarithm finite."""
    pair = even((2,) + extents(shape), seed, seed2)
    return F.sqrt(-2.0 * F.log(1.0 - pair[0])) * F.cos(6.283185307179586 * pair[1])


_seed.on_change(restart)
