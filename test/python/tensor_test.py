"""Tensors on the host: their text, memory, elements, methods."""

import unittest

import numpy as np
import torch

import plumb
from plumb import Parameter, Tensor, nn, ops
from plumb.common.initializer import One, initializer
from plumb.utils import dlpack

# Texts that MindSpore 2.0 prints.
TEXTS = (
    (np.float32(2.5), "Tensor(shape=[], dtype=Float32, value= 2.5)"),
    (np.float64(1234567.0), "Tensor(shape=[], dtype=Float64, value= 1.23457e+06)"),
    (np.int8(-3), "Tensor(shape=[], dtype=Int8, value= -3)"),
    (np.array([True, False]), "Tensor(shape=[2], dtype=Bool, value= [ True, False])"),
    (np.array([-1, 100], np.int8), "Tensor(shape=[2], dtype=Int8, value= [ -1, 100])"),
    (np.array([1, 2], np.uint8), "Tensor(shape=[2], dtype=UInt8, value= [1, 2])"),
    (np.array([1.5], np.float16), "Tensor(shape=[1], dtype=Float16, value= [ 1.5000e+00])"),
    (np.array([1e-100, -1e300]), "Tensor(shape=[2], dtype=Float64, value= [1.00000000e-100, -1.00000000e+300])"),
    (np.array([[np.nan, -np.inf], [1, 2]], np.float32),
     "Tensor(shape=[2, 2], dtype=Float32, value=\n[[            nan,            -inf],\n [ 1.00000000e+00,  2.00000000e+00]])"),
    (np.arange(20).reshape(10, 2),
     "Tensor(shape=[10, 2], dtype=Int64, value=\n[[ 0,  1],\n [ 2,  3],\n [ 4,  5],\n ...\n [14, 15],\n [16, 17],\n [18, 19]])"),
    (np.arange(7, dtype=np.int16).reshape(1, 7),
     "Tensor(shape=[1, 7], dtype=Int16, value=\n[[0, 1, 2 ... 4, 5, 6]])"),
    (np.arange(26) % 10, "Tensor(shape=[26], dtype=Int64, value= [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1,"
                         " 2, 3, \n 4, 5])"),
    (np.arange(2000), "Tensor(shape=[2000], dtype=Int64, value= [   0,    1,    2 ... 1997, 1998, 1999])"),
)


class Added(nn.Cell):
    """Adds to its input in place."""

    def construct(self, x):
        """Compiled body, or Python's."""
        ops.assign_add(x, x * 2)
        return x


class TextTest(unittest.TestCase):
    """What is printed."""

    def test_tensors(self):
        """`repr` is MindSpore's, `str` NumPy's."""
        for array, text in TEXTS:
            self.assertEqual(repr(Tensor(array)), text)
            self.assertEqual(str(Tensor(array)), str(array))

    def test_bytes(self):
        """The bytes are those of NumPy's array, row by row."""
        array = np.arange(6, dtype=np.int16).reshape(2, 3)
        self.assertEqual(Tensor(array.T).get_bytes(), array.T.tobytes())

    def test_parameters_and_types(self):
        """Parameters and element types."""
        self.assertEqual(repr(Parameter(Tensor([1, 2]), name="w")),
                         "Parameter (name=w, shape=(2,), dtype=Int64, requires_grad=True)")
        self.assertEqual([str(kind) for kind in (plumb.float32, plumb.uint16, plumb.bfloat16, plumb.bool_)],
                         ["Float32", "UInt16", "BFloat16", "Bool"])
        self.assertEqual(repr([plumb.int64, plumb.bool_]), "[mindspore.int64, mindspore.bool_]")


class AssignTest(unittest.TestCase):
    """PyNative mode assigns to tensors that are no Parameters, in place; graph mode does not."""

    def test_operations(self):
        x = Tensor(np.ones(3, np.float32))
        for assign, wanted in ((lambda: ops.assign_add(x, x * 2), 3), (lambda: ops.assign(x, x * 5), 15), (lambda: ops.AssignAdd()(x, x), 30),
                               (lambda: ops.assign_sub(x, x * 3), -60), (lambda: ops.Assign()(variable=x, value=7.0), 7)):
            self.assertIs(assign(), x)
            np.testing.assert_array_equal(x.asnumpy(), np.full(3, wanted))
        with self.assertRaisesRegex(ValueError, "must have the shape"):
            ops.assign(x, x[:1])

    def test_cells(self):
        x = Tensor(np.ones(3, np.float32))
        self.assertIs(Added()(x), x)
        np.testing.assert_array_equal(x.asnumpy(), np.full(3, 3))
        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        with self.assertRaisesRegex(TypeError, "must be a Parameter, not a Tensor"):
            Added()(x)


class ValueTest(unittest.TestCase):
    """Memory and elements."""

    def test_a_tensor_owns_its_memory(self):
        """Only `from_numpy` shares the program's array."""
        array = np.zeros(3, np.float32)
        own, shared = Tensor(array), Tensor.from_numpy(array)
        copy = Tensor(shared)
        array[0] = 7
        self.assertEqual((own.tolist(), shared.tolist(), copy.tolist()), ([0, 0, 0], [7, 0, 0], [0, 0, 0]))
        with self.assertRaisesRegex(TypeError, "must be a NumPy array, but got list"):
            Tensor.from_numpy([1])

    def test_made_in_compiled_code(self):
        """Constants of compiled functions, under MindSpore's two names for it."""
        made = plumb.jit(lambda x: x + plumb.tensor([1.0, 2.0]) * plumb.Tensor(3, plumb.float32))(plumb.tensor([1.0, 1.0]))
        self.assertEqual(made.tolist(), [4, 7])

    def test_elements_are_set(self):
        """By numbers, slices, tensors; a result of compiled code as well; a Parameter for what is compiled with it."""
        x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)) + 0
        x[0] = 5
        x[1, 2] = 7.5
        x[:, 0] = Tensor([1.0, 2.0])
        self.assertEqual(x.tolist(), [[1, 5, 5], [2, 4, 7.5]])
        weight = Parameter(Tensor([1.0, 2.0]), name="w")
        doubled = plumb.jit(lambda: weight * 2)
        doubled()
        weight[1] = 9
        self.assertEqual(doubled().tolist(), [2, 18])

    def test_single_elements(self):
        """item, itemset, in, round, bool, ==."""
        x = Tensor([[1, 2], [3, 4]])
        self.assertEqual((x.item(2), x.item((0, 1)), x.itemset(1, 9).tolist(), x.tolist()),
                         (3, 2, [[1, 9], [3, 4]], [[1, 2], [3, 4]]))
        self.assertEqual((3 in x, 7 in x, float(round(Tensor(2.7))), Tensor([1]) == None, x != None),  # noqa: E711
                         (True, False, 3.0, False, True))
        with self.assertRaisesRegex(ValueError, "size 1"):
            x.item()
        with self.assertRaisesRegex(ValueError, "ambiguous"):
            bool(x)

    def test_declared_tensors(self):
        """A shape and a rule; what is not offered says so."""
        self.assertEqual([Tensor(2.0, const_arg=True).const_arg, Tensor(2.0).const_arg], [True, False])
        self.assertRaises(ValueError, Tensor, shape=(2, 3), init="one by one")
        np.testing.assert_array_equal(Tensor(shape=(2, 3), dtype=plumb.float32, init="ones").asnumpy(), np.ones((2, 3)))
        x = Tensor(shape=(2, 3), dtype=plumb.float32, init=One())
        self.assertEqual((x.has_init, x.init_data().tolist()), (True, [[1, 1, 1], [1, 1, 1]]))
        self.assertEqual(initializer("ones", (2,)).init_data().tolist(), [1, 1])
        with self.assertRaisesRegex(ValueError, "slice_index=1 is not offered"):
            x.init_data(1)

    def test_repeat(self):
        """Each element behind itself, or, given a number for each axis as in MindSpore 2.5 and later, the whole tensor behind itself."""
        x = Tensor(np.arange(6, dtype=np.float32).reshape(1, 2, 3))
        repeated = plumb.jit(lambda x: (x.repeat(2, 1), x.repeat(2), x.repeat(2, 1, 3), x.repeat(2, 1, 1, 3)))
        wanted = x.asnumpy().repeat(2, 1), x.asnumpy().repeat(2), np.tile(x.asnumpy(), (2, 1, 3)), np.tile(x.asnumpy(), (2, 1, 1, 3))
        for made in repeated(x), (x.repeat(2, 1), x.repeat(2), x.repeat(2, 1, 3), x.repeat(2, 1, 1, 3)):
            for found, expected in zip(made, wanted):
                np.testing.assert_array_equal(found.asnumpy(), expected)

    def test_bfloat16(self):
        """Tensors and Parameters of bfloat16, outside of compiled functions, too."""
        import torch
        values = np.array([1.0, 1.00390625, 3.0e38, -2.5, 1.01171875, np.inf], np.float32)  # the second and fifth are between two
        expected = torch.tensor(values).to(torch.bfloat16).float().numpy()
        x = Tensor(values, plumb.bfloat16)
        np.testing.assert_array_equal(x.asnumpy(), expected)
        np.testing.assert_array_equal(Tensor(values).astype(plumb.bfloat16).asnumpy(), expected)
        y = x * 2 + ops.ones_like(x)
        self.assertEqual((str(y.dtype), str(x[1:3].dtype), x.itemsize, x[3].item()), ("BFloat16", "BFloat16", 2, -2.5))
        x[0] = 7
        self.assertEqual((x[0].item(), bool(np.isnan(Tensor(np.nan, plumb.bfloat16).asnumpy()))), (7, True))
        parameter = plumb.Parameter(x, name="p")
        ops.assign(parameter, parameter * 2)
        self.assertEqual((str(parameter.dtype), parameter[0].item()), ("BFloat16", 14))
        constant = Tensor([0.5, 3.0], plumb.bfloat16)
        total = plumb.jit(lambda v: ops.cast((v + constant) * parameter[:2], plumb.float32).sum())
        self.assertEqual(total(Tensor([1.5, 1.0], plumb.bfloat16)).item(), 2 * 14 + 4 * 2)
        drawn = initializer("normal", (1000,), plumb.bfloat16).init_data()
        self.assertLess(abs(drawn.asnumpy().std() - 0.01), 0.002)


class ExchangeTest(unittest.TestCase):
    """The same memory under other libraries' names."""

    def test_numpy(self):
        array = np.arange(6, dtype=np.float32)
        self.assertTrue(np.shares_memory(Tensor.from_numpy(array).asnumpy(), array))
        result = Tensor(array) + 1
        self.assertTrue(np.shares_memory(result.asnumpy(), result.asnumpy()))

    def test_torch(self):
        import torch
        for dtype in (np.float32, np.float64, np.float16, np.int8, np.int32, np.int64, np.uint8):
            x = Tensor(np.arange(6).reshape(2, 3).astype(dtype))
            theirs = torch.from_dlpack(x)
            self.assertEqual(theirs.tolist(), x.tolist())
            theirs[0, 0] = 9
            self.assertEqual(x.tolist()[0][0], 9)
            back = dlpack.from_dlpack(theirs.t())
            self.assertEqual((back.shape, back.dtype, back.tolist()), ((3, 2), x.dtype, theirs.t().tolist()))
            self.assertEqual((back + back).tolist(), (theirs.t() + theirs.t()).tolist())
            self.assertEqual(dlpack.from_dlpack(dlpack.to_dlpack(x)).tolist(), x.tolist())

    def test_refusals(self):
        for wrong in (3, "x", [1.0]):
            with self.assertRaisesRegex(TypeError, "For 'from_dlpack', the argument must have '__dlpack__'"):
                dlpack.from_dlpack(wrong)
        with self.assertRaisesRegex(TypeError, "must be a Tensor"):
            dlpack.to_dlpack(np.zeros(3))


class ChangeTest(unittest.TestCase):
    """Methods that change the tensor, beside PyTorch's of the same name."""

    CHANGES = [
        lambda x, y: x.add_(y, alpha=2), lambda x, y: x.sub_(y), lambda x, y: x.mul_(3), lambda x, y: x.div_(y, rounding_mode="floor"), lambda x, y: x.exp_(),
        lambda x, y: x.clamp_(min=0.1), lambda x, y: x.zero_(), lambda x, y: x.fill_(2.5), lambda x, y: x.masked_fill_(y > 0, 7.0), lambda x, y: x.sigmoid_(),
        lambda x, y: x.copy_(y[0]), lambda x, y: x.fill_diagonal_(4.0), lambda x, y: x.tanh_(), lambda x, y: x.floor_divide_(y), lambda x, y: x.remainder_(y),
        lambda x, y: x.neg_().abs_().sqrt_().log_(), lambda x, y: x.floor_().sign_(), lambda x, y: x.relu_() if hasattr(x, "relu_") else x,
    ]

    def test_values(self):
        rng = np.random.default_rng(3)
        first, second = rng.normal(size=(2, 3, 4)).astype(np.float32)
        for number, change in enumerate(self.CHANGES):
            with self.subTest(line=number):
                ours, theirs = Tensor(first), torch.tensor(first)
                self.assertIs(change(ours, Tensor(second)), ours)
                change(theirs, torch.tensor(second))
                np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), rtol=1e-5, atol=1e-6)

    def test_parts(self):
        index, part = np.array([0, 2]), np.full((3, 2), 5, np.float32)
        ours, theirs = Tensor(np.zeros((3, 4), np.float32)), torch.zeros(3, 4)
        ours.index_copy_(1, Tensor(index), Tensor(part))
        ours.put_(Tensor([3, 11]), Tensor([8.0, 9.0]))
        theirs.index_copy_(1, torch.tensor(index), torch.tensor(part))
        theirs.put_(torch.tensor([3, 11]), torch.tensor([8.0, 9.0]))
        np.testing.assert_array_equal(ours.asnumpy(), theirs.numpy())

    def test_other_kinds_of_numbers(self):
        with self.assertRaisesRegex(TypeError, "Int64 cannot take values of Float32"):
            Tensor([1, 2]).add_(1.5)
        with self.assertRaisesRegex(ValueError, "shape"):
            Tensor([1.0, 2.0]).add_(Tensor(np.ones((3, 2), np.float32)))

    def test_gradients(self):
        """Python's gradient knows of the change."""

        def function(x):
            product = x * 2
            product.mul_(x)
            return product.sum()

        before = plumb.get_context("mode")
        plumb.set_context(mode=plumb.PYNATIVE_MODE)
        try:
            self.assertEqual(plumb.grad(function)(Tensor([1.0, 2.0, 3.0])).asnumpy().tolist(), [4, 8, 12])
        finally:
            plumb.set_context(mode=before)

    def test_random(self):
        tensor = Tensor(np.zeros(4000, np.float32))
        self.assertAlmostEqual(float(tensor.uniform_(2, 4).mean()), 3, delta=0.1)
        self.assertAlmostEqual(float(tensor.normal_(1, 2).std()), 2, delta=0.1)
        self.assertAlmostEqual(float(tensor.exponential_(2.0).mean()), 0.5, delta=0.1)
        self.assertEqual(set(Tensor(np.zeros(300, np.int32)).random_(3, 6).asnumpy().tolist()), {3, 4, 5})


class MethodTest(unittest.TestCase):
    """Methods by name."""

    def test_later_names(self):
        """Those that MindSpore has from 2.3 on, beside PyTorch's."""
        x = np.arange(12, dtype=np.float32).reshape(3, 4)
        for method in (lambda t: t.double(), lambda t: t.byte(), lambda t: t.clone(), lambda t: t.contiguous(), lambda t: t.softmax(1), lambda t: t.eq(3),
                       lambda t: t.quantile(0.3), lambda t: t.new_full((2, 3), 7), lambda t: t.floor_divide(2), lambda t: t.nanquantile(0.5), lambda t: t.count_nonzero()):
            ours, theirs = method(Tensor(x)).asnumpy(), method(torch.tensor(x)).numpy()
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)
            self.assertEqual(ours.shape, theirs.shape)
        tensor = Tensor(x)
        self.assertEqual((tensor.stride(), tensor.stride(0), tensor.storage_offset(), tensor.is_contiguous()), ((4, 1), 4, 0, True))
        self.assertTrue(bool(tensor.allclose(tensor + 1e-9)))

    """Methods and properties."""

    def test_layout(self):
        """What a tensor says about its memory."""
        x = Tensor(np.zeros((2, 3), np.float32))
        self.assertEqual((x.strides, x.nbytes, x.itemsize, x.size, x.ndim, x.dim(), x.T.shape, x.mT.shape, x.H.shape),
                         ((12, 4), 24, 4, 6, 2, 2, (3, 2), (3, 2), (3, 2)))

    def test_methods_of_numpy(self):
        """Those that are functions of `plumb.numpy`, compiled as well."""
        def methods(x):
            return x.choose([[10, 11, 12], [20, 21, 22]]), x.searchsorted(Tensor([1, 5])), x.resize(2), x.resize((2, 2))

        x = Tensor([0, 1, 1])
        for results in (methods(x), plumb.jit(methods)(x)):
            self.assertEqual([result.tolist() for result in results], [[10, 21, 22], [1, 3], [0, 1], [[0, 1], [1, 0]]])

    def test_methods_by_the_class(self):
        """`Tensor.max(x)` is `x.max()`, compiled as well."""
        def methods(x):
            return Tensor.max(x), Tensor.reshape(x, (2, 1)), x + Tensor.item(Tensor(3)), Parameter.sum(x)

        x = Tensor([4, 9])
        for results in (methods(x), plumb.jit(methods)(x)):
            self.assertEqual([result.tolist() for result in results], [9, [[4], [9]], [7, 12], 13])
        self.assertEqual(Tensor.asnumpy(x).tolist(), [4, 9])
        self.assertEqual((hasattr(Tensor, "max"), hasattr(Tensor, "no_such"), hasattr(Tensor, "_no_such")), (True, False, False))
        with self.assertRaisesRegex(AttributeError, "type object 'Tensor' has no attribute 'no_such'"):
            Tensor.no_such  # pylint: disable=no-member,pointless-statement
        with self.assertRaisesRegex(TypeError, "asks for a tensor's value"):
            plumb.jit(lambda x: Tensor(Tensor.asnumpy(x)).sum())(Tensor([1.0]))

    def test_methods_of_programs(self):
        """What a program puts into the class is called, in the place of what was there, too."""
        whole = Tensor.sum
        self.addCleanup(setattr, Tensor, "sum", whole)
        Tensor.scaled = lambda self, factor=2: self * factor
        self.addCleanup(delattr, Tensor, "scaled")
        Tensor.sum = lambda self, *args: whole(self, *args) + 100

        def methods(x):
            return x.scaled(), x.scaled(factor=3), x.sum()

        x = Tensor([4, 9])
        for results in (methods(x), plumb.jit(methods)(x)):
            self.assertEqual([result.tolist() for result in results], [[8, 18], [12, 27], 113])
        self.assertEqual(plumb.grad(lambda x: x.scaled(5.0).sum())(Tensor([1.0, 2.0])).tolist(), [5, 5])

    def test_a_call_is_one_program(self):
        """A method is compiled as a whole, once for each signature; numbers and tuples stay what they are."""
        from plumb import _engine
        x = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))
        first = len(_engine._runs)
        np.testing.assert_allclose(x.std(1).asnumpy(), x.asnumpy().std(1), rtol=1e-6)
        self.assertEqual(len(_engine._runs), first + 1)
        self.assertEqual((type(x.split(3)), x.numel(), x.is_signed()), (tuple, 12, True))

    def test_names_of_parameters(self):
        """Methods call their parameters as MindSpore does, which some functions of `ops` call otherwise, in both ways of running."""
        def methods(x, y):
            return (x.approximate_equal(other=y, tolerance=2.0), x.div(value=y), x.divide(value=y), x.float_power(other=y),
                    x.logsumexp(axis=0, keepdims=True), x.matmul(tensor2=y), x.remainder(divisor=y), x.repeat_interleave(repeats=2, dim=1),
                    x.true_divide(value=y), x.xlogy(y=y), x.ormqr(input2=y[0], input3=y))

        x = np.asarray([[1, 2], [3, 5]], np.float32)
        y = x + 1
        expected = (x == x, x / y, x / y, x.astype(np.float64) ** y, np.log(np.exp(x).sum(0, keepdims=True)), x @ y, x % y, x.repeat(2, 1), x / y,
                    x * np.log(y), plumb.ops.ormqr(Tensor(x), Tensor(y[0]), Tensor(y)).asnumpy())
        for found in (methods(Tensor(x), Tensor(y)), plumb.jit(methods)(Tensor(x), Tensor(y))):
            for one, value in zip(found, expected):
                np.testing.assert_allclose(one.asnumpy(), value, rtol=1e-5)

    def test_names_of_parameters_of_functions(self):
        def functions(x):
            return (plumb.numpy.arccos(input=x), plumb.numpy.negative(a=x), ops.arcsin(x=x), ops.asinh(x=x), ops.atanh(x=x), ops.inv(x=x),
                    ops.deepcopy(input_x=x), ops.bias_add(input_x=x, bias=x[0]), ops.soft_shrink(input=x), ops.dyn_shape(input_x=x))

        ops, x = plumb.ops, np.asarray([[0.1, 0.2], [0.3, 0.7]], np.float32)
        expected = (np.arccos(x), -x, np.arcsin(x), np.arcsinh(x), np.arctanh(x), 1 / x, x, x + x[0], np.maximum(x - 0.5, 0), (2, 2))
        for found in (functions(Tensor(x)), plumb.jit(functions)(Tensor(x))):
            for one, value in zip(found, expected):
                np.testing.assert_allclose(one.asnumpy(), value, rtol=1e-5)
        sizes = lambda x: (ops.rank(input_x=x), ops.shape(input_x=x), ops.size(input_x=x))
        self.assertEqual((sizes(Tensor(x)), plumb.jit(sizes)(Tensor(x))), ((2, (2, 2), 4),) * 2)


if __name__ == "__main__":
    unittest.main()
