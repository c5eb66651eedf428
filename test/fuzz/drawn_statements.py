"""Statements of several lines: `match`, closures over what changes, objects that change, loops on tensors one inside of the other."""

from drawn_expressions import Retry, holds_tensor, kind_of
from function_text import Node


class Statements:
    """Mixin of Writer."""

    # -- match

    def matched(self, body, flow, drawer):
        """match, with patterns some of which fit."""
        kind = self.rng.choice(["int", "str", "ctuple", "clist", "any", "any", "list", "tuple", "none", "cdict", "object"])
        subject = drawer(kind)
        value = drawer.value(subject)
        if kind_of(value) in ("function", "set") or kind_of(value) == "tensor" and value.size != 1:
            return None
        heads = []
        for _ in range(self.rng.randint(1, 3)):
            model = value if self.chance(0.7) else drawer.value(drawer(self.rng.choice(["int", "str", "tuple", "list"])))
            guard = f" if {drawer('bool')}" if self.chance(0.25) else ""
            heads.append(f"case {self.pattern(model, 0)}{guard}:")
        if self.chance(0.7):
            heads.append(f"case {self.rng.choice(['_', self.fresh()])}:")
        tensor = flow.tensor or holds_tensor(value)
        return self.compound(body, flow, heads, flow._replace(tensor=tensor, level=flow.level + 1), [], around=f"match {subject}:")

    def pattern(self, value, depth):
        """A pattern that fits a value."""
        kind = kind_of(value)
        if self.chance(0.15):
            return self.rng.choice(["_", self.fresh()])
        text = self._pattern(value, kind, depth)
        if self.chance(0.1) and not text.isidentifier():
            return f"({text} as {self.fresh()})" if depth else f"{text} as {self.fresh()}"
        return text

    def _pattern(self, value, kind, depth):
        if kind in ("int", "float", "str", "none", "bool"):
            text = repr(value)
            if " at 0x" in text:  # addresses are others when plumb runs it
                return self.fresh()
            if kind == "int" and self.chance(0.2):
                return "BOX.size" if value == 3 else "int()"
            return text if self.chance(0.8) else f"({text} | {self.rng.randint(0, 3)})"
        if kind in ("list", "tuple") and depth < 2:
            parts = [self.pattern(item, depth + 1) for item in value]
            if self.chance(0.4):
                cut = self.rng.randint(0, len(parts))
                parts = [*parts[:cut], "*" + self.rng.choice(["_", self.fresh()]), *parts[self.rng.randint(cut, len(parts)):]]
            text = ", ".join(parts)
            return f"[{text}]" if self.chance(0.6) else f"({text}{',' if len(parts) == 1 else ''})"
        if kind == "dict" and depth < 2:
            parts = [f"{key!r}: {self.pattern(item, depth + 1)}" for key, item in value.items() if type(key) in (int, str) and self.chance(0.7)]
            return "{" + ", ".join(parts + ([f"**{self.fresh()}"] if self.chance(0.3) else [])) + "}"
        if kind == "object" and hasattr(value, "size") and self.chance(0.7):
            return self.rng.choice([f"Box(size={self.pattern(value.size, depth + 1)})", f"Crate(size={self.fresh()})", "Box()",
                                    f"Box(name={value.name!r}, size={self.fresh()})"])
        return self.fresh()

    # -- closures

    def closure(self, body, flow, drawer):
        """An inner function that changes what is outside of it, and calls of it."""
        if flow.inner or flow.tensor:
            return None
        form = self.rng.choice([self._list_closure, self._dict_closure, self._counter, self._late, self._own_object, self._memo])
        name = form(body, drawer)
        argument = drawer(self.rng.choice(["int", "int", "tensor" if self.rich else "int", "float"]))
        calls = [f"{self.fresh()} = {name}({argument})", f"{self.fresh()} = [{name}(p) for p in {self.rng.choice(['range(2)', 'NUMBERS', '(1, 0.5)'])}]",
                 f"{self.fresh()} = {name}({name}({argument})) if {drawer('bool')} else {name}(1)", f"{self.fresh()} = apply({name}, {argument})",
                 f"{self.fresh()} = (lambda p: {name}(p))({argument})", f"{self.fresh()} = list(map({name}, [1, {drawer('number')}]))"]
        loop = Node("", [(f"for {self.fresh()} in range({self.rng.randint(1, 3)}):", [Node(f"{self.fresh()} = {name}({argument})")])])
        for _ in range(self.rng.randint(1, 3)):
            body.append(loop if self.chance(0.2) else Node(self.rng.choice(calls)))
        return self.env_at(body[-1])

    def _function(self, body, head, lines):
        body.append(Node("", [(head, [Node(line) for line in lines])]))

    def _list_closure(self, body, drawer):
        holder, name = self.fresh(), self.fresh()
        body.append(Node(f"{holder} = [{drawer('number')}, {drawer()}]"))
        change = self.rng.choice([f"{holder}.append(p)", f"{holder}[0] = {holder}[0] + q", f"{holder}[-1] = p", f"{holder}.insert(0, q)",
                                  f"{holder}.extend([p, q])", f"{holder}[:1] = [q, {holder}[0]]", f"del {holder}[:-2]",
                                  f"{holder}[1:] = [{holder}[0]]"])
        result = self.rng.choice([f"len({holder})", f"{holder}[0]", f"{holder}[-1]", f"(p, list({holder}))", f"{holder}.copy()", "p"])
        self._function(body, f"def {name}(p, q=1):", [change, f"return {result}"])
        return name

    def _dict_closure(self, body, drawer):
        holder, name = self.fresh(), self.fresh()
        body.append(Node(f"{holder} = {{'n': {drawer('int')}, 'rest': []}}"))
        change = self.rng.choice([f"{holder}['n'] += 1", f"{holder}['rest'].append(p)", f"{holder}[len({holder})] = p", f"{holder}.update(last=p)",
                                  f"{holder}.setdefault('first', p)", f"{holder}.pop('first', None)",
                                  f"{holder}['n'], {holder}['m'] = {holder}['n'] + 2, {holder}['n']"])
        result = self.rng.choice([f"{holder}['n']", f"dict({holder})", f"list({holder})", f"len({holder}['rest'])", f"p * {holder}['n']",
                                  f"{holder}.get('last', p)"])
        self._function(body, f"def {name}(p):", [change, f"return {result}"])
        return name

    def _counter(self, body, drawer):
        make, count, step, name = (self.fresh() for _ in range(4))
        inner = Node("",
                     [(f"def {step}(by=1):", [Node(f"nonlocal {count}"), Node(f"{count} {self.rng.choice(['+=', '-=', '*='])} by"), Node(f"return {count}")])])
        start = self.rng.choice(["start", "start + 1", "start * 2"])
        body.append(Node("", [(f"def {make}(start):", [Node(f"{count} = {start}"), inner, Node(f"return {step}")])]))
        body.append(Node(f"{name} = {make}({drawer(self.rng.choice(['int', 'float', 'tensor' if self.rich else 'int']))})"))
        if self.chance(0.5):
            body.append(Node(f"{self.fresh()} = {make}(1)()"))
        return name

    def _late(self, body, drawer):
        """Functions in a list, which see the last value of a loop's name, or each its own."""
        holder, name, index = self.fresh(), self.fresh(), self.fresh()
        own = self.chance(0.5)
        body.append(Node(f"{holder} = []"))
        body.append(Node("",
                         [(f"for {index} in {self.rng.choice(['range(3)', 'NUMBERS', '(2, 0.5)'])}:", [Node(f"{holder}.append(lambda p{f', {index}={index}' if own else ''}: p * {index} + {drawer('number')})")])]))
        body.append(Node(f"{name} = lambda p: [f(p) for f in {holder}]"))
        return name

    def _own_object(self, body, drawer):
        holder, name = self.fresh(), self.fresh()
        body.append(Node(f"{holder} = {self.rng.choice(['Box', 'Crate'])}({self.rng.randint(0, 4)})"))
        change = self.rng.choice([f"{holder}.size += 1", f"{holder}.size = {drawer('int')}", f"{holder}.size, {holder}.name = {holder}.size * 2, 'q'",
                                  f"setattr({holder}, 'size', 5)"])
        result = self.rng.choice([f"{holder}.scaled(p)", f"{holder}.area", f"{holder}(p)", f"({holder}.name, {holder}.size)",
                                  f"p if {holder} else {holder}.size"])
        self._function(body, f"def {name}(p):", [change, f"return {result}"])
        return name

    def _memo(self, body, drawer):
        holder, name = self.fresh(), self.fresh()
        body.append(Node(f"{holder} = {{}}"))
        inner = Node("", [(f"if len({holder}) not in {holder}:", [Node(f"{holder}[len({holder})] = (p, {drawer('number')})")])])
        body.append(Node("",
                         [(f"def {name}(p):", [inner,
                                               Node(f"return {self.rng.choice([f'{holder}[0]', f'len({holder})', f'sorted({holder})', f'max({holder})'])}")])]))
        return name

    # -- loops on tensors

    def tangle(self, body, flow, drawer):
        """Loops inside of each other, left in the middle."""
        tensors = [name for name in drawer.variables("floats") if name not in self.locked | self.outer]
        if not tensors or flow.inner or flow.level > 1:
            raise Retry()
        name, count = self.rng.choice(tensors), self.fresh()
        body.append(Node(f"{count} = {self.rng.choice([f'{name}.sum() * 0', '0'])}"))
        change = lambda: f"{name} = {drawer.like(drawer.env[name])}"
        inner = [Node(change())]
        for _ in range(self.rng.randint(0, 2)):
            inner.insert(self.rng.randint(0, len(inner)), self._leave(drawer))
        loop = Node("",
                    [(self.rng.choice([f"for {self.fresh()} in range({self.rng.randint(1, 3)}):", f"for {self.fresh()} in {name}.reshape(-1)[:2]:",
                                       f"for {self.fresh()} in [{name}, {name} * 0.5]:"]), inner)])
        if self.chance(0.3):
            loop.blocks.append(("else:", [Node(change())]))
        outer = [Node(f"{count} = {count} + 1"), loop]
        for _ in range(self.rng.randint(0, 2)):
            outer.insert(self.rng.randint(1, len(outer)), self._leave(drawer))
        test = f"{count} < {self.rng.randint(1, 3)}" + (f" and {drawer.condition()}" if self.chance(0.3) else "")
        whole = Node("", [(f"while {test}:", outer)])
        if self.chance(0.3):
            whole.blocks.append(("else:", [Node(change())]))
        body.append(whole)
        behind = self.env_at(whole)
        if behind is not None:
            self.banned |= self.varying(whole, behind) | {count}
            behind = {known: value for known, value in behind.items() if known not in self.banned}
        return behind

    def carried(self, body, flow, drawer):
        """A loop on a tensor that changes what lists, dicts, objects and functions hold."""
        tensors = [name for name in drawer.variables("floats") if name not in self.locked | self.outer]
        if not tensors or flow.inner or flow.level > 1:
            raise Retry()
        name, holder, count = self.rng.choice(tensors), self.fresh(), self.fresh()
        like = lambda: drawer.like(drawer.env[name])
        made, places = self.rng.choice([
            (f"[{name}, {like()}]", [f"{holder}[0]", f"{holder}[1]", f"{holder}[-1]"]), (f"[[{name}], {like()}]", [f"{holder}[0][0]", f"{holder}[1]"]),
            (f"{{'a': {name}, 2: {like()}}}", [f"{holder}['a']", f"{holder}[2]"]), (f"{{'k': [{like()}, 1.5]}}", [f"{holder}['k'][0]"]),
            (f"Keeper({name}, {like()})", [f"{holder}.left", f"{holder}.right"]), (f"Keeper([{name}], {like()})", [f"{holder}.left[0]", f"{holder}.right"])])
        body += [Node(f"{holder} = {made}"), Node(f"{count} = {self.rng.choice([f'{name}.sum() * 0', '0'])}")]
        outside = self._aliases(body, holder, places, name)
        block = [Node(f"{count} = {count} + 1")] + [self._change(drawer, outside, name) for _ in range(self.rng.randint(1, 3))]
        if self.chance(0.4):
            block.insert(self.rng.randint(1, len(block)), self._leave(drawer))
        if self.chance(0.3):
            block = [block[0], Node("", [(f"while {count} % 2 > 0:", [*block[1:], Node(f"{count} = {count} + 1")])])]
        test = f"{count} < {self.rng.randint(1, 4)}" if self.chance(0.8) else f"({self.fresh()} := {count} + 1) < {self.rng.randint(2, 4)}"
        whole = Node("", [(f"while {test}:", block)])
        body += [whole, Node(f"{self.fresh()} = {holder}.both if isinstance({holder}, Keeper) else {holder}")]
        behind = self.env_at(body[-1])
        if behind is not None:
            self.banned |= self.varying(whole, behind) | {count, holder}
            behind = {known: value for known, value in behind.items() if known not in self.banned}
        return behind

    def _aliases(self, body, holder, places, name):
        """Where a loop may store, under other names and through functions, too."""
        kind, alias, setter = self.rng.random(), self.fresh(), self.fresh()
        if kind < 0.3:
            body.append(Node(f"{alias} = {holder}"))
            return places + [place.replace(holder, alias) for place in places]
        if kind < 0.5:
            body.append(Node("", [(f"def {setter}(p):", [Node(f"{self.rng.choice(places)} = p * 0.5", captured=True), Node("return p")])]))
            return places + [f"{setter}"]
        if kind < 0.7:
            body.append(Node(f"{alias} = {name}"))
            inner = [Node(f"nonlocal {alias}"), Node(f"{alias} = {alias} + p"), Node(f"return {alias}")]
            body.append(Node("", [(f"def {setter}(p):", inner)]))
            return places + [f"{setter}"]
        return places

    def _change(self, drawer, places, name):
        """One store, at times on a condition."""
        place = self.rng.choice(places)
        value = self.rng.choice([drawer.like(drawer.env[name]), name, f"{self.rng.choice([p for p in places if '[' in p or '.' in p])} * 0.5"])
        store = Node(f"{place} = {value}") if "[" in place or "." in place else Node(f"{self.fresh()} = {place}({value})")
        if self.chance(0.3):
            return Node("", [(f"if {drawer.condition()}:", [store])])
        return store

    def _leave(self, drawer):
        """A way out of a loop, on a tensor."""
        way = self.rng.choice(["break", "continue", "continue", "break", f"return {self.returned(drawer)}" if self.models else "break"])
        block = [Node(way)]
        if self.chance(0.2):
            block = [Node("", [(f"if {drawer.condition()}:", block)])]
        return Node("", [(f"if {drawer.condition()}:", block)])
