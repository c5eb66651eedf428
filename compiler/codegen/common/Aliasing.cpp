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
#include "llvm/ADT/BitVector.h"

#include <tuple>

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

namespace {
/// The bytes that the buffers of one root are in. Roots with different `memory` share none; null: any memory.
struct ByteRange {
  const void *memory = nullptr;
  int64_t begin = 0, end = 1;

  bool operator<(const ByteRange &other) const {
    return std::tie(memory, begin, end) < std::tie(other.memory, other.begin, other.end);
  }
};
} // namespace

/// The bytes of the arena, or all of another memory.
static ByteRange findRange(Value root) {
  static const char arena = 0;
  if (auto view = root.getDefiningOp<device::ArenaViewOp>()) {
    int64_t begin = view.getOffset();
    return {&arena, begin, begin + device::getByteSize(cast<ShapedType>(view.getType()))};
  }
  if (auto view = root.getDefiningOp<device::VariableViewOp>())
    return {view.getVariableAttr().getAsOpaquePointer()};
  if (auto global = root.getDefiningOp<memref::GetGlobalOp>())
    return {global.getNameAttr().getAsOpaquePointer()};
  return {isDeviceMemory(root) || isNoAliasRoot(root) ? root.getAsOpaquePointer() : nullptr};
}

bool plumb::cannotAlias(Value a, Value b) {
  a = getRoot(a);
  b = getRoot(b);
  if (a == b)
    return false;
  if (isNoAliasRoot(a) || isNoAliasRoot(b))
    return true;
  ByteRange first = findRange(a), second = findRange(b);
  if (!first.memory || !second.memory)
    return false;
  return first.memory != second.memory || first.end <= second.begin || second.end <= first.begin;
}

/// The range of each buffer among `values`, with its number, in order. If one is unknown, all that it may be are, too.
static SmallVector<std::pair<ByteRange, unsigned>> sortRanges(ArrayRef<Value> values) {
  SmallVector<std::pair<ByteRange, unsigned>> ranges;
  llvm::BitVector known(values.size());
  for (auto [number, value] : llvm::enumerate(values)) {
    if (!isa<MemRefType>(value.getType()))
      continue;
    Value root = getRoot(value);
    known[number] = isNoAliasRoot(root);
    ranges.emplace_back(findRange(root), number);
  }
  if (llvm::any_of(ranges, [](auto &range) { return !range.first.memory; }))
    for (auto &[range, number] : ranges)
      if (!known[number])
        range = ByteRange();
  llvm::sort(ranges);
  return ranges;
}

SmallVector<unsigned> plumb::findUnaliased(ArrayRef<Value> values) {
  SmallVector<std::pair<ByteRange, unsigned>> ranges = sortRanges(values);
  llvm::BitVector aliased(values.size());
  // `last` is the range that ends last of those before; what begins inside it aliases it.
  for (size_t last = 0, next = 1; next < ranges.size(); ++next) {
    const ByteRange &before = ranges[last].first, &range = ranges[next].first;
    bool isSame = before.memory == range.memory;
    if (isSame && range.begin < before.end) {
      aliased.set(ranges[last].second);
      aliased.set(ranges[next].second);
    }
    if (!isSame || range.end > before.end)
      last = next;
  }
  SmallVector<unsigned> numbers;
  for (unsigned number = 0; number < values.size(); ++number)
    if (isa<MemRefType>(values[number].getType()) && !aliased[number])
      numbers.push_back(number);
  return numbers;
}
