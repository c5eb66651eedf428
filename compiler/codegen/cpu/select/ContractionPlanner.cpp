// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans contractions. Register tiles are chosen by arithmetic first; for the best few, the planner tries orders of the
// loops around them, blocks of the reduction and copies into panels, and adds the cycles of the memory hierarchy.

#include "compiler/codegen/cpu/cost/CacheModel.h"
#include "compiler/codegen/cpu/plan/PanelLayout.h"
#include "compiler/codegen/cpu/select/ConvolutionPlanner.h"
#include "compiler/codegen/cpu/select/Planners.h"
#include "compiler/codegen/cpu/select/PrefetchPlanner.h"
#include "compiler/codegen/cpu/select/TileSearch.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <vector>

using namespace mlir;
using namespace plumb;

/// Register tiles whose surrounding loops are searched.
constexpr unsigned kMaxTilings = 6;
/// Loops that are permuted; of more, only the innermost ones are.
constexpr unsigned kMaxPermuted = 4;
/// The shortest block of a reduction.
constexpr int64_t kMinBlock = 96;
/// Shorter blocks, for long rows: L2 holds two of them, the current one and the next one, which is prefetched. They pay
/// where an input's elements are used at most so often: more rows of results would go to L1 and back too often.
constexpr int64_t kShortBlocks[] = {64, 48, 32, 16};
constexpr int64_t kMaxUses = 32;
/// Numbers of blocks that differ by less than this fraction of them are tried only once.
constexpr int64_t kBlockShare = 32;
/// Panels are on the stack.
constexpr int64_t kMaxPanelBytes = int64_t(1) << 20;

namespace {

/// Searches the loops around the register tiles of one operation.
class OrderSearch {
public:
  OrderSearch(const KernelCost &cost, BestPlans &best) : cost(cost), nest(cost.nest), model(cost), best(best) {}

  void tryTiling(KernelPlan plan, double cycles);

private:
  void tryOrders(KernelPlan &plan, double cycles);
  void tryPanels(KernelPlan &plan, unsigned input, double cycles);
  bool canPack(const KernelPlan &plan, PackedPanel panel) const;
  bool hasStream() const;
  double getBlockCycles(const KernelPlan &plan, OuterLoop block) const;
  double getPrefetchCycles(const KernelPlan &plan) const;

  const KernelCost &cost;
  const LinearNest &nest;
  CacheModel model;
  BestPlans &best;
  /// Inputs that the current tiling assumes to be packed.
  llvm::SmallDenseSet<unsigned> mustPack;
  /// Whether only plans count that prefetch the next iteration of the outermost loop.
  bool mustPrefetch = false;
};

} // namespace

/// Tries the tiling without blocks, and with blocks of its longest reduction.
void OrderSearch::tryTiling(KernelPlan plan, double cycles) {
  mustPack.clear();
  for (const PackedPanel &panel : plan.panels)
    mustPack.insert(panel.operand);
  plan.panels.clear();
  setDefaultOrder(plan, nest);
  tryOrders(plan, cycles);
  if (plan.combining || plan.reductions.empty())
    return;
  unsigned loop =
      *llvm::max_element(plan.reductions, [&](unsigned a, unsigned b) { return nest.sizes[a] < nest.sizes[b]; });
  if (nest.findBound(loop))
    return;
  auto tryBlocks = [&](int64_t step) {
    setDefaultOrder(plan, nest);
    plan.order.insert(plan.order.begin(), {loop, step});
    tryOrders(plan, cycles + getBlockCycles(plan, {loop, step}));
  };
  for (int64_t blocks = 2; nest.sizes[loop] / blocks >= kMinBlock; blocks += std::max<int64_t>(1, blocks / kBlockShare))
    tryBlocks(llvm::alignTo(llvm::divideCeil(nest.sizes[loop], blocks), 8));
  mustPrefetch = true;
  if (nest.sizes[loop] >= kMinBlock && hasStream())
    llvm::for_each(kShortBlocks, tryBlocks);
  mustPrefetch = false;
}

/// Whether an input's elements are used so seldom that memory, not arithmetic, limits the operation.
bool OrderSearch::hasStream() const {
  return llvm::any_of(llvm::seq(cost.inputs), [&](unsigned input) {
    int64_t uses = 1;
    for (unsigned loop = 0; loop < nest.loops(); ++loop)
      uses *= nest.stride(input, loop) == 0 ? nest.sizes[loop] : 1;
    return uses <= kMaxUses;
  });
}

/// Cycles to store and reload accumulators between blocks.
double OrderSearch::getBlockCycles(const KernelPlan &plan, OuterLoop block) const {
  double vectors = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (nest.isParallel(loop))
      vectors *= loop == plan.laneLoop ? llvm::divideCeil(nest.sizes[loop], plan.lanes) : nest.sizes[loop];
  int64_t blocks = llvm::divideCeil(nest.sizes[block.loop], block.step);
  return (blocks - 1) * vectors * cost.target.machine.accumulatorTripCycles;
}

/// Cycles of prefetches for rows of single elements. A tile's part of a row is short, so most prefetches hit lines that
/// another tile has fetched; a row may cross into one more line than it fills.
double OrderSearch::getPrefetchCycles(const KernelPlan &plan) const {
  SmallVector<int64_t> steps(nest.loops(), 1);
  for (const OuterLoop &entry : plan.order)
    if (nest.isParallel(entry.loop))
      steps[entry.loop] = entry.step;
  double iterations = 1, requests = 0;
  for (auto [size, step] : llvm::zip_equal(nest.sizes, steps))
    iterations *= llvm::divideCeil(size, step);
  int64_t perLine = kLineBytes * 8 / cost.elementBits;
  for (unsigned input : plan.prefetchedInputs) {
    if (nest.stride(input, plan.laneLoop) != 0)
      continue;
    int64_t elements = 1;
    for (const RegisterTile &tile : plan.tiles)
      elements *= nest.stride(input, tile.loop) != 0 ? tile.count : 1;
    requests += 1 + llvm::divideCeil(elements, perLine);
  }
  return cost.target.machine.prefetchCycles * requests * iterations;
}

void OrderSearch::tryOrders(KernelPlan &plan, double cycles) {
  if (cycles >= best.getMaxCycles())
    return;
  unsigned fixed = plan.order.size() > kMaxPermuted ? plan.order.size() - kMaxPermuted : 0;
  SmallVector<OuterLoop> start = plan.order;
  SmallVector<unsigned> positions(start.size());
  std::iota(positions.begin(), positions.end(), 0);
  do {
    for (auto [position, entry] : llvm::zip_equal(positions, plan.order))
      entry = start[position];
    // The innermost loop around a tile must be parallel.
    if (plan.order.empty() || nest.isParallel(plan.order.back().loop))
      tryPanels(plan, 0, cycles);
  } while (std::next_permutation(positions.begin() + fixed, positions.end()));
  plan.order = start;
}

/// Whether the input can be copied into a panel there, and the copy is reused: the next loop reads the same elements in
/// all of its iterations.
bool OrderSearch::canPack(const KernelPlan &plan, PackedPanel panel) const {
  unsigned loop = plan.order[panel.depth].loop;
  if (plan.combining || nest.stride(panel.operand, loop) != 0 ||
      !isa<MemRefType>(cost.op->getOperand(panel.operand).getType()))
    return false;
  return nest.isInjective(panel.operand);
}

void OrderSearch::tryPanels(KernelPlan &plan, unsigned input, double cycles) {
  if (input == cost.inputs) {
    plan.prefetchedInputs = findPrefetchedInputs(cost, plan);
    plan.blockPrefetches = findBlockPrefetches(cost, plan);
    auto isOutermost = [](const BlockPrefetch &block) { return block.depth == 0; };
    if (mustPrefetch && llvm::none_of(plan.blockPrefetches, isOutermost))
      return;
    best.offer(plan, cycles + getPrefetchCycles(plan) + model.getCycles(plan));
    return;
  }
  if (!mustPack.contains(input))
    tryPanels(plan, input + 1, cycles);
  SmallVector<int64_t> extents = nest.sizes;
  for (unsigned depth = 0; depth < plan.order.size(); ++depth) {
    if (canPack(plan, {input, depth}) &&
        PanelLayout::get(nest, plan, input, extents).elements * cost.elementBits / 8 <= kMaxPanelBytes) {
      plan.panels.push_back({input, depth});
      tryPanels(plan, input + 1, cycles);
      plan.panels.pop_back();
    }
    auto [loop, step] = plan.order[depth];
    extents[loop] = std::min(extents[loop], step);
  }
}

/// The register tiles with the fewest arithmetic cycles.
static std::vector<CostedPlan> findTilings(const KernelCost &cost, bool mayPack) {
  std::vector<CostedPlan> tilings;
  searchTiles(cost, mayPack, [&](const KernelPlan &plan, double cycles) {
    auto position = llvm::find_if(tilings, [&](const CostedPlan &other) { return cycles < other.cycles; });
    if (position - tilings.begin() >= kMaxTilings)
      return;
    tilings.insert(position, {plan, cycles});
    if (tilings.size() > kMaxTilings)
      tilings.pop_back();
  });
  return tilings;
}

void plumb::planContraction(const KernelCost &cost, BestPlans &best) {
  // The search over orders does not handle bounds.
  if (!cost.nest.bounds.empty())
    return planConvolution(cost, best);
  OrderSearch search(cost, best);
  for (bool mayPack : {true, false}) {
    for (const CostedPlan &tiling : findTilings(cost, mayPack))
      search.tryTiling(tiling.plan, tiling.cycles);
    if (!best.get().empty())
      break;
  }
  planSkewed(cost, best);
}
