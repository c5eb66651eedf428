"""What tools/dev/compare_mindspore relies on, without MindSpore: every public name has a case or a reason, and what is said
to be explained is explained."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools/dev/mindspore"), str(ROOT / "tools/dev")]

import cases  # pylint: disable=wrong-import-position,import-error
import coverage  # pylint: disable=wrong-import-position,import-error
import meant  # pylint: disable=wrong-import-position,import-error
import offered  # pylint: disable=wrong-import-position,import-error

NAMES, DOCUMENTS, SAME = offered.offered()
MODULES = {module: space for space, module in cases.MODULES.items()} | {"mindspore.Tensor": "Tensor", "mindspore.nn.Cell": "Cell"}


def public_names():
    """(space, name) of MindSpore 2.0.0's public names that the package offers."""
    space = None
    for line in (ROOT / "docs/support_names.txt").read_text().splitlines():
        if line.startswith("["):
            space = MODULES.get(line.strip("[]"))
        elif space and not line.startswith("#"):
            yield from ((space, name) for name in line.split() if name in NAMES[space])


class ComparedNamesTest(unittest.TestCase):
    """The tables of cases, reasons and explanations."""

    def test_every_public_name_has_a_case_or_a_reason(self):
        reasons = dict(coverage.without_case(NAMES, SAME))
        self.assertGreater(len(list(public_names())), 1500)
        bare = {f"{space}.{name}" for space, name in public_names() if reasons.get(f"{space}.{name}") == ""}
        self.assertEqual(sorted(bare), [], "a case in tools/dev/mindspore, or a reason in cases.WITHOUT")

    def test_reasons_are_of_names_without_a_case(self):
        """A reason beside a case, or of a name that is gone, is stale."""
        tables = coverage.tables()
        for space, reasons in cases.WITHOUT.items():
            for name, why in reasons.items():
                if space != "everywhere":
                    self.assertIn(name, NAMES[space], f"{space}: {why}")
                    self.assertFalse(tables[space].get(name), f"{space}.{name} has a case, and a reason for having none: {why}")

    def test_explained_differences_stand_in_the_documentation(self):
        for names in meant.BY_NAME:
            for name in names.split():
                self.assertTrue(meant.told(DOCUMENTS.get(name, "")), f"the documentation of {name} says nothing of MindSpore")

    def test_shared_explanations_stand_on_the_page(self):
        page = (ROOT / "docs/support.md").read_text()
        for what, here, there in meant.BY_KIND.values():
            self.assertIn(f"| {what} | {here} | {there} |", page)

    def test_patterns_compile_and_are_narrow(self):
        """An explanation names a function, a kind of case or a message; none covers everything."""
        for pattern in [*meant.BY_NAME.values(), *meant.BY_KIND]:
            re.compile(pattern)
        for pattern in meant.BY_KIND:
            self.assertIsNone(re.search(pattern, "ops.abs: ops.abs(x): float32: value|0: 1 at (0, 0), MindSpore 2 (1 of 21)"), pattern)


if __name__ == "__main__":
    unittest.main()
