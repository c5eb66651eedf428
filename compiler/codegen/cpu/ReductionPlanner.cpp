// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, maxima, pooling windows: reduction loops around any body.

#include "compiler/codegen/cpu/TileSearch.h"

using namespace plumb;

void plumb::planReduction(const KernelPricing &pricing, BestPlan &best) {
  searchTiles(pricing, false, [&](const KernelPlan &plan, double cycles) {
    best.offer(plan, cycles);
  });
}
