"""`mindspore.dataset.core`: what programs import of the data pipeline's inner parts."""

from plumb.dataset import config
