// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors whose layouts hang together.
//
// A convolution says of two of its operands which axis is the batch and which the channels; operations that keep the
// batch apart (elementwise work, pooling, pads, slices, reshapes) carry both to their other tensors. What is reached is
// one group: it changes its layout as a whole, and turns are needed only where it ends.

#ifndef PLUMB_COMPILER_LOWER_LAYOUTGROUPS_H
#define PLUMB_COMPILER_LOWER_LAYOUTGROUPS_H

#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace plumb {

/// One of a convolution's two operands that have the batch.
struct ActivationOperand {
  mlir::OpOperand *operand;
  int64_t batchAxis;
  /// The axis that the kernel has too; none for grouped channels.
  std::optional<int64_t> channelAxis;

  /// The tensor that the operation reads, or defines if the operand is its destination.
  mlir::Value getTensor() const;
  mlir::RankedTensorType getType() const { return mlir::cast<mlir::RankedTensorType>(operand->get().getType()); }
  int64_t getChannels() const { return getType().getDimSize(*channelAxis); }
};

/// A convolution of any of the three kinds: forward, backward data, backward weights.
struct ConvolutionSite {
  mlir::linalg::GenericOp op;
  unsigned batchLoop;
  /// The operand that a window slides over, and the other one.
  ActivationOperand image, other;
  mlir::OpOperand *kernel;

  mlir::linalg::GenericOp getOp() const { return op; }
  bool hasChannels() const { return image.channelAxis && other.channelAxis; }
  /// The operand whose channels the lanes of vectors run over when channels are innermost: what is written, or for
  /// backward weights that of the two whose channels leave fewer lanes idle.
  const ActivationOperand &getLanes() const;
  const ActivationOperand &getReduced() const { return &getLanes() == &image ? other : image; }
  /// Axes of the kernel with the window first, then the channels of `getReduced`, then those of `getLanes`.
  mlir::SmallVector<int64_t> getKernelOrder() const;
};

/// Where the batch and the channels of a tensor are.
struct AxisRoles {
  int64_t batch;
  std::optional<int64_t> channels;
};

/// Tensors that change their layout together.
struct LayoutGroup {
  llvm::MapVector<mlir::Value, AxisRoles> roles;
  mlir::SmallVector<ConvolutionSite> convolutions;
};

/// The number of lanes that layouts are made for.
constexpr int64_t kLayoutLanes = 16;

/// Vectors that `extent` elements side by side take, as a multiple of what full lanes would.
double getIdleFactor(int64_t extent);

/// The place of loop `loop` in `map` if a result of the map is that loop alone.
std::optional<int64_t> findAxis(mlir::AffineMap map, unsigned loop);

/// Whether the layout pass carries a layout through `op`, if that is chosen for its tensors.
bool carriesLayout(mlir::Operation *op);

/// Whether axis `from` of what a slice, insertion, pad or reshape reads is axis `to` of what it makes, and nothing else.
bool keepsAxis(mlir::Operation *view, int64_t from, int64_t to);

/// The groups of a loop's step, by their first convolutions.
mlir::SmallVector<LayoutGroup> findLayoutGroups(device::LoopOp loop);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_LAYOUTGROUPS_H
