"""A decoder that keeps keys and values in an object: `tools/python docs/examples/state_in_objects.py`.

Lists, dicts and attributes of objects that compiled code changes have Python's meaning within a call, also through other names of the
same object. What is to stay from one call to the next is a Parameter.
"""

import argparse

import numpy as np

import plumb
from plumb import Parameter, Tensor, nn, ops


class Cache:
    """Keys and values of the words so far."""

    def __init__(self):
        self.keys, self.values, self.seen = [], [], {}

    def extend(self, key, value):
        """Takes in one word's; returns all of both, stacked."""
        self.keys.append(key)
        self.values += [value]
        self.seen["words"] = len(self.keys)
        return ops.stack(self.keys, 1), ops.stack(self.values, 1)


class Decoder(nn.Cell):
    """Words one after the other: each attends to those before it and itself."""

    def __init__(self, width=32):
        super().__init__()
        self.query, self.key, self.value = nn.Dense(width, width), nn.Dense(width, width), nn.Dense(width, width)
        self.calls = Parameter(Tensor(0, plumb.int32), name="calls", requires_grad=False)

    def attend(self, word, cache):
        """The word's values by its query."""
        keys, values = cache.extend(self.key(word), self.value(word))
        scores = (keys * self.query(word).expand_dims(1)).sum(-1) / word.shape[-1] ** 0.5
        return (ops.softmax(scores, -1).expand_dims(-1) * values).sum(1)

    def construct(self, words):
        """Attended words (N, T, width), how many are cached, and how often the network has been called."""
        cache, found = Cache(), []
        alias = found
        for place in range(words.shape[1]):
            alias.append(self.attend(words[:, place], cache))
        self.calls += 1
        return ops.stack(found, 1), cache.seen["words"], self.calls.value()


def main(arguments=None):
    """Runs the decoder twice; returns (the decoder, the words, what the last call gave)."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--words", type=int, default=12)
    options = parser.parse_args(arguments)
    plumb.set_context(mode=plumb.GRAPH_MODE)
    plumb.set_seed(1)
    decoder = Decoder()
    words = Tensor(np.random.default_rng(1).standard_normal((4, options.words, 32), np.float32))
    for _ in range(2):
        attended, cached, calls = decoder(words)
        print(f"call {int(calls)}: {cached} words cached, mean square {float((attended * attended).mean()):.6f}")
    return decoder, words, (attended, cached, calls)


if __name__ == "__main__":
    main()
