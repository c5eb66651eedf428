// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices, pads and reshapes of tensors that are laid out otherwise.

#ifndef PLUMB_COMPILER_LOWER_LAYOUTVIEWS_H
#define PLUMB_COMPILER_LOWER_LAYOUTVIEWS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace plumb {

/// By axis of a tensor in its new layout: that of the old one. kBlocks is the axis of blocks of kLayoutLanes entries
/// into which the axis behind it is cut.
using AxisOrder = mlir::SmallVector<int64_t>;
constexpr int64_t kBlocks = -1;

/// What is known of each old axis, by the new ones; `ofBlocks` of blocks.
template <typename T>
mlir::SmallVector<T> permute(llvm::ArrayRef<T> items, llvm::ArrayRef<int64_t> order, T ofBlocks = T()) {
  return llvm::map_to_vector(order, [&](int64_t axis) { return axis == kBlocks ? ofBlocks : items[axis]; });
}

mlir::RankedTensorType permute(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> order);

/// Tells the new layout of a tensor.
using GetOrder = llvm::function_ref<AxisOrder(mlir::Value)>;
/// Gives a tensor in a new layout.
using GetOrdered = llvm::function_ref<mlir::Value(mlir::Value, const AxisOrder &)>;

/// Builds `op`, a slice, pad or reshape, anew at the builder's place.
mlir::Value rebuildView(mlir::OpBuilder &builder, mlir::Operation *op, GetOrder getOrder, GetOrdered getOrdered);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_LAYOUTVIEWS_H
