"""What optimizers share: the parameters and their groups, learning rates, weight decay and loss scale.

A learning rate is a parameter (`learning_rate`) that lives on the device, so it can change between launches. A sequence of
rates is a parameter too, indexed on the device by `global_step`, and a schedule is a cell that computes the rate of
`global_step` in the step itself, so that a sink needs no host.
"""

import functools
import inspect

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter, ParameterTuple
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.nn.optim._groups import settings_of
from plumb.ops import _functions as F
from plumb.ops._maps import HyperMap, Map
from plumb.ops.operations import AssignAdd


def opt_init_args_register(fn):
    """Decorates an optimizer's `__init__`: what it is called with is kept in `init_args`, but its parameters and learning rate, which
    are kept in `init_params` and `init_learning_rate`.

    What it returns takes `*args, **kwargs`, for `inspect` too: programs that pass on only the settings whose names an
    optimizer's signature has, pass on none to these, and train with the defaults.
    """
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def init(self, *args, **kwargs):
        fn(self, *args, **kwargs)
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
        if "params" in given:
            self.init_params, self.init_learning_rate = {"params": given.pop("params")}, given.pop("learning_rate", None)
        self.init_args = given

    del init.__wrapped__
    return init


def _as_tensors(decays):
    """The numbers among `decays` as tensors, which optimizers of users' own take them for; equal ones are one tensor."""
    made = {decay: Tensor(decay, mstype.float32) for decay in decays if not isinstance(decay, Cell)}
    return tuple(decay if isinstance(decay, Cell) else made[decay] for decay in decays)


class Optimizer(Cell):
    """Base of optimizers, of the package's and of users' own.

    Args:
      learning_rate: a number; a 0-D Tensor; a sequence with one rate per step, whose last one stays for all further steps
        (MindSpore's CPU backend reads 0 behind it, so that nothing is learnt any more); or a LearningRateSchedule.
      parameters: the Parameters to update, or groups of them: dicts with "params" and, if they differ from the
        optimizer's, "lr", "weight_decay" and "grad_centralization" (convolutions' gradients lose their mean).
      weight_decay: L2 penalty added to the gradients: a number, or a cell that gives it by the step's number. Without
        groups, parameters with "beta" or "gamma" in their names (scales and shifts of normalisation) do not decay.
      loss_scale: the gradients are divided by it.

    Attributes:
      parameters, param_length, global_step, learning_rate, dynamic_lr, is_group, is_group_lr, decay_flags, loss_scale.
    """

    def __init__(self, learning_rate, parameters, weight_decay=0.0, loss_scale=1.0):
        super().__init__(auto_prefix=False)
        if isinstance(loss_scale, bool) or not isinstance(loss_scale, (int, float)) or loss_scale <= 0:
            raise ValueError(f"The 'loss_scale' must be above 0, but got {loss_scale}.")
        self.is_group, settings = settings_of(parameters, learning_rate, weight_decay)
        self.parameters = ParameterTuple(setting.parameter for setting in settings)
        self.param_length = len(self.parameters)
        self.loss_scale = float(loss_scale)
        self.need_scale = self.loss_scale != 1.0
        self.global_step = Parameter(initializer("zeros", (1,), mstype.int32), name="global_step", requires_grad=False)
        self._take_rates(settings)
        self._take_decays(settings)
        self.grad_centralization = any(setting.centred for setting in settings)
        self.centred = tuple(setting.centred and len(setting.parameter.shape) > 2 for setting in settings)
        self.counts_steps = self.dynamic_lr or self.dynamic_weight_decay
        self._offer_to_subclasses()

    def _offer_to_subclasses(self):
        """Sets what optimizers of programs' own read and call, as MindSpore's do; one device has no part of it to do."""
        count = self.param_length
        self._parameters, self.use_parallel, self.optim_filter = self.parameters, False, (True,) * count
        self.cache_enable, self.ps_parameters, self.param_rank = (False,) * count, (False,) * count, None
        self.map_, self.map_reverse, self.hyper_map, self.hyper_map_reverse = Map(), Map(), HyperMap(), HyperMap()
        self.assignadd, self.global_step_increase_tensor = AssignAdd(), Tensor(1, mstype.int32)
        self.reciprocal_scale = Tensor(1.0 / self.loss_scale, mstype.float32)
        if not self.dynamic_weight_decay:
            self.weight_decay_tensor = Tensor(np.asarray(self.weight_decays if self.is_group else self.weight_decays[0], np.float32))

    def _is_dynamic_lr_or_weight_decay(self):
        """Whether a step's rate or decay depends on its number."""
        return self.dynamic_lr or self.dynamic_weight_decay

    def _grad_sparse_indices_deduplicate(self, gradients):
        """The gradients, which are dense."""
        return gradients

    def _take_rates(self, settings):
        """Makes one parameter or schedule for each group's rate, and notes which of them each parameter learns by."""
        numbers = sorted({setting.group for setting in settings})
        self.is_group_lr = any(number >= 0 for number in numbers) if self.is_group else False
        rates = {}
        for setting in settings:
            if setting.group not in rates:
                name = f"learning_rate_group_{setting.group}" if self.is_group_lr and setting.group >= 0 else "learning_rate"
                rates[setting.group] = _rate(setting.rate, name)
        self.rates = tuple(rates[number] for number in numbers)
        for number, rate in enumerate(self.rates):
            self.__setattr__(f"rate_{number}" if self.is_group_lr else "learning_rate", rate)
        self.rate_kinds = tuple("schedule" if isinstance(rate, Cell) else "list" if rate.ndim else "fixed"
                                for rate in self.rates)
        self.rate_of = tuple(numbers.index(setting.group) for setting in settings)
        self.dynamic_lr = any(kind != "fixed" for kind in self.rate_kinds)
        if self.is_group_lr:
            self.learning_rate = tuple(self.rates[number] for number in self.rate_of)

    def _take_decays(self, settings):
        for setting in settings:
            if not isinstance(setting.decay, Cell) and (not isinstance(setting.decay, (int, float)) or setting.decay < 0):
                raise ValueError(f"The 'weight_decay' must be at least 0 or a cell that gives it, but got {setting.decay}.")
        decays = tuple(setting.decay if isinstance(setting.decay, Cell) else float(setting.decay) for setting in settings)
        named = tuple(not self.is_group and ("beta" in setting.parameter.name or "gamma" in setting.parameter.name)
                      for setting in settings)
        self.weight_decays = decays
        given = _as_tensors(decays)
        self.weight_decay = given if self.is_group else given[0]
        self.dynamic_decay_flags = tuple(isinstance(decay, Cell) for decay in decays)
        self.dynamic_weight_decay = any(self.dynamic_decay_flags)
        self.decay_flags = tuple((dynamic or decay > 0) and not kept for dynamic, decay, kept
                                 in zip(self.dynamic_decay_flags, decays, named))
        self.exec_weight_decay = any(self.decay_flags)

    def state(self, prefix, init="zeros"):
        """Makes one state parameter per trained parameter, named `prefix.<name>`."""
        state = self.parameters.clone(prefix, init)
        for parameter in state:
            parameter.requires_grad = False
        return state

    # -- compiled

    def get_lr(self):
        """The step's rate, or a tuple of one for each parameter where groups have their own; counts the step."""
        rates = ()
        for i in range(len(self.rates)):
            rates = rates + (self.rate_at(i),)
        self.count()
        if not self.is_group_lr:
            return rates[0]
        by_parameter = ()
        for number in self.rate_of:
            by_parameter = by_parameter + (rates[number],)
        return by_parameter

    def rate_at(self, i):
        """The i-th of `rates` in this step."""
        rate = self.rates[i]
        if self.rate_kinds[i] == "schedule":
            return F.reshape(rate(self.global_step), ())
        if self.rate_kinds[i] == "list":
            return F.reshape(F.gather(rate, F.minimum(self.global_step, rate.shape[0] - 1), 0), ())
        return rate

    def rates_by_parameter(self):
        """The step's rate for each parameter; counts the step."""
        rates = self.get_lr()
        if self.is_group_lr:
            return rates
        return (rates,) * self.param_length

    def step_number(self):
        """The number of this step, from 1, of float32; an optimizer that asks sets `counts_steps`."""
        return F.reshape(F.cast(self.global_step, mstype.float32), ()) + 1.0

    def construct(self, *hyper_params):
        """What optimizers that users write define."""
        raise NotImplementedError(f"'{type(self).__name__}' defines no construct, which takes a step.")

    def count(self):
        """Counts the step where something depends on its number."""
        if self.counts_steps:
            F.assign(self.global_step, self.global_step + 1)

    def get_weight_decay(self):
        """The step's weight decay, or a tuple of one for each parameter where there are groups."""
        if not self.dynamic_weight_decay:
            return self.weight_decay
        if not self.is_group:
            return self.decay_at(0)
        decays = ()
        for i in range(self.param_length):
            decays = decays + (self.decay_at(i) if self.dynamic_decay_flags[i] else self.weight_decay[i],)
        return decays

    def decay_at(self, i, counted=0):
        """The i-th parameter's weight decay in this step; `counted` is 1 once the step has been counted."""
        decay = self.weight_decays[i]
        if self.dynamic_decay_flags[i]:
            return F.reshape(decay(self.global_step - counted), ())
        return decay

    def prepared(self, i, gradient):
        """The i-th gradient, unscaled, with weight decay, and without its mean if its group has `grad_centralization`."""
        gradient = self.unscaled(i, gradient)
        if self.decay_flags[i]:
            gradient = gradient + self.parameters[i] * self.decay_at(i)
        return gradient

    def unscaled(self, i, gradient):
        """The i-th gradient as `prepared` gives it, but without weight decay."""
        if self.need_scale:
            gradient = gradient / self.loss_scale
        if self.centred[i]:
            gradient = centred(gradient)
        return gradient

    def decay_weight(self, gradients):
        """The gradients with weight decay, for optimizers that users write."""
        result = ()
        for i in range(self.param_length):
            gradient = gradients[i]
            if self.decay_flags[i]:
                gradient = gradient + self.parameters[i] * self.decay_at(i)
            result = result + (gradient,)
        return result

    def scale_grad(self, gradients):
        """The gradients divided by the loss scale, for optimizers that users write."""
        result = ()
        for gradient in gradients:
            result = result + (gradient / self.loss_scale if self.need_scale else gradient,)
        return result

    def gradients_centralization(self, gradients):
        """The gradients, without their means in groups with `grad_centralization`; for optimizers that users write."""
        result = ()
        for i in range(self.param_length):
            result = result + (centred(gradients[i]) if self.centred[i] else gradients[i],)
        return result

    def flatten_gradients(self, gradients):
        """The gradients: parameters are never merged into one here."""
        return gradients

    def broadcast_params(self, optim_result):
        """The result: there is one device."""
        return optim_result

    # -- on the host

    def get_lr_parameter(self, param):
        """Returns the rate of a parameter, or of each of several: a Parameter, or a LearningRateSchedule."""
        if isinstance(param, Parameter):
            for known, number in zip(self.parameters, self.rate_of):
                if known is param:
                    return self.rates[number]
            raise ValueError(f"The parameter '{param.name}' is not one of this optimizer's.")
        return [self.get_lr_parameter(each) for each in param]

    @property
    def target(self):
        """Where the parameters are updated."""
        return "CPU"

    @target.setter
    def target(self, value):
        self._set_base_target(value)

    def _set_base_target(self, value):
        """Checks where the parameters should be updated: there is one device."""
        if value not in ("CPU", "Ascend", "GPU"):
            raise ValueError(f"The 'target' must be 'CPU', 'Ascend' or 'GPU', but got {value}.")

    @property
    def unique(self):
        """Whether rows of gradients of one number are added up first, which is so always."""
        return True

    @unique.setter
    def unique(self, value):
        if not isinstance(value, bool):
            raise TypeError(f"The 'unique' must be a bool, but got {type(value).__name__}.")


class ByParameter(Optimizer):
    """An optimizer that updates each parameter by itself.

    Subclasses define `updated(i, weight, gradient, rate, step)`, the new value of the i-th parameter, and may define
    `begin()`, which gives `step`: what a step computes once for all parameters. `decouples` says that weight decay is
    the update's own, so that gradients come without it.
    """

    decouples = False

    def construct(self, gradients):
        """Compiled body."""
        if len(gradients) != self.param_length:
            raise ValueError("the number of gradients is not that of the optimizer's parameters")
        decayed = ()
        for i in range(self.param_length):
            decayed = decayed + (self.unscaled(i, gradients[i]) if self.decouples else self.prepared(i, gradients[i]),)
        step = self.begin()
        rates = self.rates_by_parameter()
        for i in range(self.param_length):
            weight = self.parameters[i]
            F.assign(weight, self.updated(i, weight, decayed[i], rates[i], step))
        return True

    def begin(self):
        """What a step computes once."""
        return None


def centred(gradient):
    """A convolution's gradient without its mean over all axes but the first."""
    return gradient - F.reduce_mean(gradient, tuple(range(1, gradient.ndim)), True)


def check_lock(who, use_locking):
    """Raises TypeError unless `use_locking` is True or False: both mean the same where updates never interleave."""
    if not isinstance(use_locking, bool):
        raise TypeError(f"For '{who}', the 'use_locking' must be a bool, but got {type(use_locking).__name__}.")


def _rate(value, name):
    """The Parameter of a number or a sequence of them; a schedule as it is."""
    if isinstance(value, Cell):
        return value
    if not isinstance(value, (int, float, Tensor, np.ndarray)):
        value = [float(each) for each in value]
    rates = np.asarray(value.asnumpy() if isinstance(value, Tensor) else value, np.float32)
    if rates.ndim > 1 or rates.size == 0 or np.any(rates < 0) or isinstance(value, bool):
        raise ValueError(f"The 'learning_rate' must be a number of at least 0 or a sequence of them, but got {value}.")
    return Parameter(Tensor(rates), name=name, requires_grad=False)
