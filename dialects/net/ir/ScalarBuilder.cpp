// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar arithmetic by element type. i1 is a boolean: its sum is or, its product and.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;

namespace plumb::net {

static bool isFloat(Value x) { return llvm::isa<FloatType>(x.getType()); }
static bool isTruth(Value x) { return x.getType().isInteger(1); }

Value ScalarBuilder::number(Type type, double value) {
  return arith::ConstantOp::create(*this, scalarOf(withoutSign(type), value));
}

Value ScalarBuilder::add(Value x, Value y) {
  if (isTruth(x))
    return arith::OrIOp::create(*this, x, y);
  return isFloat(x) ? Value(arith::AddFOp::create(*this, x, y)) : arith::AddIOp::create(*this, x, y);
}

Value ScalarBuilder::sub(Value x, Value y) {
  return isFloat(x) ? Value(arith::SubFOp::create(*this, x, y)) : arith::SubIOp::create(*this, x, y);
}

Value ScalarBuilder::mul(Value x, Value y) {
  return isFloat(x) ? Value(arith::MulFOp::create(*this, x, y)) : arith::MulIOp::create(*this, x, y);
}

static Value isNumber(ScalarBuilder &b, Value x, double number) {
  return b.compare(ScalarBuilder::Order::Equal, x, b.number(x.getType(), number));
}

/// A quotient of integers that never traps: x / 0 is 0 as in NumPy, and the divisor -1 negates, which wraps where the
/// machine's division of the smallest number would fault. Lanes past a vector's end divide by 0 as well.
Value ScalarBuilder::divideIntegers(Value x, Value y) {
  Value zero = number(x.getType(), 0), one = number(x.getType(), 1), byZero = isNumber(*this, y, 0);
  if (isUnsigned)
    return select(byZero, zero, arith::DivUIOp::create(*this, x, select(byZero, one, y)));
  Value byMinusOne = isNumber(*this, y, -1);
  Value divisor = select(arith::OrIOp::create(*this, byZero, byMinusOne), one, y);
  Value quotient = arith::DivSIOp::create(*this, x, divisor);
  return select(byZero, zero, select(byMinusOne, neg(x), quotient));
}

Value ScalarBuilder::div(Value x, Value y) {
  return isFloat(x) ? Value(arith::DivFOp::create(*this, x, y)) : divideIntegers(x, y);
}

/// Whether arithmetic on floats is done in a wider type, which makes a quotient of them exact enough.
static bool isWidened(Value x) { return x.getType().getIntOrFloatBitWidth() < 32; }

/// What is left of x after `quotient` times y, rounded once.
static Value restOf(ScalarBuilder &b, Value x, Value y, Value quotient) {
  if (isWidened(x))
    return b.sub(x, b.mul(quotient, y));
  return math::FmaOp::create(b, b.neg(quotient), y, x);
}

/// A whole quotient of floats, of which the division may have rounded up: 7 by 0.1f is 69, for 0.1f is above a tenth.
/// It is one too far from where it was rounded to if the rest has not the sign of `like`.
static Value corrected(ScalarBuilder &b, Value x, Value y, Value quotient, Value like, Value step) {
  using Order = ScalarBuilder::Order;
  if (isWidened(x))
    return quotient;
  Value zero = b.number(x.getType(), 0), rest = restOf(b, x, y, quotient);
  Value isBelow = b.compare(Order::Less, rest, zero), isAbove = b.compare(Order::Less, zero, rest);
  Value isWrong = b.select(b.compare(Order::Less, like, zero), isAbove, isBelow);
  return b.select(isWrong, b.sub(quotient, step), quotient);
}

/// Of signed integers: one less than the quotient towards zero where something remains whose sign is not the divisor's.
Value ScalarBuilder::floorDiv(Value x, Value y) {
  if (isFloat(x))
    return corrected(*this, x, y, math::FloorOp::create(*this, div(x, y)), y, number(x.getType(), 1));
  Value quotient = divideIntegers(x, y), zero = number(x.getType(), 0);
  if (isUnsigned)
    return quotient;
  Value rest = sub(x, mul(quotient, y));
  Value signsDiffer = compare(Order::Less, arith::XOrIOp::create(*this, rest, y), zero);
  Value exact = arith::OrIOp::create(*this, isNumber(*this, rest, 0), isNumber(*this, y, 0));
  Value one = number(x.getType(), 1);
  return select(exact, quotient, select(signsDiffer, sub(quotient, one), quotient));
}

/// What is left of x after `quotient` times y; nothing of integers divided by 0.
static Value takeAway(ScalarBuilder &b, Value x, Value y, Value quotient) {
  if (isFloat(x))
    return restOf(b, x, y, quotient);
  Value rest = b.sub(x, b.mul(quotient, y));
  return b.select(isNumber(b, y, 0), b.number(x.getType(), 0), rest);
}

Value ScalarBuilder::rem(Value x, Value y) {
  Value quotient = div(x, y);
  if (!isFloat(x))
    return takeAway(*this, x, y, quotient);
  Value whole = math::TruncOp::create(*this, quotient);
  Value step = math::CopySignOp::create(*this, number(x.getType(), 1), quotient);
  return takeAway(*this, x, y, corrected(*this, x, y, whole, x, step));
}

Value ScalarBuilder::mod(Value x, Value y) { return takeAway(*this, x, y, floorDiv(x, y)); }

/// The power of numbers of any sign. What computes it knows magnitudes only (exp(y * log(x))), so
/// the sign of a negative base follows from its exponent: odd keeps it, even drops it, a fraction
/// makes NaN. Anything to the 0 is 1.
static Value realPower(ScalarBuilder &s, Value x, Value y) {
  using Order = ScalarBuilder::Order;
  Type type = x.getType();
  Value zero = s.number(type, 0), one = s.number(type, 1);
  Value magnitude = math::PowFOp::create(s, math::AbsFOp::create(s, x), y);
  Value half = s.mul(y, s.number(type, 0.5));
  Value isWhole = s.compare(Order::Equal, math::FloorOp::create(s, y), y);
  Value isEven = s.compare(Order::Equal, math::FloorOp::create(s, half), half);
  Value ofWhole = s.select(isEven, magnitude, s.neg(magnitude));
  Value ofNegative = s.select(isWhole, ofWhole, s.number(type, std::numeric_limits<double>::quiet_NaN()));
  Value power = s.select(s.compare(Order::Less, x, zero), ofNegative, magnitude);
  return s.select(s.compare(Order::Equal, y, zero), one, power);
}

/// x^y for a y known now that is not negative.
static Value powerOf(ScalarBuilder &s, Value x, APInt y) {
  Value result;
  for (Value square = x; !y.isZero(); y.lshrInPlace(1)) {
    if (y[0])
      result = result ? s.mul(result, square) : square;
    if (y.ugt(1))
      square = s.mul(square, square);
  }
  return result ? result : s.number(x.getType(), 1);
}

/// x^y by squaring, one bit of y after the other; wraps. A negative y leaves the integer part of a fraction: 0 unless x
/// is 1 or -1.
static Value integerPower(ScalarBuilder &s, Value x, Value y) {
  using Order = ScalarBuilder::Order;
  Type type = x.getType();
  Value zero = s.number(type, 0), one = s.number(type, 1);
  auto isOdd = [&](Value value) { return s.compare(Order::NotEqual, arith::AndIOp::create(s, value, one), zero); };
  Value result = one, square = x, rest = y;
  for (unsigned bit = 0, width = type.getIntOrFloatBitWidth() - !s.isUnsigned; bit < width; ++bit) {
    result = s.select(isOdd(rest), s.mul(result, square), result);
    square = s.mul(square, square);
    rest = arith::ShRUIOp::create(s, rest, one);
  }
  if (s.isUnsigned)
    return result;
  Value minusOne = s.number(type, -1);
  Value ofMinusOne = s.select(isOdd(y), minusOne, one);
  Value fraction =
      s.select(s.compare(Order::Equal, x, one), one, s.select(s.compare(Order::Equal, x, minusOne), ofMinusOne, zero));
  return s.select(s.compare(Order::Less, y, zero), fraction, result);
}

Value ScalarBuilder::power(Value x, Value y) {
  if (isFloat(x))
    return realPower(*this, x, y);
  APInt exponent;
  if (matchPattern(y, m_ConstantInt(&exponent)) && (isUnsigned || !exponent.isNegative()))
    return powerOf(*this, x, exponent);
  return integerPower(*this, x, y);
}

/// The largest distance that a shift of the machine defines.
static Value lastBit(ScalarBuilder &s, Value x) {
  return s.number(x.getType(), x.getType().getIntOrFloatBitWidth() - 1);
}

Value ScalarBuilder::leftShift(Value x, Value y) {
  Value last = lastBit(*this, x), zero = number(x.getType(), 0);
  Value isFar = arith::CmpIOp::create(*this, arith::CmpIPredicate::ugt, y, last);
  return select(isFar, zero, arith::ShLIOp::create(*this, x, select(isFar, zero, y)));
}

Value ScalarBuilder::rightShift(Value x, Value y) {
  Value last = lastBit(*this, x), zero = number(x.getType(), 0);
  Value isFar = arith::CmpIOp::create(*this, arith::CmpIPredicate::ugt, y, last);
  if (isUnsigned)
    return select(isFar, zero, arith::ShRUIOp::create(*this, x, select(isFar, zero, y)));
  return arith::ShRSIOp::create(*this, x, select(isFar, last, y));
}

Value ScalarBuilder::neg(Value x) {
  return isFloat(x) ? Value(arith::NegFOp::create(*this, x)) : sub(number(x.getType(), 0), x);
}

/// NaN wins over numbers; which zero wins over the other is nobody's business. An order of zeros costs six instructions
/// where two do, or one beside a constant. Only `x` is asked whether it is NaN: beside a running maximum, the element.
static constexpr arith::FastMathFlags anyZero = arith::FastMathFlags::nsz;

Value ScalarBuilder::maximum(Value x, Value y) {
  if (isTruth(x))
    return arith::OrIOp::create(*this, x, y);
  return isFloat(x)   ? Value(arith::MaximumFOp::create(*this, x, y, anyZero))
         : isUnsigned ? Value(arith::MaxUIOp::create(*this, x, y))
                      : arith::MaxSIOp::create(*this, x, y);
}

Value ScalarBuilder::minimum(Value x, Value y) {
  if (isTruth(x))
    return arith::AndIOp::create(*this, x, y);
  return isFloat(x)   ? Value(arith::MinimumFOp::create(*this, x, y, anyZero))
         : isUnsigned ? Value(arith::MinUIOp::create(*this, x, y))
                      : arith::MinSIOp::create(*this, x, y);
}

/// Ordered but for "not equal", which NaN fulfils, as IEEE and Python have it.
static arith::CmpFPredicate floatPredicate(ScalarBuilder::Order order) {
  using Order = ScalarBuilder::Order;
  switch (order) {
  case Order::Equal: return arith::CmpFPredicate::OEQ;
  case Order::NotEqual: return arith::CmpFPredicate::UNE;
  case Order::Less: return arith::CmpFPredicate::OLT;
  case Order::LessEqual: return arith::CmpFPredicate::OLE;
  case Order::Greater: return arith::CmpFPredicate::OGT;
  case Order::GreaterEqual: return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("all orders are listed");
}

/// Truth values order as false < true, hence the unsigned forms.
static arith::CmpIPredicate intPredicate(ScalarBuilder::Order order, bool isSigned) {
  using Order = ScalarBuilder::Order;
  using Predicate = arith::CmpIPredicate;
  switch (order) {
  case Order::Equal: return Predicate::eq;
  case Order::NotEqual: return Predicate::ne;
  case Order::Less: return isSigned ? Predicate::slt : Predicate::ult;
  case Order::LessEqual: return isSigned ? Predicate::sle : Predicate::ule;
  case Order::Greater: return isSigned ? Predicate::sgt : Predicate::ugt;
  case Order::GreaterEqual: return isSigned ? Predicate::sge : Predicate::uge;
  }
  llvm_unreachable("all orders are listed");
}

Value ScalarBuilder::compare(Order order, Value x, Value y) {
  if (isFloat(x))
    return arith::CmpFOp::create(*this, floatPredicate(order), x, y);
  return arith::CmpIOp::create(*this, intPredicate(order, !isTruth(x) && !isUnsigned), x, y);
}

Value ScalarBuilder::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(*this, condition, x, y);
}

/// Narrow integers are widened: they cannot hold every position.
Value ScalarBuilder::isPosition(Value number, unsigned dim) {
  if (number.getType().getIntOrFloatBitWidth() < 32)
    number = arith::ExtSIOp::create(*this, getI32Type(), number);
  Value position = arith::IndexCastOp::create(*this, number.getType(), linalg::IndexOp::create(*this, dim));
  return compare(Order::Equal, position, number);
}

/// The signed type by way of which a float becomes an integer: numbers beyond a narrow type's range wrap then, as they
/// do in NumPy, where a direct conversion would not be defined.
static Type conversionType(Type integer) {
  unsigned width = integer.getIntOrFloatBitWidth() + integer.isUnsignedInteger();
  return IntegerType::get(integer.getContext(), width <= 32 ? 32 : 64);
}

Value ScalarBuilder::castFloat(Value x, Type to) {
  if (to.isInteger(1))
    return compare(Order::NotEqual, x, number(x.getType(), 0));
  if (!llvm::isa<FloatType>(to)) {
    if (to.isUnsignedInteger(64))
      return arith::FPToUIOp::create(*this, withoutSign(to), x);
    Value whole = arith::FPToSIOp::create(*this, conversionType(to), x);
    bool fits = whole.getType() == withoutSign(to);
    return fits ? whole : arith::TruncIOp::create(*this, withoutSign(to), whole);
  }
  unsigned from = x.getType().getIntOrFloatBitWidth(), width = to.getIntOrFloatBitWidth();
  if (from == width) // f16 and bf16: by way of f32.
    return arith::TruncFOp::create(*this, to, arith::ExtFOp::create(*this, getF32Type(), x));
  return from < width ? Value(arith::ExtFOp::create(*this, to, x)) : arith::TruncFOp::create(*this, to, x);
}

Value ScalarBuilder::cast(Value x, Type to) {
  if (x.getType() == to)
    return x;
  if (isFloat(x))
    return castFloat(x, to);
  if (to.isInteger(1))
    return compare(Order::NotEqual, x, number(x.getType(), 0));
  bool isPositive = isTruth(x) || isUnsigned;
  if (llvm::isa<FloatType>(to))
    return isPositive ? Value(arith::UIToFPOp::create(*this, to, x)) : arith::SIToFPOp::create(*this, to, x);
  Type bits = withoutSign(to);
  unsigned from = x.getType().getIntOrFloatBitWidth(), width = to.getIntOrFloatBitWidth();
  if (from == width)
    return x;
  if (from > width)
    return arith::TruncIOp::create(*this, bits, x);
  return isPositive ? Value(arith::ExtUIOp::create(*this, bits, x)) : arith::ExtSIOp::create(*this, bits, x);
}

} // namespace plumb::net
