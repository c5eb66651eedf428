// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerates lanes, vectors, tiles and unrolled windows; then orders the loops of the best plan.

#include "compiler/codegen/cpu/select/ConvolutionPlanner.h"

#include "compiler/codegen/cpu/cost/ConvolutionCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace plumb;

constexpr int64_t kMaxSteps = 16;
constexpr int64_t kMaxVectors = 4;
/// Longer windows stay loops.
constexpr int64_t kMaxTaps = 8;
/// Iterations of a row that are unrolled, unless the row is short.
constexpr int64_t kMaxRowSteps = 4;
/// The largest result that is kept in memory between blocks of a reduction.
constexpr int64_t kMaxWaiting = 1 << 18;
/// Cycles of a tile per block that amortise storing and reloading its accumulators.
constexpr double kBlockCycles = 1500;
/// The part of L1 that a block's inputs may fill, so that all tiles find them there.
constexpr double kBlockShare = 0.7;

namespace {

/// Searches the plans of one convolution.
class ConvolutionSearch {
public:
  ConvolutionSearch(const KernelCost &cost, BestPlans &best) : cost(cost), nest(cost.nest), windows(cost), best(best) {}

  void run();
  void orderReductions(KernelPlan &plan) const;
  void fitUnrolled(KernelPlan &plan) const;
  void blockReductions(KernelPlan &plan) const;
  double getMemoryCycles(const KernelPlan &plan) const;

private:
  void consider(KernelPlan &plan);
  void considerRows(KernelPlan &plan);
  bool suits(const KernelPlan &plan) const;
  int64_t countBytes(unsigned input, ArrayRef<int64_t> extents) const;
  int64_t countResults() const;

  const KernelCost &cost;
  const LinearNest &nest;
  ConvolutionCost windows;
  BestPlans &best;
};

} // namespace

void ConvolutionSearch::run() {
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    if (!cost.canBeLanes(loop))
      continue;
    KernelPlan plan = cost.startPlan(loop);
    int64_t blocks = llvm::divideCeil(nest.sizes[loop], plan.lanes);
    int64_t maxVectors = plan.combining ? 1 : std::min(kMaxVectors, blocks);
    for (plan.vectors = 1; plan.vectors <= maxVectors; ++plan.vectors)
      enumerateTiles(nest, plan,
                     {kMaxSteps, [&](const KernelPlan &tiled) { return windows.fits(tiled); },
                      [&](KernelPlan &tiled) { consider(tiled); }});
  }
}

/// Offers the plan, and the same with the windows of its tiles unrolled.
void ConvolutionSearch::consider(KernelPlan &plan) {
  if (windows.hasRow(plan))
    return considerRows(plan);
  // The order of two tiles matters for rows and pooling only.
  if (plan.tiles.size() == 2 && nest.windows.empty() && plan.tiles[0].loop > plan.tiles[1].loop)
    return;
  for (bool unrolls : {false, true}) {
    bool unrollsAny = false;
    for (auto [parallel, reduction] : windows.windows)
      for (const RegisterTile &tile : plan.tiles)
        if (unrolls && tile.loop == parallel && reduction != plan.laneLoop && nest.sizes[reduction] <= kMaxTaps) {
          plan.unroll[reduction] = nest.sizes[reduction];
          unrollsAny = true;
        }
    if (unrolls == unrollsAny && windows.fits(plan) && suits(plan))
      best.offer(plan, windows.getCycles(plan));
    plan.unroll.assign(nest.loops(), 1);
  }
}

/// Offers the plan with one, a few, or all iterations of its innermost row unrolled.
void ConvolutionSearch::considerRows(KernelPlan &plan) {
  if (!suits(plan))
    return;
  unsigned row = *windows.findInnermost(plan);
  int64_t size = nest.sizes[row];
  int64_t maxSteps = size <= kMaxTaps ? size : kMaxRowSteps;
  for (int64_t step = 1; step <= maxSteps; ++step) {
    if (step > kMaxRowSteps && step < size)
      continue;
    plan.unroll[row] = step;
    double cycles = windows.getCycles(plan);
    if (cycles < best.getMaxCycles() && windows.fits(plan) && windows.holds(plan))
      best.offer(plan, cycles);
  }
  plan.unroll[row] = 1;
}

/// Whether each tile's window is unrolled, or so long that most of its iterations are in the interior, or consists of
/// taps around a long loop; and whether no tile steps by pages, whose lines share a set of L1.
bool ConvolutionSearch::suits(const KernelPlan &plan) const {
  for (auto [parallel, reduction] : windows.windows)
    for (const RegisterTile &tile : plan.tiles)
      if (tile.loop == parallel && plan.unroll[reduction] == 1 && nest.sizes[reduction] < 2 * tile.count &&
          !windows.hasLongIterations(plan, reduction))
        return false;
  return cost.spreadsOverSets(plan) && windows.countUnrolled(plan) <= kMaxTaps;
}

//===----------------------------------------------------------------------===//
// The order of loops
//===----------------------------------------------------------------------===//

/// Orders reductions by descending stride, unrolled windows innermost.
void ConvolutionSearch::orderReductions(KernelPlan &plan) const {
  setDefaultOrder(plan, nest);
  auto isUnrolled = [&](unsigned loop) { return plan.unroll[loop] > 1; };
  llvm::stable_sort(plan.reductions, [&](unsigned a, unsigned b) {
    if (isUnrolled(a) != isUnrolled(b))
      return isUnrolled(b);
    return cost.reach(a) > cost.reach(b);
  });
  if (plan.combining || plan.reductions.empty() || windows.hasRow(plan))
    return;
  // Unroll a short body a few times, so that loop overhead is small.
  unsigned last = plan.reductions.back();
  if (!isUnrolled(last))
    plan.unroll[last] = windows.countRepeats(plan, last);
}

/// Iterations that remain when the ranges that a bound allows its reduction are unrolled by `step`.
static int64_t countLeftOver(const LinearNest &nest, const LinearBound &bound, int64_t step) {
  int64_t left = 0;
  for (int64_t index = 0; index < nest.sizes[bound.parallel]; ++index) {
    IterationRange range = bound.reductionRange(index, nest.sizes[bound.reduction]);
    left += std::max<int64_t>(0, range.to - range.from) % step;
  }
  return left;
}

/// Adjusts unroll factors to rows that a bound shortens: of eight pixels under a window of three, two positions leave
/// seven. Remaining iterations run one by one.
void ConvolutionSearch::fitUnrolled(KernelPlan &plan) const {
  auto isTiled = [&](unsigned loop) {
    return llvm::any_of(plan.tiles, [&](const RegisterTile &tile) { return tile.loop == loop; });
  };
  for (const LinearBound &bound : nest.bounds) {
    int64_t &step = plan.unroll[bound.reduction];
    if (step <= 2 || isTiled(bound.parallel))
      continue;
    for (int64_t other : {step + 1, step - 1})
      if (countLeftOver(nest, bound, other) < countLeftOver(nest, bound, step))
        step = other;
  }
}

/// Bytes from the first to the last element that `extents` iterations read.
int64_t ConvolutionSearch::countBytes(unsigned input, ArrayRef<int64_t> extents) const {
  int64_t span = 1;
  for (auto [loop, extent] : llvm::enumerate(extents))
    span += (extent - 1) * std::abs(nest.stride(input, loop));
  return span * cost.elementBits / 8;
}

/// Blocks the outermost reductions where the result is small and the inputs are large: a block's inputs fit in L1 and
/// are prefetched during the block before it, but the block is long enough to amortise storing and reloading
/// accumulators.
void ConvolutionSearch::blockReductions(KernelPlan &plan) const {
  int64_t bytes = 0;
  for (unsigned input = 0; input < cost.inputs; ++input)
    bytes += countBytes(input, nest.sizes);
  auto [l1, l2] = cost.target.machine.caches;
  if (plan.combining || countResults() > kMaxWaiting || bytes <= l2.bytes())
    return;
  double inside = windows.getReductionCycles(plan, getFullShape(plan));
  double wanted = l1.bytes() * kBlockShare;
  SmallVector<OuterLoop> blocks;
  for (unsigned loop : ArrayRef(plan.reductions).drop_back()) {
    const LinearBound *bound = nest.findBound(loop);
    bool isTiled = bound && llvm::any_of(plan.tiles, [&](auto &tile) { return tile.loop == bound->parallel; });
    double part = std::max(wanted / bytes, kBlockCycles / inside);
    int64_t size = nest.sizes[loop];
    int64_t step = std::max<int64_t>(1, std::llround(size * part));
    if (isTiled || 2 * step > size || plan.unroll[loop] > 1)
      break;
    blocks.push_back({loop, step});
    inside *= double(step) / size;
    bytes = bytes * step / size;
  }
  plan.order.insert(plan.order.begin(), blocks.begin(), blocks.end());
  if (!blocks.empty() && plan.reductions.size() > 1)
    for (unsigned input = 0; input < cost.inputs; ++input)
      plan.blockPrefetches.push_back({input, unsigned(blocks.size() - 1)});
}

/// Elements of the result.
int64_t ConvolutionSearch::countResults() const {
  int64_t results = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    results *= nest.isParallel(loop) ? nest.sizes[loop] : 1;
  return results;
}

/// Cycles that a small result waits for its inputs' lines from beyond L2, each fetched once. Prefetches overlap with
/// arithmetic but slow it down.
double ConvolutionSearch::getMemoryCycles(const KernelPlan &plan) const {
  if (countResults() > kMaxWaiting)
    return 0;
  const CacheLevel &cache = cost.target.machine.caches.back();
  double bytes = 0;
  for (unsigned input = 0; input < cost.inputs; ++input)
    bytes += countBytes(input, nest.sizes);
  if (bytes <= cache.bytes())
    return 0;
  double cycles = bytes / kLineBytes * cache.missCycles;
  return plan.blockPrefetches.empty() ? cycles : cycles / 2;
}

/// Offers the best plans of one form of the nest, plain or skewed.
static void planForm(const KernelCost &cost, std::optional<LoopSkew> skew, BestPlans &best) {
  BestPlans found(best.getLimit());
  ConvolutionSearch search(cost, found);
  search.run();
  // Each tile reads the same lines from memory, so those of the best one count for all.
  std::optional<double> memoryCycles;
  for (CostedPlan plan : found.get()) {
    plan.plan.skew = skew;
    search.orderReductions(plan.plan);
    search.fitUnrolled(plan.plan);
    search.blockReductions(plan.plan);
    if (!memoryCycles)
      memoryCycles = search.getMemoryCycles(plan.plan);
    best.offer(plan.plan, plan.cycles + *memoryCycles);
  }
}

void plumb::planConvolution(const KernelCost &cost, BestPlans &best) {
  planForm(cost, std::nullopt, best);
  planSkewed(cost, best);
}

void plumb::planSkewed(const KernelCost &cost, BestPlans &best) {
  std::optional<LoopSkew> skew = ConvolutionCost(cost).findSkew();
  if (!skew)
    return;
  if (FailureOr<LinearNest> skewed = cost.nest.skew(*skew); succeeded(skewed))
    planForm(KernelCost(cost.op, *skewed, cost.target), skew, best);
}
