"""Transposed and depthwise convolutions beside PyTorch's, values and gradients."""

import unittest

import numpy as np
import torch

from plumb import Tensor, nn, ops
from numeric import numbers
from together import check

VOLUMES, IMAGES = numbers(2, 4, 3, 5, 4), numbers(2, 4, 9, 7)


def transposed(x, w, stride=1, padding=0, more=0, groups=1, dilation=1):
    return torch.nn.functional.conv_transpose3d(x, w, None, stride, padding, more, groups, dilation)


class TransposedTest(unittest.TestCase):
    def test_volumes(self):
        kernels, grouped = numbers(4, 3, 3, 2, 3), numbers(4, 1, 3, 2, 3)
        check(self, [
            ("valid", ops.conv3d_transpose, transposed, VOLUMES, kernels),
            ("stride", lambda x, w: ops.conv3d_transpose(x, w, stride=2), lambda x, w: transposed(x, w, 2)[..., :10, :], VOLUMES, kernels),
            ("pad", lambda x, w: ops.conv3d_transpose(x, w, "pad", (1, 1, 0, 0, 2, 2), (2, 1, 3), 1, 1, (1, 0, 2)),
             lambda x, w: transposed(x, w, (2, 1, 3), (1, 0, 2), (1, 0, 2)), VOLUMES, kernels),
            ("dilated", lambda x, w: ops.conv3d_transpose(x, w, "pad", 1, 2, (2, 1, 2)),
             lambda x, w: transposed(x, w, 2, 1, 0, 1, (2, 1, 2)), VOLUMES, kernels),
            ("groups", lambda x, w: ops.Conv3DTranspose(4, 2, (3, 2, 3), group=2)(x, w), lambda x, w: transposed(x, w, groups=2), VOLUMES, grouped),
            ("same", lambda x, w: ops.conv3d_transpose(x, w, "same", 0, 2), lambda x, w: transposed(x, w, 2)[:, :, :6, :10, :8], VOLUMES, kernels),
            ("Conv3D", lambda x, w: ops.Conv3D(4, (3, 2, 3), pad_mode="pad", pad=1)(x, w),
             lambda x, w: torch.nn.functional.conv3d(x, w, padding=1), VOLUMES, numbers(4, 4, 3, 2, 3)),
        ])

    def test_images(self):
        check(self, [
            ("Conv2DTranspose", lambda x, w: ops.Conv2DTranspose(4, 3, stride=2)(x, w, (2, 3, 19, 15)),
             lambda x, w: torch.nn.functional.conv_transpose2d(x, w, None, 2), IMAGES, numbers(4, 3, 3, 3)),
            ("depthwise", lambda x, w: ops.DepthwiseConv2dNative(2, (3, 3), pad_mode="same")(x, w),
             lambda x, w: torch.nn.functional.conv2d(x, w.transpose(0, 1).reshape(8, 1, 3, 3), None, 1, 1, 1, 4), IMAGES, numbers(2, 4, 3, 3)),
        ])

    def test_layer(self):
        layer = nn.Conv3dTranspose(4, 6, 3, 2, "pad", 1, output_padding=1, group=2, has_bias=True)
        bias, weight = numbers(6).astype(np.float32), layer.weight.asnumpy().astype(np.float64)
        layer.bias.set_data(Tensor(bias))
        made = layer(Tensor(VOLUMES.astype(np.float32)))
        expected = torch.nn.functional.conv_transpose3d(torch.tensor(VOLUMES), torch.tensor(weight), torch.tensor(bias.astype(np.float64)), 2, 1, 1, 2)
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), 1e-4, 1e-5)

    def test_refusals(self):
        x, w = Tensor(VOLUMES.astype(np.float32)), Tensor(numbers(4, 3, 3, 2, 3).astype(np.float32))
        with self.assertRaisesRegex(ValueError, "needs pad_mode='pad'"):
            ops.conv3d_transpose(x, w, output_padding=1)
        with self.assertRaisesRegex(ValueError, "below 'stride' or 'dilation'"):
            ops.conv3d_transpose(x, w, "pad", output_padding=1)
        with self.assertRaisesRegex(ValueError, "must be of"):
            ops.Conv3DTranspose(4, 6, (3, 2, 3), group=1)(x, w)


if __name__ == "__main__":
    unittest.main()
