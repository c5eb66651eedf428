"""Lists and dicts of which a branch on a tensor decides which one a name, an element or a result is."""

import unittest

import numpy as np

import numeric
import plumb
from plumb import Tensor
from plumb._parse import CompileError


def changed_or_new(x):
    """A list that one side changes, and the other has another one in its place."""
    kept, other = [x], {"a": x * 2}
    alias, table = kept, other
    if x.sum() > 0:
        kept[0] = x * 3
        alias = kept
        other["a"] = x * 5
    else:
        alias = [x * 7]
        table = {"a": x * 11}
    return alias[0], kept[0], table["a"], other["a"]


def changed_within(x):
    """Containers within others, in functions, and where a handler sees them."""
    table, kept, thrown = {"a": [x], "b": [x * 2]}, [x], [x]

    def change(value):
        if value.sum() > 0:
            kept[0] = value * 5
            return kept
        return [value]

    if x.sum() > 0:
        table["a"][0] = x * 10
        table["b"] = table["a"]
    else:
        table["b"][0] = x * 20
    try:
        if x.sum() > 0:
            thrown[0] = x * 9
            raise ValueError
        caught = [x]
    except ValueError:
        caught = thrown
    return table["a"][0], table["b"][0], change(x)[0], kept[0], caught[0], thrown[0]


class ChosenContainersTest(unittest.TestCase):
    """Compiled functions against CPython."""

    def test_changed_on_one_side(self):
        """As the side has left it."""
        for function in (changed_or_new, changed_within):
            compiled = plumb.jit(function)
            for sign in (1, -1):
                x = Tensor(np.float32([2, 1]) * sign)
                for one, other in zip(compiled(x), function(x), strict=True):
                    numeric.compare(one, other.asnumpy(), 1e-12, function.__name__)

    def test_equal_ones(self):
        """Behind the branch none can change: which of them it would be, a tensor has decided."""
        def grows(x):
            kept = [x]
            chosen = kept
            if x.sum() > 0:
                chosen = [x]
            chosen.append(x)
            return len(kept)

        with self.assertRaisesRegex(CompileError, "in the place of another one, cannot be changed here"):
            plumb.jit(grows)(Tensor(np.float32([1, 2])))


if __name__ == "__main__":
    unittest.main()
