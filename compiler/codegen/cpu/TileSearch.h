// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search that products and reductions share: every loop that can be lanes,
// every number of vectors, every pair of register tiles.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_TILESEARCH_H
#define PLUMB_COMPILER_CODEGEN_CPU_TILESEARCH_H

#include "compiler/codegen/cpu/KernelPricing.h"

namespace plumb {

using OfferPlan = llvm::function_ref<void(const KernelPlan &, double cycles)>;

/// Offers all plans that fit. For bodies with reduction loops. With `mayPack`,
/// inputs whose neighbours do not lie along the lanes are taken for packed, and
/// stand among the plan's panels.
void searchTiles(const KernelPricing &pricing, bool mayPack, OfferPlan offer);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_TILESEARCH_H
