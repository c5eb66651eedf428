"""Layers of sparse tensors."""

from plumb.nn.cell import Cell
from plumb.ops import _sparse_matrices


class SparseToDense(Cell):
    """A COOTensor as a dense tensor."""

    def construct(self, sparse_tensor):
        """Compiled body."""
        return sparse_tensor.to_dense()


class SparseTensorDenseMatmul(Cell):
    """The product of a sparse matrix, given by its parts, and a dense one.

    Args:
      adjoint_st, adjoint_dt: whether the sparse (the dense) matrix is transposed before.
    """

    def __init__(self, adjoint_st=False, adjoint_dt=False):
        super().__init__()
        self.adj_st, self.adj_dt = adjoint_st, adjoint_dt

    def construct(self, indices, values, sparse_shape, dense):
        """Compiled body."""
        return _sparse_matrices.tensor_dense_matmul(indices, values, sparse_shape, dense, self.adj_st, self.adj_dt)
