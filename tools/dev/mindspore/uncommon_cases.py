"""Cases of operators that few programs use, of wrappers of networks and of their kin; as cases.py says."""

_WITH_BITS = "(x * 3).reshape(1, 3, 7, 1)"

FUNCTIONS = {
    "fill_": ["ops.fill_(ms.float32, (2, 3), 1.5)"], "reshape_": ["ops.reshape_(x, (7, 3))"], "shape_": ["ops.shape_(x)"],
    "shape_mul": ["ops.shape_mul((2, 3, 4))"], "hyper_add": ["ops.hyper_add((x, (y, row)), (y, (x, row)))[1][0]"],
    "mixed_precision_cast": ["ops.mixed_precision_cast(ms.float16, (x, y))[1]", "ops.mixed_precision_cast(ms.float32, n)"],
    "tensor_range": ["ops.tensor_range(ms.Tensor(0, ms.int32), ms.Tensor(9, ms.int32), ms.Tensor(2, ms.int32))"],
    "tensor_slice": ["ops.tensor_slice(x, (1, 2), (2, 3))"],
}

PRIMITIVES = {
    "DeformableOffsets": ["primitive('DeformableOffsets', (1, 1, 1, 1), (0, 0, 0, 0), (3, 3))(images, offsets)",
                          "primitive('DeformableOffsets', (1, 1, 2, 2), (2, 3, 2, 2), (3, 3))(images, offsets)"],
    "MapUniform": ["ops.MapUniform()(ids, 2, 8)", "ops.MapUniform()(labels_like, 3, 2)"], "ReLUV2": ["ops.ReLUV2()(images)[0]", "ops.ReLUV2()(images)[1]"],
}

#: How a cell is made, and an expression that calls it as `cell`.
_SAMPLED = "sampled_values=(ms.Tensor([1, 3, 2]), ms.Tensor([[0.4, 0.5]] * 4, ms.float32), ms.Tensor([0.2, 0.4, 0.6], ms.float32))"
CELLS = {
    "MultiFieldEmbeddingLookup": [(f"nn.MultiFieldEmbeddingLookup(8, 3, 4, operator='{name}')", "cell(labels_like, x, n % 4)") for name in ("SUM", "MEAN", "MAX")],
    "SampledSoftmaxLoss": [(f"nn.SampledSoftmaxLoss(3, 4, 2, {_SAMPLED}{more})", "cell(outer, weights, ops.cast(pairs, ms.int64) + ms.Tensor([0, 2]), outer * 2)")
                           for more in ("", ", remove_accidental_hits=False")],
    "MicroBatchInterleaved": [("nn.MicroBatchInterleaved(nn.Dense(4, 3), 2)", "cell(square3[:2])")],
    "Moments": [("nn.Moments()", "cell(x)[1]"), ("nn.Moments(1, True)", "cell(t)[0]"), ("nn.Moments((0, 2))", "cell(t)[1]")],
    "Norm": [("nn.Norm()", "cell(x)"), ("nn.Norm(1)", "cell(x)"), ("nn.Norm((0, 2), True)", "cell(t)")],
    "Range": [("nn.Range(1, 8, 2)", "cell()"), ("nn.Range(5)", "cell()"), ("nn.Range(0.5, 3, 0.25)", "cell()")],
    "PipelineCell": [("nn.PipelineCell(nn.Dense(3, 2), 4)", "cell(outer)")],
}

OPTIMIZERS = {
    "AdaFactor": ["", "beta1=0.5", "learning_rate=0.1, relative_step=False, scale_parameter=False", "None, (1e-2, 0.5), 0.3, 0.5", "warmup_init=True",
                  "learning_rate=0.05, relative_step=False, weight_decay=0.1", "loss_scale=4.0", "compression=True"],
}

#: Expressions of host functions: values alone.
VALUES = {
    "SubAndFilter": ["ops.SubAndFilter()(labels_like[0], 5, 1)", "ops.SubAndFilter()(ops.cast(labels_like, ms.int64), 5, 1)[1]"],
    "choice_with_mask": ["ops.choice_with_mask(ops.ones((2, 2), ms.bool_), 6)[1]"],
}

#: Expressions whose values are samples.
_BOUNDS = ", ".join(f"ms.Tensor([{number}, {number}], ms.float32)" for number in (1.0, 2.0, -1.0, 2.0))
RANDOM = {
    "Cauchy": ["ops.atan(ops.Cauchy([20000], 0.3, 2.0)())"],
    "ParameterizedTruncatedNormal": [f"ops.ParameterizedTruncatedNormal(1, 1)(ms.Tensor([2, 20000], ms.int32), {_BOUNDS})"],
}

_FORMULA = "MindSpore has no kernel for a CPU; uncommon_operators_test, dynamic_layers_test and transducer_test have outside references"
WITHOUT = dict.fromkeys("BasicLSTMCell BatchToSpaceNDV2 ComputeAccidentalHits DropoutDoMask DropoutGenMask DynamicGRUV2 DynamicRNN ExtractImagePatches RNNTLoss ScatterNonAliasingAdd SparseGatherV2 poisson".split(),
                        _FORMULA)
LAYERS_WITHOUT = {**dict.fromkeys("Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor".split(), "as the layer without Thor in its name, which is compared"),
                  **dict.fromkeys("MatrixDiag MatrixDiagPart MatrixSetDiag".split(), "MindSpore has no kernel for a CPU; uncommon_layers_test has NumPy's"),
                  **dict.fromkeys(("Jvp", "Vjp"), "MindSpore 2.0.0 fails with any network; see ops.jvp and ops.vjp")}
