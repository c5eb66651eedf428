// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation: source text in, executable or IR out.

#ifndef PLUMB_COMPILER_DRIVER_COMPILE_H
#define PLUMB_COMPILER_DRIVER_COMPILE_H

#include "compiler/driver/Options.h"
#include "compiler/support/LivePython.h"
#include "compiler/support/RenderedDiagnostics.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>

namespace mlir {
class DialectRegistry;
class PassManager;
} // namespace mlir

namespace plumb {

/// What a compilation yields.
struct CompileResult {
  /// The executable, object or text.
  llvm::SmallVector<char, 0> data;
  /// Whether `data` is a program, to be written with execute permission.
  bool executable = false;
  /// The time table, when asked for.
  std::string timing;
  /// What measuring plans found, when asked for.
  std::string tuning;
};

/// Text to compile, and its name in diagnostics and in the manifest.
struct CompileSource {
  llvm::StringRef name;
  llvm::StringRef text;
  /// Bytes of the resources that the text names and does not hold itself: a safetensors file.
  llvm::StringRef resources = {};
  /// The process that the text comes from, while it answers.
  PythonAnswer python = {};
};

/// Hooks that only the command line has: MLIR's process-wide pass manager options.
using ConfigurePassManager = std::function<mlir::LogicalResult(mlir::PassManager &)>;

/// Registers every dialect and interface that the stages use.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Compiles `source`. All that is wrong has been told through `sink` when it fails, and `result` is unspecified.
mlir::LogicalResult compile(const CompileSource &source, const CompileOptions &options, const DiagnosticSink &sink,
                            CompileResult &result, const ConfigurePassManager &configure = {});

/// "plumb X.Y (LLVM Z)".
llvm::StringRef getVersion();

} // namespace plumb

#endif // PLUMB_COMPILER_DRIVER_COMPILE_H
