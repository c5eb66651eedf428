// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape ops: views where no element moves, slices and one-input generics where they do.

#include "dialects/net/ir/Folding.h"
#include "dialects/net/ir/Inference.h"
#include "dialects/net/ir/Lowering.h"
#include "dialects/net/ir/NetShapeOps.h"
#include "dialects/net/ir/SliceBounds.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace plumb::net {

/// Lowers an op that only gives another shape.
template <typename Op> static LoweredValues asView(Op op, OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(op.getLoc(), builder);
  return lowered(b.reshape(operands[0], op.getType().getShape()));
}

LoweredValues ReshapeOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return asView(*this, builder, operands);
}

LoweredValues FlattenOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return asView(*this, builder, operands);
}

LoweredValues ExpandDimsOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return asView(*this, builder, operands);
}

LoweredValues SqueezeOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  return asView(*this, builder, operands);
}

/// Copies by an input map.
static Value copy(LoweringBuilder &b, Value x, RankedTensorType type, AffineMap from) {
  auto pass = [](ScalarBuilder &, ValueRange v) { return SmallVector<Value>{v[0]}; };
  return b.generic(x, b.empty(type), {from, b.getMultiDimIdentityMap(type.getRank())}, pass).front();
}

LoweredValues TransposeOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  int64_t rank = getType().getRank();
  SmallVector<AffineExpr> from(rank);
  for (auto [to, axis] : llvm::enumerate(getPerm()))
    from[normalizeAxis(axis, rank)] = b.dim(to);
  return lowered(copy(b, operands[0], getType(), b.map(rank, from)));
}

LoweredValues BroadcastToOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  return lowered(b.elementwise(operands, getType(), [](ScalarBuilder &, ValueRange v) { return v[0]; }));
}

LoweredValues SliceOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  if (tensorType(getX()).getNumElements() == 0) // No offset lies within it.
    return lowered(b.empty(getType()));
  SliceBounds bounds = SliceBounds::get(tensorType(getX()).getShape(), getBegin(), getEnd(), getStrides());
  return lowered(b.extract(operands[0], bounds.offsets, bounds.sizes, bounds.strides));
}

LoweredValues SliceGradOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  return lowered(b.surround(operands[0], getType(), getBegin(), getStrides(), scalarOf(getType().getElementType(), 0)));
}

LoweredValues SliceUpdateOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  return lowered(b.insert(operands[0], operands[1], getBegin(), getStrides()));
}

/// Offsets, sizes and strides of the row `index` of a tensor along `axis`.
static std::array<SmallVector<OpFoldResult>, 3> rowBox(Builder &b, RankedTensorType type, Value index, int64_t axis) {
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)), strides(type.getRank(), b.getIndexAttr(1)),
      sizes;
  offsets[axis] = index;
  for (int64_t extent : type.getShape())
    sizes.push_back(b.getIndexAttr(extent));
  sizes[axis] = b.getIndexAttr(1);
  return {offsets, sizes, strides};
}

LoweredValues RowOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  auto [offsets, sizes, strides] = rowBox(b, tensorType(operands[0]), operands[1], getAxis());
  RankedTensorType type = tensorType(operands[0]).clone(getType().getShape()); // without a sign
  return lowered(tensor::ExtractSliceOp::create(b, type, operands[0], offsets, sizes, strides));
}

LoweredValues RowUpdateOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  auto [offsets, sizes, strides] = rowBox(b, getType(), operands[2], getAxis());
  return lowered(tensor::InsertSliceOp::create(b, operands[0], operands[1], offsets, sizes, strides));
}

LoweredValues ConcatOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Shape offsets(getType().getRank(), 0), ones(getType().getRank(), 1);
  int64_t axis = normalizeAxis(getAxis(), getType().getRank());
  Value result = b.empty(getType());
  for (Value x : operands) {
    result = b.insert(x, result, offsets, ones);
    offsets[axis] += tensorType(x).getDimSize(axis);
  }
  return lowered(result);
}

LoweredValues StackOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  Shape offsets(getType().getRank(), 0), ones(getType().getRank(), 1);
  int64_t axis = normalizeAxis(getAxis(), getType().getRank());
  Shape layer(getType().getShape());
  layer[axis] = 1;
  Value result = b.empty(getType());
  for (Value x : operands) {
    result = b.insert(b.reshape(x, layer), result, offsets, ones);
    ++offsets[axis];
  }
  return lowered(result);
}

LoweredValues SplitOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  RankedTensorType type = tensorType(operands[0]);
  int64_t axis = normalizeAxis(getAxis(), type.getRank());
  Shape offsets(type.getRank(), 0), sizes(type.getShape()), ones(type.getRank(), 1);
  sizes[axis] /= getOutputNum();
  SmallVector<Value> parts;
  for (int64_t part = 0; part < static_cast<int64_t>(getOutputNum()); ++part) {
    offsets[axis] = part * sizes[axis];
    parts.push_back(b.extract(operands[0], offsets, sizes, ones));
  }
  return parts;
}

LoweredValues PadOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  LoweringBuilder b(getLoc(), builder);
  TypedAttr number = scalarOf(getType().getElementType(), getValue().convertToDouble());
  Shape ones(getType().getRank(), 1);
  return lowered(b.surround(operands[0], getType(), getLow(), ones, number));
}

LoweredValues TileOp::lowerToLinalg(OpBuilder &builder, ValueRange operands) {
  // [multiple, extent, multiple, extent, …]: the repeats are axes that the input map leaves out.
  LoweringBuilder b(getLoc(), builder);
  RankedTensorType type = tensorType(operands[0]);
  if (llvm::all_of(getMultiples(), [](int64_t multiple) { return multiple == 1; }))
    return lowered(b.reshape(operands[0], getType().getShape()));
  int64_t missing = static_cast<int64_t>(getMultiples().size()) - type.getRank();
  Shape parts;
  SmallVector<AffineExpr> from;
  for (auto [axis, multiple] : llvm::enumerate(getMultiples())) {
    int64_t own = static_cast<int64_t>(axis) - missing;
    parts.push_back(multiple);
    parts.push_back(own < 0 ? 1 : type.getDimSize(own));
    if (own >= 0)
      from.push_back(b.dim(parts.size() - 1));
  }
  Value tiled = copy(b, operands[0], type.clone(parts), b.map(parts.size(), from));
  return lowered(b.reshape(tiled, getType().getShape()));
}

} // namespace plumb::net
