"""`mindspore.dataset.engine`: the datasets under their r1.x place."""

from plumb import dataset as _dataset
from plumb.common._offers import not_offered

globals().update({name: value for name, value in vars(_dataset).items() if name[0].isupper() or name in ("config", "zip")})

__getattr__ = not_offered(__name__)
