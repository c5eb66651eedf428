// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python programs as sources: the program runs under the `plumb` package up to its first training call, and the
// package prints the net module that this call would train. Of an ONNX file the package has a program of its own.

#ifndef PLUMB_COMPILER_DRIVER_PYTHONCAPTURE_H
#define PLUMB_COMPILER_DRIVER_PYTHONCAPTURE_H

#include "compiler/support/LivePython.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace plumb {

/// What a program would train.
struct CapturedProgram {
  /// The module's text.
  std::string text;
  /// Data that the text names: a safetensors file, mapped. Null when there are none.
  std::unique_ptr<llvm::MemoryBuffer> resources;
  /// Asks the program's process, which runs until the last copy is gone. Empty where no process is behind the text.
  PythonAnswer python = {};
};

/// Whether Python reads the source of this name: a program, or a network in an ONNX file.
bool isCaptured(llvm::StringRef name);

/// Runs `program` with `arguments` under Debian's Python up to its first training call.
///
/// `executablePath` is the running tool's own path, from which the package is found; the environment variable
/// PLUMB_PYTHON_PATH comes first. The program's output goes to stderr; so do Python's diagnostics, in which case the
/// error only says that capturing failed.
llvm::Expected<CapturedProgram> capturePythonProgram(llvm::StringRef executablePath, llvm::StringRef program,
                                                     llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace plumb

#endif // PLUMB_COMPILER_DRIVER_PYTHONCAPTURE_H
