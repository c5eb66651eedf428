"""Sparse tensors against PyTorch's and NumPy, in eager calls and in compiled functions, at the size of a table of ratings: 20,000
rows, 4,000 columns, 100,000 stored elements. Texts and thresholds are those that MindSpore 2.0.0 printed for the same tensors.
"""

import unittest

import numpy as np
import torch

import plumb
from plumb import COOTensor, CSRTensor, RowTensor, Tensor, nn, ops
from plumb.common import dtype as mstype
from plumb.ops import operations

ROWS, COLUMNS, STORED, WIDTH = 20000, 4000, 100000, 16
SHAPE = (ROWS, COLUMNS)
LITTLE = (2000, 400)  # where a dense copy is compared, with 10,000 stored elements


def entries(seed, shape, repeated):
    """Coordinates in random order and values; with some places twice if `repeated`."""
    random, stored = np.random.default_rng(seed), STORED if shape == SHAPE else STORED // 10
    places = random.choice(shape[0] * shape[1], stored, replace=False)
    if repeated:
        places[:stored // 10] = places[stored // 2:stored // 2 + stored // 10]
    indices = np.stack(np.unravel_index(places, shape), 1).astype(np.int64)
    return indices, random.standard_normal(stored).astype(np.float32)


def pair(seed, shape=SHAPE, repeated=False):
    """The same matrix here and in PyTorch."""
    indices, values = entries(seed, shape, repeated)
    return (COOTensor(Tensor(indices), Tensor(values), shape),
            torch.sparse_coo_tensor(torch.tensor(indices.T), torch.tensor(values), shape))


def stored(ours):
    """(indices, values) of a matrix in order."""
    if isinstance(ours, CSRTensor):
        rows = np.repeat(np.arange(ours.shape[0]), np.diff(ours.indptr.asnumpy()))
        indices = np.stack((rows, ours.indices.asnumpy()), 1)
    else:
        indices = ours.indices.asnumpy()
    order = np.lexsort((indices[:, 1], indices[:, 0]))
    return indices[order], ours.values.asnumpy()[order]


def dense_columns(seed, rows=COLUMNS, width=WIDTH):
    """A dense matrix."""
    return np.random.default_rng(seed).standard_normal((rows, width)).astype(np.float32)


def coordinates(matrix):
    """(indices, values) of a matrix of PyTorch's, each place once, in order."""
    matrix = matrix.coalesce()
    indices, values = matrix.indices().numpy(), matrix.values().numpy()
    order = np.lexsort(indices[::-1])  # a product of PyTorch's calls itself coalesced, and is in no order
    return indices.T[order], values[order]


class Small:
    """A small matrix, for texts and errors."""

    indices = Tensor([[0, 1], [1, 2]], mstype.int32)
    values = Tensor([1, 2], mstype.float32)
    coo = COOTensor(indices, values, (3, 4))
    csr = CSRTensor(Tensor([0, 1, 2, 2], mstype.int32), Tensor([1, 2], mstype.int32), values, (3, 4))
    dense = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4) + 1)


class Conversions(unittest.TestCase):
    """One form into another."""

    def test_dense_sums_what_stands_at_one_place(self):
        ours, theirs = pair(1, LITTLE, repeated=True)
        np.testing.assert_allclose(ours.to_dense().asnumpy(), theirs.to_dense().numpy(), rtol=1e-6, atol=1e-6)

    def test_rows_and_back(self):
        ours, theirs = pair(2)
        csr = ours.to_csr()
        indices, values = coordinates(theirs)
        np.testing.assert_array_equal(np.diff(csr.indptr.asnumpy()), np.bincount(indices[:, 0], minlength=ROWS))
        for found in (csr, csr.to_coo()):
            np.testing.assert_array_equal(stored(found)[0], indices)
            np.testing.assert_array_equal(stored(found)[1], values)
        little = pair(2, LITTLE)
        np.testing.assert_array_equal(little[0].to_csr().to_dense().asnumpy(), little[1].to_dense().numpy())
        self.assertEqual((csr.dtype, csr.size, csr.itemsize, csr.ndim, csr.shape), (mstype.float32, STORED, 4, 2, SHAPE))

    def test_of_dense(self):
        dense = pair(3, LITTLE)[1].to_dense()
        for ours in (ops.dense_to_sparse_coo(Tensor(dense.numpy())), ops.dense_to_sparse_csr(Tensor(dense.numpy())).to_coo()):
            indices, values = coordinates(dense.to_sparse())
            np.testing.assert_array_equal(ours.indices.asnumpy(), indices)
            np.testing.assert_array_equal(ours.values.asnumpy(), values)

    def test_coalesce(self):
        ours, theirs = pair(4, SHAPE, repeated=True)
        indices, values = coordinates(theirs)
        found = ours.coalesce()
        np.testing.assert_array_equal(found.indices.asnumpy(), indices)
        np.testing.assert_allclose(found.values.asnumpy(), values, rtol=1e-6, atol=1e-6)


    def test_nothing_stored(self):
        empty = ops.dense_to_sparse_coo(Tensor(np.zeros((3, 4), np.float32)))
        csr, zeros = empty.to_csr(), np.zeros((3, 4))
        dense = Tensor(np.ones((4, 2), np.float32))
        for found, wanted in ((empty.to_dense(), zeros), (csr.to_dense(), zeros), (csr.to_coo().to_dense(), zeros),
                              (csr.mm(dense), np.zeros((3, 2))), (csr.sum(1), np.zeros((3, 1))), (csr.sum(0), np.zeros((1, 4)))):
            np.testing.assert_array_equal(found.asnumpy(), wanted)
        for found in (empty + empty, empty.coalesce(), csr + csr, csr.mm(CSRTensor(Tensor([0, 0, 0, 1, 1]), Tensor([2]), Tensor([5.0]), (4, 3)))):
            self.assertEqual(found.size, 0)
        np.testing.assert_array_equal((empty + Small.coo).to_dense().asnumpy(), Small.coo.to_dense().asnumpy())


class Products(unittest.TestCase):
    """Products, sums and softmax."""

    def test_with_dense(self):
        ours, theirs = pair(5)
        dense = dense_columns(6)
        wanted = torch.sparse.mm(theirs, torch.tensor(dense)).numpy()
        csr = ours.to_csr()
        np.testing.assert_allclose(csr.mm(Tensor(dense)).asnumpy(), wanted, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(ops.csr_mv(csr, Tensor(dense[:, :1])).asnumpy(), wanted[:, :1], rtol=1e-5, atol=1e-5)
        product = operations.SparseTensorDenseMatmul(adjoint_st=True)
        other = dense_columns(7, ROWS)
        found = product(ours.indices, ours.values, SHAPE, Tensor(other)).asnumpy()
        np.testing.assert_allclose(found, torch.sparse.mm(theirs.t(), torch.tensor(other)).numpy(), rtol=1e-5, atol=2e-5)

    def test_with_sparse(self):
        one, reference = pair(8)
        two, other = pair(9)
        found = ops.csr_mm(one.to_csr(), two.to_csr(), trans_b=True)
        indices, values = coordinates(torch.sparse.mm(reference, other.t()))
        np.testing.assert_array_equal(found.to_coo().indices.asnumpy(), indices)
        np.testing.assert_allclose(found.values.asnumpy(), values, rtol=1e-5, atol=1e-5)

    def test_sums(self):
        one, reference = pair(10, SHAPE, repeated=True)
        two, other = pair(11)
        indices, values = coordinates(reference + other)
        for found in (one + two, one.to_csr() + two.to_csr()):
            np.testing.assert_array_equal(stored(found)[0], indices)
            np.testing.assert_allclose(found.values.asnumpy(), values, rtol=1e-5, atol=1e-6)
        kept = np.abs(values) >= 0.5
        found = one.add(two, Tensor(0.5, mstype.float32))
        np.testing.assert_array_equal(found.indices.asnumpy(), indices[kept])
        found = one.to_csr().add(two.to_csr(), Tensor(2.0), Tensor(-3.0)).values.asnumpy()
        np.testing.assert_allclose(found, coordinates(2 * reference - 3 * other)[1], rtol=1e-5, atol=1e-5)

    def test_softmax(self):
        ours, theirs = pair(12)
        wanted = coordinates(torch.sparse.softmax(theirs, 1))[1]
        found = ops.csr_softmax(ours.to_csr(), mstype.float32)
        np.testing.assert_allclose(stored(found)[1], wanted, rtol=1e-5, atol=1e-7)
        one = ours.with_values(operations.SparseSoftmax()(ours.indices, ours.values, SHAPE))
        np.testing.assert_allclose(stored(one)[1], wanted, rtol=1e-5, atol=1e-7)

    def test_sums_of_rows_and_columns(self):
        ours, theirs = pair(13)
        csr = ours.to_csr()
        for axis, extents in ((1, (ROWS, 1)), (0, (1, COLUMNS))):
            wanted = torch.sparse.sum(theirs, axis).to_dense().reshape(extents).numpy()
            np.testing.assert_allclose(csr.sum(axis).asnumpy(), wanted, rtol=1e-4, atol=1e-5)

    def test_beside_dense(self):
        ours, theirs = pair(14, LITTLE)
        dense = np.random.default_rng(15).uniform(0.5, 2.0, LITTLE).astype(np.float32)
        matrix = theirs.to_dense().numpy()
        for found, wanted in ((ours * Tensor(dense), matrix * dense), (ours / Tensor(dense), matrix / dense),
                              (ours.to_csr() * Tensor(dense[:1]), matrix * dense[:1]),
                              (ours.to_csr() / Tensor(dense[:, :1]), matrix / dense[:, :1])):
            np.testing.assert_allclose(found.to_dense().asnumpy(), wanted, rtol=1e-6)
        for found, wanted in ((ours + Tensor(dense), matrix + dense), (Tensor(dense) - ours, dense - matrix),
                              (ours - Tensor(dense), matrix - dense)):
            np.testing.assert_allclose(found.asnumpy(), wanted, rtol=1e-6)

    def test_functions_of_values(self):
        ours, _ = pair(16)
        csr = ours.to_csr()
        references = {"sin": np.sin, "abs": np.abs, "square": np.square, "neg": np.negative, "expm1": np.expm1, "tanh": np.tanh,
                      "inv": np.reciprocal, "isnan": np.isnan, "floor": np.floor, "atan": np.arctan, "asinh": np.arcsinh}
        for name, reference in references.items():
            for prefix, x in (("coo_", ours), ("csr_", csr)):
                found = getattr(ops, prefix + name)(x)
                wanted = reference(x.values.asnumpy())
                self.assertIs(type(found), type(x))
                np.testing.assert_allclose(found.values.asnumpy(), wanted, rtol=2e-6, err_msg=prefix + name)

    def test_dense_times_csr(self):
        """A dense tensor before a CSRTensor: the stored elements are multiplied, in both modes."""
        one = CSRTensor(Tensor([0, 1, 2]), Tensor([0, 1]), Tensor([2.0, 1.0]), (2, 4))
        dense = Tensor(np.arange(1, 9).reshape(2, 4).astype(np.float32))
        for multiply in (lambda x, y: x * y, plumb.jit(lambda x, y: x * y)):
            np.testing.assert_array_equal(multiply(dense, one).values.asnumpy(), [2, 6])
        with self.assertRaisesRegex(TypeError, "float multiply with CSRTensor"):
            _ = 2.0 * one


class Compiled(unittest.TestCase):
    """Sparse tensors into, through and out of compiled functions."""

    def test_in_and_out(self):
        ours, theirs = pair(20)
        dense = dense_columns(21)

        @plumb.jit
        def step(x, y):
            made = CSRTensor(x.indptr, x.indices, x.values * 2.0, x.shape)
            return made, made.mm(y), {"shape": made.shape, "same": isinstance(x, CSRTensor), "other": isinstance(x, COOTensor)}

        made, product, facts = step(ours.to_csr(), Tensor(dense))
        np.testing.assert_array_equal(stored(made)[1], coordinates(theirs)[1] * 2)
        np.testing.assert_allclose(product.asnumpy(), 2 * torch.sparse.mm(theirs, torch.tensor(dense)).numpy(), rtol=1e-5, atol=1e-5)
        self.assertEqual(facts, {"shape": SHAPE, "same": True, "other": False})

    def test_results_are_new_ones(self):
        twice = plumb.jit(lambda x: ops.coo_abs(x))
        one, two = twice(Small.coo), twice(COOTensor(Small.indices, Small.values * 5, (3, 4)))
        self.assertEqual(one.values.asnumpy().tolist(), [1.0, 2.0])
        self.assertEqual(two.values.asnumpy().tolist(), [5.0, 10.0])

    def test_operators(self):
        @plumb.jit
        def operators(x, y):
            z = x
            z *= y
            return x * y, y * x, x / y, -x, x + y, y - x, x - y, z

        matrix, dense = Small.coo.to_dense().asnumpy(), Small.dense.asnumpy()
        wanted = (matrix * dense, matrix * dense, matrix / dense, -matrix, matrix + dense, dense - matrix, matrix - dense,
                  matrix * dense)
        for found, reference in zip(operators(Small.coo, Small.dense), wanted):
            found = found.to_dense() if isinstance(found, COOTensor) else found
            np.testing.assert_allclose(found.asnumpy(), reference, rtol=1e-6)

    def test_plain_operators_keep_their_meaning_beside_sparse_ones(self):
        @plumb.jit
        def mixed(x):
            numbers = [1]
            numbers += [2]
            total = (0,) + (x.size,)
            total += (3,)
            return numbers * 2, total, -2.0 / 4, x.to_dense() - 1

        numbers, total, half, dense = mixed(Small.coo)
        self.assertEqual((numbers, total, half), ([1, 2, 1, 2], (0, 2, 3), -0.5))
        np.testing.assert_array_equal(dense.asnumpy(), Small.coo.to_dense().asnumpy() - 1)

    def test_under_a_condition(self):
        @plumb.jit
        def either(x, y):
            if y.sum() > 0:
                r = x
            else:
                r = x.with_values(x.values * 3)
            return r

        self.assertEqual(either(Small.coo, Small.dense).values.asnumpy().tolist(), [1.0, 2.0])
        self.assertEqual(either(Small.coo, -Small.dense).values.asnumpy().tolist(), [3.0, 6.0])

    def test_in_a_loop(self):
        @plumb.jit
        def power(x, y, count):
            while count > 0:
                y = x.mm(y)
                count = count - 1
            return y

        square = COOTensor(Small.indices, Small.values, (3, 3)).to_csr()
        wanted = np.linalg.matrix_power(square.to_dense().asnumpy(), 2)
        found = power(square, Tensor(np.eye(3, dtype=np.float32)), Tensor(2, mstype.int32))
        np.testing.assert_array_equal(found.asnumpy(), wanted)

    def test_constant_matrix_in_a_cell(self):
        ours, theirs = pair(22)

        class Convolution(nn.Cell):
            """One layer of a graph network: neighbours' sums through a weight."""

            def __init__(self):
                super().__init__()
                self.neighbours = ours.to_csr()
                self.weight = plumb.Parameter(Tensor(dense_columns(23, WIDTH, 4)), name="weight")

            def construct(self, x):
                return ops.relu(self.neighbours.mm(ops.matmul(x, self.weight)))

        network, x = Convolution(), dense_columns(24)
        weight = torch.tensor(dense_columns(23, WIDTH, 4), requires_grad=True)
        wanted = torch.relu(torch.sparse.mm(theirs, torch.tensor(x) @ weight))
        wanted.sum().backward()
        value, gradients = plumb.value_and_grad(network, None, network.trainable_params())(Tensor(x))
        np.testing.assert_allclose(value.asnumpy(), wanted.detach().numpy(), rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(gradients[0].asnumpy(), weight.grad.numpy(), rtol=1e-3, atol=1e-2)

    def test_values_that_are_a_parameter(self):
        class Weighted(nn.Cell):
            """A matrix whose stored elements are trained."""

            def __init__(self):
                super().__init__()
                self.indices = Small.indices
                self.weight = plumb.Parameter(Small.values, name="weight")

            def construct(self, x):
                return (COOTensor(self.indices, self.weight, (3, 4)).to_dense() * x).sum()

        network = Weighted()
        gradient = plumb.grad(network, None, network.trainable_params())(Small.dense)
        self.assertEqual(gradient[0].asnumpy().tolist(), [2.0, 7.0])


class Gradients(unittest.TestCase):
    """Through values."""

    def test_by_values(self):
        ours, _ = pair(30)
        dense = dense_columns(31)
        values = torch.tensor(ours.values.asnumpy(), requires_grad=True)
        matrix = torch.sparse_coo_tensor(torch.tensor(ours.indices.asnumpy().T), values, SHAPE)
        torch.sparse.mm(matrix, torch.tensor(dense)).square().sum().backward()

        def loss(values):
            return ops.square(COOTensor(ours.indices, values, SHAPE).to_csr().mm(Tensor(dense))).sum()

        found = plumb.grad(loss)(ours.values).asnumpy()
        np.testing.assert_allclose(found, values.grad.numpy(), rtol=1e-4, atol=1e-3)

    def test_by_a_sparse_tensor(self):
        def loss(x, y):
            return (x.values * x.values).sum() + (x.to_dense() * y).sum()

        wanted = 2 * Small.values.asnumpy() + [2, 7]
        compiled = plumb.jit(lambda x, y: plumb.grad(loss)(x, y))
        for gradient in (plumb.grad(loss)(Small.coo, Small.dense), ops.GradOperation()(loss)(Small.coo, Small.dense),
                         plumb.value_and_grad(loss)(Small.coo, Small.dense)[1], compiled(Small.coo, Small.dense)):
            self.assertIsInstance(gradient, COOTensor)
            np.testing.assert_array_equal(gradient.indices.asnumpy(), Small.indices.asnumpy())
            np.testing.assert_allclose(gradient.values.asnumpy(), wanted)

    def test_of_all_inputs_inside_a_cell(self):
        class Network(nn.Cell):
            """A weighted matrix."""

            def __init__(self):
                super().__init__()
                self.weight = plumb.Parameter(Tensor(np.ones((4, 2), np.float32)), name="weight")

            def construct(self, x):
                return x.mm(self.weight).sum()

        class Gradient(nn.Cell):
            """Its gradients."""

            def __init__(self, network):
                super().__init__()
                self.network = network
                self.gradient = ops.GradOperation(get_all=True, get_by_list=True)
                self.weights = plumb.ParameterTuple(network.trainable_params())

            def construct(self, x):
                return self.gradient(self.network, self.weights)(x)

        (by_matrix,), (by_weight,) = Gradient(Network())(Small.csr)
        self.assertEqual(by_matrix.indices.asnumpy().tolist(), [1, 2])
        self.assertEqual(by_matrix.values.asnumpy().tolist(), [2.0, 2.0])
        np.testing.assert_array_equal(by_weight.asnumpy(), [[0, 0], [1, 1], [2, 2], [0, 0]])


class Errors(unittest.TestCase):
    """What is refused, where and how."""

    def test_parts_that_do_not_fit(self):
        for kind, make in (
                (TypeError, lambda: COOTensor(Small.values, Small.values, (3, 4))),
                (TypeError, lambda: COOTensor(Small.indices, Small.values, [3, 4])),
                (TypeError, lambda: COOTensor([[0, 1]], Small.values, (3, 4))),
                (TypeError, lambda: COOTensor(Small.indices, coo_tensor=Small.coo)),
                (ValueError, lambda: COOTensor(Small.indices, Tensor([1.0]), (3, 4))),
                (ValueError, lambda: COOTensor(Small.indices, Small.values, (3, -1))),
                (ValueError, lambda: COOTensor(Small.indices, Small.values, (3, 4, 5))),
                (ValueError, lambda: CSRTensor(Tensor([0, 1]), Tensor([1, 2]), Small.values, (3, 4))),
                (ValueError, lambda: CSRTensor(Tensor([0, 1, 2, 2]), Tensor([1, 2, 3]), Small.values, (3, 4))),
                (ValueError, lambda: Small.coo + Tensor(np.ones((2, 2), np.float32))),
                (TypeError, lambda: Small.csr + Small.dense),
                (ValueError, lambda: Small.csr.mm(Small.dense))):
            self.assertRaises(kind, make)

    def test_places_outside(self):
        outside = COOTensor(Tensor([[0, 7], [1, 2]]), Small.values, (3, 4))
        dense = plumb.jit(lambda x: x.to_dense())
        for call in (outside.to_dense, lambda: dense(outside), lambda: dense(COOTensor(Tensor([[0, -1], [1, 2]]), Small.values, (3, 4)))):
            with self.assertRaisesRegex(ValueError, "outside 0 to 3"):
                call()
        with self.assertRaisesRegex(ValueError, "outside of the shape"):
            outside.coalesce()

    def test_sizes_that_depend_on_values(self):
        @plumb.jit
        def made(x):
            return ops.dense_to_sparse_coo(x * 2).values

        @plumb.jit
        def summed(x):
            return x + x

        for call, name, line in ((lambda: made(Small.dense), "dense_to_sparse_coo", "return ops.dense_to_sparse_coo"),
                                 (lambda: summed(Small.coo), "coo_add", "return x [+] x")):
            with self.assertRaisesRegex(TypeError, f"'{name}' cannot be called in compiled functions"):
                call()
            with self.assertRaisesRegex(TypeError, line):
                call()

    def test_wrong_operands_in_compiled_code(self):
        for function in (lambda x, y: x + y,):
            with self.assertRaisesRegex(TypeError, "CSRTensor add with Tensor is not supported"):
                plumb.jit(function)(Small.csr, Small.dense)


class Texts(unittest.TestCase):
    """What is printed."""

    def test_as_mindspore(self):
        self.assertEqual(str(Small.coo), """COOTensor(shape=[3, 4], dtype=Float32, indices=Tensor(shape=[2, 2], dtype=Int32, value=
[[0 1]
 [1 2]]), values=Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.00000000e+00]))""")
        self.assertEqual(repr(Small.csr), "CSRTensor(shape=[3, 4], dtype=Float32, indptr=Tensor(shape=[4], dtype=Int32, "
                         "value=[0 1 2 2]), indices=Tensor(shape=[2], dtype=Int32, value=[1 2]), values=Tensor(shape=[2], "
                         "dtype=Float32, value=[ 1.00000000e+00  2.00000000e+00]))")
        rows = RowTensor(Tensor([0]), Tensor([[1, 2]], mstype.float32), (3, 2))
        self.assertEqual(str(rows), "RowTensor(shape=[3, 2], dtype=Float32, indices=Tensor(shape=[1], dtype=Int64, value=[0]), "
                         "values=Tensor(shape=[1, 2], dtype=Float32, value=\n[[ 1.00000000e+00  2.00000000e+00]]))")

    def test_long_parts(self):
        def text(count):
            return str(CSRTensor(Tensor([0, count], mstype.int32), Tensor(np.arange(count, dtype=np.int32)),
                                 Tensor(np.arange(count) < 3), (1, count)))

        self.assertIn("value=[ 0  1  2  3  4  5  6  7  8  9 10 11])", text(12))
        self.assertTrue(text(12).endswith("value=[ True  True  True False False False False False False False False False\n ]))"))
        self.assertIn("20 21 22 23 \n 24])", text(25))
        self.assertTrue(text(30).endswith("value=[...]))"))


class Operations(unittest.TestCase):
    """Classes whose sparse tensors are given part by part, against NumPy."""

    def test_batches_of_matrices(self):
        random = np.random.default_rng(40)
        dense = random.standard_normal((3, 500, 200)).astype(np.float32) * (random.random((3, 500, 200)) < 0.01)
        indices = Tensor(np.argwhere(dense).astype(np.int64))
        shape, batches, rows, columns, values = operations.DenseToCSRSparseMatrix()(Tensor(dense), indices)
        self.assertEqual(shape.asnumpy().tolist(), [3, 500, 200])
        self.assertEqual(np.diff(batches.asnumpy()).tolist(), np.count_nonzero(dense, (1, 2)).tolist())
        wanted = np.concatenate([np.concatenate(([0], np.cumsum(np.count_nonzero(matrix, 1)))) for matrix in dense])
        np.testing.assert_array_equal(rows.asnumpy(), wanted)
        parts = (shape, batches, rows, columns, values)
        np.testing.assert_array_equal(operations.CSRSparseMatrixToDense()(*parts).asnumpy(), dense)
        np.testing.assert_array_equal(operations.CSRSparseMatrixToSparseTensor()(*parts)[0].asnumpy(), indices.asnumpy())
        transposed = operations.SparseMatrixTranspose()(*parts)
        np.testing.assert_array_equal(operations.CSRSparseMatrixToDense()(*transposed).asnumpy(), dense.transpose(0, 2, 1))
        other = random.standard_normal((3, 500, 8)).astype(np.float32)
        found = operations.SparseMatrixMatMul(transpose_x1=True)(*parts, Tensor(other)).asnumpy()
        np.testing.assert_allclose(found, dense.transpose(0, 2, 1) @ other, rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(operations.SparseMatrixNNZ()(*parts).asnumpy(), np.count_nonzero(dense, (1, 2)))

    def test_reshape_and_concat(self):
        ours, theirs = pair(41)
        indices, shape = operations.SparseReshape()(ours.indices, Tensor(SHAPE), Tensor([8000, -1]))
        np.testing.assert_array_equal(shape.asnumpy(), [8000, 10000])
        places = np.ravel_multi_index(tuple(ours.indices.asnumpy().T), SHAPE)
        np.testing.assert_array_equal(indices.asnumpy(), np.stack(np.unravel_index(places, (8000, 10000)), 1))
        joined = ops.coo_concat((ours, ours), 1)
        indices, values = coordinates(torch.cat((theirs, theirs), 1))
        np.testing.assert_array_equal(joined.indices.asnumpy(), indices)
        np.testing.assert_array_equal(joined.values.asnumpy(), values)

    def test_slice(self):
        ours, theirs = pair(42, LITTLE)
        ordered = operations.SparseReorder()(ours.indices, ours.values, LITTLE)
        indices, values, shape = operations.SparseSlice()(*ordered, Tensor(LITTLE), Tensor([50, 10]), Tensor([700, 400]))
        wanted = theirs.to_dense()[50:750, 10:]
        self.assertEqual(tuple(shape.asnumpy()), tuple(wanted.shape))
        np.testing.assert_array_equal(operations.SparseToDense()(indices, values, shape).asnumpy(), wanted.numpy())

    def test_segments(self):
        random = np.random.default_rng(43)
        x = random.standard_normal((5000, 8)).astype(np.float32)
        numbers, segments = random.integers(0, 5000, 20000), np.sort(random.integers(0, 3000, 20000))
        total, sizes = np.zeros((3001, 8)), np.bincount(segments, minlength=3001)[:, None]
        np.add.at(total, segments, x[numbers].astype(np.float64))
        inputs = (Tensor(x), Tensor(numbers.astype(np.int32)), Tensor(segments.astype(np.int32)), Tensor(3001, mstype.int32))
        for name, wanted in (("Sum", total), ("Mean", total / np.maximum(sizes, 1)), ("SqrtN", total / np.sqrt(np.maximum(sizes, 1)))):
            found = getattr(operations, f"SparseSegment{name}WithNumSegments")(*())(*inputs).asnumpy()
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5, err_msg=name)
        found = ops.sparse_segment_mean(*inputs[:3]).asnumpy()
        np.testing.assert_allclose(found, (total / np.maximum(sizes, 1))[:segments.max() + 1], rtol=1e-5, atol=1e-5)

    def test_rows_of_different_lengths(self):
        random = np.random.default_rng(46)
        lengths = random.integers(0, 30, 3000)
        splits, values = np.concatenate(([0], np.cumsum(lengths))), random.standard_normal(lengths.sum()).astype(np.float32)
        starts = random.integers(-50, 50, 3000)
        ends = starts + 3 * lengths
        nothing = Tensor(np.zeros(0, np.float32))
        self.assertEqual([part.asnumpy().tolist() for part in operations.RaggedRange(mstype.int64)(nothing, nothing, nothing)], [[0], []])
        with self.assertRaisesRegex(TypeError, "must be Tensors"):
            operations.RaggedRange(mstype.int64)(Tensor(1), 1, Tensor(2))
        found = operations.RaggedRange(mstype.int64)(Tensor(starts), Tensor(ends), Tensor(np.full(3000, 3)))
        np.testing.assert_array_equal(found[0].asnumpy(), splits)
        np.testing.assert_array_equal(found[1].asnumpy(), np.concatenate([np.arange(a, b, 3) for a, b in zip(starts, ends)]))
        rows, columns = np.repeat(np.arange(3000), lengths), np.concatenate([np.arange(length) for length in lengths])
        indices, _, shape = operations.RaggedTensorToSparse(mstype.int64)([Tensor(splits)], Tensor(values))
        np.testing.assert_array_equal(indices.asnumpy(), np.stack((rows, columns), 1))
        self.assertEqual(shape.asnumpy().tolist(), [3000, 29])
        wanted = np.full((3100, 40), -1, np.float32)
        wanted[rows, columns] = values
        for kinds, parts in ((["ROW_SPLITS"], [splits]), (["FIRST_DIM_SIZE", "VALUE_ROWIDS"], [np.asarray(3000), rows])):
            dense = operations.RaggedTensorToTensor(kinds)(Tensor([3100, 40]), Tensor(values), Tensor(-1.0), [*map(Tensor, parts)])
            np.testing.assert_array_equal(dense.asnumpy(), wanted)
            cut = operations.RaggedTensorToTensor(kinds)(Tensor([-1, 7]), Tensor(values), Tensor(-1.0), [*map(Tensor, parts)])
            np.testing.assert_array_equal(cut.asnumpy(), wanted[:3000, :7])

    def test_maximum_and_sets(self):
        (one, reference), (two, other) = pair(44, LITTLE), pair(45, LITTLE)
        shape = Tensor(LITTLE)
        indices, values = operations.SparseSparseMaximum()(one.indices, one.values, shape, two.indices, two.values, shape)
        places, wanted = coordinates(reference.abs() + other.abs()), torch.maximum(reference.to_dense(), other.to_dense()).numpy()
        np.testing.assert_array_equal(indices.asnumpy(), places[0])
        np.testing.assert_array_equal(values.asnumpy(), wanted[tuple(places[0].T)])
        numbers = Tensor((np.abs(one.values.asnumpy()) * 5).astype(np.int32))
        found = operations.SetSize()(one.indices, numbers, LITTLE).asnumpy()
        rows = np.unique(np.stack((one.indices.asnumpy()[:, 0], numbers.asnumpy()), 1), axis=0)[:, 0]
        np.testing.assert_array_equal(found, np.bincount(rows, minlength=LITTLE[0]))


if __name__ == "__main__":
    unittest.main()
