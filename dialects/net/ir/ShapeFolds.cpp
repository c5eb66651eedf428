// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape ops that change nothing vanish; reshapes of reshapes become one; the spellings
// flatten, expand_dims and squeeze become reshape, so that later stages meet one op.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "dialects/net/ir/SliceBounds.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace plumb::net {

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto inner = getX().getDefiningOp<ReshapeOp>()) {
    // The list may hold -1, which reads the same for any operand of as many elements.
    getXMutable().assign(inner.getX());
    return getResult();
  }
  return foldReshape(adaptor.getX(), getType());
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  int64_t rank = getType().getRank();
  Shape perm;
  for (int64_t axis : getPerm())
    perm.push_back(normalizeAxis(axis, rank));
  if (llvm::equal(perm, llvm::seq<int64_t>(0, rank)))
    return getX();
  if (auto inner = getX().getDefiningOp<TransposeOp>()) {
    Shape joined;
    for (int64_t axis : perm)
      joined.push_back(normalizeAxis(inner.getPerm()[axis], rank));
    setPerm(joined);
    getXMutable().assign(inner.getX());
    return getResult();
  }
  return foldSplat(adaptor.getX(), getType());
}

OpFoldResult BroadcastToOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  return foldSplat(adaptor.getX(), getType());
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  return foldSplat(adaptor.getX(), getType());
}

OpFoldResult ConcatOp::fold(FoldAdaptor) { return getXs().size() == 1 ? getXs().front() : OpFoldResult(); }

OpFoldResult PadOp::fold(FoldAdaptor) { return getX().getType() == getType() ? getX() : OpFoldResult(); }

namespace {

/// Replaces an op that only renames axes by net.reshape.
template <typename Op> struct ReplaceByReshape : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = tensorType(op.getResult()).getShape();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getX(), rewriter.getDenseI64ArrayAttr(shape));
    return success();
  }
};

} // namespace

void FlattenOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ReplaceByReshape<FlattenOp>>(context);
}

void ExpandDimsOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ReplaceByReshape<ExpandDimsOp>>(context);
}

void SqueezeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ReplaceByReshape<SqueezeOp>>(context);
}

} // namespace plumb::net
