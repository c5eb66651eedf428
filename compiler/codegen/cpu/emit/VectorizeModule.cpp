// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the operations, reads their plans, emits them.

#include "compiler/codegen/cpu/emit/VectorizeModule.h"

#include "compiler/codegen/cpu/emit/KernelEmitter.h"
#include "compiler/codegen/cpu/plan/PlannedOp.h"
#include "compiler/target/FindTarget.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace plumb;

/// Emits one operation with its epilogue, whose operations are added to `done`.
static LogicalResult vectorize(IRRewriter &rewriter, linalg::LinalgOp op, const CpuTarget &target,
                               llvm::DenseSet<Operation *> &done) {
  FailureOr<PlannedOp> planned = readPlan(op);
  if (failed(planned))
    return failure();
  for (const EpilogueOp &fused : planned->epilogue.ops)
    done.insert(fused.op);
  emitKernel(rewriter, op, planned->nest, planned->plan, target, planned->epilogue);
  return success();
}

LogicalResult plumb::vectorizeModule(ModuleOp module, StringRef targetCpu,
                                     function_ref<bool(linalg::LinalgOp)> accepts) {
  FailureOr<CpuTarget> target = findTarget(module, targetCpu);
  if (failed(target))
    return failure();
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (op->hasAttr(kernel::kPlanName) && op.hasPureBufferSemantics() && accepts(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  // An epilogue operation may be of the same kind, such as a sum of products.
  llvm::DenseSet<Operation *> done;
  for (linalg::LinalgOp op : ops)
    if (!done.contains(op) && failed(vectorize(rewriter, op, *target, done)))
      return failure();
  return success();
}
