"""Operators and forms of ONNX's operator sets from 18 on, beside NumPy and PyTorch."""

import os
import tempfile
import unittest

import numpy as np
import torch
from torch.nn import functional

import plumb as ms
from onnx_writer import graph, model, node, value
from plumb import Tensor, onnx


def attended(query, key, value_, seen=None, added=0.0, cap=0.0):
    """Attention of (batch, heads, length, size) in float64, 0 for a query that sees nothing; heads of queries share keys in order."""
    query, key, value_ = (one.astype(np.float64) for one in (query, key, value_))
    share = query.shape[1] // key.shape[1]
    scores = query @ np.repeat(key, share, 1).swapaxes(2, 3) / np.sqrt(query.shape[3])
    scores = (np.tanh(scores / cap) * cap if cap else scores) + added
    powers = np.exp(scores - scores.max()) * (1.0 if seen is None else seen)
    total = powers.sum(-1, keepdims=True)
    return powers / np.where(total == 0, 1, total) @ np.repeat(value_, share, 1)


class LaterOperatorsTest(unittest.TestCase):
    """One node each."""

    def setUp(self):
        ms.set_context(mode=ms.GRAPH_MODE)
        self.random = np.random.default_rng(3)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "net.onnx")

    def normal(self, *shape):
        return self.random.standard_normal(shape).astype(np.float32)

    def load(self, kind, arrays, version, outputs="y", held=None, **attributes):
        """The network of one node, whose inputs are arrays by name, None for one that is left out, and what is held."""
        names = [name if array is not None else "''" for name, array in arrays.items()] + list(held or ())
        inputs = [value(name, str(array.dtype), array.shape) for name, array in arrays.items() if array is not None]
        made = node(kind, " ".join(names), outputs, **attributes)
        with open(self.path, "wb") as file:
            file.write(model(graph([made.replace(b"\n\x02''", b"\n\x00")], inputs, outputs, held), version))
        return onnx.load(self.path)

    def run_node(self, kind, arrays, version, outputs="y", held=None, **attributes):
        """What one node gives."""
        found = self.load(kind, arrays, version, outputs, held, **attributes)(*[Tensor(one) for one in arrays.values() if one is not None])
        return [one.asnumpy() for one in found] if isinstance(found, tuple) else found.asnumpy()

    def check(self, found, wanted):
        self.assertEqual(found.shape, tuple(wanted.shape))
        np.testing.assert_allclose(found, np.asarray(wanted), rtol=2e-5, atol=2e-6)

    # -- attention

    def test_attention_of_heads_that_share_keys(self):
        query, key, value_ = self.normal(2, 6, 5, 8), self.normal(2, 2, 7, 8), self.normal(2, 2, 7, 4)
        found = self.run_node("Attention", {"q": query, "k": key, "v": value_}, 23, softcap=2.0)
        self.check(found, attended(query, key, value_, cap=2.0))

    def test_attention_of_three_axes(self):
        query, key, value_ = self.normal(2, 9, 4, 16), self.normal(2, 3, 4, 16), self.normal(2, 3, 4, 16)
        flat = [one.transpose(0, 2, 1, 3).reshape(2, 4, -1) for one in (query, key, value_)]
        found = self.run_node("Attention", dict(zip("qkv", flat)), 23, q_num_heads=9, kv_num_heads=3, is_causal=1)
        wanted = attended(query, key, value_, np.tril(np.ones((4, 4))))
        self.check(found, wanted.transpose(0, 2, 1, 3).reshape(2, 4, -1))

    def test_attention_behind_earlier_keys(self):
        query, key, value_ = (self.normal(2, 3, 4, 8) for _ in range(3))
        past = self.normal(2, 3, 5, 8), self.normal(2, 3, 5, 8)
        arrays = {"q": query, "k": key, "v": value_, "m": None, "pk": past[0], "pv": past[1]}
        found, keys, values = self.run_node("Attention", arrays, 23, "y keys values", is_causal=1)
        key, value_ = np.concatenate([past[0], key], 2), np.concatenate([past[1], value_], 2)
        self.check(found, attended(query, key, value_, np.tril(np.ones((4, 9)), 5)))
        np.testing.assert_array_equal(keys, key)
        np.testing.assert_array_equal(values, value_)

    def test_attention_with_masks(self):
        """A query that may see nothing gives zeros, and no NaN to its gradients."""
        query, key, value_ = (self.normal(2, 3, 6, 8) for _ in range(3))
        seen = self.random.random((2, 1, 6, 4)) < 0.6
        seen[0, 0, 2] = False
        arrays = {"q": query, "k": key, "v": value_, "m": seen}
        net = self.load("Attention", arrays, 23, is_causal=1)
        inputs = [Tensor(one) for one in arrays.values()]
        whole = np.concatenate([seen, np.zeros((2, 1, 6, 2), bool)], 3) & np.tril(np.ones((6, 6), bool))
        self.check(net(*inputs).asnumpy(), attended(query, key, value_, whole))
        slope = ms.grad(lambda q, k, v: net(q, k, v, inputs[3]).sum(), (0, 1, 2))(*inputs[:3])
        own = [torch.from_numpy(one).double().requires_grad_() for one in (query, key, value_)]
        scores = (own[0] @ own[1].transpose(2, 3) / np.sqrt(8)).masked_fill(~torch.from_numpy(whole), -1e30)
        kept = torch.from_numpy(whole.any(-1, keepdims=True))
        (torch.softmax(scores, -1) * kept @ own[2]).sum().backward()
        for one, wanted in zip(slope, own):
            self.check(one.asnumpy(), wanted.grad.numpy())

    def test_attention_added_masks_and_windows(self):
        query, key, value_ = (self.normal(1, 2, 6, 8) for _ in range(3))
        added = self.normal(6, 6)
        found = self.run_node("Attention", {"q": query, "k": key, "v": value_, "m": added}, 25, left_window_size=2, right_window_size=1)
        seen = np.tril(np.ones((6, 6)), 1) * np.triu(np.ones((6, 6)), -2)
        self.check(found, attended(query, key, value_, seen, added))

    def test_attention_of_keys_that_are_filled_so_far(self):
        query, key, value_ = self.normal(3, 2, 2, 8), self.normal(3, 2, 7, 8), self.normal(3, 2, 7, 8)
        filled = np.array([2, 5, 7])
        arrays = {"q": query, "k": key, "v": value_, "m": None, "pk": None, "pv": None, "n": filled}
        seen = np.arange(7) <= np.arange(2)[:, None] + filled[:, None, None, None] - 2
        self.check(self.run_node("Attention", arrays, 24, is_causal=1), attended(query, key, value_, seen))

    def test_rotary_embedding(self):
        x, positions = self.normal(2, 4, 3 * 10), self.random.integers(0, 50, (2, 4))
        angles = np.arange(50)[:, None] * 10000.0 ** (-np.arange(4) / 4)
        turns = np.exp(1j * angles)[positions][:, :, None]
        held = {"c": np.cos(angles).astype(np.float32), "s": np.sin(angles).astype(np.float32), "p": positions}
        rows = x.reshape(2, 4, 3, 10).astype(np.float64)
        for interleaved in (0, 1):
            found = self.run_node("RotaryEmbedding", {"x": x}, 23, held=held, num_heads=3, interleaved=interleaved, rotary_embedding_dim=8)
            one, other = (rows[..., 0:8:2], rows[..., 1:8:2]) if interleaved else (rows[..., :4], rows[..., 4:8])
            rotated = (one + 1j * other) * turns
            parts = np.stack([rotated.real, rotated.imag], -1 if interleaved else -2).reshape(2, 4, 3, 8)
            self.check(found, np.concatenate([parts, rows[..., 8:]], -1).reshape(x.shape))

    def test_tensor_scatter(self):
        cache, update = self.normal(2, 3, 5, 4), self.normal(2, 3, 2, 4)
        wanted = cache.copy()
        for sample, first in enumerate((1, 4)):
            for row in range(2):
                wanted[sample, :, (first + row) % 5] = update[sample, :, row]
        found = self.run_node("TensorScatter", {"c": cache, "u": update}, 24, held={"p": np.array([1, 4])}, mode="circular")
        np.testing.assert_array_equal(found, wanted)

    # -- images

    def test_center_crop_pad(self):
        x = self.normal(5, 4, 3)
        found = self.run_node("CenterCropPad", {"x": x}, 18, held={"s": np.array([2, 7])}, axes=(0, -1))
        np.testing.assert_array_equal(found, np.pad(x[1:3], ((0, 0), (0, 0), (2, 2))))
        found = self.run_node("CenterCropPad", {"x": x}, 18, held={"s": np.array([4, 4, 6])})
        np.testing.assert_array_equal(found, np.pad(x[0:4], ((0, 0), (0, 0), (1, 2))))

    def test_col2im(self):
        settings = {"kernel_size": (3, 2), "dilation": (1, 2), "padding": (2, 1), "stride": (2, 1)}
        columns = functional.unfold(torch.from_numpy(self.normal(2, 3, 8, 9)), **settings)
        x = self.normal(*columns.shape)
        held = {"size": np.array([8, 9]), "block": np.array([3, 2])}
        found = self.run_node("Col2Im", {"x": x}, 18, held=held, dilations=(1, 2), pads=(2, 1, 2, 1), strides=(2, 1))
        self.check(found, functional.fold(torch.from_numpy(x), (8, 9), **settings))

    def test_affine_grid(self):
        theta = self.normal(2, 2, 3)
        for corners in (0, 1):
            found = self.run_node("AffineGrid", {"t": theta}, 20, held={"s": np.array([2, 3, 5, 6])}, align_corners=corners)
            self.check(found, functional.affine_grid(torch.from_numpy(theta), (2, 3, 5, 6), bool(corners)))

    def test_deformable_convolution(self):
        """Places moved by whole and half elements are those of a moved image; the mask weighs each."""
        x, weight, bias = self.normal(2, 4, 7, 8), self.normal(6, 2, 3, 3), self.normal(6)
        moves, shares = np.zeros((2, 18, 5, 6), np.float32), np.full((2, 9, 5, 6), 0.5, np.float32)
        moves[:, 0::2], moves[:, 1::2] = 1.0, 0.5
        found = self.run_node("DeformConv", {"x": x, "w": weight, "o": moves, "b": bias, "m": shares}, 19, group=2)
        down = np.pad(x[:, :, 1:], ((0, 0), (0, 0), (0, 1), (0, 0)))
        moved = (down + np.pad(down[..., 1:], ((0, 0), (0, 0), (0, 0), (0, 1)))) / 2
        wanted = functional.conv2d(torch.from_numpy(moved), torch.from_numpy(weight), None, groups=2) * 0.5 + torch.from_numpy(bias)[:, None, None]
        self.check(found, wanted)

    def test_means_of_windows_with_gaps(self):
        x = self.normal(2, 3, 9, 10)
        for counted in (0, 1):
            found = self.run_node("AveragePool", {"x": x}, 19, kernel_shape=(3, 2), dilations=(2, 3), pads=(2, 1, 2, 1), strides=(1, 2),
                                  count_include_pad=counted)
            def sums(image):
                unfolded = functional.unfold(torch.from_numpy(image), (3, 2), (2, 3), (2, 1), (1, 2)).reshape(2, 3, 6, -1)
                return unfolded.sum(2).reshape(found.shape)
            self.check(found, sums(x) / (6 if counted else sums(np.ones_like(x))))

    def test_norms_of_windows_with_gaps(self):
        x = self.normal(2, 3, 9, 10)
        found = self.run_node("LpPool", {"x": x}, 18, kernel_shape=(3, 2), dilations=(2, 3), p=3)
        unfolded = functional.unfold(torch.from_numpy(np.abs(x)), (3, 2), (2, 3)).reshape(2, 3, 6, -1)
        self.check(found, ((unfolded ** 3).sum(2) ** (1 / 3)).reshape(found.shape))

    def test_images_made_smaller_without_steps(self):
        x = self.normal(1, 2, 17, 20)
        for mode, other in (("linear", "bilinear"), ("cubic", "bicubic")):
            found = self.run_node("Resize", {"x": x}, 18, held={"r": np.float32([]), "f": np.float32([]), "s": np.array([1, 2, 6, 7])}, mode=mode,
                                  antialias=1, exclude_outside=1, cubic_coeff_a=-0.5)
            wanted = functional.interpolate(torch.from_numpy(x), (6, 7), mode=other, antialias=True)
            np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-4, atol=1e-5)

    def test_images_that_keep_their_aspect(self):
        x = self.normal(1, 1, 10, 20)
        for policy, size in (("not_larger", (6, 12)), ("not_smaller", (8, 16))):
            found = self.run_node("Resize", {"x": x}, 18, held={"r": np.float32([]), "f": np.float32([]), "s": np.array([8, 12])}, mode="linear",
                                  axes=(2, 3), keep_aspect_ratio_policy=policy)
            self.check(found, functional.interpolate(torch.from_numpy(x), size, mode="bilinear"))

    # -- elements and rows

    def test_zero_points_of_each_kernel(self):
        x, weight = self.random.integers(0, 9, (1, 2, 5, 4), "uint8"), self.random.integers(0, 9, (3, 2, 2, 3), "uint8")
        zeros = np.array([1, 4, 7], "uint8")
        found = self.run_node("ConvInteger", {"x": x, "w": weight}, 10, held={"a": np.array(2, "uint8"), "b": zeros}, pads=(1, 0, 1, 0))
        parts = [torch.from_numpy(one.astype(np.float64)) for one in (x - 2.0, weight - zeros[:, None, None, None].astype(float))]
        np.testing.assert_array_equal(found, functional.conv2d(*parts, padding=(1, 0)).numpy())

    def test_real_numbers_of_half_a_spectrum(self):
        x = self.normal(2, 10, 3)
        halves = np.fft.rfft(x, axis=1)
        pairs = np.stack([halves.real, halves.imag], -1).astype(np.float32)
        for version, held, attributes in ((17, {}, {"axis": 1}), (20, {"n": np.array(10), "a": np.array(1)}, {})):
            self.check(self.run_node("DFT", {"x": pairs}, version, held=held, inverse=1, onesided=1, **attributes), x[..., None])

    def test_rows_of_zeros_have_no_norm(self):
        x = np.float32([[3, 4], [0, 0]])
        for norm, wanted in ((1, [[3 / 7, 4 / 7], [0, 0]]), (2, [[0.6, 0.8], [0, 0]])):
            self.check(self.run_node("LpNormalization", {"x": x}, 22, p=norm), np.float32(wanted))

    def test_normalised_by_the_root_of_the_mean_square(self):
        x, scale = self.normal(3, 4, 5), self.normal(4, 5)
        found = self.run_node("RMSNormalization", {"x": x}, 23, held={"s": scale}, axis=1, epsilon=1e-3)
        self.check(found, x / np.sqrt((x.astype(np.float64) ** 2).mean((1, 2), keepdims=True) + 1e-3) * scale)

    def test_swish(self):
        x = self.normal(50) * 5
        self.check(self.run_node("Swish", {"x": x}, 24, alpha=1.5), x / (1 + np.exp(-1.5 * x.astype(np.float64))))

    def test_products_up_to_each_element(self):
        x = self.normal(3, 6)
        for exclusive in (0, 1):
            for reverse in (0, 1):
                rows = x[:, ::-1] if reverse else x
                wanted = np.cumprod(np.concatenate([np.ones((3, 1)), rows[:, :-1]], 1) if exclusive else rows.astype(np.float64), 1)
                found = self.run_node("CumProd", {"x": x}, 26, held={"a": np.array(1)}, exclusive=exclusive, reverse=reverse)
                self.check(found, wanted[:, ::-1] if reverse else wanted)


if __name__ == "__main__":
    unittest.main()
