// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an error says of a program, beside its text: whoever reads errors decides by their kind, never by their words.

#ifndef PLUMB_COMPILER_SUPPORT_DIAGNOSTICKIND_H
#define PLUMB_COMPILER_SUPPORT_DIAGNOSTICKIND_H

#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace plumb {

enum class DiagnosticKind {
  Error,     ///< The program is wrong: CPython raises an exception there, too.
  Refusal,   ///< CPython can run it, and compiled functions cannot.
  Value,     ///< A refusal of what needs the value of a tensor while compiling.
  Operation, ///< A refusal of an operation of the package that needs values, or runs on the host.
  Outside    ///< A refusal of a change of a list, dict or set that the compiled function has not made.
};

/// "error", "refusal", "value", "operation" or "outside".
llvm::StringRef getName(DiagnosticKind kind);
/// The kind of that name.
std::optional<DiagnosticKind> findDiagnosticKind(llvm::StringRef name);

/// Declares an error's kind; it is Error where nothing is declared.
void setKind(mlir::Diagnostic &diagnostic, DiagnosticKind kind);
DiagnosticKind getKind(mlir::Diagnostic &diagnostic);

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_DIAGNOSTICKIND_H
