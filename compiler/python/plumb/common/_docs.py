"""Docstrings of families of classes or functions, whose arguments their base, or what they call, describes."""

_ARGUMENTS = "\n    Args:\n"


def described_by(base, *kinds):
    """Adds to the docstrings of classes, or functions, what the base's says behind its first line: arguments, inputs, errors; `help` shows
    them of the class alone. A class's own arguments come first."""
    shared = base.__doc__.partition("\n")[2]
    for kind in kinds:
        own = kind.__doc__.rstrip()
        kind.__doc__ = own + "\n" + (shared.replace(_ARGUMENTS, "", 1) if _ARGUMENTS in own else shared)
