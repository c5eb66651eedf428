"""RNN, GRU and LSTM over sequences.

What a step takes of its inputs is one product for all steps. The steps themselves are a loop of the compiled program, so
that compile time does not depend on the sequence's length.
"""

import math

from plumb.common._docs import described_by
from plumb.common.initializer import Uniform, initializer
from plumb.common.parameter import Parameter, ParameterTuple
from plumb.nn._typed import typed
from plumb.nn.cell import Cell
from plumb.nn.layer.basic import Dropout
from plumb.ops import _functions as F
from plumb.ops._recurrent import GATES, product, sweep
from plumb.ops.function.shape import reverse, reverse_sequence


@typed
class _Recurrent(Cell):
    """Layers, one on the other, each in one direction or two.

    Args:
      input_size, hidden_size: extents of inputs and of states.
      num_layers: number of layers; each takes the outputs of the one before.
      has_bias: whether there are `bias_ih` and `bias_hh`.
      batch_first: whether inputs and outputs are (N, T, …) instead of (T, N, …).
      dropout: in training, the share of each layer's outputs, but of the last one's, that is zeroed.
      bidirectional: whether each layer runs in both directions, which then stand one behind the other on the last axis.

    Inputs are x, the first states (num_layers * directions, N, hidden_size), zeros by default, and `seq_length`, the number
    of steps of each row. The result is (outputs, last states).

    The steps are a loop of the program, whose gradient keeps the states of as many steps as there is room for and computes the
    others again.
    """

    kind = "rnn"

    def __init__(self, input_size, hidden_size, num_layers=1, has_bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False):
        super().__init__()
        who = type(self).__name__
        for name, value in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"For '{who}', the '{name}' must be a positive int, but got {value}.")
        if not 0 <= dropout < 1:
            raise ValueError(f"For '{who}', the 'dropout' must be at least 0 and below 1, but got {dropout}.")
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.has_bias, self.batch_first, self.bidirectional = bool(has_bias), bool(batch_first), bool(bidirectional)
        self.directions = 2 if bidirectional else 1
        self.dropout, self.dropout_op = float(dropout), Dropout(p=float(dropout))
        self.take_parameters()

    def take_parameters(self):
        """Makes the parameters of all layers, even between -1/sqrt(hidden) and 1/sqrt(hidden)."""
        rows, even = GATES[self.kind] * self.hidden_size, Uniform(1 / math.sqrt(self.hidden_size))
        lists = {"weight_ih": [], "weight_hh": [], "bias_ih": [], "bias_hh": []}
        for layer in range(self.num_layers):
            extent = self.input_size if layer == 0 else self.hidden_size * self.directions
            shapes = {"weight_ih": (rows, extent), "weight_hh": (rows, self.hidden_size), "bias_ih": (rows,), "bias_hh": (rows,)}
            for suffix in ("", "_reverse")[:self.directions]:
                for name in lists if self.has_bias else ("weight_ih", "weight_hh"):
                    lists[name].append(Parameter(initializer(even, shapes[name]), name=f"{name}_l{layer}{suffix}"))
        self.w_ih_list, self.w_hh_list = ParameterTuple(lists["weight_ih"]), ParameterTuple(lists["weight_hh"])
        self.b_ih_list, self.b_hh_list = ParameterTuple(lists["bias_ih"]), ParameterTuple(lists["bias_hh"])

    def run(self, x, h, c, lengths):
        """All layers over x; returns (outputs, last h, last c)."""
        if x.ndim != 3 or x.shape[2] != self.input_size:
            raise ValueError(f"a recurrent layer for inputs of size {self.input_size} got the shape {x.shape}; it takes three axes")
        if self.batch_first:
            x = F.transpose(x, (1, 0, 2))
        last_h, last_c = (), ()
        for layer in range(self.num_layers):
            if layer > 0:
                x = self.dropout_op(x)
            both = ()
            for direction in range(self.directions):
                index = layer * self.directions + direction
                outputs, new_h, new_c = self.one_way(x, index, direction == 1, h, c, lengths)
                both, last_h, last_c = both + (outputs,), last_h + (new_h,), last_c + (new_c,)
            x = both[0] if self.directions == 1 else F.concat(both, 2)
        if self.batch_first:
            x = F.transpose(x, (1, 0, 2))
        return x, F.stack(last_h, 0), F.stack(last_c, 0)

    def one_way(self, x, index, backward, h, c, lengths):
        """One layer in one direction."""
        steps, rows = x.shape[0], x.shape[1]
        zeros = F.fill(x.dtype, (rows, self.hidden_size), 0.0)
        first_h = zeros if h is None else F.cast(h[index], x.dtype)
        first_c = zeros if c is None else F.cast(c[index], x.dtype)
        if backward:
            x = self.turned(x, lengths)
        flat = F.reshape(x, (steps * rows, x.shape[2]))
        moved = product(flat, self.w_ih_list[index], self.b_ih_list[index] if self.has_bias else None)
        outputs, last_h, last_c = sweep(self.loop_kind(), F.reshape(moved, (steps, rows, -1)), first_h, first_c,
                                        self.w_hh_list[index], self.b_hh_list[index] if self.has_bias else None, lengths)
        return self.turned(outputs, lengths) if backward else outputs, last_h, last_c

    def turned(self, x, lengths):
        """The steps in reverse order, for each row those that it has."""
        if lengths is None:
            return reverse(x, (0,))
        return reverse_sequence(x, lengths, 0, 1)

    def loop_kind(self):
        """Which loop runs."""
        return self.kind


@typed
class RNN(_Recurrent):
    """h' = tanh(x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh), or the ReLU of it; arguments as in LSTM."""

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", has_bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False):
        super().__init__(input_size, hidden_size, num_layers, has_bias, batch_first, dropout, bidirectional)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"For 'RNN', the 'nonlinearity' must be 'tanh' or 'relu', but got {nonlinearity!r}.")
        self.nonlinearity = nonlinearity

    def loop_kind(self):
        """Which loop runs."""
        return "rnn_" + self.nonlinearity

    def construct(self, x, hx=None, seq_length=None):
        """Compiled body."""
        outputs, h, _ = self.run(x, hx, None, seq_length)
        return outputs, h


class GRU(_Recurrent):
    """h' = (1 - z) * n + z * h with gates r, z, n (Cho et al. 2014, the reset gate behind the product); else as LSTM."""

    kind = "gru"

    def construct(self, x, hx=None, seq_length=None):
        """Compiled body."""
        outputs, h, _ = self.run(x, hx, None, seq_length)
        return outputs, h


class LSTM(_Recurrent):
    """c' = f * c + i * g and h' = o * tanh(c') with gates i, f, g, o; states are pairs (h, c)."""

    kind = "lstm"

    def construct(self, x, hx=None, seq_length=None):
        """Compiled body."""
        h, c = (None, None) if hx is None else hx
        outputs, h, c = self.run(x, h, c, seq_length)
        return outputs, (h, c)


described_by(_Recurrent, RNN, GRU, LSTM)
