// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds inline to its promise: a call that is left goes into a function marked `no_inline`, or is marked so itself.
// Test: test/compiler/inline/verify_inlined_invalid.mlir.

#include "compiler/auto_monad/EffectInference.h"
#include "compiler/inline/Passes.h"

namespace plumb {
#define GEN_PASS_DEF_VERIFYINLINEDPASS
#include "compiler/inline/Passes.h.inc"
} // namespace plumb

using namespace mlir;
using namespace plumb;

namespace {

struct VerifyInlinedPass : public plumb::impl::VerifyInlinedPassBase<VerifyInlinedPass> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    WalkResult walk = getOperation().walk([&](func::CallOp call) {
      func::FuncOp callee = lookupCallee(call, symbols);
      if (call.getNoInline() || (callee && callee.getNoInline()))
        return WalkResult::advance();
      InFlightDiagnostic diagnostic = call.emitOpError("is left after inlining");
      if (callee)
        diagnostic.attachNote(callee.getLoc()) << "'" << callee.getSymName() << "' is not marked no_inline";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
