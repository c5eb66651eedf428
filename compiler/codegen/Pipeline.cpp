// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of codegen's passes, and why.

#include "compiler/codegen/Passes.h"
#include "compiler/codegen/common/Passes.h"
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/native/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace plumb;

void plumb::buildCodegenPipeline(OpPassManager &pm,
                                 const CodegenOptions &options) {
  // Parts of products may want other forms than the whole.
  pm.addPass(createSplitColumnsPass({options.targetCpu}));
  // Rearranged operands are linalg operations themselves, so they come before others;
  // their scratch memory is the end of the arena.
  pm.addPass(createPackContractionsPass({options.targetCpu}));
  // What follows a product on its registers: the proof needs places, which
  // functions do not know.
  pm.addPass(createFuseEpiloguesPass());
  // From here on, work is on small functions.
  pm.addPass(createOutlineKernelsPass());
  // While they still are linalg operations that tell what they do.
  pm.addPass(createAnnotateKernelsPass());
  // Whole kernels are known, and nothing is emitted yet.
  pm.addPass(createSplitKernelsPass({options.targetCpu}));
  // Grains are known, and so is what each of them touches.
  pm.addPass(createJoinGrainsPass({options.targetCpu}));
  // The native loop around the step. Early, so that copies into the report
  // meet the same emitters as everything else.
  pm.addPass(createConvertDeviceToLLVMPass({options.targetCpu}));
  // They are in nobody's way, and their functions hold nothing to vectorize.
  pm.addPass(createConvertNativeCallsToLLVMPass());
  // Products take the fills before them along; elementwise work, of which
  // fills are a kind, comes last.
  pm.addPass(createVectorizeContractionsPass({options.targetCpu}));
  pm.addPass(createVectorizeReductionsPass({options.targetCpu}));
  pm.addPass(createVectorizeElementwisePass({options.targetCpu}));
  // What no emitter took runs as plain loops: slower, never wrong.
  pm.addPass(createConvertRestToLoopsPass());
  // Functions of small floats are functions of f32 before they are expanded.
  pm.addPass(createExpandSmallFloatsPass({options.targetCpu}));
  pm.addPass(createExpandMathPass());
  // Roots that other functions became are roots, too.
  pm.addPass(createExpandRootsPass({options.targetCpu}));
  pm.addPass(createExpandMaximaPass({options.targetCpu}));
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  // Everything else in one walk.
  pm.addPass(createConvertLoopsToLLVMPass());
  // Kernels are native functions: what is shared out can be written down.
  pm.addPass(createConvertParallelToLLVMPass());
  pm.addPass(createVerifyGeneratedPass());
}

namespace {
struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> targetCpu{
      *this, "target-cpu",
      llvm::cl::desc("Processor to emit for; default: the module's target")};
};
} // namespace

void plumb::registerCodegenPipeline() {
  registerCodegenCommonPasses();
  registerCodegenCpuPasses();
  registerCodegenNativePasses();
  PassPipelineRegistration<PipelineOptions>(
      "plumb-codegen", "From linalg on buffers to LLVM's dialect",
      [](OpPassManager &pm, const PipelineOptions &options) {
        buildCodegenPipeline(pm, {options.targetCpu});
      });
}
