// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerates lanes, vectors, tiles and unrolled windows; orders the loops of the
// winner.

#include "compiler/codegen/cpu/WindowPlanner.h"

#include "compiler/codegen/cpu/Tiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace plumb;

/// A turn's own instructions: counting, comparing, jumping.
constexpr double kTurnCycles = 0.5;
/// Instructions that begin in one cycle.
constexpr double kIssueWidth = 6;
/// Starting and ending a tile.
constexpr double kTileCycles = 6;
/// What doubling a tile's step in memory costs.
constexpr double kStepShare = 0.005;
/// Loops from this length on are unrolled a little.
constexpr int64_t kLongLoop = 12;
/// Elements of a page, and how many of them a tile may touch at one place.
constexpr int64_t kPage = 1024;
constexpr int64_t kMostPages = 4;
constexpr int64_t kMostSteps = 16;
constexpr int64_t kMostVectors = 4;
/// A window that is longer is a loop.
constexpr int64_t kMostTaps = 8;
/// Products in one turn of the innermost loop.
constexpr int64_t kMostCopies = 100;
/// Registers with what a window's steps share, beside accumulators and the other
/// input: with fewer, LLVM's order of instructions needs memory.
constexpr int64_t kShared = 10;
/// Results that may wait in memory between blocks of a reduction.
constexpr int64_t kMostWaiting = 1 << 18;
/// Work of a tile on one block, to which reading and writing its accumulators is
/// little.
constexpr double kBlockCycles = 1500;
constexpr int64_t kLineBits = 512;

namespace {

/// A parallel and a reduction loop that move an input together.
struct Window {
  unsigned parallel, reduction;
};

/// Searches for one operation.
class WindowSearch {
public:
  WindowSearch(const KernelPricing &pricing, BestPlan &best);

  void run();
  void orderReductions(KernelPlan &plan) const;
  void cutReductions(KernelPlan &plan) const;
  double priceMemory() const;
  int64_t countResults() const;

private:
  void consider(KernelPlan &plan);
  bool suits(const KernelPlan &plan) const;

  int64_t countUnrolled(const KernelPlan &plan) const;
  int64_t countVectors(const KernelPlan &plan, unsigned input,
                       ArrayRef<int64_t> counts, int64_t vectors) const;
  bool fits(const KernelPlan &plan) const;
  double priceTurn(const KernelPlan &plan, ArrayRef<int64_t> counts,
                   int64_t vectors) const;
  double countTurns(const KernelPlan &plan) const;
  int64_t countVariants(const RegisterTile &tile) const;
  double price(const KernelPlan &plan) const;
  int64_t reach(unsigned loop) const;

  const KernelPricing &pricing;
  const LinearNest &nest;
  BestPlan &best;
  SmallVector<Window> windows;
};

} // namespace

WindowSearch::WindowSearch(const KernelPricing &pricing, BestPlan &best)
    : pricing(pricing), nest(pricing.nest), best(best) {
  auto reaches = [&](unsigned input, unsigned far, unsigned loop) {
    return (nest.sizes[far] - 1) * std::abs(nest.stride(input, far)) >=
           std::abs(nest.stride(input, loop));
  };
  for (unsigned parallel = 0; parallel < nest.loops(); ++parallel)
    for (unsigned reduction = 0; reduction < nest.loops(); ++reduction)
      for (unsigned input = 0; input < pricing.inputs; ++input)
        if (nest.isParallel(parallel) && !nest.isParallel(reduction) &&
            nest.stride(input, parallel) != 0 &&
            nest.stride(input, reduction) != 0 &&
            reaches(input, parallel, reduction) &&
            reaches(input, reduction, parallel))
          windows.push_back({parallel, reduction});
}

void WindowSearch::run() {
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    if (!pricing.canBeLanes(loop))
      continue;
    KernelPlan plan = pricing.startPlan(loop);
    int64_t blocks = llvm::divideCeil(nest.sizes[loop], plan.lanes);
    int64_t most = plan.combining ? 1 : std::min(kMostVectors, blocks);
    for (plan.vectors = 1; plan.vectors <= most; ++plan.vectors)
      enumerateTiles(nest, plan,
                     {kMostSteps, /*bothOrders=*/false,
                      [&](const KernelPlan &tiled) { return fits(tiled); },
                      [&](KernelPlan &tiled) { consider(tiled); }});
  }
}

/// Offers the plan, and the same with the windows of its tiles unrolled.
void WindowSearch::consider(KernelPlan &plan) {
  for (bool unrolls : {false, true}) {
    plan.unroll.assign(nest.loops(), 1);
    bool any = false;
    for (auto [parallel, reduction] : windows)
      for (const RegisterTile &tile : plan.tiles)
        if (unrolls && tile.loop == parallel && reduction != plan.laneLoop &&
            nest.sizes[reduction] <= kMostTaps) {
          plan.unroll[reduction] = nest.sizes[reduction];
          any = true;
        }
    if (unrolls == any && fits(plan) && suits(plan))
      best.offer(plan, price(plan));
  }
  plan.unroll.assign(nest.loops(), 1);
}

/// Whether the windows of tiles are unrolled, or so long that most of them is no
/// edge; and whether no tile steps over pages, whose lines share places in L1.
bool WindowSearch::suits(const KernelPlan &plan) const {
  for (auto [parallel, reduction] : windows)
    for (const RegisterTile &tile : plan.tiles)
      if (tile.loop == parallel && plan.unroll[reduction] == 1 &&
          nest.sizes[reduction] < 2 * tile.count)
        return false;
  for (const RegisterTile &tile : plan.tiles)
    for (unsigned input = 0; input < pricing.inputs; ++input)
      if (int64_t stride = nest.stride(input, tile.loop);
          stride != 0 && stride % kPage == 0 && tile.count > kMostPages)
        return false;
  return countUnrolled(plan) <= kMostTaps;
}

//===----------------------------------------------------------------------===//
// Prices
//===----------------------------------------------------------------------===//

/// Turns that are emitted one after the other for each accumulator.
int64_t WindowSearch::countUnrolled(const KernelPlan &plan) const {
  int64_t steps = 1;
  for (int64_t unroll : plan.unroll)
    steps *= unroll;
  return steps;
}

/// Different vectors of `input` that one turn of a tile reads.
int64_t WindowSearch::countVectors(const KernelPlan &plan, unsigned input,
                                   ArrayRef<int64_t> counts,
                                   int64_t vectors) const {
  SmallVector<int64_t> places = {0};
  auto spread = [&](int64_t count, int64_t stride) {
    if (stride == 0 || count == 1)
      return;
    SmallVector<int64_t> next;
    for (int64_t place : places)
      for (int64_t step = 0; step < count; ++step)
        next.push_back(place + step * stride);
    llvm::sort(next);
    next.erase(llvm::unique(next), next.end());
    places = std::move(next);
  };
  for (auto [tile, count] : llvm::zip_equal(plan.tiles, counts))
    spread(count, nest.stride(input, tile.loop));
  for (auto [loop, unroll] : llvm::enumerate(plan.unroll))
    spread(unroll, nest.stride(input, loop));
  bool isVector = nest.stride(input, plan.laneLoop) != 0;
  return places.size() * (isVector ? vectors : 1);
}

/// Accumulators, one input's vectors of a turn and two of the other must fit.
bool WindowSearch::fits(const KernelPlan &plan) const {
  int64_t cells = plan.vectors;
  SmallVector<int64_t> counts;
  for (const RegisterTile &tile : plan.tiles) {
    cells *= tile.count;
    counts.push_back(tile.count);
  }
  int64_t steps = countUnrolled(plan);
  if (cells + 2 > pricing.target.registers || cells * steps > kMostCopies)
    return false;
  int64_t held = pricing.target.registers;
  for (unsigned input = 0; input < pricing.inputs; ++input)
    held = std::min(held, countVectors(plan, input, counts, plan.vectors));
  return cells + held + (steps > 1 ? kShared : 2) <= pricing.target.registers;
}

double WindowSearch::priceTurn(const KernelPlan &plan,
                               ArrayRef<int64_t> counts,
                               int64_t vectors) const {
  double cells = vectors, steps = countUnrolled(plan), loads = 0, reads = 0;
  for (int64_t count : counts)
    cells *= count;
  for (unsigned input = 0; input < pricing.inputs; ++input) {
    double count = countVectors(plan, input, counts, vectors);
    loads += count * pricing.loadPrice(plan, input);
    // A number that is used once is part of the multiplication.
    reads += count < cells * steps ? count : 0;
  }
  double products = cells * steps;
  double work = products / 2 * (pricing.target.hasFma ? 1 : 2);
  double issue = (products + reads + 3) / kIssueWidth;
  return std::max({work, loads, issue, kFmaLatency * steps}) + kTurnCycles;
}

double WindowSearch::countTurns(const KernelPlan &plan) const {
  double turns = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (!nest.isParallel(loop))
      turns *= llvm::divideCeil(nest.sizes[loop],
                                loop == plan.laneLoop ? plan.lanes
                                                      : plan.unroll[loop]);
  return turns;
}

/// Tiles whose code is their own: those near the ends of a loop with a bound.
int64_t WindowSearch::countVariants(const RegisterTile &tile) const {
  const LinearBound *bound = nest.findBound(tile.loop);
  int64_t size = nest.sizes[tile.loop], rest = size % tile.count != 0;
  if (!bound)
    return 1 + rest;
  int64_t taps = nest.sizes[bound->reduction];
  return std::min<int64_t>(llvm::divideCeil(size, tile.count),
                           1 + rest + llvm::divideCeil(taps, tile.count) * 2);
}

/// Sums tiles of all shapes: whole and partial along each tiled loop and along
/// the lanes.
double WindowSearch::price(const KernelPlan &plan) const {
  double variants = 1;
  for (const RegisterTile &tile : plan.tiles)
    variants *= countVariants(tile);
  int64_t blocks =
      plan.combining ? 1
                     : llvm::divideCeil(nest.sizes[plan.laneLoop], plan.lanes);
  double turns = countTurns(plan), cycles = 0, most = 0;
  auto add = [&](const TileShape &shape, double repeats, int64_t vectors) {
    double cells = vectors;
    for (int64_t count : shape.counts)
      cells *= count;
    double end = cells * (plan.combining ? kLaneSumCycles : 1) + kTileCycles;
    cycles += shape.repeats * repeats *
              (turns * priceTurn(plan, shape.counts, vectors) + end);
    most = std::max(most, cells);
  };
  for (const TileShape &shape : findTileShapes(nest, plan)) {
    add(shape, blocks / plan.vectors, plan.vectors);
    if (int64_t left = blocks % plan.vectors)
      add(shape, 1, left);
  }
  // Between equals, that of the smaller steps in memory; but of a loop whose ends
  // are emitted one by one, the outer one, which has the fewer ends.
  for (const RegisterTile &tile : plan.tiles)
    if (const LinearBound *bound = nest.findBound(tile.loop);
        !bound || plan.unroll[bound->reduction] > 1)
      cycles *= 1 + kStepShare * llvm::Log2_64(std::max<int64_t>(1, reach(tile.loop)));
  return cycles + kCodeCycles * most * countUnrolled(plan) * variants;
}

//===----------------------------------------------------------------------===//
// The order of loops
//===----------------------------------------------------------------------===//

/// How far `loop` moves the inputs at most.
int64_t WindowSearch::reach(unsigned loop) const {
  int64_t most = 0;
  for (unsigned input = 0; input < pricing.inputs; ++input)
    most = std::max(most, std::abs(nest.stride(input, loop)));
  return most;
}

/// Small steps inside, unrolled windows innermost.
void WindowSearch::orderReductions(KernelPlan &plan) const {
  setDefaultOrder(plan, nest);
  auto isUnrolled = [&](unsigned loop) { return plan.unroll[loop] > 1; };
  llvm::stable_sort(plan.reductions, [&](unsigned a, unsigned b) {
    if (isUnrolled(a) != isUnrolled(b))
      return isUnrolled(b);
    return reach(a) > reach(b);
  });
  if (plan.combining || plan.reductions.empty())
    return;
  // A short body is emitted a few times, so that counting is little beside it.
  unsigned last = plan.reductions.back();
  int64_t cells = plan.vectors;
  for (const RegisterTile &tile : plan.tiles)
    cells *= tile.count;
  if (!isUnrolled(last) && nest.sizes[last] >= kLongLoop)
    plan.unroll[last] = cells <= 16 ? 4 : 2;
}

/// Cuts the outermost reductions into blocks where the result is small and what is
/// read is not: just long enough that reading and writing accumulators is little.
void WindowSearch::cutReductions(KernelPlan &plan) const {
  if (plan.combining || countResults() > kMostWaiting)
    return;
  SmallVector<int64_t> counts;
  for (const RegisterTile &tile : plan.tiles)
    counts.push_back(tile.count);
  double inside = countTurns(plan) * priceTurn(plan, counts, plan.vectors);
  SmallVector<OuterLoop> blocks;
  for (unsigned loop : plan.reductions) {
    const LinearBound *bound = nest.findBound(loop);
    bool isTiled = bound && llvm::any_of(plan.tiles, [&](auto &tile) {
                     return tile.loop == bound->parallel;
                   });
    if (isTiled || inside <= 2 * kBlockCycles || plan.unroll[loop] > 1)
      break;
    double one = inside / nest.sizes[loop];
    int64_t step = std::ceil(kBlockCycles / one);
    if (step >= nest.sizes[loop])
      break;
    blocks.push_back({loop, step});
    inside = one * step;
  }
  plan.order.insert(plan.order.begin(), blocks.begin(), blocks.end());
}

/// Elements of the result.
int64_t WindowSearch::countResults() const {
  int64_t results = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    results *= nest.isParallel(loop) ? nest.sizes[loop] : 1;
  return results;
}

/// Cycles that a small result spends waiting for its inputs' lines from beyond the
/// caches, once each: much beside a part of it, which needs all of them.
double WindowSearch::priceMemory() const {
  if (countResults() > kMostWaiting)
    return 0;
  double lines = 0;
  for (unsigned input = 0; input < pricing.inputs; ++input) {
    int64_t span = 1;
    for (unsigned loop = 0; loop < nest.loops(); ++loop)
      span += (nest.sizes[loop] - 1) * std::abs(nest.stride(input, loop));
    lines += double(span * pricing.elementBits) / kLineBits;
  }
  const CacheLevel &cache = pricing.target.caches.back();
  return lines > cache.sets * cache.ways ? lines * cache.missCycles : 0;
}

void plumb::planWindow(const KernelPricing &pricing, BestPlan &best) {
  BestPlan found;
  WindowSearch search(pricing, found);
  search.run();
  if (!found.get())
    return;
  PricedPlan plan = *found.get();
  search.orderReductions(plan.plan);
  search.cutReductions(plan.plan);
  best.offer(plan.plan, plan.cycles + search.priceMemory());
}
