"""Random networks: classes of cells around a function, and the calls of them.

A network takes float32 tensors of one shape. Its construct is a chain of parts, each of which knows the shape that it takes and the
one that it gives: layers, loops over layers, branches and loops on tensors, Parameters that are read and written, helpers, other cells.
"""

_IMAGES = [(1, 2, 3, 3), (2, 1, 4, 4), (1, 3, 4, 2), (1, 4, 3, 2)]
_ROWS = [(2, 3), (1, 4), (3, 2), (4, 3)]
_MOST_ELEMENTS = 40


def _fixed(*shape):
    return f"fixed({', '.join(map(str, shape))})"


class NetworkWriter:
    """Draws the class of one network.

    Args:
      rng: the generator.
      name: the name of the network; its class has the same, with a capital letter in front.

    Attributes:
      shape: of the input.
      text: the class and the network.
    """

    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.made, self.lines, self.methods, self.serial = [], [], [], 0
        self.shape = self.now = rng.choice(_IMAGES + _ROWS)
        self.keeps = rng.random() < 0.4  # Parameters that construct writes
        for _ in range(rng.randint(1, 4)):
            self._part()
        if rng.random() < 0.2:
            self.lines += ["if x.sum() > 0.35:", "    return x * 0.5"]
        self.text = self._text()

    def _text(self):
        title = "N" + self.name
        body = ["def __init__(self, scale=2):", "    super().__init__()", "    self.scale, self.kinds = scale, {'one': 1, 'two': [2, 3]}"]
        body += ["    " + line for line in self.made] + ["", "def construct(self, x):"] + ["    " + line for line in self.lines] + ["    return x"]
        for method in self.methods:
            body += ["", *method]
        lines = [f"class {title}(nn.Cell):"] + [("    " + line).rstrip() for line in body]
        if self.rng.random() < 0.3:
            lines += ["", "", f"class M{self.name}({title}):", "    def construct(self, x):",
                      self.rng.choice(["        return super().construct(x) * self.scale",
                                       "        y = super().construct(x)\n        return y + self.kinds['one']",
                                       "        return super().construct(super().construct(x)) if x.ndim > 9 else super().construct(x * 0.5)"])]
            title = "M" + self.name
        return "\n".join(lines) + f"\n\n\n{self.name} = {title}({self.rng.choice(['', '3', 'scale=0.5'])})\n"

    def _new(self, value, kind="c"):
        """An attribute."""
        self.serial += 1
        self.made.append(f"self.{kind}{self.serial} = {value}")
        return f"self.{kind}{self.serial}"

    def _part(self):
        parts = [self._activation, self._parameter, self._branch, self._loop, self._helper, self._attribute, self._while]
        parts += [self._image] * 6 if len(self.now) == 4 else [self._row] * 6
        self.lines += self.rng.choice(parts)()

    # -- parts that keep the shape

    def _keeping(self):
        """The text of a cell that keeps the shape."""
        simple = [f"nn.{name}()" for name in ("ReLU", "Tanh", "Sigmoid")]
        if len(self.now) == 4:
            channels = self.now[1]
            simple.append(f"nn.Conv2d({channels}, {channels}, 3, has_bias=True, weight_init={_fixed(channels, channels, 3, 3)}, bias_init={_fixed(channels)})")
        else:
            size = self.now[-1]
            simple += [f"nn.Dense({size}, {size}, {_fixed(size, size)}, {_fixed(size)})",
                       f"nn.LayerNorm(({size},), gamma_init={_fixed(size)}, beta_init={_fixed(size)}, epsilon=0.5)"]
        return self.rng.choice(simple)

    def _activation(self):
        return [f"x = {self._new(self._keeping())}(x)"]

    def _parameter(self):
        size = self.now[-1]
        name = self._new(f"Parameter({_fixed(size)}, name='p{self.serial}')", "p")
        line = f"x = x {self.rng.choice('+-*')} {name}"
        if not self.keeps:
            return [line]
        other = f"x.sum({tuple(range(len(self.now) - 1))})"
        change = self.rng.choice([f"{name} = {name} * 0.5", f"{name} = {name} + {other}", f"ops.assign({name}, {other})", f"{name} += 1",
                                  f"{name}[0] = 0.25", f"{name}[1:] = {name}[:-1]", f"if x.max() > 0.4:\n    {name} = {other} * 0.1"])
        return self.rng.choice([[change, line], [line, change], [line, change, line]])

    def _branch(self):
        one, other = self._new(self._keeping()), self._new(self._keeping())
        test = f"x.{self.rng.choice(['sum', 'max', 'min'])}() {self.rng.choice('<>')} {self.rng.choice(['0.3', '1.1', '-0.4'])}"
        return self.rng.choice([[f"if {test}:", f"    x = {one}(x)", "else:", f"    x = {other}(x)"], [f"if {test}:", f"    x = {one}(x) * 2"],
                                [f"x = {one}(x) if {test} else {other}(x)"], [f"cell = {one} if self.scale > 1 else {other}", "x = cell(x)"],
                                [f"x = ({one}, {other})[{self.rng.choice('01')}](x)"]])

    def _loop(self):
        count = self.rng.randint(1, 3)
        items = ", ".join(self._keeping() for _ in range(count))
        cells = self._new(f"nn.{self.rng.choice(['CellList', 'SequentialCell'])}([{items}])", "l")
        test = f"x.sum() > {self.rng.choice(['0.2', '1.5', '-0.7'])}"
        return self.rng.choice([[f"for cell in {cells}:", "    x = cell(x)"], [f"for i, cell in enumerate({cells}):", "    x = cell(x) + x * i"],
                                [f"for i in range(len({cells})):", f"    x = {cells}[i](x) - i"],
                                [f"for cell in {cells}:", f"    if {test}:", "        break", "    x = cell(x) + 0.1"],
                                [f"for cell in {cells}[::-1]:", "    y = cell(x)", f"    if {test}:", "        continue", "    x = y * 0.5"],
                                [f"ys = [cell(x) for cell in {cells}]", "x = sum(ys)"], [f"x = functools.reduce(lambda y, cell: cell(y), {cells}, x)"],
                                [f"x = {cells}[-1]({cells}[0](x))"]])

    def _while(self):
        cell = self._new(self._keeping())
        bound = self.rng.choice(["0.6", "2.5", "-0.2"])
        step = self.rng.choice([[], [f"    if x.max() < {bound}:", "        break"], [f"    if x.min() < {bound}:", "        continue"]])
        return ["n = x.sum() * 0", f"while n < {self.rng.randint(1, 3)}:", "    n = n + 1", *step,
                f"    x = {cell}(x) {self.rng.choice(['+ n', '* 0.5', '- x'])}"]

    def _helper(self):
        cell, name = self._new(self._keeping()), f"helped{self.serial}"
        self.methods.append(self.rng.choice([[f"def {name}(self, x, by=1, *rest):", f"    return {cell}(x) * by + len(rest)"],
                                             [f"def {name}(self, x, by=1):", "    if by > 1:", f"        return {cell}(x) - by", "    return x"],
                                             [f"def {name}(self, x, *by):", "    for b in by:", f"        x = {cell}(x) + b", "    return x"]]))
        return [f"x = self.{name}(x{self.rng.choice(['', ', 2', ', self.scale'])})"]

    def _attribute(self):
        return self.rng.choice([["x = x * self.scale"], ["x = x + self.kinds['two'][-1]"], ["self.seen = x * 2", "x = self.seen - 1"],
                                ["x = getattr(self, 'nothing', x) * len(self.kinds)"],
                                ["keep = {'x': x}", "keep['x'] = keep['x'] * self.kinds['one'] + 0.5", "x = keep.pop('x')"]])

    # -- parts that change it

    def _image(self):
        _, channels, height, width = self.now
        kind = self.rng.choice(["conv", "conv", "conv", "Max", "Avg", "flat"])
        if kind == "flat":
            return self._flat()
        size, stride = self.rng.randint(1, min(height, width)), self.rng.randint(1, 2)
        mode, dilation = self.rng.choice(["same", "valid"]), self.rng.choice([1, 1, 2])
        reach = (size - 1) * dilation + 1
        if kind != "conv":
            self._to(channels, size, stride, mode)
            return [f"x = {self._new(f'nn.{kind}Pool2d({size}, {stride}, {mode!r})')}(x)"]
        if mode == "valid" and reach > min(height, width):
            dilation, reach = 1, size
        group = channels if self.rng.random() < 0.25 else 1
        outputs = group * self.rng.randint(1, 2)
        bias = f", bias_init={_fixed(outputs)}" if self.rng.random() < 0.6 else ""
        if not self._to(outputs, reach, stride, mode):
            return []
        weight = _fixed(outputs, channels // group, size, size)
        return [f"x = {self._new(f'nn.Conv2d({channels}, {outputs}, {size}, {stride}, {mode!r}, dilation={dilation}, group={group}, has_bias={bool(bias)}, weight_init={weight}{bias})')}(x)"]

    def _to(self, channels, reach, stride, mode):
        """Goes on behind windows; whether the result is small enough."""
        extents = [-(-extent // stride) if mode == "same" else (extent - reach) // stride + 1 for extent in self.now[2:]]
        shape = (self.now[0], channels, *extents)
        if shape[0] * shape[1] * shape[2] * shape[3] > _MOST_ELEMENTS:
            return False
        self.now = shape
        return True

    def _flat(self):
        first, size = self.now[0], 1
        for extent in self.now[1:]:
            size *= extent
        self.now = (first, size)
        return [f"x = {self._new('nn.Flatten()')}(x)"] if self.rng.random() < 0.5 else [f"x = x.reshape({first}, -1)"]

    def _row(self):
        rows, size = self.now
        outputs = self.rng.randint(1, 5)
        self.now = rows, outputs
        form = self.rng.random()
        if form < 0.2:
            weight = self._new(f"Parameter({_fixed(size, outputs)}, name='w{self.serial}')", "w")
            return [self.rng.choice([f"x = x @ {weight}", f"x = ops.matmul(x, {weight})"])]
        bias = f", {_fixed(outputs)}" if self.rng.random() < 0.7 else ", has_bias=False"
        activation = self.rng.choice(["", "", ", activation='relu'", ", activation='tanh'", ", activation='sigmoid'"])
        return [f"x = {self._new(f'nn.Dense({size}, {outputs}, {_fixed(outputs, size)}{bias}{activation})')}(x)"]
