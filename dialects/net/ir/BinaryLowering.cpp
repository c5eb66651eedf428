// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops of two tensors: each is one generic, whose maps do the broadcasting.

#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace plumb::net {

using Order = ScalarBuilder::Order;

/// floor(x / y), as Python has it.
static Value floorDiv(ScalarBuilder &s, Value x, Value y) {
  if (llvm::isa<FloatType>(x.getType()))
    return math::FloorOp::create(s, s.div(x, y));
  return s.floorDiv(x, y);
}

/// The power of numbers of any sign. What computes it knows magnitudes only (exp(y * log(x))), so
/// the sign of a negative base follows from its exponent: odd keeps it, even drops it, a fraction
/// makes NaN. Anything to the 0 is 1.
static Value signedPower(ScalarBuilder &s, Value x, Value y) {
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

static Value power(ScalarBuilder &s, Value x, Value y) {
  if (llvm::isa<FloatType>(x.getType()))
    return signedPower(s, x, y);
  return math::IPowIOp::create(s, x, y);
}

#define PLUMB_ZIP(OP, EXPRESSION)                                                                \
  LoweredValues OP::lowerToLinalg(OpBuilder &builder, ValueRange operands) {                     \
    LoweringBuilder b(getLoc(), builder);                                                        \
    return lowered(b.elementwise(operands, getType(), [](ScalarBuilder &s, ValueRange v) {       \
      Value x = v[0], y = v[1];                                                                  \
      return Value(EXPRESSION);                                                                  \
    }));                                                                                         \
  }

PLUMB_ZIP(AddOp, s.add(x, y))
PLUMB_ZIP(SubOp, s.sub(x, y))
PLUMB_ZIP(MulOp, s.mul(x, y))
PLUMB_ZIP(DivOp, s.div(x, y))
PLUMB_ZIP(PowOp, power(s, x, y))
PLUMB_ZIP(MaximumOp, s.maximum(x, y))
PLUMB_ZIP(MinimumOp, s.minimum(x, y))
PLUMB_ZIP(FloorDivOp, floorDiv(s, x, y))
PLUMB_ZIP(ModOp, s.sub(x, s.mul(floorDiv(s, x, y), y)))
PLUMB_ZIP(EqualOp, s.compare(Order::Equal, x, y))
PLUMB_ZIP(NotEqualOp, s.compare(Order::NotEqual, x, y))
PLUMB_ZIP(LessOp, s.compare(Order::Less, x, y))
PLUMB_ZIP(LessEqualOp, s.compare(Order::LessEqual, x, y))
PLUMB_ZIP(GreaterOp, s.compare(Order::Greater, x, y))
PLUMB_ZIP(GreaterEqualOp, s.compare(Order::GreaterEqual, x, y))
PLUMB_ZIP(LogicalAndOp, arith::AndIOp::create(s, x, y))
PLUMB_ZIP(LogicalOrOp, arith::OrIOp::create(s, x, y))

#undef PLUMB_ZIP

} // namespace plumb::net
