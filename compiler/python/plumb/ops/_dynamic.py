"""Recurrent operators of MindSpore's own devices: every step's states and gates are results; in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common.api import Whole
from plumb.ops import _functions as F


def _gate(gates, number, size):
    """The columns of one gate."""
    return F.part(gates, gates.ndim - 1, number * size, (number + 1) * size)


def _check_shapes(who, expected, *tensors):
    """Raises ValueError unless the tensors are of these shapes."""
    for tensor, shape in zip(tensors, expected):
        if tensor is not None and tensor.shape != shape:
            raise ValueError(f"For '{who}', the shapes must be {expected}, but got {tensor.shape} for {shape}")


def _no_lengths(who, seq_length):
    if seq_length is not None:
        raise ValueError(f"For '{who}', 'seq_length' can only be None; nn.LSTM and nn.GRU take lengths")


def _lstm_step(gates, c, forget_bias, cell_clip):
    """(new c, i, j, f, o) of the sums of four gates in this order."""
    size = c.shape[-1]
    i, j = F.sigmoid(_gate(gates, 0, size)), F.tanh(_gate(gates, 1, size))
    f, o = F.sigmoid(_gate(gates, 2, size) + forget_bias), F.sigmoid(_gate(gates, 3, size))
    c = f * c + i * j
    return c if cell_clip <= 0.0 else F.minimum(F.maximum(c, -cell_clip), cell_clip), i, j, f, o


@Whole
def dynamic_rnn(x, w, b, seq_length, init_h, init_c, cell_clip=-1.0, forget_bias=0.0, is_training=True):
    """One LSTM layer, with what every step computes: (y, h, c, i, j, f, o, tanh(c)), each (T, N, H).

    c = f * c + i * j and h = o * tanh(c), with the sigmoids i, f (of its sum and `forget_bias`) and o, and the tanh j. States are computed
    in the element type of `b`; h is of that of `x`.

    Args:
      x: inputs (T, N, I).
      w: weights (I + H, 4 * H), of gates in the order i, j, f, o; those of the inputs come first.
      b: biases (4 * H).
      seq_length: None.
      init_h, init_c: first states (1, N, H).
      cell_clip: c is held between -cell_clip and cell_clip, if that is above 0.
      is_training: True or False: results are the same.

    Raises:
      ValueError: if shapes do not fit, or lengths are given.
    """
    _no_lengths("DynamicRNN", seq_length)
    steps, rows, width, size = x.shape[0], x.shape[1], x.shape[2], init_h.shape[2]
    _check_shapes("DynamicRNN", ((width + size, 4 * size), (4 * size,), (1, rows, size), (1, rows, size)), w, b, init_h, init_c)
    weights = F.cast(w, b.dtype)
    moved = F.matmul(F.reshape(F.cast(x, b.dtype), (-1, width)), F.part(weights, 0, 0, width)) + b
    moved, inner = F.reshape(moved, (steps, rows, 4 * size)), F.part(weights, 0, width, width + size)
    h, c = F.cast(init_h[0], b.dtype), F.cast(init_c[0], b.dtype)
    outputs = F.fill(b.dtype, (steps, rows, size), 0.0)
    states, gates = outputs, F.fill(b.dtype, (steps, rows, 4 * size), 0.0)
    step = F.fill(mstype.int32, (), 0)
    while step < steps:
        c, i, j, f, o = _lstm_step(moved[step] + F.matmul(h, inner), c, forget_bias, cell_clip)
        h = o * F.tanh(c)
        outputs[step], states[step] = h, c
        gates[step] = F.concat((i, j, f, o), 1)
        step = step + 1
    parts = tuple([_gate(gates, number, size) for number in range(4)])
    return (outputs, F.cast(outputs, x.dtype), states) + parts + (F.tanh(states),)


@Whole
def basic_lstm_cell(x, h, c, w, b, forget_bias=1.0, state_is_tuple=True):
    """One step of an LSTM: (c, h, i, j, f, o, tanh(c)), each (N, H); see `dynamic_rnn`.

    Args:
      x, h, c: inputs (N, I) and states (N, H).
      w, b: weights (I + H, 4 * H) and biases (4 * H), of gates in the order i, j, f, o.
      state_is_tuple: True or False: results are the same.
    """
    size = h.shape[1]
    _check_shapes("BasicLSTMCell", ((x.shape[0], size), (x.shape[0], size), (x.shape[1] + size, 4 * size), (4 * size,)), h, c, w, b)
    both = F.concat((F.cast(x, b.dtype), F.cast(h, b.dtype)), 1)
    c, i, j, f, o = _lstm_step(F.matmul(both, F.cast(w, b.dtype)) + b, c, forget_bias, -1.0)
    return c, F.cast(o * F.tanh(c), h.dtype), i, j, f, o, F.tanh(c)


@Whole
def dynamic_gru(x, weight_input, weight_hidden, bias_input, bias_hidden, seq_length, init_h, gate_order="rzh", is_training=True):
    """One GRU layer, with what every step computes: (y, h, update, reset, new, hidden), each (T, N, H).

    h = (1 - z) * n + z * h, with the sigmoids r (reset) and z (update), and n = tanh(x @ W + b + r * hidden), where hidden = h @ W' + b'.

    Args:
      x: inputs (T, N, I).
      weight_input, weight_hidden: weights (I, 3 * H) and (H, 3 * H).
      bias_input, bias_hidden: biases (3 * H) or None; states are computed in the element type of the first that is given, or of `init_h`.
      seq_length: None.
      init_h: the first state (N, H).
      gate_order: in which order the gates stand: "rzh", or "zrh".
      is_training: True or False: results are the same.

    Raises:
      ValueError: if shapes do not fit, or lengths are given.
    """
    _no_lengths("DynamicGRUV2", seq_length)
    if gate_order not in ("rzh", "zrh"):
        raise ValueError(f"For 'DynamicGRUV2', the 'gate_order' must be 'rzh' or 'zrh', but got {gate_order!r}")
    steps, rows, width, size = x.shape[0], x.shape[1], x.shape[2], init_h.shape[1]
    _check_shapes("DynamicGRUV2", ((width, 3 * size), (size, 3 * size), (3 * size,), (3 * size,), (rows, size)), weight_input, weight_hidden,
                  bias_input, bias_hidden, init_h)
    kind = bias_input.dtype if bias_input is not None else bias_hidden.dtype if bias_hidden is not None else init_h.dtype
    first, second = (0, 1) if gate_order == "rzh" else (1, 0)
    moved = F.matmul(F.reshape(F.cast(x, kind), (-1, width)), F.cast(weight_input, kind))
    moved = F.reshape(moved if bias_input is None else moved + bias_input, (steps, rows, 3 * size))
    weights, h = F.cast(weight_hidden, kind), F.cast(init_h, kind)
    outputs, gates = F.fill(kind, (steps, rows, size), 0.0), F.fill(kind, (steps, rows, 4 * size), 0.0)
    step = F.fill(mstype.int32, (), 0)
    while step < steps:
        outer, inner = moved[step], F.matmul(h, weights)
        inner = inner if bias_hidden is None else inner + F.cast(bias_hidden, kind)
        reset = F.sigmoid(_gate(outer, first, size) + _gate(inner, first, size))
        update = F.sigmoid(_gate(outer, second, size) + _gate(inner, second, size))
        hidden = _gate(inner, 2, size)
        new = F.tanh(_gate(outer, 2, size) + reset * hidden)
        h = new + update * (h - new)
        outputs[step] = h
        gates[step] = F.concat((update, reset, new, hidden), 1)
        step = step + 1
    return (outputs, outputs) + tuple([_gate(gates, number, size) for number in range(4)])
