"""Classes that draw random numbers: a table of the functions of `ops/function/random.py`.

`seed` and `seed2`, `Seed0` and `Seed1` make a stream of the object's own; without them it draws from the program's.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _random
from plumb.ops import function as f
from plumb.ops.operations.layout_ops import LogNormalReverse, MultinomialWithReplacement, NonDeterministicInts, Randperm, RandpermV2
from plumb.ops._primitive import Named, function_classes
from plumb.ops.function.random import (cauchy_numbers, channel_dropout, chosen_places, dropout_with_mask, dropped_bits, even_like, laplace_of, normal_between,
                                       truncated_normal, whole_numbers)
from plumb.ops.function.random_gamma import gamma_of, poisson_of

_SEEDS = {"seed": 0, "seed2": 0}

globals().update(function_classes({
    "Bernoulli": (f.bernoulli, {"seed": -1, "offset": Named(0, "seed2")}),
    "Cauchy": (cauchy_numbers, {"size": ..., "median": 0.0, "sigma": 1.0}),
    "Dropout": (dropout_with_mask, {"keep_prob": 0.5, "Seed0": Named(0, "seed"), "Seed1": Named(0, "seed2")}),
    "Dropout2D": (channel_dropout, {"keep_prob": 0.5}),
    "Dropout3D": (channel_dropout, {"keep_prob": 0.5}),
    "DropoutGenMask": (dropped_bits, {"Seed0": Named(0, "seed"), "Seed1": Named(0, "seed2")}),
    "Gamma": (gamma_of, _SEEDS),
    "LogUniformCandidateSampler": (f.log_uniform_candidate_sampler, {"num_true": 1, "num_sampled": 5, "unique": True, "range_max": 5,
                                                                     "seed": 0}),
    "Multinomial": (f.multinomial, {**_SEEDS, "dtype": mstype.int32}),
    "ParameterizedTruncatedNormal": (normal_between, _SEEDS),
    "Poisson": (poisson_of, _SEEDS),
    "RandomCategorical": (f.random_categorical, {"dtype": mstype.int64}),
    "RandomChoiceWithMask": (chosen_places, {"count": 256, **_SEEDS}),
    "RandomGamma": (f.random_gamma, _SEEDS),
    "RandomPoisson": (f.random_poisson, {**_SEEDS, "dtype": mstype.int64}),
    "RandomShuffle": (f.shuffle, _SEEDS),
    "StandardLaplace": (laplace_of, _SEEDS),
    "StandardNormal": (_random.normal, _SEEDS),
    "TruncatedNormal": (truncated_normal, {**_SEEDS, "dtype": mstype.float32}),
    "Uniform": (even_like, {"minval": 0.0, "maxval": 1.0, "seed": 0, "offset": Named(0, "seed2")}),
    "UniformCandidateSampler": (f.uniform_candidate_sampler, {"num_true": ..., "num_sampled": ..., "unique": ..., "range_max": ..., "seed": 0,
                                                              "remove_accidental_hits": False}),
    "UniformInt": (whole_numbers, _SEEDS),
    "UniformReal": (_random.even, _SEEDS),
}))

__all__ = [name for name in offered(globals()) if name[0].isupper() and name != "Named"]
