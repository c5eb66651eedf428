// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax and cross entropies: shape rules.

#include "dialects/net/ir/NetSoftmaxOps.h"

#include "dialects/net/ir/Inference.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/net/ir/NetSoftmaxOps.cpp.inc"

namespace plumb::net {

void NetDialect::registerSoftmaxOps() {
  addTheme<
#define GET_OP_LIST
#include "dialects/net/ir/NetSoftmaxOps.cpp.inc"
      >();
}

LogicalResult SoftmaxOp::verify() { return inferAxis(getLoc(), getAxis(), getType()); }

LogicalResult LogSoftmaxOp::verify() { return inferAxis(getLoc(), getAxis(), getType()); }

LogicalResult SoftmaxCrossEntropyOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                                      SmallVectorImpl<Type> &types) {
  RankedTensorType logits = tensorType(adaptor.getLogits());
  // softmax_cross_entropy_c1
  if (logits.getRank() != 2 || logits != adaptor.getLabels().getType())
    return emitOptionalError(loc,
                             "softmax_cross_entropy needs scores and probabilities of one "
                             "[rows, classes] type, but has ",
                             logits, " and ", adaptor.getLabels().getType());
  types.push_back(logits.clone(logits.getShape().take_front()));
  return success();
}

LogicalResult SparseSoftmaxCrossEntropyOp::inferReturnTypes(MLIRContext *, OptionalLocation loc, Adaptor adaptor,
                                                            SmallVectorImpl<Type> &types) {
  RankedTensorType logits = tensorType(adaptor.getLogits());
  RankedTensorType labels = tensorType(adaptor.getLabels());
  // sparse_softmax_cross_entropy_c1
  if (logits.getRank() != 2 || labels.getRank() != 1 || logits.getDimSize(0) != labels.getDimSize(0) ||
      !labels.getElementType().isSignlessInteger())
    return emitOptionalError(loc,
                             "sparse_softmax_cross_entropy needs scores [rows, classes] and "
                             "one integer class per row, but has ",
                             logits, " and ", labels);
  types.push_back(logits.clone(logits.getShape().take_front()));
  return success();
}

/// Whether `type` is that of one element per row of a matrix `logits`.
static bool isColumnOf(RankedTensorType logits, RankedTensorType type) {
  return logits.getRank() == 2 && type.getRank() == 1 && type.getDimSize(0) == logits.getDimSize(0);
}

LogicalResult SoftmaxCrossEntropyGradOp::verify() {
  RankedTensorType logits = tensorType(getLogits()), dy = tensorType(getDy());
  // softmax_cross_entropy_grad_c1
  if (getLabels().getType() != logits || !isColumnOf(logits, dy) || dy.getElementType() != logits.getElementType())
    return emitOpError() << "needs scores and labels of one matrix type and an element per row, but has " << logits
                         << ", " << getLabels().getType() << " and " << dy;
  return success();
}

LogicalResult SparseSoftmaxCrossEntropyGradOp::verify() {
  RankedTensorType logits = tensorType(getLogits()), dy = tensorType(getDy());
  // sparse_softmax_cross_entropy_grad_c1
  if (!isColumnOf(logits, tensorType(getLabels())) || !isColumnOf(logits, dy) ||
      dy.getElementType() != logits.getElementType())
    return emitOpError() << "needs scores [rows, classes], one integer class and one element per row, but has "
                         << logits << ", " << getLabels().getType() << " and " << dy;
  return success();
}

void SparseSoftmaxCrossEntropyOp::getIndexRanges(SmallVectorImpl<IndexRange> &ranges) {
  ranges.push_back({getLabels(), 0, tensorType(getLogits()).getShape().back() - 1, ""});
}

void SparseSoftmaxCrossEntropyGradOp::getIndexRanges(SmallVectorImpl<IndexRange> &ranges) {
  ranges.push_back({getLabels(), 0, tensorType(getLogits()).getShape().back() - 1, ""});
}

} // namespace plumb::net
