// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alias analysis of buffers.

#ifndef PLUMB_COMPILER_CODEGEN_COMMON_ALIASING_H
#define PLUMB_COMPILER_CODEGEN_COMMON_ALIASING_H

#include "mlir/IR/Value.h"

namespace plumb {

/// The buffer at the end of the chain of views behind `buffer`.
mlir::Value getRoot(mlir::Value buffer);

/// The buffer that `buffer` is a reshape of: same first byte, same bytes.
mlir::Value getReshaped(mlir::Value buffer);

/// Whether no byte belongs to both buffers.
bool cannotAlias(mlir::Value a, mlir::Value b);

/// The numbers, ascending, of those among `values` that are buffers and alias no other of them. In n log n time.
llvm::SmallVector<unsigned> findUnaliased(llvm::ArrayRef<mlir::Value> values);

} // namespace plumb

#endif // PLUMB_COMPILER_CODEGEN_COMMON_ALIASING_H
