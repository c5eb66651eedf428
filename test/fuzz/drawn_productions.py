"""Forms of expressions, by the kind of their value: functions of a Drawer that give a text."""

import numpy as np

from drawn_expressions import Retry
from drawn_methods import MORE
from stand_in import Mode, Tensor


def _joined(d, parts):
    return ", ".join(parts)


def _operator(*signs):
    return lambda kind, other=None: lambda d: f"({d(kind)} {d.pick(*signs)} {d(other or kind)})"


# -- tensors

def _broadcast(d):
    """An operator on two tensors whose shapes fit, or on a tensor and a number."""
    one = d("tensor")
    other = d.pick("number", "number", "tensor")
    other = d(other) if d.chance(0.7) else d.like(d.value(one))
    pair = (one, other) if d.chance(0.7) else (other, one)
    return f"({pair[0]} {d.pick('+', '-', '*', '+', '-', '*', '<', '>', '<=', '>=', '==', '!=')} {pair[1]})"


def _divided(d):
    sign = d.pick("/", "//", "%")
    if sign == "/":
        return f"({d('floats')} / {d.pick('2.0', '4', '-0.5', '8')})" if d.chance(0.5) else f"({d('number')} / (1.5 + {d('floats')} * {d('floats')}))"
    return f"({d(d.pick('ints', 'floats'))} {sign} {d.pick('2', '4', '-2', '8')})"


def _power(d):
    return d.pick(f"({d('floats')} ** {d.pick('2', '3', '2.0', '1', '0')})", f"({d('ints')} ** {d.pick('2', '0', '3')})",
                  f"({d.pick('2', '2.0', '0.5')} ** ops.tanh({d('floats')}))")


def _bits(d):
    return d.pick(f"({d('ints')} {d.pick('&', '|', '^')} {d.rng.randint(0, 7)})", f"({d('ints')} {d.pick('<<', '>>')} {d.rng.randint(0, 3)})",
                  f"({d('bools')} {d.pick('&', '|', '^')} {d('bools')})", f"(~{d('bools')})", f"(~{d('ints')})")


def _index(d):
    """Elements of a tensor."""
    text = d("tensor")
    shape = d.value(text).shape
    if not shape:
        raise Retry()
    return f"{text}[{index_text(d, shape)}]"


def index_text(d, shape):
    """An index into a shape."""
    ints = [name for name in d.variables("ints") if d.env[name].kind in ("int32", "int64")]
    if ints and d.chance(0.12):
        return f"{d.rng.choice(ints)} % {shape[0]}"
    parts, axis, rest = [], 0, d.rng.randint(1, len(shape))
    while axis < rest:
        size = shape[axis]
        part = d.pick("int", "int", "slice", "slice", "slice", "none", "list", "dots", "tensor", "rare")
        if part == "dots" and "..." not in parts:
            parts.append("...")
            continue
        if part == "none" and parts.count("None") < 2:
            parts.append("None")
            continue
        if part == "tensor" and ints:
            parts.append(f"{d.rng.choice(ints)} % {size}")
        elif part == "rare":
            parts.append(d.pick(f"[[0, {size - 1}], [{-size}, 0]]", str([d.chance(0.6) for _ in range(size)]), f"Tensor([0, {size - 1}], ms.int32)",
                                f"(lambda p: p)({size - 1})", f"np.arange({size})[::-1]"))
        elif part == "list" and not any(text.startswith("[") for text in parts):
            parts.append(str([d.rng.randrange(-size, size) for _ in range(d.rng.randint(1, 3))]))
        elif part == "slice":
            parts.append(slice_text(d, size))
        else:
            parts.append(str(d.rng.randrange(-size, size)))
        axis += 1
    return ", ".join(parts)


def slice_text(d, size):
    """A slice of an axis."""
    bound = lambda: d.pick("", "", str(d.rng.randint(-size - 1, size + 1)))
    return d.pick(f"{bound()}:{bound()}", f"{bound()}:{bound()}:{d.pick('2', '-1', '1', '-2')}", "::-1", ":")


def _method(d):
    text = d("tensor")
    rank = d.value(text).ndim
    axis = str(d.rng.randrange(-rank, rank)) if rank else "None"
    return d.pick(f"{text}.sum()", f"{text}.sum({axis})", f"{text}.sum({axis}, keepdims=True)", f"{text}.max()", f"{text}.min({axis})", f"{text}.mean()",
                  f"{text}.mean({axis})", f"{text}.T", f"{text}.flatten()", f"{text}.abs()", f"{text}.reshape(-1)", f"{text}.astype({d.element_type()})",
                  f"{text}.reshape((-1, 1))", f"{text}.expand_dims({axis if rank else '0'})", f"{text}.argmax({axis})", f"{text}.any()", f"{text}.all()",
                  f"{text}.cumsum({axis if rank else '0'})", f"{text}.swapaxes(0, -1)")


def _elementwise(d):
    name = d.pick("tanh", "sin", "cos", "square", "relu", "abs", "neg", "sign", "zeros_like", "ones_like", "floor")
    return d.pick(f"ops.{name}({d('floats')})", f"ops.exp(ops.tanh({d('floats')}))", f"ops.sqrt({d('floats')} * 0 + 2)", f"abs({d('tensor')})",
                  f"(-{d('tensor')})")


def _of_two(d):
    one = d("tensor")
    return f"ops.{d.pick('maximum', 'minimum', 'add', 'mul', 'sub', 'less', 'equal')}({one}, {d.like(d.value(one)) if d.chance(0.6) else d('number')})"


def _chosen(d):
    """A choice by a tensor."""
    one = d("tensor")
    other = d.like(d.value(one))
    if d.chance(0.5):
        return f"({one} if {d.condition()} else {other})"
    return f"ops.where({other} > 0.2, {one}, {other})"


def _stacked(d):
    one = d("tensor")
    other = d.like(d.value(one))
    return d.pick(f"ops.stack([{one}, {other}])", f"ops.concat(({one}, {other}), {d.pick('0', '-1')})", f"ops.stack(({one},), -1)", f"({one} @ {other}.T)")


def _from_container(d):
    containers = [name for name, value in d.env.items() if isinstance(value, (list, tuple)) and value and is_of_tensors(value)]
    if not containers:
        raise Retry()
    name = d.rng.choice(containers)
    return d.pick(f"{name}[{d.rng.randrange(-len(d.env[name]), len(d.env[name]))}]", f"sum({name})", f"functools.reduce(lambda p, q: p + q * 0.5, {name})")


def _network(d):
    """A call of a network."""
    if not d.networks:
        raise Retry()
    network = d.pick(*d.networks)
    with Mode.use():
        model = Tensor(np.ones(network.shape, np.float32))
    return f"{network.name}({d.like(model)})"


def is_of_tensors(value):
    """Whether all items are tensors."""
    return all(isinstance(item, Tensor) for item in value)


def called(d, argument):
    """A call of some function with an argument that is a number or a tensor."""
    x = d(argument)
    return d.pick(f"grown({x}, by={d('int')})", f"BOX.scaled({x})", f"CRATE.scaled({x}, {d('int')})", f"Box.shifted({x})", f"BOX({x})", f"(BOX * {x})",
                  f"apply(lambda p, q=2: p * q, {x})", f"(lambda p, *r: p + len(r))({x}, {d('int')})", f"power({x}, {d.pick('0', '1', '2', '3')})",
                  f"functools.partial(Box.shifted, by={d('int')})({x})", f"apply(BOX.scaled, {x}, by={d('int')})", f"bound({x}, third={d('number')})[0]",
                  f"[{x}, {d('number')}][{d.pick('0', '-2')}]", f"{{'k': {x}}}['k']", f"({x},)[0]",
                  f"({x} if {d('bool')} else {d(argument)})", f"getattr(BOX, 'scaled')({x})", f"max([{x}, {x}], key=lambda p: 1)")


_TENSORS = [_broadcast, _broadcast, _divided, _power, _bits, _index, _index, _method, _method, _elementwise, _of_two, _chosen, _stacked,
            _from_container, _network, lambda d: called(d, "tensor"), lambda d: f"{d('tensor')}.astype({d.element_type()})",
            lambda d: f"Tensor({d.pick('[1, 2, 3]', '[[0.5, -1.0]]', '2', '1.5')}, {d.element_type()})"]

# -- values known while compiling

_INTS = [
    _operator("+", "-", "*", "//", "%", "&", "|", "^")("int"), _operator("+", "-", "*")("int", "bool"),
    lambda d: f"({d('int')} {d.pick('<<', '>>', '**')} {d.rng.randint(0, 4)})", lambda d: f"(-{d('int')})", lambda d: f"(~{d('int')})",
    lambda d: f"len({d('iterable')})", lambda d: f"{d('tensor')}.ndim", lambda d: f"{d('tensor')}.size", lambda d: f"{d('tensor')}.shape[0]",
    lambda d: f"int({d(d.pick('float', 'bool', 'int'))})", lambda d: f"int({d.pick(chr(39) + '12' + chr(39), chr(39) + '-7 ' + chr(39))})",
    lambda d: "int('1f', 16)", lambda d: f"parsed({d('str')})", lambda d: f"{d('str')}.{d.pick('count', 'find', 'rfind')}({d('str')})",
    lambda d: f"sum({d('clist')})", lambda d: f"{d.pick('min', 'max')}({d('int')}, {d('int')})", lambda d: f"abs({d('int')})",
    lambda d: f"divmod({d('int')}, {d('int')})[{d.pick('0', '1')}]", lambda d: f"pow({d('int')}, 2, 7)", lambda d: f"round({d('float')})",
    lambda d: f"{d('object')}.size", lambda d: f"{d('object')}.area", lambda d: f"len({d('object')})", lambda d: f"{d('object')}[{d('int')}]",
    lambda d: f"{d('cdict')}.get({d.pick(repr('k'), '1')}, {d('int')})", lambda d: f"{d('clist')}.count({d('int')})",
    lambda d: f"{d('clist')}[{d('int')}]", lambda d: f"{d('ctuple')}[{d.pick('0', '-1', '1')}]", lambda d: f"ord({d('str')})",
    lambda d: called(d, "int"), lambda d: f"({d('int')} and {d('int')})", lambda d: f"({d('int')} or {d('int')})",
    lambda d: f"math.{d.pick('floor', 'ceil', 'trunc')}({d('float')})", lambda d: f"math.gcd({d('int')}, {d('int')})",
    lambda d: f"int(np.prod({d.pick('(2, 3)', '[1, 2, 4]')}))", lambda d: f"sum(i * {d('int')} for i in range({d.rng.randint(0, 4)}))",
    lambda d: f"sum(1 for p in {d('iterable')} if p)", lambda d: f"max({d('clist')}, default={d('int')})", lambda d: "len(TABLE)",
    lambda d: f"({d('int')}).bit_length()", lambda d: f"isinstance({d('any')}, (int, str)) + 1", lambda d: f"{d('clist')}.index({d('int')})",
]
_FLOATS = [
    _operator("+", "-", "*", "/")("float"), _operator("+", "-", "*", "/", "//", "%")("float", "int"), _operator("/")("int"),
    _operator("//", "%", "**")("float"), lambda d: f"math.{d.pick('sqrt', 'sin', 'exp', 'log', 'fabs', 'tanh')}({d('number')})",
    lambda d: f"float({d(d.pick('int', 'bool', 'str'))})", lambda d: f"round({d('float')}, {d.pick('1', '2', '0', '-1')})", lambda d: f"abs({d('float')})",
    lambda d: f"{d.pick('min', 'max')}({d('float')}, {d('number')})", lambda d: f"sum({d('clist')}, {d('float')})", lambda d: f"(-{d('float')})",
    lambda d: called(d, "float"), lambda d: f"float(np.mean({d.pick('[1, 2]', '[0.5, 2.5, 1]')}))", lambda d: f"({d('int')} ** -{d.pick('1', '2')})",
    lambda d: f"math.{d.pick('pi', 'e')}", lambda d: f"divmod({d('float')}, {d('int')})[{d.pick('0', '1')}]", lambda d: f"math.pow({d('number')}, 2)",
    lambda d: f"float('{d.pick('1.5', '1e2', ' -3 ')}')",
]
_BOOLS = [_operator("<", "<=", ">", ">=", "==", "!=")("number"), _operator("<", ">", "==", "!=", "in", "not in")("str"), _operator("==", "!=")("any"),
          lambda d: f"({d('number')} < {d('number')} <= {d('number')})",
          lambda d: f"(not {d(d.pick('bool', 'int', 'str', 'list', 'none', 'object'))})",
          lambda d: f"({d('bool')} {d.pick('and', 'or', '&', '|', '^')} {d('bool')})", lambda d: f"({d('any')} is {d.pick('', 'not ')}None)",
          lambda d: f"({d('number')} {d.pick('in', 'not in')} {d(d.pick('clist', 'ctuple', 'set', 'cdict'))})",
          lambda d: f"isinstance({d('any')}, {d.pick('int', 'float', '(list, tuple)', 'str', 'Box', 'dict', 'bool', 'Tensor')})",
          lambda d: f"{d.pick('any', 'all')}({d('clist')})",
          lambda d: f"{d.pick('any', 'all')}(p > {d('int')} for p in {d.pick('NUMBERS', '(1, 2)', 'range(3)')})",
          lambda d: f"{d('str')}.{d.pick('isdigit', 'isalpha', 'isupper', 'islower')}()",
          lambda d: f"{d('str')}.{d.pick('startswith', 'endswith')}({d('str')})",
          lambda d: f"hasattr({d('object')}, {d.pick(repr('size'), repr('nothing'), repr('scaled'))})",
          lambda d: f"callable({d(d.pick('function', 'int'))})", lambda d: f"({d('int')} in {d('object')})",
          lambda d: f"bool({d(d.pick('int', 'str', 'list', 'float', 'object', 'none', 'dict'))})",
          lambda d: f"({d('clist')} {d.pick('==', '!=', '<')} {d('clist')})",
          lambda d: f"({d('ctuple')} {d.pick('==', '!=', '<', '>=')} {d('ctuple')})", lambda d: f"({d('object')} == {d('object')})",
          lambda d: f"issubclass({d.pick('Crate', 'Box')}, Box)", lambda d: f"({d('set')} {d.pick('<=', '==', '>')} {d('set')})",
          lambda d: f"({d('object')} < {d('object')})", lambda d: f"math.isclose({d('float')}, {d('float')})",
          lambda d: f"(type({d('any')}) == {d.pick('int', 'str', 'list')})", lambda d: f"({d('tensor')}.shape == {d('ctuple')})",
          lambda d: f"({d('tensor')}.dtype == {d.element_type()})"]


def _formatted(d):
    number = d.pick(f"{{{d('int')}:{d.pick('3d', '05d', 'x', '+', ',', 'b', '>6')}}}", f"{{{d('float')}:{d.pick('.2f', '8.3f', '.1e', 'g', '.0f')}}}",
                    f"{{{d('number')}}}", f"{{{d('number')}!r:>5}}")
    text = d.pick("{t!r}", "{t:>7}", "{t:^5}", "{t}", "{t!s:<4}").replace("t", d("str").replace("'", '"'), 1)
    return f"f'{d.pick('a', 'n=', '')}{number}{d.pick(' ', '{{}}', '-')}{text}'".replace("\\", "")


_STRINGS = [_operator("+")("str"), lambda d: f"({d('str')} * {d.rng.randint(0, 3)})", _formatted, _formatted,
            lambda d: f"{d('str')}.{d.pick('upper', 'lower', 'title', 'strip', 'capitalize', 'swapcase', 'casefold')}()",
            lambda d: f"{d('str')}.replace({d('str')}, {d('str')})", lambda d: f"{d('str')}[{slice_text(d, 4)}]",
            lambda d: f"{d('str')}[{d.pick('0', '-1', '1')}]", lambda d: f"{d('str')}.join([{d('str')}, {d('str')}])",
            lambda d: f"'%d-%s' % ({d('int')}, {d('str')})", lambda d: f"'%5.2f|%r' % ({d('float')}, {d('str')})",
            lambda d: f"'{{}}:{{:>4}}'.format({d('number')}, {d('int')})", lambda d: f"'{{a}}{{0}}'.format({d('int')}, a={d('str')})",
            lambda d: f"str({d(d.pick('int', 'float', 'bool', 'clist', 'ctuple', 'cdict', 'none', 'str'))})",
            lambda d: f"repr({d(d.pick('str', 'clist', 'float', 'ctuple'))})", lambda d: f"chr({d.rng.randint(65, 90)})",
            lambda d: f"{d.pick('hex', 'bin', 'oct')}({d('int')})",
            lambda d: f"{d('str')}.{d.pick('zfill', 'center', 'ljust', 'rjust')}({d.rng.randint(0, 7)})",
            lambda d: f"{d('object')}.{d.pick('name', 'kind')}", lambda d: f"type({d('any')}).__name__",
            lambda d: f"({d('str')} if {d('bool')} else {d('str')})", lambda d: f"({d('str')} or {d('str')})",
            lambda d: f"''.join(sorted({d('str')}))", lambda d: f"''.join(reversed({d('str')}))", lambda d: f"max({d('str')}, {d('str')}, key=len)",
            lambda d: f"''.join(p.upper() for p in {d('str')} if p != 'a')", lambda d: f"{d('str')}.partition(',')[{d.pick('0', '2')}]",
            lambda d: f"format({d('number')}, {d.pick(repr('>6'), repr('.2f'), repr(''))})", lambda d: f"ascii({d('str')})"]
_LISTS = [lambda d: f"[{_joined(d, d.some(d))}]", lambda d: f"[{_joined(d, d.some(lambda: d('number'), 1, 4))}]",
          lambda d: f"[{_joined(d, d.some(lambda: d('tensor'), 1, 3))}]", lambda d: f"({d('list')} + {d('list')})",
          lambda d: f"({d('list')} * {d.rng.randint(0, 2)})", lambda d: f"{d('list')}[{slice_text(d, 3)}]", lambda d: f"[*{d('iterable')}, {d()}]",
          lambda d: f"[p * {d(d.pick('int', 'tensor'))} for p in {d.pick('NUMBERS', 'range(3)', '(1, 2.5)')} if p != {d('int')}]",
          lambda d: f"[(p, q) for p in range(2) for q in {d('iterable')}]",
          lambda d: f"sorted({d.pick('NUMBERS', '[2.5, -1, True]', d('clist'))}{d.pick('', ', reverse=True', ', key=lambda p: -p')})",
          lambda d: f"list({d('iterable')})", lambda d: f"list(zip({d('iterable')}, {d('iterable')}))",
          lambda d: f"list(enumerate({d('iterable')}, {d('int')}))", lambda d: f"list(map(lambda p: (p, {d()}), {d('iterable')}))",
          lambda d: f"list(filter(lambda p: p is not None, {d('list')}))", lambda d: f"list(reversed({d(d.pick('list', 'tuple'))}))",
          lambda d: f"{d('str')}.split({d.pick('', repr(','))})", lambda d: f"list(range({d('int')} % 5, {d('int')} % 7, {d.pick('1', '2', '-1')}))",
          lambda d: f"list({d('dict')}.{d.pick('keys', 'values', 'items')}())", lambda d: f"halves({d.rng.randint(0, 9)})",
          lambda d: f"list(counted({d.rng.randint(0, 4)}))", lambda d: f"{d('list')}.copy()",
          lambda d: f"[f() for f in [lambda i=i: i * {d('int')} for i in range(3)]]", lambda d: f"sorted({d('set')})",
          lambda d: f"[p for p in {d('list')} if p is not None]", lambda d: f"[[p] * 2 for p in {d('iterable')}]",
          lambda d: f"[k for k, v in sorted({d.pick('[(2, 1), (1, 2)]', 'enumerate(NUMBERS)')}, key=lambda p: p[1])]",
          lambda d: f"[*map(Box.shifted, {d.pick('NUMBERS', '(1.5, 2)')})]", lambda d: f"np.array({d.pick('[1, 2]', '[[0.5], [2]]')}).tolist()",
          lambda d: f"[p for p in CRATE]"]
_TUPLES = [lambda d: f"({_joined(d, d.some(d, 2, 3))})", lambda d: f"({d()},)", lambda d: f"({d('tuple')} + {d('tuple')})",
           lambda d: f"({d('tuple')} * {d.rng.randint(0, 2)})", lambda d: f"{d('tuple')}[{slice_text(d, 3)}]", lambda d: f"tuple({d('iterable')})",
           lambda d: f"(*{d('iterable')}, {d()})", lambda d: f"{d('tensor')}.shape",
           lambda d: f"bound({d()}, {d('number')}, {d()}, third={d()}, key={d('number')})",
           lambda d: f"bound(*{d('list')}, **{d.pick('{}', chr(123) + repr('third') + ': 5, ' + repr('z') + ': 1' + chr(125))})",
           lambda d: f"divmod({d('number')}, {d('int')})", lambda d: f"{d('str')}.partition({d('str')})",
           lambda d: f"tuple(p for p in {d('iterable')})", lambda d: f"tuple(sorted({d('cdict')}.items(), key=str))",
           lambda d: f"({d('tuple')} or {d('tuple')})", lambda d: f"tuple(zip(*[(1, 2), (3, {d('int')})]))",
           lambda d: f"tuple({d('tensor')}.shape[i] for i in range(1))"]
_DICTS = [lambda d: f"{{{d('str')}: {d()}, {d('int')}: {d()}}}", lambda d: f"{{p: p * {d('int')} for p in {d.pick('NUMBERS', 'range(3)')}}}",
          lambda d: f"{{**{d('dict')}, 'n': {d()}}}", lambda d: f"dict(a={d()}, b={d('number')})", lambda d: f"({d('dict')} | {d('dict')})",
          lambda d: f"dict(zip({d('str')}, {d('iterable')}))", lambda d: f"dict([({d('int')}, {d()})])",
          lambda d: f"{{(1, {d('int')}): {d()}, None: {d()}}}", lambda d: f"{d('dict')}.copy()", lambda d: f"dict(enumerate({d('iterable')}))",
          lambda d: f"{{k: v for k, v in {d('dict')}.items() if k != 'n'}}", lambda d: f"dict.fromkeys({d('str')}, {d()})"]
_SETS = [
    lambda d: f"{{{d('int')}, {d('int')}}}", lambda d: f"({d('set')} {d.pick('&', '|', '-', '^')} {d('set')})", lambda d: f"{{p % 2 for p in NUMBERS}}",
    lambda d: f"set({d.pick('NUMBERS', d('clist'))})", lambda d: f"{d('set')}.{d.pick('union', 'difference', 'intersection')}({d('set')})",
]
_OBJECTS = [lambda d: f"Box({d.rng.randint(0, 5)})", lambda d: f"Box.of({d.rng.randint(0, 5)})",
            lambda d: f"Crate({d.rng.randint(0, 5)}, {d('number')})", lambda d: f"({d('object')} + {d('object')})", lambda d: f"(BOX + {d('int')})",
            lambda d: f"({d('object')} or BOX)", lambda d: f"min({d('object')}, {d('object')}, key=lambda b: b.size)"]
_CALLABLES = [lambda d: f"(lambda p: p + {d(d.pick('int', 'tensor', 'float'))})", lambda d: "BOX.scaled", lambda d: "grown", lambda d: "Box.shifted",
              lambda d: f"(lambda p, q={d('number')}: q)", lambda d: f"functools.partial(grown, by={d('int')})", lambda d: f"(lambda p: [p, {d()}])"]

_PRODUCTIONS = {"tensor": _TENSORS, "int": _INTS, "float": _FLOATS, "bool": _BOOLS, "str": _STRINGS, "list": _LISTS, "tuple": _TUPLES, "dict": _DICTS,
                "set": _SETS, "object": _OBJECTS, "function": _CALLABLES, "none": [lambda d: "None"]}
PRODUCTIONS = {kind: forms + MORE.get(kind, []) for kind, forms in _PRODUCTIONS.items()}
