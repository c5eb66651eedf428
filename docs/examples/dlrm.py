"""A recommender: will this user click? `tools/python docs/examples/dlrm.py --tables 2000,500,100,20`.

Numbers go through a perceptron, categories through embedding tables of the sizes that you name; the products of all pairs of
vectors and a second perceptron give the answer (Naumov et al. 2019). Clicks come from a model with hidden vectors, so that
the best possible result is known.
"""

import argparse

import numpy as np

import plumb
from plumb import dataset, nn, ops, train
from plumb.common.initializer import Normal

NUMBERS = 8


def clicks(rows, tables, seed):
    """Numbers (rows, NUMBERS), a category of each table (rows, tables), clicks (rows, 1), and the probability of each click."""
    truth, rng = np.random.default_rng(1), np.random.default_rng([2, seed])
    hidden = [truth.standard_normal((size, 4)) for size in tables]
    weights = truth.standard_normal(NUMBERS)
    numbers = rng.standard_normal((rows, NUMBERS)).astype(np.float32)
    # A few categories are common and most are rare, as they are everywhere.
    picked = np.stack([(size * rng.random(rows) ** 2).astype(np.int32) for size in tables], 1)
    vectors = np.stack([table[column] for table, column in zip(hidden, picked.T)], 1)
    together = ((vectors.sum(1) ** 2).sum(1) - (vectors ** 2).sum((1, 2))) / 2  # all pairs' products
    scores = 0.6 * together / np.sqrt(len(tables)) + 0.4 * numbers @ weights
    chances = 1 / (1 + np.exp(-scores))
    clicked = (rng.random(rows) < chances).astype(np.float32)
    return numbers, picked, clicked[:, None], chances


def batches(rows, tables, seed, shuffle, size=200):
    """The data pipeline."""
    columns = clicks(rows, tables, seed)[:3]
    return dataset.NumpySlicesDataset(columns, ["numbers", "categories", "click"], shuffle=shuffle).batch(size, True)


def perceptron(widths, activation="relu"):
    """Dense layers, the last one without activation."""
    layers = [nn.Dense(below, above, "xavier_uniform", activation=activation) for below, above in zip(widths, widths[1:-1])]
    return nn.SequentialCell(layers + [nn.Dense(widths[-2], widths[-1], "xavier_uniform")])


class DLRM(nn.Cell):
    """Scores of clicks; `tables` holds the number of categories of each embedding table."""

    def __init__(self, tables, size=8):
        super().__init__()
        self.embeddings = nn.CellList([nn.Embedding(rows, size, embedding_table=Normal(0.1)) for rows in tables])
        self.bottom = perceptron([NUMBERS, 32, size])
        count = len(tables) + 1
        self.top = perceptron([size + count * (count - 1) // 2, 64, 1])
        # Where the pairs below the diagonal stand among all products.
        rows, columns = np.tril_indices(count, -1)
        self.pairs = plumb.Tensor((rows * count + columns).astype(np.int32))

    def construct(self, numbers, categories):
        """The scores (N, 1)."""
        dense = self.bottom(numbers)
        vectors = [dense]
        for column, embedding in enumerate(self.embeddings):
            vectors.append(embedding(categories[:, column]))
        vectors = ops.stack(vectors, 1)
        products = ops.matmul(vectors, vectors.swapaxes(1, 2)).reshape((vectors.shape[0], -1))
        return self.top(ops.concat((dense, ops.gather(products, self.pairs, 1)), 1))


class ClickLoss(nn.Cell):
    """The network with its loss: there are three columns, so that Model cannot put the two together."""

    def __init__(self, network):
        super().__init__(auto_prefix=False)
        self.network, self.loss = network, nn.BCEWithLogitsLoss()

    def construct(self, numbers, categories, click):
        """The mean loss of a batch."""
        return self.loss(self.network(numbers, categories), click)


class Judged(nn.Cell):
    """Scores beside clicks, for metrics."""

    def __init__(self, network):
        super().__init__(auto_prefix=False)
        self.network = network

    def construct(self, numbers, categories, click):
        """Both."""
        return self.network(numbers, categories), click


def area(scores, clicked):
    """The area under the ROC curve: how often a clicked row scores higher than another one."""
    ranks = np.argsort(np.argsort(scores))
    positive = clicked > 0
    count = positive.sum()
    return (ranks[positive].sum() - count * (count - 1) / 2) / (count * (len(scores) - count))


class Area(train.Metric):
    """`area` over all batches."""

    def clear(self):
        """Forgets all rows."""
        self.rows = []

    def update(self, *inputs):
        """Keeps a batch."""
        self.rows.append(np.stack([each.asnumpy().reshape(-1) for each in inputs]))

    def eval(self):
        """The area."""
        return area(*np.concatenate(self.rows, 1))


def make_model(tables):
    """A fresh network with its optimizer: rows of tables that a batch does not name stay as they are."""
    plumb.set_seed(1)
    network = DLRM(tables)
    optimizer = nn.LazyAdam(network.trainable_params(), learning_rate=0.005)
    return train.Model(ClickLoss(network), optimizer=optimizer, eval_network=Judged(network), metrics={"area": Area()})


def main(arguments=None):
    """Trains; returns the area under the curve on other rows, and that of the true probabilities."""
    parser = argparse.ArgumentParser(description=__doc__.split("?")[0])
    parser.add_argument("--tables", default="1000,400,100,50,20", help="rows of each embedding table")
    parser.add_argument("--rows", type=int, default=100000, help="training rows")
    parser.add_argument("--epochs", type=int, default=5, help="passes over the training rows")
    options = parser.parse_args(arguments)
    tables = [int(rows) for rows in options.tables.split(",")]
    model = make_model(tables)
    model.train(options.epochs, batches(options.rows, tables, 1, True), callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    reached = model.eval(batches(10000, tables, 2, False), dataset_sink_mode=True)["area"]
    *_, clicked, chances = clicks(10000, tables, 2)
    best = area(chances, clicked[:, 0])
    print(f"area under the curve {reached:.4f}, with the true probabilities {best:.4f}")
    return reached, best


if __name__ == "__main__":
    main()
