"""Iterators that compute their items when these are taken, on inputs for which tensors decide otherwise, as CPython has them."""

import unittest

import numpy as np

import plumb
from plumb import Tensor
from language_iterators import TENSOR_ROWS
from language_test import plain


def bare(value):
    """Numbers that a branch has made tensors as numbers."""
    if isinstance(value, (list, tuple)):
        return type(value)(bare(item) for item in value)
    return value.asnumpy().item() if isinstance(value, Tensor) and value.shape == () else value


class IteratorsTest(unittest.TestCase):
    """Compiled functions against CPython."""

    def test_rows(self):
        for what, function in TENSOR_ROWS:
            compiled = plumb.jit(function)
            for numbers in ([2, 1], [-2, -1], [9, 30]):
                with self.subTest(what, numbers=numbers):
                    x = Tensor(np.float32(numbers))
                    self.assertEqual(repr(plain(bare(compiled(x)))), repr(plain(bare(function(x)))))


if __name__ == "__main__":
    unittest.main()
