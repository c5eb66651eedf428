// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects, plans, emits.

#include "compiler/codegen/cpu/VectorizeModule.h"

#include "dialects/device/ir/Device.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace plumb;

FailureOr<CpuTarget> plumb::findTarget(ModuleOp module, StringRef name) {
  if (name.empty())
    for (auto device : module.getOps<device::ModuleOp>())
      if (device.getTarget())
        name = *device.getTarget();
  std::optional<CpuTarget> target = CpuTarget::get(name);
  if (!target)
    return module.emitError() << "target processor '" << name
                              << "' is not known; use native, x86-64-v2, "
                                 "x86-64-v3 or x86-64-v4";
  return *target;
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
  for (linalg::LinalgOp op : ops) {
    FailureOr<LinearNest> nest = LinearNest::get(op);
    if (failed(nest))
      continue;
    FailureOr<PricedPlan> priced = planKernel(op, *nest, *target);
    if (succeeded(priced))
      emitKernel(rewriter, op, *nest, priced->plan, *target);
  }
  return success();
}
