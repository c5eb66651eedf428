"""The distributions of weights: one that is given, and one that is trained."""

from plumb.common import dtype as mstype
from plumb.common.initializer import Normal as NormalValues
from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter
from plumb.nn.cell import Cell
from plumb.nn.probability.distribution import Normal
from plumb.ops import _functions as F


class NormalPrior(Cell):
    """The normal distribution that weights are held to be from before training.

    Args:
      dtype: the element type, of floats.
      mean, std: mean and standard deviation.
    """

    def __init__(self, dtype=mstype.float32, mean=0, std=0.1):
        super().__init__()
        self.normal = Normal(float(mean), float(std), dtype=dtype)

    def construct(self, name, *args):
        """The distribution's function of that name."""
        return self.normal(name, *args)


class NormalPosterior(Cell):
    """Normal distributions with a trained mean and a trained standard deviation for each element, the softplus of a Parameter.

    Args:
      name: stands before the Parameters' names.
      shape: the extents of the weights.
      dtype: the element type, of floats.
      loc_mean, loc_std: the means' first values are normal with these.
      untransformed_scale_mean, untransformed_scale_std: as are those of what the softplus is taken of.
    """

    def __init__(self, name, shape, dtype=mstype.float32, loc_mean=0, loc_std=0.1, untransformed_scale_mean=-5,
                 untransformed_scale_std=0.1):
        super().__init__()
        if not isinstance(name, str):
            raise TypeError("The type of `name` must be `str`")
        if not isinstance(shape, (tuple, list)):
            raise TypeError("The type of `shape` must be `tuple` or `list`")
        self.normal = Normal(dtype=dtype)
        self.mean = self._drawn(f"{name}.mean", shape, dtype, loc_mean, loc_std)
        self.untransformed_std = self._drawn(f"{name}.untransformed_std", shape, dtype, untransformed_scale_mean, untransformed_scale_std)

    @staticmethod
    def _drawn(name, shape, dtype, mean, std):
        return Parameter(initializer(NormalValues(float(std), float(mean)), tuple(shape), dtype), name=name)

    def std(self):
        """The standard deviations: log(1 + exp(u))."""
        return F.softplus(self.untransformed_std)

    def construct(self, name, *args):
        """The distributions' function of that name, with their means and deviations beside its arguments."""
        return self.normal(name, *args, mean=self.mean, sd=self.std())


def normal_post_fn(name, shape):
    """A NormalPosterior, whose Parameters' names begin with `name`."""
    return NormalPosterior(name, shape)
