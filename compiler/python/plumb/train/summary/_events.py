"""TensorBoard's event files.

A file is a row of records: the length (8 bytes, little endian), its checksum (4), the content, its checksum (4). A content is a
protocol buffer, of which the fields written here are

    Event          { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5; }
    Summary        { repeated Value value = 1; }
    Value          { string tag = 1; float simple_value = 2; Image image = 4; HistogramProto histo = 5; TensorProto tensor = 8; }
    Image          { int32 height = 1; int32 width = 2; int32 colorspace = 3; bytes encoded_image_string = 4; }
    HistogramProto { double min = 1; max = 2; num = 3; sum = 4; sum_squares = 5; packed double bucket_limit = 6; bucket = 7; }
    TensorProto    { DataType dtype = 1; TensorShapeProto tensor_shape = 2; bytes tensor_content = 4; }

Sources: tensorflow/core/util/event.proto, framework/summary.proto and framework/tensor.proto.
"""

import os
import struct
import time
import zlib

import numpy as np

from plumb.common._protobuf import written
from plumb.common._crc import masked_crc

#: TensorFlow's numbers of element types.
_KINDS = {"float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "int64": 9, "bool": 10, "uint16": 17,
          "float16": 19, "uint32": 22, "uint64": 23}


def record(content):
    """A record's bytes."""
    head = struct.pack("<Q", len(content))
    return head + struct.pack("<I", masked_crc(head)) + content + struct.pack("<I", masked_crc(content))


def first_event():
    """The event that a file begins with."""
    return written(1, time.time()) + written(3, "brain.Event:2")


def event(step, values):
    """An event's bytes: values of a step."""
    return written(1, time.time()) + written(2, step) + written(5, b"".join(written(1, value) for value in values))


def scalar(tag, array):
    """A number; of an array of one element, that one."""
    if array.size != 1:
        raise ValueError(f"The summary '{tag}' of a scalar must have one element, but got the shape {list(array.shape)}.")
    return written(1, tag) + written(2, np.float32(array.reshape(())))


def tensor(tag, array):
    """A tensor with its element type and shape."""
    extents = b"".join(written(2, written(1, extent)) for extent in array.shape)
    content = written(1, _KINDS[array.dtype.name]) + written(2, extents) + written(4, np.ascontiguousarray(array).tobytes())
    return written(1, tag) + written(8, content)


def histogram(tag, array):
    """How many elements lie in each of TensorFlow's buckets; elements that are not finite are left out. Of complex ones the parts."""
    from plumb._native import native_runtime
    array = np.ascontiguousarray(array)
    parts = array.view(array.real.dtype) if array.dtype.kind == "c" else array
    count, nans, infinite, low, high, total, squares, _, _, limits, counts = native_runtime().histogram(parts)
    finite = count - nans - infinite
    numbers = [low if finite else 0.0, high if finite else 0.0, float(finite), total, squares]
    content = b"".join(written(number, value) for number, value in enumerate(numbers, 1))
    content += written(6, np.array(limits, "<f8").tobytes()) + written(7, np.array(counts, "<f8").tobytes())
    return written(1, tag) + written(5, content)


def image(tag, array):
    """The first picture of a batch (N, C, H, W) with 1 or 3 channels, from its least to its greatest value."""
    if array.ndim != 4 or array.shape[1] not in (1, 3):
        raise ValueError(f"The summary '{tag}' of images must have the shape (N, C, H, W) with 1 or 3 channels, but got "
                         f"{list(array.shape)}.")
    picture = array[0].transpose(1, 2, 0).astype(np.float64)
    low, span = picture.min(), picture.max() - picture.min()
    picture = np.rint((picture - low) / (span or 1.0) * 255).astype(np.uint8)
    height, width, channels = picture.shape
    content = written(1, height) + written(2, width) + written(3, channels) + written(4, png(picture))
    return written(1, tag) + written(4, content)


def png(picture):
    """A picture's bytes, [height, width, 1 or 3] of uint8, as a PNG file."""
    height, width, channels = picture.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), picture.reshape(height, -1)], axis=1)  # filter 0 before each row

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 0 if channels == 1 else 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes())) + chunk(b"IEND", b"")


MAKERS = {"scalar": scalar, "tensor": tensor, "histogram": histogram, "image": image}


class EventFile:
    """A new file in a folder, made with the first event."""

    def __init__(self, folder):
        self._folder, self._file = folder, None

    def add(self, step, values):
        """Writes an event: values of a step."""
        if self._file is None:
            # TensorBoard looks for "tfevents" in names.
            name = f"events.out.tfevents.{time.time():.6f}.{os.getpid()}"
            self._file = open(os.path.join(self._folder, name), "wb")
            self._file.write(record(first_event()))
        self._file.write(record(event(step, values)))
        self._file.flush()

    def close(self):
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
