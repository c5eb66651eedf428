// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop on a tensor carries from one iteration to the next.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_LOOPSTATE_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_LOOPSTATE_H

#include "compiler/specialize/run/Changes.h"
#include "compiler/specialize/run/LiveNames.h"
#include "compiler/specialize/tensors/TensorWriter.h"

namespace plumb::specialize {

/// The names that a loop assigns and the contents of the containers that it changes, at the begin of an iteration and
/// at its end. See LoopState.cpp.
class LoopState : public Part {
public:
  LoopState(Workspace &workspace, Run &run, TensorWriter &writer, MadeObjects &made, Changes &changes,
            const LiveNames &liveNames, net::PythonWhileOp op);

  /// Enters the tensors that are carried, as they are before the loop.
  LogicalResult start(llvm::SmallVectorImpl<Value> &operands);
  /// Gives names and containers what an iteration begins with.
  void bind(mlir::ValueRange arguments);
  /// Enters the tensors that are carried, as they are now. False where they do not fit what an iteration begins with.
  FailureOr<bool> yield(llvm::SmallVectorImpl<Value> &yields);
  /// Carries names that the condition has made. Whether there are some that it did not know of.
  bool addMade();
  /// Carries containers that an attempt to write the loop has changed. Whether there are some that it did not know of.
  bool addChanged(const Journal &left);
  /// Gives names and containers what the loop leaves; other names of the loop have no value behind it.
  LogicalResult finish(mlir::ValueRange results);
  /// Reports why no attempt fits.
  LogicalResult failMismatch(Location location) const;

  bool again = false;   ///< Something becomes another form in the next attempt.
  bool isStuck = false; ///< No attempt can succeed.
  bool isSized = false; ///< Not even with the first iteration before the loop.
  /// The condition is part of the body.
  bool isTestedInside = false;
  /// The body may leave the loop, also by `break`; what it returns then: the structure, and the types of its tensors.
  bool leaves = false, breaks = false;
  std::optional<AbstractValue> returned = {};
  llvm::SmallVector<mlir::Type> returnedTypes = {};
  /// The exceptions that it may raise then, with placeholders as the tensors in their texts.
  llvm::SmallVector<Thrown, 0> thrown = {};

  /// `value` with placeholders as its tensors.
  AbstractValue makePlaceholders(const AbstractValue &value);

private:
  struct Slot {
    StringAttr name;         ///< Null for a container.
    AbstractValue container; ///< Undefined for a name.
    Location location;       ///< Where the loop assigns or changes it.
    AbstractValue made = {}; ///< What the condition makes a name that has no value before the loop, of placeholders.
    /// Iterations put other containers in the place of those inside: they are carried by what they hold.
    bool isCopied = false;
    bool wasCopied = false; ///< In the attempt before.
    /// Functions that iterations make anew, by their position among the leaves: which object one is, is not known.
    llvm::DenseSet<unsigned> remade = llvm::DenseSet<unsigned>();
    /// Numbers that became tensors, by their position among the leaves, with the element type that the loop gives them;
    /// null for their own.
    llvm::DenseMap<unsigned, mlir::Type> widened = llvm::DenseMap<unsigned, mlir::Type>();
    AbstractValue start = {}; ///< What an iteration begins with.
    Keys keys = {};
  };

  AbstractValue getNow(const Slot &slot) const;
  bool isTorn(const Slot &slot) const;
  void freeze(const AbstractValue &value);
  void endLocal(StringAttr name);
  bool fail(const Slot &slot, const AbstractValue &start, const AbstractValue &end);
  bool failForm(const Slot &slot, const llvm::Twine &what);
  bool failFirstSet(const Slot &slot);
  bool keepsForm(const Slot &slot);
  void dropMade(const Slot &slot);
  FailureOr<AbstractValue> widen(const Slot &slot, const AbstractValue &value, unsigned &leaf);
  FailureOr<bool> carry(Slot &slot, const AbstractValue &start, const AbstractValue &end, unsigned &leaf,
                        llvm::SmallVectorImpl<Value> &yields);
  FailureOr<bool> carryTensor(Slot &slot, const AbstractValue &start, const AbstractValue &end, unsigned leaf,
                              llvm::SmallVectorImpl<Value> &yields);
  bool carryConstant(Slot &slot, const AbstractValue &start, const AbstractValue &end, unsigned leaf);
  bool carryFixed(Slot &slot, const AbstractValue &start, const AbstractValue &end,
                  llvm::SmallVectorImpl<Value> &yields);
  bool carryContainer(Slot &slot, const AbstractValue &start, const AbstractValue &end);

  Run &run;
  TensorWriter &writer;
  MadeObjects &made;
  Changes &changes;
  net::PythonWhileOp op;
  unsigned outer; ///< The depth of what stands around the loop.
  llvm::SmallVector<Slot> slots;
  mlir::Block placeholders;                   ///< Its arguments have the types of tensors that only attempts compute.
  llvm::SmallVector<StringAttr> locals;       ///< Names that only the loop knows.
  llvm::SmallVector<AbstractValue> replacing; ///< Containers from outside that an iteration puts elsewhere.
  std::string mismatch = {};
  std::optional<Location> culprit = {};
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_LOOPSTATE_H
