// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the loads that overlapping windows share, and cycles.

#include "compiler/codegen/cpu/cost/ConvolutionCost.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Reductions of at least so many iterations are unrolled a little.
constexpr int64_t kLongLoop = 12;
/// Up to so many registers cannot hold the elements that taps share beside enough accumulators to hide the latency of
/// multiply-adds.
constexpr int64_t kFewRegisters = 16;
/// Multiply-adds in one iteration of the innermost loop, over taps and along rows.
constexpr int64_t kMaxCopies = 100;
constexpr int64_t kMaxRowCopies = 200;
/// The shortest row. Shorter reductions are taps.
constexpr int64_t kMinRow = 6;
/// Registers for the second input of a window whose first input and accumulators stay in registers: EmitOrder.cpp
/// orders uses so that each of its vectors is needed for a short time.
constexpr int64_t kShared = 3;

ConvolutionCost::ConvolutionCost(const KernelCost &cost) : cost(cost), nest(cost.nest) {
  auto reaches = [&](unsigned input, unsigned far, unsigned loop) {
    return (nest.sizes[far] - 1) * std::abs(nest.stride(input, far)) >= std::abs(nest.stride(input, loop));
  };
  // A loop with a bound shares elements with the other loop of that bound only: the bound cuts off all other overlaps.
  auto isFree = [&](unsigned parallel, unsigned reduction) {
    const LinearBound *bound = nest.findBound(parallel);
    return bound ? bound->reduction == reduction : !nest.findBound(reduction);
  };
  for (unsigned parallel = 0; parallel < nest.loops(); ++parallel)
    for (unsigned reduction = 0; reduction < nest.loops(); ++reduction)
      for (unsigned input = 0; input < cost.inputs; ++input)
        if (nest.isParallel(parallel) && !nest.isParallel(reduction) && nest.stride(input, parallel) != 0 &&
            nest.stride(input, reduction) != 0 && isFree(parallel, reduction) && reaches(input, parallel, reduction) &&
            reaches(input, reduction, parallel))
          windows.push_back({parallel, reduction});
}

bool ConvolutionCost::isRow(const Window &window) const {
  int64_t length = nest.sizes[window.reduction];
  return length >= kMinRow && length >= 2 * nest.sizes[window.parallel];
}

bool ConvolutionCost::hasRow(const KernelPlan &plan) const {
  return llvm::any_of(windows, [&](const Window &window) {
    return isRow(window) &&
           llvm::any_of(plan.tiles, [&](const RegisterTile &tile) { return tile.loop == window.parallel; });
  });
}

std::optional<LoopSkew> ConvolutionCost::findSkew() const {
  std::optional<LoopSkew> found;
  for (const Window &window : windows)
    for (unsigned input = 0; input < cost.inputs; ++input) {
      int64_t tap = nest.stride(input, window.parallel);
      int64_t step = nest.stride(input, window.reduction);
      if (!isRow(window) || step == 0 || tap % step != 0 || tap / step < 1 ||
          (found && cost.reach(found->reduction) <= cost.reach(window.reduction)))
        continue;
      found = LoopSkew{window.parallel, window.reduction, tap / step};
    }
  return found;
}

int64_t ConvolutionCost::countUnrolled(const KernelPlan &plan) const {
  int64_t steps = 1;
  for (int64_t unroll : plan.unroll)
    steps *= unroll;
  return steps;
}

/// Different vectors of `input` that one iteration of a tile reads.
int64_t ConvolutionCost::countVectors(const KernelPlan &plan, unsigned input, const TileShape &shape) const {
  SmallVector<int64_t> addresses = {0};
  auto spread = [&](int64_t count, int64_t stride) {
    if (stride == 0 || count == 1)
      return;
    SmallVector<int64_t> next;
    for (int64_t address : addresses)
      for (int64_t step = 0; step < count; ++step)
        next.push_back(address + step * stride);
    llvm::sort(next);
    next.erase(llvm::unique(next), next.end());
    addresses = std::move(next);
  };
  for (auto [tile, count] : llvm::zip_equal(plan.tiles, shape.counts))
    spread(count, nest.stride(input, tile.loop));
  for (auto [loop, unroll] : llvm::enumerate(plan.unroll))
    spread(unroll, nest.stride(input, loop));
  bool isVector = nest.stride(input, plan.laneLoop) != 0;
  return addresses.size() * (isVector ? shape.vectors : 1);
}

bool ConvolutionCost::fits(const KernelPlan &plan) const {
  TileShape full = getFullShape(plan);
  int64_t accumulators = full.accumulators(), steps = countUnrolled(plan);
  int64_t maxCopies = hasRow(plan) ? kMaxRowCopies : kMaxCopies;
  if (accumulators + 2 > cost.target.machine.registers || accumulators * steps > maxCopies)
    return false;
  if (hasRow(plan))
    return true;
  int64_t live = cost.target.machine.registers;
  for (unsigned input = 0; input < cost.inputs; ++input)
    live = std::min(live, countVectors(plan, input, full));
  // Where each tap is a contraction of its own, vectors of the second input are used one after the other.
  int64_t other = steps > 1 ? kShared : takesTaps(plan) ? 1 : 2;
  return accumulators + live + other <= cost.target.machine.registers;
}

/// The address of the vector of `input` that each multiply-add of an iteration reads.
SmallVector<int64_t> ConvolutionCost::listAddresses(const KernelPlan &plan, unsigned input) const {
  SmallVector<int64_t> addresses = {0};
  auto repeat = [&](int64_t count, int64_t stride) {
    SmallVector<int64_t> next;
    for (int64_t address : addresses)
      for (int64_t step = 0; step < count; ++step)
        next.push_back(address + step * stride);
    addresses = std::move(next);
  };
  for (auto [loop, unroll] : llvm::enumerate(plan.unroll))
    repeat(unroll, nest.stride(input, loop));
  for (const RegisterTile &tile : plan.tiles)
    repeat(tile.count, nest.stride(input, tile.loop));
  repeat(plan.vectors, plan.lanes * nest.stride(input, plan.laneLoop));
  return addresses;
}

bool ConvolutionCost::holds(const KernelPlan &plan) const {
  TileShape full = getFullShape(plan);
  SmallVector<int64_t> change(full.accumulators() * countUnrolled(plan) + 1);
  for (unsigned input = 0; input < cost.inputs; ++input) {
    llvm::SmallDenseMap<int64_t, std::pair<int64_t, int64_t>, 64> uses;
    for (auto [time, address] : llvm::enumerate(listAddresses(plan, input)))
      uses.try_emplace(address, time, time).first->second.second = time;
    for (auto [address, use] : uses) {
      // A vector with one use is a memory operand of the multiply-add.
      if (use.first == use.second)
        continue;
      ++change[use.first];
      --change[use.second + 1];
    }
  }
  int64_t live = 0, maxLive = 1;
  for (int64_t step : change)
    maxLive = std::max(maxLive, live += step);
  return full.accumulators() + maxLive <= cost.target.machine.registers;
}

int64_t ConvolutionCost::countRepeats(const KernelPlan &plan, unsigned reduction) const {
  if (nest.sizes[reduction] < kLongLoop)
    return 1;
  // The ends of a row are peeled, which already adds code.
  return getFullShape(plan).accumulators() <= 16 && !takesTaps(plan) ? 4 : 2;
}

std::optional<unsigned> ConvolutionCost::findInnermost(const KernelPlan &plan) const {
  std::optional<unsigned> found;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (!nest.isParallel(loop) && loop != plan.laneLoop && (!found || cost.reach(loop) <= cost.reach(*found)))
      found = loop;
  return found;
}

bool ConvolutionCost::hasLongIterations(const KernelPlan &plan, unsigned reduction) const {
  std::optional<unsigned> iterations = findInnermost(plan);
  return iterations && *iterations != reduction && nest.sizes[*iterations] >= kLongLoop && countUnrolled(plan) == 1 &&
         !plan.combining && cost.target.machine.registers <= kFewRegisters;
}

/// Whether the taps of a tile's window are contractions one after the other.
bool ConvolutionCost::takesTaps(const KernelPlan &plan) const {
  return llvm::any_of(windows, [&](const Window &window) {
    return hasLongIterations(plan, window.reduction) &&
           llvm::any_of(plan.tiles, [&](const RegisterTile &tile) { return tile.loop == window.parallel; });
  });
}

/// Cycles between the starts of two iterations that one accumulator's chain of multiply-adds allows. Unrolled taps are
/// delayed by their loads, too.
double ConvolutionCost::getChainCycles(const KernelPlan &plan) const {
  bool unrollsTaps =
      llvm::any_of(windows, [&](const Window &window) { return plan.unroll[window.reduction] > 1 && !isRow(window); });
  return (cost.target.machine.fmaLatency + (unrollsTaps ? cost.target.machine.chainSlack : 0)) * countUnrolled(plan);
}

double ConvolutionCost::getIterationCycles(const KernelPlan &plan, const TileShape &shape) const {
  double steps = countUnrolled(plan), products = shape.accumulators() * steps;
  double loads = 0, reads = 0;
  for (unsigned input = 0; input < cost.inputs; ++input) {
    double count = countVectors(plan, input, shape);
    loads += count * cost.getLoadCycles(plan, input);
    // A vector with one use is a memory operand of the multiply-add.
    reads += count < products ? count : 0;
  }
  double work = products / cost.target.machine.fmasPerCycle * (cost.target.hasFma ? 1 : 2);
  double issue = (products + reads + 3) / cost.target.machine.issueWidth;
  return std::max({work, loads, issue, getChainCycles(plan)}) + cost.target.machine.addedLoadShare * loads +
         cost.target.machine.windowIterationCycles / (takesTaps(plan) ? 2 : 1);
}

/// The bound of the row that the tile covers, or null.
const LinearBound *ConvolutionCost::findRow(const KernelPlan &plan) const {
  if (hasRow(plan))
    for (const LinearBound &bound : nest.bounds)
      for (const RegisterTile &tile : plan.tiles)
        if (tile.loop == bound.parallel)
          return &bound;
  return nullptr;
}

/// The fraction of a bound's iterations that exist.
static double getShare(const LinearNest &nest, const LinearBound &bound) {
  double count = 0, all = nest.sizes[bound.parallel];
  for (int64_t index = 0; index < nest.sizes[bound.parallel]; ++index) {
    IterationRange range = bound.reductionRange(index, nest.sizes[bound.reduction]);
    count += std::max<int64_t>(0, range.to - range.from);
  }
  return count / (all * nest.sizes[bound.reduction]);
}

/// Iterations of all reductions except the row that the tile covers.
double ConvolutionCost::countIterations(const KernelPlan &plan) const {
  const LinearBound *row = findRow(plan);
  double iterations = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    if (nest.isParallel(loop) || (row && row->reduction == loop))
      continue;
    int64_t step = loop == plan.laneLoop ? plan.lanes : plan.unroll[loop];
    // The remainder of a row is emitted after its unrolled iterations and counts as a fraction of one.
    iterations *= hasRow(plan) && loop != plan.laneLoop ? double(nest.sizes[loop]) / step
                                                        : llvm::divideCeil(nest.sizes[loop], step);
    if (const LinearBound *bound = nest.findBound(loop); bound && hasRow(plan))
      iterations *= getShare(nest, *bound);
  }
  return iterations;
}

/// Cycles of a row for a tile of `count` steps from `first` on: near the ends of the row few multiply-adds exist, and
/// their latency dominates.
static double getRowCycles(const LinearNest &nest, const LinearBound &row, int64_t first, int64_t count, double full,
                           double latency) {
  double cycles = 0;
  for (int64_t index = 0; index < nest.sizes[row.reduction]; ++index) {
    double steps = 0;
    for (int64_t step = first; step < first + count; ++step)
      steps += row.contains(step, index);
    if (steps)
      cycles += std::max(full * steps / count, latency);
  }
  return cycles;
}

/// The mean over all positions of tiles of `count` steps; the last tile may be a remainder.
static double getRowsCycles(const LinearNest &nest, const LinearBound &row, int64_t count, const RegisterTile &tile,
                            double full, double latency) {
  int64_t size = nest.sizes[row.parallel], tiles = size / tile.count;
  if (count < tile.count)
    return getRowCycles(nest, row, size - count, count, full, latency);
  double cycles = 0;
  for (int64_t number = 0; number < tiles; ++number)
    cycles += getRowCycles(nest, row, number * count, count, full, latency);
  return cycles / tiles;
}

double ConvolutionCost::getReductionCycles(const KernelPlan &plan, const TileShape &shape) const {
  double iteration = getIterationCycles(plan, shape), iterations = countIterations(plan);
  const LinearBound *row = findRow(plan);
  if (!row)
    return iterations * iteration;
  for (auto [tile, count] : llvm::zip_equal(plan.tiles, shape.counts))
    if (tile.loop == row->parallel)
      iterations *= getRowsCycles(nest, *row, count, tile, iteration / plan.unroll[row->reduction],
                                  cost.target.machine.fmaLatency);
  return iterations;
}

/// Tiles that need code of their own: those near the ends of a loop with a bound are peeled.
int64_t ConvolutionCost::countVariants(const RegisterTile &tile) const {
  const LinearBound *bound = nest.findBound(tile.loop);
  int64_t size = nest.sizes[tile.loop], remainder = size % tile.count != 0;
  if (!bound)
    return 1 + remainder;
  int64_t taps = nest.sizes[bound->reduction];
  return std::min<int64_t>(llvm::divideCeil(size, tile.count), 1 + remainder + llvm::divideCeil(taps, tile.count) * 2);
}

double ConvolutionCost::getCycles(const KernelPlan &plan) const {
  double cycles = 0, maxAccumulators = 0, variants = 1;
  for (const TileShape &shape : findTileShapes(nest, plan)) {
    double accumulators = shape.accumulators();
    double last =
        accumulators * (plan.combining ? cost.target.machine.laneSumCycles : 1) + cost.target.machine.windowTileCycles;
    cycles += shape.repeats * (getReductionCycles(plan, shape) + last);
    maxAccumulators = std::max(maxAccumulators, accumulators);
  }
  // Among equal plans, prefer the tile with smaller strides in memory; for loops whose ends are peeled, prefer the
  // outer loop, which has fewer ends.
  for (const RegisterTile &tile : plan.tiles) {
    variants *= countVariants(tile);
    if (const LinearBound *bound = nest.findBound(tile.loop); !bound || plan.unroll[bound->reduction] > 1)
      cycles *= cost.getStrideFactor(tile);
  }
  return cycles + kCodeCycles * maxAccumulators * countUnrolled(plan) * variants;
}
