"""From a Python function object to its AST, with the columns of the file.

The whole file is parsed once and the function is found by its first line, so that every node carries the file's own
line and column, whatever the indentation.
"""

import ast
import functools
import linecache
import types

from plumb._parse.diagnostics import CompileError

_files = {}


def function_ast(function):
    """Returns (FunctionDef or Lambda node, file name) for a Python function."""
    code = function.__code__
    candidates = [node for node in _functions(code.co_filename, function)
                  if _first_line(node) == code.co_firstlineno and _name(node) == code.co_name]
    if len(candidates) > 1:
        candidates = _innermost([node for node in candidates if _arguments(node) == _arguments_of(code)
                                 and _same_columns(node, code)]) or candidates
    if not candidates:
        raise CompileError(f"the source of '{function.__qualname__}' is not in {code.co_filename} (has the file "
                           f"changed since it was loaded?)")
    if len(candidates) > 1:
        raise CompileError(f"several lambdas stand on the line of '{function.__qualname__}'; put each on its own "
                           f"line", code.co_filename, code.co_firstlineno, 1)
    return candidates[0], code.co_filename


def _functions(filename, function):
    """All functions of a file; it is parsed and walked once per text."""
    lines = linecache.getlines(filename)
    if not lines:
        raise CompileError(f"could not get source code of '{function.__qualname__}' from {filename}; functions to "
                           f"compile must stand in a file")
    text = "".join(lines)
    cached = _files.get(filename)
    if cached is None or cached[0] != text:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        tree = ast.parse(text, filename)
        _make_private(tree)
        nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
        cached = _files[filename] = (text, nodes)
    return cached[1]


# The fields in which names of classes' own, `__name`, stand; methods keep theirs, as their code objects do.
_PRIVATE_FIELDS = {ast.Attribute: "attr", ast.Name: "id", ast.arg: "arg", ast.keyword: "arg"}


def _make_private(tree):
    """Writes `__name` within a class as Python's compiler does, `_Class__name`."""
    waiting = [(tree, "")]
    while waiting:
        node, owner = waiting.pop()
        field = _PRIVATE_FIELDS.get(type(node))
        name = getattr(node, field) if field and owner else None
        if name and name.startswith("__") and not name.endswith("__"):
            setattr(node, field, f"_{owner}{name}")
        within = node.name.lstrip("_") if isinstance(node, ast.ClassDef) else owner
        body = node.body if isinstance(node, ast.ClassDef) else ()
        waiting.extend((child, within if child in body else owner) for child in ast.iter_child_nodes(node))


def _first_line(node):
    decorators = getattr(node, "decorator_list", [])
    return decorators[0].lineno if decorators else node.lineno


def _name(node):
    return "<lambda>" if isinstance(node, ast.Lambda) else node.name


def _arguments(node):
    return tuple(argument.arg for argument in node.args.posonlyargs + node.args.args)


def _arguments_of(code):
    return code.co_varnames[:code.co_argcount]


def _same_columns(node, code):
    """Whether all of a lambda's code stands in its body; `_innermost` leaves out the lambdas around it."""
    if not isinstance(node, ast.Lambda):
        return True
    body = node.body
    first, last = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    return all(first <= (line, column) and (end_line, end) <= last for line, end_line, column, end in code.co_positions()
               if column is not None and end_line is not None and (column, end) != (0, 0))


def _stands_around(node, others):
    inner = set(ast.walk(node))
    return any(other is not node and other in inner for other in others)


def _innermost(nodes):
    """Without the functions that stand around others of them, for the positions of code are within both."""
    return [node for node in nodes if not _stands_around(node, nodes)]


def _content(cell, name):
    try:
        return cell.cell_contents
    except ValueError:  # the function around has not set the variable, as where an `if` there leaves it out
        raise KeyError(name) from None


def is_without_self(value, cell):
    """Whether a method of a cell names no parameter 'self', but reads a `self` from nowhere. MindSpore tells the cell by that name:
    it takes `def f(x, y): return self.op(x, y)` for a function of two arguments."""
    if not isinstance(value, types.MethodType) or value.__self__ is not cell or not isinstance(value.__func__, types.FunctionType):
        return False
    code = value.__func__.__code__
    return "self" in code.co_names and "self" not in code.co_varnames and "self" not in value.__func__.__globals__


@functools.lru_cache(maxsize=256)
def _with_self(function, cell):
    code = function.__code__.replace(co_freevars=(*function.__code__.co_freevars, "self"))
    closure = (*(function.__closure__ or ()), types.CellType(cell))
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__, made.__module__, made.__qualname__ = function.__kwdefaults__, function.__module__, function.__qualname__
    return made


def with_self(method, cell):
    """The method as a function of its own parameters to be read: the compiler finds the cell under the name `self`."""
    return _with_self(method.__func__, cell)


def converting(function, cell, name):
    """The function that a method of a cell is to be read from. `construct` of a cell with an element type of its own converts its inputs,
    so it is read without what has keywords take other names (`known_as`), which does not name them."""
    converts = name == "construct" and getattr(cell, "_float_type", None) is not None
    while converts and hasattr(function, "known_as"):
        function = function.__wrapped__
    return function


def live_names(function):
    """Returns a lookup from a free name of `function` to its live object; raises KeyError when it has none."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    builtins = function.__globals__.get("__builtins__")
    builtins = vars(builtins) if isinstance(builtins, types.ModuleType) else builtins

    def lookup(name):
        if name in cells:
            return _content(cells[name], name)
        if name in function.__globals__:
            return function.__globals__[name]
        return builtins[name]

    return lookup
