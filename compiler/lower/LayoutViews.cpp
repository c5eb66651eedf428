// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets, sizes, pads and reassociation groups are permuted as the axes are. Axes of blocks are never sliced nor
// padded.

#include "compiler/lower/LayoutViews.h"

#include "compiler/lower/LayoutGroups.h"

using namespace mlir;
using namespace plumb;

RankedTensorType plumb::permute(RankedTensorType type, ArrayRef<int64_t> order) {
  SmallVector<int64_t> shape = permute(type.getShape(), order);
  for (auto [axis, old] : llvm::enumerate(order))
    if (old == kBlocks) {
      shape[axis] = shape[axis + 1] / kBlockEntries;
      shape[axis + 1] = kBlockEntries;
    }
  return type.clone(shape);
}

static Value rebuildInsert(OpBuilder &builder, tensor::InsertSliceOp op, const AxisOrder &order,
                           GetOrdered getOrdered) {
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  Value source = getOrdered(op.getSource(), order), dest = getOrdered(op.getDest(), order);
  return tensor::InsertSliceOp::create(
      builder, op.getLoc(), source, dest, permute(ArrayRef(op.getMixedOffsets()), order, zero),
      tensor::getMixedSizes(builder, op.getLoc(), source), permute(ArrayRef(op.getMixedStrides()), order, one));
}

static Value rebuildExtract(OpBuilder &builder, tensor::ExtractSliceOp op, const AxisOrder &order, Value source) {
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(
      builder, op.getLoc(), source, permute(ArrayRef(op.getMixedOffsets()), order, zero),
      getAsIndexOpFoldResult(op.getContext(), permute(op.getType(), order).getShape()),
      permute(ArrayRef(op.getMixedStrides()), order, one));
}

static Value rebuildPad(OpBuilder &builder, tensor::PadOp op, const AxisOrder &order, Value source) {
  OpFoldResult zero = builder.getIndexAttr(0);
  return tensor::PadOp::create(builder, op.getLoc(), permute(op.getType(), order), source,
                               permute(ArrayRef(op.getMixedLowPad()), order, zero),
                               permute(ArrayRef(op.getMixedHighPad()), order, zero), op.getConstantPaddingValue());
}

/// The reassociation groups are permuted as the axes of the tensor with fewer axes; the axes inside a group keep their
/// order.
static Value rebuildReshape(OpBuilder &builder, Operation *op, GetOrder getOrder, Value source) {
  Value from = op->getOperand(0), to = op->getResult(0);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  SmallVector<ReassociationIndices> groups =
      collapse ? collapse.getReassociationIndices() : cast<tensor::ExpandShapeOp>(op).getReassociationIndices();
  groups = permute(ArrayRef(groups), getOrder(collapse ? to : from), ReassociationIndices{0});
  int64_t next = 0;
  for (ReassociationIndices &group : groups)
    for (int64_t &axis : group)
      axis = next++;
  RankedTensorType type = permute(cast<RankedTensorType>(to.getType()), getOrder(to));
  if (collapse)
    return tensor::CollapseShapeOp::create(builder, op->getLoc(), type, source, groups);
  return tensor::ExpandShapeOp::create(builder, op->getLoc(), type, source, groups);
}

Value plumb::rebuildView(OpBuilder &builder, Operation *op, GetOrder getOrder, GetOrdered getOrdered) {
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return rebuildInsert(builder, insert, getOrder(insert.getResult()), getOrdered);
  AxisOrder order = getOrder(op->getOperand(0));
  Value source = getOrdered(op->getOperand(0), order);
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    return rebuildExtract(builder, extract, order, source);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return rebuildPad(builder, pad, order, source);
  return rebuildReshape(builder, op, getOrder, source);
}
