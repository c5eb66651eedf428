"""Optimizers of ONNX's domain `ai.onnx.preview.training`, in the parsable subset.

Each takes a rate, how often it has been called (an integer; 0 is the first time), tensors, their gradients and the state of each,
and returns the new tensors and states.
"""

from plumb.ops import _functions as F
from plumb.onnx._registry import operator
from plumb.onnx._values import tensor

_DOMAIN = "ai.onnx.preview.training"


def _parts(values, count):
    size = len(values) // count
    return [values[place * size:(place + 1) * size] for place in range(count)]


@operator("Momentum", domain=_DOMAIN)
def momentum(rate, calls, *values, alpha, beta, mode, norm_coefficient):
    """v' = alpha * v + beta * g, without beta the first time; x' = x - rate * v', or "nesterov"'s."""
    tensors, gradients, states = _parts(values, 3)
    share, new, velocities = F.select(tensor(calls) > 0, tensor(rate) * 0 + beta, tensor(rate) * 0 + 1.0), [], []
    for x, gradient, velocity in zip(tensors, gradients, states):
        gradient = norm_coefficient * x + gradient
        velocity = alpha * velocity + share * gradient
        new.append(x - rate * (gradient + alpha * velocity if mode == "nesterov" else velocity))
        velocities.append(velocity)
    return tuple(new + velocities)


@operator("Adagrad", domain=_DOMAIN)
def adagrad(rate, calls, *values, decay_factor=0.0, epsilon=0.0, norm_coefficient=0.0):
    """h' = h + g * g; x' = x - r * g / (sqrt(h') + epsilon), with r = rate / (1 + calls * decay_factor)."""
    tensors, gradients, states = _parts(values, 3)
    rate, new, sums = tensor(rate) / (1.0 + F.cast(tensor(calls), tensor(rate).dtype) * decay_factor), [], []
    for x, gradient, total in zip(tensors, gradients, states):
        gradient = norm_coefficient * x + gradient
        total = total + F.square(gradient)
        new.append(x - rate * gradient / (F.sqrt(total) + epsilon))
        sums.append(total)
    return tuple(new + sums)


@operator("Adam", domain=_DOMAIN)
def adam(rate, calls, *values, alpha=0.9, beta=0.999, epsilon=0.0, norm_coefficient=0.0, norm_coefficient_post=0.0):
    """Kingma and Ba's Adam; the rate is corrected for the averages' start at zero but the first time."""
    tensors, gradients, firsts, seconds = _parts(values, 4)
    rate = tensor(rate)
    steps = F.cast(tensor(calls), rate.dtype)
    corrected = rate * F.sqrt(1.0 - F.pow(rate * 0 + beta, steps)) / (1.0 - F.pow(rate * 0 + alpha, steps))
    rate, new, means, squares = F.select(steps > 0, corrected, rate), [], [], []
    for x, gradient, mean, square in zip(tensors, gradients, firsts, seconds):
        gradient = norm_coefficient * x + gradient
        mean, square = alpha * mean + (1.0 - alpha) * gradient, beta * square + (1.0 - beta) * F.square(gradient)
        moved = x - rate * mean / (F.sqrt(square) + epsilon)
        new.append((1.0 - norm_coefficient_post) * moved)
        means.append(mean)
        squares.append(square)
    return tuple(new + means + squares)
