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

LogicalResult SoftmaxCrossEntropyOp::inferReturnTypes(MLIRContext *, OptionalLocation loc,
                                                      Adaptor adaptor,
                                                      SmallVectorImpl<Type> &types) {
  RankedTensorType logits = tensorType(adaptor.getLogits());
  // softmax_cross_entropy_c1
  if (logits.getRank() != 2 || logits != adaptor.getLabels().getType())
    return emitOptionalError(loc, "softmax_cross_entropy needs scores and probabilities of one "
                                  "[rows, classes] type, but has ",
                             logits, " and ", adaptor.getLabels().getType());
  types.push_back(logits.clone(logits.getShape().take_front()));
  return success();
}

LogicalResult SparseSoftmaxCrossEntropyOp::inferReturnTypes(MLIRContext *, OptionalLocation loc,
                                                            Adaptor adaptor,
                                                            SmallVectorImpl<Type> &types) {
  RankedTensorType logits = tensorType(adaptor.getLogits());
  RankedTensorType labels = tensorType(adaptor.getLabels());
  // sparse_softmax_cross_entropy_c1
  if (logits.getRank() != 2 || labels.getRank() != 1 ||
      logits.getDimSize(0) != labels.getDimSize(0) || !labels.getElementType().isSignlessInteger())
    return emitOptionalError(loc, "sparse_softmax_cross_entropy needs scores [rows, classes] and "
                                  "one integer class per row, but has ",
                             logits, " and ", labels);
  types.push_back(logits.clone(logits.getShape().take_front()));
  return success();
}

void SparseSoftmaxCrossEntropyOp::getIndexRanges(SmallVectorImpl<IndexRange> &ranges) {
  ranges.push_back({getLabels(), 0, tensorType(getLogits()).getShape().back() - 1, ""});
}

void SparseSoftmaxCrossEntropyGradOp::getIndexRanges(SmallVectorImpl<IndexRange> &ranges) {
  ranges.push_back({getLabels(), 0, tensorType(getLogits()).getShape().back() - 1, ""});
}

} // namespace plumb::net
