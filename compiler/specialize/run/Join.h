// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the places share where two ways of control meet.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_JOIN_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_JOIN_H

#include "compiler/specialize/tensors/AbstractValue.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

namespace plumb::specialize {

struct Exit;

/// A container that the side of a branch has changed, and what it held before, or holds behind it; see Changes.cpp.
struct Change {
  mlir::Location location;
  AbstractValue container;
  llvm::SmallVector<AbstractValue> elements;
  mlir::ArrayAttr keys;                  ///< Of a dict.
  llvm::SmallVector<bool> isJoined = {}; ///< Whether an element is made of the results of the branch.
  bool isSpoilt = false;                 ///< How many items an iterator has left is not known any more.
};

/// The changes of one side of a branch.
using Journal = llvm::SmallVector<Change>;

/// What `journal` says about a container; null if it says nothing.
const Change *findChange(llvm::ArrayRef<Change> journal, const AbstractValue &container);

/// A join under way: tensors that each side hands over, pairwise.
struct Join {
  mlir::Location location;
  mlir::Block *leftBlock;            ///< Where the left side's conversions are written.
  mlir::Block *rightBlock;           ///< Where the right side's are.
  mlir::Operation *source = nullptr; ///< The user's branch, if it is one.
  /// Of a branch on whether an exit has left a loop, whose left side does nothing more: that exit.
  const Exit *decided = nullptr;
  llvm::SmallVector<mlir::Value> left = {};
  llvm::SmallVector<mlir::Value> right = {};
  Journal leftChanges = {}, rightChanges = {};
  /// Containers from before the branch, in the place of which a copy stands behind it: they cannot be changed.
  llvm::SmallVector<AbstractValue> copied = {};
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_JOIN_H
