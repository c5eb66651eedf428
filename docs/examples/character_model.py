"""A language model that writes letter by letter: `tools/python docs/examples/character_model.py`.

The text comes from a grammar of one sentence whose choices are known, and with them the entropy of a letter: no model can
do better, and a good one comes close (windows of text begin within a sentence, which costs a little). In the end the network
writes sentences of its own.
"""

import argparse
import math
import re

import numpy as np

import plumb
from plumb import dataset, nn, ops, train
from plumb.common.initializer import Normal

# One article and one form of the verb for one animal, others for several: the verb must agree over the words between.
ARTICLES = ("a", "two")
ADJECTIVES = ("small", "grey", "happy", "sleepy", "clever", "quiet", "brown", "old")
ANIMALS = ("bird", "cat", "dog", "frog", "goat", "horse", "mole", "seal")
VERBS = ("sing", "run", "wait", "dance", "dream", "sit", "play", "rest")
PLACES = ("by the river", "in the hills", "near the barn", "under a tree")
CHOICES = (ARTICLES, ADJECTIVES, ANIMALS, VERBS, PLACES)
ALPHABET = "\n" + " ." + "abcdefghijklmnopqrstuvwxyz"
SENTENCE = re.compile("(a|two) ({1}) ({2})(s?) ({3})(s?) ({4})\\.".format(*("|".join(words) for words in CHOICES)))


def sentence(article, adjective, animal, verb, place):
    """One sentence; `article` tells whether there is one animal or two."""
    plural, singular = ("s", "") if article == "two" else ("", "s")
    return f"{article} {adjective} {animal}{plural} {verb}{singular} {place}.\n"


def text(sentences, seed):
    """So many sentences as letters' numbers, each made of five independent choices."""
    rng = np.random.default_rng(seed)
    letters = "".join(sentence(*(rng.choice(words) for words in CHOICES)) for _ in range(sentences))
    return np.array([ALPHABET.index(letter) for letter in letters], np.int32)


def entropy(sentences=4000):
    """The entropy of a letter in nats: that of a sentence's choices over its mean length."""
    return sum(math.log(len(words)) for words in CHOICES) * sentences / len(text(sentences, 0))


def is_sentence(line):
    """Whether the grammar has the line."""
    match = SENTENCE.fullmatch(line)
    return bool(match) and (match[1] == "two") == (match[4] == "s") == (match[6] == "")


def batches(sentences, seed, length=64, size=32):
    """The data pipeline: windows of text, and the same windows one letter later."""
    letters = text(sentences, seed)
    count = (len(letters) - 1) // length
    windows = (letters[:count * length].reshape(count, length), letters[1:count * length + 1].reshape(count, length))
    return dataset.NumpySlicesDataset(windows, ["letters", "next"], shuffle=True).batch(size, drop_remainder=True)


class Writer(nn.Cell):
    """Letters to vectors, an LSTM, and the scores of the letter that follows each."""

    def __init__(self, hidden=128):
        super().__init__()
        self.embedding = nn.Embedding(len(ALPHABET), 16, embedding_table=Normal(0.5))
        self.lstm = nn.LSTM(16, hidden, batch_first=True)
        self.scores = nn.Dense(hidden, len(ALPHABET), "xavier_uniform")

    def construct(self, letters):
        """The scores of the next letters, (N, T, letters)."""
        states, _ = self.lstm(self.embedding(letters))
        return self.scores(states)

    def step(self, letters, state):
        """The scores behind one more letter of each row (N,), and the new state."""
        output, state = self.lstm(self.embedding(letters[:, None]), state)
        return self.scores(output[:, 0]), state


class NextLetter(nn.Cell):
    """The mean cross entropy of the letters that follow, in nats."""

    def construct(self, scores, following):
        """The loss."""
        return ops.cross_entropy(scores.reshape((-1, scores.shape[-1])), following.reshape((-1,)))


def write(network, count, length, seed=1):
    """Has the network write `count` texts at once, letter by letter, each drawn by the scores; returns strings."""
    network.set_train(False)
    rng, hidden = np.random.default_rng(seed), network.lstm.hidden_size
    following = plumb.jit(network.step)
    zeros = plumb.Tensor(np.zeros((1, count, hidden), np.float32))
    letters, state = np.zeros((length + 1, count), np.int32), (zeros, zeros)  # a text begins behind the end of a line
    for place in range(length):
        scores, state = following(plumb.Tensor(letters[place]), state)
        # The largest of scores with Gumbel's noise is a draw from their softmax.
        letters[place + 1] = (scores.asnumpy() + rng.gumbel(size=scores.shape)).argmax(1)
    return ["".join(ALPHABET[number] for number in column) for column in letters[1:].T]


def share_of_sentences(texts):
    """Which share of the whole lines the grammar has."""
    lines = [line for each in texts for line in each.split("\n")[:-1]]
    return sum(map(is_sentence, lines)) / max(1, len(lines))


def make_model(hidden=128, rate=0.005):
    """A fresh network with its loss and optimizer."""
    plumb.set_seed(1)
    network = Writer(hidden)
    return train.Model(network, NextLetter(), nn.Adam(network.trainable_params(), learning_rate=rate), {"loss"})


def main(arguments=None):
    """Trains and writes; returns the loss on other text and the share of right sentences."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--epochs", type=int, default=8, help="passes over the text")
    parser.add_argument("--sentences", type=int, default=4000, help="sentences of the text")
    parser.add_argument("--hidden", type=int, default=128, help="size of a state")
    options = parser.parse_args(arguments)
    model = make_model(options.hidden)
    model.train(options.epochs, batches(options.sentences, 1), callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    loss = model.eval(batches(500, 2), dataset_sink_mode=True)["loss"]
    texts = write(model.predict_network, 32, 400)
    print(texts[0].rpartition("\n")[0])
    share = share_of_sentences(texts)
    print(f"{loss:.3f} nats a letter, the choices have {entropy():.3f}; {share:.0%} of the lines are sentences")
    return loss, share


if __name__ == "__main__":
    main()
