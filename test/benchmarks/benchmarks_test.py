"""Tests of the benchmark's own arithmetic and texts; no speed decides anything here."""

import contextlib
import io
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import bench
import contest
import convergence
import costs
import kernels
import long_run_costs
import machine
import peers
import report
import single_kernels
import workloads


class WorkloadsTest(unittest.TestCase):
    """Counts of multiply-adds."""

    def test_lenet(self):
        """By hand: 5x5 windows on 28x28 and 10x10, three dense layers; no gradient of the image."""
        macs = 117600 + 240000 + 48000 + 10080 + 840
        self.assertEqual(workloads.WORKLOADS["lenet"].flops, 2 * (3 * macs - 117600) * 32)

    def test_limit(self):
        """A peak of the step's own FLOPs a second is one step a second."""
        mlp = workloads.WORKLOADS["mlp"]
        self.assertAlmostEqual(mlp.limit(mlp.flops / 1e9), 1)


class ConvergenceTest(unittest.TestCase):
    """The two sides of the comparison on MNIST."""

    def test_both_train_alike(self):
        """In float32 the first losses are PyTorch's: weights, batches, rates and networks are the same."""
        options = convergence.parse(["--batches", "3"])
        for name in convergence.SIDES:
            losses = [train(name, *more, 1, options)[1] for train, more in ((convergence.ours, ["O0"]), (convergence.theirs, []))]
            self.assertEqual(len(losses[0]), 3)
            for our, their in zip(*losses):
                self.assertAlmostEqual(our, their, delta=1e-3 * their)


class OptionsTest(unittest.TestCase):
    """The command line."""

    def test_unknown_names(self):
        """A section, workload or network that there is not is an error, not left out."""
        for option in ("--sections", "--workloads", "--networks"):
            with self.subTest(option), self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
                bench.read_options([option, "vgg12"])
            self.assertIn("unknown: vgg12; known: ", said.getvalue())
        self.assertEqual(bench.read_options(["--sections", "zoo,steps"]).sections, ["zoo", "steps"])


class ContestTest(unittest.TestCase):
    """Medians and ratios."""

    def test_rows(self):
        """The ratio is the median of the rounds' ratios, not the ratio of medians."""
        rows = contest.make_rows("s", "w", "steps/s", {"plumb": [10, 20, 30], "other": [1, 10, 10]}, limit=40)
        self.assertEqual([row.value for row in rows], [20, 10])
        self.assertEqual(rows[1].ratio, 3)
        self.assertEqual(rows[0].share, 0.5)
        self.assertIsNone(rows[0].ratio)

    def test_failure(self):
        """Who fails once is out; the others go on."""
        answers = iter([1, None])
        results = contest.run_rounds([contest.Contestant("a", lambda: 2), contest.Contestant("b", lambda: next(answers))], 3)
        self.assertEqual(results, {"a": [2, 2, 2]})

    def test_laggards(self):
        """Who is far behind the best peer runs one round; Plumb stays, and the ratio is of the rounds that both ran."""
        speeds = {"plumb": iter([1, 1]), "best": iter([10, 12]), "near": iter([8, 9]), "far": iter([4])}
        contestants = [contest.Contestant(name, values.__next__) for name, values in speeds.items()]
        results = contest.run_rounds(contestants, 2, share=0.75)
        self.assertEqual(results, {"plumb": [1, 1], "best": [10, 12], "near": [8, 9], "far": [4]})
        self.assertEqual(contest.leaders(results, 0.75), {"plumb", "best", "near"})
        self.assertEqual([row.ratio for row in contest.make_rows("s", "w", "steps/s", results)][3], 0.25)

    def test_limit(self):
        """A command that takes too long fails."""
        self.assertEqual(machine.Machine(seconds=0.1).run(["sleep", "5"]).returncode, 124)


class IntervalTest(unittest.TestCase):
    """Bounds of a median by order alone: tables of the sign test give the ranks."""

    def test_ranks(self):
        for count, low, high in ((5, 1, 5), (6, 1, 6), (9, 2, 8), (20, 6, 15), (30, 10, 21)):
            median, *bounds = long_run_costs.interval(range(count, 0, -1))
            self.assertEqual((median, bounds), ((count + 1) / 2, [low, high]))


class TextTest(unittest.TestCase):
    """Parsing and printing."""

    def test_last_json(self):
        """Other output and broken lines are passed over."""
        self.assertEqual(machine.last_json('x\n{"a": 1}\n{broken\n'), {"a": 1})
        self.assertIsNone(machine.last_json("nothing"))

    def test_markdown(self):
        """Sections are tables; what is unknown stays empty."""
        facts = {"cores": 2, "vectors": "AVX2", "date": "2026-01-01", "commit": "abc", "fma_peak_gflops": 100.0, "fma_peak_avx2_gflops": 50.0,
                 "fma_alone_gflops": 120.0}
        text = report.markdown(facts, [contest.Row("one", "w", "plumb", 1234.5, "steps/s", share=0.5), contest.Row("two", "w", "x", math.nan, "s")])
        self.assertIn("### one", text)
        self.assertIn("| w | plumb | 1234 |  | steps/s | 50 % |  |  |", text)
        self.assertIn("| w | x | – |  | s |  |  |  |", text)

    def test_summary(self):
        """The best peer of a workload, with the ratio to it."""
        rows = contest.make_rows("steps, one thread", "lenet", "steps/s", {"plumb": [10], "slow": [1], "good": [5]}, limit=20)
        self.assertEqual(report.summary(rows)[-1], "| steps, one thread | lenet | 10 | 50 % | good | 25 % | 2 |")
        self.assertEqual(report.summary(rows[:1]), [])

    def test_jobs(self):
        """Names of our kernels find the library's convolutions."""
        job = ("conv_weights", 128, 16, 32, 16, 3, 1, 1)
        self.assertTrue(kernels.is_job("conv_weights_3x3x16x16_by_128x32x32", job))
        self.assertFalse(kernels.is_job("conv_weights_3x3x32x32_by_128x16x16_2", job))
        self.assertTrue(kernels.is_job("conv_128x32x32x16_by_3x3x16_then_add_max", ("conv_data", *job[1:])))
        self.assertFalse(kernels.is_job("product_32x120x400", job))
        back = ("conv_data", 32, 6, 14, 16, 5, 1, 0)
        self.assertTrue(kernels.is_job("conv_2x6x14x14x16_by_16x5x5", back))
        self.assertFalse(kernels.is_job("conv_2x16x10x10x16_by_6x5x5_then_max", back))

    def test_convolutions(self):
        """Speeds are the library's FLOPs over all calls' time, whatever our kernels count: 2·8·16·16·16·16·9 in 10 µs and in 20 µs."""
        job = ("conv", 8, 16, 16, 16, 3, 1, 1)
        self.assertEqual(kernels.job_flops(job), 9437184)
        mine = [{"name": "conv_a", "calls": 1, "microseconds": 10, "flops": 1}, {"name": "conv_b", "calls": 2, "microseconds": 40, "flops": 1}]
        rows = kernels.convolution_rows("s", "c", mine, {"gflops": 100, "best": 110}, kernels.job_flops(job), 1000)
        self.assertAlmostEqual(rows[0].value, 3 * 9437184 / 50e3)
        self.assertAlmostEqual(rows[1].ratio, rows[0].value / 100)

    def test_avx2(self):
        """Peers that cannot be held to AVX2 are left out of that contest; the others are told."""
        self.assertEqual(peers.environment_for(1, "v3")["ONEDNN_MAX_CPU_ISA"], "AVX2")
        self.assertNotIn("ONEDNN_MAX_CPU_ISA", peers.environment_for(1, "native"))
        self.assertEqual(peers.find_peers("/nowhere", "/nowhere", "lenet", True), [])


class ProgramsTest(unittest.TestCase):
    """The programs of one kernel compile and run; a whole smoke run of the tool does, too."""

    def test_single_kernels(self):
        """Every one is IR that the compiler takes."""
        texts = [kernel.text for kernel in (single_kernels.product(3, 5, 7), single_kernels.copy(4, 8), single_kernels.bias_relu(4, 8),
                                            single_kernels.momentum(4, 8), single_kernels.adam(4, 8), single_kernels.max_pool(2, 4, 3),
                                            single_kernels.convolution(2, 5, 3, 4, 3))]
        with tempfile.TemporaryDirectory() as folder:
            for number, text in enumerate([*texts, costs.empty_program()]):
                source = pathlib.Path(folder) / f"{number}.mlir"
                source.write_text(text)
                command = ["tools/plumbc", source, "--compile-from=lower", "-o", source.with_suffix(".plumb")]
                self.assertEqual(subprocess.run(command).returncode, 0, text)

    def test_smoke(self):
        """One round of the short sections with tiny counts, without any peer."""
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "report.md"
            bench.main(["--sections", "launches,empty,bytes", "--workloads", "lenet", "--rounds", "1", "--scale", "0.01", "--peers", "/nowhere",
                        "--scripts", "/nowhere", "--binaries", ".", "--out", str(out)])
            text = out.read_text()
        for section in ("### launches", "### empty iteration", "### bytes moved in a step"):
            self.assertIn(section, text)


if __name__ == "__main__":
    unittest.main()
