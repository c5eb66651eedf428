"""Cell: a network or layer, that is parameters, child cells and a `construct` function.

`__init__` is plain Python and runs; `construct` is read from its source and compiled. Assigning a Parameter or a Cell
to an attribute registers it and names it: a child's parameters take the attribute's name as prefix (`conv1.weight`),
unless the cell was made with `auto_prefix=False`.
"""

import warnings
from collections import OrderedDict

from plumb.common.parameter import Parameter, ParameterTuple


class Cell:
    """Base of all networks.

    Args:
      auto_prefix: whether parameters of child cells take the child's attribute name as prefix.
      flags: accepted as None only.
    """

    def __init__(self, auto_prefix=True, flags=None):
        if flags:
            raise ValueError("For 'Cell', 'flags' are not offered; leave them out.")
        self.__dict__["_cells"] = OrderedDict()
        self.__dict__["_params"] = OrderedDict()
        self.__dict__["_auto_prefix"] = auto_prefix
        self.__dict__["training"] = False
        self.__dict__["_connected"] = None

    def __setattr__(self, name, value):
        if "_cells" not in self.__dict__:
            if isinstance(value, (Cell, Parameter)):
                raise AttributeError(f"For '{type(self).__name__}', call super().__init__() before the attribute "
                                     f"'{name}' is assigned.")
            self.__dict__[name] = value
            return
        self._cells.pop(name, None)
        self._params.pop(name, None)
        self.__dict__.pop(name, None)
        if isinstance(value, Parameter):
            self.insert_param_to_cell(name, value)
        elif isinstance(value, Cell):
            if self._auto_prefix:
                value.update_parameters_name(name + ".")
            self._cells[name] = value
        elif isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            self.__dict__[name] = value

    def __getattr__(self, name):
        for table in ("_params", "_cells"):
            if name in self.__dict__.get(table, ()):
                return self.__dict__[table][name]
        raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")

    def __delattr__(self, name):
        for table in (self._params, self._cells, self.__dict__):
            if name in table:
                del table[name]
                return
        raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")

    def insert_param_to_cell(self, param_name, param, check_name_contain_dot=True):
        """Registers a parameter under an attribute name and names it if it has none."""
        if check_name_contain_dot and "." in param_name:
            raise KeyError(f"For 'insert_param_to_cell', the 'param_name' must not contain '.', but got {param_name}")
        if param.has_default_name:
            param.name = param_name
        self._params[param_name] = param

    def insert_child_to_cell(self, child_name, child):
        """Registers a child cell under an attribute name."""
        if not isinstance(child, Cell):
            raise TypeError(f"For 'insert_child_to_cell', the 'child' must be a Cell, but got {type(child).__name__}.")
        setattr(self, child_name, child)

    def construct(self, *args, **kwargs):
        """The computation; subclasses define it in the parsable subset of Python."""
        raise AttributeError(f"For 'Cell', the method 'construct' of '{type(self).__name__}' is not defined.")

    def __call__(self, *args, **kwargs):
        from plumb import _engine
        if self._connected is not None:
            return self._connected(*args)
        return _engine.call(self, args, kwargs)

    def cells(self):
        """Child cells."""
        return self._cells.values()

    def name_cells(self):
        """Child cells by attribute name."""
        return OrderedDict(self._cells)

    def cells_and_names(self, name_prefix=""):
        """Yields (dotted name, cell) for this cell and all below it, each once."""
        seen = set()

        def walk(cell, name):
            if id(cell) in seen:
                return
            seen.add(id(cell))
            yield name, cell
            for child_name, child in cell._cells.items():
                yield from walk(child, f"{name}.{child_name}" if name else child_name)

        yield from walk(self, name_prefix)

    def parameters_and_names(self, name_prefix="", expand=True):
        """Yields (dotted name, parameter), each parameter once."""
        seen = set()
        pairs = self.cells_and_names(name_prefix) if expand else [(name_prefix, self)]
        for name, cell in pairs:
            for param_name, param in cell._own_parameters():
                if id(param) not in seen:
                    seen.add(id(param))
                    yield (f"{name}.{param_name}" if name else param_name), param

    def _own_parameters(self):
        yield from self._params.items()
        for value in self.__dict__.values():
            if isinstance(value, ParameterTuple):
                yield from ((param.name, param) for param in value)

    def get_parameters(self, expand=True):
        """Yields all parameters."""
        for _, param in self.parameters_and_names(expand=expand):
            yield param

    def trainable_params(self, recurse=True):
        """Parameters that require gradients, in order of creation in the tree."""
        self._warn_of_plain_lists()
        return [param for param in self.get_parameters(expand=recurse) if param.requires_grad]

    def _warn_of_plain_lists(self):
        """Cells in a plain list or tuple are no children: says so, at the caller's line, where their Parameters are left out."""
        known = {id(cell) for _, cell in self.cells_and_names()}
        for _, cell in self.cells_and_names():
            for name, value in vars(cell).items():
                items = value if isinstance(value, (list, tuple)) and not name.startswith("_") else ()
                if any(isinstance(item, Cell) and id(item) not in known for item in items):
                    warnings.warn(f"'{name}' of '{type(cell).__name__}' is a {type(value).__name__} of cells: their Parameters "
                                  f"are not among the trainable ones; use nn.CellList", stacklevel=3)

    def untrainable_params(self, recurse=True):
        """Parameters that require no gradients."""
        return [param for param in self.get_parameters(expand=recurse) if not param.requires_grad]

    def parameters_dict(self, recurse=True):
        """Parameters by name."""
        return OrderedDict((param.name, param) for param in self.get_parameters(expand=recurse))

    def parameters_broadcast_dict(self, recurse=True):
        """Parameters by name; every one of them is replicated."""
        return self.parameters_dict(recurse)

    def update_parameters_name(self, prefix="", recurse=True):
        """Puts `prefix` before the name of every parameter."""
        for param in self.get_parameters(expand=recurse):
            param.name = prefix + param.name

    def set_train(self, mode=True):
        """Sets the training flag here and below; returns the cell."""
        for _, cell in self.cells_and_names():
            cell.__dict__["training"] = bool(mode)
        return self

    def set_grad(self, requires_grad=True):
        """Accepted for programs that call it; gradients are asked for by grad functions. Returns the cell."""
        return self

    def to_float(self, dst_type):
        """Mixed precision by cell is not offered."""
        raise NotImplementedError("'Cell.to_float' is not offered by plumb; cast inside construct with ops.cast.")

    def compile(self, *args):
        """Compiles the cell for arguments like `args` without running it."""
        from plumb import _engine
        _engine.prepare(self, args, {})

    def extend_repr(self):
        """What `repr` shows between the parentheses."""
        return ""

    def __repr__(self):
        inner = self.extend_repr()
        if not self._cells:
            return f"{type(self).__name__}<{inner}>"
        lines = [f"  ({name}): " + repr(cell).replace("\n", "\n  ") for name, cell in self._cells.items()]
        return f"{type(self).__name__}<{inner}\n" + "\n".join(lines) + "\n  >"
