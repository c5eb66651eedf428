"""What changes in loops on tensors: lists, dicts, attributes, names of outer functions; names that conditions make; what handlers of
exceptions see; patterns beside tensors. Rows of language_table.py."""

import collections
import dataclasses
import enum
import functools
import operator

import plumb as ms
from plumb import Tensor, ops

TENSOR_ROWS = []


def tensor(what):
    """Enters a function of a tensor under `what` it shows."""
    return lambda function: TENSOR_ROWS.append((what, function)) or function


def doubled(parts, name):
    """Changes a dict that it is handed."""
    parts[name] = parts[name] * 2
    return parts[name]


@tensor("lists, dicts and nonlocal names that change in a loop on a tensor, also through functions and aliases, and keep their size and keys")
def changes_in_loop(x):
    parts, sums = {"a": x, "kept": [x, 1]}, [x, x * 0, 3]
    alias, count, factor = sums, 0, 1

    def grow(value):
        nonlocal count, factor
        count += 1
        factor = factor * 2
        return value + count

    while sums[0].sum() < 200:
        sums[0] = grow(sums[0])
        sums[1] += doubled(parts, "a")
        parts["kept"][0] = sums[0] - x
        sums[2] += 1
    return sums[:2], sums[2] * x, alias is sums, alias[0] - x, parts, count * x, factor * x


@tensor("nonlocal names that are parameters with a computed default")
def shared_parameter(x):
    def grown(value, count=len((1, 2)), *, by=sum(p for p in (1, 2))):
        def add():
            nonlocal count, by
            count, by = count + 1, by * 2
            return by

        return value * add() + count

    return grown(x), grown(x, 5), grown(x, by=1)


@tensor("names that functions within functions see, assigned later, in branches and in loops on tensors")
def names_seen_through_functions(x):
    scale, shift, count = x, x * 0, 0

    def maker():
        def inner(v):
            return v * scale + shift
        return inner

    apply, table = maker(), {}
    first = apply(x)
    scale = x * 10
    if x.sum() > 0:
        shift = x + 1
    table["kept"] = maker()
    while x.sum() + 3 > count:
        shift = shift + apply(x) * 0.1
        count += 1
    return first, apply(x), table["kept"](x), [(lambda n: lambda v: v * n)(n)(x) for n in range(3)]


@tensor("lists and dicts that change in nested loops on tensors, and in branches and unrolled loops within")
def changes_in_nested_loops(x):
    table, left = {"sum": x * 0, "steps": Tensor(0)}, Tensor(3)
    while left > 0:
        inner = left
        while inner > 0:
            table["steps"] = table["steps"] + 1
            if table["steps"] > 4:
                table["sum"] = table["sum"] + x
            else:
                for row in range(2):
                    table["sum"][row] = table["sum"][row] - x[row]
            inner = inner - 1
        left = left - 1
    return table, left


@tensor("lists that change in a loop which `break`, `return` or a tensor under `while True` ends")
def changes_until_left(x):
    def until(limit, total):
        while True:
            total[0] = total[0] + x
            if total[0].sum() > limit:
                total[1] = total[0] - 1
                break
        return total

    def found(steps):
        while steps[0].sum() < 50:
            steps[0] = steps[0] + 1
            if steps[0][1, 2] > 7:
                return steps
            steps[1] = steps[0] * 3
        return [x, x]

    return until(20, [x, x]), until(-100, [x, x * 2]), found([x, x * 5]), found([x + 100, x])


@tensor("attributes that a loop on a tensor sets, where they were set before")
def sets_in_loop(x):
    SCALE.sum, SCALE.count = x, Tensor(0)
    while SCALE.sum.sum() < 100:
        SCALE.sum = SCALE.sum * 2 + 1
        SCALE.count += 1
    return SCALE.sum, SCALE.count


@tensor("containers that iterations put in the place of others, and those that stay")
def replaces_in_loop(x):
    state, kept, pair = [x, x + 1], [x], {"h": (x, [x])}
    while state[0].sum() < 40:
        state = [state[1], state[0] + state[1]]
        pair["h"] = (state[0], [state[1]])
        kept[0] = kept[0] + pair["h"][1][0]
    return state, kept, pair


@tensor("names that the condition of a loop on a tensor makes or changes")
def made_by_condition(x):
    count = Tensor(0)
    while (count := count + 1) < 4:
        x = x + count
    while (rest := 30 - x.sum()) > 0:
        x = x + rest / 60 + 1
        if x[0, 0] > 1000:
            break
    return x, count, rest


class Scale:
    """An object of the program."""


SCALE = Scale()


class Holder:
    """Holds another object."""

    def __init__(self, value):
        self.value = value

    def get(self):
        """It."""
        return self.value


@tensor("dicts whose functions see them, compared and gone through")
def seen_by_its_functions(x):
    table = {"k": x}

    def first(other=table.get("k", 2)):
        return table["k"] + other

    table |= dict.fromkeys("ab", first)
    return table == "x", list(table), table["b"]()


@tensor("objects of tensors that other objects hold and give back")
def held_objects(x):
    pair = Pair(x * 2, x)
    holder = Holder(pair)
    return holder.value.left, holder.get().right, holder.get() is pair


class Pair:
    """Holds two tensors, and makes others of its kind."""

    limit = 3

    def __init__(self, left, right=None):
        self.left = left * 1
        self.right = left if right is None else right

    @property
    def total(self):
        """A property."""
        return self.left + self.right

    def swapped(self):
        """A new object."""
        return Pair(self.right, self.left)

    def __add__(self, other):
        return Pair(self.left + other.left, self.right + other.right)

    def __len__(self):
        return self.limit


class Triple(Pair):
    """Calls the constructor of its base."""

    def __init__(self, left, items):
        super().__init__(left, items[0])
        self.items = items


@dataclasses.dataclass
class Record:
    """A dataclass."""
    value: object
    name: str = "record"
    parts: list = dataclasses.field(default_factory=list)


@tensor("tensors in attributes of objects of the program's classes that a call makes: constructors, methods, properties, operators, dataclasses")
def objects_of_tensors(x):
    def made(value):
        return Pair(value, value * 2)

    one, other = made(x), made(x + 5)
    both = one + other.swapped()
    both.left = both.left - 1
    items = [x, x * 3]
    triple, record = Triple(x, items), Record(x, parts=[x])
    items[1] = x * 4
    triple.items.append(x)
    total = [Pair(row).total for row in x]
    if x.sum() > 0:
        inner = Pair(x * 3)
        both.right = inner.total
        y = inner.left
    else:
        y = Record(x).value
    left = Tensor(2)
    while left > 0:
        y = Pair(y, x).total
        both.left = both.left + y
        left = left - 1
    return (one.left, other.right, both.left, both.total, len(both), triple.total, len(triple.items), triple.items[1], record.value, record.name,
            record.parts, total, y, isinstance(triple, Pair), one.limit)


@tensor("classes made inside of functions, whose methods see the function's names, also as it assigns them later")
def class_of_names(x):
    scale = 2

    class Part:
        """Sees `scale`, `base` and itself."""

        def __init__(self, value):
            self.value = value * scale + base

        def more(self):
            """Another part."""
            return Part(self.value - scale)

        def parts(self):
            """Values of a comprehension."""
            return [item * scale for item in (self.value, base)]

    base = x.sum()
    found = []
    for scale in (3, 4):
        found.append(Part(x).more().parts())
    left = base
    while left > 0:
        base = base + Part(x).value[0, 0]
        left = left - 3
    return found, Part(x).value, scale


@tensor("inner functions that call each other, and see what the outer one assigns later")
def circle(x):
    def even(n):
        return x * scale if n == 0 else odd(n - 1)

    def odd(n):
        return x - scale if n == 0 else third(n - 1)

    def third(n):
        return x + scale if n == 0 else even(n - 1) + odd(n - 1)

    scale = 2
    first, handed = [even(n) for n in range(6)], list(map(odd, (0, 1, 4)))
    scale = 5
    base = lambda: 1
    near = lambda: base() * 10
    far = lambda: near() + 1
    base = lambda: scale
    return first, handed, even(4), far()


@tensor("try, except, else, finally and with around what raises under conditions on tensors, itself or in functions that it calls, in "
        "branches and loops on tensors: the handlers run where the condition holds")
def handled(x):
    def checked(values):
        for value in values:
            if value[0] < 0.3:
                raise KeyError("small")
            assert value[1] < 1000
        return values * 2

    count = 0
    try:
        y = checked(x)
    except KeyError as problem:
        y = x + len(problem.args[0])
    else:
        count = 1
    finally:
        x = x + 1
    try:
        while (x < 100).all():
            if x[0, 0] > 20:
                raise OverflowError(2)
            x = x * 2 + 1
    except OverflowError as problem:
        x = x * problem.args[0]
    return x + y + count


def small(x):
    """Raises where a tensor is large."""
    if x.sum() > 30:
        raise OverflowError("large")
    return x.max() < 5


@tensor("raise under a condition on a tensor in the conditions of loops and in differentiated functions, inside of try")
def raised_by_conditions(x):
    rounds, slope = 0, x
    try:
        while small(x) and rounds < 100:
            x, rounds = x * 2, rounds + 1
    except OverflowError:
        x = x - 1000
    try:
        slope = ms.grad(lambda value: (value * value).sum() if small(value) else value.sum())(x * x)
    except OverflowError:
        slope = x + 1
    return x + rounds, slope


class Place(enum.IntEnum):
    """Numbers with names."""
    FIRST = 0
    SECOND = 1


@tensor("members of enums of numbers as operands, indices and axes of tensors")
def named_numbers(x):
    named, numbered = {Place.FIRST: x, Place.SECOND: 2}, {0: x, 1: x * 2}
    parts = x.sum(axis=Place.SECOND), ops.concat([x, x], Place.SECOND), x.reshape((-1, Place.SECOND)), x[:, Place.FIRST:Place.SECOND]
    return (x * Place.SECOND + (Place.FIRST < x), x[Place.SECOND], ops.add(x, Place.SECOND), x - Place(1), parts, named[0], numbered[Place(1)],
            1 in named, [place.name for place in named], [x, x + 1][Place.SECOND], x.shape[Place.SECOND], (1, 0).index(Place.FIRST))


@dataclasses.dataclass(frozen=True)
class Size:
    """Objects that are equal by their contents."""
    width: int
    height: int = 1


@tensor("keys of dicts that are functions, inner functions that see no other names, classes, and objects that their classes compare")
def keys_of_all_kinds(x):
    def inner(value):
        return value + 1

    kinds = {inner: 1, doubled: 2, ops.relu: 3, int: 4, Size(2): 5}
    twice = {inner, inner, doubled}
    return kinds[inner], kinds[doubled], kinds[ops.relu], kinds[int], kinds[Size(2, 1)], inner(x), Size(3) in kinds, len(twice), inner in twice


@tensor("index, count and in of lists and tuples of tensors, which tensors decide: an index is that of the first, ValueError where none is")
def searches(x):
    items, mixed = [x[0, 0], x[0, 1], x[0, 1], 5], ("name", None, x, "other")
    place = items.index(x[0, 1])
    try:
        missing = items.index(x.sum() + 100)
    except ValueError:
        missing = -1
    decided = [x + number for number in (place, items.count(x[0, 1]), items.count(7), items.index(5), x[0, 1] in items, missing)]
    return decided, mixed.index("other"), mixed.count(None), mixed.index(x), [x, x + 1].index(x)


class Bag:
    """An object whose length a tensor decides."""

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return int(self.size > 1) * 2

    def kinds(self):
        """CPython runs it, as all generators."""
        yield isinstance(self.size, Tensor)
        yield callable(self.size)

    def __add__(self, other):
        return Bag(self.size + (other.size if isinstance(other, Bag) else other))


@tensor("questions about objects whose attributes are tensors: truth, length, hasattr, getattr, not, any, all, and, in loops' conditions")
def asked_objects(x):
    bag, none = Bag(x.sum()), Bag(x.sum() - 100)
    answers = (bool(bag), not none, len(none), any([none, bag]), all((bag, none)), hasattr(bag, "size"), hasattr(bag, "weight"),
               getattr(bag, "weight", 7), getattr(bag, "size", 0), bag in [none, bag], *bag.kinds())
    rounds = 0
    while x.max() < 50 and bool(bag + (bag + rounds)):
        x = x + 10
        rounds += 1
    return [x + answer for answer in answers], x + rounds


@dataclasses.dataclass
class Reading:
    """A dataclass of a tensor and others."""
    value: object
    weight: int = 1
    notes: list = dataclasses.field(default_factory=list)


@tensor("objects that both sides of a branch make, which are one behind it: classes, dataclasses, and what they hold")
def objects_of_branches(x):
    reading = Reading(x, 1) if x.sum() > 2 else Reading(x + 1, 2)
    if x.sum() < 2:
        pair, bags = Pair(x, 2), [Bag(x)]
    else:
        pair, bags = Pair(x * 2, 3), [Bag(x + 1)]
    pair.left = pair.left + 1
    return reading.value * reading.weight, pair.left, x * pair.right, bags[0].size, reading.notes


Moments = collections.namedtuple("Moments", "mean spread count")


@tensor("named tuples of tensors: fields, methods, in branches and loops, as arguments and results")
def named_fields(x):
    def shifted(moments, by):
        return moments._replace(mean=moments.mean + by)

    moments = Moments(x.mean(), spread=x.max() - x.min(), count=2)
    if moments.mean > 0.3:
        moments = shifted(moments, 1)
    while moments.mean < 5:
        moments = Moments(moments.mean * 2, moments.spread + 1, moments.count)
    mean, spread, count = moments
    return mean + spread + count, moments, moments._asdict()["spread"], isinstance(moments, Moments), moments[:2]


@dataclasses.dataclass
class Held:
    """A class for patterns."""
    size: int


@tensor("patterns with captures behind an element that is compared with a tensor")
def captured_behind(x):
    found = []
    for number in range(4):
        match ((x[0, 0] * 0 + number).astype(ms.int32), Held(4) if number < 2 else {"k": 7, "l": 8}, number + 2):
            case [0, Held(size=held), rest]:
                got = held + rest
            case [1, _, *rest] if rest[0] > 2:
                got = rest[0] * 10
            case [2 | 3, {"k": kept, **others}, last]:
                got = kept + len(others) + last
            case _:
                got = -1
        found.append(x * got)
    return found


@tensor("decorators of inner functions: jit, constexpr, functools.wraps, lru_cache and cache, and the program's own")
def decorated_inner_functions(x):
    def shifted(offset):
        def decorate(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs) + offset
            return wrapper
        return decorate

    @ops.constexpr
    def factor(shape):
        return shape[0] * 2 + x.ndim

    @shifted(3)
    @ms.jit
    def scaled(y, by=2):
        return y * by - x

    @functools.lru_cache(maxsize=None)
    def power(n):
        return x * 0 + 1 if n == 0 else power(n - 1) * x

    @functools.cache
    def total(n):
        return n * x.sum() if n else factor(x.shape)

    return factor(x.shape), scaled(x), scaled(x, by=4), power(3), total(2), total(0)


@tensor("functions of the module operator on tensors, itemgetter, attrgetter and methodcaller")
def operators_as_functions(x):
    y, parts = x + 5, {"a": x, "b": (x, 3)}
    binary = (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.lt, operator.ge, operator.eq)
    pairs = sorted([("b", x), ("a", y)], key=operator.itemgetter(0))
    return [function(x, y) for function in binary], functools.reduce(operator.mul, [x, y, 2]), operator.neg(x), operator.getitem(x, 0), \
        operator.matmul(x, operator.attrgetter("T")(y)), operator.itemgetter("a", "b")(parts), operator.attrgetter("T.shape", "ndim")(x), \
        operator.methodcaller("sum", axis=1)(x), pairs, operator.contains([1, x.ndim], 2), operator.is_(x, y), operator.mul(2, 3)


class Tally:
    """An object whose constructor makes containers."""

    def __init__(self, kept=None):
        self.items = self.alias = []
        self.kept = kept
        self.names, self.seen, self.parts = {}, set(), [[0], {"k": [1]}]

    def take(self, name, item):
        """Keeps an item in each."""
        self.items.append(item)
        self.names[name] = item * 2
        self.seen.add(name)
        self.parts[1]["k"].append(item)


@tensor("lists, dicts and sets that constructors without tensors make, changed by methods and through aliases")
def containers_of_objects(x):
    numbers = [1]
    tally, other = Tally(), Tally(numbers)
    numbers.append(2)
    other.kept.append(x)
    for number in range(3):
        tally.take(f"n{number % 2}", x + number)
    other.items.append(x)
    if x.sum() > 0:
        tally.names["n0"] = x * 7
    return tally.alias, tally.names, sorted(tally.seen), tally.parts[1]["k"], len(other.alias), len(Tally().items), numbers


@tensor("numbers that a loop changes beside lists, tuples and None: unequal")
def numbers_beside_lists(x):
    count, found = 0, []
    while x.sum() < 50:
        count, x = count + 1, x * 2
    for other in ([1, 2], (1, 2), [x, x], None, "a"):
        found += [count == other, other != count]
    return x, found


@tensor("keywords of the names that an inner function sees: they are among its **others")
def keywords_of_seen_names(x):
    def scaled(factor):
        def inner(*parts, **others):
            return x * factor + sum(others.values()) + len(parts), sorted(others)
        return inner
    return scaled(3)(1, factor=4, x=5), scaled(2)()
