"""`experimental.optim` beside torch.optim: many steps of each optimizer with its settings, and the rates of each scheduler."""

import unittest

import numpy as np
import torch

import plumb
from plumb import Parameter, Tensor, nn
from plumb.experimental import optim
from plumb.experimental.optim import lr_scheduler

RNG = np.random.default_rng(17)
STEPS = 8


def weights():
    """First values of a matrix and a vector."""
    return [RNG.normal(size=(6, 5)).astype(np.float32), RNG.normal(size=7).astype(np.float32)]


GRADIENTS = [[RNG.normal(size=(6, 5)).astype(np.float32), RNG.normal(size=7).astype(np.float32)] for _ in range(STEPS)]


class OptimizersTest(unittest.TestCase):
    """Weights after several steps."""

    CASES = [("SGD", {"lr": 0.1}), ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "weight_decay": 0.1}),
             ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "maximize": True}), ("Adam", {}),
             ("Adam", {"lr": 0.02, "betas": (0.8, 0.95), "eps": 1e-3, "weight_decay": 0.1, "amsgrad": True}),
             ("AdamW", {"lr": 0.02, "weight_decay": 0.2}), ("AdamW", {"lr": 0.02, "amsgrad": True, "maximize": True}),
             ("Adadelta", {}), ("Adadelta", {"lr": 0.5, "rho": 0.7, "eps": 1e-3, "weight_decay": 0.1, "maximize": True}), ("Adagrad", {}),
             ("Adagrad", {"lr": 0.1, "lr_decay": 0.2, "weight_decay": 0.1, "initial_accumulator_value": 0.3, "eps": 1e-3}),
             ("Adamax", {"lr": 0.05, "betas": (0.8, 0.9), "eps": 1e-3, "weight_decay": 0.1, "maximize": True}), ("RAdam", {}),
             ("RAdam", {"lr": 0.05, "betas": (0.8, 0.9), "eps": 1e-3, "weight_decay": 0.1}), ("RMSprop", {"momentum": 0.9}),
             ("RMSprop", {"lr": 0.05, "alpha": 0.8, "eps": 1e-3, "weight_decay": 0.1, "momentum": 0.5, "centered": True}), ("Rprop", {}),
             ("Rprop", {"lr": 0.1, "etas": (0.4, 1.5), "step_sizes": (1e-3, 0.3), "maximize": True}), ("ASGD", {}),
             ("ASGD", {"lr": 0.1, "lambd": 0.1, "alpha": 0.5, "t0": 3.0, "weight_decay": 0.1, "maximize": True})]

    def compare(self, mine, other, own, leaves, each=lambda: None):
        """Runs both for some steps and compares the weights."""
        for gradients in GRADIENTS:
            mine(tuple(map(Tensor, gradients)))
            for leaf, gradient in zip(leaves, gradients):
                leaf.grad = torch.tensor(gradient)
            other.step()
            each()
        for parameter, leaf in zip(own, leaves):
            np.testing.assert_allclose(parameter.asnumpy(), leaf.detach().numpy(), rtol=2e-5, atol=2e-6)

    def test_steps(self):
        for name, settings in self.CASES:
            with self.subTest(name=name, settings=settings):
                values = weights()
                own = [Parameter(Tensor(value), name=f"w{i}") for i, value in enumerate(values)]
                leaves = [torch.tensor(value, requires_grad=True) for value in values]
                self.compare(getattr(optim, name)(own, **settings), getattr(torch.optim, name)(leaves, **settings), own, leaves)

    def test_nadam(self):
        """MindSpore 2.10's numbers: Debian's PyTorch has an older formula."""
        gradients = np.random.default_rng(3).normal(size=(6, 3)).astype(np.float32)
        weight = Parameter(Tensor(np.zeros(3, np.float32)), name="w")
        optimizer = optim.NAdam([weight], lr=0.05, betas=(0.8, 0.9), eps=1e-3, momentum_decay=0.1)
        for gradient in gradients:
            optimizer((Tensor(gradient),))
        np.testing.assert_allclose(weight.asnumpy(), [-0.046519890427589417, 0.09647882729768753, 0.12591083347797394], rtol=1e-5)

    def test_wrong_settings(self):
        for name, settings in (("NAdam", {"betas": (0.9, 1.0)}), ("RMSprop", {"alpha": -1.0}), ("Rprop", {"etas": (1.1, 1.2)}),
                               ("Adadelta", {"rho": 1.5}), ("Adam", {"eps": -1.0})):
            with self.subTest(name=name), self.assertRaises(ValueError):
                getattr(optim, name)([Parameter(Tensor(1.0), name="w")], **settings)

    def test_groups_and_scheduler(self):
        values = weights()
        own = [Parameter(Tensor(value), name=f"w{i}") for i, value in enumerate(values)]
        leaves = [torch.tensor(value, requires_grad=True) for value in values]
        mine = optim.Adam([{"params": [own[0]], "lr": 0.1}, {"params": own[1], "weight_decay": 0.3}], lr=0.02)
        other = torch.optim.Adam([{"params": [leaves[0]], "lr": 0.1}, {"params": leaves[1], "weight_decay": 0.3}], lr=0.02)
        first, second = lr_scheduler.ExponentialLR(mine, 0.7), torch.optim.lr_scheduler.ExponentialLR(other, 0.7)
        self.compare(mine, other, own, leaves, lambda: (first.step(), second.step()))
        np.testing.assert_allclose([float(rate.asnumpy()) for rate in first.get_last_lr()], second.get_last_lr(), rtol=1e-5)

    def test_training(self):
        net, x = nn.Dense(4, 1), RNG.normal(size=(64, 4)).astype(np.float32)
        y = x @ np.float32([[1], [-2], [3], [0.5]])
        optimizer = optim.AdamW(net.trainable_params(), 0.1, weight_decay=0.0)
        step = plumb.value_and_grad(lambda a, b: nn.MSELoss()(net(a), b), None, optimizer.parameters)
        losses = []
        for _ in range(60):
            loss, gradients = step(Tensor(x), Tensor(y))
            optimizer(gradients)
            losses.append(float(loss.asnumpy()))
        self.assertLess(losses[-1], losses[0] / 100)

    def test_errors(self):
        own = [Parameter(Tensor(value), name=f"w{i}") for i, value in enumerate(weights())]
        with self.assertRaisesRegex(ValueError, "nesterov"):
            optim.SGD(own, 0.1, nesterov=True)
        with self.assertRaisesRegex(ValueError, "more than one"):
            optim.SGD([{"params": own}, {"params": own[:1]}], 0.1)
        with self.assertRaisesRegex(ValueError, "learning rate"):
            optim.Adam(own, -1.0)
        with self.assertRaisesRegex(TypeError, "is not an Optimizer"):
            lr_scheduler.StepLR(nn.SGD(own, 0.1), 2)


class SchedulersTest(unittest.TestCase):
    """Rates step by step."""

    CASES = [("StepLR", (3, 0.5)), ("MultiStepLR", ([2, 5, 5], 0.3)), ("ExponentialLR", (0.8,)), ("ConstantLR", (0.25, 4)),
             ("LinearLR", (0.2, 0.9, 6)), ("LinearLR", (0.2, 0.9, 0)), ("PolynomialLR", (7, 2.0)), ("PolynomialLR", (0, 2.0)),
             ("CosineAnnealingLR", (5, 0.01)), ("CosineAnnealingWarmRestarts", (3, 2, 0.01)), ("LambdaLR", (lambda step: 1 / (1 + step),)),
             ("MultiplicativeLR", (lambda step: 0.9 if step % 2 else 1.0,))]

    def pair(self):
        """An optimizer of this package and one of PyTorch's, with two groups."""
        groups = lambda make: [{"params": [make(0)], "lr": 0.4}, {"params": [make(1)]}]
        return (optim.SGD(groups(lambda i: Parameter(Tensor(np.ones(2, np.float32)), name=f"p{i}")), 0.1),
                torch.optim.SGD(groups(lambda i: torch.ones(2, requires_grad=True)), 0.1))

    def test_rates(self):
        for name, arguments in self.CASES:
            if not hasattr(torch.optim.lr_scheduler, name):
                continue
            with self.subTest(name=name):
                own, other = self.pair()
                first = getattr(lr_scheduler, name)(own, *arguments)
                second = getattr(torch.optim.lr_scheduler, name)(other, *arguments)
                for _ in range(14):
                    np.testing.assert_allclose([float(rate.asnumpy()) for rate in own.lrs], [group["lr"] for group in other.param_groups],
                                               rtol=1e-5, atol=1e-7)
                    other.step()
                    first.step()
                    second.step()

    def test_cycles(self):
        for settings in ({}, {"mode": "triangular2"}, {"mode": "exp_range", "gamma": 0.9}, {"step_size_down": 2},
                         {"scale_fn": lambda step: 1 / (1 + step), "scale_mode": "iterations"}):
            own, other = self.pair()
            settings = {"step_size_up": 3} | settings
            first = lr_scheduler.CyclicLR(own, [0.1, 0.2], 0.5, **settings)
            second = torch.optim.lr_scheduler.CyclicLR(other, [0.1, 0.2], 0.5, cycle_momentum=False, **settings)
            self.follow(own, other, first, second)
        with self.assertRaisesRegex(ValueError, "'mode' must be"):
            lr_scheduler.CyclicLR(own, 0.1, 0.5, mode="round")

    def test_several(self):
        own, other = self.pair()
        made = []
        for module, optimizer in ((lr_scheduler, own), (torch.optim.lr_scheduler, other)):
            parts = [module.ConstantLR(optimizer, 0.1, 2), module.ExponentialLR(optimizer, 0.9), module.StepLR(optimizer, 2)]
            made.append(module.SequentialLR(optimizer, parts, [2, 5]))
        self.follow(own, other, *made)
        own, other = self.pair()
        made = []
        for module, optimizer in ((lr_scheduler, own), (torch.optim.lr_scheduler, other)):
            made.append(module.ChainedScheduler([module.LinearLR(optimizer, 0.2), module.ExponentialLR(optimizer, 0.9)]))
        self.follow(own, other, *made)
        with self.assertRaisesRegex(ValueError, "2 milestones"):
            lr_scheduler.SequentialLR(own, [lr_scheduler.ExponentialLR(own, 0.9)] * 3, [1])
        with self.assertRaisesRegex(ValueError, "one optimizer"):
            lr_scheduler.ChainedScheduler([lr_scheduler.ExponentialLR(own, 0.9), lr_scheduler.ExponentialLR(self.pair()[0], 0.9)])

    def follow(self, own, other, first, second):
        """Compares the rates of fourteen steps."""
        for _ in range(14):
            np.testing.assert_allclose([float(rate.asnumpy()) for rate in own.lrs], [group["lr"] for group in other.param_groups], rtol=1e-5,
                                       atol=1e-7)
            other.step()
            first.step()
            second.step()

    def test_plateau(self):
        for settings in ({"patience": 1}, {"mode": "max", "factor": 0.5, "patience": 0, "threshold_mode": "abs", "cooldown": 1},
                         {"patience": 0, "min_lr": [0.05, 0.02]}):
            own, other = self.pair()
            first, second = lr_scheduler.ReduceLROnPlateau(own, **settings), torch.optim.lr_scheduler.ReduceLROnPlateau(other, **settings)
            for metric in (1.0, 0.9, 0.95, 0.9, 0.91, 0.8, 0.9, 0.9, 0.9, 0.9):
                first.step(metric)
                second.step(metric)
                np.testing.assert_allclose([float(rate.asnumpy()) for rate in own.lrs], [group["lr"] for group in other.param_groups],
                                           rtol=1e-5)


if __name__ == "__main__":
    unittest.main()
