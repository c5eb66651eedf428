"""Callbacks that note what they hear of rows and of training. Comparisons with MindSpore have this text in their program, too."""

from plumb import dataset, train


class Heard(dataset.DSCallback):
    """Notes all events."""

    def __init__(self, step_size=1):
        super().__init__(step_size)
        self.events = []

    def _note(self, name, context):
        self.events.append((name, context.cur_epoch_num, context.cur_step_num_in_epoch, context.cur_step_num))

    def ds_begin(self, ds_run_context):
        self._note("begin", ds_run_context)

    def ds_epoch_begin(self, ds_run_context):
        self._note("epoch", ds_run_context)

    def ds_epoch_end(self, ds_run_context):
        self._note("over", ds_run_context)

    def ds_step_begin(self, ds_run_context):
        self._note("row", ds_run_context)

    def ds_step_end(self, ds_run_context):
        self._note("done", ds_run_context)


class Waits(dataset.WaitedDSCallback):
    """Notes when rows go on."""

    def __init__(self, events, step_size):
        super().__init__(step_size)
        self.events = events

    def sync_epoch_begin(self, train_run_context, ds_run_context):
        self.events.append(f"rows of epoch {ds_run_context.cur_epoch_num} behind step {train_run_context.cur_step_num}")

    def sync_step_begin(self, train_run_context, ds_run_context):
        self.events.append(f"row {ds_run_context.cur_step_num} behind step {train_run_context.cur_step_num}")


class Trains(train.Callback):
    """Notes what training does."""

    def __init__(self, events):
        self.events = events

    def step_end(self, run_context):
        self.events.append(f"step {run_context.original_args().cur_step_num}")

    def epoch_end(self, run_context):
        self.events.append(f"epoch {run_context.original_args().cur_epoch_num}")
