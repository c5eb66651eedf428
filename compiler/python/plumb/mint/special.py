"""`mint.special`: special functions."""

from plumb.common._offers import not_offered
from plumb.mint._functions import exp2, log_softmax, round
from plumb.ops import erfc, expm1, log1p, sinc

__getattr__ = not_offered(__name__)
