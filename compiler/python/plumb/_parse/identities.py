"""Which objects are one: what the live process says of the tensors that a program is called with, and of those that it has as constants.

What it says of arguments holds for the calls that give one object in the same places: `_engine` tells such calls apart.
"""

from plumb._parse import letters


class Identities:
    """Part of the live process.

    Args:
      sources: which tensors the program's arguments are, see `_programs.Program`.

    Attributes:
      asked: where the program asks which of its arguments are one tensor, the ids of the constants that it asks about; else None.
    """

    printer = None  # whom the live process asks

    def __init__(self, sources):
        self.sources, self.asked = sources, None

    def do_shared(self, one, other):
        """Whether two of the program's arguments are one tensor."""
        self.asked = self.asked or set()
        return bool(self.sources) and self.sources[one] == self.sources[other]

    def do_outside(self, argument, constant):
        """Whether one of the program's arguments is the tensor that a constant stands for; None where that may be another one, too."""
        found = self.printer.tensors_like(constant)
        self.asked = (self.asked or set()) | found
        return None if len(found) > 1 and found & set(self.sources) else bool(self.sources) and self.sources[argument] in found

    def do_alone(self, constant):
        """True where one tensor alone is a constant of these elements; None where it is not known which one."""
        return True if len(self.printer.tensors_like(constant)) == 1 else None


def is_told_by_identity(value):
    """Whether a function of the interpreter's, or a method of a list, dict or set, is a value or stands in it."""
    if isinstance(value, (tuple, frozenset)):
        return any(map(is_told_by_identity, value))
    return isinstance(value, letters.Function) or letters.is_method_of_container(value)


def check_call(callee, args):
    """Checks a call of hash() or id().

    Raises:
      TokenNeeded: for what has no identity while compiling.
    """
    if callee is hash and any(map(is_told_by_identity, args)):
        raise letters.TokenNeeded("hash() of a function or a method that is made in a compiled function is not known while compiling; use it as "
                                  "a key, or compare it by '=='")
    if callee is id and any(isinstance(item, (letters.Token, tuple, list, dict, set)) for item in args):
        what = "a function" if any(isinstance(item, letters.Function) for item in args) else \
            "a tensor" if any(isinstance(item, letters.Token) for item in args) else f"a {type(args[0]).__name__}"
        raise letters.TokenNeeded(f"{what} has no identity in compiled functions that id() could give; compare by `is`")
