// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/inline/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace plumb {
#define GEN_PASS_REGISTRATION
#include "compiler/inline/Passes.h.inc"
} // namespace plumb

using namespace mlir;

void plumb::buildInlinePipeline(OpPassManager &pm) {
  // Inlining a cycle has no end, so a cycle is an error before anything moves.
  pm.addPass(createVerifyNoRecursionPass());
  // What must stay is marked in words that the passes behind and MLIR's own understand.
  pm.addPass(createAnnotateInliningPass());
  // A gradient that goes back through the code of a call before it needs that call in one piece.
  pm.addPass(createKeepSharedForwardsPass());
  // Bottom-up, without simplification in between: optimize does that once, when gradients are there, too.
  pm.addPass(createInlineCallsPass());
  // Callees without a caller are gone; functions that are differentiated stay, for gradients name them.
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createVerifyInlinedPass());
}

void plumb::registerInlinePipeline() {
  registerInlinePasses();
  PassPipelineRegistration<>("plumb-inline", "Inline every call", buildInlinePipeline);
}
