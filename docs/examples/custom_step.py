"""A training step of one's own with `data_sink`: `tools/python docs/examples/custom_step.py`.

The step is a plain function over a network, a gradient function and an optimizer. `data_sink` compiles it with its data
queue; each call of the result runs one sink on the next batches.
"""

import numpy as np

import plumb
from plumb import dataset, nn

rng = np.random.default_rng(7)
true_weight = np.array([[2.0], [-3.0], [0.5]], np.float32)
features = rng.standard_normal((4096, 3)).astype(np.float32)
targets = (features @ true_weight + 1.5).astype(np.float32)

network = nn.Dense(3, 1)
loss_function = nn.MSELoss()
optimizer = nn.Adam(network.trainable_params(), learning_rate=0.05)


def forward(x, y):
    """The loss of one batch."""
    return loss_function(network(x), y)


value_and_grad = plumb.value_and_grad(forward, None, network.trainable_params())


def step(x, y):
    """One training step."""
    loss, gradients = value_and_grad(x, y)
    optimizer(gradients)
    return loss


if __name__ == "__main__":
    data = dataset.NumpySlicesDataset((features, targets), ["x", "y"]).batch(64, drop_remainder=True)
    network.set_train()
    sink = plumb.data_sink(step, data, sink_size=64)
    for epoch in range(10):
        print(f"epoch {epoch + 1}: loss {float(sink()):.6f}")
    print("weight", network.weight.asnumpy().round(3).tolist(), "bias", network.bias.asnumpy().round(3).tolist())
