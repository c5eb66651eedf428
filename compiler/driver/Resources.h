// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large tensors that travel beside a module's text.

#ifndef PLUMB_COMPILER_DRIVER_RESOURCES_H
#define PLUMB_COMPILER_DRIVER_RESOURCES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace plumb {

/// Gives each `dense_resource` of a parsed module that `file`, a safetensors file, holds a tensor of the same name for
/// that tensor's bytes. They are not copied: `file` must outlive `context`'s use of them.
llvm::Error attachResources(mlir::MLIRContext &context, llvm::StringRef file);

/// Prints the resources of `context` as they stand behind a module, by name; nothing when there are none.
void printResources(mlir::MLIRContext &context, llvm::raw_ostream &os);

} // namespace plumb

#endif // PLUMB_COMPILER_DRIVER_RESOURCES_H
