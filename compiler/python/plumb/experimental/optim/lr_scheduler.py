"""Schedulers: they set the learning rates of an optimizer's groups when the program calls `step`, from the host."""

import bisect
import math

from plumb.common._offers import not_offered
from plumb.common.tensor import Tensor
from plumb.experimental.optim.optimizer import Optimizer


class LRScheduler:
    """Base of schedulers. Subclasses define `get_lr`, which returns the groups' rates for `last_epoch` as numbers.

    Args:
      optimizer: an Optimizer of plumb.experimental.optim.
      last_epoch: the number of steps done; -1 begins.
    """

    def __init__(self, optimizer, last_epoch=-1):
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        if isinstance(last_epoch, bool) or not isinstance(last_epoch, int) or last_epoch < -1:
            raise ValueError(f"Invalid last_epoch: {last_epoch}")
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", float(group["lr"].asnumpy()))
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{number}] when resuming an optimizer")
        self.optimizer, self.last_epoch = optimizer, last_epoch
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self._last_lr = [float(rate.asnumpy()) for rate in optimizer.lrs]
        self.step()

    def get_lr(self):
        """The groups' rates, numbers, for `last_epoch`; `_last_lr` holds those before."""
        raise NotImplementedError

    def get_last_lr(self):
        """The rates set last, a list of Tensors."""
        return [Tensor(rate.asnumpy().copy()) for rate in self.optimizer.lrs]

    def step(self, epoch=None):
        """Goes one step on, or to the step `epoch`, and sets the rates."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._last_lr = [float(rate.asnumpy()) if isinstance(rate, Tensor) else float(rate) for rate in self.get_lr()]
        for parameter, rate in zip(self.optimizer.lrs, self._last_lr):
            parameter.set_data(Tensor(rate, parameter.dtype))

    def _scaled(self, factor):
        return [base * factor for base in self.base_lrs]


class StepLR(LRScheduler):
    """The first rate times `gamma` for every `step_size` steps."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        if not isinstance(step_size, int) or step_size < 1:
            raise ValueError(f"For 'StepLR', the 'step_size' must be a positive int, but got {step_size}.")
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._scaled(self.gamma ** (self.last_epoch // self.step_size))


class MultiStepLR(LRScheduler):
    """The first rate times `gamma` for every one of `milestones` that is reached."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._scaled(self.gamma ** bisect.bisect_right(self.milestones, self.last_epoch))


class ExponentialLR(LRScheduler):
    """The first rate times `gamma` to the power of the step."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = float(gamma)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._scaled(self.gamma ** self.last_epoch)


class ConstantLR(LRScheduler):
    """The first rate times `factor` until `total_iters` steps are done."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._scaled(self.factor if self.last_epoch < self.total_iters else 1.0)


class LinearLR(LRScheduler):
    """The first rate times a factor that goes from `start_factor` to `end_factor` in `total_iters` equal steps."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1 or not 0 <= end_factor <= 1:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1, and the ending one "
                             "between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        share = min(self.last_epoch, self.total_iters) / self.total_iters if self.total_iters else 0
        return self._scaled(self.start_factor + (self.end_factor - self.start_factor) * share)


class PolynomialLR(LRScheduler):
    """The first rate times (1 - step / total_iters) to a power, 0 from `total_iters` on."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        share = min(self.last_epoch, self.total_iters) / self.total_iters if self.total_iters else 0
        return self._scaled((1 - share) ** self.power)


class CosineAnnealingLR(LRScheduler):
    """From the first rate to `eta_min` and back along a cosine of the half period `T_max` (Loshchilov and Hutter 2016)."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.half, self.eta_min = T_max, float(eta_min)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        share = (1 + math.cos(math.pi * self.last_epoch / self.half)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """A cosine from the first rate to `eta_min` over T_0 steps, then anew over T_mult times as many each time."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0, last_epoch=-1):
        if not isinstance(T_0, int) or T_0 < 1 or not isinstance(T_mult, int) or T_mult < 1:
            raise ValueError(f"T_0 and T_mult should be positive ints, but got {T_0} and {T_mult}")
        self.period, self.growth, self.eta_min = T_0, T_mult, float(eta_min)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        at, period = self.last_epoch, self.period
        while at >= period:
            at, period = at - period, period * self.growth
        share = (1 + math.cos(math.pi * at / period)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


class LambdaLR(LRScheduler):
    """The first rate times what a function of the step gives: one for all groups, or a list with one for each."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.functions = _functions_of(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * function(self.last_epoch) for base, function in zip(self.base_lrs, self.functions)]


class MultiplicativeLR(LRScheduler):
    """The rate before times what a function of the step gives: one for all groups, or a list with one for each."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.functions = _functions_of(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        if self.last_epoch == 0:
            return self._last_lr
        return [rate * function(self.last_epoch) for rate, function in zip(self._last_lr, self.functions)]


_CYCLES = {"triangular": lambda cycle, gamma: 1.0, "triangular2": lambda cycle, gamma: 0.5 ** (cycle - 1),
           "exp_range": lambda step, gamma: gamma ** step}


class CyclicLR(LRScheduler):
    """From `base_lr` to `max_lr` and back in equal steps, again and again (Smith 2015).

    Args:
      base_lr, max_lr: numbers, or a list with one for each group.
      step_size_up, step_size_down: steps of both ways; by default as many down as up.
      mode: how far each cycle rises: "triangular" (to `max_lr`), "triangular2" (half as far as the one before) or "exp_range" (`gamma`
        to the power of the step).
      scale_fn, scale_mode: a function instead, of the number of the cycle, from 1 on ("cycle"), or of the step ("iterations").
    """

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0, scale_fn=None,
                 scale_mode="cycle", last_epoch=-1):
        if mode not in _CYCLES and scale_fn is None or scale_mode not in ("cycle", "iterations"):
            raise ValueError(f"For 'CyclicLR', 'mode' must be one of {list(_CYCLES)} and 'scale_mode' 'cycle' or 'iterations', but got {mode} "
                             f"and {scale_mode}.")
        count = len(optimizer.param_groups) if isinstance(optimizer, Optimizer) else 0
        self.lows, self.highs = (list(given) if isinstance(given, (list, tuple)) else [given] * count for given in (base_lr, max_lr))
        if len(self.lows) != count or len(self.highs) != count:
            raise ValueError(f"For 'CyclicLR', 'base_lr' and 'max_lr' must have {count} values.")
        self.up = float(step_size_up)
        self.total = self.up + float(step_size_up if step_size_down is None else step_size_down)
        self.by_cycle = scale_mode == "cycle" if scale_fn is not None else mode != "exp_range"
        self.scale = scale_fn or (lambda number: _CYCLES[mode](number, gamma))
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        cycle, at = math.floor(1 + self.last_epoch / self.total), self.last_epoch % self.total
        height = at / self.up if at <= self.up else (self.total - at) / (self.total - self.up)
        height *= self.scale(cycle if self.by_cycle else self.last_epoch)
        return [low + (high - low) * height for low, high in zip(self.lows, self.highs)]


class SequentialLR:
    """One scheduler after another: the next one begins at its first step when one of `milestones` is reached.

    Args:
      optimizer: an Optimizer of plumb.experimental.optim, which all schedulers are for.
      schedulers: schedulers, as many as `milestones` and one more.
      milestones: steps, rising.

    Raises:
      ValueError: if they are not as many, or of different optimizers.
    """

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        _check_together("SequentialLR", optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(f"For 'SequentialLR', there must be {len(schedulers) - 1} milestones, but got {len(milestones)}.")
        self.optimizer, self.schedulers, self.milestones, self.last_epoch = optimizer, list(schedulers), list(milestones), last_epoch + 1
        self.schedulers[0].step(0)

    def step(self):
        """Goes one step on."""
        self.last_epoch += 1
        place = bisect.bisect_right(self.milestones, self.last_epoch)
        fresh = place > 0 and self.milestones[place - 1] == self.last_epoch
        self.schedulers[place].step(0 if fresh else None)

    def get_last_lr(self):
        """The rates set last, a list of Tensors."""
        return [Tensor(rate.asnumpy().copy()) for rate in self.optimizer.lrs]


class ChainedScheduler:
    """Several schedulers at once: the first rates times the factors of all.

    Args:
      schedulers: schedulers of one optimizer that multiply its first rates.

    Raises:
      ValueError: if there are none, or of different optimizers.
    """

    def __init__(self, schedulers):
        if not schedulers:
            raise ValueError("For 'ChainedScheduler', there must be a scheduler at least.")
        _check_together("ChainedScheduler", schedulers[0].optimizer, schedulers)
        self.optimizer, self.schedulers = schedulers[0].optimizer, list(schedulers)
        self._set()

    def _set(self):
        for number, parameter in enumerate(self.optimizer.lrs):
            rate = base = self.schedulers[0].base_lrs[number]
            for scheduler in self.schedulers:
                rate = rate * (scheduler._last_lr[number] / base if base else 1.0)
            parameter.set_data(Tensor(rate, parameter.dtype))

    def step(self):
        """Goes one step on with all of them."""
        for scheduler in self.schedulers:
            scheduler.step()
        self._set()

    def get_last_lr(self):
        """The rates set last, a list of Tensors."""
        return [Tensor(rate.asnumpy().copy()) for rate in self.optimizer.lrs]


def _check_together(who, optimizer, schedulers):
    if any(not isinstance(scheduler, LRScheduler) or scheduler.optimizer is not optimizer for scheduler in schedulers):
        raise ValueError(f"For '{who}', all schedulers must be LRSchedulers of one optimizer.")


def _functions_of(optimizer, given):
    functions = list(given) if isinstance(given, (list, tuple)) else [given] * len(optimizer.param_groups)
    if len(functions) != len(optimizer.param_groups):
        raise ValueError(f"Expected {len(optimizer.param_groups)} lr_lambdas, but got {len(functions)}")
    return functions


class ReduceLROnPlateau:
    """The rates times `factor` when a metric has not improved for more than `patience` steps.

    Args:
      optimizer: an Optimizer of plumb.experimental.optim.
      mode: "min" or "max": whether smaller or greater metrics are better.
      factor: below 1.
      threshold, threshold_mode: by how much a metric must be better, as a share of the best one ("rel") or itself ("abs").
      cooldown: steps after a reduction in which nothing is counted.
      min_lr: the least rate, or a list with one for each group.
      eps: reductions by less are left out.
    """

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0,
                 eps=1e-8):
        if factor >= 1.0 or mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
            raise ValueError(f"For 'ReduceLROnPlateau', factor must be below 1, mode 'min' or 'max' and threshold_mode 'rel' or 'abs', but "
                             f"got {factor}, {mode} and {threshold_mode}.")
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        count = len(optimizer.param_groups)
        self.min_lrs = list(min_lr) if isinstance(min_lr, (list, tuple)) else [min_lr] * count
        self.best = math.inf if mode == "min" else -math.inf
        self.bad_epochs = self.cooldown_left = 0

    def step(self, metrics):
        """Takes the newest metric, a number or a Tensor of one."""
        value = float(metrics.asnumpy()) if isinstance(metrics, Tensor) else float(metrics)
        better = self._is_better(value)
        self.best = value if better else self.best
        self.bad_epochs = 0 if better else self.bad_epochs + 1
        if self.cooldown_left > 0:
            self.cooldown_left, self.bad_epochs = self.cooldown_left - 1, 0
        if self.bad_epochs > self.patience:
            self._reduce()
            self.cooldown_left, self.bad_epochs = self.cooldown, 0

    def _is_better(self, value):
        sign = 1 if self.mode == "min" else -1
        margin = self.threshold * (abs(self.best) if self.threshold_mode == "rel" and math.isfinite(self.best) else 1)
        return sign * value < sign * self.best - margin

    def _reduce(self):
        for parameter, least in zip(self.optimizer.lrs, self.min_lrs):
            before = float(parameter.asnumpy())
            after = max(before * self.factor, least)
            if before - after > self.eps:
                parameter.set_data(Tensor(after, parameter.dtype))

    def get_last_lr(self):
        """The rates set last, a list of Tensors."""
        return [Tensor(rate.asnumpy().copy()) for rate in self.optimizer.lrs]


__getattr__ = not_offered(__name__)
