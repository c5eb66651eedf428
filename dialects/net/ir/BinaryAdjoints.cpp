// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of elementwise ops of two tensors. What broadcasting repeated is summed back.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace plumb::net {

using Adjoints = SmallVectorImpl<Value>;

/// Runs `rule(builder, dy)`, which returns both partial adjoints in the result's shape (null
/// where none is due), and sums each to its operand's shape.
template <typename Op, typename Rule>
static LogicalResult broadcastAdjoints(OpBuilder &b, Op op, ValueRange dys, Adjoints &adjoints, Rule rule) {
  return adjointsOf(b, op, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    auto [dx, dyOperand] = rule(n, dy);
    if (dx)
      out[0] = n.sumTo(dx, op.getX().getType());
    if (dyOperand)
      out[1] = n.sumTo(dyOperand, op.getY().getType());
  });
}

LogicalResult AddOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return broadcastAdjoints(b, *this, dys, adjoints, [](AdjointBuilder &, Value dy) { return std::pair(dy, dy); });
}

LogicalResult SubOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  // Summing first negates fewer elements.
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    out[0] = n.sumTo(dy, getX().getType());
    out[1] = n.neg(n.sumTo(dy, getY().getType()));
  });
}

LogicalResult MulOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return broadcastAdjoints(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value ofY = n.mul(dy, getX());
    return std::pair(n.mul(dy, getY()), ofY);
  });
}

LogicalResult DivOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return broadcastAdjoints(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value dx = n.div(dy, getY());
    return std::pair(dx, n.neg(n.mul(dx, getResult())));
  });
}

/// y - 1, but 0 for a y of 0: 0 x^-1 would be NaN at an x of 0.
static Value reduceExponent(AdjointBuilder &n, Value y) {
  Value less = n.add(y, -1);
  if (DenseElementsAttr known; matchPattern(y, m_Constant(&known)) && known.isSplat())
    return isSplatOf(known, 0) ? y : less;
  return SelectOp::create(n, EqualOp::create(n, y, n.scalar(y, 0)), y, less);
}

LogicalResult PowOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return broadcastAdjoints(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value less = PowOp::create(n, getX(), reduceExponent(n, getY()));
    Value dx = n.mul(dy, n.mul(getY(), less));
    if (llvm::isa<IntegerType>(getType().getElementType()))
      return std::pair(dx, Value());
    // ln x counts where x is positive; elsewhere ln 1 = 0 keeps NaN out.
    Value positive = GreaterOp::create(n, getX(), n.scalar(getX(), 0));
    Value base = SelectOp::create(n, positive, getX(), n.scalar(getX(), 1));
    return std::pair(dx, n.mul(dy, n.mul(getResult(), LogOp::create(n, base))));
  });
}

/// Adjoints of the larger or smaller of two: all to the operand that wins, half to each of equal ones.
template <typename Wins, typename Op>
static LogicalResult adjointsOfChoice(OpBuilder &b, Op op, ValueRange dys, Adjoints &adjoints) {
  return broadcastAdjoints(b, op, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value equal = EqualOp::create(n, op.getX(), op.getY()), half = n.mul(dy, 0.5);
    auto share = [&](Value one, Value other) -> Value {
      return SelectOp::create(n, equal, half, n.maskedBy(Wins::create(n, one, other), dy));
    };
    Value dx = share(op.getX(), op.getY());
    return std::pair(dx, share(op.getY(), op.getX()));
  });
}

LogicalResult MaximumOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOfChoice<GreaterOp>(b, *this, dys, adjoints);
}

LogicalResult MinimumOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOfChoice<LessOp>(b, *this, dys, adjoints);
}

LogicalResult ModOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return broadcastAdjoints(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value quotient = FloorDivOp::create(n, getX(), getY());
    return std::pair(dy, n.neg(n.mul(dy, quotient)));
  });
}

LogicalResult RemOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return broadcastAdjoints(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value quotient = n.div(n.sub(getX(), getResult()), getY());
    return std::pair(dy, n.neg(n.mul(dy, quotient)));
  });
}

} // namespace plumb::net
