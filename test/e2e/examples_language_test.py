"""The examples about the language: their results beside NumPy, closed forms and PyTorch."""

import unittest

import numpy as np
import torch

import examples
import plumb


def attended(decoder, words):
    """The decoder's words by PyTorch, all at once, with a mask."""
    weights = {each.name: torch.tensor(each.asnumpy()) for each in decoder.get_parameters()}
    query, key, value = [examples.dense(weights, name, torch.tensor(words.asnumpy())) for name in ("query", "key", "value")]
    scores = query @ key.transpose(1, 2) / words.shape[-1] ** 0.5
    mask = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return (torch.softmax(scores.masked_fill(mask, float("-inf")), -1) @ value).numpy()


class LanguageTest(unittest.TestCase):
    """One program each."""

    def setUp(self):
        self.addCleanup(plumb.set_context, mode=plumb.get_context("mode"))

    def test_known_values(self):
        """Anchors that NumPy makes while compiling are where NumPy puts them."""
        program, (head, maps, boxes), _ = examples.run("known_values", "--side", 96)
        first = 0
        for level in program.LEVELS:
            layer, x = head.offsets[level.name], torch.tensor(maps[level.name].asnumpy())
            moved = torch.nn.functional.conv2d(x, torch.tensor(layer.weight.asnumpy()), torch.tensor(layer.bias.asnumpy()))
            moved = moved.permute(0, 2, 3, 1).reshape(2, -1, 4).numpy()
            rows = 96 // level.stride
            sides = [(size / ratio ** 0.5, size * ratio ** 0.5) for ratio in (0.5, 1.0, 2.0) for size in level.sizes]
            own = np.array([(column + 0.5, row + 0.5) + side for row in range(rows) for column in range(rows) for side in sides], np.float32)
            own = own * level.stride
            middle, extent = own[:, :2] + moved[..., :2] * own[:, 2:], own[:, 2:] * np.exp(moved[..., 2:])
            wanted = np.concatenate([middle - extent / 2, middle + extent / 2], -1)
            np.testing.assert_allclose(boxes.asnumpy()[:, first:first + len(own)], wanted, rtol=1e-4, atol=1e-3)
            first += len(own)
        self.assertEqual(first, boxes.shape[1])

    def test_state_in_objects(self):
        """Words that an object keeps one after the other give what a mask over all gives."""
        _, (decoder, words, (found, cached, calls)), _ = examples.run("state_in_objects", "--words", 7)
        np.testing.assert_allclose(found.asnumpy(), attended(decoder, words), rtol=1e-4, atol=1e-6)
        self.assertEqual((cached, int(calls)), (7, 2))

    def test_control_flow(self):
        """Steps that the error decides end at the exact solutions; derivatives by the rate, too."""
        _, found, _ = examples.run("control_flow", "--end", 2)
        start, rate, end = np.linspace(0.1, 0.9, 5), 1.5, 2.0
        grown = start * np.exp(rate * end)
        logistic = grown / (1 - start + grown)
        share = rate / (1 + rate ** 2)
        driven = share * (rate * np.cos(end) + np.sin(end)) + (start - share * rate) * np.exp(-rate * end)
        exact = {"decay": start * np.exp(-rate * end), "logistic": logistic, "driven": driven}
        slopes = {"decay": -end * exact["decay"].sum(), "logistic": (end * logistic * (1 - logistic)).sum()}
        for name, (values, taken, slope) in found.items():
            np.testing.assert_allclose(values, exact[name], atol=2e-4)
            self.assertLess(taken, 100)
            if name in slopes:
                self.assertAlmostEqual(slope, slopes[name], delta=5e-3)

    def test_indexing(self):
        """Images and counts are NumPy's."""
        _, (before, after, corners, mirrored, scores, labels, counts), _ = examples.run("indexing", "--side", 5)
        for image, changed, (row, column), mirror in zip(before, after, corners, mirrored):
            wanted = image.copy()
            wanted[:, row:row + 5, column:column + 5] = 0
            wanted = wanted[..., ::-1].copy() if mirror else wanted
            wanted[:, [0, -1], :] = wanted[:, :, [0, -1]] = 1
            np.testing.assert_array_equal(changed, wanted)
        wanted = np.zeros((10, 10), np.float32)
        np.add.at(wanted, (labels, scores.argmax(-1)), 1)
        np.testing.assert_array_equal(counts, wanted)

    def test_gradients(self):
        """The wave comes near to sin, Newton's method to the root, and rounding passes gradients on."""
        _, (error, point, through), _ = examples.run("gradients", "--steps", 1500)
        self.assertLess(error, 0.02)
        np.testing.assert_allclose([point[0] ** 2 + point[1] ** 2, np.exp(point[0]) - 1], [4, point[1]], rtol=1e-5)
        np.testing.assert_array_equal(through, [0, 4, 4])

    def test_structures(self):
        """What goes in comes out in the same structure; a missing key is a KeyError at its line."""
        _, (boxes, labels, (found, sums, how, rest), message), _ = examples.run("structures", "--boxes", 9)
        scores = np.where(boxes.scores.asnumpy() >= np.float32(0.4), boxes.scores.asnumpy(), 0)
        np.testing.assert_array_equal(found.scores.asnumpy(), scores)
        self.assertEqual(type(found).__name__, "Boxes")
        self.assertEqual((list(sums), how, rest[1]), (["first", "second"], "limit 0.4, 2 classes", 0.4))
        np.testing.assert_allclose([float(one) for one in sums.values()], [scores[::2].sum(), scores[1::2].sum()], rtol=1e-6)
        np.testing.assert_array_equal(rest[0].asnumpy(), labels.asnumpy())
        self.assertRegex(message, r"structures\.py:\d+:\d+: error: KeyError: ")

    def test_eager(self):
        """Operations one by one give what the compiled network gives; the hook has seen the hidden layer."""
        _, (scores, compiled, seen, by_operations, by_program), _ = examples.run("eager", "--rows", 12)
        np.testing.assert_allclose(scores, compiled, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(by_operations, by_program, rtol=1e-4, atol=1e-7)
        self.assertEqual(len(seen), 1)
        self.assertTrue(0.2 < seen[0] < 0.8)


if __name__ == "__main__":
    unittest.main()
