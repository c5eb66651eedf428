// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the parse stage.

#include "compiler/parse/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace plumb {

#define GEN_PASS_REGISTRATION
#include "compiler/parse/Passes.h.inc"

void buildParsePipeline(mlir::OpPassManager &pm) {
  // The front ends do the parsing; here one check serves them all.
  pm.addPass(createVerifyParsedPass());
}

void registerParsePipeline() {
  registerParsePasses();
  mlir::PassPipelineRegistration<>("plumb-parse", "The parse stage: check what came in", buildParsePipeline);
}

} // namespace plumb
