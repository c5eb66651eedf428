// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and convolutions.

#include "compiler/codegen/cpu/TileSearch.h"

using namespace plumb;

void plumb::planContraction(const KernelPricing &pricing, BestPlan &best) {
  searchTiles(pricing, best);
}
