"""Programs in users' manner, of several constructs each, and what CPython decides by identity. Rows of language_table.py."""

import collections
import dataclasses
import functools
import itertools
import types
import typing

import numpy as np

from plumb import ops
from language_errors import refused

TENSOR_ROWS = []


def tensor(what):
    """Enters a function of a tensor under `what` it shows."""
    return lambda function: TENSOR_ROWS.append((what, function)) or function


class Lazy:
    """Makes its containers when they are read first."""

    @functools.cached_property
    def sizes(self):
        """A list."""
        return [1, 2]

    @functools.cached_property
    def table(self):
        """A dict within a tuple."""
        return {"a": 1}, 2


@tensor("lists and dicts that a functools.cached_property makes, changed in place")
def changes_cached(x):
    lazy = Lazy()
    kept = lazy.sizes
    kept.append(5)
    lazy.table[0]["b"] = x
    return x * len(lazy.sizes), lazy.sizes is kept, lazy.table, "sizes" in vars(lazy)


class Counted:
    """Counts how often its properties are computed."""

    def __init__(self, x):
        self.x, self.factor, self.log = x, 2, []

    @functools.cached_property
    def number(self):
        """A number, which nothing computes again."""
        self.log.append("number")
        return self.factor * 10

    @functools.cached_property
    def nothing(self):
        """None, which is kept, too."""
        self.log.append("nothing")

    @functools.cached_property
    def scaled(self):
        """A tensor."""
        return self.x * self.factor


@tensor("numbers, tensors and None that a functools.cached_property gives: the first value is kept, also read on one side of a branch on a tensor")
def keeps_cached(x):
    counted, other = Counted(x), Counted(x)
    first = counted.number, counted.nothing, counted.scaled
    counted.factor = 3
    if x.sum() > 0:
        y = other.scaled * 2
    else:
        y = x
    other.factor = 5
    return first, counted.number, counted.nothing, counted.scaled, counted.log, "number" in vars(counted), y, other.scaled, other.number


@tensor("NaN in containers: equal to itself, and to no other NaN")
def nans_by_identity(x):
    nan, other = float("nan"), float("nan")
    made = 1e308 * 10 - 1e308 * 10
    table = {nan: 1, other: 2}
    own = [nan] == [nan], nan in (1, nan), table[nan], (nan, x) == (nan, x), [nan].index(nan), {nan} == {nan}, nan is nan
    others = [nan] == [other], nan in [other], table.get(made), nan is other, nan == nan, made in [made, nan], made in [nan]
    return own, others, len(table), len({nan, other, nan})


class Log:
    """An object with a list."""

    def __init__(self):
        self.items = []

    def add(self, item):
        """Keeps an item, or refuses it."""
        self.items.append(item)
        if len(self.items) > 2:
            raise ValueError("full")


def filled(log, x):
    """Raises after it has changed what it was handed."""
    made = Log()
    made.add(x)
    for factor in range(4):
        log.add(x * factor)
    return made


@tensor("exceptions known while compiling that functions raise which have changed objects and lists before, and made some")
def raises_after_changes(x):
    log, kept = Log(), []
    try:
        filled(log, x)
    except ValueError as error:
        kept.append(str(error))
    try:
        kept.append(1)
        log.add(x)
    except ValueError:
        kept.append(2)
    return kept, log.items


@tensor("functions that objects of Python's library keep are the functions that they were given")
def kept_functions(x):
    def doubled(value):
        return value * 2
    names = types.SimpleNamespace(f=doubled, g=lambda value: value + 1)
    return names.f is doubled, names.f == names.g, names.f(names.g(x))


class Compared:
    """Its `==` loops on a tensor, or raises."""

    def __init__(self, x, raises):
        self.x, self.raises = x, raises

    def __eq__(self, other):
        if self.raises:
            if self.x.sum() > 0:
                raise ValueError("not comparable")
            return self.x.sum() > 100
        total = self.x.sum() * 0
        while total != 3.0:
            total = total + ops.maximum(self.x.sum(), 0.0) * 0 + 1
        return total > 1

    __hash__ = None


@refused("methods that loop on tensors behind one that may raise, where an operation calls both in a `try`", RuntimeError,
         "cannot handle what is raised under a condition on a tensor in a function that another operation calls")
def compares_in_try(x):
    first, second = Compared(x, True), Compared(x, False)
    try:
        return x * ((first, second) == (second, first))
    except ValueError:
        return x


@refused("a method of a text or tensor as a key", TypeError, "cannot be a key in compiled functions")
def method_as_key(x):
    return x * {"text".upper: 2}["text".upper]


@refused("a list that holds a method of its own", ValueError, "a list, dict or set that holds itself")
def own_method(x):
    items = []
    items.append(items.pop)
    return x * len(items)


@refused("hash() of a function that is made in compiled code, or of a method of a list", TypeError, "compare it by '=='")
def hash_of_method(x):
    items = []
    return x * (hash(items.append) == hash(items.append))


@refused("which of equal methods a branch or loop on a tensor has made", RuntimeError, "compare by '=='")
def method_of_branch(x):
    items = []
    method = first = items.append
    if x.sum() > 0:
        method = items.append
    return x * (method is first)


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two tensors or numbers that stay."""
    left: object
    right: object = 1
    more: list = dataclasses.field(default_factory=list)

    def __add__(self, other):
        return Pair(self.left + other.left, self.right + other.right)

    def scaled(self, factor):
        """Another pair."""
        return dataclasses.replace(self, left=self.left * factor)


class Point(typing.NamedTuple):
    """A tuple with names."""
    x: object
    y: object = 2


@tensor("frozen dataclasses and named tuples that hold tensors: made, replaced, added; their fields, and the text of one that keeps a list")
def frozen_pairs(x):
    pair = Pair(x, x * 2) + Pair(x)
    pair.more.append(x)
    try:
        pair.left = x
    except dataclasses.FrozenInstanceError as error:
        why = str(error)
    if x.sum() > 0:
        chosen = Pair(x * 3, pair.right)
    else:
        chosen = Pair(x, x)
    point = Point(x)
    names = [field.name for field in dataclasses.fields(pair)], point._fields, repr(Pair(1, 2, [3])), why
    return pair.left, pair.right, len(pair.more), pair.scaled(3).left, chosen.left, point._replace(y=x).y, {Pair(1, 2).left: x}, names


@refused("the cause of an exception", AttributeError, "give the exception what its handler needs as an argument")
def reads_cause(x):
    try:
        try:
            raise ValueError("first")
        except ValueError as error:
            raise KeyError("second") from error
    except KeyError as error:
        return x, str(error.__cause__)


@refused("functions of Python's library that call one made in compiled code on numbers, as itertools.accumulate does", TypeError,
         "only compiled code can call")
def sums_by_inner(x):
    return x, list(itertools.accumulate([1, 1, 2], lambda value, other: value * other))


def summed(value):
    """Raises under a condition on a tensor."""
    if value.sum() > 100:
        raise ValueError("large")
    return value


@refused("map() in a `try` of a function that takes more arguments", TypeError, "is missing the argument 'other'")
def maps_without_argument(x):
    try:
        return list(map(lambda value, other: summed(value) + other, [x[0], x[1]]))[0]
    except ValueError:
        return x[0]


class Table:
    """A mapping of its own."""

    def __init__(self, entries):
        self.entries = entries

    def __getitem__(self, key):
        return self.entries[key]

    def __setitem__(self, key, value):
        self.entries[key] = value

    def __delitem__(self, key):
        del self.entries[key]

    def __contains__(self, key):
        return key in self.entries

    def __len__(self):
        return len(self.entries)

    def __iter__(self):
        return iter(self.entries)

    def keys(self):
        """Its keys."""
        return self.entries.keys()


@tensor("mappings of the program's own: items stored, deleted and looked up, unpacked by `**` and dict()")
def own_mapping(x):
    table = Table({"a": x})
    table["b"] = x + 1
    del table["a"]
    return "b" in table, len(table), {**table}, list(table), table["b"], dict(table)


class Stack(list):
    """A list with a method more."""

    def push(self, value):
        """Adds one."""
        self.append(value)
        return self


@refused("objects of classes that add methods to those of a list, tuple, dict or set, made in compiled code", TypeError,
         "write a class that keeps a list in an attribute")
def makes_stack(x):
    return x * len(Stack().push(1))


class Sums:
    """Has its first attribute from its class."""
    total = 0

    def add(self, value):
        """Sets the object's own."""
        self.total = self.total + value


class Slot:
    """Keeps its attribute in a slot."""
    __slots__ = ("value",)

    def __init__(self):
        self.value = 1


@tensor("functions that make an object, called several times: each call makes another one")
def made_by_each_call(x):
    def made(kind):
        return kind()
    first, second = made(Sums), made(Sums)
    first.add(x)
    second.add(x * 2)
    parts = [made(Sums) for _ in range(3)]
    parts[0].add(x)
    ends, others = made(collections.deque), made(collections.deque)
    ends.append(1)
    slot, other = made(Slot), made(Slot)
    slot.value = 5
    return first.total, second.total, x * parts[2].total, x * len(others), x * other.value, x * (made(object) is made(object))


@tensor("functions that see what calls have left in objects of Python's library")
def seen_in_objects(x):
    def size(items):
        return len(items)

    def first(items):
        return items.popleft()

    def drawn(generator):
        return generator.randint(1 << 30)
    ends, generator = collections.deque([3, 4]), np.random.RandomState(0)
    sizes = [size(ends)]
    ends.append(5)
    return x * sizes[0], x * size(ends), x * first(ends), x * first(ends), x * (drawn(generator) == drawn(generator))


@tensor("parameters before a `/`, whose names are free for keywords")
def positional_only(x):
    def scaled(value, /, factor=2, **more):
        return value * factor + len(more)
    refused_calls = 0
    for call in (lambda: (lambda value, /: value)(value=x), lambda: scaled(factor=3)):
        try:
            call()
        except TypeError:
            refused_calls += 1
    return scaled(x), scaled(x, 3, value=1), (lambda a, b=2, /: a * b)(x), refused_calls


@refused("a call without a parameter before a `/`", TypeError, "is missing the argument 'factor'")
def positional_missing(x):
    def scaled(value, factor, /, **more):
        return value * factor + len(more)
    return scaled(x, factor=3)


class Marked:
    """Sets attributes in a method."""

    def __init__(self, x):
        self.x = x

    def mark(self, value):
        """Sets one more."""
        self.value = value


@tensor("attributes that are set first under a condition on a tensor, on both sides or read on one alone, also by methods and in loops on tensors")
def first_set_in_branch(x):
    both, one, kept = Marked(x), Marked(x), Lazy()
    kept.factor = 2
    y = x
    if x.sum() > 0:
        both.mark(x * 2)
        one.mark(x * 3)
        y = y + one.value
        kept.factor = kept.factor + 1
    else:
        both.value = x
    count = 0
    while count < x.sum():
        both.last = x * count
        count = count + 4
        y = y + both.last
    return both.x + both.value, y * kept.factor


@refused("attributes that one side of a branch on a tensor sets, read behind it", RuntimeError, "'value' may be missing here, or be an older one")
def read_behind_branch(x):
    marked = Marked(x)
    if x.sum() > 0:
        marked.mark(x * 2)
    return marked.x + marked.value


@refused("hasattr() of an attribute that one side of a branch on a tensor sets", RuntimeError, "'value' may be missing here")
def asked_behind_branch(x):
    marked = Marked(x)
    if x.sum() > 0:
        marked.mark(x * 2)
    return x * 2 if hasattr(marked, "value") else x


@refused("whether a list that a branch on a tensor chooses is one of those that it chooses from", RuntimeError,
         "decides whether a list of 1 values 'is' the other one")
def is_chosen(x):
    first = [x]
    chosen = first
    if x.sum() > 0:
        chosen = [x * 2]
    return x if chosen is first else x * 2


@refused("whether a tensor that a branch chooses is one of those that it chooses from", RuntimeError, "'is' the other one")
def is_chosen_tensor(x):
    chosen = x
    if x.sum() > 0:
        chosen = x * 2
    return x + 1 if chosen is x else x


@refused("lists of a functools.cached_property that is read first, and changed, on one side of a branch on a tensor", TypeError,
         "'cached_property' is a list of 3 values if the condition holds, but a list of 2 values if it does not")
def first_read_in_branch(x):
    lazy = Lazy()
    lazy.x = x
    if x.sum() > 0:
        lazy.sizes.append(3)
    return x * len(lazy.sizes)
