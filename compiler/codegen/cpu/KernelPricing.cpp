// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts loads, arithmetic and latencies of a plan's tiles.

#include "compiler/codegen/cpu/KernelPricing.h"

#include "compiler/codegen/cpu/VectorBody.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Two loads begin in a cycle, but not in each.
constexpr double kLoadCycles = 0.6;
/// Steps and branch of the innermost loop.
constexpr double kTurnCycles = 0.25;
/// Addresses at the innermost loop's beginning, and the branch at its end.
constexpr double kEntryCycles = 4;

KernelPricing::KernelPricing(linalg::LinalgOp op, const LinearNest &nest,
                 const CpuTarget &target)
    : op(op), nest(nest), target(target), inputs(op.getNumDpsInputs()),
      outputs(op.getNumDpsInits()), usesIndices(op.hasIndexSemantics()),
      combining(getReductionKinds(op)), operations(std::max<int64_t>(1, VectorBody::countOperations(op))) {
  for (BlockArgument argument : op.getBlock()->getArguments())
    if (argument.getType().isIntOrFloat())
      elementBits = std::max<int64_t>(
          elementBits, argument.getType().getIntOrFloatBitWidth());
  for (unsigned input = 0; input < inputs; ++input)
    if (op.getBlock()->getArgument(input).use_empty())
      unused.insert(input);
}

bool KernelPricing::canBeLanes(unsigned loop) const {
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

int64_t KernelPricing::lanesFor(unsigned loop) const {
  int64_t whole = llvm::PowerOf2Ceil(nest.sizes[loop]);
  return std::max<int64_t>(2, std::min(target.lanes(elementBits), whole));
}

bool KernelPricing::hasReductions() const {
  return llvm::is_contained(nest.kinds, utils::IteratorType::reduction);
}

KernelPlan KernelPricing::startPlan(unsigned loop) const {
  KernelPlan plan;
  plan.laneLoop = loop;
  plan.lanes = lanesFor(loop);
  plan.unroll.assign(nest.loops(), 1);
  if (!nest.isParallel(loop))
    plan.combining = combining;
  plan.zeroIsNeutral = isContraction(op);
  return plan;
}

/// Vectors of `input` that one turn of the innermost loop loads.
int64_t KernelPricing::countLoads(const KernelPlan &plan, unsigned input,
                                  const TileShape &shape) const {
  if (unused.contains(input))
    return 0;
  int64_t loads = nest.stride(input, plan.laneLoop) != 0 ? shape.vectors : 1;
  for (auto [tile, count] : llvm::zip_equal(plan.tiles, shape.counts))
    if (nest.stride(input, tile.loop) != 0)
      loads *= count;
  return loads;
}

/// Cycles of one load, by how its lanes lie in memory.
double KernelPricing::loadPrice(const KernelPlan &plan, unsigned input) const {
  int64_t stride = nest.stride(input, plan.laneLoop);
  bool packed = llvm::any_of(plan.panels, [&](const PackedPanel &panel) {
    return panel.operand == input;
  });
  if (stride == 0 || stride == 1 || packed)
    return kLoadCycles;
  if (llvm::is_contained(plan.transposed, input))
    return 4.5;
  return stride == 2 ? 2 : 1.5 * plan.lanes;
}

/// Whether neighbouring iterations of an unrolled loop load the same vectors of
/// `input`: those then stay in registers in between.
bool KernelPricing::slides(const KernelPlan &plan, unsigned input) const {
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    for (const RegisterTile &tile : plan.tiles)
      if (int64_t step = nest.stride(input, tile.loop);
          plan.unroll[loop] > 1 && step != 0 && nest.stride(input, loop) != 0 &&
          nest.stride(input, loop) % step == 0 &&
          std::abs(nest.stride(input, loop) / step) < tile.count)
        return true;
  return false;
}

bool KernelPricing::fits(const KernelPlan &plan) const {
  TileShape whole = getWholeShape(plan);
  // Tiles that are pooled come in fours: three of them, and what they wait for, take all of sixteen registers.
  int64_t held = nest.windows.empty() ? 1 : 0;
  for (unsigned input = 0; input < inputs; ++input) {
    bool waits = plan.tiles.empty() ||
                 nest.stride(input, plan.tiles[0].loop) == 0 ||
                 slides(plan, input);
    held += waits ? countLoads(plan, input, whole) : 1;
  }
  return whole.cells() * outputs * plan.partials + held <= target.registers;
}

/// Turns of all reduction loops for one tile.
int64_t KernelPricing::reductionTurns(const KernelPlan &plan) const {
  int64_t turns = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    if (!nest.isParallel(loop))
      turns *= loop == plan.laneLoop
                   ? llvm::divideCeil(nest.sizes[loop], plan.lanes)
                   : nest.sizes[loop];
  return turns;
}

/// What the loop around one turn costs it: much, where it is short and a loop
/// all the same.
double KernelPricing::priceTurn(const KernelPlan &plan) const {
  for (unsigned loop = nest.loops(); loop-- > 0;)
    if (!nest.isParallel(loop) && loop != plan.laneLoop)
      return kTurnCycles + (plan.unroll[loop] < nest.sizes[loop]
                                ? kEntryCycles / nest.sizes[loop]
                                : 0);
  return kTurnCycles;
}

double KernelPricing::priceTile(const KernelPlan &plan,
                                const TileShape &shape) const {
  double cells = shape.cells(), loads = 0;
  for (unsigned input = 0; input < inputs; ++input)
    loads += countLoads(plan, input, shape) * loadPrice(plan, input);
  double work = cells * operations / 2;
  // A machine without fused multiply-add needs a second operation.
  if (!target.hasFma)
    work *= 2;
  // Only the last operation waits for the accumulator it was given before.
  double slack = plan.zeroIsNeutral ? kChainSlack : 0;
  double chain = hasReductions() ? kFmaLatency / plan.partials + slack : 1;
  double turn = std::max({work, loads, chain}) + priceTurn(plan);
  double end = cells * outputs * (plan.combining ? kLaneSumCycles : 1.0) +
               cells * outputs * (plan.partials - 1) * 0.5 + 4;
  return reductionTurns(plan) * turn + end;
}

double KernelPricing::price(const KernelPlan &plan) const {
  double cycles = 0;
  for (const TileShape &shape : findTileShapes(nest, plan)) {
    cycles += shape.repeats * priceTile(plan, shape);
    if (shape.vectors != plan.vectors)
      continue;
    double copies = shape.cells() * operations;
    for (int64_t count : plan.unroll)
      copies *= count;
    if (plan.combining)
      copies *= plan.partials;
    cycles += kCodeCycles * (copies + 10);
  }
  return cycles;
}
