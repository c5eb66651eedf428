"""An LSTM that learns a grammar: `tools/python docs/examples/lstm_classifier.py`.

Strings of the embedded Reber grammar (Hochreiter and Schmidhuber 1997) are told from strings with one wrong letter. The
second letter comes back as the last but one, so that the network must keep it over everything between them.
"""

import argparse

import numpy as np

import plumb
from plumb import dataset, nn, ops, train
from plumb.common.initializer import Normal

LETTERS = "BTSXPVE"
LONGEST = 24
# From each state, the letters that may follow and the states behind them.
ARROWS = [{"B": 1}, {"T": 2, "P": 3}, {"S": 2, "X": 4}, {"T": 3, "V": 5}, {"X": 3, "S": 6}, {"P": 4, "V": 6}, {"E": 7}]


def inner_string(rng):
    """A string of the plain Reber grammar."""
    state, text = 0, ""
    while state < 7:
        letter = rng.choice(list(ARROWS[state]))
        state, text = ARROWS[state][letter], text + letter
    return text


def right_string(rng):
    """A string of the embedded grammar: a plain one between two equal letters."""
    while True:
        text = "B{0}{1}{0}E".format(rng.choice(["T", "P"]), inner_string(rng))
        if len(text) <= LONGEST:
            return text


def is_right(text):
    """Whether the embedded grammar has the string."""
    state = 0
    for letter in text[2:-2]:
        if state == 7 or letter not in ARROWS[state]:
            return False
        state = ARROWS[state][letter]
    return state == 7 and text[0] == "B" and text[1] == text[-2] and text[1] in "TP" and text[-1] == "E"


def wrong_string(rng):
    """A string with one wrong letter; in every second one it is the letter that should come back."""
    text = right_string(rng)
    if rng.random() < 0.5:
        return text[:-2] + ("T" if text[-2] == "P" else "P") + text[-1]
    while True:
        place = rng.integers(len(text))
        changed = text[:place] + rng.choice(list(LETTERS)) + text[place + 1:]
        if not is_right(changed):
            return changed


def strings(count, seed):
    """`count` strings as rows of letters' numbers, zeros behind the end, and whether each is right."""
    rng = np.random.default_rng(seed)
    letters, labels = np.zeros((count, LONGEST), np.int32), rng.integers(0, 2, count).astype(np.int32)
    for row, label in enumerate(labels):
        text = right_string(rng) if label else wrong_string(rng)
        letters[row, :len(text)] = [LETTERS.index(letter) + 1 for letter in text]
    return letters, labels


def batches(count, seed, shuffle, size=50):
    """The data pipeline."""
    return dataset.NumpySlicesDataset(strings(count, seed), ["letters", "label"], shuffle=shuffle).batch(size, True)


class Classifier(nn.Cell):
    """Letters to vectors, an LSTM over them, and a decision on its last state."""

    def __init__(self, hidden=32):
        super().__init__()
        self.embedding = nn.Embedding(len(LETTERS) + 1, 8, embedding_table=Normal(0.5))
        self.lstm = nn.LSTM(8, hidden, batch_first=True)
        self.decision = nn.Dense(hidden, 2, "xavier_uniform")
        # Gates come as input, forget, cell, output. A forget gate that starts open lets gradients reach the second letter.
        bias = self.lstm.b_ih_list[0]
        bias[hidden:2 * hidden] = 3.0

    def construct(self, letters):
        """The scores of wrong and right."""
        # Strings differ in length: behind its end a row keeps its state.
        lengths = ops.reduce_sum(ops.cast(letters != 0, plumb.int32), 1)
        _, (state, _) = self.lstm(self.embedding(letters), None, lengths)
        return self.decision(state[-1])


def make_model():
    """A fresh network with its loss and optimizer."""
    plumb.set_seed(1)
    network = Classifier()
    return train.Model(network, nn.CrossEntropyLoss(), nn.Adam(network.trainable_params(), learning_rate=0.02), {"accuracy"})


def main(arguments=None):
    """Trains on fresh strings; returns the accuracy on others."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--epochs", type=int, default=10, help="passes over the training strings")
    parser.add_argument("--strings", type=int, default=10000, help="training strings")
    options = parser.parse_args(arguments)
    model = make_model()
    model.train(options.epochs, batches(options.strings, 1, True), callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    accuracy = model.eval(batches(1000, 2, False), dataset_sink_mode=True)["accuracy"]
    print(f"right about {accuracy:.1%} of 1000 other strings")
    return accuracy


if __name__ == "__main__":
    main()
