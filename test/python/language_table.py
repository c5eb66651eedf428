"""The language inside compiled functions, construct by construct: the table that language_test.py walks and that
docs/language.md is generated from.

`VALUES` are functions of nothing that compute with what is known while compiling; all of them are compiled as one
function, with those of language_patterns.py and language_state.py. `TENSORS` are functions of a tensor of shape (2, 3). Both are compared with
CPython's result of the same function. `REFUSED` (language_errors.py) are functions that end in an error, `PARTLY` (language_gaps.py) says what
is missing.
"""

import collections
import contextlib
import dataclasses
import enum
import functools
import math

import numpy as np

import plumb as ms
from language_classes import TENSOR_ROWS as CLASS_ROWS
from language_decided import TENSOR_ROWS as DECIDED_ROWS
from language_errors import REFUSED
from language_gaps import PARTLY
from language_iterators import TENSOR_ROWS as ITERATOR_ROWS
from language_keys import TENSOR_ROWS as KEY_ROWS
from language_objects import TENSOR_ROWS as OBJECT_ROWS
from language_patterns import ROWS, TENSOR_ROWS
from language_state import TENSOR_ROWS as STATE_ROWS
from language_users import TENSOR_ROWS as USER_ROWS
from plumb import Tensor, ops

VALUES, TENSORS = [], []
LIVE_LIST = [1, 2]


def value(what):
    """Enters a function of nothing under `what` it shows."""
    return lambda function: VALUES.append((what, function)) or function


def tensor(what):
    """Enters a function of a tensor."""
    return lambda function: TENSORS.append((what, function)) or function


class Level(enum.Enum):
    """An enumeration."""
    LOW = 1
    HIGH = 2


Pair = collections.namedtuple("Pair", "left right")


@dataclasses.dataclass
class Box:
    """A plain class with the usual special methods."""
    size: int = 3
    name: str = "box"

    def twice(self):
        """A method."""
        return self.size * 2

    @property
    def area(self):
        """A property."""
        return self.size ** 2

    @staticmethod
    def next(x):
        """A static method."""
        return x + 1

    @classmethod
    def of(cls, size):
        """A class method."""
        return cls(size)

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.size + index

    def __contains__(self, item):
        return item < self.size

    def __call__(self, x):
        return x * self.size

    def __add__(self, other):
        return Box(self.size + other.size)

    def __rmul__(self, other):
        return other * self.size


class Crate(Box):
    """A subclass that calls super()."""

    def twice(self):
        return super().twice() + 1


BOX, CRATE = Box(), Crate(4, "crate")


def parsed(text):
    """A function that only CPython can run."""
    try:
        return int(text)
    except ValueError:
        return -1


def counted(limit):
    """A generator."""
    for number in range(limit):
        yield number * 2


def doubled(function):
    """A decorator."""
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2
    return wrapper


@doubled
def shifted(x, by=1):
    """A decorated function."""
    return x + by


def bound(first, second=2, /, *rest, third=3, **options):
    """Every kind of parameter."""
    return first, second, rest, third, sorted(options.items())


# -- values


@value("numbers: arithmetic, comparison, integers of any size, floats as CPython rounds them")
def numbers():
    return (7 // -2, -7 % 3, 7.5 // 2, 5.5 % -2, 2 ** -1, 2 ** 100 // 2 ** 98, 0.1 + 0.2, 1e300 * 10, 5 & 3 | 8, 1 << 4, ~5, -3.0,
            2 ** 53 + 1 == 2.0 ** 53, 2 ** 53 + 1 > 2.0 ** 53, -2 ** 53 - 1 < -2.0 ** 53, 2 ** 53 in (2 ** 53 + 1,), 3 < float("nan"),
            divmod(-7, 3), pow(2, 10, 7), round(2.5), round(3.14159, 2), abs(-3), 1 < 2 < 3, 3 > 2 > 5, True + True)


@value("conversions: int with a base, float, bool, str, repr, chr, ord, hex, bin")
def conversions():
    return (int("12", 16), int(3.9), float("2.5"), bool([]), bool("a"), str(1.5), repr("q"), chr(65), ord("a"), hex(255), bin(5),
            str([1, "a"]), str({"k": (1,)}), str(None))


@value("strings: operators, %, format, f-strings with conversions and formats, methods, slices")
def strings():
    word = "Plum" + "b"
    return (word * 2, word.upper(), word[1:3], word[::-1], word[-1], "%d-%s" % (3, "x"), "{:>6}|{}".format(word, 2),
            f"{3.14159:.2f} {word!r:>9} {len(word)}", word.replace("l", "L"), "a,b".split(","), "-".join(["a", "b"]), "lum" in word,
            word.find("m"), word.startswith("P"), " x ".strip(), "é"[0], len("né"))


@value("lists: every method, slices, deletion, in place through an alias")
def lists():
    numbers = [1, 2, 3]
    alias = numbers
    alias.append(4)
    numbers[0] = 10
    numbers.insert(1, 7)
    last = numbers.pop()
    numbers.extend([5, 6])
    numbers += [8]
    numbers[1:3] = [9]
    del numbers[0]
    numbers.reverse()
    copy = numbers.copy()
    copy.sort()
    copy.clear()
    return numbers, alias, last, numbers is alias, copy, [1, 2] * 2, [1] + [2], numbers.index(5), numbers.count(9), [1] == (1,)


@value("tuples: operators, slices, comparison, methods")
def tuples():
    pair = (1, 2)
    return pair + (3,), pair * 2, pair[::-1], pair < (1, 3), pair.index(2), 2 in pair, len(pair), () == (), (1, 2) == (1.0, 2)


@value("dicts: any hashable key, every method, in place, merging")
def dicts():
    table = {"a": 1, 2: "two", (1, 2): [3], None: 0}
    table["b"] = 5
    table.update({"c": 6})
    table[(1, 2)].append(4)
    gone = table.pop("a")
    table.setdefault("z", []).append(1)
    del table[None]
    return (table, gone, list(table.keys()), list(table.values()), list(table.items()), len(table), table.get("q", 9), 2 in table,
            {**table, "n": 1}, dict(a=1), dict([("k", 2)]), {"a": 1} | {"b": 2}, [key for key in table])


@value("sets: displays, methods, operators, comprehensions")
def sets():
    some = {1, 2, 3, 2}
    some.add(5)
    some.discard(1)
    return sorted(some), sorted(some & {2, 5}), sorted(some | {9}), 2 in some, len(some), sorted({x % 2 for x in some}), some == {2, 3, 5}


@value("comprehensions with several for and if, of lists, dicts, sets and generators")
def comprehensions():
    return ([(i, j) for i in range(3) for j in range(i) if i + j > 1], {i: i * i for i in range(3)}, sum(i for i in range(5)),
            [[j for j in range(i)] for i in range(3)], any(i > 2 for i in range(4)), list(i for i in "ab"))


@value("unpacking, starred targets and displays, chained assignment, walrus")
def unpacking():
    first, *rest = [1, 2, 3]
    (one, two), three = (1, 2), 3
    *front, back = "abc"
    a = b = [first]
    return first, rest, one, two, three, front, back, [*rest, *front], (*rest,), a is b, (n := 5) + n


@value("conditional expressions, and, or, not, in, is")
def logic():
    empty = []
    return 1 if empty else 2, empty or "x", [] and 1, not empty, 1 in [1, 2], "k" not in {"k": 1}, None is None, empty is not None


@value("map, filter, zip, enumerate, range, sorted, reversed, min, max, sum, any, all with keys")
def iteration():
    return (list(map(lambda x: x + 1, [1, 2])), list(filter(lambda x: x > 1, [1, 2, 3])), list(zip([1, 2], "ab")),
            list(enumerate("ab", 1)), list(range(5, 0, -2)), sorted([3, 1, 2], key=lambda v: -v), list(reversed([1, 2])),
            sorted("bca", reverse=True), max("aa", "b", key=len), min([3, 1]), max(3, 7), sum([1, 2], 3), any([0, 1]), all([]),
            functools.reduce(lambda a, b: a * b, [1, 2, 3, 4]))


@value("lambda, inner functions, closures that see later values, recursion, defaults computed once")
def functions():
    base = 1
    late = lambda z: z + base
    base = 10

    def factorial(n):
        return 1 if n <= 1 else n * factorial(n - 1)

    def outer(k, m=base * 2):
        def inner(q):
            return q + k + m
        return inner

    return late(1), factorial(5), outer(5)(1), [f() for f in [lambda i=i: i for i in range(3)]], [f() for f in [lambda: i for i in range(3)]]


@value("positional-only, keyword-only, default, star and double-star arguments")
def parameters():
    return bound(1), bound(1, 5, 6, 7, third=8, x=9), bound(*[1, 2, 3], **{"third": 4, "y": 5})


@value("decorators, functools.partial, functions that only CPython can run, generators")
def callables():
    return shifted(3), functools.partial(shifted, by=5)(1), functools.partial(math.pow, 2)(5), parsed("7"), parsed("x"), list(counted(3))


@value("math, numpy on constants")
def libraries():
    array = np.array([1, 2, 3])
    return (math.sqrt(16), math.gcd(12, 18), math.pi, math.floor(2.7), math.isclose(1.0, 1.0), int(np.prod((2, 3))), float(np.mean(array)),
            (array * 2).tolist(), np.where(array > 1)[0].tolist(), array.shape)


@value("enumerations")
def enumerations():
    return Level.LOW.name, Level.LOW.value, Level(2).name, Level.LOW is Level.LOW, Level.LOW == Level.HIGH, [level.name for level in Level]


@value("classes: attributes, methods, properties, static and class methods, special methods, super, dataclasses, namedtuples")
def classes():
    pair, made = Pair(1, 2), Box(5)
    return (BOX.size, BOX.twice(), BOX.area, len(BOX), BOX[2], BOX(5), (BOX + made).size, 2 * BOX, Box.next(1), Box.of(7).size, 2 in BOX,
            CRATE.twice(), CRATE.name, pair.left + pair.right, pair[0], pair._replace(left=5).left)


@value("isinstance, issubclass, type, getattr, hasattr, callable")
def reflection():
    return (isinstance(CRATE, Box), isinstance(3, (int, str)), isinstance([], tuple), issubclass(Crate, Box), type(3) == int,
            type("a").__name__, getattr(BOX, "size"), getattr(BOX, "zzz", 8), hasattr(BOX, "area"), hasattr(BOX, "q"), callable(BOX), callable(3))


@value("loops over constants with break, continue and nested functions; while on numbers")
def loops():
    found, n = [], 0
    for i in range(10):
        if i % 2:
            continue
        if i > 6:
            break
        found.append(i)
    while n < 5:
        n += 2
    return found, n


@value("loops over a list that changes on the way")
def changing():
    items, seen = [1, 2, 3], []
    for item in items:
        seen.append(item)
        if item < 6:
            items.append(item + 3)
    for item in items:
        items.remove(item)
    return items, seen, [items.pop() for _ in list(items)]


# -- tensors


@tensor("tensors in lists, dicts and tuples; containers handed to functions that change them")
def containers(x):
    out = []

    def add(items, item):
        items.append(item)
        return items

    for i in range(3):
        same = add(out, x * i)
    out[0] = x + 100
    table = {"q": out}
    table["q"].append(1)
    return out, same is out, list(reversed(out)), dict(zip("ab", out)), {i: v for i, v in enumerate(out)}, out[1:], len(out), [x] * 2


@tensor("objects, closures and library functions around tensors")
def around(x):
    return (BOX(x), Box.next(x), Box.of(2)(x), functools.partial(lambda a, b: a - b, 1.0)(x), functools.reduce(lambda a, b: a + b, [x, x, x]),
            list(map(CRATE, [x, x])), BOX.area * x, shifted(x, by=2))


PLACES = Tensor([[0, 1], [2, 2], [3, 0]])


def with_doubled_values(matrix):
    """A sparse matrix with values twice as large."""
    return ms.COOTensor(matrix.indices, matrix.values * 2, matrix.shape)


@tensor("sparse tensors: made, passed on, their members, methods and operators")
def sparse(x):
    matrix = ms.COOTensor(PLACES, x[0], (4, 3))
    rows = with_doubled_values(matrix).to_csr()
    return (matrix.to_tuple(), matrix.shape, rows.mm(ops.transpose(x, (1, 0))), (-rows).to_tuple(), (matrix * rows.to_dense()).values,
            isinstance(rows, ms.CSRTensor), (matrix - ops.ones((4, 3))).sum())


class Scope:
    """A context."""

    def __init__(self, scale):
        self.scale = scale

    def __enter__(self):
        return self.scale + 1

    def __exit__(self, kind, problem, trace):
        return None


SUM = ops.MultitypeFuncGraph("sum")


@SUM.register("Tensor", "Tensor")
def sum_tensors(a, b):
    """For tensors."""
    return a + b


@SUM.register("Number", "Number")
def sum_numbers(a, b):
    """For numbers."""
    return a * 10 + b


EACH, LEAVES = ops.Map(), ops.HyperMap(SUM)


@tensor("Map, HyperMap, MultitypeFuncGraph, partial with tensors")
def maps(x):
    return (LEAVES((x, [1, (x, 2)]), (x, [3, (x, 4)])), EACH(lambda a, b: a - b, (x, x * 2), (x, x)), functools.partial(SUM, x)(x),
            ops.partial(SUM, x)(x * 2))


@tensor("with, on contexts of the program's and of Python's")
def contexts(x):
    with Scope(2) as scale, contextlib.nullcontext(3) as other:
        y = x * scale
    return y + other


@tensor("constants of NumPy as tensors; Tensor(...) with and without a dtype")
def constants(x):
    array = np.array([1.0, 2.0, 3.0], np.float32)
    return x + Tensor(array), Tensor([1, 2, 3]), Tensor([1, 2], ms.float32), Tensor(3), x.reshape((int(np.prod(x.shape)),))


@tensor("closures over names that a branch on a tensor assigns")
def branches(x):
    if x.sum() > 0:
        y = x
    else:
        y = -x
    shift = lambda z: z + y
    return shift(x), [shift(v) for v in (x, y)]


@tensor("print anywhere, in branches and loops on tensors, too: each time with the values of that iteration")
def prints(x):
    total, left = x.sum(), Tensor(3)
    while left > 0:
        if left > 1:
            print("left", left)
        total = total + left
        left = left - 1
    return total, left


@tensor("nothing, and structures of anything, as results")
def structures(x):
    return None, {"a": x, "b": [x, (x, "text", None, 1.5)]}, (), [], {}


@tensor("a tensor beside numbers in a list or tuple, which are a tensor of its element type")
def beside(x):
    return x * [2, 3, 4], (1, 2, 3) - x, x / [[1], [2]], Tensor([1, 2], ms.int32) * (0.5, 1.5), x ** (1, 2, 3)


class Refusal(ValueError):
    """An exception of the program's."""

    def __init__(self, code, what):
        super().__init__(what)
        self.code = code


def checked(value, limit):
    """Raises for values that are too large."""
    if value > limit:
        raise Refusal(value, f"{value} is more than {limit}")
    return value


@value("try, except, else, finally, raise: exceptions that arise while compiling")
def exceptions():
    seen = []
    for item in ("12", "x", 7, None, 90):
        try:
            seen.append(checked(int(item), 50))
        except (TypeError, KeyError) as problem:
            seen.append(type(problem).__name__)
        except Refusal as problem:
            seen += [problem.code, str(problem)]
        except ValueError:
            seen.append("no number")
            continue
        else:
            seen.append("good")
        finally:
            seen.append("done")
    try:
        try:
            seen.append({"a": 1}["b"])
        except KeyError as problem:
            raise RuntimeError("no b") from problem
        finally:
            seen.append("inner")
    except Exception as problem:  # pylint: disable=broad-except
        seen.append(str(problem))
    return seen


@tensor("an element of a list or tuple at an index that a tensor gives: one out of range ends the launch with an IndexError, whether or not "
        "anything uses the element")
def chosen_element(x):
    values, number = [x, x * 2, x * 3], ops.cast(x > 0.5, ms.int32).sum()
    values[-number % 3]  # pylint: disable=expression-not-assigned
    return values[number % 3] + (x, x + 1)[-(number % 2)]


@tensor("raise and assert under conditions on tensors: the launch ends with that exception, at its line")
def raised(x):
    assert x.sum() < 1000, "a large sum"
    for row in x:
        if row[0] < -1000:
            raise ValueError(f"a row of {row.shape[0]} begins far below zero")
        elif row[1] > 1000:
            raise Refusal(3, "too large")
        x = x + row
    return x


def first_good(*makers):
    """Leaves handlers and loops by return."""
    for make in makers:
        try:
            return make()
        except ZeroDivisionError:
            pass
        finally:
            makers = ()
    return None


@value("leaving try, except, finally and with by return, break and continue")
def early():
    found = []
    for item in range(5):
        with contextlib.nullcontext(item) as number:
            if number == 1:
                continue
            if number == 3:
                break
            found.append(number)
    with contextlib.suppress(KeyError):
        found.append({}["nothing"])
    return found, first_good(lambda: 1 // 0, lambda: 7)


@tensor("try around tensors: the exceptions of operations on them")
def tried(x):
    try:
        y = x + ops.ones((5,), ms.float32)
    except ValueError:
        y = x * 2
    try:
        z = y * Box(2).no_such_name
    except AttributeError:
        z = y - 1
    try:
        import no_such_module
        z = no_such_module.go(z)
    except ImportError:
        z = z + 3
    return y, z


@tensor("nonlocal names")
def shared(x):
    total, count = x, 0

    def add(value):
        nonlocal total, count
        count += 1
        total = total + value
        return count

    return [add(x * factor) for factor in (2, 3)], total, count


@tensor("classes made inside of functions")
def made_class(x):
    class Scale:
        """A class of the function's."""

        def __init__(self, factor):
            self.factor = factor

        def __call__(self, value):
            return value * self.factor

    return Scale(2)(x) + Scale(3)(x)


VALUES += ROWS
TENSORS += TENSOR_ROWS + STATE_ROWS + KEY_ROWS + OBJECT_ROWS + USER_ROWS + ITERATOR_ROWS + CLASS_ROWS + DECIDED_ROWS

HEAD = """# The language of compiled functions

What `construct` and functions under `jit` may hold. The page is generated from the table that `test/python/language_test.py` walks
(`test/python/language_table.py`), each row of which is compiled and compared with CPython.
"""


def page():
    """The text of docs/language.md."""
    lines = [HEAD, "## Supported\n"]
    lines += [f"* {what}" for what, _ in VALUES + TENSORS]
    lines += ["\n## Partly, or refused\n", "| construct | what happens |", "|---|---|"]
    lines += [f"| {what} | {happens} |" for what, happens in PARTLY]
    lines += ["\n## Errors\n", "An error stands at the program's line and is of the class that Python gives it, beside `CompileError`.\n",
              "| mistake | class |", "|---|---|"]
    lines += [f"| {what} | `{kind.__name__}` |" for what, _, kind, _ in REFUSED]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
