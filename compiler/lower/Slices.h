// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements insertions touch.

#ifndef PLUMB_COMPILER_LOWER_SLICES_H
#define PLUMB_COMPILER_LOWER_SLICES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace plumb {

/// Whether place, extents and strides are numbers.
bool isStatic(mlir::tensor::InsertSliceOp insert);

/// Whether two insertions into tensors of one shape have no element in common: along some axis.
bool areDisjoint(mlir::tensor::InsertSliceOp a, mlir::tensor::InsertSliceOp b);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_SLICES_H
