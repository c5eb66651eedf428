// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of reductions: the result's adjoint goes back to the elements that made it.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetBinaryOps.h"
#include "dialects/net/ir/NetElementwiseOps.h"
#include "dialects/net/ir/NetReduceOps.h"

using namespace mlir;

namespace plumb::net {

using Adjoints = SmallVectorImpl<Value>;

/// Gives a reduced tensor its axes back, with extent one.
template <typename Op> static Value keepDims(AdjointBuilder &n, Op op, Value reduced) {
  RankedTensorType type = tensorType(op.getX());
  Shape shape(type.getShape());
  for (int64_t axis : normalizeAxes(op.getAxis(), type.getRank()))
    shape[axis] = 1;
  return n.reshape(reduced, shape);
}

LogicalResult ReduceSumOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    return n.broadcast(keepDims(n, *this, dy), tensorType(getX()).getShape());
  });
}

LogicalResult ReduceMeanOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  double count = static_cast<double>(tensorType(getX()).getNumElements()) /
                 static_cast<double>(std::max<int64_t>(1, getType().getNumElements()));
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value share = n.div(dy, n.scalar(dy, count));
    return n.broadcast(keepDims(n, *this, share), tensorType(getX()).getShape());
  });
}

/// Shares the adjoint evenly among the elements equal to the result. A share of integers is cut: several have none.
template <typename Op> static LogicalResult shareAmongEqual(OpBuilder &b, Op op, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, op, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value best = EqualOp::create(n, op.getX(), keepDims(n, op, op.getResult()));
    Value marks = n.cast(best, op.getType().getElementType());
    Shape axes = normalizeAxes(op.getAxis(), tensorType(op.getX()).getRank());
    Value count = n.sum(marks, axes, /*keepDims=*/true);
    if (!isa<FloatType>(op.getType().getElementType()))
      return n.mul(FloorDivOp::create(n, marks, count).getResult(), keepDims(n, op, dy));
    return n.mul(marks, n.div(keepDims(n, op, dy), count));
  });
}

LogicalResult ReduceMaxOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return shareAmongEqual(b, *this, dys, adjoints);
}

LogicalResult ReduceMinOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return shareAmongEqual(b, *this, dys, adjoints);
}

LogicalResult ReduceProdOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  // The product of the others is the product of all non-zeros over x where no zero is, that
  // product itself at a single zero, and zero where there are two zeros.
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    Value isZero = EqualOp::create(n, getX(), n.scalar(getX(), 0));
    Value safe = SelectOp::create(n, isZero, n.scalar(getX(), 1), getX());
    Shape axes = normalizeAxes(getAxis(), tensorType(getX()).getRank());
    Value product = ReduceProdOp::create(n, safe, axes, /*keep_dims=*/true);
    Value zeros = n.sum(n.cast(isZero, getType().getElementType()), axes, /*keepDims=*/true);
    Value none = EqualOp::create(n, zeros, n.scalar(zeros, 0));
    Value one = EqualOp::create(n, zeros, n.scalar(zeros, 1));
    Value others = SelectOp::create(n, isZero, n.maskedBy(one, product), n.maskedBy(none, n.div(product, safe)));
    return n.mul(keepDims(n, *this, dy), others);
  });
}

} // namespace plumb::net
