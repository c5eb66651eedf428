// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// erf(x) = x · P(x²) for |x| < 3.8, and ±1 for larger arguments, where it differs from one by less than 8e-8. P is a
// polynomial of degree 14 with minimal relative error (7e-8; 3e-7 with all roundings) in u = 2x² / 3.8² − 1, which lies
// between −1 and 1, so that large terms do not cancel. Rational approximations have fewer terms but need a division,
// which costs more than the other terms.

#include "compiler/codegen/common/MathBuilder.h"
#include "compiler/codegen/common/MathPatterns.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace plumb;

namespace {

struct ExpandErf : OpRewritePattern<math::ErfOp> {
  explicit ExpandErf(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(math::ErfOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    MathBuilder b(op.getLoc(), rewriter, op.getType());
    Value x = op.getOperand();
    Value u = b.multiplyAdd(b.make<arith::MulFOp>(x, x), b.number(b.f32, 0.13850416243076324), b.number(b.f32, -1));
    Value ratio =
        b.polynomial(u, {1.1146134929731488e-3, -2.766963094472885e-3, 2.0872228778898716e-3, -3.092407714575529e-3,
                         1.0276289656758308e-2, -1.856217347085476e-2, 2.6508420705795288e-2, -3.881988674402237e-2,
                         5.510846897959709e-2, -7.254543900489807e-2, 9.082604199647903e-2, -1.1118243634700775e-1,
                         1.3773982226848602e-1, -1.8564128875732422e-1, 3.721076250076294e-1});
    rewriter.replaceOp(op, b.clamp(b.make<arith::MulFOp>(x, ratio), -1, 1));
    return success();
  }
};

} // namespace

void plumb::populateErfPattern(RewritePatternSet &patterns) { patterns.add<ExpandErf>(patterns.getContext()); }
