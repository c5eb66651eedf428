"""The session of a network that `load` has read from a file."""

from plumb import _cache, _engine
from plumb.train.mindir import STAGE


class GraphRun(_engine.Run):
    """A loaded network's session; see `_engine.Run`."""

    mode, hint = "predict", "network"

    def __init__(self, graph):  # pylint: disable=super-init-not-called
        native = _engine.native_compiler()
        flags = ["--emit=plumb", f"--compile-from={STAGE}"]
        code = _cache.compiled(lambda *request: native.compile(*request), graph.module, "network", flags, None)
        self.template, self.complex_results = None, ()
        self._open(self, _engine.load(code, "network"), graph.parameters, writes="net.assign" in graph.module)
