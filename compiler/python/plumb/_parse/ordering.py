"""What Python's sorted(), list.sort(), min() and max() are where scalar tensors decide the order: functions that compiled code calls.

Equal items keep their order, as Python has it; of several least or greatest ones the first is given.
"""

from plumb import ops
from plumb._parse.letters import Token
from plumb.common._refusals import RefusedTypeError


def ordered(items, keys, reverse=False):
    """Returns the items as a list in the order of their keys, scalar tensors or numbers."""
    order = _order(keys, reverse)
    return [items[order[place]] for place in range(len(items))]


def least(items, keys):
    """Returns the first item whose key is the least."""
    return items[_order(keys, False)[0]]


def greatest(items, keys):
    """Returns the first item whose key is the greatest."""
    return items[_order(keys, True)[0]]


def ordered_items(items, reverse=False):
    """Returns the items, scalar tensors and numbers or a tensor of one axis, as a list in their order."""
    return ordered(list(items), list(items), reverse)


def sort_list(items, reverse=False):
    """Brings the items of a list, scalar tensors and numbers, into their order."""
    items[:] = ordered(items, list(items), reverse)


def _order(keys, reverse):
    if all(isinstance(key, str) for key in keys):
        raise RefusedTypeError("the text of a tensor that is computed is only known when the program runs, so that texts with it have no order "
                               "in compiled functions; order by the tensor itself")
    numbers = [ops.reshape(ops.scalar_to_tensor(key) if isinstance(key, (int, float)) else key, ()) for key in keys]
    if any(number.dtype != numbers[0].dtype for number in numbers):
        raise RefusedTypeError("tensors of several element types have no order in compiled functions, since the result would have one type "
                               "or the other; give them one type with 'astype'")
    return ops.sort(ops.stack(numbers), descending=bool(reverse))[1]


IN_CODE = {"sorted": ordered, "min": least, "max": greatest}


def keyed(name, items, keys, **kwargs):
    """sorted, min or max of `items` with keys that are known."""
    order = range(len(items))
    if name == "sorted":
        return [items[index] for index in sorted(order, key=keys.__getitem__, **kwargs)]
    if not items and "default" in kwargs:
        return kwargs["default"]
    return items[{"min": min, "max": max}[name](order, key=keys.__getitem__)]


class _ByKeys:
    """`keyed`, where the keys may be tensors: the live process tells."""

    def __call__(self, name, items, keys, **kwargs):
        return keyed(name, items, keys, **kwargs)


BY_KEYS = _ByKeys()


def are_tensors(items):
    """Whether a tensor is among the items themselves; what only holds tensors, Python orders as long as it need not compare them."""
    return isinstance(items, Token) or isinstance(items, (tuple, list, set)) and any(isinstance(item, Token) for item in items)
