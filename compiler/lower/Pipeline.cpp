// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the stage `lower`.

#include "compiler/lower/Passes.h"
#include "compiler/support/StructuredRewrites.h"
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

void plumb::buildLowerPipeline(OpPassManager &pm, const LowerOptions &options) {
  // First the passes on tensors. Sums of small floats are widened, and convolutions unfolded, while they are
  // still `net` operations, which know that they accumulate; an unfolded adjoint is several of them, thus second.
  // Lowering creates many equal constants and empty tensors, which are merged.
  pm.addPass(createWidenReductionsPass());
  pm.addPass(createUnfoldConvolutionsPass());
  pm.addPass(createConvertNetToLinalgPass());
  pm.addPass(createCanonicalizerPass(getStructuredConfig()));
  pm.addPass(createRemoveRedundantOpsPass());

  // Slices and transposes are folded into contractions before they are fused with other operations.
  pm.addPass(createSimplifyMovementsPass());
  pm.addPass(createRemoveRedundantOpsPass());

  // Fusion works on tensors: it needs no memory plan, and unused tensors disappear, unlike unused buffers.
  pm.addPass(createFuseElementwisePass({options.targetCpu}));
  // Fused reductions read more tensors, so that more producers can be recomputed without additional memory accesses.
  pm.addPass(createFuseReductionsPass());
  pm.addPass(createFuseElementwisePass({options.targetCpu}));
  // After fusion, since it compares complete bodies.
  pm.addPass(createShareFunctionsPass());
  // Layouts follow fusion, which transposes at the edges of layout groups would prevent.
  pm.addPass(createAssignLayoutsPass({options.targetCpu}));
  pm.addPass(createCanonicalizerPass(getStructuredConfig()));
  pm.addPass(createRemoveRedundantOpsPass());

  // Outermost axes are known now, along which reductions can be split and fused into contractions.
  pm.addPass(createSliceContractionsPass());
  pm.addPass(createSplitReductionsPass({options.targetCpu}));
  // Codegen fuses neighbours into kernels, so the order is fixed after all passes that merge or move operations.
  pm.addPass(createScheduleStepPass());

  // From here on buffers. Equal views are merged and unused ones, which would extend live ranges, removed.
  pm.addPass(createConvertTensorsToBuffersPass());
  pm.addPass(createRemoveRedundantOpsPass());
  // On buffers, since it writes to some elements of a variable in place.
  pm.addPass(createElideZeroUpdatesPass());
  pm.addPass(createPlanArenaPass({options.targetCpu}));
  pm.addPass(createAssignOffsetsPass());

  pm.addPass(createVerifyLoweredPass());
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> targetCpu{*this, "target-cpu",
                                llvm::cl::desc("Processor to compile for; default: the module's target")};
};
} // namespace

void plumb::registerLowerPipeline() {
  registerLowerPasses();
  PassPipelineRegistration<PipelineOptions>(
      "plumb-lower", "Stage 'lower': from tensors to buffers at static offsets",
      [](OpPassManager &pm, const PipelineOptions &options) { buildLowerPipeline(pm, {options.targetCpu}); });
}
