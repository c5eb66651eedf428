"""The extension modules: compiling in process, loading executables, pipelines of the runtime, values by initialisers' rules."""

import functools
import importlib

import numpy as np

from plumb import _cache, _trace, context
from plumb._parse.diagnostics import CompileError
from plumb.common import _bfloat, seed as _seed
from plumb.common.dtype import by_name
from plumb.common.tensor import Tensor

# The entry of a program that computes one tensor while another is compiled; compiler/specialize/tensors/ConstantPrograms.cpp writes it.
EVALUATED = "plumb.value"


def native_runtime():
    """Returns the runtime's extension module."""
    return _extension("runtime")


def native_compiler():
    """Returns the compiler's extension module."""
    return _extension("compiler")


def _extension(name):
    try:
        return importlib.import_module(f"plumb._{name}")
    except ImportError as problem:
        raise ImportError(f"plumb's {name} is not built: {problem}. From a checkout, start programs with "
                          f"tools/python, which builds it.") from None


def compile_module(module, name, live=None):
    """Compiles MLIR text to an executable's bytes; raises CompileError with the compiler's diagnostics.

    `live` computes what the compiler leaves to Python.
    """
    flags = ["--emit=plumb"]
    if context.get_context("save_graphs"):
        flags += [f"--save-graphs={context.get_context('save_graphs')}",
                  f"--save-graphs-path={context.get_context('save_graphs_path')}"]
    try:
        with _trace.span(name, "compile"):
            return _cache.compiled(lambda *request: native_compiler().compile(*request), module, name, flags, live)
    except RuntimeError as problem:
        located = RenderedError(str(problem), exceptions=live.exceptions() if live else {})
        located.kind = getattr(problem, "kind", "error")
        raise located from (live.raised if live else None)


@functools.lru_cache(maxsize=256)
def evaluated(module):
    """The Tensor that a program without inputs computes, which the compiler needs while it compiles another; None where it cannot
    be run, as in a process that has no compiler."""
    try:
        executable = load(_cache.compiled(lambda *request: native_compiler().compile(*request), module, "value", ["--emit=plumb"], None),
                          "value")
        array, = native_runtime().Session(executable, 0, 60.0, 1).call(EVALUATED, [], 60.0)
    except (ImportError, RuntimeError, ValueError):
        return None
    return Tensor.from_numpy(array)


class RenderedError(CompileError):
    """An error that the compiler has located and rendered itself."""

    def render(self):
        """Returns the compiler's text."""
        return self.message


def load(code, name):
    """Loads an executable from memory."""
    return native_runtime().Executable(code, name)


def make_pipeline(dataset):
    """Builds the runtime's pipeline for a dataset."""
    return native_runtime().Pipeline(dataset.to_json(), dict(dataset._arrays), _seed.session_seed())


def run_pipeline(json, arrays):
    """Returns the first row (or batch) of a pipeline over rows in memory, a list of arrays."""
    return native_runtime().Pipeline(json, arrays, _seed.session_seed()).next()


def initialise(kind, numbers, shape, dtype, stream):
    """Draws the values a rule gives, as a session would; of complex numbers the real parts."""
    if "complex" in dtype.name:
        part = by_name("float32" if dtype.name == "complex64" else "float64")
        return initialise(kind, numbers, shape, part, stream).astype(dtype.numpy)
    if dtype.name == "bfloat16":
        return _bfloat.stored(initialise(kind, numbers, shape, by_name("float32"), stream), dtype.numpy)
    array = np.empty(shape, dtype.numpy)
    native_runtime().initialize(kind, [float(number) for number in numbers], _seed.session_seed(), stream, array)
    return array
