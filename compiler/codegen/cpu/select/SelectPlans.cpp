// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects how each operation becomes vector code, and writes the plan to the operation. An operation is planned by
// itself; then the epilogue operations that do not fit the plan are dropped, to be planned by themselves. All later
// passes read the plans. Covered by select_plans.mlir.

#include "compiler/codegen/common/FindTarget.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/plan/PlannedOp.h"
#include "compiler/codegen/cpu/select/KernelPlanner.h"
#include "compiler/codegen/cpu/select/Selection.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/Format.h"

#define DEBUG_TYPE "plumb-select-plans"

namespace plumb {
#define GEN_PASS_DEF_SELECTPLANSPASS
#include "compiler/codegen/cpu/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Cycles per vector of results of a separate pooling pass, which stores and loads them once more.
static constexpr double kPassCycles = 3;

/// Cycles that a plan with pooling windows in registers saves.
static double getSavedCycles(const LinearNest &nest, const CpuTarget &target) {
  double results = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    results *= nest.isParallel(loop) ? nest.sizes[loop] : 1;
  return kPassCycles * results / target.lanes(32);
}

/// Plans `op`, with pooling windows in registers where that costs less than a separate pass.
static FailureOr<CostedPlan> plan(linalg::LinalgOp op, const LinearNest &nest, const CpuTarget &target) {
  LinearNest plain = nest;
  plain.windows.clear();
  FailureOr<CostedPlan> best = planKernel(op, plain, target);
  if (nest.windows.empty() || failed(best))
    return best;
  FailureOr<CostedPlan> windowed = planKernel(op, nest, target);
  bool isWorth = succeeded(windowed) && windowed->cycles < best->cycles + getSavedCycles(nest, target);
  return isWorth ? windowed : best;
}

/// Says what was selected, and what it should cost.
static void report(linalg::LinalgOp op, double cycles) {
  if (!op.getContext()->getRemarkEngine())
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << ": " << llvm::format("%.0f", cycles) << " cycles by " << op->getAttr(kernel::kPlanName);
  remark::passed(op.getLoc(), remark::RemarkOpts::name("Plan").category("plan")) << text;
}

/// Selects the plan of `op` where vector code can be emitted for it.
static void selectPlan(linalg::LinalgOp op, const CpuTarget &target) {
  FailureOr<UnplannedOp> unplanned = UnplannedOp::get(op);
  if (failed(unplanned))
    return;
  auto &[nest, epilogue] = *unplanned;
  FailureOr<CostedPlan> costed = plan(op, nest, target);
  if (failed(costed))
    return;
  if (costed->plan.skew)
    nest = *nest.skew(*costed->plan.skew);
  epilogue.restrictTo(nest, costed->plan);
  writePlan({nest, costed->plan, epilogue}, costed->cycles);
  report(op, costed->cycles);
}

LogicalResult plumb::selectPlans(Operation *root, const CpuTarget &target) {
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
    if (!op->hasAttr(kernel::kPlanName))
      selectPlan(op, target);
    if (!op->hasAttr(kernel::kPlanName))
      continue;
    FailureOr<PlannedOp> planned = readPlan(op);
    if (failed(planned))
      return failure();
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
    if (failed(target) || failed(selectPlans(getOperation(), *target)))
      signalPassFailure();
  }
};
} // namespace
