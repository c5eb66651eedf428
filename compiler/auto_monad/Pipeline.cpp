// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/auto_monad/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace plumb {
#define GEN_PASS_REGISTRATION
#include "compiler/auto_monad/Passes.h.inc"
} // namespace plumb

using namespace mlir;

void plumb::buildAutoMonadPipeline(OpPassManager &pm) {
  // First the order of effects becomes data, for all functions at once: who takes tokens depends on whom they call.
  pm.addPass(createInsertStateTokensPass());
  // A layer that is called twice reads its weights twice; with the order explicit, that is easy to see and to undo.
  // What is read behind a write is the parameter, until gradients are expanded.
  pm.addPass(createRemoveRedundantReadsPass({/*forwardWrites=*/false}));
  // The stages to come rely on tokens alone.
  pm.addPass(createVerifyStateTokensPass());
}

void plumb::registerAutoMonadPipeline() {
  registerAutoMonadPasses();
  PassPipelineRegistration<>("plumb-auto-monad", "Thread state tokens through every effect", buildAutoMonadPipeline);
}
