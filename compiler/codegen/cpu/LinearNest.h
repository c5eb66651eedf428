// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linalg operation on static memrefs, seen as what a processor sees: a nest
// of counted loops in which every operand is walked by a linear function.
//
//   linalg.generic over (n, c, h, w)     sizes   = [8, 6, 28, 28]
//     x[n, c, h, w], b[c] -> y           strides = [[4704, 784, 28, 1],
//                                                   [0, 1, 0, 0], …]
//
// In this form layout, broadcast, convolution window, stride, dilation and
// reversal are all the same thing, a number per loop, so the emitters need no
// names of operations.
//
// A halo (`device.halo`) is looked through: its operand is walked in the source, and
// a bound says which iterations meet an element of it: x[h + i − 1] exists for
// 0 ≤ h + i − 1 < rows. The others would multiply by zero.
//
// Loops of one iteration vanish and loops that every
// operand walks as one are fused: (8, 6, 28, 28) with b becomes (8, 6, 784).
// A reduction along which a window slides stays by itself.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_LINEARNEST_H
#define PLUMB_COMPILER_CODEGEN_CPU_LINEARNEST_H

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace plumb {

/// How one operand is walked: element = offset + Σ strides[loop] · index[loop].
struct LinearAccess {
  /// Position relative to the memref's first element.
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// Iterations [from, to) of a loop; none where from ≥ to.
struct IterationRange {
  int64_t from, to;
};

/// What cuts the corners off a nest: only iterations with
/// 0 ≤ start + parallelStep · index[parallel] + reductionStep · index[reduction]
///   < extent
/// exist.
struct LinearBound {
  unsigned parallel, reduction;
  int64_t parallelStep, reductionStep;
  int64_t start, extent;

  bool contains(int64_t parallelIndex, int64_t reductionIndex) const {
    int64_t place = start + parallelStep * parallelIndex +
                    reductionStep * reductionIndex;
    return 0 <= place && place < extent;
  }
  /// Which of `size` iterations of the reduction exist at that index.
  IterationRange reductionRange(int64_t parallelIndex, int64_t size) const {
    return range(start + parallelStep * parallelIndex, reductionStep, size);
  }
  /// Which of `size` iterations of the parallel loop exist at that index.
  IterationRange parallelRange(int64_t reductionIndex, int64_t size) const {
    return range(start + reductionStep * reductionIndex, parallelStep, size);
  }

private:
  IterationRange range(int64_t first, int64_t step, int64_t size) const;
};

/// A parallel loop whose iterations are taken together in groups of `size`,
/// because something that follows the nest folds each group to one element.
struct LinearWindow {
  unsigned loop;
  int64_t size;

  bool operator==(const LinearWindow &other) const {
    return loop == other.loop && size == other.size;
  }
};

/// A parallel and a reduction loop that move an operand together: it stands
/// still where `reduction` goes back by `ratio` while `parallel` takes a step.
struct WindowSlide {
  unsigned parallel, reduction;
  int64_t ratio;
};

/// A perfect nest of counted loops over linearly walked operands.
struct LinearNest {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<mlir::utils::IteratorType> kinds;
  /// By operand of the operation; a scalar operand has all strides zero.
  llvm::SmallVector<LinearAccess> accesses;
  llvm::SmallVector<LinearBound> bounds;
  llvm::SmallVector<LinearWindow> windows;

  /// Reads `op`. Fails for dynamic shapes, dynamic strides, maps with divisions
  /// or remainders, and outputs that reductions walk. Loops are simplified unless the body asks for
  /// their indices.
  static mlir::FailureOr<LinearNest> get(mlir::linalg::LinalgOp op);
  /// The same, without simplification: loops are those of `op`.
  static mlir::FailureOr<LinearNest> read(mlir::linalg::LinalgOp op);
  /// Drops and fuses loops. Accesses beyond `op`'s operands are heeded.
  void simplify();

  /// The same nest with `reduction` counted by the places that a window meets:
  ///
  ///   w[k] += x[p + k] · y[p], 0 ≤ p < P
  ///     → w[k] += x[c] · y[c − k], 0 ≤ c − k < P
  ///
  /// Fails where bounds of other loops stand in the way.
  mlir::FailureOr<LinearNest> slide(const WindowSlide &slide) const;

  /// The buffer behind an operand: what `accesses` count from.
  static mlir::Value getBuffer(mlir::Value operand);

  unsigned loops() const { return sizes.size(); }
  bool isParallel(unsigned loop) const {
    return kinds[loop] == mlir::utils::IteratorType::parallel;
  }
  int64_t stride(unsigned operand, unsigned loop) const {
    return accesses[operand].strides[loop];
  }

  /// The bound that `loop` is the parallel, or the reduction loop of, or null.
  const LinearBound *findBound(unsigned loop) const;
  /// The window along `loop`, or null.
  const LinearWindow *findWindow(unsigned loop) const;

private:
  mlir::LogicalResult addOperand(mlir::OpOperand &operand, mlir::AffineMap map);
  mlir::LogicalResult addBound(llvm::ArrayRef<int64_t> steps, int64_t start,
                               int64_t extent);
  mlir::LogicalResult resolveBounds();
  void cut(unsigned loop, IterationRange range);
  bool scatters(unsigned inputs) const;
  void dropUnitLoops();
  void fuseLoops();
  bool canSlide(unsigned loop) const;
  bool canFuse(unsigned outer, unsigned inner) const;
  void eraseLoop(unsigned loop);
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_LINEARNEST_H
