"""Stores of transitions, returns and copies of reinforcement learning, beside NumPy and the chances that their papers give."""

import unittest

import numpy as np

import plumb
from plumb import Parameter, Tensor, nn, ops
from plumb.ops.operations import _rl_inner_ops as rl

SHAPES, TYPES = ((2,), (1,)), (plumb.float32, plumb.int32)


def transition(number):
    return Tensor([number, number + 0.5], plumb.float32), Tensor([number], plumb.int32)


def made(kind, capacity, batch, *alpha):
    """The operations of a store of this kind."""
    handle = getattr(rl, f"{kind}ReplayBufferCreate")(capacity, *alpha, SHAPES, TYPES, 3, 5)().asnumpy().item()
    push, sample = (getattr(rl, f"{kind}ReplayBuffer{name}") for name in ("Push", "Sample"))
    return handle, push(handle), sample(handle, batch, SHAPES, TYPES)


class PriorityTest(unittest.TestCase):
    """Prioritized experience replay, with alpha 0.6."""

    def test_weights_are_those_of_mindspore(self):
        handle, push, sample = made("Priority", 4, 6, 0.6)
        for number in range(3):
            self.assertEqual(push(transition(number)).asnumpy().tolist(), [handle])
        places, weights, pairs, numbers = sample(0.4)
        self.assertEqual(places.asnumpy().tolist(), [0, 0, 1, 1, 2, 2])
        self.assertEqual(weights.asnumpy().tolist(), [1] * 6)
        np.testing.assert_array_equal(pairs.asnumpy(), places.asnumpy()[:, None] + np.array([0, 0.5]))
        np.testing.assert_array_equal(numbers.asnumpy(), places.asnumpy()[:, None])
        rl.PriorityReplayBufferUpdate(handle)(Tensor([0, 1, 2], plumb.int64), Tensor([0.5, 2.0, 4.0], plumb.float32))
        found = {}
        for _ in range(20):
            places, weights = sample(Tensor(0.4, plumb.float32))[:2]
            found.update(zip(places.asnumpy().tolist(), weights.asnumpy().tolist()))
        for place, weight in enumerate((1, 0.71697754, 0.6070974)):  # MindSpore 2.0.0's
            self.assertAlmostEqual(found[place], weight, 6)

    def test_chances_follow_priorities(self):
        handle, push, sample = made("Priority", 8, 64, 0.6)
        for number in range(6):
            push(*transition(number))
        priorities = np.array([0.1, 3, 0.5, 2, 0, 1])
        rl.PriorityReplayBufferUpdate(handle)(Tensor(np.arange(6)), Tensor(priorities.astype(np.float32)))
        counts = np.zeros(6)
        for _ in range(60):
            np.add.at(counts, sample(0.4)[0].asnumpy(), 1)
        chances = np.maximum(priorities, 1e-7 ** (1 / 0.6)) ** 0.6
        np.testing.assert_allclose(counts / counts.sum(), chances / chances.sum(), atol=0.01)

    def test_the_oldest_gives_way_and_the_newest_is_first(self):
        handle, push, sample = made("Priority", 3, 30, 1.0)
        rl.PriorityReplayBufferUpdate(handle)(Tensor([0]), Tensor([9.0], plumb.float32))
        for number in range(5):
            push(transition(number))
        rl.PriorityReplayBufferUpdate(handle)(Tensor([0, 1, 2]), Tensor([1.0, 1.0, 1.0], plumb.float32))
        push(transition(5))  # with the highest priority so far, in place of number 2
        _, weights, _, numbers = sample(1.0)
        self.assertEqual(sorted(set(numbers.asnumpy().ravel())), [3, 4, 5])
        self.assertGreater((numbers.asnumpy() == 5).sum(), 20)
        np.testing.assert_allclose(weights.asnumpy(), np.where(numbers.asnumpy().ravel() == 5, 1 / 9, 1), rtol=1e-6)

    def test_in_compiled_code(self):
        handle, push, sample = made("Priority", 16, 4, 0.5)

        class Player(nn.Cell):
            def __init__(self):
                super().__init__()
                self.push, self.sample, self.update = push, sample, rl.PriorityReplayBufferUpdate(handle)

            def construct(self, pair, number):
                self.push((pair, number))
                places, _, pairs, _ = self.sample(0.5)
                self.update(places, ops.ones((4,), plumb.float32))
                return pairs

        player = Player()
        self.assertEqual(player.get_parameters() and [*player.get_parameters()], [])
        for number in range(3):
            pairs = player(*transition(number)).asnumpy()
            self.assertTrue((pairs[:, 0] <= number).all() and (pairs[:, 1] == pairs[:, 0] + 0.5).all())

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "'capacity'"):
            rl.PriorityReplayBufferCreate(0, 0.6, SHAPES, TYPES, 0, 0)
        with self.assertRaisesRegex(ValueError, "'alpha'"):
            rl.PriorityReplayBufferCreate(4, 1.6, SHAPES, TYPES, 0, 0)
        handle, push, _ = made("Priority", 4, 1, 0.6)
        with self.assertRaisesRegex(ValueError, "tensor 1 must be Int32"):
            push(transition(0)[0], Tensor([0.0], plumb.float32))
        with self.assertRaisesRegex(ValueError, "the store's"):
            rl.PriorityReplayBufferSample(handle, 1, SHAPES, TYPES[::-1])
        rl.PriorityReplayBufferDestroy(handle)()
        with self.assertRaisesRegex(ValueError, "no store"):
            rl.PriorityReplayBufferPush(handle)


class ReservoirTest(unittest.TestCase):
    """Every transition so far is held with the same chance."""

    def test_chances(self):
        counts = np.zeros(12)
        for _ in range(60):
            plumb.set_seed(int(counts.sum()))
            handle = rl.ReservoirReplayBufferCreate(4, SHAPES, TYPES, 0, 0)().asnumpy().item()
            push = rl.ReservoirReplayBufferPush(handle)
            for number in range(12):
                push(transition(number))
            held = push.rows[1].asnumpy().ravel()
            self.assertEqual(len(set(held)), 4)
            counts[held] += 1
            rl.ReservoirReplayBufferDestroy(handle)()
        np.testing.assert_allclose(counts / 60, 4 / 12, atol=0.2)  # more than three deviations

    def test_samples_are_of_what_is_held(self):
        _, push, sample = made("Reservoir", 4, 200)
        for number in range(3):
            push(transition(number))
        pairs, numbers = sample()
        self.assertEqual((pairs.shape, numbers.shape), ((200, 2), (200, 1)))
        np.testing.assert_allclose(np.bincount(numbers.asnumpy().ravel()) / 200, 1 / 3, atol=0.12)


class ReturnTest(unittest.TestCase):
    """Discounted returns."""

    def expected(self, reward, done, last, gamma):
        found, following = np.zeros_like(reward), last
        for step in reversed(range(len(reward))):
            ends = done[step].reshape(done[step].shape + (1,) * (reward.ndim - done.ndim))
            following = reward[step] + gamma * np.where(ends, 0, following)
            found[step] = following
        return found

    def test_beside_numpy(self):
        rng = np.random.default_rng(3)
        for shape in ((7, 3), (5, 2, 4), (1, 2)):
            reward, last, done = rng.standard_normal(shape), rng.standard_normal(shape[1:]), rng.random(shape[:2]) < 0.3
            for dtype, tolerance in ((np.float32, 1e-5), (np.float16, 1e-2)):
                given = reward.astype(dtype), done, last.astype(dtype)
                found = rl.DiscountedReturn(0.9)(*map(Tensor, given)).asnumpy()
                self.assertEqual(found.dtype, dtype)
                np.testing.assert_allclose(found, self.expected(*given, 0.9), tolerance, tolerance)

    def test_gradient(self):
        rng = np.random.default_rng(4)
        reward, last, done = rng.standard_normal((6, 2)), rng.standard_normal(2), rng.random((6, 2)) < 0.3
        slopes = plumb.grad(lambda r, v: rl.DiscountedReturn(0.9)(r, Tensor(done), v).sum(), (0, 1))(Tensor(reward), Tensor(last))
        for which, (values, slope) in enumerate(zip((reward, last), slopes)):
            for place in np.ndindex(values.shape):
                moved = [reward.copy(), last.copy()]
                moved[which][place] += 1
                difference = (self.expected(moved[0], done, moved[1], 0.9) - self.expected(reward, done, last, 0.9)).sum()
                self.assertAlmostEqual(slope.asnumpy()[place], difference, 10)

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "'gamma'"):
            rl.DiscountedReturn(0)
        with self.assertRaisesRegex(ValueError, "do not fit"):
            rl.DiscountedReturn(0.9)(Tensor(np.ones((3, 2), np.float32)), Tensor(np.ones((3, 2), bool)), Tensor(np.ones(3, np.float32)))


class BatchAssignTest(unittest.TestCase):
    """Copies of Parameters."""

    def test_copies(self):
        one, other = (plumb.ParameterTuple(nn.Dense(2, 3, bias_init="normal").trainable_params()) for _ in range(2))
        rl.BatchAssign(lock=True)(one, other)
        for target, source in zip(one, other):
            np.testing.assert_array_equal(target.asnumpy(), source.asnumpy())
        with self.assertRaisesRegex(ValueError, "for 1"):
            rl.BatchAssign()((Parameter(Tensor([1.0])),), other)
        with self.assertRaisesRegex(NotImplementedError, "among processes"):
            rl.MuxSend()


if __name__ == "__main__":
    unittest.main()
