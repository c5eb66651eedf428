"""Functions of Python's library, and marks of functions, in the form in which compiled code calls them."""

import functools
import itertools
import operator

from plumb.common._structures import InCode
from plumb.common.api import Jit


def _given(function):
    return function


def _marked(fn=None, *args, **kwargs):  # pylint: disable=unused-argument
    """What `jit` makes inside of compiled code, which is one program anyway."""
    return _given if fn is None else fn


def _cached(maxsize=128, typed=False):  # pylint: disable=unused-argument
    """`lru_cache`: a function that is called with the same arguments is compiled once anyway."""
    return maxsize if callable(maxsize) else _given


def _wraps(wrapped, *args, **kwargs):  # pylint: disable=unused-argument
    """`wraps`: what calls do depends on no name or text of a function."""
    return _given


def _update_wrapper(wrapper, wrapped, *args, **kwargs):  # pylint: disable=unused-argument
    return wrapper


def _items(keys, value):
    return value[keys[0]] if len(keys) == 1 else tuple([value[key] for key in keys])


def _attribute(value, path):
    for name in path:
        value = getattr(value, name)
    return value


def _attributes(paths, value):
    return _attribute(value, paths[0]) if len(paths) == 1 else tuple([_attribute(value, path) for path in paths])


def _method(name, args, kwargs, value):
    return getattr(value, name)(*args, **kwargs)


def _iadd(a, b):
    a += b
    return a


def _isub(a, b):
    a -= b
    return a


def _imul(a, b):
    a *= b
    return a


def _itruediv(a, b):
    a /= b
    return a


def _ifloordiv(a, b):
    a //= b
    return a


def _imod(a, b):
    a %= b
    return a


def _ipow(a, b):
    a **= b
    return a


def _imatmul(a, b):
    a @= b
    return a


def _iand(a, b):
    a &= b
    return a


def _ior(a, b):
    a |= b
    return a


def _ixor(a, b):
    a ^= b
    return a


def _ilshift(a, b):
    a <<= b
    return a


def _irshift(a, b):
    a >>= b
    return a


def _groups(iterable, key=None):
    """`itertools.groupby`: the items of a group can be taken until the next group is. The keys are computed at once."""
    groups, present = [], [0]
    for item in iterable:
        name = item if key is None else key(item)
        if len(groups) > 0 and groups[-1][0] == name:
            groups[-1][1].append(item)
        else:
            groups.append((name, [item]))

    def taken(number):
        present[0] = number
        return () if number == len(groups) else (groups[number][0], filter(lambda item: present[0] == number, groups[number][1]))

    return filter(None, map(taken, range(len(groups) + 1)))


def _chain(*iterables):
    return (item for iterable in iterables for item in iterable)


def _from_iterable(iterables):
    return (item for iterable in iterables for item in iterable)


def _islice(iterable, *bounds):
    if not 1 <= len(bounds) <= 3:
        raise TypeError(f"islice() takes from 2 to 4 arguments, but got {1 + len(bounds)}")
    if any([bound is not None and bound < 0 for bound in bounds]) or bounds[2:] == (0,):
        raise ValueError(f"islice() takes None and ints from 0 on, and steps from 1 on, but got {bounds}")
    first, last, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    first, step = first or 0, step or 1
    numbers = itertools.count() if last is None else range(last)
    return (item for number, item in zip(numbers, iterable) if number >= first and (number - first) % step == 0)


def _starmap(function, iterable):
    return map(lambda row: function(*row), iterable)


def _filterfalse(predicate, iterable):
    return filter(lambda item: not (item if predicate is None else predicate(item)), iterable)


def _takewhile(predicate, iterable):
    """`itertools.takewhile`: the predicate is called for all items when it is made."""
    taken = []
    for item in iterable:
        if not predicate(item):
            break
        taken.append(item)
    return iter(taken)


def _dropwhile(predicate, iterable):
    drops = [True]

    def is_left(item):
        if drops[0] and not predicate(item):
            drops[0] = False
        return not drops[0]

    return filter(is_left, iterable)


def _repeat(object, times=None):
    return map(lambda _: object, itertools.count() if times is None else range(times))


def _cycle(iterable):
    items = list(iterable)
    return map(lambda number: items[number % len(items)], itertools.count() if items else ())


#: Functions that go through iterators, by those of Python's: calls of these are calls of them from the start, so that iterators are
#: theirs to take items of.
ITERATORS = {itertools.chain: _chain, itertools.chain.from_iterable: _from_iterable, itertools.cycle: _cycle, itertools.dropwhile: _dropwhile,
             itertools.filterfalse: _filterfalse, itertools.groupby: _groups, itertools.islice: _islice, itertools.repeat: _repeat,
             itertools.starmap: _starmap, itertools.takewhile: _takewhile}
_ALWAYS = {**ITERATORS, Jit: _marked, functools.lru_cache: _cached, functools.cache: _given, functools.wraps: _wraps,
           functools.update_wrapper: _update_wrapper}
_ON_TENSORS = {
    operator.add: lambda a, b: a + b,
    operator.sub: lambda a, b: a - b,
    operator.mul: lambda a, b: a * b,
    operator.truediv: lambda a, b: a / b,
    operator.floordiv: lambda a, b: a // b,
    operator.mod: lambda a, b: a % b,
    operator.pow: lambda a, b: a ** b,
    operator.matmul: lambda a, b: a @ b,
    operator.and_: lambda a, b: a & b,
    operator.or_: lambda a, b: a | b,
    operator.xor: lambda a, b: a ^ b,
    operator.lt: lambda a, b: a < b,
    operator.le: lambda a, b: a <= b,
    operator.gt: lambda a, b: a > b,
    operator.ge: lambda a, b: a >= b,
    operator.eq: lambda a, b: a == b,
    operator.ne: lambda a, b: a != b,
    operator.neg: lambda a: -a,
    operator.pos: lambda a: +a,
    operator.abs: abs,
    operator.invert: lambda a: ~a,
    operator.not_: lambda a: not a,
    operator.truth: bool,
    operator.getitem: lambda a, b: a[b],
    operator.is_: lambda a, b: a is b,
    operator.is_not: lambda a, b: a is not b,
    operator.contains: lambda a, b: b in a,
    operator.concat: lambda a, b: a + b,
    operator.lshift: lambda a, b: a << b,
    operator.rshift: lambda a, b: a >> b,
    operator.iadd: _iadd,
    operator.isub: _isub,
    operator.imul: _imul,
    operator.itruediv: _itruediv,
    operator.ifloordiv: _ifloordiv,
    operator.imod: _imod,
    operator.ipow: _ipow,
    operator.imatmul: _imatmul,
    operator.iand: _iand,
    operator.ior: _ior,
    operator.ixor: _ixor,
    operator.ilshift: _ilshift,
    operator.irshift: _irshift,
    operator.iconcat: _iadd,
}


def in_code(callee, on_tensors):
    """Returns the function that compiled code calls for `callee`, and the arguments before the call's own; nothing where Python computes it.

    Args:
      callee: what is called.
      on_tensors: whether tensors or functions of compiled code are among the arguments.
    """
    if isinstance(callee, InCode):
        return callee.in_code()
    if isinstance(callee, (type, type(operator.add), type(in_code))):
        found = _ALWAYS.get(callee) or (_ON_TENSORS.get(callee) if on_tensors else None)
        return found and (found, ())
    if not on_tensors:
        return None
    if isinstance(callee, operator.itemgetter):
        return _items, (callee.__reduce__()[1],)
    if isinstance(callee, operator.attrgetter):
        return _attributes, (tuple(tuple(path.split(".")) for path in callee.__reduce__()[1]),)
    if isinstance(callee, operator.methodcaller):
        kind, args = callee.__reduce__()
        kwargs = kind.keywords if isinstance(kind, functools.partial) else {}
        name, *rest = (kind.args if isinstance(kind, functools.partial) else ()) + args
        return _method, (name, tuple(rest), kwargs)
    return None
