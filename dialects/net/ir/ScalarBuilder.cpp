// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar arithmetic by element type. i1 is a truth value: its sum is or, its product and.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace plumb::net {

static bool isFloat(Value x) { return llvm::isa<FloatType>(x.getType()); }
static bool isTruth(Value x) { return x.getType().isInteger(1); }

Value ScalarBuilder::number(Type type, double value) {
  return arith::ConstantOp::create(*this, scalarOf(type, value));
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
static Value divideIntegers(ScalarBuilder &b, Value x, Value y) {
  Value byZero = isNumber(b, y, 0), byMinusOne = isNumber(b, y, -1);
  Value divisor = b.select(arith::OrIOp::create(b, byZero, byMinusOne), b.number(x.getType(), 1), y);
  Value quotient = arith::DivSIOp::create(b, x, divisor);
  return b.select(byZero, b.number(x.getType(), 0), b.select(byMinusOne, b.neg(x), quotient));
}

Value ScalarBuilder::div(Value x, Value y) {
  return isFloat(x) ? Value(arith::DivFOp::create(*this, x, y)) : divideIntegers(*this, x, y);
}

/// One less than the quotient towards zero where something remains whose sign is not the divisor's.
Value ScalarBuilder::floorDiv(Value x, Value y) {
  Value quotient = divideIntegers(*this, x, y), zero = number(x.getType(), 0);
  Value rest = sub(x, mul(quotient, y));
  Value signsDiffer = compare(Order::Less, arith::XOrIOp::create(*this, rest, y), zero);
  Value exact = arith::OrIOp::create(*this, isNumber(*this, rest, 0), isNumber(*this, y, 0));
  Value one = number(x.getType(), 1);
  return select(exact, quotient, select(signsDiffer, sub(quotient, one), quotient));
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
  return isFloat(x) ? Value(arith::MaximumFOp::create(*this, x, y, anyZero))
                    : arith::MaxSIOp::create(*this, x, y);
}

Value ScalarBuilder::minimum(Value x, Value y) {
  if (isTruth(x))
    return arith::AndIOp::create(*this, x, y);
  return isFloat(x) ? Value(arith::MinimumFOp::create(*this, x, y, anyZero))
                    : arith::MinSIOp::create(*this, x, y);
}

/// Ordered but for "not equal", which NaN fulfils, as IEEE and Python have it.
static arith::CmpFPredicate floatPredicate(ScalarBuilder::Order order) {
  using Order = ScalarBuilder::Order;
  switch (order) {
  case Order::Equal:
    return arith::CmpFPredicate::OEQ;
  case Order::NotEqual:
    return arith::CmpFPredicate::UNE;
  case Order::Less:
    return arith::CmpFPredicate::OLT;
  case Order::LessEqual:
    return arith::CmpFPredicate::OLE;
  case Order::Greater:
    return arith::CmpFPredicate::OGT;
  case Order::GreaterEqual:
    return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("all orders are listed");
}

/// Truth values order as false < true, hence the unsigned forms.
static arith::CmpIPredicate intPredicate(ScalarBuilder::Order order, bool isSigned) {
  using Order = ScalarBuilder::Order;
  using Predicate = arith::CmpIPredicate;
  switch (order) {
  case Order::Equal:
    return Predicate::eq;
  case Order::NotEqual:
    return Predicate::ne;
  case Order::Less:
    return isSigned ? Predicate::slt : Predicate::ult;
  case Order::LessEqual:
    return isSigned ? Predicate::sle : Predicate::ule;
  case Order::Greater:
    return isSigned ? Predicate::sgt : Predicate::ugt;
  case Order::GreaterEqual:
    return isSigned ? Predicate::sge : Predicate::uge;
  }
  llvm_unreachable("all orders are listed");
}

Value ScalarBuilder::compare(Order order, Value x, Value y) {
  if (isFloat(x))
    return arith::CmpFOp::create(*this, floatPredicate(order), x, y);
  return arith::CmpIOp::create(*this, intPredicate(order, !isTruth(x)), x, y);
}

Value ScalarBuilder::select(Value condition, Value x, Value y) {
  return arith::SelectOp::create(*this, condition, x, y);
}

/// Converts a float to another number type.
static Value castFloat(ScalarBuilder &b, Value x, Type to) {
  if (to.isInteger(1))
    return b.compare(ScalarBuilder::Order::NotEqual, x, b.number(x.getType(), 0));
  if (!llvm::isa<FloatType>(to))
    return arith::FPToSIOp::create(b, to, x);
  unsigned from = x.getType().getIntOrFloatBitWidth(), width = to.getIntOrFloatBitWidth();
  if (from == width) // f16 and bf16: by way of f32.
    return arith::TruncFOp::create(b, to, arith::ExtFOp::create(b, b.getF32Type(), x));
  return from < width ? Value(arith::ExtFOp::create(b, to, x)) : arith::TruncFOp::create(b, to, x);
}

Value ScalarBuilder::cast(Value x, Type to) {
  if (x.getType() == to)
    return x;
  if (isFloat(x))
    return castFloat(*this, x, to);
  if (to.isInteger(1))
    return compare(Order::NotEqual, x, number(x.getType(), 0));
  if (llvm::isa<FloatType>(to))
    return isTruth(x) ? Value(arith::UIToFPOp::create(*this, to, x))
                      : arith::SIToFPOp::create(*this, to, x);
  if (x.getType().getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(*this, to, x);
  return isTruth(x) ? Value(arith::ExtUIOp::create(*this, to, x))
                    : arith::ExtSIOp::create(*this, to, x);
}

} // namespace plumb::net
