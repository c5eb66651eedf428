"""EarlyStopping, ReduceLROnPlateau and History: what follows from the loss and the metrics of each epoch."""

import copy

import numpy as np

from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.context import warn_once
from plumb.train.callback._callback import Callback
from plumb.train.callback._monitors import loss_of


class _Watcher(Callback):
    """Knows when a number is better than the best one so far.

    Args:
      monitor: "loss" of training, or in `Model.fit` "eval_loss" or the name of a metric.
      mode: "min", "max", or "auto": "max" where the name holds "acc".
      min_delta: so much better a number must be.
    """

    def __init__(self, monitor, mode, min_delta):
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"For '{type(self).__name__}', the 'mode' must be 'auto', 'min' or 'max', but got {mode!r}.")
        if not isinstance(monitor, str):
            raise TypeError(f"For '{type(self).__name__}', the 'monitor' must be a string, but got {type(monitor).__name__}.")
        self.monitor, self.mode, self.min_delta = monitor, mode, abs(min_delta)
        self._rises = mode == "max" or (mode == "auto" and "acc" in monitor)

    def worst(self):
        """What every number is better than."""
        return -np.inf if self._rises else np.inf

    def is_better(self, value, than):
        """Whether a value is better by more than `min_delta`."""
        return value - self.min_delta > than if self._rises else value + self.min_delta < than

    def value(self, params):
        """The number of the last epoch; None, with a warning, where there is none."""
        if self.monitor == "loss":
            value = loss_of(params.net_outputs)
        else:
            value = (params.eval_results or {}).get(self.monitor)
        if value is None:
            known = ", ".join(["loss", *(params.eval_results or {})])
            warn_once(f"{type(self).__name__}: '{self.monitor}' is not known here; there are {known}.")
            return None
        value = np.asarray(value)
        if value.size != 1:
            raise ValueError(f"For '{type(self).__name__}', '{self.monitor}' must be a scalar, but has the shape {value.shape}.")
        return float(value.reshape(()))


class EarlyStopping(_Watcher):
    """Ends training when a number has not become better for `patience` epochs.

    Args:
      monitor, mode, min_delta: which number, and when it is better: "loss" of training, in `Model.fit` "eval_loss" or a
        metric's name; "auto" is "max" for names with "acc", else "min".
      patience: number of epochs without improvement.
      verbose: whether it says so.
      baseline: only what is better than this counts as an improvement to wait for.
      restore_best_weights: whether the network gets the Parameters of its best epoch back.
    """

    def __init__(self, monitor="eval_loss", min_delta=0, patience=0, verbose=False, mode="auto", baseline=None,
                 restore_best_weights=False):
        super().__init__(monitor, mode, min_delta)
        if isinstance(patience, bool) or not isinstance(patience, int) or patience < 0:
            raise ValueError(f"For 'EarlyStopping', the 'patience' must be an int of at least 0, but got {patience}.")
        self.patience, self.verbose, self.baseline = patience, bool(verbose), baseline
        self.restore_best_weights = bool(restore_best_weights)
        self.wait, self.stopped_epoch, self.best, self.best_weights = 0, 0, self.worst(), None

    def on_train_begin(self, run_context):
        """Starts anew."""
        self.wait, self.stopped_epoch, self.best, self.best_weights = 0, 0, self.worst(), None

    def on_train_epoch_end(self, run_context):
        """Looks at the number."""
        params = run_context.original_args()
        value = self.value(params)
        if value is None:
            return
        self.wait += 1
        if self.is_better(value, self.best):
            self.best = value
            if self.restore_best_weights:
                self.best_weights = [(each, each.asnumpy().copy()) for each in params.train_network.get_parameters()]
            if self.baseline is None or self.is_better(value, self.baseline):
                self.wait = 0
        if self.wait >= self.patience and self.wait:
            self.stopped_epoch = params.cur_epoch_num
            run_context.request_stop()

    def on_train_end(self, run_context):
        """Gives the best Parameters back."""
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping", flush=True)
        if self.stopped_epoch and self.best_weights is not None:
            for parameter, array in self.best_weights:
                parameter.set_data(Tensor(array))


class ReduceLROnPlateau(_Watcher):
    """Multiplies the learning rate by `factor` when a number has not become better for `patience` epochs.

    Args:
      monitor, mode, min_delta: as in EarlyStopping.
      cooldown: so many epochs are waited after a change before it counts again.
      min_lr: the rate does not fall below it.
    """

    def __init__(self, monitor="eval_loss", factor=0.1, patience=10, verbose=False, mode="auto", min_delta=1e-4, cooldown=0,
                 min_lr=0):
        super().__init__(monitor, mode, min_delta)
        if not 0 <= factor < 1:
            raise ValueError(f"For 'ReduceLROnPlateau', the 'factor' must be at least 0 and below 1, but got {factor}.")
        self.factor, self.patience, self.verbose = factor, patience, bool(verbose)
        self.cooldown, self.min_lr = cooldown, min_lr
        self.cooldown_counter, self.wait, self.best = 0, 0, self.worst()

    def on_train_begin(self, run_context):
        """Starts anew."""
        self.cooldown_counter, self.wait, self.best = 0, 0, self.worst()

    def on_train_epoch_end(self, run_context):
        """Looks at the number."""
        params = run_context.original_args()
        value, rate = self.value(params), rate_of(params, "ReduceLROnPlateau")
        if value is None:
            return
        cools = self.cooldown_counter > 0
        if cools:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_better(value, self.best):
            self.best, self.wait = value, 0
        elif not cools:
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(params, rate)

    def _reduce(self, params, rate):
        old = float(rate.asnumpy())
        if old <= np.float32(self.min_lr):
            return
        new = max(old * self.factor, self.min_lr)
        rate.set_data(Tensor(np.float32(new)))
        self.cooldown_counter, self.wait = self.cooldown, 0
        if self.verbose:
            print(f"Epoch {params.cur_epoch_num:05d}: ReduceLROnPlateau reducing learning rate to {new}.", flush=True)


class LearningRateScheduler(Callback):
    """Sets the learning rate after each step, or launch when steps are sunk, to what a function gives for it.

    Args:
      learning_rate_function: called with the rate and the number of the step. For rates that change within a sink give the
        optimizer a list or a LearningRateSchedule.
    """

    def __init__(self, learning_rate_function):
        if not callable(learning_rate_function):
            raise TypeError(f"For 'LearningRateScheduler', 'learning_rate_function' must be a function, but got "
                            f"{type(learning_rate_function).__name__}.")
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context):
        """Sets the rate."""
        params = run_context.original_args()
        rate = rate_of(params, "LearningRateScheduler")
        old = float(str(rate.asnumpy()))
        new = self.learning_rate_function(old, params.cur_step_num)
        if new != old:
            rate.set_data(Tensor(np.float32(new)))


class History(Callback):
    """Keeps each epoch's loss ("net_output") and, in `Model.fit`, its metrics, in the dict of lists `history`."""

    def __init__(self):
        self.history, self.epoch = {}, None

    def begin(self, run_context):
        """Starts anew."""
        self.epoch = {"epoch": []}
        run_context.original_args()["history"] = self

    def epoch_end(self, run_context):
        """Adds an epoch."""
        params = run_context.original_args()
        self.epoch["epoch"].append(params.cur_epoch_num)
        self.history.setdefault("net_output", []).append(copy.copy(loss_of(params.net_outputs)))
        for name, value in (params.eval_results and params.metrics or {}).items():
            self.history.setdefault(name, []).append(value)


def rate_of(params, who):
    """The optimizer's one learning rate, a Parameter; raises where it is a schedule or differs by group."""
    optimizer = params.optimizer or getattr(params.train_network, "optimizer", None)
    rate = getattr(optimizer, "learning_rate", None)
    if not isinstance(rate, Parameter) or rate.ndim:
        raise ValueError(f"For '{who}', the optimizer must have one learning rate that is a number, but it has {rate}.")
    return rate
