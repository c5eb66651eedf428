"""The session of a network that `load` has read from a file."""

from plumb import _cache, _engine, context
from plumb.common import seed as _seed
from plumb.train.mindir import STAGE


class GraphRun(_engine.Run):
    """A loaded network's session; see `_engine.Run`."""

    mode, hint = "predict", "network"

    def __init__(self, graph):  # pylint: disable=super-init-not-called
        native = _engine.native_compiler()
        flags = ["--emit=plumb", f"--compile-from={STAGE}"]
        code = _cache.compiled(lambda *request: native.compile(*request), graph.module, "network", flags, None)
        self.program, self.executable = self, _engine.load(code, "network")
        self.session = _engine.native_runtime().Session(self.executable, _seed.session_seed(),
                                                        float(context.get_context("op_timeout")),
                                                        int(context.get_context("runtime_num_threads")))
        present = set(self.executable.variables())
        self.parameters = {symbol: value for symbol, value in graph.parameters.items() if symbol in present}
        self._symbols = {id(parameter): symbol for symbol, parameter in self.parameters.items()}
        self._seen = dict.fromkeys(self.parameters, -1)
        self._writes, self.template = "net.assign" in graph.module, None
        self.complex_results = ()
        self.launches = self.steps = 0
        self._feeder = None
