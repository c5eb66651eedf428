// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's options, as the command line and the C API spell them.

#ifndef PLUMB_COMPILER_DRIVER_OPTIONS_H
#define PLUMB_COMPILER_DRIVER_OPTIONS_H

#include "compiler/pipeline/Stages.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace plumb {

/// What a compilation yields.
enum class OutputKind { Plumb, Exe, Obj, Asm, LLVM, MLIR };

/// How the time table is printed.
enum class TimingFormat { None, Text, Json };

/// One compilation's options.
struct CompileOptions {
  OutputKind emit = OutputKind::Plumb;
  /// Stop after this stage and yield IR.
  std::optional<Stage> compileTo;
  /// The source is IR as this stage leaves it; go on behind it.
  std::optional<Stage> compileFrom;
  std::string targetCpu = "native";
  /// Keep symbols and the table of kernels in the executable.
  bool symbols = false;
  /// Whether kernels measure their own times.
  bool timers = false;
  /// A file of measured plans; empty: none.
  std::string plansFile;
  /// Seconds for measuring plans, which are kept in `plansFile`; 0: none are measured.
  double tuneSeconds = 0;
  /// 0 to 3; see GraphDumper.
  int saveGraphs = 0;
  std::string saveGraphsPath = ".";
  TimingFormat timing = TimingFormat::None;
  /// A regular expression for the categories of remarks to show; none: no remarks.
  std::optional<std::string> remarks;
  /// Whether the executable keeps prepared rows of its data sets in memory while it runs.
  bool cacheData = false;
  /// Where to write a pipeline and IR that reproduce a failing or crashing pass; empty: nowhere.
  std::string crashReproducer;
};

/// Applies one flag such as `--emit=obj` to `options`. Errors say which values there are. A flag that is not the
/// compiler's yields an error, with the nearest known spelling when there is one.
llvm::Error applyFlag(llvm::StringRef flag, CompileOptions &options);

/// The flags' help, one line each, for the tool's one screen.
llvm::StringRef getFlagsHelp();

} // namespace plumb

#endif // PLUMB_COMPILER_DRIVER_OPTIONS_H
