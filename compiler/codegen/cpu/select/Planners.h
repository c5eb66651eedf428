// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planners of products, reductions and elementwise work, behind KernelPlanner.h.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_PLANNERS_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_PLANNERS_H

#include "compiler/codegen/cpu/cost/KernelCost.h"

namespace plumb {

/// The plan with the fewest cycles among those that were offered.
class BestPlan {
public:
  void offer(const KernelPlan &plan, double cycles) {
    if (!best || cycles < best->cycles)
      best = CostedPlan{plan, cycles};
  }
  const std::optional<CostedPlan> &get() const { return best; }

private:
  std::optional<CostedPlan> best;
};

/// Offers the best plan of a contraction.
void planContraction(const KernelCost &cost, BestPlan &best);

/// Offers the best plan of another operation with reduction loops. Where `readsOnce`, tiles are limited so that memory
/// is read in few streams.
void planReduction(const KernelCost &cost, bool readsOnce, BestPlan &best);

/// Offers the best plan of an operation with parallel loops only.
void planElementwise(const KernelCost &cost, BestPlan &best);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_PLANNERS_H
