"""Classes that note values for `SummaryRecord`: within compiled functions as well, also where steps are sunk."""

from plumb.common._offers import offered
from plumb.ops import _functions as F
from plumb.ops import _summaries
from plumb.ops._primitive import Composite


class _Summary(Composite):
    """Base of summaries: notes a value under a name; the newest one counts when `SummaryRecord.record` is called."""

    kind = ""

    def construct(self, name, value):
        """Compiled body."""
        F.assign(_summaries.holder(self.kind, name, value.shape, value.dtype), F.stop_gradient(value))
        return value


class ScalarSummary(_Summary):
    """Notes a number: `ScalarSummary()(name, value)`, a tensor of one element."""

    kind = "scalar"

    def construct(self, name, value):
        """Compiled body."""
        if value.size != 1:
            raise ValueError(f"For 'ScalarSummary', the value must have one element, but got the shape {value.shape}")
        F.assign(_summaries.holder(self.kind, name, value.shape, value.dtype), F.stop_gradient(value))
        return value


class TensorSummary(_Summary):
    """Notes a tensor: `TensorSummary()(name, value)`."""

    kind = "tensor"


class HistogramSummary(_Summary):
    """Notes a tensor of whose elements a histogram is made: `HistogramSummary()(name, value)`."""

    kind = "histogram"


class ImageSummary(_Summary):
    """Notes images (N, C, H, W), the first of which is shown: `ImageSummary()(name, value)`."""

    kind = "image"

    def construct(self, name, value):
        """Compiled body."""
        if value.ndim != 4:
            raise ValueError(f"For 'ImageSummary', the value must have four axes (N, C, H, W), but got {value.ndim}")
        F.assign(_summaries.holder(self.kind, name, value.shape, value.dtype), F.stop_gradient(value))
        return value


__all__ = [name for name in offered(globals()) if name.endswith("Summary")]
