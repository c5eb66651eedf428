"""What is compared with MindSpore: expressions by public name, and the differences that are meant.

An expression is evaluated by both packages, for inputs that its free names stand for (INPUTS): values, and gradients by
all inputs of floating point, in float32 and float16. Names that the package offers and that stand in no table here are
reported, so that a new name gets a case.
"""

import re

import complex_cases
import data_cases
import further_cases
import image_cases
import index_cases
import layer_cases
import library_cases
import linear_cases
import numpy_cases
import operator_cases
import package_cases
import picture_set_cases
import pipeline_cases
import random_cases
import set_cases
import sound_set_cases
import sparse_cases
import structure_cases
import uncommon_cases
import vision_cases


def _join(table, more):
    """Adds cases to a table; those that names have there stay."""
    for name, texts in more.items():
        known = table.get(name, [])
        table[name] = known + [text for text in texts if text not in known]


#: Free names of expressions: (kind, shape). Kinds: normal, positive, distinct (no ties, no zeros), shares (rows that add
#: up to one), unit (from 0 to 1), boxes (rows of left, top, right, bottom), ints (-5 to 8), below:N (int32 from 0 to N - 1), bools.
INPUTS = {"x": ("distinct", (3, 7)), "y": ("distinct", (3, 7)), "row": ("normal", (7,)), "p": ("positive", (3, 7)), "q": ("positive", (3, 7)),
          "n": ("ints", (3, 7)), "m": ("ints", (3, 7)), "b": ("bools", (3, 7)), "c": ("bools", (3, 7)), "t": ("distinct", (2, 3, 5)),
          "u": ("normal", (2, 5, 4)), "v": ("normal", (5,)), "square": ("normal", (4, 5)), "other": ("normal", (5, 3)),
          "images": ("distinct", (2, 4, 7, 6)), "kernel": ("normal", (6, 4, 3, 3)), "grouped": ("normal", (6, 2, 3, 3)), "bias": ("normal", (6,)),
          "channels": ("normal", (4,)), "scores": ("normal", (5, 4)), "labels": ("below:4", (5,)), "shares": ("shares", (5, 4)),
          "weights": ("positive", (4,)), "volume": ("distinct", (2, 3, 2, 4, 3)), "ids": ("below:3", (4,)), "sequence": ("normal", (2, 3, 8)),
          "maps": ("normal", (2, 4, 3, 3)), "places": ("below:4", (2, 3, 3)), "labels_like": ("below:7", (3, 7)), "pairs": ("below:2", (4, 2)),
          "targets": ("shares", (5, 4)), "outer": ("normal", (4, 3)), "square3": ("normal", (3, 4)), "block": ("normal", (2, 3, 4)),
          "shares_like": ("shares", (3, 7)), "places4": ("below:4", (2, 1, 7, 6)), "definite": ("definite", (4, 4)), "lower": ("lower", (4, 4)),
          "matrices": ("normal", (2, 4, 4)), "columns": ("normal", (2, 12, 12)), "patches": ("normal", (2, 3, 4, 12)),
          "filters": ("normal", (4, 3, 3)), "cubes": ("normal", (2, 3, 2, 3, 2)), "cubes_back": ("normal", (3, 2, 2, 3, 2)),
          "upper": ("normal", (2, 6, 5, 4)), "picture": ("unit", (2, 6, 5, 3)), "photos": ("unit", (2, 3, 9, 8)), "prints": ("unit", (2, 3, 9, 8)),
          "grid": ("normal", (2, 3, 4, 2)), "grid3": ("normal", (2, 2, 3, 2, 3)), "theta": ("normal", (2, 2, 3)), "theta3": ("normal", (2, 3, 4)),
          "anchors": ("boxes", (3, 4)), "truths": ("boxes", (3, 4)), "samples": ("unit", (2, 4, 2)), "samples3": ("unit", (2, 3, 3)),
          "deep": ("distinct", (2, 3, 4, 5, 5)), "steps": ("normal", (6, 2, 5)), "packed": ("normal", (224, 1, 1)),
          "offsets": ("normal", (2, 27, 5, 4))}

#: Element types that every function is evaluated for; the first expression of each name also for whole numbers.
TYPES = ("float32", "float16")
WHOLE_TYPES = ("int32", "int64", "uint8", "bool")


_UNARY = """abs exp neg square tanh sigmoid relu erf floor ceil sign sin cos silu elu leaky_relu absolute negative relu6
    zeros_like ones_like""".split()
_POSITIVE = "log sqrt rsqrt reciprocal".split()
_BINARY = "add sub mul maximum minimum subtract multiply".split()
_COMPARE = "equal not_equal less less_equal greater greater_equal".split()
_QUOTIENTS = "div divide true_divide floor_div".split()

#: Functions of `ops`: expressions by name.
FUNCTIONS = {
    **{name: [f"ops.{name}(x)", f"ops.{name}(t)"] for name in _UNARY},
    **{name: [f"ops.{name}(p)"] for name in _POSITIVE},
    **{name: [f"ops.{name}(x, y)", f"ops.{name}(x, row)", f"ops.{name}(x, 2.0)", f"ops.{name}(n, m)"] for name in _BINARY},
    **{name: [f"ops.{name}(x, y)", f"ops.{name}(n, m)", f"ops.{name}(x, row)"] for name in _COMPARE},
    **{name: [f"ops.{name}(x, p)", f"ops.{name}(x, 0.7)"] for name in _QUOTIENTS},
    **{name: [f"ops.{name}(b, c)"] for name in ("logical_and", "logical_or")},
    **{name: [f"ops.{name}(n, m)"] for name in ("bitwise_and", "bitwise_or", "bitwise_xor")},
    "bitwise_left_shift": ["ops.bitwise_left_shift(n, 2)"], "bitwise_right_shift": ["ops.bitwise_right_shift(n, 2)"],
    "invert": ["ops.invert(n)"], "logical_not": ["ops.logical_not(b)"],
    "floor_mod": ["ops.floor_mod(x, p)", "ops.floor_mod(n, 3)"],
    "pow": ["ops.pow(p, x)", "ops.pow(x, 2)", "ops.pow(p, 0.5)"],
    "any": ["ops.any(b)", "ops.any(b, 1)", "ops.any(b, (0, 1), True)"], "all": ["ops.all(b)", "ops.all(b, 1)"],
    "cast": ["ops.cast(x, ms.float16)", "ops.cast(x * 9, ms.int32)", "ops.cast(n, ms.float32)", "ops.cast(x, ms.bool_)"],
    "reshape": ["ops.reshape(x, (7, -1))"], "transpose": ["ops.transpose(t, (2, 0, 1))"],
    "broadcast_to": ["ops.broadcast_to(row, (2, 3, 7))"], "tile": ["ops.tile(x, (2, 3))"],
    "concat": ["ops.concat((x, y))", "ops.concat((x, y), 1)"], "cat": ["ops.cat((x, y), -1)"],
    "stack": ["ops.stack((x, y))", "ops.stack([x, y], -1)"], "expand_dims": ["ops.expand_dims(x, 1)"],
    "squeeze": ["ops.squeeze(ops.expand_dims(x, 0))", "ops.squeeze(ops.expand_dims(x, 1), 1)"],
    "flatten": ["ops.flatten(t)", "ops.flatten(images, start_dim=2)", "ops.flatten(t, start_dim=0, end_dim=1)",
                "ops.flatten(t, 'F')"],
    "split": ["ops.split(x, 1)", "ops.split(x, 2, axis=1)", "ops.split(x, [2, 5], 1)", "ops.split(x, 1)[1]"],
    "pad": ["ops.pad(x, (1, 2))", "ops.pad(t, (1, 0, 2, 3), value=1.5)"],
    "gather": ["ops.gather(x, ids, 0)", "ops.gather(x, ids, 1)"],
    "one_hot": ["ops.one_hot(ids, 4, ms.Tensor(1.0, ms.float32), ms.Tensor(0.0, ms.float32))",
                "ops.one_hot(ids, 4, ms.Tensor(2.0, ms.float32), ms.Tensor(-1.0, ms.float32), 0)"],
    "select": ["ops.select(b, x, y)"], "fill": ["ops.fill(ms.float32, (2, 3), 1.5)"],
    "ones": ["ops.ones((2, 3))", "ops.ones((2,), ms.int32)"], "zeros": ["ops.zeros((2, 3))", "ops.zeros(3, ms.int32)"],
    "eye": ["ops.eye(3)", "ops.eye(2, 4, ms.int32)"], "shape": ["ops.shape(x)"], "rank": ["ops.rank(x)"],
    "size": ["ops.size(x)"], "dtype": ["str(ops.dtype(x)).lower()"],
    "strided_slice": ["ops.strided_slice(t, (0, 1, 0), (2, 3, 5), (1, 1, 2))"],
    "stop_gradient": ["x * ops.stop_gradient(x)"], "depend": ["ops.depend(x, y)"],
    "clip_by_value": ["ops.clip_by_value(x, -0.3, 0.52)", "ops.clip_by_value(x, clip_value_max=0.17)"],
    "matmul": ["ops.matmul(square, other)", "ops.matmul(t, u)", "ops.matmul(v, other)", "ops.matmul(square, v)",
               "ops.matmul(t, other)"], "bmm": ["ops.bmm(t, u)"],
    **{name: [f"ops.{name}(t)", f"ops.{name}(t, 1)", f"ops.{name}(t, (0, 2))"]
       for name in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min")},
    "mean": ["ops.mean(t)", "ops.mean(t, 1)", "ops.mean(t, (0, 2), True)"],
    "sum": ["ops.sum(t)", "ops.sum(t, 1, True)", "ops.sum(t, dim=(0, 2))", "ops.sum(n)", "ops.sum(n, dtype=ms.float32)"],
    "argmax": ["ops.argmax(t)", "ops.argmax(t, 1)", "ops.argmax(t, -1, True)"],
    "gelu": ["ops.gelu(x)", "ops.gelu(x, approximate='tanh')"],
    "softmax": ["ops.softmax(x)", "ops.softmax(t, 1)"], "log_softmax": ["ops.log_softmax(x)", "ops.log_softmax(t, 1)"],
    "bias_add": ["ops.bias_add(images, channels)"],
    "conv2d": ["ops.conv2d(images, kernel)", "ops.conv2d(images, kernel, bias, 2, 'same')",
               "ops.conv2d(images, kernel, None, 1, 'pad', 1, 2)", "ops.conv2d(images, grouped, groups=2)"],
    "max_pool2d": ["ops.max_pool2d(images, 2)", "ops.max_pool2d(images, 3, 2, 1)", "ops.max_pool2d(images, 2, ceil_mode=True)"],
    "avg_pool2d": ["ops.avg_pool2d(images, 2)", "ops.avg_pool2d(images, 3, 2, 1)",
                   "ops.avg_pool2d(images, 3, 2, 1, count_include_pad=False)",
                   "ops.avg_pool2d(images, 2, divisor_override=3)"],
    "mse_loss": ["ops.mse_loss(x, y)", "ops.mse_loss(x, y, 'sum')", "ops.mse_loss(x, y, 'none')"],
    "cross_entropy": ["ops.cross_entropy(scores, labels)", "ops.cross_entropy(scores, shares)",
                      "ops.cross_entropy(scores, labels, weights, 2)",
                      "ops.cross_entropy(scores, labels, label_smoothing=0.1, reduction='sum')",
                      "ops.cross_entropy(scores, shares, weights, reduction='none', label_smoothing=0.2)",
                      "ops.cross_entropy(maps, places, weights, 1, label_smoothing=0.1)"],
}

for _module in (library_cases, index_cases, linear_cases, layer_cases, structure_cases, image_cases, complex_cases, further_cases, uncommon_cases):
    _join(FUNCTIONS, _module.FUNCTIONS)

#: Primitive classes of `ops`: how one is made, then how it is called.
PRIMITIVES = {
    **{name: [f"ops.{name}()(x)"] for name in "Abs Exp Neg Square Tanh Sigmoid ReLU Erf Floor Sign ReLU6 GeLU Flatten "
       "ZerosLike OnesLike Softmax LogSoftmax Argmax Rank Size Shape".split()},
    **{name: [f"ops.{name}()(p)"] for name in "Log Sqrt Rsqrt Reciprocal".split()},
    **{name: [f"ops.{name}()(x, y)", f"ops.{name}()(n, m)"] for name in "Add Sub Mul Maximum Minimum Equal NotEqual Less "
       "LessEqual Greater GreaterEqual TensorAdd".split()},
    **{name: [f"ops.{name}()(x, p)", f"ops.{name}()(n, 3)"] for name in "Div RealDiv FloorDiv Mod FloorMod".split()},
    **{name: [f"ops.{name}()(t)", f"ops.{name}(True)(t, 1)", f"ops.{name}()(t, (0, 2))"]
       for name in "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd".split()},
    **{name: [f"ops.{name}()(b)", f"ops.{name}(True)(b, 1)"] for name in ("ReduceAny", "ReduceAll")},
    **{name: [f"ops.{name}()(b, c)"] for name in ("LogicalAnd", "LogicalOr")},
    **{name: [f"ops.{name}()(n, m)"] for name in ("BitwiseAnd", "BitwiseOr", "BitwiseXor")},
    "Invert": ["ops.Invert()(n)"],
    "LogicalNot": ["ops.LogicalNot()(b)"], "Pow": ["ops.Pow()(p, x)", "ops.Pow()(x, 3)"],
    "Select": ["ops.Select()(b, x, y)"], "Cast": ["ops.Cast()(x, ms.float16)"],
    "BroadcastTo": ["ops.BroadcastTo((2, 3, 7))(row)"], "Concat": ["ops.Concat()((x, y))", "ops.Concat(1)((x, y))"],
    "Stack": ["ops.Stack()((x, y))", "ops.Stack(-1)([x, y])"], "ExpandDims": ["ops.ExpandDims()(x, 0)"],
    "Squeeze": ["ops.Squeeze()(ops.expand_dims(x, 0))", "ops.Squeeze(1)(ops.expand_dims(x, 1))"],
    "Split": ["ops.Split(1, 7)(x)", "ops.Split(output_num=3)(x)[1]"], "Tile": ["ops.Tile()(x, (2, 1))"],
    "Transpose": ["ops.Transpose()(t, (2, 0, 1))"], "Reshape": ["ops.Reshape()(x, (7, 3))"],
    "Gather": ["ops.Gather()(x, ids, 0)"], "Fill": ["ops.Fill()(ms.float32, (2, 2), 3.0)"],
    "OneHot": ["ops.OneHot()(ids, 4, ms.Tensor(1.0, ms.float32), ms.Tensor(0.0, ms.float32))"],
    "MatMul": ["ops.MatMul()(square, other)", "ops.MatMul(transpose_b=True)(square, square)"],
    "BatchMatMul": ["ops.BatchMatMul()(t, u)", "ops.BatchMatMul(transpose_a=True)(t, t)"],
    "BiasAdd": ["ops.BiasAdd()(images, channels)"], "Depend": ["ops.Depend()(x, y)"],
    "DType": ["str(ops.DType()(x)).lower()"],
    "SoftmaxCrossEntropyWithLogits": ["ops.SoftmaxCrossEntropyWithLogits()(scores, shares)",
                                      "ops.SoftmaxCrossEntropyWithLogits()(scores, shares)[0]",
                                      "ops.SoftmaxCrossEntropyWithLogits()(scores * 99, shares)[0]"],
    "SparseSoftmaxCrossEntropyWithLogits": ["ops.SparseSoftmaxCrossEntropyWithLogits()(scores, labels)",
                                            "ops.SparseSoftmaxCrossEntropyWithLogits()(scores * 99, labels)"],
}

for _module in (library_cases, index_cases, linear_cases, layer_cases, structure_cases, image_cases, complex_cases, further_cases, uncommon_cases):
    _join(PRIMITIVES, _module.PRIMITIVES)

#: Methods of tensors.
METHODS = {
    **{name: [f"x.{name}()"] for name in "abs exp tanh flatten erf sin cos floor ceil sign square neg sigmoid".split()},
    **{name: [f"p.{name}()"] for name in "log sqrt rsqrt reciprocal".split()},
    **{name: [f"x.{name}(y)"] for name in "add sub mul maximum minimum equal greater less".split()},
    **{name: [f"t.{name}()", f"t.{name}(1)", f"t.{name}((0, 2))"] for name in "sum mean max min".split()},
    "prod": ["t.prod()", "t.prod(1)", "t.prod(1, True)"],
    "any": ["b.any()", "b.any(1)", "b.any(1, True)"], "all": ["b.all()", "b.all(1)"],
    "reshape": ["x.reshape(7, 3)", "x.reshape((7, -1))"], "view": ["x.view(7, 3)"],
    "transpose": ["t.transpose()", "t.transpose(1, 0, 2)", "t.transpose((2, 0, 1))"], "astype": ["x.astype(ms.float16)"],
    "to": ["x.to(ms.float16)"], "argmax": ["t.argmax()", "t.argmax(1)", "t.argmax(1, True)"],
    "expand_dims": ["x.expand_dims(1)"], "squeeze": ["x.expand_dims(1).squeeze()", "x.expand_dims(1).squeeze(1)"],
    "broadcast_to": ["row.broadcast_to((2, 3, 7))"], "matmul": ["square.matmul(other)", "square.matmul(v)"],
    "pow": ["x.pow(2)", "p.pow(x)"], "div": ["x.div(p)", "x.div(p, rounding_mode='floor')", "x.div(p, rounding_mode='trunc')"],
    "tile": ["x.tile((2, 1))"], "swapaxes": ["t.swapaxes(0, 2)"], "permute": ["t.permute(1, 0, 2)"],
    "unsqueeze": ["x.unsqueeze(0)"],
    "operators": ["x + y", "x - 1", "2 * x", "x / p", "p ** 2", "-x", "x @ row", "x > y", "x == y", "x[1:, ::2]", "x[..., 0]", "n // 3", "n % 3",
                  "x // p", "x % p", "1 - x", "2 ** x", "abs(x)"],
}

for _module in (library_cases, index_cases, linear_cases):
    _join(METHODS, _module.METHODS)


def _as_method(name, text):
    """A function's case as the method of its first input; None if that is not an input alone."""
    called = re.fullmatch(rf"ops\.{name}\(([a-z]\w*)(?:, (.*))?\)(.*)", text)
    return f"{called[1]}.{name}({called[2] or ''}){called[3]}" if called else None


# Methods take what functions take; where MindSpore's do not, the table above says how they are called.
for _name, _texts in FUNCTIONS.items():
    _made = [_text for _text in (_as_method(_name, _text) for _text in _texts) if _text]
    METHODS.setdefault(_name, _made)
_join(METHODS, complex_cases.METHODS)

#: Cells: how one is made, then how it is called.
CELLS = {
    **{name: [(f"nn.{name}()", "cell(x)")] for name in "ReLU ReLU6 Sigmoid Tanh GELU SiLU LeakyReLU ELU HSigmoid HSwish "
       "Softmax LogSoftmax Identity".split()},
    "GELU": [("nn.GELU()", "cell(x)"), ("nn.GELU(False)", "cell(x)")],
    "LeakyReLU": [("nn.LeakyReLU(0.1)", "cell(x)"), ("nn.LeakyReLU()", "cell(x)")], "ELU": [("nn.ELU()", "cell(x)")],
    "Softmax": [("nn.Softmax()", "cell(x)"), ("nn.Softmax(1)", "cell(t)")], "LogSoftmax": [("nn.LogSoftmax()", "cell(x)")],
    "PReLU": [("nn.PReLU()", "cell(x)"), ("nn.PReLU(4, 0.1)", "cell(images)")],
    "Flatten": [("nn.Flatten()", "cell(images)"), ("nn.Flatten(0, 1)", "cell(images)")],
    "Dense": [("nn.Dense(7, 5)", "cell(x)"), ("nn.Dense(5, 2, has_bias=False, activation='relu')", "cell(t)")],
    "Conv2d": [("nn.Conv2d(4, 6, 3)", "cell(images)"), ("nn.Conv2d(4, 6, 3, 2, 'valid', has_bias=True)", "cell(images)"),
               ("nn.Conv2d(4, 6, (3, 2), (1, 2), 'pad', 1, 2, 2)", "cell(images)")],
    "Embedding": [("nn.Embedding(4, 3)", "cell(labels)"), ("nn.Embedding(4, 3, True)", "cell(places)")],
    "Dropout": [("nn.Dropout(p=0.0)", "cell(x)")],
    "BatchNorm1d": [("nn.BatchNorm1d(7)", "cell(x)")],
    "BatchNorm2d": [("nn.BatchNorm2d(4)", "cell(images)"), ("nn.BatchNorm2d(4, 1e-3, 0.8)", "cell(images)")],
    "BatchNorm3d": [("nn.BatchNorm3d(3)", "cell(volume)")],
    "LayerNorm": [("nn.LayerNorm((8,))", "cell(sequence)"), ("nn.LayerNorm((3, 8), 1, 1, epsilon=1e-5)", "cell(sequence)")],
    "GroupNorm": [("nn.GroupNorm(2, 4)", "cell(images)")],
    "MaxPool2d": [("nn.MaxPool2d()", "cell(images)"), ("nn.MaxPool2d(2, 2)", "cell(images)"),
                  ("nn.MaxPool2d(3, 2, 'same')", "cell(images)"), ("nn.MaxPool2d(3, 2, 'pad', 1)", "cell(images)"),
                  ("nn.MaxPool2d(2, 2, 'pad', ceil_mode=True)", "cell(images)")],
    "AvgPool2d": [("nn.AvgPool2d(2, 2)", "cell(images)"), ("nn.AvgPool2d(3, 2, 'same')", "cell(images)"),
                  ("nn.AvgPool2d(3, 2, 'pad', 1)", "cell(images)"),
                  ("nn.AvgPool2d(3, 2, 'pad', 1, count_include_pad=False)", "cell(images)"),
                  ("nn.AvgPool2d(2, 1, divisor_override=3)", "cell(images)")],
    "AdaptiveAvgPool2d": [("nn.AdaptiveAvgPool2d(1)", "cell(images)"), ("nn.AdaptiveAvgPool2d((None, 3))", "cell(images)")],
    "SequentialCell": [("nn.SequentialCell(nn.Dense(7, 4), nn.Tanh(), nn.Dense(4, 2))", "cell(x)")],
    "L1Loss": [("nn.L1Loss()", "cell(x, y)"), ("nn.L1Loss('none')", "cell(x, y)")],
    "MAELoss": [("nn.MAELoss()", "cell(x, y)"), ("nn.MAELoss('sum')", "cell(x, y)")],
    "MSELoss": [("nn.MSELoss()", "cell(x, y)"), ("nn.MSELoss('sum')", "cell(x, y)")],
    "CrossEntropyLoss": [("nn.CrossEntropyLoss()", "cell(scores, labels)"), ("nn.CrossEntropyLoss()", "cell(scores, shares)"),
                         ("nn.CrossEntropyLoss(ignore_index=2, label_smoothing=0.1)", "cell(scores, labels)"),
                         ("nn.CrossEntropyLoss(reduction='none')", "cell(maps, places)")],
    "SoftmaxCrossEntropyWithLogits": [("nn.SoftmaxCrossEntropyWithLogits()", "cell(scores, shares)"),
                                      ("nn.SoftmaxCrossEntropyWithLogits(True, 'mean')", "cell(scores, labels)"),
                                      ("nn.SoftmaxCrossEntropyWithLogits(True, 'sum')", "cell(scores, labels)"),
                                      ("nn.SoftmaxCrossEntropyWithLogits(sparse=True)", "cell(scores, labels)"),
                                      ("nn.SoftmaxCrossEntropyWithLogits(sparse=True)", "cell(scores * 99, labels)")],
    "WithLossCell": [("nn.WithLossCell(nn.Dense(7, 7), nn.MSELoss())", "cell(x, y)")],
    "WithEvalCell": [("nn.WithEvalCell(nn.Dense(7, 7), nn.MSELoss())", "cell(x, y)[0]")],
    "get_activation": [(f"nn.get_activation('{name}')", "cell(x)") for name in
                       "softmax logsoftmax relu relu6 tanh gelu elu sigmoid leakyrelu hswish hsigmoid silu".split()],
}

for _module in (library_cases, layer_cases, structure_cases, image_cases, uncommon_cases):
    _join(CELLS, _module.CELLS)

#: Optimizers: arguments after the parameters.
OPTIMIZERS = {
    "SGD": ["0.1", "0.1, weight_decay=0.1", "0.1, 0.9", "0.1, 0.9, 0.3", "0.1, 0.9, weight_decay=0.1, nesterov=True",
            "[0.1, 0.05, 0.01]", "0.1, loss_scale=4.0, weight_decay=0.1", ""],
    "Momentum": ["0.1, 0.9", "0.1, 0.9, 0.1", "0.1, 0.9, use_nesterov=True", "0.1, 0.5, 0.1, 8.0"],
    "Adam": ["", "0.1", "0.1, 0.8, 0.99, 1e-6", "0.1, weight_decay=0.1", "[0.1, 0.05]", "0.1, loss_scale=4.0"],
    "AdamWeightDecay": ["", "0.1, weight_decay=0.1", "0.1, 0.8, 0.99, 1e-5, 0.2"],
    "RMSProp": ["", "0.1", "0.1, 0.8, 0.5, 1e-6", "0.1, centered=True, momentum=0.5", "0.1, weight_decay=0.1"],
    "Adagrad": ["", "learning_rate=0.1", "0.2, 0.1, weight_decay=0.1", "0.5, 0.1, False"],
}

_join(OPTIMIZERS, library_cases.OPTIMIZERS)
_join(OPTIMIZERS, uncommon_cases.OPTIMIZERS)

#: First values: a tensor of each is compared by its moments, range and quantiles.
FIRST_VALUES = {
    "initializer": [f"initializer({rule}, (600, 500)).init_data()" for rule in (
        "'zeros'", "'ones'", "'normal'", "'uniform'", "'xavier_uniform'", "'xavier_normal'", "'he_uniform'", "'he_normal'",
        "'truncatedNormal'", "Zero()", "One()", "Constant(3)", "Normal(0.2, 1.0)", "Uniform(0.3)", "TruncatedNormal(0.2)",
        "XavierUniform(2)", "XavierNormal(2)", "HeUniform(0.5)", "HeUniform(mode='fan_out', nonlinearity='relu')",
        "HeNormal()", "HeNormal(0.3, 'fan_out')")] + [
        f"initializer({rule}, (600, 500)).init_data()" for rule in ("Identity()", "Orthogonal(2.0)", "Sparse(0.1, 0.02)", "VarianceScaling(2.0, 'fan_out')",
            "VarianceScaling(1.0, 'fan_avg', 'uniform')", "VarianceScaling(1.0, 'fan_in', 'untruncated_normal')")] + [
        "initializer(Dirac(), (40, 30, 5)).init_data()"] + [
        f"initializer({rule}, (128, 64, 5, 5)).init_data()" for rule in ("'xavier_uniform'", "'he_normal'", "HeUniform(mode='fan_out')")],
    "Dense": ["nn.Dense(500, 600).weight", "nn.Dense(500, 600).bias"],
    "Conv2d": ["nn.Conv2d(64, 96, 5).weight", "nn.Conv2d(64, 96, 5, has_bias=True).bias"],
    "Embedding": ["nn.Embedding(600, 500).embedding_table", "nn.Embedding(600, 500, padding_idx=3).embedding_table[3]"],
    "EmbeddingLookup": ["nn.EmbeddingLookup(600, 500).embedding_table"],
    "BatchNorm2d": ["nn.BatchNorm2d(40).gamma", "nn.BatchNorm2d(40).beta", "nn.BatchNorm2d(40).moving_mean",
                    "nn.BatchNorm2d(40).moving_variance"],
    "LayerNorm": ["nn.LayerNorm((40,)).gamma", "nn.LayerNorm((40,)).beta"],
    "GroupNorm": ["nn.GroupNorm(2, 40).gamma", "nn.GroupNorm(2, 40).beta"], "PReLU": ["nn.PReLU(3).w"],
}

_join(FIRST_VALUES, layer_cases.FIRST_VALUES)

#: Metrics: how one is made, then what it is updated with, batch by batch.
METRICS = {
    "Accuracy": [("nn.Accuracy()", ["scores, labels"])], "Loss": [("nn.Loss()", ["row", "v"])],
    "MAE": [("nn.MAE()", ["x, y", "y, p"])], "MSE": [("nn.MSE()", ["x, y", "y, p"])],
}

_join(METRICS, library_cases.METRICS)
_join(METRICS, layer_cases.METRICS)

#: Row operations, applied to the rows of data_cases.ROWS.
ROW_OPERATIONS = {
    "Resize": [("image", "vision.Resize((9, 5))"), ("image", "vision.Resize((3, 11), vision.Inter.NEAREST)"),
               ("image", "vision.Resize((14, 12))"), ("image", "vision.Resize(5)")],
    "Rescale": [("image", "vision.Rescale(1 / 255, -0.5)")],
    "Normalize": [("image", "vision.Normalize([10.0, 20.0, 30.0], [2.0, 3.0, 4.0])")],
    "HWC2CHW": [("image", "vision.HWC2CHW()")],
    "TypeCast": [("number", "transforms.TypeCast(ms.float32)"), ("image", "transforms.TypeCast(ms.int32)")],
    "OneHot": [("number", "transforms.OneHot(4)"), ("number", "transforms.OneHot(4, 0.1)")],
    **data_cases.ROW_OPERATIONS, **vision_cases.ROW_OPERATIONS,
}

#: Functions of `numpy`.
NUMPY = numpy_cases.NUMPY

#: Expressions of functions that plain Python calls: values alone, by module and name.
VALUES = {"ops": {**index_cases.VALUES, **linear_cases.VALUES, **structure_cases.VALUES, **image_cases.VALUES, **operator_cases.VALUES,
                  **sparse_cases.VALUES, **complex_cases.VALUES, **further_cases.VALUES, **uncommon_cases.VALUES},
          "nn": layer_cases.VALUES, "numpy": numpy_cases.VALUES, **package_cases.VALUES, **data_cases.VALUES,
          **{space: {**vision_cases.VALUES.get(space, {}), **table} for space, table in pipeline_cases.VALUES.items()}}

#: Expressions whose values are samples, by module and name.
RANDOM = {**random_cases.RANDOM, **vision_cases.RANDOM, "dataset": {**vision_cases.RANDOM["dataset"], **pipeline_cases.RANDOM},
          "ops": {**random_cases.RANDOM["ops"], **further_cases.RANDOM, **uncommon_cases.RANDOM}}


def is_uncommon(case):
    """Whether a case is of an element type that many functions of MindSpore refuse."""
    return case.rsplit(": ", 1)[-1] in ("float16",) + WHOLE_TYPES


def types_of(name, text):
    """Element types to evaluate an expression of a function for: those of whole numbers for each name's first."""
    tables = {"ops": (FUNCTIONS, PRIMITIVES), "Tensor": (METHODS,), "numpy": (NUMPY,)}
    space, name = name.split(":")[0].split(".", 1)
    first = any(texts[:1] == [text] for table in tables[space] for texts in [table.get(name, [])])
    return TYPES + (WHOLE_TYPES if first and space != "Tensor" else ())


#: Datasets, whose batches are compared.
DATASETS = {**data_cases.DATASETS, **vision_cases.DATASETS, **set_cases.DATASETS, **picture_set_cases.DATASETS, **sound_set_cases.DATASETS,
            **pipeline_cases.DATASETS, **further_cases.DATASETS}

#: The modules of the spaces that names stand in; Tensor and Cell are classes.
MODULES = {
    "mindspore": "mindspore", "ops": "mindspore.ops", "nn": "mindspore.nn", "numpy": "mindspore.numpy", "initializer": "mindspore.common.initializer",
    "scipy.linalg": "mindspore.scipy.linalg", "scipy.optimize": "mindspore.scipy.optimize", "train": "mindspore.train", "amp": "mindspore.amp",
    "dataset": "mindspore.dataset", "vision": "mindspore.dataset.vision", "transforms": "mindspore.dataset.transforms",
    "text": "mindspore.dataset.text",
}

#: Names without a case, and why; names that MindSpore 2.0.0 has not are found by running it.
WITHOUT = {
    "everywhere": {"not_offered": "of the package", "Tensor": "see mindspore.Tensor", "Parameter": "see mindspore.Parameter"},
    "Tensor": {"asnumpy": "every case reads its result by it", "numpy": "as asnumpy", "from_numpy": "every case makes its inputs so, by Tensor",
               "has_init": "says whether values are still to be made", "init_data": "every first value is read through it",
               "itemset": "MindSpore 2.0.0 gives a new tensor; here it stores",
               **dict.fromkeys("allclose bfloat16 byte clone contiguous double is_contiguous move_to new_empty new_full storage_offset stride".split(),
                               "of later versions; tensor_test compares with PyTorch"),
               **dict.fromkeys("abs_ add_ addbmm_ addmm_ addmv_ addr_ baddbmm_ bernoulli_ ceil_ clamp_ copy_ cos_ div_ elu_ erfinv_ exp_ exponential_ fill_ "
                               "fill_diagonal_ floor_ floor_divide_ hardtanh_ index_add_ index_copy_ index_fill_ index_put_ log_ logical_not_ masked_fill_ "
                               "masked_scatter_ mul_ neg_ normal_ pow_ put_ random_ reciprocal_ relu_ remainder_ round_ rsqrt_ scatter_ scatter_add_ sigmoid_ "
                               "sign_ sin_ sqrt_ square_ sub_ tan_ tanh_ threshold_ tril_ triu_ trunc_ uniform_ xlogy_ zero_".split(),
                               "of later versions; tensor_test"), "eigvals": "of later versions; see ops.eigvals", "init_finished": "of later versions"},
    "ops": {**dict.fromkeys("group_norm layer_norm rms_norm".split(), "of later versions; mint_test and norm_operators_test compare with PyTorch"),
            **dict.fromkeys("AllGather AllReduce AlltoAll Broadcast ReduceScatter".split(), "of several devices"),
            **dict.fromkeys("NPUAllocFloatStatus NPUClearFloatStatus NPUGetFloatStatus".split(), "a register of other devices; amp_test"),
            **dict.fromkeys("HistogramSummary ImageSummary ScalarSummary TensorSummary".split(),
                            "writes records, no result"), "ReduceOp": "names of reductions",
            **dict.fromkeys(("PrimitiveWithCheck", "PrimitiveWithInfer"), "base class"),
            **dict.fromkeys(("kernel", "ms_kernel"),
                            "mark functions for Custom"), "MultitypeFuncGraph": "makes functions", "constexpr": "runs while compiling", "Composite": "base class of the package",
            "add_flags": "marks functions for MindSpore's compiler",
            "Custom": "compiles a source; custom_operators_test has outside references", "Primitive": "base class", "GradFunction": "made by grad", "random_uniform": "the package's own",
            "softmax_cross_entropy": "the package's own; see the class", "sparse_softmax_cross_entropy": "the package's own; see the class",
            "mod": "the package's own; see Mod", "reduce_prod": "the package's own; see ReduceProd",
            **dict.fromkeys("make_coo_tensor make_csr_tensor make_row_tensor make_row_tensor_inner make_sparse_tensor row_tensor_add "
                            "row_tensor_get_dense_shape row_tensor_get_indices row_tensor_get_values".split(),
                            "MindSpore's is for its graph compiler alone"),
            **dict.fromkeys("bool_and bool_eq bool_not bool_or dict_getitem in_dict is_ is_not is_sequence_shape_unknown is_sequence_value_unknown list_equal "
                            "list_getitem list_len make_list make_range make_tuple not_in_dict scalar_ne string_concat string_eq tuple_equal tuple_getitem "
                            "tuple_len tuple_reversed tuple_setitem".split(), "MindSpore's is for its graph compiler alone"),
            **dict.fromkeys("AiCPURegOp AkgAscendRegOp AkgGpuRegOp CpuRegOp CustomRegOp DataType TBERegOp custom_info_register op_info_register "
                            "prim_attr_register".split(), "describe operators to other devices"), "GatherV2": "an older name of Gather",
            **uncommon_cases.WITHOUT, **dict.fromkeys(("COOTensor", "CSRTensor"), "see mindspore.COOTensor and CSRTensor")},
    "nn": {**dict.fromkeys(("SyncBatchNorm", "DistributedGradReducer", "VirtualDatasetCellTriple"),
                           "of several devices"), "GraphCell": "loads MindIR files", **uncommon_cases.LAYERS_WITHOUT, "Cell": "its methods are compared", "LossBase": "base class", "Metric": "base class", "Optimizer": "base class",
           "TrainOneStepCell": "optimizers are compared without it; see TrainOneStepWithLossScaleCell"},
    "initializer": {"Initializer": "base class", "as_initializer": "of the package", "chosen_fan": "of the package", "fans": "of the package",
                    "he_gain": "of the package"},
    "mindspore": {
        "async_ckpt_thread_status": "says whether a file is being written", "QuantDtype": "numbers by name",
        **dict.fromkeys("Callback CheckpointConfig EarlyStopping History LambdaCallback LearningRateScheduler LossMonitor ModelCheckpoint ReduceLROnPlateau "
                        "RunContext TimeMonitor".split(), "called by Model's loop, which prints or stores"),
        **dict.fromkeys("SummaryCollector SummaryRecord export load parse_print".split(), "write or read files; their tests do"),
        **dict.fromkeys("Int TensorType Type int_ intp list_ number string tensor_type tuple_ type_none uint uintp dtype_to_pytype get_py_obj_dtype".split(),
                        "types and their names"),
        **dict.fromkeys("get_algo_parameters set_algo_parameters reset_algo_parameters get_ps_context set_ps_context reset_ps_context "
                        "merge_sliced_parameter shard".split(), "of several devices"), "run_check": "prints",
        **dict.fromkeys(("BackupAndRestore", "OnRequestExit"), "called by Model's loop, which stores"),
        **dict.fromkeys(("Model", "DatasetHelper", "build_train_network", "connect_network_with_dataset", "data_sink"),
                        "loops over a dataset: the steps are compared by optimizers, losses and cells; feeding a device is refused by MindSpore's CPU"),
        **dict.fromkeys(("set_context", "get_context", "JitConfig", "GRAPH_MODE", "PYNATIVE_MODE"), "settings, no results"),
        **dict.fromkeys("ParallelMode set_auto_parallel_context get_auto_parallel_context reset_auto_parallel_context".split(), "settings of several devices"),
        "Profiler": "measures, no result", "LossScaleManager": "base class", "float_": "a class of types",
        **dict.fromkeys(("get_level", "get_log_config"),
                        "of the environment"), "ms_memory_recycle": "no result", **dict.fromkeys(("RowTensor", "SparseTensor"), "refused by name, as MindSpore's later versions do")},
    "numpy": {"argwhere": "of later versions; numpy_test compares with NumPy"},
    "train": {
        "async_ckpt_thread_status": "says whether a file is being written",
        **dict.fromkeys("Callback CheckpointConfig EarlyStopping History LambdaCallback LearningRateScheduler LossMonitor ModelCheckpoint ReduceLROnPlateau "
                        "RunContext TimeMonitor".split(), "called by Model's loop, which prints or stores"), "get_metrics": "of the package",
        **dict.fromkeys("SummaryCollector SummaryRecord export load parse_print".split(), "write or read files; their tests do"),
        "merge_sliced_parameter": "of several devices"},
    "amp": {"LossScaler": "base class", "LossScaleManager": "base class", "custom_mixed_precision": "see auto_mixed_precision",
            **dict.fromkeys(("get_black_list", "get_white_list"),
                            "lists of classes that auto_mixed_precision goes by"), "build_train_network": "see mindspore.build_train_network"},
    "dataset": {"BatchInfo": "given to per_batch_map", "Dataset": "base class", "Sampler": "base class", "Shuffle": "an enumeration",
                "DatasetCache": "needs a server of MindSpore's", "sync_wait_for_dataset": "of several devices",
                "show": "logs the JSON that serialize returns",
                **dict.fromkeys("AudioBaseDataset BatchDataset ConcatDataset DictIterator FilterDataset IterSampler MapDataset MappableDataset PaddedBatchDataset "
                                "ProjectDataset RenameDataset RepeatDataset ShuffleDataset SkipDataset SourceDataset SyncWaitDataset TakeDataset "
                                "TextBaseDataset TupleIterator UnionBaseDataset VisionBaseDataset ZipDataset".split(),
                                "base class, or what a method of datasets makes, which has cases"),
                **dict.fromkeys(("OutputFormat", "SamplingStrategy"), "an enumeration"), "GraphData": "of files; graph_data_test.py has MindSpore's results"},
    "vision": {**dict.fromkeys("AutoAugmentPolicy ImageBatchFormat ImageReadMode SliceMode".split(), "an enumeration"),
               **dict.fromkeys("AutoAugment RandAugment TrivialAugmentWide UniformAugment RandomSelectSubpolicy".split(),
                               "random choices among operations that have cases"), "Inter": "an enumeration that Resize's cases use", "CutOut": "random places; its tests count what it cuts",
               "MixUpBatch": "random mixtures; its tests add them up"},
    "text": {**dict.fromkeys("JiebaMode SPieceTokenizerLoadType SPieceTokenizerOutType".split(), "an enumeration"),
             **dict.fromkeys(("JiebaTokenizer", "SentencePieceTokenizer"), "of files; segmentation_test.py has MindSpore's results")},
    "Cell": {**dict.fromkeys(("compile", "set_jit_config"), "changes how, not what is computed"), "recompute": "changes memory, not results",
             **dict.fromkeys("parameters_broadcast_dict set_broadcast_flag set_comm_fusion shard place".split(), "of several devices"),
             **dict.fromkeys("load_parameter_slice parallel_parameter_merge_net_dict parallel_parameter_name_list remove_redundant_parameters "
                             "set_auto_parallel set_data_parallel set_parallel_input_with_inputs set_param_ps".split(), "of several devices"),
             "create_time": "a time", "compiled_state": "of the package"},
}
