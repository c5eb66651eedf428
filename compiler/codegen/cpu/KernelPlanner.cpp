// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerates lane loops, vectors per block and register tiles; keeps the
// cheapest. The search is a few thousand cheap evaluations per operation.

#include "compiler/codegen/cpu/KernelPlanner.h"

#include "compiler/codegen/cpu/VectorBody.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

namespace {

constexpr double kFmaLatency = 4;
/// What an emitted operation may cost: compile time, and cache.
constexpr double kCodeCycles = 1;
/// Combining the lanes of one accumulator.
constexpr double kLaneSumCycles = 9;
/// Tiles larger than this only cost code.
constexpr int64_t kMostSteps = 14;
constexpr int64_t kMostVectors = 4;
/// Body copies in one turn of the innermost loop.
constexpr int64_t kMostCopies = 160;

/// Plans one operation.
class Planner {
public:
  Planner(linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target);

  std::optional<PricedPlan> plan();

private:
  bool canBeLanes(unsigned loop) const;
  int64_t lanesFor(unsigned loop) const;
  void tryLoop(unsigned loop);
  void tryTiles(KernelPlan &plan);
  void trySteps(KernelPlan &plan, ArrayRef<unsigned> loops);
  void consider(KernelPlan &plan);
  bool boundsHold(const KernelPlan &plan) const;
  void planElementwise(KernelPlan &plan);
  void planZipped(unsigned loop);
  void chooseUnroll(KernelPlan &plan) const;

  bool fits(const KernelPlan &plan) const;
  double price(const KernelPlan &plan) const;
  double priceTile(const KernelPlan &plan, ArrayRef<int64_t> counts,
                   int64_t vectors) const;
  int64_t countLoads(const KernelPlan &plan, unsigned input,
                     ArrayRef<int64_t> counts, int64_t vectors) const;
  double loadPrice(const KernelPlan &plan, unsigned input) const;
  int64_t reductionTurns(const KernelPlan &plan) const;
  bool hasReductions() const {
    return llvm::is_contained(nest.kinds, utils::IteratorType::reduction);
  }

  linalg::LinalgOp op;
  const LinearNest &nest;
  const CpuTarget &target;
  unsigned inputs, outputs;
  bool usesIndices;
  /// Inputs that only give the nest its shape, such as a pooling window.
  llvm::SmallDenseSet<unsigned> unused;
  std::optional<vector::CombiningKind> combining;
  int64_t operations;
  int64_t elementBits = 32;
  std::optional<PricedPlan> best;
};

} // namespace

Planner::Planner(linalg::LinalgOp op, const LinearNest &nest,
                 const CpuTarget &target)
    : op(op), nest(nest), target(target), inputs(op.getNumDpsInputs()),
      outputs(op.getNumDpsInits()), usesIndices(op.hasIndexSemantics()),
      combining(getReductionKind(op)), operations(std::max<int64_t>(1, VectorBody::countOperations(op))) {
  for (BlockArgument argument : op.getBlock()->getArguments())
    if (argument.getType().isIntOrFloat())
      elementBits = std::max<int64_t>(
          elementBits, argument.getType().getIntOrFloatBitWidth());
  for (unsigned input = 0; input < inputs; ++input)
    if (op.getBlock()->getArgument(input).use_empty())
      unused.insert(input);
}

/// Lanes of a parallel loop must be neighbours in every output; lanes of a
/// reduction must be combinable.
bool Planner::canBeLanes(unsigned loop) const {
  if (nest.sizes[loop] < 2 || nest.findBound(loop))
    return false;
  if (!nest.isParallel(loop))
    return !usesIndices && combining.has_value() &&
           llvm::any_of(llvm::seq<unsigned>(0, inputs),
                        [&](unsigned input) {
                          return nest.stride(input, loop) == 1;
                        });
  return llvm::all_of(
      llvm::seq<unsigned>(inputs, inputs + outputs),
      [&](unsigned output) { return nest.stride(output, loop) == 1; });
}

int64_t Planner::lanesFor(unsigned loop) const {
  int64_t whole = llvm::PowerOf2Ceil(nest.sizes[loop]);
  return std::max<int64_t>(2, std::min(target.lanes(elementBits), whole));
}

std::optional<PricedPlan> Planner::plan() {
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (canBeLanes(loop))
      tryLoop(loop);
    else if (!hasReductions())
      planZipped(loop);
  return best;
}

void Planner::tryLoop(unsigned loop) {
  KernelPlan plan;
  plan.laneLoop = loop;
  plan.lanes = lanesFor(loop);
  plan.unroll.assign(nest.loops(), 1);
  if (!nest.isParallel(loop))
    plan.combining = combining;
  plan.zeroIsNeutral = isContraction(op);
  if (!hasReductions())
    return planElementwise(plan);
  int64_t most = plan.combining ? 1
                                : std::min<int64_t>(
                                      kMostVectors,
                                      llvm::divideCeil(nest.sizes[loop],
                                                       plan.lanes));
  for (plan.vectors = 1; plan.vectors <= most; ++plan.vectors)
    tryTiles(plan);
}

/// No tile, each parallel loop, and each ordered pair of them.
void Planner::tryTiles(KernelPlan &plan) {
  SmallVector<unsigned> loops;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (nest.isParallel(loop) && loop != plan.laneLoop)
      loops.push_back(loop);
  trySteps(plan, {});
  for (unsigned first : loops) {
    trySteps(plan, {first});
    for (unsigned second : loops)
      if (second != first)
        trySteps(plan, {first, second});
  }
}

/// All counts for the given tiled loops.
void Planner::trySteps(KernelPlan &plan, ArrayRef<unsigned> loops) {
  if (plan.tiles.size() == loops.size())
    return consider(plan);
  unsigned loop = loops[plan.tiles.size()];
  int64_t most = std::min(kMostSteps, nest.sizes[loop]);
  for (int64_t count = 2; count <= most; ++count) {
    plan.tiles.push_back({loop, count});
    if (fits(plan))
      trySteps(plan, loops);
    plan.tiles.pop_back();
  }
}

void Planner::consider(KernelPlan &plan) {
  if (!fits(plan))
    return;
  chooseUnroll(plan);
  if (!boundsHold(plan))
    return;
  double cycles = price(plan);
  if (!best || cycles < best->cycles)
    best = PricedPlan{plan, cycles};
}

/// Where the loop of a bound is held in registers, the emitter must know both
/// indices when it writes code; where it is not, it cuts the reduction's range.
bool Planner::boundsHold(const KernelPlan &plan) const {
  return llvm::all_of(nest.bounds, [&](const LinearBound &bound) {
    bool tiled = llvm::any_of(plan.tiles, [&](const RegisterTile &tile) {
      return tile.loop == bound.parallel;
    });
    return !tiled || plan.unroll[bound.reduction] == nest.sizes[bound.reduction];
  });
}

/// Elementwise work: a few vectors along the lanes; a square tile where an
/// input's neighbours lie along another loop.
void Planner::planElementwise(KernelPlan &plan) {
  int64_t vectors = llvm::divideCeil(nest.sizes[plan.laneLoop], plan.lanes);
  plan.vectors = std::min<int64_t>(vectors, operations <= 8 ? 4 : 1);
  for (unsigned input = 0; input < inputs; ++input) {
    int64_t stride = nest.stride(input, plan.laneLoop);
    if (stride == 0 || stride == 1 || usesIndices || unused.contains(input))
      continue;
    for (unsigned loop = 0; loop < nest.loops(); ++loop) {
      bool taken = !plan.tiles.empty() && plan.tiles[0].loop != loop;
      if (nest.stride(input, loop) != 1 || nest.sizes[loop] < 3 || taken)
        continue;
      plan.lanes = target.lanes(elementBits);
      plan.vectors = 1;
      plan.tiles.assign(1, {loop, std::min(plan.lanes, nest.sizes[loop])});
      plan.transposed.push_back(input);
      break;
    }
  }
  double cycles = price(plan);
  if (!best || cycles < best->cycles)
    best = PricedPlan{plan, cycles};
}

/// Elementwise work whose outputs lie two apart along `loop`, with the other
/// halves along a loop of two: both halves are computed and zipped. The places
/// of a pooling window, spread over the image, are such.
void Planner::planZipped(unsigned loop) {
  KernelPlan plan;
  plan.laneLoop = loop;
  plan.lanes = lanesFor(loop);
  plan.zipsOutputs = true;
  plan.unroll.assign(nest.loops(), 1);
  for (unsigned pair = 0; pair < nest.loops(); ++pair) {
    bool zips = nest.sizes[loop] > 2 && nest.sizes[pair] == 2;
    for (unsigned output = 0; output < outputs; ++output)
      zips &= nest.stride(inputs + output, loop) == 2 &&
              nest.stride(inputs + output, pair) == 1 &&
              op.getRegionOutputArgs()[output].use_empty();
    if (!zips)
      continue;
    plan.tiles.assign(1, {pair, 2});
    double cycles = price(plan);
    if (!best || cycles < best->cycles)
      best = PricedPlan{plan, cycles};
  }
}

/// Unrolls the innermost reduction: short ones whole, long ones a little.
void Planner::chooseUnroll(KernelPlan &plan) const {
  plan.unroll.assign(nest.loops(), 1);
  int64_t cells = plan.vectors * operations;
  for (const RegisterTile &tile : plan.tiles)
    cells *= tile.count;
  for (unsigned loop = nest.loops(); loop-- > 0;) {
    if (nest.isParallel(loop) || loop == plan.laneLoop)
      continue;
    int64_t size = nest.sizes[loop];
    if (size <= 8 && size * cells <= kMostCopies)
      plan.unroll[loop] = size;
    else if (!plan.combining)
      plan.unroll[loop] = cells * 4 <= 64 ? 4 : cells * 2 <= 64 ? 2 : 1;
    plan.unroll[loop] = std::min(plan.unroll[loop], size);
    return;
  }
}

/// Vectors of `input` that one turn of the innermost loop loads.
int64_t Planner::countLoads(const KernelPlan &plan, unsigned input,
                            ArrayRef<int64_t> counts, int64_t vectors) const {
  if (unused.contains(input))
    return 0;
  int64_t loads = nest.stride(input, plan.laneLoop) != 0 ? vectors : 1;
  for (auto [tile, count] : llvm::zip_equal(plan.tiles, counts))
    if (nest.stride(input, tile.loop) != 0)
      loads *= count;
  return loads;
}

/// Cycles of one load, by how its lanes lie in memory.
double Planner::loadPrice(const KernelPlan &plan, unsigned input) const {
  int64_t stride = nest.stride(input, plan.laneLoop);
  if (stride == 0 || stride == 1)
    return 0.5;
  if (llvm::is_contained(plan.transposed, input))
    return 4.5;
  return stride == 2 ? 2 : 1.5 * plan.lanes;
}

/// Accumulators, the vectors that every step of the first tile uses again, and
/// one vector on its way must fit.
bool Planner::fits(const KernelPlan &plan) const {
  int64_t cells = plan.vectors;
  SmallVector<int64_t> counts;
  for (const RegisterTile &tile : plan.tiles) {
    cells *= tile.count;
    counts.push_back(tile.count);
  }
  int64_t held = 1;
  for (unsigned input = 0; input < inputs; ++input) {
    bool waits =
        plan.tiles.empty() || nest.stride(input, plan.tiles[0].loop) == 0;
    held += waits ? countLoads(plan, input, counts, plan.vectors) : 1;
  }
  return cells * outputs + held <= target.registers;
}

/// Turns of all reduction loops for one tile.
int64_t Planner::reductionTurns(const KernelPlan &plan) const {
  int64_t turns = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (!nest.isParallel(loop))
      turns *= loop == plan.laneLoop
                   ? llvm::divideCeil(nest.sizes[loop], plan.lanes)
                   : nest.sizes[loop];
  return turns;
}

double Planner::priceTile(const KernelPlan &plan, ArrayRef<int64_t> counts,
                          int64_t vectors) const {
  double cells = vectors, loads = 0;
  for (int64_t count : counts)
    cells *= count;
  for (unsigned input = 0; input < inputs; ++input)
    loads += countLoads(plan, input, counts, vectors) * loadPrice(plan, input);
  double work = cells * operations / 2;
  // A machine without fused multiply-add needs a second operation.
  if (!target.hasFma)
    work *= 2;
  double chain = hasReductions() ? kFmaLatency * operations : 1;
  double turn = std::max({work, loads, chain}) + 0.25;
  double end = cells * (plan.combining ? kLaneSumCycles : 1.0) + 4;
  return reductionTurns(plan) * turn + end;
}

/// Sums tiles of all shapes: whole and partial along each tiled loop and along
/// the lanes.
double Planner::price(const KernelPlan &plan) const {
  double outer = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (nest.isParallel(loop) && loop != plan.laneLoop &&
        llvm::none_of(plan.tiles, [&](const RegisterTile &tile) {
          return tile.loop == loop;
        }))
      outer *= nest.sizes[loop];
  struct Shape {
    double repeats;
    SmallVector<int64_t> counts;
  };
  SmallVector<Shape> shapes{{outer, {}}};
  for (const RegisterTile &tile : plan.tiles) {
    SmallVector<Shape> next;
    for (const Shape &shape : shapes)
      for (bool whole : {true, false}) {
        int64_t size = nest.sizes[tile.loop];
        int64_t repeats = whole ? size / tile.count : size % tile.count != 0;
        next.push_back({shape.repeats * repeats, shape.counts});
        next.back().counts.push_back(whole ? tile.count : size % tile.count);
      }
    shapes = std::move(next);
  }
  int64_t vectors =
      plan.combining
          ? 1
          : llvm::divideCeil(nest.sizes[plan.laneLoop], plan.lanes);
  double cycles = 0;
  for (const Shape &shape : shapes) {
    if (shape.repeats == 0)
      continue;
    cycles += shape.repeats * (vectors / plan.vectors) *
              priceTile(plan, shape.counts, plan.vectors);
    if (int64_t left = vectors % plan.vectors)
      cycles += shape.repeats * priceTile(plan, shape.counts, left);
    double copies = plan.vectors * operations;
    for (int64_t count : shape.counts)
      copies *= count;
    for (int64_t count : plan.unroll)
      copies *= count;
    cycles += kCodeCycles * (copies + 10);
  }
  return cycles;
}

/// Outputs and inputs must be laid out in memory as vectors are.
static bool hasLaneMemory(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    Type element = getElementTypeOrSelf(operand.getType());
    return element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8 &&
           !element.isF16() && !element.isBF16();
  });
}

FailureOr<PricedPlan> plumb::planKernel(linalg::LinalgOp op,
                                        const LinearNest &nest,
                                        const CpuTarget &target) {
  if (!hasLaneMemory(op) || !VectorBody::isVectorizable(op))
    return failure();
  bool reduces =
      llvm::is_contained(nest.kinds, utils::IteratorType::reduction);
  for (BlockArgument output : op.getRegionOutputArgs())
    if (reduces && output.use_empty())
      return failure();
  std::optional<PricedPlan> plan = Planner(op, nest, target).plan();
  if (!plan)
    return failure();
  return *plan;
}
