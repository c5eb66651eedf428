// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lower/BufferBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace plumb;

BufferBuilder::BufferBuilder(device::LoopOp loop, const StoragePlan &plan)
    : loop(loop), symbols(SymbolTable::getNearestSymbolTable(loop)), plan(plan) {}

Value BufferBuilder::base(Storage *storage, Location loc) {
  Value &base = bases[storage];
  if (base)
    return base;
  OpBuilder builder = OpBuilder::atBlockBegin(&loop.getBody().front());
  if (storage->parent) {
    Value whole = this->base(storage->parent, loc);
    builder.setInsertionPointAfterValue(whole);
    // The parent may have been created for a tensor of another shape.
    if (!storage->parent->parent)
      whole = viewAs(builder, loc, whole, device::getBufferType(storage->insertion.getDestType()));
    return bases[storage] = viewSlice(builder, whole, storage->insertion, storage->insertion.getSourceType());
  }
  if (storage->kind != Storage::Variable)
    return base = memref::AllocOp::create(builder, loc, storage->type);
  Value variable = getVariable(storage->variable, loc);
  builder.setInsertionPointAfterValue(variable);
  return bases[storage] = viewAs(builder, loc, variable, storage->type);
}

Value BufferBuilder::getVariable(StringAttr name, Location loc) {
  Value &view = variables[name];
  if (view)
    return view;
  OpBuilder builder = OpBuilder::atBlockBegin(&loop.getBody().front());
  auto variable = symbols.lookup<device::VariableOp>(name);
  MemRefType type = device::getBufferType(cast<ShapedType>(variable.getType()));
  return view = device::VariableViewOp::create(builder, loc, type, FlatSymbolRefAttr::get(name));
}

Value BufferBuilder::get(OpBuilder &builder, Value tensor) {
  if (!isa<TensorType>(tensor.getType()))
    return tensor;
  if (Value known = buffers.lookup(tensor))
    return known;
  if (plan.lookup(tensor))
    return define(builder, tensor);
  // Reads of an empty tensor: its content is undefined.
  OpBuilder atBegin = OpBuilder::atBlockBegin(&loop.getBody().front());
  Value fresh =
      memref::AllocOp::create(atBegin, tensor.getLoc(), device::getBufferType(cast<ShapedType>(tensor.getType())));
  return buffers[tensor] = fresh;
}

Value BufferBuilder::define(OpBuilder &builder, Value tensor) {
  Value whole = base(plan.lookup(tensor), tensor.getLoc());
  if (plan.lookup(tensor)->parent) // A part holds tensors of one type only.
    return buffers[tensor] = whole;
  return buffers[tensor] =
             viewAs(builder, tensor.getLoc(), whole, device::getBufferType(cast<ShapedType>(tensor.getType())));
}

Value BufferBuilder::viewSlice(OpBuilder &builder, Value whole, OffsetSizeAndStrideOpInterface slice,
                               RankedTensorType type) {
  SmallVector<OpFoldResult> strides = slice.getMixedStrides();
  // MLIR infers the dropped axes of a rank-reducing subview from strides, so axes of one element have stride one.
  for (auto [size, stride] : llvm::zip_equal(slice.getStaticSizes(), strides))
    if (size == 1)
      stride = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes();
  bool drops = type.getRank() < static_cast<int64_t>(sizes.size());
  if (drops && !llvm::all_of(strides, [](OpFoldResult stride) { return isConstantIntValue(stride, 1); })) {
    // For the same reason other strides come first: axes are dropped from a view that has the strides of the result.
    whole = memref::SubViewOp::create(builder, slice.getLoc(), whole, offsets, sizes, strides);
    offsets.assign(sizes.size(), builder.getIndexAttr(0));
    strides.assign(sizes.size(), builder.getIndexAttr(1));
  }
  auto view = memref::SubViewOp::inferRankReducedResultType(type.getShape(), cast<MemRefType>(whole.getType()), offsets,
                                                            sizes, strides);
  return memref::SubViewOp::create(builder, slice.getLoc(), cast<MemRefType>(view), whole, offsets, sizes, strides);
}

void BufferBuilder::copy(OpBuilder &builder, Location loc, Value from, Value to) {
  if (from != to)
    linalg::CopyOp::create(builder, loc, ValueRange{from}, ValueRange{to});
}

Value BufferBuilder::viewAs(OpBuilder &builder, Location loc, Value buffer, MemRefType type) {
  auto source = cast<MemRefType>(buffer.getType());
  if (source == type)
    return buffer;
  auto all = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.push_back(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    return groups;
  };
  if (source.getRank() > 1 || (type.getRank() == 0 && source.getRank() == 1))
    buffer =
        memref::CollapseShapeOp::create(builder, loc, buffer, type.getRank() == 0 ? all(0) : all(source.getRank()));
  if (type.getRank() > 1 || (type.getRank() == 1 && cast<MemRefType>(buffer.getType()).getRank() == 0))
    buffer =
        memref::ExpandShapeOp::create(builder, loc, type.getShape(), buffer,
                                      cast<MemRefType>(buffer.getType()).getRank() == 0 ? all(0) : all(type.getRank()));
  return buffer;
}
