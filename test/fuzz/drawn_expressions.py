"""Random expressions over the names that a function has at one place.

Every expression is evaluated where it is drawn, on stand-ins, so that its kind is known and it does not raise. Those that do
raise are kept apart: a few functions end with one of them, to compare the class of the error.
"""

import math
import types

from function_text import NAMES
from stand_in import ORDER, Mode, Tensor, TooLong, Unknown

_ATTEMPTS = 5
_FLOATS = ["0.5", "1.25", "-2.0", "0.1", "3.0", "2.5", "-0.75", "1e-3", "7.0"]
_TEXTS = ["'ab'", "'Plumb'", "'x y'", "'é'", "''", "'a,b,c'", "'12'", "'Z'", "'%d'", "'{}-{}'"]


class Retry(Exception):
    """No expression of the wanted kind was found."""


def holds_tensor(value):
    """Whether a tensor is in a value."""
    if isinstance(value, dict):
        return any(holds_tensor(item) for item in value.values())
    return isinstance(value, Tensor) or isinstance(value, (list, tuple, set)) and any(holds_tensor(item) for item in value)


def kind_of(value):
    """What a value is, in a word."""
    if isinstance(value, Tensor):
        return "tensor"
    if isinstance(value, (types.FunctionType, types.MethodType, types.BuiltinFunctionType)):
        return "function"
    return {bool: "bool", int: "int", float: "float", str: "str", list: "list", tuple: "tuple", dict: "dict", set: "set",
            type(None): "none"}.get(type(value), "object")


def is_sane(value):
    """Whether a value is small enough to go on with."""
    if isinstance(value, Tensor):
        return value.array.size <= 40 and value.array.ndim <= 4 and value.array.size > 0 and \
            bool((abs(value.array.astype("float64")) < 1e4).all())
    if isinstance(value, (list, tuple, set)):
        return len(value) <= 12 and all(is_sane(item) for item in value)
    if isinstance(value, dict):
        return len(value) <= 8 and all(is_sane(item) for item in value.values())
    if isinstance(value, float):
        return math.isfinite(value) and abs(value) < 1e9
    if isinstance(value, int):
        return abs(value) < 10 ** 12
    return len(value) < 80 if isinstance(value, str) else not isinstance(value, (types.GeneratorType, complex, bytes, range))


def fits(value, kind):
    """Whether a value is of a kind; "c…" is one without tensors."""
    if kind == "any":
        return True
    if kind == "number":
        return type(value) in (bool, int, float)
    if kind in ("clist", "ctuple", "cdict"):
        return kind_of(value) == kind[1:] and not holds_tensor(value)
    if kind == "floats":
        return isinstance(value, Tensor) and value.kind in ("float32", "float64")
    if kind == "ints":
        return isinstance(value, Tensor) and value.kind.startswith(("int", "uint"))
    if kind == "bools":
        return isinstance(value, Tensor) and value.kind == "bool"
    if kind == "iterable":
        return type(value) in (list, tuple, dict, str, set) and not (isinstance(value, set) and len(value) > 1)
    return kind_of(value) == kind


class Drawer:
    """Draws expressions.

    Args:
      rng: the generator.
      env: the names that may be used, with their values.
      rich: whether tensors may be drawn at all.
      networks: those that stand before the function.
    """

    def __init__(self, rng, env, rich=True, networks=()):
        self.rng, self.env, self.rich, self.networks = rng, env, rich, networks
        self.names = {**NAMES, **{network.name: network.made for network in networks}, **env}
        self.depth = 0
        self.raising = []

    # -- small choices

    def pick(self, *choices):
        """One of several."""
        return self.rng.choice(choices)

    def chance(self, share):
        """True in a share of all cases."""
        return self.rng.random() < share

    def some(self, draw, least=0, most=3):
        """Several drawn texts."""
        return [draw() for _ in range(self.rng.randint(least, most))]

    def value(self, text):
        """The value of a text."""
        with Mode.use():
            return eval(text, self.names)  # pylint: disable=eval-used

    # -- drawing

    def __call__(self, kind="any"):
        """The text of an expression of a kind."""
        if self.depth >= 3 or self.chance(0.25):
            return self.leaf(kind)
        self.depth += 1
        try:
            for _ in range(_ATTEMPTS):
                text = self.production(kind)
                if self.is_good(text, kind):
                    return text
        finally:
            self.depth -= 1
        return self.leaf(kind)

    def is_good(self, text, kind):
        """Whether a text has a value of the kind."""
        try:
            value = self.value(text)
            return fits(value, kind) and is_sane(value)
        except (SyntaxError, Unknown):
            return False
        except (Exception, TooLong):  # pylint: disable=broad-except
            if len(self.raising) < 8:
                self.raising.append(text)
            return False

    def production(self, kind):
        """Some expression that may be of the kind."""
        from drawn_productions import PRODUCTIONS
        if kind == "any":
            kind = self.pick("tensor", "tensor", "int", "float", "bool", "str", "list", "tuple", "dict", "set", "object")
        if not self.rich and kind in ("tensor", "floats", "ints", "bools"):
            kind = "int"
        kind = {"number": self.pick("int", "float", "bool"), "iterable": self.pick("list", "tuple", "str", "dict"),
                "floats": "tensor", "ints": "tensor", "bools": "tensor"}.get(kind, kind)
        try:
            return self.rng.choice(PRODUCTIONS[kind.lstrip("c") if kind[1:] in ("list", "tuple", "dict") else kind])(self)
        except Retry:
            return self.leaf(kind)

    def variables(self, kind):
        """The names of a kind."""
        return [name for name, value in self.env.items() if fits(value, kind) and is_sane(value)]

    def leaf(self, kind):
        """A name, or a literal."""
        names = self.variables(kind)
        if names and self.chance(0.85):
            return self.rng.choice(names)
        return self.literal(kind, names)

    def literal(self, kind, names=()):
        """A literal of a kind."""
        simple = {"int": lambda: str(self.rng.randint(-3, 7)), "float": lambda: self.pick(*_FLOATS), "bool": lambda: self.pick("True", "False"),
                  "str": lambda: self.pick(*_TEXTS), "none": lambda: "None", "set": lambda: self.pick("{1, 2}", "{3}"),
                  "tuple": lambda: self.pick("(1, 2)", "()", "('a', 2.5)"), "dict": lambda: self.pick("{'k': 1}", "{}", "{1: 'v', 'w': 2}"),
                  "list": lambda: self.pick("[1, 2, 3]", "[]", "['a', 'b']", "NUMBERS"), "object": lambda: self.pick("BOX", "CRATE"),
                  "function": lambda: self.pick("grown", "BOX", "len", "BOX.scaled")}
        simple["clist"], simple["ctuple"], simple["cdict"] = simple["list"], simple["tuple"], simple["dict"]
        simple["number"] = simple[self.pick("int", "float")]
        simple["iterable"] = simple[self.pick("list", "tuple", "str")]
        simple["any"] = simple[self.pick("int", "float", "str", "list")]
        if kind in simple:
            return simple[kind]()
        if names:
            return self.rng.choice(names)
        return self.tensor_literal(kind)

    def tensor_literal(self, kind):
        """A tensor of some kind."""
        if not self.rich:
            raise Retry()
        made = {"ints": "Tensor([1, 2, 3], ms.int32)", "bools": "(Tensor([1, 2, 3], ms.int32) > 1)"}
        known = self.variables("floats")
        if kind in made:
            return f"({self.rng.choice(known)} > 0.25)" if known and kind == "bools" else made[kind]
        return self.rng.choice(known) if known else "Tensor([0.5, -1.5, 2.0])"

    # -- tensors of a type

    def like(self, model):
        """A tensor of the type that `model` has."""
        same = [name for name, value in self.env.items() if isinstance(value, Tensor) and value.kind == model.kind
                and value.shape == model.shape and is_sane(value)]
        if same and self.chance(0.4):
            return self.rng.choice(same)
        for _ in range(3):
            text = self("tensor")
            text = self.converted(text, model)
            if text and self.is_good(text, "tensor"):
                return text
        dtype = self.dtype(model.kind)
        return self.rng.choice(same) if same else f"Tensor(np.ones({model.shape}), {dtype})"

    def converted(self, text, model):
        """A text's tensor in the type of another."""
        value = self.value(text)
        if value.kind != model.kind:
            text = f"{text}.astype({self.dtype(model.kind)})"
        if value.shape == model.shape:
            return text
        if value.size == model.size:
            return f"ops.reshape({text}, {model.shape})"
        try:
            import numpy as np
            np.broadcast_shapes(value.shape, model.shape)
            if np.broadcast_shapes(value.shape, model.shape) == model.shape:
                return f"ops.broadcast_to({text}, {model.shape})"
        except ValueError:
            pass
        if model.kind == "bool":
            return None
        return f"ops.broadcast_to({text}.sum(), {model.shape})" if model.shape else f"{text}.sum()"

    @staticmethod
    def dtype(kind):
        """How programs write an element type."""
        return "ms." + ("bool_" if kind == "bool" else kind)

    def condition(self):
        """A truth value that depends on a tensor, if there are any."""
        names = self.variables("floats") or self.variables("ints")
        if not names or not self.rich:
            return self("bool")
        name = self.rng.choice(names)
        rank = self.env[name].ndim
        element = f"{name}[{', '.join(str(self.rng.randrange(size)) for size in self.env[name].shape)}]" if rank else name
        left = self.pick(f"{name}.sum()", element, f"{name}.max()", f"({name} * 2).min()")
        text = f"{left} {self.pick('>', '<', '>=', '<=')} {self.pick('0.3', '-0.4', '1.1', '2.7')}"
        return self.pick(text, text, text, f"not {text}", f"{text} and {element} > 0.15", f"{text} or {left} < -1.3",
                         f"({name} > 0.35).any()", f"({name} < 1.45).all()")

    def element_type(self):
        """An element type."""
        return self.dtype(self.pick("float32", "float32", "int32", "int64", *ORDER[:6], "float64"))
