// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans sums, maxima and pooling: reduction loops around any body.

#include "compiler/codegen/cpu/select/Planners.h"
#include "compiler/codegen/cpu/select/TileSearch.h"

using namespace plumb;

/// Accumulators that read separate streams: processors track about thirty streams, and pooling windows need several for
/// each accumulator.
constexpr int64_t kMaxStreams = 8;

void plumb::planReduction(const KernelCost &cost, bool readsOnce, BestPlans &best) {
  searchTiles(cost, false, [&](const KernelPlan &plan, double cycles) {
    if (!readsOnce || getFullShape(plan).accumulators() <= kMaxStreams)
      best.offer(plan, cycles);
  });
}
