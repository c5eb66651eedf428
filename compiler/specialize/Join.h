// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the places share where two ways of control meet.

#ifndef PLUMB_COMPILER_SPECIALIZE_JOIN_H
#define PLUMB_COMPILER_SPECIALIZE_JOIN_H

#include "compiler/specialize/AbstractValue.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

namespace plumb::specialize {

/// A join under way: tensors that each side hands over, pairwise.
struct Join {
  mlir::Location location;
  mlir::Block *leftBlock;  ///< Where the left side's conversions are written.
  mlir::Block *rightBlock; ///< Where the right side's are.
  mlir::Operation *source = nullptr; ///< The user's branch, if it is one.
  llvm::SmallVector<mlir::Value> left = {};
  llvm::SmallVector<mlir::Value> right = {};
};

/// Whether both are the very same value, tensors included.
bool isIdentical(const AbstractValue &left, const AbstractValue &right);

/// Where `region` assigns `name` last; where `op` stands if it does not.
mlir::Location findStore(mlir::Operation *op, mlir::Region &region,
                         mlir::StringAttr name);

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_JOIN_H
