"""Layers of the blocks under the names of MindSpore 2.0."""

from plumb.nn.layer.basic import Dropout as _Dropout
from plumb.nn.layer.normalization import LayerNorm
from plumb.nn.transformer import Linear as _Linear


class _LayerNorm(LayerNorm):
    """LayerNorm over the last axes, with an epsilon of 1e-5."""

    def __init__(self, normalized_shape, eps=1e-5, param_init_type=None):
        super().__init__(normalized_shape, epsilon=eps)
