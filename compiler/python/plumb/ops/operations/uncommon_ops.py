"""Classes of operators that few programs use: a table of the functions of `ops/function/uncommon.py`, and of their kin."""

from plumb.common._offers import offered
from plumb.ops._primitive import function_classes
from plumb.ops.function import patches, uncommon

_WINDOWS = {"ksizes": ..., "strides": ..., "rates": ..., "padding": "valid"}

globals().update(function_classes({
    "BatchToSpaceNDV2": uncommon.from_blocks,
    "ComputeAccidentalHits": (uncommon.accidental_hits, {"num_true": 1}),
    "DeformableOffsets": (patches.deformed_windows, {"strides": ..., "pads": ..., "ksize": ..., "dilations": (1, 1, 1, 1),
                                                     "data_format": "NCHW", "deformable_groups": 1, "modulated": True}),
    "DropoutDoMask": uncommon.with_bits,
    "ExtractImagePatches": (patches.extract_image_patches, _WINDOWS),
    "MapUniform": uncommon.spread_keys,
    "ReLUV2": uncommon.relu_with_mask,
    "ScatterNonAliasingAdd": uncommon.added_apart,
    "SparseGatherV2": uncommon.gathered,
    "SubAndFilter": uncommon.kept_ids,
}))

__all__ = [name for name in offered(globals()) if name[0].isupper()]
