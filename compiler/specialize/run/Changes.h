// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists, dicts, attributes and names of outer functions that change in place. See Changes.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_CHANGES_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_CHANGES_H

#include "compiler/specialize/run/Joins.h"
#include "compiler/specialize/run/MadeObjects.h"
#include "compiler/specialize/run/SetAttributes.h"

namespace plumb::specialize {

/// Changes containers, and joins what the sides of a branch have left in them.
class Changes : public Part {
public:
  Changes(Workspace &workspace, Run &run, Joins &joins, MadeObjects &made, SetAttributes &setAttributes)
      : Part(workspace), run(run), joins(joins), made(made), setAttributes(setAttributes) {}

  /// Whether a container may be changed here, also under conditions on tensors.
  bool canChange(const AbstractValue &container) const;
  /// To be called before a container changes.
  void remember(Location location, const AbstractValue &container);
  /// Gives a container other contents, or says why it cannot be changed.
  LogicalResult change(Location location, const AbstractValue &container, llvm::ArrayRef<AbstractValue> elements,
                       const Keys &keys = {});
  /// Fails where one of the `parts` is `container`, or holds it.
  LogicalResult checkNotWithin(Location location, const AbstractValue &container,
                               llvm::ArrayRef<AbstractValue> parts) const;
  /// Says that how many items an iterator has left is not known any more.
  void spoil(Location location, const AbstractValue &iterator);

  /// Gives what the side of a branch, or an iteration, has changed its contents of before; returns what it has left.
  Journal take();
  /// Joins what the sides that end as the exits say have changed. `exit`, which is that of both, hears of names that a
  /// handler cannot use.
  LogicalResult join(Join &join, const Exit &left, const Exit &right, Exit &exit, Journal &joined);
  /// Gives containers what was joined, by the results of the branch.
  LogicalResult apply(Journal &joined, mlir::ValueRange &results, AbstractValue::Containers &known);

private:
  FailureOr<Change> joinChange(Join &join, const Change &change, const Exit &left, const Exit &right, Exit &exit);
  LogicalResult joinSeen(Join &join, Change one, Change other, const Exit &left, const Exit &right, Change &both);
  void alignAttributes(Change &left, Change &right, Change &leftAlone, Change &rightAlone);
  void passMade(Join &join, const Change &made, bool isLeft, Change &both);
  void passChange(Join &join, const Change &ended, const Change &reached, bool isLeft, Change &both);
  void noteKnown(Join &join, const Change &right, const Change &both) const;
  bool isMadeHere(mlir::Attribute object) const;
  bool isAttribute(const AbstractValue &container, bool isOfOthers) const;
  bool holdsMade(const AbstractValue &value, llvm::DenseSet<const void *> &seen) const;
  bool hasHandedBack() const;
  bool isOwn(const AbstractValue &container) const;
  bool isSeenLast(const Exit &side, const AbstractValue &container) const;
  bool isSeenBehind(const Exit &side, const Change &change, const Change &other) const;
  LogicalResult joinContents(Join &join, const Change &left, const Change &right, Change &joined);
  std::optional<AbstractValue> joinElement(Join &join, const Change &left, const Change &right, size_t index);
  std::string describePart(const Change &contents, size_t index) const;
  void hide(const AbstractValue &container, const Exit &ended, Exit &exit) const;

  Run &run;
  Joins &joins;
  MadeObjects &made;
  SetAttributes &setAttributes;
};

/// What is written, assigned and changed in containers while it lives, can be taken back.
class Trial {
public:
  Trial(Run &run, mlir::OpBuilder &builder);
  ~Trial() { run.frame.trials.pop_back(); }

  void undo();

private:
  Run &run;
  mlir::Block *block;
  mlir::Operation *last; ///< Of the block, before; null for an empty one.
  State before;
  Journal changes;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_CHANGES_H
