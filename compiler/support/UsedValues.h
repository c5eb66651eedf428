// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that an operation uses. The body of a `linalg.generic` may use values that are no operands of it: constants,
// indices and tables that it reads elements of. Who moves, copies or outlines operations asks here, not for operands
// alone.

#ifndef PLUMB_COMPILER_SUPPORT_USEDVALUES_H
#define PLUMB_COMPILER_SUPPORT_USEDVALUES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace plumb {

/// Values from outside that the regions of `op` use, in the order of their uses.
llvm::SetVector<mlir::Value> getCapturedValues(mlir::Operation *op);

/// The operands of `op`, then what its regions capture.
llvm::SetVector<mlir::Value> getUsedValues(mlir::Operation *op);

/// The captured values that are buffers.
llvm::SmallVector<mlir::Value> getCapturedBuffers(mlir::Operation *op);

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_USEDVALUES_H
