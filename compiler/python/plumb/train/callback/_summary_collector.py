"""SummaryCollector: loss, learning rate and Parameters of a run in TensorBoard's event files."""

import re

import numpy as np

from plumb.common._offers import only_defaults
from plumb.common.tensor import Tensor
from plumb.train.callback._callback import Callback
from plumb.train.callback._monitors import loss_of

_KNOWN = ("collect_metric", "collect_graph", "collect_train_lineage", "collect_eval_lineage", "collect_input_data",
          "collect_dataset_graph", "histogram_regular", "collect_landscape")
_NOT_OFFERED = ("collect_graph", "collect_train_lineage", "collect_eval_lineage", "collect_input_data", "collect_dataset_graph",
                "collect_landscape")


class SummaryCollector(Callback):
    """Writes to `summary_dir`: `loss/auto`, `learning_rate/auto`, histograms of Parameters, and what summary operations note.

    Graphs, lineage and landscapes, which are for other tools than TensorBoard, and batches, which only the device sees, are not written;
    `collect_specified_data` that names one of them is a ValueError.

    Args:
      summary_dir: the folder.
      collect_freq: how many steps lie between two records; the first step is one. Where steps are sunk, the unit is the epoch.
      collect_specified_data: a dict of `collect_metric` (the loss), True or False, and `histogram_regular`, a regular expression of the
        Parameters whose histograms are made; without it the first five.
      keep_default_action: whether what the dict leaves out is collected.
      collect_tensor_freq: how many records lie between two with what `ops.TensorSummary` notes; None means each.
      max_file_size: bytes after which another file begins.
      export_options: as of SummaryRecord.
    """

    def __init__(self, summary_dir, collect_freq=10, collect_specified_data=None, keep_default_action=True,
                 custom_lineage_data=None, collect_tensor_freq=None, max_file_size=None, export_options=None, num_process=32):
        only_defaults("SummaryCollector", custom_lineage_data=(custom_lineage_data, None), num_process=(num_process, 32))
        for name, value in (("collect_freq", collect_freq), ("collect_tensor_freq", collect_tensor_freq)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise ValueError(f"For 'SummaryCollector', the '{name}' must be a positive int, but got {value}.")
        chosen = dict(collect_specified_data or {})
        unknown = sorted(set(chosen) - set(_KNOWN))
        if unknown:
            raise ValueError(f"For 'SummaryCollector', 'collect_specified_data' can have {', '.join(_KNOWN)}, but got {unknown[0]}.")
        asked = [name for name in _NOT_OFFERED if chosen.get(name)]
        if asked:
            raise ValueError(f"For 'SummaryCollector', {', '.join(asked)} in 'collect_specified_data' is not offered.")
        self._folder, self._freq, self._tensor_freq = summary_dir, collect_freq, collect_tensor_freq or 1
        self._metric = chosen.get("collect_metric", keep_default_action)
        self._pattern = chosen.get("histogram_regular")
        self._histograms = bool(self._pattern) or ("histogram_regular" not in chosen and keep_default_action)
        self._options = {"max_file_size": max_file_size, "export_options": export_options}
        self._record, self._records = None, 0

    def begin(self, run_context):
        """Opens the record."""
        from plumb.train.summary import SummaryRecord
        if self._record is None:
            self._record = SummaryRecord(self._folder, **self._options)

    def step_end(self, run_context):
        """Records the step where it is one of those."""
        params = run_context.original_args()
        unit = params.cur_epoch_num if params.dataset_sink_mode else params.cur_step_num
        if params.mode == "eval" or (self._records and unit % self._freq):
            return
        if self._metric and loss_of(params.net_outputs) is not None:
            self._record.add_value("scalar", "loss/auto", Tensor(np.float32(loss_of(params.net_outputs))))
        self._add_rate(params)
        self._add_histograms(params)
        tensors = self._records % self._tensor_freq == 0
        self._record.record(params.cur_step_num, plugin_filter=None if tensors else lambda kind: kind != "tensor")
        self._records += 1

    def _add_rate(self, params):
        optimizer = params.optimizer or getattr(params.train_network, "optimizer", None)
        rate = getattr(optimizer, "learning_rate", None)
        if isinstance(rate, Tensor) and rate.size == 1:
            self._record.add_value("scalar", "learning_rate/auto", Tensor(np.float32(rate.asnumpy().reshape(()))))

    def _add_histograms(self, params):
        network = params.train_network or params.network
        parameters = network.trainable_params() if self._histograms and network is not None else []
        chosen = [one for one in parameters if re.match(self._pattern, one.name)] if self._pattern else parameters[:5]
        for parameter in chosen:
            self._record.add_value("histogram", f"{parameter.name}/auto", Tensor(parameter.asnumpy()))

    def end(self, run_context):
        """Closes the record."""
        if self._record is not None and run_context.original_args().mode != "eval":
            self._record.close()
            self._record = None
