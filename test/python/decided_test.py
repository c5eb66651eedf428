"""Functions and objects where tensors decide how far a program runs, on inputs for which they decide otherwise, as CPython has them."""

import time
import unittest

import numpy as np

import plumb
from plumb import Tensor
from iterators_test import bare
from language_decided import TENSOR_ROWS
from language_test import plain

INPUTS = [[1, 2, 3, -1, -2, -3], [-1, -2, -3, -4, -5, -6], [5, 1, 1, 1, 1, 1], [-1, 6, 2, 2, 2, 2], [1, 2, 3, 4, -1, 2], [-2, -1, 9, 1, 1, 1],
          [-1, -1, -1, -1, -1, -1], [0.5, 1, 2, 3, 4, -5], [-5, -1, 1, 3, -1, 9], [0, 0, 0, 0, 1, 0]]


class DecidedTest(unittest.TestCase):
    """Compiled functions against CPython."""

    def test_rows(self):
        for what, function in TENSOR_ROWS:
            compiled = plumb.jit(function)
            for numbers in INPUTS:
                with self.subTest(what, numbers=numbers):
                    x = Tensor(np.float32(numbers).reshape(2, 3))
                    self.assertEqual(repr(plain(bare(compiled(x)))), repr(plain(bare(function(x)))))

    def test_identity_in_linear_time(self):
        """A tensor that each of many iterations may have put another one for."""
        def chosen(x):
            last = x[0]
            for i in range(60):
                if x[i] > 4:
                    break
                if x[i] < 0:
                    last = last + x[i]
            return last * (2 if last is x else 3)

        start = time.monotonic()
        x = np.float32(np.arange(60) % 5 - 2)
        self.assertEqual(float(plumb.jit(chosen)(Tensor(x)).asnumpy()), float(x[0] + x[x < 0].sum()) * 3)
        self.assertLess(time.monotonic() - start, 60)


if __name__ == "__main__":
    unittest.main()
