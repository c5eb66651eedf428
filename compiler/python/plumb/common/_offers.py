"""What is not offered says so by name, at the place of use."""

import sys


def not_offered(module_name):
    """Returns a module's `__getattr__` that names what is missing and what is near."""

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        import difflib
        offered = [known for known in vars(sys.modules[module_name]) if not known.startswith("_")]
        near = difflib.get_close_matches(name, offered, n=3)
        hint = f"; near to it: {', '.join(near)}" if near else ""
        raise AttributeError(f"'{module_name}.{name}' is not offered by plumb{hint}.")

    return __getattr__
