"""Where large kernels meet branches, inner loops, slices and reshapes: values and gradients against NumPy.

What is chosen for a convolution, such as a layout or a copied operand, must hold up at whatever stands around it.
"""

import unittest

import numpy as np

from numeric import check, check_value, conv2d, numbers
from plumb import ops

PAD = (1, 1, 1, 1)


class FewWindowsTest(unittest.TestCase):
    """Convolutions that become products with the unfolded image, because they have far more channels than windows."""

    def check_convolution(self, image, kernel, stride=(1, 1), pad=(0, 0, 0, 0), dilation=(1, 1)):
        check(lambda x, w: ops.Conv2D(kernel[0], kernel[2:], pad_mode="pad", pad=pad, stride=stride, dilation=dilation)(x, w),
              lambda x, w: conv2d(x, w, stride, pad, dilation),
              numbers(*image), numbers(*kernel, seed=1), what=f"{image} by {kernel}, stride {stride}, pad {pad}, dilation {dilation}")

    def test_windows(self):
        self.check_convolution((1, 3, 2, 2), (32, 3, 3, 3), pad=PAD)
        self.check_convolution((3, 2, 1, 1), (24, 2, 3, 3), pad=PAD)
        self.check_convolution((1, 5, 2, 2), (40, 5, 1, 1))
        self.check_convolution((1, 2, 4, 4), (8, 2, 4, 4))

    def test_strides_pads_and_dilations(self):
        self.check_convolution((1, 2, 5, 4), (32, 2, 3, 2), (3, 2), (1, 0, 0, 1))
        self.check_convolution((1, 2, 4, 5), (36, 2, 1, 1), (3, 3))
        self.check_convolution((1, 2, 5, 6), (32, 2, 2, 3), (2, 3), (0, 1, 2, 1), (2, 2))
        self.check_convolution((2, 2, 7, 6), (16, 2, 3, 3), (4, 4), (0, 0, 0, 0), (2, 1))


class BranchesTest(unittest.TestCase):
    """Convolutions, pools, products and lookups inside of `if` and `while` over tensors."""

    def test_convolution_in_a_branch(self):
        def function(x, w):
            if ops.reduce_mean(x) > 0.0:
                x = ops.conv2d(x, w, None, 1, "same")
            else:
                x = ops.conv2d(x, w, None, 1, "same") * 2.0
            return ops.tanh(x)

        for sign in (1.0, -1.0):
            check(function, lambda x, w: np.tanh(conv2d(x, w, pad=PAD) * (1 if x.mean() > 0 else 2)),
                  numbers(2, 3, 5, 4) + sign, numbers(3, 3, 3, 3, seed=1) * 0.3, what=f"mean {sign}")

    def test_convolution_in_a_loop(self):
        def function(x, w):
            count = ops.reduce_mean(x) * 0.0
            while count < 3.0:
                x = ops.max_pool2d(ops.tanh(ops.conv2d(x, w, None, 1, "same")), (3, 3), (1, 1), 1)
                count = count + 1.0
            return x

        def reference(x, w):
            for _ in range(3):
                x = np.pad(np.tanh(conv2d(x, w, pad=PAD)), ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
                x = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3)).max((4, 5))
            return x

        check_value(function, reference, numbers(16, 16, 9, 9), numbers(16, 16, 3, 3, seed=1) * 0.1)

    def test_large_product_and_lookup_in_a_branch(self):
        def function(x, w, table, i):
            y = ops.matmul(x, w)
            if ops.reduce_mean(x) > -9.0:
                y = ops.matmul(ops.tanh(y), w) + ops.gather(table, i, 0)
            return y

        check_value(function, lambda x, w, table, i: np.tanh(x @ w) @ w + table[i],
                    numbers(512, 128), numbers(128, 128, seed=1) * 0.1, numbers(300, 128, seed=2),
                    np.arange(512, dtype=np.int32) % 300)


class ViewsTest(unittest.TestCase):
    """Slices and reshapes beside convolutions and products."""

    def test_steps_to_one_element_beside_an_index(self):
        x, w = numbers(3, 4, 24) * 0.2, numbers(24, 24, seed=1)
        check(lambda x, w: ops.tanh(ops.matmul(x, w)[:, ::4, 0]), lambda x, w: np.tanh((x @ w)[:, ::4, 0]), x, w)
        check(lambda x, w: ops.tanh(ops.matmul(x, w)[:, 1::3, 5]), lambda x, w: np.tanh((x @ w)[:, 1::3, 5]), x, w)
        check(lambda x, w: ops.tanh(ops.matmul(x, w)[0, 2::7, ::30]), lambda x, w: np.tanh((x @ w)[0, 2::7, ::30]), x, w)
        check(lambda x, w: ops.tanh(ops.matmul(x, w)[::5, 3, 1::2]), lambda x, w: np.tanh((x @ w)[::5, 3, 1::2]), x, w)

    def test_repeats_behind_a_convolution(self):
        for multiples in ((1, 1, 1, 1), (1, 1, 2, 1), (2, 1, 1, 1, 1)):
            with self.subTest(multiples=multiples):
                x, w = numbers(8, 8, 14, 10), numbers(32, 8, 3, 3, seed=1) * 0.2
                check_value(lambda x, w, m=multiples: ops.sin(ops.tile(ops.conv2d(x, w, None, 1, "same"), m)),
                            lambda x, w, m=multiples: np.sin(np.tile(conv2d(x, w, pad=PAD), m)), x, w)


if __name__ == "__main__":
    unittest.main()
