// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions: a filled start and one generic; kept axes are a reshape afterwards.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetReduceOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace plumb::net {

/// Lowers a reduction by its start and its body of (element, accumulator).
template <typename Op>
static Value reduceBy(LoweringBuilder &b, Op op, Value x, TypedAttr initial, LoweringBuilder::Body body) {
  Shape axes = normalizeAxes(op.getAxis(), tensorType(x).getRank());
  return b.reshape(b.reduce(x, axes, initial, body), op.getType().getShape());
}

LoweredValues ReduceSumOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  return lowered(reduceBy(b, *this, operands[0], scalarOf(getType().getElementType(), 0),
                          [](ScalarBuilder &s, ValueRange v) { return s.add(v[1], v[0]); }));
}

LoweredValues ReduceMeanOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  double count = static_cast<double>(tensorType(operands[0]).getNumElements()) /
                 static_cast<double>(std::max<int64_t>(1, getType().getNumElements()));
  Value sum = reduceBy(b, *this, operands[0], scalarOf(getType().getElementType(), 0),
                       [](ScalarBuilder &s, ValueRange v) { return s.add(v[1], v[0]); });
  return lowered(b.elementwise(
      sum, getType(), [&](ScalarBuilder &s, ValueRange v) { return s.div(v[0], s.number(v[0].getType(), count)); }));
}

LoweredValues ReduceMaxOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(*this, builder);
  return lowered(reduceBy(b, *this, operands[0], lowest(getType().getElementType()),
                          [](ScalarBuilder &s, ValueRange v) { return s.maximum(v[0], v[1]); }));
}

LoweredValues ReduceMinOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(*this, builder);
  return lowered(reduceBy(b, *this, operands[0], highest(getType().getElementType()),
                          [](ScalarBuilder &s, ValueRange v) { return s.minimum(v[0], v[1]); }));
}

LoweredValues ReduceProdOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  return lowered(reduceBy(b, *this, operands[0], scalarOf(getType().getElementType(), 1),
                          [](ScalarBuilder &s, ValueRange v) { return s.mul(v[1], v[0]); }));
}

/// Whether an element replaces the best so far: it is better, or it is the first NaN.
static Value winsOver(ScalarBuilder &s, Value element, Value best, bool largest) {
  if (!isa<FloatType>(element.getType()))
    return s.compare(largest ? ScalarBuilder::Order::Greater : ScalarBuilder::Order::Less, element, best);
  auto better = largest ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT;
  Value wins = arith::CmpFOp::create(s, better, element, best);
  Value beaten = arith::CmpFOp::create(s, arith::CmpFPredicate::ORD, best, best);
  return arith::AndIOp::create(s, wins, beaten);
}

/// Finds the position of the largest or smallest. Two accumulators: the best so far and its position; only a better
/// element, or the first NaN, replaces them.
template <typename Op> static LoweredValues findPosition(Op op, OpBuilder &builder, Value x, bool largest) {
  LoweringBuilder b(op, builder);
  int64_t rank = tensorType(x).getRank(), axis = normalizeAxis(op.getAxis(), rank);
  SmallVector<AffineExpr> kept;
  for (int64_t d = 0; d < rank; ++d)
    if (d != axis)
      kept.push_back(b.dim(d));
  AffineMap result = b.map(rank, kept);
  // The operand's own element type: unsigned numbers start elsewhere.
  Type element = tensorType(op.getX()).getElementType();
  TypedAttr worst = largest ? lowest(element) : highest(element);
  Value best = b.filled(op.getType().clone(element), worst);
  Value place = b.filled(op.getType(), 0.0);
  auto body = [&](ScalarBuilder &s, ValueRange v) {
    Value at = linalg::IndexOp::create(s, axis);
    Value here = arith::IndexCastOp::create(s, s.getI32Type(), at);
    Value wins = winsOver(s, v[0], v[1], largest);
    return SmallVector<Value>{s.select(wins, v[0], v[1]), s.select(wins, here, v[2])};
  };
  AffineMap all = b.getMultiDimIdentityMap(rank);
  return lowered(b.generic(x, {best, place}, {all, result, result}, body)[1]);
}

LoweredValues ArgmaxOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return findPosition(*this, builder, operands[0], /*largest=*/true);
}

LoweredValues ArgminOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return findPosition(*this, builder, operands[0], /*largest=*/false);
}

} // namespace plumb::net
