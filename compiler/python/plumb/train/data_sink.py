"""data_sink: a function fed from a dataset, `sink_size` steps per call."""

from plumb import _capturing
from plumb._session import Run
from plumb._programs import for_dataset
from plumb.common.api import JitConfig
from plumb.train._checks import claim
from plumb.train._ragged import check_even


def data_sink(fn, dataset, sink_size=1, jit_config=None, input_signature=None):
    """Returns a function without arguments that runs `sink_size` steps of `fn` on the dataset's next batches.

    Args:
      fn: one step; called with the dataset's columns.
      dataset: where the batches come from; calls continue where the last one stopped.
      sink_size: steps per call, at least 1.
      jit_config: a JitConfig or None.

    The function returns what the last step returned; its attribute `run` counts launches and steps.
    """
    if isinstance(sink_size, bool) or not isinstance(sink_size, int):
        raise TypeError(f"The 'sink_size' must be int, but got {type(sink_size).__name__}.")
    if sink_size <= 0:
        raise ValueError(f"The 'sink_size' must be positive, but got sink_size {sink_size}.")
    if jit_config is not None and not isinstance(jit_config, JitConfig):
        raise TypeError(f"The 'jit_config' must be a JitConfig, but got {type(jit_config).__name__}.")
    if input_signature is not None:
        raise ValueError("For 'data_sink', 'input_signature' is not offered; shapes come from the dataset.")
    if dataset._used_by is not None:
        raise ValueError("The dataset has been used with network.")
    dataset.checked_size()
    check_even(dataset, "a sunk step")
    program = for_dataset(fn, dataset, "train", "step", ("loss",)).fed_by(dataset, sink_size, 1)
    _capturing.offer(program)
    run = Run(program)
    run.feed(dataset)

    def sink_process():
        """Runs one sink."""
        return run.launch(sink_size).last()

    claim(dataset, sink_process)
    sink_process.run = run
    return sink_process
