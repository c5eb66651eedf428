"""Graph convolution: a few labels for many nodes: `tools/python docs/examples/graph_convolution.py`.

Nodes of one community are joined more often than others. Features say little, and ten nodes of each community have a label;
two layers that add up neighbours (Kipf and Welling 2016) find the communities of the others.
"""

import argparse

import numpy as np

import plumb
from plumb import Tensor, dataset, nn, ops, train

COMMUNITIES = 4


class Graph:
    """A random graph: `labels` and `features` of nodes; `sources`, `targets` and `weights` of edges in both directions."""

    def __init__(self, nodes=600, inside=8.0, outside=3.0, features=16, seed=1):
        rng = np.random.default_rng(seed)
        self.nodes = nodes
        self.labels = rng.permutation(np.arange(nodes) % COMMUNITIES).astype(np.int32)
        hints = rng.standard_normal((COMMUNITIES, features))
        self.features = (0.35 * hints[self.labels] + rng.standard_normal((nodes, features))).astype(np.float32)
        # So many neighbours a node has on average inside of its community and outside of it.
        same = self.labels[:, None] == self.labels
        chances = np.where(same, inside / same.sum(1), outside / (~same).sum(1))
        joined = np.triu(rng.random((nodes, nodes)) < chances, 1)
        joined = joined | joined.T | np.eye(nodes, dtype=bool)  # a node hears itself, too
        self.targets, self.sources = (ends.astype(np.int32) for ends in np.nonzero(joined))
        degrees = joined.sum(1)
        self.weights = (1 / np.sqrt(degrees[self.targets] * degrees[self.sources])).astype(np.float32)

    def split(self, each):
        """The numbers of `each` nodes of every community, and those of all others."""
        known = np.concatenate([np.nonzero(self.labels == label)[0][:each] for label in range(COMMUNITIES)])
        return known, np.setdiff1d(np.arange(self.nodes), known)

    def batch(self, nodes):
        """The data pipeline: these nodes and their labels, all in one batch."""
        rows = (nodes.astype(np.int32), self.labels[nodes])
        return dataset.NumpySlicesDataset(rows, ["node", "label"], shuffle=False).batch(len(nodes))


class Convolution(nn.Cell):
    """For each node the weighted sum of its neighbours' vectors, then a dense layer; edges are data, not a dense matrix."""

    def __init__(self, graph, in_channels, out_channels):
        super().__init__()
        self.sources, self.targets = Tensor(graph.sources), Tensor(graph.targets)
        self.weights, self.nodes = Tensor(graph.weights[:, None]), graph.nodes
        self.dense = nn.Dense(in_channels, out_channels, "xavier_uniform")

    def construct(self, x):
        """The nodes' new vectors."""
        messages = ops.gather(self.dense(x), self.sources, 0) * self.weights
        return ops.unsorted_segment_sum(messages, self.targets, self.nodes)


class Network(nn.Cell):
    """Two convolutions over the whole graph; called with numbers of nodes, it gives the scores of those."""

    def __init__(self, graph, dropout, hidden=16):
        super().__init__()
        self.features = Tensor(graph.features)
        self.first = Convolution(graph, graph.features.shape[1], hidden)
        self.second = Convolution(graph, hidden, COMMUNITIES)
        self.dropout = nn.Dropout(p=dropout)

    def construct(self, nodes):
        """The scores of the communities."""
        hidden = self.dropout(ops.relu(self.first(self.features)))
        return ops.gather(self.second(hidden), nodes, 0)


def make_model(graph, dropout):
    """A fresh network with its loss and optimizer."""
    plumb.set_seed(1)
    network = Network(graph, dropout)
    optimizer = nn.Adam(network.trainable_params(), learning_rate=0.01, weight_decay=5e-4)
    return train.Model(network, nn.CrossEntropyLoss(), optimizer, {"accuracy"})


def main(arguments=None):
    """Trains on the labelled nodes; returns the accuracy on all others."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--steps", type=int, default=200, help="updates, all in one launch")
    parser.add_argument("--nodes", type=int, default=2000, help="nodes of the graph")
    parser.add_argument("--dropout", type=float, default=0.5, help="share of the hidden units that is zeroed in training")
    options = parser.parse_args(arguments)
    graph = Graph(options.nodes)
    known, others = graph.split(10)
    model = make_model(graph, options.dropout)
    model.train(1, graph.batch(known), callbacks=[train.LossMonitor()], dataset_sink_mode=True, sink_size=options.steps)
    accuracy = model.eval(graph.batch(others))["accuracy"]
    print(f"{len(known)} labels, {len(graph.sources)} edges: right about {accuracy:.1%} of the other {len(others)} nodes")
    return accuracy


if __name__ == "__main__":
    main()
