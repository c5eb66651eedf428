"""Random networks: an input, layers that fit behind each other, and a loss, in plumb and in PyTorch."""

import math

import numpy as np
import torch
from torch.nn import functional

import image_layers
import row_layers
import state_layers
from layers import VALUE, Activation, Unfit, pick
from plumb import Tensor, nn, ops


LAYERS = (*image_layers.LAYERS, *row_layers.LAYERS, *state_layers.LAYERS, Activation, Activation, Activation)
STEPS = 3


class Network:
    """What a seed draws.

    Attributes:
      shape: of a batch of inputs; `indices` tells how many different ones there are, or None for real numbers.
      layers: the Layers, in order.
      loss: the loss's name.
    """

    def __init__(self, rng):
        self.indices, self.layers = None, []
        self.shape = self._draw_input(rng)
        shape = self.layers[-1].shape if self.layers else self.shape
        for _ in range(int(rng.integers(2, 9))):
            layer = _draw_layer(rng, shape)
            self.layers.append(layer)
            shape = layer.shape
        self.result = shape
        self.loss = pick(rng, "smooth", "mse", "l1", *(("classes", "shares") if len(shape) == 2 and shape[1] > 1 else ()))

    def _draw_input(self, rng):
        """Returns the shape of a batch; indices get an Embedding as the first layer."""
        kind, batch = pick(rng, "image", "image", "rows", "sequence", "indices"), pick(rng, 1, 2, 3, 8, 16, 32, 64, 256)
        if kind == "image":
            image = [pick(rng, 5, 8, 11, 14, 32, 64), pick(rng, 5, 8, 12, 17, 32, 64)]
            shape = (batch, pick(rng, 1, 2, 3, 16, 64, 256, 512), *image)
        elif kind == "rows":
            shape = (batch, pick(rng, 1, 3, 17, 64, 100, 784, 1024))
        else:
            shape = (batch, pick(rng, 1, 5, 16, 49, 64, 128, 512))
            if kind == "sequence":
                shape += (pick(rng, 8, 12, 32, 64, 128, 256, 512),)
        while math.prod(shape) > VALUE // 4:
            shape = (max(shape[0] // 2, 1), *shape[1:-1], max(shape[-1] // 2, 1))
        if kind == "indices":
            self.layers.append(_draw(row_layers.Embedding, rng, shape))
            self.indices = self.layers[0].sizes["vocab_size"]
        return shape

    def __repr__(self):
        return f"{self.shape} -> {self.layers} -> {self.loss}"

    def columns(self, rng):
        """STEPS batches of the inputs and of what the loss compares with."""
        rows = (STEPS * self.shape[0], *self.shape[1:])
        inputs = (rng.standard_normal(rows).astype(np.float32) if self.indices is None
                  else rng.integers(0, self.indices, rows).astype(np.int32))
        wanted = (STEPS * self.result[0], *self.result[1:])
        if self.loss == "classes":
            return inputs, rng.integers(0, wanted[1], wanted[0]).astype(np.int32)
        if self.loss == "shares":
            return inputs, rng.dirichlet(np.ones(wanted[1]), wanted[0]).astype(np.float32)
        return inputs, rng.standard_normal(wanted).astype(np.float32)

    def cell(self):
        """The network, without its loss, in plumb."""
        return nn.SequentialCell([layer.cell() for layer in self.layers])

    def loss_cell(self):
        """The loss in plumb."""
        return {"smooth": SmoothLoss, "mse": nn.MSELoss, "l1": nn.L1Loss,
                "classes": lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                "shares": lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=False, reduction="mean")}[self.loss]()

    def reference(self, x, wanted, values):
        """The loss in PyTorch; `values` are the cell's parameters in their order."""
        values = iter(values)
        for layer in self.layers:
            x = layer.run(x, values)
        if self.loss == "smooth":
            return (x * x * 0.5 + x * wanted).mean()
        if self.loss == "classes":
            return functional.cross_entropy(x, wanted.long())
        if self.loss == "shares":
            return -(wanted * torch.log_softmax(x, -1)).sum(-1).mean()
        return (functional.mse_loss if self.loss == "mse" else functional.l1_loss)(x, wanted)


class SmoothLoss(nn.LossBase):
    """A loss without kinks."""

    def construct(self, x, wanted):
        """Compiled body."""
        return ops.reduce_mean(x * x * 0.5 + x * wanted)


def _draw(kind, rng, shape):
    """A layer of this kind; draws again where sizes do not fit."""
    for _ in range(20):
        try:
            return kind(rng, shape)
        except Unfit:
            continue
    raise Unfit


def _draw_layer(rng, shape):
    """A layer of some kind that takes the shape."""
    while True:
        kind = pick(rng, *[kind for kind in LAYERS if len(shape) in kind.ranks])
        try:
            return _draw(kind, rng, shape)
        except Unfit:
            continue


def start_values(rng, cell):
    """Gives every trained weight of `cell` a value that keeps signals' sizes; the Tensors' names and order are the cell's."""
    for parameter in cell.trainable_params():
        shape = parameter.shape
        value = rng.standard_normal(shape)
        if len(shape) > 1:
            value /= math.sqrt(math.prod(shape[1:]) if len(shape) != 2 or shape[0] < 1000 else 1)
        else:
            value = parameter.asnumpy() + 0.1 * value
        parameter.set_data(Tensor(value.astype(np.float32)))
