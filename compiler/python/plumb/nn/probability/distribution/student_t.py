"""Student's t distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F


class StudentT(Distribution):
    """Student's t: the density goes with (1 + ((x - mean) / sd)² / df)^(-(df + 1) / 2). It has `prob` and `log_prob`.

    Args:
      df, mean, sd: degrees of freedom, the middle and the scale; `df` and `sd` above 0; None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    def __init__(self, df=None, mean=None, sd=None, seed=None, dtype=mstype.float32, name="StudentT"):
        _parameters.check_type("StudentT", dtype)
        super().__init__(seed, dtype, name, {"param_dict": {"df": df, "mean": mean, "sd": sd}})
        self._df_value, self._mean_value = self._add_parameter(df, "df"), self._add_parameter(mean, "mean")
        self._sd_value = self._add_parameter(sd, "sd")
        _parameters.check_positive(self._sd_value, "Standard deviation")
        _parameters.check_positive(self._df_value, "Degrees of freedom")

    def _log_prob(self, value, df=None, mean=None, sd=None):
        df, mean, sd = self._check_param_type(df, mean, sd)
        distance = (self._check_value(value, "value") - mean) / sd
        height = F.lgamma(0.5 * (df + 1.0)) - F.lgamma(0.5 * df) - 0.5 * F.log(df) - F.log(sd) - 0.5 * math.log(math.pi)
        return height - 0.5 * (df + 1.0) * F.log1p(F.square(distance) / df)
