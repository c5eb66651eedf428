"""Gradients of drawn functions against finite differences of the stand-ins' runs in float64."""

import numpy as np

import plumb
from function_checks import Program, Verdict, is_refused, literal
from function_text import run
from stand_in import Mode, made
import stand_in

# In PyNative mode Python runs what cannot be compiled, and changes tensors in place.
plumb.set_context(mode=plumb.GRAPH_MODE)
_STEP, _TOLERANCE = 1e-5, 2e-3


def leaves(value, path="r"):
    """(text, tensor) of each tensor of floats in a result."""
    if isinstance(value, stand_in.Tensor):
        return [(path, value)] if value.kind in ("float32", "float64") else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    return [leaf for name, item in items for leaf in leaves(item, f"{path}[{name!r}]")]


def weight(index):
    """The factor of a leaf in the sum that is differentiated."""
    return 0.3 + 0.15 * (index % 5)


def total_text(case):
    """The text of a function that sums up the floats of a function's results."""
    terms = [f"({text} * {weight(index)}).astype(ms.float32).sum()" for index, (text, _) in enumerate(leaves(case.outcome.result))]
    names = ", ".join(case.function.names)
    return f"def g{case.name}({names}):\n    r = {case.name}({names})\n    return {' + '.join(terms)}\n"


def inputs(case):
    """The positions of the arguments to differentiate by."""
    return [place for place, value in enumerate(case.function.values) if isinstance(value, np.ndarray) and value.dtype == np.float32]


def loss(case, values, replayed=None):
    """(sum, texts of its terms, what was written to Parameters) by the stand-ins in float64; None each when the function raises."""
    outcome = run(case.function, wide=True, arguments=values, replayed=replayed and iter(replayed))
    if outcome.problem is not None:
        return None, None, None
    found = leaves(outcome.result)
    total = sum(weight(index) * float(tensor.array.sum()) for index, (_, tensor) in enumerate(found))
    return total, [text for text, _ in found], outcome.written


def difference(case, place):
    """The gradient by one argument; NaN where the function has a kink or a jump, and where a difference drowns in its value."""
    value = case.function.values[place]
    gradient = np.full(value.shape, np.nan)

    def at(index, step, replayed=None):
        with Mode.use(wide=True):
            array = value.astype(np.float64)
            array[index] += step
            values = list(case.function.values)
            values[place] = made(array, "float32")
        return loss(case, values, replayed)

    middle, shape, written = at((0,) * value.ndim, 0.0)
    for index in np.ndindex(value.shape):
        ends = [at(index, step, written) for step in (_STEP, -_STEP)]
        if middle is None or any(end is None or texts != shape for end, texts, _ in ends):
            continue
        if abs(middle) * np.finfo(np.float64).eps > 1e-4 * _STEP:
            continue
        right, left = (ends[0][0] - middle) / _STEP, (middle - ends[1][0]) / _STEP
        if abs(right - left) <= 1e-3 * max(1.0, abs(right), abs(left)):
            gradient[index] = (right + left) / 2
    return gradient


class GradientProgram(Program):
    """The gradients of one function by its float32 arguments."""

    def run(self):
        """A list of arrays."""
        case = self.cases[0]
        self.texts[-1] = total_text(case) + "\n\n" + self.texts[-1].replace("return [f", "return [gf").replace("[", "", 1).rsplit("]", 1)[0] + "\n"
        return super().run()

    def call(self, program, tensors):
        """The gradients."""
        _, made_ = plumb.value_and_grad(program, tuple(range(len(self.tensors))))(*tensors)
        return list(made_) if isinstance(made_, tuple) else [made_]


def _overflows(case, got, expected):
    """Whether gradients are infinite, or sums of such, that halves on their way cannot hold: those of 65504 and more."""
    lost = ~np.isfinite(got)
    return bool(lost.any()) and "float16" in case.function.text() and np.abs(expected[lost]).max() > 1e4


def check_gradients(case, folder):
    """The verdict on a function's gradients; None where it has none."""
    places = inputs(case)
    if case.fails or not places or not leaves(case.outcome.result):
        return None
    expected = {place: difference(case, place) for place in places}
    program = GradientProgram([case], folder)
    try:
        gradients = program.run()
    except Exception as problem:  # pylint: disable=broad-except
        return Verdict("refused" if is_refused(problem) else "differs", f"gradient: {type(problem).__name__}: {problem}")
    tensors = []
    numbers = {}
    for place, value in enumerate(case.function.values):
        numbers[place] = len(tensors)
        literal(value, tensors)
    for place in places:
        number = numbers[place]
        known = ~np.isnan(expected[place])
        got = gradients[number].asnumpy()
        if got.shape != expected[place].shape:
            return Verdict("differs", f"gradient by {case.function.names[place]}: of another shape")
        scale = max(1.0, float(np.abs(expected[place][known]).max(initial=0.0)))
        if np.isnan(got[known]).any() and case.outcome.singular:
            return Verdict("unstable")  # zero times the derivative of a division by zero, as in MindSpore's graph mode
        if _overflows(case, got[known], expected[place][known]):
            return Verdict("unstable")
        if not np.allclose(got[known], expected[place][known], rtol=_TOLERANCE, atol=_TOLERANCE * scale):
            if case.outcome.cuts:
                return Verdict("cut")  # gradients pass conversions to integers, which differences do not see
            return Verdict("differs", f"gradient by {case.function.names[place]}: {got.tolist()} instead of {expected[place].tolist()}")
    return Verdict("agrees")
