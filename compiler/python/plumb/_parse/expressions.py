"""Expressions: Python AST to `net.python.*` operations.

Each method returns the SSA name of the value. `and`, `or`, conditional expressions, chained comparisons and
comprehensions become `net.python.if` and `net.python.for` over temporary names `$1`, `$2`, …, which no program can
spell, so that the compiler knows one form of control flow only.
"""

import ast
import glob
import types

from plumb._parse import text
from plumb._parse.diagnostics import error_at
from plumb._parse.outer_names import OuterName
from plumb._parse.uses import taken_at_once
from plumb.ops._primitive import Primitive

BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and",
    ast.BitOr: "or", ast.BitXor: "xor",
}
_UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "not"}
_COMPARE = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Is: "is",
    ast.IsNot: "is_not", ast.In: "in", ast.NotIn: "not_in",
}
_REFUSED = {
    ast.Await: "'await' cannot be compiled; a step runs to its end on the device",
    ast.Yield: "'yield' cannot be compiled; collect the values in a list and return them",
    ast.YieldFrom: "'yield from' cannot be compiled; collect the values in a list and return them",
    ast.Starred: "'*' is offered in calls and in tuple or list displays only",
}


class Expressions:
    """Mixin of FunctionPrinter; see the file's head."""

    def expression(self, node):
        """Prints `node` and returns its value's name."""
        for kind, message in _REFUSED.items():
            if isinstance(node, kind):
                raise error_at(node, self.filename, message)
        method = getattr(self, "expression_" + type(node).__name__, None)
        if method is None:
            raise error_at(node, self.filename, f"'{type(node).__name__}' expressions cannot be compiled")
        return method(node)

    def expression_Constant(self, node):
        if node.value is Ellipsis:
            return self.constant('#net.primitive<"builtins.Ellipsis">', node)
        return self.constant(self.module.attribute(node.value, "the constant", self.place(node)), node)

    def expression_Name(self, node):
        outer = None if node.id in self.locals or node.id in self.renamed else self.globals.get(node.id)
        if isinstance(outer, OuterName):
            base = self.constant(self.module.attribute(outer.holder, f"'{outer.name}'", self.place(node)), node)
            return self.emit(f"net.python.getattr {base}, {text.string(outer.name)}", node)
        return self.converted(node, self.load(self.renamed.get(node.id, node.id), node))

    def expression_Attribute(self, node):
        live = self.live_value(node)
        if live is None or not self.is_namespace(live[0]):
            self.module.use_attribute(node.attr)
        if live is not None and not self.is_namespace(live[0]):
            self.check_member(node, live[0])
        base = self.expression(node.value)
        value = self.emit(f"net.python.getattr {base}, {text.string(node.attr)}", node)
        return self.converted(node, value)

    def expression_BinOp(self, node):
        left, right = self.operand(node.left), self.operand(node.right)
        return self.operator(BINARY[type(node.op)], [left, right], node)

    def expression_UnaryOp(self, node):
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) \
                and type(node.operand.value) in (int, float):
            return self.constant(self.module.plain(-node.operand.value), node)
        return self.operator(_UNARY[type(node.op)], [self.operand(node.operand)], node)

    def expression_BoolOp(self, node):
        stop_early = isinstance(node.op, ast.Or)
        name = self.temporary()
        self.store(name, self.expression(node.values[0]), node)
        self._rest_of_bool(node.values[1:], name, stop_early, node)
        return self.load(name, node)

    def _rest_of_bool(self, values, name, stop_early, node):
        if not values:
            return

        def go_on():
            self.store(name, self.expression(values[0]), values[0])
            self._rest_of_bool(values[1:], name, stop_early, node)

        condition = self.load(name, node)
        self.branch(condition, None if stop_early else go_on, go_on if stop_early else None, node)

    def expression_Compare(self, node):
        left = self.operand(node.left)
        if len(node.ops) == 1:
            right = self.operand(node.comparators[0])
            return self.operator(_COMPARE[type(node.ops[0])], [left, right], node)
        name = self.temporary()
        self._chain(node, left, 0, name)
        return self.load(name, node)

    def _chain(self, node, left, index, name):
        right = self.operand(node.comparators[index])
        self.store(name, self.operator(_COMPARE[type(node.ops[index])], [left, right], node), node)
        if index + 1 < len(node.ops):
            self.branch(self.load(name, node), lambda: self._chain(node, right, index + 1, name), None, node)

    def expression_IfExp(self, node):
        name = self.temporary()
        condition = self.expression(node.test)

        def store(part):
            self.where_reached(lambda: self.store(name, self.expression(part), part), lambda: [name])

        self.branch(condition, lambda: store(node.body), lambda: store(node.orelse), node)
        return self.load(name, node)

    def expression_Tuple(self, node):
        return self.display(node.elts, node)

    def expression_List(self, node):
        if not any(isinstance(element, ast.Starred) for element in node.elts):
            return self.builtin("make_list", [self.expression(element) for element in node.elts], node)
        return self.builtin("list", [self.display(node.elts, node)], node)

    def expression_Set(self, node):
        return self.builtin("set", [self.display(node.elts, node)], node)

    def builtin(self, name, values, node):
        """Calls one of Python's builtins."""
        return self.call(self.constant(f'#net.primitive<"builtins.{name}">', node), values, [], node)

    def display(self, elements, node):
        """Prints a tuple; starred elements are added as tuples."""
        if not any(isinstance(element, ast.Starred) for element in elements):
            values = [self.expression(element) for element in elements]
            return self.emit(f"net.python.tuple({', '.join(values)})", node)
        result = self.emit("net.python.tuple()", node)
        for element in elements:
            if isinstance(element, ast.Starred):
                more = self.builtin("tuple", [self.expression(element.value)], element)
            else:
                more = self.emit(f"net.python.tuple({self.expression(element)})", element)
            result = self.operator("add", [result, more], element)
        return result

    def expression_Dict(self, node):
        if all(isinstance(name, ast.Constant) and isinstance(name.value, str) for name in node.keys) and \
                len({name.value for name in node.keys}) == len(node.keys):
            keys = [text.string(name.value) for name in node.keys]
            values = [self.expression(value) for value in node.values]
            return self.emit(f"net.python.dict [{', '.join(keys)}]({', '.join(values)})", node)
        made = self.emit("net.python.dict []()", node)
        for name, value in zip(node.keys, node.values):
            if name is None:
                self.method(made, "update", [self.expression(value)], node)
            else:
                key, item = self.expression(name), self.expression(value)
                self.emit(f"net.python.setitem {made}[{key}], {item}", node)
        return made

    def method(self, value, name, values, node):
        """Calls a method of a value."""
        return self.call(self.emit(f"net.python.getattr {value}, {text.string(name)}", node), values, [], node)

    def expression_Subscript(self, node):
        self.check_operator("getitem", node)
        base, index = self.expression(node.value), self.expression(node.slice)
        return self.converted_parts(node.value, self.emit(f"net.python.subscript {base}[{index}]", node))

    def expression_Slice(self, node):
        parts = [self.expression(part) if part is not None else self.constant("#net.none", node)
                 for part in (node.lower, node.upper, node.step)]
        return self.emit(f"net.python.slice({', '.join(parts)})", node)

    def expression_NamedExpr(self, node):
        value = self.expression(node.value)
        self.store(node.target.id, value, node)
        return value

    def expression_JoinedStr(self, node):
        result = self.constant(text.string(""), node)
        for part in node.values:
            if isinstance(part, ast.Constant):
                piece = self.constant(text.string(part.value), node)
            else:
                piece = self._formatted(part, node)
            result = self.operator("add", [result, piece], node)
        return result

    def pieces(self, node):
        """The pieces of an f-string, of which tensors are values."""
        plain = [part for part in node.values if isinstance(part, ast.FormattedValue) and part.conversion == -1 and not part.format_spec]
        return [self.expression(part.value) if part in plain else
                self.constant(text.string(part.value), node) if isinstance(part, ast.Constant) else self._formatted(part, node)
                for part in node.values]

    def _formatted(self, part, node):
        value = self.expression(part.value)
        conversion = {115: "str", 114: "repr", 97: "ascii"}.get(part.conversion)
        if conversion:
            value = self.builtin(conversion, [value], node)
        if part.format_spec is not None:
            return self.builtin("format", [value, self.expression(part.format_spec)], node)
        return self.builtin("str", [value], node)

    def expression_Lambda(self, node):
        return self.nested_function(node, "lambda")

    def expression_Call(self, node):
        ready = self.static_instance(node)
        if ready is not None:
            return self.constant(ready, node)
        if self._is_super_call(node.func):
            return self._super_method_call(node)
        if self._is_setattr(node):
            base, value = self.expression(node.args[0]), self.expression(node.args[2])
            self.module.use_attribute(node.args[1].value)
            self.line(f"net.python.setattr {base}, {text.string(node.args[1].value)}, {value}", node)
            return self.constant("#net.none", node)
        if self.is_first(node):
            return self.first(node)
        if (mapped := self.mapped(node)) is not None:
            return mapped
        if (decided := self.decided(node)) is not None:
            return decided
        self._note_attribute_names(node)
        ours = self.goes_through(node)
        callee = self.expression(node.func) if ours is None else self.constant(self.module.attribute(ours, "", self.place(node)), node)
        outer, self.prints = self.prints, isinstance(node.func, ast.Name) and node.func.id == "print"
        self.note_taken_at_once(node)
        values, names = self.stopping_arguments(node) or self.arguments(node)
        if self.is_taken_later(node):
            values[0] = self.builtin("called_later", [values[0]], node)
        if node.keywords:
            names = self._own_keywords(node.func, names)
        if self.prints and id(self.function) in self.module.hooks and "sep" not in names:
            values.append(self.constant(text.string(" "), node))  # Python prints what hooks print
            names.append("sep")
        self.prints = outer
        return self.call(callee, values, names, node)

    def is_taken_later(self, node):
        """Whether a call makes a map or filter the items of which Python computes one by one."""
        if not (isinstance(node.func, ast.Name) and node.func.id in ("map", "filter") and node.args):
            return False
        found = self.live_value(node.func)
        if found is None or found[1] not in (map, filter) or isinstance(node.args[0], ast.Starred):
            return False
        self.at_once = taken_at_once(self.node) if self.at_once is None else self.at_once
        return id(node) not in self.at_once

    def _own_keywords(self, callee, names):
        live = self.live_value(callee) if isinstance(callee, (ast.Name, ast.Attribute)) else None
        return [live[1].own_keyword(name) for name in names] if live and isinstance(live[1], Primitive) else names

    def _note_attribute_names(self, node):
        """getattr and hasattr read attributes by names that may be computed: all that fit the known parts are wanted."""
        if isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr", "setattr") and len(node.args) >= 2:
            self.note_attributes(node.args[1])

    def note_attributes(self, name):
        """Notes that attributes are wanted whose names an expression gives."""
        self.module.use_attributes(_name_pattern(name))

    def arguments(self, node):
        """Prints a call's arguments; returns (values, names)."""
        values, names = [], []
        for argument in node.args:
            starred = isinstance(argument, ast.Starred)
            values.append(self.iterated(argument.value) if starred else self.expression(argument))
            names.append("*" if starred else "")
        for keyword in node.keywords:
            values.append(self.expression(keyword.value))
            names.append(keyword.arg or "**")
        return values, names

    def call(self, callee, values, names, node):
        """Prints a call."""
        suffix = f" names [{', '.join(text.string(name) for name in names)}]" if any(names) else ""
        return self.emit(f"net.python.call {callee}({', '.join(values)}){suffix}", node)

    def _is_setattr(self, node):
        """Whether a call is setattr() of a name that stands there."""
        return isinstance(node.func, ast.Name) and node.func.id == "setattr" and "setattr" not in self.locals \
            and len(node.args) == 3 and isinstance(node.args[1], ast.Constant) and isinstance(node.args[1].value, str)

    @staticmethod
    def _is_super_call(node):
        return (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call)
                and isinstance(node.value.func, ast.Name) and node.value.func.id == "super")

    def _super_method_call(self, node):
        owner = self.owner_class()
        method = None
        if owner is None or not self.argument_names:
            raise error_at(node, self.filename, "RuntimeError: super() is offered in methods of classes")
        for base in owner.__mro__[1:] if owner else ():
            method = method or vars(base).get(node.func.attr)
        if method is None:
            raise error_at(node, self.filename, f"super() has no method '{node.func.attr}' here")
        hint = f"super().{node.func.attr}"
        found = self.module.function_of(method, self.bound_self, hint, self.place(node)) \
            if isinstance(method, types.FunctionType) else self.module.attribute(method, hint, self.place(node))
        callee = self.constant(found, node)
        values, names = self.arguments(node)
        self_name = self.argument_names[0]
        return self.call(callee, [self.load(self_name, node)] + values, [""] + names, node)


def _name_pattern(node):
    """A pattern of the strings that an expression may give: `f'd{i}'` gives `d*`."""
    if isinstance(node, ast.Constant):
        return glob.escape(str(node.value))
    if isinstance(node, ast.JoinedStr):
        return "".join(_name_pattern(part) if isinstance(part, ast.Constant) else "*" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _name_pattern(node.left) + _name_pattern(node.right)
    return "*"
