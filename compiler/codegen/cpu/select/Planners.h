// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planners of products, reductions and elementwise work, behind KernelPlanner.h.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_PLANNERS_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_PLANNERS_H

#include "compiler/codegen/cpu/cost/KernelCost.h"

#include <limits>
#include <vector>

namespace plumb {

/// How many of an operation's best plans are wanted.
struct PlanLimit {
  /// Plans in all.
  unsigned plans = 1;
  /// Plans of one register tile, which differ in what is around it.
  unsigned perTile = 1;
};

/// Whether two plans have the same lanes and register tile.
bool haveSameTile(const KernelPlan &a, const KernelPlan &b);

/// The plans with the fewest cycles among those that were offered, in ascending order of cycles.
class BestPlans {
public:
  explicit BestPlans(PlanLimit limit) : limit(limit) {}

  void offer(const KernelPlan &plan, double cycles);
  /// Plans with as many cycles or more are of no use.
  double getMaxCycles() const {
    return best.size() < limit.plans ? std::numeric_limits<double>::infinity() : best.back().cycles;
  }
  const std::vector<CostedPlan> &get() const { return best; }
  PlanLimit getLimit() const { return limit; }

private:
  PlanLimit limit;
  std::vector<CostedPlan> best;
};

/// The plans with the fewest cycles of any operation whose body maps to vectors, in ascending order of cycles. None
/// where no loop can provide the lanes; ConvertRemainingToLoops converts such operations. The first one, which is
/// planKernel's, is the same whatever the limit.
std::vector<CostedPlan> rankPlans(mlir::linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target,
                                  PlanLimit limit);

/// Offers the best plans of a contraction.
void planContraction(const KernelCost &cost, BestPlans &best);

/// Offers the best plans of another operation with reduction loops. Where an input is read without reuse, or in windows
/// that overlap, tiles are limited so that memory is read in few streams.
void planReduction(const KernelCost &cost, std::optional<unsigned> readOnce, BestPlans &best);

/// Offers the best plans of an operation with parallel loops only.
void planElementwise(const KernelCost &cost, BestPlans &best);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_PLANNERS_H
