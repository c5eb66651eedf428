"""`run_check`: whether the package computes on this machine."""

import numpy as np


def run_check():
    """Compiles and runs a small product, and prints whether it is right and on which device, as MindSpore does."""
    from plumb import Tensor, __version__, get_context, ops
    found = ops.matmul(Tensor(np.full((2, 3), 2.0, np.float32)), Tensor(np.full((3, 2), 0.5, np.float32)))
    right = np.array_equal(found.asnumpy(), np.full((2, 2), 3.0))
    print(f"Plumb version: {__version__}")
    print(f"The result of multiplication calculation is {'correct' if right else 'wrong'}, Plumb has been installed on platform "
          f"[{get_context('device_target')}] {'successfully' if right else 'but does not compute there'}!")
