// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/auto_monad/Passes.h"
#include "compiler/inline/Passes.h"
#include "compiler/optimize/Passes.h"
#include "compiler/support/StructuredRewrites.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace plumb {
#define GEN_PASS_REGISTRATION
#include "compiler/optimize/Passes.h.inc"
} // namespace plumb

using namespace mlir;

void plumb::buildOptimizePipeline(OpPassManager &pm) {
  // One graph: what was kept apart for the sake of earlier stages is joined.
  pm.addPass(createElideInlineBarriersPass());
  pm.addPass(createInlineCallsPass());
  pm.addPass(createSymbolDCEPass());
  // Folds, and removes what nobody uses: most of all the adjoints of what is not differentiated.
  pm.addPass(createCanonicalizerPass(getStructuredConfig()));
  // Forward and update now stand in one body, so both read a weight once.
  pm.addPass(createRemoveRedundantReadsPass());
  pm.addPass(createCSEPass());
  // Layouts first: once broadcasts and transposes are out of the way, arithmetic uses arithmetic.
  pm.addPass(createRemoveRedundantLayoutsPass());
  pm.addPass(createRemoveRedundantMathPass());
  pm.addPass(createHoistMasksPass());
  // Gradients are complete now: rows of them that branches add stand behind the branches.
  pm.addPass(createHoistRowUpdatesPass());
  pm.addPass(createHoistLoopSumsPass());
  // Last of the removals: by now gradients use all that they will use.
  pm.addPass(createRemoveDeadStatesPass());
  // What became equal or dead by that.
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass(getStructuredConfig()));
  pm.addPass(createVerifyOptimizedPass());
}

void plumb::registerOptimizePipeline() {
  registerOptimizePasses();
  PassPipelineRegistration<>("plumb-optimize", "Simplify each entry's graph", buildOptimizePipeline);
}
