"""Hooks of cells: functions called before and after `construct`, compiled with it.

A cell that has hooks is compiled with `hooked` in place of its own `construct`, which is called `unhooked` there.
"""


class HookHandle:
    """One registered hook; `remove` takes it away."""

    def __init__(self, cell, table, hook_fn):
        if not callable(hook_fn):
            raise TypeError(f"When using 'register_{table[:-1]}(hook_fn)', the 'hook_fn' must be a function, but got "
                            f"{type(hook_fn).__name__}.")
        self._cell, self._table, self._hook = cell, table, hook_fn
        for name in ("forward_pre_hooks", "forward_hooks"):
            cell.__dict__.setdefault(name, ())
        cell.__dict__["hook_id"] = f"{type(cell).__name__}({id(cell)})"
        cell.__dict__[table] += (hook_fn,)

    def remove(self):
        """Takes the hook away; a second call does nothing."""
        hooks = list(self._cell.__dict__[self._table])
        if self._hook in hooks:
            hooks.remove(self._hook)
            self._cell.__dict__[self._table] = tuple(hooks)


def has_hooks(cell):
    """Whether compiled code must call hooks of the cell."""
    return bool(cell.__dict__.get("forward_pre_hooks") or cell.__dict__.get("forward_hooks"))


def hooked(self, *inputs, **kwargs):
    """The cell's `construct` between its hooks; compiled."""
    for hook in self.forward_pre_hooks:
        changed = hook(self.hook_id, inputs)
        if changed is not None:
            inputs = changed if isinstance(changed, tuple) else (changed,)
    output = self.unhooked(*inputs, **kwargs)
    for hook in self.forward_hooks:
        changed = hook(self.hook_id, inputs, output)
        if changed is not None:
            output = changed
    return output
