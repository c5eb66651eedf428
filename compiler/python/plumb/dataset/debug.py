"""`mindspore.dataset.debug`: operations of `map` that look at rows."""

from plumb.common._offers import not_offered

__getattr__ = not_offered(__name__)


class DebugHook:
    """An operation of `map` that shows what it gets and gives it on: a class of one's own defines `compute`.

    Args:
      prev_op_name: the operation before it, which is named first.
    """

    def __init__(self, prev_op_name=None):
        self.prev_op_name, self.is_first_op = prev_op_name, None

    def __call__(self, *args):
        if self.prev_op_name:
            print(f"[Dataset debugger] Print the [{'INPUT' if self.is_first_op else 'OUTPUT'}] of the operation [{self.prev_op_name}].", flush=True)
        self.compute(*args)
        return args if len(args) > 1 else args[0]

    def compute(self, *args):
        """Shows the columns of a row; classes of one's own define it."""
        raise RuntimeError("compute() is not overridden in subclass of class DebugHook.")

    def set_previous_op_name(self, prev_op_name):
        """Names the operation before."""
        self.prev_op_name = prev_op_name

    def set_is_first(self, is_first_op):
        """Says whether the operation named is the first, whose input is shown."""
        self.is_first_op = is_first_op
