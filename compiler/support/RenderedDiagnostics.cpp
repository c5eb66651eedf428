// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/RenderedDiagnostics.h"

using namespace plumb;

RenderedDiagnostics::RenderedDiagnostics(llvm::SourceMgr &sources, mlir::MLIRContext *context, DiagnosticSink sink)
    : SourceMgrDiagnosticHandler(sources, context, stream), stream(text), sink(std::move(sink)) {
  setHandler([this](mlir::Diagnostic &diagnostic) { render(diagnostic); });
}

void RenderedDiagnostics::render(mlir::Diagnostic &diagnostic) {
  emitDiagnostic(diagnostic);
  stream.flush();
  sink(diagnostic.getSeverity(), text);
  text.clear();
}
