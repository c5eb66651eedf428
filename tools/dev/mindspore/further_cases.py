"""Cases of operators on windows, sequences, matrices on the host and rings of rows, and of record files; as cases.py says."""

_SPARSE = ("ms.Tensor([[0, 0], [0, 1], [1, 0]], ms.int64), ms.Tensor([1, 2, 3], ms.int64), ms.Tensor([2, 3], ms.int64), "
           "ms.Tensor([[0, 0], [0, 1], [0, 2], [1, 0]], ms.int64), ms.Tensor([2, 2, 1, 3], ms.int64), ms.Tensor([2, 3], ms.int64)")
_BOXES = "ms.Tensor([[[[0, 0, 0.5, 0.5]], [[0, 0, 0.5, 0.45]], [[0.6, 0.6, 1.5, 1.0]]]], ms.float32)"
_SCORED = (f"{_BOXES}, ms.Tensor([[[0.9, 0.1], [0.8, 0.7], [0.3, 0.05]]], ms.float32), ms.Tensor(2, ms.int32), ms.Tensor(4, ms.int32), "
           "ms.Tensor(0.5, ms.float32), ms.Tensor(0.2, ms.float32)")
_SAID = "ms.Tensor([[[1, 2, 1, 3, 1], [0, 0, 0, 0, 0], [3, 2, 3, 2, 3]]], ms.int32)"
_RECORDS = "ds.MindDataset(records(), {0}shuffle=False)"

FUNCTIONS = {
    "deformable_conv2d": ["ops.deformable_conv2d(images, kernel, offsets, (3, 3), (1, 1, 1, 1), (0, 0, 0, 0))",
                          "ops.deformable_conv2d(images, kernel, offsets, (3, 3), (1, 1, 2, 2), (2, 3, 2, 2), bias)"],
}

PRIMITIVES = {
    "Dilation2D": ["primitive('Dilation2D', 1, 1, 'VALID')(images, filters)", "primitive('Dilation2D', 2, 1, 'SAME')(images, filters)",
                   "primitive('Dilation2D', 1, 2, 'SAME')(images, filters)"],
    "ExtractVolumePatches": [f"primitive('ExtractVolumePatches', (1, 1, 1, 2, 2), (1, 1, 1, 2, 1), '{mode}')(volume)" for mode in ("VALID", "SAME")],
    "MaxPoolWithArgmax": [f"primitive('MaxPoolWithArgmax', {arguments})(images)[{i}]" for arguments in ("2, 2", "3, 2, 'same'") for i in (0, 1)],
    "MaxPool3DWithArgmax": [f"primitive('MaxPool3DWithArgmax', (1, 2, 2), (1, 1, 1), {pads})(volume)[{i}]" for pads in ("(0, 0, 0)", "(0, 1, 1)") for i in (0, 1)],
    "CheckNumerics": ["primitive('CheckNumerics')(x)"], "FloatStatus": ["primitive('FloatStatus')(x)", "primitive('FloatStatus')(ops.log(x - x))"],
    "ScatterAddWithAxis": [f"primitive('ScatterAddWithAxis', {axis})(x, labels_like[:2, :3] % 3, p[:2, :3])" for axis in (0, 1)],
    "NoRepeatNGram": [f"primitive('NoRepeatNGram', {size})({_SAID}, block[:1, :3, :4])" for size in (1, 2, 3)],
}

#: Expressions of host functions: values alone.
VALUES = {
    **{f"{name}_candidate_sampler": [f"ops.{name}_candidate_sampler(ms.Tensor([[0, 3], [5, 1]], ms.int64), 2, 9, False, 6)[1]"]
       for name in ("uniform", "log_uniform")},
    "CombinedNonMaxSuppression": [f"primitive('CombinedNonMaxSuppression'{more})({_SCORED})" for more in ("", ", clip_boxes=False", ", pad_per_class=True")],
    "EditDistance": [f"primitive('EditDistance'{more})({_SPARSE})" for more in ("", ", False")],
    "Eig": ["np.sort_complex(primitive('Eig')(matrices[0])[0].asnumpy())", "recomposed(*primitive('Eig', True)(matrices[0]))"],
    "eig": ["np.sort_complex(ops.eig(matrices[0])[0].asnumpy())", "recomposed(*ops.eig(matrices[0]))"],
    "MatrixLogarithm": ["primitive('MatrixLogarithm')(ops.Complex()(definite, definite * 0.0))"],
    "derivative": [f"ops.derivative(waves, x, {order})[{i}]" for order in (1, 2, 3) for i in (0, 1)],
    "jet": [f"ops.jet(waves, x, ops.stack((x * 0 + 1, y, p)))[{i}]" for i in (0, 1)],
    "Assert": ["asserted(True, x)", "asserted(False, x)"], "BufferAppend": ["ring(5)"], "BufferGetItem": [f"ring(5, {index})" for index in (0, 2, -1)],
}

DATASETS = {
    "MindDataset": [_RECORDS.format(part) for part in ("", "['label', 'note'], ", "num_shards=2, shard_id=1, ")] + ["in_any_order(ds.MindDataset([records()]))"],
    "PKSampler": ["in_any_order(ds.MindDataset(records(), sampler=ds.PKSampler(1, class_column='label')))"],
    "ToPIL": ["ds.ImageFolderDataset(folder + '/images', shuffle=False).map([vision.Decode(), vision.ToPIL(), vision.ToTensor()], 'image')"],
}

#: Expressions whose values are samples.
_TRUE = "ms.Tensor([[0, 3], [5, 1]], ms.int64)"
RANDOM = {
    **{f"{name}_candidate_sampler": [f"ops.{name}_candidate_sampler({_TRUE}, 2, 4000, False, 7)[0]"] for name in ("uniform", "log_uniform")},
    **{f"{name}CandidateSampler": [f"ops.{name}CandidateSampler(2, 4000, False, 7)({_TRUE})[0]"] for name in ("Uniform", "LogUniform")},
    "RandomChoiceWithMask": ["primitive('RandomChoiceWithMask', 5000)(ops.ones((100, 100), ms.bool_))[0]"], "BufferSample": ["drawn_from_ring()"],
}

#: Functions that these expressions use; part of the generated file.
HEAD = '''
def recomposed(values, vectors):
    values, vectors = values.asnumpy(), vectors.asnumpy()
    return ((vectors * values) @ np.linalg.inv(vectors)).astype(np.complex64)


def asserted(condition, *values):
    try:
        str(primitive("Assert")(condition, list(values)))  # MindSpore raises where the result is read.
    except RuntimeError as error:
        return type(error).__name__
    return "nothing"


def waves(x):
    return ops.sin(x) * ops.exp(x)


def ring_of(rows):
    named = [("rows", rows), ("count", np.array(min(len(rows) - 1, 3000), np.int32)), ("head", np.array(0, np.int32))]
    return [ms.Parameter(ms.Tensor(value), name=name) for name, value in named]


def ring(appended, index=None):
    rows, count, head = ring_of(np.arange(8, dtype=np.float32).reshape(4, 2))
    for i in range(appended):
        row = ms.Parameter(ms.Tensor([100.0 + i, 200.0 + i]), name="row")
        primitive("BufferAppend", 4, [(2,)], [ms.float32])([rows], [row], count, head)
    if index is None:
        return rows, count, head
    return primitive("BufferGetItem", 4, [(2,)], [ms.float32])([rows], count, head, index)


def drawn_from_ring():
    rows, count, head = ring_of(np.arange(4000, dtype=np.float32).reshape(4000, 1))
    return primitive("BufferSample", 4000, 2000, [(1,)], [ms.float32])([rows], count, head)[0]
'''
