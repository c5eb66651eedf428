// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and convolutions. Register tiles are chosen by arithmetic first; for
// the best few, orders of the loops around them, blocks of the reduction and
// copies into panels are tried, and what they wait for memory is added.

#include "compiler/codegen/cpu/CacheModel.h"
#include "compiler/codegen/cpu/PanelLayout.h"
#include "compiler/codegen/cpu/StreamPlanner.h"
#include "compiler/codegen/cpu/TileSearch.h"
#include "compiler/codegen/cpu/WindowPlanner.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <vector>

using namespace mlir;
using namespace plumb;

/// Register tiles whose surroundings are searched.
constexpr unsigned kMostTilings = 6;
/// Loops whose orders are tried; beyond, the innermost ones only.
constexpr unsigned kMostPermuted = 4;
/// Blocks of a reduction are no shorter than this.
constexpr int64_t kLeastBlock = 96;
/// Numbers of blocks that differ by less than this part of them are taken for one.
constexpr int64_t kBlockShare = 32;
/// Panels are in the frame of a function.
constexpr int64_t kMostPanelBytes = int64_t(1) << 20;
/// Writing one accumulator and reading it again, and a share of the ends of loops between.
constexpr double kRoundTripCycles = 3;
/// A request for a line that is there.
constexpr double kRequestCycles = 0.15;

namespace {

/// Searches what stands around the register tiles of one operation.
class OrderSearch {
public:
  OrderSearch(const KernelPricing &pricing, BestPlan &best)
      : pricing(pricing), nest(pricing.nest), model(pricing), best(best) {}

  void tryTiling(KernelPlan plan, double cycles);

private:
  void tryOrders(KernelPlan &plan, double cycles);
  void tryPanels(KernelPlan &plan, unsigned input, double cycles);
  bool canPack(const KernelPlan &plan, PackedPanel panel) const;
  double priceBlocks(const KernelPlan &plan, OuterLoop block) const;
  double priceRequests(const KernelPlan &plan) const;

  const KernelPricing &pricing;
  const LinearNest &nest;
  CacheModel model;
  BestPlan &best;
  /// Inputs that the tiling in hand takes for packed.
  llvm::SmallDenseSet<unsigned> mustPack;
};

} // namespace

/// As it is, and with blocks of its longest reduction.
void OrderSearch::tryTiling(KernelPlan plan, double cycles) {
  mustPack.clear();
  for (const PackedPanel &panel : plan.panels)
    mustPack.insert(panel.operand);
  plan.panels.clear();
  setDefaultOrder(plan, nest);
  tryOrders(plan, cycles);
  if (plan.combining || plan.reductions.empty())
    return;
  unsigned loop = *llvm::max_element(plan.reductions, [&](unsigned a, unsigned b) {
    return nest.sizes[a] < nest.sizes[b];
  });
  if (nest.findBound(loop))
    return;
  for (int64_t blocks = 2; nest.sizes[loop] / blocks >= kLeastBlock;
       blocks += std::max<int64_t>(1, blocks / kBlockShare)) {
    int64_t step = llvm::alignTo(llvm::divideCeil(nest.sizes[loop], blocks), 8);
    setDefaultOrder(plan, nest);
    plan.order.insert(plan.order.begin(), {loop, step});
    tryOrders(plan, cycles + priceBlocks(plan, {loop, step}));
  }
}

/// Accumulators written and read between blocks.
double OrderSearch::priceBlocks(const KernelPlan &plan, OuterLoop block) const {
  double vectors = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (nest.isParallel(loop))
      vectors *= loop == plan.laneLoop
                     ? llvm::divideCeil(nest.sizes[loop], plan.lanes)
                     : nest.sizes[loop];
  int64_t blocks = llvm::divideCeil(nest.sizes[block.loop], block.step);
  return (blocks - 1) * vectors * kRoundTripCycles;
}

/// Requests for rows of single elements: a tile's part of a row is short, so that most of
/// them are for lines that another tile has asked for. A row may lie on a line more than
/// it fills.
double OrderSearch::priceRequests(const KernelPlan &plan) const {
  SmallVector<int64_t> steps(nest.loops(), 1);
  for (const OuterLoop &entry : plan.order)
    if (nest.isParallel(entry.loop))
      steps[entry.loop] = entry.step;
  double turns = 1, requests = 0;
  for (auto [size, step] : llvm::zip_equal(nest.sizes, steps))
    turns *= llvm::divideCeil(size, step);
  int64_t perLine = kLineBytes * 8 / pricing.elementBits;
  for (unsigned input : plan.ahead) {
    if (nest.stride(input, plan.laneLoop) != 0)
      continue;
    int64_t elements = 1;
    for (const RegisterTile &tile : plan.tiles)
      elements *= nest.stride(input, tile.loop) != 0 ? tile.count : 1;
    requests += 1 + llvm::divideCeil(elements, perLine);
  }
  return kRequestCycles * requests * turns;
}

void OrderSearch::tryOrders(KernelPlan &plan, double cycles) {
  if (best.get() && cycles >= best.get()->cycles)
    return;
  unsigned fixed = plan.order.size() > kMostPermuted
                       ? plan.order.size() - kMostPermuted
                       : 0;
  SmallVector<OuterLoop> start = plan.order;
  SmallVector<unsigned> places(start.size());
  std::iota(places.begin(), places.end(), 0);
  do {
    for (auto [place, entry] : llvm::zip_equal(places, plan.order))
      entry = start[place];
    // A block right around a tile would be no block.
    if (plan.order.empty() || nest.isParallel(plan.order.back().loop))
      tryPanels(plan, 0, cycles);
  } while (std::next_permutation(places.begin() + fixed, places.end()));
  plan.order = start;
}

/// Whether copying is possible, and may pay: the next loop reads it all again.
bool OrderSearch::canPack(const KernelPlan &plan, PackedPanel panel) const {
  unsigned loop = plan.order[panel.depth].loop;
  if (plan.combining || nest.stride(panel.operand, loop) != 0 ||
      !isa<MemRefType>(pricing.op->getOperand(panel.operand).getType()))
    return false;
  return hasOwnPlaces(nest, panel.operand);
}

void OrderSearch::tryPanels(KernelPlan &plan, unsigned input, double cycles) {
  if (input == pricing.inputs) {
    plan.ahead = findStreams(pricing, plan);
    best.offer(plan, cycles + priceRequests(plan) + model.price(plan));
    return;
  }
  if (!mustPack.contains(input))
    tryPanels(plan, input + 1, cycles);
  SmallVector<int64_t> extents = nest.sizes;
  for (unsigned depth = 0; depth < plan.order.size(); ++depth) {
    if (canPack(plan, {input, depth}) &&
        PanelLayout::get(nest, plan, input, extents).elements *
                pricing.elementBits / 8 <=
            kMostPanelBytes) {
      plan.panels.push_back({input, depth});
      tryPanels(plan, input + 1, cycles);
      plan.panels.pop_back();
    }
    auto [loop, step] = plan.order[depth];
    extents[loop] = std::min(extents[loop], step);
  }
}

/// The cheapest register tiles, by arithmetic.
static std::vector<PricedPlan> findTilings(const KernelPricing &pricing,
                                           bool mayPack) {
  std::vector<PricedPlan> tilings;
  searchTiles(pricing, mayPack, [&](const KernelPlan &plan, double cycles) {
    auto place = llvm::find_if(tilings, [&](const PricedPlan &other) {
      return cycles < other.cycles;
    });
    if (place - tilings.begin() >= kMostTilings)
      return;
    tilings.insert(place, {plan, cycles});
    if (tilings.size() > kMostTilings)
      tilings.pop_back();
  });
  return tilings;
}

void plumb::planContraction(const KernelPricing &pricing, BestPlan &best) {
  // The search over orders knows nothing of bounds.
  if (!pricing.nest.bounds.empty())
    return planWindow(pricing, best);
  OrderSearch search(pricing, best);
  for (bool mayPack : {true, false}) {
    for (const PricedPlan &tiling : findTilings(pricing, mayPack))
      search.tryTiling(tiling.plan, tiling.cycles);
    if (best.get())
      break;
  }
  planSlide(pricing, best);
}
