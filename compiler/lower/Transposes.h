// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes as `linalg.generic`, the form in which all passes of the stage match them.

#ifndef PLUMB_COMPILER_LOWER_TRANSPOSES_H
#define PLUMB_COMPILER_LOWER_TRANSPOSES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace plumb {

/// The order of a transpose, if `op` is one: axis i of its result is axis order[i] of its input. None for null.
std::optional<llvm::SmallVector<int64_t>> matchTranspose(mlir::linalg::GenericOp op);

/// Builds a transpose, whose result has axis order[i] of `value` as axis i.
mlir::linalg::GenericOp createTranspose(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                        llvm::ArrayRef<int64_t> order);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_TRANSPOSES_H
