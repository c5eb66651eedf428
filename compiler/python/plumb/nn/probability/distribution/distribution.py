"""Distribution: what all distributions share, in the parsable subset.

A distribution is a cell: compiled functions call its methods, and plain Python's call of one compiles it as a whole. Parameters
that a constructor got are the defaults of every method; a method's own arguments behind its first take their places, and are
needed where the constructor got None.
"""

from plumb._checkparam import check_value_type
from plumb.common.api import Whole
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.nn.probability import _parameters
from plumb.ops import _functions as F
from plumb.ops.function.shape import broadcast_shapes


class Distribution(Cell):
    """Base of distributions.

    Subclasses define `_log_prob` or `_prob`, and which they have of `_cdf` or `_log_cdf`, `_mean`, `_mode`, `_sd` or `_var`,
    `_entropy`, `_cross_entropy`, `_kl_loss` and `_sample`; the others follow from those or raise NotImplementedError.

    Args:
      seed: makes samples another stream of random numbers; None or 0 draws from the program's.
      dtype: the events' element type.
      name: a name of the object's own.
      param: a dict with the constructor's parameters; "param_dict" holds those of the distribution, by name.
    """

    _shown = {}  # by the names of parameters, what `repr` calls them

    def __init__(self, seed, dtype, name, param):
        super().__init__()
        if not isinstance(name, str):
            raise TypeError(f"For '{type(self).__name__}', the 'name' must be a str, but got {type(name).__name__}.")
        check_value_type("seed", seed, (int, type(None)), type(self).__name__)
        if seed is not None and seed < 0:
            raise ValueError(f"For '{type(self).__name__}', the 'seed' must be an int of at least 0, but got {seed}.")
        values = param.get("param_dict", {})
        self._name, self._seed, self._dtype = name, seed or 0, dtype
        self._described = {key: value for key, value in param.items() if key != "self" and not key.startswith("_")}
        self.parameter_type = _parameters.element_type(values.values(), dtype)
        self.parameter_names, self.default_parameters = [], []
        self._batch_shape = _parameters.shape_of(values.values()) if values else ()
        self._is_scalar_batch = _parameters.are_numbers(values.values())
        self._broadcast_shape = self._batch_shape
        kind = type(self)
        self._by_prob = kind._log_prob is Distribution._log_prob and kind._prob is not Distribution._prob
        self._by_log_cdf = kind._cdf is Distribution._cdf and kind._log_cdf is not Distribution._log_cdf
        self._by_var = kind._sd is Distribution._sd and kind._var is not Distribution._var

    def _add_parameter(self, value, name):
        """Notes a parameter's default; returns it as a tensor."""
        tensor = _parameters.as_tensor(value, self.parameter_type)
        self.default_parameters.append(tensor)
        self.parameter_names.append(name)
        return tensor

    name = property(lambda self: self._name, doc="The object's name.")
    dtype = property(lambda self: self._dtype, doc="The events' element type.")
    seed = property(lambda self: self._seed, doc="The seed of its samples.")
    parameters = property(lambda self: self._described, doc="The constructor's parameters by name.")
    is_scalar_batch = property(lambda self: self._is_scalar_batch, doc="Whether its parameters are numbers.")
    batch_shape = property(lambda self: self._batch_shape, doc="The shape of its parameters together; None if one is None.")
    broadcast_shape = property(lambda self: self._broadcast_shape, doc="The shape that samples have behind their own.")

    # -- what subclasses call

    def _check_param_type(self, *given):
        """The parameters, those given or else the defaults, in one shape; a single one as it is."""
        found, shape = [], ()
        for place in range(len(self.parameter_names)):
            value = given[place] if place < len(given) else None
            value = self.default_parameters[place] if value is None else value
            if value is None:
                raise ValueError(f"{self.parameter_names[place]} must be given: the constructor of "
                                 f"'{type(self).__name__}' got None")
            if not isinstance(value, Tensor):
                raise TypeError(f"{self.parameter_names[place]} should be a Tensor, but got {value}")
            value = F.cast(value, self.parameter_type)
            shape = broadcast_shapes(shape, value.shape)
            found.append(value)
        if len(found) == 1:
            return found[0]
        return tuple([F.broadcast_to(value, shape) for value in found])

    def _check_value(self, value, name):
        """A value in the parameters' element type; raises TypeError where it is no tensor."""
        if not isinstance(value, Tensor):
            raise TypeError(f"{name} should be a Tensor, but got {value}")
        return F.cast(value, self.parameter_type)

    def _other(self, dist, *values):
        """The parameters of another distribution of this kind, in this one's element type."""
        if dist != self._get_dist_type():
            raise ValueError(f"The distribution must be {self._get_dist_type()}, but got {dist}")
        found = [value if isinstance(value, Tensor) else F.fill(self.parameter_type, (), value) for value in values]
        found = tuple([F.cast(value, self.parameter_type) for value in found])
        return found[0] if len(found) == 1 else found

    def _extents(self, shape, *values):
        """The shape of samples: their own before that of the parameters."""
        if not isinstance(shape, tuple):
            raise TypeError(f"shape should be a tuple, but got {shape}")
        return shape + broadcast_shapes(*[value.shape for value in values])

    def _missing(self, what):
        raise NotImplementedError(f"{type(self).__name__} should implement {what} method.")

    # -- what subclasses define

    def _get_dist_type(self):
        return type(self).__name__

    def _get_dist_args(self, *args):
        found = []
        for place in range(len(self.parameter_names)):
            value = args[place] if place < len(args) else None
            found.append(self.default_parameters[place] if value is None else value)
        return tuple(found)

    def _prob(self, value, *args):
        return F.exp(self._log_prob(value, *args))

    def _log_prob(self, value, *args):
        return F.log(self._prob(value, *args)) if self._by_prob else self._missing("_log_prob")

    def _cdf(self, value, *args):
        return F.exp(self._log_cdf(value, *args)) if self._by_log_cdf else self._missing("_cdf")

    def _log_cdf(self, value, *args):
        return F.log(self._cdf(value, *args))

    def _survival_function(self, value, *args):
        return 1.0 - self._cdf(value, *args)

    def _log_survival(self, value, *args):
        return F.log(self._survival_function(value, *args))

    def _sd(self, *args):
        return F.sqrt(self._var(*args)) if self._by_var else self._missing("_sd")

    def _var(self, *args):
        return F.square(self._sd(*args))

    def _mean(self, *args):
        return self._missing("_mean")

    def _mode(self, *args):
        return self._missing("_mode")

    def _entropy(self, *args):
        return self._missing("_entropy")

    def _kl_loss(self, dist, *args):
        return self._missing("_kl_loss")

    def _cross_entropy(self, dist, *args):
        count = len(self.parameter_names)
        return self._entropy(*args[count:]) + self._kl_loss(dist, *args)

    def _sample(self, shape=(), *args):
        return self._missing("_sample")

    # -- what programs call

    @Whole
    def prob(self, value, *args, **kwargs):
        """The density, or probability, of a value."""
        return self._prob(value, *self._in_order(args, kwargs))

    @Whole
    def log_prob(self, value, *args, **kwargs):
        """The logarithm of `prob`."""
        return self._log_prob(value, *self._in_order(args, kwargs))

    @Whole
    def cdf(self, value, *args, **kwargs):
        """The probability of a value's being reached and no more."""
        return self._cdf(value, *self._in_order(args, kwargs))

    @Whole
    def log_cdf(self, value, *args, **kwargs):
        """The logarithm of `cdf`."""
        return self._log_cdf(value, *self._in_order(args, kwargs))

    @Whole
    def survival_function(self, value, *args, **kwargs):
        """1 - cdf."""
        return self._survival_function(value, *self._in_order(args, kwargs))

    @Whole
    def log_survival(self, value, *args, **kwargs):
        """The logarithm of `survival_function`."""
        return self._log_survival(value, *self._in_order(args, kwargs))

    @Whole
    def mean(self, *args, **kwargs):
        """The mean."""
        return self._mean(*self._in_order(args, kwargs))

    @Whole
    def mode(self, *args, **kwargs):
        """The value of the greatest density."""
        return self._mode(*self._in_order(args, kwargs))

    @Whole
    def sd(self, *args, **kwargs):
        """The standard deviation."""
        return self._sd(*self._in_order(args, kwargs))

    @Whole
    def var(self, *args, **kwargs):
        """The variance."""
        return self._var(*self._in_order(args, kwargs))

    @Whole
    def entropy(self, *args, **kwargs):
        """The entropy, in nats."""
        return self._entropy(*self._in_order(args, kwargs))

    @Whole
    def kl_loss(self, dist, *args, **kwargs):
        """The Kullback-Leibler divergence from this to another distribution of the kind `dist`, whose parameters come first."""
        return self._kl_loss(dist, *self._in_order(args, kwargs, "_b"))

    @Whole
    def cross_entropy(self, dist, *args, **kwargs):
        """The cross entropy with another distribution of the kind `dist`, whose parameters come first."""
        return self._cross_entropy(dist, *self._in_order(args, kwargs, "_b"))

    @Whole
    def sample(self, shape=(), *args, **kwargs):
        """Random events of the shape `shape + broadcast_shape`."""
        return self._sample(shape, *self._in_order(args, kwargs))

    @Whole
    def get_dist_args(self, *args, **kwargs):
        """The distribution's parameters, those given or else the defaults, as a tuple."""
        return self._get_dist_args(*self._in_order(args, kwargs))

    def get_dist_type(self):
        """The name of the kind of distribution."""
        return self._get_dist_type()

    def _in_order(self, args, kwargs, others=None):
        """Arguments by position for those by name too; names of another distribution's end in `others`."""
        names = list(self.parameter_names)
        if others is not None:
            names = [name + others for name in names] + names
        found = list(args) + [None] * (len(names) - len(args))
        for name in kwargs:
            place = names.index(name[:-2] if name.endswith("_a") else name) if name in names or name.endswith("_a") else -1
            if place < 0 or place < len(args):
                raise TypeError(f"got an unexpected or repeated argument '{name}'")
            found[place] = kwargs[name]
        while len(found) > len(args) and found[-1] is None:
            found = found[:-1]
        return tuple(found)

    def construct(self, name, *args, **kwargs):
        """Compiled body: the method called `name`."""
        if name not in _METHODS:
            raise ValueError(f"A distribution has the methods {', '.join(_METHODS)}, but got {name}")
        return getattr(self, name)(*args, **kwargs)

    def extend_repr(self):
        """What `repr` shows."""
        if not self.is_scalar_batch:
            return f"batch_shape = {self.batch_shape}"
        return ", ".join(f"{self._shown.get(name, name)} = {value}" for name, value in zip(self.parameter_names, self.default_parameters))


_METHODS = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival", "mean", "mode", "sd", "var", "entropy",
            "kl_loss", "cross_entropy", "sample", "get_dist_args", "get_dist_type")
