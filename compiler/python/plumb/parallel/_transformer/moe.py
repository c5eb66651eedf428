"""Mixtures of experts under the name of the module that defines them in MindSpore 2.0: only their settings are offered."""

from plumb.common._offers import not_offered
from plumb.nn.transformer import MoEConfig

default_moe_config = MoEConfig()


def _check_moe_config(moe_config, parallel_config=None):
    """TypeError unless settings are a MoEConfig: its values were checked when it was made."""
    del parallel_config
    if not isinstance(moe_config, MoEConfig):
        raise TypeError(f"The 'moe_config' must be a MoEConfig, but got {type(moe_config).__name__}.")


__getattr__ = not_offered(__name__, instead={"MoE": "mixtures of experts are not offered; FeedForward is one expert"})
