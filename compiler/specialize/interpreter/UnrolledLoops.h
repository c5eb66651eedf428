// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose iterations are known while compiling. See UnrolledLoops.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_UNROLLEDLOOPS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_UNROLLEDLOOPS_H

#include "compiler/specialize/interpreter/Blocks.h"
#include "compiler/specialize/interpreter/Collaborator.h"

#include "dialects/net/ir/NetPythonOps.h"

namespace plumb::specialize {

class UnrolledLoops : public Collaborator {
public:
  UnrolledLoops(Workspace &workspace, Interpreter &interpreter, Blocks &blocks)
      : Collaborator(workspace, interpreter), blocks(blocks) {}

  FailureOr<Exit> runFor(net::PythonForOp op, Continuation next);
  FailureOr<Exit> runWhile(net::PythonWhileOp op, Continuation next);

  /// Iterations of one loop that are unrolled at most.
  static constexpr unsigned kMaxUnrolled = 20000;

private:
  struct Iterated;
  FailureOr<Iterated> getIterated(net::PythonForOp op);
  void addSources(Value iterable, Iterated &iterated);
  LogicalResult copyIterator(Location location, Iterated &iterated);
  LogicalResult takeItem(Location location, Iterated &iterated, size_t index);
  FailureOr<bool> hasItem(net::PythonForOp op, Iterated &iterated, size_t index);
  FailureOr<Exit> runIterations(net::PythonForOp op, Iterated &iterated);
  FailureOr<std::optional<bool>> findCondition(net::PythonWhileOp op);
  FailureOr<Exit> runBody(net::PythonWhileOp op, bool &mayRaise);
  FailureOr<Exit> runIteration(net::PythonWhileOp op, unsigned count, bool &isLast);
  FailureOr<Exit> runIterations(net::PythonWhileOp op);

  Blocks &blocks;
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_UNROLLEDLOOPS_H
