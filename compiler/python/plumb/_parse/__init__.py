"""The front end: live Python functions and cells to one `net` module in MLIR text.

`__init__` of cells and the rest of a program are plain Python and have run; only functions that are to be compiled are
read from their source by CPython's own `ast`, with their free names resolved against live objects.
"""

from plumb._parse.diagnostics import CompileError
from plumb._parse.live import LiveProcess
from plumb._parse.module import ModulePrinter
