"""Groups of parameters: what each parameter of an optimizer learns and decays by.

An optimizer takes a list of Parameters, or one of dicts, each with its own "params" and, where they differ from the
optimizer's, "lr", "weight_decay" and "grad_centralization". A dict with "order_params" says in which order they stand.
"""

from plumb.common.parameter import Parameter, ParameterTuple, number_unnamed, parameters_of

_KEYS = ("params", "lr", "weight_decay", "grad_centralization", "order_params")


class Setting:
    """What holds for one parameter: `rate` and `decay` as the user gave them, `centred`, and the number of its group."""

    def __init__(self, parameter, rate, decay, centred, group):
        self.parameter, self.rate, self.decay, self.centred, self.group = parameter, rate, decay, centred, group


def settings_of(parameters, learning_rate, weight_decay):
    """Returns (whether there are groups, one Setting for each parameter in the optimizer's order)."""
    if parameters is None:
        raise ValueError("For 'Optimizer', the 'parameters' are needed, but got None.")
    items = list(parameters)
    if not items:
        raise ValueError("For 'Optimizer', the argument parameters must not be empty. (Cells in a plain list are no part of "
                         "their owner: put them into an nn.CellList.)")
    grouped = isinstance(items[0], dict)
    if not grouped:
        settings = [Setting(parameter, learning_rate, weight_decay, False, 0) for parameter in ParameterTuple(items)]
    else:
        settings = _of_groups(items, learning_rate, weight_decay)
        number_unnamed([setting.parameter for setting in settings])
    _check_names(settings)
    return grouped, settings


def _of_groups(groups, learning_rate, weight_decay):
    settings, order = [], None
    for number, group in enumerate(groups):
        if not isinstance(group, dict):
            raise TypeError("For 'Optimizer', the parameters are Parameters, or dicts that hold them, but not both.")
        unknown = [key for key in group if key not in _KEYS]
        if unknown:
            raise KeyError(f"For 'Optimizer', a group holds {', '.join(_KEYS)}, but got {', '.join(map(repr, unknown))}.")
        if "order_params" in group:
            order = ParameterTuple(group["order_params"])
            continue
        if not group.get("params"):
            raise ValueError("For 'Optimizer', the 'params' of a group must not be empty.")
        for parameter in parameters_of(group["params"]):
            settings.append(Setting(parameter, group.get("lr", learning_rate), group.get("weight_decay", weight_decay),
                                    bool(group.get("grad_centralization", False)), number if "lr" in group else -1))
    return settings if order is None else _ordered(settings, order)


def _ordered(settings, order):
    by_parameter = {id(setting.parameter): setting for setting in settings}
    if len(order) != len(settings) or any(id(parameter) not in by_parameter for parameter in order):
        raise ValueError("For 'Optimizer', 'order_params' must hold the parameters of all groups, each once.")
    return [by_parameter[id(parameter)] for parameter in order]


def _check_names(settings):
    names = [setting.parameter.name for setting in settings]
    for name in names:
        if names.count(name) > 1:
            raise RuntimeError(f"For 'Optimizer', the parameters must have different names, but there are several "
                               f"called '{name}'.")
    for setting in settings:
        if not isinstance(setting.parameter, Parameter):
            raise TypeError("For 'Optimizer', every parameter must be a Parameter.")
