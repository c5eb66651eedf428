// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, maxima, pooling windows: reduction loops around any body.

#include "compiler/codegen/cpu/TileSearch.h"

using namespace plumb;

/// Accumulators whose inputs stream in together: processors follow some thirty streams, and a window of a pooling has
/// several for each accumulator.
constexpr int64_t kMostStreams = 8;

void plumb::planReduction(const KernelPricing &pricing, bool readsOnce, BestPlan &best) {
  searchTiles(pricing, false, [&](const KernelPlan &plan, double cycles) {
    if (!readsOnce || getWholeShape(plan).cells() <= kMostStreams)
      best.offer(plan, cycles);
  });
}
