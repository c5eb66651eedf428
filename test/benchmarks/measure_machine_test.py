"""What `measure_machine` prints goes into MachineModel.cpp as it is. No speed decides anything here."""

import pathlib
import re
import subprocess
import unittest

MODEL, TOOL = pathlib.Path("compiler/target/MachineModel.h"), pathlib.Path("test/benchmarks/measure_machine")
ASSIGNED = re.compile(r"machine\.(\w+) = ([^;]+);")


def run():
    """The output of a few runs."""
    return subprocess.run([TOOL.absolute(), "--runs=2"], capture_output=True, text=True, check=True).stdout


class MeasureMachineTest(unittest.TestCase):
    """The form, and numbers that no processor goes beyond."""

    def test_form(self):
        """One function, which sets members of MachineModel, each once, and says of each line how the number was found."""
        text, members = run(), MODEL.read_text(encoding="utf-8")
        lines = text.splitlines()
        self.assertRegex(lines[0], "^/// .* measured by tools/dev/measure_machine")
        self.assertEqual(lines[1:3], ["MachineModel MachineModel::getMeasured() {", "  MachineModel machine;"])
        self.assertEqual(lines[-2:], ["  return machine;", "}"])
        names = [name for name, _ in ASSIGNED.findall(text)]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreaterEqual(len(names), 8)
        for name in names:
            self.assertRegex(members, rf"\b{name}( = |\{{)", f"{name} is no member of MachineModel")
        for number, line in enumerate(lines[3:-2], 3):
            self.assertIn("//", line + lines[number - 1], line)

    def test_numbers(self):
        """They are finite, and none but the misses of caches can be 0."""
        for name, value in ASSIGNED.findall(run()):
            numbers = [float(number) for number in re.findall(r"[-\d.]+", value)]
            self.assertTrue(numbers, value)
            self.assertTrue(all(0 <= number < 1e6 for number in numbers), f"{name} = {value}")
            self.assertTrue(name == "caches" or all(numbers), f"{name} = {value}")


if __name__ == "__main__":
    unittest.main()
