// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops of one tensor, cast and select: each is one generic.

#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace plumb::net {

using Order = ScalarBuilder::Order;

/// Lowers an op of one operand to `rule(scalars, x)`.
template <typename Op, typename Rule>
static LoweredValues map(Op op, OpBuilder &builder, ValueRange operands, Rule rule) {
  LoweringBuilder b(op, builder);
  return lowered(
      b.elementwise(operands, op.getType(), [&](ScalarBuilder &s, ValueRange v) { return Value(rule(s, v[0])); }));
}

static Value infinity(ScalarBuilder &s, Value like) {
  return s.number(like.getType(), std::numeric_limits<double>::infinity());
}

#define PLUMB_MAP(OP, EXPRESSION)                                                                                      \
  LoweredValues OP::lowerToLinalg(OpBuilder &builder, ValueRange operands) {                                           \
    return map(*this, builder, operands, [&](ScalarBuilder &s, Value x) -> Value { return EXPRESSION; });              \
  }

PLUMB_MAP(NegOp, s.neg(x))
PLUMB_MAP(AbsOp, llvm::isa<FloatType>(x.getType()) ? Value(math::AbsFOp::create(s, x))
                 : s.isUnsigned                    ? x
                                                   : math::AbsIOp::create(s, x))
PLUMB_MAP(ExpOp, math::ExpOp::create(s, x))
PLUMB_MAP(LogOp, math::LogOp::create(s, x))
PLUMB_MAP(SqrtOp, math::SqrtOp::create(s, x))
PLUMB_MAP(RsqrtOp, s.div(s.number(x.getType(), 1), math::SqrtOp::create(s, x)))
PLUMB_MAP(SquareOp, s.mul(x, x))
PLUMB_MAP(ReciprocalOp, s.div(s.number(x.getType(), 1), x))
PLUMB_MAP(SinOp, math::SinOp::create(s, x))
PLUMB_MAP(CosOp, math::CosOp::create(s, x))
PLUMB_MAP(TanhOp, math::TanhOp::create(s, x))
PLUMB_MAP(ReluOp, s.maximum(x, s.number(x.getType(), 0)))
PLUMB_MAP(Relu6Op, s.minimum(s.maximum(x, s.number(x.getType(), 0)), s.number(x.getType(), 6)))
PLUMB_MAP(ErfOp, math::ErfOp::create(s, x))
PLUMB_MAP(FloorOp, math::FloorOp::create(s, x))
PLUMB_MAP(CeilOp, math::CeilOp::create(s, x))
PLUMB_MAP(RoundOp, math::RoundEvenOp::create(s, x))
PLUMB_MAP(TruncOp, math::TruncOp::create(s, x))
PLUMB_MAP(IsNanOp, arith::CmpFOp::create(s, arith::CmpFPredicate::UNO, x, x))
PLUMB_MAP(IsInfOp, s.compare(Order::Equal, math::AbsFOp::create(s, x), infinity(s, x)))
PLUMB_MAP(IsFiniteOp, s.compare(Order::Less, math::AbsFOp::create(s, x), infinity(s, x)))
PLUMB_MAP(LogicalNotOp, s.compare(Order::Equal, x, s.number(x.getType(), 0)))

#undef PLUMB_MAP

LoweredValues SigmoidOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return map(*this, builder, operands, [](ScalarBuilder &s, Value x) {
    Value one = s.number(x.getType(), 1);
    return s.div(one, s.add(one, math::ExpOp::create(s, s.neg(x))));
  });
}

LoweredValues SignOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return map(*this, builder, operands, [](ScalarBuilder &s, Value x) {
    Value zero = s.number(x.getType(), 0);
    Value below = s.select(s.compare(Order::Less, x, zero), s.number(x.getType(), -1), zero);
    return s.select(s.compare(Order::Greater, x, zero), s.number(x.getType(), 1), below);
  });
}

LoweredValues GeluOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return map(*this, builder, operands, [&](ScalarBuilder &s, Value x) {
    auto number = [&](double value) { return s.number(x.getType(), value); };
    Value gate;
    if (getApproximate()) {
      Value cubic = s.add(s.mul(s.mul(x, x), number(0.044715)), number(1));
      Value u = s.mul(s.mul(x, cubic), number(std::sqrt(2 / M_PI)));
      gate = math::TanhOp::create(s, u);
    } else {
      gate = math::ErfOp::create(s, s.mul(x, number(M_SQRT1_2)));
    }
    return s.mul(s.mul(x, number(0.5)), s.add(gate, number(1)));
  });
}

LoweredValues CastOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(*this, builder);
  Type to = getType().getElementType();
  return lowered(b.elementwise(operands, getType(), [&](ScalarBuilder &s, ValueRange v) { return s.cast(v[0], to); }));
}

LoweredValues BitcastOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  Type to = withoutSign(getType().getElementType());
  if (tensorType(operands[0]).getElementType() == to)
    return lowered(operands[0]);
  return map(*this, builder, operands, [&](ScalarBuilder &s, Value x) { return arith::BitcastOp::create(s, to, x); });
}

LoweredValues SelectOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  return lowered(
      b.elementwise(operands, getType(), [](ScalarBuilder &s, ValueRange v) { return s.select(v[0], v[1], v[2]); }));
}

} // namespace plumb::net
