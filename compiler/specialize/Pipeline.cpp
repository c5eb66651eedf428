// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the specialize stage.

#include "compiler/specialize/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace plumb {

#define GEN_PASS_REGISTRATION
#include "compiler/specialize/Passes.h.inc"

void buildSpecializePipeline(mlir::OpPassManager &pm) {
  // Write the typed functions beside the Python level, which they come from.
  pm.addPass(createSpecializeProgramsPass());
  // Nothing refers to the Python level any more.
  pm.addPass(createRemovePythonLevelPass());
  // A loop's condition may have been tried as a constant first; functions that
  // only such attempts called are dead.
  pm.addPass(mlir::createSymbolDCEPass());
  // Later stages know real numbers only; gradients are taken of the parts.
  pm.addPass(createInsertComplexLayoutsPass());
  pm.addPass(createExpandComplexPass());
  pm.addPass(createVerifySpecializedPass());
}

void registerSpecializePipeline() {
  registerSpecializePasses();
  mlir::PassPipelineRegistration<>("plumb-specialize", "The specialize stage: infer every type and value",
                                   buildSpecializePipeline);
}

} // namespace plumb
