// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of Python functions that led to the operation being interpreted, for the notes of errors.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_CALLCHAIN_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_CALLCHAIN_H

#include "compiler/specialize/tensors/InterpreterTypes.h"

#include "dialects/net/ir/NetModuleOps.h"
#include "mlir/IR/Diagnostics.h"

namespace plumb::specialize {

/// Where one Python function was called.
struct CallSite {
  Location location;
  std::string callee;
};

struct CallChain {
  /// The user's innermost call that led to an error in a function of the Python package; none for an error in the
  /// user's own.
  std::optional<Location> getUserPlace(const mlir::Diagnostic &diagnostic) const;

  /// Adds the calls that led here to an error. An error that was `moved` to the innermost call of the user's has that
  /// call's place.
  void attachTo(mlir::Diagnostic &diagnostic, bool moved) const;

  llvm::SmallVector<CallSite> sites; ///< From the outermost call on.
  std::optional<Location> entry;     ///< Of the entry, whose call is none that the user wrote.
  /// The last function that reached its end without `return`.
  net::PythonFuncOp withoutReturn;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_CALLCHAIN_H
