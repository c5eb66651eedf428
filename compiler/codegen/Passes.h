// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage codegen: from linalg on buffers to LLVM's dialect. See README.md.

#ifndef PLUMB_COMPILER_CODEGEN_PASSES_H
#define PLUMB_COMPILER_CODEGEN_PASSES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <string>

namespace plumb {

/// The options of the stage.
struct CodegenOptions {
  /// `native`, `x86-64-v2`, `x86-64-v3`, `x86-64-v4`, or a processor's name;
  /// empty: the device module's target, else this machine.
  std::string targetCpu;
  /// Where to list the plans that each kernel could have; empty: nowhere.
  std::string candidatesFile;
  /// Whether kernels measure their own times.
  bool timers = false;
};

/// Adds the passes of the stage, in order.
void buildCodegenPipeline(mlir::OpPassManager &pm, const CodegenOptions &options = {});

/// Registers the passes of the stage, and the stage itself as
/// `--plumb-codegen`.
void registerCodegenPipeline();

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_PASSES_H
