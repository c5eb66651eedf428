"""Learning rates as cells: computed on the device from the number of the step, inside the training step."""

import math

from plumb._checkparam import check_non_negative_float
from plumb.common import dtype as mstype
from plumb.common._docs import described_by
from plumb.nn.cell import Cell
from plumb.ops import _functions as F


class LearningRateSchedule(Cell):
    """Base of schedules; a subclass defines `construct(global_step)`, which gives the rate of the step."""

    def construct(self, global_step):
        """Compiled body."""
        raise NotImplementedError("a LearningRateSchedule needs its own 'construct'")


class _Decay(LearningRateSchedule):
    """A rate that falls with p = step / decay_steps, in whole numbers (rounded down) with `is_stair`.

    Args:
      learning_rate, decay_rate: floats above 0.
      decay_steps: an int of at least 1.
      is_stair: a bool.

    Called with the step's number, an int32 scalar; the result is a float32 scalar.

    Raises:
      TypeError: if an argument has another type.
      ValueError: if a number is out of range.
    """

    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair=False):
        super().__init__()
        who = type(self).__name__
        _check_positive(who, learning_rate=learning_rate, decay_rate=decay_rate)
        _check_steps(who, "decay_steps", decay_steps)
        if not isinstance(is_stair, bool):
            raise TypeError(f"For '{who}', 'is_stair' must be a bool, but got {type(is_stair).__name__}.")
        self.learning_rate, self.decay_rate = float(learning_rate), float(decay_rate)
        self.decay_steps, self.is_stair = decay_steps, is_stair

    def passed(self, global_step):
        """p."""
        periods = F.cast(global_step, mstype.float32) / float(self.decay_steps)
        return F.floor(periods) if self.is_stair else periods


class ExponentialDecayLR(_Decay):
    """learning_rate * decay_rate ^ p, where p = step / decay_steps, rounded down with `is_stair`."""

    def construct(self, global_step):
        """Compiled body."""
        return F.exp(self.passed(global_step) * math.log(self.decay_rate)) * self.learning_rate


class NaturalExpDecayLR(_Decay):
    """learning_rate * exp(-decay_rate * p), where p is the step itself, with `is_stair` the last multiple of decay_steps.

    So MindSpore computes it, and its documented example has it; its documented formula divides by decay_steps.
    """

    def construct(self, global_step):
        """Compiled body."""
        step = F.cast(global_step, mstype.float32)
        if self.is_stair:
            step = self.passed(global_step) * float(self.decay_steps)
        return F.exp(step * -self.decay_rate) * self.learning_rate


class InverseDecayLR(_Decay):
    """learning_rate / (1 + decay_rate * p), where p = step / decay_steps, rounded down with `is_stair`."""

    def construct(self, global_step):
        """Compiled body."""
        return self.learning_rate / (self.passed(global_step) * self.decay_rate + 1.0)


described_by(_Decay, ExponentialDecayLR, NaturalExpDecayLR, InverseDecayLR)


class CosineDecayLR(LearningRateSchedule):
    """min_lr + (max_lr - min_lr) / 2 * (1 + cos(pi * min(step, decay_steps) / decay_steps)).

    Args:
      min_lr: a float of at least 0, below `max_lr`.
      max_lr: a float above 0.
      decay_steps: an int of at least 1.

    Called with the step's number, an int32 scalar; the result is a float32 scalar.

    Raises:
      TypeError: if an argument has another type.
      ValueError: if a number is out of range.
    """

    def __init__(self, min_lr, max_lr, decay_steps):
        super().__init__()
        check_non_negative_float(min_lr, "min_lr", "CosineDecayLR")
        _check_positive("CosineDecayLR", max_lr=max_lr)
        _check_steps("CosineDecayLR", "decay_steps", decay_steps)
        if min_lr >= max_lr:
            raise ValueError(f"For 'CosineDecayLR', the 'max_lr' must be greater than the 'min_lr', but got {max_lr} and "
                             f"{min_lr}.")
        self.min_lr, self.max_lr, self.decay_steps = float(min_lr), float(max_lr), decay_steps

    def construct(self, global_step):
        """Compiled body."""
        step = F.minimum(F.cast(global_step, mstype.float32), float(self.decay_steps))
        return (F.cos(step * (math.pi / self.decay_steps)) + 1.0) * (0.5 * (self.max_lr - self.min_lr)) + self.min_lr


class PolynomialDecayLR(LearningRateSchedule):
    """(learning_rate - end) * (1 - min(step, d) / d) ^ power + end, where d is decay_steps.

    Args:
      learning_rate, power: floats above 0.
      end_learning_rate: a float of at least 0.
      decay_steps: an int of at least 1.
      update_decay_steps: whether d is the next multiple of decay_steps.

    Called with the step's number, an int32 scalar; the result is a float32 scalar.

    Raises:
      TypeError: if an argument has another type.
      ValueError: if a number is out of range.
    """

    def __init__(self, learning_rate, end_learning_rate, decay_steps, power, update_decay_steps=False):
        super().__init__()
        _check_positive("PolynomialDecayLR", learning_rate=learning_rate, power=power)
        check_non_negative_float(end_learning_rate, "end_learning_rate", "PolynomialDecayLR")
        _check_steps("PolynomialDecayLR", "decay_steps", decay_steps)
        self.end, self.span = end_learning_rate, learning_rate - end_learning_rate
        self.decay_steps, self.power, self.update_decay_steps = decay_steps, float(power), bool(update_decay_steps)

    def construct(self, global_step):
        """Compiled body."""
        step, reach = F.cast(global_step, mstype.float32), float(self.decay_steps)
        if self.update_decay_steps:
            reach = F.maximum(F.ceil(step / reach), 1.0) * reach
        else:
            step = F.minimum(step, reach)
        return F.pow(1.0 - step / reach, self.power) * self.span + self.end


class WarmUpLR(LearningRateSchedule):
    """learning_rate * min(step, warmup_steps) / warmup_steps.

    Args:
      learning_rate: a float of at least 0.
      warmup_steps: an int of at least 1.

    Called with the step's number, an int32 scalar; the result is a float32 scalar.

    Raises:
      TypeError: if an argument has another type.
      ValueError: if a number is out of range.
    """

    def __init__(self, learning_rate, warmup_steps):
        super().__init__()
        check_non_negative_float(learning_rate, "learning_rate", "WarmUpLR")
        _check_steps("WarmUpLR", "warmup_steps", warmup_steps)
        self.learning_rate, self.warmup_steps = float(learning_rate), warmup_steps

    def construct(self, global_step):
        """Compiled body."""
        step = F.minimum(F.cast(global_step, mstype.float32), float(self.warmup_steps))
        return step * (self.learning_rate / self.warmup_steps)


def _check_positive(who, **numbers):
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, float):
            raise TypeError(f"For '{who}', the '{name}' must be a float, but got {type(value).__name__}.")
        if value <= 0.0:
            raise ValueError(f"For '{who}', the '{name}' must be above 0, but got {value}.")


def _check_steps(who, name, value):
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For '{who}', the '{name}' must be an int, but got {type(value).__name__}.")
    if value < 1:
        raise ValueError(f"For '{who}', the '{name}' must be at least 1, but got {value}.")
