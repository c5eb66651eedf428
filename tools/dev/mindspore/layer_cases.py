"""Cases of layers, pooling, convolutions, losses, schedules, metrics and training cells; as cases.py says."""

_RATES = "ms.Tensor(7, ms.int32)"
_CROSS = "ms.Tensor([[[0, 1, 1, 0], [1, 1, 1, 0]]]), ms.Tensor([[[0, 1, 0, 0], [1, 1, 1, 1]]])"

FUNCTIONS = {
    "adaptive_avg_pool1d": ["ops.adaptive_avg_pool1d(sequence, 4)"], "adaptive_max_pool1d": ["ops.adaptive_max_pool1d(sequence, 4)"],
    "adaptive_avg_pool2d": ["ops.adaptive_avg_pool2d(images, (3, 2))", "ops.adaptive_avg_pool2d(images, (None, 4))"],
    "adaptive_avg_pool3d": ["ops.adaptive_avg_pool3d(volume, (2, 3, 2))", "ops.adaptive_avg_pool3d(volume, 1)"],
    "adaptive_max_pool2d": ["ops.adaptive_max_pool2d(images, (3, 2))", "ops.adaptive_max_pool2d(images, 4, True)[1]"],
    "adaptive_max_pool3d": ["ops.adaptive_max_pool3d(volume, (2, 3, 2))", "ops.adaptive_max_pool3d(volume, 2, True)[1]"],
    "avg_pool1d": ["ops.avg_pool1d(sequence, 3)", "ops.avg_pool1d(sequence, 3, 2, 1)", "ops.avg_pool1d(sequence, 3, 2, 1, True, False)"],
    "avg_pool3d": ["ops.avg_pool3d(volume, 2)", "ops.avg_pool3d(volume, 2, 1, 1, True, False)", "ops.avg_pool3d(volume, (1, 2, 3), divisor_override=2)"],
    "max_pool3d": ["ops.max_pool3d(volume, 2)", "ops.max_pool3d(volume, 2, 1, 1)", "ops.max_pool3d(volume, 2, 1, return_indices=True)[1]"],
    "max_pool1d": ["ops.max_pool1d(sequence, 3, 2)"], "lp_pool1d": ["ops.lp_pool1d(sequence, 2, 3)", "ops.lp_pool1d(sequence, 1, 3, 2, True)"],
    "lp_pool2d": ["ops.lp_pool2d(images, 2, 2)", "ops.lp_pool2d(images, 1, (3, 2), 2, True)"],
    "max_unpool1d": ["ops.max_unpool1d(sequence[:, :, :2], ms.Tensor([[[0, 3]] * 3] * 2), 2)"],
    "max_unpool2d": ["ops.max_unpool2d(t[:1, None, :1, :2], ms.Tensor([[[[1, 6]]]]), 2)",
                     "ops.max_unpool2d(t[:1, None, :1, :2], ms.Tensor([[[[1, 6]]]]), 2, output_size=(1, 1, 3, 5))"],
    "max_unpool3d": ["ops.max_unpool3d(volume[:1, :1, :1, :1, :2], ms.Tensor([[[[[1, 6]]]]]), 2)"],
    "conv1d": ["ops.conv1d(sequence, filters)", "ops.conv1d(sequence, filters, weights, 2, 'same')", "ops.conv1d(sequence, filters, None, 1, 'pad', 2, 2)"],
    "conv3d": ["ops.conv3d(volume, cubes)", "ops.conv3d(volume, cubes, v[:2], 1, 'same')", "ops.conv3d(volume, cubes, None, 2, 'pad', 1)"],
    "multilabel_margin_loss": ["ops.multilabel_margin_loss(scores, ms.Tensor([[1, 3, -1, 0], [0, -1, 2, 1], [2, 1, 0, -1], [3, -1, 0, 0], [-1, 0, 1, 2]], ms.int32))"],
    "conv2d_transpose": ["ops.conv2d_transpose(images, kernel, bias, 1, 0, 1, 1)"],
}

PRIMITIVES = {
    "AdaptiveAvgPool2D": ["ops.AdaptiveAvgPool2D((3, 2))(images)"], "AdaptiveAvgPool3D": ["ops.AdaptiveAvgPool3D((2, 3, 2))(volume)"],
    "AdaptiveMaxPool2D": ["ops.AdaptiveMaxPool2D((3, 2))(images)[0]"], "AdaptiveMaxPool3D": ["ops.AdaptiveMaxPool3D()(volume, ms.Tensor([2, 3, 2], ms.int32))[0]"],
    "AvgPool": ["ops.AvgPool(2, 2)(images)", "ops.AvgPool(3, 2, 'same')(images)"],
    "MaxPool": ["ops.MaxPool(2, 2)(images)", "ops.MaxPool(3, 2, 'same')(images)", "ops.MaxPool()(images)"],
    "AvgPool3D": ["ops.AvgPool3D(2, 1)(volume)", "ops.AvgPool3D(2, 2, 'pad', 1)(volume)", "ops.AvgPool3D(2, 1, 'same')(volume)",
                  "ops.AvgPool3D((3, 2, 1), (2, 3, 1), 'same', count_include_pad=False)(volume)", "ops.AvgPool3D(3, 2, 'same', divisor_override=5)(volume)"],
    "MaxPool3D": ["ops.MaxPool3D(2, 1)(volume)", "ops.MaxPool3D(2, 2, 'same')(volume)", "ops.MaxPool3D(2, 2, 'pad', 1)(volume)"],
    "MaxPoolWithArgmaxV2": ["ops.MaxPoolWithArgmaxV2(2)(images)[0]", "ops.MaxPoolWithArgmaxV2(3, 2, 1)(images)[1]"],
    "MaxUnpool2D": ["ops.MaxUnpool2D(2)(t[:1, None, :1, :2], ms.Tensor([[[[1, 6]]]]))"],
    "MaxUnpool3D": ["ops.MaxUnpool3D(2)(volume[:1, :1, :1, :1, :2], ms.Tensor([[[[[1, 6]]]]]))"],
    "Conv2D": ["ops.Conv2D(6, 3)(images, kernel)", "ops.Conv2D(6, 3, 1, 'same', 0, 2)(images, kernel)",
               "ops.Conv2D(6, 3, pad_mode='pad', pad=1, group=2)(images, grouped)"],
    "MultilabelMarginLoss": ["ops.MultilabelMarginLoss()(scores, ms.Tensor([[1, 3, -1, 0], [0, -1, 2, 1], [2, 1, 0, -1], [3, -1, 0, 0], [-1, 0, 1, 2]], ms.int32))[0]"],
    "TripletMarginLoss": ["ops.TripletMarginLoss()(x, y, p, ms.Tensor(0.7))"],
}

_BATCH_FIRST = "dropout=0.0, batch_first=True"

CELLS = {
    **{f"AdaptiveAvgPool{rank}d": [(f"nn.AdaptiveAvgPool{rank}d({sizes})", f"cell({name})")] for rank, sizes, name in (
        (1, 4, "sequence"), (2, "(3, 2)", "images"), (3, "(2, 3, 2)", "volume"))},
    "AdaptiveMaxPool1d": [("nn.AdaptiveMaxPool1d(4)", "cell(sequence)")],
    "AdaptiveMaxPool2d": [("nn.AdaptiveMaxPool2d((3, 2))", "cell(images)"), ("nn.AdaptiveMaxPool2d(4, True)", "cell(images)[1]")],
    "AdaptiveMaxPool3d": [("nn.AdaptiveMaxPool3d((2, 3, 2))", "cell(volume)")],
    "AvgPool3d": [("nn.AvgPool3d(2)", "cell(volume)"), ("nn.AvgPool3d(2, 2, 'same')", "cell(volume)"),
                  ("nn.AvgPool3d((3, 2, 1), 2, 'same', count_include_pad=False)", "cell(volume)"),
                  ("nn.AvgPool3d(2, 1, 'pad', 1, count_include_pad=False)", "cell(volume)")],
    "MaxPool3d": [("nn.MaxPool3d(2)", "cell(volume)"), ("nn.MaxPool3d(2, 2, 'same')", "cell(volume)"), ("nn.MaxPool3d(2, 2, 'pad', 1)", "cell(volume)")],
    "LPPool1d": [("nn.LPPool1d(2, 3)", "cell(sequence)")], "LPPool2d": [("nn.LPPool2d(1, 3, 2)", "cell(images)")],
    "MaxUnpool1d": [("nn.MaxUnpool1d(2)", "cell(sequence[:, :, :2], ms.Tensor([[[0, 3]] * 3] * 2))")],
    "MaxUnpool2d": [("nn.MaxUnpool2d(2)", "cell(t[:1, None, :1, :2], ms.Tensor([[[[1, 6]]]]))")],
    "MaxUnpool3d": [("nn.MaxUnpool3d(2)", "cell(volume[:1, :1, :1, :1, :2], ms.Tensor([[[[[1, 6]]]]]))")],
    "ChannelShuffle": [("nn.ChannelShuffle(2)", "cell(images)")], "PixelUnshuffle": [("nn.PixelUnshuffle(2)", "cell(images[:, :, :6])")],
    "ConstantPad1d": [("nn.ConstantPad1d((1, 2), 1.5)", "cell(sequence)")], "ConstantPad3d": [("nn.ConstantPad3d((1, 2, 0, 1, 2, 0), 1.5)", "cell(volume)")],
    "ReflectionPad1d": [("nn.ReflectionPad1d((1, 2))", "cell(sequence)")], "ReflectionPad3d": [("nn.ReflectionPad3d((1, 2, 0, 1, 1, 0))", "cell(volume)")],
    **{f"ReplicationPad{rank}d": [(f"nn.ReplicationPad{rank}d({pads})", f"cell({name})")] for rank, pads, name in (
        (1, (1, 2), "sequence"), (2, (1, 2, 0, 1), "images"), (3, (1, 2, 0, 1, 2, 0), "volume"))},
    "Conv3d": [("nn.Conv3d(3, 4, 2)", "cell(volume)"), ("nn.Conv3d(3, 4, 2, 1, 'valid', has_bias=True)", "cell(volume)"),
               ("nn.Conv3d(3, 4, 2, 2, 'pad', 1)", "cell(volume)")],
    "Conv3dTranspose": [("nn.Conv3dTranspose(3, 2, 2)", "cell(volume)"), ("nn.Conv3dTranspose(3, 2, 2, 2, 'valid', has_bias=True)", "cell(volume)")],
    "InstanceNorm1d": [("nn.InstanceNorm1d(3)", "cell(sequence)")], "InstanceNorm3d": [("nn.InstanceNorm3d(3)", "cell(volume)")],
    **{f"Dropout{rank}d": [(f"nn.Dropout{rank}d(0.0)", f"cell({name})")] for rank, name in ((1, "sequence"), (2, "images"), (3, "volume"))},
    "RReLU": [("nn.RReLU(0.2, 0.2)", "cell(x)")], "MatMul": [("nn.MatMul()", "cell(square, other)"), ("nn.MatMul(True)", "cell(other, other)")],
    "Unflatten": [("nn.Unflatten(1, (7, 1))", "cell(x)"), ("nn.Unflatten(-1, (1, 7))", "cell(x)")],
    "Upsample": [("nn.Upsample((14, 12))", "cell(images)"),
                 ("nn.Upsample(scale_factor=2.0, mode='bilinear', align_corners=True, recompute_scale_factor=True)", "cell(images)")],
    "CellDict": [("nn.CellDict([['one', nn.Dense(7, 7)], ['two', nn.ReLU()]])", "cell['two'](cell['one'](x))")],
    "CellList": [("nn.CellList([nn.Dense(7, 7), nn.ReLU()])", "cell[1](cell[0](x))")],
    "TimeDistributed": [("nn.TimeDistributed(nn.Dense(8, 2), 1, 0)", "cell(sequence)"), ("nn.TimeDistributed(nn.Dense(8, 2), 1)", "cell(sequence)")],
    "MultiheadAttention": [("nn.MultiheadAttention(8, 2, batch_first=True)", "cell(sequence, sequence, sequence)[0]"),
                           ("nn.MultiheadAttention(8, 2, batch_first=True)", "cell(sequence, sequence * 2, sequence + 1)[1]"),
                           ("nn.MultiheadAttention(8, 4, has_bias=False)", "cell(sequence, sequence, sequence, need_weights=False)[0]")],
    "TransformerEncoderLayer": [(f"nn.TransformerEncoderLayer(8, 2, 16, {_BATCH_FIRST})", "cell(sequence)"),
                                ("nn.TransformerEncoderLayer(8, 2, 16, 0.0, 'gelu', norm_first=True)", "cell(sequence)")],
    "TransformerDecoderLayer": [(f"nn.TransformerDecoderLayer(8, 2, 16, {_BATCH_FIRST})", "cell(sequence, sequence * 2)")],
    "TransformerEncoder": [(f"nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, {_BATCH_FIRST}), 2)", "cell(sequence)")],
    "TransformerDecoder": [(f"nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, {_BATCH_FIRST}), 2)", "cell(sequence, sequence * 2)")],
    "Transformer": [(f"nn.Transformer(8, 2, 1, 1, 16, {_BATCH_FIRST})", "cell(sequence, sequence * 2)")],
    "MultilabelMarginLoss": [("nn.MultilabelMarginLoss()", "cell(scores, ms.Tensor([[1, 3, -1, 0], [0, -1, 2, 1], [2, 1, 0, -1], [3, -1, 0, 0], [-1, 0, 1, 2]], ms.int32))")],
    "MultiLabelMarginLoss": [("nn.MultiLabelMarginLoss('sum')", "cell(scores, ms.Tensor([[1, 3, -1, 0], [0, -1, 2, 1], [2, 1, 0, -1], [3, -1, 0, 0], [-1, 0, 1, 2]], ms.int32))")],
    "ForwardValueAndGrad": [("nn.ForwardValueAndGrad(nn.MSELoss(), get_all=True)", "cell(x, y)")],
    **{f"{name}LR": [(f"nn.{name}LR(0.1, 0.9, 3)", f"cell({_RATES})"), (f"nn.{name}LR(0.1, 0.9, 3, True)", f"cell({_RATES})")]
       for name in ("ExponentialDecay", "NaturalExpDecay", "InverseDecay")},
    "CosineDecayLR": [("nn.CosineDecayLR(0.01, 0.1, 9)", f"cell({_RATES})"), ("nn.CosineDecayLR(0.01, 0.1, 5)", f"cell({_RATES})")],
    "PolynomialDecayLR": [("nn.PolynomialDecayLR(0.1, 0.01, 9, 0.5)", f"cell({_RATES})"), ("nn.PolynomialDecayLR(0.1, 0.01, 3, 2.0, True)", f"cell({_RATES})")],
    "ClipByNorm": [("nn.ClipByNorm()", "cell(x, ms.Tensor(0.7))"), ("nn.ClipByNorm(1)", "cell(x, ms.Tensor(0.7))")],
    "DiGamma": [("nn.DiGamma()", "cell(p)")], "LGamma": [("nn.LGamma()", "cell(p)")], "IGamma": [("nn.IGamma()", "cell(p, q)")],
    "LBeta": [("nn.LBeta()", "cell(p, q)")], "MatDet": [("nn.MatDet()", "cell(definite)")], "MatInverse": [("nn.MatInverse()", "cell(definite)")],
    "ReduceLogSumExp": [("nn.ReduceLogSumExp(1)", "cell(t)"), ("nn.ReduceLogSumExp((0, 2), True)", "cell(t)")],
    "Conv2dBnAct": [("nn.Conv2dBnAct(4, 6, 3, has_bn=True, activation='relu')", "cell(images)")],
    "DenseBnAct": [("nn.DenseBnAct(7, 5, has_bn=True, activation='relu')", "cell(x)")],
    "EmbeddingLookup": [("nn.EmbeddingLookup(4, 3)", "cell(labels)"), ("nn.EmbeddingLookup(3, 3)", "cell(places)"),
                        ("nn.EmbeddingLookup(4, 3, max_norm=0.5)", "cell(labels)"),
                        ("nn.EmbeddingLookup(4, 3, target='DEVICE', sparse=False)", "cell(labels)")],
    "WarmUpLR": [("nn.WarmUpLR(0.1, 9)", f"cell({_RATES})"), ("nn.WarmUpLR(0.1, 4)", f"cell({_RATES})")],
}

#: Expressions of host functions: values alone.
VALUES = {
    "cosine_decay_lr": ["nn.cosine_decay_lr(0.01, 0.1, 6, 2, 2)"], "piecewise_constant_lr": ["nn.piecewise_constant_lr([2, 5, 10], [0.1, 0.05, 0.01])"],
    **{f"{name}_decay_lr": [f"nn.{name}_decay_lr(0.1, 0.9, 6, 2, 1)",
                            f"nn.{name}_decay_lr(0.1, 0.9, 6, 2, 2, True)"] for name in ("exponential", "natural_exp", "inverse")},
    "polynomial_decay_lr": ["nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5)", "nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 1, 0.5, True)"],
    "warmup_lr": ["nn.warmup_lr(0.1, 6, 2, 2)"], "auc": ["nn.auc(np.array([0, 0.3, 0.7, 1]), np.array([0, 0.6, 0.8, 1]))",
                                                         "nn.auc(np.array([0.7, 0.3, 0, 1]), np.array([0.8, 0.6, 0, 1]), True)"],
    "DynamicLossScaleUpdateCell": ["nn.DynamicLossScaleUpdateCell(8.0, 2, 3)(ms.Tensor(8.0), ms.Tensor(True))"],
    "FixedLossScaleUpdateCell": ["nn.FixedLossScaleUpdateCell(8.0)(ms.Tensor(8.0), ms.Tensor([False]))"],
    "names": ["sorted(nn.names())"], "get_metric_fn": ["type(nn.get_metric_fn('precision', eval_type='classification')).__name__"],
    "WithGradCell": ["nn.WithGradCell(dense(), nn.MSELoss())(x, y[:, :2])"],
    "TrainOneStepWithLossScaleCell": [
        "nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(dense(), nn.MSELoss()), nn.SGD(dense().trainable_params()), ms.Tensor(8.0))(x, y[:, :2])"],
    "rearrange_inputs": ["hasattr(nn.rearrange_inputs(len), '__call__')"], "TensorArray": ["arrayed()"], "ParameterUpdate": ["nn.ParameterUpdate(ms.Parameter(x, 'p'))(y)"],
}

_MARKS = "[[0, 1, 1, 0], [0, 1, 2, 2], [1, 1, 0, 2]]"
_MASKS = f"ms.Tensor({_MARKS}), ms.Tensor([[0, 1, 0, 0], [1, 1, 2, 2], [1, 2, 0, 2]]), 1"
_TEXT = ("[['i', 'have', 'a', 'pen', 'on', 'my', 'desk'], ['it', 'is', 'a', 'cat']], "
         "[[['i', 'have', 'a', 'pen', 'in', 'my', 'desk'], ['there', 'is', 'a', 'pen', 'on', 'the', 'desk']], [['it', 'is', 'the', 'cat']]]")
_DENSE = "nn.SequentialCell(nn.Flatten(), nn.Dense(42, 3, weight_init=ms.Tensor(numbers((3, 42))), has_bias=False))"

#: Metrics: how one is made, then the arguments of each update.
METRICS = {
    "BleuScore": [("nn.BleuScore()", [_TEXT]), ("nn.BleuScore(2, True)", [_TEXT])], "Dice": [("nn.Dice()", ["shares, targets"])],
    "ConfusionMatrixMetric": [(f"nn.ConfusionMatrixMetric({arguments})", ["ms.Tensor([[[0], [1]], [[0], [0]], [[1], [1]]]), ms.Tensor([[[0], [1]], [[1], [0]], [[1], [1]]])"])
                              for arguments in ("True, 'recall', True, 'mean'", "False, 'accuracy', False, 'sum'", "False, 'precision'")],
    **{name: [(f"nn.{name}()", [_MASKS]), (f"nn.{name}({arguments})", [_MASKS])] for name, arguments in (
        ("HausdorffDistance", "'chessboard', 90.0, True"), ("MeanSurfaceDistance", "True, 'taxicab'"), ("RootMeanSquareDistance", "True, 'chessboard'"))},
    "ROC": [("nn.ROC(pos_label=1)", ["ms.Tensor([3.0, 1, 4, 2]), ms.Tensor([0, 1, 2, 3])"]),
            ("nn.ROC(class_num=3)", ["scores[:4, :3], ms.Tensor([0, 1, 2, 1])"])],
    "OcclusionSensitivity": [("nn.OcclusionSensitivity(margin=1, n_batch=4)", [f"{_DENSE}, images[:1, :1], ms.Tensor([1], ms.int32)"])],
    "Top5CategoricalAccuracy": [("nn.Top5CategoricalAccuracy()", ["x, labels_like[:, 0]"])],
}

#: First values: a tensor of each is compared by its moments, range and quantiles.
_MADE = {
    "Conv1d": "64, 96, 7, has_bias=True", "Conv2d": "64, 96, 5, has_bias=True", "Conv3d": "32, 48, 3, has_bias=True",
    "Conv1dTranspose": "64, 96, 7, has_bias=True", "Conv2dTranspose": "64, 96, 5, has_bias=True", "BiDense": "60, 50, 40",
    "RNNCell": "300, 400", "GRUCell": "300, 400", "LSTMCell": "300, 400", "RNN": "300, 400", "GRU": "300, 400", "LSTM": "300, 400",
    "MultiheadAttention": "256, 4", "TransformerEncoderLayer": "256, 4, 512", "BatchNorm1d": "40", "BatchNorm3d": "40",
}
_COUNTS = {"RNNCell": 4, "GRUCell": 4, "LSTMCell": 4, "RNN": 4, "GRU": 4, "LSTM": 4, "MultiheadAttention": 4, "TransformerEncoderLayer": 12}
FIRST_VALUES = {name: [f"nn.{name}({arguments}).trainable_params()[{i}]" for i in range(_COUNTS.get(name, 2))]
                for name, arguments in _MADE.items()}
