// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops on complex numbers, by ops on their real and imaginary parts.
//
// Where a formula divides by zero at some point, the divisor is another number there, not only the result: a gradient
// passes both sides of a select, and zero times infinity is NaN. Inverse functions follow W. Kahan, "Branch cuts for
// complex elementary functions" (1987): no difference of near numbers is taken, and cuts lie as in C.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetGradOps.h"
#include "dialects/net/ir/NetMathOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace plumb::net {

using Operands = ArrayRef<ValueRange>;
using Expansion = FailureOr<SmallVector<Value>>;

namespace {

/// A complex tensor as two real ones of a common shape, or shapes that broadcast.
struct Parts {
  mlir::Value re, im;

  /// The parts that stand for a complex operand.
  static Parts of(mlir::ValueRange values) { return {values[0], values[1]}; }
  llvm::SmallVector<mlir::Value> values() const { return {re, im}; }
};

/// Builds ops on real tensors at the caller's insertion point.
class ComplexBuilder : public AdjointBuilder {
public:
  using AdjointBuilder::add;
  using AdjointBuilder::AdjointBuilder;
  using AdjointBuilder::div;
  using AdjointBuilder::mul;
  using AdjointBuilder::neg;
  using AdjointBuilder::sub;

  /// A function of one real tensor.
  template <typename Op> Value apply(Value x) { return Op::create(*this, x); }

  Parts add(Parts a, Parts b) { return {add(a.re, b.re), add(a.im, b.im)}; }
  Parts sub(Parts a, Parts b) { return {sub(a.re, b.re), sub(a.im, b.im)}; }
  Parts neg(Parts z) { return {neg(z.re), neg(z.im)}; }
  Parts conj(Parts z) { return {z.re, neg(z.im)}; }
  Parts scale(Parts z, double number) { return {mul(z.re, number), mul(z.im, number)}; }
  /// i z and -i z.
  Parts timesI(Parts z) { return {neg(z.im), z.re}; }
  Parts timesMinusI(Parts z) { return {z.im, neg(z.re)}; }
  /// z + number and number - z, for a real number.
  Parts shift(Parts z, double number) { return {add(z.re, number), z.im}; }
  Parts from(double number, Parts z) { return {sub(number, z.re), neg(z.im)}; }
  Parts mul(Parts a, Parts b);
  /// a / b with b scaled first, so that only results that are too large overflow. As in C's Annex G, a finite number by
  /// an infinite one is zero, and by zero infinite.
  Parts div(Parts a, Parts b);
  /// A tensor as `like` of one complex number.
  Parts splat(Parts like, double re, double im);

  Value select(Value condition, Value a, Value b);
  Value isZero(Value x);
  Value isLess(Value x, double number);
  Value maximum(Value a, Value b);
  Value minimum(Value a, Value b);
  Value magnitude(Value x);
  /// |x| with the sign of `sign`, that of a zero included.
  Value copySign(Value x, Value sign);
  /// a * b, which is zero where b is, were a infinite.
  Value mulUnlessZero(Value a, Value b);
  /// b by a positive number near |b|: of an infinite b, 1 or -1 for each infinite part and 0 for a finite one; of zero,
  /// 1 or -1.
  Parts directionOf(Parts b);
  /// A number near which the larger of |x| and |y| is, without a gradient: 1 where both are zero, or one is not finite.
  Value scaleOf(Value x, Value y);
  /// (x^2 + y^2)^(1/2), with a gradient of zero at zero.
  Value hypot(Value x, Value y);
  Value atan2(Value y, Value x);

  Parts exp(Parts z);
  Parts log(Parts z);
  Parts sqrt(Parts z);
};

} // namespace

//===--------------------------------------------------------------------------------------===//
// Arithmetic on pairs
//===--------------------------------------------------------------------------------------===//

/// Whether `value` is a constant full of zeros, as the imaginary parts of real numbers are.
static bool isConstantZero(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant && isSplatOf(constant.getValue(), 0);
}

/// The largest finite number of a type.
static double largestOf(Type element) {
  const llvm::fltSemantics &semantics = llvm::cast<FloatType>(element).getFloatSemantics();
  return llvm::APFloat::getLargest(semantics).convertToDouble();
}

Parts ComplexBuilder::mul(Parts a, Parts b) {
  if (isConstantZero(a.im))
    std::swap(a, b);
  if (isConstantZero(b.im)) // A real number.
    return {mul(a.re, b.re), mul(a.im, b.re)};
  return {sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re))};
}

Parts ComplexBuilder::div(Parts a, Parts b) {
  if (isConstantZero(b.im))
    return {div(a.re, b.re), div(a.im, b.re)};
  auto [re, im] = directionOf(b);
  Value norm = add(mul(re, b.re), mul(im, b.im));
  return {div(add(mul(a.re, re), mul(a.im, im)), norm), div(sub(mul(a.im, re), mul(a.re, im)), norm)};
}

Parts ComplexBuilder::splat(Parts like, double re, double im) {
  auto type = tensorType(like.re);
  return {ConstantOp::create(*this, splatOf(type, re)), ConstantOp::create(*this, splatOf(type, im))};
}

Value ComplexBuilder::select(Value condition, Value a, Value b) { return SelectOp::create(*this, condition, a, b); }
Value ComplexBuilder::isZero(Value x) { return EqualOp::create(*this, x, scalar(x, 0)); }
Value ComplexBuilder::isLess(Value x, double number) { return LessOp::create(*this, x, scalar(x, number)); }
Value ComplexBuilder::maximum(Value a, Value b) { return MaximumOp::create(*this, a, b); }
Value ComplexBuilder::minimum(Value a, Value b) { return MinimumOp::create(*this, a, b); }
Value ComplexBuilder::magnitude(Value x) { return AbsOp::create(*this, x); }
Value ComplexBuilder::atan2(Value y, Value x) { return Atan2Op::create(*this, y, x); }

Value ComplexBuilder::copySign(Value x, Value sign) {
  Type bits = getIntegerType(tensorType(sign).getElementTypeBitWidth());
  Value isNegative = isLess(BitcastOp::create(*this, sign, bits), 0);
  Value positive = magnitude(x);
  return select(isNegative, neg(positive), positive);
}

Value ComplexBuilder::mulUnlessZero(Value a, Value b) {
  double largest = largestOf(tensorType(a).getElementType());
  Value finite = maximum(minimum(a, scalar(a, largest)), scalar(a, -largest));
  return mul(select(isZero(b), finite, a), b);
}

Parts ComplexBuilder::directionOf(Parts b) {
  Value re = apply<StopGradientOp>(b.re), im = apply<StopGradientOp>(b.im);
  Value largest = maximum(magnitude(re), magnitude(im)), zero = isZero(largest);
  Value isLimit = LogicalOrOp::create(*this, zero, apply<IsInfOp>(largest));
  Type element = tensorType(re).getElementType();
  Value unitRe = cast(LogicalOrOp::create(*this, zero, apply<IsInfOp>(re)), element);
  Value unitIm = cast(apply<IsInfOp>(im), element);
  Value scale = scaleOf(b.re, b.im);
  return {select(isLimit, copySign(unitRe, re), div(b.re, scale)),
          select(isLimit, copySign(unitIm, im), div(b.im, scale))};
}

Value ComplexBuilder::scaleOf(Value x, Value y) {
  Value largest = maximum(magnitude(apply<StopGradientOp>(x)), magnitude(apply<StopGradientOp>(y)));
  Value isUsable = LogicalAndOp::create(*this, apply<LogicalNotOp>(isZero(largest)), apply<IsFiniteOp>(largest));
  return select(isUsable, largest, scalar(largest, 1));
}

Value ComplexBuilder::hypot(Value x, Value y) {
  Value scale = scaleOf(x, y);
  Value re = div(x, scale), im = div(y, scale);
  Value sum = add(mul(re, re), mul(im, im));
  Value zero = isZero(sum);
  Value root = apply<SqrtOp>(select(zero, scalar(sum, 1), sum));
  return select(zero, scalar(sum, 0), mul(scale, root));
}

Parts ComplexBuilder::exp(Parts z) {
  Value radius = apply<ExpOp>(z.re);
  // Where the radius is zero, any angle will do, an infinite one, too.
  z.im = select(isZero(radius), minimum(maximum(z.im, scalar(z.im, -1)), scalar(z.im, 1)), z.im);
  // Of a real number the result is real, were it infinite.
  Value im = select(isZero(z.im), z.im, mul(radius, apply<SinOp>(z.im)));
  return {mul(radius, apply<CosOp>(z.im)), im};
}

/// Near the unit circle ln |z| is a small number, which only the difference of |z|^2 from 1 keeps.
Parts ComplexBuilder::log(Parts z) {
  Value x = magnitude(z.re), y = magnitude(z.im);
  Value larger = maximum(x, y), smaller = minimum(x, y);
  Value excess = add(mul(add(larger, -1.0), add(larger, 1.0)), mul(smaller, smaller));
  Value near = LogicalAndOp::create(*this, isLess(excess, 1), isLess(neg(excess), 0.5));
  Value close = mul(apply<Log1pOp>(select(near, excess, scalar(excess, 0))), 0.5);
  Value radius = apply<LogOp>(hypot(z.re, z.im));
  return {select(near, close, radius), atan2(z.im, z.re)};
}

Parts ComplexBuilder::sqrt(Parts z) {
  Value half = add(mul(magnitude(z.re), 0.5), mul(hypot(z.re, z.im), 0.5));
  Value zero = isZero(half);
  Value root = apply<SqrtOp>(select(zero, scalar(half, 1), half));
  Value large = select(zero, half, root);
  Value small = select(apply<IsInfOp>(z.im), magnitude(z.im), div(mul(magnitude(z.im), 0.5), root));
  Value left = isLess(z.re, 0);
  return {select(left, small, large), copySign(select(left, large, small), z.im)};
}

//===--------------------------------------------------------------------------------------===//
// Functions of one number
//===--------------------------------------------------------------------------------------===//

static Parts expandSquare(ComplexBuilder &b, Parts z) {
  return {b.mul(b.sub(z.re, z.im), b.add(z.re, z.im)), b.mul(b.mul(z.re, z.im), 2)};
}

static Parts expandReciprocal(ComplexBuilder &b, Parts z) { return b.div(b.splat(z, 1, 0), z); }

static Parts expandSign(ComplexBuilder &b, Parts z) {
  Value radius = b.hypot(z.re, z.im), zero = b.isZero(radius);
  Value divisor = b.select(zero, b.scalar(radius, 1), radius);
  return {b.div(z.re, divisor), b.div(z.im, divisor)};
}

static Parts expandSin(ComplexBuilder &b, Parts z) {
  return {b.mulUnlessZero(b.apply<CoshOp>(z.im), b.apply<SinOp>(z.re)),
          b.mul(b.apply<CosOp>(z.re), b.apply<SinhOp>(z.im))};
}

static Parts expandCos(ComplexBuilder &b, Parts z) {
  return {b.mul(b.apply<CosOp>(z.re), b.apply<CoshOp>(z.im)),
          b.neg(b.mulUnlessZero(b.apply<SinhOp>(z.im), b.apply<SinOp>(z.re)))};
}

static Parts expandSinh(ComplexBuilder &b, Parts z) {
  return {b.mul(b.apply<SinhOp>(z.re), b.apply<CosOp>(z.im)),
          b.mulUnlessZero(b.apply<CoshOp>(z.re), b.apply<SinOp>(z.im))};
}

static Parts expandCosh(ComplexBuilder &b, Parts z) {
  return {b.mul(b.apply<CoshOp>(z.re), b.apply<CosOp>(z.im)),
          b.mulUnlessZero(b.apply<SinhOp>(z.re), b.apply<SinOp>(z.im))};
}

/// With s = sinh x and t = tan y: (s r (1 + t^2) + i t) / (1 + (1 + t^2) s^2), where r = (1 + s^2)^(1/2). Beyond
/// `limit` the real part is 1 or -1 to the last bit, and x may stand there.
static Parts expandTanh(ComplexBuilder &b, Parts z) {
  double limit = tensorType(z.re).getElementType().isF32() ? 18 : 150;
  Value x = b.maximum(b.minimum(z.re, b.scalar(z.re, limit)), b.scalar(z.re, -limit));
  Value y = b.select(b.apply<IsInfOp>(z.re), b.scalar(z.im, 0), z.im);
  Value s = b.apply<SinhOp>(x), t = b.apply<TanOp>(y);
  Value beta = b.add(b.mul(t, t), 1.0), squared = b.mul(s, s);
  Value divisor = b.add(b.mul(beta, squared), 1.0);
  Value root = b.apply<SqrtOp>(b.add(squared, 1.0));
  return {b.div(b.mul(b.mul(beta, root), s), divisor), b.div(t, divisor)};
}

static Parts expandTan(ComplexBuilder &b, Parts z) { return b.timesMinusI(expandTanh(b, b.timesI(z))); }

static Parts expandAsin(ComplexBuilder &b, Parts z) {
  Parts minus = b.sqrt(b.from(1, z)), plus = b.sqrt(b.shift(z, 1));
  Value im = b.apply<AsinhOp>(b.mul(b.conj(minus), plus).im);
  return {b.atan2(z.re, b.mul(minus, plus).re), im};
}

static Parts expandAcos(ComplexBuilder &b, Parts z) {
  Parts minus = b.sqrt(b.from(1, z)), plus = b.sqrt(b.shift(z, 1));
  return {b.mul(b.atan2(minus.re, plus.re), 2), b.apply<AsinhOp>(b.mul(b.conj(plus), minus).im)};
}

static Parts expandAsinh(ComplexBuilder &b, Parts z) { return b.timesMinusI(expandAsin(b, b.timesI(z))); }

static Parts expandAcosh(ComplexBuilder &b, Parts z) {
  Parts minus = b.sqrt(b.shift(z, -1)), plus = b.sqrt(b.shift(z, 1));
  return {b.apply<AsinhOp>(b.mul(b.conj(minus), plus).re), b.mul(b.atan2(minus.im, plus.re), 2)};
}

/// (ln(1 + 4x / ((1-x)^2 + y^2)) / 4, atan2(2y, (1-x)(1+x) - y^2) / 2).
static Parts expandAtanh(ComplexBuilder &b, Parts z) {
  Value below = b.sub(1, z.re), squared = b.mul(z.im, z.im);
  Value ratio = b.div(b.mul(z.re, 4), b.add(b.mul(below, below), squared));
  Value cosine = b.sub(b.mul(below, b.add(z.re, 1.0)), squared);
  return {b.mul(b.apply<Log1pOp>(ratio), 0.25), b.mul(b.atan2(b.mul(z.im, 2), cosine), 0.5)};
}

static Parts expandAtan(ComplexBuilder &b, Parts z) { return b.timesMinusI(expandAtanh(b, b.timesI(z))); }

static Parts expandLog1p(ComplexBuilder &b, Parts z) {
  Value excess = b.add(b.mul(z.re, b.add(z.re, 2.0)), b.mul(z.im, z.im));
  Value near = b.isLess(b.hypot(z.re, z.im), 0.5);
  Value close = b.mul(b.apply<Log1pOp>(b.select(near, excess, b.scalar(excess, 0))), 0.5);
  Parts far = b.log(b.shift(z, 1));
  return {b.select(near, close, far.re), far.im};
}

/// e^x cos y - 1 = (e^x - 1) cos y - 2 sin^2(y/2).
static Parts expandExpm1(ComplexBuilder &b, Parts z) {
  Value grown = b.apply<Expm1Op>(z.re), half = b.apply<SinOp>(b.mul(z.im, 0.5));
  Value re = b.sub(b.mul(grown, b.apply<CosOp>(z.im)), b.mul(b.mul(half, half), 2));
  return {re, b.mul(b.apply<ExpOp>(z.re), b.apply<SinOp>(z.im))};
}

static Parts expandSigmoid(ComplexBuilder &b, Parts z) { return b.div(b.splat(z, 1, 0), b.shift(b.exp(b.neg(z)), 1)); }

static Parts expandExp(ComplexBuilder &b, Parts z) { return b.exp(z); }
static Parts expandLog(ComplexBuilder &b, Parts z) { return b.log(z); }
static Parts expandSqrt(ComplexBuilder &b, Parts z) { return b.sqrt(z); }
static Parts expandRsqrt(ComplexBuilder &b, Parts z) { return expandReciprocal(b, b.sqrt(z)); }
static Parts expandConj(ComplexBuilder &b, Parts z) { return b.conj(z); }

#define PLUMB_EXPAND(NAME)                                                                                             \
  static Expansion expandRule(NAME##Op op, OpBuilder &builder, Operands operands) {                                    \
    ComplexBuilder b(op.getLoc(), builder);                                                                            \
    return expand##NAME(b, Parts::of(operands[0])).values();                                                           \
  }

PLUMB_EXPAND(Square)
PLUMB_EXPAND(Reciprocal)
PLUMB_EXPAND(Sign)
PLUMB_EXPAND(Exp)
PLUMB_EXPAND(Log)
PLUMB_EXPAND(Sqrt)
PLUMB_EXPAND(Rsqrt)
PLUMB_EXPAND(Sin)
PLUMB_EXPAND(Cos)
PLUMB_EXPAND(Tan)
PLUMB_EXPAND(Sinh)
PLUMB_EXPAND(Cosh)
PLUMB_EXPAND(Tanh)
PLUMB_EXPAND(Asin)
PLUMB_EXPAND(Acos)
PLUMB_EXPAND(Atan)
PLUMB_EXPAND(Asinh)
PLUMB_EXPAND(Acosh)
PLUMB_EXPAND(Atanh)
PLUMB_EXPAND(Log1p)
PLUMB_EXPAND(Expm1)
PLUMB_EXPAND(Sigmoid)
PLUMB_EXPAND(Conj)

#undef PLUMB_EXPAND

//===--------------------------------------------------------------------------------------===//
// Arithmetic and comparison
//===--------------------------------------------------------------------------------------===//

static Expansion expandRule(MulOp op, OpBuilder &builder, Operands operands) {
  ComplexBuilder b(op.getLoc(), builder);
  return b.mul(Parts::of(operands[0]), Parts::of(operands[1])).values();
}

static Expansion expandRule(DivOp op, OpBuilder &builder, Operands operands) {
  ComplexBuilder b(op.getLoc(), builder);
  return b.div(Parts::of(operands[0]), Parts::of(operands[1])).values();
}

/// The whole number up to 64 in magnitude that all elements of `w` are, if so.
static std::optional<int64_t> getSmallExponent(Parts w) {
  auto constant = w.re.getDefiningOp<ConstantOp>();
  auto elements = constant ? llvm::dyn_cast<SplatElementsAttr>(constant.getValue()) : SplatElementsAttr();
  if (!elements || !isConstantZero(w.im))
    return std::nullopt;
  double number = elements.getSplatValue<FloatAttr>().getValueAsDouble();
  if (number != std::floor(number) || std::abs(number) > 64)
    return std::nullopt;
  return static_cast<int64_t>(number);
}

/// z^n by squaring.
static Parts raise(ComplexBuilder &b, Parts z, int64_t exponent) {
  Parts result = b.splat(z, 1, 0);
  bool started = false;
  for (int64_t left = std::abs(exponent); left; left >>= 1) {
    if (left & 1)
      result = started ? b.mul(result, z) : z;
    started |= left & 1;
    if (left > 1)
      z = expandSquare(b, z);
  }
  return exponent < 0 ? expandReciprocal(b, result) : result;
}

/// 0^w: 1 where w is zero, zero where its real part is positive, infinite in the real part where that is negative.
static Parts raiseZero(ComplexBuilder &b, Parts w) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  auto number = [&](double value) { return b.scalar(w.re, value); };
  Value isZero = LogicalAndOp::create(b, b.isZero(w.re), b.isZero(w.im)), isPositive = b.isLess(b.neg(w.re), 0);
  Value other = b.select(b.isLess(w.re, 0), number(infinity), number(none));
  Value re = b.select(isZero, number(1), b.select(isPositive, number(0), other));
  return {re, b.select(LogicalOrOp::create(b, isZero, isPositive), number(0), number(none))};
}

/// z^w = e^(w ln z), but of zero.
static Expansion expandRule(PowOp op, OpBuilder &builder, Operands operands) {
  ComplexBuilder b(op.getLoc(), builder);
  Parts z = Parts::of(operands[0]), w = Parts::of(operands[1]);
  ArrayRef<int64_t> shape = tensorType(op.getResult()).getShape();
  if (std::optional<int64_t> exponent = getSmallExponent(w)) {
    Parts power = raise(b, z, *exponent);
    return Parts{b.broadcast(power.re, shape), b.broadcast(power.im, shape)}.values();
  }
  Value zero = LogicalAndOp::create(b, b.isZero(z.re), b.isZero(z.im));
  Parts base = {b.select(zero, b.scalar(z.re, 1), z.re), z.im};
  Parts power = b.exp(b.mul(w, b.log(base)));
  Parts ofZero = raiseZero(b, w);
  return Parts{b.select(zero, ofZero.re, power.re), b.select(zero, ofZero.im, power.im)}.values();
}

static Expansion expandRule(EqualOp op, OpBuilder &builder, Operands operands) {
  Value re = EqualOp::create(builder, op.getLoc(), operands[0][0], operands[1][0]);
  Value im = EqualOp::create(builder, op.getLoc(), operands[0][1], operands[1][1]);
  return SmallVector<Value>{LogicalAndOp::create(builder, op.getLoc(), re, im)};
}

static Expansion expandRule(NotEqualOp op, OpBuilder &builder, Operands operands) {
  Value re = NotEqualOp::create(builder, op.getLoc(), operands[0][0], operands[1][0]);
  Value im = NotEqualOp::create(builder, op.getLoc(), operands[0][1], operands[1][1]);
  return SmallVector<Value>{LogicalOrOp::create(builder, op.getLoc(), re, im)};
}

#define PLUMB_EXPAND_TEST(OP, JOIN)                                                                                    \
  static Expansion expandRule(OP op, OpBuilder &builder, Operands operands) {                                          \
    Value re = OP::create(builder, op.getLoc(), operands[0][0]);                                                       \
    Value im = OP::create(builder, op.getLoc(), operands[0][1]);                                                       \
    return SmallVector<Value>{JOIN::create(builder, op.getLoc(), re, im)};                                             \
  }

PLUMB_EXPAND_TEST(IsNanOp, LogicalOrOp)
PLUMB_EXPAND_TEST(IsInfOp, LogicalOrOp)
PLUMB_EXPAND_TEST(IsFiniteOp, LogicalAndOp)

#undef PLUMB_EXPAND_TEST

//===--------------------------------------------------------------------------------------===//
// Parts
//===--------------------------------------------------------------------------------------===//

static Expansion expandRule(ComplexOfOp op, OpBuilder &builder, Operands operands) {
  ComplexBuilder b(op.getLoc(), builder);
  ArrayRef<int64_t> shape = tensorType(op.getResult()).getShape();
  return SmallVector<Value>{b.broadcast(operands[0][0], shape), b.broadcast(operands[1][0], shape)};
}

static Expansion expandRule(RealOp op, OpBuilder &builder, Operands operands) {
  return SmallVector<Value>{operands[0][0]};
}
static Expansion expandRule(ImagOp op, OpBuilder &builder, Operands operands) {
  return SmallVector<Value>{operands[0][1]};
}

static Expansion expandRule(ComplexAbsOp op, OpBuilder &builder, Operands operands) {
  ComplexBuilder b(op.getLoc(), builder);
  return SmallVector<Value>{b.hypot(operands[0][0], operands[0][1])};
}

static Expansion expandRule(AngleOp op, OpBuilder &builder, Operands operands) {
  ComplexBuilder b(op.getLoc(), builder);
  return SmallVector<Value>{b.atan2(operands[0][1], operands[0][0])};
}

static Expansion expandRule(CastOp op, OpBuilder &builder, Operands operands) {
  ComplexBuilder b(op.getLoc(), builder);
  Type element = op.getType().getElementType();
  auto complex = llvm::dyn_cast<ComplexType>(element);
  if (operands[0].size() == 1) {
    Value re = b.cast(operands[0][0], complex.getElementType());
    return Parts{re, b.zeros(re.getType())}.values();
  }
  Parts z = Parts::of(operands[0]);
  if (complex)
    return Parts{b.cast(z.re, complex.getElementType()), b.cast(z.im, complex.getElementType())}.values();
  if (element.isInteger(1))
    return SmallVector<Value>{LogicalOrOp::create(b, b.cast(z.re, element), b.cast(z.im, element))};
  return SmallVector<Value>{b.cast(z.re, element)};
}

Expansion expandComplexElements(Operation *op, OpBuilder &builder, Operands operands) {
  return llvm::TypeSwitch<Operation *, Expansion>(op)
      .Case<SquareOp, ReciprocalOp, SignOp, ExpOp, LogOp, SqrtOp, RsqrtOp, SigmoidOp, Log1pOp, Expm1Op, SinOp, CosOp,
            TanOp, SinhOp, CoshOp, TanhOp, AsinOp, AcosOp, AtanOp, AsinhOp, AcoshOp, AtanhOp, MulOp, DivOp, PowOp,
            EqualOp, NotEqualOp, IsNanOp, IsInfOp, IsFiniteOp, CastOp, ComplexOfOp, RealOp, ImagOp, ConjOp,
            ComplexAbsOp, AngleOp>([&](auto typed) { return expandRule(typed, builder, operands); })
      .Default([](Operation *) { return failure(); });
}

} // namespace plumb::net
