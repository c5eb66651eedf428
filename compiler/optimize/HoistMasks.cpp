// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves the mask of relu's gradient before the gradient of the pooling that follows the relu:
//
//   select(x > 0, max_pool2d_grad(x, y, dy), 0)   ->   max_pool2d_grad(x, y, select(y > 0, dy, 0))
//
// y is the maximum of each window of x, and dy goes to the element that has it. So that element is positive exactly if
// y is, window by window, and masking dy masks the same: bit for bit, also where windows overlap. y is smaller than x
// by the stride in each direction, in the usual network four times, and a pass over the larger tensor is saved. Test:
// test/compiler/optimize/hoist_masks.mlir.

#include "compiler/optimize/Passes.h"
#include "compiler/support/StructuredRewrites.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetPoolOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace plumb {
#define GEN_PASS_DEF_HOISTMASKSPASS
#include "compiler/optimize/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

/// The rule above.
struct HoistMaskOverPooling : OpRewritePattern<net::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(net::SelectOp op, PatternRewriter &rewriter) const override {
    auto pooling = op.getX().getDefiningOp<net::MaxPool2DGradOp>();
    auto positive = op.getCondition().getDefiningOp<net::GreaterOp>();
    if (!pooling || !pooling->hasOneUse() || !positive || positive.getX() != pooling.getX())
      return rewriter.notifyMatchFailure(op, "is no mask by what was pooled");
    if (!matchPattern(op.getY(), m_AnyZeroFloat()) || !matchPattern(positive.getY(), m_AnyZeroFloat()) ||
        cast<ShapedType>(positive.getY().getType()).getRank() != 0 || positive.getY().getType() != op.getY().getType())
      return rewriter.notifyMatchFailure(op, "does not mask by comparison with zero");
    Location loc = op.getLoc();
    Value mask = net::GreaterOp::create(rewriter, loc, pooling.getY(), positive.getY());
    Value dy = net::SelectOp::create(rewriter, loc, mask, pooling.getDy(), op.getY());
    rewriter.replaceOpWithNewOp<net::MaxPool2DGradOp>(op, op.getType(), pooling.getX(), pooling.getY(), dy,
                                                      pooling.getKernel(), pooling.getStride(), pooling.getPad());
    return success();
  }
};

struct HoistMasksPass : public plumb::impl::HoistMasksPassBase<HoistMasksPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<HoistMaskOverPooling>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), getStructuredConfig())))
      signalPassFailure();
  }
};

} // namespace
