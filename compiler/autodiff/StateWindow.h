// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The states between two that a tape keeps (StateTape.h), while the reverse walks back through them.
//
// The reverse needs the states of a window of w steps, last one first. Before the last one, a loop takes the steps from
// the state that the tape keeps up to there, and stores those of the window; the others are then read. So where the
// window reaches from one kept state to the next, each step is computed once more, however many there are:
//
//   tape keeps 0 8 16, w = 8:   step 15 computes and stores 8 9 … 15; steps 14 13 … 8 read; step 7 computes 0 1 … 7
//
// Where states are kept more than w steps apart, a window is computed from the kept state before it: n steps cost n + n
// (s + w) / (2 w) forward steps, where s is the stride.

#ifndef PLUMB_COMPILER_AUTODIFF_STATEWINDOW_H
#define PLUMB_COMPILER_AUTODIFF_STATEWINDOW_H

#include "compiler/autodiff/StateTape.h"

namespace plumb {

/// The window of one loop's reverse.
class StateWindow {
public:
  /// Builds one step of the loop, from its number and state to its next state.
  using StepBuilder =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::Value, mlir::ValueRange)>;

  /// For a loop that has filled `tape` in `count` steps and carried `kept` to its end.
  StateWindow(mlir::Location loc, mlir::TypeRange state, const StateTape &tape, mlir::Value count,
              mlir::ValueRange kept);

  /// What the reverse carries for the window, at its start; nothing where the tape keeps all states.
  llvm::SmallVector<mlir::Value> begin(mlir::OpBuilder &builder) const;
  /// The state that step `number` of the loop started from. `carried` becomes what the reverse hands to its next step.
  llvm::SmallVector<mlir::Value> find(mlir::OpBuilder &builder, mlir::Value number, mlir::ValueRange init,
                                      StepBuilder buildStep, llvm::SmallVectorImpl<mlir::Value> &carried) const;

private:
  mlir::Value makeMask(mlir::OpBuilder &builder) const;
  mlir::Value isLast(mlir::OpBuilder &builder, mlir::Value number, mlir::Value mask) const;

  mlir::Location loc;
  StateRows rows;
  const StateTape &tape;
  mlir::Value count;
  llvm::SmallVector<mlir::Value> kept;
  int64_t length;
};

} // namespace plumb

#endif // PLUMB_COMPILER_AUTODIFF_STATEWINDOW_H
