"""Model: a network with its loss, optimizer and metrics, and how it is trained and evaluated.

Training compiles one executable that holds the step, the loop and the queue. With `dataset_sink_mode=True` each
"epoch" is one launch of `sink_size` steps; without it every step is a launch of its own. Both give the same bits.
"""

from plumb import _capturing
from plumb._parallel import ParallelMode
from plumb.amp import build_train_network
from plumb._session import Run
from plumb._programs import for_dataset
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.nn.metrics import Loss, get_metrics
from plumb.nn.wrap.cell_wrapper import WithEvalCell, WithLossCell
from plumb.train._boundaries import Parts
from plumb.train._checks import check_epoch, check_sink_size, claim
from plumb.train._tallying import TallyingEvaluation
from plumb.train._ragged import RaggedRun, remainder
from plumb.train.callback._callback import Callback, CallbackManager, CallbackParams, EvaluationManager, RunContext, callbacks_of


_EVALUATED_AT_ONCE = 32  # steps of one launch of a sunk evaluation: so many steps' outputs are kept


class Model:
    """Trains and evaluates a network.

    Args:
      network: the network; without `loss_fn` it returns the loss itself.
      loss_fn: called with the network's output and the label.
      optimizer: an Optimizer over the network's parameters.
      metrics: a set of names or a dict of metrics, for `eval`.
      amp_level, loss_scale_manager, keep_batchnorm_fp32: mixed precision, as in `amp.build_train_network`.
      eval_network: a cell in place of the default one, which returns loss, outputs and labels.
      eval_indexes: where those three stand in what `eval_network` returns; without it metrics get all of that, or the
        parts that their `set_indexes` names.

    Attributes:
      launches, steps: launches made by training so far, and the steps they ran.
    """

    def __init__(self, network, loss_fn=None, optimizer=None, metrics=None, eval_network=None, eval_indexes=None,
                 amp_level="O0", boost_level="O0", **kwargs):
        if not isinstance(network, Cell):
            raise TypeError(f"For 'Model', the 'network' must be a Cell, but got {type(network).__name__}.")
        unknown = [name for name in kwargs if name not in ("loss_scale_manager", "keep_batchnorm_fp32")]
        if boost_level != "O0" or unknown:
            raise ValueError(f"For 'Model', {', '.join(unknown) or 'boost_level other than O0'} is not offered.")
        self._amp_level, self._amp_options = amp_level, kwargs
        self._eval_indexes = _checked_indexes(eval_indexes, eval_network)
        self._network, self._loss_fn, self._optimizer = network, loss_fn, optimizer
        self._metrics = get_metrics(metrics)
        self._eval_network = eval_network
        self._tallying = TallyingEvaluation(self._metrics, self._eval_indexes)
        self._train_network = None
        if amp_level != "O0" and optimizer is not None:
            self.train_network.set_train(False)  # evaluation before training computes in the same types
        self._runs = {}
        self.launches = 0
        self.steps = 0
        self.last_result = None

    @property
    def train_network(self):
        """The cell that does one training step."""
        if self._train_network is None:
            if self._optimizer is not None:
                self._train_network = build_train_network(self._network, self._optimizer, self._loss_fn, self._amp_level,
                                                          **self._amp_options)
            elif self._amp_level != "O0" or self._amp_options:
                raise ValueError("The argument 'optimizer' can not be None when 'amp_level' or 'loss_scale_manager' is given.")
            else:
                self._train_network = self._network if self._loss_fn is None else WithLossCell(self._network, self._loss_fn)
        return self._train_network

    @property
    def eval_network(self):
        """The cell that evaluation runs; None before the first one, unless it was given."""
        return self._eval_network

    @property
    def predict_network(self):
        """The network."""
        return self._network

    # -- training

    def train(self, epoch, train_dataset, callbacks=None, dataset_sink_mode=False, sink_size=-1, initial_epoch=0):
        """Trains for `epoch` epochs, or sinks of `sink_size` steps when that is given with `dataset_sink_mode`.

        With `initial_epoch` E the first E epochs and their data are passed over: together with a checkpoint of what they
        trained (see ModelCheckpoint), the run goes on bit for bit. With a RunCheckpoint among the callbacks a run that ended at any
        step goes on there by itself, and with a Guard it ends at a target or a limit.
        """
        self._train(epoch, train_dataset, callbacks_of(callbacks), dataset_sink_mode, sink_size, initial_epoch)

    def _train(self, epoch, train_dataset, chosen, dataset_sink_mode, sink_size, initial_epoch, validate=None):
        check_epoch(epoch, initial_epoch)
        dataset_size = train_dataset.checked_size()
        if dataset_sink_mode:
            check_sink_size(sink_size)
        self._check_columns(train_dataset)
        steps = sink_size if dataset_sink_mode and sink_size > 0 else dataset_size
        self._network.set_train(True)
        self.train_network.set_train(True)
        run = self._run("train", self.train_network, train_dataset, steps if dataset_sink_mode else dataset_size, epoch)
        skipped = initial_epoch * steps
        parts = Parts(run, chosen, skipped)
        run.feed(train_dataset, position=parts.done)
        params = self._params("train", train_dataset, epoch, steps, dataset_sink_mode, chosen)
        if parts.done != skipped:
            params.cur_step_num = parts.done
        self._train_loop(run, params, parts, steps if dataset_sink_mode else 1, validate)

    def _train_loop(self, run, params, parts, launch_steps, validate):
        context, manager = RunContext(params), CallbackManager(params.list_callback)
        failed = True
        try:
            manager.call("on_train_begin", context)
            for epoch in range(parts.done // params.batch_num, params.epoch_num):
                if parts.is_over():
                    break
                params.cur_epoch_num = epoch + 1
                manager.call("on_train_epoch_begin", context)
                self._train_epoch(params, parts, context, manager, launch_steps)
                with parts.after_epoch():
                    said = validate and validate(params)
                    manager.call("on_train_epoch_end", context)
                if said:
                    print(said, flush=True)
                parts.at_boundary(context)
                if context.get_stop_requested():
                    break
            failed = False
        finally:
            self.launches += run.launches
            self.steps += run.steps
            run.launches = run.steps = 0
            parts.finish(failed)
        manager.call("on_train_end", context)

    def _train_epoch(self, params, parts, context, manager, launch_steps):
        left = params.batch_num - parts.done % params.batch_num
        while left:
            before, wanted = params.cur_step_num, min(launch_steps, left)
            params.cur_step_num = before + wanted  # a step has its number from its beginning
            manager.call("on_train_step_begin", context)
            params.cur_step_num = before  # what rows that wait for training find
            result = parts.launch(wanted, context, lambda done: _step_reporter(manager.callbacks, before + done))
            self.last_result = result
            params.cur_step_num = before + result.steps
            params.net_outputs = result.last()
            params.sink_outputs = result.reports
            left -= result.steps
            parts.check(result, params)
            if result.steps < wanted:
                parts.at_stop()
            manager.call("on_train_step_end", context)
            if result.reason != "sink_size":
                context.request_stop()
            if left and result.steps == wanted and not context.get_stop_requested():
                parts.at_boundary(context)
            if left and result.steps == wanted and context.get_stop_requested():
                parts.at_stop()
            if context.get_stop_requested():
                break

    def build(self, train_dataset=None, valid_dataset=None, sink_size=-1, epoch=1):
        """Compiles ahead of `train` (and `eval`, when `valid_dataset` is given)."""
        if train_dataset is None and valid_dataset is None:
            raise ValueError("The argument 'train_dataset' and 'valid_dataset' can not both be None.")
        if train_dataset is not None:
            check_epoch(epoch, 0)
            check_sink_size(sink_size)
            self._check_columns(train_dataset)
            steps = sink_size if sink_size > 0 else train_dataset.checked_size()
            self._network.set_train(True)
            self.train_network.set_train(True)
            self._run("train", self.train_network, train_dataset, steps, epoch)
        if valid_dataset is not None:
            self._eval_run(valid_dataset)

    def fit(self, epoch, train_dataset, valid_dataset=None, valid_frequency=1, callbacks=None,
            dataset_sink_mode=False, valid_dataset_sink_mode=False, sink_size=-1, initial_epoch=0):
        """Trains, and evaluates after every `valid_frequency` epochs, or after those that it lists.

        Callbacks find an epoch's metrics in `eval_results` of their run's parameters when it ends, with the loss as
        "eval_loss"; of evaluation they hear by their own `on_eval_…` methods only.
        """
        if isinstance(valid_frequency, bool) or not isinstance(valid_frequency, (int, list, tuple)) or valid_frequency == 0:
            raise TypeError(f"For 'Model.fit', 'valid_frequency' must be a positive int or a list of ints, but got "
                            f"{valid_frequency}.")
        chosen = callbacks_of(callbacks)

        def validate(params):
            number = params.cur_epoch_num
            due = number in valid_frequency if isinstance(valid_frequency, (list, tuple)) else number % valid_frequency == 0
            if valid_dataset is None or not due:
                params.eval_results = {}
                return None
            values = self._evaluate(valid_dataset, EvaluationManager(chosen), valid_dataset_sink_mode)
            self.train_network.set_train(True)
            self._network.set_train(True)
            params.metrics = values
            params.eval_results = dict(values, **({"eval_loss": values["loss"]} if "loss" in values else {}))
            return f"Eval result: epoch {number}, metrics: {values}"

        self._train(epoch, train_dataset, chosen, dataset_sink_mode, sink_size, initial_epoch, validate)

    # -- evaluation

    def eval(self, valid_dataset, callbacks=None, dataset_sink_mode=False):
        """Runs over the dataset once and returns the metrics by name."""
        return self._evaluate(valid_dataset, CallbackManager(callbacks_of(callbacks)), dataset_sink_mode)

    def _evaluate(self, valid_dataset, manager, dataset_sink_mode):
        if not self._metrics:
            raise ValueError("For Model.eval, the model argument 'metrics' can not be None or empty, you should set "
                             "the argument 'metrics' for model.")
        size = valid_dataset.checked_size()
        run = self._tallying_run(valid_dataset) if dataset_sink_mode and not manager.hears_eval_steps() else None
        tallies = run is not None
        run = run or self._eval_run(valid_dataset)
        run.feed(valid_dataset, 1)
        for metric in self._metrics.values():
            metric.clear()
        params = self._params("eval", valid_dataset, 1, size, dataset_sink_mode, manager.callbacks)
        context = RunContext(params)
        manager.call("on_eval_begin", context)
        manager.call("on_eval_epoch_begin", context)
        if tallies:
            self._tallying.launch(run, params, size)
        else:
            self._eval_steps(run, params, manager, context, size, _EVALUATED_AT_ONCE if dataset_sink_mode else 1)
        values = {name: metric.eval() for name, metric in self._metrics.items()}
        params.metrics = values
        params.eval_results = dict(values, **({"eval_loss": values["loss"]} if "loss" in values else {}))
        manager.call("on_eval_epoch_end", context)
        manager.call("on_eval_end", context)
        return values

    def _eval_steps(self, run, params, manager, context, size, at_once):
        """Runs `size` steps, `at_once` of them in a launch, and gives the metrics what each step reports."""
        done = 0
        while done < size and not context.get_stop_requested():
            params.cur_step_num = done + 1
            manager.call("on_eval_step_begin", context)
            result = run.launch(min(at_once, size - done))
            for step in range(result.steps):
                params.net_outputs = result.step(step)
                self._update_metrics(params.net_outputs)
            done += result.steps
            params.cur_step_num = done
            if result.steps:
                manager.call("on_eval_step_end", context)
            if result.reason != "sink_size":
                break

    def _eval_run(self, dataset):
        self._prepare_evaluation(dataset)
        return self._run("eval", self._eval_network, dataset, dataset.checked_size(), 1)

    def _tallying_run(self, dataset):
        """What adds up the metrics in the step; None where the host has to see what each step returns."""
        self._prepare_evaluation(dataset)
        return self._tallying.run(self._eval_network, dataset, self._run_of)

    def _prepare_evaluation(self, dataset):
        if self._eval_network is None:
            if self._loss_fn is None:
                raise ValueError("If 'metrics' is set, 'eval_network' or 'loss_fn' can not be None, but got neither.")
            self._eval_network = WithEvalCell(self._network, self._loss_fn, self._amp_level in ("O2", "O3", "auto"))
        self._network.set_train(False)
        self._eval_network.set_train(False)
        self._check_columns(dataset)

    def _update_metrics(self, outputs):
        """Gives each metric its part of (loss, outputs, labels), or of what the user's own `eval_network` returns."""
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        indexes = self._eval_indexes
        for metric in self._metrics.values():
            if indexes is None or metric.indexes:
                metric.update(*outputs)
            elif isinstance(metric, Loss):
                metric.update(outputs[indexes[0]])
            else:
                metric.update(outputs[indexes[1]], outputs[indexes[2]])

    def predict(self, *predict_data, backend=None, config=None):
        """Runs the network on tensors, outside training."""
        if backend is not None or config is not None:
            raise ValueError("For 'Model.predict', 'backend' and 'config' are not offered.")
        self._network.set_train(False)
        return self._network(*[Tensor(value) if not isinstance(value, Tensor) else value for value in predict_data])

    # -- parts

    def _run(self, mode, cell, dataset, sink_size, epochs):
        # An eval_network of the user's own returns as many tensors as it likes: the compiler names them.
        known = ("loss", "output", "label") if isinstance(cell, WithEvalCell) and cell.has_loss else ()
        reports = ("loss",) if mode == "train" else known
        left = remainder(dataset)
        if left:
            run = RaggedRun(lambda rows: self._run_of(for_dataset(cell, dataset, mode, "network", reports, rows), "pushed"),
                            dataset, left)
        else:
            program = for_dataset(cell, dataset, mode, "network", reports).fed_by(dataset, sink_size, epochs)
            _capturing.offer(program)
            run = self._run_of(program, dataset.native)
        if mode == "train":  # any model may evaluate on it, as in MindSpore
            claim(dataset, self)
        return run

    def _run_of(self, program, feed):
        """The program's run; `feed` tells those apart whose queues are fed in different ways."""
        key = (program.mode, feed, tuple((shape, dtype.name) for shape, dtype in program.types))
        if key not in self._runs:
            self._runs[key] = Run(program)
        return self._runs[key]

    def _check_columns(self, dataset):
        count = len(dataset.get_col_names())
        if self._loss_fn is not None and count != 2:
            raise ValueError(f"When 'loss_fn' is not None, 'train_dataset' should return two elements, but got {count} "
                             f"elements, please check the number of elements returned by 'train_dataset'.")

    def _params(self, mode, dataset, epoch, batch_num, sink, callbacks):
        return CallbackParams(
            train_network=self.train_network if mode == "train" else None, network=self._network, mode=mode,
            loss_fn=self._loss_fn, optimizer=self._optimizer, epoch_num=epoch, batch_num=batch_num, train_dataset=dataset,
            valid_dataset=dataset if mode == "eval" else None, list_callback=callbacks, dataset_sink_mode=sink,
            cur_epoch_num=0, cur_step_num=0, net_outputs=None, eval_network=self._eval_network, metrics=self._metrics)


def _checked_indexes(indexes, eval_network):
    """Where the loss, the outputs and the labels stand among what evaluation returns; None where metrics get all of it."""
    if indexes is None:
        return [0, 1, 2] if eval_network is None else None
    if eval_network is None:
        raise ValueError("The argument 'eval_network' must be given with 'eval_indexes'.")
    if not isinstance(indexes, list) or len(indexes) != 3 or not all(isinstance(index, int) for index in indexes):
        raise ValueError(f"The 'eval_indexes' must be a list of three ints (loss, outputs, labels), but got {indexes}.")
    return indexes


def _step_reporter(callbacks, done):
    """Returns what tells every callback's `step_report` the loss of each step, or None when there is none."""
    listeners = [callback.step_report for callback in callbacks if hasattr(callback, "step_report")]
    if not listeners:
        return None

    def report(step, loss):
        for listener in listeners:
            listener(done + step + 1, loss[()])

    return report


# What training loops of programs' own call, under MindSpore's private names.


class _StepSync(Callback):
    """Waits for the device at the end of a step, which has ended here when the loop hears of it."""


def _transfer_tensor_to_tuple(inputs):
    """A tuple of a tensor alone; anything else is what it was."""
    return (inputs,) if isinstance(inputs, Tensor) else inputs
