// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which axis of a step's tensors is innermost. The layout of each group of tensors around convolutions (LayoutGroups.h)
// is chosen by a cost model from three:
//
//   plain               as written, channels before rows: good if rows are full vectors
//   batch innermost     lanes are images: all lanes are in use, also for few channels and narrow rows
//   channels innermost  lanes are channels: a weight gradient is a sum of outer products, whose factors are in few
//                       cache lines; kernels are transposed to [window][reduced channels][lanes' channels]
//
// The model counts `full`, the cycles of the multiply-adds with all lanes in use. All numbers of the processor are
// those of the target's MachineModel:
//
//   plain               the smaller one of: `rowLanesFactor * full` with lanes along rows, where the last vector of a
//                       row is partly idle; or `full` with lanes along channels, where the last vector is partly idle,
//                       plus image and result, which are transposed around each convolution (not a depthwise one)
//   batch innermost     `full`; if the images of a block of batch entries exceed `imageShare` of L2, plus streaming
//                       them once per `batchTileChannels` result channels; plus the group's edges
//   channels innermost  `full`, where the last vector is partly idle; plus the kernels, which are transposed in each
//                       step; plus the group's edges
//
// An edge is a tensor that is also used or defined outside of the group. Elements that have to be transposed stream
// from L2. Lanes along rows take more cycles than others: loads are unaligned, strides leave gaps, and a weight
// gradient has to add up its lanes. Measured with AVX-512, kernel by kernel, as a share of the multiply-adds that a
// core can do: lanes along rows 34-39 % (LeNet, but for one kernel) and 15-36 % (ResNet-8), along the batch 46-74 %
// (LeNet), along channels 58-99 % (ResNet-8, 3x3 windows forward and backward, weight gradients apart).
//
// With channels innermost, images with fewer channels than lanes whose elements are only broadcast keep their layout.
// Depthwise convolutions broadcast no elements, and stream images once with the batch innermost.

#ifndef PLUMB_COMPILER_LOWER_LAYOUTPLAN_H
#define PLUMB_COMPILER_LOWER_LAYOUTPLAN_H

#include "compiler/lower/LayoutGroups.h"
#include "compiler/target/CpuTarget.h"

namespace plumb {

/// By tensor: its axis that becomes innermost.
using InnermostAxes = llvm::MapVector<mlir::Value, int64_t>;

/// The new order of the axes of a convolution's kernel.
struct KernelOrder {
  mlir::OpOperand *kernel;
  mlir::SmallVector<int64_t> axes;
};

/// The new layouts of the step's tensors.
struct LayoutPlan {
  InnermostAxes innermost;
  /// The groups among these that have the batch innermost.
  mlir::SmallVector<InnermostAxes> batches;
  /// By convolution: the order of its kernel, if that is transposed, too.
  llvm::MapVector<mlir::Operation *, KernelOrder> kernels;
};

/// Chooses by the cost model, with a remark for each group.
LayoutPlan planLayouts(device::LoopOp loop, const CpuTarget &target);

/// Whether a transpose of `type` to the order `order` moves elements, rather than only axes of extent one.
bool movesElements(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> order);

/// The axes of a tensor with `axis` last.
mlir::SmallVector<int64_t> getOrderWithLast(int64_t rank, int64_t axis);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_LAYOUTPLAN_H
