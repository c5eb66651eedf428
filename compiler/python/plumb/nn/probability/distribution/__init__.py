"""Distributions."""

from plumb.common._offers import not_offered
from plumb.nn.probability.distribution.bernoulli import Bernoulli
from plumb.nn.probability.distribution.beta import Beta
from plumb.nn.probability.distribution.categorical import Categorical
from plumb.nn.probability.distribution.cauchy import Cauchy
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.nn.probability.distribution.exponential import Exponential
from plumb.nn.probability.distribution.gamma import Gamma
from plumb.nn.probability.distribution.geometric import Geometric
from plumb.nn.probability.distribution.gumbel import Gumbel
from plumb.nn.probability.distribution.half_normal import HalfNormal
from plumb.nn.probability.distribution.laplace import Laplace
from plumb.nn.probability.distribution.log_normal import LogNormal
from plumb.nn.probability.distribution.logistic import Logistic
from plumb.nn.probability.distribution.normal import Normal
from plumb.nn.probability.distribution.poisson import Poisson
from plumb.nn.probability.distribution.student_t import StudentT
from plumb.nn.probability.distribution.transformed_distribution import TransformedDistribution
from plumb.nn.probability.distribution.uniform import Uniform

__getattr__ = not_offered(__name__)
