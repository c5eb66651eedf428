"""Tests of the zoo: all sides train alike, and figures are what they are said to be; no speed decides anything here."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import bench
import machine
import peers
import zoo


def kernel(name, microseconds, flops, moved):
    """A kernel as plumb-bench describes it."""
    return {"name": name, "microseconds": microseconds, "flops": flops, "bytes_read": moved / 2, "bytes_written": moved / 2}


class ZooTest(unittest.TestCase):
    """What stands beside PyTorch."""

    def test_weak_kernels(self):
        """Those that take more than 2 % of a step and reach less than 40 % of what the peak or memory allows, in the processor's time:
        here half of the wall's. 100 GFLOP/s are 1e5 FLOPs a us, 10 GB/s 1e4 bytes a us."""
        kernels = [kernel("good", 40, 1e6, 0), kernel("weak", 40, 7e5, 1e4), kernel("moves", 20, 1e4, 6e4), kernel("small", 1, 1, 1)]
        found = zoo.weak_kernels({"step_microseconds": 100, "step_processor_microseconds": 50, "kernels": kernels}, 100, 10)
        self.assertEqual([name for name, _, _ in found], ["weak"])
        self.assertAlmostEqual(found[0][1], 0.4)
        self.assertAlmostEqual(found[0][2], 7 / 20)

    def test_alike(self):
        """First losses are equal but for rounding, second ones nearly; a side without losses is no match."""
        self.assertTrue(zoo.are_alike([1.00001, 2.01], [1, 2]))
        self.assertFalse(zoo.are_alike([1.001, 2], [1, 2]))
        self.assertFalse(zoo.are_alike([1, 2.1], [1, 2]))
        self.assertFalse(zoo.are_alike([], [1, 2]))

    def test_peers(self):
        """Only networks of images have another layout to offer."""
        def names(network):
            return {peer.name for peer in zoo.find_peers(pathlib.Path("/nowhere"), network, 1)}
        self.assertTrue(any("channels last" in name for name in names("vgg11")))
        self.assertFalse(any("channels last" in name for name in names("gpt")))

    def test_reference_blas(self):
        """Debian's PyTorch with no other BLAS is told from one with OpenBLAS, by the files that it has mapped."""
        line = "7f0000000000-7f0000001000 r-xp 00000000 08:01 42 "
        reference = line + "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0\n" + line + "/usr/bin/python3.11\n" + line.strip() + "\n"
        fast = line + "/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3\n"
        self.assertTrue(peers.is_reference_blas(reference))
        self.assertFalse(peers.is_reference_blas(fast))
        self.assertFalse(peers.is_reference_blas(reference + line + "/opt/intel/libmkl_rt.so.2\n"))
        self.assertFalse(peers.is_reference_blas(""))

    def test_losses(self):
        """Networks of several kinds of input and loss train as PyTorch's do."""
        names = ["densenet_block", "bert_tiny", "dlrm", "gru", "autoencoder"]
        options = bench.read_options(["--networks", ",".join(names), "--batches", "2", "--binaries", ".", "--peers", "/nowhere"])
        with tempfile.TemporaryDirectory() as folder:
            rows = zoo.check(bench.Bench(options, folder, machine.Machine(binaries=".")))
        self.assertEqual([(row.work, row.note) for row in rows], [(f"{name}, batch 2", "") for name in names])

    def test_section(self):
        """A network goes through all that the section does."""
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "report.md"
            bench.main(["--sections", "zoo", "--networks", "text_cnn", "--batches", "2", "--rounds", "1", "--scale", "0.1",
                        "--peers", "/nowhere", "--binaries", ".", "--out", str(out)])
            text = out.read_text()
        for section in ("### zoo, one thread", "### zoo, one thread: compile"):
            self.assertIn(section, text)
        self.assertRegex(text, r"\| text_cnn, batch 2 \| code \| 0\.\d+ ")


if __name__ == "__main__":
    unittest.main()
