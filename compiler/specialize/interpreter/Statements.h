// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements one behind the other, and `if`. See Statements.cpp.

#ifndef PLUMB_COMPILER_SPECIALIZE_INTERPRETER_STATEMENTS_H
#define PLUMB_COMPILER_SPECIALIZE_INTERPRETER_STATEMENTS_H

#include "compiler/specialize/interpreter/Blocks.h"
#include "compiler/specialize/interpreter/Collaborator.h"

#include "dialects/net/ir/NetPythonOps.h"

namespace plumb::specialize {

class Statements : public Collaborator, public Blocks {
public:
  using Collaborator::Collaborator;

  using Blocks::runBlock;
  FailureOr<Exit> runBlock(mlir::Block &block, Continuation next) override;

private:
  FailureOr<Exit> runFrom(mlir::Block::iterator from, mlir::Block::iterator end, Continuation next);
  std::optional<Exit> getEnd(mlir::Operation &op);
  FailureOr<Exit> runIf(net::PythonIfOp op, Continuation next);
  FailureOr<Exit> runBranches(net::PythonIfOp op, Value condition, Continuation next);
};

} // namespace plumb::specialize

#endif // PLUMB_COMPILER_SPECIALIZE_INTERPRETER_STATEMENTS_H
