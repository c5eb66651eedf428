"""Primitives: what the compiler knows by name.

A primitive is a mnemonic of the `net` dialect and the values of the arguments its constructor fixed. Inside compiled
functions it prints as `#net.primitive<"reduce_mean", {keep_dims = false}>`; called on tensors from plain Python it
compiles into a one-step executable, cached by signature.
"""


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
        """The operation's name."""
        return self.mnemonic

    def __call__(self, *args, **kwargs):
        from plumb import _engine
        return _engine.call(self, args, kwargs)

    def __repr__(self):
        return f"Prim[{self.mnemonic}]{self.config or ''}"


class Composite(Primitive):
    """A primitive class of the public API that is a Python function over others.

    Subclasses have a `construct` in the parsable subset, as cells have; they may read members that `__init__` set.
    """

    def __init__(self):
        super().__init__(type(self).__name__)

    def __call__(self, *args, **kwargs):
        return self.construct(*args, **kwargs)


def simple_class(name, mnemonic, parameters=(), rename=()):
    """Makes a public primitive class.

    Args:
      name: the class's name ("ReduceMean").
      mnemonic: the dialect's name ("reduce_mean").
      parameters: constructor parameters, (name, default) pairs; `Ellipsis` as default means required.
      rename: pairs (constructor parameter, dialect parameter) where the two differ.
    """
    names = [parameter for parameter, _ in parameters]
    spelled = dict(rename)

    def __init__(self, *args, **kwargs):
        config = bind(name, parameters, names, args, kwargs)
        Primitive.__init__(self, mnemonic, **{spelled.get(key, key): value for key, value in config.items()})

    summary = f"Primitive `{mnemonic}`" + (f" with {', '.join(names)} fixed." if names else ".")
    return type(name, (Primitive,), {"__init__": __init__, "__doc__": summary, "__module__": "plumb.ops"})


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
    return config
