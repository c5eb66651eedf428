"""Which function stands for which ONNX operator, from which version of its operator set on."""

import inspect

_functions = {}


class Operator:
    """A function for an operator.

    Attributes:
      function: takes the operator's inputs by position, None for one that is left out, and its attributes by name. One that names
        `outputs` is told how many are wanted, one that names `training` whether the network is in training.
      since: the first version of the operator set that it is for.
      known: positions of inputs whose values must be known while compiling: shapes, axes, numbers of places.
      takes: the names of the function's parameters.
      least, most: how many inputs it takes; None for any number.
      fixed: positions of inputs that no optimizer may change, such as running averages.
    """

    def __init__(self, function, since, known, fixed):
        self.function, self.since, self.known, self.fixed = function, since, known, fixed
        parameters = inspect.signature(function).parameters.values()
        self.takes = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
        self.least = len([one for one in parameters if one.default is one.empty and one.kind == one.POSITIONAL_OR_KEYWORD])
        self.most = None if any(one.kind == one.VAR_POSITIONAL for one in parameters) else len(self.takes)


def operator(name, since=1, known=(), fixed=(), domain=""):
    """Makes a decorator, or a function of a function, that enters it for an operator."""
    def enter(function):
        _functions.setdefault((domain, name), []).append(Operator(function, since, known, fixed))
        return function
    return enter


def find(domain, name, version):
    """The Operator of a version of a domain's operator set; None where there is none."""
    found = [one for one in _functions.get((domain, name), ()) if one.since <= version]
    return max(found, key=lambda one: one.since) if found else None


def offered():
    """The names of all operators offered, with their domains in front where it is not ONNX's own."""
    return sorted(name if not domain else f"{domain}.{name}" for domain, name in _functions)
