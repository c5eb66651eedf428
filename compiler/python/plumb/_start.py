"""What plumbc runs: `python3 …/plumb/_start.py [options of _capture] PROGRAM.py [arguments]`.

Capturing is over in a tenth of a second, most of which goes into imports. Parts of numpy that few programs touch
while they build a network are therefore loaded when they are first used; programs see no difference.
"""

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import LazyLoader

LATE = frozenset(("numpy.ctypeslib", "numpy.fft", "numpy.ma", "numpy.polynomial", "numpy.random"))


class LateFinder:
    """Finds the modules of LATE, with a loader that waits for their first use."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Returns the module's spec, or None for modules that are loaded as ever."""
        if name not in LATE:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
        return spec


if __name__ == "__main__":
    # As with `python3 -m`: the current folder, not this one, whose modules have names of other packages.
    sys.path[0] = os.getcwd()
    sys.meta_path.insert(0, LateFinder)
    from plumb._capture import main
    sys.exit(main())
