// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints along one axis. Those of scans are scans the other way; those of elements that moved go back by their
// positions.
//
// Of y[k] = x[0] · … · x[k] the adjoint is dx[k] = (x[0] · … · x[k-1]) · s[k] with s[k] = dy[k] + x[k+1] · s[k+1]:
// nothing is divided, so zeros need no care.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetAxisOps.h"
#include "dialects/net/ir/NetIndexOps.h"
#include "dialects/net/ir/NetShapeOps.h"

using namespace mlir;

namespace plumb::net {

using Adjoints = SmallVectorImpl<Value>;

/// What stands one step behind along the axis, in the order of a scan that starts at the front or at the end: zero at
/// first.
static Value previous(AdjointBuilder &n, Value x, int64_t axis, bool fromEnd) {
  RankedTensorType type = tensorType(x);
  axis = normalizeAxis(axis, type.getRank());
  Shape begin(type.getRank(), 0), end(type.getShape()), step(type.getRank(), 1);
  Shape before(type.getRank(), 0), after(type.getRank(), 0);
  (fromEnd ? begin[axis] : before[axis]) = 1;
  fromEnd ? after[axis] = 1 : end[axis] -= 1;
  if (type.getDimSize(axis) <= 1)
    return n.broadcast(n.scalar(x, 0), type.getShape());
  return PadOp::create(n, SliceOp::create(n, x, begin, end, step), before, after, llvm::APFloat(0.0));
}

LogicalResult CumsumOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    return CumsumOp::create(n, dy, getAxis(), getExclusive(), !getReverse());
  });
}

LogicalResult CumprodOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    int64_t axis = getAxis();
    bool back = !getReverse();
    Value before = CumprodOp::create(n, getX(), axis, /*exclusive=*/true, getReverse());
    Value added = getExclusive() ? previous(n, dy, axis, back) : dy;
    Value rest = LinearRecurrenceOp::create(n, previous(n, getX(), axis, back), added, axis, back);
    return n.mul(before, rest);
  });
}

LogicalResult LinearRecurrenceOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    int64_t axis = getAxis();
    bool back = !getReverse();
    Value total = LinearRecurrenceOp::create(n, previous(n, getA(), axis, back), dy, axis, back);
    out[0] = n.mul(total, previous(n, getResult(), axis, getReverse()));
    out[1] = total;
  });
}

/// Adds the adjoints of elements that were taken by their positions along the axis.
template <typename Op> static LogicalResult backToPositions(OpBuilder &b, Op op, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, op, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    RankedTensorType type = tensorType(op.getX());
    int64_t rank = type.getRank(), axis = normalizeAxis(op.getAxis(), rank);
    Shape perm;
    for (int64_t d = 0; d < rank; ++d)
      if (d != axis)
        perm.push_back(d);
    perm.push_back(axis);
    auto move = [&](Value x) { return axis == rank - 1 ? x : n.transpose(x, perm); };
    Value moved = move(dy);
    Value sums = GatherGradOp::create(n, moved, move(op.getIndices()), tensorType(moved).getShape(), rank - 1,
                                      /*wrap=*/false, /*batch=*/rank - 1);
    if (axis == rank - 1)
      return sums;
    Shape inverse(rank);
    for (auto [to, from] : llvm::enumerate(perm))
      inverse[from] = to;
    return n.transpose(sums, inverse);
  });
}

LogicalResult CummaxOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return backToPositions(b, *this, dys, adjoints);
}

LogicalResult CumminOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return backToPositions(b, *this, dys, adjoints);
}

LogicalResult SortOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return backToPositions(b, *this, dys, adjoints);
}

} // namespace plumb::net
