"""Functions over structures: `Map`, `HyperMap`, `MultitypeFuncGraph`, `partial`. Plain Python in the parsable subset, so that
they mean the same in compiled functions and outside of them."""

from plumb.common._offers import only_defaults
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.ops._primitive import Composite

_KINDS = {"Tensor": (Tensor,), "Parameter": (Parameter,), "Number": (bool, int, float), "Int": (int,), "Float": (float,), "Bool": (bool,),
          "String": (str,), "Tuple": (tuple,), "List": (list,), "Dict": (dict,), "Dictionary": (dict,), "Slice": (slice,), "None": (type(None),),
          "Func": (object,), "Function": (object,),
          # A number of Python's is of no width.
          **dict.fromkeys(("Float16", "Float32", "Float64"), (float,)),
          **dict.fromkeys([f"{kind}{width}" for kind in ("Int", "UInt") for width in (8, 16, 32, 64)], (int,))}


def _sparse_kinds():
    from plumb.common import sparse_tensor
    return {name: (getattr(sparse_tensor, name),) for name in ("RowTensor", "COOTensor", "CSRTensor")}


def partial(fn, *args, **kwargs):
    """Returns a function that calls `fn` with these arguments before its own; keywords of a call come before these."""
    return lambda *rest, **options: fn(*args, *rest, **{**kwargs, **options})


def add_flags(fn=None, **flags):
    """Leaves a function as it is: how MindSpore's compiler should treat it, this one finds out."""
    del flags
    return fn if fn is not None else lambda function: function


class Map(Composite):
    """Calls a function on each row of several sequences; the results are a tuple.

    Args:
      ops: the function; None means that a call's first argument is the function.
      reverse: only False.
    """

    def __init__(self, ops=None, reverse=False):
        only_defaults(type(self).__name__, reverse=(reverse, False))
        super().__init__()
        self.function = ops

    def construct(self, *args):
        """Calls the function on each row."""
        function, columns = (args[0], args[1:]) if self.function is None else (self.function, args)
        return tuple([function(*row) for row in zip(*columns)])


class HyperMap(Map):
    """Map that goes into nested tuples and lists, where the function is called on what is no sequence."""

    def construct(self, *args):
        """Calls the function on each row of leaves."""
        function, columns = (args[0], args[1:]) if self.function is None else (self.function, args)
        return _map_leaves(function, columns)


def _map_leaves(function, columns):
    if isinstance(columns[0], list):
        return [_map_leaves(function, row) for row in zip(*columns)]
    if isinstance(columns[0], tuple):
        return tuple([_map_leaves(function, row) for row in zip(*columns)])
    return function(*columns)


def _fits(value, kinds):
    """Whether a value is of one of these types; a bool is no int."""
    return isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds or object in kinds)


class MultitypeFuncGraph(Composite):
    """One function for several types of arguments.

    Args:
      name: the function's name, for messages.
      read_value: whether functions get Parameters' values; they may use a Parameter as its value either way.

    Raises:
      TypeError: when it is called with arguments of types that no function was registered for.
    """

    def __init__(self, name, read_value=False):
        if not isinstance(read_value, bool):
            raise TypeError(f"For 'MultitypeFuncGraph', the 'read_value' must be a bool, but got {type(read_value).__name__}.")
        super().__init__()
        self.function_name = name
        self.entries = []

    def register(self, *type_names):
        """Returns a decorator that adds a function for arguments of these types, by their names: "Tensor", "Number", …

        Raises:
          ValueError: if a name is not known.
        """
        known = {**_KINDS, **_sparse_kinds()}
        for name in type_names:
            if name not in known:
                raise ValueError(f"For 'MultitypeFuncGraph.register', the type '{name}' is not offered; choose among "
                                 f"{', '.join(known)}.")
        kinds = [known[name] for name in type_names]

        def enter(function):
            self.entries.append((kinds, function))
            return function

        return enter

    def construct(self, *args):
        """Calls the first function whose types fit."""
        for kinds, function in self.entries:
            if len(kinds) == len(args) and all([_fits(value, kind) for value, kind in zip(args, kinds)]):
                return function(*args)
        raise TypeError(f"The '{self.function_name}' MultitypeFuncGraph has no function for arguments of the types "
                        f"{[type(value).__name__ for value in args]}")
