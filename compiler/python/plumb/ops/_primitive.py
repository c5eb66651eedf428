"""Primitives: what the compiler knows by name.

A primitive is a mnemonic of the `net` dialect and the values of the arguments its constructor fixed. Inside compiled
functions it prints as `#net.primitive<"reduce_mean", {keep_dims = false}>`; called on tensors from plain Python it
compiles into a one-step executable, cached by signature.
"""

import functools
import inspect

from plumb.common import _taping
from plumb.common._offers import only_defaults


@functools.lru_cache(maxsize=None)
def _engine():
    """The engine, which imports this module."""
    from plumb import _engine as engine
    return engine


def _called(mnemonics, **own):
    return {mnemonic: own for mnemonic in mnemonics.split()}


# Keywords of MindSpore's functions, where the operations call the arguments by other names.
_KEYWORDS = {
    **_called("abs neg relu relu6 sign square invert", input="x"),
    **_called("add sub mul bitwise_and bitwise_or bitwise_xor left_shift right_shift equal not_equal greater greater_equal less "
              "less_equal floor_div mod maximum minimum", input="x", other="y"),
    **_called("broadcast_to", input="x"), **_called("cast", input="x", input_x="x", type="dtype"),
    **_called("expand_dims", input="x", input_x="x"), **_called("stack", tensors="xs", input_x="xs"),
    **_called("stop_gradient", value="x"), **_called("tile", input="x", input_x="x"),
    **_called("transpose", input="x", input_x="x", input_perm="perm"),
}


def check_place(who, role, rank_id):
    """Raises ValueError where another process is meant than the one that there is."""
    if (role, rank_id) != ("MS_WORKER", 0):
        raise ValueError(f"For '{who}', 'role' and 'rank_id' must be 'MS_WORKER' and 0, as there is one process, but got {role!r} and {rank_id!r}.")


class Primitive:
    """A primitive operation with some of its arguments fixed.

    Args:
      mnemonic: the operation's name in the `net` dialect, or `builtins.<name>`.
      config: arguments fixed now, by the operation's own parameter names.
    """

    def __init__(self, mnemonic, **config):
        self.mnemonic = mnemonic
        self.config = config

    @property
    def name(self):
        """The operation's name: of public classes the class's."""
        return self.mnemonic if type(self) is Primitive else type(self).__name__

    @property
    def attrs(self):
        """What `add_prim_attr` and `init_prim_io_names` have noted, by name."""
        return self.__dict__.setdefault("_noted", {})

    def __call__(self, *args, **kwargs):
        given = {self.own_keyword(name): value for name, value in kwargs.items()} if kwargs else kwargs
        return _engine().call(self, args, given)

    def own_keyword(self, name):
        """What the operation calls the argument that MindSpore's function calls `name`."""
        return _KEYWORDS.get(self.mnemonic, {}).get(name, name)

    def shard(self, in_strategy=None, out_strategy=None):
        """How several devices would share the operation; returns the primitive, which one device computes whole."""
        return self.add_prim_attr("in_strategy", in_strategy).add_prim_attr("out_strategy", out_strategy)

    def add_prim_attr(self, name, value):
        """Notes a hint for MindSpore's compiler, which this one does not need; returns the primitive."""
        self.attrs[name] = value
        if not hasattr(self, name):
            setattr(self, name, value)
        return self

    def del_prim_attr(self, name):
        """Takes back what `add_prim_attr` has noted; returns the primitive."""
        if name in self.attrs and self.__dict__.get(name) is self.attrs.pop(name):
            delattr(self, name)
        return self

    def init_prim_io_names(self, inputs, outputs):
        """Notes what inputs and outputs are called."""
        self.add_prim_attr("input_names", inputs).add_prim_attr("output_names", outputs)

    def place(self, role, rank_id):
        """Takes the one process that there is, the role "MS_WORKER" and the number 0; raises ValueError for others."""
        check_place(f"{self.name}.place", role, rank_id)

    def set_device(self, device_target):
        """Notes where the operation should run: there is one device; returns the primitive."""
        return self.add_prim_attr("primitive_target", device_target)

    def set_stage(self, stage):
        """Notes the stage of a pipeline, of which there is one; returns the primitive."""
        return self.add_prim_attr("stage", stage)

    def recompute(self, mode=True):
        """Notes that results should be computed again for gradients: the compiler chooses itself; returns the primitive."""
        return self.add_prim_attr("recomputes", mode)

    def set_prim_instance_name(self, name):
        """Notes a name; returns the primitive."""
        return self.add_prim_attr("instance_name", name)

    def check_elim(self, *args):
        """(False, None): no call is known to give what it gets."""
        return False, None

    def __repr__(self):
        noted = {name: value for name, value in {**self.config, **self.attrs}.items() if name not in ("input_names", "output_names")}
        return f"Prim[{self.name}]" + (f"<{', '.join(f'{name}={value}' for name, value in noted.items())}>" if noted else "")


class Composite(Primitive):
    """A primitive class of the public API that is a Python function over others.

    Subclasses have a `construct` in the parsable subset, as cells have; they may read members that `__init__` set.
    """

    def __init__(self):
        super().__init__(type(self).__name__)

    def __call__(self, *args, **kwargs):
        if _taping.current() is not None and hasattr(self, "bprop"):
            from plumb import _engine
            return _engine.call(self, args, kwargs)  # with its own rule for the gradient
        return self.construct(*args, **kwargs)


def simple_class(name, mnemonic, parameters=(), rename=(), note=""):
    """Makes a public primitive class.

    Args:
      name: the class's name ("ReduceMean").
      mnemonic: the dialect's name ("reduce_mean").
      parameters: constructor parameters, (name, default) pairs; `Ellipsis` as default means required.
      rename: pairs (constructor parameter, dialect parameter) where the two differ.
      note: what else its documentation says.
    """
    names = [parameter for parameter, _ in parameters]
    spelled = dict(rename)

    def __init__(self, *args, **kwargs):
        config = bind(name, parameters, names, args, kwargs)
        Primitive.__init__(self, mnemonic, **{spelled.get(key, key): value for key, value in config.items()})

    summary = f"Primitive `{mnemonic}`" + (f" with {', '.join(names)} fixed." if names else ".")
    summary += f"\n\n{note}" if note else ""
    __init__.__signature__ = signature_of(parameters)
    return type(name, (Primitive,), {"__init__": __init__, "__doc__": summary, "__module__": "plumb.ops"})


class Named:
    """A constructor parameter that the function calls by another name.

    Args:
      default: its default; Ellipsis when it must be given.
      name: the function's name for it.
    """

    def __init__(self, default, name):
        self.default, self.name = default, name


class Only:
    """A constructor parameter of which only the default is offered: any other value is refused by name."""

    def __init__(self, default):
        self.default = default


class Unordered:
    """A constructor parameter about locks, which a program whose updates never interleave has no need of: True or False."""

    def __init__(self, default):
        self.default = default


class FunctionClass(Composite):
    """A public class that calls a function with what its constructor was given. Subclasses are made by `function_class`.

    Inputs may have the function's names, as later versions of MindSpore take them.

    Attributes:
      partly: parameters of the constructor of which only the default is offered.
    """

    def construct(self, *inputs, **named):
        """Compiled body."""
        return self.function(*inputs, **named, **self.arguments)


def function_class(name, function, **parameters):
    """Makes a public class from a function of the parsable subset.

    Args:
      name: the class's name ("CeLU").
      function: what its instances call, with the constructor's arguments by name behind the inputs.
      parameters: the constructor's parameters in order: a default, Ellipsis when it must be given, or one of the kinds above.
    """
    kinds = {key: value if isinstance(value, (Named, Only, Unordered)) else Named(value, key)
             for key, value in parameters.items()}
    defaults = [(key, kind.default) for key, kind in kinds.items()]

    def __init__(self, *args, **kwargs):
        Composite.__init__(self)
        config = bind(name, defaults, list(kinds), args, kwargs)
        only_defaults(name, **{key: (config[key], kind.default) for key, kind in kinds.items() if isinstance(kind, Only)})
        self.function = function
        self.arguments = {kind.name: config[key] for key, kind in kinds.items() if isinstance(kind, Named)}
        for key, value in config.items():
            setattr(self, key, value)

    __init__.__signature__ = signature_of(defaults)
    partly = tuple(key for key, kind in kinds.items() if isinstance(kind, Only))
    return type(name, (FunctionClass,), {"__init__": __init__, "__doc__": function.__doc__, "__module__": "plumb.ops", "partly": partly})


def signature_of(parameters):
    """The signature of a constructor that takes (name, default) pairs, for `help`."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature([inspect.Parameter("self", kind)] + [
        inspect.Parameter(name, kind, default=inspect.Parameter.empty if default is ... else default) for name, default in parameters])


def function_classes(table):
    """Makes the classes of a table: names and pairs of a function and its constructor's parameters, or a function alone."""
    return {name: function_class(name, row[0], **row[1]) if isinstance(row, tuple) else function_class(name, row)
            for name, row in table.items()}


def bind(who, parameters, names, args, kwargs):
    """Binds a constructor's arguments to (name, default) pairs; raises TypeError as Python would."""
    if len(args) > len(names):
        raise TypeError(f"{who}() takes {len(names)} arguments but {len(args)} were given")
    config = dict(zip(names, args))
    for key, value in kwargs.items():
        if key not in names or key in config:
            raise TypeError(f"{who}() got an unexpected or repeated argument '{key}'")
        config[key] = value
    for key, default in parameters:
        if key not in config:
            if default is ...:
                raise TypeError(f"{who}() misses the argument '{key}'")
            config[key] = default
        for kind in (bool, str):
            if isinstance(default, kind) and not isinstance(config[key], kind):
                raise TypeError(f"For '{who}', the '{key}' must be {kind.__name__}, but got {type(config[key]).__name__}")
    return config
