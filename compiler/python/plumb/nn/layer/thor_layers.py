"""Layers of networks that MindSpore trains by its second-order method: they compute as those without `Thor` in their names.

The matrices that the method keeps of each layer belong to its optimizer, `nn.thor`, which is not offered.
"""

from plumb.nn.layer.basic import Dense
from plumb.nn.layer.conv import Conv2d
from plumb.nn.layer.embedding import Embedding, EmbeddingLookup


class DenseThor(Dense):
    """`Dense`, for networks that other optimizers than nn.thor train."""


class Conv2dThor(Conv2d):
    """`Conv2d`, for networks that other optimizers than nn.thor train."""


class EmbeddingThor(Embedding):
    """`Embedding`, for networks that other optimizers than nn.thor train."""


class EmbeddingLookupThor(EmbeddingLookup):
    """`EmbeddingLookup`, for networks that other optimizers than nn.thor train."""
