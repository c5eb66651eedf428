"""Recurrent layers and cells beside PyTorch: outputs, last states, and gradients by the input and by every parameter."""

import unittest

import numpy as np
import torch

import plumb
from plumb import nn, ops
from plumb.nn.layer import rnn_cells

RNG = np.random.default_rng(8)
STEPS, ROWS, INPUTS, HIDDEN = 5, 3, 4, 6
X = RNG.standard_normal((STEPS, ROWS, INPUTS)).astype(np.float32)
LENGTHS = np.array([5, 2, 4], np.int32)


def twin(cell, kind, **kwargs):
    """PyTorch's layer with the same parameters."""
    other = getattr(torch.nn, kind)(cell.input_size, cell.hidden_size, **kwargs)
    for name, parameter in other.named_parameters():
        parameter.data = torch.tensor(cell.parameters_dict()[name].asnumpy())
    return other


def flat(states):
    """h, or h and c."""
    return states if isinstance(states, tuple) else (states,)


class Weighted(nn.Cell):
    """Everything a layer gives, and the sum of it by fixed factors."""

    def __init__(self, cell, factors, lengths=None):
        super().__init__()
        self.cell, self.factors, self.lengths = cell, tuple(map(plumb.Tensor, factors)), lengths

    def construct(self, x, *states):
        """(sum, outputs, states …)."""
        if len(states) == 0:
            outputs, last = self.cell(x, None, self.lengths)
        else:
            outputs, last = self.cell(x, states[0] if len(states) == 1 else states, self.lengths)
        parts = (outputs,) + (last if isinstance(last, tuple) else (last,))
        total = 0.0
        for i in range(len(parts)):
            total = total + (parts[i] * self.factors[i]).sum()
        return (total,) + parts


class LayersTest(unittest.TestCase):
    """Whole sequences."""

    def check(self, kind, states=0, lengths=None, torchs=None, x=X, **kwargs):
        """Compares `nn.<kind>(**kwargs)` with PyTorch's; `states` first states are random."""
        cell = getattr(nn, kind)(INPUTS, HIDDEN, **kwargs)
        other = twin(cell, kind, **(kwargs if torchs is None else torchs))
        shape = (cell.num_layers * cell.directions, ROWS, HIDDEN)
        first = [RNG.standard_normal(shape).astype(np.float32) for _ in range(states)]
        inputs = [torch.tensor(each, requires_grad=True) for each in (x, *first)]
        begin = tuple(inputs[1:]) if states == 2 else inputs[1] if states else None
        if lengths is None:
            outputs, last = other(inputs[0], begin)
        else:
            packed = torch.nn.utils.rnn.pack_padded_sequence(inputs[0], torch.tensor(lengths), enforce_sorted=False)
            packed, last = other(packed, begin)
            outputs, _ = torch.nn.utils.rnn.pad_packed_sequence(packed)
        expected = (outputs, *flat(last))
        factors = [RNG.standard_normal(tuple(part.shape)).astype(np.float32) for part in expected]
        sum((part * torch.tensor(factor)).sum() for part, factor in zip(expected, factors)).backward()
        run = Weighted(cell, factors, None if lengths is None else plumb.Tensor(lengths))
        weights = cell.trainable_params()
        values, (by_inputs, by_weights) = plumb.value_and_grad(run, tuple(range(1 + states)), weights, has_aux=True)(
            *map(plumb.Tensor, (x, *first)))
        for value, part in zip(values[1:], expected):
            np.testing.assert_allclose(value.asnumpy(), part.detach().numpy(), atol=2e-6)
        for gradient, each in zip(by_inputs, inputs):
            np.testing.assert_allclose(gradient.asnumpy(), each.grad.numpy(), rtol=1e-4, atol=1e-5)
        parameters = dict(other.named_parameters())
        self.assertEqual(sorted(parameter.name for parameter in weights), sorted("cell." + name for name in parameters))
        for gradient, weight in zip(by_weights, weights):
            np.testing.assert_allclose(gradient.asnumpy(), parameters[weight.name[5:]].grad.numpy(), rtol=1e-4, atol=2e-5,
                                       err_msg=weight.name)

    def test_lstm(self):
        self.check("LSTM", states=2)
        self.check("LSTM", x=X.swapaxes(0, 1).copy(), num_layers=2, bidirectional=True, batch_first=True)

    def test_gru(self):
        self.check("GRU", states=1, has_bias=False, torchs={"bias": False})

    def test_rnn(self):
        self.check("RNN", states=1, nonlinearity="relu")

    def test_lengths(self):
        self.check("LSTM", states=2, lengths=LENGTHS, bidirectional=True)
        self.check("GRU", lengths=LENGTHS)

    def test_long_sequences_compile_alike(self):
        """A few hundred steps are one loop."""
        x = RNG.standard_normal((300, 2, 3)).astype(np.float32)
        cell = nn.GRU(3, 4)
        expected, _ = twin(cell, "GRU")(torch.tensor(x))
        np.testing.assert_allclose(cell(plumb.Tensor(x))[0].asnumpy(), expected.detach().numpy(), atol=1e-5)

    def test_dropout_between_layers(self):
        cell = nn.LSTM(INPUTS, HIDDEN, 2, dropout=0.5)
        x = plumb.Tensor(X)
        still = cell(x)[0].asnumpy()
        np.testing.assert_array_equal(cell(x)[0].asnumpy(), still)
        cell.set_train()
        self.assertFalse(np.allclose(cell(x)[0].asnumpy(), still))

    def test_refused(self):
        for make in (lambda: nn.LSTM(0, 3), lambda: nn.GRU(2, 3, dropout=1.0), lambda: nn.RNN(2, 3, nonlinearity="gelu")):
            with self.assertRaises(ValueError):
                make()
        with self.assertRaisesRegex(plumb._parse.CompileError, "takes three axes"):
            nn.GRU(2, 3)(plumb.Tensor(np.ones((4, 2), np.float32)))


class Steps(nn.Cell):
    """One step of each cell."""

    def __init__(self, cells):
        super().__init__()
        self.cells_to_call = nn.CellList(cells)

    def construct(self, x, h, c):
        """All results."""
        lstm, gru, tanh, relu = self.cells_to_call
        return lstm(x, (h, c)) + (gru(x, h), tanh(x, h), relu(x, h))


class CellsTest(unittest.TestCase):
    """Single steps."""

    def test_steps(self):
        cells = [nn.LSTMCell(INPUTS, HIDDEN), nn.GRUCell(INPUTS, HIDDEN), nn.RNNCell(INPUTS, HIDDEN, False),
                 nn.RNNCell(INPUTS, HIDDEN, nonlinearity="relu")]
        others = [twin(cells[0], "LSTMCell"), twin(cells[1], "GRUCell"), twin(cells[2], "RNNCell", bias=False),
                  twin(cells[3], "RNNCell", nonlinearity="relu")]
        h, c = (RNG.standard_normal((ROWS, HIDDEN)).astype(np.float32) for _ in range(2))
        x, th, tc = map(torch.tensor, (X[0], h, c))
        expected = [*others[0](x, (th, tc)), *(other(x, th) for other in others[1:])]
        for value, part in zip(Steps(cells)(*map(plumb.Tensor, (X[0], h, c))), expected):
            np.testing.assert_allclose(value.asnumpy(), part.detach().numpy(), atol=1e-6)

    def test_steps_as_functions(self):
        for cell, step in ((nn.GRUCell(INPUTS, HIDDEN), rnn_cells._gru_cell), (nn.RNNCell(INPUTS, HIDDEN), rnn_cells._rnn_tanh_cell),
                           (nn.RNNCell(INPUTS, HIDDEN, nonlinearity="relu"), rnn_cells._rnn_relu_cell),
                           (nn.LSTMCell(INPUTS, HIDDEN, has_bias=False), rnn_cells._lstm_cell)):
            state = plumb.Tensor(RNG.standard_normal((ROWS, HIDDEN)).astype(np.float32))
            state = (state, state * 2) if isinstance(cell, nn.LSTMCell) else state
            wanted, found = cell(plumb.Tensor(X[0]), state), step(plumb.Tensor(X[0]), state, cell.weight_ih, cell.weight_hh, cell.bias_ih,
                                                                  cell.bias_hh)
            for one, other in zip(found, wanted, strict=True):
                np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6, atol=1e-7)

    def test_of_ones_own(self):
        """A cell that derives from their base has its parameters, and draws them again."""
        class Minimal(rnn_cells.RNNCellBase):
            """A step without a state of its gates."""

            def construct(self, x, h):
                """Compiled body."""
                return ops.tanh(ops.matmul(x, self.weight_ih.T) + self.bias_ih + h)

        cell = Minimal(3, 4, has_bias=True, num_chunks=1)
        self.assertEqual({p.name: p.shape for p in cell.get_parameters()},
                         {"weight_ih": (4, 3), "weight_hh": (4, 4), "bias_ih": (4,), "bias_hh": (4,)})
        before = cell.weight_ih.asnumpy()
        cell.reset_parameters()
        self.assertFalse(np.array_equal(cell.weight_ih.asnumpy(), before))
        self.assertLessEqual(np.abs(cell.weight_ih.asnumpy()).max(), 0.5)
        self.assertEqual(cell(plumb.Tensor(np.ones((2, 3), np.float32)), plumb.Tensor(np.ones((2, 4), np.float32))).shape, (2, 4))

    def test_training(self):
        """A classifier of sequences learns which half has the larger sum."""
        class Classifier(nn.Cell):
            """An LSTM and a Dense."""

            def __init__(self):
                super().__init__()
                self.lstm, self.head = nn.LSTM(1, 8, batch_first=True), nn.Dense(8, 2, "xavier_uniform")

            def construct(self, x):
                """Scores."""
                _, (h, _) = self.lstm(x)
                return self.head(h[0])

        plumb.set_seed(1)
        x = RNG.standard_normal((256, 6, 1)).astype(np.float32)
        y = (x[:, :3].sum((1, 2)) > x[:, 3:].sum((1, 2))).astype(np.int32)
        network = Classifier()
        model = plumb.Model(network, nn.CrossEntropyLoss(), nn.Adam(network.trainable_params(), 0.02), {"acc"})
        data = plumb.dataset.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False).batch(32)
        model.train(20, data, dataset_sink_mode=True)
        self.assertGreater(model.eval(data)["acc"], 0.93)


class OfFlatWeightsTest(unittest.TestCase):
    """ops.LSTM, whose weights are one tensor."""

    def test_values_and_gradients(self):
        steps, rows, inputs, hidden = 20, 16, 48, 64
        x = RNG.standard_normal((steps, rows, inputs)).astype(np.float32)
        for both in (False, True):
            other = torch.nn.LSTM(inputs, hidden, bidirectional=both)
            parts = [getattr(other, f"{name}_l0{way}") for name in ("weight_ih", "weight_hh", "bias_ih")
                     for way in ("", "_reverse")[:1 + both]]
            unused = [getattr(other, f"bias_hh_l0{way}") for way in ("", "_reverse")[:1 + both]]
            for bias in unused:
                torch.nn.init.zeros_(bias)
            w = np.concatenate([part.detach().numpy().reshape(-1) for part in parts + unused])
            h, c = (RNG.standard_normal((1 + both, rows, hidden)).astype(np.float32) for _ in "hc")
            layer, tensors = ops.LSTM(inputs, hidden, 1, True, both, 0.0), [plumb.Tensor(item) for item in (x, h, c, w)]
            theirs = torch.tensor(x, requires_grad=True)
            outputs, last = other(theirs, (torch.tensor(h), torch.tensor(c)))
            for found, wanted in zip(layer(*tensors), (outputs, *last)):
                np.testing.assert_allclose(found.asnumpy(), wanted.detach().numpy(), rtol=1e-4, atol=1e-5)
            one_bias = plumb.Tensor(w[:w.size - (1 + both) * 4 * hidden])
            for found, wanted in zip(layer(*tensors[:3], one_bias), layer(*tensors)):
                np.testing.assert_array_equal(found.asnumpy(), wanted.asnumpy())
            outputs.square().sum().backward()
            by_x, by_w = plumb.grad(lambda x, w: ops.square(layer(x, *tensors[1:3], w)[0]).sum(), (0, 1))(tensors[0], tensors[3])
            np.testing.assert_allclose(by_x.asnumpy(), theirs.grad.numpy(), rtol=1e-3, atol=1e-4)
            wanted = np.concatenate([part.grad.numpy().reshape(-1) for part in parts])
            np.testing.assert_allclose(by_w.asnumpy()[:wanted.size], wanted, rtol=1e-3, atol=1e-3)

    def test_layers(self):
        """Several layers in one direction; MindSpore 2.0.0's order of weights, checked against it once."""
        steps, rows, size, layers = 7, 3, 5, 3
        other = torch.nn.LSTM(size, size, layers)
        parts = [getattr(other, f"{name}_l{layer}") for name in ("weight_ih", "weight_hh", "bias_ih") for layer in range(layers)]
        for layer in range(layers):
            torch.nn.init.zeros_(getattr(other, f"bias_hh_l{layer}"))
        w = np.concatenate([part.detach().numpy().reshape(-1) for part in parts])
        x = RNG.standard_normal((steps, rows, size)).astype(np.float32)
        h, c = (RNG.standard_normal((layers, rows, size)).astype(np.float32) for _ in "hc")
        outputs, last = other(torch.tensor(x), (torch.tensor(h), torch.tensor(c)))
        found = ops.LSTM(size, size, layers, True, False, 0.0)(*(plumb.Tensor(item) for item in (x, h, c, w)))
        for mine, wanted in zip(found, (outputs, *last)):
            np.testing.assert_allclose(mine.asnumpy(), wanted.detach().numpy(), rtol=1e-4, atol=1e-5)

    def test_refused(self):
        for options in ((4, 4, 0, True, False, 0.0), (4, 4, 2, True, False, 0.5)):
            with self.assertRaisesRegex(ValueError, "num_layers|dropout"):
                ops.LSTM(*options)
        tensors = [plumb.Tensor(np.ones(shape, np.float32)) for shape in ((5, 3, 4), (1, 3, 6), (1, 3, 6), (10,))]
        with self.assertRaisesRegex(ValueError, "288 weights"):
            ops.LSTM(4, 6, 1, True, False, 0.0)(*tensors)
        for options in ((4, 6, 2, True, False, 0.0), (4, 4, 2, True, True, 0.0)):
            with self.assertRaisesRegex(ValueError, "several layers run in one direction"):
                ops.LSTM(*options)(*tensors)


if __name__ == "__main__":
    unittest.main()
