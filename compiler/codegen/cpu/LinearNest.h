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
// An output that two loops walk together, y[h + i] += x[h] · k[i], is scattered
// to. It is read as the gathering r = h + i: y[r] += x[r − i] · k[i], where r is
// parallel and only 0 ≤ r − i < h's size exists (`bounds`): backward data of a
// convolution without one product with a padding zero.
//
// Loops of one iteration vanish and loops that every
// operand walks as one are fused: (8, 6, 28, 28) with b becomes (8, 6, 784).

#ifndef PLUMB_COMPILER_CODEGEN_CPU_LINEARNEST_H
#define PLUMB_COMPILER_CODEGEN_CPU_LINEARNEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace plumb {

/// How one operand is walked: element = offset + Σ strides[loop] · index[loop].
struct LinearAccess {
  /// Position relative to the memref's first element.
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// What cuts the corners off a nest: only iterations with
/// 0 ≤ index[parallel] − index[reduction] < extent exist.
struct LinearBound {
  unsigned parallel;
  unsigned reduction;
  int64_t extent;
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

/// A perfect nest of counted loops over linearly walked operands.
struct LinearNest {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<mlir::utils::IteratorType> kinds;
  /// By operand of the operation; a scalar operand has all strides zero.
  llvm::SmallVector<LinearAccess> accesses;
  llvm::SmallVector<LinearBound> bounds;
  llvm::SmallVector<LinearWindow> windows;

  /// Reads `op`. Fails for dynamic shapes, dynamic strides and maps with
  /// divisions or remainders. Loops are simplified unless the body asks for
  /// their indices.
  static mlir::FailureOr<LinearNest> get(mlir::linalg::LinalgOp op);
  /// The same, without simplification: loops are those of `op`.
  static mlir::FailureOr<LinearNest> read(mlir::linalg::LinalgOp op);
  /// Drops and fuses loops. Accesses beyond `op`'s operands are heeded.
  void simplify();

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
  void gatherOutputs(mlir::linalg::LinalgOp op);
  void dropUnitLoops();
  void fuseLoops();
  bool canFuse(unsigned outer, unsigned inner) const;
  void eraseLoop(unsigned loop);
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_LINEARNEST_H
