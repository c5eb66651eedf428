"""Writes lenet_reference.json: what PyTorch makes of the first 200 steps. Needs Debian's python3-torch.

    tools/python test/e2e/make_lenet_reference.py

Initial weights and batches are the package's own; everything after them is PyTorch's.
"""

import json
import os

import numpy as np
import torch
import torch.nn.functional as F

import lenet

STEPS = 200
STRIDE = 97  # of the elements kept of a weight; prime, so that all axes are met


def reference(sigma):
    """Trains in PyTorch; returns the losses and samples of the weights."""
    model = lenet.make_model(sigma)
    values = {name: torch.tensor(array.copy(), requires_grad=True) for name, array in lenet.weights(model).items()}
    optimizer = torch.optim.SGD(values.values(), lr=0.01, momentum=0.9)
    losses = []
    for images, labels in lenet.digits():
        optimizer.zero_grad()
        loss = F.cross_entropy(forward(values, torch.tensor(images.asnumpy())), torch.tensor(labels.asnumpy()).long())
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
        if len(losses) == STEPS:
            break
    return {"sigma": sigma, "losses": losses, "stride": STRIDE, "weights": {
        name: [float(x) for x in value.detach().numpy().reshape(-1)[::STRIDE]] for name, value in values.items()}}


def forward(values, x):
    """The network's logits."""
    x = F.max_pool2d(F.relu(F.conv2d(x, values["conv1.weight"])), 2)
    x = F.max_pool2d(F.relu(F.conv2d(x, values["conv2.weight"])), 2).reshape(x.shape[0], -1)
    for name in ("fc1", "fc2"):
        x = F.relu(F.linear(x, values[name + ".weight"], values[name + ".bias"]))
    return F.linear(x, values["fc3.weight"], values["fc3.bias"])


if __name__ == "__main__":
    torch.set_num_threads(1)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lenet_reference.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump([reference(0.02), reference(0.1)], file)
        file.write("\n")
    print(f"wrote {path} with PyTorch {torch.__version__}, NumPy {np.__version__}")
