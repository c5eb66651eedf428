"""Capture: running a program up to its first training call and writing what would be compiled.

`plumbc PROGRAM.py` starts `python3 -m plumb._capture`, which runs the program with capture on. The first `Model.train`,
`Model.build`, `data_sink`, DatasetHelper loop or call of a compiled function hands its Program to `offer`, which writes
the module's text and ends the run.
"""

_output = {"write": None}


class Captured(BaseException):
    """Ends a captured program; no `except Exception` of the program catches it.

    Attributes:
      live: answers the compiler of the captured module.
    """

    def __init__(self, live):
        super().__init__()
        self.live = live


def start(write):
    """Turns capture on; `write` receives the module's text and its resources, (name, array) pairs."""
    _output["write"] = write


def active():
    """Whether a program is being captured."""
    return _output["write"] is not None


def offer(program):
    """Writes `program` and ends the run when capture is on; does nothing otherwise."""
    if active():
        module, _ = program.render()
        write, _output["write"] = _output["write"], None  # what compiling has computed may call compiled functions
        write(module, program.resources())
        raise Captured(program.live)
