"""All operators: importing this module enters them in the registry."""

# pylint: disable=unused-import
from plumb.onnx import (_attention, _contractions, _control, _elementwise, _indexing, _losses, _normalizations, _pooling, _quantization,  # noqa: F401
                        _random, _recurrent, _reductions, _resizing, _sequences, _shapes, _signals, _updates)
