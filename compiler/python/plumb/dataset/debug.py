"""`mindspore.dataset.debug`: hooks that look at rows between the operations of `map`; see `config.set_debug_mode`."""

import copy

from plumb.common._offers import not_offered

__getattr__ = not_offered(__name__)


class DebugHook:
    """Shows a row's columns before the first operation of `map` and behind each: a class of one's own defines `compute`.

    It may stand among the operations of `map`, too. Rows pass it as they are.

    Args:
      prev_op_name: the operation before it, which is named first; None says nothing.
    """

    def __init__(self, prev_op_name=None):
        self.prev_op_name, self.is_first_op = prev_op_name, None

    def __call__(self, *args):
        if self.prev_op_name:
            print(f"{'Input' if self.is_first_op else 'Output'} of {self.prev_op_name}:", flush=True)
        self.compute(*args)
        return args if len(args) > 1 else args[0]

    def compute(self, *args):
        """Shows the columns of a row; classes of one's own define it."""
        raise RuntimeError(f"For '{type(self).__name__}', define 'compute(self, *args)', which is called with the columns of each row.")

    def set_previous_op_name(self, prev_op_name):
        """Names the operation before."""
        self.prev_op_name = prev_op_name

    def set_is_first(self, is_first_op):
        """Says whether the operation named is the first, whose input is shown."""
        self.is_first_op = is_first_op


def with_hooks(operations, hooks):
    """The operations of a `map` with copies of the hooks before the first and behind each."""
    result = _copies(hooks, None)
    for operation in operations:
        result += [operation] + _copies(hooks, getattr(operation, "__name__", type(operation).__name__))
    return result


def _copies(hooks, name):
    """Copies of hooks, each told the operation before it."""
    copies = copy.deepcopy(hooks)
    for hook in copies:
        hook.set_previous_op_name(name)
    return copies
