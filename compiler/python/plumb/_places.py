"""MindSpore's inner modules whose names this package offers elsewhere, and where: programs import from them, too."""

import importlib
import sys
import types

_OPS = "ops.function.{}_func"
# Beneath `mindspore.`, by the module of `plumb` that has the names.
_HERE = {
    "ops": [*(_OPS.format(theme) for theme in "array math nn other clip debug image random parameter linalg spectral vmap".split()),
            "ops.function.grad", "ops.function.grad.grad_func", "ops.composite.math_ops", "ops.composite.multitype_ops",
            "ops.composite.multitype_ops.zeros_like_impl", "ops.op_info_register", "scipy.ops_wrapper"],
    "ops.operations": [f"ops.operations.{theme}_ops" for theme in ("spectral", "debug", "linalg", "_map_tensor")],
    "ops.auto_generate": [f"ops.auto_generate.gen_ops_{kind}" for kind in ("prim", "def")],
    "nn": [*(f"nn.optim.{name}" for name in "lars ftrl lazyadam asgd proximal_ada_grad adamax lamb ada_grad rprop adadelta".split()),
           *(f"nn.layer.{name}" for name in "timedistributed dense channel_shuffle".split()), "nn.grad", "nn.grad.cell_grad",
           "nn.reinforcement", "nn.reinforcement.tensor_array", "nn.sparse.sparse"],
    "common": ["common.jit_config"],
    "experimental.optim": [f"experimental.optim.{name}" for name in "adamw adadelta adagrad adamax nadam radam rmsprop rprop asgd".split()],
    "parallel": ["parallel.shard"],
    "communication": ["communication._comm_helper"],
    "train": [*(f"train.metrics.{name}" for name in (
        "hausdorff_distance dice topk recall error occlusion_sensitivity accuracy cosine_similarity bleu_score confusion_matrix precision "
        "mean_surface_distance fbeta perplexity metric root_mean_square_surface_distance roc loss").split()),
              "train.train_thor.dataset_helper"],
    "dataset": ["dataset.callback", "dataset.callback.ds_callback", "dataset.engine.samplers", "dataset.engine.cache_client",
                "dataset.engine.serializer_deserializer"],
    "dataset.audio": ["dataset.audio.transforms"],
    **{f"parallel._transformer.{part}": [f"nn.transformer.{part}"] for part in "layers loss moe op_parallel_config transformer".split()},
    "mindrecord": [f"mindrecord.tools.{name}_to_mr" for name in "mnist tfrecord cifar10 cifar100 csv imagenet".split()],
}
_PLACES = {f"mindspore.{place}": f"plumb.{here}" for here, places in _HERE.items() for place in places}
# Packages that hold nothing but such modules.
_PLACES.update({"mindspore.train.train_thor": "plumb.train", "mindspore.mindrecord.tools": "plumb.mindrecord"})


def is_place(fullname):
    """Whether a module of MindSpore's stands for another one here."""
    return fullname in _PLACES


class _Place(types.ModuleType):
    """A module that stands for another one. Where the package has a function of this name, importing the module binds the name anew,
    so the module is called as the function."""

    def __call__(self, *arguments, **named):
        return self._namesake(*arguments, **named)


def module_at(fullname):
    """Returns a module under this name that has what the package's module for it has."""
    there = importlib.import_module(_PLACES[fullname])
    module = _Place(fullname, f"The names of {there.__name__}, where MindSpore has them.")
    module.__path__ = []
    module._namesake = vars(there).get(fullname.rpartition(".")[2])

    def __getattr__(name):
        if name == "__all__":
            return getattr(there, name, [known for known in vars(there) if not known.startswith("_")])
        if name.startswith("__"):
            raise AttributeError(name)
        if name == fullname.rpartition(".")[2] and module._namesake is not None:
            return module._namesake
        return importlib.import_module(f"{fullname}.{name}") if is_place(f"{fullname}.{name}") else getattr(there, name)

    module.__getattr__ = __getattr__
    return module


def look_outward(module):
    """Has names that an inner module lacks looked up in the packages around it: where a name stands differs from MindSpore's places."""
    packages = module.__name__.split(".")
    if any(package.startswith("_") for package in packages):
        return
    around = [".".join(packages[:count]) for count in range(len(packages) - 1, 1, -1)]
    if not around or getattr(module, "_looks_outward", False):
        return
    inner = vars(module).get("__getattr__")

    def __getattr__(name):
        if not name.startswith("_"):
            place = "mindspore." + module.__name__.partition(".")[2] + "." + name
            if is_place(place):
                return importlib.import_module(place)
            for package in around:
                if name in vars(sys.modules[package]):
                    return vars(sys.modules[package])[name]
        if inner:
            return inner(name)
        raise AttributeError(f"module '{module.__name__}' has no attribute '{name}'")

    module.__getattr__, module._looks_outward = __getattr__, True
