// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/specialize/tensors/Reports.h"

#include "compiler/specialize/tensors/PackageLocation.h"

using namespace mlir;

namespace plumb::specialize {

InFlightDiagnostic error(Location location) { return emitError(location); }

/// What needs a value within the package is an operation of it to the program.
InFlightDiagnostic refuse(Location location, DiagnosticKind kind) {
  InFlightDiagnostic diagnostic = emitError(location);
  bool isOperation = kind == DiagnosticKind::Value && isInPackage(location);
  setKind(*diagnostic.getUnderlyingDiagnostic(), isOperation ? DiagnosticKind::Operation : kind);
  return diagnostic;
}

LogicalResult checkCount(Location location, StringRef name, const Arguments &arguments, unsigned least, unsigned most) {
  size_t count = arguments.positional.size();
  if (count >= least && count <= most)
    return success();
  return error(location) << "TypeError: " << name << "() takes " << (count < least ? "at least " : "at most ")
                         << (count < least ? least : most) << " positional arguments but " << count << " were given";
}

} // namespace plumb::specialize
