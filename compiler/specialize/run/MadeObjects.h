// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of the program's classes that a run makes. See MadeObjects.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_MADEOBJECTS_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_MADEOBJECTS_H

#include "compiler/specialize/run/Run.h"
#include "compiler/specialize/tensors/LiveProcess.h"

namespace plumb::specialize {

/// Knows the objects that calls have made, and under how many conditions on tensors each was.
class MadeObjects : public Part {
public:
  MadeObjects(Workspace &workspace, Run &run, LiveProcess &live) : Part(workspace), run(run), live(live) {}

  /// Takes note of a new object, made under the conditions that hold now.
  void note(mlir::Attribute object) {
    made[object] = run.countConditions();
    numbers.try_emplace(object, numbers.size());
  }
  /// Whether an object that only Python knows, as a deque, may hold one that the function which runs has made.
  bool mayBeKept() const { return live.hasTouched(run.frame.askedBefore); }
  /// How many objects there were so far, and whether one was made when there were `count`, or later.
  unsigned count() const { return numbers.size(); }
  bool isMadeSince(mlir::Attribute object, unsigned count) const {
    auto found = numbers.find(object);
    return found != numbers.end() && found->second >= count;
  }
  /// Whether a value is an object that ends where the conditions hold no more under which it was made, or holds one.
  bool holdsEnding(const AbstractValue &value) const;
  bool contains(mlir::Attribute object) const { return made.count(object); }
  /// Drops the attributes, as far as `kept` has not the same, of objects that were made under more conditions; returns
  /// them.
  Change drop(Change &attributes, const Keys &kept, unsigned conditions) const;
  /// Objects whose attributes outlive a branch count as made in front of it.
  void keep(const Keys &keys);
  /// Objects that a function has made stand under the conditions of its call, which may be another one than at first:
  /// `inner` is what it has left in the dict `outer`.
  void noteReturned(const AbstractValue &inner, const AbstractValue &outer);
  /// Puts one object in the place of two of one class that the sides of a branch have made there.
  void unify(Join &join, Exit &left, Exit &right, State &leftState, State &rightState);

private:
  class Unifier;

  Run &run;
  LiveProcess &live;
  llvm::DenseMap<mlir::Attribute, unsigned> made;    ///< With the number of conditions.
  llvm::DenseMap<mlir::Attribute, unsigned> numbers; ///< In which order they were made.
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_MADEOBJECTS_H
