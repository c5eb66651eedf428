"""Callbacks of `map`: they hear when passes and rows begin and end, and may wait there for the training that takes the rows."""

import threading
import time

from plumb.dataset import config
from plumb.dataset._nodes import Mapped
from plumb.dataset._rounds import is_heard, rounds
from plumb.train.callback._callback import Callback

# Seconds after which it looks whether anybody still wants the rows.
_LOOK = 0.1


class DSRunContext:
    """Where the rows are: the epoch, the row within it and the row of all, all counted from 1.

    An epoch is a pass over the whole dataset, with what `repeat` behind `map` repeats.
    """

    def __init__(self, epoch, in_epoch, total):
        self.cur_epoch_num, self.cur_step_num_in_epoch, self.cur_step_num = epoch, in_epoch, total


class DSCallback:
    """Base of what `map` takes as `callbacks`. Methods are called before a row's operations and behind them; of several workers, rows
    may begin before others end. While a network trains, rows are made ahead, beyond the last epoch, too.

    Args:
      step_size: of how many rows the first one is told, in each epoch.
    """

    def __init__(self, step_size=1):
        if isinstance(step_size, bool) or not isinstance(step_size, int):
            raise TypeError(f"Argument step_size with value {step_size} is not of type [{int}], but got {type(step_size)}.")
        if not 1 <= step_size <= 2147483647:
            raise ValueError("Input step_size is not within the required interval of [1, 2147483647].")
        self.step_size = step_size

    def ds_begin(self, ds_run_context):
        """Before the first row of all."""

    def ds_epoch_begin(self, ds_run_context):
        """Before the rows of an epoch."""

    def ds_epoch_end(self, ds_run_context):
        """Behind the rows of an epoch."""

    def ds_step_begin(self, ds_run_context):
        """Before a row."""

    def ds_step_end(self, ds_run_context):
        """Behind a row."""


class WaitedDSCallback(Callback, DSCallback):
    """Base of callbacks of both `map` and `Model.train(…, dataset_sink_mode=False)`: rows wait until training has taken the step, or the
    epoch, before. After `config.set_callback_timeout`'s seconds without one, they fail.

    Args:
      step_size: the rows of a step: the batch size.
    """

    def __init__(self, step_size=1):
        DSCallback.__init__(self, step_size)
        self._changed = threading.Condition()
        self._forget()

    def _forget(self):
        self._steps, self._epochs, self._over, self._context = 0, 0, False, None

    def sync_epoch_begin(self, train_run_context, ds_run_context):
        """Before the rows of an epoch but the first, when training has ended the one before."""

    def sync_step_begin(self, train_run_context, ds_run_context):
        """Before the rows of a step but the first, when training has ended the one before."""

    # -- what rows tell

    def ds_begin(self, ds_run_context):
        with self._changed:
            self._forget()

    def ds_epoch_begin(self, ds_run_context):
        epoch = ds_run_context.cur_epoch_num
        if epoch > 1:
            if self._waited(epoch, lambda: self._epochs >= epoch - 1, f"the end of epoch {epoch - 1}"):
                self.sync_epoch_begin(self._context, ds_run_context)

    def ds_step_begin(self, ds_run_context):
        epoch, steps = ds_run_context.cur_epoch_num, (ds_run_context.cur_step_num_in_epoch - 1) // self.step_size
        if ds_run_context.cur_step_num > 1:
            if self._waited(epoch, lambda: (self._epochs, self._steps) >= (epoch - 1, steps), f"step {steps} of epoch {epoch}"):
                self.sync_step_begin(self._context, ds_run_context)

    def _waited(self, epoch, condition, what):
        """Waits; whether training still takes the rows of this epoch."""
        patience = config.get_callback_timeout()
        until, stopped = time.monotonic() + patience, getattr(threading.current_thread(), "stopped", threading.Event())
        with self._changed:
            while not self._over and not condition():
                if stopped.is_set():
                    return False
                if time.monotonic() > until:
                    raise RuntimeError(f"The rows of a dataset have waited {patience:g} s for {what} of training: give the "
                                       f"{type(self).__name__} to Model.train as well, with the batch size as its step_size.")
                self._changed.wait(_LOOK)
            return not self._over and epoch <= self._context.epoch_num

    # -- what training tells

    def begin(self, run_context):
        if run_context.original_args().dataset_sink_mode:
            raise ValueError(f"{type(self).__name__} waits for each step: use dataset_sink_mode=False.")

    def step_end(self, run_context):
        self._tell(run_context, steps=self._steps + 1)

    def epoch_end(self, run_context):
        self._tell(run_context, steps=0, epochs=self._epochs + 1)

    def end(self, run_context):
        self._tell(run_context, over=True)

    def _tell(self, run_context, **news):
        with self._changed:
            self._context = run_context.original_args()
            for name, value in news.items():
                setattr(self, "_" + name, value)
            self._changed.notify_all()


def callbacks_of(callbacks):
    """The callbacks that `map` was given as a list; raises TypeError for others."""
    given = list(callbacks) if isinstance(callbacks, (list, tuple)) else [callbacks]
    for one in given:
        if not isinstance(one, DSCallback):
            raise TypeError(f"Argument callbacks with value {one} is not of type [{DSCallback}], but got {type(one)}.")
    return given


class Reported(Mapped):
    """Operations on rows of which callbacks hear."""

    def __init__(self, callbacks, *arguments):
        super().__init__(*arguments)
        self._callbacks = callbacks

    def passes(self):
        if not is_heard():
            yield from super().passes()
        told = _Told(self._callbacks, rounds())
        for number, rows in enumerate(self.children[0].passes()):
            yield told.ended(self._pass(number, told.begun(rows)))


class _Told:
    """Tells callbacks of the passes of one iteration, of which `rounds` are an epoch; 0 means that the first never ends."""

    def __init__(self, callbacks, rounds_):
        self._callbacks, self._rounds = callbacks, rounds_
        self._passes = self._epoch = 0
        self._begun, self._ended = [0, 0], [0, 0]  # rows in this epoch, and of all
        self._call("ds_begin", self._begun)

    def _call(self, name, counts):
        for callback in self._callbacks:
            if "step" not in name or (counts[0] - 1) % callback.step_size == 0:
                getattr(callback, name)(DSRunContext(self._epoch, *counts))

    def begun(self, rows):
        """The rows of a pass; tells where each begins."""
        if not self._passes or self._rounds and self._passes % self._rounds == 0:
            self._epoch += 1
            self._begun[0] = self._ended[0] = 0
            self._call("ds_epoch_begin", self._begun)
        self._passes += 1
        for row in rows:
            self._begun = [count + 1 for count in self._begun]
            self._call("ds_step_begin", self._begun)
            yield row

    def ended(self, rows):
        """The rows of a pass; tells where each has ended."""
        for row in rows:
            self._ended = [count + 1 for count in self._ended]
            self._call("ds_step_end", self._ended)
            yield row
        if self._rounds and self._passes % self._rounds == 0:
            self._call("ds_epoch_end", self._ended)
