// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of plans, each with its message.

#include "compiler/codegen/cpu/plan/PlanChecks.h"

#include "compiler/codegen/cpu/plan/PanelLayout.h"

using namespace mlir;
using namespace plumb;

namespace {

/// Checks one plan.
class PlanCheck {
public:
  PlanCheck(linalg::LinalgOp op, const LinearNest &nest, kernel::PlanAttr attribute, const KernelPlan &plan)
      : op(op), nest(nest), attribute(attribute), plan(plan), inputs(op.getNumDpsInputs()) {}

  LogicalResult run();

private:
  LogicalResult fail(const Twine &rule) { return op.emitOpError() << "has a plan that does not fit: " << rule; }
  LogicalResult checkNumbers();
  LogicalResult checkLanes();
  LogicalResult checkTiles();
  LogicalResult checkOrder();
  LogicalResult checkReductions();
  LogicalResult checkOperands();
  bool isContiguous(unsigned first, unsigned count, unsigned loop, int64_t stride) const;

  linalg::LinalgOp op;
  const LinearNest &nest;
  kernel::PlanAttr attribute;
  const KernelPlan &plan;
  unsigned inputs;
};

} // namespace

/// Whether all of `count` operands have the given stride along `loop`.
bool PlanCheck::isContiguous(unsigned first, unsigned count, unsigned loop, int64_t stride) const {
  return llvm::all_of(llvm::seq(first, first + count),
                      [&](unsigned operand) { return nest.stride(operand, loop) == stride; });
}

/// Loops and operands must exist.
LogicalResult PlanCheck::checkNumbers() {
  auto areBelow = [](ArrayRef<int64_t> numbers, unsigned step, int64_t limit) {
    for (size_t at = 0; at < numbers.size(); at += step)
      if (numbers[at] >= limit)
        return false;
    return true;
  };
  int64_t loops = nest.loops(), operands = op->getNumOperands();
  if (plan.laneLoop >= loops || !areBelow(attribute.getTiles(), 2, loops) ||
      !areBelow(attribute.getOrder(), 2, loops) || !areBelow(attribute.getReductions(), 1, loops) ||
      !areBelow(attribute.getUnroll(), 2, loops))
    return fail("the nest has " + Twine(loops) + " loops");
  if (!areBelow(attribute.getPanels(), 2, inputs) || !areBelow(attribute.getPrefetch(), 1, inputs) ||
      !areBelow(attribute.getBlocks(), 2, inputs) || !areBelow(attribute.getTransposed(), 1, operands) ||
      !areBelow(attribute.getWrites(), 1, operands))
    return fail("the operation has " + Twine(inputs) + " inputs and " + Twine(operands - inputs) + " outputs");
  return success();
}

LogicalResult PlanCheck::checkLanes() {
  unsigned loop = plan.laneLoop;
  if (nest.findBound(loop))
    return fail("lanes cannot run along a loop with a bound");
  if (!nest.isParallel(loop)) {
    if (!getReductionKinds(op) || plan.vectors != 1)
      return fail("lanes along a reduction need operations that combine in any order, and one vector");
    return success();
  }
  unsigned outputs = op.getNumDpsInits();
  if (!plan.interleavesOutputs) {
    bool fits = llvm::all_of(llvm::seq(inputs, inputs + outputs), [&](unsigned output) {
      return llvm::is_contained(plan.transposed, output) || nest.stride(output, loop) == 1;
    });
    return fits ? success() : fail("outputs are not contiguous along the lanes");
  }
  bool isPair = plan.tiles.size() == 1 && plan.tiles[0].count == 2 && nest.sizes[plan.tiles[0].loop] == 2 &&
                isContiguous(inputs, outputs, loop, 2) && isContiguous(inputs, outputs, plan.tiles[0].loop, 1);
  return isPair ? success() : fail("interleaving needs outputs of stride two, and a tile of the two halves");
}

LogicalResult PlanCheck::checkTiles() {
  for (auto [number, tile] : llvm::enumerate(plan.tiles)) {
    bool isRepeated = llvm::any_of(ArrayRef(plan.tiles).take_front(number),
                                   [loop = tile.loop](const RegisterTile &other) { return other.loop == loop; });
    if (!nest.isParallel(tile.loop) || tile.loop == plan.laneLoop || isRepeated || tile.count > nest.sizes[tile.loop])
      return fail("tiles are of different parallel loops beside the lanes, and no longer than these");
  }
  for (unsigned operand : plan.transposed) {
    if (plan.tiles.size() != 1 || plan.vectors != 1 || plan.tiles[0].count > plan.lanes ||
        nest.stride(operand, plan.tiles[0].loop) != 1)
      return fail("a transposed operand is contiguous along the only tile");
    if (operand >= inputs &&
        (plan.interleavesOutputs || llvm::is_contained(nest.kinds, utils::IteratorType::reduction) ||
         !op.getRegionOutputArgs()[operand - inputs].use_empty()))
      return fail("only outputs of elementwise operations that do not read them can be transposed");
  }
  return success();
}

LogicalResult PlanCheck::checkOrder() {
  SmallVector<int64_t> last(nest.loops(), 0);
  for (const OuterLoop &outer : plan.order)
    last[outer.loop] = outer.step;
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    if (nest.isParallel(loop) && last[loop] != getTileStep(plan, loop))
      return fail("the last entry of loop " + Twine(loop) + " in order must step by its register tile, " +
                  Twine(getTileStep(plan, loop)));
    if (!nest.isParallel(loop) && last[loop] != 0 && loop == plan.laneLoop)
      return fail("lanes along a reduction cannot be blocked");
  }
  if (!plan.order.empty() && !nest.isParallel(plan.order.back().loop))
    return fail("the innermost loop of order must be parallel");
  return success();
}

LogicalResult PlanCheck::checkReductions() {
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    bool isExpected = !nest.isParallel(loop) && loop != plan.laneLoop;
    if (llvm::count(plan.reductions, loop) != isExpected)
      return fail("reductions must hold each reduction loop beside the lanes once");
    if (plan.unroll[loop] > 1 && (nest.isParallel(loop) || plan.unroll[loop] > nest.sizes[loop]))
      return fail("only reductions can be unrolled, up to their length");
  }
  if (plan.partials > 1 && (!getReductionKinds(op) || isContraction(op) || !nest.bounds.empty()))
    return fail("several sets of accumulators need a reduction that is no contraction");
  return success();
}

LogicalResult PlanCheck::checkOperands() {
  for (const PackedPanel &panel : plan.panels)
    if (!isa<MemRefType>(op->getOperand(panel.operand).getType()) || !nest.isInjective(panel.operand) ||
        !nest.isParallel(plan.laneLoop) || nest.stride(panel.operand, plan.order[panel.depth].loop) != 0)
      return fail("a panel needs an input whose elements the loop at its depth reads again");
  for (unsigned output : plan.prefetchedOutputs)
    if (output < inputs)
      return fail("writes must name outputs");
  for (const BlockPrefetch &block : plan.blockPrefetches)
    if (plan.reductions.empty() || !isa<MemRefType>(op->getOperand(block.operand).getType()))
      return fail("blocks are prefetched during a reduction");
  if (!plan.prefetchedInputs.empty() && (plan.reductions.empty() || !nest.isParallel(plan.laneLoop)))
    return fail("inputs are prefetched by a reduction beside the lanes");
  return success();
}

LogicalResult PlanCheck::run() {
  return failure(failed(checkNumbers()) || failed(checkLanes()) || failed(checkTiles()) || failed(checkOrder()) ||
                 failed(checkReductions()) || failed(checkOperands()));
}

LogicalResult plumb::checkPlan(linalg::LinalgOp op, const LinearNest &nest, kernel::PlanAttr attribute,
                               const KernelPlan &plan) {
  return PlanCheck(op, nest, attribute, plan).run();
}
