"""Optimizers, their groups and schedules: several steps beside PyTorch, or NumPy's float64 where PyTorch has no such rule.

All optimizers of a test are called by one cell, each on Parameters of its own, so that one compilation holds them.
"""

import math
import inspect
import unittest

import numpy as np
import torch

import plumb
from plumb import nn, ops

STEPS = 5
FIRST = np.random.default_rng(3).standard_normal((3, 4)).astype(np.float32)
GRADIENTS = np.random.default_rng(4).standard_normal((STEPS, 3, 4)).astype(np.float32)


def mean_square_from_zero(optimizer):
    """MindSpore's RMSProp starts its mean square at 1, PyTorch's at 0."""
    for state in optimizer.mean_square:
        state.set_data(plumb.Tensor(np.zeros(state.shape, np.float32)))
    return optimizer


BY_TORCH = {
    "sgd": (lambda p: nn.SGD(p, 0.05), lambda p: torch.optim.SGD(p, 0.05)),
    "sgd_momentum": (lambda p: nn.SGD(p, 0.05, 0.9, 0.1, 0.01), lambda p: torch.optim.SGD(p, 0.05, 0.9, 0.1, 0.01)),
    "sgd_nesterov": (lambda p: nn.SGD(p, 0.05, 0.9, nesterov=True), lambda p: torch.optim.SGD(p, 0.05, 0.9, nesterov=True)),
    "momentum": (lambda p: nn.Momentum(p, 0.05, 0.9, 0.01), lambda p: torch.optim.SGD(p, 0.05, 0.9, 0, 0.01)),
    "momentum_nesterov": (lambda p: nn.Momentum(p, 0.05, 0.9, use_nesterov=True),
                          lambda p: torch.optim.SGD(p, 0.05, 0.9, nesterov=True)),
    "adam": (lambda p: nn.Adam(p, 0.05, 0.8, 0.99, 1e-12, weight_decay=0.01),
             lambda p: torch.optim.Adam(p, 0.05, (0.8, 0.99), 1e-12, 0.01)),
    "lazy_adam": (lambda p: nn.LazyAdam(p, 0.05, eps=1e-12), lambda p: torch.optim.Adam(p, 0.05, eps=1e-12)),
    "adamax": (lambda p: nn.AdaMax(p, 0.05, eps=1e-12), lambda p: torch.optim.Adamax(p, 0.05, eps=1e-12)),
    "adadelta": (lambda p: nn.Adadelta(p, 1.0, 0.8, 1e-4, weight_decay=0.01),
                 lambda p: torch.optim.Adadelta(p, 1.0, 0.8, 1e-4, 0.01)),
    "adagrad": (lambda p: nn.Adagrad(p, 0.1, 0.05), lambda p: torch.optim.Adagrad(p, 0.05, 0, 0, 0.1, 1e-12)),
    "rmsprop": (lambda p: mean_square_from_zero(nn.RMSProp(p, 0.05, 0.8, 0.5, 1e-12)),
                lambda p: torch.optim.RMSprop(p, 0.05, 0.8, 1e-12, 0, 0.5)),
    "rmsprop_centered": (lambda p: mean_square_from_zero(nn.RMSProp(p, 0.05, 0.8, 0.5, 1e-12, centered=True)),
                         lambda p: torch.optim.RMSprop(p, 0.05, 0.8, 1e-12, 0, 0.5, True)),
    "rprop": (lambda p: nn.Rprop(p, 0.05), lambda p: torch.optim.Rprop(p, 0.05)),
    "rprop_bounds": (lambda p: nn.Rprop(p, 0.05, (0.4, 1.5), (0.03, 0.06)),
                     lambda p: torch.optim.Rprop(p, 0.05, (0.4, 1.5), (0.03, 0.06))),
    "asgd": (lambda p: nn.ASGD(p, 0.05, 1e-2, 0.75, 2.0, 0.01),
             lambda p: torch.optim.ASGD(p, 0.05, 1e-2, 0.75, 2.0, 0.01)),
}


def amsgrad(w, g, state, t):
    """MindSpore keeps the largest v before its bias is corrected, PyTorch after."""
    state["m"] = 0.8 * state.get("m", 0) + 0.2 * g
    state["v"] = 0.9 * state.get("v", 0) + 0.1 * g ** 2
    state["top"] = np.maximum(state.get("top", 0), state["v"])
    return w - 0.05 * math.sqrt(1 - 0.9 ** t) / (1 - 0.8 ** t) * state["m"] / np.sqrt(state["top"])


def nesterov_adam(w, g, state, t):
    """The update takes the moment of the step to come."""
    state["m"] = 0.9 * state.get("m", 0) + 0.1 * g
    state["v"] = 0.99 * state.get("v", 0) + 0.01 * g ** 2
    rate = 0.05 * math.sqrt(1 - 0.99 ** t) / (1 - 0.9 ** t)
    return w - rate * (0.9 * state["m"] + 0.1 * g) / (np.sqrt(state["v"]) + 1e-8)


def adam_weight_decay(w, g, state, t):
    """No bias correction, decay beside the update."""
    state["m"] = 0.875 * state.get("m", 0) + 0.125 * g
    state["v"] = 0.96875 * state.get("v", 0) + 0.03125 * g ** 2
    return w - 0.05 * (state["m"] / (np.sqrt(state["v"]) + 1e-6) + 0.01 * w)


def lamb(w, g, state, t):
    """The update has the length of the weight."""
    state["m"] = 0.875 * state.get("m", 0) + 0.125 * g
    state["v"] = 0.96875 * state.get("v", 0) + 0.03125 * g ** 2
    u = state["m"] / (1 - 0.875 ** t) / (np.sqrt(state["v"] / (1 - 0.96875 ** t)) + 1e-6) + 0.01 * w
    return w - 0.05 * np.linalg.norm(w) / np.linalg.norm(u) * u


def proximal_adagrad(w, g, state, t):
    """Adagrad, then the nearest point by both penalties."""
    state["h"] = state.get("h", 0.1) + g ** 2
    rate = 0.05 / np.sqrt(state["h"])
    z = w - rate * g
    return np.sign(z) * np.maximum(np.abs(z) - rate * 0.3, 0) / (1 + rate * 0.1)


def ftrl(w, g, state, t):
    """Sums of gradients decide."""
    before = state.get("n", 0.1)
    state["n"] = before + g ** 2
    state["z"] = state.get("z", 0) + g - (np.sqrt(state["n"]) - np.sqrt(before)) / 0.05 * w
    pulled = (np.sign(state["z"]) * 0.5 - state["z"]) / (np.sqrt(state["n"]) / 0.05 + 2 * 0.1)
    return np.where(np.abs(state["z"]) > 0.5, pulled, 0)


def lars(w, g, state, t):
    """Rates follow the lengths of weight and gradient."""
    factor = 0.02 * np.linalg.norm(w) / (np.linalg.norm(g) + 0.01 * np.linalg.norm(w) + 1e-5)
    state["v"] = 0.9 * state.get("v", 0) + factor * (g + 0.01 * w)
    return w - 0.5 * state["v"]


BY_HAND = {
    "adam_amsgrad": (lambda p: nn.Adam(p, 0.05, 0.8, 0.9, 1e-12, use_amsgrad=True), amsgrad),
    "adam_nesterov": (lambda p: nn.Adam(p, 0.05, 0.9, 0.99, use_nesterov=True), nesterov_adam),
    "adam_weight_decay": (lambda p: nn.AdamWeightDecay(p, 0.05, 0.875, 0.96875, weight_decay=0.01), adam_weight_decay),
    "lamb": (lambda p: nn.Lamb(p, 0.05, 0.875, 0.96875, weight_decay=0.01), lamb),
    "proximal_adagrad": (lambda p: nn.ProximalAdagrad(p, 0.1, 0.05, 0.3, 0.1), proximal_adagrad),
    "ftrl": (lambda p: nn.FTRL(p, learning_rate=0.05, l1=0.5, l2=0.1), ftrl),
    "lars": (lambda p: nn.LARS(nn.Momentum(p, 0.5, 0.9, 0.01), coefficient=0.02), lars),
}


class Several(nn.Cell):
    """Calls every optimizer with the same gradient."""

    def __init__(self, optimizers):
        super().__init__()
        self.optimizers = nn.CellList(optimizers)

    def construct(self, gradient):
        """Updates all; returns the sum of the gradient."""
        for optimizer in self.optimizers:
            optimizer((gradient,))
        return ops.reduce_sum(gradient)


def trained(makers):
    """Makes one Parameter for each maker's optimizer and trains all; returns the values after each step by name."""
    weights = {name: plumb.Parameter(plumb.Tensor(FIRST.copy()), name=f"{name}.w") for name in makers}
    several = Several([make([weights[name]]) for name, make in makers.items()]).set_train()
    values = {name: [] for name in makers}
    for gradient in GRADIENTS:
        several(plumb.Tensor(gradient))
        for name, weight in weights.items():
            values[name].append(weight.asnumpy().copy())
    return values


def by_torch(make):
    """The same steps by PyTorch, in float64."""
    weight = torch.nn.Parameter(torch.tensor(FIRST, dtype=torch.float64))
    optimizer, values = make([weight]), []
    for gradient in GRADIENTS:
        weight.grad = torch.tensor(gradient, dtype=torch.float64)
        optimizer.step()
        values.append(weight.detach().numpy().copy())
    return values


def by_hand(update):
    """The same steps by a formula."""
    weight, state, values = FIRST.astype(np.float64), {}, []
    for step, gradient in enumerate(GRADIENTS.astype(np.float64)):
        weight = update(weight, gradient, state, step + 1)
        values.append(weight)
    return values


class OptimizersTest(unittest.TestCase):
    """Every optimizer's values after each of several steps."""

    def test_beside_references(self):
        actual = trained({name: make for name, (make, _) in {**BY_TORCH, **BY_HAND}.items()})
        expected = {name: by_torch(make) for name, (_, make) in BY_TORCH.items()}
        expected.update({name: by_hand(update) for name, (_, update) in BY_HAND.items()})
        for name, values in expected.items():
            for step, value in enumerate(values):
                with self.subTest(name, step=step):
                    np.testing.assert_allclose(actual[name][step], value, rtol=2e-5, atol=2e-6)


class Plain(nn.Optimizer):
    """An optimizer as users write them."""

    def construct(self, gradients):
        """p = p - lr * (g + decay)."""
        gradients = self.decay_weight(self.scale_grad(gradients))
        rate = self.get_lr()
        for i in range(len(self.parameters)):
            ops.assign(self.parameters[i], self.parameters[i] - gradients[i] * (rate[i] if self.is_group_lr else rate))
        return rate


class Falling(nn.Cell):
    """A weight decay that depends on the step."""

    def construct(self, step):
        """1 / (1 + step)."""
        return 1.0 / (ops.cast(step, plumb.float32) + 1.0)


def parameters(*shapes):
    """Parameters of ones."""
    return [plumb.Parameter(plumb.Tensor(np.ones(shape, np.float32)), name=f"p{i}") for i, shape in enumerate(shapes)]


class GroupsTest(unittest.TestCase):
    """Rates, decay and centring by group; rates by list and by schedule."""

    def test_names_of_states(self):
        """States have MindSpore 2.0.0's names and shapes, so that its checkpoints fill them."""
        for made, names in ((lambda p: nn.SGD(p, 0.1), {"momentum": (), "accum.w": (3, 2), "stat.w": (3, 2)}),
                            (lambda p: nn.SGD(p, 0.1, 0.9, 0.3), {"momentum": (), "accum.w": (3, 2), "stat.w": (3, 2)}),
                            (lambda p: nn.Momentum(p, 0.1, 0.9), {"momentum": (), "moments.w": (3, 2)}),
                            (lambda p: nn.Lamb(p, 0.1), {"lamb_m.w": (3, 2), "lamb_v.w": (3, 2)}),
                            (lambda p: nn.ASGD(p, 0.1), {"ax_.w": (3, 2)}),
                            (lambda p: nn.Rprop(p, 0.1), {"prev.w": (3, 2), "step_size.w": (3, 2)})):
            weight = plumb.Parameter(plumb.Tensor(np.ones((3, 2), np.float32)), name="w")
            found = {p.name: p.shape for p in made([weight]).get_parameters()}
            self.assertEqual(found, {"global_step": (1,), "learning_rate": (), "w": (3, 2), **names})

    def test_states_of_sgd(self):
        """As MindSpore's behind the first step."""
        for momentum, dampening, accum, stat in ((0.0, 0.0, 0.0, 1.0), (0.5, 0.0, 3.0, 0.0), (0.5, 0.5, 2.0, 0.0)):
            optimizer = nn.SGD(parameters((2,)), 0.1, momentum, dampening)
            for _ in range(2):
                optimizer((plumb.Tensor(np.full(2, 2, np.float32)),))
            self.assertEqual([optimizer.accum[0].asnumpy().tolist(), optimizer.stat[0].asnumpy().tolist()], [[accum] * 2, [stat] * 2])

    def test_bounds_of_rprop_are_tuples(self):
        for options in ({"etas": [0.5, 1.2]}, {"step_sizes": [1e-6, 50.0]}):
            with self.assertRaisesRegex(TypeError, "must be a tuple"):
                nn.Rprop(parameters((2,)), 0.1, **options)

    def test_groups(self):
        """Three groups with a fixed rate, a list and a schedule; decay follows the group, names do not matter."""
        first, second, third = made = parameters((2,), (2,), (2, 1, 1, 2))
        second.name = "second.beta"
        optimizer = Plain(0.3, [{"params": [first], "lr": 0.5, "weight_decay": 0.0},
                           {"params": [second], "lr": [0.1, 0.2]},
                           {"params": [third], "lr": nn.WarmUpLR(0.4, 2), "grad_centralization": True},
                           {"order_params": [third, first, second]}], 0.1)
        self.assertEqual([parameter.name for parameter in optimizer.parameters], ["p2", "p0", "second.beta"])
        self.assertEqual(optimizer.decay_flags, (True, False, True))
        self.assertTrue(optimizer.is_group and optimizer.is_group_lr and optimizer.dynamic_lr)
        self.assertEqual(optimizer.get_lr_parameter(first).name, "learning_rate_group_0")
        momentum = nn.Momentum([{"params": [each]} for each in made], 0.3, 0.0, 0.1)
        self.assertFalse(momentum.is_group_lr)
        expected = [np.float64(1)] * 3
        for step in range(3):
            gradients = tuple(plumb.Tensor(np.zeros(p.shape, np.float32)) for p in optimizer.parameters)
            rates = optimizer(gradients)
            expected = [expected[0], expected[1] * (1 - (0.1, 0.2, 0.2)[step] * 0.1),
                        expected[2] * (1 - (0.0, 0.2, 0.4)[step] * 0.1)]
            np.testing.assert_allclose([float(rate) for rate in rates], [(0.0, 0.2, 0.4)[step], 0.5, (0.1, 0.2, 0.2)[step]],
                                       rtol=1e-6)
            for parameter, value in zip(made, expected):
                np.testing.assert_allclose(parameter.asnumpy(), np.broadcast_to(value, parameter.shape), rtol=1e-6)

    def test_centring(self):
        kernel, = parameters((2, 1, 1, 2))
        step = nn.SGD([{"params": [kernel], "grad_centralization": True}], 1.0)
        step((plumb.Tensor(np.array([1, 3, 2, 6], np.float32).reshape(2, 1, 1, 2)),))
        np.testing.assert_allclose(kernel.asnumpy().reshape(-1), [2, 0, 3, -1], rtol=1e-6)

    def test_weight_decay_by_step(self):
        weight, = parameters((2,))
        step, expected = nn.SGD([weight], 0.5, weight_decay=Falling()), 1.0
        for count in range(3):
            step((plumb.Tensor(np.zeros(2, np.float32)),))
            expected *= 1 - 0.5 / (1 + count)
            np.testing.assert_allclose(weight.asnumpy(), expected, rtol=1e-6)

    def test_decays_are_tensors(self):
        """An optimizer of users' own finds tensors, for which its functions are registered."""
        made = parameters((2,), (2,))
        plain = Plain(0.3, made, 0.25)
        self.assertIsInstance(plain.weight_decay, plumb.Tensor)
        self.assertEqual(float(plain.get_weight_decay()), 0.25)
        grouped = Plain(0.3, [{"params": made[:1], "weight_decay": 0.5}, {"params": made[1:]}], 0.25)
        self.assertEqual([float(decay) for decay in grouped.weight_decay], [0.5, 0.25])
        self.assertTrue(all(isinstance(decay, plumb.Tensor) for decay in grouped.get_weight_decay()))

    def test_signatures(self):
        """A program that passes on only the settings in an optimizer's signature passes on none to most, as in MindSpore."""
        for name in ("SGD", "Momentum", "Adam", "RMSProp", "Adagrad", "Lamb", "LARS"):
            self.assertEqual(list(inspect.signature(getattr(nn, name).__init__).parameters), ["self", "args", "kwargs"])
        self.assertIn("weight_decay", inspect.signature(nn.AdamWeightDecay.__init__).parameters)
        optimizer = nn.Momentum(parameters((2,)), learning_rate=0.5, momentum=0.75)
        self.assertEqual(optimizer.init_args, {"momentum": 0.75, "weight_decay": 0.0, "loss_scale": 1.0, "use_nesterov": False})
        self.assertEqual((optimizer.init_learning_rate, len(optimizer.init_params["params"])), (0.5, 1))
        self.assertIs(nn.LARS(optimizer).init_params, optimizer.init_params)

    def test_unnamed_parameters(self):
        """Parameters without a name of their own are numbered where a tuple or an optimizer's groups hold several."""
        def unnamed():
            return [plumb.Parameter(plumb.Tensor(np.ones(2, np.float32))) for _ in range(2)]
        made = unnamed()
        nn.SGD([{"params": made[:1]}, {"params": iter(made[1:])}], 0.1)((made[0] + 0, made[1] + 1))
        self.assertEqual([parameter.name for parameter in made], ["Parameter$1", "Parameter$2"])
        np.testing.assert_allclose([parameter.asnumpy()[0] for parameter in made], [0.9, 0.8])
        self.assertEqual([parameter.name for parameter in plumb.ParameterTuple(unnamed())], ["Parameter$1", "Parameter$2"])
        self.assertEqual(plumb.ParameterTuple(unnamed()[:1])[0].name, "Parameter")

    def test_refused(self):
        made = parameters((2,), (2,))
        for groups, problem in (([{"params": made, "rate": 1.0}], "'rate'"), ([{"params": []}], "must not be empty"),
                                ([{"params": made}, {"order_params": made[:1]}], "order_params"),
                                (made + made[:1], "different names"), ([], "must not be empty")):
            with self.subTest(problem), self.assertRaisesRegex((ValueError, KeyError, RuntimeError), problem):
                nn.SGD(groups, 0.1)
        with self.assertRaisesRegex(ValueError, "one fixed number"):
            nn.FTRL(made, learning_rate=[0.1, 0.2])


class Decays(nn.Cell):
    """Weight decay by the number of the step."""

    def __init__(self):
        super().__init__()
        self.decays = plumb.Tensor([0.1, 0.3, 0.2, 50.0], plumb.float32)

    def construct(self, step):
        """Compiled body."""
        return self.decays[step]


class DecaySchedulesTest(unittest.TestCase):
    """The decay of a step is the schedule's at the steps before it, whether it is part of the gradient or of the update."""

    def test_steps(self):
        for name in ("Adam", "AdamWeightDecay", "Lamb", "AdaFactor", "AdaMax", "RMSProp", "Adagrad", "Momentum", "SGD", "ASGD"):
            options = {} if name == "AdaFactor" else {"learning_rate": 0.1, **({"momentum": 0.0} if name == "Momentum" else {})}
            gradient = (plumb.Tensor(np.array([0.5, -0.25], np.float32)),)
            weights = {}
            for kind, decay in (("schedule", Decays()), ("fixed", 0.1)):
                weights[kind] = plumb.Parameter(plumb.Tensor(np.array([1.0, 2.0], np.float32)), name=kind)
                optimizer = getattr(nn, name)([weights[kind]], weight_decay=decay, **options)
                optimizer(gradient)
            np.testing.assert_allclose(weights["schedule"].asnumpy(), weights["fixed"].asnumpy(), rtol=1e-6, err_msg=name)


class Rates(nn.Cell):
    """All schedules at one step."""

    def __init__(self, schedules):
        super().__init__()
        self.schedules = nn.CellList(schedules)

    def construct(self, step):
        """Their rates."""
        return ops.stack([ops.reshape(schedule(step), ()) for schedule in self.schedules])


class SchedulesTest(unittest.TestCase):
    """Rates by formula, as cells and as lists."""

    FORMULAS = [
        (nn.ExponentialDecayLR(0.1, 0.9, 4), lambda t: 0.1 * 0.9 ** (t / 4)),
        (nn.ExponentialDecayLR(0.1, 0.9, 4, True), lambda t: 0.1 * 0.9 ** (t // 4)),
        (nn.NaturalExpDecayLR(0.1, 0.9, 4), lambda t: 0.1 * math.exp(-0.9 * t)),
        (nn.NaturalExpDecayLR(0.1, 0.9, 4, True), lambda t: 0.1 * math.exp(-0.9 * (t // 4 * 4))),
        (nn.InverseDecayLR(0.1, 0.9, 4), lambda t: 0.1 / (1 + 0.9 * t / 4)),
        (nn.InverseDecayLR(0.1, 0.9, 4, True), lambda t: 0.1 / (1 + 0.9 * (t // 4))),
        (nn.CosineDecayLR(0.01, 0.1, 4), lambda t: 0.01 + 0.045 * (1 + math.cos(math.pi * min(t, 4) / 4))),
        (nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5), lambda t: 0.09 * (1 - min(t, 4) / 4) ** 0.5 + 0.01),
        (nn.PolynomialDecayLR(0.1, 0.01, 4, 2.0, True),
         lambda t: 0.09 * (1 - t / (4 * max(1, math.ceil(t / 4)))) ** 2 + 0.01),
        (nn.WarmUpLR(0.1, 4), lambda t: 0.1 * min(t, 4) / 4),
    ]

    def test_cells(self):
        rates = Rates([schedule for schedule, _ in self.FORMULAS])
        for step in range(7):
            actual = rates(plumb.Tensor(step, plumb.int32)).asnumpy()
            np.testing.assert_allclose(actual, [formula(step) for _, formula in self.FORMULAS], rtol=1e-5, atol=1e-8)

    def test_lists(self):
        self.assertEqual(nn.piecewise_constant_lr([2, 5, 6], [0.1, 0.05, 0.01]), [0.1] * 2 + [0.05] * 3 + [0.01])
        for actual, formula in (
                (nn.exponential_decay_lr(0.1, 0.9, 8, 2, 2), lambda e: 0.1 * 0.9 ** (e / 2)),
                (nn.natural_exp_decay_lr(0.1, 0.9, 8, 2, 2, True), lambda e: 0.1 * math.exp(-0.9 * (e // 2 * 2))),
                (nn.inverse_decay_lr(0.1, 0.9, 8, 2, 2), lambda e: 0.1 / (1 + 0.9 * e / 2)),
                (nn.cosine_decay_lr(0.01, 0.1, 8, 2, 2), lambda e: 0.01 + 0.045 * (1 + math.cos(math.pi * min(e, 2) / 2))),
                (nn.polynomial_decay_lr(0.1, 0.01, 8, 2, 2, 0.5), lambda e: 0.09 * (1 - min(e, 2) / 2) ** 0.5 + 0.01),
                (nn.warmup_lr(0.1, 8, 2, 2), lambda e: 0.1 * min(e, 2) / 2)):
            np.testing.assert_allclose(actual, [formula(i // 2) for i in range(8)], rtol=1e-12)

    def test_wrong_arguments(self):
        for make in (lambda: nn.piecewise_constant_lr([5, 2], [0.1, 0.2]), lambda: nn.CosineDecayLR(0.1, 0.01, 4),
                     lambda: nn.ExponentialDecayLR(0.1, 0.9, 0), lambda: nn.warmup_lr(0.1, 4, 0, 2)):
            with self.assertRaises(ValueError):
                make()
        with self.assertRaises(TypeError):
            nn.ExponentialDecayLR(1, 0.9, 4)

    def test_types(self):
        for make in (lambda: nn.PolynomialDecayLR(0.1, True, 4, 0.5), lambda: nn.CosineDecayLR(True, 0.1, 4), lambda: nn.WarmUpLR("0.1", 4),
                     lambda: nn.polynomial_decay_lr(0.1, 1, 8, 2, 2, 0.5)):
            with self.assertRaises(TypeError):
                make()
        with self.assertRaisesRegex(ValueError, "'end_learning_rate'"):
            nn.PolynomialDecayLR(0.1, -0.1, 4, 0.5)
        with self.assertRaisesRegex(ValueError, "'parameters' are needed"):
            nn.SGD(None)
        with self.assertRaisesRegex(NotImplementedError, "defines no construct"):
            nn.Optimizer(0.1, parameters((2,))).construct(())

    def test_rates_inside_a_sink(self):
        """A list and a schedule of the same rates train alike, sunk or not."""
        values = []
        for rate, sink in (([0.1, 0.05, 0.025, 0.0125], True), (nn.ExponentialDecayLR(0.1, 0.5, 1), True),
                           (nn.ExponentialDecayLR(0.1, 0.5, 1), False)):
            network = nn.Dense(3, 1, weight_init="ones")
            model = plumb.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), rate, 0.5))
            rows = (FIRST.reshape(4, 3), np.zeros((4, 1), np.float32))
            data = plumb.dataset.NumpySlicesDataset(rows, ["x", "y"], shuffle=False).batch(1)
            model.train(1, data, dataset_sink_mode=sink)
            values.append(network.weight.asnumpy().copy())
        np.testing.assert_allclose(values[0], values[1], rtol=1e-6)
        np.testing.assert_array_equal(values[1], values[2])


if __name__ == "__main__":
    unittest.main()
