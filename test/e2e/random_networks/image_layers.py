"""Layers of random networks for images (batch, channels, height, width)."""

import math

import torch
from torch.nn import functional

from layers import WORK, Layer, need, pick
from plumb import nn, ops
from plumb.ops._windows import same_pads


class Conv(Layer):
    """A convolution: odd and wide channels, strides, dilation, groups, all pad modes."""

    ranks = (4,)

    def draw(self, rng, shape):
        batch, channels, *image = shape
        out = pick(rng, 1, 3, 5, 8, 16, 17, 32, 64, 96, 128, 256, 512)
        kernel, stride = pick(rng, 1, 1, 3, 3, 2, 5, 7), pick(rng, 1, 1, 1, 2, 3)
        dilation, mode, group = pick(rng, 1, 1, 2), pick(rng, "same", "same", "pad", "valid"), 1
        if rng.random() < 0.3:
            group = pick(rng, channels, *[g for g in range(1, channels + 1) if channels % g == 0])
            out = group * pick(rng, 1, 1, 2, 3)
        reach = (kernel - 1) * dilation + 1
        padding = int(rng.integers(0, reach)) if mode == "pad" else 0
        need(mode == "same" or min(image) + 2 * padding >= reach)
        behind = [-(-extent // stride) if mode == "same" else (extent + 2 * padding - reach) // stride + 1
                  for extent in image]
        need(batch * out * math.prod(behind) * kernel * kernel * channels // group <= WORK)
        self.sizes = dict(in_channels=channels, out_channels=out, kernel_size=kernel, stride=stride, pad_mode=mode,
                          padding=padding, dilation=dilation, group=group, has_bias=bool(rng.integers(2)))
        return (batch, out, *behind)

    def cell(self):
        return nn.Conv2d(**self.sizes)

    def run(self, x, values):
        sizes = self.sizes
        weight, bias = next(values), next(values) if sizes["has_bias"] else None
        if sizes["pad_mode"] == "same":
            pads = [same_pads(extent, sizes["kernel_size"], sizes["stride"], sizes["dilation"]) for extent in x.shape[2:]]
            x = functional.pad(x, (*pads[1], *pads[0]))
        return functional.conv2d(x, weight, bias, sizes["stride"], sizes["padding"], sizes["dilation"], sizes["group"])


class Residual(Layer):
    """x + conv(x), or x beside conv(x)."""

    ranks = (4,)

    def draw(self, rng, shape):
        batch, channels, *image = shape
        kernel = pick(rng, 1, 3)
        need(math.prod(shape) * kernel * kernel * channels <= WORK)
        self.sizes = dict(channels=channels, kernel=kernel, beside=bool(rng.integers(2)))
        return (batch, channels * 2, *image) if self.sizes["beside"] else shape

    def cell(self):
        return ResidualCell(**self.sizes)

    def run(self, x, values):
        y = functional.conv2d(x, next(values), padding=self.sizes["kernel"] // 2)
        return torch.cat((x, y), 1) if self.sizes["beside"] else x + y


class ResidualCell(nn.Cell):
    """Residual's cell."""

    def __init__(self, channels, kernel, beside):
        super().__init__()
        self.conv, self.beside = nn.Conv2d(channels, channels, kernel), beside

    def construct(self, x):
        """Compiled body."""
        if self.beside:
            return ops.concat((x, self.conv(x)), 1)
        return x + self.conv(x)


class Separable(Layer):
    """A depthwise 3x3 convolution and one of 1x1, each followed by a normalisation, as in MobileNet."""

    ranks = (4,)

    def draw(self, rng, shape):
        batch, channels, *image = shape
        out = pick(rng, 8, 24, 32, 64, 128)
        need(math.prod(shape) * out <= WORK and batch * math.prod(image) > 8)
        self.sizes = dict(channels=channels, out=out)
        return (batch, out, *image)

    def cell(self):
        channels, out = self.sizes["channels"], self.sizes["out"]
        return nn.SequentialCell(nn.Conv2d(channels, channels, 3, group=channels), nn.BatchNorm2d(channels), nn.ReLU6(),
                                 nn.Conv2d(channels, out, 1), nn.BatchNorm2d(out))

    def run(self, x, values):
        x = functional.conv2d(x, next(values), padding=1, groups=self.sizes["channels"])
        x = functional.relu6(batch_norm(x, values))
        return batch_norm(functional.conv2d(x, next(values)), values)


def batch_norm(x, values):
    """Batch normalisation in training; moves the averages that `values` yields first."""
    moving_mean, moving_variance, gamma, beta = (next(values) for _ in range(4))
    # Written out: PyTorch 1.13's own gradient is wrong where a batch of one meets a transposed gradient.
    axes = [axis for axis in range(x.dim()) if axis != 1]
    count = x.numel() // x.shape[1]
    mean = x.mean(axes, keepdim=True)
    variance = ((x - mean) ** 2).mean(axes, keepdim=True)
    with torch.no_grad():
        moving_mean.mul_(0.9).add_(mean.flatten(), alpha=0.1)
        moving_variance.mul_(0.9).add_(variance.flatten() * (count / max(count - 1, 1)), alpha=0.1)
    along = [1, -1] + [1] * (x.dim() - 2)
    return (x - mean) / (variance + 1e-5).sqrt() * gamma.reshape(along) + beta.reshape(along)


class BatchNorm(Layer):
    """Batch normalisation."""

    ranks = (2, 4)

    def draw(self, rng, shape):
        need(math.prod(shape) // shape[1] >= 8)
        self.sizes = dict(num_features=shape[1])
        return shape

    def cell(self):
        return (nn.BatchNorm1d if len(self.input) == 2 else nn.BatchNorm2d)(**self.sizes)

    def run(self, x, values):
        return batch_norm(x, values)


class GroupNorm(Layer):
    """Normalisation of groups of channels."""

    ranks = (4,)

    def draw(self, rng, shape):
        groups = pick(rng, *[g for g in range(1, shape[1] + 1) if shape[1] % g == 0])
        need(math.prod(shape[1:]) // groups >= 8)
        self.sizes = dict(num_groups=groups, num_channels=shape[1])
        return shape

    def cell(self):
        return nn.GroupNorm(**self.sizes)

    def run(self, x, values):
        return functional.group_norm(x, self.sizes["num_groups"], next(values), next(values), 1e-5)


class Pool(Layer):
    """A maximum or a mean over windows."""

    ranks = (4,)

    def draw(self, rng, shape):
        size, stride = pick(rng, (2, 2), (3, 2), (2, 1), (3, 3))
        need(min(shape[2:]) >= size)
        self.sizes = dict(kernel_size=size, stride=stride, largest=bool(rng.integers(2)))
        return (*shape[:2], *[(extent - size) // stride + 1 for extent in shape[2:]])

    def cell(self):
        return (nn.MaxPool2d if self.sizes["largest"] else nn.AvgPool2d)(self.sizes["kernel_size"], self.sizes["stride"])

    def run(self, x, values):
        pool = functional.max_pool2d if self.sizes["largest"] else functional.avg_pool2d
        return pool(x, self.sizes["kernel_size"], self.sizes["stride"])


class Shuffle(Layer):
    """Channels of groups interleaved, as in ShuffleNet."""

    ranks = (4,)

    def draw(self, rng, shape):
        groups = pick(rng, 2, 3, 4)
        need(shape[1] % groups == 0)
        self.sizes = dict(groups=groups)
        return shape

    def cell(self):
        return ShuffleCell(**self.sizes)

    def run(self, x, values):
        batch, channels, *image = x.shape
        return x.reshape(batch, self.sizes["groups"], -1, *image).transpose(1, 2).reshape(batch, channels, *image)


class ShuffleCell(nn.Cell):
    """Shuffle's cell."""

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def construct(self, x):
        """Compiled body."""
        y = ops.reshape(x, (x.shape[0], self.groups, x.shape[1] // self.groups, x.shape[2], x.shape[3]))
        return ops.reshape(ops.transpose(y, (0, 2, 1, 3, 4)), x.shape)


class Excite(Layer):
    """Channels scaled by what their means say, as in squeeze-and-excitation."""

    ranks = (4,)

    def draw(self, rng, shape):
        self.sizes = dict(channels=shape[1], hidden=pick(rng, 1, 4, 16))
        return shape

    def cell(self):
        return ExciteCell(**self.sizes)

    def run(self, x, values):
        y = torch.relu(functional.linear(x.mean((2, 3)), next(values), next(values)))
        return x * torch.sigmoid(functional.linear(y, next(values), next(values)))[:, :, None, None]


class ExciteCell(nn.Cell):
    """Excite's cell."""

    def __init__(self, channels, hidden):
        super().__init__()
        self.down = nn.Dense(channels, hidden, activation="relu")
        self.up = nn.Dense(hidden, channels, activation="sigmoid")

    def construct(self, x):
        """Compiled body."""
        scale = self.up(self.down(ops.reduce_mean(x, (2, 3))))
        return x * ops.reshape(scale, (x.shape[0], x.shape[1], 1, 1))


class Crop(Layer):
    """A part of the image: borders cut, or each second row."""

    ranks = (4,)

    def draw(self, rng, shape):
        need(min(shape[2:]) >= 4)
        self.sizes = dict(step=pick(rng, 1, 2))
        step = self.sizes["step"]
        return (*shape[:2], -(-(shape[2] - 1) // step), shape[3] - 2)

    def cell(self):
        return CropCell(**self.sizes)

    def run(self, x, values):
        return x[:, :, 1::self.sizes["step"], 1:-1]


class CropCell(nn.Cell):
    """Crop's cell."""

    def __init__(self, step):
        super().__init__()
        self.step = step

    def construct(self, x):
        """Compiled body."""
        return x[:, :, 1::self.step, 1:-1]


class Rows(Layer):
    """An image's places as a sequence of its channels, as in a vision transformer."""

    ranks = (4,)

    def draw(self, rng, shape):
        return (shape[0], math.prod(shape[2:]), shape[1])

    def cell(self):
        return RowsCell()

    def run(self, x, values):
        return x.flatten(2).transpose(1, 2)


class RowsCell(nn.Cell):
    """Rows' cell."""

    def construct(self, x):
        """Compiled body."""
        return ops.transpose(ops.reshape(x, (x.shape[0], x.shape[1], -1)), (0, 2, 1))


class Flatten(Layer):
    """All axes but the batch as one; images by their channels' means where that is drawn."""

    ranks = (3, 4)

    def draw(self, rng, shape):
        self.sizes = dict(by_mean=bool(rng.integers(2)))
        axis = 1 if len(shape) == 4 else 2
        width = shape[axis] if self.sizes["by_mean"] else math.prod(shape[1:])
        need(width <= 20000)
        return (shape[0], width)

    def cell(self):
        return FlattenCell((2, 3) if len(self.input) == 4 else (1,)) if self.sizes["by_mean"] else nn.Flatten()

    def run(self, x, values):
        return x.mean((2, 3) if x.dim() == 4 else 1) if self.sizes["by_mean"] else x.flatten(1)


class FlattenCell(nn.Cell):
    """Flatten's cell for means."""

    def __init__(self, axes):
        super().__init__()
        self.axes = axes

    def construct(self, x):
        """Compiled body."""
        return ops.reduce_mean(x, self.axes)


LAYERS = (Conv, Conv, Conv, Conv, Residual, Separable, BatchNorm, BatchNorm, GroupNorm, Pool, Pool, Shuffle, Excite, Crop,
          Rows, Flatten)
