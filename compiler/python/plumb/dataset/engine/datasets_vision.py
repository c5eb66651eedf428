"""`mindspore.dataset.engine.datasets_vision`: the datasets under their inner place, where programs look for those of images."""

from plumb.common._offers import not_offered
from plumb.dataset.engine.datasets import *  # pylint: disable=wildcard-import

__getattr__ = not_offered(__name__)
