"""Objects within objects, attributes by computed names, operators in place, exceptions in functions that others call. Rows of
language_table.py."""

import collections
import functools
import operator

import plumb as ms
from language_errors import refused

TENSOR_ROWS = []


def tensor(what):
    """Enters a function of a tensor under `what` it shows."""
    return lambda function: TENSOR_ROWS.append((what, function)) or function


class Child:
    """An object with a list and a number."""

    def __init__(self):
        self.items, self.count = [], 0

    def put(self, x):
        """Changes both."""
        self.items.append(x)
        self.count += 1


class Parent:
    """Holds others in attributes, lists, dicts and tuples, one of them twice, and one that refers back to it."""

    def __init__(self, shared=()):
        self.child = Child()
        self.children = [self.child, Child()]
        self.table, self.pair, self.shared = {"a": []}, ([1], {"b": Child()}), shared
        self.child.parent = self

    def put(self, x):
        """Changes all of them."""
        self.child.items.append(x)
        self.child.put(x)
        self.children[1].put(x * 2)
        self.table["a"].append(x)
        self.pair[0].append(x)
        self.pair[1]["b"].count += 1
        return len(self.child.items)


@tensor("objects within objects that constructors make, with their lists and dicts, changed by methods and through aliases")
def nested_objects(x):
    items = [1]
    parent, other = Parent((items, Child())), Parent()
    child = parent.child
    sizes = [parent.put(x), parent.put(x * 3)]
    child.items.append(2)
    items.append(5)
    parent.shared[0].append(6)
    if x.sum() > 0:
        child.items[0] = x + 1
    same = child is parent.children[0], child.parent is parent, other.child.items, parent.shared[0]
    return sizes, child.items, child.count, parent.children[1].items, parent.table, parent.pair[0], parent.pair[1]["b"].count, same


@tensor("lists and dicts in tuples, changed in place, also through aliases")
def containers_in_tuples(x):
    items, pair = [], ([], [x], {"a": 1})
    nested = items, {"key": items}
    alias = pair[1]
    pair[0].append(x)
    alias.append(1)
    pair[1][0] = x * 2
    pair[2]["b"] = x + 1
    nested[1]["key"].append(x)
    for part in nested:
        if len(part) == 1 and isinstance(part, list):
            part.append(3)
    return pair, alias, nested, len(items)


class Adder:
    """Adds in place by a method of its own."""

    def __init__(self, value):
        self.value = value

    def __iadd__(self, more):
        self.value = self.value + more
        return self


@tensor("operators in place as functions of the module operator, and as methods of the program's classes")
def in_place(x):
    items, numbers, table, adder = [1], {1}, {1: 2}, Adder(1)
    made = operator.iadd(items, [x])
    operator.imul(items, 2)
    operator.iconcat(items, [5])
    operator.ior(numbers, {2})
    operator.ior(table, {3: x})
    same = operator.iadd(adder, 2)
    adder += x
    y = operator.iadd(x, 1)
    tensors = y, x, operator.isub(x, 1), operator.imul(x, x), operator.itruediv(x, 2), operator.ipow(x, 2), operator.imatmul(x[0], x[1])
    known = operator.iadd(1, 2), operator.ifloordiv(7, 2), operator.imod(7, 4), operator.ilshift(1, 3), operator.iand(6, 3)
    return made is items, items, numbers, table, same is adder, adder.value, tensors, known


class Unknowing:
    """Operators that know no operand."""

    def __add__(self, other):
        return NotImplemented

    __imul__ = __radd__ = __lt__ = __eq__ = __add__


class Knowing:
    """Operators of the right operand."""

    def __init__(self, value):
        self.value = value

    def __radd__(self, other):
        return self.value

    def __rmul__(self, other):
        return self.value * 2

    def __gt__(self, other):
        return self.value.sum() > 0


class Closer(Unknowing):
    """A subclass, whose own method of the right operand is asked first."""

    def __radd__(self, other):
        return 7


@tensor("operators whose methods return NotImplemented: those of the other operand, and of subclasses first")
def operators_not_implemented(x):
    left, errors = Unknowing(), []
    left *= Knowing(x)
    added = Unknowing()
    added += Knowing(x + 1)
    for attempt in (lambda: Unknowing() + Unknowing(), lambda: Unknowing() + 1, lambda: Unknowing() < Unknowing()):
        try:
            attempt()
        except TypeError as error:
            errors.append(str(error))
    equal = Unknowing() == Knowing(x), Unknowing() != 1, left is NotImplemented
    return left, added, Unknowing() + Knowing(x), Unknowing() + Closer(), x * (Unknowing() < Knowing(x)), equal, errors


@tensor("a function of the program's own named vars")
def own_vars(x):
    def vars(value):
        return value

    table = {}
    vars(table)["a"] = x
    vars(table)["a"] += 1

    def inner(name):
        vars(table)[name] = x * 2
    inner("b")
    return table


class Measured:
    """A property that is set, and an attribute of the class."""
    twos = 2

    def __init__(self, size):
        self.size = size

    @property
    def double(self):
        """Twice the size."""
        return self.size * 2

    @double.setter
    def double(self, value):
        self.size = value / 2


@tensor("properties that are set, also by computed names")
def set_properties(x):
    made = Measured(x)
    made.double = x * 8
    setattr(made, "dou" + "ble", made.double + 2)
    made.double += 1
    return made.size, made.double, sorted(vars(made))


@tensor("truth and missing attributes of inner functions, and the order of a set of them")
def inner_functions(x):
    made = [lambda v, scale=scale: v * scale for scale in range(4)]
    one = made[0]
    known = bool(one), any([one]), all(made), list(filter(None, [one, None])) == [one], hasattr(one, "origin"), hasattr(one, "__name__")
    try:
        found = one.origin
    except AttributeError:
        found = "none"
    return known, found, getattr(one, "number", 0), sorted(function(1) for function in set(made)), x


@tensor("attributes by computed names: setattr(), vars(object)[name] = value and object.__dict__[name] = value")
def computed_attributes(x):
    child = Child()
    for number, name in enumerate(("first", "second")):
        setattr(child, name, x * number)
        vars(child)[name + "_too"] = x + number
    child.__dict__["third"] = child.second_too
    vars(child)["count"] += 1
    return child.first, child.second, child.first_too, child.third, child.count, sorted(vars(child)), getattr(child, "sec" + "ond")


def checked(x):
    """Raises under a condition on a tensor."""
    if x.sum() > 2:
        raise ValueError("too much")
    return x + 1


@tensor("exceptions under conditions on tensors in functions that map(), filter(), sorted(), min(), max(), reduce() call, inside of try")
def raised_in_calls(x):
    def attempt(run):
        try:
            return run()
        except ValueError:
            return x * 100

    many = [x, x * 2]
    results = [attempt(lambda scale=scale: list(map(checked, [part * scale for part in many]))[1]) for scale in (0.1, 2)]
    folded = [attempt(lambda scale=scale: functools.reduce(lambda a, b: checked(a) + b, [part * scale for part in many])) for scale in (0.1, 1)]
    ordered = [attempt(lambda scale=scale: x + sorted([x.sum() * scale, x.sum() * 0.1], key=checked)[0]) for scale in (0.5, 3)]
    least = [attempt(lambda scale=scale: x + min(1, 2, key=lambda number: number * checked(x * scale).sum())) for scale in (0.1, 3)]
    kept = [attempt(lambda scale=scale: x + len(list(filter(lambda number: checked(x * scale) is not None, [1, 2, 3])))) for scale in (0.1, 3)]
    return results, folded, ordered, least, kept


class Logged:
    """Sets attributes in its own way."""

    def __setattr__(self, name, value):
        object.__setattr__(self, name, (name, value))


class Slotted:
    """Has no dict of attributes."""
    __slots__ = ("size",)


@refused("setting attributes of a class with a __setattr__ of its own", AttributeError, "set them by a method with another name")
def set_in_own_way(x):
    made = Logged()
    made.size = 2
    return x * 2


@refused("vars(object)[name] = value of a name that the class has a property for", AttributeError, "choose another name")
def entry_beside_property(x):
    made = Measured(1)
    vars(made)["double"] = 9
    return x * made.double


@refused("vars(object)[name] += value of a class's attribute", KeyError, "twos")
def entry_of_class(x):
    made = Measured(1)
    vars(made)["twos"] += 1
    return x * made.twos


@refused("object.__dict__ of an object without one", AttributeError, "has no attribute '__dict__'")
def entry_without_dict(x):
    made = Slotted()
    made.__dict__["size"] = 1
    return x * made.size


@refused("the documentation of an inner function", TypeError, "keep it in a name beside the function")
def reads_documentation(x):
    return (lambda v: v).__doc__, x


@refused("id() of an inner function", TypeError, "a function has no identity")
def identity_of_function(x):
    return x * id(lambda v: v)


@refused("map() in a `try` whose items are taken one by one", RuntimeError, "write list(…) around it")
def taken_one_by_one(x):
    try:
        for part in map(checked, [x * 0, x]):
            return part
    except ValueError:
        return x * 9


@refused("dicts with other keys on the sides of a branch on a tensor", TypeError, "one with the keys (the string 'b')")
def branch_of_keys(x):
    if x.sum() > 0:
        table = {"a": x}
    else:
        table = {"b": x}
    return list(table.values())
@tensor("defaultdict, Counter and OrderedDict: missing keys, methods, tensors as values")
def dicts_of_the_library(x):
    groups, counts = collections.defaultdict(list), collections.Counter([1, 2, 2])
    del counts["none"]
    for number, row in enumerate(x):
        groups[number % 2].append(row)
        groups["all"].append(row * 2)
    fives = collections.defaultdict(lambda: 5)
    fives["a"] += 1
    counts[7] += 2
    counts.update([1])
    ordered = collections.OrderedDict([("a", x), ("b", x * 2)])
    ordered.move_to_end("a")
    last = ordered.popitem(last=False)
    kinds = type(groups) is collections.defaultdict, isinstance(counts, dict), groups.get("none"), "none" in groups, fives["b"] + len(fives)
    return dict(groups), dict(fives), counts[9], counts.most_common(1), dict(counts + collections.Counter(a=1)), last, list(ordered), kinds


class Scale:
    """A property that is set, items, and operators that keep an object."""

    def __init__(self, factor, rows=()):
        self.factor, self.rows = factor, rows

    @property
    def double(self):
        """Twice the factor."""
        return self.factor * 2

    @double.setter
    def double(self, value):
        self.factor = value / 2

    def __iter__(self):
        return iter(self.rows)

    def __add__(self, other):
        return Scale(self.factor + other.factor)

    def __radd__(self, other):
        return self if other == 0 else self + other


@tensor("properties that are set; sum(), min(), max() of objects of the program's and of their items")
def summed_objects(x):
    scale = Scale(x, [x[0], x[1]])
    scale.double = x * 8
    setattr(scale, "double", scale.double + 2)
    total = sum([scale, Scale(1.0), Scale(x)])
    return scale.factor, scale.double, total.factor, sum(scale), max(Scale(1, [x[0, 0], x[0, 1]])), sorted(Scale(1, [3, 1]))


@tensor("names that `del` has taken, and exceptions with the key that is missing")
def deleted_names(x):
    y, z, found = x, 1, []
    del y, z
    try:
        found.append(y)
    except UnboundLocalError:
        y = x * 2
    for table, key in (({"a": 1}, "k"), ({}, (1, 2))):
        try:
            found.append(table[key])
        except KeyError as error:
            found.append(error.args)
        try:
            del table[key]
        except LookupError as error:
            found.append((type(error).__name__, error.args[0]))
    return y, found


class Sized:
    """A property that cannot be set."""

    @property
    def size(self):
        return 1


@refused("setting a property without a setter", AttributeError, "has no setter")
def set_without_setter(x):
    made = Sized()
    made.size = x
    return made.size


@refused("tensors of several element types in an order", TypeError, "give them one type")
def order_of_types(x):
    return sorted([x[0, 0], x.astype(ms.int32)[0, 1]])


@refused("a text that a tensor chooses", TypeError, "choose a number in its place")
def chosen_text(x):
    mode = "many" if x.sum() > 1 else "few"
    return x * len(mode)
