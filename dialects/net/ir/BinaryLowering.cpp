// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops of two tensors: each is one generic, whose maps do the broadcasting.

#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace plumb::net {

using Order = ScalarBuilder::Order;

#define PLUMB_ZIP(OP, EXPRESSION)                                                                                      \
  LoweredValues OP::lowerToLinalg(OpBuilder &builder, ValueRange operands) {                                           \
    LoweringBuilder b(*this, builder);                                                                                 \
    return lowered(b.elementwise(operands, getType(), [](ScalarBuilder &s, ValueRange v) {                             \
      Value x = v[0], y = v[1];                                                                                        \
      return Value(EXPRESSION);                                                                                        \
    }));                                                                                                               \
  }

PLUMB_ZIP(AddOp, s.add(x, y))
PLUMB_ZIP(SubOp, s.sub(x, y))
PLUMB_ZIP(MulOp, s.mul(x, y))
PLUMB_ZIP(DivOp, s.div(x, y))
PLUMB_ZIP(PowOp, s.power(x, y))
PLUMB_ZIP(MaximumOp, s.maximum(x, y))
PLUMB_ZIP(MinimumOp, s.minimum(x, y))
PLUMB_ZIP(FloorDivOp, s.floorDiv(x, y))
PLUMB_ZIP(ModOp, s.mod(x, y))
PLUMB_ZIP(RemOp, s.rem(x, y))
PLUMB_ZIP(BitwiseAndOp, arith::AndIOp::create(s, x, y))
PLUMB_ZIP(BitwiseOrOp, arith::OrIOp::create(s, x, y))
PLUMB_ZIP(BitwiseXorOp, arith::XOrIOp::create(s, x, y))
PLUMB_ZIP(LeftShiftOp, s.leftShift(x, y))
PLUMB_ZIP(RightShiftOp, s.rightShift(x, y))
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
