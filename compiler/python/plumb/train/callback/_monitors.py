"""LossMonitor and TimeMonitor."""

import time

import numpy as np

from plumb.common.tensor import Tensor
from plumb.train.callback._callback import Callback


class LossMonitor(Callback):
    """Prints `epoch: N step: M, loss is L`; ends the run with an error when the loss is no finite number.

    Args:
      per_print_times: print after this many steps; when steps are sunk, after the launch that reaches it.
    """

    def __init__(self, per_print_times=1):
        if isinstance(per_print_times, bool) or not isinstance(per_print_times, int) or per_print_times < 0:
            raise ValueError(f"The argument 'per_print_times' must be int and >= 0, but got {per_print_times}.")
        self._per_print_times = per_print_times
        self._last_print_time = 0

    def step_end(self, run_context):
        """Prints the newest loss."""
        params = run_context.original_args()
        loss = loss_of(params.net_outputs)
        step = (params.cur_step_num - 1) % params.batch_num + 1
        if loss is None or not np.isfinite(loss):
            raise ValueError(f"epoch: {params.cur_epoch_num} step: {step}. Invalid loss, terminating training.")
        if params.cur_step_num <= self._last_print_time:
            self._last_print_time = 0
        if self._per_print_times and params.cur_step_num - self._last_print_time >= self._per_print_times:
            self._last_print_time = params.cur_step_num
            print(f"epoch: {params.cur_epoch_num} step: {step}, loss is {loss!s}", flush=True)


def loss_of(outputs):
    """The loss among a step's outputs, the first of them: a tensor's mean, anything else as it is."""
    if isinstance(outputs, (tuple, list)):
        outputs = outputs[0] if outputs else None
    if isinstance(outputs, Tensor):
        return float(np.mean(outputs.asnumpy()))
    return outputs


class TimeMonitor(Callback):
    """Prints how long each epoch, or sink, took."""

    def __init__(self, data_size=None):
        self.data_size = data_size
        self.epoch_time = time.time()

    def epoch_begin(self, run_context):
        """Starts the clock."""
        self.epoch_time = time.time()

    def epoch_end(self, run_context):
        """Prints the epoch's time and that of one step."""
        params = run_context.original_args()
        steps = params.batch_num or self.data_size
        milliseconds = (time.time() - self.epoch_time) * 1000
        print(f"{params.get('mode', '').title()} epoch time: {milliseconds:5.3f} ms, per step time: {milliseconds / steps:5.3f} ms", flush=True)
