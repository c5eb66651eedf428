// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of codegen's passes, and the reasons for it.

#include "compiler/codegen/Passes.h"
#include "compiler/codegen/common/Passes.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/tune/Passes.h"
#include "compiler/codegen/native/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace plumb;

void plumb::buildCodegenPipeline(OpPassManager &pm, const CodegenOptions &options) {
  // The parts of a split contraction may prefer other forms than the original.
  pm.addPass(createSplitColumnsPass({options.targetCpu}));
  // Rearranging copies are linalg operations themselves, so they come before the other passes; their scratch memory is
  // the end of the arena.
  pm.addPass(createPackContractionsPass({options.targetCpu}));
  // Proving that an epilogue is legal needs the addresses of buffers, which outlined functions do not know.
  pm.addPass(createFuseEpiloguesPass());
  // The following passes work on small functions.
  pm.addPass(createOutlineKernelsPass());
  // Names are derived from linalg operations, so before any is vectorized.
  pm.addPass(createAnnotateKernelsPass());
  // Cost estimates need complete kernels that are not vectorized yet.
  pm.addPass(createPartitionKernelsPass({options.targetCpu}));
  // All operations are final now, but for chunks that FuseTasks makes smaller.
  pm.addPass(createSelectPlansPass({options.targetCpu}));
  // Needs the chunks of all kernels, and the memory that each chunk accesses.
  pm.addPass(createFuseTasksPass({options.targetCpu}));
  // Kernels as they are emitted.
  if (!options.candidatesFile.empty())
    pm.addPass(createDumpPlansPass({options.targetCpu, options.candidatesFile}));
  // The native loop around the step. Early, so that copies into the report are vectorized like all other operations.
  pm.addPass(createConvertDeviceToLLVMPass({options.targetCpu}));
  // Their functions hold nothing to vectorize.
  pm.addPass(createConvertNativeCallsToLLVMPass());
  // Contractions merge with the fills before them; elementwise operations, which include fills, come last.
  pm.addPass(createVectorizeContractionsPass({options.targetCpu}));
  // Copies into reports and panels, which the two passes before have made.
  pm.addPass(createSelectPlansPass({options.targetCpu}));
  pm.addPass(createVectorizeReductionsPass({options.targetCpu}));
  pm.addPass(createVectorizeElementwisePass({options.targetCpu}));
  // Operations without vector code become plain loops.
  pm.addPass(createConvertRemainingToLoopsPass());
  // Functions of small floats become functions of f32 before they are expanded.
  pm.addPass(createExpandSmallFloatsPass({options.targetCpu}));
  pm.addPass(createExpandMathPass());
  // Includes the square roots that ExpandMath produced.
  pm.addPass(createExpandRootsPass({options.targetCpu}));
  pm.addPass(createExpandMaximaPass({options.targetCpu}));
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  // The remaining operations in one conversion.
  pm.addPass(createConvertLoopsToLLVMPass());
  // Tables of tasks need the kernels as native functions.
  pm.addPass(createConvertParallelToLLVMPass());
  if (options.timers)
    pm.addPass(createInsertKernelTimersPass({options.targetCpu}));
  pm.addPass(createVerifyGeneratedPass());
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> targetCpu{*this, "target-cpu",
                                llvm::cl::desc("Processor to emit for; default: the module's target")};
};
} // namespace

void plumb::registerCodegenPipeline() {
  registerCodegenCommonPasses();
  registerCodegenCpuPasses();
  registerCodegenTunePasses();
  registerCodegenNativePasses();
  PassPipelineRegistration<PipelineOptions>(
      "plumb-codegen", "From linalg on buffers to LLVM's dialect",
      [](OpPassManager &pm, const PipelineOptions &options) { buildCodegenPipeline(pm, {options.targetCpu, {}, {}}); });
}
