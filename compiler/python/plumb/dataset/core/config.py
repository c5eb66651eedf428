"""`mindspore.dataset.core.config`: `plumb.dataset.config` under its inner place."""

import sys

from plumb.dataset import config

sys.modules[__name__] = config
