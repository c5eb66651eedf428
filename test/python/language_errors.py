"""What ends in an error inside compiled functions: of which class, at its line, with which words. Rows of language_table.py.

`REFUSED` are functions of a tensor of shape (2, 3), the class of their error and a part of its message.
"""

import itertools

import numpy as np

import plumb as ms
from plumb import Tensor, ops

REFUSED = []
OUTSIDE = [1, 2]


class Kept:
    """An object of Python's."""

    def __init__(self, size=3):
        self.size = size


BOX = Kept()


def shifted(a, b):
    """A function of two arguments."""
    return a + b


def refused(what, kind, message):
    """Enters a function of a tensor that cannot be compiled, with the class and message of its error."""
    return lambda function: REFUSED.append((what, function, kind, message)) or function


@refused("a name that is not defined", NameError, "'nowhere' is not defined")
def unknown_name(x):
    return nowhere + x  # noqa: F821  pylint: disable=undefined-variable


@refused("a name that is not defined, in a branch that is taken", NameError, "'nowhere' is not defined")
def unknown_name_in_a_branch(x):
    return nowhere + x if x.ndim == 2 else x  # noqa: F821  pylint: disable=undefined-variable


@refused("a keyword of a name that an inner function sees", TypeError, "got an unexpected keyword argument 'x'")
def seen_keyword(x):
    return (lambda y: y + x)(1, x=2)


@refused("a missing key", KeyError, "no key")
def missing_key(x):
    return {"a": x}["b"]


@refused("an index out of range", IndexError, "out of range")
def missing_index(x):
    return [x][5]


@refused("a float as index of a tensor", IndexError, "cannot be indexed by the float 0.5")
def float_index(x):
    return x[0.5]


@refused("a tensor of floats as index of a tensor", IndexError, "by a tensor of integers")
def float_tensor_index(x):
    x[x[0, 0] * 0] = 1.0
    return x


@refused("operands of wrong types", TypeError, "")
def wrong_operands(x):
    return x + int("a" + 1)


@refused("divmod() of tensors", TypeError, "unsupported operand")
def divided_tensors(x):
    return divmod(x, 2)


@refused("a number beside a tensor of the other branch, whose type has no such element", TypeError, "Type Join Failed")
def joined_number(x):
    found = 300
    if x.sum() > 0:
        found = x.sum().astype(ms.int8)
    return found


@refused("a number beside a boolean tensor of the other branch", TypeError, "Type Join Failed")
def joined_beside_boolean(x):
    found = 2
    if x.sum() > 0:
        found = (x > 0).any()
    return found


@refused("a number to which a loop sets a boolean tensor", TypeError, "")
def number_in_a_loop(x):
    found = x.sum() > 0
    while x.sum() < 100:
        x, found = x + 30, 2
    return found


@refused("id() of tensors", TypeError, "no identity")
def identity(x):
    return id(x) == id(x)


@refused("round() of a tensor to digits", TypeError, "takes no digits")
def rounded_to_digits(x):
    return round(x, 1)


@refused("a value that cannot be converted", ValueError, "invalid literal")
def wrong_literal(x):
    return x + int("zz")


@refused("an attribute that an object does not have", AttributeError, "no attribute 'zzz'")
def missing_attribute(x):
    return x + BOX.zzz


@refused("division by zero", ZeroDivisionError, "division by zero")
def zero_division(x):
    return x * (1 // 0)


@refused("a negative power of zero", ZeroDivisionError, "negative power")
def negative_power(x):
    return x * (0 ** -1)


@refused("tensors whose shapes do not fit", ValueError, "do not broadcast")
def wrong_shapes(x):
    return x + x[0, :2]


@refused("an operation on elements of a wrong type", TypeError, "the mean of integers")
def wrong_elements(x):
    return x.astype(ms.int32).mean()


@refused("an operator on a tensor and something else than a number", TypeError, "cannot take")
def wrong_operand(x):
    return x * 'text'


@refused("a condition of several elements", ValueError, "ambiguous")
def ambiguous(x):
    return x if x > 0 else -x


@refused("a list, dict or set that holds itself", ValueError, "holds itself")
def holds_itself(x):
    items = [x]
    items.append([items])
    return items[0]


@refused("a dict or list that changes while `enumerate`, `zip` or the dict's own loop goes through it", RuntimeError, "loop over a copy")
def changes_on_the_way(x):
    items = [x, x]
    for place, item in enumerate(items):
        if place < 2:
            items.append(item)
    return items


@refused("too many values to unpack", ValueError, "too many values to unpack")
def unpacks_wrong(x):
    a, b = (x, x, x)
    return a + b


@refused("wrong arguments", TypeError, "positional arguments")
def wrong_arguments(x):
    return shifted(x, 1, 2)


@refused("raise", ValueError, "size 3")
def raises(x):
    raise ValueError("size %d" % x.shape[1])


@refused("assert", AssertionError, "three rows")
def asserts(x):
    assert x.shape[0] == 3, "three rows"
    return x


@refused("a method of a tuple that only lists have", AttributeError, "append")
def changes_tuple(x):
    (x, x).append(x)
    return x


@refused("a list that is longer after one side of a condition on a tensor", RuntimeError, "leaves it 2 or 1 elements")
def changes_under_condition(x):
    items = [x]
    if x.sum() > 0:
        items.append(x)
    return items


@refused("elements that are of another shape after one side of a condition on a tensor", RuntimeError, "must give it the same type")
def changes_shape_under_condition(x):
    items = [x]
    if x.sum() > 0:
        items[0] = x[0]
    return items[0]


@refused("a list that grows in a loop on a tensor", RuntimeError, "has 2 elements instead of 1 after an iteration")
def grows_in_loop(x):
    items = [x]
    while items[0].sum() < 100:
        items.append(items[0] + 1)
        x = items[-1]
        items[0] = x * 2
    return items


@refused("a key that a loop on a tensor adds to a dict", RuntimeError, "has 2 elements instead of 1 after an iteration")
def adds_key_in_loop(x):
    parts = {"a": x}
    while parts["a"].sum() < 100:
        parts["a"] = parts["a"] + 1
        parts["b"] = x
    return parts


@refused("elements that are of another shape after an iteration of a loop on a tensor", RuntimeError, "needs fixed types")
def changes_shape_in_loop(x):
    items = [x[0, 0] * 0]
    while items[0].sum() < 100:
        items[0] = ops.stack([items[0], items[0]]) + 60
    return items[0]


@refused("a list that a loop on a tensor changes, and puts another one in the place of", RuntimeError, "both change a list or dict")
def changes_and_replaces(x):
    items = [x]
    other = items
    while items[0].sum() < 100:
        other[0] = other[0] + 20
        items = [items[0] * 2 + 1]
    return items, other


@refused("a list in whose place a branch on a tensor has put another one", RuntimeError, "in the place of another one")
def changes_one_of_two(x):
    items, others = [x], [x * 2]
    one = items if x.sum() > 0 else others
    items[0] = x * 3
    return one[0]


@refused("numbers among the tensors that are joined", TypeError, "joins tensors, but got the bool True")
def joins_numbers(x):
    return ops.concat((True, x[0, 0] > 0))


@refused("setting an attribute that was read before", RuntimeError, "is read before it is set")
def counts(x):
    BOX.size += 1
    return x * BOX.size


@refused("a computation by Python that needs a tensor's value", TypeError, "needs the value of a tensor")
def needs_value(x):
    return np.sum(x)


WEIGHT = ms.Parameter(Tensor([1.0, 2.0], ms.float32), name="weight")


LAST = None


def weighed(index):
    """A function that only CPython can run, and that reads a Parameter."""
    global LAST  # pylint: disable=global-statement
    LAST = float(WEIGHT[index])
    return LAST


def totalled(scale):
    """A function that only CPython can run, and that computes with a Parameter."""
    global LAST  # pylint: disable=global-statement
    LAST = ops.reduce_sum(WEIGHT * scale).asnumpy().tolist()
    return LAST


NEEDED = "Python needs the value of the Parameter 'weight'"


@refused("reading a Parameter's value in a function that CPython runs while compiling", RuntimeError, NEEDED)
def reads_parameter(x):
    return x * weighed(1)


@refused("computing with a Parameter in a function that CPython runs while compiling", RuntimeError, NEEDED)
def computes_with_parameter(x):
    return x * totalled(2)


class Made:
    """An object that is not made as most are."""

    def __new__(cls, size):
        made = super().__new__(cls)
        made.size = size
        return made


@refused("keeping a tensor in an object whose class has a `__new__`", TypeError, "cannot keep a tensor")
def keeps(x):
    return Made(x).size


@refused("an inner function that is called before one that it calls is defined", NameError, "is called before 'second'")
def calls_too_early(x):
    def first():
        return second()

    y = first()

    def second():
        return x

    return y


REGISTRY = []


class Holder:
    """An object whose list another one holds, which a list outside holds, too."""

    def __init__(self, items):
        self.items, self.kept = items, Kept(items)
        REGISTRY.append(self.kept)


@refused("changing a list of an object that something else refers to, too", RuntimeError, "an object of the program holds")
def changes_held(x):
    holder = Holder([1])
    holder.kept.size.append(2)
    return x * len(holder.items)


def outside():
    """The list that was made outside."""
    return OUTSIDE


@refused("changing a list that was made outside, under another name", RuntimeError, "made outside")
def changes_alias(x):
    numbers = outside()
    numbers += [3]
    return x * len(OUTSIDE)


@refused("a method of numbers, of one that a loop on a tensor changes", TypeError, "changes is a tensor")
def counts_bits(x):
    number = 1
    while x.sum() > number:
        number += 1
    return x * number.bit_length()


@refused("an exception on the other side of a condition on a tensor, inside of try", TypeError, "unsupported")
def raises_on_other_side(x):
    try:
        if x.sum() < 100:
            y = x
        else:
            y = x + len("1" - 1)
    except TypeError:
        return x
    return y


@refused("an exception in a loop on a tensor, inside of try", TypeError, "unsupported")
def raises_in_loop(x):
    try:
        while x.sum() < 100:
            x = x * 2 + len("1" - 1)
    except TypeError:
        return x
    return x


@refused("an exception that no handler catches", KeyError, "")
def passes_handlers(x):
    try:
        return {"a": x}["b"]
    except ValueError:
        return x


@refused("a refusal inside of try", RuntimeError, "made outside")
def tries_refused(x):
    try:
        outside().append(3)
    except RuntimeError:
        return x
    return x * 2


@refused("a loop over too many values, inside of try", Exception, "unrolled")
def tries_too_many(x):
    try:
        for _ in list("ab" * 15000):
            x = x + 1
    except Exception:  # pylint: disable=broad-except
        pass
    return x


@refused("a refusal before a last block that could not run either", RuntimeError, "made outside")
def tries_before_last(x):
    try:
        outside().append(3)
        y = x * 2
    finally:
        x = y
    return x


@refused("an iterator of which a tensor decides how many items are left", RuntimeError, "is not known while compiling")
def iterates_on(x):
    items = iter([x, x, x])
    for item in items:
        if x.sum() > 3:
            break
        x = x + item
    return x + next(items)


@refused("an iterator of a list that has changed since", RuntimeError, "loop over a copy")
def iterates_on_changed(x):
    items = [1, 2]
    numbers = enumerate(items)
    items.append(3)
    return x * next(numbers)[1]


@refused("an iterator of a list in which another tensor stands since", RuntimeError, "loop over a copy")
def iterates_on_replaced(x):
    items = [x, x * 2]
    tensors = iter(items)
    items[1] = x * 3
    return next(tensors) + next(tensors)


@refused("an iterator that one side of a condition on a tensor takes an item of", RuntimeError, "is not known while compiling")
def takes_on_one_side(x):
    items = iter([x, x * 2])
    if x.sum() > 0:
        x = next(items)
    return x + next(items)


@refused("a method of a class that a function makes, which uses an inner function of that", TypeError, "cannot use its inner functions")
def uses_inner_function(x):
    factor = 2

    def scaled(value):
        return value * factor

    class Part:
        """Sees `scaled`."""

        def of(self, value):
            """Scales."""
            return scaled(value)

    return Part().of(x)


@refused("a generator expression with `:=` that a name keeps", RuntimeError, "assigns a name can be compiled only where all of its items")
def generates_names(x):
    items = (last := x * i for i in range(2))
    return next(items) + last


@refused("a generator expression of several loops with a `lambda` that a name keeps", RuntimeError, "make a list of the items")
def generates_functions(x):
    return x, [function() for function in (lambda: i * j for i in range(2) for j in range(2))]


@refused("a function of Python's library that gives an iterator, given one that computes its items", RuntimeError, "make lists of them")
def accumulates_late(x):
    sums = itertools.accumulate(i * 2 for i in range(3))
    return x * next(sums), list(sums)


@refused("a generator expression over a list that has changed since", RuntimeError, "loop over a copy")
def generates_from_changed(x):
    items = [1, 2]
    doubled = (x * i for i in items)
    items.append(3)
    return list(doubled)


@refused("the letters of a text that shows a computed tensor: its length", TypeError, "only known when the program runs")
def measures_text(x):
    return len(str(x * 2))


@refused("the letters of such a text: a comparison", TypeError, "compare the tensor itself")
def compares_text(x):
    return x if f"{x.sum()}" == "3.0" else x * 2


@refused("the letters of such a text: a method", TypeError, "only known when the program runs")
def changes_text(x):
    return str(x * 2).upper()


@refused("a width of a computed tensor in a text", TypeError, "format it there")
def pads_text(x):
    return "%40s" % x


@refused("a computed tensor as an integer in a text", TypeError, "format it there")
def integer_in_text(x):
    return "%d" % x.sum()


@refused("a precision of a computed tensor in a text", TypeError, "format it there")
def rounds_text(x):
    return f"{x.sum():.3f}"


@refused("a number that a branch or loop on a tensor decides, in a set or as a key", TypeError, "which is not known while compiling")
def decided_number_in_set(x):
    for number in range(3):
        if (x > 0.35).any():
            break
    return x * len({number, 2})


@refused("values of tensors that NumPy compares, where it takes any exception for False", TypeError, "not known while compiling")
def compared_by_numpy(x):
    count = 2
    if (x > 0.35).any():
        count *= 2
    return x * np.array_equal(np.array([4]) * count, np.array([16]))


@refused("a function that a tensor chooses, as a key or compared", TypeError, "decides which function this is")
def keyed_by_chosen(x):
    made = [lambda v: v + x for _ in range(2)]
    chosen = made[0] if x.sum() > 0 else made[1]
    return {made[0]: 1}[chosen]


@refused("a method that changes a tensor in place", AttributeError, "assign the result of 'add' instead")
def tensor_in_place(x):
    y = x * 2
    y.add_(x)
    return y


@refused("vars() of a tensor", TypeError, "name the attribute that is wanted")
def vars_of_tensor(x):
    return vars(x)


@refused("vars() without an object", TypeError, "vars() of a function's own names is not offered")
def own_names(x):
    return vars()["x"]
