// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which axis of the tensors of a step lies innermost. Convolutions and what hangs together with them (LayoutGroups.h)
// choose between three layouts by a cost model, group by group:
//
//   plain               as written, channels before rows: good where rows are whole vectors
//   batch innermost     lanes are images: no lane idle, no matter how few channels or how narrow the rows are
//   channels innermost  lanes are channels: a weight gradient is a sum of outer products, whose factors come from few
//                       cache lines; kernels are turned to [window][channels read][channels of the lanes]
//
// The model counts cycles of a core with 16 lanes that starts one multiply-add of vectors each half cycle:
//
//   plain               the better of two: vectors with rows along the lanes, lanes past the end of a row idle; or
//                       vectors / 2 with channels along the lanes, lanes past the last channel idle, plus 1/4 cycle for
//                       each element of image and result, which are turned around every convolution
//   batch innermost     vectors / 2; plus, where the images of 16 batch entries are more than a cache holds, reading them
//                       once for every 4 result channels at 16 bytes a cycle; plus the group's edges
//   channels innermost  vectors / 2, lanes past the last channel idle; plus 1/4 cycle for each element of the kernels,
//                       which are turned each step; plus the group's edges
//
// where an edge is a tensor that comes from outside or goes there, and costs 1/4 cycle for each element that is turned.
// Lanes along rows count twice as much as others: their loads start anywhere, a stride leaves gaps between them, and a
// weight gradient must add up its lanes. Measured with AVX-512, kernel by kernel, as a share of the multiply-adds that a
// core can do: lanes along rows 34-39 % (LeNet, but for one kernel) and 15-36 % (ResNet-8), along the batch 46-74 %
// (LeNet), along channels 58-99 % (ResNet-8, 3x3 windows forward and backward, weight gradients apart).
//
// Images of less than 16 channels that are only ever broadcast stay as they are when channels are innermost.

#ifndef PLUMB_COMPILER_LOWER_LAYOUTPLAN_H
#define PLUMB_COMPILER_LOWER_LAYOUTPLAN_H

#include "compiler/lower/LayoutGroups.h"

namespace plumb {

/// By tensor: the axis that it shall have innermost.
using InnermostAxes = llvm::MapVector<mlir::Value, int64_t>;

/// What the step's tensors shall look like.
struct LayoutPlan {
  InnermostAxes innermost;
  /// The groups among these that have the batch innermost.
  mlir::SmallVector<InnermostAxes> batches;
  /// Convolutions whose kernels shall be turned, too.
  llvm::MapVector<mlir::Operation *, ConvolutionSite> turnedKernels;
};

/// Chooses by the cost model, with a remark at each convolution.
LayoutPlan planLayouts(device::LoopOp loop);

/// Whether a turn of `type` to the order `order` moves elements, not only axes of extent one.
bool movesElements(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> order);

/// The axes of a tensor with `axis` last.
mlir::SmallVector<int64_t> getOrderWithLast(int64_t rank, int64_t axis);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_LAYOUTPLAN_H
