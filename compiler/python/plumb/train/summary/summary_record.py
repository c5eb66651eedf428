"""SummaryRecord: writes what summary operations noted, and values of its own, to event files."""

import os
import re
import time

import numpy as np

from plumb.common._offers import only_defaults
from plumb.common.tensor import Tensor
from plumb.ops import _summaries
from plumb.train.summary import _events


class SummaryRecord:
    """Writes summaries to a TensorBoard event file in a folder, which appears with the first record.

    Tags are names as they are given. What `ops.ScalarSummary` and its kin note in compiled functions is written by the next `record`.

    Args:
      log_dir: the folder; made where it is missing.
      file_prefix, file_suffix: what the file's name begins and ends with.
      network: a Cell; its graph is not written.
      max_file_size: bytes after which another file begins; None for no limit.
      raise_exception: whether problems with files are raised; otherwise they are told once and the record is left out.
      export_options: {"tensor_format": "npy"} writes tensors as NumPy files below `log_dir`/export, too.
    """

    def __init__(self, log_dir, file_prefix="events", file_suffix="_MS", network=None, max_file_size=None, raise_exception=False,
                 export_options=None, num_process=32):
        only_defaults("SummaryRecord", num_process=(num_process, 32))
        for name, value in (("file_prefix", file_prefix), ("file_suffix", file_suffix)):
            if not isinstance(value, str):
                raise TypeError(f"For 'SummaryRecord', the '{name}' must be a str, but got {type(value).__name__}.")
        if max_file_size is not None and (not isinstance(max_file_size, int) or max_file_size < 1):
            raise TypeError(f"For 'SummaryRecord', the 'max_file_size' must be a positive int, but got {max_file_size}.")
        if (export_options or {}).get("tensor_format") not in (None, "npy") or set(export_options or ()) - {"tensor_format"}:
            raise ValueError(f"For 'SummaryRecord', 'export_options' can be {{'tensor_format': 'npy'}}, but got {export_options}.")
        self._folder, self._prefix, self._suffix = os.path.abspath(log_dir), file_prefix, file_suffix
        self._most_bytes, self._raises, self._as_npy = max_file_size, raise_exception, bool(export_options)
        self._file, self._path, self._bytes, self._values = None, None, 0, []
        self._mode, self._closed, self._files = "train", False, 0
        _summaries.forget()

    @property
    def log_dir(self):
        """The file that is written, or would be next."""
        return self._path or os.path.join(self._folder, self._prefix)

    def set_mode(self, mode):
        """Notes the phase, "train" or "eval"; events are the same in both."""
        if mode not in ("train", "eval"):
            raise ValueError(f"For 'SummaryRecord', the 'mode' should be 'train' or 'eval', but got {mode}.")
        self._mode = mode

    def add_value(self, plugin, name, value):
        """Adds a value to what the next `record` writes.

        Args:
          plugin: "scalar", "image", "tensor" or "histogram".
          name: the tag.
          value: a Tensor.
        """
        if plugin not in _events.MAKERS:
            raise ValueError(f"For 'add_value', the 'plugin' can be {', '.join(_events.MAKERS)}, but got {plugin!r}.")
        if not isinstance(name, str) or not name:
            raise TypeError(f"For 'add_value', the 'name' must be a string that is not empty, but got {name!r}.")
        if not isinstance(value, Tensor):
            raise TypeError(f"For 'add_value', the 'value' must be a Tensor, but got {type(value).__name__}.")
        self._values.append((plugin, name, np.array(value.asnumpy())))

    def record(self, step, train_network=None, plugin_filter=None):
        """Writes what was added and noted since the last call.

        Args:
          step: the step's number.
          train_network: a Cell; its graph is not written.
          plugin_filter: a function of a kind that says whether values of it are written.

        Returns:
          Whether it was written.
        """
        if isinstance(step, bool) or not isinstance(step, int):
            raise TypeError(f"For 'record', the 'step' must be an int, but got {type(step).__name__}.")
        if self._closed:
            return False
        values, self._values = self._values + list(_summaries.changed()), []
        values = [value for value in values if plugin_filter is None or plugin_filter(value[0])]
        return self._guarded(lambda: self._write(step, values))

    def _write(self, step, values):
        made = [_events.MAKERS[kind](name, array) for kind, name, array in values]
        self._open()
        self._append(_events.event(step, made))
        for kind, name, array in values if self._as_npy else ():
            if kind == "tensor":
                folder = os.path.join(self._folder, "export", "tensor")
                os.makedirs(folder, exist_ok=True)
                np.save(os.path.join(folder, f"{re.sub(r'[^-+.0-9A-Za-z]', '_', name)}_{step}.npy"), array)

    def _open(self):
        full = self._most_bytes is not None and self._bytes >= self._most_bytes
        if self._file is not None and not full:
            return
        if self._file is not None:
            self._file.close()
        os.makedirs(self._folder, exist_ok=True)
        self._files += 1
        # TensorBoard looks for "tfevents" in names.
        name = f"{self._prefix}.out.tfevents.{int(time.time())}.{os.getpid()}.{self._files}{self._suffix}"
        self._path, self._bytes = os.path.join(self._folder, name), 0
        self._file = open(self._path, "wb")
        self._append(_events.first_event())

    def _append(self, content):
        record = _events.record(content)
        self._file.write(record)
        self._bytes += len(record)

    def _guarded(self, action):
        """Whether an action succeeded; problems are raised or told once, as asked."""
        from plumb.context import warn_once
        try:
            action()
            return True
        except OSError as problem:
            if self._raises:
                raise
            warn_once(f"For 'SummaryRecord', cannot write to '{self._folder}': {problem}")
            return False

    def flush(self):
        """Has all that was recorded written to the disk."""
        if self._file is not None and not self._closed:
            self._guarded(self._file.flush)

    def close(self):
        """Writes what is left and closes the file; nothing can be recorded after that."""
        if not self._closed and self._file is not None:
            self._guarded(self._file.close)
        self._closed = True

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()


def _get_summary_tensor_data():
    """The tensors that summary operations noted since something last looked, by name and kind: "loss[:Scalar]"."""
    return {f"{name}[:{kind.capitalize()}]": Tensor(array) for kind, name, array in _summaries.changed()}
