"""Steps of recurrent layers, and loops over them, in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.ops import _functions as F
from plumb.ops.function.shape import reverse

GATES = {"rnn": 1, "gru": 3, "lstm": 4}


def product(x, weight, bias):
    """x @ weight.T + bias, in the element type of x; `bias` may be None."""
    x = F.matmul(x, F.cast(weight, x.dtype), transpose_b=True)
    return x if bias is None else x + F.cast(bias, x.dtype)


def rnn_step(moved, inner, relu):
    """h' = tanh(moved + inner), or the ReLU of it; `inner` is h @ weight_hh.T + bias_hh."""
    return F.relu(moved + inner) if relu else F.tanh(moved + inner)


def gru_step(moved, inner, h):
    """h' = (1 - z) * n + z * h, with the gates r, z and n in this order; r scales what n takes of h, its bias included."""
    size = h.shape[-1]
    gates = F.sigmoid(_gates(moved, 0, 2 * size) + _gates(inner, 0, 2 * size))
    reset, update = _gates(gates, 0, size), _gates(gates, size, 2 * size)
    new = F.tanh(_gates(moved, 2 * size, 3 * size) + reset * _gates(inner, 2 * size, 3 * size))
    return new + update * (h - new)


def lstm_step(moved, inner, c):
    """c' = f * c + i * g and h' = o * tanh(c'), with the gates i, f, g and o in this order."""
    size = c.shape[-1]
    gates = moved + inner
    both = F.sigmoid(_gates(gates, 0, 2 * size))
    c = _gates(both, size, 2 * size) * c + _gates(both, 0, size) * F.tanh(_gates(gates, 2 * size, 3 * size))
    return F.sigmoid(_gates(gates, 3 * size, 4 * size)) * F.tanh(c), c


def _gates(x, begin, end):
    return F.strided_slice(x, (0, begin), (x.shape[0], end), (1, 1))


def sweep(kind, moved, h, c, weight, bias, lengths):
    """Runs all steps: returns (outputs (T, N, H), last h, last c).

    Args:
      kind: "rnn_tanh", "rnn_relu", "gru" or "lstm"; only the last has a state c.
      moved: what the steps take of their inputs, (T, N, gates * H).
      lengths: as of `run_steps`.
    """
    weight = F.transpose(F.cast(weight, moved.dtype), (1, 0))  # once, before the loop
    bias = None if bias is None else F.reshape(F.cast(bias, moved.dtype), (1, -1))

    def step_of(own, h, c):
        inner = F.matmul(h, weight) if bias is None else F.matmul(h, weight) + bias
        if kind == "lstm":
            return lstm_step(own, inner, c)
        if kind == "gru":
            return gru_step(own, inner, h), c
        return rnn_step(own, inner, kind == "rnn_relu"), c

    return run_steps(step_of, moved, h, c, lengths)


def run_steps(step_of, moved, h, c, lengths):
    """Runs all steps of a recurrent layer: returns (outputs (T, N, H), last h, last c).

    Args:
      step_of: a step: a function of its part of `moved` (N, gates * H) and of h and c, which gives new ones.
      moved: what the steps take of their inputs, (T, N, gates * H).
      lengths: int32 (N,), from which step on a row keeps its state and gives zeros; None: never.
    """
    steps, rows = moved.shape[0], moved.shape[1]
    outputs = F.fill(moved.dtype, (steps, rows, h.shape[1]), 0.0)
    step = F.fill(mstype.int32, (), 0)
    while step < steps:
        new, state = step_of(moved[step], h, c)
        output = new
        if lengths is not None:
            alive = F.reshape(F.less(step, lengths), (rows, 1))
            output = F.select(alive, new, F.zeros_like(new))
            new, state = F.select(alive, new, h), F.select(alive, state, c)
        h, c = new, state
        outputs[step] = output
        step = step + 1
    return outputs, h, c


def lstm_layers(x, h, c, w, input_size, hidden_size, num_layers, has_bias, bidirectional):
    """LSTM layers, one on the other, with all their weights in one tensor: (outputs (T, N, directions * H), last h, last c).

    Args:
      x: inputs (T, N, I); h, c: first states (num_layers * directions, N, H).
      w: one behind another: of each layer and direction weight_ih (4 * H, I), of each weight_hh (4 * H, H), then, if `has_bias` is
        set, of each its bias (4 * H), and possibly as many numbers again, which MindSpore leaves out of account on a CPU, and so they
        are here.
      num_layers: of several, I must be H, and they run in one direction.

    Raises:
      ValueError: if shapes do not fit.
    """
    if num_layers > 1 and (bidirectional or input_size != hidden_size):
        raise ValueError("For 'LSTM', several layers run in one direction, and 'input_size' must be 'hidden_size', but got "
                         f"{input_size} and {hidden_size}; use nn.LSTM for others.")
    directions, rows = 2 if bidirectional else 1, 4 * hidden_size
    sweeps, sizes = num_layers * directions, (rows * input_size, rows * hidden_size, rows)
    counts = [sweeps * (sizes[0] + sizes[1] + biases * rows) for biases in ((1, 2) if has_bias else (0,))]
    states = (sweeps, x.shape[1], hidden_size)
    if x.ndim != 3 or x.shape[2] != input_size or h.shape != states or c.shape != states or w.size not in counts:
        raise ValueError(f"For 'LSTM', inputs of {x.shape} with {input_size} features take states of {states} and {counts[-1]} weights, "
                         f"but got {h.shape}, {c.shape} and {w.size}.")
    flat, last_h, last_c = F.reshape(w, (-1,)), (), ()
    for layer in range(num_layers):
        found = ()
        for direction in range(directions):
            number, weights, start = layer * directions + direction, (), 0
            for size in sizes if has_bias else sizes[:2]:
                weights = weights + (F.part(flat, 0, start + number * size, start + (number + 1) * size),)
                start = start + sweeps * size
            steps = reverse(x, (0,)) if direction == 1 else x
            moved = product(F.reshape(steps, (-1, input_size)), F.reshape(weights[0], (rows, input_size)), None)
            outputs, new_h, new_c = sweep("lstm", F.reshape(moved, (x.shape[0], x.shape[1], rows)), h[number], c[number],
                                          F.reshape(weights[1], (rows, hidden_size)), weights[2] if has_bias else None, None)
            found = found + (reverse(outputs, (0,)) if direction == 1 else outputs,)
            last_h, last_c = last_h + (new_h,), last_c + (new_c,)
        x = F.concat(found, 2) if bidirectional else found[0]
    return x, F.stack(last_h, 0), F.stack(last_c, 0)
