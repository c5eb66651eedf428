// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Python process that a program comes from, while it still runs: a stage may have it compute what only CPython and
// the program's own objects know. In process it is this process; under plumbc it is the one that captured the program.

#ifndef PLUMB_COMPILER_SUPPORT_LIVEPYTHON_H
#define PLUMB_COMPILER_SUPPORT_LIVEPYTHON_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <string>

namespace plumb {

/// Takes one line of JSON and returns another; empty when the process is gone. docs/rationale/python_capture.md has the
/// form of both.
using PythonAnswer = std::function<std::string(llvm::StringRef)>;

/// A context's live Python process, as an interface of the net dialect.
class LivePython : public mlir::DialectInterface::Base<LivePython> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LivePython)

  LivePython(mlir::Dialect *dialect, PythonAnswer answer) : Base(dialect), answer(std::move(answer)) {}

  /// Lets the stages that run in `context` ask. An empty `answer` changes nothing.
  static void attach(mlir::MLIRContext &context, PythonAnswer answer) {
    mlir::Dialect *dialect = context.getOrLoadDialect("net");
    if (dialect && answer)
      dialect->addInterface(std::make_unique<LivePython>(dialect, std::move(answer)));
  }

  /// The process, or null when none answers.
  static const LivePython *get(mlir::MLIRContext *context) {
    mlir::Dialect *dialect = context->getLoadedDialect("net");
    return dialect ? dialect->getRegisteredInterface<LivePython>() : nullptr;
  }

  std::string ask(llvm::StringRef request) const { return answer(request); }

private:
  PythonAnswer answer;
};

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_LIVEPYTHON_H
