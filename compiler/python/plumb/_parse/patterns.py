"""`match`: of each case first the structure that its pattern wants, with the names that it binds, then the values that it compares.

The structure is mostly known while compiling, so names are bound on both sides of a comparison that a tensor decides.
"""

import ast

from plumb._parse import text
from plumb._parse.diagnostics import error_at

# Classes whose one positional pattern is that of the value itself.
_BY_ITSELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


class Patterns:
    """Mixin of FunctionPrinter."""

    def statement_Match(self, node):
        subject = self.temporary()
        self.store(subject, self.expression(node.subject), node)
        self._first_case(node.cases, subject, node)

    def _first_case(self, cases, subject, node):
        """The first case whose pattern and guard hold runs."""
        if not cases:
            return
        case, name = cases[0], self.temporary()
        self.pattern_names = captured = {}
        self._fits(case.pattern, subject, name)

        def bind():  # The names are bound when the whole pattern fits.
            for bound, held in captured.items():
                self.store(self.renamed.get(bound, bound), self.load(held, case.pattern), case.pattern)

        def guard():
            bind()
            self.store(name, self.expression(case.guard), case.guard)

        def body():
            bind()
            self.block(case.body)

        if case.guard is not None:
            self._and(name, guard, case.guard)
        self.branch(self.load(name, node), body, lambda: self._first_case(cases[1:], subject, node), case.pattern)

    def _and(self, name, more, node):
        """Runs `more`, which stores into `name`, where `name` holds so far."""
        self.branch(self.load(name, node), more, None, node)

    def _fits(self, pattern, subject, name):
        """Stores into `name` whether the pattern fits the value of the name `subject`, and binds what it binds."""
        outer, self.pattern_values = self.pattern_values, []
        self.store(name, self.constant("false", pattern), pattern)
        self._match(pattern, subject, lambda: self._compare(name, pattern))
        self.pattern_values = outer

    def _compare(self, name, pattern):
        """Stores into `name` whether all values equal those of the pattern, or fit one of its alternatives."""
        self.store(name, self.constant("true", pattern), pattern)
        for node, condition in self.pattern_values:
            self._and(name, lambda node=node, condition=condition: self.store(name, condition(), node), node)

    def _match(self, pattern, subject, then):
        """Runs `then` where the pattern's structure is that of the value of the name `subject`, with what the pattern binds.

        What is to be compared goes to `pattern_values`.
        """
        getattr(self, "_pattern_" + type(pattern).__name__)(pattern, subject, then)

    def _match_all(self, steps, then):
        """Runs steps within one another, and `then` in the last: a step is a function of what is to run where it holds."""
        if steps:
            steps[0](lambda: self._match_all(steps[1:], then))
        else:
            then()

    def _pattern_MatchValue(self, pattern, subject, then):
        self.pattern_values.append((pattern, lambda: self.operator(
            "eq", [self.load(subject, pattern), self.expression(pattern.value)], pattern)))
        then()

    def _pattern_MatchSingleton(self, pattern, subject, then):
        value = self.constant(self.module.plain(pattern.value), pattern)
        self.branch(self.operator("is", [self.load(subject, pattern), value], pattern), then, None, pattern)

    def _pattern_MatchAs(self, pattern, subject, then):
        def bind():
            if pattern.name is not None:
                self._bind(pattern.name, self.load(subject, pattern), pattern)
            then()
        if pattern.pattern is not None:
            self._match(pattern.pattern, subject, bind)
        else:
            bind()

    def _bind(self, name, value, node):
        if name not in self.pattern_names:
            self.pattern_names[name] = self.temporary()
        self.store(self.pattern_names[name], value, node)

    def _pattern_MatchOr(self, pattern, subject, then):
        fits = self.temporary()
        self._fits(pattern.patterns[0], subject, fits)
        for other in pattern.patterns[1:]:
            self.branch(self.load(fits, other), None, lambda other=other: self._fits(other, subject, fits), other)
        self.pattern_values.append((pattern, lambda: self.load(fits, pattern)))
        then()

    def _pattern_MatchSequence(self, pattern, subject, then):
        star = next((index for index, part in enumerate(pattern.patterns) if isinstance(part, ast.MatchStar)), None)
        kinds = self.emit(f"net.python.tuple({', '.join(self._builtin_class(kind, pattern) for kind in ('list', 'tuple'))})", pattern)
        is_sequence = self.builtin("isinstance", [self.load(subject, pattern), kinds], pattern)
        count = len(pattern.patterns) - (star is not None)

        def has_length(more):
            size = self.builtin("len", [self.load(subject, pattern)], pattern)
            fits = self.operator("eq" if star is None else "ge", [size, self.constant(f"{count} : i64", pattern)], pattern)
            self.branch(fits, more, None, pattern)

        elements = [lambda more, index=index, part=part: self._element(pattern, part, index, star, subject, more)
                    for index, part in enumerate(pattern.patterns)]
        self.branch(is_sequence, lambda: self._match_all([has_length] + elements, then), None, pattern)

    def _builtin_class(self, name, node):
        return self.constant(f'#net.primitive<"builtins.{name}">', node)

    def _element(self, pattern, part, index, star, subject, then):
        """One pattern of a sequence against its element, or the starred one against what is left over."""
        behind = len(pattern.patterns) - 1 - index
        number = lambda value: self.constant("#net.none" if value is None else f"{value} : i64", part)
        if index == star:
            if part.name is not None:
                bounds = ", ".join([number(index), number(-behind if behind else None), number(None)])
                whole, rest = self.load(subject, part), self.emit(f"net.python.slice({bounds})", part)
                rest = self.emit(f"net.python.subscript {whole}[{rest}]", part)
                self._bind(part.name, self.builtin("list", [rest], part), part)
            then()
            return
        position = number(index if star is None or index < star else -behind - 1)
        element = self.temporary()
        self.store(element, self.emit(f"net.python.subscript {self.load(subject, part)}[{position}]", part), part)
        self._match(part, element, then)

    def _pattern_MatchMapping(self, pattern, subject, then):
        is_dictionary = self.builtin("isinstance", [self.load(subject, pattern), self._builtin_class("dict", pattern)], pattern)
        keys, values = [self.temporary() for _ in pattern.keys], [self.temporary() for _ in pattern.keys]
        steps = [lambda more, key=key, value=value, node=node: self._match_key(subject, key, value, node, more)
                 for key, value, node in zip(keys, values, pattern.keys)]
        steps += [lambda more, value=value, part=part: self._match(part, value, more) for value, part in zip(values, pattern.patterns)]

        def rest():
            if pattern.rest is not None:
                self._rest(pattern, keys, subject)
            then()

        self.branch(is_dictionary, lambda: self._match_all(steps, rest), None, pattern)

    def _match_key(self, subject, key, value, node, then):
        """The value of a key, where the dict has it."""
        self.store(key, self.expression(node), node)

        def take():
            self.store(value, self.emit(f"net.python.subscript {self.load(subject, node)}[{self.load(key, node)}]", node), node)
            then()

        self.branch(self.operator("in", [self.load(key, node), self.load(subject, node)], node), take, None, node)

    def _rest(self, pattern, keys, subject):
        """Binds a new dict of what no key of the pattern names."""
        rest = self.temporary()
        self.store(rest, self.builtin("dict", [self.load(subject, pattern)], pattern), pattern)
        for key in keys:
            self.method(self.load(rest, pattern), "pop", [self.load(key, pattern)], pattern)
        self._bind(pattern.rest, self.load(rest, pattern), pattern)

    def _pattern_MatchClass(self, pattern, subject, then):
        kind = self.expression(pattern.cls)
        is_instance = self.builtin("isinstance", [self.load(subject, pattern), kind], pattern)
        attributes = self._positional_attributes(pattern) + pattern.kwd_attrs
        steps = [lambda more, attribute=attribute, part=part: self._attribute(part, attribute, subject, more)
                 for attribute, part in zip(attributes, pattern.patterns + pattern.kwd_patterns)]
        self.branch(is_instance, lambda: self._match_all(steps, then), None, pattern)

    def _positional_attributes(self, pattern):
        """The attributes that the positional patterns of a class are of; None for the value itself."""
        if not pattern.patterns:
            return []
        live = self.live_value(pattern.cls)
        if live is None:
            raise error_at(pattern, self.filename, "positional patterns of a class that is made inside of a function cannot be compiled; name "
                                                   "the attributes")
        if live[1] in _BY_ITSELF and len(pattern.patterns) == 1:
            return [None]
        names = getattr(live[1], "__match_args__", ())
        if len(names) < len(pattern.patterns):
            raise error_at(pattern, self.filename, f"TypeError: {live[1].__name__}() accepts {len(names)} positional sub-patterns "
                                                   f"({len(pattern.patterns)} given)")
        return list(names[:len(pattern.patterns)])

    def _attribute(self, part, attribute, subject, then):
        """One pattern of a class against an attribute, which the value may not have, or, without a name, against the value itself."""
        if attribute is None:
            self._match(part, subject, then)
            return
        self.module.use_attribute(attribute)
        has = self.builtin("hasattr", [self.load(subject, part), self.constant(text.string(attribute), part)], part)
        element = self.temporary()

        def match():
            self.store(element, self.emit(f"net.python.getattr {self.load(subject, part)}, {text.string(attribute)}", part), part)
            self._match(part, element, then)

        self.branch(has, match, None, part)
