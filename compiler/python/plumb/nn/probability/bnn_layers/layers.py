"""Dense and convolutional layers whose weights and biases are drawn in each call."""

from plumb.common._docs import described_by
from plumb.nn.cell import Cell
from plumb.nn.layer.activation import get_activation
from plumb.nn.layer.conv import Conv2d
from plumb.nn.probability.bnn_layers.distributions import NormalPosterior, NormalPrior, normal_post_fn
from plumb.ops import _functions as F
from plumb.ops.function.convolution import conv2d
from plumb.ops.function.products import dense


def _prior(given):
    """The distribution before training: a cell, or a class of them."""
    return given if isinstance(given, Cell) else given()


def _posterior(given, argument, name, shape):
    """The trained distributions that a function of a name and a shape makes."""
    made = given(name, shape) if callable(given) else None
    if not isinstance(made, NormalPosterior):
        raise TypeError(f"The type of `{argument}` must be `NormalPosterior`")
    return made


class _Variational(Cell):
    """What the layers share: the distributions, and how far they are apart."""

    def take(self, weights, biases, weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn):
        """Makes the distributions, for extents of weights and biases; without biases for None."""
        self.weight_prior = _prior(weight_prior_fn)
        self.weight_posterior = _posterior(weight_posterior_fn, "weight_posterior_fn", "bnn_weight", weights)
        if biases is not None:
            self.bias_prior = _prior(bias_prior_fn)
            self.bias_posterior = _posterior(bias_posterior_fn, "bias_posterior_fn", "bnn_bias", biases)

    def compute_kl_loss(self):
        """The divergence of the distributions before training from those that are trained, summed over all elements."""
        loss = _divergence(self.weight_prior, self.weight_posterior)
        return loss + _divergence(self.bias_prior, self.bias_posterior) if self.has_bias else loss


def _divergence(prior, posterior):
    return F.reduce_sum(prior("kl_loss", "Normal", posterior.mean, posterior.std()), ())


class _DenseVariational(_Variational):
    """activation(x @ weight.T + bias), with what is drawn.

    Args:
      in_channels, out_channels: the extents of the last axis.
      activation: its name, or a cell; none for None.
      has_bias: whether a bias is drawn, too.
      weight_prior_fn, bias_prior_fn: a class of distributions, or one of them.
      weight_posterior_fn, bias_posterior_fn: functions of a name and a shape that make a NormalPosterior.
    """

    def __init__(self, in_channels, out_channels, activation=None, has_bias=True, weight_prior_fn=NormalPrior,
                 weight_posterior_fn=normal_post_fn, bias_prior_fn=NormalPrior, bias_posterior_fn=normal_post_fn):
        super().__init__()
        for extent in (in_channels, out_channels):
            if isinstance(extent, bool) or not isinstance(extent, int) or extent < 1:
                raise ValueError(f"The input value must be int and must > 0, but got '{extent}' with type '{type(extent).__name__}'.")
        if not isinstance(has_bias, bool):
            raise TypeError(f"The input value must be a bool, but got {type(has_bias).__name__}.")
        self.in_channels, self.out_channels, self.has_bias = in_channels, out_channels, has_bias
        self.take((out_channels, in_channels), (out_channels,) if has_bias else None, weight_prior_fn, weight_posterior_fn, bias_prior_fn,
                  bias_posterior_fn)
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, x):
        """Compiled body."""
        result = self.product(x)
        result = result + self.bias_posterior("sample") if self.has_bias else result
        return result if self.activation is None else self.activation(result)

    def extend_repr(self):
        """What `repr` shows."""
        return f"in_channels={self.in_channels}, out_channels={self.out_channels}, has_bias={self.has_bias}"


class DenseReparam(_DenseVariational):
    """A dense layer whose weights are drawn, once in each call (Kingma and Welling 2013)."""

    def product(self, x):
        """x times weights that are drawn."""
        return dense(x, self.weight_posterior("sample"), None)


class DenseLocalReparam(_DenseVariational):
    """A dense layer whose results before the bias are drawn, for each row by itself (Kingma, Salimans and Welling 2015)."""

    def product(self, x):
        """Numbers with the mean and the variance that x times weights would have."""
        mean = dense(x, self.weight_posterior.mean, None)
        variance = dense(F.square(x), F.square(self.weight_posterior.std()), None)
        # Rows of zeros have no variance, and the root no slope there.
        return self.weight_posterior.normal("sample", (), mean, F.sqrt(F.maximum(variance, 1e-20)))


class ConvReparam(_Variational):
    """A 2-D convolution whose weights are drawn, once in each call (Kingma and Welling 2013).

    Args:
      in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias: as of Conv2d.
      weight_prior_fn, bias_prior_fn: a class of distributions, or one of them.
      weight_posterior_fn, bias_posterior_fn: functions of a name and a shape that make a NormalPosterior.
    """

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
                 has_bias=False, weight_prior_fn=NormalPrior, weight_posterior_fn=normal_post_fn, bias_prior_fn=NormalPrior,
                 bias_posterior_fn=normal_post_fn):
        super().__init__()
        like = Conv2d(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group)
        self.settings = like.stride, pad_mode, padding, like.dilation, group
        self.in_channels, self.out_channels, self.kernel_size, self.has_bias = in_channels, out_channels, like.kernel_size, has_bias
        self.take(like.weight.shape, (out_channels,) if has_bias else None, weight_prior_fn, weight_posterior_fn, bias_prior_fn,
                  bias_posterior_fn)

    def construct(self, inputs):
        """Compiled body."""
        bias = self.bias_posterior("sample") if self.has_bias else None
        return conv2d(inputs, self.weight_posterior("sample"), bias, *self.settings)

    def extend_repr(self):
        """What `repr` shows."""
        return (f"in_channels={self.in_channels}, out_channels={self.out_channels}, kernel_size={self.kernel_size}, "
                f"has_bias={self.has_bias}")


described_by(_DenseVariational, DenseReparam, DenseLocalReparam)
