"""The live process's side of compilation: computes what only CPython and the program's own objects know.

The compiler's abstract interpreter describes an operation and its operands in a line of JSON; `LiveProcess.answer`
performs it and describes the result in another. docs/rationale/python_capture.md has the form of both. The same object
answers in process, where the compiler calls it, and under `plumbc`, where a pipe lies between.
"""

import builtins
import dataclasses
import functools
import inspect
import json
import operator
import sys
import threading
import types

import numpy as np

from plumb import _draws
from plumb._parse import alone, identities, iterators, letters, library, limits, made_objects, operating, ordering, problems, repeated, texts, touched
from plumb._parse.diagnostics import CompileError
from plumb._parse.letters import Token, TokenNeeded
from plumb._parse.outer_names import sees_outer_names
from plumb.common import _reads
from plumb.common._marks import Computed
from plumb.common._refusals import refused
from plumb.common.api import Jit
from plumb.common._structures import OnHost, TensorStructure
from plumb.common.dtype import as_dtype
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor

_MAX_NESTED = 16  # computations inside each other: one may compile a program whose compilation starts the next
_MISSING = object()
_nested = threading.local()

_OPERATORS = {name: getattr(operator, name) for name in (
    "add sub mul truediv floordiv mod pow matmul lshift rshift xor eq ne lt le gt ge neg pos invert").split()}
_OPERATORS.update({"and": operator.and_, "or": operator.or_, "in": lambda item, items: item in items,
                   "not_in": lambda item, items: item not in items})
_OF_HANDLING = ("__cause__", "__context__", "__suppress_context__", "__traceback__")  # what an exception has from where it is raised
_OVER_ITEMS = (sum, min, max, sorted, any, all)
_SPECIAL_OF_BUILTIN = {len: "__len__", abs: "__abs__", bool: "__bool__", str: "__str__", repr: "__repr__",
                       int: "__int__", float: "__float__", round: "__round__", reversed: "__reversed__"}
_OPERATION_OF_SPECIAL = {"__len__": len, "__bool__": bool, "__str__": str, "__repr__": repr, "__int__": int, "__float__": float,
                         "__contains__": lambda items: None in items}


class Redirect(Exception):
    """Says that the interpreter should call `callee` itself: a function of the program, which may deal with tensors. Of a
    method that CPython calls for an operation, `special` is the name: it checks what that returns (`do_returned`). A constructor
    is called for the object `made`, which is the result."""

    def __init__(self, callee, args, kwargs, special=None, made=None):
        super().__init__()
        self.callee, self.args_given, self.kwargs_given, self.special, self.made = callee, args, kwargs, special, made


class LiveProcess(identities.Identities):
    """Answers the compiler of one program.

    Args:
      printer: the ModulePrinter that has printed the program, and prints what answers mention first.
      sources: see Identities.

    Attributes:
      is_without_attributes: whether the present question has not brought along the attributes that the program has set.
      result: what a direct call returns, as a template over the outputs' numbers: see `letters.Template`.
      complex_results: the numbers of the program's results that are complex.
      raised: the exception that ended compilation, if a computation raised one.
      draws: whether a generator of random numbers has been called.
      changes: how often an object that only Python knows was made, or may have changed.
      number: the number of the present question.
      touches: which objects that only Python knows computations have made and changed.
      writes: whether the program writes Parameters.
      leaves_prints: whether a program that prints is left to Python.
    """

    def __init__(self, printer, sources=()):
        super().__init__(sources)
        self.printer = printer
        self.result = None
        self.complex_results = ()
        self.raised = None
        self.changes = self.number = 0
        self.touches = touched.Touches()
        self.draws = self.writes = self.leaves_prints = self.is_without_attributes = False

    def answer(self, line):
        """Returns the answer to one request."""
        refs, module, containers = [], "", letters.Shared()
        _nested.depth = getattr(_nested, "depth", 0) + 1
        try:
            if _nested.depth > _MAX_NESTED:
                raise refused(RecursionError, "computations of compiled functions are nested too deeply")
            reply = self._answer(json.loads(line), refs, containers)
            module = self.printer.new_definitions()
        except alone.AttributesNeeded:
            return json.dumps({"unsent": True})
        except TokenNeeded as problem:
            reply = {"error": self._problem(limits.value_needed(problem))}
        except Exception as problem:  # pylint: disable=broad-except
            reply = {"error": self._problem(problem)}
        finally:
            _nested.depth -= 1
        reply.update(self.touches.take())
        held = containers.held()
        del containers  # which refer to tokens and objects
        reply.update(self.printer.made.take(self.printer.by_object))
        if "error" not in reply and limits.are_alive(refs):
            reply = {"error": {"class": "TypeError", "kind": "refusal", "message": "an object that only Python knows cannot keep a tensor that "
                                                               "is computed later; keep it in a list, tuple or dict, make it outside of the compiled "
                                                               "function, or return the tensor"}}
        return json.dumps({**reply, "held": held, "module": module})

    def _answer(self, request, refs, containers):
        if request["do"] == "result":
            self.result = letters.Template(*request["args"], self.printer)
            for owner, name in self.result.owned():
                self.printer.dependencies.drop(owner, name)
            return {"ok": None}
        self.number, self.is_without_attributes = request.get("number", 0), "unsent" in request
        reader = letters.Reader(self.printer, refs)
        reader.containers = containers.sent
        args = [reader.read(item) for item in request["args"]]
        kwargs = {name: reader.read(item) for name, item in request.get("keywords", {}).items()}
        attributes = [tuple(map(reader.read, entry)) for entry in request.get("attributes", ())]
        writer = letters.Writer(self.printer, reader)  # after all that is read: containers have their numbers
        writer.keep = containers.made
        try:
            if self.is_without_attributes and request["do"] not in alone.MAY_DO_WITHOUT:
                raise alone.AttributesNeeded
            with alone.attributes_set(attributes):
                with _reads.watched() as read:
                    value = limits.bounded(iterators.exhausted, [getattr(self, "do_" + request["do"]), *args], kwargs)
                is_new = request["do"] == "call" and id(value) in self.printer.made and isinstance(args[0], type)
                others = made_objects.owned(value, self.printer.made) if is_new else []
                for other in others:
                    self.printer.made.add(other, True)
                is_bound = request["do"] == "getattr" and isinstance(value, types.MethodType) and args[1] not in getattr(args[0], "__dict__", {})
                reply = {**({"bound": True} if is_bound else {}), **made_objects.moved_attributes(value, writer, attributes, others, is_new), "ok": writer.write(value)}
            for tensor in read:
                if id(tensor) not in reader.made:
                    self.printer.dependencies.note_value(tensor)
        except Redirect as other:
            reply = {"call": {"callee": writer.write(other.callee), "args": writer.write(tuple(other.args_given)),
                              "keywords": writer.write(dict(other.kwargs_given)), "special": other.special}}
            if other.made is not None:
                reply["made"] = writer.write(other.made)
        changed = writer.changed()
        return {**reply, "changed": changed} if changed else reply

    def _problem(self, problem):
        """Describes an exception; the stack behind it, which holds tokens, is dropped."""
        place = problems.place_of(problem)
        self.raised = problem.with_traceback(None)
        if isinstance(problem, CompileError):
            found = {"message": problem.message}
            if problem.filename:
                found.update(file=problem.filename, line=problem.line, column=problem.column)
            name, _, rest = problem.message.partition(": ")
            named = name.endswith("Error") and name.isidentifier()
            found["class"], found["message"] = (name, rest) if named else ("RuntimeError", problem.message)
            return {**found, "kind": problem.kind}
        return {"class": type(problem).__name__, "message": str(problem), "kind": problems.kind_of(problem),
                "needs_value": getattr(problem, "needs_value", False), **place}

    def _look(self):
        """To be called before a computation may look at attributes that the program has set."""
        if self.is_without_attributes:
            raise alone.AttributesNeeded

    def exceptions(self):
        """The classes of the exceptions that the program, or a computation, has raised, by the names that errors have them by."""
        return {**self.printer.exceptions, type(self.raised).__name__: type(self.raised)} if self.raised is not None else self.printer.exceptions

    # -- the computations

    def do_call(self, callee, *args, **kwargs):
        """`callee(*args, **kwargs)`."""
        special = _SPECIAL_OF_BUILTIN.get(callee) if isinstance(callee, (type, types.BuiltinFunctionType)) else None
        if special and args and _own_special(args[0], special):
            raise Redirect(types.MethodType(_own_special(args[0], special), args[0]), args[1:], kwargs, special)
        if callee in (isinstance, issubclass, type, callable) and any(isinstance(item, Token) for item in args):
            return _question(callee, *args)
        is_question = alone.is_about_classes(callee, args)
        if not is_question and not alone.may_be_left(callee):
            self._look()
        if callee is sorted and args and ordering.are_tensors(args[0]):
            raise Redirect(ordering.ordered_items, args, kwargs)
        if callee in (ordering.BY_KEYS, operating.OPERATOR, operating.WITHOUT_METHODS):
            return self._without_methods(*args) if callee is operating.WITHOUT_METHODS else \
                (self.do_operator if callee is operating.OPERATOR else self.do_keyed)(*args, **kwargs)
        if callee in _OVER_ITEMS and len(args) == 1 and (_own_special(args[0], "__iter__") or _own_special(args[0], "__getitem__")):
            args = (iterators.items_of(args[0]),)
            if letters.holds_token(args):
                raise Redirect(callee, args, kwargs)
        identities.check_call(callee, args)
        if callee is vars:
            return self._vars(*args)
        if isinstance(callee, type) and issubclass(callee, TensorStructure) and letters.holds_token((args, kwargs)):
            raise Redirect(callee.made, args, kwargs)
        if (known := library.in_code(callee, letters.holds_token((args, kwargs)))) is not None:
            raise Redirect(known[0], (*known[1], *args), kwargs)
        if isinstance(callee, OnHost) and letters.holds_token((args, kwargs)):
            raise callee.refusal()
        if isinstance(callee, functools.partial):
            raise Redirect(callee.func, callee.args + args, {**callee.keywords, **kwargs})
        self._redirect_to_function(callee, args, kwargs)
        if not is_question and not isinstance(callee, type):
            self._look()
        if hasattr(callee, "__wrapped__") and letters.holds_token((args, kwargs)):
            raise Redirect(callee.__wrapped__, args, kwargs)
        if not callable(callee):
            raise TypeError(f"'{type(callee).__name__}' object is not callable")
        self._redirect_to_constructor(callee, args, kwargs)
        if not is_question:
            self._look()
        self.draws |= isinstance(getattr(callee, "__self__", None), _draws.GENERATORS)
        self.changes += made_objects.has_state(getattr(callee, "__self__", None))
        made_objects.check_container(callee)
        made_objects.check_method(callee)
        made = self.touches.call(self.number, callee, args, kwargs)
        if iterators.is_iterator(made):
            return iterators.Counter.of(made) or iterators.Items(iterators.items_of(made))
        self.changes += isinstance(callee, type) and made_objects.has_state(made)
        if isinstance(callee, type) and callee.__new__ is object.__new__:
            is_alone = sys.getrefcount(made) == 2 + (id(made) in self.touches.made)  # the name here, the call and perhaps an entry
            self.printer.made.add(made, is_alone)
        return made

    def _without_methods(self, name, *operands):
        return operating.without_methods(name, *operands, [_question(type, item) for item in operands])

    def _vars(self, *owner):
        """`vars(owner)`."""
        if not owner or isinstance(owner[0], Token):
            what = "a tensor" if owner else "a function's own names"
            raise refused(TypeError, f"vars() of {what} is not offered in compiled functions; name the attribute that is wanted")
        return self.do_getattr(*owner, "__dict__")

    def _redirect_to_function(self, callee, args, kwargs):
        """Leaves functions of the program to the interpreter, where it can read them."""
        function, bound = callee, ()
        if isinstance(callee, Computed):
            return
        if isinstance(callee, types.MethodType):
            function, bound = callee.__func__, (callee.__self__,)
        elif not isinstance(callee, (type, types.FunctionType)):
            cell = callable(getattr(callee, "construct", None))
            own = getattr(type(callee), "construct", None) if cell else _own_special(callee, "__call__")
            own = own.fn if isinstance(own, Jit) else own
            function, bound = (own, (callee,)) if own is not None else (callee, ())
        if not isinstance(function, types.FunctionType) or self.printer.is_foreign_function(function):
            return
        problem = self.printer.unreadable.get(id(function))
        if problem is None and isinstance(self.printer.function_symbol(function), str):
            raise Redirect(function, bound + args, kwargs)
        problem = problem or self.printer.unreadable.get(id(function))
        if problem is not None and letters.holds_token((args, kwargs)):
            raise problem
        if problem is not None and (function.__module__ or "").startswith("plumb."):
            raise problem

    def _redirect_to_constructor(self, callee, args, kwargs):
        """Leaves the constructor of a class of the program's that is given tensors, or reads names of the function that makes the class,
        to the interpreter, where it can read it: the object is made here, empty, and gets its attributes there."""
        constructor = getattr(callee, "__init__", None)
        if not isinstance(constructor, types.FunctionType) or not made_objects.keeps_tensors(callee):
            return
        if (letters.holds_token((args, kwargs)) or sees_outer_names(constructor)) and letters.is_of_program(constructor) and self._is_readable(constructor):
            made = callee.__new__(callee)
            self.printer.made.add(made, True)
            raise Redirect(constructor, (made, *args), kwargs, made=made)

    def do_text(self, operation, first, *args, **kwargs):
        """A text that shows tensors: what a function of the builtins, "mod", or a method as "str.join" gives."""
        pieces = texts.pieces_of(operation, first, args, kwargs)
        return letters.Text(pieces) if any(not isinstance(piece, str) for piece in pieces) else "".join(pieces)

    def do_exception(self, name, message, raised=None):
        """The exception that an error of that class and message is, or that `raised` is; None where it is none of Python's."""
        if isinstance(raised, BaseException):
            return raised
        if type(self.raised).__name__ == name and str(self.raised) == message:
            return self.raised
        kind = self.printer.exceptions.get(name, getattr(builtins, name, None))
        return kind(message) if isinstance(kind, type) and issubclass(kind, BaseException) else None

    def do_made_exception(self, name, *arguments):
        """The exception that `raise name(*arguments)` raises, for a handler."""
        self.raised = self.printer.exceptions.get(name, getattr(builtins, name, Exception))(*arguments)
        return self.raised

    def do_caught(self, exception, kinds):
        """Whether `except kinds` catches an exception."""
        return isinstance(exception, kinds)

    def do_raise(self, exception):
        """`raise exception`."""
        raise exception

    def do_described(self, exception):
        """What `raise exception` raises, as a running program tells it: the class, and the text behind it."""
        kind = exception if isinstance(exception, type) else type(exception)
        if not issubclass(kind, BaseException):
            raise TypeError("exceptions must derive from BaseException")
        self.printer.exceptions.setdefault(kind.__name__, kind)
        return f"{kind.__name__}: {'' if isinstance(exception, type) else exception}"

    def do_operator(self, name, *operands):
        """A Python operator."""
        if name in ("eq", "ne") and any(isinstance(item, Token) for item in operands):
            return self._compare_token(name, *operands)
        if len(operands) == 2:
            self._redirect_operator(name, *operands)
        elif _own_special(operands[0], f"__{name}__"):
            raise Redirect(_own_special(operands[0], f"__{name}__"), operands, {})
        self._look()
        return _OPERATORS[name](*operands)

    def _compare_token(self, name, left, right):
        """== and != of a token and an object: unequal, if no method of the program's says otherwise."""
        for first, second in ((left, right), (right, left)):
            method, inverse = _own_special(first, f"__{name}__"), _own_special(first, "__eq__")
            if method and self._is_readable(method):
                raise Redirect(method, (first, second), {})
            if inverse and self._is_readable(inverse):
                raise refused(TypeError, f"'!=' of a {type(first).__name__} and a tensor cannot be compiled; write 'not (a == b)'")
        return (left is right) == (name == "eq")

    def _is_readable(self, function):
        """Whether the interpreter can run a function itself."""
        return id(function) not in self.printer.unreadable and isinstance(self.printer.function_symbol(function), str)

    def _redirect_operator(self, name, left, right):
        if name in ("in", "not_in"):
            method = _own_special(right, "__contains__")
            if method and name == "in":
                raise Redirect(method, (right, left), {}, "__contains__")
            own = None if method else _own_special(right, "__iter__")
            if own and self._is_readable(own):
                raise Redirect(repeated.found if name == "in" else repeated.not_found, (left, right), {})
            return
        methods = [entry for entry in operating.candidates(name, left, right, _own_special) if self._is_readable(entry[0])]
        if methods:
            raise Redirect(operating.attempted, (name, left, right, tuple(methods)), {})

    def do_method(self, receiver, name, *args, **kwargs):
        """`receiver.name(*args, **kwargs)`."""
        if isinstance(receiver, Tensor):  # a constant's elements
            return getattr(receiver, name)(*args, **kwargs)
        if isinstance(receiver, dict) and name == "has_key":
            return self.do_call(operator.contains, receiver, *args, **kwargs)
        if isinstance(receiver, list) and name == "sort" and ordering.are_tensors(receiver):
            raise Redirect(ordering.sort_list, (receiver, *args), kwargs)
        return self.do_call(getattr(self.printer.numpy_numbers.owner(receiver, name), name), *args, **kwargs)

    def do_hasmethod(self, receiver, name):
        """Whether the type of `receiver` has a method of that name; a dict has `has_key`, too, as MindSpore's graph mode gives it."""
        if isinstance(receiver, dict) and name == "has_key":
            return True
        receiver = self.printer.numpy_numbers.owner(receiver, name)
        return not isinstance(receiver, letters.Function) and callable(getattr(type(receiver), name, None)) and not name.startswith("__")

    def do_getattr(self, value, name):
        """`value.name`; a property of the program's is called by the interpreter."""
        value = self.printer.numpy_numbers.owner(value, name)
        if isinstance(value, letters.Function):
            return value.attribute(name)
        if isinstance(value, BaseException) and name in _OF_HANDLING:
            raise refused(AttributeError, f"{name!r} of an exception is not kept in compiled functions; give the exception what its handler "
                                          f"needs as an argument")
        raw = inspect.getattr_static(type(value), name, None)
        if not alone.is_method_of_class(value, name, raw) and not isinstance(raw, property):
            self._look()
        if _is_own_cached(raw) and name not in vars(value):
            self.printer.dependencies.note_absent(value, name)
            raise Redirect(repeated.cached, (value, name, raw.func), {})
        if name == "__dict__":
            letters.check_set(value)
        getter = raw.fget if isinstance(raw, property) else None
        computed = isinstance(value, TensorStructure) and name not in value.STORED
        if isinstance(getter, types.FunctionType) and (computed or not (getter.__module__ or "").startswith("plumb.")):
            raise Redirect(getter, (value,), {})
        if isinstance(raw, property):
            self._look()
        found = getattr(value, name)
        if not isinstance(value, (TensorStructure, tuple)):  # which never change
            self.printer.dependencies.note(value, name, found)
        return found

    def do_hasattr(self, value, name):
        """`hasattr(value, name)`; None where a function of the program's says it."""
        value = self.printer.numpy_numbers.owner(value, name)
        if isinstance(value, Token) and value.of_number:
            return hasattr(value.of_number, name)
        if isinstance(value, letters.Function):
            return value.has(name)
        if isinstance(getattr(value, "__dict__", {}).get(name), letters.Unset):
            return inspect.getattr_static(type(value), name, None) is not None
        raw = inspect.getattr_static(type(value), name, None)
        getter = raw.fget if isinstance(raw, property) else raw.func if _is_own_cached(raw) and name not in vars(value) else None
        if isinstance(getter, types.FunctionType) and letters.is_of_program(getter):
            return None
        found = inspect.getattr_static(value, name, None) is not None or hasattr(value, name)
        if not found and hasattr(value, "__dict__"):
            self.printer.dependencies.note_absent(value, name)
        return found

    def do_kept(self, value, name):
        """A tuple of the attribute of an object that the interpreter has not set; empty where there is none."""
        raw = inspect.getattr_static(value, name, _MISSING)
        return () if raw is _MISSING or isinstance(raw, functools.cached_property) or not hasattr(value, name) else (getattr(value, name),)

    def do_again(self, value, name, is_set, kept):
        """What a functools.cached_property gives of which a tensor says whether it has given `kept`; None for other attributes."""
        raw = inspect.getattr_static(type(value), name, None)
        if _is_own_cached(raw):
            raise Redirect(repeated.cached_again, (value, name, raw.func, is_set, kept), {})

    def do_getitem(self, value, index):
        """`value[index]`."""
        method = _own_special(value, "__getitem__")
        if method:
            raise Redirect(method, (value, index), {})
        self._look()
        return value[index]

    def do_setitem(self, value, index, item):
        """`value[index] = item`."""
        method = _own_special(value, "__setitem__")
        if method:
            raise Redirect(method, (value, index, item), {})
        self._look()
        made_objects.check_own(value)
        value[index] = item

    def do_delitem(self, value, index):
        """`del value[index]`."""
        method = _own_special(value, "__delitem__")
        if method:
            raise Redirect(method, (value, index), {})
        if not hasattr(type(value), "__delitem__"):
            raise TypeError(f"'{type(value).__name__}' object doesn't support item deletion")
        made_objects.check_own(value)
        self.changes += 1
        del value[index]

    def do_findkey(self, key, *known):
        """Where in a dict of the keys `known` one stands that is equal to `key`, by their own methods; None where none does."""
        try:
            return {item: place for place, item in enumerate(known)}.get(key)
        except TypeError:  # which the interpreter reports
            return None

    def do_changes(self):
        """How often an object that only Python knows was made, or may have changed."""
        return self.changes

    def do_alike(self, left, right, names):
        """Whether two objects are of one class, and have the same attributes beside `names`."""
        rest, other = ({name: item for name, item in vars(value).items() if name not in names} if hasattr(value, "__dict__") else None
                       for value in (left, right))
        return type(left) is type(right) and rest is not None and made_objects.are_alike(rest, other)

    def do_setter(self, value, name, is_entry):
        """The function of a property that sets `value.name`; None for a plain attribute, and for an entry of `vars(value)`."""
        return made_objects.entry_setter(value, name) if is_entry else made_objects.setter(value, name, _own_special)

    def do_inplace(self, value, name):
        """The function of `value` and an operand behind `value += …` and its kin; None where the class of the program's has none."""
        method = _own_special(value, f"__i{name}__")
        if method is None and hasattr(type(value), f"__i{name}__"):
            made_objects.check_own(value, True)
        return operating.in_place(name, method) if method else None

    def do_next(self, value, *default):
        """`next(value)` of an object of the program's."""
        if (method := _own_special(value, "__next__")) is None:
            raise TypeError(f"'{type(value).__name__}' object is not an iterator")
        raise Redirect(repeated.next_or if default else method, (value, *default), {})

    def do_index(self, value):
        """`operator.index(value)`; None where it has none."""
        if (method := _own_special(value, "__index__")) is not None:
            raise Redirect(method, (value,), {})
        return operator.index(value) if hasattr(type(value), "__index__") else None

    def do_repeated(self, name):
        """A function of the package that calls functions of the program several times."""
        return repeated.IN_CODE[name]

    def do_iterator(self, value):
        """What the `__iter__` of a class of the program's returns; None of other objects."""
        if (method := _own_special(value, "__iter__")) is not None and self._is_readable(method):
            raise Redirect(method, (value,), {})

    def do_taker(self, iterator):
        """The function that takes an item of an object which an `__iter__` has returned."""
        if _own_special(iterator, "__next__") is None:
            raise TypeError(f"iter() returned non-iterator of type '{type(iterator).__name__}'")
        return repeated.taken

    def do_iter(self, value):
        """What a loop over `value` sees, as a tuple."""
        return iterators.items_of(value)

    def do_truth(self, value):
        """`bool(value)`."""
        for name in ("__bool__", "__len__"):
            if _own_special(value, name):
                raise Redirect(_own_special(value, name), (value,), {}, name)
        self._look()
        return bool(value)

    def do_returned(self, special, value):
        """What an operation gives whose method `special` has returned `value`: the checks and conversions are CPython's."""
        if special not in _OPERATION_OF_SPECIAL:
            return value
        made = type("object", (), {special: lambda *_: value})()
        return _OPERATION_OF_SPECIAL[special](made)

    def do_evaluate(self, module):
        """The tensor that a program without inputs computes; None where it cannot be run here."""
        from plumb import _native
        return _native.evaluated(module)

    def do_tensor(self, value):
        """The constant tensor, or number, that an array or a number of NumPy or of an enum is, else None."""
        return letters.as_tensor(value)

    def do_complex(self, numbers):
        """Takes note of which results are complex: the executable has them as pairs of real numbers."""
        self.complex_results = numbers

    def do_effects(self, prints, writes, only_compiled):
        """Takes note of what the program does beside computing. With `only_compiled`, Python would have no gradient of it: it stores into
        elements of tensors, or has rules of its own."""
        self.writes |= writes
        if self.leaves_prints and prints and not only_compiled:
            raise refused(RuntimeError, "in PyNative mode Python prints")

    def do_tensormethod(self, name):
        """The function that the package has for a tensor's method, or None."""
        from plumb.common.tensor_methods import compiled_methods
        return compiled_methods().get(name)

    def do_tensorhas(self, name, is_parameter):
        """Whether tensors, or Parameters, have an attribute of that name, in plain Python or in compiled code."""
        from plumb.common.tensor_methods import compiled_methods
        return inspect.getattr_static(Parameter if is_parameter else Tensor, name, _MISSING) is not _MISSING or name in compiled_methods()

    def do_dtype(self, value):
        """The element type that a class or dtype of NumPy's stands for, else None."""
        known = isinstance(value, np.dtype) or isinstance(value, type) and issubclass(value, np.generic)
        return as_dtype(value) if known else None

    def do_keyed(self, name, items, keys, **kwargs):
        """sorted, min, max with the keys that the interpreter has computed."""
        if ordering.are_tensors(keys):
            raise Redirect(ordering.IN_CODE[name], (items, keys), {option: value for option, value in kwargs.items() if option != "default"})
        return ordering.keyed(name, items, keys, **kwargs)


def _own_special(value, name):
    """The method behind an operation on an instance of a class of the program's, if Python code defines it."""
    if isinstance(value, (type, Token)):
        return None
    for kind in type(value).__mro__:
        found = vars(kind).get(name)
        if found is not None:
            structure = isinstance(value, TensorStructure)
            own = isinstance(found, types.FunctionType) and (structure or letters.is_of_program(found)) \
                and found.__code__.co_filename != dataclasses.__file__  # what CPython's decorator makes, it runs
            return found if own else None
    return None


def _is_own_cached(found):
    """Whether an attribute of a class is a functools.cached_property, of a function of Python's."""
    return isinstance(found, functools.cached_property) and isinstance(found.func, types.FunctionType)


def _question(callee, *args):
    """Questions of type about what the interpreter holds."""
    kind = args[0].kind_of_python() if isinstance(args[0], Token) else type(args[0])
    if callee is callable:
        return args[0].kind == "function" if isinstance(args[0], Token) else callable(args[0])
    if callee is type:
        return kind
    return issubclass(kind, args[1])
