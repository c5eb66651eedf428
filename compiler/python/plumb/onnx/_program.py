"""An ONNX graph as a Python function of its inputs, a call for each node: what the front end reads and compiles.

    def construct(self, image):
        image = given_tensor(image, 'image', (None, 3, 224, 224))
        conv1_out = conv(image, self.p_conv1_weight, self.p_conv1_bias, pads=(1, 1, 1, 1))  # Conv 'conv1'
        return conv1_out

Floats that the file holds are Parameters; integers, and constants of nodes, are NumPy arrays among the function's globals.
Graphs within nodes (If, Loop, Scan) are functions within the function. Functions that the model defines stand in the place of
their calls.
"""

import keyword
import re

import numpy as np

from plumb.onnx import _operators, _proto, _registry, _values

_FLOATS = ("float32", "float64", "float16", "bfloat16")
_ANY_DOMAIN = {"ai.onnx": ""}
_GRAPH, _TYPE = 5, 13


_MAX_NODES = 200_000
# Fields of an attribute's message by the number of its type, and those whose values are messages.
_FIELDS = {1: "f", 2: "i", 3: "s", 4: "t", 5: "g", 6: "floats", 7: "ints", 8: "strings"}
_CONSTANTS = {"value": ("t", None), "value_int": ("i", "int64"), "value_ints": ("ints", "int64"), "value_float": ("f", "float32"),
              "value_floats": ("floats", "float32")}


class Weight:
    """A Parameter to be.

    Attributes: its `name` in the file, its `array`, the name of its element type `kind`, whether it is `trained`.
    """

    def __init__(self, name, array, kind):
        self.name, self.array, self.kind, self.trained = name, array, kind, True


class Program:
    """The function of a model.

    Attributes:
      text: its definition, `construct`.
      globals: what the text names beside `self`.
      weights: Weight by the attribute that `self` has it as.
      inputs: (name, element type, shape, whether its values must be known while compiling) of each input; shapes are tuples with
        None for any extent, or None.
      outputs: names.
    """

    def __init__(self, model, folder):
        self.versions = {_ANY_DOMAIN.get(one.domain, one.domain): one.version for one in model.opset_import}
        self.functions = {(_ANY_DOMAIN.get(one.domain, one.domain), one.name): one for one in model.functions}
        self.folder, self.taken, self.suffixes = folder, set(keyword.kwlist) | {"self", "construct", "float"}, {}
        self.open, self.written = [], 0  # the model's functions whose nodes are being written, and how many nodes are
        self.known = {}  # by id of a graph or function, its values that must be known
        self.globals = {"given_tensor": _values.given_tensor, "given_array": _values.given_array, "tensor": _values.tensor}
        self.weights, self.named, self.inputs, self.lines, self.functions_named = {}, set(), [], [], {}
        self.outputs = [one.name for one in model.graph.output]
        self.render(model.graph)
        self.text = "\n".join(self.lines) + "\n"

    # -- names

    def identifier(self, name, prefix=""):
        """A Python name that nothing has yet."""
        plain = prefix + re.sub(r"\W", "_", name, flags=re.ASCII)
        plain = f"v{plain}" if not plain or plain[0].isdigit() or plain[0] == "_" else plain
        candidate, count = plain, self.suffixes.get(plain, 1)
        while candidate in self.taken or candidate in self.globals:
            count += 1
            candidate = f"{plain}_{count}"
        self.suffixes[plain] = count
        self.taken.add(candidate)
        return candidate

    def constant(self, array, name="constant"):
        """The name of a known value."""
        found = self.identifier(name)
        self.globals[found] = array
        return found

    # -- graphs

    def render(self, graph):
        """Writes the function of the model's graph."""
        names = {}
        self.enter_initializers(graph, names)
        taken = self.known_names(graph)
        inputs = [one for one in graph.input if one.name not in names]
        heads, checks = [], []
        for one in inputs:
            names[one.name] = self.identifier(one.name)
            heads.append(names[one.name])
            checks.append(self.check(one, names[one.name], one.name in taken))
        self.lines.append(f"def construct({', '.join(['self'] + heads)}):")
        self.lines += ["    " + check for check in checks if check]
        self.nodes(graph.node, names, 1)
        results = ", ".join(f"tensor({self.value(one.name, names)})" if not self.holds_sequence(one) else self.value(one.name, names)
                            for one in graph.output)
        self.lines.append(f"    return {results}")

    @staticmethod
    def holds_sequence(value):
        """Whether a value is a list or an optional one."""
        return value.type is not None and value.type.tensor_type is None

    def check(self, value, name, is_known):
        """The line that checks an input, if its type is known."""
        kind = value.type.tensor_type if value.type is not None else None
        if kind is None:
            self.inputs.append((value.name, None, None, False))
            return None
        shape = None if kind.shape is None else tuple(
            dim.dim_value if "dim_value" in dim.given else None for dim in kind.shape.dim)
        element = _proto.element_type(kind.elem_type)
        self.inputs.append((value.name, element, shape, is_known))
        if is_known:
            return f"{name} = given_array({name}, {value.name!r}, {element!r}, {shape!r})"
        return f"given_tensor({name}, {value.name!r}, {element!r}, {shape!r})"

    def enter_initializers(self, graph, names):
        """Values that the file holds: Parameters if they are floats of one axis or more, else known values."""
        if graph.sparse_initializer:
            raise ValueError("initializers that are sparse tensors are not offered")
        known = self.known_names(graph)
        for one in graph.initializer:
            kind, array = _proto.element_type(one.data_type), _proto.to_array(one, self.folder)
            if kind in _FLOATS and array.ndim > 0 and one.name not in known:
                names[one.name] = self.weight(one.name, array, kind)
            else:
                names[one.name] = self.constant(array, one.name)

    def weight(self, name, array, kind):
        """The expression of a new Parameter."""
        attribute = self.identifier(name, "p_")
        unique, count = name, 1
        while unique in self.named:
            count += 1
            unique = f"{name}_{count}"
        self.named.add(unique)
        self.weights[attribute] = Weight(unique, array, kind)
        return f"self.{attribute}"

    def weight_of(self, name, names):
        """(array, element type) of the Parameter that a value is; None where it is none."""
        found = self.weights.get(names.get(name, "").removeprefix("self."))
        return None if found is None else (found.array, found.kind)

    def is_uniform(self, node, names):
        """Whether a node copies a Parameter whose elements are all equal.

        PyTorch's exporter stores equal tensors once. Ones and zeros are equal by chance, as in a network that was not trained yet, so
        each copy is a Parameter of its own; other tensors that are equal are one, as tied weights are.
        """
        found = self.weight_of(node.input[0], names) if node.input else None
        return found is not None and found[0].size > 0 and bool((found[0] == found[0].flat[0]).all())

    def known_names(self, graph):
        """Values of a graph that nodes want to know while compiling, and those that they are computed from, but for shapes."""
        if id(graph) in self.known:
            return self.known[id(graph)]
        found = self.known[id(graph)] = set()
        for node in reversed(graph.node):
            function, entry = self.function_of(node), self.operator(node)
            for attribute in node.attribute:  # what graphs within it want of this one
                found |= self.known_names(attribute.g) if attribute.g is not None else set()
            if node.op_type not in ("Shape", "Size") and found & set(node.output):
                found |= set(node.input)
            elif function is not None:
                wanted = self.known_names(function)
                found |= {given for name, given in zip(function.input, node.input) if name in wanted}
            elif entry is not None:
                found |= {name for place, name in enumerate(node.input) if place in entry.known}
        found.discard("")
        return found

    def function_of(self, node):
        """The model's function that a node calls, or None."""
        return self.functions.get((_ANY_DOMAIN.get(node.domain, node.domain), node.op_type))

    def operator(self, node):
        """The Operator of a node; None where it is a function of the model's."""
        domain = _ANY_DOMAIN.get(node.domain, node.domain)
        if self.function_of(node) is not None or (domain == "" and node.op_type == "Constant"):
            return None
        found = _registry.find(domain, node.op_type, self.versions.get(domain, 1))
        if found is None:
            raise NotImplementedError(f"the operator {node.op_type}{f' of {domain}' if domain else ''}, version {self.versions.get(domain, 1)}, of "
                                      f"node '{node.name or ', '.join(node.output)}' is not offered; plumb.onnx.operators() lists what is")
        return found

    # -- nodes

    def value(self, name, names):
        """The expression of a value."""
        if name not in names:
            raise ValueError(f"the value '{name}' is used before a node computes it")
        return names[name]

    def nodes(self, nodes, names, depth, bound=None):
        """Writes nodes; `bound` are attributes of the function that they stand in."""
        for node in nodes:
            self.written += 1
            if self.written > _MAX_NODES:
                raise ValueError(f"with its functions written out the model has more than {_MAX_NODES} nodes")
            domain, attributes = _ANY_DOMAIN.get(node.domain, node.domain), self.attributes(node, bound)
            if not node.output:
                raise ValueError(f"node '{node.name}' ({node.op_type}) has no result")
            if domain == "" and node.op_type == "Constant":
                names[node.output[0]] = self.constant(self.constant_of(node, attributes), node.output[0])
            elif domain == "" and node.op_type == "Identity" and self.is_uniform(node, names):
                names[node.output[0]] = self.weight(node.output[0], *self.weight_of(node.input[0], names))
            elif self.function_of(node) is not None:
                self.inlined(self.function_of(node), node, names, depth, attributes)
            else:
                self.call(node, self.operator(node), names, depth, attributes, bound)

    @staticmethod
    def attributes(node, bound):
        """A node's attributes by name, those of the function around in the places of references to them."""
        found = {}
        for one in node.attribute:
            if one.ref_attr_name and bound is None:
                raise ValueError(f"node '{node.name}' ({node.op_type}) refers to the attribute '{one.ref_attr_name}' of a function, but stands in none")
            given = bound.get(one.ref_attr_name) if one.ref_attr_name else one
            if given is not None:
                found[one.name] = given
        return found

    @staticmethod
    def constant_of(node, attributes):
        """The value of a Constant node."""
        given = [name for name in attributes if name in _CONSTANTS]
        if len(attributes) != 1 or not given:
            raise ValueError(f"the constant '{node.output[0]}' is given as {', '.join(attributes) or 'nothing'}; one of {', '.join(_CONSTANTS)} is offered")
        field, kind = _CONSTANTS[given[0]]
        value = getattr(attributes[given[0]], field)
        if value is None:
            raise ValueError(f"the constant '{node.output[0]}' has no value")
        return _proto.to_array(value) if kind is None else np.array(value, kind)

    def inlined(self, function, node, names, depth, attributes):
        """Writes the nodes of one of the model's functions."""
        inner = {name: self.value(given, names) if given else "None" for name, given in zip(function.input, node.input)}
        inner.update({name: "None" for name in function.input[len(node.input):]})
        bound = {one.name: one for one in function.attribute_proto}
        bound.update(attributes)
        if function in self.open:
            raise ValueError(f"the function '{function.name}' calls itself")
        self.open.append(function)
        outer, own = self.versions, {_ANY_DOMAIN.get(one.domain, one.domain): one.version for one in function.opset_import}
        self.versions = {**outer, **own}
        self.nodes(function.node, inner, depth, bound)
        self.versions = outer
        self.open.pop()
        names.update({given: self.value(name, inner) for name, given in zip(function.output, node.output) if given})

    def call(self, node, entry, names, depth, attributes, bound):
        """Writes the call of a node's operator; `bound` are attributes of the function that it stands in."""
        label = f"{node.op_type} {ascii(node.name or ', '.join(node.output))}"  # all on one line, whatever the file says
        self.hold(node, entry, names)
        arguments = [self.value(name, names) if name else "None" for name in node.input]
        count = len(arguments)
        missing = [name for name in entry.takes[count:entry.least] if name not in attributes]
        if missing:
            raise ValueError(f"{label} lacks '{missing[0]}'")
        if entry.most is not None and count > entry.most:
            raise ValueError(f"{label} has {count} inputs")
        for name, attribute in attributes.items():
            if name not in entry.takes[0 if entry.most is None else count:] or name in ("outputs", "training"):
                raise NotImplementedError(f"the attribute '{name}' of {label} is not offered")
            arguments.append(f"{name}={self.attribute(attribute, names, depth, bound)}")
        if "outputs" in entry.takes:
            arguments.append(f"outputs={len(node.output)}")
        if "training" in entry.takes:
            arguments.append("training=self.training")
        function = self.function(node.op_type, entry)
        targets = []
        for name in node.output:
            names[name] = self.identifier(name) if name else "_"
            targets.append(names[name])
        self.lines.append("    " * depth + f"{', '.join(targets)} = {function}({', '.join(arguments)})  # {label}")

    def function(self, name, entry):
        """The global name of an operator's function: the operator's own, unless something else has it."""
        if self.functions_named.get(entry) is None:
            self.functions_named[entry] = self.constant(entry.function, name)
        return self.functions_named[entry]

    def hold(self, node, entry, names):
        """Parameters that an operator keeps from optimizers."""
        for place, name in enumerate(node.input):
            attribute = names.get(name, "").removeprefix("self.")
            if place in entry.fixed and attribute in self.weights:
                self.weights[attribute].trained = False

    def attribute(self, one, names, depth, bound):
        """The expression of an attribute's value."""
        if one.type == _TYPE:  # it says what a list or an optional value would hold
            return "None"
        if one.type not in _FIELDS:
            raise NotImplementedError(f"the attribute '{one.name}' has a type ({one.type}) that is not offered")
        value = getattr(one, _FIELDS[one.type])
        if value is None:
            raise ValueError(f"the attribute '{one.name}' has no value")
        if one.type == _GRAPH:
            return self.inner_function(value, names, depth, bound)
        if one.type == 4:
            return self.constant(_proto.to_array(value), one.name)
        if one.type in (3, 8):
            texts = [bytes(text).decode("utf-8", "replace") for text in (value if one.type == 8 else [value])]
            return repr(tuple(texts) if one.type == 8 else texts[0])
        if one.type in (1, 6):
            return "(" + "".join(f"{self.real(number)}, " for number in value) + ")" if one.type == 6 else self.real(value)
        return repr(tuple(value) if isinstance(value, list) else value)

    @staticmethod
    def real(number):
        """A float as text, infinities and NaN included."""
        return repr(number) if np.isfinite(number) else f"float('{number}')"

    def inner_function(self, graph, names, depth, bound):
        """Writes a function for a graph within a node; returns its name."""
        inner, name = dict(names), self.identifier(graph.name or "body")
        self.enter_initializers(graph, inner)
        parameters = []
        for one in graph.input:
            if one.name not in {tensor.name for tensor in graph.initializer}:
                inner[one.name] = self.identifier(one.name)
                parameters.append(inner[one.name])
        self.lines.append("    " * depth + f"def {name}({', '.join(parameters)}):")
        self.nodes(graph.node, inner, depth + 1, bound)
        results = "".join(f"{self.value(one.name, inner)}, " for one in graph.output)
        self.lines.append("    " * (depth + 1) + f"return ({results})")
        return name
