"""Many functions compiled into one executable and compared, values and gradients, with PyTorch's.

A case is (name, our function, PyTorch's function, inputs). Floating-point inputs have gradients: those of the results' sums,
each weighted by random numbers. PyTorch computes in float64 on the very same values.
"""

import numpy as np
import torch

import plumb
from plumb import ops
from numeric import TOLERANCE, numbers


class Fixed:
    """An input of floating point whose gradient is not compared: a target, a weight."""

    def __init__(self, value):
        self.value = np.asarray(value)


def flat(values):
    """The results of a function, a tuple or one, as a tuple."""
    return tuple(values) if isinstance(values, (tuple, list)) else (values,)


def _reference(function, inputs, wanted, seed):
    """PyTorch's results, the weights of those with a gradient, and the gradients of the inputs that are wanted."""
    tensors = [torch.from_numpy(np.array(value)) for value in inputs]
    tensors = [tensor.double() if tensor.is_floating_point() else tensor for tensor in tensors]
    tensors = [tensor.requires_grad_() if by else tensor for tensor, by in zip(tensors, wanted)]
    results = flat(function(*tensors))
    weights = [torch.from_numpy(numbers(*result.shape, seed=seed + place)) if result.requires_grad else None
               for place, result in enumerate(results)]
    total = sum((result * weight).sum() for result, weight in zip(results, weights) if weight is not None)
    if isinstance(total, torch.Tensor):
        total.backward()
    gradients = [np.zeros(tensor.shape) if tensor.grad is None else tensor.grad.numpy()
                 for tensor in tensors if tensor.requires_grad]
    return ([result.detach().numpy() for result in results],
            [None if weight is None else weight.numpy() for weight in weights], gradients)


def _program(cases):
    """A function of all cases' inputs and weights: the weighted sum of all results, and the results."""
    def total(*inputs):
        loss, values, at = 0.0, (), 0
        for function, count, weighted in cases:
            results = function(*inputs[at:at + count])
            results = results if isinstance(results, (tuple, list)) else (results,)
            at = at + count
            for number in range(len(results)):
                if weighted[number]:
                    loss = loss + ops.reduce_sum(ops.cast(results[number], plumb.float32) * inputs[at])
                    at = at + 1
            values = values + tuple(results)
        return loss, values

    return total


def _run(program, tensors, positions):
    """The results and gradients of a program; no gradients where there is no input to take them by."""
    if positions:
        (_, *results), made = plumb.value_and_grad(program, positions, has_aux=True)(*tensors)
    else:
        (_, *results), made = plumb.jit(program)(*tensors), ()
    return list(flat(results[0]) if len(results) == 1 else results), list(flat(made))


def compare(cases, dtype=np.float32, tolerance=None):
    """Compiles all cases into one executable and compares values and gradients with PyTorch's; raises AssertionError."""
    plan, arrays, positions, expected = [], [], [], []
    for number, (name, ours, theirs, *inputs) in enumerate(cases):
        arguments = [value.value if isinstance(value, Fixed) else np.asarray(value) for value in inputs]
        wanted = [not isinstance(value, Fixed) and argument.dtype.kind == "f" for value, argument in zip(inputs, arguments)]
        inputs = [value.astype(dtype) if value.dtype == np.float64 else value for value in arguments]
        values, weights, gradients = _reference(theirs, inputs, wanted, number)
        positions += [len(arrays) + place for place, by in enumerate(wanted) if by]
        plan.append((ours, len(inputs), tuple(weight is not None for weight in weights)))
        arrays += inputs + [weight.astype(np.float32) for weight in weights if weight is not None]
        expected.append((name, values, gradients))
    tensors = [plumb.Tensor(array) for array in arrays]
    results, made = _run(_program(plan), tensors, tuple(positions))
    rtol = tolerance or TOLERANCE[np.dtype(dtype).name]
    for name, values, gradients in expected:
        for place, value in enumerate(values):
            _close(results.pop(0).asnumpy(), value, rtol, f"{name}: result {place}")
        for place, gradient in enumerate(gradients):
            _close(made.pop(0).asnumpy(), gradient, 3 * rtol, f"{name}: gradient {place}")


def _close(actual, wanted, rtol, what):
    if actual.shape != wanted.shape:
        raise AssertionError(f"{what}: shape {actual.shape} instead of {wanted.shape}")
    if wanted.dtype.kind != "f":
        np.testing.assert_array_equal(actual, wanted, what)
        return
    finite = np.isfinite(wanted)
    scale = float(np.max(np.abs(wanted[finite]), initial=0.0))
    np.testing.assert_allclose(actual, wanted, rtol=rtol, atol=rtol * max(scale, 1e-3), err_msg=what)


def check(test, cases, dtype=np.float32, tolerance=None):
    """Compares all cases at once; where that fails, each for itself, so that the failing ones are named."""
    cases = list(cases)
    try:
        compare(cases, dtype, tolerance)
    except Exception:  # pylint: disable=broad-except
        for case in cases:
            with test.subTest(case[0]):
                compare([case], dtype, tolerance)
        raise
