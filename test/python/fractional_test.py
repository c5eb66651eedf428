"""Fractional pooling: windows at given places beside PyTorch's; what is drawn covers the image and comes again by seeds."""

import unittest

import numpy as np
import torch

from plumb import Tensor, nn, ops
from numeric import numbers
from together import Fixed, check

IMAGES, VOLUMES = numbers(2, 3, 13, 17), numbers(2, 3, 9, 13, 17)


def torch_pool(rank, kernel, sizes):
    """PyTorch's pooling by places."""
    function = (torch.nn.functional.fractional_max_pool2d, torch.nn.functional.fractional_max_pool3d)[rank - 2]
    return lambda x, s: function(x, kernel, sizes, return_indices=True, _random_samples=s)


class FractionalTest(unittest.TestCase):
    def test_by_places(self):
        two, three = Fixed(numbers(2, 3, 2, low=0, high=1)), Fixed(numbers(2, 3, 3, low=0, high=1))
        check(self, [
            ("images", lambda x, s: ops.fractional_max_pool2d(x, (3, 2), (5, 7), None, True, s), torch_pool(2, (3, 2), (5, 7)), IMAGES, two),
            ("one window", lambda x, s: ops.FractionalMaxPoolWithFixedKsize(4, (1, 9))(x, s), torch_pool(2, 4, (1, 9)), IMAGES, two),
            ("volumes", lambda x, s: ops.fractional_max_pool3d(x, (2, 3, 2), (4, 5, 7), None, True, s), torch_pool(3, (2, 3, 2), (4, 5, 7)),
             VOLUMES, three)])

    def test_drawn(self):
        x = Tensor(IMAGES.astype(np.float32))
        values, places = nn.FractionalMaxPool2d(2, output_ratio=0.5, return_indices=True)(x)
        self.assertEqual(values.shape, (2, 3, 6, 8))
        picked = np.take_along_axis(IMAGES.reshape(2, 3, -1), places.asnumpy().reshape(2, 3, -1), 2)
        np.testing.assert_allclose(values.asnumpy().reshape(2, 3, -1), picked, 1e-6)

    def test_stretches(self):
        x = IMAGES.transpose(0, 2, 3, 1).astype(np.float32)
        for kind, reduced in ((ops.FractionalMaxPool, np.max), (ops.FractionalAvgPool, np.mean)):
            for pseudo, shared in ((False, False), (True, True)):
                with self.subTest(kind=kind.__name__, pseudo=pseudo):
                    values, rows, columns = [value.asnumpy() for value in kind([1.0, 1.5, 1.7, 1.0], pseudo, shared)(Tensor(x))]
                    self.assertEqual((rows[0], rows[-1], columns[0], columns[-1]), (0, 13, 0, 17))
                    self.assertTrue(set(np.diff(rows)) <= {1, 2} and set(np.diff(columns)) <= {1, 2} and len(rows) == 9 and len(columns) == 11)
                    expected = [[reduced(x[:, top:bottom + shared, left:right + shared], (1, 2)) for left, right in zip(columns, columns[1:])]
                                for top, bottom in zip(rows, rows[1:])]
                    np.testing.assert_allclose(values, np.array(expected).transpose(2, 0, 1, 3), 1e-5, 1e-6)

    def test_seeds(self):
        x = Tensor(IMAGES.transpose(0, 2, 3, 1).astype(np.float32))
        pool = ops.FractionalMaxPool([1.0, 1.5, 1.7, 1.0], deterministic=True, seed=3)
        first, second = pool(x), pool(x)
        np.testing.assert_array_equal(first[1].asnumpy(), second[1].asnumpy())
        np.testing.assert_array_equal(first[2].asnumpy(), second[2].asnumpy())

    def test_refusals(self):
        with self.assertRaisesRegex(ValueError, "must be 0 unless"):
            ops.FractionalMaxPool([1.0, 1.5, 1.5, 1.0], seed=1)
        with self.assertRaisesRegex(ValueError, "do not fit"):
            ops.fractional_max_pool2d(Tensor(IMAGES.astype(np.float32)), 5, 12)
        with self.assertRaisesRegex(ValueError, "give 'output_size'"):
            nn.FractionalMaxPool2d(2)


if __name__ == "__main__":
    unittest.main()
