// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An argument is first reduced to x = q · π/2 + r with |r| ≤ π/4:
//
// * below 2²⁸ in f64: π/2 in two parts, of which the first has so few bits that its product with q is exact (Cody and
// Waite);
// * above by integers (Payne and Hanek): x is m · 2ˢ with m of 24 bits, and of the binary digits of 2/π only 96 from
// digit s − 2 on determine the quadrant and the remainder; the digits before them are multiples of 2π. This is behind a
// branch, as few programs have such arguments.
//
// Then one polynomial each for sine and cosine of r; q says which, and its sign. The tangent is a polynomial in f64, or
// its inverse where q is odd.

#include "compiler/codegen/common/MathBuilder.h"
#include "compiler/codegen/common/MathPatterns.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace plumb;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {

/// Binary digits of 2/π after the point.
constexpr uint32_t kTwoOverPi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
/// π/2 in two parts: 25 bits, and the remainder.
constexpr double kHalfPiHigh = 0x1.921fb5p+0;
constexpr double kHalfPiLow = 0x1.110b4611a6263p-26;
/// Arguments from here on are reduced by integers.
constexpr float kLarge = 0x1p28f;

/// x = quarter · π/2 + remainder; the quarter counts modulo four. The remainder is f64.
struct Reduced {
  Value quarter;
  Value rest;
};

} // namespace

/// For |x| < 2²⁸: q has at most 28 bits, the first part of π/2 25, and both fit
/// in the 53 of their product.
static Reduced reduceSmall(MathBuilder &b, Value x) {
  Value wide = b.cast<arith::ExtFOp>(b.f64, x);
  Value quarters = b.make<arith::MulFOp>(wide, b.number(b.f64, 0x1.45f306dc9c883p-1));
  Value q = math::RoundEvenOp::create(b, quarters);
  Value high = b.make<arith::MulFOp>(q, b.number(b.f64, kHalfPiHigh));
  Value low = b.make<arith::MulFOp>(q, b.number(b.f64, kHalfPiLow));
  Value rest = b.make<arith::SubFOp>(b.make<arith::SubFOp>(wide, high), low);
  return {b.cast<arith::FPToSIOp>(b.i32, q), rest};
}

/// Two neighbouring words of the digits of 2/π, from word `first + skip`.
static Value chooseDigits(MathBuilder &b, Value skip, unsigned first) {
  auto pair = [&](unsigned word) { return b.integer(b.i64, uint64_t(kTwoOverPi[word]) << 32 | kTwoOverPi[word + 1]); };
  Value digits = pair(first);
  for (unsigned words = 1; words <= 3; ++words) {
    Value here = arith::CmpIOp::create(b, CmpIPredicate::eq, skip, b.integer(b.i64, words));
    digits = b.choose(here, pair(first + words), digits);
  }
  return digits;
}

/// The fraction of m · 2ˢ · 2/π / 4, in units of 2⁻⁶⁴; `digit` is the first digit of 2/π that matters.
static Value multiplyByDigits(MathBuilder &b, Value mantissa, Value digit) {
  Value skip = b.make<arith::ShRUIOp>(digit, b.integer(b.i64, 5));
  Value shift = b.make<arith::AndIOp>(digit, b.integer(b.i64, 31));
  Value head = chooseDigits(b, skip, 0), tail = chooseDigits(b, skip, 2);
  // A shift by 64 is undefined, so the last digit is shifted separately.
  Value half = b.make<arith::ShRUIOp>(tail, b.integer(b.i64, 1));
  Value carried = b.make<arith::ShRUIOp>(half, b.make<arith::SubIOp>(b.integer(b.i64, 63), shift));
  Value high = b.make<arith::OrIOp>(b.make<arith::ShLIOp>(head, shift), carried);
  Value low = b.make<arith::ShRUIOp>(b.make<arith::ShLIOp>(tail, shift), b.integer(b.i64, 32));
  Value lowProduct = b.make<arith::ShRUIOp>(b.make<arith::MulIOp>(mantissa, low), b.integer(b.i64, 32));
  return b.make<arith::AddIOp>(b.make<arith::MulIOp>(mantissa, high), lowProduct);
}

/// For any |x| ≥ 2²⁸.
static Reduced reduceLarge(MathBuilder &b, Value x) {
  Value bits = b.cast<arith::ExtUIOp>(b.i64, b.cast<arith::BitcastOp>(b.i32, x));
  Value exponent = b.make<arith::AndIOp>(b.make<arith::ShRUIOp>(bits, b.integer(b.i64, 23)), b.integer(b.i64, 255));
  Value mantissa =
      b.make<arith::OrIOp>(b.make<arith::AndIOp>(bits, b.integer(b.i64, 0x7fffff)), b.integer(b.i64, 0x800000));
  // x = m · 2^(exponent − 150); two more digits are multiples of 2π. Small arguments take part in vectors with large
  // ones, and their results are dropped.
  Value digit = b.make<arith::AndIOp>(b.make<arith::SubIOp>(exponent, b.integer(b.i64, 152)), b.integer(b.i64, 127));
  Value fraction = multiplyByDigits(b, mantissa, digit);
  Value quarter = b.make<arith::ShRUIOp>(b.make<arith::AddIOp>(fraction, b.integer(b.i64, uint64_t(1) << 61)),
                                         b.integer(b.i64, 62));
  Value left = b.make<arith::SubIOp>(fraction, b.make<arith::ShLIOp>(quarter, b.integer(b.i64, 62)));
  Value rest = b.make<arith::MulFOp>(b.cast<arith::SIToFPOp>(b.f64, left), b.number(b.f64, 0x1.921fb54442d18p-62));
  Value negative = arith::CmpFOp::create(b, CmpFPredicate::OLT, x, b.number(b.f32, 0));
  Value count = b.cast<arith::TruncIOp>(b.i32, quarter);
  return {b.choose(negative, b.make<arith::SubIOp>(b.integer(b.i32, 0), count), count),
          b.choose(negative, arith::NegFOp::create(b, rest), rest)};
}

/// The general reduction; uses integers only if some lane needs them. The remainder is rounded to f32 first unless
/// `wide`.
static Reduced reduce(MathBuilder &b, Value x, bool isWide) {
  Value size = math::AbsFOp::create(b, x);
  Value large = arith::CmpFOp::create(b, CmpFPredicate::UGE, size, b.number(b.f32, kLarge));
  auto round = [&](MathBuilder &at, Value rest) { return isWide ? rest : at.cast<arith::TruncFOp>(at.f32, rest); };
  Reduced small = reduceSmall(b, b.choose(large, b.number(b.f32, 0), x));
  small.rest = round(b, small.rest);
  Value any = large;
  if (isa<VectorType>(large.getType()))
    any = vector::ReductionOp::create(b, vector::CombiningKind::OR, large);
  auto branch = scf::IfOp::create(
      b, any,
      [&](OpBuilder &inner, Location location) {
        MathBuilder then(location, inner, x.getType());
        Reduced exact = reduceLarge(then, x);
        scf::YieldOp::create(then, ValueRange{then.choose(large, exact.quarter, small.quarter),
                                              then.choose(large, round(then, exact.rest), small.rest)});
      },
      [&](OpBuilder &inner, Location location) {
        scf::YieldOp::create(inner, location, ValueRange{small.quarter, small.rest});
      });
  return {branch.getResult(0), branch.getResult(1)};
}

/// Whether a bit of the quarter is set.
static Value isSet(MathBuilder &b, Value quarter, uint64_t bit) {
  return arith::CmpIOp::create(b, CmpIPredicate::ne, b.make<arith::AndIOp>(quarter, b.integer(b.i32, bit)),
                               b.integer(b.i32, 0));
}

/// `value`, or NaN where x is infinite or NaN: x − x is NaN there, and zero elsewhere.
static Value unlessInfinite(MathBuilder &b, Value x, Value value) {
  Value difference = b.make<arith::SubFOp>(x, x);
  return b.choose(b.compare(CmpFPredicate::ORD, difference, x), value, difference);
}

/// sin(x + offset · π/2).
static Value expandSine(MathBuilder &b, Value x, uint64_t offset) {
  Reduced reduced = reduce(b, x, /*wide=*/false);
  Value r = reduced.rest, z = b.make<arith::MulFOp>(r, r);
  Value odd = b.polynomial(z, {-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1});
  Value sine = b.multiplyAdd(b.make<arith::MulFOp>(odd, z), r, r);
  Value even = b.polynomial(z, {2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2, -0.5, 1.0});
  Value quarter = b.make<arith::AddIOp>(reduced.quarter, b.integer(b.i32, offset));
  Value value = b.choose(isSet(b, quarter, 1), even, sine);
  value = b.choose(isSet(b, quarter, 2), arith::NegFOp::create(b, value), value);
  return unlessInfinite(b, x, value);
}

static Value expandTangent(MathBuilder &b, Value x) {
  Reduced reduced = reduce(b, x, /*wide=*/true);
  Value r = reduced.rest, z = b.make<arith::MulFOp>(r, r);
  Value ratio =
      b.polynomial(z, {1.7804602487017744e-3, 1.8818532370962074e-5, 4.4095184693698298e-3, 8.6158101537068751e-3,
                       2.1909282887989188e-2, 5.3965156342856285e-2, 1.3333342412458365e-1, 3.3333333290158201e-1});
  Value tangent = b.multiplyAdd(b.make<arith::MulFOp>(ratio, z), r, r);
  Value inverse = b.make<arith::DivFOp>(b.number(b.f64, -1), tangent);
  Value value = b.choose(isSet(b, reduced.quarter, 1), inverse, tangent);
  return unlessInfinite(b, x, b.cast<arith::TruncFOp>(b.f32, value));
}

namespace {

/// Expands one function of f32.
template <typename Op> struct ExpandTrigonometric : OpRewritePattern<Op> {
  explicit ExpandTrigonometric(MLIRContext *context) : OpRewritePattern<Op>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not of f32");
    MathBuilder b(op.getLoc(), rewriter, op.getType());
    Value x = op.getOperand();
    if constexpr (std::is_same_v<Op, math::TanOp>)
      rewriter.replaceOp(op, expandTangent(b, x));
    else
      rewriter.replaceOp(op, expandSine(b, x, std::is_same_v<Op, math::CosOp>));
    return success();
  }
};

} // namespace

void plumb::populateTrigonometricPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandTrigonometric<math::SinOp>, ExpandTrigonometric<math::CosOp>, ExpandTrigonometric<math::TanOp>>(
      patterns.getContext());
}
