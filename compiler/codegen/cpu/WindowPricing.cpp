// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts vectors that windows share, and cycles.

#include "compiler/codegen/cpu/WindowPricing.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Loops from this length on are unrolled a little.
constexpr int64_t kLongLoop = 12;
/// Registers that do not hold what taps share beside accumulators enough to
/// hide latencies.
constexpr int64_t kFewRegisters = 16;
/// A turn's own instructions: counting, comparing, jumping.
constexpr double kTurnCycles = 0.5;
/// The part of a load that is felt beside work that takes longer.
constexpr double kLoadShare = 0.05;
/// Instructions that begin in one cycle.
constexpr double kIssueWidth = 6;
/// Starting and ending a tile.
constexpr double kTileCycles = 6;
/// What doubling a tile's step in memory costs.
constexpr double kStepShare = 0.005;
/// Products in one turn of the innermost loop, over taps and along rows.
constexpr int64_t kMostCopies = 100;
constexpr int64_t kMostRowCopies = 200;
/// The shortest row: shorter ones are the taps of some rows of an image.
constexpr int64_t kLeastRow = 6;
/// Registers, beside accumulators and the input that waits for all of a
/// window's steps, for the other one, which is used by all of them at once
/// (EmitOrder.cpp).
constexpr int64_t kShared = 3;

WindowPricing::WindowPricing(const KernelPricing &pricing)
    : pricing(pricing), nest(pricing.nest) {
  auto reaches = [&](unsigned input, unsigned far, unsigned loop) {
    return (nest.sizes[far] - 1) * std::abs(nest.stride(input, far)) >=
           std::abs(nest.stride(input, loop));
  };
  // A loop with a bound meets nothing of other loops: what would is cut off.
  auto isFree = [&](unsigned parallel, unsigned reduction) {
    const LinearBound *bound = nest.findBound(parallel);
    return bound ? bound->reduction == reduction : !nest.findBound(reduction);
  };
  for (unsigned parallel = 0; parallel < nest.loops(); ++parallel)
    for (unsigned reduction = 0; reduction < nest.loops(); ++reduction)
      for (unsigned input = 0; input < pricing.inputs; ++input)
        if (nest.isParallel(parallel) && !nest.isParallel(reduction) &&
            nest.stride(input, parallel) != 0 &&
            nest.stride(input, reduction) != 0 && isFree(parallel, reduction) &&
            reaches(input, parallel, reduction) &&
            reaches(input, reduction, parallel))
          windows.push_back({parallel, reduction});
}

bool WindowPricing::isRow(const Window &window) const {
  int64_t length = nest.sizes[window.reduction];
  return length >= kLeastRow && length >= 2 * nest.sizes[window.parallel];
}

bool WindowPricing::hasRow(const KernelPlan &plan) const {
  return llvm::any_of(windows, [&](const Window &window) {
    return isRow(window) &&
           llvm::any_of(plan.tiles, [&](const RegisterTile &tile) {
             return tile.loop == window.parallel;
           });
  });
}

int64_t WindowPricing::reach(unsigned loop) const {
  int64_t most = 0;
  for (unsigned input = 0; input < pricing.inputs; ++input)
    most = std::max(most, std::abs(nest.stride(input, loop)));
  return most;
}

std::optional<WindowSlide> WindowPricing::findSlide() const {
  std::optional<WindowSlide> found;
  for (const Window &window : windows)
    for (unsigned input = 0; input < pricing.inputs; ++input) {
      int64_t tap = nest.stride(input, window.parallel);
      int64_t step = nest.stride(input, window.reduction);
      if (!isRow(window) || step == 0 || tap % step != 0 || tap / step < 1 ||
          (found && reach(found->reduction) <= reach(window.reduction)))
        continue;
      found = WindowSlide{window.parallel, window.reduction, tap / step};
    }
  return found;
}

int64_t WindowPricing::countUnrolled(const KernelPlan &plan) const {
  int64_t steps = 1;
  for (int64_t unroll : plan.unroll)
    steps *= unroll;
  return steps;
}

/// Different vectors of `input` that one turn of a tile reads.
int64_t WindowPricing::countVectors(const KernelPlan &plan, unsigned input,
                                    const TileShape &shape) const {
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
  for (auto [tile, count] : llvm::zip_equal(plan.tiles, shape.counts))
    spread(count, nest.stride(input, tile.loop));
  for (auto [loop, unroll] : llvm::enumerate(plan.unroll))
    spread(unroll, nest.stride(input, loop));
  bool isVector = nest.stride(input, plan.laneLoop) != 0;
  return places.size() * (isVector ? shape.vectors : 1);
}

bool WindowPricing::fits(const KernelPlan &plan) const {
  TileShape whole = getWholeShape(plan);
  int64_t cells = whole.cells(), steps = countUnrolled(plan);
  int64_t most = hasRow(plan) ? kMostRowCopies : kMostCopies;
  if (cells + 2 > pricing.target.registers || cells * steps > most)
    return false;
  if (hasRow(plan))
    return true;
  int64_t held = pricing.target.registers;
  for (unsigned input = 0; input < pricing.inputs; ++input)
    held = std::min(held, countVectors(plan, input, whole));
  // Taps that are products take the other input's numbers one after the other, each for all that waits.
  int64_t other = steps > 1 ? kShared : takesTaps(plan) ? 1 : 2;
  return cells + held + other <= pricing.target.registers;
}

/// The place of the vector of `input` that each product of a turn reads.
SmallVector<int64_t> WindowPricing::listPlaces(const KernelPlan &plan,
                                               unsigned input) const {
  SmallVector<int64_t> places = {0};
  auto repeat = [&](int64_t count, int64_t stride) {
    SmallVector<int64_t> next;
    for (int64_t place : places)
      for (int64_t step = 0; step < count; ++step)
        next.push_back(place + step * stride);
    places = std::move(next);
  };
  for (auto [loop, unroll] : llvm::enumerate(plan.unroll))
    repeat(unroll, nest.stride(input, loop));
  for (const RegisterTile &tile : plan.tiles)
    repeat(tile.count, nest.stride(input, tile.loop));
  repeat(plan.vectors, plan.lanes * nest.stride(input, plan.laneLoop));
  return places;
}

bool WindowPricing::holds(const KernelPlan &plan) const {
  TileShape whole = getWholeShape(plan);
  SmallVector<int64_t> change(whole.cells() * countUnrolled(plan) + 1);
  for (unsigned input = 0; input < pricing.inputs; ++input) {
    llvm::SmallDenseMap<int64_t, std::pair<int64_t, int64_t>, 64> uses;
    for (auto [time, place] : llvm::enumerate(listPlaces(plan, input)))
      uses.try_emplace(place, time, time).first->second.second = time;
    for (auto [place, use] : uses) {
      // A number that is used once is part of the multiplication.
      if (use.first == use.second)
        continue;
      ++change[use.first];
      --change[use.second + 1];
    }
  }
  int64_t held = 0, most = 1;
  for (int64_t step : change)
    most = std::max(most, held += step);
  return whole.cells() + most <= pricing.target.registers;
}

int64_t WindowPricing::countRepeats(const KernelPlan &plan,
                                    unsigned reduction) const {
  if (nest.sizes[reduction] < kLongLoop)
    return 1;
  // The ends of a row are emitted apart, which is code enough.
  return getWholeShape(plan).cells() <= 16 && !takesTaps(plan) ? 4 : 2;
}

std::optional<unsigned> WindowPricing::findInnermost(const KernelPlan &plan) const {
  std::optional<unsigned> found;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (!nest.isParallel(loop) && loop != plan.laneLoop &&
        (!found || reach(loop) <= reach(*found)))
      found = loop;
  return found;
}

bool WindowPricing::hasLongTurns(const KernelPlan &plan,
                                 unsigned reduction) const {
  std::optional<unsigned> turns = findInnermost(plan);
  return turns && *turns != reduction && nest.sizes[*turns] >= kLongLoop &&
         countUnrolled(plan) == 1 && !plan.combining &&
         pricing.target.registers <= kFewRegisters;
}

/// Whether the taps of a tile's window are products one after the other.
bool WindowPricing::takesTaps(const KernelPlan &plan) const {
  return llvm::any_of(windows, [&](const Window &window) {
    return hasLongTurns(plan, window.reduction) &&
           llvm::any_of(plan.tiles, [&](const RegisterTile &tile) {
             return tile.loop == window.parallel;
           });
  });
}

/// Cycles from a turn's beginning to the next one's, for an accumulator: those
/// of taps that are unrolled wait for each other in an order in which loads
/// come, too.
double WindowPricing::priceChain(const KernelPlan &plan) const {
  bool unrollsTaps = llvm::any_of(windows, [&](const Window &window) {
    return plan.unroll[window.reduction] > 1 && !isRow(window);
  });
  return (kFmaLatency + (unrollsTaps ? kChainSlack : 0)) * countUnrolled(plan);
}

double WindowPricing::priceTurn(const KernelPlan &plan,
                                const TileShape &shape) const {
  double steps = countUnrolled(plan), products = shape.cells() * steps;
  double loads = 0, reads = 0;
  for (unsigned input = 0; input < pricing.inputs; ++input) {
    double count = countVectors(plan, input, shape);
    loads += count * pricing.loadPrice(plan, input);
    // A number that is used once is part of the multiplication.
    reads += count < products ? count : 0;
  }
  double work = products / 2 * (pricing.target.hasFma ? 1 : 2);
  double issue = (products + reads + 3) / kIssueWidth;
  return std::max({work, loads, issue, priceChain(plan)}) + kLoadShare * loads +
         kTurnCycles / (takesTaps(plan) ? 2 : 1);
}

/// The bound whose row the tile is cut by, or null.
const LinearBound *WindowPricing::findRow(const KernelPlan &plan) const {
  if (hasRow(plan))
    for (const LinearBound &bound : nest.bounds)
      for (const RegisterTile &tile : plan.tiles)
        if (tile.loop == bound.parallel)
          return &bound;
  return nullptr;
}

/// The share of a bound's iterations that exist.
static double getShare(const LinearNest &nest, const LinearBound &bound) {
  double count = 0, all = nest.sizes[bound.parallel];
  for (int64_t index = 0; index < nest.sizes[bound.parallel]; ++index) {
    IterationRange range =
        bound.reductionRange(index, nest.sizes[bound.reduction]);
    count += std::max<int64_t>(0, range.to - range.from);
  }
  return count / (all * nest.sizes[bound.reduction]);
}

/// Turns of all reductions, but for the row that the tile is cut by.
double WindowPricing::countTurns(const KernelPlan &plan) const {
  const LinearBound *row = findRow(plan);
  double turns = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    if (nest.isParallel(loop) || (row && row->reduction == loop))
      continue;
    int64_t step = loop == plan.laneLoop ? plan.lanes : plan.unroll[loop];
    // What is left of a row is emitted behind its turns, and takes its share.
    turns *= hasRow(plan) && loop != plan.laneLoop
                 ? double(nest.sizes[loop]) / step
                 : llvm::divideCeil(nest.sizes[loop], step);
    if (const LinearBound *bound = nest.findBound(loop); bound && hasRow(plan))
      turns *= getShare(nest, *bound);
  }
  return turns;
}

/// Cycles of a row that a tile of `count` steps from `first` on is cut by: near
/// its ends few products exist, which wait for each other.
static double priceRow(const LinearNest &nest, const LinearBound &row,
                       int64_t first, int64_t count, double whole) {
  double cycles = 0;
  for (int64_t index = 0; index < nest.sizes[row.reduction]; ++index) {
    double steps = 0;
    for (int64_t step = first; step < first + count; ++step)
      steps += row.contains(step, index);
    if (steps)
      cycles += std::max(whole * steps / count, kFmaLatency);
  }
  return cycles;
}

/// The same for tiles of `count` steps at all their places, whole ones first.
static double priceRows(const LinearNest &nest, const LinearBound &row,
                        int64_t count, const RegisterTile &tile, double whole) {
  int64_t size = nest.sizes[row.parallel], tiles = size / tile.count;
  if (count < tile.count)
    return priceRow(nest, row, size - count, count, whole);
  double cycles = 0;
  for (int64_t number = 0; number < tiles; ++number)
    cycles += priceRow(nest, row, number * count, count, whole);
  return cycles / tiles;
}

double WindowPricing::priceTurns(const KernelPlan &plan,
                                 const TileShape &shape) const {
  double turn = priceTurn(plan, shape), turns = countTurns(plan);
  const LinearBound *row = findRow(plan);
  if (!row)
    return turns * turn;
  for (auto [tile, count] : llvm::zip_equal(plan.tiles, shape.counts))
    if (tile.loop == row->parallel)
      turns *= priceRows(nest, *row, count, tile,
                         turn / plan.unroll[row->reduction]);
  return turns;
}

/// Tiles whose code is their own: those near the ends of a loop with a bound.
int64_t WindowPricing::countVariants(const RegisterTile &tile) const {
  const LinearBound *bound = nest.findBound(tile.loop);
  int64_t size = nest.sizes[tile.loop], rest = size % tile.count != 0;
  if (!bound)
    return 1 + rest;
  int64_t taps = nest.sizes[bound->reduction];
  return std::min<int64_t>(llvm::divideCeil(size, tile.count),
                           1 + rest + llvm::divideCeil(taps, tile.count) * 2);
}

double WindowPricing::price(const KernelPlan &plan) const {
  double cycles = 0, most = 0, variants = 1;
  for (const TileShape &shape : findTileShapes(nest, plan)) {
    double cells = shape.cells();
    double end = cells * (plan.combining ? kLaneSumCycles : 1) + kTileCycles;
    cycles += shape.repeats * (priceTurns(plan, shape) + end);
    most = std::max(most, cells);
  }
  // Between equals, that of the smaller steps in memory; but of a loop whose
  // ends are emitted one by one, the outer one, which has the fewer ends.
  for (const RegisterTile &tile : plan.tiles) {
    variants *= countVariants(tile);
    if (const LinearBound *bound = nest.findBound(tile.loop);
        !bound || plan.unroll[bound->reduction] > 1)
      cycles *= 1 + kStepShare *
                        llvm::Log2_64(std::max<int64_t>(1, reach(tile.loop)));
  }
  return cycles + kCodeCycles * most * countUnrolled(plan) * variants;
}
