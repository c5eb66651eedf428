// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what a compiler that crashes was doing: the pass, the user's line if it is known, and a file with the program,
// from which the crash can be repeated. Written by a signal handler, hence with system calls on memory that was
// prepared before; afterwards the signal takes the way it would have taken. Only signals of threads that compile are
// reported.

#ifndef PLUMB_COMPILER_SUPPORT_CRASHREPORTER_H
#define PLUMB_COMPILER_SUPPORT_CRASHREPORTER_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace mlir {
class PassInstrumentation;
} // namespace mlir

namespace plumb {

/// Reports crashes of the calling thread while it lives.
class CrashReporter {
public:
  /// `text` is the program as MLIR, which outlives the reporter; `name` the file that it came from.
  CrashReporter(llvm::StringRef name, llvm::StringRef text);
  ~CrashReporter();
  CrashReporter(const CrashReporter &) = delete;

  /// Notes that a stage begins.
  void enterStage(llvm::StringRef name);

  /// Notes each pass of the stage, and the line of the operation that it runs on.
  std::unique_ptr<mlir::PassInstrumentation> createInstrumentation();

  /// Writes the program to a file; returns its path, or nothing when it cannot be written.
  std::string writeReproducer() const;

  struct State;

private:
  std::unique_ptr<State> state;
  State *outer;
};

/// Reports crashes of a thread that a compiling one started, as crashes of that one.
class CrashReporterThread {
public:
  /// Made on the compiling thread.
  CrashReporterThread();
  /// Called on the new thread, first.
  void enter() const;

private:
  CrashReporter::State *state;
};

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_CRASHREPORTER_H
