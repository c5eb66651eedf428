"""Differences from MindSpore 2.0.0 that are meant, and where each is explained.

What is particular to names is explained by a sentence with the word MindSpore in their docstrings; `compare_mindspore`
prints it in place of the difference, and says which docstring lacks it. What many names share is explained here once;
`generate_support` writes it into docs/support.md.
"""

import re

#: Names, and a pattern of the differences that their docstrings explain.
BY_NAME = {
    "ops.ApplyFtrl": r"value\|0",
    "ops.ApplyAdagradDA": r"value\|0",
    "ops.SparseApplyAdagradV2": r"value\|0",
    "ops.selu ops.SeLU nn.SeLU": r"gradient",
    "ops.zeta ops.Zeta": r"gradient",
    "nn.FTRL": r"^0.2, ",
    "nn.Momentum": r"use_nesterov=True",
    "nn.Adagrad": r"False: step",
    "nn.SGD nn.Adam": r"\[.*step [23]",
    "nn.SGD nn.ASGD": r"states",
    "ops.full": r"",
    "nn.SampledSoftmaxLoss": r"float32\)\)\): cell",
    "nn.MultiFieldEmbeddingLookup": r"gradient of parameters.*(MindSpore \(21,\)|only in MindSpore)",
    "ops.ReLUV2": r"images\)\[1\]",
    "Cell.set_mixed_precision_type": r"in_precision\(1\)",
    "ops.gelu": r"float16: value",
    "ops.max_pool2d": r"gradient",
    "ops.nextafter ops.NextAfter Tensor.nextafter": r"gradient",
    "ops.unsorted_segment_max ops.unsorted_segment_min Tensor.unsorted_segment_max Tensor.unsorted_segment_min ops.UnsortedSegmentMax ops.UnsortedSegmentMin":
        r"inf",
    "ops.norm": r"inf.*gradient",
    "ops.CholeskyInverse ops.CholeskySolve ops.cholesky_inverse ops.cholesky_solve Tensor.cholesky_inverse Tensor.cholesky_solve": r"gradient",
    "ops.EmbeddingLookup": r"gradient",
    "nn.EmbeddingLookup": r"gradient of parameters.*(MindSpore \((5|18),\)|only in MindSpore)|max_norm",
    "ops.MatrixInverse": r"gradient",
    "ops.MaxPoolWithArgmaxV2": r"",
    "ops.MaxPoolWithArgmax": r"'same'",
    "ops.MaxPool3DWithArgmax": r"int.*MindSpore \[0 0",
    "ops.Median": r"gradient",
    "ops.MaxPool3DWithArgmax": r"int(32|64): value",
    "ops.hamming_window": r"type float32",
    "ops.scalar_to_array ops.ScalarToArray ops.tuple_to_array ops.TupleToArray": r"type int64",
    "numpy.polyval": r"type .*MindSpore float32",
    "ops.Mod": r"gradient\|1",
    "nn.SSIM nn.MSSSIM": r"",
    "nn.ClipByNorm": r"ClipByNorm\(1\)",
    "nn.IGamma nn.LBeta": r"value|gradient",
    "nn.DynamicLossScaleUpdateCell": r"must be a Parameter",
    "Tensor.item": r"type float64|gradient",
    "numpy.histogram2d": r"float16",
    "ops.Betainc": r"gradient\|[01]",
    "ops.CTCLoss": r"gradient|value\|0: 0 |float16: value",
    "ops.IOU ops.iou": r"gradient",
    "ops.LSTM": r"gradient",
    "ops.RGBToHSV": r"MindSpore inf",
    "ops.ROIAlign": r"gradient",
    "ops.SparseReshape": r"-1.*value",
    "ops.CropAndResize ops.crop_and_resize": r"bilinear_v2",
    "ops.clamp ops.clip ops.clip_by_value ops.addcmul ops.addcdiv ops.Addcmul ops.Addcdiv": r"(int32|int64|uint8|float16): .*type float32",
    "ops.inplace_add ops.inplace_sub ops.inplace_update Tensor.inplace_update ops.InplaceAdd ops.InplaceSub ops.InplaceUpdate": r"gradient",
        "Tensor.choose": r"float",
    "numpy.unique": r"values",
    "numpy.interp": r"gradient",
    "numpy.cbrt": r"nan",
    "nn.ROC": r"class_num=3",
    "Cell.param_prefix": r"",
    "scipy.optimize.line_search": r"type float32|g_k",
    "numpy.around": r"float16",
    "vision.NormalizePad": r"NormalizePad\(\[10.0.*value",
    "vision.GaussianBlur": r"by 1 at most",
    "dataset.IMDBDataset": r"value\|.*two lines",
    "dataset.FakeImageDataset": r"project\(\['image'\]\): distribution",
    "text.BasicTokenizer text.BertTokenizer": r"shape \(7,\), MindSpore \((19|20),\)",
    "text.WordpieceTokenizer text.BertTokenizer": r"offsets.*value\|[45]: shape \(11,\), MindSpore \(13,\)",
    "dataset.MnistDataset": r"mnist', shuffle=False",
    "dataset.TextFileDataset": r"\* 2",
    "dataset.RandomSampler dataset.WeightedRandomSampler": r"size|only here",
    "dataset.IWSLT2016Dataset dataset.IWSLT2017Dataset": r"valid|'test'|IWSLT2016', shuffle",
    "dataset.RandomDataset": r"num_|uint8.*distribution",
    "ops.Coalesce": r"value",
    "dataset.Schema": r"'rank': 1",
    "dataset.TedliumDataset": r"value\|[06]: .*MindSpore 0 ",
    "dataset.WIDERFaceDataset": r"value\|(5|6|7|13|14|15|21|22|23|29|30|31): ",
    "dataset.deserialize dataset.serialize": r"column_defaults.*(types|type)",
    "numpy.correlate": r"type .*MindSpore float32",
    "numpy.convolve numpy.polymul": r"gradient\|1",
}

#: Pattern of "case: difference", and what explains it: the heading and MindSpore's behaviour for docs/support.md.
BY_KIND = {
    r"^(nn|ops).(\w*[Cc]ross_?[Ee]ntropy\w*|BCE\w*Loss|KLDivLoss|kl_div|MultiMarginLoss|NLLLoss): .*gradient\|[1-3]":
        ("losses with weights or targets of floats", "they have gradients", "zero"),
    r"^(nn|ops).\w*[Cc]ross_?[Ee]ntropy\w*: .*\* 99.*value\|0: ":
        ("cross entropies of rows whose label has a probability below 1e-38", "the logarithm, as its documentation and GPUs have it",
         "87.34 on a CPU, whatever the row"),
    r"^ops.BinaryCrossEntropy: .*gradient\|0": ("one tensor as two arguments of a loss", "the sum of both derivatives", "one of them"),
    r"^(ops|numpy|Tensor)\.(div|divide|true_divide|tensor_div|inv|mean|SegmentMean|average|var|std|nan\w+|heaviside|Div|RealDiv|Inv|reciprocal)\b.*(int|uint8|x, p|n, m|n\))":
        ("a quotient, mean or deviation of integers", "f32, in `ops` an error for means", "integers, cut; sums of 8 bits overflow"),
    r": (int32|int64|uint8|bool): fails here: .*(must be of float16|tensor of floats|lose its fraction|cannot be of bool)":
        ("integers and booleans where a function is of real numbers", "refused by the name of the function, or f32", "cut to integers"),
    r": bool: ": ("booleans in arithmetic", "count as int32", "bool, int64 or f16, or NaN where a quotient's divisor is False"),
    r"^numpy.*uint8: .*type float32, MindSpore float16": ("functions of real numbers of 8-bit integers in `numpy`", "f32", "f16"),
    r"^numpy.*float16: .*type float16, MindSpore float32": ("functions of real numbers of f16 in `numpy`", "f16, as NumPy's", "some f32"),
    r"^ops\.(AffineGrid|affine_grid|Conv3DTranspose|conv3d_transpose|RGBToHSV): .*float16: gradient.*type float16":
        ("gradients of f16", "f16, as the values", "of some operators f32"),
    r"^ops\.(ResizeBicubic: |(interpolate|upsample): .*bicubic).*: (value|gradient)\|0: ":
        ("cubic interpolation", "weights of the very place", "those of the nearest of 1024 places between two elements"),
    r"^((ops|Tensor)\.(cov|trapz): .*float16: value|Tensor.i0: .*float16: gradient)\|0: [-\d.]+ at":
        ("`cov`, `trapz` and the gradient of `i0` of f16", "computed in f32", "rounded at each step"),
    r"^numpy.unwrap: .*uint8": ("functions of real numbers of 8-bit integers in `numpy`", "f32", "differences wrap around"),
    r"(cumprod|[Pp]ow).*(int32|int64|uint8): value": ("integers that overflow", "wrap around", "computed as floats, then cut"),
    r"^numpy.(fliplr|flipud|flip|rot90): .*gradient": ("gradients through slices with negative steps", "those of the elements", "wrong"),
    r"^first values: .*(T|t)runcated.*deviation": ("truncated normal values", "cut at two deviations", "cut at -2 and 2"),
    r"^first values: initializer: initializer.VarianceScaling.2.0, 'fan_out'": ("`VarianceScaling` without a distribution", "the truncated normal one", "an even one"),
    r"^nn.(BatchNorm.*train: after\|1|(Conv2d|Dense)BnAct.*train: after\|[23])": ("the moving variance of BatchNorm", "unbiased, as on MindSpore's GPUs", "biased"),
    r"^nn.With(Loss|Eval)Cell": ("names of parameters of a cell within another", "`backbone.NAME`, as the cell alone has them",
                                 "`cell.backbone.NAME`"),
    r"^ops\.i?fft[2n]?: .*gradient.*MindSpore 0 ": ("gradients of Fourier transforms by functions (`ops.fft` …)", "those of the sums", "zero"),
    r"^(ops.ReduceProd|ops.prod|Tensor.prod|ops.reduce_prod): .*gradient": ("the gradient of a product over all axes", "that of every factor", "wrong"),
    r"^signature: .*default of 'group' is mccl": ("the group of all devices", "`mccl_world_group`, as MindSpore names it on CPUs", "`hccl_world_group`"),
    r"^signature: initializer.TruncatedNormal": ("keywords of later versions", "taken", "not known"),
    r"^signature: (ops.matmul: parameter 'transpose_|ops.reduce_\w+: parameter 'keep_dims'|nn.BatchNorm3d: parameter 'data_format')":
        ("keywords of later versions", "taken", "not known"),
    r"^signature: (ops|Tensor).split: ": ("keywords of MindSpore 1.x", "taken", "not known"),
    r"^signature: ops.value_and_grad: parameter 'return_ids'": ("keywords of later versions", "refused by name", "not known"),
    r"^signature: .*is not MindSpore's": ("keywords of later versions", "taken", "not known"),
    r"^ops.StridedSlice: .*gradient": ("gradients of slices with masks", "those of the elements", "wrong"),
    r"^ops.clip_by_global_norm: .*(int|uint8)": ("integers and booleans where a function is of real numbers",
                                                 "refused by the name of the function, or f32", "cut to integers"),
    r"^numpy.polyder: .*uint8": ("integers that overflow", "wrap around", "computed as floats, then cut"),
    r": MindSpore refuses: ":
        ("arguments that MindSpore 2.0.0 itself refuses on a CPU", "taken, as its documentation, PyTorch or NumPy have them", "refused"),
}


def told(document):
    """The sentences of a documentation that speak of MindSpore."""
    return " ".join(sentence for sentence in re.split(r"(?<=[.;]) |\n\n", document.replace("\n", " ")) if "MindSpore" in sentence)
