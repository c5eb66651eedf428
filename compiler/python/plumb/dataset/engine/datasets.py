"""`mindspore.dataset.engine.datasets`: the datasets under their second r1.x place."""

from plumb.dataset import engine as _engine
from plumb.common._offers import not_offered

globals().update({name: value for name, value in vars(_engine).items() if name[0].isupper()})



def _set_training_dataset(_):
    """MindSpore notes which dataset trains; here a run knows it."""


__getattr__ = not_offered(__name__)
