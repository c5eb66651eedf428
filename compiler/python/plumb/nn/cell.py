"""Cell: a network or layer, that is parameters, child cells and a `construct` function.

`__init__` is plain Python and runs; `construct` is read from its source and compiled. Assigning a Parameter or a Cell
to an attribute registers it and names it: a child's parameters take the attribute's name as prefix (`conv1.weight`),
unless the cell was made with `auto_prefix=False`.
"""

import itertools
import types
import warnings
from collections import OrderedDict, deque

from plumb._parse.diagnostics import CompileError
from plumb._sharing import shard
from plumb.common import _habits, _taping
from plumb.common import dtype as mstype
from plumb.common._refusals import refused
from plumb.common.api import JitConfig
from plumb.common.parameter import Parameter, ParameterTuple
from plumb.common.tensor import Tensor, tensors_in
from plumb.context import warn_once
from plumb.nn import _hooks
from plumb.nn._settings import INSTEAD, CellSettings
from plumb.nn._state_dict import CellStateDict


class _Members(OrderedDict):
    """A cell's children or Parameters by name. One that is replaced here, as programs do, is replaced before the method of its name, too."""

    cell = None

    def __setitem__(self, name, value):
        super().__setitem__(name, value)
        if self.cell is not None and name in vars(self.cell):
            vars(self.cell)[name] = value


def _cells_within(values):
    """Yields the cells among values and in the lists, tuples and dicts there, which may hold each other."""
    seen, pending = set(), list(values)[::-1]
    while pending:
        value = pending.pop()
        if isinstance(value, Cell):
            yield value
        elif isinstance(value, (list, tuple, dict)) and not isinstance(value, ParameterTuple) and id(value) not in seen:
            seen.add(id(value))
            pending += reversed(list(value.values() if isinstance(value, dict) else value))


class Cell(CellStateDict, CellSettings):
    """Base of all networks.

    Args:
      auto_prefix: whether parameters of child cells take the child's attribute name as prefix.
      flags: attributes of the cell, by name.
    """

    def __init__(self, auto_prefix=True, flags=None):
        self.__dict__["_cells"], self.__dict__["_params"] = _Members(), _Members()
        self._cells.cell = self._params.cell = self
        self.__dict__["_auto_prefix"] = auto_prefix
        self.__dict__["training"] = False
        self.__dict__["requires_grad"] = False
        self.__dict__["_connected"] = None
        self.__dict__["_name_prefix"] = ""
        self.__dict__["_tuple_names"] = {}
        self.__dict__["_float_type"] = None  # what it computes in, and what its results are converted to
        self.__dict__["_result_type"] = None
        self.__dict__["_in_python"] = False  # whether its `construct` has turned out to need values of tensors
        self.__dict__["_flags"] = {}
        self.add_flags(**(flags or {}))

    def __setattr__(self, name, value):
        if "_cells" not in self.__dict__:
            if isinstance(value, (Cell, Parameter)):
                raise AttributeError(f"For '{type(self).__name__}', call super().__init__() before the attribute "
                                     f"'{name}' is assigned.")
            self.__dict__[name] = value
            return
        if self._params.get(name) is not None and self._sets_data(name, value):
            return
        self._make_way(name, value)
        if isinstance(value, (Cell, Parameter)) and isinstance(getattr(Cell, name, None), types.FunctionType):
            self.__dict__[name] = value  # before the method of this name, which MindSpore's cells of some version have not
        if isinstance(value, Parameter):
            self.insert_param_to_cell(name, value)
        elif isinstance(value, Cell):
            if self._auto_prefix:
                value.update_parameters_name(name + ".")
            self._cells[name] = value
        elif isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            if isinstance(value, (tuple, list)):
                self._name_by_number(value)
            if isinstance(value, ParameterTuple):
                self._tuple_names[name] = [param.name for param in value]  # where later prefixes stand before
            self.__dict__[name] = value

    def _sets_data(self, name, value):
        """Whether the value is what the Parameter of this name holds from now on; another type than a tensor's is an error."""
        if value is None or isinstance(value, (Parameter, ParameterTuple)):
            return False
        if not isinstance(value, Tensor):
            raise TypeError(f"For 'Cell', the type of {name} must be Parameter or ParameterTuple, but got {type(value).__name__}.")
        self._params[name].set_data(value)
        return True

    def _make_way(self, name, value):
        """Removes the attribute, but where it is of the value's kind, whose place among the others stays."""
        if not isinstance(value, Cell):
            self._cells.pop(name, None)
        if not isinstance(value, Parameter):
            self._params.pop(name, None)
        self.__dict__.pop(name, None)

    def _name_by_number(self, values):
        """Names the Parameters among the values that have no name yet."""
        for value in values:
            if isinstance(value, Parameter) and value.has_default_name:
                self.__dict__["_numbered"] = self.__dict__.get("_numbered", 0) + 1
                value.name = f"{value.name}${self.__dict__['_numbered']}"

    def __getattr__(self, name):
        for table in ("_params", "_cells"):
            if name in self.__dict__.get(table, ()):
                return self.__dict__[table][name]
        for owner, names in self.__dict__.get("_tuple_names", {}).items():
            if name in names:  # a Parameter of a ParameterTuple, by the name that it had there
                return self.__dict__[owner][names.index(name)]
        advice = f"; it is not offered by plumb: {INSTEAD[name]}" if name in INSTEAD else f"; {_habits.CELL[name]}" if name in _habits.CELL else ""
        raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'{advice}.")

    def __delattr__(self, name):
        found = [table.pop(name) for table in (self._params, self._cells, self.__dict__) if name in table]
        if not found:
            raise AttributeError(f"The '{type(self).__name__}' object has no attribute '{name}'.")

    def insert_param_to_cell(self, param_name, param, check_name_contain_dot=True):
        """Registers a parameter under an attribute name and names it if it has none."""
        if check_name_contain_dot and "." in param_name:
            raise KeyError(f"For 'insert_param_to_cell', the 'param_name' must not contain '.', but got {param_name}")
        if param.has_default_name:
            param.name = param_name
        self._params[param_name] = param

    def insert_child_to_cell(self, child_name, child_cell):
        """Registers a child cell under an attribute name; its Parameters keep their names."""
        if not child_name or "." in child_name:
            raise KeyError(f"For 'insert_child_to_cell', the 'child_name' must be a name without '.', but got {child_name!r}.")
        if hasattr(self, child_name) and child_name not in self._cells:
            raise KeyError(f"For 'insert_child_to_cell', the cell has an attribute '{child_name}' already.")
        if not isinstance(child_cell, Cell):
            raise TypeError(f"For 'insert_child_to_cell', the argument 'child_cell' must be a Cell, but got "
                            f"{type(child_cell).__name__}.")
        self._cells[child_name] = child_cell

    def construct(self, *args, **kwargs):
        """The computation; subclasses define it in the parsable subset of Python."""
        raise AttributeError(f"For 'Cell', the method 'construct' of '{type(self).__name__}' is not defined.")

    def __call__(self, *args, **kwargs):
        from plumb import _engine
        if self._connected is not None:
            return self._connected(*args)
        if self._keeps_what_tape_reaches():
            return self._run_on_tape(args, kwargs)
        if not self._in_python or self._has_rule_on_tape():
            try:
                return _engine.call(self, args, kwargs)
            except CompileError as problem:
                if not self._can_leave_to_python() or not _engine.needs_python(problem):
                    raise
                _engine.tell_of_python(self, problem)
        # Python runs what has no fixed sizes, operation by operation; child cells are compiled.
        result = _hooks.run(self, args, kwargs)
        self.__dict__["_in_python"] = True
        return result

    def _can_leave_to_python(self, on_tape=False):
        """Whether Python may run the cell, for a gradient or not: neither an element type of its own, nor its own rule for the gradient
        needs it compiled."""
        del on_tape
        return self._float_type is None and not self._has_rule_on_tape()

    def _keeps_what_tape_reaches(self):
        """Whether the cell, or one in it, has an attribute that depends on what Python takes a gradient by; compiled, it is a constant."""
        tape = _taping.current()
        if tape is None:
            return False
        kept = (value for _, cell in self.cells_and_names() for name, value in vars(cell).items() if name not in ("_params", "_cells"))
        return any(tape.reaches(tensor) for value in kept for tensor in tensors_in(value) if not isinstance(tensor, Parameter))

    def _run_on_tape(self, args, kwargs):
        """Python runs the cell, so that the gradient goes on through its attributes; child cells without such are compiled."""
        if not self._can_leave_to_python():
            raise refused(RuntimeError, f"in a function that Python runs for its gradient, '{type(self).__name__}' has a tensor that leads to "
                                        f"the gradient as an attribute, and a 'bprop' or an element type of its own; pass the tensor "
                                        f" to 'construct'")
        return _hooks.run(self, args, kwargs)

    def _has_rule_on_tape(self):
        """Whether a gradient is taken through the cell, which has a `bprop`."""
        return _taping.current() is not None and hasattr(self, "bprop")

    def _leave_to_python(self):
        """Has Python run the cell's next calls, where it may."""
        self.__dict__["_in_python"] = self._can_leave_to_python()

    def cells(self):
        """Child cells."""
        return self._cells.values()

    def name_cells(self):
        """Child cells by attribute name."""
        return OrderedDict(self._cells)

    def cells_and_names(self, cells=None, name_prefix=""):
        """Yields (dotted name, cell) for this cell and all below it, each once; none of the set `cells`."""
        seen = {id(cell) for cell in cells or ()}

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
        for name, param in self._held(name_prefix, expand):
            if not param.is_internal:
                yield name, param

    def _internal_parameters(self):
        """The Parameters of layers that in MindSpore have none, as what dropouts draw from, by names that no other Parameter has.

        Those of layers in plain lists, tuples and dicts are among them.
        """
        others, found = self.parameters_dict(), {}
        held = [*self._held(), *itertools.chain.from_iterable(cell._held() for cell in self._in_plain_containers())]
        for param in {id(param): param for _, param in held if param.is_internal}.values():
            names = itertools.chain([param.name], (f"{param.name}.{number}" for number in itertools.count(1)))
            found[next(name for name in names if name not in others and name not in found)] = param
        return found

    def _in_plain_containers(self):
        """Yields the cells in lists, tuples and dicts of this cell and of those below it, and in theirs; each may come several times."""
        seen, left = set(), deque([self])
        while left:
            known = [cell for _, cell in left.popleft().cells_and_names() if id(cell) not in seen]
            seen.update(map(id, known))
            for cell in _cells_within(value for cell in known for name, value in vars(cell).items() if not name.startswith("_")):
                left.append(cell)
                yield cell

    def _held(self, name_prefix="", expand=True):
        """Yields (dotted name, parameter), each once, internal ones among them."""
        seen = set()
        pairs = self.cells_and_names(name_prefix=name_prefix) if expand else [(name_prefix, self)]
        for name, cell in pairs:
            for param_name, param in cell._own_parameters():
                if id(param) not in seen:
                    seen.add(id(param))
                    yield (f"{name}.{param_name}" if name else param_name), param

    def _own_parameters(self):
        yield from self._params.items()
        for name, value in self.__dict__.items():
            if isinstance(value, ParameterTuple):
                yield from zip(self._tuple_names.get(name) or [param.name for param in value], value)

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
        known = {id(param) for param in self.get_parameters()}
        for _, cell in self.cells_and_names():
            for name, value in vars(cell).items():
                items = value if isinstance(value, (list, tuple)) and not name.startswith("_") else ()
                cells = [item for item in items if isinstance(item, Cell)]
                if any(id(param) not in known for item in cells for param in Cell.get_parameters(item) if param.requires_grad):
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
        """Names every parameter by its place in this cell, behind `prefix`, whatever it was called."""
        for name, param in list(self._held(expand=recurse)):
            param.name, param.other_name = prefix + name, None
        for name, cell in self.cells_and_names() if recurse else [("", self)]:
            cell.__dict__["_name_prefix"] = f"{prefix}{name}." if name else prefix

    @property
    def param_prefix(self):
        """What stands before the names of this cell's parameters, without the last dot; MindSpore's is empty before `update_cell_prefix`."""
        return self._name_prefix.rstrip(".")

    def update_cell_prefix(self):
        """Nothing is left to do: prefixes are kept while cells are assigned."""

    def check_names(self):
        """Raises ValueError where two parameters have one name."""
        names = set()
        for param in self.get_parameters():
            if param.name in names:
                raise ValueError(f"The Parameter name '{param.name}' is there twice; give each its own name.")
            names.add(param.name)

    def init_parameters_data(self, auto_parallel_mode=False):
        """Draws the values of Parameters that are declared by a rule; returns each Parameter with itself, in a dict.

        Args:
          auto_parallel_mode: True or False: one device has all of each Parameter.
        """
        return {param: param.init_data() for param in self.get_parameters()}

    # -- flags and modes

    @property
    def cls_name(self):
        """The class's name."""
        return type(self).__name__

    def add_flags(self, **flags):
        """Sets attributes of this cell; returns it."""
        for name, value in flags.items():
            self._flags[name] = value
            setattr(self, name, value)
        return self

    def add_flags_recursive(self, **flags):
        """Sets attributes of this cell and all below it; returns it."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self):
        """What `add_flags` set, by name."""
        return dict(self._flags)

    def apply(self, fn):
        """Calls `fn` with every cell below this one, then with this one; returns it."""
        for cell in self._cells.values():
            cell.apply(fn)
        fn(self)
        return self

    def set_train(self, mode=True):
        """Sets the training flag here and below, and this cell's `phase`; returns the cell."""
        self.__dict__["_phase"] = "train" if mode else "predict"
        for _, cell in self.cells_and_names():
            cell.__dict__["training"] = bool(mode)
        return self

    def set_grad(self, requires_grad=True):
        """Notes `requires_grad` here and below; gradient functions decide by their own arguments. Returns the cell."""
        for _, cell in self.cells_and_names():
            cell.__dict__["requires_grad"] = bool(requires_grad)
        return self

    def to_float(self, dst_type):
        """Computes in float16, bfloat16 or float32, here and below: inputs and trained Parameters are converted on the way in.

        So are tensors that the program holds by a name or an attribute, as in MindSpore's graph mode. Parameters keep their
        own element type, and so do their gradients. State that is not trained (moving averages) is converted as an operand of
        operators only. The last call counts. Returns the cell.
        """
        if dst_type not in (mstype.float16, mstype.float32, mstype.bfloat16):
            raise ValueError(f"For 'to_float', the argument 'dst_type' must be float32, float16 or bfloat16, but got {dst_type}.")
        for _, cell in self.cells_and_names():
            cell.__dict__["_float_type"] = dst_type
            cell.__dict__["_result_type"] = None
        return self

    def cast_param(self, param):
        """The parameter: it is converted where compiled code reads it, see `to_float`."""
        return param

    def set_jit_config(self, jit_config):
        """Takes options of compilation, as `jit`: all levels compile alike."""
        if not isinstance(jit_config, JitConfig):
            raise TypeError(f"For 'set_jit_config', the 'jit_config' must be a JitConfig, but got {type(jit_config).__name__}.")
        self.__dict__["_jit_config"] = jit_config.jit_config_dict

    def set_inputs(self, *inputs):
        """Takes the inputs to come: a cell is compiled for the shapes of each call. `get_inputs` gives them back."""
        for value in inputs:
            if not isinstance(value, (Tensor, tuple, list, int, float, bool, str, type(None))):
                raise TypeError(f"For 'set_inputs', the inputs must be Tensors or numbers, but got {type(value).__name__}.")
        self.__dict__["_inputs"] = inputs

    def recompute(self, **kwargs):
        """Would trade time for memory in MindSpore; results are the same with and without. Says once that it does nothing.

        `mp_comm_recompute`, `parallel_optimizer_comm_recompute` and `recompute_slice_activation` are of several devices.
        """
        unknown = set(kwargs) - {"mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation"}
        if unknown:
            raise TypeError(f"recompute() got an unexpected keyword argument '{min(unknown)}'")
        warn_once("Cell.recompute changes nothing: the compiler chooses what to keep for gradients.")

    def set_comm_fusion(self, fusion_type, recurse=True):
        """Returns the cell: one device does not communicate."""
        return self

    def set_broadcast_flag(self, mode=True):
        """Returns the cell: one device does not communicate."""
        return self

    def shard(self, in_strategy, out_strategy=None, parameter_plan=None, device="Ascend", level=0):
        """How several devices would share the cell; returns the cell, which one device computes whole; see `parallel.shard`."""
        return shard(self, in_strategy, out_strategy, parameter_plan, device, level)

    # -- hooks

    def register_forward_pre_hook(self, hook_fn):
        """Has `hook_fn(cell_id, inputs)` called before each `construct`; what it returns, if not None, replaces the inputs.

        `inputs` is a tuple. Returns a handle whose `remove()` takes the hook away. Hooks are compiled with the network, so they
        hold what compiled functions may. In graph mode a hook has no effect, as in MindSpore.
        """
        return _hooks.register(self, "forward_pre", hook_fn)

    def register_forward_hook(self, hook_fn):
        """Has `hook_fn(cell_id, inputs, output)` called after each `construct`; what it returns, if not None, replaces the output.

        Else as `register_forward_pre_hook`.
        """
        return _hooks.register(self, "forward", hook_fn)

    def register_backward_hook(self, hook_fn):
        """Has `hook_fn(cell_id, grad_input, grad_output)` called where the gradient passes back through the cell.

        Both are tuples: `grad_input` holds the gradients by the cell's outputs, with which it comes, and `grad_output` those by
        the cell's inputs, with which it goes on. A tuple that the hook returns replaces the latter. Where none of the inputs
        depends on what is differentiated by, the gradient does not pass the cell. Else as `register_forward_pre_hook`.
        """
        return _hooks.register(self, "backward", hook_fn)

    def compile(self, *args, **kwargs):
        """Compiles the cell for arguments like these without running it."""
        from plumb import _engine
        _engine.prepare(self, args, kwargs)

    def compile_and_run(self, *args, **kwargs):
        """Calls the cell."""
        return self(*args, **kwargs)

    def compiled_state(self):
        """What the compiled form depends on beside attributes: mode, element type and hooks."""
        return self.training, self._float_type, self._result_type, *_hooks.hooks_of(self)

    def extend_repr(self):
        """What `repr` shows between the parentheses."""
        return ""

    def __repr__(self):
        inner = self.extend_repr()
        if not self._cells:
            return f"{type(self).__name__}<{inner}>"
        lines = [inner] if inner else []
        lines += [f"({name}): {cell!r}" for name, cell in self._cells.items()]
        return f"{type(self).__name__}<\n  " + "\n".join(lines).replace("\n", "\n  ") + "\n  >"
