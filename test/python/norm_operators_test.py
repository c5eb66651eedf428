"""Normalisation as operators, beside PyTorch's: values, gradients, running statistics."""

import unittest

import numpy as np
import torch

from plumb import Parameter, Tensor, nn, ops
from numeric import numbers
from together import Fixed, check

X, SCALE, SHIFT = numbers(4, 6, 9, 7) + 2.0, numbers(6), numbers(6, seed=1)
MEAN, SPREAD = numbers(6, seed=2), numbers(6, low=0.5, high=2.0)


def torch_lrn(x, radius, bias, alpha, beta):
    """PyTorch divides alpha by the number of channels."""
    return torch.nn.functional.local_response_norm(x, 2 * radius + 1, alpha * (2 * radius + 1), beta, bias)


def torch_rms_norm(x, weight):
    """The formula, with 0.001 added to the mean of squares."""
    reciprocal = torch.rsqrt((x * x).mean((-2, -1), True) + 1e-3)
    return x * reciprocal * weight, reciprocal


class NormOperatorsTest(unittest.TestCase):
    def test_values_and_gradients(self):
        norm = torch.nn.functional
        check(self, [
            ("batch_norm", lambda x, m, v, w, b: ops.batch_norm(x, m, v, w, b, eps=1e-3),
             lambda x, m, v, w, b: norm.batch_norm(x, m, v, w, b, eps=1e-3), X, Fixed(MEAN), Fixed(SPREAD), SCALE, SHIFT),
            ("batch_norm of rows", ops.batch_norm, norm.batch_norm, X[:, :, 0, 0], Fixed(MEAN), Fixed(SPREAD), SCALE, SHIFT),
            ("LayerNorm", lambda x, w, b: ops.LayerNorm(1, 1, 1e-5)(x, w, b)[0], lambda x, w, b: norm.layer_norm(x, (6, 9, 7), w, b),
             X, numbers(6, 9, 7), numbers(6, 9, 7, seed=1)),
            ("LayerNorm's statistics", lambda x, w, b: ops.LayerNorm(-1, -1)(x, w, b)[1:],
             lambda x, w, b: (x.mean(-1, True) + 0 * w.sum(), x.var(-1, False, True) + 0 * b.sum()), X, numbers(7), numbers(7, seed=1)),
            ("layer_norm", lambda x, w, b: ops.layer_norm(x, (9, 7), w, b), lambda x, w, b: norm.layer_norm(x, (9, 7), w, b), X, numbers(9, 7), numbers(9, 7, seed=1)),
            ("layer_norm alone", lambda x: ops.layer_norm(x, 7, eps=1e-3), lambda x: norm.layer_norm(x, (7,), eps=1e-3), X),
            ("group_norm", lambda x, w, b: ops.group_norm(x, 3, w, b), lambda x, w, b: norm.group_norm(x, 3, w, b), X, SCALE, SHIFT),
            ("rms_norm", lambda x, w: ops.rms_norm(x, w, 1e-3), torch_rms_norm, X, numbers(9, 7)),
            ("lrn", lambda x: ops.lrn(x, 2, 1.5, 0.3, 0.75), lambda x: torch_lrn(x, 2, 1.5, 0.3, 0.75), X),
            ("LRN", lambda x: ops.LRN()(x), lambda x: torch_lrn(x, 5, 1.0, 1.0, 0.5), X),
        ])

    def test_training(self):
        mean, spread = (Parameter(Tensor(value.astype(np.float32)), name=name, requires_grad=False)
                        for name, value in (("mean", MEAN), ("spread", SPREAD)))

        class Net(nn.Cell):
            """Both statistics as Parameters."""

            def __init__(self):
                super().__init__()
                self.mean, self.spread = mean, spread
                self.norm = ops.BatchNorm(is_training=True, momentum=0.2)

            def construct(self, x, scale, shift):
                return self.norm(x, scale, shift, self.mean, self.spread)

        results = Net()(*[Tensor(value.astype(np.float32)) for value in (X, SCALE, SHIFT)])
        running = [torch.tensor(value) for value in (MEAN, SPREAD)]
        expected = torch.nn.functional.batch_norm(torch.tensor(X), *running, torch.tensor(SCALE), torch.tensor(SHIFT), True, 0.2)
        np.testing.assert_allclose(results[0].asnumpy(), expected.numpy(), 1e-4, 1e-5)
        np.testing.assert_allclose(results[1].asnumpy(), X.mean((0, 2, 3)), 1e-5)
        np.testing.assert_allclose(results[2].asnumpy(), X.var((0, 2, 3)), 1e-4)
        for ours, theirs in zip((mean, spread), running):
            np.testing.assert_allclose(ours.asnumpy(), theirs.numpy(), 1e-4)

    def test_refusals(self):
        x, vector = Tensor(X.astype(np.float32)), Tensor(SCALE.astype(np.float32))
        with self.assertRaisesRegex(TypeError, "must be Parameters in training"):
            ops.batch_norm(x, vector, vector, vector, vector, True)
        with self.assertRaisesRegex(ValueError, "do not fit"):
            ops.LayerNorm()(x, vector, vector)
        with self.assertRaisesRegex(ValueError, "norm_region"):
            ops.lrn(x, norm_region="WITHIN_CHANNEL")


if __name__ == "__main__":
    unittest.main()
