// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of codegen's passes, and why.

#include "compiler/codegen/Passes.h"
#include "compiler/codegen/common/Passes.h"
#include "compiler/codegen/cpu/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace plumb;

/// Loops and vectors to LLVM's dialect, each conversion once.
static void addConversions(OpPassManager &pm) {
  // Indices of loops and views are affine maps until here.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  // Vectors first: their memory accesses still name memrefs.
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(functions));
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  // Undefined lanes of shuffles and of padding are `ub.poison`.
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void plumb::buildCodegenPipeline(OpPassManager &pm,
                                 const CodegenOptions &options) {
  // Rearranged operands are linalg operations themselves, so they come first;
  // their scratch memory is the end of the arena.
  pm.addPass(createPackContractionsPass({options.targetCpu}));
  // The native loop around the step. Early, so that copies into the report
  // meet the same emitters as everything else.
  pm.addPass(createConvertDeviceToLLVMPass());
  // Products take the fills before them along; elementwise work, of which
  // fills are a kind, comes last.
  pm.addPass(createVectorizeContractionsPass({options.targetCpu}));
  pm.addPass(createVectorizeReductionsPass({options.targetCpu}));
  pm.addPass(createVectorizeElementwisePass({options.targetCpu}));
  // What no emitter took runs as plain loops: slower, never wrong.
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createExpandMathPass());
  pm.addPass(createCSEPass());
  addConversions(pm);
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
  PassPipelineRegistration<PipelineOptions>(
      "plumb-codegen", "From linalg on buffers to LLVM's dialect",
      [](OpPassManager &pm, const PipelineOptions &options) {
        buildCodegenPipeline(pm, {options.targetCpu});
      });
}
