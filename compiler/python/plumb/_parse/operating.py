"""Operators between objects whose classes define them in Python: the order in which methods are tried, as the language reference has it
(3.3.8, "Emulating numeric types").
"""

import functools

_REFLECTED = {"lt": "__gt__", "le": "__ge__", "gt": "__lt__", "ge": "__le__", "eq": "__eq__", "ne": "__ne__"}
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "** or pow()", "matmul": "@",
          "lshift": "<<", "rshift": ">>", "and": "&", "or": "|", "xor": "^", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def attempted(name, left, right, methods):
    """Returns what the first of `methods`, triples of a function and its operands, returns that knows the operands."""
    for method, first, second in methods:
        made = method(first, second)
        if made is not NotImplemented:
            return made
    return WITHOUT_METHODS(name, left, right)


def attempted_in_place(name, method, left, right):
    """Returns what `left += right` stores, `method` being `left.__iadd__`."""
    made = method(left, right)
    return OPERATOR(name, left, right) if made is NotImplemented else made


@functools.lru_cache(maxsize=None)
def in_place(name, method):
    """Returns the function of `left` and `right` that an operator in place is."""
    return functools.partial(attempted_in_place, name, method)


def candidates(name, left, right, own):
    """Returns the methods, with their operands, that Python tries in turn; `own(value, name)` is the one that a class of the program's has."""
    reflected = _REFLECTED.get(name, f"__r{name}__")
    method, other = own(left, f"__{name}__"), own(right, reflected)
    tries_other = other and (name in _REFLECTED or type(left) is not type(right))
    pairs = [(method, left, right)] * bool(method) + [(other, right, left)] * bool(tries_other)
    is_first = issubclass(type(right), type(left)) and type(right) is not type(left) and own(left, reflected) is not other
    return tuple(reversed(pairs) if is_first else pairs)


class _ForLive:
    """A function that the live process computes itself: it looks at what the interpreter holds of the operands."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *_):
        raise AssertionError(f"the live process computes {self.name}")


WITHOUT_METHODS, OPERATOR = _ForLive("what no method knows"), _ForLive("operators")


def without_methods(name, left, right, kinds):
    """Returns what an operator gives that no method knows: whether the operands are one object, or a TypeError."""
    if name in ("eq", "ne"):
        return (left is right) == (name == "eq")
    one, other = (kind.__name__ for kind in kinds)
    if name in _REFLECTED:
        raise TypeError(f"'{_SIGNS[name]}' not supported between instances of '{one}' and '{other}'")
    raise TypeError(f"unsupported operand type(s) for {_SIGNS[name]}: '{one}' and '{other}'")
