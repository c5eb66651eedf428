"""Attention and Transformer layers beside PyTorch: outputs, weights, gradients by inputs and Parameters."""

import unittest

import numpy as np
import torch

import plumb
from plumb import nn, ops

RNG = np.random.default_rng(31)
SOURCE = RNG.standard_normal((5, 2, 8)).astype(np.float32)
TARGET = RNG.standard_normal((4, 2, 8)).astype(np.float32)
PADDING = np.array([[False] * 5, [False, False, False, True, True]])
PACKED = RNG.standard_normal((24, 8))
CAUSAL = np.triu(np.ones((4, 4), bool), 1)


def named(name):
    """PyTorch's name of a Parameter."""
    return name.replace("gamma", "weight").replace("beta", "bias")


def twin(cell, other):
    """PyTorch's layer with the same parameters; every Parameter starts at random."""
    for parameter in cell.trainable_params():
        parameter.set_data(plumb.Tensor((0.3 * RNG.standard_normal(parameter.shape)).astype(np.float32)))
    values = {named(name): parameter.asnumpy() for name, parameter in cell.parameters_dict().items() if parameter.requires_grad}
    own = dict(other.named_parameters())
    assert sorted(values) == sorted(own), (sorted(values), sorted(own))
    for name, parameter in own.items():
        parameter.data = torch.tensor(values[name])
    return other


class Case(unittest.TestCase):
    """Compares a cell with PyTorch's."""

    def check(self, cell, other, inputs, masks, torch_masks=None, first=False):
        """`inputs` are differentiated; `masks` are given to both by name."""
        other = twin(cell, other)
        tensors = [torch.tensor(each, requires_grad=True) for each in inputs]
        expected = other(*tensors, **{name: torch.tensor(mask) if isinstance(mask, np.ndarray) else mask
                                      for name, mask in (torch_masks or masks).items()})
        expected = expected[0] if first else expected
        factors = RNG.standard_normal(tuple(expected.shape)).astype(np.float32)
        (expected * torch.tensor(factors)).sum().backward()
        given = {name: plumb.Tensor(mask) if isinstance(mask, np.ndarray) else mask for name, mask in masks.items()}
        shares = plumb.Tensor(factors)

        def total(*values):
            result = cell(*values, **given)
            result = result[0] if first else result
            return (result * shares).sum(), result

        weights = cell.trainable_params()
        (_, result), (by_inputs, by_weights) = plumb.value_and_grad(total, tuple(range(len(inputs))), weights, has_aux=True)(
            *map(plumb.Tensor, inputs))
        np.testing.assert_allclose(result.asnumpy(), expected.detach().numpy(), rtol=1e-4, atol=1e-5)
        by_inputs = by_inputs if isinstance(by_inputs, tuple) else (by_inputs,)
        for gradient, each in zip(by_inputs, tensors):
            np.testing.assert_allclose(gradient.asnumpy(), each.grad.numpy(), rtol=1e-3, atol=1e-4)
        own = dict(other.named_parameters())
        for gradient, weight in zip(by_weights, weights):
            np.testing.assert_allclose(gradient.asnumpy(), own[named(weight.name)].grad.numpy(), rtol=1e-3, atol=2e-4,
                                       err_msg=weight.name)


class AttentionTest(Case):
    """MultiheadAttention."""

    def test_masks(self):
        added = np.where(np.triu(np.ones((4, 5)), 2) > 0, -1e9, 0).astype(np.float32)
        self.check(nn.MultiheadAttention(8, 2), torch.nn.MultiheadAttention(8, 2), (TARGET, SOURCE, SOURCE),
                   {"key_padding_mask": PADDING, "attn_mask": added}, first=True)

    def test_other_extents(self):
        values = RNG.standard_normal((2, 5, 6)).astype(np.float32)
        queries, keys = TARGET.swapaxes(0, 1).copy(), SOURCE.swapaxes(0, 1).copy()
        cell = nn.MultiheadAttention(8, 4, vdim=6, batch_first=True, has_bias=False)
        other = torch.nn.MultiheadAttention(8, 4, vdim=6, batch_first=True, bias=False)
        self.check(cell, other, (queries, keys, values), {}, first=True)
        _, expected = other(*map(torch.tensor, (queries, keys, values)))
        np.testing.assert_allclose(cell(*map(plumb.Tensor, (queries, keys, values)))[1].asnumpy(), expected.detach().numpy(),
                                   rtol=1e-4, atol=1e-6)

    def test_more_keys(self):
        added = np.where(np.triu(np.ones((4, 5)), 2) > 0, -1e9, 0).astype(np.float32)
        for more in ({"add_zero_attn": True}, {"add_bias_kv": True}, {"add_bias_kv": True, "add_zero_attn": True}):
            with self.subTest(**more):
                self.check(nn.MultiheadAttention(8, 2, **more), torch.nn.MultiheadAttention(8, 2, **more), (TARGET, SOURCE, SOURCE),
                           {"key_padding_mask": PADDING, "attn_mask": added}, first=True)

    def test_without_rows(self):
        cell, other = nn.MultiheadAttention(8, 2), torch.nn.MultiheadAttention(8, 2)
        inputs = TARGET[:, 0].copy(), SOURCE[:, 0].copy(), SOURCE[:, 0].copy()
        self.check(cell, other, inputs, {"key_padding_mask": PADDING[1]}, first=True)
        outputs, weights = cell(*map(plumb.Tensor, inputs))
        self.assertEqual((outputs.shape, weights.shape), ((4, 8), (4, 5)))

    def test_mask_of_bytes(self):
        cell, mask = nn.MultiheadAttention(8, 2), np.triu(np.ones((4, 5), bool), 2)
        inputs = [plumb.Tensor(each) for each in (TARGET, SOURCE, SOURCE)]
        expected, found = (cell(*inputs, attn_mask=plumb.Tensor(each))[1].asnumpy() for each in (mask, mask.astype(np.uint8)))
        np.testing.assert_array_equal(found, expected)
        self.assertFalse(found[:, mask].any())
        with self.assertRaisesRegex(TypeError, "attn_mask"):
            cell(*inputs, attn_mask=plumb.Tensor(mask.astype(np.int32)))

    def test_refused(self):
        with self.assertRaises(ValueError):
            nn.MultiheadAttention(8, 3)


class AttentionFunctionTest(unittest.TestCase):
    """`multi_head_attention_forward` beside PyTorch's, which takes the same arguments."""

    def given(self, make, options):
        """Arguments, arrays of them made tensors."""
        given = [TARGET.astype(np.float64), *[SOURCE.astype(np.float64)] * 2, 8, 2]
        named = {"in_proj_weight": PACKED, "in_proj_bias": PACKED[:, 0].copy(), "bias_k": None, "bias_v": None, "add_zero_attn": False,
                 "dropout_p": 0.0, "out_proj_weight": PACKED[:8], "out_proj_bias": PACKED[:8, 1].copy(), **options}
        return [make(each) for each in given], {name: make(each) for name, each in named.items()}

    def found(self, **options):
        given, named = self.given(lambda each: plumb.Tensor(each) if isinstance(each, np.ndarray) else each, options)
        return ops.multi_head_attention_forward(*given, **named)

    def check(self, **options):
        given, named = self.given(lambda each: torch.tensor(each) if isinstance(each, np.ndarray) else each, options)
        expected = torch.nn.functional.multi_head_attention_forward(*given, **named)
        for one, other in zip(self.found(**options), expected, strict=True):
            np.testing.assert_allclose(one.asnumpy(), other.numpy(), rtol=1e-10, atol=1e-12)

    def test_beside_torch(self):
        self.check(average_attn_weights=False, key_padding_mask=PADDING)
        self.check(in_proj_bias=None, out_proj_bias=None, attn_mask=np.triu(np.ones((4, 5), bool), 2))
        self.check(bias_k=RNG.standard_normal((1, 1, 8)), bias_v=RNG.standard_normal((1, 1, 8)), add_zero_attn=True,
                   key_padding_mask=PADDING, attn_mask=np.triu(np.ones((4, 5), bool), 3))
        self.check(attn_mask=RNG.standard_normal((4, 4, 5)))
        self.check(static_k=RNG.standard_normal((4, 5, 4)), static_v=RNG.standard_normal((4, 5, 4)))
        self.check(in_proj_weight=None, use_separate_proj_weight=True,
                   **{f"{name}_proj_weight": RNG.standard_normal((8, 8)) for name in "qkv"})

    def test_later_keys(self):
        weights = ops.multi_head_attention_forward(
            *[plumb.Tensor(SOURCE)] * 3, 8, 2, plumb.Tensor(RNG.standard_normal((24, 8)).astype(np.float32)), None, None, None, False, 0.0,
            plumb.Tensor(np.eye(8, dtype=np.float32)), None, is_causal=True)[1].asnumpy()
        self.assertFalse(np.triu(weights, 1).any())
        np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-5)

    def test_refused(self):
        for arguments in (dict(bias_k=np.ones((1, 1, 8)), bias_v=None), dict(static_k=np.ones((4, 5, 4)), bias_k=np.ones((1, 1, 8)),
                                                                          bias_v=np.ones((1, 1, 8)))):
            with self.assertRaisesRegex(ValueError, "bias_k"):
                self.found(**arguments)


class TransformerTest(Case):
    """Layers and stacks, without dropout: it draws other numbers than PyTorch's."""

    def test_stacks(self):
        options = dict(d_model=8, nhead=2, num_encoder_layers=1, num_decoder_layers=2, dim_feedforward=16, dropout=0.0)
        self.check(nn.Transformer(**options), torch.nn.Transformer(**options), (SOURCE, TARGET),
                   {"tgt_mask": CAUSAL, "src_key_padding_mask": PADDING, "memory_key_padding_mask": PADDING})

    def test_first_biases(self):
        """Biases of the products start even up to one over the root of their inputs' extent; those of q, k and v at 0."""
        layer = nn.TransformerEncoderLayer(64, 4, 1024)
        for bias, inputs in ((layer.linear1.bias, 64), (layer.linear2.bias, 1024), (layer.self_attn.out_proj.bias, 64)):
            values, bound = bias.asnumpy(), inputs ** -0.5
            self.assertLessEqual(np.abs(values).max(), bound)
            self.assertGreater(np.abs(values).max(), 0.9 * bound)
            self.assertLess(abs(values.std() - bound / 3 ** 0.5), 0.2 * bound)
        self.assertEqual(np.abs(layer.self_attn.in_proj_bias.asnumpy()).max(), 0.0)

    def test_encoder_layer_with_norms_first(self):
        self.check(nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu", norm_first=True),
                   torch.nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu", norm_first=True), (SOURCE,),
                   {"src_key_padding_mask": PADDING})


if __name__ == "__main__":
    unittest.main()
