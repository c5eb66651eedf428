"""RNNCell, GRUCell and LSTMCell: one step of a recurrent layer. The layers over whole sequences stand in `rnns`."""

import math

from plumb.common.initializer import Uniform, initializer
from plumb.common.parameter import Parameter
from plumb.nn._typed import typed
from plumb.nn.cell import Cell
from plumb.ops._recurrent import GATES, gru_step, lstm_step, product, rnn_step


class RNNCellBase(Cell):
    """Parameters of one step: `weight_ih`, `weight_hh`, `bias_ih`, `bias_hh`, of `num_chunks` gates.

    A cell of one's own derives from it, and defines `construct`.
    """

    def __init__(self, input_size, hidden_size, has_bias, num_chunks):
        super().__init__()
        for name, value in (("input_size", input_size), ("hidden_size", hidden_size)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"For '{type(self).__name__}', the '{name}' must be a positive int, but got {value}.")
        self.input_size, self.hidden_size, self.has_bias = input_size, hidden_size, bool(has_bias)
        rows = num_chunks * hidden_size
        self.weight_ih = self._even((rows, input_size))
        self.weight_hh = self._even((rows, hidden_size))
        self.bias_ih = self._even((rows,)) if has_bias else None
        self.bias_hh = self._even((rows,)) if has_bias else None

    def _even(self, shape):
        """A parameter drawn evenly between -1/sqrt(hidden_size) and 1/sqrt(hidden_size)."""
        return Parameter(initializer(Uniform(1 / math.sqrt(self.hidden_size)), shape))

    def reset_parameters(self):
        """Draws every parameter again."""
        for parameter in self.get_parameters():
            parameter.set_data(initializer(Uniform(1 / math.sqrt(self.hidden_size)), parameter.shape))


@typed
class _RecurrentCell(RNNCellBase):
    """A step with the gates of its `kind`."""

    kind = "rnn"

    def __init__(self, input_size, hidden_size, has_bias=True):
        super().__init__(input_size, hidden_size, has_bias, GATES[self.kind])

    def moved(self, x):
        """What a step takes of its input."""
        if x.ndim != 2 or x.shape[1] != self.input_size:
            raise ValueError(f"a recurrent cell for inputs of size {self.input_size} got the shape {x.shape}")
        return product(x, self.weight_ih, self.bias_ih)

    def inner(self, h):
        """What a step takes of its state."""
        return product(h, self.weight_hh, self.bias_hh)


@typed
class RNNCell(_RecurrentCell):
    """h' = tanh(x @ weight_ih.T + bias_ih + h @ weight_hh.T + bias_hh); `nonlinearity` "relu" takes the ReLU.

    Inputs are x (N, input_size) and h (N, hidden_size).
    """

    def __init__(self, input_size, hidden_size, has_bias=True, nonlinearity="tanh"):
        super().__init__(input_size, hidden_size, has_bias)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"For 'RNNCell', the 'nonlinearity' must be 'tanh' or 'relu', but got {nonlinearity!r}.")
        self.nonlinearity = nonlinearity

    def construct(self, x, hx):
        """Compiled body."""
        return rnn_step(self.moved(x), self.inner(hx), self.nonlinearity == "relu")


class GRUCell(_RecurrentCell):
    """h' = (1 - z) * n + z * h with gates r, z, n: one step of nn.GRU, of x (N, input_size) and h (N, hidden_size)."""

    kind = "gru"

    def construct(self, x, hx):
        """Compiled body."""
        return gru_step(self.moved(x), self.inner(hx), hx)


class LSTMCell(_RecurrentCell):
    """(h', c'): one step of nn.LSTM, of x (N, input_size) and (h, c), both (N, hidden_size)."""

    kind = "lstm"

    def construct(self, x, hx):
        """Compiled body."""
        return lstm_step(self.moved(x), self.inner(hx[0]), hx[1])


# -- steps as functions, which programs' own recurrent layers take from here


def _rnn_tanh_cell(inputs, hidden, w_ih, w_hh, b_ih, b_hh):
    """h' of RNNCell; the biases may be None."""
    return rnn_step(product(inputs, w_ih, b_ih), product(hidden, w_hh, b_hh), False)


def _rnn_relu_cell(inputs, hidden, w_ih, w_hh, b_ih, b_hh):
    """h' of RNNCell with the ReLU."""
    return rnn_step(product(inputs, w_ih, b_ih), product(hidden, w_hh, b_hh), True)


def _gru_cell(inputs, hidden, w_ih, w_hh, b_ih, b_hh):
    """h' of GRUCell."""
    return gru_step(product(inputs, w_ih, b_ih), product(hidden, w_hh, b_hh), hidden)


def _lstm_cell(inputs, hidden, w_ih, w_hh, b_ih, b_hh):
    """(h', c') of LSTMCell; `hidden` is (h, c)."""
    return lstm_step(product(inputs, w_ih, b_ih), product(hidden[0], w_hh, b_hh), hidden[1])
