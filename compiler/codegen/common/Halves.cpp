// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts between f16 and f32, which differ by 13 bits of the mantissa and by 112 in the bias of exponents. Three
// classes of numbers are converted side by side, and the right result is selected: normal numbers, those below the
// normal numbers of f16, which a floating-point addition shifts into place, and infinities with NaN. No operand or
// result is denormal in f32, as steps flush denormals to zero.

#include "compiler/codegen/common/MathBuilder.h"
#include "compiler/codegen/common/SmallFloatPatterns.h"

using namespace mlir;
using namespace plumb;
using arith::CmpIPredicate;

/// Bits of f32.
constexpr uint32_t kOneExponent = 1 << 23, kInfinity = 255 * kOneExponent, kBias = 112 * kOneExponent;
constexpr uint32_t kHalf = 126 * kOneExponent;
/// The least normal f16, and the first number beyond the range of f16, as f32.
constexpr uint32_t kMinNormal = 113 * kOneExponent, kBeyond = 143 * kOneExponent;
/// Bits of f16.
constexpr uint32_t kHalfInfinity = 0x7c00, kHalfNaN = 0x7e00, kHalfSign = 0x8000;
constexpr uint32_t kFewerBits = 13;

namespace {

/// The builder of both directions.
struct HalfBuilder : MathBuilder {
  using MathBuilder::MathBuilder;

  Value bits(uint32_t value) { return integer(i32, value); }
  Value add(Value a, uint32_t b) { return make<arith::AddIOp>(a, bits(b)); }
  Value mask(Value a, uint32_t b) { return make<arith::AndIOp>(a, bits(b)); }
  Value left(Value a, uint32_t b) { return make<arith::ShLIOp>(a, bits(b)); }
  Value right(Value a, uint32_t b) { return make<arith::ShRUIOp>(a, bits(b)); }
  Value toFloat(Value a) { return cast<arith::BitcastOp>(f32, a); }
  Value toBits(Value a) { return cast<arith::BitcastOp>(i32, a); }
  Value compare(CmpIPredicate how, Value a, uint32_t b) { return arith::CmpIOp::create(*this, how, a, bits(b)); }
};

struct ExtendHalf : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF16() || !getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not from f16 to f32");
    HalfBuilder b(op.getLoc(), rewriter, op.getType());
    Value half = b.cast<arith::ExtUIOp>(b.i32, b.cast<arith::BitcastOp>(b.like(b.getI16Type()), op.getIn()));
    Value magnitude = b.left(b.mask(half, kHalfSign - 1), kFewerBits);
    Value normal = b.add(magnitude, kBias), special = b.add(normal, kBias);
    Value above = b.toFloat(b.add(normal, kOneExponent));
    Value tiny = b.toBits(b.make<arith::SubFOp>(above, b.toFloat(b.bits(kMinNormal))));
    Value result = b.choose(b.compare(CmpIPredicate::uge, magnitude, kHalfInfinity << kFewerBits), special, normal);
    result = b.choose(b.compare(CmpIPredicate::ult, magnitude, kOneExponent), tiny, result);
    Value sign = b.left(b.mask(half, kHalfSign), 16);
    rewriter.replaceOp(op, b.toFloat(b.make<arith::OrIOp>(result, sign)));
    return success();
  }
};

struct TruncateToHalf : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF32() || !getElementTypeOrSelf(op.getType()).isF16())
      return rewriter.notifyMatchFailure(op, "not from f32 to f16");
    HalfBuilder b(op.getLoc(), rewriter, op.getType());
    Value bits = b.toBits(op.getIn()), magnitude = b.mask(bits, 0x7fffffff);
    // Round to nearest even: the bits that are dropped, and the last bit that stays, may carry.
    Value last = b.mask(b.right(magnitude, kFewerBits), 1);
    Value rounded = b.make<arith::AddIOp>(b.add(magnitude, (1 << (kFewerBits - 1)) - 1 - kBias), last);
    Value normal = b.right(rounded, kFewerBits);
    Value sum = b.make<arith::AddFOp>(b.toFloat(magnitude), b.toFloat(b.bits(kHalf)));
    Value tiny = b.add(b.toBits(sum), -kHalf);
    Value isNone = b.compare(CmpIPredicate::ugt, magnitude, kInfinity);
    Value special = b.choose(isNone, b.bits(kHalfNaN), b.bits(kHalfInfinity));
    Value result = b.choose(b.compare(CmpIPredicate::uge, magnitude, kBeyond), special, normal);
    result = b.choose(b.compare(CmpIPredicate::ult, magnitude, kMinNormal), tiny, result);
    result = b.make<arith::OrIOp>(result, b.mask(b.right(bits, 16), kHalfSign));
    Value half = b.cast<arith::TruncIOp>(b.like(b.getI16Type()), result);
    rewriter.replaceOp(op, b.cast<arith::BitcastOp>(op.getType(), half));
    return success();
  }
};

} // namespace

void plumb::populateHalfPatterns(RewritePatternSet &patterns) {
  patterns.add<ExtendHalf, TruncateToHalf>(patterns.getContext());
}
