"""Probability: distributions and bijectors."""

from plumb.common._offers import not_offered
from plumb.nn.probability import bijector, distribution

__getattr__ = not_offered(__name__)
