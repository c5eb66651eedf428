// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of f32 computed in f64, where formulas do not cancel that would in f32. Four kernels, with relative errors
// below 2e-9, serve all of them:
//
// * eˣ − 1 = 2ⁿ (eʳ − 1) + (2ⁿ − 1), with n the integer nearest to x / ln 2;
// * ln y = k · ln 2 + 2 artanh s, s = (m − 1) / (m + 1), with y = m · 2ᵏ and m around 1;
// * the angle of a point: arctan of the smaller coordinate by the larger one, and π/2 minus it on the other side of the
// diagonal;
// * eˣ² erfc x as a polynomial in (x − 2) / (x + 2), divided by 1 + 2x.
//
// Functions with slope one at zero return tiny arguments themselves, since 1 + x would round them off.

#include "compiler/codegen/common/MathBuilder.h"
#include "compiler/codegen/common/MathPatterns.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace plumb;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// 1.5 · 2⁵², from which on f64 are integers, and the bias of exponents.
constexpr double kRounding = 6755399441055744.0, kBias = 1023;
/// 2⁵², whose last bits are those of an integer.
constexpr uint64_t kFullBits = 0x4330000000000000;
/// The bits of 1 and of √½.
constexpr uint64_t kOneBits = 0x3ff0000000000000, kRootBits = 0x3fe6a09e667f3bcd;
constexpr double kTiny = 0x1p-26;

/// Arithmetic on f64.
struct WideBuilder : MathBuilder {
  using MathBuilder::MathBuilder;

  Value wide(double value) { return number(f64, value); }
  Value add(Value a, Value b) { return make<arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return make<arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return make<arith::MulFOp>(a, b); }
  Value div(Value a, Value b) { return make<arith::DivFOp>(a, b); }
  Value abs(Value a) { return math::AbsFOp::create(*this, a); }
  Value sqrt(Value a) { return math::SqrtOp::create(*this, a); }
  Value withSign(Value a, Value sign) { return math::CopySignOp::create(*this, a, sign); }

  /// `x` where it is tiny, `value` elsewhere.
  Value unlessTiny(Value x, Value value) { return choose(compare(CmpFPredicate::OLT, abs(x), wide(kTiny)), x, value); }

  /// p · s + s is eˣ, and p · s + (s − 1) is eˣ − 1.
  struct Power {
    Value p, s;
  };
  Power power(Value x) {
    x = clamp(x, -150, 150);
    Value rounding = wide(kRounding + kBias);
    Value rounded = multiplyAdd(x, wide(M_LOG2E), rounding);
    Value n = sub(rounded, rounding);
    Value r = multiplyAdd(n, wide(-0x1.62e42fefa39efp-1), x);
    Value ratio =
        polynomial(r, {2.479331717225619e-5, 1.9907429906120702e-4, 1.3888995638298893e-3, 8.3332837901773146e-3,
                       4.1666665847879099e-2, 1.666666678517649e-1, 5.0000000001359868e-1, 9.9999999999558331e-1});
    Value bits = make<arith::ShLIOp>(cast<arith::BitcastOp>(i64, rounded), integer(i64, 52));
    return {mul(r, ratio), cast<arith::BitcastOp>(f64, bits)};
  }
  Value exp(Value x) {
    Power of = power(x);
    return multiplyAdd(of.p, of.s, of.s);
  }
  Value expm1(Value x) {
    Power of = power(x);
    return multiplyAdd(of.p, of.s, sub(of.s, wide(1)));
  }

  Value log(Value y) {
    Value shifted = make<arith::AddIOp>(cast<arith::BitcastOp>(i64, y), integer(i64, kOneBits - kRootBits));
    Value exponent = make<arith::ShRUIOp>(shifted, integer(i64, 52));
    Value mantissa = make<arith::AndIOp>(shifted, integer(i64, (uint64_t(1) << 52) - 1));
    Value m = cast<arith::BitcastOp>(f64, make<arith::AddIOp>(mantissa, integer(i64, kRootBits)));
    Value whole = cast<arith::BitcastOp>(f64, make<arith::OrIOp>(exponent, integer(i64, kFullBits)));
    Value k = sub(whole, wide(0x1p52 + kBias));
    Value s = div(sub(m, wide(1)), add(m, wide(1)));
    Value ratio = polynomial(mul(s, s), {2.361720637012055e-1, 2.853500577175363e-1, 4.000038542046781e-1,
                                         6.6666665243580037e-1, 2.0000000000083915});
    Value value = multiplyAdd(k, wide(M_LN2), mul(s, ratio));
    value = choose(compare(CmpFPredicate::OEQ, y, wide(kInfinity)), y, value);
    Value none = wide(std::numeric_limits<double>::quiet_NaN());
    Value other = choose(compare(CmpFPredicate::OEQ, y, wide(0)), wide(-kInfinity), none);
    return choose(compare(CmpFPredicate::OGT, y, wide(0)), value, other);
  }

  /// The angle of the point (x, y), neither of which is negative, from 0 to π/2.
  Value angle(Value y, Value x) {
    Value above = compare(CmpFPredicate::OGT, y, x);
    Value less = choose(above, x, y), more = choose(above, y, x);
    Value t = div(less, more);
    Value ratio = polynomial(mul(t, t), {4.2194995414834239e-4, -3.21191865149453e-3, 1.1471398914163973e-2,
                                         -2.6072787024529302e-2, 4.3711316758129962e-2, -6.0263461003747423e-2,
                                         7.4970404557871254e-2, -9.0496817618136979e-2, 1.1105397069501305e-1,
                                         -1.4285235220485187e-1, 1.9999978866993304e-1, -3.3333332963204204e-1,
                                         9.9999999998915812e-1});
    Value value = mul(t, ratio);
    return choose(above, sub(wide(M_PI_2), value), value);
  }
};

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Value expand(math::AtanOp, WideBuilder &b, Value x) { return b.withSign(b.angle(b.abs(x), b.wide(1)), x); }

Value expand(math::AsinOp, WideBuilder &b, Value x) {
  Value size = b.abs(x), one = b.wide(1);
  Value other = b.sqrt(b.mul(b.sub(one, size), b.add(one, size)));
  return b.withSign(b.angle(size, other), x);
}

Value expand(math::AcosOp, WideBuilder &b, Value x) {
  // Half of the angle: its tangent keeps the digits of 1 − x.
  Value one = b.wide(1);
  Value half = b.angle(b.sqrt(b.sub(one, x)), b.sqrt(b.add(one, x)));
  return b.add(half, half);
}

Value expand(math::SinhOp, WideBuilder &b, Value x) {
  Value less = b.expm1(b.abs(x));
  Value sum = b.add(less, b.div(less, b.add(less, b.wide(1))));
  return b.withSign(b.mul(sum, b.wide(0.5)), x);
}

Value expand(math::CoshOp, WideBuilder &b, Value x) {
  Value power = b.exp(x);
  return b.mul(b.add(power, b.div(b.wide(1), power)), b.wide(0.5));
}

Value expand(math::AsinhOp, WideBuilder &b, Value x) {
  Value size = b.abs(x);
  Value root = b.sqrt(b.multiplyAdd(size, size, b.wide(1)));
  return b.unlessTiny(x, b.withSign(b.log(b.add(size, root)), x));
}

Value expand(math::AcoshOp, WideBuilder &b, Value x) {
  Value one = b.wide(1);
  Value root = b.sqrt(b.mul(b.sub(x, one), b.add(x, one)));
  Value value = b.log(b.add(x, root));
  Value none = b.wide(std::numeric_limits<double>::quiet_NaN());
  return b.choose(b.compare(CmpFPredicate::OGE, x, one), value, none);
}

Value expand(math::AtanhOp, WideBuilder &b, Value x) {
  Value one = b.wide(1);
  Value value = b.mul(b.log(b.div(b.add(one, x), b.sub(one, x))), b.wide(0.5));
  return b.unlessTiny(x, value);
}

Value expand(math::Log1pOp, WideBuilder &b, Value x) { return b.unlessTiny(x, b.log(b.add(x, b.wide(1)))); }

Value expand(math::ExpM1Op, WideBuilder &b, Value x) { return b.unlessTiny(x, b.expm1(x)); }

Value expand(math::ErfcOp, WideBuilder &b, Value x) {
  // From 11 on the result is zero.
  Value size = b.clamp(b.abs(x), 0, 11), two = b.wide(2);
  Value q = b.div(b.sub(size, two), b.add(size, two));
  Value scaled =
      b.polynomial(q, {8.2198486556454443e-5, 1.7530185399369842e-4, -4.0026635552863326e-4, -1.4267342453988952e-3,
                       1.250306307440773e-3, 8.7111421346599324e-3, -8.0298468016331056e-3, -5.4218110444828896e-2,
                       1.64050899050179e-1, -1.6603050797119021e-1, -9.2763815664960406e-2, 1.2769783825672649});
  scaled = b.div(scaled, b.multiplyAdd(size, two, b.wide(1)));
  Value right = b.mul(scaled, b.exp(b.mul(size, arith::NegFOp::create(b, size))));
  return b.choose(b.compare(CmpFPredicate::OLT, x, b.wide(0)), b.sub(two, right), right);
}

/// Expands a function of one f32.
template <typename Op> struct ExpandWide : OpRewritePattern<Op> {
  explicit ExpandWide(MLIRContext *context) : OpRewritePattern<Op>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    WideBuilder b(op.getLoc(), rewriter, op.getType());
    Value value = expand(op, b, b.cast<arith::ExtFOp>(b.f64, op.getOperand()));
    rewriter.replaceOp(op, b.cast<arith::TruncFOp>(b.f32, value));
    return success();
  }
};

/// Expands the angle of a point of any quadrant.
struct ExpandAngle : OpRewritePattern<math::Atan2Op> {
  explicit ExpandAngle(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(math::Atan2Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    WideBuilder b(op.getLoc(), rewriter, op.getType());
    Value x = op.getRhs(), up = b.cast<arith::ExtFOp>(b.f64, op.getLhs()), along = b.cast<arith::ExtFOp>(b.f64, x);
    Value y = b.abs(up), size = b.abs(along);
    // Quotients of zeros or infinities: the angle of (1, 0), or of (1, 1).
    Value same = b.compare(CmpFPredicate::OEQ, y, size), isZero = b.compare(CmpFPredicate::OEQ, y, b.wide(0));
    Value one = b.wide(1);
    Value value = b.angle(b.choose(same, b.choose(isZero, b.wide(0), one), y), b.choose(same, one, size));
    Value isNegative =
        arith::CmpIOp::create(b, CmpIPredicate::slt, b.cast<arith::BitcastOp>(b.i32, x), b.integer(b.i32, 0));
    value = b.choose(isNegative, b.sub(b.wide(M_PI), value), value);
    rewriter.replaceOp(op, b.cast<arith::TruncFOp>(b.f32, b.withSign(value, up)));
    return success();
  }
};

template <typename... Ops> void addWide(RewritePatternSet &patterns) {
  patterns.add<ExpandWide<Ops>...>(patterns.getContext());
}

} // namespace

void plumb::populateWidePatterns(RewritePatternSet &patterns) {
  addWide<math::AtanOp, math::AsinOp, math::AcosOp, math::SinhOp, math::CoshOp, math::AsinhOp, math::AcoshOp,
          math::AtanhOp, math::Log1pOp, math::ExpM1Op, math::ErfcOp>(patterns);
  patterns.add<ExpandAngle>(patterns.getContext());
}
