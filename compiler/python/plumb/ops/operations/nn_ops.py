"""Classes of networks: activations, losses, convolutions and pooling."""

from plumb.common._offers import offered, only_defaults
from plumb.common.api import Whole
from plumb.ops import _functions as F
from plumb.ops import function as f
from plumb.ops._recurrent import lstm_layers
from plumb.ops.operations.layout_ops import DataFormatDimMap, DataFormatVecPermute, PadV3
from plumb.ops._primitive import Composite, Named, Only, function_classes, simple_class
from plumb.ops.function import ctc, normalization, transducer
from plumb.ops.function.loss import multilabel_margin_losses

GeLU = simple_class("GeLU", "gelu")
LogSoftmax = simple_class("LogSoftmax", "log_softmax", [("axis", -1)])
ReLU = simple_class("ReLU", "relu")
ReLU6 = simple_class("ReLU6", "relu6")
ReLUV3 = simple_class("ReLUV3", "relu")
Sigmoid = simple_class("Sigmoid", "sigmoid")
Softmax = simple_class("Softmax", "softmax", [("axis", -1)])
Tanh = simple_class("Tanh", "tanh")
ACTIVATIONS = {
    "CeLU": (f.celu, {"alpha": 1.0}),
    "Elu": (f.elu, {"alpha": 1.0}),
    "FastGeLU": f.fast_gelu,
    "FastGelu": f.fast_gelu,
    "GLU": (f.glu, {"axis": -1}),
    "HShrink": (f.hardshrink, {"lambd": 0.5}),
    "HSigmoid": f.hardsigmoid,
    "HSwish": f.hardswish,
    "Logit": (f.logit, {"eps": -1.0}),
    "Mish": f.mish,
    "PReLU": f.prelu,
    "SeLU": f.selu,
    "SiLU": f.silu,
    "SoftShrink": (f.softshrink, {"lambd": 0.5}),
    "Softplus": F.softplus,
    "Softsign": f.softsign,
}

LOSSES = {
    "BCEWithLogitsLoss": (f.binary_cross_entropy_with_logits, {"reduction": "mean"}),
    "CTCGreedyDecoder": (f.ctc_greedy_decoder, {"merge_repeated": True}),
    "CTCLoss": (Whole(ctc.ctc_of_scores), {"preprocess_collapse_repeated": False, "ctc_merge_repeated": True,
                                           "ignore_longer_outputs_than_inputs": False}),
    "CTCLossV2": (Whole(ctc.ctc_losses), {"blank": 0, "reduction": "none", "zero_infinity": False}),
    "KLDivLoss": (f.kl_div, {"reduction": "mean"}),
    "RNNTLoss": (Whole(transducer.rnnt_losses), {"blank_label": 0}),
    "SmoothL1Loss": (f.smooth_l1_loss, {"beta": 1.0, "reduction": "none"}),
    "SoftMarginLoss": (f.soft_margin_loss, {"reduction": "mean"}),
}

NORMS = {
    "BatchNorm": (normalization.batch_norm_of, {"is_training": False, "epsilon": 1e-5, "momentum": 0.1, "data_format": Only("NCHW")}),
    "RmsNorm": (normalization.rms_norm, {"epsilon": 1e-6}),
    "LayerNorm": (normalization.layer_norm_of, {"begin_norm_axis": 1, "begin_params_axis": 1, "epsilon": 1e-7}),
    "LRN": (f.lrn, {"depth_radius": 5, "bias": 1.0, "alpha": 1.0, "beta": 0.5, "norm_region": "ACROSS_CHANNELS"}),
}

globals().update(function_classes(ACTIVATIONS | LOSSES | NORMS))

Gelu = GeLU


class BiasAdd(Composite):
    """Adds a bias along axis 1."""

    def __init__(self, data_format="NCHW"):
        super().__init__()
        if data_format not in ("NCHW", "NCDHW"):
            raise ValueError(f"For 'BiasAdd', only data_format='NCHW' and 'NCDHW' are offered, but got '{data_format}'.")

    def construct(self, x, bias):
        """Compiled body."""
        return F.bias_add(x, bias)


class BinaryCrossEntropy(Composite):
    """Binary cross entropy of probabilities against labels, with an optional factor for each loss."""

    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction

    def construct(self, logits, labels, weight=None):
        """Compiled body."""
        return f.binary_cross_entropy(logits, labels, weight, self.reduction)


class L2Loss(Composite):
    """Half of the sum of squares."""

    def construct(self, input_x):
        """Compiled body."""
        return F.reduce_sum(F.square(input_x)) * 0.5


class MultiMarginLoss(Composite):
    """`ops.multi_margin_loss` with an optional weight for each class as third input."""

    def __init__(self, p=1, margin=1.0, reduction="mean"):
        super().__init__()
        self.p, self.margin, self.reduction = p, margin, reduction

    def construct(self, x, target, weight=None):
        """Compiled body."""
        return f.multi_margin_loss(x, target, self.p, self.margin, weight, self.reduction)


class MultilabelMarginLoss(Composite):
    """`ops.multilabel_margin_loss`, and beside it which classes are named, in the element type of `target`."""

    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction

    def construct(self, x, target):
        """Compiled body."""
        losses, is_target = multilabel_margin_losses(x, target)
        reduced = F.reduce_mean(losses) if self.reduction == "mean" else F.reduce_sum(losses)
        return losses if self.reduction == "none" else reduced, is_target


class NLLLoss(Composite):
    """`ops.nll_loss` of log-probabilities, class indices and class weights, and beside it the sum of the rows' weights."""

    def __init__(self, reduction="mean", ignore_index=-100):
        super().__init__()
        self.reduction, self.ignore_index = reduction, ignore_index

    def construct(self, logits, labels, weight):
        """Compiled body."""
        kept = F.not_equal(labels, self.ignore_index)
        weights = F.gather(weight, F.select(kept, labels, F.zeros_like(labels)), 0)
        total = F.reduce_sum(F.select(kept, weights, F.zeros_like(weights)))
        return f.nll_loss(logits, labels, weight, self.ignore_index, self.reduction), total


class SigmoidCrossEntropyWithLogits(Composite):
    """Binary cross entropy of sigmoid(logits), element by element."""

    def construct(self, logits, label):
        """Compiled body."""
        return f.binary_cross_entropy_with_logits(logits, label, reduction="none")


class SoftmaxCrossEntropyWithLogits(Composite):
    """Per-row loss of logits against probabilities, and its gradient."""

    def construct(self, logits, labels):
        """Compiled body."""
        return F.softmax_cross_entropy(logits, labels), F.softmax(logits, -1) - labels


class SparseSoftmaxCrossEntropyWithLogits(Composite):
    """Mean loss of logits against class indices; with `is_grad` its gradient instead."""

    def __init__(self, is_grad=False):
        super().__init__()
        self.is_grad = is_grad

    def construct(self, logits, labels):
        """Compiled body."""
        if not self.is_grad:
            return F.reduce_mean(F.sparse_softmax_cross_entropy(logits, labels))
        marks = F.one_hot(labels, logits.shape[1], 1.0, 0.0, logits.dtype)
        return (F.softmax(logits, -1) - marks) / logits.shape[0]


class SparseSoftmaxCrossEntropyWithLogitsV2(Composite):
    """Loss of each row of logits (N, C) against a class index, (N,), and its gradient by the logits, (N, C)."""

    def construct(self, logits, labels):
        """Compiled body."""
        marks = F.one_hot(labels, logits.shape[1], 1.0, 0.0, logits.dtype)
        return F.sparse_softmax_cross_entropy(logits, labels), F.softmax(logits, -1) - marks


class TripletMarginLoss(Composite):
    """`ops.triplet_margin_loss` with the margin as fourth input, a tensor of one element."""

    def __init__(self, p=2, swap=False, eps=1e-6, reduction="mean"):
        super().__init__()
        self.p, self.swap, self.eps, self.reduction = p, swap, eps, reduction

    def construct(self, x, positive, negative, margin):
        """Compiled body."""
        return f.triplet_margin_loss(x, positive, negative, margin, self.p, self.eps, self.swap, self.reduction)


class LSTM(Composite):
    """LSTM layers over sequences (T, N, I), with first states h and c and all weights in one tensor; see `lstm_layers`.

    Args:
      input_size, hidden_size: extents of inputs and of states.
      num_layers: how many; of several, `input_size` must be `hidden_size`, and they run in one direction. nn.LSTM takes others.
      has_bias: whether `w` holds biases.
      bidirectional: whether the layer runs in both directions.
      dropout: what a layer behind another one would drop: anything for one layer, 0 for several.
      proj_size: only 0.

    It gives outputs, last h, last c, and two tensors (1, 1) of zeros, for what MindSpore keeps for the gradient. MindSpore 2.0.0's
    gradient by `w` has one of the two biases only, and those of f16 are not numbers.
    """

    def __init__(self, input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size=0):
        super().__init__()
        only_defaults("LSTM", proj_size=(proj_size, 0))
        if isinstance(num_layers, bool) or not isinstance(num_layers, int) or num_layers < 1:
            raise ValueError(f"For 'LSTM', 'num_layers' must be a positive int, but got {num_layers}.")
        if not 0 <= dropout <= 1:
            raise ValueError(f"For 'LSTM', 'dropout' must be in [0, 1], but got {dropout}.")
        if num_layers > 1:
            only_defaults("LSTM", dropout=(dropout, 0))
        self.settings = (input_size, hidden_size, num_layers, bool(has_bias), bool(bidirectional))
        self.layers = Whole(lstm_layers)

    def construct(self, x, h, c, w):
        """Compiled body."""
        outputs, last_h, last_c = self.layers(x, h, c, w, *self.settings)
        zeros = F.fill(x.dtype, (1, 1), 0)
        return outputs, last_h, last_c, zeros, zeros


__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in (
    "F", "ACTIVATIONS", "LOSSES", "NORMS", "Composite", "Named", "Only", "Whole")]
