// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over the rows of a tensor, for ops whose elements along one axis wait for each other.

#ifndef PLUMB_DIALECTS_NET_IR_ROWLOOPS_H
#define PLUMB_DIALECTS_NET_IR_ROWLOOPS_H

#include "dialects/net/ir/Lowering.h"

namespace plumb::net {

/// Builds loops that carry tensors and numbers.
class RowLoops {
public:
  using Value = mlir::Value;
  using Values = llvm::SmallVector<Value>;
  /// The body of a loop: gets its index and what it carries, returns what it carries on.
  using Body = llvm::function_ref<Values(ScalarBuilder &, Value, mlir::ValueRange)>;

  /// Rows of a tensor along `axis`, which may count from the end.
  RowLoops(LoweringBuilder &builder, mlir::Operation *op, int64_t axis);

  /// The tensor, shaped as the op's first operand, as a matrix whose rows lie along the axis; and back.
  Value toRows(Value x);
  Value fromRows(Value rows);

  /// Extents of that matrix.
  int64_t rows() const { return count; }
  int64_t extent() const { return shape[axis]; }
  /// An empty matrix of that shape.
  Value empty(mlir::Type element);

  /// A loop from `lower` to before `upper`.
  Values loop(mlir::OpBuilder &at, Value lower, Value upper, Value step, mlir::ValueRange carried, Body body);
  /// As above from 0 by 1.
  Values loop(mlir::OpBuilder &at, int64_t upper, mlir::ValueRange carried, Body body);

private:
  Value transpose(Value x, llvm::ArrayRef<int64_t> perm);

  LoweringBuilder &builder;
  bool isUnsigned;
  llvm::SmallVector<int64_t> shape, perm;
  int64_t axis, count;
};

} // namespace plumb::net

#endif // PLUMB_DIALECTS_NET_IR_ROWLOOPS_H
