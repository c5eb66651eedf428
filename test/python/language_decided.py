"""Functions and objects where tensors decide how far a program runs. Rows of language_table.py; decided_test.py walks them on more inputs."""

import collections

from language_errors import refused

TENSOR_ROWS = []


def tensor(what):
    """Enters a function of a tensor under `what` it shows."""
    return lambda function: TENSOR_ROWS.append((what, function)) or function


class Pair:
    """Has attributes that its class has, too: an object without them would have those."""

    left = number = -1

    def __init__(self, left, number=0):
        self.left, self.number = left, number


def same(value):
    """Hands a value on."""
    return value


@tensor("objects that are made behind a return on a tensor: in branches, in loops, and used behind these")
def made_behind_return(x):
    items, total, kept = x.reshape(-1), x.sum() * 0, []
    for i in range(4):
        if items[i] > 4:
            return total, x.sum() * 0 + i, total * len(kept)
        pair = Pair(items[i], i)
        kept.append(pair)
        total = total + pair.left * pair.number
    if total > 0:
        if items[5] > 0:
            return total, x.sum() * 0, total - 9
        other = Pair(total, 5)
    else:
        if items[4] > 0:
            return total, x.sum() * 0, total - 8
        other = Pair(total * 2, 6)
    return total + pair.left + other.left, x.sum() * 0 + pair.number + other.number, sum(one.left for one in kept)


@tensor("objects that are made behind a raise on a tensor, inside of try")
def made_behind_raise(x):
    items, total = x.reshape(-1), x.sum() * 0
    try:
        for i in range(4):
            if items[i] > 4:
                raise ValueError(i)
            pair = Pair(items[i], i)
            if i > 0:
                pair.left = pair.left + before.left  # noqa: F821  pylint: disable=used-before-assignment
            before = pair  # noqa: F841
            total = total + pair.left * pair.number
    except ValueError as problem:
        return total - problem.args[0]
    return total + pair.left * pair.number


@tensor("lists, dicts and iterators that are made behind a return on a tensor stay one object under all their names, and change")
def changed_behind_return(x):
    items, groups = x.reshape(-1), {}
    for i in range(4):
        if items[i] > 4:
            return items[i], items[i] * 0
        row = [items[i]]
        other = row
        groups.setdefault(i % 2, []).append((other, iter([items[i], i, 2])))
    row.append(items[5])
    groups[1][1][0][0] = items[4]
    first = next(groups[0][0][1])
    is_one = row is other and groups[1][-1][0] is row
    return sum(other) * 10 + first + sum(groups[0][0][1]) + (1 if is_one else 0), sum(sum(pair[0]) for group in groups.values() for pair in group)


class Rows:
    """Fills a list."""

    rows = ()

    def __init__(self):
        self.rows, self.total = [], 0

    def add(self, row):
        """Keeps a row."""
        self.rows.append(row)
        self.total = self.total + row
        return self


def filled(items, count):
    """Rows of the first items."""
    made = Rows()
    for i in range(count):
        if items[i] > 4:
            raise ValueError(i)
        made.add(items[i])
    return made


@tensor("lists of objects, filled in loops that a tensor leaves by return or raise")
def filled_objects(x):
    items, groups = x.reshape(-1), {}
    for i in range(4):
        if items[i] > 8:
            return items[i], items[i] * 0
        if i % 2 not in groups:
            groups[i % 2] = Rows()
        groups[i % 2].add(items[i])
    try:
        one, other = filled(items, 2), filled(items, 3).add(items[5])
    except ValueError as problem:
        return items[0], items[0] * 0 + problem.args[0]
    return sum(group.total * (place + len(group.rows)) for place, group in groups.items()), sum(one.rows) + other.total * len(other.rows)


@tensor("classes made inside of functions, whose constructors read the function's names and are given no tensors")
def constructor_of_names(x):
    class Sums:
        """Starts with a name of the function's."""

        def __init__(self, by=2):
            self.total, self.add = x[0] * by, lambda value: value + x[1]

    return Sums().total + Sums(3).total + Sums().add(x[0])


@tensor("any and all of generator expressions whose items change something or raise: nothing is computed behind the one that decides")
def any_of_changing(x):
    counts = [0, 0]

    def positive(value, place):
        counts[place] += 1
        if value > 8:
            raise ValueError("much")
        return value > 0

    try:
        found = any(positive(value, 0) for value in x.reshape(-1)), all(positive(x[i, j], 1) for i in range(2) for j in range(3) if j)
    except ValueError:
        found = False, True
    found += any((last := value) < 0 for value in x[1]),
    zero = x.sum() * 0
    return [zero + (2 if one else 1) for one in found], [zero + count for count in counts], last * 1


@tensor("is: of tensors that functions, attributes and tuples hand on")
def is_handed_on(x):
    y, pair = x * 2, Pair(x)
    both = (same(x), y)
    return same(x) is x, pair.left is x, both[0] is pair.left, same(y) is x, both[1] is same(same(y)), x * 2 is y, x


@tensor("objects that only Python knows, changed on the side of a branch on a tensor that goes on alone")
def deque_behind_return(x):
    items, last = x.reshape(-1), collections.deque([1, 2], maxlen=3)
    for i in range(3):
        if items[i] > 4:
            return x, x.sum() * 0 + len(last)
        last.append(i)
        if items[i] < -4:
            inner = collections.deque()
            inner.append(i)
            x = x + len(inner)
    return x * 2, x.sum() * len(last) + last[0]


@refused("a list or string that a number repeats which a branch on a tensor decides", TypeError, "is repeated must be known while compiling")
def repeated(x):
    count = 1
    if x.sum() > 0:
        count = 2
    try:
        return x * len([0] * count)
    except TypeError:
        return x


@refused("any() of a map whose function changes something, where tensors are its items", RuntimeError, "tensors decide how many of these items")
def any_of_map(x):
    seen = []
    return any(map(lambda value: seen.append(1) or value > 0, x.reshape(-1))), len(seen)


@refused("a deque that one side of a branch on a tensor changes", RuntimeError, "changes an object that only Python knows")
def deque_in_branch(x):
    last = collections.deque([1, 2])
    if x.sum() > 0:
        last.append(3)
    return x * len(last)


@refused("a deque that a side changes which returns", RuntimeError, "changes an object that only Python knows")
def deque_before_return(x):
    last = collections.deque([1, 2])
    if x.sum() > 0:
        last.append(3)
        return x * len(last)
    return x - len(last)


@refused("a deque that a loop on a tensor changes", RuntimeError, "changes an object that only Python knows")
def deque_in_loop(x):
    last = collections.deque()
    while x.sum() < 9:
        last.append(1)
        x = x + 1
    return x * len(last)


@refused("a deque that iterations change which a tensor leaves", RuntimeError, "changes an object that only Python knows")
def deque_in_iterations(x):
    last = collections.deque()
    for value in x.reshape(-1):
        if value > 4:
            break
        last.append(1)
    return x * len(last)


@refused("a list of an object that an object of the caller keeps, longer on the side that does not return", RuntimeError,
         "leaves it 1 or 2 elements")
def kept_by_caller(x):
    def fill():
        made = Rows()
        outer.child = made
        made.add(x)
        if x.sum() > 0:
            return 1
        made.add(x)
        return 2

    outer = Rows()
    return x * fill() * len(outer.child.rows)


@refused("is of a tensor that a loop on a tensor may have put another one for", RuntimeError, "'is' the other one")
def is_of_loop(x):
    y, count = x * 2, x.sum() * 0
    while count < 3:
        y = x
        count = count + 1
    return x + 1 if y is x else x


@refused("is of a tensor that a function chooses", RuntimeError, "'is' the other one")
def is_of_call(x):
    def larger(one, other):
        if one.sum() > other.sum():
            return one
        return other

    return x + 1 if larger(x, x * 2) is x else x


@refused("max() of tensors of several elements", ValueError, "whose truth is ambiguous")
def compares_several(x):
    return max(x, x + 1)


@refused("max() of a tensor and a text", TypeError, "cannot take the string 'one'")
def compares_kinds(x):
    return max(x, "one")


@refused("max() of texts that show tensors", TypeError, "texts with it have no order")
def compares_texts(x):
    return max([x[0, 0], x[0, 1]], key=str)


@refused("max() of lists that hold tensors", TypeError, "cannot be compiled")
def compares_lists(x):
    return max([x[0, 0]], [x[0, 1]])


@refused("sorted() of tuples that hold tensors", TypeError, "needs the value of a tensor")
def order_of_tuples(x):
    return sorted([(x[0, 0], 1), (x[0, 1], 2)])


def _until(x, limit):
    value, texts, count = None, "", 0
    for i in range(5):
        x = x + 1
        if x.sum() > limit:
            break
        value = x if value is None else value + x
        texts = f"{texts}{i}"
        count += len(texts)
        x = x + value * count
    return x


def _skipping(x, limit):
    rows = ()
    for _ in range(4):
        x = x + 1
        if x.sum() < 12:
            continue
        if x.sum() > limit:
            return x * 2
        x = x + 0.5
    for _ in range(4):
        if x.sum() > limit * 2:
            return x - 1
        rows = rows + (x,)
        x = x + rows[0] + len(rows)
    return x


def _raising(x, limit):
    value = None
    try:
        for _ in range(4):
            for _ in range(2):
                if x.sum() > limit:
                    raise ValueError("far")
                value = [x] if value is None else value + [x]
                x = x + value[0] + len(value)
    except ValueError:
        return x * 3
    return x


@tensor("names that iterations give values of other kinds behind `if c: break`, return or raise on a tensor, for the iterations that follow")
def kinds_behind_breaks(x):
    return [function(x, limit) for function in (_until, _skipping, _raising) for limit in (-10, 10, 30, 100, 10000)]


@refused("a name behind a loop that a tensor leaves, to which iterations give a value of another kind", TypeError,
         "'value' is None if the condition holds")
def kind_behind_loop(x):
    value = None
    for _ in range(3):
        if x.sum() > 10:
            break
        x = x + 1
        value = x
    return x + value


@refused("is of two tuples that hold the same tensors", RuntimeError, "whether two tuples that hold the same tensors are one")
def is_of_tuples(x):
    one, other = (x, 1), (x, 1)
    return one is other


@refused("a text that shows a tensor, as a key", TypeError, "the text of a tensor that is computed is only known when the program runs")
def text_as_key(x):
    return {"1.0": 1}.get(f"{x[0, 0]}")


@refused("a text that shows a tensor, in a method of a string", TypeError, "the text of a tensor that is computed is only known when the program runs")
def text_in_method(x):
    return "a-b".replace("-", f"{x[0, 0]}")


@refused("a text that shows a tensor, read as a number", TypeError, "the text of a tensor that is computed is only known when the program runs")
def text_as_number(x):
    return int(f"{(x[0, 0] > 0).astype('int32')}", 10)
