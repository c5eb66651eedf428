// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the places share where two ways of control meet.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_JOIN_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_JOIN_H

#include "compiler/specialize/tensors/InterpreterTypes.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

namespace plumb::specialize {

/// A container that the side of a branch has changed, and what it held before, or holds behind it; see Changes.cpp.
struct Change {
  mlir::Location location;
  AbstractValue container;
  llvm::SmallVector<AbstractValue> elements;
  Keys keys;                             ///< Of a dict.
  llvm::SmallVector<bool> isJoined = {}; ///< Whether an element is made of the results of the branch.
  bool passesKeys = false;               ///< Whether the keys are such, too: those of one side.
  bool isSpoilt = false;                 ///< How many items an iterator has left is not known any more.
};

/// The changes of one side of a branch.
using Journal = llvm::SmallVector<Change>;

/// What `journal` says about a container; null if it says nothing.
const Change *findChange(llvm::ArrayRef<Change> journal, const AbstractValue &container);

/// What a change says about a dict, by its keys.
llvm::DenseMap<mlir::Attribute, AbstractValue> getElementsByKey(const Change &contents);

/// The iterations of an unrolled loop that stand before the next one.
struct Iterations {
  Exit exit;               ///< How they end.
  AbstractValue left = {}; ///< Whether they have left the loop, as far as somebody has asked.
  /// Of more than `kManyThrown` exceptions, the number of the one that was raised, if it is behind these.
  AbstractValue raised = {};
  static constexpr size_t kManyThrown = 16;
  /// Names and contents that are known where they have not left it, but of which tensors decide what they are behind
  /// them: numbers, and what has another size on either way. Other elements are undefined. Contents that are marked as
  /// spoilt are known as a whole.
  llvm::SmallVector<std::pair<StringAttr, AbstractValue>> names = {};
  Journal contents = {};

  /// Puts the results of a branch at `depth` in the place of the tensors inside.
  void takeTensors(mlir::ValueRange &results, unsigned depth, AbstractValue::Containers &known);
};

/// Whether more is known of what one side has than of what is joined.
bool isKnownBetter(const AbstractValue &side, const AbstractValue &joined);

/// A join under way: tensors that each side hands over, pairwise.
struct Join {
  mlir::Location location;
  mlir::Block *leftBlock;            ///< Where the left side's conversions are written.
  mlir::Block *rightBlock;           ///< Where the right side's are.
  mlir::Operation *source = nullptr; ///< The user's branch, if it is one.
  /// Of a branch on whether iterations have left their loop, whose left side does nothing more: those iterations.
  Iterations *before = nullptr;
  llvm::SmallVector<mlir::Value> left = {};
  llvm::SmallVector<mlir::Value> right = {};
  Journal leftChanges = {}, rightChanges = {};
  /// Containers from before the branch, in the place of which a copy stands behind it: they cannot be changed.
  llvm::SmallVector<AbstractValue> copied = {};
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_JOIN_H
