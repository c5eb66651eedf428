"""`mindspore.mint` of later versions: operators, layers and optimizers with PyTorch's names and arguments."""

from plumb.common._offers import not_offered
from plumb.mint import linalg, nn, optim, special
from plumb.mint._creations import *  # pylint: disable=wildcard-import
from plumb.mint._functions import *  # pylint: disable=wildcard-import
from plumb.mint._functions import cat as concat, clamp as clip
from plumb.mint.linalg import inv, qr
from plumb.mint.nn.functional import conv2d
from plumb.ops import (abs, acos, acosh, addbmm, addmm, addmv, arange, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, asin,
                       asinh, atan, atan2, atanh, bitwise_and, bitwise_not, bitwise_or, bitwise_xor, bmm, broadcast_to, ceil,
                       cos, cosh, cross, div, divide, dot, einsum, eq, erf, erfc, erfinv, exp, expm1, flip, float_power, floor,
                       floor_divide, fmod, frac, full_like, ge, greater, greater_equal, gt, histc, hypot, imag, inverse,
                       isfinite, isinf, isneginf, le, lerp, less, less_equal, log, log1p, log2, log10, logaddexp, logaddexp2,
                       logical_and, logical_not, logical_or, logical_xor, lt, masked_select, maximum, minimum, mm, mul, ne, neg,
                       negative, not_equal, ones_like, outer, polar, pow, ravel, real,
                       reciprocal, remainder, reshape, roll, rsqrt, sigmoid, sign, sin, sinc, sinh, sqrt, square, t, tan, tanh, trace,
                       tril, triu, true_divide, trunc, unbind, unsqueeze, xlogy, zeros_like)

__getattr__ = not_offered(__name__)
