"""Functions as trees of lines, and how CPython runs them on stand-ins of tensors."""

import ast
import contextlib
import functools
import math
import re
import signal
import traceback

import numpy as np

from stand_in import Mode, Tensor, TooLong, dtypes, ops
from stand_in_cells import Parameter, nn

# What every drawn program finds in its module, in Python's own words.
PRELUDE = '''
class Box:
    kind = "box"

    def __init__(self, size=3, name="b"):
        self.size, self.name = size, name

    def scaled(self, x, by=2):
        return x * self.size + by

    @property
    def area(self):
        return self.size ** 2

    @staticmethod
    def shifted(x, by=1):
        return x + by

    @classmethod
    def of(cls, size):
        return cls(size, cls.kind)

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.size * 10 + index

    def __contains__(self, item):
        return item < self.size

    def __call__(self, x):
        return x - self.size

    def __add__(self, other):
        return Box(self.size + (other.size if isinstance(other, Box) else other))

    def __mul__(self, other):
        return other * self.size

    def __eq__(self, other):
        return isinstance(other, Box) and self.size == other.size

    def __lt__(self, other):
        return self.size < other.size

    def __bool__(self):
        return self.size > 2

    def __neg__(self):
        return -self.size


class Crate(Box):
    kind = "crate"

    def __init__(self, size=2, *tags):
        super().__init__(size, "c")
        self.tags = tags

    def scaled(self, x, by=1):
        return super().scaled(x, by) - 1

    def __iter__(self):
        return iter((self.size, *self.tags))


class Keeper:
    def __init__(self, left, right=None):
        self.left, self.right = left, left if right is None else right

    @property
    def both(self):
        return self.left, self.right

    def swapped(self):
        return Keeper(self.right, self.left)

    def turn(self, value):
        self.left, self.right = self.right, value
        return self


class Scope:
    def __init__(self, value, kind=KeyError):
        self.value, self.kind = value, kind

    def __enter__(self):
        return self.value

    def __exit__(self, kind, problem, trace):
        return kind is not None and issubclass(kind, self.kind)


BOX, CRATE = Box(), Crate(4, "t", 7)
TABLE = {"one": 1, 2: "two", (1, 2): [3, 4]}
NUMBERS = [3, 1, 2]


def fixed(*shape):
    return Tensor(np.sin(np.arange(int(np.prod(shape))) * 0.7 + len(shape)).astype(np.float32).reshape(shape))


def parsed(text, base=10):
    try:
        return int(text, base)
    except ValueError:
        return -1


def counted(limit, step=2):
    for number in range(limit):
        yield number * step


def bound(first, second=2, *rest, third=3, **options):
    return first, second, rest, third, sorted(options.items())


def apply(function, *args, **options):
    return function(*args, **options)


def twice(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2
    return wrapper


@twice
def grown(x, by=1):
    return x + by


def power(x, n):
    return x * power(x, n - 1) if n > 0 else x * 0 + 1


def halves(n):
    return [n] if n < 2 else halves(n // 2) + [n]
'''


class Node:
    """A statement: its line, or the heads of its blocks with the statements in them."""

    def __init__(self, line, blocks=(), captured=False):
        self.line, self.captured = line, captured
        self.blocks = [(head, list(body)) for head, body in blocks]

    def render(self, indent, mark, lines, stand_ins):
        """Adds the text; behind the node `mark` the names are looked at."""
        space = "    " * indent
        if not self.blocks:
            line = for_stand_ins(self.line, self.captured) if stand_ins else self.line
            lines.extend(space + part for part in line.split("\n"))
        for head, body in self.blocks:
            lines.append(space + head)
            for node in body:
                node.render(indent + 1, mark, lines, stand_ins)
            if not body or mark is body:
                lines.append(space + ("    __look__(locals())" if mark is body else "    pass"))
        if mark is self:
            lines.append(space + "__look__(locals())")


class Function:
    """A function that is drawn: its parameters with their values, its statements, and the module's lines before it."""

    def __init__(self, name, names, values, before=""):
        self.name, self.names, self.values, self.before = name, names, values, before
        self.body = []

    def text(self, mark=None, stand_ins=False):
        """The definition as text."""
        lines = [f"def {self.name}({', '.join(self.names)}):"]
        for node in self.body:
            node.render(1, mark, lines, stand_ins)
        if mark is self.body:
            lines.append("    __look__(locals())")
        if not self.body:
            lines.append("    pass")
        return "\n".join(lines) + "\n"


@functools.lru_cache(4096)
def for_stand_ins(line, captured=False):
    """A line in which stores into elements of tensors make new tensors, as in compiled functions: `a[i] = v` is
    `a = __store__(v, a, i)`. A name of the outer function is not stored into."""
    if "[" not in line or "=" not in line or not _STORE.match(line):
        return line
    node = ast.parse(line).body[0]
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice):
        return line
    levels, bottom = [], target
    while isinstance(bottom, ast.Subscript):
        levels.insert(0, ast.unparse(bottom.slice))
        bottom = bottom.value
    value = ast.unparse(node.value)
    if isinstance(node, ast.AugAssign):
        value = f"__augmented__({type(node.op).__name__!r}, {ast.unparse(target)}, {value})"
    call = f"__store__({value}, {ast.unparse(bottom)}, {', '.join(f'__index__[{level}]' for level in levels)})"
    return call if captured else f"{ast.unparse(bottom)} = {call}"


_STORE = re.compile(r"[\w.]+\[")


class _Index:
    """Makes an index of what stands between brackets."""

    def __getitem__(self, index):
        return index


def store(value, holder, *indices):
    """`holder` with another element: the same list or dict, another tensor."""
    if len(indices) > 1:
        value, indices = store(value, holder[indices[0]], *indices[1:]), indices[:1]
    if isinstance(holder, Tensor):
        return holder.with_item(indices[0], value)
    holder[indices[0]] = value
    return holder


def augmented(name, old, value):
    """`old += value` and its kin."""
    names = {"old": old, "value": value}
    exec(f"old {_SIGNS[name]}= value", names)  # pylint: disable=exec-used
    return names["old"]


_SIGNS = {"Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**", "BitAnd": "&", "BitOr": "|",
          "BitXor": "^", "LShift": "<<", "RShift": ">>", "MatMult": "@"}


def _names():
    """The names of a module in which programs run on stand-ins."""
    names = {"ops": ops, "nn": nn, "Tensor": Tensor, "Parameter": Parameter, "ms": dtypes, "np": np, "math": math, "functools": functools, "__name__": "drawn",
             "__store__": store, "__augmented__": augmented, "__index__": _Index()}
    exec(_PRELUDE_CODE, names)  # pylint: disable=exec-used
    return names


@functools.lru_cache(8)
def compiled(text, file="<drawn>"):
    """The code of a text."""
    return compile(text, file, "exec")


def place_of(problem):
    """(file, line) of the text that an exception comes from; None where it is no line's."""
    places = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(problem.__traceback__)]
    return next((place for place in reversed(places) if place[0] in ("<drawn>", "<before>", "<prelude>")), None)


_PRELUDE_CODE = compiled(PRELUDE, "<prelude>")
NAMES = _names()


def copied(value):
    """A copy of an argument, down to its tensors."""
    if isinstance(value, (list, tuple)):
        return type(value)(copied(item) for item in value)
    if isinstance(value, dict):
        return {name: copied(item) for name, item in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return Tensor(value)
    return value


def frozen(value):
    """A copy of the containers in a value."""
    if type(value) in (list, tuple):
        return type(value)(frozen(item) for item in value)
    if type(value) is dict:
        return {name: frozen(item) for name, item in value.items()}
    return set(value) if type(value) is set else value


class Outcome:
    """What a run gave.

    Attributes:
      result, problem: what the function returned, or the exception that it raised.
      asked: how many truth values of tensors it has asked for.
      seen: the names at the mark, each time that it was reached.
      singular: whether something was divided by zero, or was no number.
      cuts: whether a tensor of floats was converted to integers.
      outside: whether a tensor was an index out of range.
      written: the arrays that were written to Parameters.
    """

    def __init__(self, result=None, problem=None, asked=0, seen=(), singular=False, cuts=False, written=(), outside=False):
        self.result, self.problem, self.asked, self.seen, self.singular, self.cuts = result, problem, asked, seen, singular, cuts
        self.written, self.outside = written, outside


def run(function, mark=None, wide=False, forced=None, text=None, arguments=None, nudge=0, catches=True, elsewhere=False,
        replayed=None):
    """Runs a function by CPython on stand-ins, without its handlers of exceptions where it `catches` none, and beside classes and
    functions at other addresses if `elsewhere`; Parameters take the `replayed` arrays, if any; the limit is of this process's own time, so that a busy machine changes nothing."""
    names, seen = {**(_names() if elsewhere else NAMES), **frozen({name: NAMES[name] for name in ("NUMBERS", "TABLE")})}, []
    names["__look__"] = lambda found: seen or seen.append(frozen(found))
    text = text or function.text(mark, stand_ins=True)
    if not catches:
        names["Scope"] = _Scope
        text = _HANDLER.sub(r"\1except ()\2:", text)
    with Mode.use(wide, forced, nudge, replayed) as mode:
        try:
            with _limited():
                exec(compiled(function.before, "<before>"), names)  # pylint: disable=exec-used
                exec(compiled(text), names)  # pylint: disable=exec-used
                result = names[function.name](*copied(function.values if arguments is None else arguments))
            return Outcome(result, None, mode.asked, seen, mode.singular, mode.cuts, mode.written, mode.outside)
        except (Exception, TooLong) as problem:  # pylint: disable=broad-except
            return Outcome(None, problem, mode.asked, seen, mode.singular)


_HANDLER = re.compile(r"^( *)except .*?( as \w+)?:$", re.MULTILINE)


class _Scope(NAMES["Scope"]):
    """One that lets exceptions pass."""

    def __exit__(self, *_):
        return False


@contextlib.contextmanager
def _limited():
    """Ends what takes too long, again and again where a destructor or a callback has swallowed that; never anything behind the block."""
    _running.append(True)
    signal.setitimer(signal.ITIMER_PROF, _SECONDS, _SECONDS / 4)
    try:
        yield
    finally:
        _running.clear()
        signal.setitimer(signal.ITIMER_PROF, 0)


def _end(*_):
    if _running:
        raise TooLong()


_running = []
_SECONDS = 1.0  # that a function may run; a loop over a list that its body lengthens has no end
signal.signal(signal.SIGPROF, _end)
