"""`match`, first items, iterators, comparisons, names that comprehensions assign, functions that hold themselves, what changes under a
condition, a loop or a question to CPython, numbers that tensors decide, constant tensors: rows of language_table.py."""

import collections
import dataclasses
import functools

import numpy as np

import plumb as ms
from plumb import Tensor, ops

ROWS, TENSOR_ROWS = [], []


def value(what):
    """Enters a function of nothing under `what` it shows."""
    return lambda function: ROWS.append((what, function)) or function


def tensor(what):
    """Enters a function of a tensor."""
    return lambda function: TENSOR_ROWS.append((what, function)) or function


Pair = collections.namedtuple("Pair", "left right")


@dataclasses.dataclass
class Box:
    """A plain class."""
    size: int = 3
    name: str = "box"

    @property
    def area(self):
        """A property."""
        return self.size ** 2


@value("match: values, sequences, captures, alternatives, guards")
def matched():
    found = []
    for subject in (1, "go", (1, 2), [1, 2, 3], None, (5, (6, 7)), 3.5):
        match subject:
            case 1 | "go":
                found.append("first")
            case (a, b) if not isinstance(b, tuple):
                found.append(a + b)
            case [first, *rest]:
                found.append((first, rest))
            case None:
                found.append("none")
            case other:
                found.append(other)
    return found


@value("match: mappings and classes")
def matched_parts():
    found = []
    for subject in ({"kind": "box", "size": 3, "rest": 1}, {"kind": "bag"}, {}, Box(2, "b"), Box(5), Pair(1, (2, 3)), 7, True, 2.5, "word"):
        match subject:
            case {"kind": "box", "size": int(size), **rest}:
                found.append((size, rest))
            case {"kind": str() as kind}:
                found.append(kind)
            case {}:
                found.append("a dict")
            case Box(2, name=name):
                found.append(name)
            case Box(size=size, nothing=_):
                found.append("never")
            case Box(size, "box"):
                found.append(size)
            case Pair(left, (_, last)):
                found.append((left, last))
            case bool(truth) | int(truth):
                found.append((truth, "whole"))
            case float() | str():
                found.append(subject)
    for subject in ((1, 2), (3, 4)):
        match subject:  # names are bound where the whole pattern fits
            case (first, 2):
                found.append(first)
            case _:
                found.append(("the rest", first))
    return found


@value("next of a generator or iter that nothing else sees, with a default")
def first_ones():
    numbers = [3, 1, 2]
    try:
        none = next(number for number in numbers if number > 5)
    except StopIteration:
        none = "no number"
    return next(iter(numbers)), next((number for number in numbers if number < 3), -1), next((n for n in numbers if n > 5), -1), next(iter({}), None), none


@value("names that comprehensions assign to the function")
def named_in_comprehensions():
    found = [last for number in (1, 2, 3) if (last := number * 2) > 2]

    def counted(least=len([kept for number in (4, 5) if number and (kept := number)])):
        return least

    return found, last, counted(), kept
@value("an object that the function makes, and that an inner function changes")
def changes_made_object():
    box = Box(2)

    def grow(by):
        box.size += by
        return box.area

    return grow(1), grow(2), box.size


def applied(function, value):
    """Calls a function somewhere else."""
    return function(value)


@value("closures in lists, which see the last value of a loop's name wherever they are called")
def late_names():
    functions = []
    for factor in (2, 0.5):
        functions.append(lambda number: number * factor)
    return applied(lambda number: [function(number) for function in functions], 3)


@tensor("functions that see the list, or the name, which holds them")
def held_functions(x):
    count = 1
    functions = []
    functions.append(lambda n: 1 if n == 0 else n * functions[0](n - 1))

    def kept():
        nonlocal count
        return x

    count = kept
    if x.sum() > 0:
        x = x * 2
    return x * functions[0](3), count()


def handed_back(function):
    """The function that it is given."""
    return function


def swapped(first, second):
    """Two functions, and one around them."""
    return [second, first, lambda: first() + second()]


class Holder:
    """Keeps a function in an attribute, which its methods call."""

    def __init__(self, function, values):
        self.function, self.values = function, values

    def called(self):
        """Changes an attribute beside it, too."""
        self.values = self.values + 1
        return self.function()


@tensor("functions that calls hand back, or objects, lists and dicts hold: they still see later values of the names of the one that made them")
def functions_handed_back(x):
    factor = 1

    def scaled():
        return x * factor

    def even(number):
        return factor if number == 0 else odd(number - 1)

    def odd(number):
        return -factor if number == 0 else even(number - 1)

    same, parts, holder, table = handed_back(scaled), swapped(scaled, lambda: factor), Holder(scaled, x), {"f": scaled}
    other = handed_back(lambda: odd)()
    table["again"] = handed_back(table["f"])
    first = holder.called()
    factor = 5
    return (same(), [part() for part in parts], first, holder.called(), holder.values, table["f"](), table["again"](), handed_back(even)(3) * x,
            other(2) * x)


@tensor("arrays of NumPy as indices of tensors")
def array_indices(x):
    x[np.array([1]), 0] = 9
    return x[np.array([1, 0])], x[:, np.arange(3)[::-1]], x[np.array([True, False])], x[np.int64(1)]


@value("iterators kept in names: `iter`, `next`, `enumerate`, `zip`, `map`, `filter`, `reversed`, loops and functions that take the rest")
def iterators():
    numbers, letters, pairs = iter([1, 2, 3, 4]), iter("abc"), enumerate(["x", "y", "z"], 5)
    seen = [next(numbers), next(letters), next(pairs), next(numbers, 9)]
    for letter in letters:
        seen.append((letter, next(letters, "end")))
        break
    again = iter(numbers)
    seen += [next(again), again is numbers, list(numbers), next(numbers, None), bool(numbers), sorted(pairs), list(pairs)]
    digits = iter(range(7))
    seen += [list(zip(digits, digits)), list(digits), 3 in reversed([1, 2, 3])]
    mapped, kept = map(str, (1, 2)), filter(None, (0, 3, 0, 4))
    first, *rest = zip("ab", (1, 2))
    try:
        next(iter(()))
    except StopIteration:
        seen.append("stopped")
    return seen, next(mapped), sum(kept), next(kept, 0), first, rest, "".join(iter("xyz")), dict(zip("ab", (1, 2)))


@tensor("iterators of tensors, also as arguments, and to the end that a tensor decides")
def iterators_of_tensors(x):
    def pair(items):
        return next(items) * next(items)

    rows, parts = iter([x, x + 1, x * 2, x + 3, x * 4]), iter(x)
    total = pair(rows) + next(rows)
    for row in rows:
        total = total + row
        if total.sum() > 100:
            break
    return total, next(parts) + next(parts), next(parts, 0)


@value("== and != of anything")
def comparisons():
    return [1 == "a", [1] != "a", {} == (), None != 0, "a" == Box, Box(1) == Box(1), Box() != 3]


@tensor("== and != of a tensor and something else than tensors, numbers and sequences")
def comparisons_of_tensors(x):
    return x == "same", x != "same", "a" == x, x == {"a": 1}, x != {1, 2}, x == Box(), Box() != x, x == None, x == np.float32, x == len


@tensor("== of tuples and lists with tensors, as far as the first items that differ; in, among the items of a dict")
def comparisons_of_sequences(x):
    table = {1: 2, (1, 2): x}
    return ("a", 1) == ("b", x), [1, x] != [2, x], ("k", 1) in table.items(), (1, 2) in table.items()


@value("names that only another branch's condition would reach")
def unreached_names():
    found = []
    for item in (1, 2, 3):
        if item > 3:
            from math import no_such_function  # pylint: disable=no-name-in-module
            found.append(no_such_function(item))
        elif item > 2:
            found.append(collections.no_such_name(item) if hasattr(collections, "no_such_name") else item)
            if item > 4:
                def inner():
                    return nowhere  # noqa: F821  pylint: disable=undefined-variable
                found.append(inner())
        else:
            found.append(item > 5 and dataclasses.no_such_name or nowhere if item < 0 else -item)  # noqa: F821
    return found


@value("names that are not there, within a branch within `try`")
def unreached_attempts():
    found = []
    for item in (1, 2):
        try:
            if item == 2:
                found.append("reached")
                collections.no_such_name(item)
            found.append(item)
        except AttributeError as problem:
            found.append(type(problem).__name__)
    return found


@value("keys that cannot be hashed: a TypeError wherever they are looked up")
def unhashable_keys():
    table, seen = {1: 2}, []
    for key in ([1], {}, {1}, slice(1), (1, [2]), (1, 2), "a"):
        for use in (lambda key: table[key], lambda key: key in table, lambda key: key in {1}, table.get, table.pop):
            try:
                seen.append(use(key))
            except (TypeError, KeyError) as problem:
                seen.append(type(problem).__name__)
        try:
            del table[key]
        except (TypeError, KeyError) as problem:
            seen.append(type(problem).__name__)
    return seen


@value("loops over a list or dict whose elements change on the way, through items(), values(), enumerate and zip, too")
def changing_elements():
    table, items, seen = {"a": 1, "b": 2, "c": 3}, [1, 2, 3], []
    for key, number in table.items():
        table[key] = -number
        table["c"] = 7
        seen.append((key, number))
    for number in table.values():
        table.update(b=9)
        seen.append(number)
    for place, item in enumerate(items):
        items[place] = item * 10
        seen.append(item)
    for (key, number), item in zip(table.items(), items):
        table[key] = number + item
    return table, items, seen


@value("objects whose attributes have been set, where CPython looks at them")
def looked_at():
    box, inner = Box(1, "one"), Box(2)
    inner.size = 5
    box.size = [4, inner]
    texts = ["{0.size} {0.name}".format(box), "%s" % inner, "{x.size[0]}".format_map({"x": box}), "{0[0].size}".format([inner])]
    inner.size += 1
    found = [lambda: len(found)]  # a list that holds a function that sees the list
    texts.append("{} {}".format(len(found), [function() for function in found]))
    return texts, dataclasses.astuple(inner), dataclasses.replace(inner, name="new").size, sorted(vars(inner).items())


@value("sum of what cannot be added to 0: a TypeError, and of what start can be added to")
def sums():
    seen = [sum([[1], [2]], []), sum(((1,), (2,)), (0,)), sum([True, True]), sum([]), sum([2.5], 1)]
    for items in ([(1, 2), (3,)], [[1], [2]], ["a", "b"], [{}]):
        try:
            seen.append(sum(items))
        except TypeError:
            seen.append("TypeError")
    return seen


@tensor("numbers that a branch or a loop on a tensor decides: beside tensors numbers still")
def decided(x):
    scale, count, steps = 1.0, 3, 0
    if x.sum() > 0:
        scale, count = 0.5, count + 1
    while steps < x.sum():
        steps += 2
    half, small, whole = (x.astype(kind) for kind in (ms.float16, ms.int8, ms.int32))
    return half * scale, half + count, small * count, whole * (steps - 1) + count, small / scale, scale * x, sum([x > 0, x > 1])


@tensor("round() of tensors, and of numbers that a loop on a tensor changes")
def rounded(x):
    steps = 0.5
    while steps < x.sum():
        steps += 1.25
    return round(x * 2.5), round(x.astype(ms.int32)), x * round(steps), round(x, None)


@tensor("classes of numbers that a branch on a tensor decides, by isinstance(), type(), hasattr() and patterns")
def decided_classes(x):
    count, scale = 3, 0.5
    for count in (5, 3, 2):
        if x.sum() > 4:
            break
    if x.sum() > 0:
        scale = 1.5
    match count:
        case int():
            x = x + 1
    found = [isinstance(count, int), isinstance(count, ms.Tensor), isinstance(scale, float), type(count) is int, type(scale) is float,
             hasattr(count, "shape"), hasattr(scale, "is_integer"), isinstance(x, ms.Tensor)]
    return x, found


@tensor("rows of unsigned integers that a tensor decides, changed in place; empty slices of them")
def unsigned_rows(x):
    at = (x.sum() > 0).astype(ms.int32)
    found = []
    for kind in (ms.uint8, ms.uint16, ms.uint32, ms.uint64):
        rows = (x * 10).abs().astype(kind)
        rows[at] -= at.astype(kind)
        rows[at - 1, 1] = 7
        found.append((rows, rows[at], rows[1:1]))
    return found


@tensor("functions that see a tuple which holds them")
def functions_in_their_tuple(x):
    pair = (1,)

    def first(y, deep=True):
        return pair[1](y, False) * len(pair) if deep else y + pair[0]

    def second(y, deep=True):
        return first(y, deep) * 2

    pair += (first, (second, first))
    return first(x), pair[1](x), pair[2][0](x), pair[2][1](x, False)


@tensor("reversed() of tensors")
def reversed_rows(x):
    return list(reversed(x)), [row * 2 for row in reversed(x)]


@tensor("lists, dicts and nonlocal names that change under a condition on a tensor, where both sides leave the same size and keys")
def changed_in_branches(x):
    values, table, count = [x, x * 2], {"a": x, "b": 1.0}, 0
    alias, both = values, (values, table)

    def add(by):
        nonlocal count
        count = count + by
        alias[1] = alias[1] + by
        return count

    def fill(items, limit):
        if x.sum() > limit:
            items[0] = x * 5
            return items
        items[0] = x + 1
        return items

    if x.sum() > 0:
        values[0] = x * 3
        table["a"] = x - 1
        add(x.max())
        if x.max() > 100:
            table["a"] = x
        else:
            both[0][1] = both[0][0]
        together = (values, x)
    else:
        add(x.min())
        values.reverse()
        together = (values, x * 2)
    filled = fill(values, 1000), fill([x, x], 1)
    values[0] = values[0] + 1
    return values, alias is values, table, count, filled, together[0] is alias, together


@tensor("items that a branch on a tensor takes from an iterator, as many on both sides")
def taken_in_branches(x):
    items = iter([x, x * 2, x * 3])
    if x.sum() > 0:
        first = next(items)
    else:
        first = next(items) * 0
    return first, list(items)


@tensor("functions and cells that a condition on a tensor chooses")
def chosen_functions(x):
    offset = x.max()

    def choose(size, functions):
        if size > 3:
            return functions[0]
        return lambda number: number * offset

    if x.sum() > 100:
        shift = lambda number: number - offset
    elif x.sum() > 0:
        shift = choose(x.sum(), [lambda number: number + 1])
    else:
        shift = ops.abs
    return shift(x), choose(x.min(), [ops.neg])(x), (ops.relu if x.min() < 0 else ops.neg)(x)


@tensor("lists and tuples of tensors beside a tensor, which are one tensor")
def stacked(x):
    row = x[0]
    return row + (x[1],), [row, x[1]] * x, row[0] - (row[1], 2), x / [(row[0], row[1], 2), [3, row[2], x[1, 0]]]


@tensor("conditions on constant tensors, which are known")
def known_conditions(x):
    limit, kept = Tensor(3), []
    if limit > 2 and not limit == Tensor([4]):
        kept.append(x)
    if Tensor(2.5) * 2 + 1 < limit:
        kept = None
    return kept, "small" if limit < 4 else x


@value("numbers and texts of constant tensors: `int`, `float`, `bool`, `str`, f-strings, indices, bounds of slices, `range`")
def numbers_of_tensors():
    two = Tensor([2])
    return Tensor.from_numpy(np.array([1, 2])), int(two), float(two), bool(two), str(two), f"{two} of {Tensor(3)}", (5, 6, 7)[two], [5, 6, 7, 8][Tensor(1):two], \
        list(range(Tensor(3)))


@tensor("values of tensors that are computed from constants: `item`, `asnumpy`, `tolist`, `int`, `float`, `bool`, indices, `range`")
def values_of_computed_tensors(x):
    sizes = ops.cumsum(ops.ones((3,), ms.int32), 0)
    count = (x.shape[0] * Tensor(2, ms.int32) + 1).item()
    return x * count + float(sizes.asnumpy().max()), [x + number for number in sizes.tolist()], [x * i for i in range(sizes[1])]


@tensor("generator expressions that names and loops keep, handed to functions, over what changes only when they are done")
def kept_generators(x):
    items, total, factor = [1, 2, 3], x * 0, 2
    scaled = (x * i * factor for i in items if i != 2)
    first = next(scaled)
    rest = handed_back(scaled)
    total = total + sum(rest)
    items.append(4)
    factor = 3
    for item in (i * factor for i in items):
        total = total + item
    pairs = [(a, b) for a, b in zip((i for i in items), (x + j for j in range(2)))]
    return first, total, pairs, list(rest), any(i > 3 for i in items)


class Named:
    """An object whose text shows a tensor."""

    def __init__(self, value):
        self.value = value

    def __str__(self):
        return f"<{self.value}>"


@tensor("texts of tensors: `str`, `repr`, f-strings, `%`, `format`, `join`, of lists, dicts and objects with tensors inside, too; put together, "
        "joined behind branches and loops, kept and returned")
def texts_of_tensors(x):
    y, left = x * 2, x.sum() * 0 + 2
    named, last = Named(y.sum()), f"left {left}"
    if y.sum() > 0:
        text = f"above {y}"
    else:
        text = f"above {x}"
    while left > 0:
        last = f"left {left}"
        left = left - 1
    form = f"{{}} of {y.sum()}"
    return (str(y), repr(y), f"{y!r} {x.shape}: {y}", "%s, %r and %d%%" % (y, [y], 3), "{0} {1:>4} {name!r}".format(y, 5, name=y), text, last,
            "-".join([str(y.sum()), "b"]), str(named), "%s" % named, f"{[y, 'b']} { {'k': y.sum()} }", form.format(x.sum()), isinstance(text, str),
            {"kept": text + "!"}, text == text, bool(text), text is None, ascii(y.sum()), "%(a)s" % {"a": y.sum()})


@tensor("views of dicts that lists, tuples, dicts and objects hold, that functions are handed, keep and return")
def handed_views(x):
    table = {"a": x}

    def later(view):
        table["c"] = x * 5
        return list(view)

    pair, parts, same, inner = (table.keys(), 1), [table.items()], handed_back(table.values()), lambda: table.keys()
    view, kept = inner(), {"v": table.values()}
    table["b"] = x * 3
    keys, _ = pair
    return list(keys), "b" in keys, dict(parts[0]), list(same), len(same), [key for key in view], later(table.keys()), sum(kept["v"])


@tensor("views of dicts that names keep: they show what the dict holds when they are used")
def kept_views(x):
    table = {"a": x}
    items, names = table.items(), table.keys()
    table["b"] = x + 1
    return [value for _, value in items], len(names), "b" in names


@tensor("sum with a start beside a tensor")
def started_sums(x):
    return sum(x, 10), sum(x, x[0]), sum([x, x], 1), sum(x, start=2)


@value("partial whose keywords a call replaces")
def replaced_keywords():
    shown = functools.partial(lambda first, second, third: (first, second, third), first=1, second=2)
    return shown(second=5, third=3), shown(third=4)


@tensor("hasattr() and getattr() of tensors, which answer as their class does")
def attributes_of_tensors(x):
    return [hasattr(x, name) for name in "shape add add_ fill_ numpy __len__ is_contiguous no_such_name".split()], getattr(x, "no_such_name", 3)


@tensor("sorted(), list.sort(), min() and max() by scalar tensors, with keys too: equal items keep their order")
def ordered_tensors(x):
    parts = [x[1, 2], x[0, 0] * 0 + 1, x[0, 1], x[0, 0] * 0 + 1]
    pairs = [(part * 0 + place, part) for place, part in enumerate(parts)]
    alias, boxes = parts, [{"score": -row.sum(), "box": row} for row in x]
    parts.sort(reverse=True)
    return sorted(parts), alias, sorted(pairs, key=lambda pair: pair[1]), sorted(pairs, key=lambda pair: pair[1], reverse=True), \
        sorted(x[0]), sorted([2, x[0, 0]])[0] * 1.0, min(pairs, key=lambda pair: pair[1]), max(boxes, key=lambda box: box["score"])["box"]


@tensor("sorted() of pairs whose tensors need not be compared")
def ordered_entries(x):
    parts = {"b": x, "a": x * 2}
    return [(name, part.sum()) for name, part in sorted(parts.items())], sorted(parts.items(), key=lambda entry: entry[0])


@tensor("vars() of objects, also where their attributes are tensors")
def attributes_by_vars(x):
    holder = Holder(2, x)
    holder.more = x + 1
    return sorted(vars(holder)), [vars(holder)[name] for name in sorted(vars(holder))], vars(Box)["size"]
