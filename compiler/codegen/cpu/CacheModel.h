// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan's order of loops costs in waiting for memory. For each cache, the
// outermost depth is sought whose loops touch no more than the cache holds: what
// they touch is then fetched once per turn of the loops around, and once more
// for all turns of the loop right around if that loop does not move it.
//
// Lines are counted, not elements, and lines whose distance is a multiple of a
// cache's size per way take more room than they have: only some of its sets
// serve them. Lines that a plan asks for ahead of time are mostly there when they
// are read. Pages are counted as lines are: a core finds those at once that it has
// touched last, and rows that lie far apart are many pages.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_CACHEMODEL_H
#define PLUMB_COMPILER_CODEGEN_CPU_CACHEMODEL_H

#include "compiler/codegen/cpu/KernelPricing.h"

namespace plumb {

/// Prices orders of loops for one operation.
class CacheModel {
public:
  explicit CacheModel(const KernelPricing &pricing);

  /// Cycles spent waiting for lines, and copying them into panels.
  double price(const KernelPlan &plan);

private:
  /// Memory that an operand is read from or written to. An operand that is
  /// copied has two: the source, which no loop from `until` on reads, and the
  /// panel, which no loop before `from` moves.
  struct Stream {
    llvm::SmallVector<int64_t> outer, inner;
    int64_t bytes = 4;
    unsigned from = 0, until = ~0u;
    double passes = 1;
    /// Whether its lines are asked for ahead of time.
    bool ahead = false;
  };
  /// Lines, and how many of a cache they keep from others.
  struct Lines {
    double count = 0, room = 0;
  };

  /// Elements from one iteration of a loop to the next, and iterations.
  struct Step {
    int64_t stride, count;
  };

  void setPlan(const KernelPlan &plan);
  void addStreams(const KernelPlan &plan, unsigned operand);
  llvm::SmallVector<Step, 8> getSteps(const Stream &stream, unsigned depth) const;
  double countPages(const Stream &stream, unsigned depth) const;
  double pricePages() const;
  Lines countLines(const Stream &stream, unsigned depth,
                   const CacheLevel &cache) const;
  unsigned findFit(const CacheLevel &cache) const;
  double priceLevel(const CacheLevel &cache) const;
  double priceCopy(const KernelPlan &plan, PackedPanel panel) const;

  const KernelPricing &pricing;
  const LinearNest &nest;
  /// Of the plan in hand, by depth: iterations by loop from there on, and turns
  /// of the loops before.
  llvm::SmallVector<llvm::SmallVector<int64_t>> extents;
  llvm::SmallVector<double> turns;
  /// By loop: iterations in registers.
  llvm::SmallVector<int64_t> held;
  llvm::SmallVector<Stream> streams;
};

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_CACHEMODEL_H
