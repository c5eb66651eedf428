"""Optimizers as operators: two steps of each beside NumPy's float64, dense and by rows with numbers that repeat.

All operators of a test are called by one cell, each on Parameters of its own, so that one compilation holds them.
"""

import unittest

import numpy as np

import plumb
from plumb import Parameter, Tensor, nn, ops

SHAPE, ROWS = (300, 17), 41
RNG = np.random.default_rng(11)
WEIGHT = RNG.standard_normal(SHAPE)
KEPT = RNG.uniform(0.5, 1.5, (3,) + SHAPE)
GRADIENT, PART = RNG.standard_normal(SHAPE), RNG.standard_normal((ROWS,) + SHAPE[1:])
INDICES = RNG.integers(0, 30, ROWS) * 7
LR, B1, B2, EPS, L1, L2, RHO = 0.1, 0.9, 0.99, 1e-3, 0.2, 0.3, 0.8


def soft(x, reach):
    return np.sign(x) * np.maximum(np.abs(x) - reach, 0)


def momentum(w, v, g, scale=1.0, nesterov=False):
    g = g * scale
    v = B1 * v + g
    return w - LR * (g + B1 * v if nesterov else v), v


def keras(w, v, g, nesterov=False):
    v = B1 * v - LR * g
    return w + (B1 * v - LR * g if nesterov else v), v


def sgd(w, v, s, g, dampening=0.0, decay=0.0, nesterov=False):
    g = g + decay * w
    v = np.where(s > 0, g, B1 * v + (1 - dampening) * g)
    return w - LR * (g + B1 * v if nesterov else v), v, 0 * s


def adam(w, m, v, g, nesterov=False):
    m, v = B1 * m + (1 - B1) * g, B2 * v + (1 - B2) * g * g
    top = B1 * m + (1 - B1) * g if nesterov else m
    return w - LR * np.sqrt(1 - B2 ** 3) / (1 - B1 ** 3) * top / (np.sqrt(v) + EPS), m, v


def amsgrad(w, m, v, top, g):
    m, v = B1 * m + (1 - B1) * g, B2 * v + (1 - B2) * g * g
    top = np.maximum(top, v)
    return w - LR * np.sqrt(1 - B2 ** 3) / (1 - B1 ** 3) * m / (np.sqrt(top) + EPS), m, v, top


def adam_decayed(w, m, v, g):
    m, v = B1 * m + (1 - B1) * g, B2 * v + (1 - B2) * g * g
    return w - LR * (m / (np.sqrt(v) + EPS) + 0.01 * w), m, v


def adamax(w, m, v, g):
    m, v = B1 * m + (1 - B1) * g, np.maximum(B2 * v, np.abs(g))
    return w - LR / (1 - B1 ** 3) * m / (v + EPS), m, v


def adadelta(w, s, d, g):
    s = RHO * s + (1 - RHO) * g * g
    u = np.sqrt(d + EPS) / np.sqrt(s + EPS) * g
    return w - LR * u, s, RHO * d + (1 - RHO) * u * u


def adagrad(w, h, g, slots=True, eps=0.0):
    h = h + g * g if slots else h
    return w - LR * g / (np.sqrt(h) + eps), h


def adagrad_da(w, total, h, g):
    total, h = total + g, h + g * g
    return -LR * soft(total, L1 * 3) / (L2 * 3 * LR + np.sqrt(h)), total, h


def rmsprop(w, s, m, g):
    s = RHO * s + (1 - RHO) * g * g
    m = B1 * m + LR * g / np.sqrt(s + EPS)
    return w - m, s, m


def centred(w, mean, s, m, g):
    mean, s = RHO * mean + (1 - RHO) * g, RHO * s + (1 - RHO) * g * g
    m = B1 * m + LR * g / np.sqrt(s - mean ** 2 + 2.0)
    return w - m, mean, s, m


def proximal(w, g):
    return (soft(w - LR * g, LR * L1) / (1 + LR * L2),)


def proximal_adagrad(w, h, g):
    h = h + g * g
    rate = LR / np.sqrt(h)
    return soft(w - rate * g, rate * L1) / (1 + rate * L2), h


def ftrl(w, n, z, g, shrinkage=0.0):
    after = n + g * g
    z = z + g + 2 * shrinkage * w - (after ** 0.6 - n ** 0.6) / LR * w
    return np.where(np.abs(z) > L1, (np.sign(z) * L1 - z) / (after ** 0.6 / LR + 2 * L2), 0), after, z


def add_sign(w, m, g):
    m = B1 * m + (1 - B1) * g
    return w - LR * (0.7 + 0.4 * np.sign(g) * np.sign(m)) * g, m


def power_sign(w, m, g):
    m = B1 * m + (1 - B1) * g
    return w - LR * np.exp(0.7 * 0.4 * np.sign(g) * np.sign(m)) * g, m


def row(name, reference, states, inputs, options=None, **given):
    """A case: the operator and its options, NumPy's rule and its options, inputs: 0 … are the weight and what is kept."""
    return name, options or {}, lambda *arrays: reference(*arrays, **given), states, inputs


POWERS = (B1 ** 3, B2 ** 3)
ADAM = (0, 1, 2, *POWERS, LR, B1, B2, EPS, "g")
DENSE = [
    row("ApplyMomentum", momentum, 1, (0, 1, LR, "g", B1)),
    row("ApplyMomentum", momentum, 1, (0, 1, LR, "g", B1), {"use_nesterov": True, "use_locking": True}, nesterov=True),
    row("ApplyMomentum", momentum, 1, (0, 1, LR, "g", B1), {"gradient_scale": 0.5}, scale=0.5),
    row("FusedWeightScaleApplyMomentum", lambda w, v, g: momentum(w, v, (g + 0.1 * w) * 0.5), 1, (0.1, 0.5, 0, 1, LR, "g", B1)),
    row("ApplyKerasMomentum", keras, 1, (0, 1, LR, "g", B1)),
    row("ApplyKerasMomentum", keras, 1, (0, 1, LR, "g", B1), {"use_nesterov": True}, nesterov=True),
    row("SGD", sgd, 2, (0, "g", LR, 1, B1, 2)),
    row("SGD", sgd, 2, (0, "g", LR, 1, B1, 2), {"dampening": 0.3, "weight_decay": 0.1}, dampening=0.3, decay=0.1),
    row("SGD", sgd, 2, (0, "g", LR, 1, B1, 2), {"nesterov": True}, nesterov=True),
    row("Adam", adam, 2, ADAM),
    row("Adam", adam, 2, ADAM, {"use_nesterov": True}, nesterov=True),
    row("AdamWeightDecay", adam_decayed, 2, (0, 1, 2, LR, B1, B2, EPS, 0.01, "g")),
    row("FusedCastAdamWeightDecay", lambda w, m, v, g: adam_decayed(w, m, v, g / 2.5), 2, (0, 1, 2, LR, B1, B2, EPS, 0.01, "g", 2.5)),
    row("ApplyAdamWithAmsgrad", amsgrad, 3, (0, 1, 2, 3, *POWERS, LR, "g"), {"beta1": B1, "beta2": B2, "epsilon": EPS}),
    row("ApplyAdaMax", adamax, 2, (0, 1, 2, POWERS[0], LR, B1, B2, EPS, "g")),
    row("ApplyAdadelta", adadelta, 2, (0, 1, 2, LR, RHO, EPS, "g")),
    row("ApplyAdagrad", adagrad, 1, (0, 1, LR, "g")),
    row("ApplyAdagrad", adagrad, 1, (0, 1, LR, "g"), {"update_slots": False}, slots=False),
    row("ApplyAdagradV2", adagrad, 1, (0, 1, LR, "g"), {"epsilon": 0.1}, eps=0.1),
    row("ApplyAdagradDA", adagrad_da, 2, (0, 1, 2, "g", LR, L1, L2, 3)),
    row("ApplyRMSProp", rmsprop, 2, (0, 1, 2, LR, "g", RHO, B1, EPS)),
    row("ApplyCenteredRMSProp", centred, 3, (0, 1, 2, 3, "g", LR, RHO, B1, 2.0)),
    row("ApplyFtrl", ftrl, 2, (0, 1, 2, "g", LR, L1, L2, -0.6)),
    row("ApplyGradientDescent", lambda w, g: (w - LR * g,), 0, (0, LR, "g")),
    row("ApplyProximalGradientDescent", proximal, 0, (0, LR, L1, L2, "g")),
    row("ApplyProximalAdagrad", proximal_adagrad, 1, (0, 1, LR, L1, L2, "g")),
    row("ApplyAddSign", add_sign, 1, (0, 1, LR, 0.7, 0.4, B1, "g")),
    row("ApplyPowerSign", power_sign, 1, (0, 1, LR, 0.7, 0.4, B1, "g")),
]
FTRL = {"lr": LR, "l1": L1, "l2": L2, "lr_power": -0.6}
SPARSE = [
    row("FusedSparseLazyAdam", adam, 2, ADAM + ("i",)),
    row("FusedSparseLazyAdam", adam, 2, ADAM + ("i",), {"use_nesterov": True}, nesterov=True),
    row("FusedSparseFtrl", ftrl, 2, (0, 1, 2, "g", "i"), FTRL),
    row("FusedSparseProximalAdagrad", proximal_adagrad, 1, (0, 1, LR, L1, L2, "g", "i")),
    row("SparseApplyAdadelta", adadelta, 2, (0, 1, 2, LR, RHO, "g", "i"), {"epsilon": EPS}),
    row("SparseApplyAdagrad", adagrad, 1, (0, 1, "g", "i"), {"lr": LR}),
    row("SparseApplyAdagrad", adagrad, 1, (0, 1, "g", "i"), {"lr": LR, "update_slots": False}, slots=False),
    row("SparseApplyAdagradV2", adagrad, 1, (0, 1, "g", "i"), {"lr": LR, "epsilon": 0.1}, eps=0.1),
    row("SparseApplyAdagradDA", adagrad_da, 2, (0, 1, 2, "g", "i", LR, L1, L2, 3)),
    row("SparseApplyCenteredRMSProp", centred, 3, (0, 1, 2, 3, LR, RHO, B1, 2.0, "g", "i")),
    row("SparseApplyFtrl", ftrl, 2, (0, 1, 2, "g", "i"), FTRL),
    row("SparseApplyFtrlV2", ftrl, 2, (0, 1, 2, "g", "i"), FTRL | {"l2_shrinkage": 0.1}, shrinkage=0.1),
    row("SparseApplyMomentum", momentum, 1, (0, 1, LR, "g", "i", B1)),
    row("SparseApplyMomentum", momentum, 1, (0, 1, LR, "g", "i", B1), {"use_nesterov": True}, nesterov=True),
    row("SparseApplyProximalAdagrad", proximal_adagrad, 1, (0, 1, LR, L1, L2, "g", "i")),
    row("SparseApplyProximalGradientDescent", proximal, 0, (0, LR, L1, L2, "g", "i")),
    row("SparseApplyRMSProp", rmsprop, 2, (0, 1, 2, LR, "g", "i"), {"rho": RHO, "momentum": B1, "epsilon": EPS}),
]
EVERY_ROW = [row("FusedSparseAdam", adam, 2, ADAM + ("i",)),
             row("FusedSparseAdam", adam, 2, ADAM + ("i",), {"use_nesterov": True}, nesterov=True)]


class _Steps(nn.Cell):
    """Calls every operator once, on Parameters of its own."""

    def __init__(self, cases, dtype):
        super().__init__()
        self.steps = tuple(getattr(ops, name)(**options) for name, options, _, _, _ in cases)
        self.places = tuple(inputs for _, _, _, _, inputs in cases)
        self.owned = tuple(plumb.ParameterTuple([Parameter(Tensor(array.astype(dtype)), name=f"{number}.{place}")
                                                 for place, array in enumerate([WEIGHT, *KEPT[:states]])])
                           for number, (_, _, _, states, _) in enumerate(cases))
        for number, parameters in enumerate(self.owned):
            for place, parameter in enumerate(parameters):
                setattr(self, f"p{number}_{place}", parameter)

    def construct(self, gradient, indices):
        results = ()
        for step, places, owned in zip(self.steps, self.places, self.owned):
            inputs = ()
            for place in places:
                if isinstance(place, str):
                    inputs = inputs + (gradient if place == "g" else indices,)
                elif isinstance(place, int) and place < len(owned):
                    inputs = inputs + (owned[place],)
                else:
                    inputs = inputs + (place,)
            made = step(*inputs)
            results = results + (made if isinstance(made, tuple) else (made,),)
        return results


def by_rows(rule, arrays, indices, part):
    """NumPy's rule on the rows that the numbers name, with the gradients of one number added."""
    arrays, numbers = [array.copy() for array in arrays], np.unique(indices)
    summed = np.stack([part[indices == number].sum(0) for number in numbers])
    for array, changed in zip(arrays, rule(*[array[numbers] for array in arrays], summed)):
        array[numbers] = changed
    return arrays


def dense_rows(rule, arrays, indices, part):
    """NumPy's rule on all rows, with zeros for those that have no gradient."""
    gradient = np.zeros(SHAPE)
    np.add.at(gradient, indices, part)
    return rule(*arrays, gradient)


class ApplyOperatorsTest(unittest.TestCase):
    def compare(self, cases, gradient, applied, dtype=np.float32, tolerance=2e-5):
        cell = _Steps(cases, dtype)
        for _ in range(2):
            results = cell(Tensor(gradient.astype(dtype)), Tensor(INDICES.astype(np.int32)))
        exact = gradient.astype(dtype).astype(np.float64)
        for number, (name, options, rule, states, _) in enumerate(cases):
            arrays = [array.astype(dtype).astype(np.float64) for array in [WEIGHT, *KEPT[:states]]]
            for _ in range(2):
                arrays = applied(rule, arrays, exact)
            with self.subTest(name, **options):
                for parameter, array in zip(cell.owned[number], arrays):
                    np.testing.assert_allclose(parameter.asnumpy(), array, tolerance, tolerance)
                for result, array in zip(results[number], arrays):
                    np.testing.assert_allclose(result.asnumpy(), array, tolerance, tolerance)

    def test_dense(self):
        self.compare(DENSE, GRADIENT, lambda rule, arrays, gradient: rule(*arrays, gradient))

    def test_dense_in_double(self):
        self.compare(DENSE, GRADIENT, lambda rule, arrays, gradient: rule(*arrays, gradient), np.float64, 1e-6)

    def test_rows(self):
        self.compare(SPARSE, PART, lambda rule, arrays, part: by_rows(rule, arrays, INDICES, part))

    def test_every_row(self):
        self.compare(EVERY_ROW, PART, lambda rule, arrays, part: dense_rows(rule, arrays, INDICES, part))

    def test_change_without_weight(self):
        change = ops.AdamNoUpdateParam()(*[Tensor(array.astype(np.float32)) for array in KEPT[:2]], *[
            Tensor(value, plumb.float32) for value in ADAM[3:9]], Tensor(GRADIENT.astype(np.float32)))
        np.testing.assert_allclose(change.asnumpy(), adam(0.0, *KEPT[:2], GRADIENT)[0], 2e-5, 1e-6)

    def test_halves_beside_moments_in_single(self):
        """The norm is beyond f16, and so is what the squares of the gradients would be."""
        weight, gradient = WEIGHT.astype(np.float16), (GRADIENT * 9000).astype(np.float16)
        states = [Parameter(Tensor(array), name=f"s{number}") for number, array in enumerate((weight, *KEPT[:2].astype(np.float32)))]
        ops.FusedCastAdamWeightDecay()(*states, LR, B1, B2, EPS, 0.01, Tensor(gradient), Tensor(90000.0, plumb.float32))
        expected = adam_decayed(weight.astype(np.float64), *KEPT[:2], gradient.astype(np.float64) / 90000)
        for state, array, kind, tolerance in zip(states, expected, (np.float16, np.float32, np.float32), (1e-3, 1e-5, 1e-5)):
            self.assertEqual(state.asnumpy().dtype, kind)
            np.testing.assert_allclose(state.asnumpy(), array, tolerance, tolerance)

    def test_layers(self):
        of_weight, of_gradient = (WEIGHT ** 2).sum(), (GRADIENT ** 2).sum()
        inputs = [Tensor(np.float32(value)) for value in (WEIGHT, GRADIENT, of_weight, of_gradient)]
        factor = 0.02 * of_weight ** 0.5 / (of_gradient ** 0.5 + 0.1 * of_weight ** 0.5 + 1e-5)
        plain, clipped = ops.LARSUpdate(hyperpara=0.02), ops.LARSUpdate(hyperpara=0.02, use_clip=True)
        np.testing.assert_allclose(plain(*inputs, 0.1, 0.01).asnumpy(), (GRADIENT + 0.1 * WEIGHT) * factor, 1e-4, 1e-6)
        np.testing.assert_allclose(clipped(*inputs, 0.1, 0.01).asnumpy(), (GRADIENT + 0.1 * WEIGHT) * min(factor / 0.01, 1), 1e-4, 1e-6)

    def test_refusals(self):
        weight = Parameter(Tensor(np.ones((3, 2), np.float32)), name="weight")
        half = Parameter(Tensor(np.ones((3, 2), np.float16)), name="half")
        ones = Tensor(np.ones((3, 2), np.float32))
        with self.assertRaisesRegex(TypeError, "must be a Parameter"):
            ops.ApplyMomentum()(ones, weight, 0.1, ones, 0.9)
        with self.assertRaisesRegex(RuntimeError, "does not go into"):
            ops.ApplyGradientDescent()(half, 0.1, ones)
        with self.assertRaisesRegex(ValueError, "must be of"):
            ops.ApplyGradientDescent()(weight, 0.1, ones[:2])
        with self.assertRaisesRegex(TypeError, "inputs are needed"):
            ops.ApplyGradientDescent()(weight, 0.1)
        with self.assertRaisesRegex(TypeError, "must be bool"):
            ops.ApplyMomentum(use_locking=1)
        with self.assertRaisesRegex(TypeError, "must be a bool"):
            nn.Adam([weight], use_locking=1)


if __name__ == "__main__":
    unittest.main()
