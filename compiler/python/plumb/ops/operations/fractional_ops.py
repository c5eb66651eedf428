"""Classes of fractional pooling; see `ops/function/fractional.py`."""

from plumb.common._offers import offered
from plumb.ops._primitive import Composite
from plumb.ops.function import fractional


class _ByRatio(Composite):
    """What pools images (N, H, W, C) by stretches of random lengths.

    Args:
      pooling_ratio: [1.0, rows, columns, 1.0], each at least 1: extents over those of the result, which are rounded down.
      pseudo_random: whether one random number places the stretches, instead of a random order of their lengths.
      overlapping: whether neighbours share an element.
      deterministic: whether every call has the same stretches, by the seeds; without it both must be 0.
    """

    mean = False

    def __init__(self, pooling_ratio, pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0):
        super().__init__()
        if not deterministic and (seed != 0 or seed2 != 0):
            raise ValueError(f"For '{self.name}', 'seed' and 'seed2' must be 0 unless 'deterministic' is True.")
        self.pooling_ratio, self.pseudo_random, self.overlapping = tuple(pooling_ratio), bool(pseudo_random), bool(overlapping)
        self.seed, self.seed2 = (seed or seed2 or 1, seed2) if deterministic else (0, 0)

    def construct(self, x):
        """Compiled body."""
        return fractional.pool_by_ratio(self.name, x, self.pooling_ratio, self.pseudo_random, self.overlapping, self.seed, self.seed2,
                                        self.mean)


class FractionalMaxPool(_ByRatio):
    """The largest of stretches of random lengths along both axes of images (N, H, W, C), and their ends, int64."""


class FractionalAvgPool(_ByRatio):
    """The mean of stretches of random lengths along both axes of images (N, H, W, C), and their ends, int64."""

    mean = True


class FractionalMaxPoolWithFixedKsize(Composite):
    """The largest of windows of images (N, C, H, W) whose places are inputs (N, C, 2), and the elements' places, int64."""

    rank, layout = 2, "NCHW"

    def __init__(self, ksize, output_shape, data_format="NCHW"):
        super().__init__()
        if data_format != self.layout:
            raise ValueError(f"For '{self.name}', only data_format='{self.layout}' is offered, but got '{data_format}'.")
        self.ksize, self.output_shape = ksize, output_shape

    def construct(self, x, random_samples):
        """Compiled body."""
        return fractional.pool_by_samples(self.name, x, random_samples, self.ksize, self.output_shape, self.rank)


class FractionalMaxPool3DWithFixedKsize(FractionalMaxPoolWithFixedKsize):
    """The largest of windows of volumes (N, C, D, H, W) whose places are inputs (N, C, 3), and the elements' places, int64."""

    rank, layout = 3, "NCDHW"

    def __init__(self, ksize, output_shape, data_format="NCDHW"):
        super().__init__(ksize, output_shape, data_format)


__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in ("Composite",)]
