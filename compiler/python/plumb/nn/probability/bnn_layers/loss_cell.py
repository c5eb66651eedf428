"""The loss of a Bayesian network."""

from plumb.nn.cell import Cell
from plumb.nn.probability.bnn_layers.layers import _Variational


class WithBNNLossCell(Cell):
    """dnn_factor * loss_fn(backbone(x), label) + bnn_factor * (the divergences of the layers that draw their weights).

    Args:
      backbone: the network.
      loss_fn: a function of its result and of labels.
      dnn_factor, bnn_factor: numbers.
    """

    def __init__(self, backbone, loss_fn, dnn_factor=1, bnn_factor=1):
        super().__init__(auto_prefix=False)
        for name, factor in (("dnn_factor", dnn_factor), ("bnn_factor", bnn_factor)):
            if isinstance(factor, bool) or not isinstance(factor, (int, float)):
                raise TypeError(f"The type of `{name}` must be `int` or `float`")
        self._backbone, self.loss_fn = backbone, loss_fn
        self.dnn_factor, self.bnn_factor = dnn_factor, bnn_factor
        self.drawing = tuple(cell for _, cell in backbone.cells_and_names() if isinstance(cell, _Variational))

    def construct(self, x, label):
        """Compiled body."""
        loss = self.loss_fn(self._backbone(x), label) * self.dnn_factor
        for layer in self.drawing:
            loss = loss + layer.compute_kl_loss() * self.bnn_factor
        return loss

    @property
    def backbone_network(self):
        """The network."""
        return self._backbone
