"""Special functions against PyTorch's, near 0 and far out; slopes against what the functions' derivatives are."""

import unittest

import numpy as np
import torch
from torch import special

from plumb import ops
from together import Fixed, check

ALL = np.concatenate([np.linspace(-30, 30, 61) + 0.013, [-100.7, 0.0, 250.3, 7.9999, 8.0, 8.0001]])
ABOVE = np.concatenate([np.geomspace(1e-3, 80, 41), [1.9999, 2.0, 2.0001, 7.99, 8.0, 8.01]])


def sloped(function, slope):
    """PyTorch's function with a derivative that PyTorch does not have."""
    return lambda x: function(x.detach()) + (x - x.detach()) * slope(x.detach())


J0, J1, Y0, Y1 = special.bessel_j0, special.bessel_j1, special.bessel_y0, special.bessel_y1
K0, K1 = special.modified_bessel_k0, special.modified_bessel_k1
K0E, K1E = special.scaled_modified_bessel_k0, special.scaled_modified_bessel_k1


def bessel():
    """Bessel functions."""
    yield "i0", ops.bessel_i0, torch.i0, np.clip(ALL, -60, 60)
    yield "i0e", ops.bessel_i0e, special.i0e, ALL
    yield "i1", ops.bessel_i1, special.i1, np.clip(ALL, -60, 60)
    yield "i1e", ops.bessel_i1e, special.i1e, ALL
    yield "j0", ops.bessel_j0, sloped(J0, lambda x: -J1(x)), ALL
    yield "j1", ops.bessel_j1, sloped(J1, lambda x: torch.where(x == 0, 0.5, J0(x) - J1(x) / x)), ALL
    yield "k0", ops.bessel_k0, sloped(K0, lambda x: -K1(x)), ABOVE
    yield "k0e", ops.bessel_k0e, sloped(K0E, lambda x: K0E(x) - K1E(x)), ABOVE
    yield "k1", ops.bessel_k1, sloped(K1, lambda x: -K0(x) - K1(x) / x), ABOVE
    yield "k1e", ops.bessel_k1e, sloped(K1E, lambda x: K1E(x) - K0E(x) - K1E(x) / x), ABOVE
    yield "y0", ops.bessel_y0, sloped(Y0, lambda x: -Y1(x)), ABOVE
    yield "y1", ops.bessel_y1, sloped(Y1, lambda x: Y0(x) - Y1(x) / x), ABOVE
    outside = Fixed(np.array([-1.0, 0.0, 1.0]))
    yield "y0 and k0 at 0", lambda x: (ops.bessel_y0(x), ops.bessel_k0(x)), lambda x: (Y0(x), K0(x)), outside


def gammas():
    """Gamma functions and their like, inverses, neighbours."""
    positive = np.geomspace(0.05, 60, 40)
    for name in ("lgamma", "digamma"):
        yield name, getattr(ops, name), getattr(torch, name), np.concatenate([positive, [-0.3, -1.6, -7.45]])
    yield "polygamma", lambda x: ops.polygamma(1, x), lambda x: torch.polygamma(1, x), positive
    yield "mvlgamma", lambda x: ops.mvlgamma(x, 3), lambda x: torch.mvlgamma(x, 3), positive + 1.5
    yield ("zeta", ops.zeta, special.zeta, Fixed(np.array([1.0, 1.1, 2, 3, 7.5, 30, 0.5])), Fixed(np.geomspace(0.1, 50, 7)))
    yield "zeta's slope", lambda q: ops.zeta(2.5, q), sloped(lambda q: special.zeta(2.5, q), lambda q: -2.5 * special.zeta(3.5, q)), positive
    below = np.array([-0.5, -1.3, -7.25, -30.6, -0.001])
    yield "zeta below zero", lambda q: ops.zeta(3, q), sloped(lambda q: special.zeta(3.0, q), lambda q: -3 * special.zeta(4.0, q)), below
    yield ("zeta of whole numbers and poles", ops.zeta, special.zeta, Fixed(np.array([2.0, 5, 2.5, 2, 4, 1, 0.5, 3])),
           Fixed(np.array([-0.5, -3.25, -0.5, -2, 0, -0.5, -0.5, -1000.3])))
    inside = np.linspace(-0.999, 0.999, 31)
    for name in ("erfinv", "asin", "acos", "atanh"):
        yield name, getattr(ops, name), getattr(torch, name), inside
    for name in ("erfc", "tan", "atan", "sinh", "cosh", "asinh"):
        yield name, getattr(ops, name), getattr(torch, name), inside * 5
    yield "acosh", ops.acosh, torch.acosh, positive + 1
    yield "atan2", ops.atan2, torch.atan2, inside, inside[::-1].copy()


def neighbours():
    """nextafter in both types, over zeros, infinities and NaN."""
    x = np.array([0.0, -0.0, 1.0, -1.0, 1e-45, -1e-45, np.inf, np.nan, 1.0, 2.0])
    y = np.array([1.0, -1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0, np.nan, 2.0])
    for kind in (np.float32, np.float64):
        yield kind, x.astype(kind), y.astype(kind)


class SpecialTest(unittest.TestCase):
    """Two executables for each element type."""

    def test_single(self):
        check(self, bessel(), tolerance=5e-5)
        check(self, gammas(), tolerance=5e-5)

    def test_double(self):
        rows = [row for row in bessel() if row[0] in ("i1e", "j0", "k1", "y1")]
        check(self, rows, np.float64, tolerance=1e-6)

    def test_neighbours(self):
        import plumb
        for kind, x, y in neighbours():
            np.testing.assert_array_equal(ops.nextafter(plumb.Tensor(x), plumb.Tensor(y)).asnumpy(), np.nextafter(x, y))


if __name__ == "__main__":
    unittest.main()
