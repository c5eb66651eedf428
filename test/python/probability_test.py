"""`nn.probability` beside PyTorch's distributions: densities, moments, divergences, gradients; samples by their moments."""

import unittest

import numpy as np
import torch
import torch.distributions as td

import plumb
import plumb.nn.probability.bijector as msb
import plumb.nn.probability.distribution as msd
from plumb import Tensor, nn
from plumb.nn.probability import bnn_layers

td.Distribution.set_default_validate_args(False)
RNG = np.random.default_rng(16)
SHAPE = (40, 3)


def positive(low=0.3, high=4.0):
    return RNG.uniform(low, high, 3).astype(np.float32)


def real():
    return RNG.normal(0, 2, 3).astype(np.float32)


def shares():
    return RNG.uniform(0.05, 0.95, 3).astype(np.float32)


REALS = RNG.normal(0, 3, SHAPE).astype(np.float32)
POSITIVES = RNG.uniform(0.01, 6, SHAPE).astype(np.float32)
UNITS = RNG.uniform(0.01, 0.99, SHAPE).astype(np.float32)
COUNTS = RNG.integers(0, 9, SHAPE).astype(np.float32)
BITS = RNG.integers(0, 2, SHAPE).astype(np.float32)

#: Name: the distribution there, this one's parameters and another's, values, what both have beside densities.
CASES = {
    "Normal": (td.Normal, [real(), positive()], [real(), positive()], REALS, "cdf mean sd var entropy kl_loss"),
    "Uniform": (td.Uniform, [real() - 3, positive() + 3], [real() - 30, positive() + 30], REALS, "cdf mean sd var entropy kl_loss"),
    "Bernoulli": (td.Bernoulli, [shares()], [shares()], BITS, "mean sd var entropy kl_loss"),
    "Geometric": (td.Geometric, [shares()], [shares()], COUNTS, "mean sd var entropy kl_loss"),
    "Exponential": (td.Exponential, [positive()], [positive()], POSITIVES, "cdf mean sd var entropy kl_loss"),
    "Cauchy": (td.Cauchy, [real(), positive()], [real(), positive()], REALS, "cdf entropy"),
    "Gamma": (td.Gamma, [positive(), positive()], [positive(), positive()], POSITIVES, "mean sd var entropy kl_loss"),
    "Beta": (td.Beta, [positive(), positive()], [positive(), positive()], UNITS, "mean sd var entropy kl_loss"),
    "Poisson": (td.Poisson, [positive()], [positive()], COUNTS, "mean var"),
    "LogNormal": (td.LogNormal, [real() / 3, positive(0.2, 1)], [real() / 3, positive(0.2, 1)], POSITIVES, "cdf mean var entropy"),
    "Gumbel": (td.Gumbel, [real(), positive()], [real(), positive()], REALS, "cdf mean sd var entropy kl_loss"),
    "HalfNormal": (lambda mean, sd: td.TransformedDistribution(td.HalfNormal(sd), td.AffineTransform(mean, 1.0)),
                   [np.zeros(3, np.float32), positive()], None, POSITIVES, ""),
    "Laplace": (td.Laplace, [real(), positive()], None, REALS, ""),
    "StudentT": (td.StudentT, [positive(), real(), positive()], None, REALS, ""),
}


def logistic(loc, scale):
    """PyTorch's logistic distribution, made of an even one."""
    base = td.Uniform(torch.zeros(3), torch.ones(3))
    return td.TransformedDistribution(base, [td.SigmoidTransform().inv, td.AffineTransform(loc, scale)])


CASES["Logistic"] = (logistic, [real(), positive()], None, REALS, "cdf")


def close(result, expected, rtol=2e-5, atol=2e-5):
    """Compares a tensor with one of PyTorch's."""
    np.testing.assert_allclose(result.asnumpy(), expected.detach().numpy(), rtol=rtol, atol=atol)


class DistributionsTest(unittest.TestCase):
    """Every distribution of one row of parameters."""

    def test_densities(self):
        for name, (other, first, _, values, _) in CASES.items():
            with self.subTest(distribution=name):
                mine, torchs = getattr(msd, name)(*first), other(*map(torch.tensor, first))
                expected = torchs.log_prob(torch.tensor(values)) if name != "Uniform" else torch.log(
                    ((torch.tensor(values) >= torchs.low) & (torch.tensor(values) <= torchs.high)) / (torchs.high - torchs.low))
                close(mine.log_prob(Tensor(values)), expected)
                close(mine.prob(Tensor(values)), torch.exp(expected))

    def test_moments(self):
        for name, (other, first, second, values, has) in CASES.items():
            mine, torchs = getattr(msd, name)(*first), other(*map(torch.tensor, first))
            for method in has.split():
                with self.subTest(distribution=name, method=method):
                    if method == "cdf":
                        close(mine.cdf(Tensor(values)), torchs.cdf(torch.tensor(values)))
                        close(mine.survival_function(Tensor(values)), 1 - torchs.cdf(torch.tensor(values)))
                        close(plumb.ops.exp(mine.log_cdf(Tensor(values))), torchs.cdf(torch.tensor(values)))
                    elif method == "kl_loss":
                        expected = td.kl_divergence(torchs, other(*map(torch.tensor, second)))
                        close(mine.kl_loss(name, *map(Tensor, second)), expected, 1e-4, 1e-4)
                        close(mine.cross_entropy(name, *map(Tensor, second)), expected + torchs.entropy(), 1e-4, 1e-4)
                    else:
                        expected = {"mean": lambda: torchs.mean, "sd": lambda: torchs.stddev, "var": lambda: torchs.variance,
                                    "entropy": torchs.entropy}[method]()
                        close(getattr(mine, method)(), expected, 1e-4, 1e-4)

    def test_parameters_of_the_call(self):
        for name, (other, first, _, values, _) in CASES.items():
            if name == "Gumbel":
                continue
            with self.subTest(distribution=name):
                mine = getattr(msd, name)()
                expected = other(*map(torch.tensor, first)).log_prob(torch.tensor(values)) if name != "Uniform" else None
                result = mine.log_prob(Tensor(values), *map(Tensor, first))
                if expected is not None:
                    close(result, expected)
                with self.assertRaisesRegex(ValueError, "must be given"):
                    mine.log_prob(Tensor(values))

    def test_gradients(self):
        for name in ("Normal", "Gamma", "Beta", "Poisson", "StudentT", "Logistic", "Cauchy", "LogNormal"):
            other, first, _, values, _ = CASES[name]
            with self.subTest(distribution=name):
                mine = getattr(msd, name)()
                leaves = [torch.tensor(array, requires_grad=True) for array in first]
                other(*leaves).log_prob(torch.tensor(values)).sum().backward()
                function = lambda *parameters: mine.log_prob(Tensor(values), *parameters).sum()
                gradients = plumb.grad(function, tuple(range(len(first))))(*map(Tensor, first))
                for gradient, leaf in zip(gradients if isinstance(gradients, tuple) else (gradients,), leaves):
                    close(gradient, leaf.grad, 2e-4, 2e-3)

    def test_cumulative_counts(self):
        for name, distribution in (("Poisson", td.Poisson(torch.tensor(2.5))), ("Geometric", td.Geometric(torch.tensor(0.3)))):
            mine = getattr(msd, name)(2.5 if name == "Poisson" else 0.3)
            numbers = np.arange(12, dtype=np.float32)
            expected = np.cumsum(distribution.log_prob(torch.tensor(numbers)).exp().numpy())
            np.testing.assert_allclose(mine.cdf(Tensor(numbers)).asnumpy(), expected, rtol=1e-5)
            self.assertEqual(mine.cdf(Tensor(np.float32(-0.5))).asnumpy(), 0)
            self.assertEqual(mine.prob(Tensor(np.float32(1.5))).asnumpy(), 0)
        np.testing.assert_allclose(msd.Bernoulli(0.3).cdf(Tensor(np.float32([-1, 0, 0.5, 1, 2]))).asnumpy(), [0, .7, .7, 1, 1], rtol=1e-6)

    def test_modes(self):
        self.assertEqual(msd.Normal(1.5, 2.0).mode().asnumpy(), 1.5)
        np.testing.assert_allclose(msd.Gamma([3.0, 0.5], 2.0).mode().asnumpy(), [1.0, np.nan])
        np.testing.assert_allclose(msd.Beta([3.0, 0.5], 2.0).mode().asnumpy(), [2 / 3, np.nan], rtol=1e-6)
        np.testing.assert_array_equal(msd.Bernoulli([0.2, 0.7]).mode().asnumpy(), [0, 1])
        self.assertEqual(msd.Poisson(3.7).mode().asnumpy(), 3)
        np.testing.assert_allclose(msd.LogNormal(1.0, 0.5).mode().asnumpy(), np.exp(0.75), rtol=1e-6)
        self.assertEqual(msd.Exponential(3.0).mode().asnumpy(), 0)

    def test_cauchy_has_no_moments(self):
        for method in ("mean", "sd", "var"):
            with self.assertRaisesRegex(ValueError, "not defined"):
                getattr(msd.Cauchy(0.0, 1.0), method)()


def softplus(x):
    return np.log1p(np.exp(x))


class BayesianLayersTest(unittest.TestCase):
    """Layers whose weights are drawn: moments of their results, divergences, training."""

    def give(self, network, mean, before):
        """Means and what deviations are the softplus of; the values that real MindSpore 2.0.0 was asked for."""
        for parameter in network.get_parameters():
            parameter.set_data(Tensor(np.full(parameter.shape, mean if parameter.name.endswith("mean") else before, np.float32)))

    def test_divergence(self):
        """MindSpore 2.0.0 gives 48.711643 for 34 elements of mean 0.3 and deviation softplus(-1.5)."""
        layer = bnn_layers.DenseReparam(16, 2)
        self.give(layer, 0.3, -1.5)
        self.assertAlmostEqual(float(layer.compute_kl_loss()), 48.711643, delta=2e-3)
        alone = bnn_layers.DenseReparam(16, 2, has_bias=False)
        self.give(alone, 0.3, -1.5)
        self.assertAlmostEqual(float(alone.compute_kl_loss()), 48.711643 * 32 / 34, delta=2e-3)

    def test_results(self):
        """Of drawn weights rows are equal, of drawn results not; means and deviations of both are those of the products."""
        shared, own = bnn_layers.DenseReparam(3, 4), bnn_layers.DenseLocalReparam(3, 4, has_bias=False)
        for layer in (shared, own):
            self.give(layer, 0.3, -1.5)
        rows = shared(Tensor(np.ones((50, 3), np.float32))).asnumpy()
        np.testing.assert_allclose(rows, np.broadcast_to(rows[:1], rows.shape), rtol=1e-5)
        drawn = own(Tensor(np.ones((20000, 3), np.float32))).asnumpy()
        np.testing.assert_allclose(drawn.mean(0), 0.9, atol=0.02)
        np.testing.assert_allclose(drawn.std(0), softplus(-1.5) * 3 ** 0.5, rtol=0.03)
        drawn = np.stack([shared(Tensor(np.ones((1, 3), np.float32))).asnumpy() for _ in range(400)])
        self.assertAlmostEqual(drawn.mean(), 1.2, delta=0.06)
        self.assertAlmostEqual(drawn.std(), softplus(-1.5) * 2, delta=0.04)

    def test_convolution(self):
        layer = bnn_layers.ConvReparam(3, 4, 3, stride=2, has_bias=True)
        self.assertEqual(layer(Tensor(np.ones((2, 3, 7, 6), np.float32))).shape, (2, 4, 4, 3))
        names = ["weight_posterior.mean", "weight_posterior.untransformed_std", "bias_posterior.mean", "bias_posterior.untransformed_std"]
        self.assertEqual([parameter.name for parameter in layer.trainable_params()], names)

    def test_training(self):
        network = nn.SequentialCell(bnn_layers.DenseReparam(2, 8, "relu"), bnn_layers.DenseLocalReparam(8, 1))
        loss = bnn_layers.WithBNNLossCell(network, nn.MSELoss(), 1, 1e-5)
        self.assertIs(loss.backbone_network, network)
        step = nn.TrainOneStepCell(loss, nn.Adam(loss.trainable_params(), 0.02)).set_train()
        x = RNG.normal(size=(64, 2)).astype(np.float32)
        y = x[:, :1] - 0.5 * x[:, 1:]
        losses = [float(step(Tensor(x), Tensor(y))) for _ in range(200)]
        self.assertLess(losses[-1], 0.3 * losses[0])

    def test_refused(self):
        for make in (lambda: bnn_layers.DenseReparam(3, 4, has_bias=3), lambda: bnn_layers.DenseReparam(3, 4, weight_prior_fn=3),
                     lambda: bnn_layers.DenseReparam(3, 4, weight_posterior_fn=lambda name, shape: 3), lambda: bnn_layers.NormalPosterior(3, (2,)),
                     lambda: bnn_layers.WithBNNLossCell(nn.ReLU(), nn.MSELoss(), "a")):
            with self.assertRaises(TypeError):
                make()
        with self.assertRaisesRegex(ValueError, "must > 0"):
            bnn_layers.DenseReparam(0, 4)


class CategoricalTest(unittest.TestCase):
    """Classes by rows of probabilities."""

    def setUp(self):
        rows = RNG.uniform(0.1, 1, (4, 5)).astype(np.float32)
        self.rows = rows / rows.sum(-1, keepdims=True)
        self.mine, self.torchs = msd.Categorical(self.rows), td.Categorical(torch.tensor(self.rows))

    def test_functions(self):
        values = RNG.integers(0, 5, (7, 4))
        close(self.mine.log_prob(Tensor(values.astype(np.float32))), self.torchs.log_prob(torch.tensor(values)))
        close(self.mine.entropy(), self.torchs.entropy())
        other = np.roll(self.rows, 1, -1)
        close(self.mine.kl_loss("Categorical", Tensor(other)), td.kl_divergence(self.torchs, td.Categorical(torch.tensor(other))))
        np.testing.assert_allclose(self.mine.mean().asnumpy()[:, 0], self.rows @ np.arange(5), rtol=1e-5)
        np.testing.assert_allclose(self.mine.var().asnumpy()[:, 0], self.rows @ np.arange(5) ** 2 - (self.rows @ np.arange(5)) ** 2, rtol=1e-4)
        np.testing.assert_array_equal(self.mine.mode().asnumpy(), self.rows.argmax(-1))
        expected = np.take_along_axis(np.broadcast_to(self.rows.cumsum(-1), (7, 4, 5)), values[..., None], -1)[..., 0]
        np.testing.assert_allclose(self.mine.cdf(Tensor(values.astype(np.float32))).asnumpy(), expected, rtol=1e-5)
        self.assertTrue(np.isnan(msd.Categorical([0.5, 0.5]).log_prob(Tensor(np.float32(2))).asnumpy()))

    def test_samples(self):
        drawn = self.mine.sample((20000,)).asnumpy()
        self.assertEqual((drawn.shape, drawn.dtype), ((20000, 4), np.int32))
        for place in range(4):
            np.testing.assert_allclose(np.bincount(drawn[:, place], minlength=5) / 20000, self.rows[place], atol=0.02)

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "sum to one"):
            msd.Categorical([0.5, 0.2])
        for make in (lambda: msd.Normal("x", 1.0), lambda: msd.Poisson("x"), lambda: msb.PowerTransform("x")):
            with self.assertRaisesRegex(TypeError, "must be a number"):
                make()


class SamplesTest(unittest.TestCase):
    """Moments of many samples."""

    def setUp(self):
        plumb.set_seed(11)

    def test_moments(self):
        for name in ("Normal", "Uniform", "Bernoulli", "Geometric", "Exponential", "Gamma", "Beta", "Poisson", "Gumbel", "Logistic",
                     "LogNormal"):
            with self.subTest(distribution=name):
                mine = getattr(msd, name)(*CASES[name][1])
                drawn = mine.sample((60000,)).asnumpy().astype(np.float64)
                self.assertEqual(drawn.shape, (60000, 3))
                deviation = mine.sd().asnumpy()
                np.testing.assert_allclose(drawn.mean(0), mine.mean().asnumpy(), atol=0.03 * deviation.max() + 1e-3)
                np.testing.assert_allclose(drawn.std(0), deviation, rtol=0.08)

    def test_quantiles(self):
        """The share of samples below a value is what `cdf` says (Kolmogorov's distance)."""
        for name, parameters in (("Gamma", (0.4, 1.0)), ("Gamma", (30.0, 2.0)), ("Beta", (0.5, 3.0)), ("Cauchy", (1.0, 2.0)),
                                 ("Logistic", (0.0, 1.0)), ("LogNormal", (0.0, 1.0)), ("Gumbel", (0.5, 2.0))):
            with self.subTest(distribution=name):
                mine = getattr(msd, name)(*parameters)
                drawn = np.sort(mine.sample((20000,)).asnumpy())
                distance = np.abs(mine.cdf(Tensor(drawn)).asnumpy() - (np.arange(20000) + 0.5) / 20000).max()
                self.assertLess(distance, 0.015)

    def test_counts(self):
        """Counts of small and great rates are as often as their probabilities say."""
        for rate in (0.3, 4.0, 9.9, 10.0, 60.0, 3000.0):
            with self.subTest(rate=rate):
                mine = msd.Poisson(rate)
                drawn = mine.sample((30000,)).asnumpy()
                values = np.arange(int(max(rate - 4 * rate ** 0.5, 0)), int(rate + 4 * rate ** 0.5) + 1, dtype=np.float32)
                below = np.asarray([(drawn <= value).mean() for value in values])
                self.assertLess(np.abs(below - mine.cdf(Tensor(values)).asnumpy()).max(), 0.012)

    def test_seeds(self):
        first, second = (msd.Normal(0.0, 1.0, seed=7).sample((4,)).asnumpy() for _ in range(2))
        self.assertFalse(np.array_equal(first, second))
        plumb.set_seed(11)
        np.testing.assert_array_equal(msd.Normal(0.0, 1.0, seed=7).sample((4,)).asnumpy(), first)

    def test_scalar(self):
        self.assertEqual(msd.Gamma(2.0, 1.0).sample().shape, ())
        self.assertEqual(msd.Normal(0.0, 1.0, dtype=plumb.float16).sample((2, 3)).dtype, plumb.float16)


class CompiledTest(unittest.TestCase):
    """Distributions within networks."""

    def test_construct(self):
        class Net(nn.Cell):
            """Log-likelihood, divergence and a reparametrised sample."""

            def __init__(self):
                super().__init__()
                self.prior = msd.Normal(0.0, 1.0)
                self.posterior = msd.Normal()

            def construct(self, mean, sd):
                divergence = self.posterior.kl_loss("Normal", plumb.ops.zeros_like(mean), plumb.ops.ones_like(sd), mean, sd)
                sample = self.posterior.sample((), mean, sd)
                return divergence.sum(), self.prior.log_prob(sample).shape

        mean, sd = real(), positive()
        divergence, shape = Net()(Tensor(mean), Tensor(sd))
        expected = td.kl_divergence(td.Normal(torch.tensor(mean), torch.tensor(sd)), td.Normal(0.0, 1.0)).sum()
        close(divergence, expected)
        self.assertEqual(tuple(shape), (3,))

    def test_reparametrised_gradient(self):
        normal = msd.Normal(seed=3)
        function = lambda mean, sd: normal.sample((1000,), mean, sd).sum()
        by_mean, by_sd = plumb.grad(function, (0, 1))(Tensor(np.float32([1.0])), Tensor(np.float32([2.0])))
        self.assertEqual(by_mean.asnumpy(), 1000)
        self.assertLess(abs(by_sd.asnumpy()[0]), 150)

    def test_call_by_name(self):
        normal, value = msd.Normal(0.0, 2.0), Tensor(np.float32([0.5]))
        np.testing.assert_array_equal(normal("log_prob", value).asnumpy(), normal.log_prob(value).asnumpy())
        self.assertEqual(repr(normal), "Normal<mean = 0.0, standard deviation = 2.0>")
        self.assertEqual((normal.get_dist_type(), normal.batch_shape, normal.is_scalar_batch), ("Normal", (), True))

    def test_own_distribution(self):
        class Triangle(msd.Distribution):
            """Density 2 x from 0 to 1."""

            def __init__(self):
                super().__init__(None, plumb.float32, "Triangle", {"param_dict": {}})

            def _prob(self, value):
                return 2.0 * value

            def _cdf(self, value):
                return value * value

        value = Tensor(np.float32([0.5, 0.25]))
        np.testing.assert_allclose(Triangle().log_prob(value).asnumpy(), np.log([1.0, 0.5]), rtol=1e-6)
        np.testing.assert_allclose(Triangle().survival_function(value).asnumpy(), [0.75, 0.9375], rtol=1e-6)
        with self.assertRaisesRegex(NotImplementedError, "_entropy"):
            Triangle().entropy()

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "greater than zero"):
            msd.Normal(0.0, -1.0)
        with self.assertRaisesRegex(TypeError, "floats"):
            msd.Normal(0.0, 1.0, dtype=plumb.int32)
        with self.assertRaisesRegex(ValueError, "must be Normal"):
            msd.Normal(0.0, 1.0).kl_loss("Uniform", Tensor(0.0), Tensor(1.0))
        with self.assertRaisesRegex(TypeError, "tuple"):
            msd.Normal(0.0, 1.0).sample(3)


class BijectorsTest(unittest.TestCase):
    """Functions, their inverses and derivatives beside PyTorch's."""

    CASES = {"Exp": ([], td.ExpTransform()), "ScalarAffine": ([2.5, -1.0], td.AffineTransform(-1.0, 2.5)),
             "Softplus": ([1.0], td.SoftplusTransform())}

    def test_against_pytorch(self):
        x = RNG.normal(0, 2, 30).astype(np.float32)
        for name, (arguments, other) in self.CASES.items():
            with self.subTest(bijector=name):
                mine, value = getattr(msb, name)(*arguments), torch.tensor(x)
                y = other(value)
                close(mine.forward(Tensor(x)), y)
                close(mine.inverse(Tensor(y.numpy())), value, 1e-3, 1e-4)
                slope = other.log_abs_det_jacobian(value, y)
                close(mine.forward_log_jacobian(Tensor(x)), slope, 1e-4, 1e-4)
                close(mine.inverse_log_jacobian(Tensor(y.numpy())), -slope, 1e-3, 1e-3)

    def test_derivatives(self):
        """Logarithms of derivatives are those of the functions' gradients."""
        x = Tensor(RNG.uniform(0.1, 2, 20).astype(np.float32))
        for bijector in (msb.PowerTransform(0.5), msb.GumbelCDF(0.3, 1.7), msb.Softplus(2.0), msb.Invert(msb.Exp())):
            with self.subTest(bijector=bijector.name):
                slope = plumb.grad(lambda value: bijector.forward(value).sum())(x)
                np.testing.assert_allclose(bijector.forward_log_jacobian(x).asnumpy(), np.log(slope.asnumpy()), rtol=1e-3, atol=1e-4)
                y = bijector.forward(x)
                np.testing.assert_allclose(bijector.inverse(y).asnumpy(), x.asnumpy(), rtol=1e-3)
                np.testing.assert_allclose(bijector.inverse_log_jacobian(y).asnumpy(), -bijector.forward_log_jacobian(x).asnumpy(),
                                           rtol=1e-3, atol=1e-3)

    def test_of_distribution(self):
        made = msb.ScalarAffine(3.0, 1.0)(msd.Normal(0.0, 1.0))
        self.assertIsInstance(made, msd.TransformedDistribution)
        close(made.log_prob(Tensor(REALS)), td.Normal(1.0, 3.0).log_prob(torch.tensor(REALS)))
        self.assertEqual(made.mean().asnumpy(), 1.0)
        with self.assertRaisesRegex(NotImplementedError, "linear"):
            msd.TransformedDistribution(msb.Exp(), msd.Normal(0.0, 1.0)).mean()
        with self.assertRaisesRegex(TypeError, "floats"):
            msb.Exp().forward(Tensor([1, 2]))


if __name__ == "__main__":
    unittest.main()
