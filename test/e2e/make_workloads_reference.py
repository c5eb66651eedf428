"""Writes workloads_reference.json: what PyTorch makes of the larger examples' first steps. Needs Debian's python3-torch.

    tools/python test/e2e/make_workloads_reference.py

Initial weights and batches are the package's own; everything after them is PyTorch's, written with its functions.
"""

import json
import os

import numpy as np
import torch
import torch.nn.functional as F

import workloads


def batches(data, count):
    """The first `count` batches, going through the data set again where it ends."""
    taken = []
    data = data.repeat()
    for row in data:
        taken.append([torch.tensor(column.asnumpy()) for column in row])
        if len(taken) == count:
            return taken
    raise AssertionError("a repeated data set has no end")


def dense(w, name, x):
    """A dense layer."""
    return F.linear(x, w[name + ".weight"], w[name + ".bias"])


def mlp(w, x):
    """The perceptron's logits."""
    x = torch.flatten(x, 1)
    return dense(w, "fc3", F.relu(dense(w, "fc2", F.relu(dense(w, "fc1", x)))))


def norm(w, name, x):
    """Batch normalisation in training."""
    return F.batch_norm(x, w[name + ".moving_mean"], w[name + ".moving_variance"], w[name + ".gamma"],
                        w[name + ".beta"], training=True, momentum=0.1, eps=1e-5)


def resnet(w, x):
    """The residual network's logits."""
    x = F.relu(norm(w, "bn", F.conv2d(x, w["conv.weight"], padding=1)))
    block = 0
    while f"blocks.{block}.conv1.weight" in w:
        name = f"blocks.{block}."
        stride = 1 if w[name + "conv1.weight"].shape[0] == x.shape[1] else 2
        y = F.relu(norm(w, name + "bn1", F.conv2d(x, w[name + "conv1.weight"], stride=stride, padding=1)))
        y = norm(w, name + "bn2", F.conv2d(y, w[name + "conv2.weight"], padding=1))
        if name + "shortcut.0.weight" in w:
            x = norm(w, name + "shortcut.1", F.conv2d(x, w[name + "shortcut.0.weight"], stride=stride))
        x, block = F.relu(y + x), block + 1
    return dense(w, "head", torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


def layer_norm(w, name, x):
    """Layer normalisation."""
    return F.layer_norm(x, (x.shape[-1],), w[name + ".gamma"], w[name + ".beta"], 1e-5)


def transformer(w, x):
    """The encoder's output."""
    batch, length, width = x.shape
    for layer in ("layers.0.", "layers.1."):
        qkv = dense(w, layer + "attention.qkv", layer_norm(w, layer + "norm1", x))
        query, key, value = qkv.view(batch, length, 3, 4, width // 4).permute(2, 0, 3, 1, 4).unbind(0)
        shares = torch.softmax(query @ key.transpose(-2, -1) * (width // 4) ** -0.5, -1)
        x = x + dense(w, layer + "attention.out", (shares @ value).transpose(1, 2).reshape(batch, length, width))
        x = x + dense(w, layer + "down", F.gelu(dense(w, layer + "up", layer_norm(w, layer + "norm2", x))))
    return layer_norm(w, "norm", x)


FORWARD = {"mlp": mlp, "resnet8": resnet, "resnet20": resnet, "transformer": transformer}


class Adam(torch.optim.Optimizer):
    """Adam by MindSpore's formula: unlike PyTorch's, it adds epsilon before the correction of the second moment."""

    def __init__(self, parameters, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(parameters, {"lr": lr, "betas": betas, "eps": eps})
        self.count = 0

    @torch.no_grad()
    def step(self, closure=None):
        """Updates every parameter."""
        self.count += 1
        group = self.param_groups[0]
        beta1, beta2 = group["betas"]
        rate = group["lr"] * (1 - beta2 ** self.count) ** 0.5 / (1 - beta1 ** self.count)
        for value in group["params"]:
            state = self.state[value]
            m = state["m"] = beta1 * state.get("m", 0) + (1 - beta1) * value.grad
            v = state["v"] = beta2 * state.get("v", 0) + (1 - beta2) * value.grad ** 2
            value -= rate * m / (v.sqrt() + group["eps"])


def reference(name):
    """Trains one workload in PyTorch; returns the losses and samples of the values at the end."""
    make_model, data, steps = workloads.WORKLOADS[name]
    model = make_model()
    trained = {parameter.name for parameter in model._network.trainable_params()}
    w = {key: torch.tensor(array.copy(), requires_grad=key in trained)
         for key, array in workloads.weights(model).items()}
    parameters = [value for value in w.values() if value.requires_grad]
    optimizer = Adam(parameters) if name == "transformer" else torch.optim.SGD(parameters, lr=0.01, momentum=0.9)
    losses = []
    for x, y in batches(data(), steps):
        optimizer.zero_grad()
        out = FORWARD[name](w, x)
        loss = F.mse_loss(out, y) if name == "transformer" else F.cross_entropy(out, y.long())
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    values = {key: [float(x) for x in value.detach().numpy().reshape(-1)[::workloads.STRIDE]]
              for key, value in w.items()}
    return {"losses": losses, "values": values}


if __name__ == "__main__":
    torch.set_num_threads(1)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "workloads_reference.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({name: reference(name) for name in FORWARD}, file)
        file.write("\n")
    print(f"wrote {path} with PyTorch {torch.__version__}, NumPy {np.__version__}")
