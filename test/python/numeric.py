"""References of numeric tests: values by NumPy in float64, gradients by central differences of those values.

`check` compiles one function with its gradient, runs it, and compares both with the reference. The function is weighted
by random numbers before it is summed, so that a gradient which is right only for an adjoint of ones fails.
"""

import numpy as np

import plumb
from plumb import ops

TOLERANCE = {"float16": 5e-3, "float32": 3e-5, "float64": 1e-8}
STEP = 1e-5


def numbers(*shape, seed=0, low=None, high=None):
    """Normal numbers, or uniform ones between `low` and `high`; the same ones for the same arguments."""
    rng = np.random.default_rng([seed, *shape])
    return rng.standard_normal(shape) if low is None else rng.uniform(low, high, shape)


def distinct(*shape, seed=0):
    """Numbers that are at least 0.1 apart and 0.05 from zero: safe where a function has a kink."""
    count = int(np.prod(shape))
    return (np.random.default_rng([seed, *shape]).permutation(count) - count // 2 + 0.5).reshape(shape) * 0.1


def differences(function, inputs, position):
    """The gradient of the scalar `function` by its input `position`, by central differences."""
    inputs = [np.array(value) for value in inputs]
    changed = inputs[position]
    gradient = np.zeros(changed.shape)
    for index in np.ndindex(*changed.shape):
        kept = changed[index]
        changed[index] = kept + STEP
        above = function(*inputs)
        changed[index] = kept - STEP
        gradient[index] = (above - function(*inputs)) / (2 * STEP)
        changed[index] = kept
    return gradient


def compare(actual, expected, rtol, what):
    """Compares a Tensor with an array; errors count against the largest element, as sums cancel."""
    actual, expected = actual.asnumpy(), np.asarray(expected)
    if actual.shape != expected.shape:
        raise AssertionError(f"{what}: shape {actual.shape} instead of {expected.shape}")
    scale = float(np.max(np.abs(expected.astype(np.float64)), initial=0.0))
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol * max(scale, 1e-3), err_msg=what)


def prepared(inputs, dtype):
    """Inputs as Tensors of `dtype` (integers stay), and as float64 arrays of exactly the same values."""
    arrays = [np.asarray(value) for value in inputs]
    arrays = [value.astype(dtype) if value.dtype == np.float64 else value for value in arrays]
    exact = [value.astype(np.float64) if value.dtype.kind == "f" else value for value in arrays]
    return [plumb.Tensor(value) for value in arrays], exact


def check_value(function, reference, *inputs, dtype=np.float32, what=""):
    """Checks the value of `function` alone; integers and truth values must be equal."""
    tensors, exact = prepared(inputs, dtype)
    expected = np.asarray(reference(*exact))
    rtol = TOLERANCE[np.dtype(dtype).name] if expected.dtype.kind == "f" else 0
    compare(function(*tensors), expected, rtol, what)


def weighted(function):
    """The function that gives sum(function(inputs) * last argument), and function(inputs) beside it."""
    def total(*inputs):
        value = function(*inputs[:-1])
        return ops.reduce_sum(value * inputs[-1]), value

    return total


def check(function, reference, *inputs, dtype=np.float32, what=""):
    """Checks the value of `function` and its gradients by all inputs of floating point."""
    tensors, exact = prepared(inputs, dtype)
    expected = np.asarray(reference(*exact), np.float64)
    weights, exact_weights = (values[0] for values in prepared([numbers(*expected.shape, seed=9)], dtype))
    positions = tuple(i for i, value in enumerate(exact) if value.dtype.kind == "f")
    compiled = plumb.value_and_grad(weighted(function), positions, has_aux=True)
    (_, value), gradients = compiled(*tensors, weights)
    rtol = TOLERANCE[np.dtype(dtype).name]
    compare(value, expected, rtol, f"{what}: value")

    def total(*arrays):
        return float((reference(*arrays) * exact_weights).sum())

    for position, gradient in zip(positions, gradients):
        compare(gradient, differences(total, exact, position), max(3 * rtol, 3e-7), f"{what}: gradient {position}")


# -- references that NumPy has no word for


def erf(x):
    """The error function."""
    from math import erf as scalar
    return np.vectorize(scalar, otypes=[np.float64])(x)


def softmax(x, axis=-1):
    """exp(x) over its sum."""
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def log_softmax(x, axis=-1):
    """The logarithm of softmax."""
    return np.log(softmax(x, axis))


def windows(x, kernel, stride, pad, dilation=(1, 1), fill=0.0):
    """All windows of NCHW images: (N, C, rows, columns, kernel rows, kernel columns)."""
    padded = np.pad(x, ((0, 0), (0, 0), pad[:2], pad[2:]), constant_values=fill)
    reach = [(kernel[i] - 1) * dilation[i] + 1 for i in (0, 1)]
    view = np.lib.stride_tricks.sliding_window_view(padded, reach, (2, 3))
    return view[:, :, ::stride[0], ::stride[1], ::dilation[0], ::dilation[1]]


def conv2d(x, weight, stride=(1, 1), pad=(0, 0, 0, 0), dilation=(1, 1), group=1):
    """Convolution of NCHW images with OIHW kernels in channel groups."""
    view = windows(x, weight.shape[2:], stride, pad, dilation)
    images, kernels = np.split(view, group, 1), np.split(weight, group, 0)
    return np.concatenate([np.einsum("nchwij,ocij->nohw", i, k) for i, k in zip(images, kernels)], 1)


def max_pool2d(x, kernel, stride, pad=(0, 0, 0, 0)):
    """The largest of each window."""
    return windows(x, kernel, stride, pad, fill=-np.inf).max((4, 5))


def avg_pool2d(x, kernel, stride, pad=(0, 0, 0, 0), count_pad=True):
    """The mean of each window, over its padding too unless `count_pad` is false."""
    total = windows(x, kernel, stride, pad).sum((4, 5))
    if count_pad:
        return total / (kernel[0] * kernel[1])
    return total / windows(np.ones_like(x), kernel, stride, pad).sum((4, 5))
