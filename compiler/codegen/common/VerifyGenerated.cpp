// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the promise of codegen. Covered by verify_generated.mlir.

#include "compiler/codegen/common/Passes.h"

#include "dialects/device/ir/Device.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYGENERATEDPASS
#include "compiler/codegen/common/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Whether `op` is allowed in a device module, or inside a function there.
static bool isAllowed(Operation *op) {
  return isa<device::ModuleOp, device::VariableOp, device::QueueOp, device::ReportOp, device::EntryOp>(op) ||
         isa<LLVM::LLVMDialect>(op->getDialect());
}

/// Reports the first operation that is neither a declaration nor in LLVM's dialect.
static LogicalResult verifyModule(device::ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (isAllowed(op))
      return WalkResult::advance();
    op->emitOpError("is left after codegen");
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto entry : module.getBody().getOps<device::EntryOp>())
    if (!module.lookupSymbol<LLVM::LLVMFuncOp>(entry.getSymbol()))
      return entry.emitOpError("names the function '") << entry.getSymbol() << "', which does not exist";
  return success();
}

namespace {
struct VerifyGenerated : plumb::impl::VerifyGeneratedPassBase<VerifyGenerated> {
  void runOnOperation() override {
    for (auto module : getOperation().getOps<device::ModuleOp>())
      if (failed(verifyModule(module)))
        return signalPassFailure();
  }
};
} // namespace
