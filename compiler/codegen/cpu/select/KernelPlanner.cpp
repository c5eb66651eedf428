// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dispatches an operation to the planner of its kind.

#include "compiler/codegen/cpu/select/KernelPlanner.h"

#include "compiler/codegen/cpu/plan/PanelLayout.h"
#include "compiler/codegen/cpu/select/Planners.h"
#include "compiler/codegen/cpu/select/PrefetchPlanner.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace plumb;

/// Whether the elements of all operands have the memory layout of vector elements.
static bool hasLaneMemory(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    Type element = getElementTypeOrSelf(operand.getType());
    return element.isInteger(1) || (element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8);
  });
}

/// An input without reuse: every iteration reads another element of it, as in a product of a matrix and a vector, in a
/// dot product of rows, or in pooling. Keeping it in registers or caches gains nothing, so contractions with such an
/// input are planned as other reductions. Pooling windows that overlap read an element a few times, close together.
static std::optional<unsigned> findReadOnce(const KernelCost &cost) {
  const LinearNest &nest = cost.nest;
  auto walksAll = [&](unsigned input) {
    return llvm::all_of(nest.accesses[input].strides, [](int64_t stride) { return stride != 0; });
  };
  for (unsigned input = 0; cost.hasReductions() && input < cost.inputs; ++input)
    if (walksAll(input) && (nest.isInjective(input) || !isContraction(cost.op)))
      return input;
  return std::nullopt;
}

/// Sorts the outer loops by descending stride of `input`, so that an input without reuse is read in order.
static void walkInOrder(KernelPlan &plan, const LinearNest &nest, unsigned input) {
  llvm::stable_sort(plan.order, [&](const OuterLoop &a, const OuterLoop &b) {
    return std::abs(nest.stride(input, a.loop)) > std::abs(nest.stride(input, b.loop));
  });
}

std::vector<CostedPlan> plumb::rankPlans(linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target,
                                         PlanLimit limit) {
  if (!hasLaneMemory(op) || !isVectorizable(op))
    return {};
  KernelCost cost(op, nest, target);
  std::optional<unsigned> readOnce = findReadOnce(cost);
  bool isProduct = isContraction(op) && !readOnce;
  BestPlans best(limit);
  if (!cost.hasReductions()) {
    planElementwise(cost, best);
  } else {
    if (llvm::any_of(op.getRegionOutputArgs(), [](BlockArgument output) { return output.use_empty(); }))
      return {};
    isProduct ? planContraction(cost, best) : planReduction(cost, readOnce, best);
  }
  std::vector<CostedPlan> plans = best.get();
  for (auto &[plan, cycles] : plans) {
    if (plan.order.empty()) {
      setDefaultOrder(plan, nest);
      if (readOnce)
        walkInOrder(plan, nest, *readOnce);
    }
    if (!cost.hasReductions())
      plan.prefetchedOutputs = findPrefetchedOutputs(cost, plan);
    if (isProduct && nest.bounds.empty())
      plan.blockPrefetches = findBlockPrefetches(cost, plan);
  }
  return plans;
}

FailureOr<CostedPlan> plumb::planKernel(linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target) {
  std::vector<CostedPlan> plans = rankPlans(op, nest, target, PlanLimit());
  if (plans.empty())
    return failure();
  return plans.front();
}

std::optional<double> plumb::estimateKernelCycles(linalg::LinalgOp op, const CpuTarget &target) {
  FailureOr<LinearNest> nest = LinearNest::get(op);
  if (failed(nest))
    return std::nullopt;
  FailureOr<CostedPlan> plan = planKernel(op, *nest, target);
  return succeeded(plan) ? std::optional<double>(plan->cycles) : std::nullopt;
}
