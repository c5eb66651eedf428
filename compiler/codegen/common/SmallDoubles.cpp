// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f64 becomes f16 or bf16 by way of f32. Two roundings to nearest do not always give the result of one, so the first
// rounds to odd, which keeps the side of every tie of the second.

#include "compiler/codegen/common/MathBuilder.h"
#include "compiler/codegen/common/SmallFloatPatterns.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace plumb;
using arith::CmpFPredicate;

static bool isSmall(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

/// `x` as f32, rounded towards zero and then to odd if it is not exact.
static Value roundToOdd(MathBuilder &b, Value x) {
  Value nearest = b.cast<arith::TruncFOp>(b.f32, x), back = b.cast<arith::ExtFOp>(b.f64, nearest);
  Value isAbove = b.compare(CmpFPredicate::OGT, math::AbsFOp::create(b, back), math::AbsFOp::create(b, x));
  Value differs = b.compare(CmpFPredicate::ONE, back, x);
  Value bits = b.cast<arith::BitcastOp>(b.i32, nearest);
  bits = b.make<arith::SubIOp>(bits, b.cast<arith::ExtUIOp>(b.i32, isAbove));
  bits = b.make<arith::OrIOp>(bits, b.cast<arith::ExtUIOp>(b.i32, differs));
  return b.cast<arith::BitcastOp>(b.f32, bits);
}

namespace {

struct ExtendToDouble : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    if (!isSmall(op.getIn().getType()) || !getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "not from a small float to f64");
    MathBuilder b(op.getLoc(), rewriter, op.getType());
    rewriter.replaceOp(op, b.cast<arith::ExtFOp>(b.f64, b.cast<arith::ExtFOp>(b.f32, op.getIn())));
    return success();
  }
};

struct TruncateDouble : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF64() || !isSmall(op.getType()))
      return rewriter.notifyMatchFailure(op, "not from f64 to a small float");
    MathBuilder b(op.getLoc(), rewriter, op.getType());
    rewriter.replaceOp(op, b.cast<arith::TruncFOp>(op.getType(), roundToOdd(b, op.getIn())));
    return success();
  }
};

} // namespace

void plumb::populateSmallDoublePatterns(RewritePatternSet &patterns) {
  patterns.add<ExtendToDouble, TruncateDouble>(patterns.getContext());
}
