"""Evaluation in one launch, whose metrics the step itself adds up on the device."""

from plumb import _capturing
from plumb._parse.diagnostics import CompileError
from plumb._programs import for_dataset
from plumb.nn.metrics._device import Evaluation, tally_of
from plumb.train._ragged import remainder


class TallyingEvaluation:
    """A model's evaluation where all of its metrics have a form on the device; otherwise the host sees what each step returns.

    Args:
      metrics: by name.
      indexes: where loss, outputs and labels stand in what the evaluation's network returns; None: nobody knows.
    """

    def __init__(self, metrics, indexes):
        self._tallies = [tally_of(metric) for metric in metrics.values()]
        self._indexes = indexes
        self._offered = bool(indexes) and bool(self._tallies) and None not in self._tallies
        self._cell, self._refused = None, set()

    def run(self, network, dataset, run_of):
        """Returns the Run; None where this evaluation is not one for the device.

        Args:
          network: the cell that evaluation runs.
          run_of: makes a Run of a Program and something that tells programs of the same mode apart.
        """
        if not self._offered or remainder(dataset) or _capturing.active():
            return None
        if self._cell is None:
            self._cell = Evaluation(network, self._tallies, self._indexes)
        self._cell.set_train(False)
        program = for_dataset(self._cell, dataset, "eval", "network", ()).fed_by(dataset, dataset.checked_size(), 1)
        key = str(program.types)
        if key in self._refused:
            return None
        try:
            return run_of(program, ("metrics", dataset.native))
        except CompileError:
            # Outputs that a metric does not take, or not in this form: `update` says it in its words.
            self._refused.add(key)
            return None

    def launch(self, run, params, size):
        """Runs `size` steps and gives the metrics what was added up."""
        for tally in self._tallies:
            tally.reset()
        params.cur_step_num = run.launch(size, keep_all=False).steps
        for tally in self._tallies:
            tally.finish()
