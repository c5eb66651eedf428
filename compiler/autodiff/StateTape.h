// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a loop keeps the states that its reverse needs.
//
// A loop takes n steps from its first state; step m of the reverse needs the state that the forward step m started
// from. The forward loop stores it in a tape, one tensor per part of the state with one row per step. Memory is static,
// so a tape has a fixed number of slots. Where the loop takes more steps than that, only every s-th state is kept: s,
// the *stride*, doubles whenever the slots are full, and the states between are computed again (StateWindow.h):
//
//   slots = 4:   steps 0 1 2 3 | 4   6   | 8       12      |
//   stride             1       |    2    |    4            |        s < 2 n / slots
//
// When the stride becomes 2 s, the odd multiples of s are needed no more, and their slots take the next states in
// order; so a state's slot follows from its number, and nothing is moved.

#ifndef PLUMB_COMPILER_AUTODIFF_STATETAPE_H
#define PLUMB_COMPILER_AUTODIFF_STATETAPE_H

#include "compiler/autodiff/StateRows.h"

namespace plumb {

/// The tape of one loop whose state has parts of the given types: tensors, or scalars, which become tensors on it.
class StateTape {
public:
  /// `bound` is the largest number of steps where that is known, else 0. There are as many slots as memory has room for
  /// the parts of type `needed`; those of the others are removed later (RemoveDeadStates.cpp).
  StateTape(mlir::Location loc, mlir::TypeRange state, mlir::TypeRange needed, int64_t bound);

  /// What the forward loop carries beside its state, at the start: empty tensors, and the stride.
  llvm::SmallVector<mlir::Value> begin(mlir::OpBuilder &builder) const;
  /// Keeps the state of step `number`; from what the loop carries to what it hands to the next step.
  llvm::SmallVector<mlir::Value> store(mlir::OpBuilder &builder, mlir::Value number, mlir::ValueRange state,
                                       mlir::ValueRange carried) const;
  /// The latest step up to `number` whose state is kept, given what the loop has carried to its end.
  mlir::Value findKept(mlir::OpBuilder &builder, mlir::Value number, mlir::ValueRange carried) const;
  /// The state of a step that is kept; `init` is the loop's first state.
  llvm::SmallVector<mlir::Value> load(mlir::OpBuilder &builder, mlir::Value kept, mlir::ValueRange init,
                                      mlir::ValueRange carried) const;

  /// How many steps lie between two states that are kept, where not all are.
  mlir::Value getStride(mlir::ValueRange carried) const { return carried.back(); }

  /// The bytes of the parts of one state that are needed.
  int64_t getNeededBytes() const { return neededBytes; }

  /// How many states there is room for.
  int64_t getSlots() const { return slots; }
  /// The bytes that the states leave of the memory of one loop's tape.
  int64_t countBytesLeft() const;

  /// Whether every state is kept.
  bool keepsAll() const { return isBounded; }

private:
  mlir::Value findSlot(mlir::OpBuilder &builder, mlir::Value number, mlir::Value stride) const;

  mlir::Location loc;
  StateRows rows;
  int64_t neededBytes;
  int64_t slots;
  bool isBounded;
};

} // namespace plumb

#endif // PLUMB_COMPILER_AUTODIFF_STATETAPE_H
