"""AdaFactor: steps by running means of squares that a matrix keeps as a row and a column."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter, ParameterTuple
from plumb.common.tensor import Tensor
from plumb.nn.optim.optimizer import ByParameter, opt_init_args_register
from plumb.ops import _functions as F


def _root_mean(x):
    return F.sqrt(F.reduce_mean(F.square(x)))


class AdaFactor(ByParameter):
    """Adafactor (Shazeer and Stern 2018), in step t, from 1.

    v = b * v + (1 - b) * (g^2 + eps[0]) with b = 1 - t^-decay_rate; of parameters of two axes and more only the means of v over each
    of the last two axes are kept, and v is their product over the mean of both. u = g / sqrt(v), divided by
    max(1, RMS(u) / clip_threshold) and multiplied by the rate; m = beta1 * m + (1 - beta1) * u, or u where `beta1` is None;
    p = p - weight_decay * rate * p - m. All
    parameters decay, whatever they are called. States are of the parameter's element type.

    Args:
      learning_rate: needed if `relative_step` is False, and not given otherwise.
      eps: what is added to squares, and the smallest scale of a parameter.
      clip_threshold: the largest root of the mean square of an update.
      decay_rate: how fast older squares are forgotten.
      scale_parameter: whether the rate is multiplied by the root of the mean square of the parameter.
      relative_step: whether the rate is min(0.01, 1 / sqrt(t)), or min(1e-6 * t, 1 / sqrt(t)) with `warmup_init`.
      compression: whether states of vectors are kept in float16.
    """

    decouples = True

    @opt_init_args_register
    def __init__(self, params, learning_rate=None, eps=(1e-30, 1e-3), clip_threshold=1.0, decay_rate=0.8, beta1=0.9, weight_decay=0.0,
                 scale_parameter=True, relative_step=True, warmup_init=False, compression=False, loss_scale=1.0):
        if learning_rate is not None and relative_step:
            raise ValueError("For 'AdaFactor', give no 'learning_rate', or relative_step=False.")
        if warmup_init and not relative_step:
            raise ValueError("For 'AdaFactor', 'warmup_init' needs relative_step=True.")
        if learning_rate is None and not relative_step:
            raise ValueError("For 'AdaFactor', relative_step=False needs a 'learning_rate'.")
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        if beta1 is not None and not 0.0 <= beta1 < 1.0 or len(eps) != 2 or min(eps) <= 0:
            raise ValueError(f"For 'AdaFactor', 'beta1' must be at least 0 and below 1 and both 'eps' above 0, but got {beta1} and {eps}.")
        self.eps, self.clip_threshold, self.decay_rate, self.beta1 = tuple(eps), float(clip_threshold), float(decay_rate), beta1
        self.scale_parameter, self.relative_step, self.warmup_init = bool(scale_parameter), bool(relative_step), bool(warmup_init)
        self.counts_steps = True
        self.decay_flags = tuple(dynamic or decay > 0 for dynamic, decay in zip(self.dynamic_decay_flags, self.weight_decays))
        self._make_states(bool(compression))

    def _make_states(self, compression):
        whole = [parameter.shape for parameter in self.parameters]
        self.factored = tuple(len(shape) > 1 for shape in whole)
        if self.beta1 is not None:
            self.exp_avg = self._states("exp_avg.", whole)
        self.exp_avg_sq_row = self._states("exp_avg_sq_row_", [shape[:-1] if len(shape) > 1 else (1,) for shape in whole])
        self.exp_avg_sq_col = self._states("exp_avg_sq_col_", [shape[:-2] + shape[-1:] if len(shape) > 1 else (1,) for shape in whole])
        self.exp_avg_sq = self._states("exp_avg_sq_", [(1,) if len(shape) > 1 else shape for shape in whole], compression)
        self.afactor_step = Parameter(Tensor(np.zeros(1, np.float32)), name="afactor_step", requires_grad=False)

    def _states(self, prefix, shapes, compression=False):
        kinds = [mstype.float16 if compression and len(parameter.shape) < 2 else parameter.dtype for parameter in self.parameters]
        return ParameterTuple(Parameter(Tensor(np.zeros(shape, kind.numpy)), name=prefix + parameter.name, requires_grad=False)
                              for shape, kind, parameter in zip(shapes, kinds, self.parameters))

    def begin(self):
        """The number of this step."""
        F.assign(self.afactor_step, self.afactor_step + 1)
        return F.reshape(self.afactor_step, ())

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        gradient, value = F.cast(gradient, mstype.float32), F.cast(weight, mstype.float32)
        if self.relative_step:
            rate = F.minimum(step * 1e-6 if self.warmup_init else 1e-2, F.rsqrt(step))
        if self.scale_parameter:
            rate = rate * F.maximum(_root_mean(value), self.eps[1])
        update = gradient * self.over_squares(i, F.square(gradient) + self.eps[0], 1.0 - F.pow(step, -self.decay_rate))
        update = update * rate / F.maximum(_root_mean(update) / self.clip_threshold, 1.0)
        if self.beta1 is not None:
            update = self.moved(self.exp_avg[i], update, self.beta1)
        if self.decay_flags[i]:
            value = value - value * self.decay_at(i, 1) * rate
        return F.cast(value - update, weight.dtype)

    def over_squares(self, i, squares, beta):
        """1 / sqrt(v)."""
        if not self.factored[i]:
            return F.rsqrt(self.moved(self.exp_avg_sq[i], squares, beta))
        row = self.moved(self.exp_avg_sq_row[i], F.reduce_mean(squares, (-1,)), beta)
        column = self.moved(self.exp_avg_sq_col[i], F.reduce_mean(squares, (-2,)), beta)
        return F.expand_dims(F.rsqrt(row / F.reduce_mean(row, (-1,), True)), -1) * F.expand_dims(F.rsqrt(column), -2)

    def moved(self, state, value, beta):
        """Stores and gives the running mean."""
        mean = F.cast(state, mstype.float32) * beta + value * (1.0 - beta)
        F.assign(state, F.cast(mean, state.dtype))
        return mean
