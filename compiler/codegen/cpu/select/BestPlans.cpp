// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps a few plans, sorted.

#include "compiler/codegen/cpu/select/Planners.h"

#include "llvm/ADT/STLExtras.h"

using namespace plumb;

bool plumb::haveSameTile(const KernelPlan &a, const KernelPlan &b) {
  auto isSame = [](const RegisterTile &one, const RegisterTile &other) {
    return one.loop == other.loop && one.count == other.count;
  };
  return a.laneLoop == b.laneLoop && a.lanes == b.lanes && a.vectors == b.vectors && a.partials == b.partials &&
         a.skew.has_value() == b.skew.has_value() && llvm::equal(a.tiles, b.tiles, isSame);
}

void BestPlans::offer(const KernelPlan &plan, double cycles) {
  if (cycles >= getMaxCycles())
    return;
  unsigned alike = 0;
  auto last = best.end();
  for (auto other = best.begin(); other != best.end(); ++other)
    if (haveSameTile(other->plan, plan)) {
      ++alike;
      last = other;
    }
  if (alike >= limit.perTile) {
    if (last->cycles <= cycles)
      return;
    best.erase(last);
  }
  auto position = llvm::find_if(best, [&](const CostedPlan &other) { return cycles < other.cycles; });
  best.insert(position, {plan, cycles});
  if (best.size() > limit.plans)
    best.pop_back();
}
