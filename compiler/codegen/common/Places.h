// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where buffers lie: which of them surely share no byte.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_PLACES_H
#define PLUMB_COMPILER_CODEGEN_COMMON_PLACES_H

#include "mlir/IR/Value.h"

namespace plumb {

/// The memory behind all views of it.
mlir::Value getRoot(mlir::Value buffer);

/// The buffer that `buffer` is another shape of: same first byte, same bytes.
mlir::Value getReshaped(mlir::Value buffer);

/// Whether two buffers surely share no byte.
bool areApart(mlir::Value a, mlir::Value b);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_PLACES_H
