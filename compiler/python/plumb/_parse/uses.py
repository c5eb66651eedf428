"""In which order a function's text uses names."""

import ast


class _Uses(ast.NodeVisitor):
    """Walks statements in the order in which they are computed; `first` maps each name to (its first use, whether that reads it)."""

    def __init__(self):
        self.first = {}

    def visit_Name(self, node):
        self.first.setdefault(node.id, (node, isinstance(node.ctx, ast.Load)))

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)
        self.visit(node.target)

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name):
            self.first.setdefault(node.target.id, (node.target, True))
        self.generic_visit(node)

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        self.visit(node.target)

    def visit_For(self, node):
        self.visit(node.iter)
        self.visit(node.target)
        for statement in node.body + node.orelse:
            self.visit(statement)

    def visit_FunctionDef(self, node):
        for default in [*node.args.defaults, *node.args.kw_defaults, *node.decorator_list]:
            if default is not None:
                self.visit(default)
        self.first.setdefault(node.name, (node, False))

    def visit_Lambda(self, node):
        """Its body runs when it is called."""

    def visit_ClassDef(self, node):
        self.first.setdefault(node.name, (node, False))

    def _visit_comprehension(self, node):
        self.visit(node.generators[0].iter)  # The rest has names of its own.

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension


_CHANGES = {"append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "update", "setdefault", "popitem"}


def _root(node):
    """The name that a chain of subscripts begins with, else None."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def changed_in_place(function):
    """Returns the names in a function's text of which it changes the lists or dicts, or parts of them, in place: {name: a node}."""
    found = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found.setdefault(_root(node), node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            found.setdefault(_root(node.func.value), node)
    found.pop(None, None)
    return found


def read_first(function):
    """Returns the names whose first use in a function's text reads them: {name: the node}."""
    uses = _Uses()
    for statement in function.body:
        uses.visit(statement)
    return {name: node for name, (node, is_read) in uses.first.items() if is_read}


def _names(nodes, context):
    """The nodes of the names that are read (ast.Load) or assigned (ast.Store) in some nodes, outside of functions within."""
    pending, found = list(nodes), []
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)) or node in nodes:
            pending.extend(ast.iter_child_nodes(node))
    return found


def read_late(generator):
    """The names from outside that a generator expression reads whenever an item is taken: all but those of its first iterable."""
    first, *others = generator.generators
    late = [generator.elt, *first.ifs, *others]
    own = {name.id for part in generator.generators for name in _names([part.target], ast.Store)}
    return {name.id for part in late for name in ast.walk(part) if isinstance(name, ast.Name)} - own


def needs_functions(generator, at_once):
    """Whether the function behind a generator expression holds others, which see its names: those of lambdas, of generator expressions
    inside, and of the loops behind its first one. `at_once` has the ids of expressions all items of which are taken at once."""
    return len(generator.generators) > 1 or holds_functions(generator, at_once)


def holds_functions(generator, at_once):
    """Whether the text of a generator expression makes functions."""
    parts = [part for part in ast.walk(generator) if part is not generator]
    return any(isinstance(part, ast.Lambda) or isinstance(part, ast.GeneratorExp) and id(part) not in at_once for part in parts)


_TAKING_METHODS = {"join", "extend", "update", "union", "fromkeys"}
_TAKERS = {"list", "tuple", "set", "frozenset", "dict", "sum", "sorted", "min", "max"}


def taken_at_once(node):
    """Returns the ids of the expressions within `node` all items of which are taken before anything else is computed."""
    taken = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and part.args:
            takes = isinstance(part.func, ast.Name) and part.func.id in _TAKERS or isinstance(part.func, ast.Attribute) and part.func.attr in _TAKING_METHODS
            taken.update([id(part.args[0])] if takes else [])
        elif isinstance(part, ast.Starred):
            taken.add(id(part.value))
        elif isinstance(part, ast.Assign) and isinstance(part.targets[0], (ast.Tuple, ast.List)):
            taken.add(id(part.value))
    return taken
