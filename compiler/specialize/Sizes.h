// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes that cannot be.

#ifndef PLUMB_COMPILER_SPECIALIZE_SIZES_H
#define PLUMB_COMPILER_SPECIALIZE_SIZES_H

#include "mlir/IR/BuiltinTypes.h"

namespace plumb::specialize {

/// Why no machine holds a tensor of `type`, as the end of a message; empty where one may.
std::string findImpossibleSize(mlir::Type type);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_SIZES_H
