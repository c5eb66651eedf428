"""`mindspore.numpy`: NumPy's functions on tensors, in themes.

Operands are tensors, numbers or nested lists. A compiled function compiles these functions with the rest of it; plain
Python compiles each call as one program, once for each signature.
"""

import math as _math
import types as _types

from plumb.common._offers import not_offered as _not_offered
from plumb.common.api import HostFunction as _HostFunction
from plumb.common.api import Whole as _Whole
from plumb.common.dtype import (bool_, float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64)
from plumb.numpy.array_creations import *  # pylint: disable=wildcard-import
from plumb.numpy.array_ops import *  # pylint: disable=wildcard-import
from plumb.numpy import fft
from plumb.numpy.grids import mgrid, ogrid
from plumb.numpy.differences import *  # pylint: disable=wildcard-import
from plumb.numpy.indexing import *  # pylint: disable=wildcard-import
from plumb.numpy.logic_ops import *  # pylint: disable=wildcard-import
from plumb.numpy.math_ops import *  # pylint: disable=wildcard-import
from plumb.numpy.polynomials import *  # pylint: disable=wildcard-import
from plumb.numpy.products import *  # pylint: disable=wildcard-import
from plumb.numpy.random_numbers import *  # pylint: disable=wildcard-import
from plumb.numpy.reductions import *  # pylint: disable=wildcard-import
from plumb.numpy.sampling import *  # pylint: disable=wildcard-import
from plumb.numpy.scans import *  # pylint: disable=wildcard-import
from plumb.numpy.sets import *  # pylint: disable=wildcard-import
from plumb.numpy.transcendental import *  # pylint: disable=wildcard-import

int_, uint, float_ = int32, uint32, float32

# Parameters that take lists of numbers.
_ARRAYS = frozenset("""a a1 a2 ar1 ar2 arr array ary b condition element f fp input m p q test_elements v values x x1 x2 xp
                       y""".split())
# What gives a number, a text or a dtype, or calls what need not compile.
_PLAIN = frozenset("""apply_along_axis apply_over_axes array array_str asarray isscalar piecewise promote_types
                      result_type size""".split())
_SIZED_BY_VALUES = ("how many elements its result has depends on values; call it outside, or use operations whose result has a "
                    "shape known while compiling")
_DRAWN = "it draws once, where it is called; draw in the function with operations of plumb.ops"
_ON_HOST = dict.fromkeys(("argwhere", "intersect1d", "setdiff1d", "setxor1d", "union1d", "unique"), _SIZED_BY_VALUES)
_ON_HOST |= dict.fromkeys(("rand", "randint", "randn"), _DRAWN)

inf, nan, pi, PINF, NINF = _math.inf, _math.nan, _math.pi, _math.inf, -_math.inf

for _name, _function in list(globals().items()):
    if not isinstance(_function, _types.FunctionType) or _name.startswith("_") or _name in _PLAIN:
        continue
    if _name in _ON_HOST:
        globals()[_name] = _HostFunction(_function, _ON_HOST[_name])
    else:
        globals()[_name] = _Whole(_function, _ARRAYS)

copy, sum, divmod, max, min = copy_, sum_, divmod_, amax, amin
abs, mod, bitwise_not, radians, round = absolute, remainder, invert, deg2rad, around
del copy_, sum_, divmod_

__getattr__ = _not_offered(__name__)
