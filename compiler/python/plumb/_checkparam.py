"""`mindspore._checkparam`: checks of arguments, as constructors of programs' own cells make them.

Each takes the argument's value, its name and the name of what it is an argument of, and gives the value or raises.
"""

import functools
import inspect
import math
import operator

GT, GE, LT, LE, EQ, NE = "GT", "GE", "LT", "LE", "EQ", "NE"
IN, NOT_IN = "IN", "NOT_IN"
INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH = "INC_NEITHER", "INC_LEFT", "INC_RIGHT", "INC_BOTH"

_RELATIONS = {GT: (operator.gt, ">"), GE: (operator.ge, ">="), LT: (operator.lt, "<"), LE: (operator.le, "<="), EQ: (operator.eq, "=="),
              NE: (operator.ne, "!="), IN: (lambda value, known: value in known, "in"),
              NOT_IN: (lambda value, known: value not in known, "not in")}
_RANGES = {INC_NEITHER: (operator.lt, operator.lt, "({}, {})"), INC_LEFT: (operator.le, operator.lt, "[{}, {})"),
           INC_RIGHT: (operator.lt, operator.le, "({}, {}]"), INC_BOTH: (operator.le, operator.le, "[{}, {}]")}


def _named(arg_name, prim_name):
    owner = f"For '{prim_name}', the" if prim_name else "The"
    return f"{owner} '{arg_name}'" if arg_name else f"{owner} value"


def check(arg_name, arg_value, value_name, value, rel=EQ, prim_name=None, excp_cls=ValueError):
    """Compares an argument with another value."""
    compare, sign = _RELATIONS[rel]
    if not compare(arg_value, value):
        raise excp_cls(f"{_named(arg_name, prim_name)} should be {sign} {value_name}: {value}, but got {arg_value}.")
    return arg_value


def _whole(value, arg_name, prim_name):
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{_named(arg_name, prim_name)} must be int, but got {type(value).__name__}.")
    return value


def _real(value, arg_name, prim_name, kinds=(int, float)):
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise TypeError(f"{_named(arg_name, prim_name)} must be {' or '.join(kind.__name__ for kind in kinds)}, but got "
                        f"{type(value).__name__}.")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{_named(arg_name, prim_name)} must be finite, but got {value}.")
    return value


def check_number(arg_value, value, rel, arg_type=int, arg_name=None, prim_name=None):
    """A number that compares with another as `rel` says."""
    _real(arg_value, arg_name, prim_name, (arg_type,))
    return check(arg_name, arg_value, "value", value, rel, prim_name)


def check_int(arg_value, value, rel, arg_name=None, prim_name=None):
    """An int that compares with another number as `rel` says."""
    return check_number(arg_value, value, rel, int, arg_name, prim_name)


def check_float(arg_value, value, rel, arg_name=None, prim_name=None):
    """A float that compares with another number as `rel` says."""
    return check_number(arg_value, value, rel, float, arg_name, prim_name)


def check_is_int(arg_value, arg_name=None, prim_name=None):
    """An int."""
    return _whole(arg_value, arg_name, prim_name)


def check_is_float(arg_value, arg_name=None, prim_name=None):
    """A float."""
    return _real(arg_value, arg_name, prim_name, (float,))


def check_is_number(arg_value, arg_type=int, arg_name=None, prim_name=None):
    """A number of a type."""
    return _real(arg_value, arg_name, prim_name, (arg_type,))


def check_positive_int(arg_value, arg_name=None, prim_name=None):
    """An int above 0."""
    return check_int(arg_value, 0, GT, arg_name, prim_name)


def check_non_negative_int(arg_value, arg_name=None, prim_name=None):
    """An int of at least 0."""
    return check_int(arg_value, 0, GE, arg_name, prim_name)


def check_equal_int(arg_value, value, arg_name=None, prim_name=None):
    """A certain int."""
    return check_int(arg_value, value, EQ, arg_name, prim_name)


def check_positive_float(arg_value, arg_name=None, prim_name=None):
    """A float above 0."""
    return check_float(arg_value, 0, GT, arg_name, prim_name)


def check_non_negative_float(arg_value, arg_name=None, prim_name=None):
    """A float of at least 0."""
    return check_float(arg_value, 0, GE, arg_name, prim_name)


def check_number_range(arg_value, lower_limit, upper_limit, rel, value_type, arg_name=None, prim_name=None):
    """A number of a type between two limits, of which `rel` includes none, one or both."""
    _real(arg_value, arg_name, prim_name, (value_type,))
    above, below, text = _RANGES[rel]
    if not (above(lower_limit, arg_value) and below(arg_value, upper_limit)):
        raise ValueError(f"{_named(arg_name, prim_name)} should be in the range of {text.format(lower_limit, upper_limit)}, but got "
                         f"{arg_value}.")
    return arg_value


def check_int_range(arg_value, lower_limit, upper_limit, rel, arg_name=None, prim_name=None):
    """An int between two limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, int, arg_name, prim_name)


def check_float_range(arg_value, lower_limit, upper_limit, rel, arg_name=None, prim_name=None):
    """A float between two limits."""
    return check_number_range(arg_value, lower_limit, upper_limit, rel, float, arg_name, prim_name)


def check_bool(arg_value, arg_name=None, prim_name=None):
    """A bool."""
    if not isinstance(arg_value, bool):
        raise TypeError(f"{_named(arg_name, prim_name)} must be a bool, but got {type(arg_value).__name__}.")
    return arg_value


def check_string(arg_value, valid_values, arg_name=None, prim_name=None):
    """One of some strings."""
    if not isinstance(arg_value, str) or arg_value not in valid_values:
        raise ValueError(f"{_named(arg_name, prim_name)} must be str and must be in '{valid_values}', but got '{arg_value}'.")
    return arg_value


def check_value_type(arg_name, arg_value, valid_types, prim_name=None):
    """A value of one of some types; a bool is an int only where bool is named."""
    kinds = tuple(valid_types) if isinstance(valid_types, (list, tuple, set)) else (valid_types,)
    if not isinstance(arg_value, kinds) or isinstance(arg_value, bool) and bool not in kinds:
        raise TypeError(f"{_named(arg_name, prim_name)} must be {' or '.join(kind.__name__ for kind in kinds)}, but got "
                        f"{type(arg_value).__name__}.")
    return arg_value


def check_isinstance(arg_name, arg_value, classes):
    """An object of one of some classes."""
    if not isinstance(arg_value, classes):
        raise TypeError(f"The '{arg_name}' should be an object of {classes}, but got {type(arg_value).__name__}.")
    return arg_value


def _spelled(kinds):
    return ", ".join(getattr(kind, "__name__", str(kind)) for kind in kinds)


def check_type_name(arg_name, arg_type, valid_types, prim_name):
    """A type or dtype of some."""
    kinds = tuple(valid_types) if isinstance(valid_types, (list, tuple, set)) else (valid_types,)
    if arg_type not in kinds:
        raise TypeError(f"{_named(arg_name, prim_name)} should be one of {_spelled(kinds)}, but got {_spelled([arg_type])}.")
    return arg_type


def check_subclass(arg_name, type_, template_types, prim_name):
    """A dtype of some, or a class that comes of one of some."""
    kinds = tuple(template_types) if isinstance(template_types, (list, tuple, set)) else (template_types,)
    classes = tuple(kind for kind in kinds if isinstance(kind, type))
    if type_ not in kinds and not (isinstance(type_, type) and issubclass(type_, classes)):
        raise TypeError(f"For '{prim_name}', the element of '{arg_name}' must be one of {_spelled(kinds)}, but got "
                        f"{_spelled([type_])}.")


def check_types_same_and_valid(args, valid_values, prim_name):
    """Dtypes by the names of their arguments, all the same one of some."""
    first = next(iter(args), None)
    for name, given in args.items():
        check_subclass(name, given, valid_values, prim_name)
        if given != args[first]:
            raise TypeError(f"For '{prim_name}', the type of '{name}' should be same as '{first}', but got {_spelled([given])} and "
                            f"{_spelled([args[first]])}.")


def args_type_check(*positions, **names):
    """Returns a decorator of functions: arguments by position or by name are of the classes that are given, or TypeError is raised."""
    def decorate(function):
        signature = inspect.signature(function)
        expected = signature.bind_partial(*positions, **names).arguments

        @functools.wraps(function)
        def called(*args, **kwargs):
            for name, value in signature.bind(*args, **kwargs).arguments.items():
                if name in expected and not isinstance(value, expected[name]):
                    raise TypeError(f"The parameter '{name}' must be {expected[name]}, but got {type(value)}")
            return function(*args, **kwargs)
        return called
    return decorate


class _Checks:
    """The functions of this module as MindSpore 1.x has them."""


for _name, _function in list(globals().items()):
    if _name.startswith("check"):
        setattr(_Checks, _name, staticmethod(_function))

Validator = _Checks


class Rel:
    """How two numbers compare, as MindSpore 1.x spells it."""

    GT, GE, LT, LE, EQ, NE, IN, NOT_IN = GT, GE, LT, LE, EQ, NE, IN, NOT_IN
    INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH = INC_NEITHER, INC_LEFT, INC_RIGHT, INC_BOTH
