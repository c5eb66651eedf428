// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How runs of statements end, and what follows them. See Exits.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_RUN_EXITS_H
#define PLUMB_COMPILER_SPECIALIZE_RUN_EXITS_H

#include "compiler/specialize/run/Changes.h"
#include "compiler/specialize/tensors/TensorArithmetic.h"

namespace plumb::specialize {

/// The exit of one iteration, of which `continue` is no other end; and that of a loop, which `break` ends, too.
Exit leaveIteration(Exit exit);
Exit leaveLoop(Exit exit);

/// Writes branches on tensors, and joins their ends.
class Exits : public Part {
public:
  Exits(Workspace &workspace, Run &run, LiveProcess &live, TensorWriter &writer, TensorArithmetic &arithmetic,
        Joins &joins, MadeObjects &made, Changes &changes)
      : Part(workspace), run(run), live(live), writer(writer), arithmetic(arithmetic), joins(joins), made(made),
        changes(changes) {}

  using Side = llvm::function_ref<FailureOr<Exit>()>;
  /// Writes a branch whose two sides run to an end, and joins the ends. `source` is the program's `if`, if it is one.
  FailureOr<Exit> runTwoWays(Location location, Value condition, Side runLeft, Side runRight,
                             mlir::Operation *source = nullptr);
  /// Runs `next` behind an exit: within a branch where the exit is mixed.
  FailureOr<Exit> proceed(Exit exit, Continuation next);
  /// Runs `next`, an iteration, behind those `before` it, where they have not left the loop; then it is one of them.
  LogicalResult runUnlessLeft(Iterations &before, Side next);
  /// The exit of a loop of such iterations.
  FailureOr<Exit> leaveIterations(Iterations &all);
  /// The exit of a statement that without what it has raised would end as `exit` says.
  FailureOr<Exit> takePending(Exit exit);
  /// Whether one of several tensors of one boolean holds.
  Result isAny(Location location, llvm::ArrayRef<AbstractValue> flags);
  /// A tensor of one boolean as the condition of a branch.
  Value extractFlag(Location location, const AbstractValue &flag);

private:
  FailureOr<Exit> branch(Location location, Value condition, Side runLeft, Side runRight, mlir::Operation *source,
                         Iterations *before);
  LogicalResult checkUntouched(const Exit &left, unsigned since) const;
  void passKnown(Join &join, const Exit &right, const State &state) const;
  void passOnward(Join &join, const Exit &left, const Exit &right, const State &leftState, const State &rightState,
                  Exit &exit) const;
  void enterKnown(const Iterations &before);
  LogicalResult runNext(Iterations &before, Side next);
  LogicalResult numberThrown(Iterations &before, const llvm::DenseSet<Value> &known);
  bool mayReach(const Exit &exit) const;
  FailureOr<Exit> joinExits(Join join, mlir::scf::IfOp skeleton, const Exit &left, const Exit &right,
                            const State &leftState, const State &rightState, const State &before);
  FailureOr<AbstractValue> joinReturned(Join &join, const Exit &left, const Exit &right);
  void joinFlow(Join &join, const Exit &left, const Exit &right, Exit &exit,
                llvm::SmallVectorImpl<std::pair<Flow, AbstractValue>> &taken);
  llvm::SmallVector<Thrown, 0> joinThrown(Join &join, const Exit &left, const Exit &right, bool inAnyCase);
  void joinStates(Join &join, const Exit &left, const Exit &right, const State &leftState, const State &rightState,
                  const State &before, Exit &exit, llvm::SmallVectorImpl<StringAttr> &joined);
  void passNames(Join &join, const State &reached, const State &before, bool isLeft,
                 llvm::SmallVectorImpl<StringAttr> &joined);
  void joinLast(Join &join, const State &left, const State &right, llvm::SmallVectorImpl<StringAttr> &joined);
  void passToOne(Join &join, const State &reached, bool isLeft, const Exit &ended, Exit &exit,
                 llvm::SmallVectorImpl<StringAttr> &joined);

  Run &run;
  LiveProcess &live;
  TensorWriter &writer;
  TensorArithmetic &arithmetic;
  Joins &joins;
  MadeObjects &made;
  Changes &changes;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_RUN_EXITS_H
