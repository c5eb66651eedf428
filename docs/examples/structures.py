"""What compiled functions take and return: `tools/python docs/examples/structures.py`.

Tensors, numbers, texts, None, in tuples, lists, dicts and named tuples, by position, by keyword and by default. Numbers and texts are known while
compiling: another value is another program. What goes wrong is an exception of the class that Python has for it, at the program's line.
"""

import argparse
import collections

import numpy as np

import plumb
from plumb import Tensor, ops

Boxes = collections.namedtuple("Boxes", "corners scores")


@plumb.jit
def kept(boxes, labels=None, *, limit=0.5, per_class=True, names=("first", "second")):
    """Boxes as they are, with scores below a limit set to 0; by name the sums of each class's scores, and how they were made.

    Args:
      boxes: Boxes of tensors (N, 4) and (N,).
      labels: the boxes' classes, or None.
    """
    scores = ops.select(boxes.scores >= limit, boxes.scores, ops.zeros_like(boxes.scores))
    sums = {}
    if per_class and labels is not None:
        for number, name in enumerate(names):
            sums[name] = (scores * (labels == number).astype(scores.dtype)).sum()
    return Boxes(boxes.corners, scores), sums, f"limit {limit}, {len(sums)} classes", None if labels is None else [labels, limit]


@plumb.jit
def shown(values, key):
    """An entry of a dict; a key that is missing is an error while compiling."""
    return values[key] * 2


def main(arguments=None):
    """Calls both in several ways; returns what the first call gave, and the class and line of an error."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--boxes", type=int, default=6)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(1)
    boxes = Boxes(Tensor(rng.random((options.boxes, 4), np.float32)), Tensor(rng.random(options.boxes, np.float32)))
    labels = Tensor(np.arange(options.boxes, dtype=np.int32) % 2)
    first = kept(boxes, labels, limit=0.4)
    found, sums, how, rest = first
    print(f"{how}: {({name: round(float(value), 4) for name, value in sums.items()})}; {type(found).__name__} and {type(rest).__name__}")
    print(kept(boxes)[1:], kept(boxes, labels, names=("even", "odd"))[1].keys())
    try:
        shown({"scores": boxes.scores}, "score")
    except KeyError as problem:
        message = str(problem)
    print(message.splitlines()[0].rsplit("/", 1)[-1])
    return boxes, labels, first, message


if __name__ == "__main__":
    main()
