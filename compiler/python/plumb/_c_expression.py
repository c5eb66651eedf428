"""`mindspore._c_expression`: the kinds of element types, for programs that ask what a type is, mixed precision, and what
rules of programs' own fill their weights with."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor  # pylint: disable=unused-import
from plumb.nn._settings import MixedPrecisionType
from plumb.nn.cell import Cell

#: What a cell is to MindSpore's compiler: programs call its methods by this name.
Cell_ = Cell


class typing:  # pylint: disable=invalid-name
    """Classes for `isinstance` of element types."""

    Bool, Int, UInt, Float = mstype.Bool, mstype.Int, mstype.UInt, mstype.Float
    Complex, Number, Type = mstype.Complex, mstype.Number, mstype.DType


def _random_normal(seed, data, mean, std):
    """Fills an array with normal numbers, the same for the same seed."""
    data[...] = np.random.default_rng(seed).normal(mean, std, data.shape)


def _random_uniform(seed, data, low, high):
    """Fills an array with numbers from `low` to `high`, each equally likely, the same for the same seed."""
    data[...] = np.random.default_rng(seed).uniform(low, high, data.shape)
