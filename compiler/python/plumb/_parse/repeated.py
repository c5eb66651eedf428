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


IN_CODE = {"called": called, "folded": folded, "keyed": keyed}
