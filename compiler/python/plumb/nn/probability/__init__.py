"""Probability: distributions, bijectors, and layers of Bayesian networks."""

from plumb.common._offers import not_offered
from plumb.nn.probability import bijector, bnn_layers, distribution

__getattr__ = not_offered(__name__)
