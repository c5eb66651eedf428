"""A few training steps of a network in plumb, in every launch mode, and the same steps in PyTorch."""

import math

import numpy as np
import torch

import plumb
from networks import STEPS
from layers import pick
from plumb import Parameter, Tensor, dataset, nn, ops, train


# -- optimizers: plumb's, and one step of the documented formula on a list of weights and gradients

RATE = 0.05
# As float32 holds them and their powers: 1 - 0.999 is off by 1e-5 in it, which is more than rounding elsewhere.
BETAS = np.array([0.9, 0.999], np.float32)


def sgd(weights, gradients, state, momentum=0.0, nesterov=False):
    """v = momentum v + g; w -= rate v, or rate (g + momentum v)."""
    for i, (weight, gradient) in enumerate(zip(weights, gradients)):
        moment = state[i] = momentum * state.get(i, 0.0) + gradient
        weight -= RATE * (gradient + momentum * moment if nesterov else moment)


def adam(weights, gradients, state, decay=None):
    """Adam with bias correction; without it and with decoupled decay where `decay` is a number."""
    powers = state["powers"] = state.get("powers", np.float32(1)) * BETAS
    rate = RATE * math.sqrt(1 - float(powers[1])) / (1 - float(powers[0])) if decay is None else RATE
    first, second = map(float, BETAS)
    for i, (weight, gradient) in enumerate(zip(weights, gradients)):
        moment = state[i, 1] = first * state.get((i, 1), 0.0) + (1 - first) * gradient
        square = state[i, 2] = second * state.get((i, 2), 0.0) + (1 - second) * gradient ** 2
        weight -= rate * moment / (square.sqrt() + 1e-3) + RATE * (decay or 0.0) * weight


def rms_prop(weights, gradients, state, centered=False):
    """Steps by the root of the running mean square, which starts at one."""
    for i, (weight, gradient) in enumerate(zip(weights, gradients)):
        square = state[i, 1] = 0.9 * state.get((i, 1), 1.0) + 0.1 * gradient ** 2
        mean = state[i, 2] = 0.9 * state.get((i, 2), 0.0) + 0.1 * gradient
        moment = state[i, 3] = 0.5 * state.get((i, 3), 0.0) + RATE * gradient / (
            square - (mean ** 2 if centered else 0.0) + 1e-3).sqrt()
        weight -= moment


def adagrad(weights, gradients, state):
    """Steps by the root of the sum of squares, which starts at 0.1."""
    for i, (weight, gradient) in enumerate(zip(weights, gradients)):
        total = state[i] = state.get(i, 0.1) + gradient ** 2
        weight -= RATE * gradient / total.sqrt()


OPTIMIZERS = {
    "SGD": (lambda p: nn.SGD(p, RATE), sgd),
    "SGD with momentum": (lambda p: nn.SGD(p, RATE, momentum=0.5), lambda *a: sgd(*a, momentum=0.5)),
    "Momentum": (lambda p: nn.Momentum(p, RATE, 0.9), lambda *a: sgd(*a, momentum=0.9)),
    "Nesterov": (lambda p: nn.Momentum(p, RATE, 0.9, use_nesterov=True), lambda *a: sgd(*a, momentum=0.9, nesterov=True)),
    "Adam": (lambda p: nn.Adam(p, RATE, eps=1e-3), adam),
    "AdamWeightDecay": (lambda p: nn.AdamWeightDecay(p, RATE, eps=1e-3), lambda *a: adam(*a, decay=0.0)),
    "RMSProp": (lambda p: nn.RMSProp(p, RATE, momentum=0.5, epsilon=1e-3), rms_prop),
    "RMSProp centred": (lambda p: nn.RMSProp(p, RATE, momentum=0.5, epsilon=1e-3, centered=True),
                        lambda *a: rms_prop(*a, centered=True)),
    "Adagrad": (lambda p: nn.Adagrad(p, learning_rate=RATE), adagrad),
}


class Training:
    """How a seed trains its network.

    Attributes:
      optimizer: a name of OPTIMIZERS.
      step: what a step does beside the update: nothing ("plain"; "model" by Model.train), none at a small loss ("skip"),
        updates by the sum of two steps' gradients ("accumulate"), a running mean of the weights ("average"), a sum that a
        loop writes as often as steps were made ("loop").
      sunk: steps of one launch.
      rows: whether the last batch is as large as the others.
    """

    def __init__(self, rng):
        self.optimizer = pick(rng, *OPTIMIZERS)
        self.step = pick(rng, "model", "model", "plain", "skip", "accumulate", "average", "loop")
        self.sunk = pick(rng, 1, STEPS)

    def __repr__(self):
        return f"{self.step} steps of {self.optimizer}, {self.sunk} a launch"


# -- plumb


class Step(nn.Cell):
    """One training step on a batch."""

    def __init__(self, network, loss, optimizer, kind):
        super().__init__()
        self.network, self.optimizer, self.kind = network, optimizer, kind
        weights = plumb.ParameterTuple(network.trainable_params())
        self.weights, self.forward = weights, plumb.value_and_grad(lambda x, y: loss(network(x), y), None, weights)
        self.kept = weights.clone("kept", "zeros")
        self.count = Parameter(Tensor(np.int32(0)), name="count", requires_grad=False)
        self.total = Parameter(Tensor(np.float32(0)), name="total", requires_grad=False)

    def construct(self, x, y):
        """Compiled body."""
        loss, gradients = self.forward(x, y)
        ops.assign(self.count, self.count + 1)
        if self.kind == "plain":
            self.optimizer(gradients)
        elif self.kind == "skip":
            if loss < 1.0:
                self.optimizer(gradients)
        elif self.kind == "loop":
            self.optimizer(gradients)
            i = ops.zeros_like(self.count)
            while i < self.count:
                ops.assign(self.total, self.total * 0.5 + loss)
                i = i + 1
        elif self.kind == "average":
            self.optimizer(gradients)
            for i in range(len(self.weights)):
                ops.assign(self.kept[i], self.kept[i] * 0.5 + self.weights[i] * 0.5)
        else:
            for i in range(len(self.kept)):
                ops.assign(self.kept[i], self.kept[i] + gradients[i])
            if self.count % 2 == 0:
                self.optimizer(self.kept)
                for i in range(len(self.kept)):
                    ops.assign(self.kept[i], ops.zeros_like(self.kept[i]))
        return loss


class Losses(train.Callback):
    """Keeps the loss of every launch."""

    def __init__(self):
        self.values = []

    def on_train_step_end(self, run_context):
        """After a launch."""
        self.values.append(float(run_context.original_args().net_outputs.asnumpy()))


def run(network, training, cell, columns):
    """Trains `cell`; returns the loss at the end of each launch and the running values beside the weights."""
    rows = network.shape[0]
    data = dataset.NumpySlicesDataset(columns, ["x", "y"], shuffle=False).batch(rows, drop_remainder=True)
    cell.set_train()
    weights, loss = cell.trainable_params(), network.loss_cell()
    optimizer = OPTIMIZERS[training.optimizer][0](weights)
    if training.step == "model":
        losses = Losses()
        model = train.Model(cell, loss, optimizer)
        model.train(1, data, losses, dataset_sink_mode=training.sunk > 1, sink_size=-1)
        return losses.values, []
    step = Step(cell, loss, optimizer, training.step).set_train()
    sink = train.data_sink(step, data, sink_size=training.sunk)
    return [float(sink().asnumpy()) for _ in range(STEPS // training.sunk)], [*step.kept, step.total]


# -- PyTorch


def run_reference(network, training, parameters, columns, dtype):
    """The same in PyTorch; `parameters` are (array, trained) and are returned as they end, with losses and running values."""
    values = [torch.tensor(array, dtype=dtype if array.dtype.kind == "f" else None, requires_grad=trained)
              for array, trained in parameters]
    weights = [value for value, (_, trained) in zip(values, parameters) if trained]
    kept, state, losses = [torch.zeros_like(weight) for weight in weights], {}, []
    total = 0.0
    for i, batch in enumerate(zip(*(np.split(column, STEPS) for column in columns))):
        x, y = (torch.tensor(part, dtype=dtype if part.dtype.kind == "f" else torch.int64) for part in batch)
        loss = network.reference(x, y, values)
        gradients = torch.autograd.grad(loss, weights, allow_unused=True) if loss.requires_grad else [None] * len(weights)
        gradients = [torch.zeros_like(weight) if gradient is None else gradient
                     for weight, gradient in zip(weights, gradients)]
        with torch.no_grad():
            _update(training, i, loss, weights, gradients, kept, state)
        losses.append(float(loss))
        for _ in range(i + 1 if training.step == "loop" else 0):
            total = total * 0.5 + float(loss)
    losses = losses[training.sunk - 1::training.sunk]
    kept = [k.numpy() for k in kept] + [np.array(total)]
    return losses, kept if training.step != "model" else [], [v.detach().numpy() for v in values]


def _update(training, i, loss, weights, gradients, kept, state):
    """What one step writes."""
    update = OPTIMIZERS[training.optimizer][1]
    if training.step == "accumulate":
        for total, gradient in zip(kept, gradients):
            total += gradient
        if i % 2 == 1:
            update(weights, kept, state)
            for total in kept:
                total.zero_()
        return
    if training.step != "skip" or loss < 1.0:
        update(weights, gradients, state)
    if training.step == "average":
        for total, weight in zip(kept, weights):
            total.mul_(0.5).add_(weight, alpha=0.5)
