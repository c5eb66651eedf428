"""Classes of operations inside other layers."""

from plumb.common._offers import offered
from plumb.ops._primitive import function_classes
from plumb.ops.function import sequences

globals().update(function_classes({"NoRepeatNGram": (sequences.no_repeat_ngram, {"ngram_size": 1})}))

__all__ = [name for name in offered(globals()) if name[0].isupper()]
