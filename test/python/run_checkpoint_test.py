"""RunCheckpoint and Guard: a training that ends at any step, for whatever reason, and goes on, equals one that was left alone."""

import contextlib
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

import numpy as np

import run_checkpoint_program as program
from plumb import dataset, nn, train
from run_checkpoint_program import make

def environment():
    """The environment of a process that finds what this one does."""
    return dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))


def state(model):
    """Returns every Parameter's value by name."""
    return {name: value.asnumpy().copy() for name, value in model.train_network.parameters_dict().items()}


class Losses(train.Callback):
    """Keeps the loss of each step by its number."""

    def __init__(self):
        self.by_step = {}

    def step_report(self, step, loss):
        """Hears of a step."""
        self.by_step[step] = float(loss)


class RunTest(unittest.TestCase):
    """What all tests here need."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))

    def train(self, epochs, callbacks, kind="arrays", seed=7, **options):
        """Trains a fresh model quietly; returns it."""
        model, data = make(kind, seed)
        with contextlib.redirect_stdout(io.StringIO()) as self.said:
            model.train(epochs, data, callbacks, **options)
        return model

    def files(self):
        """Names of the checkpoints, in order."""
        return sorted(os.listdir(self.folder))

    def path(self, name):
        """A path in the folder."""
        return os.path.join(self.folder, name)

    def assert_equal(self, model, expected):
        """Compares every Parameter bit for bit."""
        for name, value in state(expected).items():
            np.testing.assert_array_equal(state(model)[name], value, err_msg=name)


class ResumeTest(RunTest):
    """Runs in pieces."""

    def check_pieces(self, ends, kind="arrays", epochs=4, **options):
        losses = Losses()
        straight = self.train(epochs, [losses], kind, **options)
        pieces = Losses()
        for end in ends:
            self.train(epochs, [train.Guard(max_steps=end), pieces, train.RunCheckpoint(self.folder, every_n_steps=5)], kind,
                       **options)
            self.assertEqual(self.files()[-1], f"step-{end:012d}.safetensors")
        resumed = self.train(epochs, [pieces, train.RunCheckpoint(self.folder, every_n_steps=5)], kind, **options)
        self.assert_equal(resumed, straight)
        self.assertEqual(pieces.by_step, losses.by_step)
        self.assertEqual(len(self.files()), 3)

    def test_step_by_step(self):
        self.check_pieces([1, 6, 9, 20])

    def test_sunk_epochs(self):
        self.check_pieces([1, 5, 6, 13, 23], dataset_sink_mode=True)

    def test_sinks_of_another_length(self):
        self.check_pieces([2, 3, 11], dataset_sink_mode=True, sink_size=5)

    def test_rows_from_python(self):
        self.check_pieces([4, 6, 15], kind="generator", dataset_sink_mode=True)

    def test_rate_that_a_callback_sets(self):
        class Halve(train.Callback):
            """Halves a Parameter after each epoch, and negates one after each launch."""

            def step_end(self, run_context):
                bias = run_context.original_args().network.first.bias
                bias.set_data(bias * -1.0)

            def epoch_end(self, run_context):
                bias = run_context.original_args().network.last.bias
                bias.set_data(bias * 0.5)

        straight = self.train(4, [Halve()], dataset_sink_mode=True)
        for end in (6, 9, 12, 14):
            self.train(4, [train.RunCheckpoint(self.folder, every_n_steps=4), Halve(), train.Guard(max_steps=end)],
                       dataset_sink_mode=True)
        self.assert_equal(self.train(4, [Halve(), train.RunCheckpoint(self.folder)], dataset_sink_mode=True), straight)

    def test_a_run_that_is_done(self):
        straight = self.train(3, [], dataset_sink_mode=True)
        self.train(3, [train.RunCheckpoint(self.folder)], dataset_sink_mode=True)
        steps = Losses()
        again = self.train(3, [train.RunCheckpoint(self.folder), steps], dataset_sink_mode=True)
        self.assertEqual(steps.by_step, {})
        self.assert_equal(again, straight)
        longer = self.train(5, [train.RunCheckpoint(self.folder)], dataset_sink_mode=True)
        self.assert_equal(longer, self.train(5, [], dataset_sink_mode=True))

    def test_after_sigkill(self):
        runs = os.path.join(self.folder, "run")
        moments = random.Random(3)
        for _ in range(4):
            process = subprocess.Popen([sys.executable, program.__file__, runs, "100000"], env=environment(), stdout=subprocess.DEVNULL)
            before = self.newest(runs)
            while self.newest(runs) == before and process.poll() is None:
                time.sleep(0.002)
            time.sleep(moments.uniform(0, 0.1))
            process.send_signal(signal.SIGKILL)
            process.wait()
        done = self.newest(runs)
        epochs = done // 500 + 2
        options = dict(dataset_sink_mode=True, sink_size=500)
        resumed = self.train(epochs, [train.RunCheckpoint(runs)], **options)
        self.assertIn(f"goes on after step {done}, from ", self.said.getvalue())
        self.assert_equal(resumed, self.train(epochs, [], **options))

    def test_plumb_run_goes_on(self):
        options = dict(dataset_sink_mode=True, sink_size=500)
        self.train(2, [train.RunCheckpoint(self.folder), train.Guard(max_steps=700)], **options)
        executable = self.path("program.plumb")
        subprocess.run(["tools/plumbc", program.__file__, "-o", executable, "--", self.folder, "2"], check=True)
        subprocess.run(["tools/plumb-run", executable, "--checkpoint", self.folder, "--resume"], check=True,
                       stdout=subprocess.DEVNULL)
        finished, self.folder = self.path("step-000000001000.safetensors"), tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.train(2, [train.RunCheckpoint(self.folder)], **options)
        with open(finished, "rb") as one, open(self.path("step-000000001000.safetensors"), "rb") as other:
            self.assertEqual(one.read(), other.read())

    def newest(self, folder):
        """The steps of the newest checkpoint; 0 without one."""
        names = [name for name in (os.listdir(folder) if os.path.isdir(folder) else []) if name.startswith("step-")]
        return max((int(name[5:17]) for name in names if name.endswith(".safetensors")), default=0)


class EndTest(RunTest):
    """Ends that keep the state, and files that cannot be gone on with."""

    def test_interrupt(self):
        class Interrupt(Losses):
            """Ctrl-C in the middle of a sink."""

            def step_report(self, step, loss):
                super().step_report(step, loss)
                if step == 9:
                    os.kill(os.getpid(), signal.SIGINT)

        options = dict(dataset_sink_mode=True, sink_size=5000)
        with self.assertRaises(KeyboardInterrupt):
            self.train(1, [Interrupt(), train.RunCheckpoint(self.folder)], **options)
        (name,) = self.files()
        done = int(name[5:17])
        self.assertTrue(9 <= done < 5000, name)
        end = [train.Guard(max_steps=done + 3)]
        self.assert_equal(self.train(1, [train.RunCheckpoint(self.folder), *end], **options), self.train(1, end, **options))

    def test_data_that_raise(self):
        def rows():
            yield from zip(program.X[:20], program.Y[:20])
            raise RuntimeError("the file ends here")

        model, _ = make()
        data = dataset.GeneratorDataset(rows, ["x", "y"]).batch(8, drop_remainder=True)
        data.checked_size = lambda: 6
        data.get_dataset_size = lambda: 6
        with self.assertRaisesRegex(RuntimeError, "the file ends here"):
            model.train(2, data, [train.RunCheckpoint(self.folder)], dataset_sink_mode=True)
        self.assertEqual(self.files(), ["step-000000000002.safetensors"])

    def test_loss_that_is_nan(self):
        class Poison(train.Callback):
            """Makes a weight NaN after the second epoch."""

            def epoch_end(self, run_context):
                params = run_context.original_args()
                if params.cur_epoch_num == 2:
                    bias = params.network.last.bias
                    bias.set_data(bias * np.float32("nan"))

        with self.assertRaisesRegex(ValueError, r"^epoch: 3 step: 1\. Invalid loss, terminating training\.$"):
            self.train(4, [train.RunCheckpoint(self.folder, every_n_steps=5), Poison()], dataset_sink_mode=True)
        self.assertEqual(self.files(), ["invalid.safetensors", "step-000000000005.safetensors", "step-000000000010.safetensors"])
        invalid = train.load_checkpoint(self.path("invalid.safetensors"))
        self.assertTrue(any(np.isnan(value.asnumpy()).any() for value in invalid.values()))

    def test_damaged_files(self):
        straight = self.train(3, [])
        self.train(2, [train.RunCheckpoint(self.folder, every_n_steps=5)])
        newest = self.path(self.files()[-1])
        with open(newest, "r+b") as file:
            file.seek(-1, os.SEEK_END)
            file.write(b"x")
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            resumed = self.train(3, [train.RunCheckpoint(self.folder, every_n_steps=5)])
        self.assertRegex(str(heard[0].message), "step-000000000012.safetensors: damaged.*; an older checkpoint is taken")
        self.assertIn("goes on after step 10,", self.said.getvalue())
        self.assert_equal(resumed, straight)

    def test_files_of_other_runs(self):
        self.train(1, [train.RunCheckpoint(self.folder)])
        with self.assertRaisesRegex(ValueError, "it is of a run with the seed 7, and this program's is 8"):
            self.train(1, [train.RunCheckpoint(self.folder)], seed=8)
        with self.assertRaisesRegex(ValueError, "holds checkpoints of a run: go on with it"):
            self.train(1, [train.RunCheckpoint(self.folder, resume=False)])
        with self.assertRaisesRegex(ValueError, "'initial_epoch' says where to begin, too"):
            self.train(2, [train.RunCheckpoint(self.folder)], initial_epoch=1)
        model, _ = make()
        train.save_checkpoint(model.train_network, self.path("step-000000000099.safetensors"))
        with self.assertRaisesRegex(ValueError, "a run with the seed none"):
            self.train(1, [train.RunCheckpoint(self.folder)])

    def test_folders_that_cannot_be_written(self):
        for folder in ("/proc/no", "/dev/null/x"):
            with self.assertRaises(OSError):
                self.train(1, [train.RunCheckpoint(folder)])

    def test_wrong_arguments(self):
        for arguments, message in (({"every_n_steps": 0}, "'every_n_steps' must be an int of at least 1, but got 0"),
                                   ({"every_n_seconds": -1}, "'every_n_seconds' must be a positive number, but got -1"),
                                   ({"keep": 0}, "'keep' must be an int of at least 1"),
                                   ({"every_n_steps": 1, "every_n_seconds": 1}, "give one of")):
            with self.assertRaisesRegex(ValueError, message):
                train.RunCheckpoint(self.folder, **arguments)

    def test_smaller_last_batch(self):
        model = train.Model(nn.Dense(6, 3), nn.SoftmaxCrossEntropyWithLogits(sparse=True))
        data = dataset.NumpySlicesDataset((program.X, program.Y), ["x", "y"]).batch(9)
        with self.assertRaisesRegex(ValueError, r"RunCheckpoint: the last batch of a pass is smaller.*drop_remainder=True"):
            model.train(1, data, [train.RunCheckpoint(self.folder)])

    def test_by_seconds(self):
        self.train(1, [train.RunCheckpoint(self.folder, every_n_seconds=0.05, keep=100), train.Guard(max_seconds=0.5)],
                   dataset_sink_mode=True, sink_size=10 ** 9)
        self.assertGreater(len(self.files()), 2)


class Evaluations(train.Callback):
    """Keeps the metrics of each epoch that came to its end, and ends the process's run in the middle of a chosen evaluation."""

    def __init__(self, end=None, by=None):
        self.by_epoch, self._end, self._by, self._count = {}, end, by, 0

    def on_eval_begin(self, run_context):
        """Counts evaluations."""
        self._count += 1

    def on_eval_step_end(self, run_context):
        """Ends the run."""
        if self._count == self._end and run_context.original_args().cur_step_num == 2:
            if self._by is None:
                os.kill(os.getpid(), signal.SIGKILL)
            raise self._by

    def on_train_epoch_end(self, run_context):
        """Keeps what evaluation has found."""
        params = run_context.original_args()
        if params.cur_step_num % 6 == 0:
            self.by_epoch[params.cur_epoch_num] = params.eval_results


class FitTest(RunTest):
    """Evaluation while training: a run that ends before, in or after an evaluation goes on as if nothing had happened."""

    def fit(self, epochs, callbacks, sink=True):
        """Trains and evaluates a fresh model quietly; returns it."""
        model, data = make()
        valid = dataset.NumpySlicesDataset((program.X[:32], program.Y[:32]), ["x", "y"], shuffle=False).batch(8)
        with contextlib.redirect_stdout(io.StringIO()) as self.said:
            model.fit(epochs, data, valid, callbacks=callbacks, dataset_sink_mode=sink, valid_dataset_sink_mode=False)
        return model

    @classmethod
    def fit_in(cls, folder, number):
        """What a process does that ends in the evaluation with that number."""
        test = cls()
        test.folder = folder
        test.fit(4, [Evaluations(number), test.checkpoint()])

    def checkpoint(self):
        """A callback that writes files in the middle of epochs, and at their ends now and then."""
        return train.RunCheckpoint(self.folder, every_n_steps=4)

    def check_equal(self, model, found, expected):
        straight, evaluations = expected
        self.assert_equal(model, straight)
        self.assertEqual(found, evaluations.by_epoch)

    def straight(self, sink=True):
        evaluations = Evaluations()
        return self.fit(4, [evaluations], sink), evaluations

    def test_pieces(self):
        for sink in (True, False):
            expected, found = self.straight(sink), {}
            self.assertEqual(sorted(expected[1].by_epoch), [1, 2, 3, 4])
            self.setUp()
            for end in (1, 6, 9, 12, 20, None):
                evaluations = Evaluations()
                limit = [train.Guard(max_steps=end)] if end else []
                model = self.fit(4, [*limit, evaluations, self.checkpoint()], sink)
                found.update(evaluations.by_epoch)
            self.check_equal(model, found, expected)

    def test_an_evaluation_that_raises(self):
        for problem in (RuntimeError("no more"), KeyboardInterrupt()):
            expected, found = self.straight(), {}
            self.setUp()
            for number in (2, 1):
                evaluations = Evaluations(number, problem)
                with self.assertRaises(type(problem)):
                    self.fit(4, [evaluations, self.checkpoint()])
                found.update(evaluations.by_epoch)
            evaluations = Evaluations()
            model = self.fit(4, [self.checkpoint(), evaluations])
            found.update(evaluations.by_epoch)
            self.check_equal(model, found, expected)

    def test_sigkill_in_an_evaluation(self):
        expected, found = self.straight(), {}
        for number in (1, 2, 2):
            code = f"import run_checkpoint_test as test; test.FitTest.fit_in({self.folder!r}, {number})"
            ended = subprocess.run([sys.executable, "-c", code], env=environment(), check=False, timeout=300)
            self.assertEqual(ended.returncode, -signal.SIGKILL)
        evaluations = Evaluations()
        model = self.fit(4, [self.checkpoint(), evaluations])
        expected_rest = {epoch: values for epoch, values in expected[1].by_epoch.items() if epoch in evaluations.by_epoch}
        self.check_equal(model, evaluations.by_epoch, (expected[0], type("Rest", (), {"by_epoch": expected_rest})))
        self.assertLess(len(expected_rest), 4, "it goes on, and does not begin anew")
        self.assertIn(4, expected_rest)


class GuardTest(RunTest):
    """Ends by rule."""

    def test_target(self):
        losses = Losses()
        self.train(30, [losses], dataset_sink_mode=True)
        target = sorted(losses.by_step.values())[5]
        first = min(step for step, loss in losses.by_step.items() if loss < target)
        model = self.train(30, [train.Guard(f"loss<{target!r}")], dataset_sink_mode=True)
        self.assertEqual(model.steps, first)
        self.assertRegex(self.said.getvalue(), rf"^'loss' is .* at step {first} \(guard loss<.*\); training ends\n$")
        self.assert_equal(model, self.train(30, [train.Guard(max_steps=first)], dataset_sink_mode=True))
        self.assertEqual(self.train(2, [], dataset_sink_mode=True).steps, 12, "guards go with the training they were given to")

    def test_parameters(self):
        model, data = make()
        model.network = model.predict_network
        model.network.last.weight.set_data(np.full((3, 8), np.inf, np.float32))
        with self.assertRaisesRegex(ValueError, r"epoch: 1 step: 1\. 'last\.weight' is .* at step 1"):
            model.train(1, data, [train.Guard("finite:last.weight")], dataset_sink_mode=True)

    def test_wrong_rules(self):
        for rule, error, message in (("loss", ValueError, "a guard is finite:NAME"),
                                     ("finite:nothing", Exception, "has no report 'nothing', and the program no variable"),
                                     ("last.weight<1", ValueError, "a limit is for one number")):
            with self.assertRaisesRegex(error, message):
                self.train(1, [train.Guard(rule)])
        self.assertEqual(self.train(1, []).steps, 6)

    def test_time(self):
        begin = time.monotonic()
        model = self.train(1, [train.Guard(max_seconds=0.3)], dataset_sink_mode=True, sink_size=10 ** 9)
        self.assertTrue(0 < model.steps < 10 ** 9)
        self.assertLess(time.monotonic() - begin, 120)


if __name__ == "__main__":
    unittest.main()
