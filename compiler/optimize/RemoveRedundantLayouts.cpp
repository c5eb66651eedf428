// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for ops that move elements but compute nothing. Gradients leave many: the adjoint of a mean broadcasts, that of
// a matmul with a transposed weight transposes. Where the neighbour can do it by itself at no cost, they go:
//
//   binary(broadcast_to a, b)   -> binary(a, b)          elementwise ops broadcast
//   binary(splat, b)            -> binary(number, b)     a constant of one number needs no shape
//   transpose(matmul(a, b))     -> matmul(b', a')        matmul reads its operands either way
//
// What cancels or composes within one kind of op (a reshape of a reshape), the net dialect's own folds take out; they
// run along with these rules.
//
// Test: test/compiler/optimize/remove_redundant_layouts.mlir.

#include "compiler/optimize/Passes.h"
#include "compiler/support/StructuredRewrites.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetContractionOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "mlir/Dialect/Traits.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {
#define GEN_PASS_DEF_REMOVEREDUNDANTLAYOUTSPASS
#include "compiler/optimize/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Whether `op` does nothing but swap the last two axes.
static bool swapsLastAxes(net::TransposeOp op) {
  SmallVector<int64_t> swap = llvm::to_vector(llvm::seq<int64_t>(0, op.getPerm().size()));
  if (swap.size() < 2)
    return false;
  std::swap(swap[swap.size() - 1], swap[swap.size() - 2]);
  return llvm::equal(op.getPerm(), swap);
}

namespace {

/// A transpose of a matrix product is the product of the transposes, which matmul reads at no cost.
struct AbsorbTransposeIntoMatmul : OpRewritePattern<net::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::TransposeOp op, PatternRewriter &rewriter) const override {
    auto product = op.getX().getDefiningOp<net::MatmulOp>();
    if (!product || !product->hasOneUse() || !swapsLastAxes(op))
      return rewriter.notifyMatchFailure(op, "does not swap the axes of a product that is used once");
    rewriter.replaceOpWithNewOp<net::MatmulOp>(op, product.getB(), product.getA(), !product.getTransposeB(),
                                               !product.getTransposeA());
    return success();
  }
};

/// Elementwise ops broadcast by themselves.
struct AbsorbBroadcasts : RewritePattern {
  AbsorbBroadcasts(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa<net::AddOp, net::SubOp, net::MulOp, net::DivOp, net::PowOp, net::MaximumOp, net::MinimumOp, net::EqualOp,
             net::NotEqualOp, net::LessOp, net::LessEqualOp, net::GreaterOp, net::GreaterEqualOp, net::LogicalAndOp,
             net::LogicalOrOp, net::SelectOp>(op))
      return rewriter.notifyMatchFailure(op, "does not broadcast");
    for (OpOperand &operand : op->getOpOperands()) {
      RankedTensorType type = getSmallerType(operand.get());
      if (!type || !keepsShape(op, operand, type))
        continue;
      Value smaller = getSmaller(op, operand.get(), rewriter);
      rewriter.modifyOpInPlace(op, [&] { operand.set(smaller); });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is a broadcast that the others make up for");
  }

private:
  /// The type of what `value` repeats: the operand of a broadcast, or the number of a constant. Null where it repeats
  /// nothing.
  static RankedTensorType getSmallerType(Value value) {
    if (auto broadcast = value.getDefiningOp<net::BroadcastToOp>())
      return cast<RankedTensorType>(broadcast.getX().getType());
    SplatElementsAttr elements;
    if (!matchPattern(value, m_Constant(&elements)) || cast<ShapedType>(value.getType()).getRank() == 0)
      return nullptr;
    return RankedTensorType::get({}, elements.getElementType());
  }

  /// What `value` repeats, for users at `op`.
  static Value getSmaller(Operation *op, Value value, PatternRewriter &rewriter) {
    if (auto broadcast = value.getDefiningOp<net::BroadcastToOp>())
      return broadcast.getX();
    SplatElementsAttr elements;
    matchPattern(value, m_Constant(&elements));
    return net::ConstantOp::create(rewriter, op->getLoc(), elements.resizeSplat(getSmallerType(value)));
  }

  /// Whether `op` has its shape also when `operand` is replaced by a value of type `smaller`.
  static bool keepsShape(Operation *op, OpOperand &operand, RankedTensorType smaller) {
    SmallVector<int64_t> shape, joined;
    for (OpOperand &other : op->getOpOperands()) {
      auto type = &other == &operand ? smaller : cast<RankedTensorType>(other.get().getType());
      if (!OpTrait::util::getBroadcastedShape(shape, type.getShape(), joined))
        return false;
      shape = joined;
    }
    return llvm::equal(shape, cast<RankedTensorType>(op->getResult(0).getType()).getShape());
  }
};

struct RemoveRedundantLayoutsPass : public plumb::impl::RemoveRedundantLayoutsPassBase<RemoveRedundantLayoutsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<AbsorbTransposeIntoMatmul, AbsorbBroadcasts>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), getStructuredConfig())))
      signalPassFailure();
  }
};

} // namespace
