// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arena, each variable, each column of a batch, constants and allocations are different memory; views of the arena
// are compared by offset.

#include "compiler/codegen/common/Aliasing.h"

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace plumb;

Value plumb::getRoot(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

Value plumb::getReshaped(Value buffer) {
  while (isa_and_nonnull<memref::ExpandShapeOp, memref::CollapseShapeOp>(buffer.getDefiningOp()))
    buffer = cast<ViewLikeOpInterface>(buffer.getDefiningOp()).getViewSource();
  return buffer;
}

/// Whether `root` is memory that only its own views access.
static bool isNoAliasRoot(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    auto function = dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function && argument.getOwner()->isEntryBlock() &&
           function.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getNoAliasAttrName());
  }
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(root.getDefiningOp());
}

/// Whether `root` is a known part of a device's memory.
static bool isDeviceMemory(Value root) {
  return isa_and_nonnull<device::ArenaViewOp, device::VariableViewOp, device::GetNextOp, memref::GetGlobalOp>(
      root.getDefiningOp());
}

bool plumb::cannotAlias(Value a, Value b) {
  a = getRoot(a);
  b = getRoot(b);
  if (a == b)
    return false;
  if (isNoAliasRoot(a) || isNoAliasRoot(b))
    return true;
  if (!isDeviceMemory(a) || !isDeviceMemory(b))
    return false;
  auto end = [](device::ArenaViewOp view) {
    return int64_t(view.getOffset()) + device::getByteSize(cast<ShapedType>(view.getType()));
  };
  auto first = a.getDefiningOp<device::ArenaViewOp>();
  auto second = b.getDefiningOp<device::ArenaViewOp>();
  if (first && second)
    return end(first) <= int64_t(second.getOffset()) || end(second) <= int64_t(first.getOffset());
  auto one = a.getDefiningOp<device::VariableViewOp>();
  auto other = b.getDefiningOp<device::VariableViewOp>();
  if (one && other)
    return one.getVariable() != other.getVariable();
  auto global = a.getDefiningOp<memref::GetGlobalOp>();
  auto constant = b.getDefiningOp<memref::GetGlobalOp>();
  return !global || !constant || global.getName() != constant.getName();
}
