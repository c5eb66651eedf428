"""Callbacks: what is called on the host between launches, and by `step_report` while one runs."""

from plumb.common.tensor import Tensor


CUR_NET = None


def set_cur_net(net):
    """Notes the network that operations would save; they need none here."""
    global CUR_NET  # pylint: disable=global-statement
    CUR_NET = net


def _handle_loss(loss):
    """The loss among what a step returns: a Tensor's mean, the first of several Tensors, else what was given."""
    if isinstance(loss, Tensor):
        return float(loss.asnumpy().mean())
    return loss[0] if isinstance(loss, (tuple, list)) and isinstance(loss[0], Tensor) else loss


class Callback:
    """Base of callbacks. The r2.x methods (`on_train_step_end`) call the r1.x ones (`step_end`) by default.

    A subclass may define `step_report(step, loss)`: it hears the loss of every step, counted from 1, while a launch
    runs, without stopping the loop on the device.
    """

    def begin(self, run_context):
        """Before training."""

    def epoch_begin(self, run_context):
        """Before each epoch or sink."""

    def epoch_end(self, run_context):
        """After each epoch or sink."""

    def step_begin(self, run_context):
        """Before each step, or launch when steps are sunk."""

    def step_end(self, run_context):
        """After each step, or launch when steps are sunk."""

    def end(self, run_context):
        """After training."""

    def on_train_begin(self, run_context):
        """Before training."""
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context):
        """Before each epoch or sink of training."""
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context):
        """After each epoch or sink of training."""
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context):
        """Before each training step or launch."""
        self.step_begin(run_context)

    def on_train_step_end(self, run_context):
        """After each training step or launch."""
        self.step_end(run_context)

    def on_train_end(self, run_context):
        """After training."""
        self.end(run_context)

    def on_eval_begin(self, run_context):
        """Before evaluation."""
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context):
        """Before evaluation's pass."""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context):
        """After evaluation's pass."""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context):
        """Before each evaluation step."""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context):
        """After each evaluation step."""
        self.step_end(run_context)

    def on_eval_end(self, run_context):
        """After evaluation."""
        self.end(run_context)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return None


class CallbackParams(dict):
    """The state of a run, readable as attributes."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    def __setattr__(self, name, value):
        self[name] = value


#: What MindSpore calls it.
InternalCallbackParam = CallbackParams


class RunContext:
    """What callbacks receive: the run's parameters and the way to stop it."""

    def __init__(self, original_args):
        self._original_args = original_args
        self._stop_requested = False

    def original_args(self):
        """Returns the run's parameters."""
        return self._original_args

    def request_stop(self):
        """Asks for the run to end after this step or sink."""
        self._stop_requested = True

    def get_stop_requested(self):
        """Returns whether `request_stop` was called."""
        return self._stop_requested


class CallbackManager(Callback):
    """Calls several callbacks in order."""

    def __init__(self, callbacks):
        self.callbacks = callbacks_of(callbacks)

    eval_steps = ("on_eval_step_begin", "on_eval_step_end", "step_begin", "step_end")

    def hears_eval_steps(self):
        """Whether a callback does something at steps of an evaluation."""
        return any(overridden(callback, name) for callback in self.callbacks for name in self.eval_steps)

    def call(self, name, run_context):
        """Calls one method of every callback."""
        for callback in self.callbacks:
            getattr(callback, name)(run_context)


def _passed_on(name):
    """The method of a manager that calls the one of this name of its callbacks."""
    return lambda self, run_context: self.call(name, run_context)


for _name in [name for name in vars(Callback) if not name.startswith("_")]:
    setattr(CallbackManager, _name, _passed_on(_name))


def callbacks_of(callbacks):
    """Turns None, a callback or a sequence of them into a list."""
    chosen = [callbacks] if isinstance(callbacks, Callback) else list(callbacks or ())
    for callback in chosen:
        if not isinstance(callback, Callback):
            raise TypeError(f"When the 'callbacks' is a list, every element must be a Callback, but got "
                            f"{type(callback).__name__}.")
    return chosen


def overridden(callback, name):
    """Whether a callback does something of its own at a point."""
    return name in vars(callback) or getattr(type(callback), name) is not getattr(Callback, name)


class EvaluationManager(CallbackManager):
    """Calls, during an evaluation within training, those that speak of evaluation: a `step_end` means steps of training."""

    eval_steps = ("on_eval_step_begin", "on_eval_step_end")

    def call(self, name, run_context):
        """Calls one method of every callback that has its own."""
        for callback in self.callbacks:
            if overridden(callback, name):
                getattr(callback, name)(run_context)
