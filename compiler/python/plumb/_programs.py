"""Programs as modules: which callable, called with what, fed from where, reporting what.

A Program is what `Model.train`, `data_sink`, `DatasetHelper` or a direct call wants compiled. Its text is the same
whether it is compiled in process or captured by `plumbc`.
"""

import os
import sys
import types

import numpy as np

from plumb._parse import LiveProcess, ModulePrinter, text
from plumb._parse.nesting import deep_source
from plumb.common import _bfloat, dtype as mstype
from plumb.common._marks import MutableDict, MutableFloat, MutableInt, MutableList, MutableTuple
from plumb.common._structures import TensorStructure
from plumb.common.parameter import Parameter
from plumb.common.seed import session_seed
from plumb.common.tensor import Tensor
from plumb.dataset import config
from plumb.dataset._embed import embedded

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Program:
    """A callable with the types it is called with.

    Args:
      target: a cell, function or gradient function.
      types: (shape, DType) of each argument.
      mode: "train", "eval" or "predict"; also the entry's name and its queue's.
      columns: names of the queue's columns, one per argument.
      hint: the symbol for `target`.
      reports: names of the first tensors it returns.

    Attributes:
      structured: whether the caller rebuilds the structure that `target` returns; otherwise its tensors are flattened.
      copies_globals: whether lists and dicts from outside that functions change are copied for them.
      sources: for each argument the id() of the tensor that a direct call gives; empty where a dataset gives them.
      live: answers the compiler, once `render` has printed the program.
    """

    def __init__(self, target, types, mode, columns, hint, reports=("output",)):
        self.target, self.types, self.mode, self.columns, self.hint = target, types, mode, columns, hint
        self.reports = reports
        self.pipeline, self.arrays = None, []
        self.sink_size = -1
        self.epochs = 1
        self.depth = config._chosen_prefetch_size()
        self.call = None
        self.structured = self.copies_globals = False
        self.sources, self.live = (), None

    def fed_by(self, dataset, sink_size, epochs):
        """Notes the program's own dataset, sink size and epochs, for the executable's manifest."""
        from plumb import _capturing
        if _capturing.active():
            described = dataset if dataset.native else embedded(dataset, calling_place())
            self.pipeline, self.arrays = described.to_json(), described._arrays
        self.sink_size, self.epochs = sink_size, epochs
        return self

    def render(self, leaves_values=False):
        """Returns (MLIR text, parameters by symbol); with `leaves_values`, the values that Parameters have are left to the session."""
        with deep_source(calling_place()):
            module, printer = self._printed(ModulePrinter(), leaves_values)
            if printer.mentions_structures:
                module, printer = self._printed(ModulePrinter(structures=True), leaves_values)
        self.live = LiveProcess(printer, self.sources)
        return module, printer.parameters_by_symbol()

    def _printed(self, printer, leaves_values):
        """The program's text, by a new printer, and the printer."""
        printer.leaves_values = leaves_values
        printer.copies_globals, printer.is_operation = self.copies_globals, is_of_package(self.target)
        types = [text.tensor_type(shape, dtype) for shape, dtype in self.types]
        if self.call is not None:
            printer.add_call(self.target, self.columns, *self.call, self.hint)
        printer.add_entry(self.mode, None if self.call else self.target, types, self._attributes(), self.hint, calling_place())
        return printer.render(session_seed()), printer

    def resource(self, column):
        """Returns the name under which the rows of `column` lie outside of the text."""
        return f"{self.mode}.{column}"

    def resources(self):
        """Returns what lies outside of the text: (name, array) pairs."""
        return [(self.resource(name), array) for name, array in self.arrays]

    def _attributes(self):
        attributes = [("mode", text.string(self.mode))] + ([("net.structured", "unit")] if self.structured else [])
        if self.types:
            attributes += [("queue", text.string(self.mode)),
                           ("columns", "[" + ", ".join(text.string(name) for name in self.columns) + "]")]
            attributes += [("depth", f"{self.depth} : i64")] if self.depth else []
        if self.pipeline is not None:
            attributes.append(("pipeline", text.string(self.pipeline)))
        if self.arrays:
            attributes.append(("net.arrays", text.dictionary([(name, text.resource(self.resource(name), array))
                                                          for name, array in self.arrays])))
        return attributes + [("sink_size", f"{self.sink_size} : i64"), ("epochs", f"{self.epochs} : i64"),
                             ("reports", "[" + ", ".join(text.string(name) for name in self.reports) + "]")]


def for_dataset(target, dataset, mode, hint, reports, rows=None):
    """Returns the Program that calls `target` with a dataset's columns, in batches of `rows` if that is given."""
    columns = dataset._columns()
    for column in columns:
        if column.dtype is None:
            raise ValueError(f"The column '{column.name}' holds strings or dicts, which no device takes: drop it by project(), or make "
                             f"numbers of it by map().")
    shapes = [column.shape if rows is None else (rows,) + column.shape[1:] for column in columns]
    return Program(target, [(shape, column.dtype) for shape, column in zip(shapes, columns)], mode,
                   [column.name for column in columns], hint, reports)


class DirectCall:
    """A direct call taken apart: tensors become the queue's columns, the rest are constants.

    Attributes:
      arrays: what to push.
      types: (shape, NumPy's element type) of each.
      constants: positional and named arguments with Columns for tensors; None where all are tensors by position.
    """

    def __init__(self, target, args, kwargs):
        self.target, self.arrays, self._sources = target, [], []
        if is_plain_primitive(target) and not kwargs:
            args = with_numbers_as_tensors(target.mnemonic, args)
        seen = {}
        shape = tuple([self._argument(value, seen) for value in args])
        named = tuple([(name, self._argument(value, seen)) for name, value in kwargs.items()])
        self.types = tuple([(array.shape, array.dtype) for array in self.arrays])
        plain = not kwargs and all(type(part) is Column for part in shape) and not is_plain_primitive(target)
        self.constants = None if plain else (shape, named)

    def sharing(self, constants):
        """What tells calls that give one tensor in other places: for each column the number of the first one of the same tensor, and
        which of the `constants`, ids of tensors from outside, it is."""
        first = {}
        return tuple([(first.setdefault(source, number), source if source in constants else None)
                      for number, source in enumerate(self._sources)])

    def _argument(self, value, seen):
        """What stands for an argument; `seen` has the numbers of the lists and dicts so far, by identity."""
        if isinstance(value, (Tensor, np.ndarray)) and not isinstance(value, (Parameter, Known)):
            array = np.ascontiguousarray(value._elements() if isinstance(value, Tensor) else value)
            return self._column(array.reshape(np.shape(value) if isinstance(value, np.ndarray) else value.shape), value)
        if isinstance(value, (MutableInt, MutableFloat)):
            return self._column(np.asarray(value, np.int64 if isinstance(value, int) else np.float32), value)
        if type(value) in (list, MutableList, dict, MutableDict):
            if id(value) in seen:
                return Again(seen[id(value)])
            seen[id(value)] = len(seen)
        if type(value) in (tuple, list, MutableTuple, MutableList):
            return (tuple if isinstance(value, tuple) else list)(self._argument(item, seen) for item in value)
        if isinstance(value, TensorStructure):
            return Structure((type(value), *[self._argument(item, seen) for item in value._tensors], value._known))
        if type(value) in (dict, MutableDict):
            return {name: self._argument(item, seen) for name, item in value.items()}
        return value

    def _column(self, array, source):
        self.arrays.append(array)
        self._sources.append(id(source))
        return Column(len(self.arrays) - 1)

    def program(self):
        """Returns the Program."""
        from plumb import _capturing
        target = self.target
        types = [(shape, mstype.as_dtype(dtype)) for shape, dtype in self.types]
        mode = "train" if getattr(target, "training", False) else "predict"
        # The compiler names as many results as there are: a function may return nothing.
        program = Program(target, types, mode, [f"arg{index}" for index in range(len(types))], _hint(target), reports=())
        program.depth, program.sources = 2, tuple(self._sources)
        program.structured = not _capturing.active() or is_of_package(target)
        if self.constants:
            program.call = self.constants + (calling_place(),)
        return program


class Known(Tensor):
    """A tensor argument whose value is a constant of the program."""

    def told(self):
        """What tells it from others: its value."""
        return self.dtype.name, self.shape, self.asnumpy().tobytes()


_MAX_KNOWN = 64  # elements of an argument that may become a constant


def with_values(value):
    """The arguments with small tensors of integers, nested, as `Known` ones."""
    if type(value) in (tuple, list):
        return type(value)(with_values(item) for item in value)
    if type(value) is dict:
        return {name: with_values(item) for name, item in value.items()}
    small = type(value) is Tensor and value.size <= _MAX_KNOWN and value.dtype in (mstype.int32, mstype.int64)
    return Known(value) if small else value


def has_values(value):
    """Whether there is a `Known` tensor among the arguments, nested."""
    if isinstance(value, (tuple, list, dict)):
        return any(has_values(item) for item in (value.values() if isinstance(value, dict) else value))
    return isinstance(value, Known)


class Column(int):
    """The number of a queue's column, standing for a tensor argument."""


class Again(int):
    """The number, among the lists and dicts of a call, of one that stands in several places."""


class Structure(tuple):
    """A class of structures of tensors, and what its constructor takes: the tensors and what is known of them."""

    @property
    def kind(self):
        """The class."""
        return self[0]

    @property
    def arguments(self):
        """The constructor's arguments."""
        return self[1:]


# Operations of two tensors whose result does not gain from knowing a number while compiling.
_OF_TWO_TENSORS = frozenset("""add sub mul div floor_div mod rem maximum minimum equal not_equal less less_equal greater
                               greater_equal bitwise_and bitwise_or bitwise_xor""".split())


def with_numbers_as_tensors(mnemonic, args):
    """Returns an operation's arguments with a number beside a tensor as a tensor of the type that it would take: one program
    serves all numbers."""
    if mnemonic not in _OF_TWO_TENSORS or len(args) != 2:
        return args
    for number, tensor in (args, args[::-1]):
        if isinstance(number, (bool, int, float, complex)) and isinstance(tensor, Tensor):
            if isinstance(number, int) and not -2 ** 63 <= number < 2 ** 63:
                return args
            dtype = _type_beside(number, tensor.dtype)
            array = _bfloat.stored(number, dtype.numpy)
            return tuple(Tensor(array) if value is number else value for value in args)
    return args


def _type_beside(number, dtype):
    """The element type of a number beside a tensor of `dtype`, by MindSpore's rules."""
    if isinstance(number, complex):
        return mstype.complex128 if dtype in (mstype.float64, mstype.complex128) else mstype.complex64
    if isinstance(number, float) and "float" not in dtype.name and "complex" not in dtype.name:
        return mstype.float32
    if isinstance(number, int) and not isinstance(number, bool) and dtype is mstype.bool_:
        return mstype.int32
    return dtype


def is_plain_primitive(target):
    """Whether `target` is an operation of the compiler."""
    from plumb.ops._primitive import Composite, Primitive
    return isinstance(target, Primitive) and not isinstance(target, Composite)


def is_of_package(target):
    """Whether `target` is an operation or function of this package: no program that someone wants captured."""
    return is_plain_primitive(target) or isinstance(target, types.FunctionType) and (target.__module__ or "").startswith("plumb.")


def _hint(target):
    name = getattr(target, "__name__", None) or getattr(target, "mnemonic", None) or type(target).__name__
    return "network" if name == "<lambda>" else name


def calling_place():
    """The file and the line of the program that calls the package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_PACKAGE):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno
