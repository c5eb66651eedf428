"""`mindspore.parallel._cost_model_context`: prices of a search for ways to spread a network, which one device needs not."""

_settings = {}


def set_cost_model_context(**kwargs):
    """Keeps settings by name."""
    _settings.update(kwargs)


def get_cost_model_context(attr_key):
    """Returns a setting."""
    if attr_key not in _settings:
        raise ValueError(f"For 'get_cost_model_context', '{attr_key}' was not set.")
    return _settings[attr_key]


def reset_cost_model_context():
    """Forgets all settings."""
    _settings.clear()


def _set_multi_subgraphs(multi_subgraph=True):
    """Keeps whether the network is several graphs."""
    _settings["multi_subgraphs"] = bool(multi_subgraph)
