"""Smaller functions that show the same difference: statements are left out, or stand without the blocks around them."""

from function_text import Function, Node


def _smaller_bodies(body):
    """Lists of statements that are one step smaller."""
    for size in (8, 4, 2, 1):
        for first in range(0, len(body), size):
            if size <= len(body):
                yield body[:first] + body[first + size:]
    for place, node in enumerate(body):
        for number, (head, block) in enumerate(node.blocks):
            if not head.startswith("def "):
                yield body[:place] + block + body[place + 1:]
            if number:
                yield body[:place] + [_with_blocks(node, node.blocks[:number] + node.blocks[number + 1:])] + body[place + 1:]
            for smaller in _smaller_bodies(block):
                changed = list(node.blocks)
                changed[number] = (head, smaller)
                yield body[:place] + [_with_blocks(node, changed)] + body[place + 1:]
        if node.line.startswith("return ") and not node.blocks:
            for line in _smaller_returns(node.line):
                yield body[:place] + [Node(line)] + body[place + 1:]


def _with_blocks(node, blocks):
    return Node("", blocks) if blocks else Node("pass")


def _smaller_returns(line):
    """Returns of one of several values."""
    import ast
    value = ast.parse(line).body[0].value
    parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else value.values if isinstance(value, ast.Dict) else []
    for part in parts:
        yield "return " + ast.unparse(part)


def _smaller_parts(function):
    """(body, lines before the function), one of them a step smaller."""
    for body in _smaller_bodies(function.body):
        yield body, function.before
    lines = function.before.splitlines(True)
    for size in (len(lines), 8, 4, 2, 1):
        for first in range(0, len(lines), size or 1):
            yield function.body, "".join(lines[:first] + lines[first + size:])


def reduced(function, shows, limit=400):
    """The smallest function found that `shows` the difference."""
    for _ in range(limit):
        for body, before in _smaller_parts(function):
            smaller = Function(function.name, function.names, function.values, before)
            smaller.body = body
            limit -= 1
            if limit <= 0:
                return function
            if shows(smaller):
                function = smaller
                break
        else:
            return function
    return function
