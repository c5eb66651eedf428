// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions are the Python package's own.

#ifndef PLUMB_COMPILER_SPECIALIZE_TENSORS_PACKAGELOCATION_H
#define PLUMB_COMPILER_SPECIALIZE_TENSORS_PACKAGELOCATION_H

#include "compiler/support/PackageFile.h"

#include "mlir/IR/Location.h"

namespace plumb::specialize {

/// Whether a location stands in the Python package, of which the user sees no line that could be changed.
inline bool isInPackage(mlir::Location location) {
  auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  return place && isPackageFile(place.getFilename());
}

/// Whether a location stands in what the package interprets constructs of the language by: a user has not called it.
inline bool isOfConstruct(mlir::Location location) {
  auto place = location->findInstanceOf<mlir::FileLineColLoc>();
  return isInPackage(location) && place.getFilename().getValue().contains("/_parse/");
}

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_TENSORS_PACKAGELOCATION_H
