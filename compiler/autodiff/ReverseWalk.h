// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reverse walk: given the adjoints of what a piece of forward code yields, it goes through that code backwards and
// builds, at the builder's place, the code that computes the adjoints of what it takes.
//
// * An op that carries `DifferentiableOpInterface` builds its own rule.
// * A read hands the adjoint of its value to its parameter. A write is no way for a gradient: a read behind it counts
//   as the parameter, too, as in MindSpore.
// * A branch becomes a branch on the same condition (ReverseBranches.cpp), a loop becomes a loop in the other direction
//   (ReverseLoops.cpp).
// * A call that is left here goes to a function with a rule of its own (`custom_bprop`), which is called.

#ifndef PLUMB_COMPILER_AUTODIFF_REVERSE_WALK_H
#define PLUMB_COMPILER_AUTODIFF_REVERSE_WALK_H

#include "compiler/autodiff/Activity.h"
#include "compiler/autodiff/Adjoints.h"
#include "compiler/autodiff/StateTape.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace plumb {

/// Differentiates the forward code of one gradient op.
class ReverseWalk {
public:
  /// `gradient` is the op being expanded, named in errors; its last `numResults` operands are what the forward code
  /// yields, tokens included. Held as operands they stay right when forward code is rebuilt.
  ReverseWalk(mlir::Operation *gradient, unsigned numResults, mlir::ModuleOp module, Activity &activity)
      : gradient(gradient), numResults(numResults), module(module), activity(activity) {}

  /// Walks `ops`, given in program order, backwards.
  llvm::LogicalResult run(llvm::ArrayRef<mlir::Operation *> ops, mlir::OpBuilder &builder, Adjoints &adjoints);

private:
  llvm::LogicalResult visit(mlir::Operation *op, mlir::OpBuilder &builder, Adjoints &adjoints);
  llvm::LogicalResult visitRule(mlir::Operation *op, mlir::OpBuilder &builder, Adjoints &adjoints);
  llvm::LogicalResult visitCall(mlir::func::CallOp call, mlir::OpBuilder &builder, Adjoints &adjoints);
  llvm::LogicalResult visitIf(mlir::scf::IfOp op, mlir::OpBuilder &builder, Adjoints &adjoints);
  llvm::LogicalResult visitWhile(mlir::scf::WhileOp op, mlir::OpBuilder &builder, Adjoints &adjoints);
  llvm::LogicalResult visitFor(mlir::scf::ForOp op, mlir::OpBuilder &builder, Adjoints &adjoints);

  /// Builds one step of a loop, from its number and state to its next state.
  using StepBuilder =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::Value, mlir::ValueRange)>;
  /// The states that a loop has kept for its reverse, and how many steps it took.
  struct Record {
    StateTape tape;
    llvm::SmallVector<mlir::Value> carried;
    mlir::Value count;
  };
  /// Differentiates the steps of `loop`, given the adjoints of its last state (null: zero). Adds those of `init` and of
  /// what the steps capture to `adjoints`.
  llvm::LogicalResult reverseSteps(mlir::LoopLikeOpInterface loop, mlir::ValueRange init, const Record &record,
                                   llvm::ArrayRef<mlir::Value> last, StepBuilder buildStep, mlir::OpBuilder &builder,
                                   Adjoints &adjoints);
  struct LoopAdjoints;
  LoopAdjoints findAdjoints(mlir::LoopLikeOpInterface loop, llvm::ArrayRef<mlir::Value> last);
  /// Differentiates the step that starts from `state`, given the adjoints `behind` it; returns those before it.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>> reverseStep(mlir::Location loc, const LoopAdjoints &carried,
                                                              mlir::ValueRange behind, mlir::Value step,
                                                              mlir::ValueRange state, StepBuilder buildStep,
                                                              mlir::OpBuilder &builder);

  /// Differentiates what a loop yields, given the adjoints `results` of it: computed once more from its last state, to
  /// be walked back.
  llvm::LogicalResult reverseCondition(mlir::scf::WhileOp op, mlir::ValueRange lastState,
                                       llvm::ArrayRef<mlir::Value> results, mlir::OpBuilder &builder,
                                       Adjoints &adjoints);

  /// Adds what a rule returned to the adjoints of `operands`, where these are active.
  llvm::LogicalResult accumulate(mlir::Operation *op, mlir::ValueRange operands, mlir::ValueRange found,
                                 mlir::OpBuilder &builder, Adjoints &adjoints);
  /// Reports that no gradient passes `op`, with a note at the gradient op.
  llvm::LogicalResult fail(mlir::Operation *op, const llvm::Twine &message);

  /// Where the latest token of `type` is held, among what the forward code yields; null where it has none.
  mlir::OpOperand *findToken(mlir::Type type);

  /// How many branches and loops the walk stands in; effects of rules are impossible there.
  unsigned depth = 0;
  mlir::Operation *gradient;
  unsigned numResults;
  mlir::ModuleOp module;
  Activity &activity;
};

} // namespace plumb

#endif // PLUMB_COMPILER_AUTODIFF_REVERSE_WALK_H
