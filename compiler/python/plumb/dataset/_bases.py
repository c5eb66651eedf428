"""What users derive their own operations from, in place of writing functions."""

import enum


class Implementation(enum.IntEnum):
    """What computes an operation; users' own are Python's."""

    C = 0
    PY = 1


class TensorOperation:
    """Base of users' operations, which set `implementation` to Implementation.PY and compute in `_execute_py`.

    Without an implementation, `parse` returns the operation of `_c_dataengine` to call.
    """

    def __init__(self):
        self.implementation = None
        self.callable_op_ = None

    def __call__(self, *values):
        return self._execute_py(*values) if self.implementation == Implementation.PY else self.parse()(*values)

    def _execute_py(self, *values):
        raise NotImplementedError(f"{type(self).__name__} has to implement _execute_py().")

    def parse(self):
        """Returns the operation to call in place of `_execute_py`."""
        raise NotImplementedError(f"{type(self).__name__} has to implement _execute_py() and to set self.implementation = "
                                  f"Implementation.PY.")


class TextTensorOperation(TensorOperation):
    """Base of users' operations on strings."""


class ImageTensorOperation(TensorOperation):
    """Base of users' operations on images."""


class PyTensorOperation:
    """Base of users' operations on one value, which compute in `_execute_py`."""

    def __init__(self):
        self.transforms, self.output_type = [], None

    def __call__(self, value):
        return self._execute_py(value)

    def _execute_py(self, value):
        raise NotImplementedError(f"{type(self).__name__} has to implement _execute_py().")
