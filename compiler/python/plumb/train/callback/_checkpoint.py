"""ModelCheckpoint."""

import os

from plumb.train.callback._callback import Callback


class CheckpointConfig:
    """When checkpoints are written and how many are kept."""

    def __init__(self, save_checkpoint_steps=1, save_checkpoint_seconds=0, keep_checkpoint_max=5):
        if save_checkpoint_seconds:
            raise ValueError("For 'CheckpointConfig', 'save_checkpoint_seconds' is not offered; use steps.")
        if save_checkpoint_steps < 1 or keep_checkpoint_max < 1:
            raise ValueError("For 'CheckpointConfig', the numbers must be at least 1.")
        self.save_checkpoint_steps = save_checkpoint_steps
        self.keep_checkpoint_max = keep_checkpoint_max


class ModelCheckpoint(Callback):
    """Writes the parameters as `<prefix>-<epoch>_<step>.safetensors`; when steps are sunk, after a launch."""

    def __init__(self, prefix="CKP", directory=None, config=None):
        self._prefix, self._directory = prefix, directory or "./"
        self._config = config or CheckpointConfig()
        self._last_step = 0
        self._files = []
        self.latest_ckpt_file_name = ""

    def step_end(self, run_context):
        """Writes a checkpoint when enough steps have passed."""
        params = run_context.original_args()
        if params.cur_step_num - self._last_step < self._config.save_checkpoint_steps:
            return
        self._last_step = params.cur_step_num
        self._save(params)

    def end(self, run_context):
        """Writes the last state."""
        params = run_context.original_args()
        if params.cur_step_num > self._last_step:
            self._save(params)

    def _save(self, params):
        from plumb.train.serialization import save_checkpoint
        os.makedirs(self._directory, exist_ok=True)
        step = (params.cur_step_num - 1) % params.batch_num + 1
        name = f"{self._prefix}-{params.cur_epoch_num}_{step}.safetensors"
        path = os.path.join(self._directory, name)
        save_checkpoint(params.train_network, path)
        self._files = [known for known in self._files if known != path] + [path]
        self.latest_ckpt_file_name = path
        while len(self._files) > self._config.keep_checkpoint_max:
            os.remove(self._files.pop(0))
