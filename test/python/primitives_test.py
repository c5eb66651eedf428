"""What programs note at primitives and say of compiled functions, and small names beside: as MindSpore has them."""

import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import plumb
from plumb import COOTensor, Parameter, Tensor, dataset, nn, ops
from plumb.ops import PrimitiveWithCheck, PrimitiveWithInfer, constexpr, prim_attr_register

SPARSE = """
import mindspore as ms
from mindspore import COOTensor, Tensor, nn
class Net(nn.Cell):
    def construct(self, indices, values):
        return COOTensor(indices, values, (3, 4)).to_dense()
print(Net()(Tensor([[0, 1], [1, 2]]), Tensor([1, 2], dtype=ms.int32)).asnumpy().tolist())
"""


class PrimitivesTest(unittest.TestCase):
    """Attributes, names, and primitives of the program's own."""

    def test_attributes(self):
        add = ops.Add()
        self.assertIs(add.add_prim_attr("attr", 1), add)
        self.assertEqual((add.attrs["attr"], add.attr, repr(add), add.name), (1, 1, "Prim[Add]<attr=1>", "Add"))
        self.assertEqual((add.del_prim_attr("attr").attrs, hasattr(add, "attr")), ({}, False))
        add.init_prim_io_names(["x", "y"], ["sum"])
        self.assertEqual((add.input_names, add.output_names, repr(add)), (["x", "y"], ["sum"], "Prim[Add]"))
        self.assertEqual(repr(ops.Add().shard(((1, 1), (1, 1)))), "Prim[Add]<in_strategy=((1, 1), (1, 1)), out_strategy=None>")
        self.assertEqual(add(Tensor([1.0]), Tensor([2.0])).asnumpy().tolist(), [3])
        for placed in (ops.MatMul(), nn.Dense(2, 2)):
            self.assertIsNone(placed.place("MS_WORKER", 0))
            self.assertRaisesRegex(ValueError, "one process", placed.place, "MS_WORKER", 1)

    def test_inputs_by_name(self):
        x, rows = Tensor(np.arange(6).reshape(2, 3), plumb.float32), Tensor([2, 0])
        gather = ops.Gather()
        named = plumb.jit(lambda table, at: gather(table, input_indices=at, axis=1))
        self.assertEqual(named(x, rows).asnumpy().tolist(), [[2, 0], [5, 3]])
        self.assertEqual(gather(x, rows, axis=1).asnumpy().tolist(), [[2, 0], [5, 3]])
        with self.assertRaisesRegex(TypeError, "nothing"):
            gather(x, rows, axis=1, nothing=2)

    def test_own_primitives(self):
        for base in (PrimitiveWithInfer, PrimitiveWithCheck, ops.Primitive):
            class Own(base):
                """Describes itself."""

                @prim_attr_register
                def __init__(self, size, flag=True):
                    self.init_prim_io_names(inputs=["x"], outputs=["y"])

            own = Own(3)
            self.assertEqual((own.size, own.flag, own.input_names, own.name), (3, True, ["x"], "Own"))
        self.assertRaisesRegex(RuntimeError, "ops.Custom", PrimitiveWithInfer("Own"), Tensor([1.0]))

    def test_constexpr(self):
        """With or without an instance, which is called to give the function."""
        @constexpr
        def first(x):
            return len(x)

        @constexpr(name="Second")
        def second(x):
            return len(x)

        @constexpr(get_instance=False, name="Third")
        def third(x):
            return len(x)

        self.assertEqual([first((1, 2)), second((1, 2)), third()((1, 2))], [2, 2, 2])


class SignaturesTest(unittest.TestCase):
    """`input_signature` of `jit`."""

    def test_checked(self):
        @plumb.jit(input_signature=(Tensor(np.ones((2, 3), np.float32)), Tensor(shape=(None,), dtype=plumb.int32)))
        def function(x, y):
            return x.sum() + y.sum()

        x = Tensor(np.ones((2, 3), np.float32))
        self.assertEqual([function(x, Tensor([1] * count, plumb.int32)).item() for count in (1, 4)], [7, 10])
        for wrong in ((x,), (x, Tensor([1.0])), (Tensor(np.ones((3, 2), np.float32)), Tensor([1], plumb.int32))):
            self.assertRaisesRegex(ValueError, "input_signature", function, *wrong)


class NamesTest(unittest.TestCase):
    """Small names."""

    def test_merged(self):
        parts = [Parameter(Tensor(np.full((count, 2), count, np.float32)), "table") for count in (1, 3)]
        whole = plumb.merge_sliced_parameter(parts)
        self.assertEqual((whole.name, whole.shape, whole.asnumpy()[:, 0].tolist()), ("table", (4, 2), [1, 3, 3, 3]))
        self.assertRaises(ValueError, plumb.merge_sliced_parameter, [parts[0], Parameter(Tensor([1.0]), "other")])

    def test_offloading(self):
        before = plumb.get_offload_context()
        plumb.set_offload_context({"offload_param": "cpu"})
        self.assertEqual(plumb.get_offload_context(), {**before, "offload_param": "cpu"})
        plumb.set_offload_context(before)
        self.assertRaises(ValueError, plumb.set_offload_context, {"nothing": 1})

    def test_check_of_the_installation(self):
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            plumb.run_check()
        self.assertIn("is correct, Plumb has been installed on platform [CPU] successfully!", shown.getvalue())

    def test_columns_of_one_name(self):
        schema = dataset.Schema()
        schema.parse_columns([{"name": "a", "type": "int8", "shape": [3]}, {"name": "b", "type": "int8", "shape": [1]}])
        schema.parse_columns({"a": {"type": "int16", "shape": [2]}})
        self.assertEqual([(column["name"], column["type"]) for column in schema._columns], [("b", "int8"), ("a", "int16")])

    def test_jacobians_of_scalars(self):
        affine, x = nn.probability.bijector.ScalarAffine(-2.0, 1.0), Tensor([1, 2, 3], plumb.float32)
        for found, sign in ((affine.forward_log_jacobian(x), 1), (affine.inverse_log_jacobian(x), -1)):
            self.assertEqual(found.shape, ())
            self.assertAlmostEqual(found.item(), sign * np.log(2), 6)

    def test_adagrad_without_a_limit(self):
        """A negative l1 cuts nothing, as in MindSpore."""
        made = [Parameter(Tensor(values, plumb.float32), name) for name, values in
                (("weight", [[1.0, 2], [1, 2]]), ("total", [[2.0, 1], [3, 1]]), ("squares", [[4.0, 1], [5, 1]]))]
        found = ops.SparseApplyAdagradDA()(*made, Tensor([[5.0, 1], [6, 1]]), Tensor([0, 1], plumb.int32), Tensor(2.0), Tensor(-1.0), Tensor(1.0),
                                           Tensor(1, plumb.int64))
        np.testing.assert_allclose(found.asnumpy(), [[-1.8956923, -1.1715728], [-2.1420605, -1.1715728]], rtol=1e-6)

    def test_sparse_tensors_under_mindspores_name(self):
        """Compiled code makes them in programs that import `mindspore`, too."""
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(SPARSE)
            file.flush()
            done = subprocess.run([sys.executable, "-m", "plumb.mindspore", file.name], capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "[[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]\n", done.stderr)
        self.assertEqual(COOTensor(Tensor([[0, 1]]), Tensor([1.0]), (1, 2)).to_dense().asnumpy().tolist(), [[0, 1]])


class Eager(unittest.TestCase):
    """What programs' own classes call."""

    def test_run_op(self):
        from plumb.ops.primitive import _run_op

        class Own(plumb.ops.AllGather):
            """Is called by its own rule."""

            def __call__(self, *args):
                known, output = self.check_elim(*args)
                return output if known else _run_op(self, self.name, args)

        x = plumb.Tensor([-1.0, 2.0])
        self.assertEqual(Own()(x).asnumpy().tolist(), [-1.0, 2.0])
        self.assertEqual(_run_op(plumb.ops.ReLU(), "ReLU", (x,)).asnumpy().tolist(), [0.0, 2.0])


class Simulated(nn.Cell):
    """A network with a step of Python's in it."""

    def __init__(self):
        super().__init__()
        self.draws = []
        self.reset = ops.PyFunc(lambda: np.array([1.0, 2.0], np.float32), [], [], [plumb.float32], [(2,)])
        self.step = ops.PyFunc(lambda x: (x * 2, np.array(1, np.int32)), [plumb.float32], [(2,)], [plumb.float32, plumb.int32], [(2,), ()])

    def construct(self, x):
        """Calls both."""
        state = self.reset()[0]
        state, count = self.step((state + x,))
        return ops.relu(state) + count


class RunByPython(unittest.TestCase):
    """Cells that call Python."""

    def test_cell(self):
        for mode in (plumb.GRAPH_MODE, plumb.PYNATIVE_MODE):
            plumb.set_context(mode=mode)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.assertEqual(Simulated()(Tensor([0.5, -9.0])).asnumpy().tolist(), [4.0, 1.0])

    def test_function(self):
        with self.assertRaisesRegex(Exception, "PyFunc runs Python"):
            plumb.jit(lambda x: ops.PyFunc(lambda y: y, [plumb.float32], [(2,)], [plumb.float32], [(2,)])((x,)))(Tensor([0.5, -9.0]))


if __name__ == "__main__":
    unittest.main()
