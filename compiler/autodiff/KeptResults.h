// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the steps of a loop compute at length, kept for its reverse.
//
// The reverse of a loop computes what a step computes again from the state that the step started from. Products,
// convolutions and sums take many operations for an element of their results, far more than it takes to store and read
// it, so these results are kept beside the states, one row per step:
//
//   forward, step m:  kept[m] = h w            reverse, step i:  p = kept[i]       instead of h w
//
// Only where every state is kept, too, and as far as memory reaches. Results that no rule asks for are found to be
// dead later (RemoveDeadStates.cpp).

#ifndef PLUMB_COMPILER_AUTODIFF_KEPTRESULTS_H
#define PLUMB_COMPILER_AUTODIFF_KEPTRESULTS_H

#include "compiler/autodiff/StateTape.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace plumb {

/// The results that the reverse of one loop reads.
class KeptResults {
public:
  /// Chooses among the ops of the steps of `loop`, whose states are on `tape`.
  KeptResults(mlir::scf::ForOp loop, const StateTape &tape);

  /// How many there are.
  size_t size() const { return results.size(); }
  /// What the forward loop carries for them, at the start: empty tensors.
  llvm::SmallVector<mlir::Value> begin(mlir::OpBuilder &builder) const;
  /// Keeps the results of step `number`, which stands at `builder` as `step` says; from what the loop carries to what
  /// it hands to the next step.
  llvm::SmallVector<mlir::Value> store(mlir::OpBuilder &builder, mlir::Value number, const mlir::IRMapping &step,
                                       mlir::ValueRange carried) const;
  /// Makes the users of the results of step `number`, computed again as `step` says, read what was kept, given what
  /// the forward loop has carried to its end.
  void replace(mlir::Value number, const mlir::IRMapping &step, mlir::ValueRange carried) const;

private:
  mlir::Location loc;
  int64_t slots;
  llvm::SmallVector<mlir::Value> results;
};

} // namespace plumb

#endif // PLUMB_COMPILER_AUTODIFF_KEPTRESULTS_H
