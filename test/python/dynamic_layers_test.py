"""Recurrent operators whose results are every step's states and gates, beside PyTorch's layers."""

import unittest

import numpy as np
import torch

import plumb
from plumb import Tensor, ops

RNG = np.random.default_rng(13)
T, N, I, H = 4, 3, 5, 2


def array(*shape):
    """Normal numbers, float32."""
    return RNG.standard_normal(shape).astype(np.float32)


def reordered(weight, order):
    """PyTorch's gates, one below the other, as columns in another order."""
    return np.concatenate([np.split(weight, len(order))[place] for place in order]).T


def close(found, expected, rtol=1e-4):
    """Compares a Tensor with a torch tensor."""
    np.testing.assert_allclose(found.asnumpy(), expected.detach().numpy(), rtol=rtol, atol=1e-6)


class LstmTest(unittest.TestCase):
    """DynamicRNN and BasicLSTMCell: PyTorch's gates are i, f, g, o."""

    def setUp(self):
        torch.manual_seed(3)
        self.layer = torch.nn.LSTM(I, H)
        weights = [parameter.detach().numpy() for parameter in self.layer.parameters()]
        self.w = np.concatenate([reordered(weights[0], (0, 2, 1, 3)), reordered(weights[1], (0, 2, 1, 3))])
        self.b = reordered((weights[2] + weights[3])[:, None], (0, 2, 1, 3))[0]
        self.x, self.h, self.c = array(T, N, I), array(1, N, H), array(1, N, H)

    def tensors(self):
        """The inputs."""
        return [Tensor(self.x), Tensor(self.w), Tensor(self.b), None, Tensor(self.h), Tensor(self.c)]

    def test_layer(self):
        found = ops.DynamicRNN()(*self.tensors())
        outputs, (_, last_c) = self.layer(torch.tensor(self.x), (torch.tensor(self.h), torch.tensor(self.c)))
        self.assertEqual([part.shape for part in found], [(T, N, H)] * 8)
        close(found[0], outputs)
        close(found[2][-1], last_c[0])
        _, h, c, i, j, f, o, tanh = [part.asnumpy() for part in found]
        before = np.concatenate([self.c, c[:-1]])
        np.testing.assert_allclose(c, f * before + i * j, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(tanh, np.tanh(c), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(h, o * tanh, rtol=1e-5, atol=1e-6)

    def test_gradients(self):
        def total(x, w, h):
            return ops.square(ops.DynamicRNN()(x, w, Tensor(self.b), None, h, Tensor(self.c))[0]).sum()

        found = plumb.grad(total, (0, 1, 2))(Tensor(self.x), Tensor(self.w), Tensor(self.h))
        x, h = torch.tensor(self.x, requires_grad=True), torch.tensor(self.h, requires_grad=True)
        self.layer(x, (h, torch.tensor(self.c)))[0].square().sum().backward()
        close(found[0], x.grad)
        close(found[2], h.grad)
        expected = np.concatenate([reordered(self.layer.weight_ih_l0.grad.numpy(), (0, 2, 1, 3)),
                                   reordered(self.layer.weight_hh_l0.grad.numpy(), (0, 2, 1, 3))])
        close(found[1], torch.tensor(expected))

    def test_forget_bias_clip_and_types(self):
        shifted = self.b.copy()
        shifted[2 * H:3 * H] += 0.7
        given = self.tensors()
        one = ops.DynamicRNN(forget_bias=0.7)(*given)
        given[2] = Tensor(shifted)
        np.testing.assert_allclose(one[0].asnumpy(), ops.DynamicRNN()(*given)[0].asnumpy(), rtol=1e-5)
        clipped = ops.DynamicRNN(cell_clip=0.1)(*given)[2].asnumpy()
        self.assertLessEqual(np.abs(clipped).max(), 0.1 + 1e-7)
        half = [given[0].astype(plumb.float16), given[1].astype(plumb.float16), given[2], None] + [part.astype(plumb.float16) for part in given[4:]]
        found = ops.DynamicRNN()(*half)
        self.assertEqual([part.dtype for part in found[:3]], [plumb.float32, plumb.float16, plumb.float32])
        np.testing.assert_allclose(found[0].asnumpy(), ops.DynamicRNN()(*given)[0].asnumpy(), atol=5e-3)

    def test_one_step(self):
        c, h, i, j, f, o, tanh = ops.BasicLSTMCell(forget_bias=0.0)(Tensor(self.x[0]), Tensor(self.h[0]), Tensor(self.c[0]), Tensor(self.w),
                                                                    Tensor(self.b))
        outputs, _ = self.layer(torch.tensor(self.x[:1]), (torch.tensor(self.h), torch.tensor(self.c)))
        close(h, outputs[0])
        np.testing.assert_allclose(c.asnumpy(), f.asnumpy() * self.c[0] + i.asnumpy() * j.asnumpy(), rtol=1e-5)
        np.testing.assert_allclose(h.asnumpy(), o.asnumpy() * tanh.asnumpy(), rtol=1e-5)

    def test_refusals(self):
        given = self.tensors()
        with self.assertRaisesRegex(ValueError, "direction='BIDIRECTIONAL' is not offered"):
            ops.DynamicRNN(direction="BIDIRECTIONAL")
        with self.assertRaisesRegex(Exception, "nn.LSTM and nn.GRU take lengths"):
            ops.DynamicRNN()(*given[:3], Tensor([4, 2, 1]), *given[4:])
        with self.assertRaisesRegex(Exception, r"the shapes must be \(\(7, 8\)"):
            ops.DynamicRNN()(given[0], given[1][1:], *given[2:])


class GruTest(unittest.TestCase):
    """DynamicGRUV2: PyTorch's gates are r, z, n."""

    def setUp(self):
        torch.manual_seed(4)
        self.layer = torch.nn.GRU(I, H)
        self.weights = [parameter.detach().numpy() for parameter in self.layer.parameters()]
        self.x, self.h = array(T, N, I), array(N, H)

    def given(self, order):
        """The inputs, with gates in an order."""
        parts = [reordered(weight if weight.ndim == 2 else weight[:, None], order) for weight in self.weights]
        return [Tensor(self.x)] + [Tensor(np.ascontiguousarray(part if part.shape[0] > 1 else part[0])) for part in parts] + [None, Tensor(self.h)]

    def test_orders(self):
        outputs, _ = self.layer(torch.tensor(self.x), torch.tensor(self.h[None]))
        for name, order in (("rzh", (0, 1, 2)), ("zrh", (1, 0, 2))):
            found = ops.DynamicGRUV2(gate_order=name)(*self.given(order))
            self.assertEqual([part.shape for part in found], [(T, N, H)] * 6)
            close(found[0], outputs)
            _, h, update, _, new, _ = [part.asnumpy() for part in found]
            before = np.concatenate([self.h[None], h[:-1]])
            np.testing.assert_allclose(h, (1 - update) * new + update * before, rtol=1e-5, atol=1e-6)

    def test_gradients_and_no_biases(self):
        given = self.given((0, 1, 2))

        def total(x, w):
            return ops.square(ops.DynamicGRUV2()(x, w, given[2], None, None, None, given[6])[1]).sum()

        found = plumb.grad(total, (0, 1))(given[0], given[1])
        layer = torch.nn.GRU(I, H, bias=False)
        layer.load_state_dict({name: torch.tensor(value) for name, value in zip(("weight_ih_l0", "weight_hh_l0"), self.weights)})
        x = torch.tensor(self.x, requires_grad=True)
        layer(x, torch.tensor(self.h[None]))[0].square().sum().backward()
        close(found[0], x.grad)
        close(found[1], layer.weight_ih_l0.grad.T)

    def test_refusals(self):
        with self.assertRaisesRegex(ValueError, "reset_after=False is not offered"):
            ops.DynamicGRUV2(reset_after=False)
        with self.assertRaisesRegex(Exception, "'rzh' or 'zrh'"):
            ops.DynamicGRUV2(gate_order="hrz")(*self.given((0, 1, 2)))


if __name__ == "__main__":
    unittest.main()
