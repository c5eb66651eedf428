// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts loads, arithmetic and latencies of a plan's tiles.

#include "compiler/codegen/cpu/cost/KernelCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Relative cost of doubling a tile's stride in memory.
constexpr double kStepShare = 0.005;

KernelCost::KernelCost(linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target)
    : op(op), nest(nest), target(target), inputs(op.getNumDpsInputs()), outputs(op.getNumDpsInits()),
      usesIndices(op.hasIndexSemantics()), combining(getReductionKinds(op)),
      operations(std::max<int64_t>(1, countOperations(op))) {
  for (BlockArgument argument : op.getBlock()->getArguments())
    if (argument.getType().isIntOrFloat())
      elementBits = std::max<int64_t>(elementBits, argument.getType().getIntOrFloatBitWidth());
  for (unsigned input = 0; input < inputs; ++input)
    if (op.getBlock()->getArgument(input).use_empty())
      unused.insert(input);
}

bool KernelCost::canBeLanes(unsigned loop) const {
  if (nest.sizes[loop] < 2 || nest.findBound(loop))
    return false;
  if (!nest.isParallel(loop))
    return combining.has_value() &&
           llvm::any_of(llvm::seq<unsigned>(0, inputs), [&](unsigned input) { return nest.stride(input, loop) == 1; });
  return llvm::all_of(llvm::seq<unsigned>(inputs, inputs + outputs),
                      [&](unsigned output) { return nest.stride(output, loop) == 1; });
}

int64_t KernelCost::lanesFor(unsigned loop) const {
  int64_t rounded = llvm::PowerOf2Ceil(nest.sizes[loop]);
  return std::max<int64_t>(2, std::min(target.lanes(elementBits), rounded));
}

bool KernelCost::hasReductions() const { return llvm::is_contained(nest.kinds, utils::IteratorType::reduction); }

KernelPlan KernelCost::startPlan(unsigned loop) const {
  KernelPlan plan;
  plan.laneLoop = loop;
  plan.lanes = lanesFor(loop);
  plan.unroll.assign(nest.loops(), 1);
  if (!nest.isParallel(loop))
    plan.combining = combining;
  plan.zeroIsNeutral = isContraction(op);
  return plan;
}

/// Vectors of `input` that one iteration of the innermost loop loads.
int64_t KernelCost::countLoads(const KernelPlan &plan, unsigned input, const TileShape &shape) const {
  if (unused.contains(input))
    return 0;
  int64_t loads = nest.stride(input, plan.laneLoop) != 0 ? shape.vectors : 1;
  for (auto [tile, count] : llvm::zip_equal(plan.tiles, shape.counts))
    if (nest.stride(input, tile.loop) != 0)
      loads *= count;
  return loads;
}

/// Cycles of one load, by how its lanes lie in memory.
double KernelCost::getLoadCycles(const KernelPlan &plan, unsigned input) const {
  int64_t stride = nest.stride(input, plan.laneLoop);
  bool packed = llvm::any_of(plan.panels, [&](const PackedPanel &panel) { return panel.operand == input; });
  if (stride == 0 || stride == 1 || packed)
    return target.machine.loadCycles;
  if (llvm::is_contained(plan.transposed, input))
    return target.machine.transposedVectorCycles;
  return stride == 2 ? target.machine.pairLoadCycles : target.machine.laneLoadCycles * plan.lanes;
}

/// Whether successive iterations of an unrolled loop load the same vectors of `input`, which then stay in registers.
bool KernelCost::sharesLoads(const KernelPlan &plan, unsigned input) const {
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    for (const RegisterTile &tile : plan.tiles)
      if (int64_t step = nest.stride(input, tile.loop);
          plan.unroll[loop] > 1 && step != 0 && nest.stride(input, loop) != 0 && nest.stride(input, loop) % step == 0 &&
          std::abs(nest.stride(input, loop) / step) < tile.count)
        return true;
  return false;
}

bool KernelCost::fits(const KernelPlan &plan) const {
  TileShape full = getFullShape(plan);
  // Pooled tiles have four accumulators: with three vectors of inputs they fill sixteen registers.
  int64_t live = nest.windows.empty() ? 1 : 0;
  for (unsigned input = 0; input < inputs; ++input) {
    bool isLive = plan.tiles.empty() || nest.stride(input, plan.tiles[0].loop) == 0 || sharesLoads(plan, input);
    live += isLive ? countLoads(plan, input, full) : 1;
  }
  return full.accumulators() * outputs * plan.partials + live <= target.machine.registers;
}

bool KernelCost::spreadsOverSets(const KernelPlan &plan) const {
  int64_t page = target.machine.pageBytes * 8 / elementBits;
  return llvm::none_of(plan.tiles, [&](const RegisterTile &tile) {
    return tile.count > target.machine.maxAliasedPages && llvm::any_of(llvm::seq(inputs), [&](unsigned input) {
             int64_t stride = nest.stride(input, tile.loop);
             return stride != 0 && stride % page == 0;
           });
  });
}

int64_t KernelCost::reach(unsigned loop) const {
  int64_t longest = 0;
  for (unsigned input = 0; input < inputs; ++input)
    longest = std::max(longest, std::abs(nest.stride(input, loop)));
  return longest;
}

double KernelCost::getStrideFactor(const RegisterTile &tile) const {
  return 1 + kStepShare * llvm::Log2_64(std::max<int64_t>(1, reach(tile.loop)));
}

/// Iterations of all reduction loops for one tile.
int64_t KernelCost::countReductionIterations(const KernelPlan &plan) const {
  int64_t iterations = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (!nest.isParallel(loop))
      iterations *= loop == plan.laneLoop ? llvm::divideCeil(nest.sizes[loop], plan.lanes) : nest.sizes[loop];
  return iterations;
}

/// Overhead of the loop around one iteration: high for a short loop that is not fully unrolled.
double KernelCost::getIterationCycles(const KernelPlan &plan) const {
  const MachineModel &machine = target.machine;
  for (unsigned loop = nest.loops(); loop-- > 0;)
    if (!nest.isParallel(loop) && loop != plan.laneLoop)
      return machine.iterationCycles +
             (plan.unroll[loop] < nest.sizes[loop] ? machine.loopEntryCycles / nest.sizes[loop] : 0);
  return machine.iterationCycles;
}

double KernelCost::getTileCycles(const KernelPlan &plan, const TileShape &shape) const {
  double accumulators = shape.accumulators(), loads = 0;
  for (unsigned input = 0; input < inputs; ++input)
    loads += countLoads(plan, input, shape) * getLoadCycles(plan, input);
  double work = accumulators * operations / target.machine.fmasPerCycle;
  // Without fused multiply-add, each is two instructions.
  if (!target.hasFma)
    work *= 2;
  // Only the last operation of the body depends on the accumulator.
  double slack = plan.zeroIsNeutral ? target.machine.chainSlack : 0;
  double chain = hasReductions() ? target.machine.fmaLatency / plan.partials + slack : 1;
  double iteration = std::max({work, loads, chain}) + getIterationCycles(plan);
  double last = accumulators * outputs * (plan.combining ? target.machine.laneSumCycles : 1.0) +
                accumulators * outputs * (plan.partials - 1) * 0.5 + 4;
  for (unsigned operand : plan.transposed)
    last += operand < inputs ? 0 : accumulators * target.machine.transposedVectorCycles;
  return countReductionIterations(plan) * iteration + last;
}

double KernelCost::getCycles(const KernelPlan &plan) const {
  double cycles = 0;
  for (const TileShape &shape : findTileShapes(nest, plan)) {
    cycles += shape.repeats * getTileCycles(plan, shape);
    if (shape.vectors != plan.vectors)
      continue;
    double copies = shape.accumulators() * operations;
    for (int64_t count : plan.unroll)
      copies *= count;
    if (plan.combining)
      copies *= plan.partials;
    cycles += kCodeCycles * (copies + 10);
  }
  return cycles;
}
