"""LambdaCallback."""

from plumb.train.callback._callback import Callback


class LambdaCallback(Callback):
    """A callback made of functions, each called with the run context at the point of its name."""

    def __init__(self, on_train_epoch_begin=None, on_train_epoch_end=None, on_train_step_begin=None, on_train_step_end=None,
                 on_train_begin=None, on_train_end=None, on_eval_epoch_begin=None, on_eval_epoch_end=None,
                 on_eval_step_begin=None, on_eval_step_end=None, on_eval_begin=None, on_eval_end=None):
        functions = {
            "on_train_epoch_begin": on_train_epoch_begin, "on_train_epoch_end": on_train_epoch_end,
            "on_train_step_begin": on_train_step_begin, "on_train_step_end": on_train_step_end,
            "on_train_begin": on_train_begin, "on_train_end": on_train_end, "on_eval_epoch_begin": on_eval_epoch_begin,
            "on_eval_epoch_end": on_eval_epoch_end, "on_eval_step_begin": on_eval_step_begin,
            "on_eval_step_end": on_eval_step_end, "on_eval_begin": on_eval_begin, "on_eval_end": on_eval_end}
        for name, function in functions.items():
            if function is not None and not callable(function):
                raise TypeError(f"For 'LambdaCallback', '{name}' must be a function, but got {type(function).__name__}.")
            if function is not None:
                setattr(self, name, function)
