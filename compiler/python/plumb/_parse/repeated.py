"""Functions that call a function of the program several times. Compiled code calls them where a `try` may hear of what one of the calls
raises: whether the next call is reached is then a branch.
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


IN_CODE = {"called": called, "folded": folded, "keyed": keyed}
