"""More forms of expressions, by the kind of their value: methods of strings, dicts, sets and tensors, formats, functions of NumPy on constants."""

from drawn_expressions import Retry


def _keys(d, count=2):
    return ", ".join(f"{d.pick(repr('k'), repr('n'), '1', '(1, 2)')}: {d()}" for _ in range(count))


def _numbers(d):
    """A display of numbers."""
    return "[" + ", ".join(d.some(lambda: d(d.pick("int", "float", "bool")), 1, 4)) + "]"


def _table(d):
    return d.pick("[[1, 2], [3, 4]]", "[[0.5, -1.0, 2.0]]", "[[1], [2], [3]]", f"[[{d('int')}, 2], [0, {d('int')}]]")


# -- NumPy on constants

_ARRAYS = [lambda d: f"np.arange({d.rng.randint(1, 6)})", lambda d: f"np.array({_numbers(d)})", lambda d: f"np.array({_table(d)})",
           lambda d: f"np.zeros(({d.rng.randint(1, 3)}, 2))", lambda d: f"np.eye({d.rng.randint(1, 3)})",
           lambda d: f"np.linspace(0, {d.rng.randint(1, 4)}, {d.rng.randint(2, 5)})", lambda d: f"np.cumsum({_numbers(d)})",
           lambda d: f"np.sort({_numbers(d)})", lambda d: f"np.concatenate([{_numbers(d)}, [1]])", lambda d: f"np.clip({_numbers(d)}, -1, 2)",
           lambda d: f"np.where(np.array({_numbers(d)}) > 1, 1, {d('int')})", lambda d: f"np.array({_table(d)}).T",
           lambda d: f"np.unique({_numbers(d)})", lambda d: f"np.full((2, 2), {d('number')})", lambda d: f"np.ones_like({_table(d)})",
           lambda d: f"np.tile({_numbers(d)}, 2)", lambda d: f"np.diff({_numbers(d)})",
           lambda d: f"np.array({_table(d)})[{d.pick('0', ':, 0', '-1', '::-1', '..., None')}]",
           lambda d: f"(np.array({_numbers(d)}) * {d('number')})", lambda d: f"np.round({_numbers(d)}, 1)",
           lambda d: f"np.array({_table(d)}).reshape(-1)", lambda d: f"np.stack([{_numbers(d)}] * 2)", lambda d: f"np.argsort({_numbers(d)})",
           lambda d: f"np.dot({_table(d)}, {_table(d)})"]


def _array(d):
    return d.pick(*_ARRAYS)(d)


def _constant(d):
    """A tensor of what NumPy gave."""
    return d.pick(f"Tensor({_array(d)}, {d.element_type()})", f"Tensor({_array(d)}.astype(np.float32))", f"Tensor({_numbers(d)}, {d.element_type()})",
                  f"Tensor({_table(d)}, ms.float32)")


# -- tensors

def _more_methods(d):
    text = d(d.pick("tensor", "floats", "floats"))
    value = d.value(text)
    rank = value.ndim
    axis = str(d.rng.randrange(-rank, rank)) if rank else "None"
    order = list(range(rank))
    d.rng.shuffle(order)
    order = ", ".join(map(str, order))
    conversion = d.pick("float", "int", "long", "half", "bool")
    return d.pick(f"{text}.squeeze()", f"{text}.squeeze({axis})", f"{text}.view(-1)", f"{text}.clip(-0.5, 1.25)", f"{text}.argmin({axis})",
                  f"{text}.prod({axis})", f"{text}.tile({(2,) * max(rank, 1)})", f"{text}.repeat(2, {axis})",
                  f"{text}.permute({order})" if rank > 1 else f"{text}.ravel()", f"{text}.transpose({order})" if rank > 1 else f"{text}.copy()",
                  f"{text}.masked_fill({text} > 0.35, {d.pick('0.5', '-1.0')})", f"{text}.var({axis})", f"{text}.{conversion}()", f"{text}.ravel()",
                  f"{text}.copy()", f"{text}.broadcast_to({(2, *value.shape)})")


def _more_functions(d):
    text = d("floats")
    value = d.value(text)
    axis = str(d.rng.randrange(-value.ndim, value.ndim)) if value.ndim else None
    if axis is None:
        return f"ops.sigmoid({text})"
    return d.pick(f"ops.softmax({text}, {axis})", f"ops.sigmoid({text})", f"ops.gather({text}, Tensor([0, -1], ms.int32) % {value.shape[0]}, 0)",
                  f"ops.flip({text}, ({axis},))", f"ops.tile({text}, {(2,) * value.ndim})", f"ops.squeeze({text}.expand_dims({axis}), {axis})",
                  f"ops.pow({text}, 2)", f"ops.cumsum({text}, {axis})", f"ops.logical_and({text} > 0.3, {text} < 1.3)")


def _rows(d):
    """What goes through a tensor's rows."""
    text = d("tensor")
    if not d.value(text).shape:
        raise Retry()
    return d.pick(f"sum(row * i for i, row in enumerate({text}))", f"[row + 1 for row in {text}][-1]",
                  f"(lambda first, *rest: first - len(rest))(*{text})", f"ops.stack([row * {d('number')} for row in {text}])",
                  f"max(({text}[0].sum(), 1), key=lambda p: 1)[0]", f"functools.reduce(lambda p, q: p * 0.5 + q, list({text}))",
                  f"dict(enumerate({text}))[0]", f"next(iter({text}))", f"list(zip({text}, range(9)))[0][0]")


_TENSORS = [_constant, _more_methods, _more_methods, _more_functions, _rows]

# -- strings

_STRINGS = [lambda d: f"f'{{{d('float')}:{{{d.rng.randint(1, 9)}}}.{{{d.rng.randint(0, 3)}}}f}}'",
            lambda d: f"f'{{{d('int')}:{d.pick('#x', '_d', ' d', '^8', '*>6', '=+5', 'o', '08.3f', 'e', '%')}}}'",
            lambda d: f"'%(a)s-%(b)05d' % {{'a': {d('str')}, 'b': {d('int')}}}",
            lambda d: f"'%-6s|%+d|%05.1f|%e|%%' % ({d('str')}, {d('int')}, {d('float')}, {d('number')})",
            lambda d: f"'%x %o %c %g' % (abs({d('int')}), abs({d('int')}), 'q', {d('number')})",
            lambda d: f"'{{0[1]}} {{1.size:>3}} {{0!r}}'.format({d('clist')}, {d('object')})",
            lambda d: f"'{{:{{}}}}'.format({d('int')}, {d.rng.randint(2, 7)})",
            lambda d: f"'{{a:^{d.rng.randint(1, 8)}}}'.format_map({{'a': {d('str')}}})", lambda d: f"{d('str')}.translate({{97: 'q', 98: None}})",
            lambda d: f"{d('str')}.{d.pick('removeprefix', 'removesuffix', 'lstrip', 'rstrip')}({d('str')})",
            lambda d: f"', '.join(map(str, {d('clist')}))", lambda d: f"{d('str')}.expandtabs(4)",
            lambda d: f"'-'.join({d('str')}.rsplit({d.pick('', 'None, 1', repr(','))}))",
            lambda d: f"{d('str')}.rpartition({d.pick(repr('a'), repr(' '))})[{d.pick('0', '2')}]", lambda d: f"repr(sorted({d('cdict')}, key=str))",
            lambda d: f"str({d('cdict')})", lambda d: f"f'{{{d('clist')}}} {{{d('ctuple')}!r:>12}}'",
            lambda d: f"f'{{{d('bool')}=}}'.partition('=')[2]", lambda d: f"min({d('str')}, {d('str')})",
            lambda d: f"(lambda *p: '|'.join(p))(*{d('str')})", lambda d: f"'a{{}}c'.replace('{{}}', {d('str')}, 1)",
            lambda d: f"str(np.array({_table(d)}).shape)", lambda d: f"{d('str')}.encode().decode()",
            lambda d: f"''.join([p for p in {d('str')} if p not in {d('str')}])", lambda d: f"f'{{{d('none')}}}{{{d('bool')!s:>6}}}'",
            lambda d: f"'{{:.3}}|{{:>5s}}'.format({d('str')}, {d('str')})"]
_STRING_BOOLS = [lambda d: f"{d('str')}.{d.pick('isspace', 'isalnum', 'isidentifier', 'istitle', 'isascii', 'isdecimal')}()",
                 lambda d: f"{d('str')}.startswith(({d('str')}, {d('str')}))",
                 lambda d: f"({d('set')}.{d.pick('issubset', 'issuperset', 'isdisjoint')}({d('set')}))",
                 lambda d: f"np.array_equal({_array(d)}, {_array(d)})", lambda d: f"bool(np.any(np.array({_numbers(d)}) > {d('number')}))",
                 lambda d: f"({d('int')} in {d('cdict')}.values())", lambda d: f"(('k', 1) in {d('cdict')}.items())",
                 lambda d: f"all(isinstance(p, int) for p in {d('clist')})", lambda d: f"({d('int')} < {d('int')} != {d('number')} >= {d('int')})",
                 lambda d: f"np.allclose({_numbers(d)}, {d('number')})", lambda d: f"({d('tensor')}.ndim in {d('ctuple')})"]

# -- numbers

_INTS = [lambda d: f"int(np.{d.pick('sum', 'max', 'argmax', 'size', 'ndim', 'count_nonzero')}({_numbers(d)}))",
         lambda d: f"int({_array(d)}.{d.pick('size', 'ndim', 'shape[0]')})", lambda d: f"len({d('dict')})", lambda d: f"len({d('set')})",
         lambda d: f"sum({d('cdict')}.values())", lambda d: f"max({d('cdict')}.values(), default=0)",
         lambda d: f"{d('ctuple')}.{d.pick('count', 'index')}({d('int')})", lambda d: f"[p for p, q in enumerate({d('str')}) if q != 'a'].__len__()",
         lambda d: f"(lambda *p, **q: len(p) + len(q))(*{d('list')}, **{d('cdict')})", lambda d: f"sum(p * q for p, q in zip(NUMBERS, range(3)))",
         lambda d: f"({d('int')} if {d('int')} else {d('int')})", lambda d: f"min({d('set')}, default=4)",
         lambda d: f"{d('str')}.index({d.pick(repr('a'), repr(''))})", lambda d: f"next((p for p in NUMBERS if p < {d('int')}), -1)",
         lambda d: f"int({d('str')} == {d('str')})", lambda d: f"len({d('str')}.split('a'))",
         lambda d: f"int.from_bytes({d('str')}.encode()[:2], 'big')", lambda d: f"TABLE.get({d.pick(repr('one'), '(1, 2)', '5')}, {d('int')}) and 2",
         lambda d: f"int(round({d('float')} * 10))"]
_FLOATS = [lambda d: f"float(np.{d.pick('sqrt', 'exp', 'sin', 'abs', 'floor', 'square')}({d('number')}))",
           lambda d: f"float(np.{d.pick('std', 'var', 'median', 'ptp')}({_numbers(d)}))", lambda d: f"{_array(d)}.tolist()[-1]",
           lambda d: f"float({_array(d)}.sum())", lambda d: f"math.{d.pick('hypot', 'atan2', 'fmod', 'copysign')}({d('number')}, {d('number')})",
           lambda d: f"({d('float')}).as_integer_ratio()[1] * 0.5", lambda d: f"float(np.dot([1, 2], [{d('number')}, 3]))",
           lambda d: f"sum([{d('number')}, 0.5])"]

# -- containers

_LISTS = [lambda d: f"{_array(d)}.tolist()", lambda d: f"list({d('dict')})", lambda d: f"list(reversed({d('dict')}))",
          lambda d: f"[*{d('dict')}.values()]", lambda d: f"sorted({d('cdict')}.items(), key=repr)",
          lambda d: f"[(k, v) for k, v in {d('dict')}.items()]", lambda d: f"[[q for q in range(p)] for p in range({d.rng.randint(0, 3)})]",
          lambda d: f"[p if p else {d()} for p in {d('clist')}]", lambda d: f"[y for p in {d('clist')} if (y := p) is not None]",
          lambda d: f"{d('str')}.splitlines()", lambda d: f"list(map(max, [1, 2], [{d('int')}, 0]))",
          lambda d: f"sorted({d('str')}, key=lambda p: (p.lower(), p))", lambda d: f"list(dict.fromkeys({d('clist')}))",
          lambda d: f"[p for p in zip(*[[1, 2], {d('iterable')}])]", lambda d: f"[*range({d('int')}, {d('int')} + 2)]",
          lambda d: f"(lambda p=[]: p + [{d('int')}])()", lambda d: f"[{d()}, *{d('iterable')}, *{d('tuple')}]",
          lambda d: f"list(filter(None, {d('clist')}))", lambda d: f"[p.size for p in ({d('object')}, {d('object')})]",
          lambda d: f"list({d('dict')}.items())[{slice_of(d)}]"]
_TUPLES = [lambda d: f"tuple({_array(d)}.shape)", lambda d: f"tuple({d('dict')}.items())", lambda d: f"bound({d()}, *{d('ctuple')}, third={d()})",
           lambda d: f"(lambda p, /, q, *r, s=1: (p, q, r, s))({d()}, {d()}, {d()})",
           lambda d: f"max({d('cdict')}.items(), key=lambda p: str(p), default=())", lambda d: f"(*{d('tuple')}, *{d('iterable')})",
           lambda d: f"tuple(map(type(1), {d.pick('(1.5, True)', 'NUMBERS')}))", lambda d: f"(lambda **k: tuple(k.items()))(a={d()}, b={d()})",
           lambda d: f"{d('str')}.rpartition(',')"]
_DICTS = [lambda d: f"{{{_keys(d)}}}", lambda d: f"{{**{d('dict')}, **{d('dict')}}}",
          lambda d: f"{{v: k for k, v in {{'a': {d('int')}, 'b': {d('str')}}}.items()}}",
          lambda d: f"{{k: [v] for k, v in zip('pq', {d('iterable')})}}", lambda d: f"dict(sorted({d('cdict')}.items(), key=repr))",
          lambda d: f"dict({d('dict')}, extra={d()})", lambda d: f"{{i: {{j: i * j for j in range(2)}} for i in range({d.rng.randint(0, 3)})}}",
          lambda d: f"dict(map(lambda p: (p, {d('number')}), {d.pick('NUMBERS', repr('xy'))}))", lambda d: f"{{'t': {d('tuple')}, **{{'u': {d()}}}}}",
          lambda d: f"(lambda **k: k)(**{{'p': {d()}}})"]
_SETS = [lambda d: f"{d('set')}.symmetric_difference({d('set')})", lambda d: f"set(map(abs, {{{d('int')}, {d('int')}}}))",
         lambda d: f"{{*{d.pick('NUMBERS', d('clist'))}}}", lambda d: f"set({d('str')}) - set({d('str')})",
         lambda d: f"{d('set')}.union(NUMBERS, (5,))", lambda d: f"set(range({d.rng.randint(0, 4)}))"]


def slice_of(d):
    """A slice of a list."""
    return d.pick(":1", "1:", "::-1", "-1:", ":0")


MORE = {"tensor": _TENSORS, "str": _STRINGS, "bool": _STRING_BOOLS, "int": _INTS, "float": _FLOATS, "list": _LISTS, "tuple": _TUPLES, "dict": _DICTS,
        "set": _SETS}
