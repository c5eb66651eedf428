// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerates lanes, vectors, tiles and unrolled windows; orders the loops of
// the winner.

#include "compiler/codegen/cpu/WindowPlanner.h"

#include "compiler/codegen/cpu/WindowPricing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace plumb;

/// Elements of a page, and how many of them a tile may touch at one place.
constexpr int64_t kPage = 1024;
constexpr int64_t kMostPages = 4;
constexpr int64_t kMostSteps = 16;
constexpr int64_t kMostVectors = 4;
/// A window that is longer is a loop.
constexpr int64_t kMostTaps = 8;
/// Steps along a row that are emitted at once, unless it is a short one.
constexpr int64_t kMostRowSteps = 4;
/// Results that may wait in memory between blocks of a reduction.
constexpr int64_t kMostWaiting = 1 << 18;
/// Work of a tile on one block, to which reading and writing its accumulators
/// is little.
constexpr double kBlockCycles = 1500;
/// The part of the nearest cache that a block's inputs should take, so that all
/// tiles find them there.
constexpr double kBlockShare = 0.7;

namespace {

/// Searches for one operation.
class WindowSearch {
public:
  WindowSearch(const KernelPricing &pricing, BestPlan &best)
      : pricing(pricing), nest(pricing.nest), windows(pricing), best(best) {}

  void run();
  void orderReductions(KernelPlan &plan) const;
  void fitUnrolled(KernelPlan &plan) const;
  void cutReductions(KernelPlan &plan) const;
  double priceMemory(const KernelPlan &plan) const;

private:
  void consider(KernelPlan &plan);
  void considerRows(KernelPlan &plan);
  bool suits(const KernelPlan &plan) const;
  int64_t countBytes(unsigned input, ArrayRef<int64_t> extents) const;
  int64_t countResults() const;

  const KernelPricing &pricing;
  const LinearNest &nest;
  WindowPricing windows;
  BestPlan &best;
};

} // namespace

void WindowSearch::run() {
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    if (!pricing.canBeLanes(loop))
      continue;
    KernelPlan plan = pricing.startPlan(loop);
    int64_t blocks = llvm::divideCeil(nest.sizes[loop], plan.lanes);
    int64_t most = plan.combining ? 1 : std::min(kMostVectors, blocks);
    for (plan.vectors = 1; plan.vectors <= most; ++plan.vectors)
      enumerateTiles(
          nest, plan,
          {kMostSteps,
           [&](const KernelPlan &tiled) { return windows.fits(tiled); },
           [&](KernelPlan &tiled) { consider(tiled); }});
  }
}

/// Offers the plan, and the same with the windows of its tiles unrolled.
void WindowSearch::consider(KernelPlan &plan) {
  if (windows.hasRow(plan))
    return considerRows(plan);
  // Which of two tiles is the outer one changes nothing but rows and pooling.
  if (plan.tiles.size() == 2 && nest.windows.empty() &&
      plan.tiles[0].loop > plan.tiles[1].loop)
    return;
  for (bool unrolls : {false, true}) {
    bool any = false;
    for (auto [parallel, reduction] : windows.windows)
      for (const RegisterTile &tile : plan.tiles)
        if (unrolls && tile.loop == parallel && reduction != plan.laneLoop &&
            nest.sizes[reduction] <= kMostTaps) {
          plan.unroll[reduction] = nest.sizes[reduction];
          any = true;
        }
    if (unrolls == any && windows.fits(plan) && suits(plan))
      best.offer(plan, windows.price(plan));
    plan.unroll.assign(nest.loops(), 1);
  }
}

/// Offers the plan with one, a few, or all steps of its innermost row unrolled.
void WindowSearch::considerRows(KernelPlan &plan) {
  if (!suits(plan))
    return;
  unsigned row = *windows.findInnermost(plan);
  int64_t size = nest.sizes[row];
  int64_t most = size <= kMostTaps ? size : kMostRowSteps;
  for (int64_t step = 1; step <= most; ++step) {
    if (step > kMostRowSteps && step < size)
      continue;
    plan.unroll[row] = step;
    double cycles = windows.price(plan);
    if ((!best.get() || cycles < best.get()->cycles) && windows.fits(plan) &&
        windows.holds(plan))
      best.offer(plan, cycles);
  }
  plan.unroll[row] = 1;
}

/// Whether the windows of tiles are unrolled, or so long that most of them is
/// no edge, or taps around a long loop, each of which is a product; and whether
/// no tile steps over pages, whose lines share places in L1.
bool WindowSearch::suits(const KernelPlan &plan) const {
  for (auto [parallel, reduction] : windows.windows)
    for (const RegisterTile &tile : plan.tiles)
      if (tile.loop == parallel && plan.unroll[reduction] == 1 &&
          nest.sizes[reduction] < 2 * tile.count &&
          !windows.hasLongTurns(plan, reduction))
        return false;
  for (const RegisterTile &tile : plan.tiles)
    for (unsigned input = 0; input < pricing.inputs; ++input)
      if (int64_t stride = nest.stride(input, tile.loop);
          stride != 0 && stride % kPage == 0 && tile.count > kMostPages)
        return false;
  return windows.countUnrolled(plan) <= kMostTaps;
}

//===----------------------------------------------------------------------===//
// The order of loops
//===----------------------------------------------------------------------===//

/// Small steps inside, unrolled windows innermost.
void WindowSearch::orderReductions(KernelPlan &plan) const {
  setDefaultOrder(plan, nest);
  auto isUnrolled = [&](unsigned loop) { return plan.unroll[loop] > 1; };
  llvm::stable_sort(plan.reductions, [&](unsigned a, unsigned b) {
    if (isUnrolled(a) != isUnrolled(b))
      return isUnrolled(b);
    return windows.reach(a) > windows.reach(b);
  });
  if (plan.combining || plan.reductions.empty() || windows.hasRow(plan))
    return;
  // A short body is emitted a few times, so that counting is little beside it.
  unsigned last = plan.reductions.back();
  if (!isUnrolled(last))
    plan.unroll[last] = windows.countRepeats(plan, last);
}

/// What turns of `step` iterations leave of the ranges that the bound allows
/// its reduction.
static int64_t countLeftOver(const LinearNest &nest, const LinearBound &bound,
                             int64_t step) {
  int64_t left = 0;
  for (int64_t index = 0; index < nest.sizes[bound.parallel]; ++index) {
    IterationRange range =
        bound.reductionRange(index, nest.sizes[bound.reduction]);
    left += std::max<int64_t>(0, range.to - range.from) % step;
  }
  return left;
}

/// Lets unrolled turns fit a row that a place of a window cuts: of eight pixels
/// under a window of three, two places meet seven. What is left over comes one
/// by one.
void WindowSearch::fitUnrolled(KernelPlan &plan) const {
  auto isTiled = [&](unsigned loop) {
    return llvm::any_of(plan.tiles, [&](const RegisterTile &tile) {
      return tile.loop == loop;
    });
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
int64_t WindowSearch::countBytes(unsigned input,
                                 ArrayRef<int64_t> extents) const {
  int64_t span = 1;
  for (auto [loop, extent] : llvm::enumerate(extents))
    span += (extent - 1) * std::abs(nest.stride(input, loop));
  return span * pricing.elementBits / 8;
}

/// Cuts the outermost reductions into blocks where the result is small and what
/// is read is not: so that a block's inputs stay in the nearest cache, and come
/// from afar while the block before is computed; but long enough that reading
/// and writing accumulators is little.
void WindowSearch::cutReductions(KernelPlan &plan) const {
  int64_t bytes = 0;
  for (unsigned input = 0; input < pricing.inputs; ++input)
    bytes += countBytes(input, nest.sizes);
  auto [near, far] = pricing.target.caches;
  if (plan.combining || countResults() > kMostWaiting || bytes <= far.bytes())
    return;
  double inside = windows.priceTurns(plan, getWholeShape(plan));
  double wanted = near.bytes() * kBlockShare;
  SmallVector<OuterLoop> blocks;
  for (unsigned loop : ArrayRef(plan.reductions).drop_back()) {
    const LinearBound *bound = nest.findBound(loop);
    bool isTiled = bound && llvm::any_of(plan.tiles, [&](auto &tile) {
                     return tile.loop == bound->parallel;
                   });
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
    for (unsigned input = 0; input < pricing.inputs; ++input)
      plan.blocksAhead.push_back({input, unsigned(blocks.size() - 1)});
}

/// Elements of the result.
int64_t WindowSearch::countResults() const {
  int64_t results = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    results *= nest.isParallel(loop) ? nest.sizes[loop] : 1;
  return results;
}

/// Cycles that a small result spends waiting for its inputs' lines from beyond
/// the caches, once each: much beside a part of it, which needs all of them.
/// What is asked for ahead comes beside work, but slows it down.
double WindowSearch::priceMemory(const KernelPlan &plan) const {
  if (countResults() > kMostWaiting)
    return 0;
  const CacheLevel &cache = pricing.target.caches.back();
  double bytes = 0;
  for (unsigned input = 0; input < pricing.inputs; ++input)
    bytes += countBytes(input, nest.sizes);
  if (bytes <= cache.bytes())
    return 0;
  double cycles = bytes / kLineBytes * cache.missCycles;
  return plan.blocksAhead.empty() ? cycles : cycles / 2;
}

/// Offers the best plan of one form of the nest.
static void planForm(const KernelPricing &pricing,
                     std::optional<WindowSlide> slide, BestPlan &best) {
  BestPlan found;
  WindowSearch search(pricing, found);
  search.run();
  if (!found.get())
    return;
  PricedPlan plan = *found.get();
  plan.plan.slide = slide;
  search.orderReductions(plan.plan);
  search.fitUnrolled(plan.plan);
  search.cutReductions(plan.plan);
  best.offer(plan.plan, plan.cycles + search.priceMemory(plan.plan));
}

void plumb::planWindow(const KernelPricing &pricing, BestPlan &best) {
  planForm(pricing, std::nullopt, best);
  planSlide(pricing, best);
}

void plumb::planSlide(const KernelPricing &pricing, BestPlan &best) {
  std::optional<WindowSlide> slide = WindowPricing(pricing).findSlide();
  if (!slide)
    return;
  if (FailureOr<LinearNest> slid = pricing.nest.slide(*slide); succeeded(slid))
    planForm(KernelPricing(pricing.op, *slid, pricing.target), slide, best);
}
