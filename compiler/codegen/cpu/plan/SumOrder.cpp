// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of additions that a plan implies. An accumulator adds its terms in the order of the reduction loops, so
// lanes along parallel loops, register tiles and the loops around them do not matter, but for sums that an epilogue
// adds tile by tile.

#include "compiler/codegen/cpu/plan/PlanAttribute.h"

using namespace mlir;
using namespace plumb;

/// The pairs of numbers in a list of structures of two.
template <typename Pairs> static SmallVector<std::pair<int64_t, int64_t>> getPairs(const Pairs &pairs) {
  SmallVector<std::pair<int64_t, int64_t>> numbers;
  for (auto [first, second] : pairs)
    numbers.push_back({first, second});
  return numbers;
}

static bool haveSameSkew(const KernelPlan &a, const KernelPlan &b) {
  if (!a.skew || !b.skew)
    return !a.skew && !b.skew;
  return a.skew->parallel == b.skew->parallel && a.skew->reduction == b.skew->reduction &&
         a.skew->ratio == b.skew->ratio;
}

/// The reductions among the loops around register tiles.
static SmallVector<std::pair<int64_t, int64_t>> getBlocks(const PlannedOp &planned) {
  SmallVector<OuterLoop> blocks(planned.plan.order);
  llvm::erase_if(blocks, [&](const OuterLoop &outer) { return planned.nest.isParallel(outer.loop); });
  return getPairs(blocks);
}

/// Whether the accumulators of the operation itself add in the same order.
static bool accumulateAlike(const PlannedOp &a, const PlannedOp &b) {
  auto isReduction = [](utils::IteratorType kind) { return kind == utils::IteratorType::reduction; };
  unsigned reductions = llvm::count_if(a.nest.kinds, isReduction);
  if (reductions == 0)
    return true;
  bool combines = a.plan.combining || b.plan.combining;
  if (combines && (a.plan.laneLoop != b.plan.laneLoop || a.plan.lanes != b.plan.lanes))
    return false;
  bool isUnrolledAlike = a.plan.unroll == b.plan.unroll;
  if (a.plan.partials != b.plan.partials || (a.plan.partials > 1 && !isUnrolledAlike))
    return false;
  // A single loop runs in ascending order, in blocks or not.
  if (reductions == 1)
    return true;
  return isUnrolledAlike && getBlocks(a) == getBlocks(b) && a.plan.reductions == b.plan.reductions;
}

static bool folds(const PlannedOp &planned) {
  return llvm::any_of(planned.epilogue.ops, [](const EpilogueOp &fused) { return fused.folds; });
}

bool plumb::addInSameOrder(const PlannedOp &a, const PlannedOp &b) {
  if (!haveSameSkew(a.plan, b.plan) || !accumulateAlike(a, b))
    return false;
  if (!folds(a) && !folds(b))
    return true;
  return a.epilogue.ops.size() == b.epilogue.ops.size() && a.plan.laneLoop == b.plan.laneLoop &&
         a.plan.lanes == b.plan.lanes && a.plan.vectors == b.plan.vectors &&
         getPairs(a.plan.tiles) == getPairs(b.plan.tiles) && getPairs(a.plan.order) == getPairs(b.plan.order);
}
