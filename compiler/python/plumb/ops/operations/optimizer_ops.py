"""Classes that do one step of an optimizer: tables of the rules in `ops/_updates.py`.

Inputs that the rule changes are Parameters, which get their new values; an instance returns those values too. (A few take
Tensors as well, which keep theirs: MindSpore stores into them.) The gradient may be of a narrower type than the weight.

Sparse ones take rows of the gradient and the numbers of the weight's rows that they belong to; rows of one number are added
first, numbers outside of the weight change nothing. Only the rows that are named change, in the weight and in what is kept
for it, unless the class says otherwise.
"""

import inspect

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops import _updates as rules
from plumb.ops._primitive import Composite, Named, Unordered, function_class

_WIDTHS = {mstype.float16: 2, mstype.bfloat16: 2, mstype.float32: 4, mstype.float64: 8}
_KEPT = ("weight", "moment", "moment1", "moment2", "largest", "stat", "accum", "accum_update", "total", "squares", "square", "mean",
         "linear")


class _Step(Composite):
    """An operator of a rule.

    Args:
      rule: a function of `_updates`.
      inputs: the operator's inputs in order, by the rule's names, words in a string; "indices" are rows' numbers.
      results: how many of the rule's results are returned; 1 gives it alone.
      parameters: how many of what the rule changes must be Parameters; by default all.
      every_row: whether a sparse operator changes all rows.
    """

    def __init__(self, rule, inputs, results=0, parameters=None, every_row=False):
        super().__init__()
        names = inputs.split()
        takes = [name for name in inspect.signature(rule).parameters if name in names]
        self.rule, self.results = rule, results
        self.order = tuple(names.index(name) for name in takes)
        self.kept = tuple(place for place, name in enumerate(takes) if name in _KEPT)
        self.gradient = takes.index("gradient")
        self.rows = names.index("indices") if "indices" in names else -1
        self.parameters = len(self.kept) if parameters is None else parameters
        self.count, self.every_row, self.owner = len(names), every_row, rule.__name__
        self.__doc__ = rule.__doc__

    def construct(self, *inputs, **arguments):
        """Compiled body."""
        if len(inputs) != self.count:
            raise TypeError(f"For the step '{self.owner}', {self.count} inputs are needed, but got {len(inputs)}")
        given = tuple([inputs[place] for place in self.order])
        _check(self.owner, given, self.kept, self.parameters)
        values = _alike(self.owner, given, self.kept, self.gradient, self.rows >= 0)
        if self.rows < 0:
            made = self.rule(*values, **arguments)
        elif self.every_row:
            dense = F.scatter(F.zeros_like(given[self.kept[0]]), inputs[self.rows], values[self.gradient], "add")
            made = self.rule(*values[:self.gradient], dense, *values[self.gradient + 1:], **arguments)
        else:
            made = _by_rows(self.rule, values, self.kept, self.gradient, inputs[self.rows], arguments)
        for number in range(len(self.kept)):
            target = given[self.kept[number]]
            if isinstance(target, Parameter):
                F.assign(target, made[len(made) - len(self.kept) + number])
        return made[0] if self.results == 1 else made


def _check(who, given, kept, parameters):
    """Raises TypeError where a Parameter is missing, ValueError where what is kept has another shape than the weight."""
    for number in range(len(kept)):
        value = given[kept[number]]
        if number < parameters and not isinstance(value, Parameter):
            raise TypeError(f"For the step '{who}', input {number} of those that change must be a Parameter")
        if value.shape != given[kept[0]].shape:
            raise ValueError(f"For the step '{who}', what is kept must be of {given[kept[0]].shape}, but got {value.shape}")


def _alike(who, given, kept, gradient, sparse):
    """The inputs in the weight's element type, coefficients as scalars in that of what is kept."""
    weight, wide, values = given[kept[0]], given[kept[len(kept) - 1]].dtype, ()
    for place in range(len(given)):
        value = given[place]
        if place == gradient:
            expected = value.shape[:1] + weight.shape[1:] if sparse else weight.shape
            if value.shape != expected:
                raise ValueError(f"For the step '{who}', the gradient must be of {expected}, but got {value.shape}")
            if _WIDTHS[value.dtype] > _WIDTHS[weight.dtype]:
                raise RuntimeError(f"For the step '{who}', a gradient of {value.dtype} does not go into {weight.dtype}")
            value = F.cast(value, weight.dtype)
        elif place not in kept and isinstance(value, Tensor):
            value = F.cast(F.reshape(value, ()) if value.size == 1 else value, wide)
        values = values + (value,)
    return values


def _by_rows(rule, values, kept, gradient, indices, arguments):
    """The rule's results with the rows that `indices` name changed."""
    count = values[kept[0]].shape[0]
    numbers, summed = _merged(indices, values[gradient], count)
    places = F.minimum(F.maximum(numbers, 0), count - 1)
    parts = ()
    for place in range(len(values)):
        value = summed if place == gradient else values[place]
        parts = parts + (F.gather(value, places, 0) if place in kept else value,)
    changed, results = rule(*parts, **arguments), ()
    for number in range(len(kept)):
        results = results + (F.scatter(values[kept[number]], numbers, changed[number], "update"),)
    return results


def _merged(indices, rows, count):
    """The numbers below `count`, each once, in a vector as long as before with -1 behind them; and the sums of their rows."""
    ordered, order = F.sort(F.cast(indices, mstype.int32), 0)
    extent = ordered.shape[0]
    fresh = F.concat((F.fill(mstype.int32, (1,), 1), F.cast(F.not_equal(
        F.part(ordered, 0, 1, extent), F.part(ordered, 0, 0, extent - 1)), mstype.int32)), 0)
    slots = F.cumsum(fresh, 0) - 1
    valid = F.logical_and(F.greater_equal(ordered, 0), F.less(ordered, count))
    numbers = F.scatter(F.fill(mstype.int32, (extent,), -1), slots, F.select(valid, ordered, -1), "update")
    return numbers, F.scatter(F.zeros_like(rows), slots, F.gather(rows, order, 0), "add")


class _Change(Composite):
    """What Adam would add to a weight that it does not have; moments that are Parameters get their new values."""

    def construct(self, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov=False):
        """Compiled body."""
        change, *kept = rules.adam_by_powers(F.zeros_like(gradient), m, v, gradient, beta1_power, beta2_power, lr, beta1, beta2, epsilon,
                                             use_nesterov)
        for target, value in zip((m, v), kept):
            if isinstance(target, Parameter):
                F.assign(target, value)
        return change


class LARSUpdate(Composite):
    """A layer's gradient scaled by the lengths of the weight and the gradient, whose sums of squares are inputs.

    (g + wd * p) * c * |p| / (|g| + wd * |p| + epsilon), with `hyperpara` c; with `use_clip` the factor is at most the learning
    rate, divided by it. (You et al. 2017.)
    """

    def __init__(self, epsilon=1e-05, hyperpara=0.001, use_clip=False):
        super().__init__()
        self.epsilon, self.hyperpara, self.use_clip = epsilon, hyperpara, use_clip

    def construct(self, weight, gradient, norm_weight, norm_gradient, weight_decay, learning_rate):
        """Compiled body."""
        return rules.layered(weight, gradient, F.sqrt(norm_weight), F.sqrt(norm_gradient), weight_decay, learning_rate, self.epsilon,
                             self.hyperpara, self.use_clip)


_LOCKED = {"use_locking": Unordered(False)}
_NESTEROV = {"use_locking": Unordered(False), "use_nesterov": False}
_SLOTS = {"update_slots": True}
_ADAM = "weight moment1 moment2 power1 power2 rate beta1 beta2 epsilon gradient"
_FTRL = {"lr": Named(..., "rate"), "l1": ..., "l2": ..., "lr_power": ...} | _LOCKED


def _dense():
    """Name: (step, constructor's parameters)."""
    return {
        "Adam": (_Step(rules.adam_by_powers, _ADAM), _NESTEROV),
        "AdamNoUpdateParam": (_Change(), _NESTEROV),
        "AdamWeightDecay": (_Step(rules.adam_decayed, "weight moment1 moment2 rate beta1 beta2 epsilon decay gradient"), _LOCKED),
        "ApplyAdaMax": (_Step(rules.adamax_by_power, "weight moment1 moment2 power1 rate beta1 beta2 epsilon gradient"), {}),
        "ApplyAdadelta": (_Step(rules.adadelta, "weight accum accum_update rate rho epsilon gradient"), {}),
        "ApplyAdagrad": (_Step(rules.adagrad, "weight accum rate gradient"), _SLOTS),
        "ApplyAdagradDA": (_Step(rules.adagrad_dual, "weight total squares gradient rate l1 l2 count"), _LOCKED),
        "ApplyAdagradV2": (_Step(rules.adagrad, "weight accum rate gradient"), {"epsilon": ...} | _SLOTS),
        "ApplyAdamWithAmsgrad": (_Step(rules.amsgrad_by_powers, "weight moment1 moment2 largest power1 power2 rate gradient"),
                                 {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8} | _LOCKED),
        "ApplyAdamWithAmsgradV2": (_Step(rules.amsgrad_by_powers, "weight moment1 moment2 largest power1 power2 rate beta1 beta2 epsilon gradient"),
                                   _LOCKED),
        "ApplyAddSign": (_Step(rules.add_sign, "weight moment rate alpha sign_decay beta gradient"), {}),
        "ApplyCenteredRMSProp": (_Step(rules.rmsprop_centred, "weight mean square moment gradient rate decay factor epsilon", 1, 1), _LOCKED),
        "ApplyFtrl": (_Step(rules.ftrl, "weight accum linear gradient rate l1 l2 lr_power", 1), _LOCKED),
        "ApplyGradientDescent": (_Step(rules.descent, "weight rate gradient", 1), {}),
        "ApplyKerasMomentum": (_Step(rules.keras_momentum, "weight moment rate gradient factor"), _NESTEROV),
        "ApplyMomentum": (_Step(rules.momentum, "weight moment rate gradient factor", 1),
                          {"use_nesterov": False, "use_locking": Unordered(False), "gradient_scale": 1.0}),
        "ApplyPowerSign": (_Step(rules.power_sign, "weight moment rate logbase sign_decay beta gradient"), {}),
        "ApplyProximalAdagrad": (_Step(rules.proximal_adagrad, "weight accum rate l1 l2 gradient"), _LOCKED),
        "ApplyProximalGradientDescent": (_Step(rules.proximal_descent, "weight rate l1 l2 gradient", 1), {}),
        "ApplyRMSProp": (_Step(rules.rmsprop, "weight square moment rate gradient decay factor epsilon", 1, 1), _LOCKED),
        "FusedCastAdamWeightDecay": (_Step(
            rules.adam_cast, "weight moment1 moment2 rate beta1 beta2 epsilon decay gradient norm", 0, 0), _LOCKED),
        "FusedWeightScaleApplyMomentum": (_Step(rules.momentum_decayed, "decay scale weight moment rate gradient factor", 1), {}),
        "SGD": (_Step(rules.sgd, "weight gradient rate moment factor stat", 1, 0), {"dampening": 0.0, "weight_decay": 0.0, "nesterov": False}),
    }


def _sparse():
    """Name: (step, constructor's parameters)."""
    fused = _Step(rules.adam_by_powers, _ADAM + " indices", 0, None, True)
    ftrl = _Step(rules.ftrl, "weight accum linear gradient indices")
    proximal = _Step(rules.proximal_adagrad, "weight accum rate l1 l2 gradient indices")
    return {
        "FusedSparseAdam": (fused, _NESTEROV),
        "FusedSparseFtrl": (ftrl, _FTRL),
        "FusedSparseLazyAdam": (_Step(rules.adam_by_powers, _ADAM + " indices"), _NESTEROV),
        "FusedSparseProximalAdagrad": (proximal, _LOCKED),
        "SparseApplyAdadelta": (_Step(rules.adadelta, "weight accum accum_update rate rho gradient indices"), {"epsilon": ...} | _LOCKED),
        "SparseApplyAdagrad": (_Step(rules.adagrad, "weight accum gradient indices"), {"lr": Named(..., "rate")} | _SLOTS | _LOCKED),
        "SparseApplyAdagradDA": (_Step(rules.adagrad_dual, "weight total squares gradient indices rate l1 l2 count", 1), _LOCKED),
        "SparseApplyAdagradV2": (_Step(rules.adagrad, "weight accum gradient indices"),
                                 {"lr": Named(..., "rate"), "epsilon": ...} | _LOCKED | _SLOTS),
        "SparseApplyCenteredRMSProp": (_Step(
            rules.rmsprop_centred, "weight mean square moment rate decay factor epsilon gradient indices", 1, 0), _LOCKED),
        "SparseApplyFtrl": (ftrl, _FTRL),
        "SparseApplyFtrlV2": (ftrl, {"lr": Named(..., "rate"), "l1": ..., "l2": ..., "l2_shrinkage": ..., "lr_power": ...} | _LOCKED),
        "SparseApplyMomentum": (_Step(rules.momentum, "weight moment rate gradient indices factor", 1, 0), _NESTEROV),
        "SparseApplyProximalAdagrad": (proximal, _LOCKED),
        "SparseApplyProximalGradientDescent": (_Step(rules.proximal_descent, "weight rate l1 l2 gradient indices", 1, 0), _LOCKED),
        "SparseApplyRMSProp": (_Step(rules.rmsprop, "weight square moment rate gradient indices"),
                               {"rho": Named(..., "decay"), "momentum": Named(..., "factor"), "epsilon": ...} | _LOCKED),
    }


globals().update({name: function_class(name, step, **parameters) for name, (step, parameters) in (_dense() | _sparse()).items()})

__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in (
    "Composite", "F", "Named", "Parameter", "Tensor", "Unordered")]
