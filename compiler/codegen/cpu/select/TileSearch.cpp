// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerates lane loops, vectors per tile and register tiles: a few thousand cheap evaluations per operation.

#include "compiler/codegen/cpu/select/TileSearch.h"

#include "compiler/codegen/cpu/plan/PanelLayout.h"
#include "compiler/codegen/cpu/plan/Tiles.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Larger tiles only increase code size.
constexpr int64_t kMaxSteps = 14;
constexpr int64_t kMaxVectors = 4;
constexpr int64_t kMaxPartials = 8;
/// Copies of the body in one iteration of the innermost loop.
constexpr int64_t kMaxCopies = 160;
/// The same where iterations follow rows, so that addresses of copies differ in constants only.
constexpr int64_t kMaxInRow = 112;
/// Iterations of a contraction that justify so much code.
constexpr int64_t kManyIterations = int64_t(1) << 21;

namespace {

/// Searches the plans of one operation.
class TileSearch {
public:
  TileSearch(const KernelCost &cost, OfferPlan offer) : cost(cost), nest(cost.nest), offer(offer) {}

  void tryLanes(unsigned loop, bool mayPack);

private:
  void consider(KernelPlan &plan);
  int64_t getMaxPartials(const KernelPlan &plan) const;
  void chooseUnroll(KernelPlan &plan) const;
  bool walksRows(const KernelPlan &plan, unsigned loop) const;

  const KernelCost &cost;
  const LinearNest &nest;
  OfferPlan offer;
};

} // namespace

void TileSearch::tryLanes(unsigned loop, bool mayPack) {
  KernelPlan plan = cost.startPlan(loop);
  for (unsigned input = 0; input < cost.inputs; ++input)
    if (mayPack && !plan.combining && nest.stride(input, loop) > 1 && nest.isInjective(input))
      plan.panels.push_back({input, 0});
  int64_t blocks = llvm::divideCeil(nest.sizes[loop], plan.lanes);
  int64_t maxVectors = plan.combining ? 1 : std::min(kMaxVectors, blocks);
  for (plan.vectors = 1; plan.vectors <= maxVectors; ++plan.vectors)
    enumerateTiles(nest, plan,
                   {kMaxSteps, [&](const KernelPlan &tiled) { return cost.fits(tiled); },
                    [&](KernelPlan &tiled) { consider(tiled); }});
}

void TileSearch::consider(KernelPlan &plan) {
  for (plan.partials = 1; plan.partials <= getMaxPartials(plan); plan.partials *= 2) {
    if (!cost.fits(plan))
      break;
    chooseUnroll(plan);
    if (!cost.fits(plan))
      plan.unroll.assign(nest.loops(), 1);
    offer(plan, cost.getCycles(plan));
    plan.unroll.assign(nest.loops(), 1);
  }
  plan.partials = 1;
}

/// Sets of accumulators that a reduction may alternate between: contractions have enough accumulators in one, and short
/// reductions end before a second set pays.
int64_t TileSearch::getMaxPartials(const KernelPlan &plan) const {
  if (plan.zeroIsNeutral || !cost.combining || !nest.bounds.empty())
    return 1;
  if (plan.combining)
    return std::clamp<int64_t>(nest.sizes[plan.laneLoop] / plan.lanes / 2, 1, kMaxPartials);
  for (unsigned loop = nest.loops(); loop-- > 0;)
    if (!nest.isParallel(loop))
      return nest.sizes[loop] > 8 ? std::min(kMaxPartials, nest.sizes[loop] / 4) : 1;
  return 1;
}

/// Whether a contraction's iterations follow rows: scalar inputs are contiguous along `loop`, and the vectors of four
/// iterations do not share a set of L1.
bool TileSearch::walksRows(const KernelPlan &plan, unsigned loop) const {
  int64_t iterations = 1;
  for (int64_t size : nest.sizes)
    iterations *= size;
  if (!plan.zeroIsNeutral || !nest.bounds.empty() || !nest.windows.empty() || iterations < kManyIterations)
    return false;
  const CacheLevel &l1 = cost.target.machine.caches[0];
  int64_t wayElements = l1.sets * kLineBytes * 8 / cost.elementBits;
  return llvm::all_of(llvm::seq(cost.inputs), [&](unsigned input) {
    int64_t stride = std::abs(nest.stride(input, loop));
    return stride <= 1 || (nest.stride(input, plan.laneLoop) != 0 && stride * 4 <= wayElements);
  });
}

/// Unrolls the innermost reduction: short ones completely, long ones a little; for pooling windows, also the loop
/// around it. With more copies of the body than registers, LLVM would hoist loads of the next iteration above the
/// current one's work and spill accumulators; scalar elements of a row are loaded where they are used.
void TileSearch::chooseUnroll(KernelPlan &plan) const {
  plan.unroll.assign(nest.loops(), 1);
  int64_t copies = plan.vectors * cost.operations;
  for (const RegisterTile &tile : plan.tiles)
    copies *= tile.count;
  for (unsigned loop = nest.loops(); loop-- > 0;) {
    if (nest.isParallel(loop) || loop == plan.laneLoop)
      continue;
    int64_t size = nest.sizes[loop];
    if (size <= 8 && size * copies <= kMaxCopies) {
      plan.unroll[loop] = size;
      if (plan.zeroIsNeutral || plan.combining)
        return;
      copies *= size;
      continue;
    }
    if (!plan.combining)
      plan.unroll[loop] = copies * 4 <= cost.target.machine.registers   ? 4
                          : copies * 2 <= cost.target.machine.registers ? 2
                                                                        : 1;
    if (size > 8 && !plan.combining && walksRows(plan, loop))
      plan.unroll[loop] = copies * 4 <= kMaxInRow ? 4 : copies * 2 <= kMaxInRow ? 2 : 1;
    plan.unroll[loop] = std::min(std::max(plan.unroll[loop], plan.combining ? 1 : plan.partials), size);
    return;
  }
}

void plumb::searchTiles(const KernelCost &cost, bool mayPack, OfferPlan offer) {
  TileSearch search(cost, offer);
  for (unsigned loop = 0; loop < cost.nest.loops(); ++loop)
    if (cost.canBeLanes(loop))
      search.tryLanes(loop, mayPack);
}
