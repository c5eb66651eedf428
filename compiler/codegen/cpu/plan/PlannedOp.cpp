// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts plans to attributes and back. A plan that was read is checked, as it may be written by hand.

#include "compiler/codegen/cpu/plan/PlannedOp.h"

#include "compiler/codegen/cpu/plan/PlanAttribute.h"
#include "compiler/codegen/cpu/plan/PlanChecks.h"

using namespace mlir;
using namespace plumb;

FailureOr<UnplannedOp> UnplannedOp::get(linalg::LinalgOp op) {
  FailureOr<LinearNest> nest = LinearNest::read(op);
  if (failed(nest))
    return failure();
  Epilogue epilogue(op);
  if (isContraction(op))
    epilogue.addMarked(*nest);
  if (!op.hasIndexSemantics())
    nest->simplify();
  return UnplannedOp{*nest, epilogue};
}

/// The members of structures of two, one after the other.
template <typename Pairs> static SmallVector<int64_t> flatten(const Pairs &pairs) {
  SmallVector<int64_t> numbers;
  for (auto [first, second] : pairs)
    numbers.append({int64_t(first), int64_t(second)});
  return numbers;
}

kernel::PlanAttr plumb::makeAttribute(const PlannedOp &planned, double cycles) {
  const KernelPlan &plan = planned.plan;
  SmallVector<int64_t> unroll, skew;
  for (auto [loop, factor] : llvm::enumerate(plan.unroll))
    if (factor > 1)
      unroll.append({int64_t(loop), factor});
  if (plan.skew)
    skew = {plan.skew->parallel, plan.skew->reduction, plan.skew->ratio};
  auto list = [](ArrayRef<unsigned> numbers) { return SmallVector<int64_t>(numbers); };
  linalg::LinalgOp op = planned.epilogue.op;
  return kernel::PlanAttr::get(op.getContext(), plan.laneLoop, plan.lanes, plan.vectors, flatten(plan.tiles),
                               flatten(plan.order), list(plan.reductions), unroll, plan.partials, flatten(plan.panels),
                               list(plan.prefetchedInputs), flatten(plan.blockPrefetches), list(plan.prefetchedOutputs),
                               list(plan.transposed), plan.interleavesOutputs, skew, planned.epilogue.ops.size(),
                               int64_t(cycles));
}

void plumb::writePlan(const PlannedOp &planned, double cycles) {
  linalg::LinalgOp op = planned.epilogue.op;
  op->setAttr(kernel::kPlanName, makeAttribute(planned, cycles));
}

/// The plan of an attribute for a nest that is skewed already. Loops and operands are not checked yet.
static KernelPlan convert(kernel::PlanAttr attribute, unsigned loops) {
  KernelPlan plan;
  plan.laneLoop = attribute.getLaneLoop();
  plan.lanes = attribute.getLanes();
  plan.vectors = attribute.getVectors();
  plan.partials = attribute.getPartials();
  plan.interleavesOutputs = attribute.getInterleaved();
  auto forEachPair = [](ArrayRef<int64_t> numbers, function_ref<void(int64_t, int64_t)> visit) {
    for (size_t first = 0; first < numbers.size(); first += 2)
      visit(numbers[first], numbers[first + 1]);
  };
  forEachPair(attribute.getTiles(), [&](unsigned loop, int64_t count) { plan.tiles.push_back({loop, count}); });
  forEachPair(attribute.getOrder(), [&](unsigned loop, int64_t step) { plan.order.push_back({loop, step}); });
  forEachPair(attribute.getPanels(), [&](unsigned input, unsigned depth) { plan.panels.push_back({input, depth}); });
  forEachPair(attribute.getBlocks(),
              [&](unsigned input, unsigned depth) { plan.blockPrefetches.push_back({input, depth}); });
  plan.unroll.assign(loops, 1);
  forEachPair(attribute.getUnroll(), [&](unsigned loop, int64_t factor) {
    if (loop < loops)
      plan.unroll[loop] = factor;
  });
  plan.reductions.assign(attribute.getReductions().begin(), attribute.getReductions().end());
  plan.prefetchedInputs.assign(attribute.getPrefetch().begin(), attribute.getPrefetch().end());
  plan.prefetchedOutputs.assign(attribute.getWrites().begin(), attribute.getWrites().end());
  plan.transposed.assign(attribute.getTransposed().begin(), attribute.getTransposed().end());
  return plan;
}

/// Applies the skew of a plan to the nest.
static LogicalResult applySkew(linalg::LinalgOp op, ArrayRef<int64_t> numbers, LinearNest &nest, KernelPlan &plan) {
  if (numbers.empty())
    return success();
  plan.skew = LoopSkew{unsigned(numbers[0]), unsigned(numbers[1]), numbers[2]};
  if (numbers[0] < nest.loops() && numbers[1] < nest.loops() && nest.isParallel(numbers[0]) &&
      !nest.isParallel(numbers[1]))
    if (FailureOr<LinearNest> skewed = nest.skew(*plan.skew); succeeded(skewed)) {
      nest = *skewed;
      return success();
    }
  return op.emitOpError() << "has a plan whose skew does not fit the nest";
}

FailureOr<PlannedOp> plumb::readPlan(linalg::LinalgOp op) {
  auto attribute = op->getAttrOfType<kernel::PlanAttr>(kernel::kPlanName);
  FailureOr<UnplannedOp> unplanned = UnplannedOp::get(op);
  if (failed(unplanned))
    return op.emitOpError() << "has a plan, but no static nest of loops";
  auto &[nest, epilogue] = *unplanned;
  KernelPlan plan = convert(attribute, nest.loops());
  if (failed(applySkew(op, attribute.getSkew(), nest, plan)) || failed(checkPlan(op, nest, attribute, plan)))
    return failure();
  if (!nest.isParallel(plan.laneLoop))
    plan.combining = getReductionKinds(op);
  plan.zeroIsNeutral = isContraction(op);
  epilogue.restrictTo(nest, plan);
  if (int64_t(epilogue.ops.size()) < attribute.getEpilogue())
    return op.emitOpError() << "has a plan with an epilogue of " << attribute.getEpilogue() << ", but only "
                            << epilogue.ops.size() << " operations after it fit";
  while (int64_t(epilogue.ops.size()) > attribute.getEpilogue())
    epilogue.dropLast();
  return PlannedOp{nest, plan, epilogue};
}

/// Whether the contraction's accumulators stay in registers from the first to the last iteration.
static bool addsInRegisters(const PlannedOp &planned) {
  bool isInBlocks = llvm::any_of(planned.plan.order, [&](const OuterLoop &outer) {
    return planned.nest.kinds[outer.loop] == utils::IteratorType::reduction;
  });
  return !isInBlocks && findInitialFill(planned.epilogue.op, 0);
}

SmallVector<Value> plumb::findUnstored(linalg::LinalgOp op) {
  SmallVector<Value> buffers;
  if (!isContraction(op) || !op->hasAttr(kernel::kTransientName) || !op->hasAttr(kernel::kPlanName))
    return buffers;
  FailureOr<PlannedOp> planned = readPlan(op);
  if (failed(planned) || !addsInRegisters(*planned))
    return buffers;
  for (const EpilogueValue &value : planned->epilogue.values)
    if (!planned->epilogue.writes(value.buffer) && !planned->epilogue.reads(value.buffer))
      buffers.push_back(value.buffer);
  return buffers;
}
