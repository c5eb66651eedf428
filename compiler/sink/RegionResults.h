// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands values that a branch or a loop computes out of it, as further results.

#ifndef PLUMB_COMPILER_SINK_REGIONRESULTS_H
#define PLUMB_COMPILER_SINK_REGIONRESULTS_H

#include "mlir/IR/Builders.h"

namespace plumb {

/// A tensor that the block of an operation's region `region` computes.
struct RegionValue {
  mlir::Value value;
  unsigned region;
};

/// Joins what a loop has of value `number` so far with what an iteration computes.
using JoinValues =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &builder, unsigned number, mlir::Value sofar, mlir::Value value)>;

/// Whether `op` is a branch or loop that can have further results.
bool canAddRegionResults(mlir::Operation *op);

/// Replaces `op` by one with a further result per value, and returns those. An arm that does not compute a value yields
/// zeros for it; a loop begins with zeros and joins.
llvm::SmallVector<mlir::Value> addRegionResults(mlir::Operation *op, llvm::ArrayRef<RegionValue> values,
                                                JoinValues join);

/// A tensor of zeros, or of `false`.
mlir::Value makeZeros(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

} // namespace plumb

#endif // PLUMB_COMPILER_SINK_REGIONRESULTS_H
