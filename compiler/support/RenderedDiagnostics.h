// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics as text: file:line:column, message, source line and caret, handed to a callback one at a time.

#ifndef PLUMB_COMPILER_SUPPORT_RENDEREDDIAGNOSTICS_H
#define PLUMB_COMPILER_SUPPORT_RENDEREDDIAGNOSTICS_H

#include "compiler/support/DiagnosticKind.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <string>

namespace plumb {

/// Receives one rendered diagnostic, ending in a newline, its notes included.
using DiagnosticSink = std::function<void(mlir::DiagnosticSeverity, DiagnosticKind, llvm::StringRef text)>;

/// While it lives, every diagnostic of `context` is rendered and given to `sink`. Source lines come from `sources` or
/// from the file that a location names.
class RenderedDiagnostics : public mlir::SourceMgrDiagnosticHandler {
public:
  RenderedDiagnostics(llvm::SourceMgr &sources, mlir::MLIRContext *context, DiagnosticSink sink);

private:
  void render(mlir::Diagnostic &diagnostic);

  std::string text;
  llvm::raw_string_ostream stream;
  DiagnosticSink sink;
};

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_RENDEREDDIAGNOSTICS_H
