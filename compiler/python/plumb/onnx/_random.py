"""ONNX operators that draw numbers, in the parsable subset: other numbers in each step, the same in each run of a program."""

import numpy as np

from plumb import ops
from plumb.common import dtype as mstype
from plumb.ops import _functions as F
from plumb.onnx._elementwise import type_of
from plumb.onnx._registry import operator
from plumb.onnx._values import only, tensor


@operator("Dropout", known=(1, 2))
def dropout(x, given=None, training_mode=None, ratio=0.5, seed=None, is_test=0, outputs=1, training=False):
    """Elements zeroed with a probability, the others scaled, in training; also which were kept."""
    share = ratio if given is None else float(only(given))
    x, draws = tensor(x), (training and not is_test) or (training_mode is not None and bool(only(training_mode)))
    if not draws or share == 0.0:
        return x if outputs == 1 else (x, F.equal(F.zeros_like(x), 0.0))
    kept = F.not_equal(ops.dropout(F.ones_like(x), share, True, _whole(seed)), 0.0)
    made = x * F.select(kept, F.zeros_like(x) + 1.0 / (1.0 - share), F.zeros_like(x))
    return made if outputs == 1 else (made, kept)


def _whole(seed):
    """A seed, which ONNX has as a float, as an int; None where the program's own decides."""
    return None if seed is None else int(seed)


def _uniform(shape, low, high, seed, dtype):
    return F.cast(ops.uniform(tuple(shape), tensor(np.array(low, "float32")), tensor(np.array(high, "float32")), _whole(seed)), dtype)


def _normal(shape, mean, scale, seed, dtype):
    return F.cast(ops.standard_normal(tuple(shape), _whole(seed)) * scale + mean, dtype)


def _kind_of(x, dtype):
    return tensor(x).dtype if dtype is None else type_of(dtype)


@operator("RandomUniform")
def random_uniform(shape, dtype=1, high=1.0, low=0.0, seed=None):
    """Numbers between two limits."""
    return _uniform(shape, low, high, seed, type_of(dtype))


@operator("RandomUniformLike")
def random_uniform_like(x, dtype=None, high=1.0, low=0.0, seed=None):
    """Numbers between two limits, in the shape of x."""
    return _uniform(x.shape, low, high, seed, _kind_of(x, dtype))


@operator("RandomNormal")
def random_normal(shape, dtype=1, mean=0.0, scale=1.0, seed=None):
    """Numbers of a normal distribution."""
    return _normal(shape, mean, scale, seed, type_of(dtype))


@operator("RandomNormalLike")
def random_normal_like(x, dtype=None, mean=0.0, scale=1.0, seed=None):
    """Numbers of a normal distribution, in the shape of x."""
    return _normal(x.shape, mean, scale, seed, _kind_of(x, dtype))


@operator("Bernoulli")
def bernoulli(x, dtype=None, seed=None):
    """1 with the probability that each element of x says, else 0."""
    x = tensor(x)
    drawn = _uniform(x.shape, 0.0, 1.0, seed, mstype.float32)
    return F.cast(F.less(drawn, F.cast(x, mstype.float32)), _kind_of(x, dtype))
