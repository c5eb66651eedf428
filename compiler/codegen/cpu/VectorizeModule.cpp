// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects, plans, emits.

#include "compiler/codegen/cpu/VectorizeModule.h"

#include "compiler/codegen/common/FindTarget.h"
#include "compiler/codegen/cpu/Epilogue.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace plumb;

/// Cycles, by vector of results, of what pools them behind the nest: it writes and reads them once more.
static constexpr double kPassCycles = 3;

/// What plans that hold whole windows of `nest` save.
static double priceSaved(const LinearNest &nest, const CpuTarget &target) {
  double results = 1;
  for (unsigned loop = 0; loop < nest.loops(); ++loop)
    results *= nest.isParallel(loop) ? nest.sizes[loop] : 1;
  return kPassCycles * results / target.lanes(32);
}

/// Plans `op`, with windows in registers where that costs less than a pass over the results.
static FailureOr<PricedPlan> plan(linalg::LinalgOp op, const LinearNest &nest,
                                  const CpuTarget &target) {
  LinearNest plain = nest;
  plain.windows.clear();
  FailureOr<PricedPlan> best = planKernel(op, plain, target);
  if (nest.windows.empty() || failed(best))
    return best;
  FailureOr<PricedPlan> windowed = planKernel(op, nest, target);
  bool isWorth = succeeded(windowed) &&
                 windowed->cycles < best->cycles + priceSaved(nest, target);
  return isWorth ? windowed : best;
}

namespace {
/// How an operation is emitted, with what is marked to be done in its end.
struct PlannedOp {
  LinearNest nest;
  KernelPlan plan;
  Epilogue epilogue;
};
} // namespace

static FailureOr<PlannedOp> planWithEnd(linalg::LinalgOp op, const CpuTarget &target) {
  FailureOr<LinearNest> nest = LinearNest::read(op);
  if (failed(nest))
    return failure();
  Epilogue epilogue(op);
  if (isContraction(op))
    epilogue.addMarked(*nest);
  if (!op.hasIndexSemantics())
    nest->simplify();
  FailureOr<PricedPlan> priced = plan(op, *nest, target);
  if (failed(priced))
    return failure();
  if (priced->plan.slide)
    nest = nest->slide(*priced->plan.slide);
  epilogue.restrictTo(*nest, priced->plan);
  return PlannedOp{*nest, priced->plan, epilogue};
}

/// Emits one operation, with what is marked to be done in its end, which is `done` then.
static void vectorize(IRRewriter &rewriter, linalg::LinalgOp op, const CpuTarget &target,
                      llvm::DenseSet<Operation *> &done) {
  FailureOr<PlannedOp> planned = planWithEnd(op, target);
  if (failed(planned))
    return;
  for (const EpilogueStage &stage : planned->epilogue.stages)
    done.insert(stage.op);
  emitKernel(rewriter, op, planned->nest, planned->plan, target, planned->epilogue);
}

/// Whether the product's results are added up in registers, from the first one on.
static bool addsInRegisters(const PlannedOp &planned) {
  bool isInBlocks = llvm::any_of(planned.plan.order, [&](const OuterLoop &outer) {
    return planned.nest.kinds[outer.loop] == utils::IteratorType::reduction;
  });
  return !isInBlocks && findInitialFill(planned.epilogue.op, 0);
}

SmallVector<Value> plumb::findUnstored(linalg::LinalgOp op, const CpuTarget &target) {
  SmallVector<Value> buffers;
  if (!isContraction(op) || !op->hasAttr(kTransientMark))
    return buffers;
  FailureOr<PlannedOp> planned = planWithEnd(op, target);
  if (failed(planned) || !addsInRegisters(*planned))
    return buffers;
  for (const EpilogueValue &value : planned->epilogue.values)
    if (!planned->epilogue.touches(value.buffer))
      buffers.push_back(value.buffer);
  return buffers;
}

LogicalResult
plumb::vectorizeModule(ModuleOp module, StringRef targetCpu,
                       function_ref<bool(linalg::LinalgOp)> isMine) {
  FailureOr<CpuTarget> target = findTarget(module, targetCpu);
  if (failed(target))
    return failure();
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (op.hasPureBufferSemantics() && isMine(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  // What is done in an operation's end may be of the same kind, such as a sum of products.
  llvm::DenseSet<Operation *> done;
  for (linalg::LinalgOp op : ops)
    if (!done.contains(op))
      vectorize(rewriter, op, *target, done);
  return success();
}
