// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the stage `sink`.

#include "compiler/sink/Passes.h"
#include "compiler/support/StructuredRewrites.h"
#include "dialects/device/ir/Device.h"
#include "dialects/net/ir/NetBase.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace plumb {
#define GEN_PASS_REGISTRATION
#include "compiler/sink/Passes.h.inc"
} // namespace plumb

using namespace mlir;

void plumb::buildSinkPipeline(OpPassManager &pm) {
  // Checks become results while an entry is still a function with results.
  pm.addPass(createConvertChecksToReportsPass());

  // Tokens have done their work; without them a step is plain code that can move into a loop.
  pm.addPass(createElideStateTokensPass());
  pm.addPass(createConvertNetToDevicePass());
  // Before writes are merged or moved.
  pm.addPass(createWrapAssertedEffectsPass());

  // Two results may be one value, and an unused column needs no work.
  pm.addPass(createCanonicalizerPass(getStructuredConfig()));
  pm.addPass(createCSEPass());

  // Labels and indices are found through what canonicalization has left of casts and reshapes.
  pm.addPass(createAnnotateColumnRangesPass());
  // What columns may hold is known now; all other indices are checked in the step.
  pm.addPass(createInsertIndexChecksPass());

  pm.addPass(createVerifySunkPass());
}

void plumb::registerSinkPipeline() {
  registerSinkPasses();
  PassPipelineRegistration<>("plumb-sink", "Stage 'sink': from step functions to a device module", buildSinkPipeline);
}
