// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's stages: their order, names and one line of help each. A stage's name is its folder, its
// `--compile-to=` value and its test folder.

#ifndef PLUMB_COMPILER_PIPELINE_STAGES_H
#define PLUMB_COMPILER_PIPELINE_STAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace plumb {

/// The stages in the order in which they run.
enum class Stage {
  Parse,
  Resolve,
  Specialize,
  AutoMonad,
  Inline,
  Autodiff,
  Optimize,
  Sink,
  Lower,
  Codegen,
  Emit,
};

/// A stage's name, and what holds when it is done.
struct StageInfo {
  Stage stage;
  /// As typed by users: `auto_monad`.
  llvm::StringLiteral name;
  /// One line for `--list-stages`.
  llvm::StringLiteral promise;
};

/// All stages in order.
llvm::ArrayRef<StageInfo> getStages();

/// The name of `stage`.
llvm::StringRef getStageName(Stage stage);

/// The stage called `name`, or nothing.
std::optional<Stage> lookupStage(llvm::StringRef name);

/// What the stages need to know beyond the IR.
struct PipelineOptions {
  /// "native" or one of x86-64, x86-64-v2, x86-64-v3, x86-64-v4, or an LLVM CPU name.
  std::string targetCpu = "native";
  /// See CodegenOptions.
  std::string candidatesFile = {};
  bool timers = false;
};

/// Adds the passes of `stage` to `pm`, which runs on a builtin module. Emit has none: it leaves MLIR.
void buildStagePipeline(mlir::OpPassManager &pm, Stage stage, const PipelineOptions &options);

/// Registers every pass of every stage, and the pipelines `--plumb-<stage>`.
void registerAllPasses();

} // namespace plumb

#endif // PLUMB_COMPILER_PIPELINE_STAGES_H
