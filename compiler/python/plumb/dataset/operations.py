"""Row operations: what `map` applies to a column. They are declarations; the runtime computes them."""

import enum

import numpy as np

from plumb.common import dtype as mstype
from plumb.dataset._errors import Operation
from plumb.dataset._pipeline import Column, Node, element_name, to_json


class Inter(enum.IntEnum):
    """Ways to interpolate when an image is resized."""

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = 2
    LINEAR = 2
    BICUBIC = 3
    CUBIC = 3
    AREA = 4
    PILCUBIC = 5


class RowOperation(Operation):
    """Base of row operations."""

    native = True  # whether the runtime knows it
    on_images = False  # whether it works on images only: [height, width, channels], or one plane
    takes_videos = True  # whether it works on videos, frame by frame: [..., height, width, channels]

    def table(self):
        """Returns the operation's (kind, table) of the schema."""
        raise NotImplementedError

    def check(self, column):
        """Raises when the operation does not fit the column."""

    def fitted(self, column):
        """The operation as it is for rows of a column's shape."""
        return self

    def __call__(self, value):
        """Applies the operation to one array, by the runtime, as a pipeline would."""
        return Chain([self])(value)

    def _needs_image(self, column):
        if len(column.shape) != 3:
            raise ValueError(f"{type(self).__name__} works on images of shape [height, width, channels], but the "
                             f"column '{column.name}' has the shape {list(column.shape)}.")


class Chain:
    """Row operations one after another on one array, by the runtime in one go."""

    def __init__(self, operations):
        self.operations = operations

    def __call__(self, value):
        from plumb import _native
        if isinstance(self.operations[0], Resize) and hasattr(value, "getbands"):
            return self._after_pillow(value)
        array = np.asarray(value, order="C")
        if array.ndim == 2 and any(operation.on_images for operation in self.operations):
            return self._on_plane(array)
        if array.ndim > 3 and any(operation.on_images for operation in self.operations) and \
                all(operation.takes_videos for operation in self.operations):
            from plumb.dataset.vision import images
            return images.of_frames(array, self)
        columns = [Column("value", mstype.as_dtype(array.dtype), array.shape)]
        source = {"columns": [{"name": "value", "element": element_name(columns[0].dtype), "shape": list(array.shape)}]}
        nodes = []
        for operation in self.operations:
            operation.check(columns[0])
            kind, table = operation.fitted(columns[0]).table()
            nodes.append(Node("Map", {"column": "value", "operation_type": kind, "operation": table}))
            columns = nodes[-1].columns(columns)
        return _native.run_pipeline(to_json("ArraySource", source, False, nodes, 1), {"value": array[np.newaxis]})[0]

    def _after_pillow(self, image):
        """An image of Pillow is resized as Pillow does."""
        from plumb.dataset.vision import images
        resized, rest = images.action_of(self.operations[0], image)(image), self.operations[1:]
        return Chain(rest)(resized) if rest else resized

    def _on_plane(self, plane):
        """An image without an axis of channels stays one; there are no channels to move."""
        kept = [operation for operation in self.operations if not isinstance(operation, HWC2CHW)]
        return Chain(kept)(plane[..., np.newaxis])[..., 0] if kept else plane


def chained(operations):
    """The operations with each run of RowOperations as one Chain."""
    found = []
    for operation in operations:
        if not isinstance(operation, RowOperation) or not operation.native:
            found.append(operation)
        elif found and isinstance(found[-1], Chain):
            found[-1] = Chain(found[-1].operations + [operation])
        else:
            found.append(Chain([operation]))
    return found


def fitted_size(size, shape):
    """(height, width) for a size: itself, or for an int that of the shorter side, with the other in proportion."""
    if not isinstance(size, int):
        return tuple(size)
    height, width = shape[:2]
    return (size, size * width // height) if height < width else (size * height // width, size)


class Resize(RowOperation):
    """Resizes an image to (height, width), or its shorter side to an int and the other in proportion.

    Images of Pillow are resized by Pillow, which smooths those that become smaller, also by Inter.ANTIALIAS.

    Args:
      size: an int or (height, width).
      interpolation: Inter.NEAREST, LINEAR, CUBIC, AREA or PILCUBIC.
    """

    on_images = True

    def __init__(self, size, interpolation=Inter.LINEAR):
        extents = (size,) if isinstance(size, int) else tuple(size)
        if not isinstance(size, int) and len(extents) != 2 or not all(isinstance(one, int) and one > 0 for one in extents):
            raise ValueError(f"size must be a positive int or two of them, but got {size}.")
        self.size, self.interpolation = extents if len(extents) == 2 else size, Inter(interpolation)
        self.native = self.interpolation in (Inter.LINEAR, Inter.NEAREST)

    def __call__(self, value):
        if self.native or hasattr(value, "getbands"):
            return super().__call__(value)
        from plumb.dataset.vision import images
        if np.ndim(value) > 3:
            return images.of_frames(np.asarray(value), self)
        image = images.image_of(value, "Resize")
        return images.resized(image, fitted_size(self.size, image.shape), self.interpolation)

    def fitted(self, column):
        return Resize(fitted_size(self.size, column.shape), self.interpolation)

    def table(self):
        kind = "bilinear" if self.interpolation == Inter.LINEAR else "nearest"
        return "Resize", {"height": self.size[0], "width": self.size[1], "interpolation": kind}

    def check(self, column):
        self._needs_image(column)


class Rescale(RowOperation):
    """x * rescale + shift, as float32."""

    def __init__(self, rescale, shift):
        self.rescale, self.shift = float(rescale), float(shift)

    def table(self):
        return "Rescale", {"scale": self.rescale, "shift": self.shift}


class Normalize(RowOperation):
    """(x - mean) / std by channel, as float32; the channels come last, or first without `is_hwc`."""

    on_images = True

    def __init__(self, mean, std, is_hwc=True):
        if len(mean) != len(std) or any(value <= 0 for value in std):
            raise ValueError(f"mean and std must have equal lengths and std be positive, but got {mean} and {std}.")
        self.mean, self.std = [float(value) for value in mean], [float(value) for value in std]
        self.native = bool(is_hwc)

    def __call__(self, value):
        value, first = np.asarray(value), Chain([Normalize(self.mean, self.std)])
        if self.native or value.ndim < 3:
            return first(value)
        return np.ascontiguousarray(np.moveaxis(first(np.moveaxis(value, -3, -1)), -1, -3))

    def table(self):
        return "Normalize", {"mean": self.mean, "std": self.std}

    def check(self, column):
        self._needs_image(column)


class HWC2CHW(RowOperation):
    """Moves the channels first."""

    on_images = True
    takes_videos = False

    def table(self):
        return "HwcToChw", {}

    def check(self, column):
        self._needs_image(column)


class TypeCast(RowOperation):
    """Converts the elements."""

    def __init__(self, output_type):
        self.output_type = mstype.as_dtype(output_type)

    def table(self):
        return "TypeCast", {"element": element_name(self.output_type)}


class OneHot(RowOperation):
    """Turns class indices along one axis into rows of 0 and 1, and a single one into one row.

    Args:
      num_classes: the extent of a row.
      smoothing_rate: the share of the 1 that all classes have between them; above 0 rows are float64. MindSpore 2.0.0 leaves the 1 of
        several rows' first out then.
    """

    def __init__(self, num_classes, smoothing_rate=0.0):
        if not isinstance(num_classes, int) or num_classes < 1:
            raise ValueError(f"num_classes must be a positive int, but got {num_classes}.")
        if isinstance(smoothing_rate, bool) or not isinstance(smoothing_rate, (int, float)):
            raise TypeError(f"For 'OneHot', 'smoothing_rate' must be a number, but got {type(smoothing_rate).__name__}.")
        if not 0 <= smoothing_rate <= 1:
            raise ValueError(f"For 'OneHot', 'smoothing_rate' must be between 0 and 1, but got {smoothing_rate}.")
        self.num_classes, self.smoothing_rate = num_classes, smoothing_rate
        self.native = smoothing_rate == 0

    def __call__(self, value):
        if self.native:
            return super().__call__(value)
        rows = OneHot(self.num_classes)(value)
        return np.where(rows == 1, 1 - self.smoothing_rate + self.smoothing_rate / self.num_classes, self.smoothing_rate / self.num_classes)

    def table(self):
        return "OneHot", {"classes": self.num_classes}
