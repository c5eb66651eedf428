// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipeline/Stages.h"

#include "compiler/auto_monad/Passes.h"
#include "compiler/autodiff/Passes.h"
#include "compiler/codegen/Passes.h"
#include "compiler/inline/Passes.h"
#include "compiler/lower/Passes.h"
#include "compiler/optimize/Passes.h"
#include "compiler/parse/Passes.h"
#include "compiler/resolve/Passes.h"
#include "compiler/sink/Passes.h"
#include "compiler/specialize/Passes.h"

using namespace plumb;

static constexpr StageInfo stages[] = {
    {Stage::Parse, "parse", "one net module: cells, parameters, and functions with unresolved names"},
    {Stage::Resolve, "resolve", "every name bound to a cell, parameter, primitive, function or constant"},
    {Stage::Specialize, "specialize", "every type known: one copy of a function per call signature"},
    {Stage::AutoMonad, "auto_monad", "every effect takes and yields a state token"},
    {Stage::Inline, "inline", "no call left"},
    {Stage::Autodiff, "autodiff", "no gradient left to expand"},
    {Stage::Optimize, "optimize", "one flat graph, simplified"},
    {Stage::Sink, "sink", "a device module: variables, queues, and the loop of get_next, step and report"},
    {Stage::Lower, "lower", "linalg on buffers, each at its offset in a static arena"},
    {Stage::Codegen, "codegen", "LLVM dialect for the target"},
    {Stage::Emit, "emit", "the executable"},
};

llvm::ArrayRef<StageInfo> plumb::getStages() { return stages; }

llvm::StringRef plumb::getStageName(Stage stage) { return stages[static_cast<unsigned>(stage)].name; }

std::optional<Stage> plumb::lookupStage(llvm::StringRef name) {
  for (const StageInfo &info : stages)
    if (info.name == name)
      return info.stage;
  return std::nullopt;
}

void plumb::buildStagePipeline(mlir::OpPassManager &pm, Stage stage, const PipelineOptions &options) {
  switch (stage) {
  case Stage::Parse: return buildParsePipeline(pm);
  case Stage::Resolve: return buildResolvePipeline(pm);
  case Stage::Specialize: return buildSpecializePipeline(pm);
  case Stage::AutoMonad: return buildAutoMonadPipeline(pm);
  case Stage::Inline: return buildInlinePipeline(pm);
  case Stage::Autodiff: return buildAutodiffPipeline(pm);
  case Stage::Optimize: return buildOptimizePipeline(pm);
  case Stage::Sink: return buildSinkPipeline(pm);
  case Stage::Lower: return buildLowerPipeline(pm, LowerOptions{options.targetCpu});
  case Stage::Codegen:
    return buildCodegenPipeline(pm, CodegenOptions{options.targetCpu, options.candidatesFile, options.timers});
  case Stage::Emit: return;
  }
}

void plumb::registerAllPasses() {
  registerParsePipeline();
  registerResolvePipeline();
  registerSpecializePipeline();
  registerAutoMonadPipeline();
  registerInlinePipeline();
  registerAutodiffPipeline();
  registerOptimizePipeline();
  registerSinkPipeline();
  registerLowerPipeline();
  registerCodegenPipeline();
}
