// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a run of the interpreter: what the statement being run finds and leaves. Its collaborators share it.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_RUN_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_RUN_H

#include "compiler/specialize/run/CallChain.h"
#include "compiler/specialize/run/Join.h"
#include "compiler/specialize/tensors/Part.h"

namespace plumb::specialize {

/// Everything a Python function can see while it runs. A branch on a tensor gives each of its sides a copy.
struct State {
  llvm::DenseMap<StringAttr, AbstractValue> names;
  llvm::DenseMap<Value, AbstractValue> values;
  /// Of `values` that are tuples of what a view of a dict shows now, the view.
  llvm::DenseMap<Value, AbstractValue> views;
  /// Attributes of objects that the program has set, as a dict that every call
  /// hands over: its keys are pairs of the object and the name.
  AbstractValue attributes = {};
  /// Names that the last blocks (`finally`) around read as they find them.
  llvm::DenseSet<StringAttr> readLast = {};

  const AbstractValue &get(Value value) const;
  /// The value where the program keeps it, or hands it on: a view of a dict is the view itself.
  const AbstractValue &getKept(Value value) const;
  llvm::SmallVector<AbstractValue> getAllKept(mlir::ValueRange values) const;
  /// The view of a dict that a value is; undefined for others.
  AbstractValue findView(Value value) const;
  /// Enters what an operation yields: of a view also what it shows now, which is what all see that do not keep it.
  void enter(Value value, const AbstractValue &yielded);
  /// Whether `container` is the dict of the attributes that the program has set.
  bool areAttributes(const AbstractValue &container) const {
    return container.getIdentity() == attributes.getIdentity();
  }
};

/// What a view of a dict shows now, as a tuple.
AbstractValue getShown(const AbstractValue &view);

/// The call of a Python function that is being interpreted, beside what the function can see.
struct Frame {
  unsigned number = 0;
  unsigned outerConditions = 0; ///< How many conditions on tensors it stands under.
  /// The changes of the present side of each branch around, and of the present iteration of each loop.
  llvm::SmallVector<Journal> journals = {};
  /// The changes since what may be taken back began; see Trial.
  llvm::SmallVector<Journal *> trials = {};
  /// The containers that it was handed.
  llvm::DenseMap<const void *, AbstractValue> handedOver = llvm::DenseMap<const void *, AbstractValue>();
  unsigned madeBefore = 0;  ///< How many objects there were when it began; see MadeObjects.h.
  unsigned askedBefore = 0; ///< How many questions to the Python process.
  /// The frame of the innermost `try`, where what is raised under a condition on a tensor can be handed to it.
  std::optional<unsigned> throwing = {};
  llvm::SmallVector<Thrown, 0> pending = {}; ///< What the last statement has raised for a `try` around.
  bool hasRaised = false;                    ///< The last statement raises whenever it is reached.
  std::optional<Location> raises = {};       ///< Where the function may raise while it runs.
};

/// An exception that a handler handles.
struct Handled {
  Thrown thrown;
  bool isStatic;       ///< It has arisen while compiling, ...
  unsigned conditions; ///< and its handler runs under so many conditions on tensors.
  bool isRead = false; ///< The handler has asked for more than its class.
};

/// The state of a run.
struct Run {
  explicit Run(const Workspace &workspace) : depth(workspace.depth) {}

  /// How many conditions on tensors what is being run stands under, those of all calls that led here included.
  unsigned countConditions() const { return depth + frame.outerConditions; }

  const unsigned &depth; ///< Of the workspace.
  State state;
  Frame frame;
  unsigned frames = 0; ///< How many there were.
  CallChain chain;
  /// How many conditions on tensors the innermost `try` stands under.
  std::optional<unsigned> attempted;
  llvm::SmallVector<Handled, 0> exceptions; ///< Those being handled.
  /// Whether what failed last may not have happened, or not all of it.
  bool failsConditionally = false;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_RUN_H
