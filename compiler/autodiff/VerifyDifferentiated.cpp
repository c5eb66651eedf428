// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds autodiff to its promise: no gradient is left to expand, and no placeholder of its expansion.
// Test: test/compiler/autodiff/verify_differentiated_invalid.mlir.

#include "compiler/autodiff/Passes.h"
#include "dialects/net/ir/NetGradOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYDIFFERENTIATEDPASS
#include "compiler/autodiff/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

struct VerifyDifferentiatedPass : public plumb::impl::VerifyDifferentiatedPassBase<VerifyDifferentiatedPass> {
  void runOnOperation() override {
    WalkResult walk = getOperation().walk([](Operation *op) {
      if (!isa<net::ValueAndGradOp, UnrealizedConversionCastOp>(op))
        return WalkResult::advance();
      op->emitOpError("is left after autodiff");
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
