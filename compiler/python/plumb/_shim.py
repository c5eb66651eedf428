"""Serves `import mindspore` and its submodules from this package.

`mindspore.X` is the very module object `plumb.X`, so classes are the same under both names. Only a process that asks
for it (`python3 -m plumb.mindspore`, capture) has the shim.
"""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

from plumb import _places

_FROM, _TO = "mindspore", "plumb"
# Private modules that programs import from.
_PRIVATE = ("plumb.common._stub_tensor", "plumb._c_dataengine", "plumb._c_expression", "plumb._checkparam", "plumb._extends", "plumb.parallel._utils", "plumb.parallel._auto_parallel_context",
            "plumb.parallel._cost_model_context", "plumb.parallel._ps_context", "plumb.parallel._transformer",
            "plumb.train._utils", "plumb.train.callback._callback", "plumb.train.callback._checkpoint",
            "plumb.train.callback._loss_monitor", "plumb.train.callback._time_monitor", "plumb.ops._grad", "plumb.ops._primitive_cache", "plumb.ops.operations._csr_ops",
            "plumb.ops.operations._grad_ops", "plumb.ops.operations._inner_ops", "plumb.ops.operations._rl_inner_ops",
            "plumb.ops.operations._sequence_ops", "plumb.ops.operations._tensor_array")


#: What `mindspore.__version__` says, after which programs choose what to call.
VERSION = "2.0.0"

_named = set()


def _name_classes():
    """Gives the classes of newly loaded modules the names by which the program knows them, for `print(type(x))`; see `look_outward`."""
    for name in [name for name in sys.modules if name.partition(".")[0] == _TO and name not in _named]:
        _named.add(name)
        _places.look_outward(sys.modules[name])
        for value in list(vars(sys.modules[name]).values()):
            if isinstance(value, type) and value.__module__.partition(".")[0] == _TO:
                value.__module__ = _FROM + value.__module__[len(_TO):]


def _name_package(package):
    """Gives the package the name by which the program knows it. `from plumb import _part` in its own modules looks for a part
    that is not loaded yet under that name, so the package finds it itself."""
    other = package.__getattr__

    def __getattr__(name):
        if name.startswith("_") and not name.startswith("__") and importlib.util.find_spec(f"{_TO}.{name}"):
            return importlib.import_module(f"{_TO}.{name}")
        return other(name)

    package.__name__, package.__getattr__ = _FROM, __getattr__


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `mindspore…` as `plumb…`."""

    def find_spec(self, fullname, path=None, target=None):
        """Returns the spec for a module that plumb has, else raises by name."""
        if fullname != _FROM and not fullname.startswith(_FROM + "."):
            return None
        if _places.is_place(fullname):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        name = _TO + fullname[len(_FROM):]
        try:
            found = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None or name.split(".")[-1].startswith("_") and name not in _PRIVATE:
            raise ModuleNotFoundError(f"'{fullname}' is not offered by plumb.", name=fullname)
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        """Returns plumb's module, under its own spec."""
        if _places.is_place(spec.name):
            return _places.module_at(spec.name)
        name = _TO + spec.name[len(_FROM):]
        package, _, child = name.rpartition(".")
        module = importlib.import_module(name)
        if name == _TO:
            module.__version__ = VERSION
            _name_package(module)
        _name_classes()
        # A package may offer a function under the name of the module that holds it; importing binds that name again.
        module = getattr(sys.modules.get(package), child, module)
        spec.loader_state = (module, getattr(module, "__spec__", None), module.__name__)
        return module

    def exec_module(self, module):
        """Leaves the module as plumb made it."""
        state = module.__spec__.loader_state
        if state:
            module.__spec__ = state[1]


def install():
    """Puts the shim first among the finders, once."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def serve_children():
    """Has Python processes that this one starts find `import mindspore` here, too: those of `multiprocessing`, which take over
    the path of modules, and of `subprocess`, which take over the environment."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = [os.path.join(here, "_served"), os.path.dirname(here)]
    sys.path.extend(folder for folder in path if folder not in sys.path)
    known = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder and folder not in path]
    os.environ["PYTHONPATH"] = os.pathsep.join(path + known)
