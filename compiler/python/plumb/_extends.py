"""`mindspore._extends`: the decorator that cells of programs have on their constructors."""


def cell_attr_register(fn=None, attrs=None):
    """Leaves a constructor as it is: compiled programs are kept by what the cell holds, not by its constructor's arguments."""
    del attrs
    return fn if fn is not None else lambda constructor: constructor
