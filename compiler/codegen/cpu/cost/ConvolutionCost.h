// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cycles and registers of plans for convolutions, in which overlapping windows share loads. A sliding window is a pair
// of a parallel and a reduction loop that move an input together. Where the reduction is much the longer one (the rows
// and columns of backward weights), the window is called a row.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_COST_CONVOLUTIONCOST_H
#define PLUMB_COMPILER_CODEGEN_CPU_COST_CONVOLUTIONCOST_H

#include "compiler/codegen/cpu/cost/KernelCost.h"

namespace plumb {

/// A parallel and a reduction loop that move an input together.
struct Window {
  unsigned parallel, reduction;
};

/// Cost of plans for one convolution.
class ConvolutionCost {
public:
  explicit ConvolutionCost(const KernelCost &cost);

  /// Whether accumulators, all of one input's vectors of an iteration (except in rows) and some of the other input's
  /// fit in the registers.
  bool fits(const KernelPlan &plan) const;
  /// Whether accumulators and the vectors that have more than one use in an iteration fit in the registers, in the
  /// order of emission.
  bool holds(const KernelPlan &plan) const;
  /// Cycles of the whole operation when its operands are in L1.
  double getCycles(const KernelPlan &plan) const;
  /// Cycles of all reduction iterations of a tile of that shape.
  double getReductionCycles(const KernelPlan &plan, const TileShape &shape) const;
  /// Iterations that are emitted one after the other for each accumulator.
  int64_t countUnrolled(const KernelPlan &plan) const;
  /// The factor by which a reduction that the plan does not unroll is unrolled anyway, so that the loop's own
  /// instructions cost little beside a short body.
  int64_t countRepeats(const KernelPlan &plan, unsigned reduction) const;
  /// The reduction with the smallest stride, the lane loop excepted; nothing where there is none.
  std::optional<unsigned> findInnermost(const KernelPlan &plan) const;
  /// Whether each iteration of `reduction`, a tap, is a contraction with a long sum of its own, because there are too
  /// few registers to share loads.
  bool hasLongIterations(const KernelPlan &plan, unsigned reduction) const;
  /// Whether a tile covers the parallel loop of a row.
  bool hasRow(const KernelPlan &plan) const;
  /// Whether a window's reduction is much longer than its parallel loop.
  bool isRow(const Window &window) const;
  /// The loops of the innermost row that loop skewing can reindex.
  std::optional<LoopSkew> findSkew() const;

  const KernelCost &cost;
  llvm::SmallVector<Window> windows;

private:
  int64_t countVectors(const KernelPlan &plan, unsigned input, const TileShape &shape) const;
  llvm::SmallVector<int64_t> listAddresses(const KernelPlan &plan, unsigned input) const;
  double getIterationCycles(const KernelPlan &plan, const TileShape &shape) const;
  bool takesTaps(const KernelPlan &plan) const;
  double getChainCycles(const KernelPlan &plan) const;
  const LinearBound *findRow(const KernelPlan &plan) const;
  double countIterations(const KernelPlan &plan) const;
  int64_t countVariants(const RegisterTile &tile) const;

  const LinearNest &nest;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_COST_CONVOLUTIONCOST_H
