// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds optimize to its promise: each entry names a function with a body, and that body is flat.
// Test: test/compiler/optimize/verify_optimized_invalid.mlir.

#include "compiler/optimize/Passes.h"
#include "dialects/net/ir/NetGradOps.h"
#include "dialects/net/ir/NetModuleOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYOPTIMIZEDPASS
#include "compiler/optimize/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

/// Checks the function that `entry` starts.
static LogicalResult verifyEntry(ModuleOp module, net::EntryOp entry) {
  auto callee = dyn_cast_or_null<FlatSymbolRefAttr>(entry.getCallee());
  auto function = callee ? module.lookupSymbol<func::FuncOp>(callee.getAttr()) : nullptr;
  if (!function || function.isExternal())
    return entry.emitOpError("starts ") << entry.getCallee() << ", which is no function with a body";
  if (TypeRange(function.getArgumentTypes()) != TypeRange(entry.getInputs())) {
    InFlightDiagnostic diagnostic = entry.emitOpError("feeds a batch of other types than its function takes");
    diagnostic.attachNote(function.getLoc()) << "the function takes " << function.getArgumentTypes();
    return diagnostic;
  }
  WalkResult walk = function.walk([&](Operation *op) {
    if (!isa<func::CallOp, net::ValueAndGradOp>(op))
      return WalkResult::advance();
    InFlightDiagnostic diagnostic = op->emitOpError("is left in an entry after optimize");
    diagnostic.attachNote(entry.getLoc()) << "the entry is declared here";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

namespace {

struct VerifyOptimizedPass : public plumb::impl::VerifyOptimizedPassBase<VerifyOptimizedPass> {
  void runOnOperation() override {
    for (auto entry : getOperation().getOps<net::EntryOp>())
      if (failed(verifyEntry(getOperation(), entry)))
        return signalPassFailure();
  }
};

} // namespace
