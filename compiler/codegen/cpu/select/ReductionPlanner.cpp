// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans sums, maxima and pooling: reduction loops around any body.

#include "compiler/codegen/cpu/select/Planners.h"
#include "compiler/codegen/cpu/select/TileSearch.h"

using namespace plumb;

void plumb::planReduction(const KernelCost &cost, bool readsOnce, BestPlans &best) {
  searchTiles(cost, false, [&](const KernelPlan &plan, double cycles) {
    if (!readsOnce || getFullShape(plan).accumulators() <= cost.target.machine.maxReductionStreams)
      best.offer(plan, cycles);
  });
}
