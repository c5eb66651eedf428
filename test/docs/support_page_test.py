"""docs/support.md says what the package offers today."""

import importlib.machinery
import importlib.util
import pathlib
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/dev/generate_support"


def load_generator():
    """The script as a module."""
    loader = importlib.machinery.SourceFileLoader("generate_support", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class SupportPageTest(unittest.TestCase):
    """The page, and what it is made from."""

    def test_page_is_fresh(self):
        generator = load_generator()
        self.assertEqual(generator.PAGE.read_text(), generator.make_page(),
                         "stale: run tools/python tools/dev/generate_support")


if __name__ == "__main__":
    unittest.main()
