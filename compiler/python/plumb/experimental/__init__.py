"""Interfaces that MindSpore calls experimental: optimizers whose rates the program sets."""

from plumb.common._offers import HASHED, not_offered
from plumb.experimental import optim

__getattr__ = not_offered(__name__, instead={
    "MapParameter": HASHED, "es": "tables that another process keeps are not offered: nn.EmbeddingLookup keeps its table whole"})
