"""Iterators that compute their items when these are taken: generator expressions, map, filter, zip, enumerate, itertools. Rows of
language_table.py."""

import itertools
import re

from language_errors import refused

TENSOR_ROWS = []


def tensor(what):
    """Enters a function of a tensor under `what` it shows."""
    return lambda function: TENSOR_ROWS.append((what, function)) or function


def noted(log, value):
    """Keeps a value in a log."""
    log.append(value)
    return value


@tensor("any, all, next, zip and islice of generator expressions: nothing is computed behind the item that ends them")
def ends_early(x):
    log = []
    ends = any(noted(log, i) > 1 for i in range(5)), all(noted(log, i) < 2 for i in range(5)), next(noted(log, 7 // (3 - i)) for i in range(5))
    nested = any(noted(log, (i, j)) == (1, 0) for i in range(3) if noted(log, i) != 0 for j in range(2))
    own = any(sum([f(i) for f in [lambda i, j=j: noted(log, i * j) for j in range(3)]]) > 2 for i in range(5))
    methods = all([items.append(i) or noted(log, items) for items in [[]]] for i in range(2))
    rows = list(zip(range(2), (noted(log, i) for i in range(9)))), list(zip((noted(log, i) for i in range(9)), "ab"))
    parts = list(itertools.islice((noted(log, i) for i in range(9)), 1, 4, 2)), list(itertools.islice((noted(log, i) for i in range(9)), 0))
    endless = next(i for i in itertools.count() if i * i > 50), list(zip((i * i for i in itertools.count()), "abc"))
    return x, ends, nested, own, methods, rows, parts, endless, log


@tensor("generator expressions, map and filter that names, loops and functions keep: items are computed when they are taken, by the names' values then")
def computes_late(x):
    log, factor, total, y = [], 1, 0, x
    scaled, whole, odd = (x * i * factor for i in range(2)), map(lambda i: noted(log, i) * factor, [1, 2, 3]), filter(lambda i: noted(log, -i) % 2, range(5))
    factor = 5
    first = next(whole), next(odd), next((noted(log, "none") for _ in ()), None)
    log.append("between")
    for item in (x * i * factor for i in range(3)):
        factor = factor + 1
        y = y + item
    for number in map(lambda value: noted(log, value), range(9)):
        total = total + number
        if number == 2:
            break
    return list(scaled), first, any(value > 9 for value in whole), list(odd), y, total, log


@tensor("zip and enumerate of iterators: rows are taken one by one")
def takes_rows(x):
    log, factor, found = [], 1, []
    for index, value in enumerate((x * i * factor for i in range(3)), 1):
        factor = factor + 1
        found.append(value * index)
    for one, other in zip((noted(log, i) for i in range(5)), (noted(log, -i) for i in range(5))):
        if one > 1:
            break
    items, numbers = iter([1, 2, 3, 4, 5]), itertools.count()
    pairs = zip(items, items)
    first, second = next(pairs), next(items)
    steps = [(number, letter, next(numbers)) for number, letter in zip(numbers, "abc")]
    return found, one, other, log, first, second, list(pairs), list(items), steps, next(numbers)


@tensor("loops over generator expressions, map and zip that a tensor ends: each item is computed by what the iterations before have left")
def ended_by_tensor(x):
    y, z, counted = x, x, [0]

    def scaled(value):
        counted[0] = counted[0] + value
        return value * y

    for item in map(scaled, [1, 2, 3]):
        if item.sum() > 40:
            break
        y = y + item
    for index, item in enumerate(z * i for i in (1, 2, 3)):
        if item.sum() > 30:
            break
        z = z + item * index
    return y, z, counted[0] * x


def fresh(numbers):
    """Takes a number."""
    return next(numbers)


@tensor("itertools.count that a name keeps, in functions, loops, and on one side of a branch on a tensor")
def counts(x):
    ids, steps = itertools.count(3), itertools.count(1, 0.5)
    made = [fresh(ids) for _ in range(2)], dict(zip(ids, "ab"))
    for number in itertools.count(10, -2):
        if number < 5:
            break
    if x.sum() > 0:
        y = x * fresh(ids)
    else:
        y = x
    return made, number, next(steps) + next(steps), y * fresh(ids)


@tensor("itertools.groupby: each group's items can be taken until the next group is")
def grouped(x):
    pairs = [("a", x), ("a", x * 2), ("b", 3), ("a", 4)]
    plain = [(key, list(items)) for key, items in itertools.groupby([1, 1, 2, 1])]
    by_name = {key: [value for _, value in items] for key, items in itertools.groupby(pairs[:3], key=lambda pair: pair[0])}
    sizes = [(size, len(list(words))) for size, words in itertools.groupby(["a", "b", "cc"], len)]
    late = [list(items) for _, items in list(itertools.groupby([1, 1, 2]))]
    first = next(itertools.groupby("aab"))
    return plain, by_name, sizes, late, first[0], next(first[1]), list(first[1]), list(itertools.groupby([]))


@tensor("generators behind an exception have ended, map has not")
def behind_exceptions(x):
    found, broken, mapped = [], (1 // i for i in (1, 0, 2)), map(lambda i: 1 // i, (1, 0, 2))
    for parts in (broken, mapped):
        for _ in range(4):
            try:
                found.append(next(parts))
            except ZeroDivisionError:
                found.append("zero")
            except StopIteration:
                found.append("stop")
    return x, found


@tensor("generator expressions of several loops, and with lambdas and other generators inside: items are computed when they are taken")
def computes_nested(x):
    log, factor, rows = [], 1, [[1, 2], [3, 4], [5]]
    pairs = ((i, j, i * j * factor) for i in range(1, 3) if noted(log, i) for j in range(2))
    first, seen = next(pairs), list(log)
    ends, functions = (any(value > factor for value in row) for row in rows), (lambda value: value * i * factor for i in range(1, 4))
    end, function = next(ends), next(functions)
    before = function(1)
    factor = 10
    products = [next(functions)(1), function(1), *[other(1) for other in functions], function(1)]
    inner = [list(part) for part in ((i * j for j in range(2)) for i in range(3))]
    triples = ((i, j, k) for i in itertools.count() for j in range(2) for k in "ab")
    return x, first, seen, end, before, list(ends), products, inner, list(pairs), log, [next(triples) for _ in range(5)]


@tensor("generator expressions in inner functions: by the values that names around have when an item is taken")
def computes_around(x):
    factor = 1

    def scaled():
        return (x * i * factor for i in range(4))

    def change():
        nonlocal factor
        factor = factor + 5

    items = scaled()
    first = next(items)
    factor = 2
    second = next(items)
    change()
    return first, second, list(items)


@tensor("map of several iterables: the function is called when an item is taken")
def maps_several(x):
    log, factor, items = [], 1, iter(range(6))
    sums = map(lambda one, other: noted(log, one + other) * factor, [1, 2, 3], (4, 5, 6))
    first, seen = next(sums), list(log)
    factor = 10
    pairs = map(lambda one, other: (one, other), items, items)
    y = x
    for item in map(lambda one, other: y * one + other, [1, 2, 3], (3, 4, 5)):
        if item.sum() > 30:
            break
        y = y + item
    return y, first, seen, list(sums), next(pairs), next(items), list(pairs)


@tensor("iterators of Python's library that a name keeps: each item is taken once")
def takes_once(x):
    both, pairs, sums = itertools.chain([x], (x * 2, 3)), itertools.product([1, 2], "ab"), itertools.accumulate([1, 2, 3])
    first = next(both)
    for number in sums:
        break
    rows = [list(zip(part, part)) for part in (itertools.chain([1, 2], [3, 4]),)]
    one, other = itertools.tee([1, 2])
    found = [match.group() for match in re.finditer("a.", "abac")], bool(itertools.chain([], [])), bool(zip())
    return first, list(both), list(both), len(list(pairs)), list(pairs), number, list(sums), rows, next(one), list(other), list(one), found


@tensor("itertools.chain, islice, starmap, filterfalse, dropwhile, takewhile, repeat and cycle: of iterators, endless ones and inner functions")
def goes_through(x):
    log, factor, items, letters = [], 1, iter(range(10)), itertools.cycle("ab")
    both = itertools.chain((noted(log, i) * factor for i in range(3)), [9])
    first, seen = next(both), list(log)
    factor = 5
    three = list(itertools.islice(items, 3)), next(items), list(itertools.islice(items, 1, 6, 2)), list(items)
    scaled = itertools.starmap(lambda one, other: one * other, [(x, 2), (x, 3)])
    low = iter([1, 2, 5, 1, 0])
    parts = list(itertools.takewhile(lambda value: value < 3, low)), list(low), list(itertools.dropwhile(lambda value: value < 3, [1, 5, 2]))
    other = list(itertools.filterfalse(None, [0, 1])), list(itertools.filterfalse(lambda value: value > 1, range(3)))
    repeated = [one * two for one, two in zip([1, 2], itertools.repeat(x))], list(itertools.repeat(1, 2)), list(zip(range(3), letters)), next(letters)
    return next(scaled), list(scaled), first, seen, list(both), log, three, parts, other, repeated, list(itertools.chain.from_iterable([[1], (2,)]))


@tensor("itertools.islice of bounds that are none")
def slices_wrongly(x):
    found = []
    for bounds in ((), (-1,), (0, 3, 0), (None, 2), (1, None, 2)):
        try:
            found.append(list(itertools.islice(range(5), *bounds)))
        except (TypeError, ValueError) as problem:
            found.append(type(problem).__name__)
    return x, found


@refused("a loop over numbers without an end that a tensor ends", RuntimeError, "where a tensor ends the loop, use `while`")
def ends_endless(x):
    for number in itertools.count():
        if x.sum() < number:
            break
    return x * number


@refused("filter() by a condition on a tensor", TypeError, "a tensor decides whether there is a next item here")
def filters_by_tensor(x):
    return next(filter(lambda value: (x * value).sum() > 0, (1, 2)))
