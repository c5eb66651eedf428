// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices, pads and reshapes of tensors whose layout has changed.

#ifndef PLUMB_COMPILER_LOWER_LAYOUTVIEWS_H
#define PLUMB_COMPILER_LOWER_LAYOUTVIEWS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace plumb {

/// By axis of a tensor in its new layout: the axis of the old one. kBlocks stands for a new axis: the axis after it is
/// split into blocks of kBlockEntries entries, and the new axis counts the blocks.
using AxisOrder = mlir::SmallVector<int64_t>;
constexpr int64_t kBlocks = -1;

/// Permutes properties of the old axes; `ofBlocks` is the property of a new axis of blocks.
template <typename T>
mlir::SmallVector<T> permute(llvm::ArrayRef<T> items, llvm::ArrayRef<int64_t> order, T ofBlocks = T()) {
  return llvm::map_to_vector(order, [&](int64_t axis) { return axis == kBlocks ? ofBlocks : items[axis]; });
}

mlir::RankedTensorType permute(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> order);

/// Returns the new layout of a tensor.
using GetOrder = llvm::function_ref<AxisOrder(mlir::Value)>;
/// Returns a tensor in a new layout.
using GetOrdered = llvm::function_ref<mlir::Value(mlir::Value, const AxisOrder &)>;

/// Rebuilds `op`, a slice, pad or reshape, at the insertion point.
mlir::Value rebuildView(mlir::OpBuilder &builder, mlir::Operation *op, GetOrder getOrder, GetOrdered getOrdered);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_LAYOUTVIEWS_H
