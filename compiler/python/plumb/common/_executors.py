"""The objects by which programs compile a cell ahead of its first call, and wait for what was computed."""


class _CellGraphExecutor:
    """Compiles cells for given inputs, and runs them."""

    def compile(self, obj, *args, phase="predict", do_convert=True, jit_config_dict=None, **kwargs):
        """Compiles a cell or function for these inputs without running it; returns (the phase, True)."""
        if not hasattr(obj, "compile"):
            raise TypeError(f"For 'compile', the object must be a Cell, but got {type(obj).__name__}; functions are compiled by jit.")
        obj.compile(*args, **kwargs)
        return phase, True

    def __call__(self, obj, *args, phase="predict"):
        return obj(*args)


class _PyNativeExecutor:
    """Results are there when a call returns."""

    def sync(self):
        """Returns at once."""


_cell_graph_executor, _pynative_executor = _CellGraphExecutor(), _PyNativeExecutor()
