// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linalg operation on static memrefs as a nest of counted loops whose operands are accessed at linear functions of
// the loop indices.
//
//   linalg.generic over (n, c, h, w)     sizes   = [8, 6, 28, 28]
//     x[n, c, h, w], b[c] -> y           strides = [[4704, 784, 28, 1],
//                                                   [0, 1, 0, 0], …]
//
// In this form a layout, a broadcast, a convolution's window, stride and dilation and a reversal differ in nothing but
// strides, so the planners and emitters need no names of operations.
//
// A halo (`device.halo`) is looked through: the access is one of the halo's source, and a bound says which iterations
// read an element that exists: x[h + i − 1] exists for 0 ≤ h + i − 1 < rows. The others would multiply by zero.
//
// Loops of one iteration are dropped, and loops whose accesses are contiguous across each other are fused: (8, 6, 28,
// 28) with b becomes (8, 6, 784). A reduction along which a sliding window moves is not fused.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_ANALYSIS_LINEARNEST_H
#define PLUMB_COMPILER_CODEGEN_CPU_ANALYSIS_LINEARNEST_H

#include "dialects/device/ir/Device.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace plumb {

/// The access of one operand: element = offset + Σ strides[loop] · index[loop].
struct LinearAccess {
  /// The offset from the memref's first element.
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// The iterations [from, to) of a loop; empty where from ≥ to.
struct IterationRange {
  int64_t from, to;
};

/// Restricts a nest to the iterations with
///   0 ≤ start + parallelStep · index[parallel] + reductionStep · index[reduction] < extent
struct LinearBound {
  unsigned parallel, reduction;
  int64_t parallelStep, reductionStep;
  int64_t start, extent;

  bool contains(int64_t parallelIndex, int64_t reductionIndex) const {
    int64_t position = start + parallelStep * parallelIndex + reductionStep * reductionIndex;
    return 0 <= position && position < extent;
  }
  /// The subset of `size` reduction iterations that exist at a parallel index.
  IterationRange reductionRange(int64_t parallelIndex, int64_t size) const {
    return range(start + parallelStep * parallelIndex, reductionStep, size);
  }
  /// The subset of `size` parallel iterations that exist at a reduction index.
  IterationRange parallelRange(int64_t reductionIndex, int64_t size) const {
    return range(start + reductionStep * reductionIndex, parallelStep, size);
  }

private:
  IterationRange range(int64_t first, int64_t step, int64_t size) const;
};

/// A parallel loop whose iterations are pooled in groups of `size`: an operation after the nest reduces each group to
/// one element.
struct PoolingWindow {
  unsigned loop;
  int64_t size;

  bool operator==(const PoolingWindow &other) const { return loop == other.loop && size == other.size; }
};

/// A parallel and a reduction loop that move an operand together: its address stays the same when `parallel` takes one
/// step forward and `reduction` takes `ratio` steps back.
struct LoopSkew {
  unsigned parallel, reduction;
  int64_t ratio;
};

/// A perfect nest of counted loops with linear accesses.
struct LinearNest {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<mlir::utils::IteratorType> kinds;
  /// By operand of the operation; all strides of a scalar operand are zero.
  llvm::SmallVector<LinearAccess> accesses;
  llvm::SmallVector<LinearBound> bounds;
  llvm::SmallVector<PoolingWindow> windows;

  /// Builds the nest of `op`. Fails for dynamic shapes, dynamic strides, indexing maps with divisions or remainders,
  /// and outputs that a reduction loop moves. Loops are simplified unless the body uses their indices.
  static mlir::FailureOr<LinearNest> get(mlir::linalg::LinalgOp op);
  /// The same without simplification: the loops are those of `op`.
  static mlir::FailureOr<LinearNest> read(mlir::linalg::LinalgOp op);
  /// Drops loops of one iteration and fuses contiguous ones. Accesses beyond those of `op`'s operands count, too.
  void simplify();

  /// The nest after loop skewing: `reduction` counts positions of the operand that both loops of `skew` move.
  ///
  ///   w[k] += x[p + k] · y[p], 0 ≤ p < P
  ///     → w[k] += x[c] · y[c − k], 0 ≤ c − k < P
  ///
  /// Fails where bounds of other loops would have to be skewed.
  mlir::FailureOr<LinearNest> skew(const LoopSkew &skew) const;

  /// The buffer that `accesses` of an operand are relative to: a halo's source, else the operand.
  static mlir::Value getBuffer(mlir::Value operand);

  unsigned loops() const { return sizes.size(); }
  bool isParallel(unsigned loop) const { return kinds[loop] == mlir::utils::IteratorType::parallel; }
  int64_t stride(unsigned operand, unsigned loop) const { return accesses[operand].strides[loop]; }

  /// Whether every iteration of the loops that move `operand` accesses an element of
  /// its own, so that a copy needs no more memory than its source.
  bool isInjective(unsigned operand) const;

  /// The bound of which `loop` is the parallel or the reduction loop, or null.
  const LinearBound *findBound(unsigned loop) const;
  /// The pooling window along `loop`, or null.
  const PoolingWindow *findWindow(unsigned loop) const;

private:
  mlir::LogicalResult addOperand(mlir::OpOperand &operand, mlir::AffineMap map);
  mlir::LogicalResult addBound(llvm::ArrayRef<int64_t> steps, int64_t start, int64_t extent);
  mlir::LogicalResult resolveBounds();
  void restrictLoop(unsigned loop, IterationRange range);
  bool scatters(unsigned inputs) const;
  void dropUnitLoops();
  void fuseLoops();
  bool canSkew(unsigned loop) const;
  bool canFuse(unsigned outer, unsigned inner) const;
  void eraseLoop(unsigned loop);
};

/// Elements from the first to the last of a memref of static strides, both included.
int64_t getSpan(mlir::MemRefType type);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_ANALYSIS_LINEARNEST_H
