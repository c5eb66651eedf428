"""OnRequestExit and BackupAndRestore: what is kept of a training that somebody ends, or that ends by itself."""

import os
import signal
import threading
import warnings

from plumb._checkparam import check_value_type
from plumb.train.callback._callback import Callback
from plumb.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint


class OnRequestExit(Callback):
    """Ends training or evaluation after the step, or launch when steps are sunk, in which a signal came, and writes what was trained.

    Args:
      save_ckpt: whether the Parameters are written, to `FILE_NAME_train.ckpt`, or `_eval.ckpt` in an evaluation.
      save_mindir: whether the network is written, to `.mindir`; where it cannot be exported a warning says so, and training networks
        with their optimizer cannot.
      file_name: how the files' names begin.
      directory: the folder; it is made if need be.
      sig: the signal; another one than SIGKILL.
    """

    def __init__(self, save_ckpt=True, save_mindir=True, file_name="Net", directory="./", sig=signal.SIGTERM):
        for name, value, kind in (("save_ckpt", save_ckpt, bool), ("save_mindir", save_mindir, bool), ("file_name", file_name, str),
                                  ("directory", directory, str), ("sig", sig, int)):
            check_value_type(name, value, kind, "OnRequestExit")
        if sig == signal.SIGKILL:
            raise ValueError("For 'OnRequestExit', the signal must be another one than SIGKILL, which no program hears.")
        self.save_ckpt, self.save_mindir, self.sig = save_ckpt, save_mindir, sig
        self._start, self._came, self._before = os.path.join(directory, file_name), False, None

    def _listen(self):
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("For 'OnRequestExit', training must run in the program's main thread, which alone hears signals.")
        self._came, self._before = False, signal.signal(self.sig, self._hear)

    def _hear(self, *_):
        self._came = True

    def _stop(self, run_context, network, part):
        """Once the signal has come: writes the files, and ends the run."""
        if not self._came:
            return
        self._came = False
        run_context.request_stop()
        os.makedirs(os.path.dirname(self._start) or ".", exist_ok=True)
        if self.save_ckpt:
            save_checkpoint(network, f"{self._start}_{part}.ckpt")
        if self.save_mindir:
            self._export(network, f"{self._start}_{part}")

    @staticmethod
    def _export(network, path):
        from plumb.train.mindir import export
        try:
            export(network, *(network.get_inputs() or ()), file_name=path, file_format="MINDIR")
        except (ValueError, TypeError, RuntimeError) as problem:
            warnings.warn(f"For 'OnRequestExit', no '{path}.mindir' is written: {str(problem).splitlines()[0]}")

    def _leave(self):
        if self._before is not None:
            signal.signal(self.sig, self._before)
            self._before = None

    def on_train_begin(self, run_context):
        """Listens."""
        self._listen()

    def on_train_step_end(self, run_context):
        """Ends training if the signal has come."""
        self._stop(run_context, run_context.original_args().train_network, "train")

    def on_train_end(self, run_context):
        """Leaves the signal to who had it before."""
        self._leave()

    def on_eval_begin(self, run_context):
        """Listens."""
        if self._before is None:
            self._listen()

    def on_eval_step_end(self, run_context):
        """Ends the evaluation if the signal has come."""
        params = run_context.original_args()
        self._stop(run_context, params.eval_network or params.train_network, "eval")

    def on_eval_end(self, run_context):
        """Leaves the signal to who had it before, unless training goes on."""
        if run_context.original_args().mode != "train":
            self._leave()


class BackupAndRestore(Callback):
    """Writes the Parameters of the training network to `backup.ckpt` of a folder, and begins with those that it finds there.

    Epochs count from the first again. `RunCheckpoint` goes on with a run where it ended, bit for bit.

    Args:
      backup_dir: the folder; it is made if need be.
      save_freq: "epoch", or after how many epochs.
      delete_checkpoint: whether the file is deleted once training has come to its end.
    """

    def __init__(self, backup_dir, save_freq="epoch", delete_checkpoint=True):
        check_value_type("backup_dir", backup_dir, str, "BackupAndRestore")
        check_value_type("delete_checkpoint", delete_checkpoint, bool, "BackupAndRestore")
        if not backup_dir:
            raise ValueError("For 'BackupAndRestore', 'backup_dir' must name a folder, but got an empty string.")
        if save_freq != "epoch":
            check_value_type("save_freq", save_freq, int, "BackupAndRestore")
            if save_freq < 1:
                raise ValueError(f"For 'BackupAndRestore', 'save_freq' must be 'epoch' or a positive int, but got {save_freq}.")
        self.save_freq, self.delete_checkpoint = 1 if save_freq == "epoch" else save_freq, delete_checkpoint
        self.backup_file = os.path.join(backup_dir, "backup.ckpt")

    def on_train_begin(self, run_context):
        """Takes the Parameters of the file, if there is one."""
        os.makedirs(os.path.dirname(self.backup_file), exist_ok=True)
        if os.path.exists(self.backup_file):
            load_param_into_net(run_context.original_args().train_network, load_checkpoint(self.backup_file))

    def on_train_epoch_end(self, run_context):
        """Writes the file where it is due."""
        params = run_context.original_args()
        if params.cur_epoch_num % self.save_freq == 0:
            counts = {"epoch_num": params.cur_epoch_num, "step_num": params.cur_step_num}
            save_checkpoint(params.train_network, self.backup_file, append_dict=counts)

    def on_train_end(self, run_context):
        """Deletes the file."""
        if self.delete_checkpoint and os.path.exists(self.backup_file):
            os.remove(self.backup_file)
