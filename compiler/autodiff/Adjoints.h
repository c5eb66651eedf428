// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoints that a reverse walk has gathered so far. The adjoint of a value is the sum over its uses, so it is
// complete when the walk, going backwards, arrives at the op that makes the value. Parameters have one, too: the sum
// over their reads.

#ifndef PLUMB_COMPILER_AUTODIFF_ADJOINTS_H
#define PLUMB_COMPILER_AUTODIFF_ADJOINTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/MapVector.h"

namespace plumb {

/// A constant of `type`: a tensor whose elements are all `number`, or the number itself where `type` is a scalar's, as
/// the condition of a branch is.
mlir::Value buildSplat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, double number);

/// The number of a step, row or slot.
mlir::Value buildIndex(mlir::OpBuilder &builder, mlir::Location loc, int64_t number);

/// The sum of `left`, which may be null for zero, and `right`. Where one is zeros but for some rows, only these change.
mlir::Value buildSum(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value left, mlir::Value right);

/// Adjoints of values and of parameters; absence means zero. The order of insertion is kept, so that the code which is
/// built from it does not depend on addresses.
struct Adjoints {
  llvm::MapVector<mlir::Value, mlir::Value> values;
  llvm::MapVector<mlir::StringAttr, mlir::Value> parameters;

  /// Adds `adjoint` to that of `value`.
  void add(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value adjoint);
  /// Adds `adjoint` to that of `parameter`.
  void add(mlir::OpBuilder &builder, mlir::Location loc, mlir::StringAttr parameter, mlir::Value adjoint);

  /// The adjoint of `value`, or null.
  mlir::Value get(mlir::Value value) const { return values.lookup(value); }
  /// The adjoint of `parameter`, or null.
  mlir::Value get(mlir::StringAttr parameter) const { return parameters.lookup(parameter); }
  /// As above, as a tensor of zeros of `type` instead of null.
  mlir::Value getOrZero(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value) const;
};

} // namespace plumb

#endif // PLUMB_COMPILER_AUTODIFF_ADJOINTS_H
