// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of loops that a plan starts from.

#include "compiler/codegen/cpu/plan/KernelPlan.h"

using namespace mlir;
using namespace plumb;

void plumb::setDefaultOrder(KernelPlan &plan, const LinearNest &nest) {
  auto isTiled = [&](unsigned loop) {
    return llvm::any_of(plan.tiles, [&](const RegisterTile &tile) { return tile.loop == loop; });
  };
  plan.order.clear();
  plan.reductions.clear();
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    if (loop == plan.laneLoop || isTiled(loop))
      continue;
    if (nest.isParallel(loop))
      plan.order.push_back({loop, 1});
    else
      plan.reductions.push_back(loop);
  }
  if (nest.isParallel(plan.laneLoop))
    plan.order.push_back({plan.laneLoop, plan.lanes * plan.vectors});
  for (const RegisterTile &tile : plan.tiles)
    plan.order.push_back({tile.loop, tile.count});
}
