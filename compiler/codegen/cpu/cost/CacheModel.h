// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cycles that a plan's order of loops waits for memory. For each cache, the model finds the outermost depth from which
// on the loops access no more than the cache holds. The loops around it fetch these lines once per iteration, except
// that a loop which does not move an operand reuses it in all of its iterations.
//
// The model counts lines, not elements. Lines whose distance is a multiple of the cache's way size occupy more of the
// cache than their number says, since only some sets can hold them. Prefetched lines cost a part of a miss, likewise
// lines of the next block that L2 receives while the current one is used. Pages are
// counted as lines are: rows that lie far apart are many pages, and a translation that is not in the TLB takes time.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_COST_CACHEMODEL_H
#define PLUMB_COMPILER_CODEGEN_CPU_COST_CACHEMODEL_H

#include "compiler/codegen/cpu/cost/KernelCost.h"

namespace plumb {

/// Cost of loop orders for one operation.
class CacheModel {
public:
  explicit CacheModel(const KernelCost &cost);

  /// Cycles of cache and TLB misses and of copies into panels.
  double getCycles(const KernelPlan &plan);

private:
  /// Memory that the nest reads or writes for one operand. An operand that is copied has two streams: the source, which
  /// no loop from `until` on reads, and the panel, which no loop before `from` moves.
  struct Stream {
    llvm::SmallVector<int64_t> outer, inner;
    int64_t bytes = 4;
    unsigned from = 0, until = ~0u;
    double passes = 1;
    /// Whether the plan prefetches its lines.
    bool isPrefetched = false;
    /// The depth of the loop whose next iteration's lines the plan prefetches into L2.
    std::optional<unsigned> blockDepth;
  };
  /// A number of lines, and how many lines of a cache they occupy, conflicts included.
  struct Lines {
    double count = 0, room = 0;
  };

  /// The stride of a loop in elements, and its iterations.
  struct Step {
    int64_t stride, count;
  };

  void setPlan(const KernelPlan &plan);
  void addStreams(const KernelPlan &plan, unsigned operand);
  llvm::SmallVector<Step, 8> getSteps(const Stream &stream, unsigned depth) const;
  double countPages(const Stream &stream, unsigned depth) const;
  double getPageMissCycles() const;
  Lines countLines(const Stream &stream, unsigned depth, const CacheLevel &cache) const;
  unsigned findFit(const CacheLevel &cache) const;
  double getMissCycles(const CacheLevel &cache) const;
  double getMissShare(const Stream &stream, unsigned depth, const CacheLevel &cache) const;
  double getCopyCycles(const KernelPlan &plan, PackedPanel panel) const;

  const KernelCost &cost;
  const LinearNest &nest;
  const MachineModel &machine;
  /// Of the current plan, by depth: iterations by loop from there on, and the product of the trip counts of the loops
  /// before.
  llvm::SmallVector<llvm::SmallVector<int64_t>> extents;
  llvm::SmallVector<double> trips;
  /// By loop: iterations that a register tile holds.
  llvm::SmallVector<int64_t> held;
  llvm::SmallVector<Stream> streams;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_COST_CACHEMODEL_H
