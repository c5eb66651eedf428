"""`mindspore.scipy`: linear algebra and optimisation."""

from plumb.common._offers import not_offered as _not_offered
from plumb.scipy import fft, linalg, ops, optimize

__getattr__ = _not_offered(__name__)
