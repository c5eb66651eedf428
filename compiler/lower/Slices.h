// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements that insertions write.

#ifndef PLUMB_COMPILER_LOWER_SLICES_H
#define PLUMB_COMPILER_LOWER_SLICES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace plumb {

/// Whether offsets, sizes and strides are constants, and the strides positive.
bool isStatic(mlir::tensor::InsertSliceOp insert);

/// Whether two static insertions into tensors of one shape write disjoint elements, which is decided axis by axis.
bool areDisjoint(mlir::tensor::InsertSliceOp a, mlir::tensor::InsertSliceOp b);

} // namespace plumb

#endif // PLUMB_COMPILER_LOWER_SLICES_H
