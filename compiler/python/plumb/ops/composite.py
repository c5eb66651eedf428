"""`mindspore.ops.composite`: functions of functions under the r1.x name, and what else it has."""

from plumb.ops._maps import HyperMap, Map, MultitypeFuncGraph, add_flags
from plumb.ops.function import (batch_dot, clip_by_global_norm, clip_by_value, count_nonzero, cummin, dot, gamma, laplace, matmul, mm,
                                multinomial, normal, ones_like, random_poisson, repeat_elements, repeat_interleave, sequence_mask,
                                tensor_dot, uniform, zeros_like)
from plumb.ops.operations import GradOperation
