// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose condition depends on a tensor. See Loops.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_LOOPS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_LOOPS_H

#include "compiler/specialize/interpreter/Blocks.h"
#include "compiler/specialize/interpreter/Conditions.h"
#include "compiler/specialize/run/LoopState.h"

namespace plumb::specialize {

/// Whether a loop ends by `break` or `return` alone.
bool isEndless(net::PythonWhileOp op);

/// Writes such loops as scf.while.
class Loops : public Collaborator {
public:
  Loops(Workspace &workspace, Interpreter &interpreter, Conditions &conditions, Blocks &blocks)
      : Collaborator(workspace, interpreter), conditions(conditions), blocks(blocks) {}

  /// Writes a loop; with `peeled`, its first iteration stands before it already.
  FailureOr<Exit> write(net::PythonWhileOp op, bool peeled = false);
  /// Runs the condition of a loop; nothing where it raises what a `try` around hears of. Where it ends the launch, the
  /// loop ends.
  FailureOr<std::optional<Truth>> testCondition(net::PythonWhileOp op);

private:
  FailureOr<std::optional<Exit>> attempt(net::PythonWhileOp op, LoopState &carried);
  FailureOr<bool> writeTest(net::PythonWhileOp op, LoopState &carried, mlir::Block *test, unsigned count);
  FailureOr<bool> writeBody(net::PythonWhileOp op, LoopState &carried, mlir::Block *body, std::optional<Exit> &exit);
  FailureOr<Exit> peelIteration(net::PythonWhileOp op);
  FailureOr<Exit> runTestedIteration(net::PythonWhileOp op, Flow atEnd, Continuation next);
  FailureOr<std::optional<Value>> runCarriedCondition(net::PythonWhileOp op, LoopState &carried,
                                                      llvm::SmallVectorImpl<Value> &passed);
  FailureOr<std::optional<Value>> runExitCondition(net::PythonWhileOp op, LoopState &carried,
                                                   mlir::ValueRange arguments, Value left,
                                                   llvm::SmallVectorImpl<Value> &passed);
  FailureOr<bool> carryExit(net::PythonWhileOp op, LoopState &carried, const Exit &exit,
                            llvm::SmallVectorImpl<Value> &yields);
  void carryThrown(LoopState &carried, const Exit &exit);
  FailureOr<std::pair<Value, Value>> getLeftAndReturned(Location location, const Exit &exit);
  LogicalResult yieldThrown(Location location, LoopState &carried, const Exit &exit, Value &left,
                            llvm::SmallVectorImpl<Value> &yields);
  Exit getLoopExit(net::PythonWhileOp op, const LoopState &carried, mlir::ValueRange results);

  Conditions &conditions;
  Blocks &blocks;
  llvm::DenseMap<mlir::Operation *, LiveNames> liveNames; ///< Of functions with loops on tensors.
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_LOOPS_H
