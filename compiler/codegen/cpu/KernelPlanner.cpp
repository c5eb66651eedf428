// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands an operation to the planner of its kind.

#include "compiler/codegen/cpu/KernelPricing.h"
#include "compiler/codegen/cpu/PanelLayout.h"
#include "compiler/codegen/cpu/StreamPlanner.h"
#include "compiler/codegen/cpu/VectorBody.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace plumb;

/// Outputs and inputs must be laid out in memory as vectors are.
static bool hasLaneMemory(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    Type element = getElementTypeOrSelf(operand.getType());
    return element.isInteger(1) ||
           (element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8);
  });
}

/// An input each of whose elements is used once: of a product of a matrix and a
/// vector, of two arrays element by element, or what is pooled. Nothing is won by
/// keeping it in registers or caches, and sums of products are reductions as others are.
static std::optional<unsigned> findReadOnce(const KernelPricing &pricing) {
  const LinearNest &nest = pricing.nest;
  auto walksAll = [&](unsigned input) {
    return llvm::all_of(nest.accesses[input].strides,
                        [](int64_t stride) { return stride != 0; });
  };
  for (unsigned input = 0; pricing.hasReductions() && input < pricing.inputs; ++input)
    if (walksAll(input) && hasOwnPlaces(nest, input))
      return input;
  return std::nullopt;
}

void plumb::setDefaultOrder(KernelPlan &plan, const LinearNest &nest) {
  auto isTiled = [&](unsigned loop) {
    return llvm::any_of(plan.tiles, [&](const RegisterTile &tile) {
      return tile.loop == loop;
    });
  };
  plan.order.clear();
  plan.reductions.clear();
  for (unsigned loop = 0; loop < nest.loops(); ++loop) {
    if (loop == plan.laneLoop || isTiled(loop))
      continue;
    if (nest.isParallel(loop))
      plan.order.push_back({loop, 1});
    else
      plan.reductions.push_back(loop);
  }
  if (nest.isParallel(plan.laneLoop))
    plan.order.push_back({plan.laneLoop, plan.lanes * plan.vectors});
  for (const RegisterTile &tile : plan.tiles)
    plan.order.push_back({tile.loop, tile.count});
}

/// Puts the largest steps through `input` outside: memory that is read once is read in order.
static void walkInOrder(KernelPlan &plan, const LinearNest &nest, unsigned input) {
  llvm::stable_sort(plan.order, [&](const OuterLoop &a, const OuterLoop &b) {
    return std::abs(nest.stride(input, a.loop)) > std::abs(nest.stride(input, b.loop));
  });
}

FailureOr<PricedPlan> plumb::planKernel(linalg::LinalgOp op,
                                        const LinearNest &nest,
                                        const CpuTarget &target) {
  if (!hasLaneMemory(op) || !VectorBody::isVectorizable(op))
    return failure();
  KernelPricing pricing(op, nest, target);
  std::optional<unsigned> readOnce = findReadOnce(pricing);
  bool isProduct = isContraction(op) && !readOnce;
  BestPlan best;
  if (!pricing.hasReductions()) {
    planElementwise(pricing, best);
  } else {
    if (llvm::any_of(op.getRegionOutputArgs(), [](BlockArgument output) {
          return output.use_empty();
        }))
      return failure();
    isProduct ? planContraction(pricing, best) : planReduction(pricing, readOnce.has_value(), best);
  }
  if (!best.get())
    return failure();
  PricedPlan plan = *best.get();
  if (plan.plan.order.empty()) {
    setDefaultOrder(plan.plan, nest);
    if (readOnce)
      walkInOrder(plan.plan, nest, *readOnce);
  }
  if (!pricing.hasReductions())
    plan.plan.writesAhead = findWritesAhead(pricing, plan.plan);
  if (isProduct && nest.bounds.empty())
    plan.plan.blocksAhead = findBlocksAhead(pricing, plan.plan);
  return plan;
}

std::optional<double> plumb::priceKernel(linalg::LinalgOp op,
                                         const CpuTarget &target) {
  FailureOr<LinearNest> nest = LinearNest::get(op);
  if (failed(nest))
    return std::nullopt;
  FailureOr<PricedPlan> plan = planKernel(op, *nest, target);
  return succeeded(plan) ? std::optional<double>(plan->cycles) : std::nullopt;
}
