"""Bijectors: functions with an inverse, and the logarithms of their derivatives."""

from plumb.common._offers import not_offered
from plumb.nn.probability.bijector.bijector import Bijector
from plumb.nn.probability.bijector.exp import Exp
from plumb.nn.probability.bijector.gumbel_cdf import GumbelCDF
from plumb.nn.probability.bijector.invert import Invert
from plumb.nn.probability.bijector.power_transform import PowerTransform
from plumb.nn.probability.bijector.scalar_affine import ScalarAffine
from plumb.nn.probability.bijector.softplus import Softplus

__getattr__ = not_offered(__name__)
