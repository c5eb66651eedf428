"""Attention and Transformer layers beside PyTorch: outputs, weights, gradients by inputs and Parameters."""

import unittest

import numpy as np
import torch

import plumb
from plumb import nn

RNG = np.random.default_rng(31)
SOURCE = RNG.standard_normal((5, 2, 8)).astype(np.float32)
TARGET = RNG.standard_normal((4, 2, 8)).astype(np.float32)
PADDING = np.array([[False] * 5, [False, False, False, True, True]])
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

    def test_refused(self):
        for make in (lambda: nn.MultiheadAttention(8, 3), lambda: nn.MultiheadAttention(8, 2, add_zero_attn=True)):
            with self.assertRaises(ValueError):
                make()


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
