"""ModelCheckpoint."""

import os
import time

from plumb.common._offers import only_defaults
from plumb.ops import _random
from plumb.train import _later
from plumb.train.callback._callback import Callback


class CheckpointConfig:
    """When checkpoints are written, how many are kept, and what stands in them.

    Args:
      save_checkpoint_steps, save_checkpoint_seconds: after so many steps, or, where that is 0, after so many seconds.
      keep_checkpoint_max: older files are removed; with 0 or None, `keep_checkpoint_per_n_minutes` counts.
      keep_checkpoint_per_n_minutes: the first file of each so many minutes stays, and the newest one; 0 keeps the newest alone.
      saved_network: the cell whose Parameters are written; by default all of the training step, its optimizer's included.
      crc_check: whether files of the format "ckpt" end in a checksum.
      remove_redundancy: True or False: one device's file has all.
      format: "ckpt", MindSpore's, or "safetensors".
      async_save: training goes on while a file is written; the last one is when it ends.
      append_info: of "epoch_num" and "step_num" (epochs and steps that are done), and dicts of numbers and texts by name.
    """

    def __init__(self, save_checkpoint_steps=1, save_checkpoint_seconds=0, keep_checkpoint_max=5,
                 keep_checkpoint_per_n_minutes=0, integrated_save=True, async_save=False, saved_network=None,
                 append_info=None, enc_key=None, enc_mode="AES-GCM", exception_save=False, crc_check=False,
                 remove_redundancy=False, format="ckpt"):
        only_defaults("CheckpointConfig", enc_key=(enc_key, None), enc_mode=(enc_mode, "AES-GCM"), exception_save=(exception_save, False))
        if format not in ("ckpt", "safetensors"):
            raise ValueError(f"For 'CheckpointConfig', 'format' must be 'ckpt' or 'safetensors', but got {format!r}.")
        self.saved_network, self.format, self.async_save = saved_network, format, bool(async_save)
        self.crc_check, self.remove_redundancy = bool(crc_check), bool(remove_redundancy)
        self._count(save_checkpoint_steps, save_checkpoint_seconds, keep_checkpoint_max, keep_checkpoint_per_n_minutes)
        for entry in append_info or ():
            if entry not in ("epoch_num", "step_num") and not isinstance(entry, dict):
                raise ValueError(f"For 'CheckpointConfig', 'append_info' holds \"epoch_num\", \"step_num\" and dicts, "
                                 f"but got {entry!r}.")
        self.append_info = list(append_info or ())

    def _count(self, steps, seconds, most, minutes):
        """Takes over the numbers: of each pair the first that is given counts, and there is one file at least."""
        numbers = {"save_checkpoint_steps": steps, "save_checkpoint_seconds": seconds, "keep_checkpoint_max": most,
                   "keep_checkpoint_per_n_minutes": minutes}
        for name, number in numbers.items():
            is_int = isinstance(number, int) and not isinstance(number, bool)
            if number is not None and (not is_int or number < 0):
                raise (ValueError if is_int else TypeError)(f"For 'CheckpointConfig', '{name}' must be an int of at least 0, but got {number!r}.")
        if not steps and not seconds:
            raise ValueError("For 'CheckpointConfig', one of 'save_checkpoint_steps' and 'save_checkpoint_seconds' must be at least 1.")
        self.save_checkpoint_steps, self.save_checkpoint_seconds = steps, None if steps else seconds
        self.keep_checkpoint_max = most if most or minutes else 1
        self.keep_checkpoint_per_n_minutes = None if most else minutes


class ModelCheckpoint(Callback):
    """Writes parameters and optimizer state as `<prefix>-<epoch>_<step>.ckpt`; when steps are sunk, after a launch. Beside them
    stands how many random numbers functions such as `ops.randn` have drawn.

    Training goes on bit for bit from the end of epoch E when the file is loaded into an equal program's network and
    optimizer (`model.train_network`) and `Model.train` is called with `initial_epoch=E`.
    """

    def __init__(self, prefix="CKP", directory=None, config=None):
        self._prefix, self._directory = prefix, directory or "./"
        self._config = config or CheckpointConfig()
        self._last_step, self._last_time = 0, 0.0
        self._files, self._kept, self._kept_since = [], None, 0.0
        self.latest_ckpt_file_name = ""

    def begin(self, run_context):
        """Finds out before the first step whether files can be written."""
        from plumb import _native
        if run_context.original_args().mode == "eval":
            return
        os.makedirs(self._directory, exist_ok=True)
        _native.native_runtime().probe_checkpoint(os.path.join(self._directory, f"{self._prefix}-0_0.{self._config.format}"))
        self._last_step, self._last_time = run_context.original_args().cur_step_num, time.monotonic()
        self._kept, self._kept_since = None, self._last_time

    def step_end(self, run_context):
        """Writes a checkpoint when enough steps, or seconds, have passed."""
        params = run_context.original_args()
        if params.mode == "eval":
            return
        if self._config.save_checkpoint_seconds:
            if time.monotonic() - self._last_time < self._config.save_checkpoint_seconds:
                return
        elif params.cur_step_num - self._last_step < self._config.save_checkpoint_steps:
            return
        self._save(params)

    def end(self, run_context):
        """Writes the last state."""
        params = run_context.original_args()
        if params.mode != "eval" and params.cur_step_num > self._last_step:
            self._save(params)
        _later.finish()

    def _save(self, params):
        from plumb.train.serialization import save_checkpoint
        self._last_step, self._last_time = params.cur_step_num, time.monotonic()
        step = (params.cur_step_num - 1) % params.batch_num + 1
        name = f"{self._prefix}-{params.cur_epoch_num}_{step}.{self._config.format}"
        path = os.path.join(self._directory, name)
        save_checkpoint(self._config.saved_network or params.train_network, path, async_save=self._config.async_save,
                        append_dict=self._appended(params), crc_check=self._config.crc_check)
        self._files = [known for known in self._files if known != path] + [path]
        self.latest_ckpt_file_name = path
        if self._config.keep_checkpoint_per_n_minutes:
            self._keep_firsts(path)
        while len(self._files) > (self._config.keep_checkpoint_max or 1):
            os.remove(self._files.pop(0))

    def _keep_firsts(self, path):
        """Takes the first file of an interval of minutes from those that are removed later, the one before as well that is not such."""
        passed = self._last_time - self._kept_since >= 60 * self._config.keep_checkpoint_per_n_minutes
        if self._kept is None or passed:
            self._kept, self._kept_since = path, self._last_time if passed else self._kept_since
            for old in self._files[:-1]:
                os.remove(old)
            self._files = []

    def _appended(self, params):
        known = {"epoch_num": params.cur_epoch_num, "step_num": params.cur_step_num}
        network = self._config.saved_network or params.train_network
        entries = {**_random.state(), **network._internal_parameters()}
        for entry in self._config.append_info:
            entries.update(entry if isinstance(entry, dict) else {entry: known[entry]})
        return entries
