// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which names a loop must carry from one iteration to the next: those that are live at its head, which some way from
// there reads before it assigns them, in the condition, in the body, in a later iteration or behind the loop.
//
//   gate = None                       live at the head: i, n, h, x. An iteration assigns `gate` before it reads it, and
//   while i < n:                      nothing behind the loop reads it, so no iteration needs the value of the one
//       gate = sigmoid(x[i] + h)      before: `gate` is local to the iteration, and may change its type.
//       h, i = h * gate, i + 1
//   return h
//
// This is the classical backward analysis over structured control flow. Any operation may raise, so what a handler
// reads is live throughout the body of its `try`; what a last block reads, on every way out of it. Inner functions read
// the names that they capture when they are called: such names are live everywhere.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_LIVENAMES_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_LIVENAMES_H

#include "dialects/net/ir/NetModuleOps.h"
#include "dialects/net/ir/NetPythonOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace plumb::specialize {

/// The live names of one function's loops.
class LiveNames {
public:
  explicit LiveNames(net::PythonFuncOp function);

  /// Whether some iteration of `loop`, or what is behind it, may read a value of `name` from before the iteration, or
  /// from the condition.
  bool isCarried(net::PythonWhileOp loop, mlir::StringAttr name) const;

private:
  using Names = llvm::DenseSet<mlir::StringAttr>;

  /// The names that are live where control leaves a block by other ways than its end.
  struct Ways {
    Names broken = {}, continued = {}, returned = {}, raised = {};
  };

  Names visit(mlir::Region &region, const Names &behind, const Ways &ways);
  void visit(mlir::Operation &op, Names &live, const Ways &ways);
  Names visitWhile(net::PythonWhileOp loop, const Names &behind, const Ways &ways);
  Names visitFor(net::PythonForOp loop, const Names &behind, const Ways &ways);
  Names visitTry(net::PythonTryOp op, Names behind, Ways ways);

  Names captured;
  llvm::DenseMap<mlir::Operation *, Names> carried;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_LIVENAMES_H
