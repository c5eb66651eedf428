"""The examples that read sequences: what they reach in a short training, and their first losses beside PyTorch's."""

import unittest

import numpy as np
import torch
import torch.nn.functional as F

import examples


def lstm(w, x, lengths=None):
    """The outputs (N, T, H) of an LSTM over (N, T, I), and its last states; rows keep theirs behind their lengths."""
    hidden = w["lstm.weight_hh_l0"].shape[1]
    h = c = torch.zeros(x.shape[0], hidden)
    outputs = []
    for step in range(x.shape[1]):
        gates = F.linear(x[:, step], w["lstm.weight_ih_l0"], w["lstm.bias_ih_l0"]) + \
            F.linear(h, w["lstm.weight_hh_l0"], w["lstm.bias_hh_l0"])
        i, f, g, o = gates.chunk(4, 1)
        cell = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        state = torch.sigmoid(o) * torch.tanh(cell)
        alive = torch.ones(x.shape[0], 1, dtype=torch.bool) if lengths is None else (step < lengths)[:, None]
        h, c = torch.where(alive, state, h), torch.where(alive, cell, c)
        outputs.append(h)
    return torch.stack(outputs, 1), h


def gru(w, layer, x):
    """The outputs (N, T, H) of one direction of a GRU's layer, and its last state."""
    h, outputs = torch.zeros(x.shape[0], w["gru.weight_hh_" + layer].shape[1]), []
    for step in range(x.shape[1]):
        outer = F.linear(x[:, step], w["gru.weight_ih_" + layer], w["gru.bias_ih_" + layer]).chunk(3, 1)
        inner = F.linear(h, w["gru.weight_hh_" + layer], w["gru.bias_hh_" + layer]).chunk(3, 1)
        reset, keep = torch.sigmoid(outer[0] + inner[0]), torch.sigmoid(outer[1] + inner[1])
        h = (1 - keep) * torch.tanh(outer[2] + reset * inner[2]) + keep * h
        outputs.append(h)
    return torch.stack(outputs, 1), h


class SequencesTest(unittest.TestCase):
    """One program each."""

    def test_lstm_classifier(self):
        """The grammar's long dependency is learnt: half of the wrong strings differ in one letter that far away one decides."""
        program, accuracy, recorder = examples.run("lstm_classifier", "--strings", 4000, "--epochs", 8)
        self.assertGreater(accuracy, 0.9)

        def loss(w, letters, labels):
            _, state = lstm(w, w["embedding.embedding_table"][letters], (letters != 0).sum(1))
            return F.cross_entropy(examples.dense(w, "decision", state), labels)

        rows = examples.batches(program.batches(4000, 1, True), 8)
        examples.check_losses(recorder, examples.in_torch(recorder, loss, rows, examples.adam(0.02)))

    def test_grammar(self):
        """Right strings are in the grammar, wrong ones are not."""
        program = __import__("lstm_classifier")
        rng = np.random.default_rng(5)
        self.assertTrue(all(program.is_right(program.right_string(rng)) for _ in range(200)))
        self.assertFalse(any(program.is_right(program.wrong_string(rng)) for _ in range(200)))

    def test_gru_classifier(self):
        program, accuracy, recorder = examples.run("gru_classifier", "--epochs", 1, "--hidden", 32, "--dropout", 0)
        self.assertGreater(accuracy, 0.8)

        def loss(w, images, labels):
            x = images[:, 0]
            for layer in ("l0", "l1"):
                forward, last = gru(w, layer, x)
                backward, first = gru(w, layer + "_reverse", x.flip(1))
                x = torch.cat([forward, backward.flip(1)], 2)
            return F.cross_entropy(examples.dense(w, "decision", torch.cat([last, first], 1)), labels)

        rows = examples.batches(program.digits(program.DIGITS, "train", 50), 6)
        examples.check_losses(recorder, examples.in_torch(recorder, loss, rows, examples.adam(0.004)))

    def test_character_model(self):
        """The loss comes near the entropy of the text, and most lines that the network writes are sentences."""
        program, (reached, share), recorder = examples.run("character_model", "--sentences", 2500, "--epochs", 7, "--hidden", 64)
        self.assertLess(reached, 1.35 * program.entropy())
        self.assertGreater(share, 0.4)

        def loss(w, letters, following):
            outputs, _ = lstm(w, w["embedding.embedding_table"][letters])
            return F.cross_entropy(examples.dense(w, "scores", outputs).flatten(0, 1), following.flatten())

        rows = examples.batches(program.batches(2500, 1), 3)
        examples.check_losses(recorder, examples.in_torch(recorder, loss, rows, examples.adam(0.005)))


if __name__ == "__main__":
    unittest.main()
