// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types in messages, as Python programs write them: `Tensor[Float32] of shape (2, 3)` for tensor<2x3xf32>.

#ifndef PLUMB_COMPILER_SUPPORT_SPELLEDTYPES_H
#define PLUMB_COMPILER_SUPPORT_SPELLEDTYPES_H

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace plumb {

/// A message with the tensor types that it holds in MLIR's form, and the element types behind "of", as Python programs
/// write them.
std::string spellTypes(llvm::StringRef message);

/// The message of a diagnostic, alike; types among its arguments are known as such.
std::string spellTypes(mlir::Diagnostic &diagnostic);

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_SPELLEDTYPES_H
