"""The session of a network that `load` has read from a file."""

from plumb import _cache, _native, _session
from plumb.train.mindir import STAGE


class GraphRun(_session.Run):
    """A loaded network's session; see `_session.Run`."""

    mode, hint = "predict", "network"

    def __init__(self, graph):  # pylint: disable=super-init-not-called
        native = _native.native_compiler()
        flags = ["--emit=plumb", f"--compile-from={STAGE}"]
        code = _cache.compiled(lambda *request: native.compile(*request), graph.module, "network", flags, None)
        self.template, self.complex_results = None, ()
        self._open(self, _native.load(code, "network"), graph.parameters, writes="net.assign" in graph.module)
