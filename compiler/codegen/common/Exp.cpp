// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp(x) = 2^n · P(x − n · ln 2) with n the whole number next to x / ln 2. P is a
// polynomial of degree 6 with the least relative error (2e-9; 9e-8 with all
// roundings). A sum with a large number rounds x / ln 2 and leaves n, and the bias of
// exponents, in its last bits: moved to the exponent's place they are 2^n. What would
// not be a normal number is zero, and what would be infinite the largest such power.

#include "compiler/codegen/common/MathBuilder.h"
#include "compiler/codegen/common/MathPatterns.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace plumb;

/// 1.5 · 2^23, from which on floats are whole numbers, and the bias.
constexpr double kRounding = 12582912.0 + 127;

namespace {

struct ExpandExp : OpRewritePattern<math::ExpOp> {
  explicit ExpandExp(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    MathBuilder b(op.getLoc(), rewriter, op.getType());
    Value x = b.clamp(op.getOperand(), -88, 88.3762626647949);
    Value rounding = b.number(b.f32, kRounding);
    Value rounded =
        b.multiplyAdd(x, b.number(b.f32, 1.4426950408889634), rounding);
    Value n = b.make<arith::SubFOp>(rounded, rounding);
    // The first product is exact, with or without an instruction for both.
    Value rest = b.multiplyAdd(n, b.number(b.f32, -0.693359375), x);
    rest = b.multiplyAdd(n, b.number(b.f32, 2.12194440e-4), rest);
    Value power = b.polynomial(
        rest, {1.3836794022821734e-3, 8.374857073924664e-3, 4.1668228683186405e-2,
               1.6666419680455788e-1, 4.999999205609699e-1, 1.0, 1.0});
    Value bits = b.make<arith::ShLIOp>(b.cast<arith::BitcastOp>(b.i32, rounded),
                                       b.integer(b.i32, 23));
    Value scale = b.cast<arith::BitcastOp>(b.f32, bits);
    rewriter.replaceOp(op, b.make<arith::MulFOp>(power, scale));
    return success();
  }
};

} // namespace

void plumb::populateExpPattern(RewritePatternSet &patterns) {
  patterns.add<ExpandExp>(patterns.getContext());
}
