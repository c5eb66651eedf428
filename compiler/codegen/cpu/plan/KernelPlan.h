// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one loop nest becomes vector code: selection writes it, emission reads it.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_PLAN_KERNELPLAN_H
#define PLUMB_COMPILER_CODEGEN_CPU_PLAN_KERNELPLAN_H

#include "compiler/codegen/cpu/analysis/LinearNest.h"
#include "compiler/codegen/cpu/analysis/OpFacts.h"

namespace plumb {

/// A register tile's extent along one parallel loop: `count` iterations in registers at once.
struct RegisterTile {
  unsigned loop;
  int64_t count;
};

/// A loop around register tiles, of `step` iterations of `loop` each.
struct OuterLoop {
  unsigned loop;
  int64_t step;
};

/// An input that is copied into a dense panel: the part of it that the loops from `order[depth]` on read.
struct PackedPanel {
  unsigned operand;
  unsigned depth;
};

/// An input whose next block, the one of the next iteration of `order[depth]`, is prefetched while the loops inside use
/// the current one.
struct BlockPrefetch {
  unsigned operand;
  unsigned depth;
};

/// How one nest becomes vector code.
struct KernelPlan {
  /// The skew to apply to the nest first: the plan is one for the skewed nest.
  std::optional<LoopSkew> skew;
  /// The loop whose iterations are lanes.
  unsigned laneLoop = 0;
  /// Lanes of a vector, a power of two.
  int64_t lanes = 0;
  /// Vectors along `laneLoop` in a register tile (1 for a reduction).
  int64_t vectors = 1;
  /// The other parallel loops of a register tile.
  llvm::SmallVector<RegisterTile> tiles;
  /// All loops around a register tile, from the outside in. The last entry of each parallel loop steps by the tile's
  /// extent: the lanes of its vectors, the tile's count, or one iteration. Earlier entries, and entries of reduction
  /// loops, step by blocks, whose operands should stay in a cache.
  llvm::SmallVector<OuterLoop> order;
  llvm::SmallVector<PackedPanel> panels;
  /// Reduction loops inside a register tile, from the outside in; the lane loop, if it is a reduction, comes after
  /// them.
  llvm::SmallVector<unsigned> reductions;
  /// Inputs whose lines the innermost reduction prefetches some iterations before their use.
  llvm::SmallVector<unsigned> prefetchedInputs;
  llvm::SmallVector<BlockPrefetch> blockPrefetches;
  /// Outputs of elementwise operations whose lines are prefetched before they are written.
  llvm::SmallVector<unsigned> prefetchedOutputs;
  /// By loop: the unroll factor of a reduction loop.
  llvm::SmallVector<int64_t> unroll;
  /// Operands that are accessed along the only tile's loop and transposed in registers: inputs after they are loaded,
  /// outputs before they are stored.
  llvm::SmallVector<unsigned> transposed;
  /// Whether the outputs interleave the lanes with the only tile's loop, of two iterations: pairs of vectors are
  /// interleaved and stored contiguously.
  bool interleavesOutputs = false;
  /// By result, how lanes combine; set when `laneLoop` is a reduction.
  std::optional<CombiningKinds> combining;
  /// Sets of accumulators that successive iterations of the innermost reduction alternate between.
  int64_t partials = 1;
  /// Whether inputs of zero leave accumulators unchanged, so that lanes masked by a load need no second mask.
  bool zeroIsNeutral = false;
};

/// Sets the default order: parallel loops in the order of the nest, then the lane loop, then the tiles; reduction loops
/// in the order of the nest.
void setDefaultOrder(KernelPlan &plan, const LinearNest &nest);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_PLAN_KERNELPLAN_H
