// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of the emission of one kernel, which the emitter and its collaborators (VectorLoads, Prefetcher,
// EpilogueEmitter) share: where operands are, and which block and register tile are being emitted.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMIT_KERNELSTATE_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMIT_KERNELSTATE_H

#include "compiler/codegen/cpu/analysis/LinearNest.h"
#include "compiler/codegen/cpu/emit/VectorMemory.h"
#include "compiler/codegen/cpu/plan/KernelPlan.h"
#include "compiler/target/CpuTarget.h"

namespace plumb {

/// The position of every operand, and of every loop whose index the body uses.
struct Point {
  llvm::SmallVector<Position> operands;
  llvm::SmallVector<Position> indices;
};

/// An operand as flat memory, and by loop its stride in the loops around register tiles and its stride within a tile.
struct FlatOperand {
  mlir::Value flat;
  llvm::SmallVector<int64_t> outer, inner;
};

/// One accumulator of a register tile, as constant steps from the tile's point.
struct AccumulatorSlot {
  /// Steps along the tiles of the plan.
  llvm::SmallVector<int64_t> steps;
  /// The first lane relative to the block's, and the number of lanes in use.
  int64_t firstLane = 0;
  int64_t width = 0;
};

struct KernelState {
  KernelState(mlir::OpBuilder &rewriter, mlir::linalg::LinalgOp op, const LinearNest &nest, const KernelPlan &plan,
              const CpuTarget &target);

  /// The point of `slot` in the register tile at `base`.
  Point pointOf(const Point &base, const AccumulatorSlot &slot) const;
  /// A vector of neutral elements for result `result` of `of`.
  mlir::Value makeNeutral(mlir::linalg::LinalgOp of, unsigned result);

  bool lanesReduce() const { return plan.combining.has_value(); }
  unsigned outputs() { return op.getNumDpsInits(); }
  unsigned outputOperand(unsigned result) { return op.getNumDpsInputs() + result; }

  mlir::ImplicitLocOpBuilder builder;
  mlir::linalg::LinalgOp op;
  const LinearNest &nest;
  const KernelPlan &plan;
  const CpuTarget &target;

  /// By access of the nest, and then those that prefetches add.
  llvm::SmallVector<FlatOperand> flatOperands;
  /// By loop: iterations of the current block.
  llvm::SmallVector<int64_t> extents;
  /// Whether the current blocks of outer reductions are the first or the last ones; null where no reduction is blocked.
  mlir::Value isFirstBlock, isLastBlock;
  /// Extents of the current register tile: lanes of its vectors, and counts.
  llvm::SmallVector<int64_t> widths;
  llvm::SmallVector<int64_t> counts;
  /// The accumulators of the current register tile, lanes varying fastest.
  llvm::SmallVector<AccumulatorSlot> slots;
};

/// Calls `join` with 0 and 1, 2 and 3, …, then 0 and 2, …, until all `sets` are joined into the first.
void forEachPair(int64_t sets, llvm::function_ref<void(int64_t, int64_t)> join);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMIT_KERNELSTATE_H
