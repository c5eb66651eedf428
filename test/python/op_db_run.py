"""Runs operators of PyTorch's op_db, on its own sample inputs, beside ours: values, and gradients under random cotangents.

One sample is one compiled function, which gives the values and the gradients together.
"""

import sys
import types
import unittest
import warnings

import numpy as np
import torch

import plumb
from plumb import ops

RTOL = {torch.float32: 1e-4, torch.float64: 1e-7, torch.complex64: 1e-4}
ATOL = {torch.float32: 2e-5, torch.float64: 1e-8, torch.complex64: 2e-5}
SAMPLES = {torch.float32: 5, torch.float64: 2, torch.complex64: 2}
# The type that results are computed in again where rounding may be PyTorch's.
WIDER = {torch.float32: torch.float64, torch.complex64: torch.complex128}
# The last states are the worse ones: a row of a scoreboard may only move towards the first.
STATES = ("ok", "none", "partly", "refused", "unsampled", "absent", "crashed", "differs")


def database():
    """PyTorch's operators by name; `name|variant` where a name has several."""
    if "expecttest" not in sys.modules:
        # PyTorch's table imports a test library that it needs for nothing here.
        sys.modules["expecttest"] = types.ModuleType("expecttest")
        sys.modules["expecttest"].TestCase = unittest.TestCase
        sys.modules["expecttest"].ACCEPT = False
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_methods_invocations import op_db
    return {op.name + ("|" + op.variant_test_name if op.variant_test_name else ""): op for op in op_db}


def leaves(value):
    """The tensors in a structure of tuples and lists, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return []


def replaced(value, left):
    """`value` with the next of `left` for each tensor."""
    if isinstance(value, torch.Tensor):
        return next(left)
    if isinstance(value, (tuple, list)) and not isinstance(value, torch.Size):
        return type(value)([replaced(item, left) for item in value])
    return value


class Place:
    """Stands for the input number `at`."""

    def __init__(self, at):
        self.at = at


def placed(value, tensors):
    """`value` with a Place for each tensor, which is appended to `tensors`."""
    if isinstance(value, torch.Tensor):
        tensors.append(value)
        return Place(len(tensors) - 1)
    if isinstance(value, (tuple, list)):
        items = [placed(item, tensors) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, torch.dtype):
        return getattr(plumb, str(value).split(".")[-1])
    return value


def filled(value, inputs):
    """`value` with inputs in their Places."""
    if isinstance(value, Place):
        return inputs[value.at]
    if isinstance(value, tuple):
        return tuple([filled(item, inputs) for item in value])
    if isinstance(value, list):
        return [filled(item, inputs) for item in value]
    return value


def usable(sample, dtype):
    """Whether no tensor of a sample is empty or sparse, nor complex unless the samples are."""
    values = [sample.input, list(sample.args), list(sample.kwargs.values())]
    tensors = leaves(values)
    return all(value.numel() and not value.is_sparse and (dtype.is_complex or not value.is_complex()) for value in tensors)


def scalar(sample):
    """Whether the first input of a sample is a scalar."""
    return isinstance(sample.input, torch.Tensor) and sample.input.ndim == 0


def samples(op, entry, dtype):
    """Up to SAMPLES samples of `op`, spread over all of them, and how many could not be used."""
    torch.manual_seed(0)
    np.random.seed(0)
    every = list(op.sample_inputs("cpu", dtype, requires_grad=op.supports_autograd))
    chosen = [sample for sample in every if usable(sample, dtype) and not (entry.ranked and scalar(sample))]
    count = min(len(chosen), SAMPLES.get(dtype, 4))
    picks = sorted({round(i * (len(chosen) - 1) / max(count - 1, 1)) for i in range(count)})
    return [chosen[i] for i in picks], len(every) - len(chosen)


def is_inexact(value):
    """Whether a tensor is of floats or complex numbers."""
    return value.dtype.is_floating_point or value.dtype.is_complex


def expected(call, op, sample, tensors, weights=None):
    """PyTorch's outputs, the cotangents of the floating ones, and the gradients by the inputs that op_db marks (None without)."""
    inputs = [value.detach().clone().requires_grad_(value.requires_grad) for value in tensors]
    wanted = [value for value in inputs if value.requires_grad]
    left = iter(inputs)
    args, kwargs = replaced((sample.input, *sample.args), left), {}
    for name, value in sample.kwargs.items():
        kwargs[name] = replaced(value, left)
    outputs = leaves(call(*args, **kwargs))
    torch.manual_seed(1)
    sloped = [value for value in outputs if value.requires_grad]
    if weights is None:
        weights = [torch.randn(value.shape, dtype=value.dtype) if is_inexact(value) else None for value in outputs]
    if not sloped or not wanted or not op.supports_autograd:
        return outputs, weights, None
    # The weights of a result that is computed again are those of the first.
    total = sum((value * weight.to(value.dtype).conj()).sum().real for value, weight in zip(outputs, weights) if value.requires_grad)
    gradients = torch.autograd.grad(total, wanted, allow_unused=True)
    return outputs, weights, [torch.zeros_like(x) if g is None else g for g, x in zip(gradients, wanted)]


def agrees(actual, wanted, dtype, slack, what):
    """None when an array of ours is PyTorch's tensor within rounding, or a line that says how not."""
    actual, wanted = np.asarray(actual), wanted.detach().resolve_conj().resolve_neg().numpy()
    if actual.shape != wanted.shape:
        return f"{what}: shape {actual.shape} instead of {wanted.shape}"
    if actual.dtype.kind != wanted.dtype.kind and {actual.dtype.kind, wanted.dtype.kind} & set("fc"):
        return f"{what}: {actual.dtype} instead of {wanted.dtype}"
    if wanted.dtype.kind not in "fc":
        wrong = actual.astype(np.int64) != wanted.astype(np.int64)
    else:
        finite = np.abs(wanted[np.isfinite(wanted)])  # of complex numbers, too
        scale = max(1.0, float(finite.max(initial=0.0)))
        wrong = ~np.isclose(actual, wanted, RTOL.get(dtype, 1e-5), slack + ATOL.get(dtype, 1e-5) * scale, equal_nan=True)
    if not wrong.any():
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{what}{list(at)}: {actual[at]} instead of {wanted[at]} ({int(wrong.sum())} of {wrong.size})"


def flat(value):
    """The tensors in our tuples and lists, in order."""
    return [leaf for item in value for leaf in flat(item)] if isinstance(value, (tuple, list)) else [value]


def weighted(function, args, kwargs, weights):
    """The function of the inputs that gives the sum of its floating outputs by `weights`, and all outputs beside it."""
    def total(*inputs):
        outputs = function(*filled(args, inputs), **{name: filled(value, inputs) for name, value in kwargs.items()})
        summed = 0.0
        for value, weight in zip(flat(outputs), weights):
            if weight is not None and weight.is_complex():
                summed = summed + ops.reduce_sum(ops.real(value * ops.conj(weight)))
            elif weight is not None:
                summed = summed + ops.reduce_sum(value * weight)
        return summed, outputs

    return total


def first_line(error):
    """The kind and the first line of an error."""
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"[:300]


def compared(actual, wanted, dtype, slack, what):
    """The first line of disagreement between lists, or None."""
    if len(actual) != len(wanted):
        return f"{what}: {len(actual)} results instead of {len(wanted)}"
    lines = (agrees(a.asnumpy() if hasattr(a, "asnumpy") else a, w, dtype, slack, f"{what} {i}") for i, (a, w) in enumerate(zip(actual, wanted)))
    return next((line for line in lines if line), None)


def ran(function, *tensors):
    """What a compiled function gives, and None; or None and the line that refuses it."""
    try:
        return function(*tensors), None
    except Exception as error:  # an operator refuses with whatever names the reason
        return None, first_line(error)


def verdict(actual, wanted, refusal, dtype, slack, what):
    """A state and a line that explains it."""
    if refusal:
        return "refused", refusal
    line = compared(actual, wanted, dtype, slack, what)
    return ("differs", line) if line else ("ok", "")


def studied(op, entry, sample, dtype):
    """The states of value and gradient of one sample, each with a line that explains it."""
    tensors = []
    args, kwargs = placed((sample.input, *sample.args), tensors), {}
    for name, value in sample.kwargs.items():
        kwargs[name] = placed(value, tensors)
    try:
        wanted = expected(entry.reference or op.op, op, sample, tensors)
    except Exception as error:  # PyTorch has no kernel for this type of numbers, say
        return 2 * (("unsampled", first_line(error)),)
    if any(not value.numel() for value in wanted[0]):
        return 2 * (("unsampled", "empty results"),)
    answers = answered(entry, args, kwargs, tensors, wanted)
    states = judged(answers, wanted, dtype, entry.slack)
    if dtype in WIDER and any(state == "differs" for state, _ in states):
        # PyTorch's own rounding may be the larger one: what is near the exact result is right.
        exact = expected(entry.reference or op.op, op, sample, [widened(value) for value in tensors], wanted[1])
        again = judged(answers, (exact[0], wanted[1], exact[2]), dtype, entry.slack)
        states = tuple(new if new[0] == "ok" else old for old, new in zip(states, again))
    return states


def widened(value):
    """A tensor of twice the bits, whole numbers as they are."""
    return value.detach().to(WIDER[value.dtype]).requires_grad_(value.requires_grad) if value.dtype in WIDER else value


def answered(entry, args, kwargs, tensors, wanted):
    """Our (values, line that refuses them), (gradients, line that refuses them); gradients are None where none are asked."""
    outputs, weights, gradients = wanted
    ours = [plumb.Tensor(value.detach().resolve_conj().numpy()) for value in tensors]
    cotangents = [None if weight is None or (gradients is not None and not value.requires_grad) else plumb.Tensor(weight.resolve_conj().numpy())
                  for value, weight in zip(outputs, weights)]
    total = weighted(entry.function, args, kwargs, cotangents)
    refusal = None
    if gradients is not None:
        positions = tuple(i for i, value in enumerate(tensors) if value.requires_grad)
        result, refusal = ran(plumb.value_and_grad(total, positions, has_aux=True), *ours)
        if refusal is None:
            return (flat(result[0][1:]), None), (flat(result[1]), None)
    values, line = ran(plumb.jit(lambda *inputs: total(*inputs)[1]), *ours)
    if line:  # the shape of a result may depend on values
        values, line = ran(lambda *inputs: total(*inputs)[1], *ours)
    return (flat(values), line), (None, refusal)


def judged(answers, wanted, dtype, slack):
    """The states of values and gradients."""
    (values, refused), (slopes, not_sloped) = answers
    value = verdict(values, wanted[0], refused, dtype, slack, "value")
    if wanted[2] is None:
        return value, ("none", "")
    return value, verdict(slopes, wanted[2], not_sloped, dtype, slack, "gradient")


def summary(states):
    """One state for the states of all samples."""
    states = [state for state in states if state != "unsampled"]
    if not states:
        return "unsampled"
    kinds = set(states)
    if "differs" in kinds:
        return "differs"
    if kinds <= {"ok", "none"}:
        return "ok" if "ok" in kinds else "none"
    return "refused" if "ok" not in kinds else "partly"


def dtypes_of(op):
    """The types of numbers that an operator is run with: floating ones, or whole ones where it takes no others."""
    floating = [dtype for dtype in (torch.float32, torch.float64) if dtype in op.dtypes]
    return floating or [dtype for dtype in (torch.int32, torch.bool) if dtype in op.dtypes][:1]


def row(op, entry, dtypes=None):
    """(forward, gradient, samples compared, lines that explain what is not ok) of an operator, of types of numbers."""
    forward, gradient, lines = [], [], []
    for dtype in dtypes or dtypes_of(op):
        for sample in samples(op, entry, dtype)[0]:
            results = studied(op, entry, sample, dtype)
            forward.append(results[0][0])
            gradient.append(results[1][0])
            lines += [f"{str(dtype)[6:]} {line} | {sample_text(sample)}" for state, line in results if line]
    return summary(forward), summary(gradient), sum(state == "ok" for state in forward), lines


def sample_text(sample):
    """A sample in a line: shapes of tensors, other values as they are."""
    def text(value):
        if isinstance(value, torch.Tensor):
            return f"{str(value.dtype)[6:]}{list(value.shape)}"
        if isinstance(value, (tuple, list)):
            return "(" + ", ".join(text(item) for item in value) + ")"
        return repr(value)

    words = [text(value) for value in (sample.input, *sample.args)] + [f"{name}={text(value)}" for name, value in sample.kwargs.items()]
    return ", ".join(words)[:200]
