"""Windows of images as columns, and back, with MindSpore's signatures, in the parsable subset."""

from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.pooling import several_of


def _settings(who, kernel_size, dilation, padding, stride):
    """Kernel, dilation, strides, and pads at the top, bottom, left and right."""
    sides = (padding,) * 2 if isinstance(padding, int) else tuple(padding)
    sides = sides * 2 if len(sides) == 1 else sides
    pads = (sides[0], sides[0], sides[1], sides[1]) if len(sides) == 2 else sides
    return (several_of(who, "kernel_size", kernel_size, 2), several_of(who, "dilation", dilation, 2),
            several_of(who, "stride", stride, 2), pads)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """The windows of (N, C, H, W) as columns: (N, C * rows * columns of the kernel, number of windows)."""
    kernel, gaps, steps, pads = _settings("unfold", kernel_size, dilation, padding, stride)
    x = F.pad(input, (0, 0, pads[0], pads[2]), (0, 0, pads[1], pads[3]), 0.0)
    for i in range(2):
        count = (x.shape[2 + 2 * i] - gaps[i] * (kernel[i] - 1) - 1) // steps[i] + 1
        if count <= 0:
            raise ValueError(f"For 'unfold', the kernel {kernel} does not fit into {input.shape}")
        numbers = F.expand_dims(F.arange(kernel[i]) * gaps[i], 1) + F.arange(count) * steps[i]
        x = F.gather(x, numbers, 2 + 2 * i)
    rows, columns = x.shape[3], x.shape[5]
    x = F.transpose(x, (0, 1, 2, 4, 3, 5))
    return F.reshape(x, (input.shape[0], input.shape[1] * kernel[0] * kernel[1], rows * columns))


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Columns (N, C * kernel, windows) added up where `unfold` took them from: (N, C, H, W) of `output_size`."""
    kernel, gaps, steps, pads = _settings("fold", kernel_size, dilation, padding, stride)
    size = tuple(output_size.tolist()) if isinstance(output_size, _checks.Tensor) else tuple(output_size)
    counts = tuple([(size[i] + pads[2 * i] + pads[2 * i + 1] - gaps[i] * (kernel[i] - 1) - 1) // steps[i] + 1 for i in range(2)])
    channels = input.shape[1] // (kernel[0] * kernel[1])
    if input.shape[1] % (kernel[0] * kernel[1]) != 0 or input.shape[2] != counts[0] * counts[1]:
        raise ValueError(f"For 'fold', {input.shape} does not fit the kernel {kernel} and 'output_size' {size}")
    x = F.reshape(input, (input.shape[0], channels, kernel[0], kernel[1], counts[0], counts[1]))
    # Each axis: one place of the kernel at a time, its elements `stride` apart, added up.
    x = _spread(F.transpose(x, (0, 1, 3, 5, 2, 4)), kernel[0], gaps[0], steps[0], size[0] + pads[0] + pads[1])
    x = _spread(F.transpose(x, (0, 1, 4, 2, 3)), kernel[1], gaps[1], steps[1], size[1] + pads[2] + pads[3])
    return F.strided_slice(x, (0, 0, pads[0], pads[2]), x.shape[:2] + (pads[0] + size[0], pads[2] + size[1]), (1, 1, 1, 1))


def _spread(x, kernel, gap, step, extent):
    """(…, kernel, places) to (…, extent): element j of kernel place i is added at j * step + i * gap."""
    places, total = x.shape[-1], None
    lead = x.shape[:-2]
    for i in range(kernel):
        part = F.reshape(F.part(x, x.ndim - 2, i, i + 1), lead + (places, 1))
        apart = F.pad(part, (0,) * (x.ndim - 1) + (0,), (0,) * (x.ndim - 1) + (step - 1,), 0.0)
        line = F.part(F.reshape(apart, lead + (places * step,)), x.ndim - 2, 0, (places - 1) * step + 1)
        before = i * gap
        line = F.pad(line, (0,) * (x.ndim - 2) + (before,), (0,) * (x.ndim - 2) + (extent - before - line.shape[-1],), 0.0)
        total = line if total is None else total + line
    return total


def col2im(input_x, output_size, kernel_size, dilation, padding_value, stride):
    """Columns (N, C, kernel, windows) added up to (N, C, H, W) of `output_size`; see `fold`."""
    columns = F.reshape(input_x, (input_x.shape[0], -1, input_x.shape[3]))
    return fold(columns, output_size, kernel_size, dilation, padding_value, stride)


def columns_to_image(x, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """`col2im` with the settings of the class."""
    return col2im(x, output_size, kernel_size, dilation, padding, stride)


__all__ = [name for name in offered(globals()) if name not in ("columns_to_image", "several_of")]
