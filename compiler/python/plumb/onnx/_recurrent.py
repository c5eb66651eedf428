"""ONNX recurrent networks, in the parsable subset: loops over time that stay loops.

Inputs are (T, N, I), or (N, T, I) where `layout` is 1; weights (directions, gates * H, I) and (directions, gates * H, H); biases of
inputs and states one behind the other. Gates stand in the order of ONNX: i, o, f, c for LSTM, z, r, h for GRU.
"""

from plumb import ops
from plumb.common import dtype as mstype
from plumb.ops import _functions as F
from plumb.ops._recurrent import run_steps
from plumb.onnx._registry import operator
from plumb.onnx._values import one_of, tensor

_ACTIVATIONS = {"sigmoid": F.sigmoid, "tanh": F.tanh, "relu": F.relu, "softsign": ops.softsign, "softplus": F.softplus}


def _activation(name):
    if name.lower() not in _ACTIVATIONS:
        raise NotImplementedError(f"the activation '{name}' of a recurrent network is not offered")
    return _ACTIVATIONS[name.lower()]


def _clipped(x, clip):
    return x if clip is None else F.maximum(F.minimum(x, clip), -clip)


def _gate(x, number, size):
    return F.part(x, 1, number * size, (number + 1) * size)


def _rnn_step(moved, h, c, recurrent, bias, peepholes, clip, functions, coupled):
    """h' = f(x W + h R + b)."""
    return functions[0](_clipped(moved + F.matmul(h, recurrent) + bias, clip)), c


def _gru_step(moved, h, c, recurrent, bias, peepholes, clip, functions, linear_before_reset):
    """h' = (1 - z) * n + z * h; r scales h, or, `linear_before_reset`, what its product with R is."""
    size = h.shape[1]
    inner = F.matmul(h, F.part(recurrent, 1, 0, 2 * size)) + F.part(bias, 1, 0, 2 * size)
    update = functions[0](_clipped(_gate(moved, 0, size) + _gate(inner, 0, size), clip))
    reset = functions[0](_clipped(_gate(moved, 1, size) + _gate(inner, 1, size), clip))
    last, shift = F.part(recurrent, 1, 2 * size, 3 * size), _gate(bias, 2, size)
    own = reset * (F.matmul(h, last) + shift) if linear_before_reset else F.matmul(reset * h, last) + shift
    new = functions[1](_clipped(_gate(moved, 2, size) + own, clip))
    return (1.0 - update) * new + update * h, c


def _lstm_step(moved, h, c, recurrent, bias, peepholes, clip, functions, input_forget):
    """c' = f * c + i * g, h' = o * tanh(c'), with peepholes from c to i and f, and from c' to o."""
    size, gates = h.shape[1], moved + F.matmul(h, recurrent) + bias
    into, out, forget, new = [_gate(gates, number, size) for number in range(4)]
    if peepholes is not None:
        into, forget = into + _gate(peepholes, 0, size) * c, forget + _gate(peepholes, 2, size) * c
    into = functions[0](_clipped(into, clip))
    forget = 1.0 - into if input_forget else functions[0](_clipped(forget, clip))
    c = forget * c + into * functions[1](_clipped(new, clip))
    out = out + _gate(peepholes, 1, size) * c if peepholes is not None else out
    return functions[0](_clipped(out, clip)) * functions[2](c), c


def _sweep(step_of, x, weight, recurrent, bias, h, c, peepholes, lengths, clip, functions, option):
    """All steps of one direction: (outputs (T, N, H), last h, last c)."""
    steps, rows, inputs = x.shape
    moved = F.matmul(F.reshape(x, (-1, inputs)), weight, transpose_b=True)
    shift, inner = F.part(bias, 0, 0, weight.shape[0]), F.part(bias, 0, weight.shape[0], 2 * weight.shape[0])
    moved = F.reshape(moved + shift, (steps, rows, weight.shape[0]))
    recurrent, inner = F.transpose(recurrent, (1, 0)), F.reshape(inner, (1, -1))

    def one_step(own, h, c):
        return step_of(own, h, c, recurrent, inner, peepholes, clip, functions, option)

    return run_steps(one_step, moved, h, c, lengths)


def _reversed(x, lengths):
    """Time backwards, of each row only its own steps."""
    return ops.flip(x, (0,)) if lengths is None else ops.reverse_sequence(x, lengths, 0, 1)


def _network(kind, x, weight, recurrent, bias, lengths, h, c, peepholes, activations, clip, direction, hidden_size, layout, option):
    """All directions: (outputs (T, directions, N, H), last h and c (directions, N, H)), in the order of `layout`."""
    step_of, gates, default = kind
    one_of(direction, ("forward", "reverse", "bidirectional"), "a recurrent network in direction")
    x = F.transpose(tensor(x), (1, 0, 2)) if layout else tensor(x)
    weight, recurrent = tensor(weight), tensor(recurrent)
    count, size = weight.shape[0], recurrent.shape[2]
    if hidden_size not in (None, size) or count != (2 if direction == "bidirectional" else 1):
        raise ValueError(f"weights of {count} directions and {size} hidden numbers, but the node says {direction} and {hidden_size}")
    lengths = None if lengths is None else F.cast(tensor(lengths), mstype.int32)
    names = tuple(default) * count if activations is None else activations
    found, last_h, last_c = (), (), ()
    for place in range(count):
        functions = tuple([_activation(name) for name in names[place * len(default):(place + 1) * len(default)]])
        own_bias = F.fill(x.dtype, (2 * gates * size,), 0.0) if bias is None else tensor(bias)[place]
        backwards = direction == "reverse" or place == 1
        steps = _reversed(x, lengths) if backwards else x
        outputs, new_h, new_c = _sweep(step_of, steps, weight[place], recurrent[place], own_bias, _first(h, place, x, size, layout),
                                       _first(c, place, x, size, layout), None if peepholes is None else tensor(peepholes)[place:place + 1],
                                       lengths, clip, functions, option)
        found = found + (_reversed(outputs, lengths) if backwards else outputs,)
        last_h, last_c = last_h + (new_h,), last_c + (new_c,)
    axis = 1 if layout else 0
    outputs = F.stack(found, 1)
    outputs = F.transpose(outputs, (2, 0, 1, 3)) if layout else outputs
    return outputs, F.stack(last_h, axis), F.stack(last_c, axis)


def _first(state, place, x, size, layout):
    """The state before the first step."""
    if state is None:
        return F.fill(x.dtype, (x.shape[1], size), 0.0)
    return tensor(state)[:, place] if layout else tensor(state)[place]


@operator("RNN")
def rnn(x, weight, recurrent, bias=None, lengths=None, h=None, activations=None, clip=None, direction="forward", hidden_size=None, layout=0,
        outputs=1):
    """Elman's network: h' = tanh(x W + h R + b)."""
    found = _network((_rnn_step, 1, ("Tanh",)), x, weight, recurrent, bias, lengths, h, None, None, activations, clip, direction, hidden_size, layout, False)
    return found[0] if outputs == 1 else found[:2]


@operator("GRU")
def gru(x, weight, recurrent, bias=None, lengths=None, h=None, activations=None, clip=None, direction="forward", hidden_size=None, layout=0,
        linear_before_reset=0, outputs=1):
    """Gated recurrent units."""
    kind = (_gru_step, 3, ("Sigmoid", "Tanh"))
    found = _network(kind, x, weight, recurrent, bias, lengths, h, None, None, activations, clip, direction, hidden_size, layout, bool(linear_before_reset))
    return found[0] if outputs == 1 else found[:2]


@operator("LSTM")
def lstm(x, weight, recurrent, bias=None, lengths=None, h=None, c=None, peepholes=None, activations=None, clip=None, direction="forward",
         hidden_size=None, layout=0, input_forget=0, outputs=1):
    """Long short-term memory."""
    kind = (_lstm_step, 4, ("Sigmoid", "Tanh", "Tanh"))
    found = _network(kind, x, weight, recurrent, bias, lengths, h, c, peepholes, activations, clip, direction, hidden_size, layout, bool(input_forget))
    return found[0] if outputs == 1 else found[:outputs]
