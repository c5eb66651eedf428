"""Hooks of cells: functions called before and after `construct`, and with its gradients, compiled with it. Those that cannot be, since
they read values or collect them in lists, Python calls.

A cell that has hooks is compiled with `hooked` in place of its own `construct`, which is called `unhooked` there. Hooks of
gradients need the gradients on both sides of the cell, which are known at different places: the rule of `_End`, behind the cell,
hands those of its outputs on to the rule of `_Begin`, before the cell, as gradients of zeros.
"""

import warnings

from plumb import context
from plumb.common import _taping
from plumb.ops._primitive import Composite, Primitive

_TABLES = ("forward_pre_hooks", "forward_hooks", "backward_hooks")
results_like = Primitive("results_like")  # zeros of the types that a call would return


def _changed(hooks, cell_id, by_outputs, gradients):
    """The gradients by a cell's inputs that its hooks leave."""
    for hook in hooks:
        changed = hook(cell_id, by_outputs, gradients)
        if changed is not None:
            if not isinstance(changed, tuple):
                raise TypeError("The return gradient of cell backward hook function should be a tuple!")
            if len(changed) != len(gradients):
                raise ValueError("The return gradients of cell backward hook function should be as many as the inputs of "
                                 "the cell")
            gradients = changed
    return gradients


class _Begin(Composite):
    """Gives what it takes; its rule calls the hooks."""

    def __init__(self, cell_id, hooks):
        super().__init__()
        self.cell_id, self.hooks = cell_id, hooks

    def construct(self, inputs, zeros):
        """Compiled body."""
        return inputs, zeros

    def bprop(self, inputs, zeros, out, dout):
        """The rule of its gradients."""
        return _changed(self.hooks, self.cell_id, dout[1], dout[0]), zeros


class _End(Composite):
    """Gives its first input; both have its gradient."""

    def construct(self, outputs, zeros):
        """Compiled body."""
        return outputs

    def bprop(self, outputs, zeros, out, dout):
        """The rule of its gradients."""
        return dout, dout


class HookHandle:
    """One registered hook; `remove` takes it away."""

    def __init__(self, cell=None, table=None, hook_fn=None):
        self._cell, self._table, self._hook = cell, table, hook_fn
        if cell is not None:
            for name in _TABLES:
                cell.__dict__.setdefault(name, ())
            cell.__dict__["hook_id"] = f"{type(cell).__name__}({id(cell)})"
            self._set(cell.__dict__[table] + (hook_fn,))

    def remove(self):
        """Takes the hook away; a second call does nothing."""
        hooks = list(self._cell.__dict__[self._table]) if self._cell is not None else []
        if self._hook in hooks:
            hooks.remove(self._hook)
            self._set(tuple(hooks))

    def _set(self, hooks):
        held = self._cell.__dict__
        held[self._table] = hooks
        if self._table == "backward_hooks":
            held["hook_begin"], held["hook_end"] = _Begin(held["hook_id"], hooks), _End()


def register(cell, kind, hook_fn):
    """Registers a hook of the kind "forward_pre", "forward" or "backward"; returns its handle."""
    if not callable(hook_fn):
        raise TypeError(f"When using 'register_{kind}_hook(hook_fn)', the type of 'hook_fn' must be python function, but got "
                        f"{type(hook_fn)}.")
    if context.get_context("mode") == context.GRAPH_MODE:
        warnings.warn(f"'register_{kind}_hook' has no effect in graph mode; register the hook after "
                      f"set_context(mode=PYNATIVE_MODE).", stacklevel=3)
        return HookHandle()
    if kind == "backward" and hasattr(cell, "bprop"):
        warnings.warn(f"The hook has no effect: the gradient of {type(cell).__name__} is its own 'bprop', which can do what the "
                      f"hook is for.", stacklevel=3)
        return HookHandle()
    return HookHandle(cell, f"{kind}_hooks", hook_fn)


def has_hooks(cell):
    """Whether compiled code must call hooks of the cell."""
    return any(cell.__dict__.get(table) for table in _TABLES)


def hooks_of(cell):
    """All hooks of a cell."""
    held = cell.__dict__
    return [hook for table in _TABLES if table in held for hook in held[table]]


def run(cell, inputs, kwargs):
    """A call of a cell by Python, with its hooks: those of gradients are called when the tape comes back to where they stand."""
    held, tape, by_outputs = cell.__dict__, _taping.current(), []
    backward = held.get("backward_hooks") if tape is not None else None
    for hook in held.get("forward_pre_hooks", ()):
        changed = hook(cell.hook_id, inputs)
        if changed is not None:
            inputs = _as_tuple(changed)
    if backward:
        inputs = tape.passed(inputs, lambda gradients: _changed(backward, cell.hook_id, by_outputs.pop(), gradients))
    output = cell.construct(*inputs, **kwargs)
    if backward:
        outputs = tape.passed(_as_tuple(output), lambda gradients: by_outputs.append(gradients) or gradients)
        output = outputs if isinstance(output, tuple) else outputs[0]
    for hook in held.get("forward_hooks", ()):
        changed = hook(cell.hook_id, inputs, output)
        output = output if changed is None else changed
    return output


def hooked(self, *inputs, **kwargs):
    """The cell's `construct` between its hooks; compiled."""
    for hook in self.forward_pre_hooks:
        changed = hook(self.hook_id, inputs)
        if changed is not None:
            inputs = changed if isinstance(changed, tuple) else (changed,)
    if self.backward_hooks:
        inputs, zeros = self.hook_begin(inputs, _as_tuple(results_like(self.unhooked, *inputs, **kwargs)))
        output = self.unhooked(*inputs, **kwargs)
        outputs = self.hook_end(_as_tuple(output), zeros)
        output = outputs if isinstance(output, tuple) else outputs[0]
    else:
        output = self.unhooked(*inputs, **kwargs)
    for hook in self.forward_hooks:
        changed = hook(self.hook_id, inputs, output)
        if changed is not None:
            output = changed
    return output


def of_class(self, *inputs, **kwargs):
    """A `construct` that is a static method or one of the class, as a method of the cell; compiled."""
    return self.construct_of_class(*inputs, **kwargs)


def _as_tuple(value):
    return value if isinstance(value, tuple) else (value,)
