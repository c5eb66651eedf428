// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From strides to requests.

#include "compiler/codegen/cpu/StreamPlanner.h"

#include "compiler/codegen/cpu/PanelLayout.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

constexpr int64_t kLineBytes = 64;
/// Shorter reductions are over before a request is answered.
constexpr int64_t kLeastIterations = 16;

namespace {
/// Looks at one plan's inputs.
class StreamPlanner {
public:
  StreamPlanner(const KernelPricing &pricing, const KernelPlan &plan)
      : pricing(pricing), nest(pricing.nest), plan(plan) {}

  bool isStream(unsigned input);

private:
  SmallVector<int64_t> getExtents(unsigned depth) const;
  bool stays(unsigned input, ArrayRef<int64_t> extents, int64_t lines) const;

  const KernelPricing &pricing;
  const LinearNest &nest;
  const KernelPlan &plan;
};
} // namespace

/// Iterations by loop from `order[depth]` on.
SmallVector<int64_t> StreamPlanner::getExtents(unsigned depth) const {
  SmallVector<int64_t> extents = nest.sizes;
  for (const OuterLoop &entry : ArrayRef(plan.order).take_front(depth))
    extents[entry.loop] = std::min(extents[entry.loop], entry.step);
  return extents;
}

/// Whether half of the nearest cache holds what a register tile reads, and the
/// next tile reads it again; or all of it anyway.
bool StreamPlanner::stays(unsigned input, ArrayRef<int64_t> extents,
                          int64_t lines) const {
  const CacheLevel &cache = pricing.target.caches[0];
  int64_t room = cache.sets * cache.ways / 2;
  for (unsigned loop : plan.reductions)
    if (nest.stride(input, loop) != 0)
      lines *= extents[loop];
  if (lines > room)
    return false;
  bool isMoved =
      plan.order.empty() || nest.stride(input, plan.order.back().loop) != 0;
  auto type = cast<MemRefType>(pricing.op->getOperand(input).getType());
  int64_t bytes = type.getNumElements() * pricing.elementBits / 8;
  return !isMoved || bytes <= room * kLineBytes;
}

bool StreamPlanner::isStream(unsigned input) {
  if (!isa<MemRefType>(pricing.op->getOperand(input).getType()))
    return false;
  unsigned inner = plan.reductions.back();
  SmallVector<int64_t> extents = getExtents(plan.order.size());
  int64_t stride = nest.stride(input, inner);
  int64_t perLine = kLineBytes * 8 / pricing.elementBits;
  for (const PackedPanel &panel : plan.panels)
    if (panel.operand == input)
      stride = PanelLayout::get(nest, plan, input, getExtents(panel.depth))
                   .inner[inner];
  if (std::abs(stride) < perLine || extents[inner] < kLeastIterations)
    return false;
  int64_t lines = 1;
  if (nest.stride(input, plan.laneLoop) != 0)
    lines = llvm::divideCeil(plan.lanes * plan.vectors, perLine);
  return !stays(input, extents, lines);
}

SmallVector<unsigned> plumb::findStreams(const KernelPricing &pricing,
                                         const KernelPlan &plan) {
  SmallVector<unsigned> streams;
  if (plan.combining || plan.reductions.empty())
    return streams;
  StreamPlanner planner(pricing, plan);
  for (unsigned input = 0; input < pricing.inputs; ++input)
    if (planner.isStream(input))
      streams.push_back(input);
  return streams;
}
