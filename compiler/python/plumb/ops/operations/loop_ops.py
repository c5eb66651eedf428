"""Loops as operations, MindSpore 2.4's WhileLoop, ForiLoop and Scan: what Python's own loops do, eagerly and compiled."""

from plumb.ops._primitive import Composite


class WhileLoop(Composite):
    """`while cond_func(init_val): init_val = loop_func(init_val)`; the last value."""

    def construct(self, cond_func, loop_func, init_val):
        """Compiled body."""
        value = init_val
        while cond_func(value):
            value = loop_func(value)
        return value


class ForiLoop(Composite):
    """`for i in range(lower, upper): init_val = loop_func(i, init_val)`; the last value.

    `unroll` is True or False: the compiler chooses itself.
    """

    def construct(self, lower, upper, loop_func, init_val, unroll=True):
        """Compiled body."""
        value = init_val
        for number in range(lower, upper):
            value = loop_func(number, value)
        return value


class Scan(Composite):
    """`init, y = loop_func(init, x)` for each x of `xs`, or `length` times with None; (the last value, the list of the ys).

    `unroll` is True or False: the compiler chooses itself. Raises ValueError where `length` and the length of `xs` differ, or
    neither is given.
    """

    def construct(self, loop_func, init, xs, length=None, unroll=True):
        """Compiled body."""
        if xs is None and length is None:
            raise ValueError("For 'Scan', one of 'xs' and 'length' must be given")
        if xs is not None and length is not None and length != len(xs):
            raise ValueError(f"For 'Scan', 'length' must be that of 'xs', but got {length} and {len(xs)}")
        carry, results = init, []
        for x in [None] * length if xs is None else xs:
            carry, result = loop_func(carry, x)
            results.append(result)
        return carry, results


__all__ = ["ForiLoop", "Scan", "WhileLoop"]
