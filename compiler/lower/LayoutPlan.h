// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tensors of a step lie with the batch innermost. Convolutions ask for it, the tensors that hang together with
// theirs through operations that keep the batch apart follow, and a cost model says for each such group whether to.
//
// The model counts cycles of a core with 16 lanes that starts one multiply-add of vectors each half cycle:
//
//   batch innermost    vectors / 2, all lanes at work, no matter how few channels or how narrow the rows are;
//                      plus, where the images of 16 batch entries are more than a cache holds, reading them once for
//                      every 4 result channels at 16 bytes a cycle;
//                      plus 1/4 cycle for each element that is turned at the group's edges
//   rows innermost     vectors / 2, lanes past the end of a row idle
//   channels innermost vectors / 2, lanes past the last channel idle; plus 1/4 cycle for each element of image and
//                      result, which are turned around every convolution
//
// The better of the last two, summed over the group's convolutions, must be beaten.

#ifndef PLUMB_COMPILER_LOWER_LAYOUTPLAN_H
#define PLUMB_COMPILER_LOWER_LAYOUTPLAN_H

#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace plumb {

/// The batch axis of every tensor that shall have it innermost.
using BatchAxes = llvm::MapVector<mlir::Value, int64_t>;

/// A convolution, of any of the three kinds.
struct ConvolutionSite {
  mlir::linalg::GenericOp op;
  /// The operand whose map slides a window.
  mlir::OpOperand *image;
  /// The loop over the batch.
  unsigned batchLoop;
};

/// Reads `op` as a convolution whose image has the batch first, if it is one.
std::optional<ConvolutionSite> matchConvolution(mlir::linalg::GenericOp op);

/// The place of loop `loop` in `map` if a result of the map is that loop alone.
std::optional<int64_t> findAxis(mlir::AffineMap map, unsigned loop);

/// The other side of a reshape that leaves axis `axis` of `from` apart: its axis there.
std::optional<int64_t> getAxisAcrossReshape(mlir::Operation *reshape, int64_t axis, bool fromSource);

/// Chooses groups by the cost model, with a remark at each convolution.
BatchAxes planBatchInnermost(device::LoopOp loop);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_LAYOUTPLAN_H
