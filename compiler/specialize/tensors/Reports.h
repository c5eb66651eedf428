// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors about programs.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_REPORTS_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_REPORTS_H

#include "compiler/specialize/tensors/InterpreterTypes.h"
#include "compiler/support/DiagnosticKind.h"
#include "mlir/IR/Diagnostics.h"

namespace plumb::specialize {

/// An error that is an exception of Python's where its text begins with the class, as in "KeyError: …".
mlir::InFlightDiagnostic error(Location location);

/// An error that refuses what CPython can do and compiled functions cannot: no handler catches it.
mlir::InFlightDiagnostic refuse(Location location, DiagnosticKind kind = DiagnosticKind::Refusal);

/// Reports a call with fewer positional arguments than `least`, or more than `most`.
LogicalResult checkCount(Location location, llvm::StringRef name, const Arguments &arguments, unsigned least,
                         unsigned most);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_REPORTS_H
