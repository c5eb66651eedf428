"""`mindspore.dataset.engine.datasets`: the datasets under their second r1.x place."""

from plumb.dataset import engine as _engine
from plumb.common._offers import not_offered

globals().update({name: value for name, value in vars(_engine).items() if name[0].isupper()})

__getattr__ = not_offered(__name__)
