// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjoints of shape ops: each puts the elements back where they came from.

#include "dialects/net/ir/AdjointBuilder.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/NetConstantOps.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "dialects/net/ir/SliceBounds.h"

using namespace mlir;

namespace plumb::net {

using Adjoints = SmallVectorImpl<Value>;

/// The adjoint of an op that only gives another shape.
template <typename Op> static LogicalResult reshapeBack(OpBuilder &b, Op op, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, op, dys, adjoints,
                   [&](AdjointBuilder &n, Value dy) { return n.reshape(dy, tensorType(op.getX()).getShape()); });
}

LogicalResult ReshapeOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return reshapeBack(b, *this, dys, adjoints);
}

LogicalResult FlattenOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return reshapeBack(b, *this, dys, adjoints);
}

LogicalResult ExpandDimsOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return reshapeBack(b, *this, dys, adjoints);
}

LogicalResult SqueezeOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return reshapeBack(b, *this, dys, adjoints);
}

LogicalResult TransposeOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  int64_t rank = getType().getRank();
  Shape inverse(rank);
  for (auto [to, from] : llvm::enumerate(getPerm()))
    inverse[normalizeAxis(from, rank)] = to;
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) { return n.transpose(dy, inverse); });
}

LogicalResult BroadcastToOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) { return n.sumTo(dy, getX().getType()); });
}

LogicalResult SliceOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  ArrayRef<int64_t> shape = tensorType(getX()).getShape();
  SliceBounds bounds = SliceBounds::get(shape, getBegin(), getEnd(), getStrides());
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    return SliceGradOp::create(n, dy, shape, bounds.offsets, bounds.strides);
  });
}

LogicalResult SliceGradOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  Shape end;
  for (auto [begin, stride, extent] : llvm::zip_equal(getBegin(), getStrides(), tensorType(getDy()).getShape()))
    end.push_back(extent == 0 ? begin : begin + (extent - 1) * stride + 1);
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    return SliceOp::create(n, dy, getBegin(), end, getStrides());
  });
}

/// The update takes the adjoint of its box; what it replaced takes the others.
LogicalResult SliceUpdateOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  Shape end;
  for (auto [begin, stride, extent] : llvm::zip_equal(getBegin(), getStrides(), tensorType(getUpdate()).getShape()))
    end.push_back(extent == 0 ? begin : begin + (extent - 1) * stride + 1);
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &found) {
    found[0] = SliceOp::create(n, dy, getBegin(), end, getStrides());
    found[1] = SliceUpdateOp::create(n, n.zeros(getUpdate().getType()), dy, getBegin(), getStrides());
  });
}

LogicalResult RowOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &found) {
    found[0] = RowUpdateOp::create(n, dy, n.zeros(getX().getType()), getIndex(), getAxis());
  });
}

LogicalResult RowUpdateOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &found) {
    found[0] = RowOp::create(n, dy, getIndex(), getAxis());
    found[1] = RowUpdateOp::create(n, n.zeros(getRow().getType()), dy, getIndex(), getAxis());
  });
}

/// Cuts `extent` elements from `begin` along one axis.
static Value cut(AdjointBuilder &n, Value x, int64_t axis, int64_t begin, int64_t extent) {
  Shape low(tensorType(x).getRank(), 0), high(tensorType(x).getShape());
  low[axis] = begin;
  high[axis] = begin + extent;
  return SliceOp::create(n, x, low, high, Shape(low.size(), 1));
}

LogicalResult ConcatOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  int64_t axis = normalizeAxis(getAxis(), getType().getRank());
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    int64_t begin = 0;
    for (auto [index, x] : llvm::enumerate(getXs())) {
      int64_t extent = tensorType(x).getDimSize(axis);
      out[index] = cut(n, dy, axis, begin, extent);
      begin += extent;
    }
  });
}

LogicalResult StackOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  int64_t axis = normalizeAxis(getAxis(), getType().getRank());
  return adjointsOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy, Adjoints &out) {
    for (auto [index, x] : llvm::enumerate(getXs()))
      out[index] = n.reshape(cut(n, dy, axis, index, 1), tensorType(x).getShape());
  });
}

LogicalResult SplitOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  adjoints.assign(1, Value());
  if (llvm::none_of(dys, [](Value dy) { return static_cast<bool>(dy); }))
    return success();
  AdjointBuilder n(getLoc(), b);
  SmallVector<Value> parts;
  for (auto [output, dy] : llvm::zip_equal(getOutputs(), dys))
    parts.push_back(dy ? dy : ZerosLikeOp::create(n, output));
  adjoints.front() = ConcatOp::create(n, parts, getAxis());
  return success();
}

LogicalResult PadOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  Shape end;
  for (auto [low, extent] : llvm::zip_equal(getLow(), tensorType(getX()).getShape()))
    end.push_back(low + extent);
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) -> Value {
    return SliceOp::create(n, dy, getLow(), end, Shape(end.size(), 1));
  });
}

LogicalResult TileOp::buildAdjoint(OpBuilder &b, ValueRange dys, Adjoints &adjoints) {
  // Seen as [multiple, extent, multiple, extent, …] the repeats are axes of their own.
  RankedTensorType type = tensorType(getX());
  int64_t missing = static_cast<int64_t>(getMultiples().size()) - type.getRank();
  Shape parts, repeats;
  for (auto [axis, multiple] : llvm::enumerate(getMultiples())) {
    int64_t from = static_cast<int64_t>(axis) - missing;
    repeats.push_back(parts.size());
    parts.push_back(multiple);
    parts.push_back(from < 0 ? 1 : type.getDimSize(from));
  }
  return adjointOf(b, *this, dys, adjoints, [&](AdjointBuilder &n, Value dy) {
    return n.reshape(n.sum(n.reshape(dy, parts), repeats, false), type.getShape());
  });
}

} // namespace plumb::net
