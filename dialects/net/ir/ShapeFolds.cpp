// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape ops that change nothing vanish; reshapes of reshapes become one; the spellings flatten, expand_dims and squeeze
// become reshape, so that later stages see one op.
//
// What is read of a tensor behind writes of boxes or rows comes from the write of the same one, or from before those of
// others. The reverse of a loop that writes one row per step clears a row in each: what it reads must not wait for
// that, or each step would copy the tensor.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "dialects/net/ir/SliceBounds.h"
#include "mlir/IR/Matchers.h"
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

/// The box that `op` writes.
static SliceBounds getBox(SliceUpdateOp op) {
  SliceBounds box;
  box.offsets.assign(op.getBegin().begin(), op.getBegin().end());
  box.strides.assign(op.getStrides().begin(), op.getStrides().end());
  llvm::append_range(box.sizes, tensorType(op.getUpdate()).getShape());
  return box;
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  SliceBounds box = SliceBounds::get(tensorType(getX()).getShape(), getBegin(), getEnd(), getStrides());
  Value source = getX();
  while (auto update = source.getDefiningOp<SliceUpdateOp>()) {
    SliceBounds written = getBox(update);
    if (written == box)
      return update.getUpdate();
    if (!written.isDisjoint(box))
      break;
    source = update.getX();
  }
  if (source != getX()) {
    getXMutable().assign(source);
    return getResult();
  }
  return foldSplat(adaptor.getX(), getType());
}

OpFoldResult SliceUpdateOp::fold(FoldAdaptor) {
  auto hidden = getX().getDefiningOp<SliceUpdateOp>();
  if (!hidden || !(getBox(hidden) == getBox(*this)))
    return {};
  getXMutable().assign(hidden.getX());
  return getResult();
}

/// Whether two numbers of rows are known to be different ones.
static bool areDifferent(Value one, Value other) {
  APInt left, right;
  return matchPattern(one, m_ConstantInt(&left)) && matchPattern(other, m_ConstantInt(&right)) && left != right;
}

OpFoldResult RowOp::fold(FoldAdaptor) {
  Value source = getX();
  while (auto update = source.getDefiningOp<RowUpdateOp>()) {
    if (update.getAxis() != getAxis())
      break;
    if (update.getIndex() == getIndex())
      return update.getRow();
    if (!areDifferent(update.getIndex(), getIndex()))
      break;
    source = update.getX();
  }
  if (source == getX())
    return {};
  getXMutable().assign(source);
  return getResult();
}

OpFoldResult RowUpdateOp::fold(FoldAdaptor) {
  auto hidden = getX().getDefiningOp<RowUpdateOp>();
  if (!hidden || hidden.getIndex() != getIndex() || hidden.getAxis() != getAxis())
    return {};
  getXMutable().assign(hidden.getX());
  return getResult();
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
