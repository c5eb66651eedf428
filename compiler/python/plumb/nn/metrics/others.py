"""BLEU scores of translations, and which parts of an image a network looks at."""

import itertools
from collections import Counter

import numpy as np

from plumb._checkparam import check_value_type
from plumb.common.tensor import Tensor
from plumb.nn.metrics.metric import Metric, array_of, rearrange_inputs


class BleuScore(Metric):
    """BLEU of a corpus (Papineni et al. 2002): the geometric mean of n-gram precisions, less for short translations.

    Args:
      n_gram: longest n-grams, 1 to 4.
      smooth: whether one is added to the numerators and denominators of the precisions.
    """

    def __init__(self, n_gram=4, smooth=False):
        super().__init__()
        check_value_type("n_gram", n_gram, int, "BleuScore")
        check_value_type("smooth", smooth, bool, "BleuScore")
        if not 1 <= n_gram <= 4:
            raise ValueError(f"For 'BleuScore', the 'n_gram' must be 1 to 4, but got {n_gram}.")
        self.n_gram, self.smooth = n_gram, smooth
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._found, self._all = np.zeros(self.n_gram), np.zeros(self.n_gram)
        self._length = self._wanted = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Adds translations, lists of words, and for each of them a list of right ones."""
        if len(inputs) != 2 or len(inputs[0]) != len(inputs[1]):
            raise ValueError("For 'BleuScore.update', it needs 2 inputs (translations, references) of the same length.")
        for candidate, references in zip(*inputs):
            self._length += len(candidate)
            self._wanted += min((len(reference) for reference in references),
                                key=lambda length: (abs(length - len(candidate)), length))
            allowed = Counter()
            for reference in references:
                allowed |= _grams(reference, self.n_gram)
            counts = _grams(candidate, self.n_gram)
            for gram, count in (counts & allowed).items():
                self._found[len(gram) - 1] += count
            for gram, count in counts.items():
                self._all[len(gram) - 1] += count

    def eval(self):
        """Returns the score."""
        self._needs(self._length)
        if self._found.min() == 0:
            return np.float64(0.0)
        extra = 1 if self.smooth else 0
        precision = np.exp(np.log((self._found + extra) / (self._all + extra)).mean())
        return precision * min(1.0, np.exp(1 - self._wanted / self._length))


def _grams(words, longest):
    return Counter(tuple(words[start:start + length]) for length in range(1, longest + 1)
                   for start in range(len(words) - length + 1))


class OcclusionSensitivity(Metric):
    """How much a network's output for a class falls when the neighbourhood of each element of the input is covered.

    Args:
      pad_val: what covers.
      margin: an element and the `margin` elements before it, and `margin` - 1 behind it, are covered along each axis.
      n_batch: how many covered inputs the network gets at once.
      b_box: the first and the last element of each axis of the input but the first, [first, last, first, last, …], -1 for the
        ends; only those are looked at. None looks at all.
    """

    def __init__(self, pad_val=0.0, margin=2, n_batch=128, b_box=None):
        super().__init__()
        check_value_type("pad_val", pad_val, (int, float), "OcclusionSensitivity")
        check_value_type("margin", margin, (int, list, tuple), "OcclusionSensitivity")
        check_value_type("n_batch", n_batch, int, "OcclusionSensitivity")
        check_value_type("b_box", b_box, (list, tuple, type(None)), "OcclusionSensitivity")
        self.pad_val, self.margin, self.n_batch, self.b_box = pad_val, margin, n_batch, b_box
        self.clear()

    def clear(self):
        """Forgets what was seen."""
        self._falls = None

    @rearrange_inputs
    def update(self, *inputs):
        """Takes the network, one input (1, …) and its class."""
        if len(inputs) != 3:
            raise ValueError(f"For 'OcclusionSensitivity.update', it needs 3 inputs (model, y_pred, label), but got {len(inputs)}.")
        model, image, label = inputs[0], array_of(inputs[1]), array_of(inputs[2]).reshape(-1)
        if image.shape[0] != 1 or len(label) != 1:
            raise RuntimeError("For 'OcclusionSensitivity.update', the input must be one, with one label.")
        ranges = self._ranges(image.shape[1:])
        covered = [self._covered(image[0], place) for place in itertools.product(*ranges)]
        outputs = [_outputs(model, image, 1)] + [_outputs(model, np.stack(covered[at:at + self.n_batch]), self.n_batch)
                                                 for at in range(0, len(covered), self.n_batch)]
        outputs = np.concatenate(outputs)[:, label[0]]
        falls = (outputs[0] - outputs[1:]).reshape([len(positions) for positions in ranges])
        self._falls = falls.squeeze()

    def _ranges(self, shape):
        """The positions along each axis that are looked at."""
        if self.b_box is None:
            return [range(extent) for extent in shape]
        if len(self.b_box) != 2 * len(shape):
            raise ValueError(f"For 'OcclusionSensitivity', b_box must have two numbers for each of {len(shape)} axes, but got "
                             f"{list(self.b_box)}.")
        found = []
        for first, last, extent in zip(self.b_box[::2], self.b_box[1::2], shape):
            first, last = 0 if first == -1 else first, extent - 1 if last == -1 else last
            if not 0 <= first <= last < extent:
                raise ValueError(f"For 'OcclusionSensitivity', b_box {list(self.b_box)} does not fit an input of the shape {list(shape)}.")
            found.append(range(first, last + 1))
        return found

    def _covered(self, image, place):
        margins = (self.margin,) * image.ndim if isinstance(self.margin, int) else tuple(self.margin)
        image = image.copy()
        image[tuple(slice(max(at - margin, 0), at + margin) for at, margin in zip(place, margins))] = self.pad_val
        return image

    def eval(self):
        """Returns the falls, in the shape of what was looked at without axes of one element."""
        self._needs(self._falls is not None)
        return self._falls


def _outputs(model, batch, rows):
    """What the model gives for a batch; a smaller one is filled up, so that it is compiled for one size."""
    filled = np.concatenate([batch, np.repeat(batch[-1:], rows - len(batch), 0)]) if len(batch) < rows else batch
    return model(Tensor(filled)).asnumpy()[:len(batch)]
