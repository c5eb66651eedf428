// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans sums, maxima and pooling: reduction loops around any body.

#include "compiler/codegen/cpu/select/Planners.h"
#include "compiler/codegen/cpu/select/TileSearch.h"

using namespace plumb;

/// Cycles of a plan of overlapping windows, whose tiles that step far in memory read several places at a time.
static double addStrides(const KernelCost &cost, const KernelPlan &plan, double cycles) {
  for (const RegisterTile &tile : plan.tiles)
    cycles *= cost.getStrideFactor(tile);
  return cycles;
}

void plumb::planReduction(const KernelCost &cost, std::optional<unsigned> readOnce, BestPlans &best) {
  bool overlaps = readOnce && !cost.nest.isInjective(*readOnce);
  int64_t maxStreams = cost.target.machine.maxReductionStreams;
  searchTiles(cost, false, [&](const KernelPlan &plan, double cycles) {
    if (!readOnce || (getFullShape(plan).accumulators() <= maxStreams && cost.spreadsOverSets(plan)))
      best.offer(plan, overlaps ? addStrides(cost, plan, cycles) : cycles);
  });
}
