"""Random functions, statement by statement: each statement is drawn for the names and values that a run of the function so far
has at its place, and stays only if the function still runs to its end.
"""

import random
from collections import namedtuple

import numpy as np

from drawn_expressions import Drawer, Retry, kind_of
from drawn_networks import NetworkWriter
from drawn_productions import index_text, slice_text
from drawn_statements import Statements
from function_text import NAMES, Function, Node, run
from stand_in import Mode, Tensor

# Where a statement stands: under a condition on a tensor; in a loop; in an inner function; how deep.
Flow = namedtuple("Flow", "tensor loop inner level")
_SHAPES = [(), (3,), (2, 3), (1, 3), (2, 2), (4,), (2, 1, 3)]


class Writer(Statements):
    """Draws one function.

    Args:
      seed: the same seed gives the same function.

    Attributes:
      function: the function.
      rich: whether it has tensors.
    """

    def __init__(self, seed, name=None):
        self.rng = random.Random(seed)
        self.array_rng = np.random.default_rng(seed)
        self.rich = self.rng.random() < 0.6
        self.leaves = 0.3 if self.rng.random() < 0.25 else 0.1  # the share of lines that leave a loop on a tensor
        self.banned, self.locked, self.serial, self.models, self.raising, self.outer = set(), set(), 0, None, [], set()
        names, values = self._arguments()
        self.networks = self._networks(f"net{seed}") if self.rich and self.rng.random() < 0.3 else []
        self.function = Function(name or f"f{seed}", names, values, "\n\n".join(network.text for network in self.networks))
        self._draw()

    def _arguments(self):
        values = []
        if self.rich:
            values = [self._array(self.rng.choice(["float32"] * 5 + ["int32", "int64", "bool", "float64", "int8",
                                                                     "float16"])) for _ in range(self.rng.randint(1, 3))]
            if not any(value.dtype == np.float32 for value in values):
                values[0] = self._array("float32")
        pool = [3, -2, 1.5, "word", True, None, [1, 2], (2, 0.5), {"k": 1, "n": [1]}, 0]
        values += [self.rng.choice(pool) for _ in range(self.rng.randint(0, 3))]
        if self.rich and self.rng.random() < 0.3:
            values.append([self._array("float32"), self._array("float32")] if self.rng.random() < 0.5 else {"a": self._array("float32"), "b": 2})
        return [f"a{index}" for index in range(len(values))], values

    def _array(self, kind):
        shape = self.rng.choice(_SHAPES)
        if kind == "bool":
            return self.array_rng.integers(0, 2, shape).astype(bool)
        if kind.startswith("int"):
            return self.array_rng.integers(-5, 9, shape).astype(kind)
        return (self.array_rng.standard_normal(shape) * 1.5).astype(kind)

    def _networks(self, name):
        """A network that runs, in a list."""
        network = NetworkWriter(self.rng, name)
        names = dict(NAMES)
        try:
            with Mode.use():
                exec(network.text, names)  # pylint: disable=exec-used
                names[name](Tensor(self.array_rng.standard_normal(network.shape).astype(np.float32)))
        except Exception:  # pylint: disable=broad-except
            return []
        network.made = names[name]
        return [network]

    # -- looking

    def env_at(self, mark):
        """The names at a mark; None when the function does not run to its end, or never gets there."""
        asked = 1
        for attempt in range(6):
            outcome = run(self.function, mark, forced=(lambda: self.rng.random() < 0.5) if attempt else None)
            asked = outcome.asked if attempt == 0 else asked
            if outcome.problem is not None and attempt == 0:
                return None
            if outcome.seen and outcome.problem is None:
                outer = {} if not self.outer else self.outer_env
                return {**outer, **{name: value for name, value in outcome.seen[0].items() if name not in self.banned}}
            if not asked:
                return None
        return None

    def fresh(self):
        """A new name."""
        self.serial += 1
        return f"v{self.serial}"

    def drawer(self, env):
        """Draws expressions over `env`; keeps those that raise."""
        drawer = Drawer(self.rng, env, self.rich, self.networks)
        drawer.raising = self.raising
        return drawer

    def chance(self, share):
        """True in a share of all cases."""
        return self.rng.random() < share

    # -- blocks

    def _draw(self):
        env = self.env_at(self.function.body)
        if self.rich and self.chance(0.4):
            models = [value for value in env.values() if isinstance(value, Tensor)]
            self.models = [self.rng.choice(models) for _ in range(self.rng.randint(1, 2))]
        for network in self.networks:
            with Mode.use():
                model = Tensor(np.ones(network.shape, np.float32))
            node = Node(f"{self.fresh()} = {network.name}({self.drawer(env).like(model)})")
            self.function.body.append(node)
            env = self.env_at(node) or env
        env = self.block(self.function.body, Flow(False, False, False, 0), env, self.rng.randint(2, 7))
        self._finish(env)

    def _finish(self, env):
        body, drawer = self.function.body, self.drawer(env)
        if self.raising and self.chance(0.12):
            body.append(Node(f"{self.fresh()} = {self.rng.choice(self.raising)}"))
        if self.models:
            body.append(Node("return " + self.returned(drawer)))
            return
        names = [name for name, value in env.items() if returnable(value)]
        parts = self.rng.sample(names, min(len(names), 6)) + drawer.some(drawer, 0, 2)
        parts = [part for part in parts if part in names or self._is_returnable(drawer, part)]
        style = self.rng.choice(["({}{})", "[{}]", "{{{}}}"])
        text = ", ".join(f"'{index}': {part}" if style[0] == "{" and style[1] == "{" else part for index, part in enumerate(parts))
        body.append(Node("return " + (style.format(text, "," if parts else "") if style[0] == "(" else style.format(text))))

    @staticmethod
    def _is_returnable(drawer, text):
        return drawer.is_good(text, "any") and returnable(drawer.value(text))

    def returned(self, drawer):
        """What a function with several returns returns: always of the same types."""
        texts = [drawer.like(model) for model in self.models]
        return texts[0] if len(texts) == 1 else "(" + ", ".join(texts) + ")"

    def block(self, body, flow, env, count):
        """Draws statements into `body`; returns the names behind them."""
        for _ in range(count):
            for _ in range(3):
                size = len(body)
                try:
                    behind = self.statement(body, flow, env)
                except Retry:
                    behind = None
                if behind is not None:
                    env = behind
                    break
                del body[size:]
        return env

    def statement(self, body, flow, env):
        """Draws one statement; the names behind it, or None."""
        drawer = self.drawer(env)
        compound = flow.level < 3 and self.chance(0.2 + self.leaves)
        if compound:
            forms = [self.branch, self.branch, self.loop, self.loop, self.turns, self.inner, self.attempt, self.scope, self.matched,
                     self.closure, self.tangle, self.carried]
            return self.rng.choice(forms)(body, flow, drawer)
        line = (self.tensor_line if flow.tensor else self.line)(flow, drawer)
        if line is None:
            return None
        node = Node(line, captured=line.partition("[")[0] in self.outer)
        body.append(node)
        behind = self.env_at(node)
        return behind

    # -- lines

    def target(self, drawer, text=None):
        """A name to store into."""
        names = [name for name in drawer.env if name not in self.locked and name not in self.outer]
        if names and self.chance(0.3):
            return self.rng.choice(names)
        return self.fresh()

    def tensor_line(self, flow, drawer):
        """A statement under a condition on a tensor: names keep their types."""
        tensors = [name for name, value in drawer.env.items() if isinstance(value, Tensor) and name not in self.locked | self.outer]
        numbers = [name for name, value in drawer.env.items() if type(value) in (int, float) and name not in self.locked | self.outer]
        if flow.loop and self.chance(self.leaves) and not flow.inner:
            return f"if {drawer.condition()}:\n    {self.rng.choice(['break', 'continue'])}"
        if self.models and not flow.inner and self.chance(self.leaves):
            return f"if {drawer.condition()}:\n    return {self.returned(drawer)}"
        if numbers and self.chance(0.08):
            name = self.rng.choice(numbers)
            self.banned.add(name)
            return f"{name} {self.rng.choice(['+=', '*=', '-='])} 2"
        if not tensors:
            return "pass"
        name = self.rng.choice(tensors)
        if drawer.env[name].shape and self.chance(0.25):
            return self.tensor_store(name, drawer)
        if self.chance(0.25):
            fresh = self.fresh()
            self.banned.add(fresh) if self.chance(0.5) else None
            return f"{fresh} = {drawer.like(drawer.env[name])}"
        return f"{name} = {drawer.like(drawer.env[name])}"

    def line(self, flow, drawer):
        """A statement whose way is known while compiling."""
        d = drawer
        forms = [lambda: f"{self.target(d)} = {d()}", lambda: f"{self.target(d)} = {d('tensor')}", lambda: f"{self.target(d)} = {d()}",
                 lambda: f"{self.target(d)} = {d('tensor')}", lambda: self.augmented(d), lambda: self.augmented(d), lambda: self.mutation(d),
                 lambda: self.mutation(d), lambda: self.mutation(d), lambda: self.store(d), lambda: self.store(d), lambda: self.unpacking(d),
                 lambda: self.function_line(d), lambda: self.rare(d)]
        if flow.loop and not flow.inner and self.chance(0.12):
            return f"if {d('bool')}:\n    {self.rng.choice(['break', 'continue'])}"
        return self.rng.choice(forms)()

    def rare(self, d):
        """Statements that are seldom written."""
        return self.rng.choice([
            lambda: f"assert {d('bool')} or True, 'no'", lambda: f"{self.fresh()}: int = {d('int')}", lambda: f"{self.fresh()} = {self.fresh()} = {d()}",
            lambda: f"{self.fresh()} = ({self.fresh()} := {d()})", lambda: "'text'", lambda: f"{d()}", lambda: f"from math import floor as {self.fresh()}",
            lambda: f"if {d('bool')}:\n    raise ValueError(f'bad {{{d('int')}}}')", lambda: f"{self.fresh()} = [{self.fresh()} := {d('int')}, {d()}]",
            lambda: f"if {d('bool')}:\n    return {self.returned(d) if self.models else d()}"])()

    def augmented(self, d):
        """`name op= value`."""
        names = [name for name, value in d.env.items() if name not in self.locked and kind_of(value) in ("int", "float", "str", "list", "tensor", "tuple", "set", "dict")]
        if not names:
            return None
        name = self.rng.choice(names)
        value = {"int": lambda: "+= -= *= //= %= |= &=".split(), "float": lambda: "+= -= *= /=".split(), "str": lambda: ["+="], "list": lambda: ["+="],
                 "tensor": lambda: "+= -= *= /=".split(), "tuple": lambda: ["+="], "set": lambda: ["|=", "-=", "&="],
                 "dict": lambda: ["|="]}[kind_of(d.env[name])]()
        kind = kind_of(d.env[name])
        other = d("number") if kind == "tensor" and self.chance(0.5) else d.like(d.env[name]) if kind == "tensor" else d("iterable" if kind == "list" else kind)
        return f"{name} {self.rng.choice(value)} {other}"

    def mutation(self, d):
        """A change of a container."""
        names = [name for name, value in d.env.items() if type(value) in (list, dict, set) and name not in self.locked]
        if not names:
            return f"{self.fresh()} = {d(self.rng.choice(['list', 'dict', 'set']))}"
        name = self.rng.choice(names)
        value = d.env[name]
        if isinstance(value, list):
            return f"{name}.{self.rng.choice([lambda: f'append({d()})', lambda: f'extend({d(chr(105) + chr(116) + chr(101) + chr(114) + chr(97) + chr(98) + chr(108) + chr(101))})', lambda: f'insert({d.literal(chr(105) + chr(110) + chr(116))}, {d()})', lambda: 'pop()', lambda: 'reverse()', lambda: 'clear()', lambda: f'pop({self.rng.randint(-2, 2)})'])()}"
        if isinstance(value, set):
            return f"{name}.{self.rng.choice(['add', 'discard'])}({d('int')})"
        key = self.rng.choice(["'k'", "'z'", "3", "(1, 2)"] + [repr(key) for key in value])
        return self.rng.choice([lambda: f"{name}[{key}] = {d()}", lambda: f"{name}.update({{{key}: {d()}}})",
                                lambda: f"{name}.setdefault({key}, {d()})", lambda: f"{name}.pop({key}, None)", lambda: f"del {name}[{key}]",
                                lambda: f"{self.fresh()} = {name}.pop({key}, {d()})", lambda: f"{self.fresh()} = {name}.get({key})"])()

    def store(self, d):
        """A store into an element."""
        lists = [name for name, value in d.env.items() if isinstance(value, list) and value and name not in self.locked]
        tensors = [name for name, value in d.env.items() if isinstance(value, Tensor) and value.shape and name not in self.locked | self.outer]
        if lists and self.chance(0.4):
            name = self.rng.choice(lists)
            place = self.rng.randrange(-len(d.env[name]), len(d.env[name]))
            item = d.env[name][place]
            return self.rng.choice([lambda: f"{name}[{place}] = {d()}", lambda: f"{name}[{slice_text(d, 2)}] = {d('list')}", lambda: f"del {name}[{place}]",
                                    lambda: f"{name}[{place}] += {d(kind_of(item)) if kind_of(item) in ('int', 'str', 'list', 'float') else 1}",
                                    lambda: f"{name}[{place}][{index_text(d, item.shape)}] = 0.5" if isinstance(item, Tensor) and item.shape else f"{name}.append({d()})"])()
        return self.tensor_store(self.rng.choice(tensors), d) if tensors else None

    def tensor_store(self, name, d):
        """A store into elements of a tensor."""
        value = d.env[name]
        index = index_text(d, value.shape) if self.chance(0.85) or not value.kind.startswith("float") else f"{name} > 0.3"
        if ">" not in index and "[" in index and len(set(index)) < 3:
            return None
        sign = self.rng.choice(["=", "=", "+=", "*=", "-="]) if value.kind != "bool" and ">" not in index else "="
        number = d.literal("bool" if value.kind == "bool" else "int" if not value.kind.startswith("float") else "float")
        try:
            selected = d.value(f"{name}[{index}]")
        except IndexError:
            return f"{name}[{index}] = {number}"  # an error is a result, too
        if self.chance(0.4) and ">" not in index and selected.size == len(set(np.arange(value.size).reshape(value.shape)[_plain(index, d, value.ndim)].reshape(-1).tolist())):
            number = d.like(selected)
        elif selected.size > value.size or "%" in index:
            sign = "="
        return f"{name}[{index}] {sign} {number}"

    def unpacking(self, d):
        """Several targets."""
        names = [name for name in d.env if name not in self.locked | self.outer]
        if len(names) > 1 and self.chance(0.3):
            one, other = self.rng.sample(names, 2)
            return f"{one}, {other} = {other}, {one}"
        return self.rng.choice([lambda: f"{self.fresh()}, {self.fresh()} = {d()}, {d()}", lambda: f"{self.fresh()}, *{self.fresh()} = {d('list')}",
                                lambda: f"*{self.fresh()}, {self.fresh()} = {d('iterable')}",
                                lambda: f"({self.fresh()}, {self.fresh()}), {self.fresh()} = ({d()}, {d()}), {d()}",
                                lambda: f"[{self.fresh()}, {self.fresh()}] = {d('iterable')}"])()

    def function_line(self, d):
        """A function in a name, or a call of one."""
        names = [name for name, value in d.env.items() if kind_of(value) == "function"]
        if not names or self.chance(0.5):
            return f"{self.fresh()} = {d('function')}"
        return f"{self.fresh()} = {self.rng.choice(names)}({d(self.rng.choice(['tensor', 'int', 'float']))})"

    # -- statements with blocks

    def condition(self, drawer, flow):
        """(text, whether it depends on a tensor)."""
        if self.rich and self.chance(0.6):
            return drawer.condition(), True
        return drawer("bool"), False

    def branch(self, body, flow, drawer):
        """if, elif, else."""
        tests = [self.condition(drawer, flow) for _ in range(self.rng.randint(1, 2))]
        heads = [("if " if not index else "elif ") + text + ":" for index, (text, _) in enumerate(tests)] + (["else:"] if self.chance(0.6) else [])
        tensor = flow.tensor or any(by for _, by in tests)
        return self.compound(body, flow, heads, flow._replace(tensor=tensor, level=flow.level + 1), [])

    def loop(self, body, flow, drawer):
        """for."""
        index, other = self.fresh(), self.fresh()
        d = drawer
        head = self.rng.choice([lambda: f"for {index} in range({self.rng.randint(0, 3)}):", lambda: f"for {index} in range({d('int')} % 4):",
                                lambda: f"for {index} in {d('iterable')}:", lambda: f"for {index}, {other} in enumerate({d('iterable')}):",
                                lambda: f"for {index}, {other} in zip({d('iterable')}, {d('iterable')}):", lambda: f"for {index} in {d('tensor')}:",
                                lambda: f"for {index}, {other} in {d('dict')}.items():", lambda: f"for {index} in reversed({d('list')}):"])()
        heads = [head] + (["else:"] if self.chance(0.25) else [])
        leaves = self.rich and self.chance(0.3)
        return self.compound(body, flow, heads, flow._replace(tensor=flow.tensor or leaves, loop=True, level=flow.level + 1), [index])

    def turns(self, body, flow, drawer):
        """while."""
        count, most = self.fresh(), self.rng.randint(1, 4)
        tensors = drawer.variables("floats")
        by_tensor = self.rich and tensors and self.chance(0.6)
        start = f"{self.rng.choice(tensors)}.sum() * 0" if by_tensor else "0"
        test = f"{count} < {most}" if not self.chance(0.25) else f"{count} < {most} and {self.condition(drawer, flow)[0] if by_tensor else drawer('bool')}"
        first = Node(f"{count} = {start}")
        body.append(first)
        heads = [f"while {test}:"] + (["else:"] if self.chance(0.2) else [])
        self.locked.add(count)
        return self.compound(body, flow, heads, flow._replace(tensor=flow.tensor or bool(by_tensor), loop=True, level=flow.level + 1), [],
                             f"{count} = {count} + 1" if self.chance(0.5) else f"{count} += 1")

    def attempt(self, body, flow, drawer):
        """try, except, else, finally; half of them raise."""
        kinds = ["Exception", "(TypeError, ValueError)", "ValueError", "LookupError", "ArithmeticError", "KeyError as " + self.fresh()]
        first = None
        if not flow.tensor and self.chance(0.5):
            first = f"raise ValueError({drawer('str')})"
            if self.raising and self.chance(0.7):
                first = f"{self.fresh()} = {self.rng.choice(self.raising)}"
        heads = ["try:"] + [f"except {kind}:" for kind in self.rng.sample(kinds, self.rng.randint(1, 2))]
        heads += ["else:"] if self.chance(0.3) else []
        heads += ["finally:"] if self.chance(0.3) else []
        return self.compound(body, flow, heads, flow._replace(level=flow.level + 1), [], first)

    def scope(self, body, flow, drawer):
        """with, which may take an exception."""
        name, kind = self.fresh(), self.rng.choice(["KeyError", "ValueError", "Exception"])
        first = f"raise KeyError({drawer('int')})" if not flow.tensor and self.chance(0.2) else None
        return self.compound(body, flow, [f"with Scope({drawer()}, {kind}) as {name}:"], flow._replace(level=flow.level + 1), [], first)

    def shared(self, block, drawer):
        """A name of the outer function that the inner one assigns."""
        names = [name for name, value in drawer.env.items() if type(value) in (int, float) and name not in self.locked]
        if names and self.chance(0.25):
            name = self.rng.choice(names)
            block += [Node(f"nonlocal {name}"), Node(f"{name} = {name} {self.rng.choice('+-*')} 2")]

    def inner(self, body, flow, drawer):
        """An inner function and a call of it."""
        if flow.inner or flow.tensor:
            return None
        name, result = self.fresh(), self.fresh()
        first, second, rest = self.fresh(), self.fresh(), self.fresh()
        kinds = self.rng.choice(["tensor", "int", "any"])
        head = self.rng.choice([f"def {name}({first}, {second}={drawer('number')}):", f"def {name}({first}, {second}=1, *{rest}, by={drawer('number')}):",
                                f"def {name}({first}, /, {second}=(), **{rest}):"])
        call = Node(f"{result} = {name}({drawer(kinds)}{self.rng.choice(['', ', ' + drawer('number')])})")
        node = Node("", [(head, [])])
        body += [node, call]
        block = node.blocks[0][1]
        self.shared(block, drawer)
        env = self.env_at(block[-1] if block else block)
        if env is None:
            return None
        self.outer, self.outer_env = set(drawer.env), drawer.env
        env = self.block(block, Flow(False, False, True, flow.level + 1), {**drawer.env, **env}, self.rng.randint(0, 3))
        self.outer = set()
        block.append(Node(f"return {self.drawer(env)()}"))
        self.banned |= {inner for inner in env if inner not in drawer.env}
        return self.env_at(call)

    def compound(self, body, flow, heads, inner, locked, first=None, around=None):
        """Draws the blocks of a statement and then looks behind it; they stand in a block of the head `around`."""
        node = Node("", [(head, [Node(first)] if first and not index else []) for index, head in enumerate(heads)])
        whole = Node("", [(around, [node])]) if around else node
        body.append(whole)
        before = set(self.locked)
        self.locked |= set(locked)
        for number, (head, block) in enumerate(node.blocks):
            env = self.env_at(block[-1] if block else block)
            if env is not None:
                at = inner if number == 0 or not head.startswith("else") or heads[0].startswith("if") else inner._replace(loop=flow.loop)
                self.block(block, at, env, self.rng.randint(1, 3))
        self.locked = before | {name for name in self.locked if name.startswith("v") and heads[0].startswith("while")}
        behind = self.env_at(whole)
        if behind is not None and inner.tensor:
            self.banned |= self.varying(whole, behind)
            behind = {name: value for name, value in behind.items() if name not in self.banned}
        return behind

    def varying(self, node, env):
        """Names whose types, or known values, depend on tensors."""
        found = set()
        for _ in range(4):
            outcome = run(self.function, node, forced=lambda: self.rng.random() < 0.5)
            if outcome.seen:
                other = outcome.seen[0]
                found |= {name for name in set(env) | set(other) if not same_type(env.get(name, ...), other.get(name, ...))}
        return found


def _plain(index, drawer, rank):
    """An index into NumPy's arrays that a text stands for."""
    class Catch:
        """Keeps the index."""
        def __getitem__(self, key):
            return key

    from stand_in import plain_index
    return plain_index(eval(f"catch[{index}]", {**drawer.names, "catch": Catch()}), rank)  # pylint: disable=eval-used


def returnable(value):
    """Whether a compiled function may return a value."""
    if isinstance(value, (list, tuple, set)):
        return all(returnable(item) for item in value)
    if isinstance(value, dict):
        return all(returnable(item) for item in value.values())
    return kind_of(value) in ("tensor", "bool", "int", "float", "str", "none")


def same_type(one, other):
    """Whether two values are of one type, and equal where they are known while compiling."""
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return one.kind == other.kind and one.shape == other.shape
    if kind_of(one) != kind_of(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same_type, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same_type(one[name], other[name]) for name in one)
    if kind_of(one) == "function" or kind_of(one) == "object":
        return True
    return one == other
