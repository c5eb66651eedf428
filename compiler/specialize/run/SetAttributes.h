// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that the program sets under conditions on tensors. See SetAttributes.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_SETATTRIBUTES_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_SETATTRIBUTES_H

#include "compiler/specialize/run/Joins.h"
#include "compiler/specialize/tensors/LiveProcess.h"

namespace plumb::specialize {

/// Knows where attributes are set, and joins those that two sides of a branch leave.
class SetAttributes : public Part {
public:
  SetAttributes(Workspace &workspace, Run &run, LiveProcess &live, Joins &joins)
      : Part(workspace), run(run), live(live), joins(joins) {}

  /// Takes note that the attribute `key`, a pair of the object and the name, is set under the conditions that hold now.
  void note(mlir::Attribute key, Location location);
  /// Where an attribute is set under a condition on a tensor; nothing where it never is.
  std::optional<Location> findConditional(mlir::Attribute key) const;
  /// Gives both sides of a branch the attributes of either, in one order. One that a side has not set is what its
  /// object has in Python, else undefined.
  void align(Change &left, Change &right);
  /// What both sides together leave as the attribute `key`, of which at least one has not set it in any case; nothing
  /// where that cannot be joined.
  std::optional<AbstractValue> join(Join &join, const AbstractValue &left, const AbstractValue &right,
                                    mlir::Attribute key);
  /// Refuses the use of an attribute that may not be set.
  mlir::InFlightDiagnostic refuseUse(Location location, const AbstractValue &partial) const;

private:
  AbstractValue findKept(mlir::Attribute key) const;

  Run &run;
  LiveProcess &live;
  Joins &joins;
  llvm::DenseMap<mlir::Attribute, Location> conditional;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_SETATTRIBUTES_H
