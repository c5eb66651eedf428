"""Functions of one sparse tensor, element by element: each is that of the stored values, `csr_` and `coo_` before its name."""

from plumb.common.sparse_tensor import COOTensor, CSRTensor
from plumb.ops import _functions as F
from plumb.ops.function import activation, compare, elementwise, mathematical

_OF_VALUES = {name: getattr(module, name) for module, names in (
    (elementwise, "cos exp expm1 sqrt log floor ceil log1p tanh sin"),
    (mathematical, "tan asin acos atan sinh cosh round asinh acosh atanh"),
    (compare, "isfinite isnan isinf"),
    (activation, "softsign sigmoid"),
    (F, "relu relu6 square neg abs"),
) for name in names.split()} | {"inv": elementwise.reciprocal}


def _unary(name, kind, function):
    def apply(x):
        if not isinstance(x, kind):
            raise TypeError(f"For '{name}', the input must be a {kind.__name__}, but got {type(x).__name__}.")
        return x.with_values(function(x.values))

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"The {kind.__name__} with `{name[4:]}` of its values; all else stays 0."
    return apply


__all__ = []
for _name, _function in _OF_VALUES.items():
    for _prefix, _kind in (("csr_", CSRTensor), ("coo_", COOTensor)):
        globals()[_prefix + _name] = _unary(_prefix + _name, _kind, _function)
        __all__.append(_prefix + _name)
