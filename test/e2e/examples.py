"""Running programs of docs/examples from tests: their `main`, what it prints, its losses, and PyTorch's from the same weights."""

import contextlib
import importlib
import io
import os
import sys
from unittest import mock

import numpy as np
import torch

from plumb import train

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
FOLDER = os.path.join(ROOT, "docs", "examples")
sys.path.insert(0, FOLDER)

# PyTorch's threads would wait for each other on a busy machine.
torch.set_num_threads(1)


class Recorder(train.Callback):
    """Stands for LossMonitor: keeps the values before the first step, and every loss."""

    def __init__(self):
        self.losses, self.values, self.trained = [], {}, ()

    def begin(self, run_context):
        """Keeps the values."""
        network = run_context.original_args().train_network
        self.values = {each.name: each.asnumpy().copy() for each in network.get_parameters()}
        self.trained = [each.name for each in network.trainable_params()]

    def step_report(self, step, loss):
        """Keeps a loss."""
        self.losses.append(float(loss))


def run(name, *arguments, recorder=None):
    """Runs a program's `main`; returns (the module, what `main` returned, the Recorder)."""
    module, recorder = importlib.import_module(name), recorder or Recorder()
    with mock.patch.object(train, "LossMonitor", lambda: recorder), contextlib.redirect_stdout(io.StringIO()):
        return module, module.main([str(each) for each in arguments]), recorder


def batches(data, count):
    """The first `count` batches of a data set as tensors; labels as PyTorch wants them, int64."""
    rows = [[torch.tensor(column.asnumpy()) for column in row] for row, _ in zip(data.repeat(), range(count))]
    return [[column.long() if column.dtype == torch.int32 else column for column in row] for row in rows]


def adam(rate, beta1=0.9, beta2=0.999, eps=1e-8, decay=0.0):
    """Adam by MindSpore's formula: epsilon is added before the second moment is corrected. `decay` is added to gradients."""
    def update(step, weight, gradient, state):
        gradient = gradient + decay * weight
        state["m"] = beta1 * state.get("m", 0) + (1 - beta1) * gradient
        state["v"] = beta2 * state.get("v", 0) + (1 - beta2) * gradient ** 2
        corrected = rate * (1 - beta2 ** step) ** 0.5 / (1 - beta1 ** step)
        return weight - corrected * state["m"] / (state["v"].sqrt() + eps)

    return update


def momentum(rates, decay=0.0):
    """Momentum 0.9; `decay` may differ by weight: a function of the name."""
    def update(step, weight, gradient, state):
        state["v"] = 0.9 * state.get("v", 0) + gradient + decay * weight * state["decays"]
        return weight - rates[step - 1] * state["v"]

    return update


def adam_weight_decay(rates, decay, beta1=0.9, beta2=0.999, eps=1e-6):
    """AdamWeightDecay: no correction of the moments, and weights decay beside them."""
    def update(step, weight, gradient, state):
        state["m"] = beta1 * state.get("m", 0) + (1 - beta1) * gradient
        state["v"] = beta2 * state.get("v", 0) + (1 - beta2) * gradient ** 2
        return weight - rates[step - 1] * (state["m"] / (state["v"].sqrt() + eps) + decay * state["decays"] * weight)

    return update


def in_torch(recorder, loss_of, rows, update, decays=lambda name: 1.0):
    """PyTorch's losses from the recorded values on the given batches.

    Args:
      loss_of: called with the values by name and a batch's columns.
      update: the optimizer: (step, weight, gradient, state) to the new weight.
      decays: 1 for names of weights that decay, else 0.
    """
    w = {name: torch.tensor(value) for name, value in recorder.values.items()}
    states, losses = {name: {"decays": decays(name)} for name in recorder.trained}, []
    for step, row in enumerate(rows, 1):
        for name in recorder.trained:
            w[name] = w[name].detach().requires_grad_()
        loss = loss_of(w, *row)
        gradients = torch.autograd.grad(loss, [w[name] for name in recorder.trained])
        losses.append(float(loss))
        with torch.no_grad():
            for name, gradient in zip(recorder.trained, gradients):
                w[name] = update(step, w[name], gradient, states[name])
    return losses


def check_losses(recorder, expected, rtol=1e-4):
    """The first losses are PyTorch's."""
    np.testing.assert_allclose(recorder.losses[:len(expected)], expected, rtol=rtol)


def dense(w, name, x):
    """A dense layer."""
    return torch.nn.functional.linear(x, w[name + ".weight"], w[name + ".bias"])


def norm(w, name, x):
    """Batch normalisation in training."""
    return torch.nn.functional.batch_norm(x, None, None, w[name + ".gamma"], w[name + ".beta"], training=True, eps=1e-5)


def same_conv(x, weight, bias=None, stride=1, groups=1):
    """A convolution whose result has the extents of x over the stride: what is missing is padded, more at the end."""
    pads = []
    for extent, size in zip(reversed(x.shape[2:]), reversed(weight.shape[2:])):
        total = max((-(-extent // stride) - 1) * stride + size - extent, 0)
        pads += [total // 2, total - total // 2]
    return torch.nn.functional.conv2d(torch.nn.functional.pad(x, pads), weight, bias, stride, groups=groups)
