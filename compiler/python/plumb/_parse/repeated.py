"""Functions of Python's that call functions of the program, as compiled code runs them.

Some call one several times: compiled code calls them where a `try` may hear of what one of the calls raises, as whether the next call is
reached is then a branch.
"""

from plumb._parse.ordering import BY_KEYS


def called(function, rows):
    """Returns a tuple of what `function` returns for each row of arguments."""
    made = []
    for row in rows:
        made.append(function(*row))
    return tuple(made)


def folded(function, first, items):
    """Returns functools.reduce(function, items, first)."""
    total = first
    for item in items:
        total = function(total, item)
    return total


def keyed(name, items, rows, key, options):
    """Returns sorted, min or max of `items` by the keys that `key` returns for the rows of arguments."""
    keys = called(key, rows)
    return BY_KEYS(name, items, keys, **options)


def cached(owner, name, getter):
    """Returns what a functools.cached_property gives that has not been read, and keeps it."""
    made = getter(owner)
    vars(owner)[name] = made
    return made


def cached_again(owner, name, getter, is_set, kept):
    """The same where the tensor `is_set` says whether it has been read, and kept."""
    if is_set:
        cached_property = kept
    else:
        cached_property = getter(owner)
    vars(owner)[name] = cached_property
    return cached_property


def next_or(iterator, default):
    """Returns the next item of an object of the program's, or the default behind the last one."""
    try:
        return next(iterator)
    except StopIteration:
        return default


def taken(iterator):
    """Returns a tuple of the next item of an object of the program's, an empty one behind the last."""
    try:
        return (next(iterator),)
    except StopIteration:
        return ()


def found(item, items):
    """Returns whether an item is among those that an object of the program's yields."""
    for other in items:
        if other is item or other == item:
            return True
    return False


def not_found(item, items):
    """Returns whether it is not."""
    return not found(item, items)


def has_attribute(owner, name):
    """Returns whether an object has an attribute that a function computes."""
    try:
        getattr(owner, name)
    except AttributeError:
        return False
    return True


def attribute_or(owner, name, *default):
    """Returns such an attribute, or the default where there is none."""
    try:
        return getattr(owner, name)
    except AttributeError:
        if default:
            return default[0]
        raise


IN_CODE = {"called": called, "folded": folded, "keyed": keyed, "has_attribute": has_attribute, "attribute_or": attribute_or}
