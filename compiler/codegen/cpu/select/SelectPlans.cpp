// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects how each operation becomes vector code, and writes the plan to the operation. An operation is planned by
// itself; then the epilogue operations that do not fit the plan are dropped, to be planned by themselves. All later
// passes read the plans. Covered by select_plans.mlir.

#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/plan/PlannedOp.h"
#include "compiler/codegen/cpu/select/KernelPlanner.h"
#include "compiler/codegen/cpu/select/PlanReport.h"
#include "compiler/codegen/cpu/select/Selection.h"
#include "compiler/target/FindTarget.h"

namespace plumb {
#define GEN_PASS_DEF_SELECTPLANSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Cycles that a plan with pooling windows in registers saves: those of a separate pass over the results.
static double getSavedCycles(const LinearNest &nest, const CpuTarget &target) {
  double results = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    results *= nest.isParallel(loop) ? nest.sizes[loop] : 1;
  return target.machine.passCycles * results / target.lanes(32);
}

std::vector<CostedPlan> plumb::rankSelections(linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target,
                                              PlanLimit limit) {
  LinearNest plain = nest;
  plain.windows.clear();
  std::vector<CostedPlan> best = rankPlans(op, plain, target, limit);
  if (nest.windows.empty() || best.empty())
    return best;
  std::vector<CostedPlan> windowed = rankPlans(op, nest, target, limit);
  bool isWorth = !windowed.empty() && windowed[0].cycles < best[0].cycles + getSavedCycles(nest, target);
  return isWorth ? windowed : best;
}

PlannedOp plumb::makePlanned(const UnplannedOp &unplanned, const KernelPlan &plan) {
  PlannedOp planned{unplanned.nest, plan, unplanned.epilogue};
  if (plan.skew)
    planned.nest = *unplanned.nest.skew(*plan.skew);
  planned.epilogue.restrictTo(planned.nest, plan);
  return planned;
}

/// Selects the plan of `op` where vector code can be emitted for it.
static void selectPlan(linalg::LinalgOp op, const CpuTarget &target) {
  FailureOr<UnplannedOp> unplanned = UnplannedOp::get(op);
  if (failed(unplanned))
    return;
  // A remark names the second best plan, too.
  PlanLimit limit{op.getContext()->getRemarkEngine() ? 2u : 1u, 1};
  std::vector<CostedPlan> ranked = rankSelections(op, unplanned->nest, target, limit);
  if (ranked.empty())
    return;
  writePlan(makePlanned(*unplanned, ranked[0].plan), ranked[0].cycles);
  reportPlan(op, unplanned->nest, target, ranked);
}

LogicalResult plumb::selectPlans(Operation *root, const CpuTarget &target, StoredPlans &stored) {
  if (failed(stored.apply(root)))
    return failure();
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) {
    if (op.hasPureBufferSemantics())
      ops.push_back(op);
  });
  // Contractions come first, as an epilogue may include any other operation after them.
  llvm::stable_sort(ops, [](linalg::LinalgOp a, linalg::LinalgOp b) { return isContraction(a) && !isContraction(b); });
  llvm::DenseSet<Operation *> inEpilogue;
  for (linalg::LinalgOp op : ops) {
    if (inEpilogue.contains(op))
      continue;
    if (op->hasAttr(kernel::kPlanName))
      reportStoredPlan(op, stored);
    else
      selectPlan(op, target);
    if (!op->hasAttr(kernel::kPlanName))
      continue;
    FailureOr<PlannedOp> planned = readPlan(op);
    if (failed(planned)) {
      if (stored.contains(op))
        stored.refuse(op);
      return failure();
    }
    for (const EpilogueOp &fused : planned->epilogue.ops)
      inEpilogue.insert(fused.op);
  }
  return success();
}

namespace {
struct SelectPlans : plumb::impl::SelectPlansPassBase<SelectPlans> {
  using SelectPlansPassBase::SelectPlansPassBase;

  void runOnOperation() override {
    FailureOr<CpuTarget> target = findTarget(getOperation(), targetCpu);
    if (failed(target))
      return signalPassFailure();
    FailureOr<StoredPlans> stored = StoredPlans::read(getOperation(), *target);
    if (failed(stored) || failed(selectPlans(getOperation(), *target, *stored)))
      signalPassFailure();
  }
};
} // namespace
