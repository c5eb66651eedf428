// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the resolve stage.

#include "compiler/resolve/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace plumb {

#define GEN_PASS_REGISTRATION
#include "compiler/resolve/Passes.h.inc"

void buildResolvePipeline(mlir::OpPassManager &pm) {
  // Names first: attribute chains start at the objects that names mean.
  pm.addPass(createResolveNamesPass());
  pm.addPass(createResolveAttributesPass());
  // Only now is it known which functions, cells and modules are used at all.
  pm.addPass(createRemoveUnreachableSymbolsPass());
  pm.addPass(createVerifyResolvedPass());
}

void registerResolvePipeline() {
  registerResolvePasses();
  mlir::PassPipelineRegistration<>("plumb-resolve", "The resolve stage: bind every name to its object",
                                   buildResolvePipeline);
}

} // namespace plumb
