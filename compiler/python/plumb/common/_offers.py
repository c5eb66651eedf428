"""Which names a module offers; what it does not offer says so by name, at the place of use."""

import importlib
import inspect
import sys

from plumb.common._refusals import refused


def offered(space):
    """Returns a module's `__all__`: what it holds but modules and private names."""
    return [name for name, value in space.items() if not name.startswith("_") and not inspect.ismodule(value)
            and value is not offered]


def not_offered(module_name, *late, instead=None):
    """Returns a module's `__getattr__` that names what is missing, and what to use in its place or what is near.

    Args:
      late: modules within it that few programs need: they are imported when they are named.
      instead: advice by name.
    """

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in late:
            return importlib.import_module(f"{module_name}.{name}")
        if name in (instead or ()):
            raise AttributeError(f"'{module_name}.{name}' is not offered by plumb: {instead[name]}.")
        import difflib
        offered = [known for known in vars(sys.modules[module_name]) if not known.startswith("_")]
        near = difflib.get_close_matches(name, offered, n=3)
        hint = f"; near to it: {', '.join(near)}" if near else ""
        raise refused(AttributeError, f"'{module_name}.{name}' is not offered by plumb{hint}.")

    return __getattr__


def only_defaults(owner, **given):
    """Raises ValueError for arguments that are known but not offered: each a pair (value, the one value that is taken)."""
    others = [f"{name}={value!r}" for name, (value, default) in given.items() if value is not default and value != default]
    if others:
        raise refused(ValueError, f"For '{owner}', {', '.join(others)} {'is' if len(others) == 1 else 'are'} not offered; leave "
                                  f"{'it' if len(others) == 1 else 'them'} out.")
