// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the prefetches of a plan: inputs and outputs of later register tiles, operands of the epilogue during the
// reduction before it, and the next block of a panel or of a batch.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_EMIT_PREFETCHER_H
#define PLUMB_COMPILER_CODEGEN_CPU_EMIT_PREFETCHER_H

#include "compiler/codegen/cpu/emit/KernelState.h"
#include "compiler/codegen/cpu/plan/Epilogue.h"

#include <set>

namespace plumb {

struct BlockRows;

/// A memory access at the end of a register tile.
struct LateAccess {
  unsigned access;
  bool reads, writes;
};

class Prefetcher {
public:
  Prefetcher(KernelState &state, const Epilogue &epilogue)
      : state(state), builder(state.builder), nest(state.nest), plan(state.plan), epilogue(epilogue) {}

  /// Adds the operands that the prefetches of next blocks need, and their positions at iteration zero.
  void addOperands(Point &point);
  /// Must be called when emission enters or leaves `depth` of the plan's loops.
  void changeDepth(unsigned depth);

  /// Prefetches the inputs that the plan names for a later iteration of the innermost reduction.
  void prefetchInputs(const Point &point);
  /// Prefetches the outputs of later register tiles.
  void prefetchOutputs(const Point &point);
  /// Prefetches the operands of this tile's epilogue at once, if the reduction is too short to do it row by row.
  void prefetchTile(const Point &point);
  /// Prefetches the row of `accesses` at `point`.
  void prefetchRow(const Point &point, llvm::ArrayRef<LateAccess> accesses);
  /// Prefetches this iteration's lines of the next blocks, or one of `parts` equal parts of them.
  void prefetchNextBlocks(const Point &point, mlir::Value part = {}, int64_t parts = 1);

  /// Whether the outermost reduction takes long enough to prefetch the operands of the epilogue between its iterations.
  bool prefetchesInReduction() const;
  /// The memory that the end of a tile accesses, row by row of the register tile: operands of the epilogue, and results
  /// that exceed L1.
  llvm::SmallVector<LateAccess> findLateAccesses() const;
  /// The parts of the only reduction between which next blocks are prefetched; one if it is too short, or there are few
  /// lines.
  int64_t countBlockParts() const;

private:
  /// The prefetches of a next block: the number of the flat operand of its first element, followed by one that counts
  /// elements; the depth of the loop whose next iteration uses it; elements of a line, and elements per iteration; the
  /// elements of a row, and from the start of a row to the next one's (zero if there is only one).
  struct NextBlock {
    unsigned operand, depth;
    int64_t line, elements, row, distance;
  };

  void prefetch(unsigned access, mlir::Value dynamic, const std::set<int64_t> &addresses, bool isWrite = false);
  void prefetchLine(unsigned operand, Position address, unsigned locality, bool isWrite = false);
  void addNextBlock(BlockPrefetch next, Point &point);
  NextBlock distribute(BlockPrefetch next, const BlockRows &rows,
                       llvm::ArrayRef<std::pair<OuterLoop, int64_t>> trips) const;
  Position findInBlock(const NextBlock &next, const Point &point, Position at);

  KernelState &state;
  mlir::ImplicitLocOpBuilder &builder;
  const LinearNest &nest;
  const KernelPlan &plan;
  const Epilogue &epilogue;
  llvm::SmallVector<NextBlock> nextBlocks;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_EMIT_PREFETCHER_H
