"""Incomplete gamma and beta functions beside PyTorch's and closed forms; random numbers of the gamma and Poisson distributions."""

import math
import unittest

import numpy as np
import torch

import plumb
from plumb import Tensor, ops

RNG = np.random.default_rng(4)


class IncompleteGammaTest(unittest.TestCase):
    """P(a, x) and its complement."""

    def setUp(self):
        a = np.concatenate([RNG.uniform(0.01, 3, 200), RNG.uniform(3, 100, 200), RNG.uniform(100, 5000, 100)])
        self.a, self.x = a, np.abs(a * RNG.uniform(0.2, 2, 500) + RNG.normal(0, 1, 500) * np.sqrt(a))

    def test_values(self):
        for name, other in (("igamma", torch.special.gammainc), ("igammac", torch.special.gammaincc)):
            expected = other(torch.tensor(self.a), torch.tensor(self.x)).numpy()
            np.testing.assert_allclose(getattr(ops, name)(Tensor(self.a), Tensor(self.x)).asnumpy(), expected, rtol=2e-9, atol=1e-300)
            single = getattr(ops, name)(Tensor(self.a.astype(np.float32)), Tensor(self.x.astype(np.float32))).asnumpy()
            self.assertEqual(single.dtype, np.float32)
            expected = other(torch.tensor(self.a.astype(np.float32)).double(), torch.tensor(self.x.astype(np.float32)).double())
            np.testing.assert_allclose(single, expected.numpy(), rtol=2e-6, atol=1e-37)

    def test_limits(self):
        a, x = Tensor([1.0, 2.0, 0.0, 3.0, -1.0, 1.0, 0.0]), Tensor([0.0, math.inf, 2.0, 0.0, 1.0, -1.0, 0.0])
        np.testing.assert_array_equal(ops.igamma(a, x).asnumpy(), [0, 1, 1, 0, np.nan, np.nan, np.nan])
        np.testing.assert_array_equal(ops.igammac(a, x).asnumpy(), [1, 0, 0, 1, np.nan, np.nan, np.nan])

    def test_gradients(self):
        """By x the gamma distribution's density; by a as differences of PyTorch's values have it."""
        a, x = self.a[:450], self.x[:450]
        by_a, by_x = plumb.grad(lambda *values: ops.igamma(*values).sum(), (0, 1))(Tensor(a), Tensor(x))
        density = torch.distributions.Gamma(torch.tensor(a), 1.0).log_prob(torch.tensor(x)).exp().numpy()
        np.testing.assert_allclose(by_x.asnumpy(), density, rtol=1e-8)
        step = 1e-5 * np.maximum(a, 0.1)
        above, below = (torch.special.gammainc(torch.tensor(a + sign * step), torch.tensor(x)).numpy() for sign in (1, -1))
        np.testing.assert_allclose(by_a.asnumpy(), (above - below) / (2 * step), rtol=1e-4, atol=1e-7)
        upper = plumb.grad(lambda *values: ops.igammac(*values).sum(), (0, 1))(Tensor(a), Tensor(x))
        np.testing.assert_array_equal(upper[1].asnumpy(), -by_x.asnumpy())
        np.testing.assert_array_equal(upper[0].asnumpy(), -by_a.asnumpy())

    def test_spellings(self):
        a, x = Tensor([[2.0], [4.0]]), Tensor([1.0, 3.0, 8.0])
        expected = torch.special.gammainc(torch.tensor([[2.0], [4.0]]), torch.tensor([1.0, 3.0, 8.0])).numpy()
        for result in (ops.Igamma()(a, x), a.igamma(x), ops.igamma(a, x)):
            np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-6)
        for result in (ops.Igammac()(a, x), a.igammac(x)):
            np.testing.assert_allclose(result.asnumpy(), 1 - expected, rtol=1e-5)


class IncompleteBetaTest(unittest.TestCase):
    """I_x(a, b)."""

    def test_whole_numbers(self):
        """For whole a and b it is a binomial distribution's tail."""
        for a, b in ((1, 1), (2, 5), (7, 3), (20, 31)):
            x = RNG.uniform(0, 1, 50)
            expected = sum(math.comb(a + b - 1, j) * x ** j * (1 - x) ** (a + b - 1 - j) for j in range(a, a + b))
            result = ops.betainc(Tensor(np.full(50, float(a))), Tensor(np.full(50, float(b))), Tensor(x))
            np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-10)

    def test_symmetry_and_limits(self):
        a, b, x = (RNG.uniform(0.1, 50, 100), RNG.uniform(0.1, 50, 100), RNG.uniform(0, 1, 100))
        one = ops.Betainc()(Tensor(a), Tensor(b), Tensor(x)).asnumpy()
        other = ops.Betainc()(Tensor(b), Tensor(a), Tensor(1 - x)).asnumpy()
        np.testing.assert_allclose(one + other, 1, atol=1e-12)
        ends = ops.betainc(Tensor([1.0, 2.0, 1.0]), Tensor([3.0, 2.0, 1.0]), Tensor([0.0, 1.0, 1.5]))
        np.testing.assert_array_equal(ends.asnumpy(), [0, 1, np.nan])
        np.testing.assert_allclose(ops.betainc(Tensor(0.5), Tensor(0.5), Tensor(0.3)).asnumpy(),
                                   2 / math.pi * math.asin(math.sqrt(0.3)), rtol=1e-6)

    def test_gradient(self):
        a, b, x = np.asarray([2.0, 0.7, 5.0]), np.asarray([3.0, 1.5, 0.5]), np.asarray([0.2, 0.5, 0.9])
        gradient = plumb.grad(lambda value: ops.betainc(Tensor(a), Tensor(b), value).sum())(Tensor(x))
        density = torch.distributions.Beta(torch.tensor(a), torch.tensor(b)).log_prob(torch.tensor(x)).exp().numpy()
        np.testing.assert_allclose(gradient.asnumpy(), density, rtol=1e-8)


class RandomTest(unittest.TestCase):
    """Shapes, types and moments."""

    def setUp(self):
        plumb.set_seed(2)

    def test_gamma(self):
        alpha, beta = Tensor([0.5, 1.0, 9.0]), Tensor([[2.0], [1.0]])
        drawn = ops.gamma((20000, 2, 3), alpha, beta).asnumpy()
        np.testing.assert_allclose(drawn.mean(0), alpha.asnumpy() / beta.asnumpy(), rtol=0.05)
        np.testing.assert_allclose(drawn.var(0), alpha.asnumpy() / beta.asnumpy() ** 2, rtol=0.1)
        self.assertEqual(ops.Gamma(3)((4, 2, 3), alpha, beta).shape, (4, 2, 3))
        drawn = ops.random_gamma((10000,), alpha)
        self.assertEqual((drawn.shape, drawn.dtype), ((10000, 3), plumb.float32))
        np.testing.assert_allclose(drawn.asnumpy().mean(0), alpha.asnumpy(), rtol=0.05)
        self.assertEqual(ops.RandomGamma()((2,), Tensor(np.float64([1.0]))).dtype, plumb.float64)

    def test_poisson(self):
        rate = Tensor([0.2, 5.0, 200.0])
        drawn = ops.random_poisson((20000,), rate)
        self.assertEqual((drawn.shape, drawn.dtype), ((20000, 3), plumb.float32))
        np.testing.assert_allclose(drawn.asnumpy().mean(0), rate.asnumpy(), rtol=0.03)
        np.testing.assert_allclose(drawn.asnumpy().var(0), rate.asnumpy(), rtol=0.06)
        self.assertEqual(ops.RandomPoisson(dtype=plumb.int32)((2,), rate).dtype, plumb.int32)
        self.assertEqual(ops.Poisson()((4, 3), rate).shape, (4, 3))


if __name__ == "__main__":
    unittest.main()
