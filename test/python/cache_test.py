"""Compiled programs on disk: what is loaded, what compiles again, and that nothing in the folder can do harm."""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM = """
import sys
import numpy as np
import plumb as ms
from plumb import nn, ops


class Scale:
    factor = {factor}


scale = Scale()


@ms.jit
def scaled(x):
    return ops.tanh(x) * scale.factor + ops.sum(x[1:])


x = ms.Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))
print((x + x).asnumpy().tolist(), scaled(x).asnumpy().sum(), nn.Dense(4, 2, "ones")(x).asnumpy().tolist())
print("compiled" if "plumb._compiler" in sys.modules else "loaded")
"""
LOOKUP = """
import sys
import numpy as np
import plumb as ms


@ms.jit
def row(table, number):
    return table[number]


try:
    row(ms.Tensor(np.zeros((3, 2), np.float32)), ms.Tensor(5)).asnumpy()
except Exception as problem:
    print(str(problem).split("program.py:")[1].split(":")[0])
print("compiled" if "plumb._compiler" in sys.modules else "loaded")
"""


class CacheTest(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self._scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self._scratch.cleanup)
        self.program = pathlib.Path(self._scratch.name, "program.py")
        self.folder = pathlib.Path(self._scratch.name, "cache")

    def run_program(self, text, **settings):
        """Runs `text` as a program; returns what it printed: its results, and whether the compiler was needed."""
        self.program.write_text(text)
        environment = {**os.environ, "PLUMB_CACHE": str(self.folder), **settings}
        ran = subprocess.run([sys.executable, str(self.program)], env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        *results, way = ran.stdout.splitlines()
        self.said = ran.stderr
        return results, way

    def entries(self):
        """The files of the folder."""
        return sorted(self.folder.glob("*.cached"))

    def test_second_process_loads(self):
        first, way = self.run_program(PROGRAM.format(factor=2.0))
        self.assertEqual(way, "compiled")
        self.assertEqual(len(self.entries()), 3)
        self.assertEqual(self.run_program(PROGRAM.format(factor=2.0)), (first, "loaded"))
        self.assertEqual(len(self.entries()), 3)

    def test_moved_in_its_file(self):
        first, _ = self.run_program(PROGRAM.format(factor=2.0))
        self.assertEqual(self.run_program("# A line\n\n" + PROGRAM.format(factor=2.0))[0], first)
        self.assertEqual(self.run_program("# A line\n\n" + PROGRAM.format(factor=2.0)), (first, "loaded"))

    def test_places_in_reports(self):
        places, _ = self.run_program(LOOKUP)
        self.assertEqual(self.run_program(LOOKUP), (places, "loaded"))
        moved, way = self.run_program("\n" + LOOKUP)
        self.assertEqual((int(moved[0]), way), (int(places[0]) + 1, "compiled"))

    def test_another_constant(self):
        first, _ = self.run_program(PROGRAM.format(factor=2.0))
        second, way = self.run_program(PROGRAM.format(factor=3.0))
        self.assertEqual(way, "compiled")
        self.assertNotEqual(first, second)
        self.assertEqual(self.run_program(PROGRAM.format(factor=2.0)), (first, "loaded"))

    def test_damaged_entries(self):
        first, _ = self.run_program(PROGRAM.format(factor=2.0))
        rng = random.Random(5)
        for entry in self.entries():
            content = bytearray(entry.read_bytes())
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
            entry.write_bytes(content)
        self.assertEqual(self.run_program(PROGRAM.format(factor=2.0)), (first, "compiled"))
        for length, entry in zip((0, 20, 3000), self.entries()):
            entry.write_bytes(entry.read_bytes()[:length])
        self.assertEqual(self.run_program(PROGRAM.format(factor=2.0)), (first, "compiled"))
        self.assertEqual(self.run_program(PROGRAM.format(factor=2.0)), (first, "loaded"))

    def test_processes_share(self):
        self.program.write_text(PROGRAM.format(factor=2.0))
        environment = {**os.environ, "PLUMB_CACHE": str(self.folder)}
        running = [subprocess.Popen([sys.executable, str(self.program)], env=environment, stdout=subprocess.PIPE, text=True)
                   for _ in range(4)]
        printed = {process.communicate()[0].splitlines()[0] for process in running}
        self.assertEqual(len(printed), 1)
        self.assertEqual(self.run_program(PROGRAM.format(factor=2.0)), (list(printed), "loaded"))
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_folder_being_emptied(self):
        """Others may empty the folder at any moment: it only costs time."""
        self.program.write_text(PROGRAM.format(factor=2.0))
        environment = {**os.environ, "PLUMB_CACHE": str(self.folder)}
        running = [subprocess.Popen([sys.executable, str(self.program)], env=environment, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True) for _ in range(3)]
        while any(process.poll() is None for process in running):
            for entry in self.folder.glob("*") if self.folder.exists() else ():
                entry.unlink(missing_ok=True)
        self.assertEqual([(process.returncode, process.communicate()[1]) for process in running], [(0, "")] * 3)

    def test_folder_of_others(self):
        self.folder.mkdir()
        self.folder.chmod(0o777)
        self.run_program(PROGRAM.format(factor=2.0))
        self.assertIn("others may write there", self.said)
        self.assertEqual(self.entries(), [])

    def test_folder_that_cannot_be(self):
        self.assertEqual(self.run_program(PROGRAM.format(factor=2.0), PLUMB_CACHE="/proc/cache")[1], "compiled")

    def test_off(self):
        self.run_program(PROGRAM.format(factor=2.0), PLUMB_CACHE="off")
        self.run_program("import plumb\nplumb.set_context(enable_compile_cache=False)\n" + PROGRAM.format(factor=2.0))
        self.assertEqual(self.entries(), [])

    def test_path_by_context(self):
        other = pathlib.Path(self._scratch.name, "other")
        self.run_program(f"import plumb\nplumb.set_context(compile_cache_path={str(other)!r})\n" + PROGRAM.format(factor=2.0))
        self.assertEqual((len(self.entries()), len(list(other.iterdir()))), (0, 3))


if __name__ == "__main__":
    unittest.main()
