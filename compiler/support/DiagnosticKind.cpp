// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/support/DiagnosticKind.h"

using namespace mlir;

namespace plumb {

static constexpr DiagnosticKind kKinds[] = {DiagnosticKind::Error, DiagnosticKind::Refusal, DiagnosticKind::Value,
                                            DiagnosticKind::Operation, DiagnosticKind::Outside};

llvm::StringRef getName(DiagnosticKind kind) {
  switch (kind) {
  case DiagnosticKind::Error: return "error";
  case DiagnosticKind::Refusal: return "refusal";
  case DiagnosticKind::Value: return "value";
  case DiagnosticKind::Operation: return "operation";
  case DiagnosticKind::Outside: return "outside";
  }
  return "error";
}

std::optional<DiagnosticKind> findDiagnosticKind(llvm::StringRef name) {
  for (DiagnosticKind kind : kKinds)
    if (getName(kind) == name)
      return kind;
  return std::nullopt;
}

// The kind is an argument of the diagnostic's metadata, which nothing else uses.
void setKind(Diagnostic &diagnostic, DiagnosticKind kind) {
  if (kind != DiagnosticKind::Error)
    diagnostic.getMetadata().emplace_back(getName(kind));
}

DiagnosticKind getKind(Diagnostic &diagnostic) {
  for (const DiagnosticArgument &argument : diagnostic.getMetadata())
    if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::String)
      if (auto kind = findDiagnosticKind(argument.getAsString()))
        return *kind;
  return DiagnosticKind::Error;
}

} // namespace plumb
