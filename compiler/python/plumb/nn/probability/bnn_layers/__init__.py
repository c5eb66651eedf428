"""Layers of Bayesian networks: weights and biases are drawn anew in each call, from distributions that are trained."""

from plumb.common._offers import not_offered
from plumb.nn.probability.bnn_layers.distributions import NormalPosterior, NormalPrior, normal_post_fn
from plumb.nn.probability.bnn_layers.layers import ConvReparam, DenseLocalReparam, DenseReparam
from plumb.nn.probability.bnn_layers.loss_cell import WithBNNLossCell

__getattr__ = not_offered(__name__)
