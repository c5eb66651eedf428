"""`match`: its patterns as chains of conditions."""

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
        self._holds(case.pattern, subject, name)

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

    def _holds(self, pattern, subject, name):
        """Stores into `name` whether the pattern fits the value of the name `subject`, and binds what it binds."""
        getattr(self, "_pattern_" + type(pattern).__name__)(pattern, subject, name)

    def _pattern_MatchValue(self, pattern, subject, name):
        self.store(name, self.operator("eq", [self.load(subject, pattern), self.expression(pattern.value)], pattern), pattern)

    def _pattern_MatchSingleton(self, pattern, subject, name):
        value = self.constant(self.module.plain(pattern.value), pattern)
        self.store(name, self.operator("is", [self.load(subject, pattern), value], pattern), pattern)

    def _pattern_MatchAs(self, pattern, subject, name):
        if pattern.pattern is not None:
            self._holds(pattern.pattern, subject, name)
        else:
            self.store(name, self.constant("true", pattern), pattern)
        if pattern.name is not None:
            self._and(name, lambda: self._bind(pattern.name, self.load(subject, pattern), pattern), pattern)

    def _bind(self, name, value, node):
        if name not in self.pattern_names:
            self.pattern_names[name] = self.temporary()
        self.store(self.pattern_names[name], value, node)

    def _pattern_MatchOr(self, pattern, subject, name):
        self._holds(pattern.patterns[0], subject, name)
        for other in pattern.patterns[1:]:
            self.branch(self.load(name, other), None, lambda other=other: self._holds(other, subject, name), other)

    def _pattern_MatchSequence(self, pattern, subject, name):
        star = next((index for index, part in enumerate(pattern.patterns) if isinstance(part, ast.MatchStar)), None)
        kinds = self.emit(f"net.python.tuple({', '.join(self._builtin_class(kind, pattern) for kind in ('list', 'tuple'))})", pattern)
        self.store(name, self.builtin("isinstance", [self.load(subject, pattern), kinds], pattern), pattern)
        count = len(pattern.patterns) - (star is not None)

        def has_length():
            size = self.builtin("len", [self.load(subject, pattern)], pattern)
            self.store(name, self.operator("eq" if star is None else "ge", [size, self.constant(f"{count} : i64", pattern)], pattern),
                       pattern)

        self._and(name, has_length, pattern)
        for index, part in enumerate(pattern.patterns):
            self._and(name, lambda index=index, part=part: self._element(pattern, part, index, star, subject, name), part)

    def _builtin_class(self, name, node):
        return self.constant(f'#net.primitive<"builtins.{name}">', node)

    def _element(self, pattern, part, index, star, subject, name):
        """One pattern of a sequence against its element, or the starred one against what is left over."""
        behind = len(pattern.patterns) - 1 - index
        number = lambda value: self.constant("#net.none" if value is None else f"{value} : i64", part)
        if index == star:
            if part.name is not None:
                bounds = ", ".join([number(index), number(-behind if behind else None), number(None)])
                whole, rest = self.load(subject, part), self.emit(f"net.python.slice({bounds})", part)
                rest = self.emit(f"net.python.subscript {whole}[{rest}]", part)
                self._bind(part.name, self.builtin("list", [rest], part), part)
            return
        position = number(index if star is None or index < star else -behind - 1)
        element = self.temporary()
        self.store(element, self.emit(f"net.python.subscript {self.load(subject, part)}[{position}]", part), part)
        self._holds(part, element, name)

    def _pattern_MatchMapping(self, pattern, subject, name):
        self.store(name, self.builtin("isinstance", [self.load(subject, pattern), self._builtin_class("dict", pattern)], pattern), pattern)
        keys, values = [self.temporary() for _ in pattern.keys], [self.temporary() for _ in pattern.keys]
        for key, value, node in zip(keys, values, pattern.keys):
            self._and(name, lambda key=key, node=node: self._has_key(subject, key, node, name), node)
            self._and(name, lambda key=key, value=value, node=node: self.store(
                value, self.emit(f"net.python.subscript {self.load(subject, node)}[{self.load(key, node)}]", node), node), node)
        for value, part in zip(values, pattern.patterns):
            self._and(name, lambda value=value, part=part: self._holds(part, value, name), part)
        if pattern.rest is not None:
            self._and(name, lambda: self._rest(pattern, keys, subject), pattern)

    def _has_key(self, subject, key, node, name):
        self.store(key, self.expression(node), node)
        self.store(name, self.operator("in", [self.load(key, node), self.load(subject, node)], node), node)

    def _rest(self, pattern, keys, subject):
        """Binds a new dict of what no key of the pattern names."""
        rest = self.temporary()
        self.store(rest, self.builtin("dict", [self.load(subject, pattern)], pattern), pattern)
        for key in keys:
            self.method(self.load(rest, pattern), "pop", [self.load(key, pattern)], pattern)
        self._bind(pattern.rest, self.load(rest, pattern), pattern)

    def _pattern_MatchClass(self, pattern, subject, name):
        kind = self.expression(pattern.cls)
        self.store(name, self.builtin("isinstance", [self.load(subject, pattern), kind], pattern), pattern)
        attributes = self._positional_attributes(pattern) + pattern.kwd_attrs
        for attribute, part in zip(attributes, pattern.patterns + pattern.kwd_patterns):
            if attribute is None:
                self._and(name, lambda part=part: self._holds(part, subject, name), part)
            else:
                self._and(name, lambda attribute=attribute, part=part: self._attribute(part, attribute, subject, name), part)

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

    def _attribute(self, part, attribute, subject, name):
        """One pattern of a class against an attribute, which the value may not have."""
        self.module.use_attribute(attribute)
        self.store(name, self.builtin("hasattr", [self.load(subject, part), self.constant(text.string(attribute), part)], part), part)
        element = self.temporary()
        self._and(name, lambda: self.store(element, self.emit(f"net.python.getattr {self.load(subject, part)}, {text.string(attribute)}", part), part), part)
        self._and(name, lambda: self._holds(part, element, name), part)
