"""`mint.optim`: optimizers with PyTorch's arguments."""

from plumb.common._offers import not_offered
from plumb.experimental.optim import SGD, Adam, AdamW

__getattr__ = not_offered(__name__)
