"""Values in the questions of the compiler and in the answers: JSON to live objects and back.

Numbers, strings and containers travel by content; a container has a number, so that what changes in it, and that it is
the same one in two places, can be told. Tensors and functions that only the interpreter has travel as tokens. Any other
object travels as the attribute that stands for it in the module.
"""

import collections
import re
import struct
import sys
import types
import weakref
import zlib
from enum import Enum

import numpy as np

from plumb._parse import texts
from plumb._parse.iterators import Counter, Items, is_iterator, items_of
from plumb.common import dtype as mstype
from plumb.common._refusals import refused
from plumb.common._structures import TensorStructure
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor

_SYMBOL = re.compile(r'@(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_$.][\w$.]*))')


# Classes of dicts that are told beside plain ones.
_DICTS = (collections.defaultdict, collections.Counter, collections.OrderedDict)


class TokenNeeded(BaseException):
    """A computation needs the value behind a token. No `except Exception` catches it: np.array_equal would take it for False."""


class Token:
    """A tensor, a Parameter or a function of the interpreter's: may be moved about, but not looked into. A tensor may stand for a
    number of the class `of_number`, which a branch or loop on a tensor decides."""

    __slots__ = ("number", "kind", "text", "of_number", "__weakref__")
    is_text = False

    def __init__(self, number, kind, text="", of_number=None):
        self.number, self.kind, self.text, self.of_number = number, kind, text, of_number

    @property
    def __class__(self):
        """What `isinstance` takes a tensor for in functions that CPython runs."""
        is_tensor = self.kind in ("tensor", "parameter") and not self.of_number
        return self.kind_of_python() if is_tensor else type(self)

    def kind_of_python(self):
        """The class that Python code sees."""
        return self.of_number or {"tensor": Tensor, "parameter": Parameter, "function": types.FunctionType}.get(self.kind, object)

    def _refuse(self, *_):
        if texts.is_made():
            raise TokenNeeded(texts.FORMAT_REFUSED)  # `%d` would replace a TypeError
        raise TokenNeeded(f"this computation needs the value of a {self.kind}, which is not known while compiling; use "
                          f"operations of plumb.ops on tensors")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)  # Python's own questions, which a class without such a method answers so
        # A BaseException: `hasattr` would take another one for False.
        raise TokenNeeded(f"this computation needs the value of a {self.kind}, whose '{name}' it reads; use operations of plumb.ops on "
                          f"tensors")

    def __str__(self):
        return texts.mark(self, False) or self._refuse()

    def __repr__(self):
        return texts.mark(self, True) or self._refuse()

    def __format__(self, spec):
        return texts.mark(self, False, spec) or self._refuse()

    def __eq__(self, other):
        return True if self is other else self._refuse()

    def __hash__(self):
        if self.of_number:
            raise TokenNeeded("a set, or the keys of a dict, need the value of a number that a branch or loop on a tensor decides, which "
                              "is not known while compiling")
        return self._place()

    def _place(self):
        """A hash that does not differ from run to run: it gives sets their order."""
        return hash((self.number, zlib.crc32(self.text.encode())))


for _name in ("bool int float index len iter add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow "
              "matmul rmatmul lt le gt ge neg pos abs invert and rand or ror xor rxor getitem setitem array contains "
              "round lshift rshift").split():
    setattr(Token, f"__{_name}__", Token._refuse)


class Function(Token):
    """A function that only the interpreter can call. `origin` is its number among those that the program has made: of one that sees no
    names, which may be kept; 0 where a tensor decides which of several it is."""

    __slots__ = ("origin",)

    def __call__(self, *_, **_named):
        raise TokenNeeded("a function of Python's calls a function that is made in a compiled function, which only compiled code can call; "
                          "make it outside of the compiled function, or call it in a loop or comprehension")

    def __init__(self, number, kind, text="", origin=None):
        super().__init__(number, kind, text)
        self.origin = origin

    @staticmethod
    def has(name):
        """Whether functions have an attribute of that name."""
        return hasattr(holds_token, name)

    def attribute(self, name):
        """Refuses `function.name`, or says that functions have none such."""
        if self.has(name):
            raise TokenNeeded(f"'{name}' of a function that is made in a compiled function is not known while compiling; keep it in a name "
                              f"beside the function")
        raise AttributeError(f"'function' object has no attribute '{name}'")

    def _check_decided(self):
        if self.origin == 0:
            raise TokenNeeded("a branch or loop on a tensor decides which function this is, so it can be called, but neither compared nor "
                              "be a key or a member of a set; compare or look up where the branch chooses it, or keep a number that "
                              "says which one it is")

    def __eq__(self, other):
        if self is not other:
            self._check_decided()
        if isinstance(other, Function):
            other._check_decided()
        return self is other

    def __hash__(self):
        self._check_decided()
        return hash((self._place(), self.origin or 0))

    def __bool__(self):
        return True


class Text(Token):
    """A text that shows tensors: `pieces` are strings and (token, whether `repr` shows it)."""

    __slots__ = ("pieces",)
    is_text = True

    def __init__(self, pieces):
        super().__init__(-1, "text")
        self.pieces = pieces

    def kind_of_python(self):
        return str

    def __hash__(self):
        return self._refuse()

    def _refuse(self, *_):
        raise TokenNeeded("the text of a tensor that is computed is only known when the program runs: it can be printed, raised, put "
                          "together with other texts and returned; compare the tensor itself")


class Unset(Token):
    """An attribute of which a tensor decides whether it is set. `why` says so."""

    __slots__ = ("why",)

    def __init__(self, number, why):
        super().__init__(number, "unset")
        self.why = why

    def _refuse(self, *_):
        raise TokenNeeded(self.why)

    def __getattr__(self, name):
        self._refuse()


def check_set(value):
    """Refuses to show all attributes of an object where a tensor decides whether one of them is set."""
    for item in vars(value).values():
        if isinstance(item, Unset):
            item._refuse()


def is_method_of_container(value):
    """Whether a value is a method of a list, dict or set, bound to it."""
    return isinstance(value, types.BuiltinMethodType) and isinstance(value.__self__, (list, dict, set, frozenset))


def holds_token(value):
    """Whether a token is among the items of a container."""
    if isinstance(value, Token):
        return True
    if isinstance(value, dict):
        return any(holds_token(item) for item in value.values())
    if isinstance(value, TensorStructure):
        return holds_token(value._tensors)
    if is_method_of_container(value):
        return True  # which the interpreter changes
    return isinstance(value, (tuple, list, set, frozenset)) and any(holds_token(item) for item in value)


def is_of_program(function):
    """Whether a function stands in the user's program, not in this package or a library of Python's."""
    from plumb._parse.definitions import is_foreign_module
    module = function.__module__ or ""
    return not is_foreign_module(module) and not module.startswith("plumb.")


def as_tensor(value):
    """A Tensor of an array or number of NumPy's, or a complex number; the number that a member of an enum of numbers is; else None."""
    if type(value) is complex:
        return Tensor(np.complex128(value))
    if isinstance(value, Enum) and isinstance(value, (int, float)):
        return int(value) if isinstance(value, int) else float(value)
    return Tensor(value) if isinstance(value, (np.ndarray, np.generic)) and value.dtype != object else None


class Reader:
    """Reads a request's values.

    Args:
      printer: knows the live objects behind symbols.
      refs: collects weak references to the tokens made.

    Attributes:
      containers: (container, copy of its items at first) by number.
      made: tensors by their id, which nothing outside of the request has.
      tokens: by their number or text; what is one object to the interpreter is one token.
      methods: those of lists, dicts, sets and strings, and of the program's objects, by their number.
    """

    def __init__(self, printer, refs):
        self.printer, self.refs = printer, refs
        self.containers = {}
        self.made = {}
        self.tokens = {}
        self.methods = {}

    def read(self, item):
        """Returns the live value of one item."""
        if not isinstance(item, dict):
            return item
        for name in ("s", "f", "a", "x", "t", "slice", "c", "bytes", "text", "m"):
            if name in item:
                return getattr(self, "_read_" + name)(item)
        raise ValueError(f"unknown form {item}")

    def _read_s(self, item):
        return sys.intern(bytes.fromhex(item["s"]).decode("utf-8", "surrogatepass"))

    def _read_f(self, item):
        return self.printer.nans.value(struct.unpack("<d", bytes.fromhex(item["f"]))[0])

    def _read_t(self, item):
        parts = tuple(self.read(part) for part in item["t"])
        return self.read(item["of"])._make(parts) if "of" in item else parts

    def _read_slice(self, item):
        parts = [self.read(part) for part in item["slice"]]
        if isinstance(parts[0], type) and issubclass(parts[0], TensorStructure):
            return parts[0].of(*parts[1:])
        return slice(*parts)

    def _read_bytes(self, item):
        dtype = mstype_of(item["type"])
        data = np.frombuffer(bytes.fromhex(item["bytes"]), dtype.numpy)
        tensor = Tensor(data.reshape(item["shape"]))
        self.made[id(tensor)] = tensor
        return tensor

    def _read_x(self, item):
        number = item["x"]
        if number not in self.tokens:
            self.tokens[number] = Unset(number, item["why"]) if item["kind"] == "unset" else Function(number, "function", origin=0 if "several" in item else None) if item["kind"] == "function" \
                else Token(number, item["kind"], of_number={"int": int, "float": float}.get(item.get("number")))
            self.refs.append(weakref.ref(self.tokens[number]))
        return self.tokens[number]

    def _read_m(self, item):
        number, owner = item["m"], self.read(item["of"]) if "of" in item else None
        if number not in self.methods:
            self.methods[number] = getattr(owner, self.read(item["name"])) if "of" in item else self.read(item["bound"])
        return self.methods[number]

    def _read_text(self, item):
        return Text([(self.read(piece[0]), piece[1]) if isinstance(piece, list) else self.read(piece) for piece in item["text"]])

    def _read_a(self, item):
        text = item["a"]
        found = self.printer.object_of(text)
        if found is not None:
            self.printer.made.note_read(found[0])
            return found[0]
        # An object may keep it: it means the same everywhere.
        key = text, item.get("origin")
        return self.printer.inner_functions.setdefault(key, Function(-1, "function", *key))

    def _read_c(self, item):
        number = item["c"]
        if number in self.containers:
            return self.containers[number][0]
        if "frozen" in item:
            made = frozenset(self.read(part) for part in item["set"])
            self.containers[number] = [made, _items(made)]
            return made
        made = [] if "list" in item else self._new_dict(item) if "dict" in item else set()
        self.containers[number] = [made, None]
        if "list" in item:
            made.extend(self.read(part) for part in item["list"])
        elif "set" in item:
            made.update(self.read(part) for part in item["set"])
        else:
            for key, part in zip([self.read(key) for key in item["keys"]], [self.read(part) for part in item["dict"]]):
                made[key] = part  # a Counter's update() would count
        self.containers[number][1] = _items(made)
        return made


    def _new_dict(self, item):
        """An empty dict of the class that the interpreter's has."""
        kind, *factory = [self.read(part) for part in item["kind"]] if "kind" in item else (dict,)
        return kind(*factory)


def _items(container):
    return list(container.items()) if isinstance(container, dict) else list(container)


def _is_same(before, now):
    return len(before) == len(now) and all(
        one is other or (isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other) == 2
                         and one[0] is other[0] and one[1] is other[1])
        for one, other in zip(before, now))


def mstype_of(name):
    """The dtype that MLIR spells so."""
    for dtype in vars(mstype).values():
        if isinstance(dtype, mstype.DType) and dtype.mlir == name:
            return dtype
    raise ValueError(f"no dtype is spelled {name}")


class Shared:
    """The containers of one exchange.

    Attributes:
      sent: (container, copy of its items at first) by number, of the request.
      made: (number, container) pairs, those of the answer that the request has not.
    """

    def __init__(self):
        self.sent, self.made = {}, []

    def held(self):
        """The numbers of the containers that objects of the program hold, too: a change here would not be a change there."""
        every = [(number, pair[0]) for number, pair in self.sent.items()] + self.made
        items = [item for _, container in every for item in _parts(container)]
        items += [item for _, before in self.sent.values() for item in _parts(before)]
        inside = collections.Counter(map(id, items + _owners(items)))
        del items
        # Each is referred to by its pair here and by the call below; one of the request by `sent`, too.
        held = {place for place in range(len(every))
                if sys.getrefcount(every[place][1]) > 2 + (place < len(self.sent)) + inside[id(every[place][1])]}
        places = {id(container): place for place, (_, container) in enumerate(every)}
        pending = list(held)
        while pending:  # What a held container holds is held.
            more = {places[id(item)] for item in _parts(every[pending.pop()][1]) if id(item) in places} - held
            held |= more
            pending += more
        return [every[place][0] for place in sorted(held)]


def _parts(value):
    """The items of a container, its keys, and those of tuples among them."""
    for item in [*value, *value.values()] if isinstance(value, dict) else value:
        yield item
        if type(item) is tuple:
            yield from _parts(item)


def _owners(items):
    """What the methods among items are bound to, once for each method."""
    methods = {id(item): item for item in items if is_method_of_container(item)}
    return [method.__self__ for method in methods.values()]


class Writer:
    """Writes an answer's values; containers of the request keep their numbers."""

    def __init__(self, printer, reader):
        self.printer, self.reader = printer, reader
        self.numbers = {id(made): number for number, (made, _) in reader.containers.items()}
        self.methods = {id(method): number for number, method in reader.methods.items()}
        self.used = len(self.numbers)
        self.keep = []  # (number, container) of new ones, so that no other object has their id

    def changed(self):
        """Describes the request's containers whose contents are not what they were."""
        found = []
        for number, (made, before) in self.reader.containers.items():
            if not _is_same(before, _items(made)):
                found.append({"of": number, "c": self._next(), **self._content(made)})
        return found

    def write(self, value):
        """Returns the JSON of one value."""
        value = self.printer.numpy_numbers.noted(value)
        if value is None or value is True or value is False:
            return value
        if isinstance(value, Text):
            return {"text": [self.write(piece) if isinstance(piece, str) else [self.write(piece[0]), piece[1]] for piece in value.pieces]}
        if isinstance(value, Token):
            if not value.text:
                return {"x": value.number}
            return {"a": value.text} if value.origin is None else {"a": value.text, "origin": value.origin}
        if isinstance(value, np.integer) or type(value) is int:
            return int(value) if -2 ** 63 <= int(value) < 2 ** 63 else self._object(value)  # NumPy's compare as floats
        if type(value) is float:
            return {"f": struct.pack("<d", self.printer.nans.number(value)).hex()}
        if type(value) is str:
            return {"s": value.encode("utf-8", "surrogatepass").hex()}
        if type(value) is tuple:
            return {"t": [self.write(item) for item in value]}
        if type(value) in (list, dict, set, *_DICTS) or type(value) is frozenset and holds_token(value):
            return self._container(value)
        return self._special(value)

    def _special(self, value):
        if isinstance(value, slice):
            return {"slice": [self.write(part) for part in (value.start, value.stop, value.step)]}
        if isinstance(value, Items):
            return {"iterator": [self.write(item) for item in value.items], "returned": True}
        if isinstance(value, Counter):
            return {"counter": [self.write(value.start), self.write(value.step)]}
        if isinstance(value, TensorStructure) and holds_token(value):
            tensors = {"t": [self._tensor(part) for part in value._tensors]}
            return {"slice": [self.write(type(value)), tensors, self.write(value._known)]}
        if id(value) in self.methods:
            return {"m": self.methods[id(value)]}
        built_in = isinstance(value, types.BuiltinMethodType) and value.__self__ is not None \
            and not isinstance(value.__self__, (types.ModuleType, type)) \
            and (id(value) not in self.printer.by_object or id(value.__self__) in self.numbers)
        if built_in or isinstance(value, types.MethodType) and holds_token(value.__self__):
            return {"method": [self.write(value.__self__), self.write(value.__name__)]}
        if is_iterator(value):
            return {"iterator": [self.write(item) for item in items_of(value)], "returned": False}
        if isinstance(value, (range, type({}.keys()), type({}.values()), type({}.items()))):
            return {"t": [self.write(item) for item in items_of(value)]}
        if isinstance(value, tuple) and hasattr(value, "_fields") and holds_token(tuple(value)):
            return {"t": [self.write(item) for item in value], "of": self.write(type(value))}
        return self._object(value)

    def _tensor(self, value):
        return self.write(value if isinstance(value, (Token, Parameter)) else self.printer.held(value))

    def _object(self, value):
        return {"a": self.printer.live_attribute(value)}

    def _container(self, value):
        if id(value) in self.numbers:
            return {"c": self.numbers[id(value)]}
        self.numbers[id(value)] = number = self._next()
        self.keep.append((number, value))
        return {"c": number, **self._content(value)}

    def _next(self):
        self.used += 1
        return self.used - 1

    def _content(self, value):
        if isinstance(value, dict):
            kind = type(value)
            if kind is collections.defaultdict and isinstance(value.default_factory, Function) and not value.default_factory.text:
                raise refused(TypeError, "a defaultdict whose function sees names of a compiled function cannot be compiled; use setdefault() "
                                         "of a plain dict")
            of = [kind, value.default_factory] if kind is collections.defaultdict else [kind]
            return {"dict": [self.write(item) for item in value.values()], "keys": [self.write(name) for name in value],
                    **({} if kind is dict else {"kind": [self.write(part) for part in of]})}
        frozen = {"frozen": True} if isinstance(value, frozenset) else {}
        return {"list" if isinstance(value, list) else "set": [self.write(item) for item in value], **frozen}


class Template:
    """What a compiled call returns, and what it leaves in objects: structures over the numbers of its outputs.

    Args:
      result: what it returns.
      attributes: what it leaves, by object and name.
      partial: what it may leave: rows of an object, a name, the output that says whether it does, and what.
      printer: knows the live objects behind symbols.
    """

    def __init__(self, result, attributes, partial, printer):
        self.result, self.printer = result, printer
        self.attributes = [(self._key(*key["t"]), item, None) for key, item in zip(attributes["keys"], attributes["dict"])]
        self.attributes += [(self._key(owner, name), item, flag) for owner, name, flag, item in (row["t"] for row in partial["t"])]
        self._check_functions([result, [item for _, item, _ in self.attributes]])
        self.is_one_tensor = isinstance(result, dict) and result.get("x") == 0 and result["kind"] == "tensor" and not self.attributes

    def _key(self, owner, name):
        return self.printer.object_of(owner["a"])[0], bytes.fromhex(name["s"]).decode()

    def owned(self):
        """The objects and the names of what calls leave."""
        return [key for key, _, _ in self.attributes]

    def _check_functions(self, item):
        """Refuses functions that are made in compiled code: Python has none such."""
        if isinstance(item, dict) and "a" in item and self.printer.object_of(item["a"]) is None:
            raise refused(TypeError, f"a compiled function cannot return the function '{item['a'].lstrip('@').strip(chr(34))}', nor leave it in an "
                                     f"object; return what it computes, or make it outside")
        for part in item.values() if isinstance(item, dict) else item if isinstance(item, list) else ():
            self._check_functions(part)

    def fill(self, outputs):
        """Returns the result made of the outputs' Tensors; sets what the call leaves in objects."""
        filler = _Filler(self.printer, outputs)
        result = filler.read(self.result)
        for (owner, name), item, flag in self.attributes:
            if flag is None or bool(filler.read(flag)):
                object.__setattr__(filler.fresh(owner), name, filler.read(item))
        return result


class _Filler(Reader):
    def __init__(self, printer, outputs):
        super().__init__(printer, [])
        self.outputs = outputs
        self.copies = {}

    def fresh(self, value):
        """An object of its own for each call, of one that the compiled function makes."""
        if id(value) not in self.printer.made or not hasattr(value, "__dict__"):
            return value
        if id(value) not in self.copies:
            made = self.copies[id(value)] = type(value).__new__(type(value))
            vars(made).update(vars(value))
        return self.copies[id(value)]

    def _read_a(self, item):
        found = super()._read_a(item)
        if isinstance(found, types.MethodType):
            return types.MethodType(found.__func__, self.fresh(found.__self__))
        return self.fresh(found)

    def _read_x(self, item):
        return self.outputs[item["x"]]

    def _read_text(self, item):
        return "".join(repr(token) if is_repr else str(token) for token, is_repr in
                       (piece if isinstance(piece, tuple) else (piece, False) for piece in super()._read_text(item).pieces))
