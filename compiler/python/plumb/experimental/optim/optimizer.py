"""Optimizer: groups of parameters, each with its learning rate, which lives on the device, and its other settings."""

from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter, ParameterTuple
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.ops import _functions as F


class Optimizer(Cell):
    """Base of optimizers. A call with the gradients of `parameters` updates them.

    Subclasses define `update(i, weight, gradient, rate, settings)`, which returns the new weight.

    Args:
      params: Parameters, or groups of them: dicts with "params" and the settings that differ from the others'.
      defaults: the settings by name, "lr" among them.

    Attributes:
      param_groups: the groups, dicts with all settings; "lr" is a Parameter, which may be set between calls. Others are constants of the
        compiled update.
      parameters: all Parameters, group by group.
      lrs: the groups' learning rates.
    """

    def __init__(self, params, defaults):
        super().__init__(auto_prefix=False)
        if params is None or isinstance(params, (Tensor, set)):
            raise TypeError(f"For 'Optimizer', the argument params must be a list of Parameters or of dicts, but got "
                            f"{type(params).__name__}.")
        given = list(params)
        if not given:
            raise ValueError("For 'Optimizer', the argument params must not be empty.")
        self.defaults, self.param_groups, self.lrs = dict(defaults), [], []
        self.parameters, self.group_start_id = ParameterTuple(()), [0]
        for group in given if isinstance(given[0], dict) else [{"params": given}]:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        """Adds a group of Parameters: a dict with "params" and the settings that differ from the others'."""
        if not isinstance(param_group, dict):
            raise TypeError("Param group must be a dict.")
        group = {**self.defaults, **param_group}
        members = group["params"]
        group["params"] = [members] if isinstance(members, Parameter) else list(members)
        for one in group["params"]:
            if not isinstance(one, Parameter):
                raise TypeError(f"Optimizer can only optimize Parameters, but one of the params is {type(one).__name__}.")
        known = {id(one) for one in self.parameters}
        if any(id(one) in known for one in group["params"]):
            raise ValueError("some parameters appear in more than one parameter group.")
        group["lr"] = self._rate(group["lr"], f"learning_rate_group_{len(self.param_groups)}")
        self.check(group)
        self.param_groups.append(group)
        self.lrs.append(group["lr"])
        self.parameters = ParameterTuple(list(self.parameters) + group["params"])
        self.group_start_id.append(len(self.parameters))
        self.grown(group)

    @staticmethod
    def _rate(value, name):
        if isinstance(value, bool) or not isinstance(value, (int, float, Tensor)):
            raise TypeError(f"For 'Optimizer', the learning rate must be a number or a Tensor, but got {type(value).__name__}.")
        number = float(value.asnumpy()) if isinstance(value, Tensor) else float(value)
        if number < 0:
            raise ValueError(f"Invalid learning rate: {number}")
        return Parameter(Tensor(number, mstype.float32), name=name, requires_grad=False)

    def check(self, group):
        """Raises where a group's settings are wrong."""

    def grown(self, group):
        """Makes what is kept for each Parameter, after a group was added."""

    def state(self, name, init="zeros"):
        """One Parameter for each trained one, of zeros or of what `initializer` takes."""
        made = self.parameters.clone(name, init)
        for parameter in made:
            parameter.requires_grad = False
        return made

    def construct(self, gradients):
        """Compiled body."""
        self.begin()
        for number in range(len(self.param_groups)):
            group = self.param_groups[number]
            for i in range(self.group_start_id[number], self.group_start_id[number + 1]):
                weight, gradient = self.parameters[i], gradients[i]
                if group["maximize"]:
                    gradient = -gradient
                F.assign(weight, self.update(i, weight, gradient, self.lrs[number], group))
        return True

    def begin(self):
        """What happens once in a call, before the updates."""

    def update(self, i, weight, gradient, rate, settings):
        """The new weight of the i-th Parameter."""
        raise NotImplementedError("an Optimizer defines 'update' or 'construct'")

    def __repr__(self):
        lines = []
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            lines += [f"    {key}: {float(value.asnumpy()) if key == 'lr' else value}" for key, value in sorted(group.items())
                      if key != "params"]
        return f"{type(self).__name__} (\n" + "\n".join(lines) + "\n)"


class CountingOptimizer(Optimizer):
    """Base of those that count their calls in `state_step`, beginning with 1."""

    def grown(self, group):
        """Makes the count; subclasses make their states, too."""
        self.state_step = Parameter(Tensor(0.0, mstype.float32), name="state_step", requires_grad=False)

    def begin(self):
        """Counts the call."""
        F.assign(self.state_step, self.state_step + 1.0)


def decayed(weight, gradient, settings):
    """The gradient with what the weight loses of itself, in the parsable subset."""
    return gradient + weight * settings["weight_decay"] if settings["weight_decay"] != 0 else gradient


def check_settings(optimizer, group, least, below_one=()):
    """Raises ValueError where a setting is below 0, or one of `below_one`, numbers or pairs of them, is not from 0 to below 1."""
    for name in least:
        if group[name] < 0:
            raise ValueError(f"For '{type(optimizer).__name__}', {name} must be at least 0, but got {group[name]}.")
    for name in below_one:
        numbers = group[name] if isinstance(group[name], (tuple, list)) else [group[name]]
        if not all(0 <= number < 1 for number in numbers):
            raise ValueError(f"For '{type(optimizer).__name__}', {name} must be from 0 to below 1, but got {group[name]}.")
