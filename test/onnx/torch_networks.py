"""Networks of PyTorch, exported to ONNX and trained, as an outside reference. Run by Debian's Python, which has torch.

    python3 torch_networks.py FOLDER: NAME_OPSET.onnx, and NAME_OPSET.npz with inputs, outputs, labels and the losses of five steps
"""

import sys
import warnings

import numpy as np
import torch
from torch import nn


class Block(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
                                  nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs))
        plain = stride == 1 and inputs == outputs
        self.way = nn.Identity() if plain else nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return torch.relu(self.body(x) + self.way(x))


class Language(nn.Module):
    """A causal transformer over words."""

    def __init__(self, words=5000, width=64, length=32):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.places = nn.Parameter(torch.randn(length, width) * 0.02)
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(width, 4, 4 * width, 0.0, "gelu", batch_first=True) for _ in range(2)])
        self.head = nn.Linear(width, words)
        self.register_buffer("mask", torch.triu(torch.full((length, length), -1e9), 1))

    def forward(self, words):
        x = self.embedding(words) + self.places[:words.shape[1]]
        for layer in self.layers:
            x = layer(x, self.mask)
        return self.head(x).reshape(-1, self.head.out_features)


class Recurrent(nn.Module):
    """Two bidirectional layers over words."""

    def __init__(self, kind):
        super().__init__()
        self.embedding, self.layers, self.head = nn.Embedding(2000, 32), kind(32, 48, 2, bidirectional=True, batch_first=True), nn.Linear(96, 5)

    def forward(self, words):
        return self.head(self.layers(self.embedding(words))[0].mean(1))


class Encoder(nn.Module):
    """Down, up again by a transposed convolution, and up by interpolation."""

    def __init__(self):
        super().__init__()
        self.first, self.down, self.up, self.last = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, 2, 1), nn.ConvTranspose2d(16, 8, 2, 2), \
            nn.Conv2d(16, 4, 1)
        self.larger = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)

    def forward(self, x):
        x = torch.relu(self.first(x))
        joined = torch.cat([x, self.up(torch.sigmoid(self.down(x)))], 1)
        x = self.larger(self.last(nn.functional.max_pool2d(joined, 2)))
        return nn.functional.adaptive_avg_pool2d(x, 1).flatten(1)


def residual():
    """A residual network on images of 32 pixels."""
    return nn.Sequential(nn.Conv2d(3, 16, 3, 1, 1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(3, 2, 1), Block(16, 16, 1), Block(16, 32, 2),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))


NETWORKS = {
    "residual": (residual, lambda: torch.randn(8, 3, 32, 32), 10, (9, 13, 16)),
    "language": (Language, lambda: torch.randint(0, 5000, (4, 32)), 5000, (9, 16)),
    "lstm": (lambda: Recurrent(nn.LSTM), lambda: torch.randint(0, 2000, (8, 20)), 5, (13,)),
    "gru": (lambda: Recurrent(nn.GRU), lambda: torch.randint(0, 2000, (8, 20)), 5, (16,)),
    "encoder": (Encoder, lambda: torch.randn(4, 3, 32, 32), 4, (13, 16)),
}


def write(folder, name, make, draw, classes, opset):
    """Exports a network, then trains it for five steps."""
    torch.manual_seed(0)
    net, x = make().eval(), draw()
    torch.onnx.export(net, x, f"{folder}/{name}_{opset}.onnx", opset_version=opset, training=torch.onnx.TrainingMode.PRESERVE)
    outputs, losses = net(x).detach().numpy(), []
    labels = torch.randint(0, classes, (outputs.shape[0],))
    net.train()
    optimizer = torch.optim.SGD(net.parameters(), 0.05, 0.9)
    for _ in range(5):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    np.savez(f"{folder}/{name}_{opset}.npz", x=x.numpy(), outputs=outputs, labels=labels.numpy(), losses=np.array(losses))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for key, (make_, draw_, classes_, opsets) in NETWORKS.items():
        for version in opsets:
            write(sys.argv[1], key, make_, draw_, classes_, version)
