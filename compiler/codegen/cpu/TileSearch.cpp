// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerates lane loops, vectors per block and register tiles: a few thousand
// cheap evaluations per operation.

#include "compiler/codegen/cpu/TileSearch.h"

#include "compiler/codegen/cpu/PanelLayout.h"
#include "compiler/codegen/cpu/Tiles.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Tiles larger than this only cost code.
constexpr int64_t kMostSteps = 14;
constexpr int64_t kMostVectors = 4;
constexpr int64_t kMostPartials = 8;
/// Body copies in one turn of the innermost loop.
constexpr int64_t kMostCopies = 160;
/// The same where turns walk along rows: addresses of copies differ in constants only.
constexpr int64_t kMostInRow = 112;
/// Iterations of a product that are worth so much code.
constexpr int64_t kManyIterations = int64_t(1) << 21;

namespace {

/// Searches for one operation.
class TileSearch {
public:
  TileSearch(const KernelPricing &pricing, OfferPlan offer)
      : pricing(pricing), nest(pricing.nest), offer(offer) {}

  void tryLanes(unsigned loop, bool mayPack);

private:
  void consider(KernelPlan &plan);
  int64_t mostPartials(const KernelPlan &plan) const;
  void chooseUnroll(KernelPlan &plan) const;
  bool walksRows(const KernelPlan &plan, unsigned loop) const;

  const KernelPricing &pricing;
  const LinearNest &nest;
  OfferPlan offer;
};

} // namespace

void TileSearch::tryLanes(unsigned loop, bool mayPack) {
  KernelPlan plan = pricing.startPlan(loop);
  for (unsigned input = 0; input < pricing.inputs; ++input)
    if (mayPack && !plan.combining && nest.stride(input, loop) > 1 &&
        hasOwnPlaces(nest, input))
      plan.panels.push_back({input, 0});
  int64_t blocks = llvm::divideCeil(nest.sizes[loop], plan.lanes);
  int64_t most = plan.combining ? 1 : std::min(kMostVectors, blocks);
  for (plan.vectors = 1; plan.vectors <= most; ++plan.vectors)
    enumerateTiles(nest, plan,
                   {kMostSteps,
                    [&](const KernelPlan &tiled) { return pricing.fits(tiled); },
                    [&](KernelPlan &tiled) { consider(tiled); }});
}

void TileSearch::consider(KernelPlan &plan) {
  for (plan.partials = 1; plan.partials <= mostPartials(plan); plan.partials *= 2) {
    if (!pricing.fits(plan))
      break;
    chooseUnroll(plan);
    if (!pricing.fits(plan))
      plan.unroll.assign(nest.loops(), 1);
    offer(plan, pricing.price(plan));
    plan.unroll.assign(nest.loops(), 1);
  }
  plan.partials = 1;
}

/// Sets of accumulators that a reduction can feed at once: products have enough
/// in one, and a short reduction is over before a second one pays.
int64_t TileSearch::mostPartials(const KernelPlan &plan) const {
  if (plan.zeroIsNeutral || !pricing.combining || !nest.bounds.empty())
    return 1;
  if (plan.combining)
    return std::clamp<int64_t>(nest.sizes[plan.laneLoop] / plan.lanes / 2, 1, kMostPartials);
  for (unsigned loop = nest.loops(); loop-- > 0;)
    if (!nest.isParallel(loop))
      return nest.sizes[loop] > 8 ? std::min(kMostPartials, nest.sizes[loop] / 4) : 1;
  return 1;
}

/// Whether a product's turns walk along rows: single elements lie in them along `loop`,
/// and vectors do not lie so far apart that four turns' share a set of the nearest cache.
bool TileSearch::walksRows(const KernelPlan &plan, unsigned loop) const {
  int64_t iterations = 1;
  for (int64_t size : nest.sizes)
    iterations *= size;
  if (!plan.zeroIsNeutral || !nest.bounds.empty() || !nest.windows.empty() ||
      iterations < kManyIterations)
    return false;
  const CacheLevel &near = pricing.target.caches[0];
  int64_t far = near.sets * kLineBytes * 8 / pricing.elementBits;
  return llvm::all_of(llvm::seq(pricing.inputs), [&](unsigned input) {
    int64_t stride = std::abs(nest.stride(input, loop));
    return stride <= 1 || (nest.stride(input, plan.laneLoop) != 0 && stride * 4 <= far);
  });
}

/// Unrolls the innermost reduction: short ones whole, long ones a little; of
/// windows that are no products, also what is around a whole one. With
/// more body copies than registers, loads of the next iteration would be hoisted
/// above this one's work, and accumulators would leave the registers; but single
/// elements of a row are loaded where they are used.
void TileSearch::chooseUnroll(KernelPlan &plan) const {
  plan.unroll.assign(nest.loops(), 1);
  int64_t cells = plan.vectors * pricing.operations;
  for (const RegisterTile &tile : plan.tiles)
    cells *= tile.count;
  for (unsigned loop = nest.loops(); loop-- > 0;) {
    if (nest.isParallel(loop) || loop == plan.laneLoop)
      continue;
    int64_t size = nest.sizes[loop];
    if (size <= 8 && size * cells <= kMostCopies) {
      plan.unroll[loop] = size;
      if (plan.zeroIsNeutral || plan.combining)
        return;
      cells *= size;
      continue;
    }
    if (!plan.combining)
      plan.unroll[loop] = cells * 4 <= pricing.target.registers ? 4
                          : cells * 2 <= pricing.target.registers ? 2
                                                                  : 1;
    if (size > 8 && !plan.combining && walksRows(plan, loop))
      plan.unroll[loop] = cells * 4 <= kMostInRow ? 4 : cells * 2 <= kMostInRow ? 2 : 1;
    plan.unroll[loop] = std::min(std::max(plan.unroll[loop], plan.combining ? 1 : plan.partials), size);
    return;
  }
}

void plumb::searchTiles(const KernelPricing &pricing, bool mayPack,
                        OfferPlan offer) {
  TileSearch search(pricing, offer);
  for (unsigned loop = 0; loop < pricing.nest.loops(); ++loop)
    if (pricing.canBeLanes(loop))
      search.tryLanes(loop, mayPack);
}
