"""A convolution or a dense layer with normalisation and activation behind it."""

from plumb.nn.cell import Cell
from plumb.nn.layer.activation import LeakyReLU, get_activation
from plumb.nn.layer.basic import Dense
from plumb.nn.layer.conv import Conv2d
from plumb.nn.layer.normalization import BatchNorm1d, BatchNorm2d


class _Combined(Cell):
    """What both share."""

    def finish(self, norm, activation, alpha):
        """Notes what follows the first layer; None for nothing."""
        self.has_bn, self.has_act = norm is not None, activation is not None
        if norm is not None:
            self.batchnorm = norm
        if activation == "leakyrelu":
            self.activation = LeakyReLU(alpha)
        elif activation is not None:
            self.activation = get_activation(activation)

    def finished(self, x):
        """x, normalised and activated."""
        if self.has_bn:
            x = self.batchnorm(x)
        if self.has_act:
            x = self.activation(x)
        return x


class Conv2dBnAct(_Combined):
    """Conv2d, then BatchNorm2d where `has_bn`, then an activation where one is given: a cell, or its name.

    Args:
      momentum, eps: of the normalisation.
      alpha: of "leakyrelu".
      after_fake: True or False; only quantised training, which is not offered, would look at it.
      others: as of Conv2d.
    """

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
                 has_bias=False, weight_init="normal", bias_init="zeros", has_bn=False, momentum=0.997, eps=1e-5, activation=None,
                 alpha=0.2, after_fake=True):
        super().__init__()
        self.after_fake = bool(after_fake)
        self.conv = Conv2d(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
                           bias_init)
        self.finish(BatchNorm2d(out_channels, eps, momentum) if has_bn else None, activation, alpha)

    def construct(self, x):
        """Compiled body."""
        return self.finished(self.conv(x))


class DenseBnAct(_Combined):
    """Dense, then BatchNorm1d where `has_bn`, then an activation where one is given: a cell, or its name.

    Args:
      momentum, eps: of the normalisation.
      alpha: of "leakyrelu".
      after_fake: True or False; only quantised training, which is not offered, would look at it.
      others: as of Dense.
    """

    def __init__(self, in_channels, out_channels, weight_init="normal", bias_init="zeros", has_bias=True, has_bn=False, momentum=0.9,
                 eps=1e-5, activation=None, alpha=0.2, after_fake=True):
        super().__init__()
        self.after_fake = bool(after_fake)
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self.finish(BatchNorm1d(out_channels, eps, momentum) if has_bn else None, activation, alpha)

    def construct(self, x):
        """Compiled body."""
        return self.finished(self.dense(x))
