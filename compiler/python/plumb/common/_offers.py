"""Which names a module offers; what it does not offer says so by name, at the place of use."""

import functools
import importlib
import inspect
import sys

from plumb.common._refusals import refused


# Advice that several modules give.
HASHED = "tables that grow while they are used are not offered: nn.Embedding and nn.EmbeddingLookup have tables of one size"
_PARTS = "it is about parameters that several devices hold in parts, and a program runs on one: load_checkpoint reads them whole"
IN_PARTS = dict.fromkeys("""build_searched_strategy convert_checkpoint_by_rank convert_checkpoints get_ckpt_path_with_strategy
    load_distributed_checkpoint load_segmented_checkpoints merge_pipeline_strategys parameter_broadcast rank_list_for_convert
    rank_list_for_transform reshard restore_group_info_list set_op_strategy_config sync_pipeline_shared_parameters
    transform_checkpoint_by_rank transform_checkpoints unified_safetensors""".split(), _PARTS)
EXCHANGED = "it exchanges tensors with another process, and there is one; leave it out"
SECOND_ORDER = "steps by MindSpore's second-order method are not offered: use nn.Lamb or nn.AdaFactor on the network as it is"
SUMMED = "it puts the updates of several devices together, and a program runs on one: use the optimizer itself"
WHOLE_GRADIENTS = "a program runs on one device: gradients are whole, use them themselves"
SERVED = "it is about a server of parameters, and a program is one process: leave it out"


def offered(space):
    """Returns a module's `__all__`: what it holds but modules and private names."""
    return [name for name, value in space.items() if not name.startswith("_") and not inspect.ismodule(value)
            and getattr(value, "__module__", "") != __name__]


def by_own_names(function, names, given):
    """Keyword arguments under a function's own names; raises TypeError where two are one argument.

    Args:
      names: own names by those of other versions.
      given: the arguments by the names of the call.
    """
    own = {names.get(name, name): value for name, value in given.items()}
    if len(own) != len(given):
        called = [names.get(name, name) for name in given]
        twice = [name for name in own if called.count(name) > 1]
        raise TypeError(f"{function.__name__}() got multiple values for argument '{twice[0]}'")
    return own


def known_as(**names):
    """Decorator: keywords of a call may have the names that other versions of MindSpore give the arguments: own names by those."""
    def decorate(function):
        @functools.wraps(function)
        def called(*args, **kwargs):
            return function(*args, **by_own_names(function, names, kwargs))
        called.known_as = names
        return called
    return decorate


class NotOffered:
    """Stands for a name of MindSpore's that programs import, and many never use; whatever uses it is refused with advice.

    Args:
      name: the name, with its module.
      advice: what to use instead, and why.
    """

    def __init__(self, name, advice):
        self._advice = f"'{name}' is not offered by plumb: {advice}."

    def __call__(self, *_, **__):
        raise refused(NotImplementedError, self._advice)

    def __mro_entries__(self, bases):
        raise refused(NotImplementedError, self._advice)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise refused(AttributeError, self._advice)

    def __repr__(self):
        return self._advice


def not_offered(module_name, *late, also=None, instead=None):
    """Returns a module's `__getattr__` that names what is missing, and what to use in its place or what is near.

    Args:
      late: modules within it that few programs need: they are imported when they are named.
      also: values by names that `import *` does not bring.
      instead: advice by name of MindSpore's; the name stands for a NotOffered.
    """

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in late:
            return importlib.import_module(f"{module_name}.{name}")
        if name in (also or ()):
            return also[name]
        if name in (instead or ()):
            return NotOffered(f"{module_name}.{name}", instead[name])
        import difflib
        offered = [known for known in vars(sys.modules[module_name]) if not known.startswith("_")]
        near = difflib.get_close_matches(name, offered, n=3)
        hint = f"; near to it: {', '.join(near)}" if near else ""
        raise refused(AttributeError, f"'{module_name}.{name}' is not offered by plumb{hint}.")

    return __getattr__


def only_defaults(owner, **given):
    """Raises ValueError for arguments that are known but not offered: each a pair (value, the one value that is taken)."""
    others = [f"{name}={value!r}" for name, (value, default) in given.items() if value is not default and value != default]
    if others:
        raise refused(ValueError, f"For '{owner}', {', '.join(others)} {'is' if len(others) == 1 else 'are'} not offered; leave "
                                  f"{'it' if len(others) == 1 else 'them'} out.")
