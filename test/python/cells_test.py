"""Cells: containers and the names of what they hold, printing, flags, hooks, element types of computation."""

import unittest
from collections import OrderedDict

import numpy as np

import plumb
from plumb import Parameter, ParameterTuple, Tensor, nn, ops

ONES = plumb.Tensor(np.ones((2, 3), np.float32))


def names(cell):
    """Names of all Parameters."""
    return [parameter.name for parameter in cell.get_parameters()]


class Named(nn.Cell):
    """Parameters with names of their own, and without."""

    def __init__(self):
        super().__init__()
        self.scale = Parameter(Tensor([1.0]), name="s")
        self.shift = Parameter(Tensor([0.0]))


class Around(nn.Cell):
    """A cell around another."""

    def __init__(self, net, auto_prefix=True):
        super().__init__(auto_prefix=auto_prefix)
        self.net = net


class Chosen(nn.Cell):
    """A layer by its name."""

    def __init__(self, kind, inner=None):
        super().__init__()
        self.kind, self.inner = kind, inner

    @property
    def act(self):
        """The layer; only some names are known."""
        if self.kind == "negative":
            return ops.neg
        raise NotImplementedError(f"no layer '{self.kind}'")

    def construct(self, x):
        """Compiled body."""
        return self.act(x) if self.inner is None else self.inner(x)


class PropertiesTest(unittest.TestCase):
    """Properties of cells that raise."""

    def test_no_fault_where_it_is_not_read(self):
        self.assertEqual(Chosen("other", Chosen("negative"))(Tensor([1.0])).asnumpy().tolist(), [-1.0])


class NamesTest(unittest.TestCase):
    """Parameters are called by their places in the cells that hold them, by the last that took them."""

    def names(self, cell):
        """The parameters' names."""
        return [parameter.name for parameter in cell.get_parameters()]

    def test_own_names_do_not_outlive_a_cell_around(self):
        self.assertEqual(self.names(Named()), ["s", "shift"])
        self.assertEqual(self.names(nn.SequentialCell(Named(), nn.CellList([Named()]))), ["0.scale", "0.shift", "1.0.scale", "1.0.shift"])

    def test_shared_cells(self):
        class Shared(nn.Cell):
            """One cell in three."""

            def __init__(self):
                super().__init__()
                self.first = Named()
                self.second = Around(self.first)
                self.third = Around(Around(self.first), auto_prefix=False)

        self.assertEqual(self.names(Shared()), ["third.net.net.scale", "third.net.net.shift"])
        self.assertEqual([name for name, _ in Shared().parameters_and_names()], ["first.scale", "first.shift"])
        outer = Around(Shared())
        self.assertEqual(self.names(outer), ["net.first.scale", "net.first.shift"])
        self.assertEqual(self.names(Around(outer, auto_prefix=False)), ["net.first.scale", "net.first.shift"])

    def test_tuples_of_parameters(self):
        class Several(nn.Cell):
            """Parameters in a tuple."""

            def __init__(self):
                super().__init__()
                self.both = ParameterTuple([Parameter(Tensor([1.0]), name="p"), Parameter(Tensor([2.0]), name="q")])

        self.assertEqual(self.names(Around(Around(Several()))), ["net.net.p", "net.net.q"])


class Several(nn.Cell):
    """A list, a dict and a sequence."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.CellList([nn.Dense(3, 3, "ones"), nn.Dense(3, 3, "ones")])
        self.heads = nn.CellDict({"mean": nn.Dense(3, 2, "ones"), "act": nn.ReLU()})
        self.tail = nn.SequentialCell(OrderedDict([("a", nn.Dense(2, 2, "ones")), ("b", nn.ReLU())]))

    def construct(self, x):
        """All of them."""
        for block in self.blocks:
            x = block(x)
        return self.tail(self.heads["act"](self.heads["mean"](x)))


class ContainersTest(unittest.TestCase):
    """List and dict operations keep order and names."""

    def test_list(self):
        cells = nn.CellList([nn.ReLU(), nn.Dense(2, 2)])
        cells.insert(0, nn.Tanh())
        cells.insert(-1, nn.Sigmoid())
        self.assertEqual([type(cell).__name__ for cell in cells], ["Tanh", "ReLU", "Sigmoid", "Dense"])
        self.assertEqual(names(cells), ["3.weight", "3.bias"])
        cells[0] = nn.GELU()
        del cells[1]
        self.assertEqual(names(cells), ["2.weight", "2.bias"])
        cells += [nn.Dense(1, 1)]
        cells.extend([nn.ReLU()]).append(nn.ReLU())
        self.assertEqual((len(cells), names(cells)[2:], type(cells[-1]).__name__), (6, ["3.weight", "3.bias"], "ReLU"))
        part = cells[2:4]
        self.assertEqual((len(part), names(part)), (2, names(cells)))
        del cells[::2]
        self.assertEqual((len(cells), names(cells)), (3, ["1.weight", "1.bias"]))

    def test_sequence(self):
        cells = nn.SequentialCell(nn.ReLU(), nn.Dense(2, 2))
        cells.append(nn.Dense(2, 1))[0] = nn.Dense(2, 2)
        self.assertEqual(names(cells)[::2], ["0.weight", "1.weight", "2.weight"])
        del cells[0]
        self.assertEqual(names(cells)[::2], ["0.weight", "1.weight"])
        named = nn.SequentialCell(OrderedDict([("a", nn.ReLU()), ("b", nn.Dense(2, 2))]))
        self.assertEqual((names(named), type(named.a).__name__), (["b.weight", "b.bias"], "ReLU"))

    def test_dict(self):
        cells = nn.CellDict([("a", nn.Dense(1, 1)), ("b", nn.ReLU())])
        cells.update({"c": nn.Tanh()})
        cells["b"] = nn.Dense(1, 1, has_bias=False)
        self.assertEqual((list(cells), names(cells), "c" in cells), (["a", "b", "c"], ["a.weight", "a.bias", "b.weight"], True))
        self.assertIsInstance(cells.pop("c"), nn.Tanh)
        del cells["a"]
        self.assertEqual([key for key, _ in cells.items()], ["b"])

    def test_child_named_cells(self):
        network = nn.SequentialCell(nn.ReLU())
        network.cells = nn.CellList([nn.ReLU()])
        for _ in range(2):
            np.testing.assert_array_equal(network(ONES).asnumpy(), ONES.asnumpy())

    def test_within_a_network(self):
        network = Several()
        del network.blocks[0]
        network.blocks.append(nn.Dense(3, 3, "ones"))
        self.assertEqual(names(network)[::2], ["blocks.0.weight", "blocks.1.weight", "heads.mean.weight", "tail.a.weight"])
        np.testing.assert_allclose(network(ONES).asnumpy(), np.full((2, 2), 54.0))

    def test_refused(self):
        cells = nn.CellList([nn.ReLU()])
        for problem, call in (("range", lambda: cells[1]), ("range", lambda: cells.insert(2, nn.ReLU())),
                              ("subclass of Cell", lambda: cells.append(3)), ("subclass", lambda: nn.SequentialCell([1])),
                              ("must be a Cell", lambda: nn.CellDict({"a": 1})), ("attribute", lambda: nn.CellDict({"keys": nn.ReLU()}))):
            with self.subTest(problem), self.assertRaisesRegex((IndexError, TypeError, KeyError), problem):
                call()


class ReLU(nn.Cell):
    """Makes layers while it is compiled, among them one of its own class's name."""

    def construct(self, x):
        return nn.ReLU()(x - 1.0) + ReLU6()(x)


class ReLU6(nn.Cell):
    def construct(self, x):
        return nn.ReLU6()(x) + 2 * nn.ReLU()(x - 2.0)


class Static(nn.Cell):
    """Its `construct` is no method of the cell."""

    @staticmethod
    def construct(x, factor=2.0):
        return x * factor


class OfClass(nn.Cell):
    """Its `construct` is a method of the class."""

    factor = 3.0

    @classmethod
    def construct(cls, x):
        return x * cls.factor


class UnboundTest(unittest.TestCase):
    """A `construct` that is a static method, or one of the class."""

    def test_calls_and_gradients(self):
        x = Tensor([1.0, 2.0])
        np.testing.assert_array_equal(Static()(x).asnumpy(), [2, 4])
        np.testing.assert_array_equal(Static()(x, factor=4.0).asnumpy(), [4, 8])
        np.testing.assert_array_equal(OfClass()(x).asnumpy(), [3, 6])
        np.testing.assert_array_equal(nn.SequentialCell(Static(), OfClass())(x).asnumpy(), [6, 12])
        np.testing.assert_array_equal(plumb.grad(nn.SequentialCell(OfClass(), Static()))(x).asnumpy(), [6, 6])

    def test_hooks(self):
        for cell, factor in ((Static(), 2), (OfClass(), 3)):
            cell.register_forward_hook(lambda cell, inputs, output: output + 1)
            np.testing.assert_array_equal(cell(Tensor([1.0, 2.0])).asnumpy(), [factor + 1, 2 * factor + 1])


class SameNamesTest(unittest.TestCase):
    """Classes of a program that are called as layers are."""

    def test_made_while_compiling(self):
        x = Tensor([1.5, 5.0, 9.0])
        np.testing.assert_allclose(ReLU()(x).asnumpy(), [2.0, 15.0, 28.0])
        np.testing.assert_allclose(plumb.grad(ReLU())(x).asnumpy(), [2.0, 4.0, 3.0])


class CellTest(unittest.TestCase):
    """Methods that walk over, name and print cells."""

    def test_printing(self):
        self.assertEqual(repr(nn.Dense(2, 3, activation="relu")),
                         "Dense<\n  input_channels=2, output_channels=3, has_bias=True, activation=ReLU<>\n  (activation): ReLU<>\n  >")
        self.assertEqual(repr(nn.SequentialCell(nn.MaxPool2d(2), nn.CellList([nn.Flatten()]))),
                         "SequentialCell<\n  (0): MaxPool2d<kernel_size=2, stride=1, pad_mode=VALID>\n  (1): CellList<\n"
                         "    (0): Flatten<>\n    >\n  >")
        self.assertEqual(repr(nn.Conv2d(3, 4, 5)), "Conv2d<input_channels=3, output_channels=4, kernel_size=(5, 5), stride=(1, 1), "
                         "pad_mode=same, padding=0, dilation=(1, 1), group=1, has_bias=False, weight_init=normal, "
                         "bias_init=zeros, format=NCHW>")

    def test_names_flags_and_walks(self):
        network = nn.SequentialCell(nn.Dense(1, 1), nn.ReLU())
        self.assertEqual([name for name, _ in network.cells_and_names()], ["", "0", "1"])
        self.assertEqual([name for name, _ in network.parameters_and_names("net")], ["net.0.weight", "net.0.bias"])
        network.add_flags_recursive(depth=2)
        self.assertEqual((network[1].depth, network[0].get_flags()), (2, {"depth": 2}))
        seen = []
        self.assertIs(network.apply(lambda cell: seen.append(type(cell).__name__)), network)
        self.assertEqual(seen, ["Dense", "ReLU", "SequentialCell"])
        network.update_parameters_name("x.")
        self.assertEqual((names(network), network[0].param_prefix), (["x.0.weight", "x.0.bias"], "x.0"))
        self.assertTrue(network.set_grad().requires_grad)
        network.insert_child_to_cell("more", nn.Dense(1, 1))
        self.assertEqual(names(network)[2:], ["weight", "bias"])
        self.assertEqual(len(network.init_parameters_data()), 4)
        network.check_names()
        network.insert_child_to_cell("again", nn.Dense(1, 1))
        with self.assertRaisesRegex(ValueError, "'weight' is there twice"):
            network.check_names()
        with self.assertRaisesRegex(KeyError, "has an attribute 'training' already"):
            network.insert_child_to_cell("training", nn.ReLU())
        self.assertIs(network.shard(((1, 1),)), network)
        with self.assertRaisesRegex(ValueError, "needs several devices"):
            network.shard(((2, 1),))


class Grown(nn.Dense):
    """A layer whose `construct` calls the one that it inherits."""

    def construct(self, x):
        """Twice."""
        return super().construct(x) * 2.0


class Mixed(nn.Cell):
    """Layers and a Parameter of its own."""

    def __init__(self):
        super().__init__()
        self.first, self.norm, self.grown = nn.Dense(3, 4, "ones"), nn.BatchNorm1d(4), Grown(4, 2, "ones")
        self.scale = plumb.Parameter(np.full((2, 2), 1 / 3, np.float32))

    def construct(self, x):
        """The second result says where the middle is computed."""
        x = self.first(x)
        middle = x.dtype
        x = self.grown(self.norm(x))
        return ops.matmul(x, self.scale), ops.zeros((1,), middle)


class FloatTypesTest(unittest.TestCase):
    """`to_float`: inputs and trained Parameters are converted, gradients come back in the Parameters' type."""

    def test_types_and_values(self):
        network = Mixed().to_float(plumb.float16).set_train()
        result, middle = network(ONES)
        self.assertEqual((result.dtype, middle.dtype), (plumb.float16, plumb.float16))
        parameters = network.trainable_params()
        gradients = plumb.grad(lambda x: network(x)[0].sum(), None, parameters)(ONES)
        self.assertEqual({gradient.dtype for gradient in gradients}, {plumb.float32})
        np.testing.assert_allclose(gradients[0].asnumpy(), np.full((2, 2), 0.0), atol=1e-3)
        single = Mixed()
        exact, middle = single(ONES)
        self.assertEqual((exact.dtype, middle.dtype), (plumb.float32, plumb.float32))
        np.testing.assert_allclose(single.to_float(plumb.float16)(ONES)[0].asnumpy(), exact.asnumpy(), rtol=2e-3)
        single.first.to_float(plumb.float32)
        self.assertEqual(single(ONES)[1].dtype, plumb.float32)
        with self.assertRaisesRegex(ValueError, "must be float32, float16 or bfloat16"):
            single.to_float(plumb.int32)

    def test_tuples_of_parameters(self):
        """Their items are converted where they are indexed, gone through or unpacked."""
        class Network(nn.Cell):
            """Holds the same Parameters in several ways."""

            def __init__(self):
                super().__init__()
                self.one, self.two = (plumb.Parameter(Tensor(np.array(values, np.float32)), name=name)
                                      for name, values in (("one", [1.0, 2.0]), ("two", [3.0, 4.0])))
                self.several, self.listed = plumb.ParameterTuple((self.one, self.two)), [self.one, self.two]

        class Indexed(Network):
            """Indexes."""

            def construct(self, x):
                return x * self.several[0] + self.listed[1], ops.add(*self.several)

        class Looped(Network):
            """Goes through them."""

            def construct(self, x):
                for parameter in self.several:
                    x = x * parameter
                return x, sum([parameter for parameter in self.several])

        x = Tensor(np.array([1.5, 2.5], np.float32))
        for kind, expected in ((Indexed, ([4.5, 9.0], [4.0, 6.0])), (Looped, ([4.5, 20.0], [4.0, 6.0]))):
            results = kind().to_float(plumb.float16)(x)
            self.assertEqual([result.dtype for result in results], [plumb.float16] * 2)
            self.assertEqual(tuple(result.asnumpy().tolist() for result in results), expected)

    def test_held_tensors(self):
        """Tensors that the program holds by a name or an attribute are converted, and what operators take of untrained Parameters."""
        class Inner(nn.Cell):
            """Holds a tensor."""

            def __init__(self):
                super().__init__()
                self.held = Tensor(np.full((1, 3), 3, np.float32))

            def construct(self, x):
                return self.held, x

        class Network(nn.Cell):
            """Reads tensors from several places."""

            def __init__(self):
                super().__init__()
                self.inner, self.held, self.whole = Inner(), Tensor(np.ones((1, 3), np.float32)), Tensor([[4, 5, 6]], plumb.int32)
                self.double, self.listed = Tensor(np.ones((1, 3))), [Tensor(np.ones((1, 3), np.float32))]
                self.state = plumb.Parameter(Tensor(np.full((1, 3), 6, np.float32)), name="state", requires_grad=False)

            def helped(self, x):
                """A method that `construct` calls."""
                return x * self.held

            def construct(self, x):
                ops.assign(self.state, self.state.astype(plumb.float32) + 1)
                narrow = (ops.concat((self.held, x)), self.held + x, self.helped(x), self.double, self.inner(x)[0], self.inner.held,
                          ops.exp(ONES), self.state + x, x > self.state, -self.state)
                return narrow, (self.whole, self.listed[0], ops.cast(x, plumb.float32) + 1, ops.exp(self.state))

        network = Network().to_float(plumb.float16)
        narrow, others = network(ONES[:1])
        self.assertEqual([result.dtype for result in narrow], [plumb.float16] * 8 + [plumb.bool_, plumb.float16])
        self.assertEqual([result.dtype for result in others], [plumb.int32] + [plumb.float32] * 3)
        self.assertEqual(narrow[7].asnumpy().tolist(), [[8, 8, 8]])
        self.assertEqual((network.state.dtype, network.state.asnumpy().tolist()), (plumb.float32, [[7, 7, 7]]))

    def test_rounding_is_that_of_the_type(self):
        """1 + 2^-11 is no number of float16."""
        layer = nn.Dense(1, 1, plumb.Tensor(np.array([[1 + 2 ** -11]], np.float32)), has_bias=False)
        one = plumb.Tensor(np.ones((1, 1), np.float32))
        self.assertGreater(float(layer(one).asnumpy()), 1.0)
        self.assertEqual(float(layer.to_float(plumb.float16)(one).asnumpy()), 1.0)


class Standardised(nn.Conv2d):
    """A convolution with a weight of its own making."""

    def construct(self, x):
        return self.conv2d(x, self.weight * 2)


class Normalised(nn.LayerNorm):
    """The operation of the layer."""

    def construct(self, x):
        y, _, _ = self.layer_norm(x, self.gamma, self.beta)
        return y


class Asking(nn.Cell):
    """Another result for a value that its own text asks for."""

    def construct(self, x):
        return x * 2 if x.max().item() > 0 else x


class Positive(nn.Cell):
    """As many elements as are positive."""

    def __init__(self):
        super().__init__()
        self.scale, self.unique = nn.Dense(1, 1, "ones", has_bias=False), ops.Unique()

    def construct(self, x):
        found = self.scale(ops.expand_dims(ops.masked_select(x, x > 0), 1))
        return found.reshape(-1), self.unique(x)[1]


class ValuesTest(unittest.TestCase):
    """Cells whose results' sizes depend on values."""

    X = Tensor([1.0, -2.0, 3.0, 1.0], plumb.float32)

    def test_in_pynative_mode(self):
        """Python runs them, call by call; child cells have their Parameters."""
        net = Positive()
        for sign, expected, places in ((1, [1, 3, 1], [0, 1, 2, 0]), (-1, [2], [0, 1, 2, 0]), (1, [1, 3, 1], [0, 1, 2, 0])):
            found, numbers = net(self.X * sign)
            np.testing.assert_array_equal(found.asnumpy(), expected)
            np.testing.assert_array_equal(numbers.asnumpy(), places)
        net.scale.weight.set_data(Tensor([[2.0]]))
        np.testing.assert_array_equal(net(self.X)[0].asnumpy(), [2, 6, 2])

    def test_attributes_that_hold_tensors(self):
        """An attribute of a tensor, and one of the cell that keeps a tensor from call to call, are Python's."""
        class Keeping(nn.Cell):
            def __init__(self):
                super().__init__()
                self.kept = None

            def construct(self, x):
                y = x * 2
                y.noted = True
                if self.kept is None:
                    self.kept = y
                return self.kept

        net = Keeping()
        for x in (self.X, self.X * 5):
            np.testing.assert_array_equal(net(x).asnumpy(), self.X.asnumpy() * 2)
        with self.assertRaisesRegex(AttributeError, "cannot set the attribute 'noted'"):
            plumb.jit(lambda x: Keeping()(x))(self.X)

    def test_compiled(self):
        """In graph mode what asks for values by itself is refused at the line; in PyNative mode they have gradients."""
        net = Positive()
        np.testing.assert_array_equal(plumb.grad(lambda x: net(x)[0].sum())(self.X).asnumpy(), [1, 0, 1, 1])
        plumb.set_context(mode=plumb.GRAPH_MODE)
        try:
            with self.assertRaisesRegex(Exception, "only known while training"):
                Asking()(self.X)
        finally:
            plumb.set_context(mode=plumb.PYNATIVE_MODE)

    def test_sizes_in_graph_mode(self):
        """What operations of the package cannot give in compiled code runs there too, and the program is told."""
        expected = Positive()(self.X)
        plumb.set_context(mode=plumb.GRAPH_MODE)
        try:
            net = Positive()
            for found in (self.assertWarns(UserWarning, net, self.X) or net(self.X), net(self.X)):
                for one, other in zip(found, expected):
                    np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
        finally:
            plumb.set_context(mode=plumb.PYNATIVE_MODE)

    def test_other_errors_stay(self):
        """What is wrong for another reason is not run by Python."""
        class Wrong(nn.Cell):
            def construct(self, x):
                return x @ x.expand_dims(0)

        with self.assertRaisesRegex(Exception, "cannot multiply"):
            Wrong()(self.X)


class SubclassTest(unittest.TestCase):
    """What subclasses of layers find in them."""

    X = Tensor(np.random.default_rng(0).standard_normal((2, 3, 8, 8)).astype(np.float32))

    def test_operations(self):
        for options in ({}, {"pad_mode": "pad", "padding": 1, "stride": 2}, {"pad_mode": "valid", "group": 3, "dilation": 2}):
            own, plain = Standardised(3, 6, 3, **options), nn.Conv2d(3, 6, 3, **options)
            plain.weight.set_data(Tensor(own.weight.asnumpy() * 2))
            np.testing.assert_allclose(own(self.X).asnumpy(), plain(self.X).asnumpy(), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(Normalised((8,))(self.X).asnumpy(), nn.LayerNorm((8,))(self.X).asnumpy(), rtol=1e-5, atol=1e-6)

    def test_no_bias(self):
        self.assertIsNone(nn.Conv2d(1, 1, 3).bias)
        self.assertIsNone(nn.Dense(1, 1, has_bias=False).bias)


class AttributeTest(unittest.TestCase):
    """What programs read of cells and Parameters, with the values of MindSpore 2.0.0."""

    def test_options_of_layers(self):
        for cell, name, value in (
                (nn.Embedding(4, 2), "padding_idx", None), (nn.Embedding(4, 2, padding_idx=1), "padding_idx", 1),
                (nn.Embedding(4, 2), "dtype", plumb.float32), (nn.Conv2d(2, 2, 1), "weight_init", "normal"),
                (nn.Conv2d(2, 2, 1, bias_init="ones"), "bias_init", "ones"), (nn.Dropout(keep_prob=0.25), "keep_prob", 0.25),
                (nn.LayerNorm((4,)), "begin_params_axis", -1), (nn.GroupNorm(2, 4, affine=False), "affine", False),
                (nn.MultiheadAttention(4, 2), "bias_k", None), (nn.Transformer(4, 2, 1, 1), "nhead", 2),
                (plumb.Parameter(plumb.Tensor([1.0])), "layerwise_parallel", False),
                (plumb.Parameter(plumb.Tensor([1.0])), "comm_fusion", 1)):
            with self.subTest(cell=type(cell).__name__, name=name):
                self.assertEqual(getattr(cell, name), value)

    def test_phase(self):
        net = nn.SequentialCell(nn.Dense(2, 2))
        self.assertEqual(net.phase, "train")
        self.assertEqual((net.set_train(False).phase, net.set_train().phase), ("predict", "train"))
        net.phase = "export"
        self.assertEqual(net.phase, "export")

    def test_tensors_become_the_parameters_data(self):
        """A tensor that is assigned where a Parameter stands is what the Parameter holds; it stays one, of its own type."""
        net = nn.Dense(2, 2)
        weight = net.weight
        net.weight = ops.assign(net.weight, Tensor(np.full((2, 2), 2, np.float32)))
        net.weight = net.weight + Tensor(np.ones((2, 2), np.float16))
        self.assertIs(net.weight, weight)
        self.assertEqual(names(net), ["weight", "bias"])
        np.testing.assert_array_equal(weight.asnumpy(), np.full((2, 2), 3, np.float32))
        with self.assertRaisesRegex(ValueError, "shape"):
            net.weight = Tensor(np.ones((3, 2), np.float32))
        with self.assertRaisesRegex(TypeError, "the type of weight must be Parameter"):
            net.weight = 3

    def test_order_stays(self):
        """A cell or a Parameter that takes another one's place stands where that one stood."""
        net = nn.SequentialCell(nn.Dense(1, 1), nn.Dense(1, 1))
        net[0].weight = Parameter(Tensor(np.ones((1, 1), np.float32)), name="first")
        self.assertEqual(names(net), ["first", "0.bias", "1.weight", "1.bias"])
        around = Around(nn.Dense(1, 1))
        around.last = nn.Dense(1, 1)
        around.net = nn.Dense(1, 1)
        self.assertEqual(names(around), ["net.weight", "net.bias", "last.weight", "last.bias"])

    def test_parameters_of_tuples_by_name(self):
        class Pair(nn.Cell):
            """Two Parameters in a tuple."""

            def __init__(self):
                super().__init__()
                self.both = plumb.ParameterTuple([plumb.Parameter(plumb.Tensor([1.0]), name=name) for name in ("first", "second")])

        outer = nn.SequentialCell(Pair())
        self.assertIs(outer[0].second, outer[0].both[1])
        self.assertEqual(outer[0].second.name, "0.second")
        with self.assertRaisesRegex(AttributeError, "third"):
            outer[0].third


class NumberedParametersTest(unittest.TestCase):
    """Parameters without names in tuples and lists, which MindSpore names by number within their cell."""

    def test_names(self):
        class Listed(nn.Cell):
            def __init__(self):
                super().__init__()
                made = lambda number, name=None: Parameter(Tensor([float(number)]), name=name)
                self.one, self.pair, self.listed = made(1), (made(2), made(3)), [made(4), made(5, "five"), "text"]
                self.both = ParameterTuple((made(6), self.one))

            def construct(self, x):
                return x + self.one + self.pair[0] * self.pair[1] + self.listed[0] * self.listed[1] + self.both[0] + self.both[1]

        cell = Listed()
        self.assertEqual([[item.name for item in items] for items in (cell.pair, cell.listed[:2], cell.both)],
                         [["Parameter$1", "Parameter$2"], ["Parameter$3", "five"], ["Parameter$4", "one"]])
        self.assertEqual([item.name for item in cell.trainable_params()], ["one", "Parameter$4"])
        self.assertEqual(cell(Tensor([0.5])).asnumpy().tolist(), [0.5 + 1 + 6 + 20 + 6 + 1])


if __name__ == "__main__":
    unittest.main()
