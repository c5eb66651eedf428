// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/autodiff/Passes.h"
#include "compiler/inline/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace plumb {
#define GEN_PASS_REGISTRATION
#include "compiler/autodiff/Passes.h.inc"
} // namespace plumb

using namespace mlir;

void plumb::buildAutodiffPipeline(OpPassManager &pm) {
  // The reverse of a loop runs its steps again, so what has effects but need not stand in a loop leaves it first.
  // A loop that writes is one that reads, once its writes are behind it.
  pm.addPass(createHoistLoopWritesPass());
  pm.addPass(createHoistLoopReadsPass());
  // Free of effects, loops may be counted, so that a reverse finds each of their states on a tape.
  pm.addPass(createCountLoopsPass());
  pm.addPass(createExpandGradientsPass());
  // Rules that functions brought along are used up; they and their functions become plain code.
  pm.addPass(createElideCustomGradientsPass());
  pm.addPass(createInlineCallsPass());
  // The differentiated functions have no user left.
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createVerifyDifferentiatedPass());
}

void plumb::registerAutodiffPipeline() {
  registerAutodiffPasses();
  PassPipelineRegistration<>("plumb-autodiff", "Expand every gradient", buildAutodiffPipeline);
}
