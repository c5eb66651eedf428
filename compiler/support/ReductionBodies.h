// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises how the body of a linalg operation accumulates. `lower` and `codegen` both match with these functions.

#ifndef PLUMB_COMPILER_SUPPORT_REDUCTIONBODIES_H
#define PLUMB_COMPILER_SUPPORT_REDUCTIONBODIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace plumb {

/// The operation that combines the accumulator of result `result` with a function of the inputs, if the result is
/// yield(combine(accumulator, f(inputs))) and `combine` has a neutral element, so that partial results can be combined.
mlir::Operation *findCombiner(mlir::linalg::LinalgOp op, unsigned result);

/// The addition of yield(accumulator + a * b) for result `result`, of floats or integers; null for other bodies. The
/// factors may be functions of the inputs.
mlir::Operation *findMultiplyAdd(mlir::linalg::LinalgOp op, unsigned result = 0);

/// Whether `op` is a contraction: it has one result and reduction loops, and adds the product of two inputs, which are
/// floats, to its accumulator.
bool isContraction(mlir::linalg::LinalgOp op);

} // namespace plumb

#endif // PLUMB_COMPILER_SUPPORT_REDUCTIONBODIES_H
