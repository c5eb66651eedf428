"""Classes that are lists, dicts or iterators, and attributes that functions compute. Rows of language_table.py."""

import functools
import itertools

import plumb as ms
from language_errors import refused
from plumb import Tensor, nn

TENSOR_ROWS = []


def tensor(what):
    """Enters a function of a tensor under `what` it shows."""
    return lambda function: TENSOR_ROWS.append((what, function)) or function


class Settings(dict):
    """Whose items are attributes, too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Numbers(list):
    """With a method and a property."""

    def total(self):
        """Their sum."""
        return sum(self)

    @property
    def first(self):
        """The first one."""
        return self[0]


class Span(tuple):
    """With a method."""

    def size(self):
        """How long it is."""
        return self[1] - self[0]


def _shifted(x):
    return x + 1


class Loose(dict):
    """Which raises what it raises."""

    def __getattr__(self, name):
        return self[name]


LOOSE = Loose(rate=0.5)
SETTINGS = Settings(rate=0.5, layers=[1, 2], name="net", deeper=Settings(scale=2, function=_shifted, cell=nn.ReLU()), table=Tensor([1.0, 2.0, 3.0]))
NUMBERS, SPAN, AXES, SHAPE = Numbers([1, 2, 3]), Span((0, 2)), Span((1, 0)), Numbers([3, 2])


class Place:
    """An integer to indices."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


class Rows:
    """An iterator of its own."""

    def __init__(self, items):
        self.items = iter(items)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.items) * 2


class Parts:
    """With attributes that functions compute."""

    def __init__(self, value):
        self.value = value

    @property
    def left(self):
        """Where there is a value."""
        if self.value is None:
            raise AttributeError("left")
        return self.value + 1

    @functools.cached_property
    def right(self):
        """Where there is one, kept."""
        if self.value is None:
            raise AttributeError("right")
        return self.value * 2


@tensor("objects from outside of classes that add methods to those of a list, tuple or dict: attributes, items, loops, `**`")
def containers_of_classes(x):
    def scaled(value, scale, function, cell):
        return function(cell(value)) * scale

    a, *rest = NUMBERS
    items = [SETTINGS["rate"], "rate" in SETTINGS, SETTINGS.get("none", 3), sorted(SETTINGS), len(SETTINGS), isinstance(SETTINGS, dict),
             hasattr(SETTINGS, "rate"), hasattr(SETTINGS, "none"), getattr(SETTINGS, "none", 4), list(SETTINGS.deeper.keys())]
    return (x * SETTINGS.rate, SETTINGS.layers, SETTINGS.deeper.function(x), x + SETTINGS.table, scaled(x, **SETTINGS.deeper), items,
            [name for name, _ in SETTINGS.items()], NUMBERS.total(), NUMBERS.first * x, NUMBERS[1:], [number * x for number in NUMBERS], a, rest,
            max(NUMBERS), 2 in NUMBERS, NUMBERS + [4], NUMBERS == [1, 2, 3], NUMBERS.index(2), SPAN.size(), dict(SETTINGS.deeper)["scale"],
            LOOSE.rate * x)


@tensor("such lists and tuples of numbers as axes, shapes, indices and operands of tensors")
def containers_as_numbers(x):
    return x.transpose(AXES), x.reshape(SHAPE), ms.ops.reduce_sum(x, SPAN[:1]), x + NUMBERS, x[:, SPAN], x[SPAN]


@tensor("objects with an __index__ as indices of lists, texts and tensors, in slices and range()")
def places(x):
    one, items = Place(1), [1, 2, 3]
    items[one] = 5
    y = x + 0
    y[Place(0), one] = 5.0
    return items[one], (4, 5)[one], items[one:], list(range(Place(3))), x[one], x[:, Place(2)], "abc"[one], x[Place(0):one], items, y, x.shape[one]


class Numbering:
    """Whose constructor CPython runs."""

    def __init__(self, first):
        self.counter, self.items = itertools.count(first), iter([1, 2, 3])

    def new(self):
        """Another number."""
        return next(self.counter)


@tensor("next() of objects with a __next__, made in compiled code: their iterators, and those that their attributes are given")
def iterators_in_attributes(x):
    rows, parts, numbers = Rows([x, x + 1, x + 2]), Parts(None), Numbering(3)
    parts.items = iter([x, 1])
    return (next(rows), next(rows.items), next(rows), next(rows, "end"), next(parts.items), next(parts.items, 2), next(parts.items, 2),
            numbers.new(), numbers.new(), next(numbers.items), list(numbers.items))


@tensor("hasattr(), and getattr() with a default, of properties and of a functools.cached_property: what they raise is heard of")
def computed_attributes(x):
    some, none, known = Parts(x), Parts(None), Parts(3)
    return ([hasattr(owner, name) for owner in (some, none, known) for name in ("left", "right", "none")], getattr(none, "left", 1),
            getattr(none, "right", 2), getattr(some, "left", 3), getattr(known, "right", 4), getattr(some, "none", 5), "right" in vars(known),
            "right" in vars(none), known.right)


@tensor("in, of an iterator: items are taken up to the first that is equal")
def found_in_iterators(x):
    numbers, doubled, counter = iter([1, 2, 3, 4]), map(lambda number: number * 2, [1, 2, 3]), itertools.count(3)
    made = (number * x for number in (1, 2, 3))
    return (2 in numbers, next(numbers), 9 not in numbers, next(numbers, "end"), 4 in doubled, next(doubled), 5 in counter, next(counter),
            3 in (number for number in (1, 2)), next(made))


CHANGED, STORED = Numbers([1, 2, 3]), Settings(rate=0.5)  # CPython changes them, compiled code does not


@refused("changing an object from outside of a class that adds methods to those of a list", TypeError, "cannot be changed in it by 'append'")
def appends_outside(x):
    CHANGED.append(4)
    return x


@refused("storing into an object from outside of a class that adds methods to those of a dict", TypeError, "cannot be assigned in compiled functions")
def stores_outside(x):
    STORED["rate"] = 4
    return x


@refused("+= of an object from outside of a class that adds methods to those of a list", TypeError, "cannot be assigned in compiled functions")
def extends_outside(x):
    numbers = CHANGED
    numbers += [4]
    return x * len(numbers)


class Steps:
    """An iterator that ends, and says when it is asked."""

    def __init__(self, count, log):
        self.count, self.place, self.log = count, 0, log

    def __iter__(self):
        return self

    def __next__(self):
        if self.log is not None:
            self.log.append(self.place)
        if self.place >= self.count:
            raise StopIteration
        self.place += 1
        return self.place


class Bag:
    """Makes an iterator of itself."""

    def __init__(self, *items):
        self.items = items

    def __iter__(self):
        return Rows(self.items)


class NoIterator:
    """Whose __iter__ returns none."""

    def __iter__(self):
        return [1, 2]


@tensor("loops over objects with an __iter__ and a __next__: items are taken one by one, up to a StopIteration that is known")
def loops_over_own(x):
    log, items, left = [], [], Steps(5, [])
    for place in Steps(2, log):
        log.append(("item", place))
    else:
        log.append("else")
    for item in Bag(x, x + 1):
        items.append(item)
    for place in left:
        if place == 2:
            break
    for place in left:
        items.append(place)
    try:
        for place in Bag(1, None):
            items.append(place)
    except TypeError:
        items.append("no number")
    for place in Steps(9, None):
        x = x + place
        if x.sum() > 30:
            break
    return x, log, items, left.place


@tensor("functions that go through such objects: list, sum, zip, enumerate, map, sorted, max, in, unpacking, generator expressions")
def goes_through_own(x):
    log, left, pairs = [], Steps(4, []), Steps(5, [])
    first, second = Bag(x, 1)
    numbers = (place * x for place in Steps(3, log))
    return (list(Steps(2, [])), sum(Steps(3, [])), sum(Bag(x, x)), list(zip(Steps(3, log), "ab")), list(enumerate(Steps(2, []))), [*Steps(2, [])],
            list(map(lambda place: place * x, Steps(2, []))), sorted(Steps(3, []), reverse=True), max(Steps(3, []), key=lambda place: -place), first,
            second, next(numbers), log, 2 in left, list(left), 7 not in Steps(2, []), list(zip(pairs, pairs)), any(n > 1 for n in Steps(3, log)),
            dict(zip(Steps(2, []), Bag(1, 2))), {place for place in Steps(3, [])}, tuple(iter(Steps(2, []))), pairs.place)


@refused("a loop over an object whose __iter__ returns no iterator", TypeError, "iter() returned non-iterator of type 'list'")
def loops_over_none(x):
    for place in NoIterator():
        x = x + place
    return x


class Rising:
    """An iterator that a tensor ends."""

    def __init__(self, value):
        self.value = value

    def __iter__(self):
        return self

    def __next__(self):
        if self.value.sum() > 30:
            raise StopIteration
        self.value = self.value + 1
        return self.value


@refused("a loop over an object with a __next__ that a tensor ends", TypeError, "a tensor decides whether this iterator has a next item")
def loops_to_tensor(x):
    for row in Rising(x):
        x = x + row
    return x


@refused("a collections.deque of computed tensors", TypeError, "an object that only Python knows cannot keep a tensor")
def queue_of_tensors(x):
    import collections
    last = collections.deque([x], maxlen=2)
    last.append(x + 1)
    return last[0]
