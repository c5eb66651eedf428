"""Keys of dicts and members of sets: functions that a compiled function makes are told by which object they are, objects by their classes.
Rows of language_table.py."""

import dataclasses
import enum
import functools

import plumb as ms
from plumb import nn

TENSOR_ROWS = []
value = 5  # names of functions below: what inner functions see is theirs


def tensor(what):
    """Enters a function of a tensor under `what` it shows."""
    return lambda function: TENSOR_ROWS.append((what, function)) or function


def tripled(x):
    """A function from outside."""
    return x * 3


class Color(enum.Enum):
    """Members of an enum."""
    RED = 1


@dataclasses.dataclass(frozen=True)
class Point:
    """Equal by its contents."""
    x: int
    name: str = ""


class Plain:
    """Told by which object it is."""

    def method(self, x):
        """Of equal objects equal."""
        return x + 100


class Equal:
    """Compared by methods of its own."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Equal) and self.number == other.number

    def __hash__(self):
        return hash(self.number)


OBJECT, CELL = Plain(), nn.ReLU()


@tensor("keys of dicts that are functions made inside, with the names that they see: each definition that runs makes another key")
def inner_functions_as_keys(x):
    def make(factor):
        def scaled(v):
            return v * factor + x
        return scaled

    one, other = make(1), make(1)
    table = {one: "one", other: "other", tripled: x}
    table[one] = "first"
    taken = [table.pop(one), len(table), one in table, table.get(one), table[other], table.setdefault(one, "again"), make(1) in table]
    del table[other]
    same = [(lambda: 0) for _ in range(3)]
    return taken, [key(x) for key in table], len({number: 0 for number in same}), same[0] is same[1], same.index(same[2]), len(set(same))


@tensor("sets and frozensets of functions made inside: operators, methods, comparison")
def sets_of_functions(x):
    def one(v):
        return v + x

    other = lambda v: v
    left, right = {one, other}, {other, tripled}
    frozen = frozenset([one, other])
    left.add(one)
    return (len(left | right), [f(1) for f in left & right], [f is one for f in left - right], len(left ^ right), left == {other, one},
            left <= left | right, frozen == left, one in frozen, isinstance(frozen, frozenset))


@tensor("keys of any kind beside each other: methods, partials, cells, members of enums, objects, None, types, and tuples of them")
def kinds_of_keys(x):
    def own(v):
        return v + x

    part, thing = functools.partial(own), Plain()
    table = dict([(own, 1), (tripled, 2)])
    table.update({own: 5, OBJECT.method: 6})
    table |= {CELL: 7, Color.RED: 8, Point(1, "a"): 9, Equal(3): 10, None: 11, (own, 1): 12, ms.float32: 13, Plain: 14, part: 15, thing: 16}
    keys = [own, OBJECT.method, CELL, Color.RED, Point(1, "a"), Equal(3), None, (own, 1), ms.float32, Plain, part, thing]
    missing = [Plain(), Equal(4), (own, 2), functools.partial(own), Point(1)]
    return [table[key] for key in keys], [key in table for key in missing], list(table.values()), len(dict.fromkeys([own, own, tripled]))


@tensor("dicts of functions made inside, handed to functions that change them, in branches and loops on tensors")
def dicts_of_functions(x):
    value = lambda v: v + x
    further = lambda v: v - x

    def weighted(table, key, v):
        table[further] = v * 4
        total = 0
        for function, weight in table.items():
            total = total + function(v) * weight
        return table[key], total, key is value

    table = {value: x}
    result = weighted(table, value, x)
    if x.sum() > 0:
        table[value] = table[value] + 1
    else:
        table[value] = table[value] - 1
    count = 0
    while x.sum() + 3 > count:
        table[value] += count
        count += 1
    return result, list(table.values()), len(table), [key is value for key in table]


@tensor("dicts of functions that iterations of loops on tensors fill with others, and put in the place of others")
def dicts_of_functions_in_loops(x):
    own = lambda v: v + x
    table, pair, nested = {own: x}, ({own: x}, tripled), {own: own, "more": tripled}
    count = 0
    while x.sum() + 3 > count:
        table[own] = table[own] + 1
        pair = ({own: pair[0].get(own, x * 0) + 1}, lambda v: v)
        nested["more"] = lambda v: v * 2 + x
        count += 1
    return table[own], own in pair[0], pair[0][own], pair[1](x), len(nested), nested["more"](x), nested[own](x), nested[own] is own


@tensor("groups and counts by functions: setdefault, popitem, get, max with a key")
def groups_by_function(x):
    def own(v):
        return v + x

    groups, counts = {}, {}
    for function, number in ((own, 1), (tripled, 2), (own, 3)):
        groups.setdefault(function, []).append(x * number)
        counts[function] = counts.get(function, 0) + 1
    most = max(counts, key=lambda function: counts[function])
    last, items = groups.popitem()
    return most is own, groups[own], last is tripled, items, counts == {tripled: 1, own: 2}


@tensor("== of dicts with tensors, and of sets and dicts in tuples and lists, whatever their order")
def equal_dicts(x):
    left = {"a": x[0, 0], "b": 1}
    known = ({1, 2}, {"a": 1, "b": 2}) == ({2, 1}, {"b": 2, "a": 1}), [{1, 2}] != [{2, 1}], {"a": 1} == {"a": 2}
    return [x + part for part in (left == {"b": 1, "a": x[0, 0] + 0}, left == {"b": 1, "a": x[0, 1]})], known, left == {"a": 1}


class Scaled:
    """Whose methods are keys."""

    def __init__(self, value):
        self.value = value

    def scaled(self, x):
        """Of one object equal, of two not."""
        return x * self.value

    def added(self, x):
        """Another one."""
        return x + self.value


@tensor("frozensets of functions made inside as keys, as items of sets and of other frozensets, in tuples")
def frozensets_as_keys(x):
    def one(v):
        return v + x

    other = lambda v: v
    key = frozenset([other, one])
    table = {frozenset([one, other]): 1, frozenset([one]): x, (frozenset([one]), 1): "pair"}
    table[key] += 1
    popped, members = table.pop(frozenset([one])), {frozenset([one]), frozenset([one]), frozenset()}
    nested = {frozenset([frozenset([one]), one]): x}
    return (table[key], popped, frozenset([other]) in table, table[frozenset([one]), 1], [len(item) for item in table], len(members),
            frozenset([one]) in members, nested[frozenset([one, frozenset([one])])], key == frozenset([one, other]),
            next(iter(table)) is key, next(iter({key: 1})) is key)


@tensor("methods of lists, dicts and sets as keys and in sets: == of methods of one object, each evaluation another object")
def methods_of_containers(x):
    items, twin, table, seen = [1], [1], {"a": 1}, {1}
    add = items.append
    numbers = {items.append: 2, items.pop: 3, table.get: "get", seen.add: "add"}
    numbers[add] = 5
    numbers[twin.append] = x
    numbers[add] += 1
    numbers.setdefault(table.get, "other")
    add(4)
    seen.add(2)
    for method in numbers:
        if method == items.pop:
            method()
    return (numbers[items.append], len(numbers), twin.pop in numbers, numbers[seen.add], numbers[table.get], items, len(seen),
            add == items.append, add is items.append, add is add, items.append == twin.append, items.append is items.append,
            items.append != twin.append, add in {items.append}, len({add, items.append, twin.append}), add in [twin.append, items.append],
            [twin.append].index(twin.append), (add, 1) == (items.append, 1), frozenset([add]) == frozenset([items.append]))


@tensor("methods of objects made inside as keys and in sets, in branches and loops on tensors, handed to functions and back")
def methods_of_objects(x):
    box, twin, items = Scaled(x), Scaled(x), [x]
    method = box.scaled

    def fill(table, key, bound):
        table[key], table[bound], table[items.append] = 2, x, x * 2
        return bound, items.append

    table = {OBJECT.method: 3}
    back, add = fill(table, frozenset([method]), method)
    if x.sum() > 0:
        table[method] = table[box.scaled] + 1
        table[items.append] += 3
    else:
        table[method] = x * 4
    count = 0
    while x.sum() + 3 > count:
        table[box.scaled] += 1
        table[add] = table[items.append] - 1
        count += 1
    return (table[method], table[add], table[frozenset([box.scaled])], table[OBJECT.method], twin.scaled in table, len(table), back is method,
            [key is method for key in table], box.scaled is method, box.scaled == method, box.added == method, twin.scaled == method,
            [key(x) for key in table if key == method], len({method, box.scaled, twin.scaled}))


@tensor("groups by methods: setdefault, pop, max with a key")
def groups_by_method(x):
    first, second, groups = Scaled(1), Scaled(x), {}
    for method, number in ((first.scaled, 1), (second.scaled, x), (first.scaled, 3)):
        groups.setdefault(method, []).append(number)
    most = max(groups, key=lambda key: len(groups[key]))
    return most == first.scaled, groups.pop(second.scaled), [key(x) for key in groups], list(groups.values())


@tensor("x is y of tensors: those that functions, objects and lists are given and give back are the tensors that they were")
def identities_of_tensors(x):
    def both(a, b):
        return a, [a], b + 1, a is b, a is x

    first, (second,), third, same, own = both(x, x)
    box, other = Scaled(x), x + 0
    again = both(x, other)
    return (first is x, second is first, third is x, same, own, box.value is x, other is x, again[0] is x, again[3], both(other, other)[3:],
            both(third, x)[3:], Scaled(other).value is other)
