"""Classes of operators that few programs use: a table of the functions of `ops/function/uncommon.py`, and of their kin."""

from plumb.common._offers import offered
from plumb.ops._dynamic import basic_lstm_cell, dynamic_gru, dynamic_rnn
from plumb.ops._primitive import Only, function_classes
from plumb.ops.function import patches, uncommon

_WINDOWS = {"ksizes": ..., "strides": ..., "rates": ..., "padding": "valid"}

globals().update(function_classes({
    "BasicLSTMCell": (basic_lstm_cell, {"keep_prob": Only(1.0), "forget_bias": 1.0, "state_is_tuple": True, "activation": Only("tanh")}),
    "BatchToSpaceNDV2": uncommon.from_blocks,
    "ComputeAccidentalHits": (uncommon.accidental_hits, {"num_true": 1}),
    "DeformableOffsets": (patches.deformed_windows, {"strides": ..., "pads": ..., "ksize": ..., "dilations": (1, 1, 1, 1),
                                                     "data_format": "NCHW", "deformable_groups": 1, "modulated": True}),
    "DropoutDoMask": uncommon.with_bits,
    "DynamicGRUV2": (dynamic_gru, {"direction": Only("UNIDIRECTIONAL"), "cell_depth": Only(1), "keep_prob": Only(1.0), "cell_clip": Only(-1.0),
                                   "num_proj": Only(0), "time_major": Only(True), "activation": Only("tanh"), "gate_order": "rzh",
                                   "reset_after": Only(True), "is_training": True}),
    "DynamicRNN": (dynamic_rnn, {"cell_type": Only("LSTM"), "direction": Only("UNIDIRECTIONAL"), "cell_depth": Only(1),
                                 "use_peephole": Only(False), "keep_prob": Only(1.0), "cell_clip": -1.0, "num_proj": Only(0),
                                 "time_major": Only(True), "activation": Only("tanh"), "forget_bias": 0.0, "is_training": True}),
    "ExtractImagePatches": (patches.extract_image_patches, _WINDOWS),
    "MapUniform": uncommon.spread_keys,
    "ReLUV2": uncommon.relu_with_mask,
    "ScatterNonAliasingAdd": uncommon.added_apart,
    "SparseGatherV2": uncommon.gathered,
    "SubAndFilter": uncommon.kept_ids,
}))

__all__ = [name for name in offered(globals()) if name[0].isupper() and name != "Only"]
