"""Batches and first weights of section `zoo`, the same on all sides."""

import numpy as np


def columns(network, batch):
    """The arrays of one batch: inputs, then the target."""
    rng = np.random.default_rng(1)
    found = []
    for column in [*network.inputs, network.target]:
        shape = (batch, *column.shape)
        found.append(rng.standard_normal(shape, np.float32) if column.kind == "normal" else
                     rng.integers(0, column.limit, shape).astype(np.int32))
    return found


def weights(index, name, shape):
    """Values of parameter number `index`: matrices by their fan-in, scales near one, biases near zero."""
    rng = np.random.default_rng([2, index])
    if len(shape) == 1:
        first = 1.0 if name.endswith(("gamma", "weight")) else 0.0
        return (first + 0.1 * rng.standard_normal(shape)).astype(np.float32)
    return (rng.uniform(-1, 1, shape) / np.sqrt(np.prod(shape[1:]))).astype(np.float32)


def graph(nodes, features, edges):
    """A graph: features of nodes, sources and targets of edges, weights of edges."""
    rng = np.random.default_rng(3)
    sources, targets = (rng.integers(0, nodes, edges).astype(np.int32) for _ in range(2))
    return rng.standard_normal((nodes, features), np.float32), sources, targets, rng.random((edges, 1), np.float32)
