// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans elementwise operations, fills, copies and transposes: a few vectors at once.

#include "compiler/codegen/cpu/select/Planners.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace plumb;

/// Vectors per iteration that amortise the loop's overhead.
static int64_t getMaxVectors(const KernelCost &cost) { return cost.operations <= 8 ? 4 : 1; }

/// Transposes squares of `operand` in registers where it is contiguous along another loop than the lanes. All such
/// operands share one loop. Returns whether there is one.
static bool transposeSquares(const KernelCost &cost, unsigned operand, KernelPlan &plan) {
  const LinearNest &nest = cost.nest;
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    bool taken = !plan.tiles.empty() && plan.tiles[0].loop != loop;
    if (nest.stride(operand, loop) != 1 || nest.sizes[loop] < 3 || taken)
      continue;
    plan.lanes = cost.target.lanes(cost.elementBits);
    plan.vectors = 1;
    plan.tiles.assign(1, {loop, std::min(plan.lanes, nest.sizes[loop])});
    plan.transposed.push_back(operand);
    return true;
  }
  return false;
}

/// Transposes squares of the outputs that are not contiguous along `loop`. Returns whether all of them can be: one that
/// is contiguous along the lanes must remain, and the body must not read the others.
static bool transposeOutputs(const KernelCost &cost, unsigned loop, KernelPlan &plan) {
  linalg::LinalgOp op = cost.op;
  for (unsigned output = 0; output < cost.outputs; ++output)
    if (cost.nest.stride(cost.inputs + output, loop) != 1 &&
        (cost.usesIndices || !op.getRegionOutputArgs()[output].use_empty() ||
         !transposeSquares(cost, cost.inputs + output, plan)))
      return false;
  return plan.transposed.size() < cost.outputs;
}

/// Puts several rows into a tile where one row is too short to fill an iteration.
static void holdRows(const KernelCost &cost, KernelPlan &plan) {
  int64_t vectors = llvm::divideCeil(cost.nest.sizes[plan.laneLoop], plan.lanes);
  int64_t rows = getMaxVectors(cost) / plan.vectors;
  if (!plan.tiles.empty() || vectors > plan.vectors || rows < 2)
    return;
  for (unsigned loop = cost.nest.loops(); loop-- > 0;)
    if (loop != plan.laneLoop && cost.nest.sizes[loop] >= rows) {
      plan.tiles.assign(1, {loop, rows});
      return;
    }
}

/// Orders the loops around squares so that the output is written in order and inputs are read across it: loads of lines
/// that share a set overlap, while stores take place one after the other.
static void writeInOrder(const KernelCost &cost, KernelPlan &plan) {
  auto isOutput = [&](unsigned operand) { return operand >= cost.inputs; };
  if (plan.transposed.empty() || llvm::any_of(plan.transposed, isOutput))
    return;
  setDefaultOrder(plan, cost.nest);
  llvm::stable_sort(plan.order, [&](const OuterLoop &a, const OuterLoop &b) {
    return std::abs(cost.nest.stride(cost.inputs, a.loop)) > std::abs(cost.nest.stride(cost.inputs, b.loop));
  });
}

/// Offers a plan of a few vectors along the lanes. Returns whether `loop` can provide these.
static bool planLanes(const KernelCost &cost, unsigned loop, BestPlans &best) {
  if (cost.nest.sizes[loop] < 2 || cost.nest.findBound(loop))
    return false;
  KernelPlan plan = cost.startPlan(loop);
  int64_t vectors = llvm::divideCeil(cost.nest.sizes[loop], plan.lanes);
  plan.vectors = std::min(vectors, getMaxVectors(cost));
  if (!transposeOutputs(cost, loop, plan))
    return false;
  for (unsigned input = 0; input < cost.inputs; ++input) {
    int64_t stride = cost.nest.stride(input, loop);
    if (stride != 0 && stride != 1 && !cost.usesIndices && !cost.unused.contains(input))
      transposeSquares(cost, input, plan);
  }
  holdRows(cost, plan);
  writeInOrder(cost, plan);
  best.offer(plan, cost.getCycles(plan));
  return true;
}

/// Whether every output has stride two along `loop` and stride one along `pair`, a loop of two iterations.
static bool canInterleave(const KernelCost &cost, unsigned loop, unsigned pair) {
  const LinearNest &nest = cost.nest;
  linalg::LinalgOp op = cost.op;
  if (nest.sizes[loop] <= 2 || nest.sizes[pair] != 2)
    return false;
  for (unsigned output = 0; output < cost.outputs; ++output)
    if (nest.stride(cost.inputs + output, loop) != 2 || nest.stride(cost.inputs + output, pair) != 1 ||
        !op.getRegionOutputArgs()[output].use_empty())
      return false;
  return true;
}

/// Offers plans that compute both halves and interleave them, as for the elements of pooling windows that are spread
/// over an image.
static void planInterleaved(const KernelCost &cost, unsigned loop, BestPlans &best) {
  KernelPlan plan = cost.startPlan(loop);
  plan.interleavesOutputs = true;
  for (unsigned pair = 0; pair < cost.nest.loops(); ++pair) {
    if (!canInterleave(cost, loop, pair))
      continue;
    plan.tiles.assign(1, {pair, 2});
    best.offer(plan, cost.getCycles(plan));
  }
}

void plumb::planElementwise(const KernelCost &cost, BestPlans &best) {
  for (unsigned loop = 0; loop < cost.nest.loops(); ++loop)
    if (!planLanes(cost, loop, best))
      planInterleaved(cost, loop, best);
}
