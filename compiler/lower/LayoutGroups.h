// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout propagation: groups of tensors that change their layout together.
//
// A convolution determines the batch axis and the channel axis of two of its operands. Operations that keep the batch
// axis separate (elementwise operations, pooling, pads, slices, reshapes) propagate both axes to their other operands
// and results. All tensors reached from a convolution form a group. If the whole group changes its layout, transposes
// are needed only at its edges.

#ifndef PLUMB_COMPILER_LOWER_LAYOUTGROUPS_H
#define PLUMB_COMPILER_LOWER_LAYOUTGROUPS_H

#include "compiler/target/MachineModel.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace plumb {

/// One of the two operands of a convolution that have a batch axis.
struct ActivationOperand {
  mlir::OpOperand *operand;
  int64_t batchAxis;
  /// The axis that is indexed by a loop of the kernel, too; none for grouped convolutions but depthwise ones.
  std::optional<int64_t> channelAxis;

  /// The operand, or the operation's result if the operand is its destination.
  mlir::Value getTensor() const;
  mlir::RankedTensorType getType() const { return mlir::cast<mlir::RankedTensorType>(operand->get().getType()); }
  int64_t getChannels() const { return getType().getDimSize(*channelAxis); }
};

/// A convolution: forward, backward data or backward weights.
struct ConvolutionSite {
  mlir::linalg::GenericOp op;
  unsigned batchLoop;
  /// The operand that is accessed through a sliding window, and the other one with a batch.
  ActivationOperand image, other;
  mlir::OpOperand *kernel;

  mlir::linalg::GenericOp getOp() const { return op; }
  bool hasChannels() const { return image.channelAxis && other.channelAxis; }
  /// Whether one loop indexes the channels of all three operands.
  bool isDepthwise() const;
  /// Whether each channel of a result is a sum over those of the image: neither grouped nor depthwise.
  bool mixesChannels() const { return hasChannels() && !isDepthwise(); }
  /// The operand whose channels become lanes of vectors of `lanes` elements when channels are innermost: the result, or
  /// for backward weights the one of the two whose channels leave fewer lanes idle.
  const ActivationOperand &getLanes(int64_t lanes) const;
  const ActivationOperand &getReduced(int64_t lanes) const { return &getLanes(lanes) == &image ? other : image; }
  /// The axes of the kernel: first the sliding window, then the channels of `getReduced`, then those of `getLanes`,
  /// which are the same axis if the convolution is depthwise.
  mlir::SmallVector<int64_t> getKernelOrder(int64_t lanes) const;
};

/// The batch axis and the channel axis of a tensor.
struct AxisRoles {
  int64_t batch;
  std::optional<int64_t> channels;
};

/// Tensors that change their layout together.
struct LayoutGroup {
  llvm::MapVector<mlir::Value, AxisRoles> roles;
  mlir::SmallVector<ConvolutionSite> convolutions;
};

/// The entries of a block of a batch: those of f32 fill a cache line, so full vectors on each target.
constexpr int64_t kBlockEntries = kLineBytes / 4;

/// The reciprocal of the share of lanes in use, if `extent` contiguous elements are divided into vectors.
double getIdleFactor(int64_t extent, int64_t lanes);

/// The result of `map` that is the index of `loop` alone, if there is one.
std::optional<int64_t> findAxis(mlir::AffineMap map, unsigned loop);

/// Whether AssignLayouts can rebuild `op` for operands and results in another layout.
bool carriesLayout(mlir::Operation *op);

/// Whether axis `from` of the operand of a slice, insertion, pad or reshape is exactly axis `to` of its result.
bool keepsAxis(mlir::Operation *view, int64_t from, int64_t to);

/// The groups of a loop's step, in the order of their first convolutions.
mlir::SmallVector<LayoutGroup> findLayoutGroups(device::LoopOp loop);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_LAYOUTGROUPS_H
