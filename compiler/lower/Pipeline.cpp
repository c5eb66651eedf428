// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the stage `lower`.

#include "compiler/lower/Passes.h"
#include "dialects/device/ir/Device.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace plumb {
#define GEN_PASS_REGISTRATION
#include "compiler/lower/Passes.h.inc"
} // namespace plumb

using namespace mlir;

void plumb::buildLowerPipeline(OpPassManager &pm) {
  // Values first. Whole operations say best what is a sum, so sums of small floats are widened before any is a loop. Then
  // each operation says what it means; cleaning merges the constants and empty tensors that many
  // operations bring along.
  pm.addPass(createWidenReductionsPass());
  pm.addPass(createConvertNetToLinalgPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  // Contractions read and write through slices and transposes, before fusion hides these in other work.
  pm.addPass(createSimplifyMovementsPass());
  pm.addPass(createCSEPass());

  // Fusion is a matter of values too: it needs neither places nor lives. What it leaves without use goes at once, since
  // buffers have no dead code elimination.
  pm.addPass(createFuseElementwisePass());
  // Reductions that became one read more tensors, beside which producers are cheap to compute again.
  pm.addPass(createFuseReductionsPass());
  pm.addPass(createFuseElementwisePass());
  // Bodies are whole by now: what two of them have in common is seen.
  pm.addPass(createShareFunctionsPass());
  // Layouts follow fusion, which would have to look through the turns at their edges.
  pm.addPass(createAssignLayoutsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  // What is outermost is known now: sums are made row by row, and where the rows are.
  pm.addPass(createSliceProductsPass());
  pm.addPass(createSplitReductionsPass());
  // Neighbours in the step are neighbours in code: this comes after everything that merges or moves operations.
  pm.addPass(createScheduleStepPass());

  // From here on memory. Views are merged and unused ones removed before lives are counted.
  pm.addPass(createConvertTensorsToBuffersPass());
  pm.addPass(createCSEPass());
  pm.addPass(createPlanArenaPass());
  pm.addPass(createAssignOffsetsPass());

  pm.addPass(createVerifyLoweredPass());
}

void plumb::registerLowerPipeline() {
  registerLowerPasses();
  PassPipelineRegistration<>("plumb-lower", "Stage 'lower': from tensors to buffers at static places", buildLowerPipeline);
}
