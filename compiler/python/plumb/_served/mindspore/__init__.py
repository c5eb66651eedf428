"""`import mindspore` in Python processes that a program starts: this package serves it there, too. See `_shim.serve_children`."""

import sys

from plumb import _shim

del sys.modules[__name__]  # in the place of which the shim puts the package
_shim.install()
import mindspore  # pylint: disable=wrong-import-position,unused-import,import-self
