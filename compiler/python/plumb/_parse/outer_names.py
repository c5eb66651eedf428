"""Names of a compiled function that methods of a class see which it makes.

Python makes the class while the function is printed, when no such name has a value. So its methods get the names as globals that
stand for attributes of an object, the holder; the function sets these where it makes the class, and wherever it assigns the names
behind that.
"""

import ast
import types

from plumb._parse.diagnostics import error_at


class Holder:
    """Has the names of one class statement as attributes."""


class OuterName:
    """What the methods' globals have for a name: an attribute of the holder."""

    def __init__(self, holder, name):
        self.holder, self.name = holder, name


def sees_outer_names(method):
    """Whether a method of a class that a compiled function makes reads names of that function."""
    pending, names = [method.__code__], set()
    while pending:
        code = pending.pop()
        names.update(code.co_names)
        pending += [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return any(isinstance(method.__globals__.get(name), OuterName) for name in names)


def seen_by_methods(node, names, filename):
    """The names, of these, that methods of a class use. The class's own body and its methods' defaults run while compiling: they
    can use none."""
    inner = [part for method in node.body if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) for part in method.body]
    within = {id(part) for statement in inner for part in ast.walk(statement)}
    found = set()
    for name in (part for part in ast.walk(node) if isinstance(part, ast.Name) and part.id in names):
        if id(name) not in within:
            raise error_at(name, filename, f"the body of a class inside of a compiled function runs while compiling, and cannot use the "
                                           f"function's own name '{name.id}'; use it in methods, or define the class at module level")
        found.add(name.id)
    return sorted(found - _own_names(node))


def _own_names(node):
    """Names that every method which uses them has as its own."""
    methods = [method for method in node.body if isinstance(method, ast.FunctionDef)]
    users = {}
    for method in methods:
        own = {arg.arg for arg in ast.walk(method.args) if isinstance(arg, ast.arg)}
        own |= {part.id for part in ast.walk(method) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        for part in ast.walk(method):
            if isinstance(part, ast.Name):
                users.setdefault(part.id, set()).add(part.id in own)
    return {name for name, are_own in users.items() if are_own == {True}}
