"""Learning rates as lists: one number for each step, which optimizers keep on the device.

In all of them, step i belongs to epoch e = i // step_per_epoch, and the rate changes with epochs.
"""

import math

from plumb._checkparam import check_non_negative_float
from plumb.common._docs import described_by


def piecewise_constant_lr(milestone, learning_rates):
    """learning_rates[t] for the steps before milestone[t] and not before the milestone before; as many as the last milestone.

    Args:
      milestone: rising ints above 0.
      learning_rates: as many floats of at least 0.

    Returns:
      A float for each step.

    Raises:
      TypeError: if an argument has another type.
      ValueError: if a number is out of range.
    """
    for name, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        if not isinstance(value, (tuple, list)):
            raise TypeError(f"For 'piecewise_constant_lr', the '{name}' must be a tuple or list, but got "
                            f"{type(value).__name__}.")
    if len(milestone) != len(learning_rates) or not milestone:
        raise ValueError(f"For 'piecewise_constant_lr', there must be as many 'learning_rates' as 'milestone's and at least "
                         f"one, but got {len(learning_rates)} and {len(milestone)}.")
    rates, before = [], 0
    for end, rate in zip(milestone, learning_rates):
        _ints("piecewise_constant_lr", milestone=end)
        if end < before:
            raise ValueError(f"For 'piecewise_constant_lr', the 'milestone's must rise, but got {list(milestone)}.")
        if not isinstance(rate, float) or rate < 0.0:
            raise TypeError(f"For 'piecewise_constant_lr', the 'learning_rates' must be floats of at least 0, but got {rate}.")
        rates += [rate] * (end - before)
        before = end
    return rates


def exponential_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """learning_rate * decay_rate ^ (e / decay_epoch), the exponent rounded down with `is_stair`."""
    return _decayed("exponential_decay_lr", lambda epoch: learning_rate * decay_rate ** _periods(epoch, decay_epoch, is_stair),
                    learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair)


def natural_exp_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """learning_rate * exp(-decay_rate * e), with `is_stair` the last multiple of decay_epoch in place of e."""
    return _decayed("natural_exp_decay_lr", lambda epoch: learning_rate * math.e ** (-decay_rate * (epoch // decay_epoch * decay_epoch if is_stair else epoch)),
                    learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair)


def inverse_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False):
    """learning_rate / (1 + decay_rate * e / decay_epoch), the quotient rounded down with `is_stair`."""
    return _decayed("inverse_decay_lr", lambda epoch: learning_rate / (1 + decay_rate * _periods(epoch, decay_epoch, is_stair)),
                    learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair)


def cosine_decay_lr(min_lr, max_lr, total_step, step_per_epoch, decay_epoch):
    """min_lr + (max_lr - min_lr) / 2 * (1 + cos(pi * min(e, decay_epoch) / decay_epoch)).

    Args:
      min_lr: a float of at least 0, below `max_lr`.
      max_lr: a float above 0.
      total_step: how many steps there are.
      step_per_epoch: how many of them an epoch has.
      decay_epoch: in how many epochs the rate falls.

    Returns:
      A float for each step.

    Raises:
      TypeError: if an argument has another type.
      ValueError: if a number is out of range.
    """
    _floats("cosine_decay_lr", min_lr=min_lr, max_lr=max_lr)
    _ints("cosine_decay_lr", total_step=total_step, step_per_epoch=step_per_epoch, decay_epoch=decay_epoch)
    if min_lr >= max_lr:
        raise ValueError(f"For 'cosine_decay_lr', the 'max_lr' must be greater than the 'min_lr', but got {max_lr} and "
                         f"{min_lr}.")
    return _by_epoch(total_step, step_per_epoch, lambda epoch: min_lr + 0.5 * (max_lr - min_lr) * (
        1 + math.cos(math.pi * min(epoch, decay_epoch) / decay_epoch)))


def polynomial_decay_lr(learning_rate, end_learning_rate, total_step, step_per_epoch, decay_epoch, power,
                        update_decay_epoch=False):
    """(learning_rate - end) * (1 - min(e, d) / d) ^ power + end, where d is decay_epoch.

    Args:
      learning_rate, power: floats above 0.
      end_learning_rate: a float of at least 0.
      total_step: how many steps there are.
      step_per_epoch: how many of them an epoch has.
      decay_epoch: in how many epochs the rate falls.
      update_decay_epoch: whether d is the next multiple of decay_epoch.

    Returns:
      A float for each step.

    Raises:
      TypeError: if an argument has another type.
      ValueError: if a number is out of range.
    """
    _floats("polynomial_decay_lr", learning_rate=learning_rate, power=power)
    _ints("polynomial_decay_lr", total_step=total_step, step_per_epoch=step_per_epoch, decay_epoch=decay_epoch)
    check_non_negative_float(end_learning_rate, "end_learning_rate", "polynomial_decay_lr")

    def rate(epoch):
        reach = decay_epoch * max(math.ceil(epoch / decay_epoch), 1) if update_decay_epoch else decay_epoch
        return (learning_rate - end_learning_rate) * (1 - min(epoch, reach) / reach) ** power + end_learning_rate

    return _by_epoch(total_step, step_per_epoch, rate)


def warmup_lr(learning_rate, total_step, step_per_epoch, warmup_epoch):
    """learning_rate * min(e, warmup_epoch) / warmup_epoch.

    Args:
      learning_rate: a float of at least 0.
      total_step: how many steps there are.
      step_per_epoch: how many of them an epoch has.
      warmup_epoch: in how many epochs the rate grows.

    Returns:
      A float for each step.

    Raises:
      TypeError: if an argument has another type.
      ValueError: if a number is out of range.
    """
    if not isinstance(learning_rate, float) or learning_rate < 0.0:
        raise TypeError(f"For 'warmup_lr', the 'learning_rate' must be a float of at least 0, but got {learning_rate}.")
    _ints("warmup_lr", total_step=total_step, step_per_epoch=step_per_epoch, warmup_epoch=warmup_epoch)
    return _by_epoch(total_step, step_per_epoch, lambda epoch: learning_rate * min(epoch, warmup_epoch) / warmup_epoch)


def _by_epoch(total_step, step_per_epoch, rate):
    return [rate(step // step_per_epoch) for step in range(total_step)]


def _periods(epoch, decay_epoch, is_stair):
    return epoch // decay_epoch if is_stair else epoch / decay_epoch


def _decayed(who, rate, learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair):
    """What `rate` makes of the epoch of each step.

    Args:
      learning_rate, decay_rate: floats above 0.
      total_step: how many steps there are.
      step_per_epoch: how many of them an epoch has.
      decay_epoch: the length of a period, in epochs.
      is_stair: whether the rate falls at the ends of periods alone.

    Returns:
      A float for each step.

    Raises:
      TypeError: if an argument has another type.
      ValueError: if a number is out of range.
    """
    _floats(who, learning_rate=learning_rate, decay_rate=decay_rate)
    _ints(who, total_step=total_step, step_per_epoch=step_per_epoch, decay_epoch=decay_epoch)
    if not isinstance(is_stair, bool):
        raise TypeError(f"For '{who}', the 'is_stair' must be a bool, but got {type(is_stair).__name__}.")
    return _by_epoch(total_step, step_per_epoch, rate)


described_by(_decayed, exponential_decay_lr, natural_exp_decay_lr, inverse_decay_lr)


def _floats(who, **numbers):
    for name, value in numbers.items():
        if not isinstance(value, float):
            raise TypeError(f"For '{who}', the '{name}' must be a float, but got {type(value).__name__}.")
        if value <= 0.0 and name != "min_lr" or value < 0.0:
            raise ValueError(f"For '{who}', the '{name}' must be above 0, but got {value}.")


def _ints(who, **numbers):
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"For '{who}', the '{name}' must be an int, but got {type(value).__name__}.")
        if value < 1:
            raise ValueError(f"For '{who}', the '{name}' must be at least 1, but got {value}.")
