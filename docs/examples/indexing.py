"""Images cut and mirrored, guesses counted, by indices: `tools/python docs/examples/indexing.py`.

Tensors are indexed and assigned to as NumPy's arrays are: slices with steps, None and `...`, integers, lists and tensors as indices, masks,
augmented assignment to parts, on values and on Parameters.
"""

import argparse

import numpy as np

import plumb
from plumb import Parameter, Tensor, nn, ops


def augmented(images, corners, mirrored, side):
    """Images with a square of zeros at each one's corner, mirrored where `mirrored` holds, framed in ones."""
    rows, columns = ops.arange(images.shape[-2]), ops.arange(images.shape[-1])
    above, left = corners[:, 0, None], corners[:, 1, None]
    within_rows = ops.logical_and(rows[None] >= above, rows[None] < above + side)
    within_columns = ops.logical_and(columns[None] >= left, columns[None] < left + side)
    cut = ops.logical_and(within_rows[:, None, :, None], within_columns[:, None, None, :])
    images = ops.select(cut.broadcast_to(images.shape), ops.zeros_like(images), images)
    images = ops.select(mirrored[:, None, None, None].broadcast_to(images.shape), images[..., ::-1], images)
    images[..., [0, -1], :] = 1.0
    images[..., 1:-1, ::images.shape[-1] - 1] = 1.0
    return images


class Confusion(nn.Cell):
    """Counts how often each label was taken for each class."""

    def __init__(self, classes):
        super().__init__()
        self.counts = Parameter(np.zeros((classes, classes), np.float32), name="counts", requires_grad=False)

    def construct(self, scores, labels):
        """Adds a batch; returns the share that was right."""
        predicted = scores.argmax(-1)
        for place in range(labels.shape[0]):
            self.counts[labels[place], predicted[place]] += 1.0
        return (predicted == labels).astype(plumb.float32).mean()


def main(arguments=None):
    """Changes images and counts guesses; returns (images before and after, corners, mirrored, scores, labels, counts)."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--side", type=int, default=6, help="of the squares that are cut out")
    options = parser.parse_args(arguments)
    plumb.set_context(mode=plumb.GRAPH_MODE)
    rng = np.random.default_rng(1)
    images, corners = rng.random((16, 3, 32, 32), np.float32), rng.integers(0, 26, (16, 2)).astype(np.int32)
    mirrored, scores, labels = rng.random(16) < 0.5, rng.standard_normal((64, 10), np.float32), rng.integers(0, 10, 64).astype(np.int32)
    changed = plumb.jit(augmented)(Tensor(images), Tensor(corners), Tensor(mirrored), options.side)
    confusion = Confusion(10)
    right = [float(confusion(Tensor(scores[first:first + 16]), Tensor(labels[first:first + 16]))) for first in range(0, 64, 16)]
    print(f"mean of the images {images.mean():.4f}, of the changed ones {float(changed.mean()):.4f}; {np.mean(right):.3f} of the guesses are right")
    return images, changed.asnumpy(), corners, mirrored, scores, labels, confusion.counts.asnumpy()


if __name__ == "__main__":
    main()
