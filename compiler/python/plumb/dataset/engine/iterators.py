"""`mindspore.dataset.engine.iterators`: the datasets under their inner place, where programs look for those of iterators."""

from plumb.common._offers import not_offered
from plumb.dataset._dataset import DictIterator, Passes as Iterator, TupleIterator, stop_iterators as _cleanup
from plumb.dataset.engine.datasets import *  # pylint: disable=wildcard-import


def _unset_iterator_cleanup():
    """Allows iterators again after `_cleanup`, which here stops those that exist and forbids none."""


__getattr__ = not_offered(__name__)
