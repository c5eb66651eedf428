// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search that contractions and reductions share: every lane loop, every number of vectors, every pair of register
// tiles.

#ifndef PLUMB_COMPILER_CODEGEN_CPU_SELECT_TILESEARCH_H
#define PLUMB_COMPILER_CODEGEN_CPU_SELECT_TILESEARCH_H

#include "compiler/codegen/cpu/cost/KernelCost.h"

namespace plumb {

using OfferPlan = llvm::function_ref<void(const KernelPlan &, double cycles)>;

/// Offers all plans that fit, for bodies with reduction loops. With `mayPack`, inputs that are not contiguous along the
/// lanes are assumed to be packed and listed among the plan's panels.
void searchTiles(const KernelCost &cost, bool mayPack, OfferPlan offer);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_CPU_SELECT_TILESEARCH_H
