"""ONNX losses, in the parsable subset."""

from plumb import ops
from plumb.ops import _functions as F
from plumb.onnx._registry import operator
from plumb.onnx._values import tensor

# No label has this number, so no row is left out.
_NO_LABEL = -(2 ** 31)


@operator("NegativeLogLikelihoodLoss")
def negative_log_likelihood_loss(x, labels, weight=None, ignore_index=_NO_LABEL, reduction="mean"):
    """-weight[label] * x[label] of log-probabilities (N, C, …); "mean" divides by the weights of the rows that count."""
    return ops.nll_loss(tensor(x), tensor(labels), None if weight is None else tensor(weight), ignore_index, reduction)


@operator("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy_loss(x, labels, weight=None, ignore_index=_NO_LABEL, reduction="mean", outputs=1):
    """The loss of softmax's logarithm, which is the second result."""
    logarithm = F.log_softmax(tensor(x), 1)
    loss = negative_log_likelihood_loss(logarithm, labels, weight, ignore_index, reduction)
    return loss if outputs == 1 else (loss, logarithm)
