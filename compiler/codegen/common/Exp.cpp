// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp(x) = 2^(n − 1) · 2 P(x − n · ln 2) with n the integer nearest to x / ln 2. P is a polynomial of degree 6 with
// minimal relative error (2e-9; 9e-8 with all roundings). Adding a large number rounds x / ln 2 and leaves n − 1, plus
// the exponent's bias, in the last bits; shifted to the exponent they are 2^(n − 1), for every n with a finite or
// infinite result. Results below 1.7e-38 are zero.

#include "compiler/codegen/common/MathBuilder.h"
#include "compiler/codegen/common/MathPatterns.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace plumb;

/// 1.5 · 2^23, from which on floats are integers, and the bias of n − 1.
constexpr double kRounding = 12582912.0, kBias = 126;
/// Arguments are clamped to this range, outside of which results are zero or infinite.
constexpr double kMinArgument = -87.3, kMaxArgument = 89;

namespace {

struct ExpandExp : OpRewritePattern<math::ExpOp> {
  explicit ExpandExp(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(math::ExpOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    MathBuilder b(op.getLoc(), rewriter, op.getType());
    Value x = b.clamp(op.getOperand(), kMinArgument, kMaxArgument);
    Value rounding = b.number(b.f32, kRounding + kBias);
    Value rounded = b.multiplyAdd(x, b.number(b.f32, 1.4426950408889634), rounding);
    Value n = b.make<arith::SubFOp>(rounded, rounding);
    // The first product is exact, with or without fused multiply-add.
    Value rest = b.multiplyAdd(n, b.number(b.f32, -0.693359375), x);
    rest = b.multiplyAdd(n, b.number(b.f32, 2.12194440e-4), rest);
    Value power = b.polynomial(rest, {2.7673588045643468e-3, 1.6749714147849328e-2, 8.333645736637281e-2,
                                      3.3332839360911576e-1, 9.999998411219398e-1, 2.0, 2.0});
    Value bits = b.make<arith::ShLIOp>(b.cast<arith::BitcastOp>(b.i32, rounded), b.integer(b.i32, 23));
    Value scale = b.cast<arith::BitcastOp>(b.f32, bits);
    rewriter.replaceOp(op, b.make<arith::MulFOp>(power, scale));
    return success();
  }
};

} // namespace

void plumb::populateExpPattern(RewritePatternSet &patterns) { patterns.add<ExpandExp>(patterns.getContext()); }
